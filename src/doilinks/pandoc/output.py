r"""What pandoc's writers would let a format make of a name's characters, prevented.

LaTeX and Typst set text with typography of their own, and part words where a line ends. Pandoc
keeps them from some of it, such as ``--``; what it lets through is written here, in the words of
the format. Other writers need nothing.
"""

from __future__ import annotations

import re
from typing import Any, Final

from ..core.typeset import LATEX_UNDIVIDED, is_divided_by_latex, latex, pieces

__all__ = ["CLASSLESS", "kept", "target"]

Node = dict[str, Any]

# Markdown that has no classes: pandoc writes a link with one as HTML then, whose text is Markdown
# still and loses its asterisks. ``uri`` is pandoc's own class, of autolinks.
CLASSLESS: Final = frozenset({"gfm", "markdown_github", "commonmark", "markdown_strict"})


def target(href: str, writer: str) -> str:
    """A target for a writer; Markdown's own end at a parenthesis that has no partner.

    >>> target("https://doi.org/10.1000/a(", "gfm"), target("https://doi.org/10.1000/(a)", "gfm")
    ('https://doi.org/10.1000/a%28', 'https://doi.org/10.1000/(a)')
    """
    if not writer.startswith(("gfm", "commonmark", "markdown")):
        return href
    depth = 0
    for sign in re.findall(r"[()]", href):
        depth += 1 if sign == "(" else -1
        if depth < 0:
            break
    return href.replace("(", "%28").replace(")", "%29") if depth else href


def kept(inlines: list[Node], writer: str) -> list[Node]:
    """The inlines of a link's text, for a writer that pandoc names ``latex``, ``typst``, ..."""
    if writer == "typst":
        return [_typst(node["c"]) if node["t"] == "Str" else node for node in inlines]
    if writer not in ("latex", "beamer"):
        return inlines
    made: list[Node] = []
    for node in inlines:
        made += _latex(node["c"]) if node["t"] == "Str" else [node]
    first = inlines[0]["c"] if inlines and inlines[0]["t"] == "Str" else ""
    if is_divided_by_latex(first):
        before, after = (_raw("latex", text) for text in LATEX_UNDIVIDED)
        made = [before, *made, after]
    return made


def _latex(text: str) -> list[Node]:
    """A bookmark contains nothing raw, so as much as possible is text."""
    return [_raw("latex", run) if raw else _string(run) for run, raw in latex(text)]


def _typst(text: str) -> Node:
    """Let lines end between boxes; a zero-width space would be copied. Strings are no markup."""
    strings = (piece.replace("\\", r"\\").replace('"', r"\"") for piece in pieces(text))
    boxes = "".join(f'"{string}",' for string in strings)
    return _raw("typst", f"#text(hyphenate: false, ({boxes}).map(box).join());")


def _string(text: str) -> Node:
    return {"t": "Str", "c": text}


def _raw(language: str, text: str) -> Node:
    return {"t": "RawInline", "c": [language, text]}

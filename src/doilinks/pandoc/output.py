r"""Keeps LaTeX, Typst and Markdown from changing the characters of a name in pandoc's output.

LaTeX and Typst apply typography to text and split words at the end of a line. Pandoc prevents some
of these changes, such as those of ``--``. This module prevents the others with raw text in the
language of the format. Other formats change no names.
"""

from __future__ import annotations

import re
from typing import Any, Final

from ..core.typeset import LATEX_UNDIVIDED, is_divided_by_latex, latex, pieces

__all__ = ["CLASSLESS", "kept", "target"]

Node = dict[str, Any]

# Kinds of Markdown without classes. For these, pandoc writes a link that has a class as HTML. The
# text inside this HTML is still Markdown and would lose its asterisks. ``uri`` is the class that
# pandoc gives to autolinks.
CLASSLESS: Final = frozenset({"gfm", "markdown_github", "commonmark", "markdown_strict"})


def target(href: str, writer: str) -> str:
    """A target for a writer. In Markdown, a parenthesis without a partner would end the target.

    >>> target("https://doi.org/10.1000/a(", "gfm"), target("https://doi.org/10.1000/(a)", "gfm")
    ('https://doi.org/10.1000/a%28', 'https://doi.org/10.1000/(a)')
    """
    if not writer.startswith(("gfm", "commonmark", "markdown")):
        return href
    depth = 0
    for parenthesis in re.findall(r"[()]", href):
        depth += 1 if parenthesis == "(" else -1
        if depth < 0:
            break
    return href.replace("(", "%28").replace(")", "%29") if depth else href


def kept(inlines: list[Node], writer: str) -> list[Node]:
    """The inlines of the text of a link for a writer, such as ``latex`` or ``typst``."""
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
    """A name in LaTeX. PDF bookmarks leave out raw text, so as little as possible is raw."""
    return [_raw("latex", run) if raw else _string(run) for run, raw in latex(text)]


def _typst(text: str) -> Node:
    """A name as boxes between which lines may end; readers would copy a zero-width space."""
    strings = (piece.replace("\\", r"\\").replace('"', r"\"") for piece in pieces(text))
    boxes = "".join(f'"{string}",' for string in strings)
    return _raw("typst", f"#text(hyphenate: false, ({boxes}).map(box).join());")


def _string(text: str) -> Node:
    return {"t": "Str", "c": text}


def _raw(language: str, text: str) -> Node:
    return {"t": "RawInline", "c": [language, text]}

r"""What pandoc's writers would let a format make of a name's characters, prevented.

LaTeX and Typst set text with typography of their own, and part words where a line ends. Pandoc
keeps them from some of it, such as ``--``; what it lets through is written here, in the words of
the format. Other writers need nothing.
"""

from __future__ import annotations

import re
from typing import Any, Final

from ..core.pieces import pieces

__all__ = ["CLASSLESS", "kept", "target"]

Node = dict[str, Any]

# Markdown that has no classes: pandoc writes a link with one as HTML then, whose text is Markdown
# still and loses its asterisks. ``uri`` is pandoc's own class, of autolinks.
CLASSLESS: Final = frozenset({"gfm", "markdown_github", "commonmark", "markdown_strict"})

# What LaTeX makes a quote or an accent of; one sign of two; and behind what it may end the line.
_LATEX: Final = re.compile(r"([`^]|-|,(?=,)|<(?=<)|>(?=>))")
_SPELLED: Final = {"`": r"\textasciigrave{}", "^": r"\textasciicircum{}"}


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
    # TeX divides the first word behind a space, if it has five letters: "doi" has not.
    if not first.startswith("doi:"):
        made.insert(0, _raw("latex", r"{\language255 "))
        made.append(_raw("latex", "}"))
    return made


def _latex(text: str) -> list[Node]:
    """Let lines end between pieces. A bookmark holds nothing raw, so most signs are text."""
    made: list[Node] = []
    for piece in pieces(text):
        if made:
            made.append(_raw("latex", r"\allowbreak{}"))
        # Every other one is a sign.
        for at, part in enumerate(_LATEX.split(piece)):
            if part in _SPELLED:
                made.append(_raw("latex", _SPELLED[part]))
            elif at % 2 and part == "-":
                made += _raw("latex", r"\mbox{"), _string(part), _raw("latex", "}")
            elif at % 2:
                made += _string(part), _raw("latex", "{}")
            elif part:
                made.append(_string(part))
    return made


def _typst(text: str) -> Node:
    """Let lines end between boxes; a zero-width space would be copied. Strings are no markup."""
    strings = (piece.replace("\\", r"\\").replace('"', r"\"") for piece in pieces(text))
    boxes = "".join(f'"{string}",' for string in strings)
    return _raw("typst", f"#text(hyphenate: false, ({boxes}).map(box).join());")


def _string(text: str) -> Node:
    return {"t": "Str", "c": text}


def _raw(language: str, text: str) -> Node:
    return {"t": "RawInline", "c": [language, text]}

r"""What pandoc's writers would let a format make of a name's characters, prevented.

LaTeX and Typst set text with typography of their own. Pandoc keeps them from most of it, such as
``--``; what it lets through is written here, in the format's own words. Other writers need nothing.
"""

from __future__ import annotations

import re
from typing import Any, Final

__all__ = ["CLASSLESS", "kept", "target"]

Node = dict[str, Any]

# Markdown that has no classes: pandoc writes a link with one as HTML then, whose text is Markdown
# still and loses its asterisks. ``uri`` is pandoc's own class, of autolinks.
CLASSLESS: Final = frozenset({"gfm", "markdown_github", "commonmark", "markdown_strict"})

# LaTeX makes one sign of two of these, and quotes and accents of the others.
_LATEX: Final = {
    "`": r"\textasciigrave{}",
    "^": r"\textasciicircum{}",
    ",": ",{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
}
_SIGNS: Final = {
    "latex": (re.compile("[`^]|,(?=,)|<(?=<)|>(?=>)"), _LATEX),
    "typst": (re.compile(r"\.(?=\.\.)"), {".": r"\."}),
}
_BEAMER: Final = {"beamer": "latex"}


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
    writer = _BEAMER.get(writer, writer)
    if writer not in _SIGNS:
        return inlines
    pattern, spelled = _SIGNS[writer]
    made: list[Node] = []
    for node in inlines:
        if node["t"] != "Str" or not pattern.search(node["c"]):
            made.append(node)
            continue
        at = 0
        for found in pattern.finditer(node["c"]):
            if found.start() > at:
                made.append({"t": "Str", "c": node["c"][at : found.start()]})
            made.append({"t": "RawInline", "c": [writer, spelled[found[0]]]})
            at = found.end()
        if at < len(node["c"]):
            made.append({"t": "Str", "c": node["c"][at:]})
    first = inlines[0]["c"] if inlines and inlines[0]["t"] == "Str" else ""
    # TeX divides the first word behind a space, if it has five letters: "doi" has not.
    if writer == "latex" and not first.startswith("doi:"):
        made.insert(0, {"t": "RawInline", "c": [writer, r"{\language255 "]})
        made.append({"t": "RawInline", "c": [writer, "}"]})
    return made

"""Links to a DOI that a document holds already, as the text that their author wrote."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..core.doi import InvalidDOI
from ..core.field import doi_in_field
from ..core.link import relink
from ..core.options import Options
from ..core.scan import Match, scan
from .labels import text_before
from .reader import SMART, Reader
from .text import END, Node, Piece, part, position, spell, unwrapped

__all__ = ["Existing", "completes"]

# What may stand before a link and belong to it: a label, or a proxy that a citation style prints.
_LABEL: Final = re.compile(r"(?:urn:)?doi\s*:?\s*|(?:https?://)?(?:dx\.)?doi\.org/", re.IGNORECASE)


class Existing:
    """Reads links; those that are to be kept as they are belong to the document's DOIs, too."""

    def __init__(self, options: Options, reader: Reader) -> None:
        self.options = options
        self.reader = reader

    def piece(self, node: Node, pieces: Sequence[Piece], *, cited: bool) -> Piece | None:
        """A link to a DOI as a piece: its text when that is its DOI, else an end.

        :param pieces: those before it
        :param cited: whether citeproc has made it
        """
        inner = unwrapped(node)
        if inner["t"] != "Link":
            return None
        before = text_before(pieces)
        (_, classes, _), content, (href, _) = inner["c"]
        nested = unwrapped(content[0]) if len(content) == 1 else inner
        if nested is not inner and nested["t"] == "Link" and nested["c"][2][0] == href:
            content = nested["c"][1]  # pandoc's reader of gfm links the URL in [URL](URL) again
        written = self._title(content)
        href, text = _of_field(href, written) if cited else (href, written)
        link = relink(href, text if content else href, self.options, before)
        if link and link.text and text != written and self.options.display == "source":
            link = link._replace(text=written)
        if link and link.text is None and self.reader.smart:
            undone = text.translate(SMART)
            link, text = relink(href, undone, self.options, before), undone
        own = link is not None and link.text is not None
        if self.reader.bare_urls and link and link.text and written == href and _is_cut(written):
            return Piece(part(_wrapper(node), written), written, whole=False)
        # One that the filter has made has its label by now, if it was to have one.
        made = bool(self.options.classes) and set(self.options.classes).issubset(classes)
        own = own and bool(content) and not made
        # Autolinkers take 10.1000/a@b.org for mail, and 10.4028/www.scientific.net/x for a page.
        guess = href in ("mailto:" + text, "http://" + text)
        if link is None and not guess:
            return None
        if own and text.rfind("<") > text.rfind(">"):
            text = f"<{text}>"  # an autolink, closed by the first > of a name that holds one
        return Piece(node, text if own or guess else END, link=link)

    def _title(self, content: list[Node]) -> str:
        pieces: list[Piece] = []
        for at in range(len(content)):
            if unwrapped(content[at])["t"] == "Link":
                return END
            before = pieces[-1].text[-1:] if pieces else ""
            pieces.append(spell(content, at, before, self.reader))
        return "".join([piece.text for piece in pieces])


def completes(match: Match, text: str, start: int, end: int) -> bool:
    """Tell whether a match adds its label to a link, or the part of the name that was cut off.

    Autolinkers end a URL before ``<``, and those of reST and some wikis before ``::``.
    """
    before = text[match.start : start]
    grows = match.end > end
    return (
        match.start <= start
        and match.end >= end
        and bool(before or grows)
        and (not before or _LABEL.fullmatch(before) is not None)
        and (not grows or "<" in (text[end], text[start]) or text.startswith("::", end))
    )


def _is_cut(url: str) -> bool:
    """Tell whether a URL begins with a name that ends before it does, as in ``…/182。``."""
    match = next(scan(url), None)
    return match is not None and match.start == 0 and match.end < len(url)


def _wrapper(node: Node) -> Node:
    """A node for text in the place of a link: a wrapper with its position, if it has one."""
    if node["t"] == "Span":
        return node
    where = position(node)
    if not where:
        return {"t": "Str"}
    return {"t": "Span", "c": [["", [], [["wrapper", "1"], ["data-pos", where]]], []]}


def _of_field(href: str, text: str) -> tuple[str, str]:
    """The target and text of a link that citeproc has made of a field, with the name encoded."""
    _, proxy, field = href.partition("//doi.org/")
    if proxy and text in (field, href):
        try:
            doi = doi_in_field(field)
        except InvalidDOI:
            return href, text
        return doi.url, doi.uri.removeprefix("doi:")
    return href, text

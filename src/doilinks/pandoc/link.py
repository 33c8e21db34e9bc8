"""The Link inlines of DOIs. ``build`` makes one for a name; ``adopt`` takes one of the document.

A link in the document is read as the text that its author wrote, because an autolinker may have cut
the name, or a label may be before the link.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final
from urllib.parse import unquote

from ..core.doi import InvalidDOI
from ..core.field import doi_in_field, unprotected
from ..core.link import Link, relink, with_classes
from ..core.options import Options
from .labels import text_before
from .output import CLASSLESS, kept, target
from .pieces import Node, Piece
from .reader import SMART, Reader
from .text import END, spell, unwrapped, words

__all__ = ["Links"]

# A URL of which a reader makes a link by itself, and which may contain a name.
_BARE: Final = re.compile(r"(?:https?|doi|info|urn):[^<]*[^<.,;:!?]", re.IGNORECASE)


class Links:
    """Builds, reads and adopts links."""

    def __init__(self, options: Options, reader: Reader, writer: str) -> None:
        self._options = options
        self._reader = reader
        self._writer = writer

    def build(self, link: Link) -> Node:
        """The inline for a link."""
        node: Node = {"t": "Link", "c": [["", [], []], [], ["", ""]]}
        self.adopt(node, link)
        return node

    def adopt(self, node: Node, link: Link) -> bool:
        """Make a Link inline lead to a DOI. Its identifier, classes, attributes and title stay.

        :returns: whether the inline has changed
        """
        if link.href is None:
            return False
        (identifier, classes, attributes), content, (_, title) = node["c"]
        if self._writer in CLASSLESS:
            classes = [name for name in classes if name != "uri"]
        else:
            classes = with_classes(classes, self._options)
        if link.text is not None:
            if link.text != "".join(map(_text_of, content)):
                content = words(link.text)
            content = kept(content, self._writer)
        made = [
            [identifier, classes, attributes],
            content,
            [target(link.href, self._writer), title],
        ]
        changed: bool = made != node["c"]
        node["c"] = made
        return changed

    def read(self, node: Node, pieces: Sequence[Piece], *, cited: bool) -> Piece | None:
        """A link as a piece of text; None if it leads elsewhere.

        If the text of the link is its DOI, the piece contains this text. Otherwise the piece ends a
        name. A link that the reader has made of a URL in prose is a piece too, even if it leads
        elsewhere.

        :param pieces: the pieces before the link
        :param cited: whether citeproc has made the link
        """
        inner = unwrapped(node)
        if inner["t"] != "Link":
            return None
        before = text_before(pieces)
        (_, classes, _), content, (href, _) = inner["c"]
        nested = unwrapped(content[0]) if len(content) == 1 else inner
        if nested is not inner and nested["t"] == "Link" and nested["c"][2][0] == href:
            content = nested["c"][1]  # for [URL](URL), the gfm reader makes a link in a link
        written = self._title(content)
        href, text = _of_field(href, written) if cited else (href, written)
        is_field = text != written
        link = relink(href, text if content else href, self._options, before)
        if link and link.text and text != written and self._options.display == "source":
            link = link._replace(text=written)
        if link and link.text is None and self._reader.smart:
            undone = text.translate(SMART)
            link, text = relink(href, undone, self._options, before), undone
        own = link is not None and link.text is not None
        if is_field and link and link.href and link.text is None:
            # A citation style says how a name is shown. It says nothing of protected characters.
            link = link._replace(text=unprotected(written))
        if (link is None or own) and self._is_bare(inner, written):
            return Piece(node, written, whole=False, bare=True)
        # If the filter has made this link, its label is already part of it.
        made = bool(self._options.classes) and set(self._options.classes).issubset(classes)
        own = own and bool(content) and not made
        # Autolinkers take 10.1000/a@b.org for an e-mail address, and 10.4028/www.scientific.net/x
        # for a web page.
        guess = href in ("mailto:" + text, "http://" + text)
        if link is None and not guess:
            return None
        if own and text.rfind("<") > text.rfind(">"):
            text = f"<{text}>"  # an autolink, which the first > in the name has ended
        return Piece(node, text if own or guess else END, link=link)

    def _is_bare(self, link: Node, written: str) -> bool:
        """Tell whether the reader has made this link of a URL in prose, and so decided its end.

        Heuristic: the reader ends no URL in a full stop or similar character. If a URL ends in one,
        the author has put it in angle brackets. The readers of CommonMark make no links of
        ``doi:``.
        """
        (_, classes, _), _, (href, _) = link["c"]
        if not self._reader.bare_urls or not set(self._options.classes).isdisjoint(classes):
            return False
        if not _BARE.fullmatch(written) or unquote(href) != unquote(written):
            return False
        return "uri" in classes or href[:4].lower() != "doi:"

    def _title(self, content: list[Node]) -> str:
        pieces: list[Piece] = []
        for at in range(len(content)):
            if unwrapped(content[at])["t"] == "Link":
                return END
            before = pieces[-1].text[-1:] if pieces else ""
            pieces.append(spell(content, at, before, self._reader))
        return "".join([piece.text for piece in pieces])


def _of_field(href: str, text: str) -> tuple[str, str]:
    """The target, with the name encoded, and the text of a link that citeproc made from a field."""
    _, proxy, field = href.partition("//doi.org/")
    if proxy and text in (field, href):
        try:
            doi = doi_in_field(field)
        except InvalidDOI:
            return href, text
        return doi.url, doi.uri.removeprefix("doi:")
    return href, text


def _text_of(node: Node) -> str:
    text: str = {"Space": " ", "SoftBreak": "\n", "Str": node.get("c", "")}.get(node["t"], END)
    return text

"""Finds the names in the text of a list of inlines, and makes the links that replace them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..core.doi import DOI_HOST, WEB
from ..core.found import Found
from ..core.invisible import whole_name
from ..core.link import Link, after_label, link_match
from ..core.options import Options
from ..core.scan import Match, scan
from ..core.text import Joined
from .labels import own_label
from .pieces import Piece, Pieces, Span
from .reader import SMART, Reader
from .text import DOUBT, unwrapped

__all__ = ["Names"]

# A label, or the address of a proxy that a citation style prints before a link. It belongs to the
# link.
_LABEL: Final = re.compile(rf"(?:urn:)?doi\s*:?\s*|(?:{WEB}|//)?{DOI_HOST}/", re.IGNORECASE)
# An apostrophe after a letter. The author may have typed a straight one, which is part of a name.
_POSSESSIVE: Final = re.compile(r"(?<=[^\W\d_])’(?=s(?![^\W_]))")


class Names:
    """Finds the names in texts of a document."""

    def __init__(self, options: Options, reader: Reader) -> None:
        self._options = options
        self._reader = reader

    def find(self, pieces: Pieces, joined: Joined, head: str) -> list[tuple[int, int, Span]]:
        """The stretches of the text that links replace, as start, end and :class:`Span`.

        :param joined: the text of the pieces
        :param head: the heading of the column, or the term of the definition, that the list of
            inlines belongs to
        """
        text = joined.text
        matches = scan(_POSSESSIVE.sub("'", text) if self._reader.smart else text)
        spans = []
        for match in matches:
            if framed := _framed(match, pieces, joined):
                spans.append(framed)
            elif span := self._span(match, pieces, joined, head):
                spans.append((match.start, match.end, span))
        return spans

    def _span(self, match: Match, pieces: Pieces, joined: Joined, head: str) -> Span | None:
        text, starts = joined.text, joined.starts
        first, last = joined.index(match.start), joined.index(match.end - 1)
        divides = pieces[last].whole and match.end < starts[last + 1]
        if divides or text[match.end : match.end + 1] == DOUBT:
            return None
        at = next((at for at in range(first, last + 1) if pieces[at].link), None)
        held = None if at is None else pieces[at]
        link = self._link(match, text)
        if at is not None and held and held.link:
            start, end = starts[at], starts[at + 1]
            if held.link.href is None or not _completes(match, text, start, end):
                return None
            link = link if match.end > end else held.link
        elif pieces[first].whole and (
            match.start > starts[first] or unwrapped(pieces[first].node)["t"] != "Link"
        ):
            return None
        if link is None:
            return None
        label = own_label(pieces, first, text[starts[first] : match.start], head)
        link = after_label(link, self._options, label)
        written = text[match.start : match.end]
        held = held or _bare(match, pieces, starts, first, last)
        if self._options.display == "source" and held:
            link = link._replace(text=written)
        whole = whole_name(match, text)
        found = Found(link.doi, form=match.form, written=written, whole=whole)
        return Span(link, found, match.start - starts[first], pieces[first], held)

    def _link(self, match: Match, text: str) -> Link | None:
        """The link for a match. The changes of ``smart`` to the name are undone."""
        written = text[match.start : match.end]
        if self._reader.smart and not written.isascii():
            undone = written.translate(SMART)
            again = next(scan(undone), None)
            if again and (again.start, again.end) == (0, len(undone)):
                return link_match(again, self._options, undone)
        return link_match(match, self._options, text)


def _framed(match: Match, pieces: Pieces, joined: Joined) -> tuple[int, int, Span] | None:
    """A link and its label, if the link's text has punctuation around the name; else None."""
    last = joined.index(match.end - 1)
    start, end = joined.starts[last], joined.starts[last + 1]
    piece = pieces[last]
    if match.end >= end or not (piece.link and piece.link.label):
        return None
    found = Found(piece.link.doi, form="link")
    return start - piece.link.label, end, Span(piece.link, found, 0, piece, piece)


def _bare(
    match: Match, pieces: Sequence[Piece], starts: Sequence[int], first: int, last: int
) -> Piece | None:
    """A link that the reader has made and that the match contains as a whole; None without one."""
    for at in range(first, last + 1):
        if pieces[at].bare and match.start <= starts[at] and match.end >= starts[at + 1]:
            return pieces[at]
    return None


def _completes(match: Match, text: str, start: int, end: int) -> bool:
    """Tell whether a match adds to a link its label, or the part of its name that was cut off.

    Autolinkers end a URL before ``<``. The autolinkers of reST and some wikis end it before ``::``.
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

"""The characters of a name, each with its place in the source, and the encoding of a URL."""

from __future__ import annotations

import re
from typing import Final

from ..core.doi import DOI
from ..core.encoding import decode
from ..core.found import Found
from .change import Piece
from .spelling import Spelled

__all__ = ["INVISIBLE", "RAW", "Name", "encoded", "triplets"]

# What a URL must not contain raw [RFC 3986 §2]. Characters outside of ASCII may be in an IRI, and
# programs encode them alike. A percent is raw if it does not begin a triplet.
RAW: Final = re.compile(r'[\s<>"\[\]\\^`{|}]|%(?![0-9A-Fa-f]{2})')
_TAIL: Final = re.compile("[?#]")
# The soft hyphen, spaces and joiners without width, marks of direction, and the byte order mark.
INVISIBLE: Final = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")


class Name:
    """A name, as it is written.

    :param plain: the place of the name, decoded from its format
    :param at: where the name begins in it
    :param stop: where the name and the query of the URL end
    :param doi: the DOI that a reader has found there
    :param in_url: whether it is in a URL
    :ivar end: where the name ends
    :ivar known: whether the characters are those of ``doi``
    """

    def __init__(self, plain: Spelled, at: int, stop: int, doi: DOI, *, in_url: bool) -> None:
        self.plain, self.at, self.stop, self.in_url = plain, at, stop, in_url
        tail = _TAIL.search(plain.text, at, stop) if in_url else None
        self.end = tail.start() if tail else stop
        self.doi = doi
        name = decode(plain.text[at : self.end])
        # Markdown encodes what is invisible in a target.
        self.known = doi.name in (name, f"10/{name}", INVISIBLE.sub(_triplets_of, name))

    def pieces(self, pattern: re.Pattern[str], first: int, last: int) -> list[Piece]:
        """Each character that a pattern finds, replaced by its triplets."""
        return [
            (*self.plain.span(*found.span()), triplets(found[0]))
            for found in pattern.finditer(self.plain.text, first, last)
        ]


def triplets(text: str) -> str:
    """The octets of a text in UTF-8, as percent triplets [RFC 3986 §2.1]."""
    return "".join(f"%{octet:02X}" for octet in text.encode())


def _triplets_of(found: re.Match[str]) -> str:
    return triplets(found[0])


def encoded(name: Name, found: Found, kind: str) -> tuple[list[Piece], DOI]:
    """What has to be encoded in the name of a URL, and the DOI that this gives.

    A ``#`` or ``?`` begins a fragment or a query, unless the text of the link names the whole.
    """
    # In the prose of a bibliography, a percent begins a comment of LaTeX.
    if not name.known or (kind == "bib" and found.form != "link"):
        return [], found.doi
    pieces = name.pieces(RAW, name.at, name.end)
    tail = name.plain.text[name.end : name.stop]
    if tail and found.other and found.other.name == found.doi.name + tail:
        return [*pieces, *name.pieces(_TAIL, name.end, name.stop)], found.other
    return pieces, found.doi

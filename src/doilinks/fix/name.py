"""One name in its place: what a change replaces, and the characters that no URL may contain."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from unicodedata import category

from ..core.doi import DOI, InvalidDOI, decode
from ..core.found import Found
from ..sources.escapes import Unescaped
from ..sources.types import FileType

# --------------------------------------------------------------------------------------------------
# A change of a source: of one name, in one place.

Edit = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one name, in one place.

    :ivar found: the name as it was found, with a span
    :ivar edits: what is replaced: ``(start, end, new)``, offsets in the text of the source
    :ivar old: the text before; ``new`` the text after
    :ivar codes: the rules that want it
    :ivar doi: the DOI that it gives
    """

    found: Found
    edits: tuple[Edit, ...]
    old: str
    new: str
    codes: tuple[str, ...]
    doi: DOI

    def __str__(self) -> str:
        place = f"{self.found.file}:{self.found.line}:{self.found.column}"
        return f"{place}: {self.old} → {self.new} [{', '.join(self.codes)}]"


def applied(text: str, edits: list[Edit]) -> str:
    """A text after edits, which are in order and disjoint."""
    parts, at = [], 0
    for start, end, new in edits:
        parts += [text[at:start], new]
        at = end
    return "".join([*parts, text[at:]])


# --------------------------------------------------------------------------------------------------
# The characters of a name in its place.

# What a URL must not contain raw [RFC 3986 §2]. Characters outside of ASCII may be in an IRI, and
# programs encode them alike. A percent is raw if it does not begin a triplet.
_RAW: Final = re.compile(r'[\s<>"\[\]\\^`{|}]|%(?![0-9A-Fa-f]{2})')
_TAIL: Final = re.compile("[?#]")
# The soft hyphen, spaces and joiners without width, marks of direction, and the byte order mark.
_UNSEEN: Final = (
    "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2061\u2062\u2063\u2064\ufeff"
)
_RAW_UNSEEN: Final = re.compile(f"[{_UNSEEN}]")


class Name:
    """A name, as it is written.

    :param place: the place of the name, decoded from its format
    :param at: where the name begins in it
    :param stop: where the name and the query of the URL end
    :param doi: the DOI that a reader has found there
    :param in_url: whether it is in a URL
    :ivar end: where the name ends
    :ivar known: whether the characters are those of ``doi``
    """

    def __init__(self, place: Unescaped, at: int, stop: int, doi: DOI, *, in_url: bool) -> None:
        self.place, self.at, self.stop, self.in_url = place, at, stop, in_url
        tail = _TAIL.search(place.text, at, stop) if in_url else None
        self.end = tail.start() if tail else stop
        self.doi = doi
        name = decode(place.text[at : self.end])
        # Markdown encodes what is invisible in a target.
        self.known = doi.name in (name, f"10/{name}", _RAW_UNSEEN.sub(_triplets_of, name))

    def edits(self, pattern: re.Pattern[str], first: int, last: int) -> list[Edit]:
        """Each character that a pattern finds, replaced by its triplets."""
        return [
            (*self.place.span(*found.span()), triplets(found[0]))
            for found in pattern.finditer(self.place.text, first, last)
        ]


def triplets(text: str) -> str:
    """The octets of a text in UTF-8, as percent triplets [RFC 3986 §2.1]."""
    return "".join(f"%{octet:02X}" for octet in text.encode())


def _triplets_of(found: re.Match[str]) -> str:
    return triplets(found[0])


def encoded(name: Name, found: Found, row: FileType) -> tuple[list[Edit], DOI]:
    """What has to be encoded in the name of a URL, and the DOI that this gives.

    A ``#`` or ``?`` begins a fragment or a query, unless the text of the link names the whole.
    """
    # In the prose of a bibliography, a percent begins a comment of LaTeX.
    if not name.known or (row.latex and found.form != "link"):
        return [], found.doi
    edits = name.edits(_RAW, name.at, name.end)
    tail = name.place.text[name.end : name.stop]
    if tail and found.other and found.other.name == found.doi.name + tail:
        return [*edits, *name.edits(_TAIL, name.end, name.stop)], found.other
    return edits, found.doi


# --------------------------------------------------------------------------------------------------
# Invisible characters inside a name: where they are in the source.

_FORMAT: Final = "Cf"  # the category of such characters in Unicode
_LONGEST: Final = 400  # characters; a name with escapes is hardly longer
# Such a character in a URL, raw or as percent triplets.
_INVISIBLE: Final = re.compile(
    "|".join([_RAW_UNSEEN.pattern, *map(triplets, _UNSEEN)]), re.IGNORECASE
)


def visible(
    text: str, at: int, found: DOI, whole: DOI, row: FileType, *, encode: bool
) -> tuple[list[Edit], int]:
    """The invisible characters of a name, removed, and where the whole name ends.

    :param at: where the name was cut: at the first invisible character, or a little before it
    :param found: the name as it was cut
    :param encode: whether what no URL may contain is encoded in the rest of the name
    """
    place = Unescaped(text[at : at + _LONGEST], row.escapes)
    rest = whole.name[len(found.name) :]
    edits: list[Edit] = []
    seen = ""
    for offset, character in enumerate(place.text):
        start, end = place.span(offset, offset + 1)
        if category(character) == _FORMAT:
            edits.append((at + start, at + end, ""))
            continue
        if encode and _RAW.match(place.text, offset):
            edits.append((at + start, at + end, triplets(character)))
        seen += character
        if decode(seen) == rest:
            return edits, at + end
        if character.isspace():
            break
    return [], at


def visible_in_url(name: Name, _found: Found, _row: FileType) -> tuple[list[Edit], DOI]:
    """The invisible characters in a URL, removed, and the DOI that this gives."""
    text = name.place.text[name.at : name.end]
    if not name.known or not _INVISIBLE.search(text):
        return [], name.doi
    try:
        doi = DOI(decode(_INVISIBLE.sub("", text)))
    except InvalidDOI:
        return [], name.doi
    places = _INVISIBLE.finditer(name.place.text, name.at, name.end)
    return [(*name.place.span(*each.span()), "") for each in places], doi

"""Invisible characters inside a name: where they are in the source."""

from __future__ import annotations

import re
from typing import Final
from unicodedata import category

from ..core.doi import DOI, InvalidDOI
from ..core.encoding import decode
from ..core.found import Found
from .change import Piece
from .name import INVISIBLE, RAW, Name, triplets
from .spelling import Spelled

__all__ = ["visible", "visible_in_url"]

_FORMAT: Final = "Cf"  # the category of such characters in Unicode
_REACH: Final = 400  # characters; a name with escapes is hardly longer
# The characters of ``INVISIBLE``, raw or as percent triplets.
_INVISIBLE: Final = re.compile(
    rf"%C2%AD|%E2%80%(?:8[B-F]|A[A-E])|%E2%81%A[0-4]|%EF%BB%BF|{INVISIBLE.pattern}", re.IGNORECASE
)


def visible(
    text: str, at: int, found: DOI, whole: DOI, kind: str, *, encode: bool
) -> tuple[list[Piece], int]:
    """The invisible characters of a name, removed, and where the whole name ends.

    :param at: where the name was cut: at the first invisible character, or a little before it
    :param found: the name as it was cut
    :param encode: whether what no URL may contain is encoded in the rest of the name
    """
    plain = Spelled(text[at : at + _REACH], kind)
    rest = whole.name[len(found.name) :]
    pieces: list[Piece] = []
    seen = ""
    for offset, character in enumerate(plain.text):
        start, end = plain.span(offset, offset + 1)
        if category(character) == _FORMAT:
            pieces.append((at + start, at + end, ""))
            continue
        if encode and RAW.match(plain.text, offset):
            pieces.append((at + start, at + end, triplets(character)))
        seen += character
        if decode(seen) == rest:
            return pieces, at + end
        if character.isspace():
            break
    return [], at


def visible_in_url(name: Name, _found: Found, _kind: str) -> tuple[list[Piece], DOI]:
    """The invisible characters in a URL, removed, and the DOI that this gives."""
    text = name.plain.text[name.at : name.end]
    if not name.known or not _INVISIBLE.search(text):
        return [], name.doi
    try:
        doi = DOI(decode(_INVISIBLE.sub("", text)))
    except InvalidDOI:
        return [], name.doi
    places = _INVISIBLE.finditer(name.plain.text, name.at, name.end)
    return [(*name.plain.span(*each.span()), "") for each in places], doi

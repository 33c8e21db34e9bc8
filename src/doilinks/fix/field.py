"""The field of a bibliography that contains a name, and should contain nothing else."""

from __future__ import annotations

import re
from typing import Final

from ..core.doi import InvalidDOI, parse_parts
from ..core.encoding import decode
from ..core.found import Found
from .change import Change, Piece, applied
from .head import head_of
from .spelling import Spelled

__all__ = ["FRONT", "bare"]

FRONT: Final = "front matter"  # as if it were a type of file

# What is between the name of a field and its value, in BibTeX and in YAML.
_BEFORE: Final = {
    "bib": re.compile(r"=\s*[{\"]{0,2}\s*\Z"),
    "cff": re.compile(r"(?:doi|value)[\"']?\s*:\s*[\"']?\Z"),
    FRONT: re.compile(""),
}
_REACH: Final = 40
# Characters that would mean something else in the format than in a URL.
_MARKUP: Final = {"bib": re.compile(r"[\\{}%#$&^~\"]"), "cff": re.compile(r"[\\\"':#]")}
_MARKUP[FRONT] = _MARKUP["cff"]


def bare(text: str, kind: str, found: Found) -> Change | None:
    r"""The change of a field to the bare name; None if it contains more, or is the name already.

    A citation style, or a page, puts ``https://doi.org/`` before the field.
    """
    written, (first, _) = found.written or "", found.span or (0, 0)
    before = _BEFORE.get(kind)
    if before is None or not before.search(text, max(0, first - _REACH), first):
        return None
    plain = Spelled(written, kind)
    head = head_of(plain.text)
    if not head.end or plain.text[head.end :] == plain.text:
        return None
    try:
        if parse_parts(plain.text)[1]:  # a query says more than the name
            return None
    except InvalidDOI:
        return None
    pieces: list[Piece] = [(plain.span(0, head.end)[0], plain.span(0, head.end)[1], "")]
    rest = plain.text[head.end :]
    name = decode(rest)
    if name != rest:
        if _MARKUP[kind].search(name):
            return None
        pieces = [(0, len(written), name)]
    moved = tuple((first + start, first + end, new) for start, end, new in pieces)
    return Change(found, moved, written, applied(written, pieces), ("doi-field",), found.doi)

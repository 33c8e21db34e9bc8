"""Which names of a source are written wrongly, and how they are written right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ..core.found import Found
from .change import Change, Piece, applied
from .head import head_of
from .spelling import Spelled
from .twin import twin_of

__all__ = ["changes"]

_URLS: Final = frozenset({"url", "angle", "link", "role"})


def changes(
    text: str, kind: str, found: Iterable[Found], wanted: frozenset[str]
) -> Iterator[Change]:
    """The changes of the names of a source, by rules that look at each name alone.

    :param wanted: the codes of the rules
    """
    for each in found:
        if each.span and each.written and (change := _change(text, kind, each, wanted)):
            yield change


def _change(text: str, kind: str, found: Found, wanted: frozenset[str]) -> Change | None:
    written, (first, _) = found.written or "", found.span or (0, 0)
    if found.form not in _URLS:
        return None
    plain = Spelled(written, kind)
    begin = _begin(found, plain.text)
    target = found.form == "link"
    head = head_of(plain.text, begin)
    mended, codes = head.mended(wanted, target=target)
    if not codes:
        return None
    start, end = plain.span(begin, head.end)
    pieces: list[Piece] = [(start, end, mended)]
    new = applied(written, pieces)
    places = sorted({first, *twin_of(text, first, written)})
    moved = [(at + start, at + end, put) for at in places for start, end, put in pieces]
    return Change(found, tuple(moved), written, new, codes, found.doi)


def _begin(found: Found, plain: str) -> int:
    """Where the name begins in the text of its place, with what is before it in a URL."""
    if found.form == "angle":
        return plain.find("<") + 1
    if found.form == "role" and plain.rstrip().endswith(">") and " <" in plain:
        return plain.index(" <") + 2
    return len(plain) - len(plain.lstrip())

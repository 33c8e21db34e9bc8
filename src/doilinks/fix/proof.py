"""The proof of a change: the changed text, read again, has the same names in the same places."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Final

from ..core.found import Found
from .change import Change, Piece, applied

__all__ = ["Reader", "proven"]

Reader = Callable[[str], list[Found]]

# A file is read at most 16 times. A small file may be read up to 400 times, but not more than
# 4,000,000 characters in all. These limits keep the time linear.
_READINGS: Final = (16, 400)
_CHARACTERS: Final = 4_000_000


def proven(
    text: str, found: Sequence[Found], changes: Sequence[Change], read: Reader
) -> list[Change]:
    """The changes after which a reader finds the same names, but for those that are changed.

    A change that does not pass is left out. If it is not clear which one fails, the changes are
    tried in halves.

    :param found: the names of the text before
    :param read: reads a text; it may raise a ValueError for a text that must not be written
    """
    return _Proof(text, found, read).settle([], list(changes))


class _Proof:
    def __init__(self, text: str, found: Sequence[Found], read: Reader) -> None:
        self._text, self._found, self._read = text, found, read
        low, high = _READINGS
        self._left = max(low, min(high, _CHARACTERS // (len(text) + 1)))

    def settle(self, good: list[Change], group: list[Change]) -> list[Change]:
        """The changes that pass: those that are known to be good, and those of a group that are."""
        while group and self._left > 0:
            self._left -= 1
            wrong = _wrong(self._text, self._found, [*good, *group], self._read)
            if wrong == set():
                return [*good, *group]
            rest = [each for each in group if wrong is None or id(each) not in wrong]
            if len(rest) < len(group):
                group = rest
                continue
            if len(group) == 1:
                break
            half = len(group) // 2
            return self.settle(self.settle(good, group[:half]), group[half:])
        return good


def _wrong(
    text: str, found: Sequence[Found], changes: Sequence[Change], read: Reader
) -> set[int] | None:
    """The ids of the changes that give another name; None if it is not clear which."""
    pieces = [piece for change in changes for piece in change.pieces]
    pieces.sort()
    try:
        again = read(applied(text, pieces))
    except ValueError:
        return None
    if len(again) != len(found):
        return None
    of = {id(change.found): change for change in changes}
    moved = _Moved(pieces)
    wrong: set[int] = set()
    for before, after in zip(found, again, strict=True):
        change = of.get(id(before))
        if _is_same(before, after, change, moved):
            continue
        if change is None:
            return None
        wrong.add(id(change))
    return wrong


def _is_same(before: Found, after: Found, change: Change | None, moved: _Moved) -> bool:
    doi = change.doi if change else before.doi
    if (after.doi.name, after.form, after.line) != (doi.name, before.form, before.line):
        return False
    if before.span is None or after.span is None:
        return before.span == after.span
    start, written = moved.to(before.span[0]), change.new if change else before.written
    if (after.span[0], after.written) == (start, written):
        return True
    # Between angle brackets, a URL without < and > is a link of Markdown itself, which is listed
    # without the brackets.
    inner = written[1:-1] if change and written and before.form == "angle" else None
    return (after.span[0], after.written) == (start + 1, inner)


class _Moved:
    """Where offsets of the old text are in the new one."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._ends = [end for _, end, _ in pieces]
        self._by = [0]
        for start, end, new in pieces:
            self._by.append(self._by[-1] + len(new) - (end - start))

    def to(self, at: int) -> int:
        return at + self._by[bisect_right(self._ends, at)]

"""The proof of a change: the changed text, read again, has the same names in the same places."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Final

from ..core.found import Found
from .change import Change, Piece, applied

__all__ = ["Reader", "proven"]

Reader = Callable[[str], list[Found]]

_READINGS: Final = 12  # of a file at most, so that the time is linear in its length


class _Budget:
    def __init__(self) -> None:
        self.left = _READINGS

    def spend(self) -> bool:
        self.left -= 1
        return self.left >= 0


def proven(
    text: str, found: Sequence[Found], changes: Sequence[Change], read: Reader
) -> list[Change]:
    """The changes after which a reader finds the same names, but for those that are changed.

    A change that does not pass is left out. If it is not clear which one fails, the changes are
    tried in halves.

    :param found: the names of the text before
    :param read: reads a text; it may raise a ValueError for a text that must not be written
    """
    return _proven(text, found, list(changes), read, _Budget())


def _proven(
    text: str, found: Sequence[Found], changes: list[Change], read: Reader, budget: _Budget
) -> list[Change]:
    while changes and budget.spend():
        wrong = _wrong(text, found, changes, read)
        if wrong is None:
            break
        if not wrong:
            return changes
        changes = [each for each in changes if id(each) not in wrong]
    if len(changes) < 2 or budget.left <= 0:
        return []
    half = len(changes) // 2
    first = _proven(text, found, changes[:half], read, budget)
    second = _proven(text, found, changes[half:], read, budget)
    if not (first and second):
        return first or second
    whole = budget.spend() and _wrong(text, found, first + second, read) == set()
    return first + second if whole else first


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
    if change is None:
        return after.span[0] == moved.to(before.span[0]) and after.written == before.written
    return after.span[0] == moved.to(before.span[0]) and after.written == change.new


class _Moved:
    """Where offsets of the old text are in the new one."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._ends = [end for _, end, _ in pieces]
        self._by = [0]
        for start, end, new in pieces:
            self._by.append(self._by[-1] + len(new) - (end - start))

    def to(self, at: int) -> int:
        return at + self._by[bisect_right(self._ends, at)]

"""Columns of tables and lines below titles, which a name of another length would break."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from .change import Change, Piece

__all__ = ["laid_out"]

_KINDS: Final = frozenset({"md", "rst", "py", "pyx"})
# A longer line is not of a table, nor a title. The limit keeps the time linear.
_WIDEST: Final = 1000  # characters
# The border of a simple table [reST: simple tables].
_BORDER: Final = re.compile(r"[ \t]*=+(?: +=+)+ *")
# A line below or above a title, as wide as the title at least [reST: sections].
_ADORNMENT: Final = re.compile(r"([!-/:-@\[-`{-~])\1+\s*")


def laid_out(text: str, kind: str, changes: Iterable[Change]) -> Iterator[Change]:
    """The changes, each with the spaces and lines that keep a table or a title whole.

    Where a cell has no room, the columns move. If the table is then read in another way, ``proof``
    rejects the change.
    """
    if kind not in _KINDS:
        yield from changes
        return
    layout = _Layout(text, rest=kind != "md")
    for change in changes:
        more = tuple(layout.pieces(change))
        yield replace(change, pieces=tuple(sorted(change.pieces + more))) if more else change


class _Layout:
    def __init__(self, text: str, *, rest: bool) -> None:
        self._lines = text.split("\n")
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._rest = rest
        self._borders = [
            at
            for at, line in enumerate(self._lines)
            if len(line) < _WIDEST and _BORDER.fullmatch(line)
        ]
        self._used: dict[int, int] = {}  # spaces that are taken away, by the end of their column

    def pieces(self, change: Change) -> Iterator[Piece]:
        """What else has to be replaced."""
        number = bisect_right(self._starts, change.pieces[0][0]) - 1
        start, stop = self._starts[number], self._starts[number + 1]
        if change.pieces[-1][1] >= stop or stop - start > _WIDEST:
            return
        growth = sum(len(new) - (end - first) for first, end, new in change.pieces)
        if growth == 0:
            return
        after = max(end for _, end, _ in change.pieces) - start
        column = self._next_column(number, after)
        if column is not None:
            yield from self._room(number, column, growth)
        elif self._rest and growth > 0:
            yield from self._longer(number, growth)

    def _next_column(self, number: int, after: int) -> int | None:
        """Where the cell after this one begins, with its bar; None if there is none."""
        line = self._lines[number]
        near = (self._line(number - 1), self._line(number + 1))
        bar = line.find("|", after)
        if bar >= 0 and any(other[bar : bar + 1] in ("|", "+") for other in near if other[bar:]):
            return bar
        above = bisect_right(self._borders, number)
        if not self._rest or above in (0, len(self._borders)):
            return None
        border = self._lines[self._borders[above - 1]]
        columns = [found.start() for found in re.finditer("=+", border)]
        if any(line[: column - 1].strip() and line[column - 1 : column] not in ("", " ")
               for column in columns[1:]):  # fmt: skip
            return None
        return next((each for each in columns if each >= after and line[each:].strip()), None)

    def _room(self, number: int, column: int, growth: int) -> Iterator[Piece]:
        at = self._starts[number] + column
        if growth < 0:
            yield at, at, " " * -growth
            return
        line = self._lines[number][:column]
        spaces = len(line) - len(line.rstrip(" ")) - self._used.get(at, 0)
        if spaces > growth:
            end = at - self._used.get(at, 0)
            self._used[at] = self._used.get(at, 0) + growth
            yield end - growth, end, ""

    def _longer(self, number: int, growth: int) -> Iterator[Piece]:
        """Longer lines below and above a title."""
        title, below = self._lines[number].rstrip(), self._line(number + 1)
        if not _ADORNMENT.fullmatch(below) or not title:
            return
        width = len(below.rstrip())
        missing = _width(title) + growth - width
        if missing <= 0 or _width(title) > width:
            return
        rows = [number + 1]
        if self._line(number - 1).rstrip() == below.rstrip():
            rows.insert(0, number - 1)
        for row in rows:
            end = self._starts[row] + len(self._lines[row].rstrip())
            yield end, end, below[0] * missing

    def _line(self, number: int) -> str:
        line = self._lines[number] if 0 <= number < len(self._lines) else ""
        return line if len(line) < _WIDEST else ""


def _width(text: str) -> int:
    """The columns of a text; characters of East Asian scripts take two [docutils: column_width]."""
    wide = sum(unicodedata.east_asian_width(each) in "WF" for each in text)
    return len(text) + wide - sum(map(bool, map(unicodedata.combining, text)))

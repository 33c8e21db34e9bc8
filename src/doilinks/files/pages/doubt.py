"""Which links of a page are left out, because the page would then be read in another way.

A page with its links is read again, and must be as expected: nothing is left to do but the links
that were left out. For all that is not, the nearest link is in doubt, and is left out too. So a
second run reads the same texts, leaves out the same links, and changes nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import Final

from .page import Edit, Linked, PageLink

# How often a page is read at most, so that the time stays linear. Pages of authors need three.
_READINGS: Final = 6

_Todo = tuple[int, tuple[Edit, ...]]  # the block of a link, and its edits


def certain(page: Linked, again: Callable[[list[Edit]], Linked]) -> Linked | None:
    """The links of a page without those that are in doubt; None if it takes too many readings.

    :param again: makes edits, reads the page again, and says what to change then
    """
    doubtful: set[int] = set()
    for _ in range(_READINGS):
        kept = [link for at, link in enumerate(page.links) if at not in doubtful]
        starts = tuple(page.links[at].start for at in sorted(doubtful))
        result = Linked.of(kept, page.left, starts)
        if not kept:
            return result
        places, todo = _then(page.links, doubtful)
        found = {(link.block, link.edits) for link in again(result.edits).links}
        if found == todo:
            return result
        doubtful |= {places.nearest(each) for each in found ^ todo}
    return None


def _then(links: list[PageLink], doubtful: set[int]) -> tuple[_Places, set[_Todo]]:
    """Where the links are in the page with them, and what is left to do there."""
    places, todo, longer = _Places(), set(), 0
    for at, link in enumerate(links):
        if at in doubtful:
            edits = ((start + longer, end + longer, new) for start, end, new in link.edits)
            todo.add((link.block, tuple(edits)))
        else:
            start = link.start + longer
            longer += sum(len(new) - (end - start) for start, end, new in link.edits)
            places.add(at, start, link.end + longer, link.block)
    return places, todo


class _Places:
    """Where links are in a page, in order."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._links: list[tuple[int, int, int]] = []

    def add(self, number: int, start: int, end: int, block: int) -> None:
        """Add a link."""
        self._starts.append(start)
        self._links.append((number, end, block))

    def nearest(self, todo: _Todo) -> int:
        """The number of the nearest link, in the same block if there is one."""
        block, edits = todo
        at = bisect_right(self._starts, edits[0][0])
        near = []
        for each in range(max(0, at - 1), min(at + 1, len(self._links))):
            number, end, of = self._links[each]
            away = self._starts[each] - edits[-1][1] if each == at else edits[0][0] - end
            near.append((of != block, away, number))
        return min(near)[2]

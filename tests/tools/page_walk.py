"""The comparison of a page with doilinks and of the same page without.

Between two holes both pages must be the same. What stands in the page without doilinks in place of a
hole must read as that link; what that means is the caller's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from .pages import Hole, Page

# Whether a piece of the page without doilinks reads as a link of the page with it.
Reads = Callable[[str, Hole], bool]


class Difference(NamedTuple):
    """Where two pages begin to differ: what the one has there, and the other."""

    ours: str
    without: str


@dataclass
class Walk:
    """Goes through the page with doilinks, and along with it through the page without.

    :ivar without: the page without doilinks
    :ivar ways: how what a link has replaced may read, the best one first
    :ivar counts: how many links have been found to read in each of these ways
    """

    without: str
    ways: Sequence[Reads]
    at: int = 0
    counts: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.counts = [0] * len(self.ways)

    def through(self, ours: Page) -> Difference | None:
        """The first difference, or None."""
        last = max((at for at, part in enumerate(ours) if isinstance(part, Hole)), default=-1)
        for index, part in enumerate(ours):
            if isinstance(part, str):
                if not self.without.startswith(part, self.at):
                    return self._differs(part)
                self.at += len(part)
                continue
            after = ours[index + 1] if index + 1 < len(ours) else ""
            follows = after if isinstance(after, str) else ""
            if not self._through_hole(part, follows, is_last=index == last):
                shown = f"{part.inside or part.href} {part.attributes} {follows[:80]!r}"
                return Difference(shown, self.without[self.at : self.at + 100])
        rest = self.without[self.at :]
        return Difference("the end", rest[:200]) if rest else None

    def _through_hole(self, hole: Hole, follows: str, *, is_last: bool) -> bool:
        ends = list(self._ends(hole, follows, is_last=is_last))
        for number, reads in enumerate(self.ways):
            for end in ends:
                if reads(self.without[self.at : end], hole):
                    self.counts[number] += 1
                    self.at = end
                    return True
        return False

    def _ends(self, hole: Hole, follows: str, *, is_last: bool) -> Iterator[int]:
        """Where what a link has replaced may end."""
        if hole.inside is None:  # a link with a title, which is a part of the page
            yield self.at + 1
            return
        if is_last and self.without.endswith(follows):
            yield max(self.at, len(self.without) - len(follows))
            return
        limit = min(
            len(self.without), self.at + 9 * max(len(hole.doi.name), len(hole.inside)) + 100
        )
        for end in range(self.at, limit + 1):
            if self.without.startswith(follows[:200], end):
                yield end

    def _differs(self, part: str) -> Difference:
        same = 0
        while self.without.startswith(part[: same + 1], self.at) and same < len(part):
            same += 1
        start = max(0, same - 60)
        return Difference(
            part[start : same + 80], self.without[self.at + start : self.at + same + 80]
        )

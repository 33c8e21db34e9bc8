"""The names in a block, and where they stand in it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

from ..core.doi import DOI
from ..core.html import unescape

__all__ = ["NAME", "Names", "names_of"]

NAME: Final = re.compile(r"10\.\d{3,9}(?:\.\d{1,9}){0,6}(?:/|%2[Ff])[^\s\"|{}\\^`]{1,300}")
_BLOCKS: Final = 8  # whose names are kept: those of one block are asked for one after another


class Names:
    """The names in a block.

    :ivar spans: where each begins and ends
    :ivar is_row: the block is a row of a table

    >>> names = Names("10.1000/182 and doi:10.1000/183; 10.1000%2F182")
    >>> len(names.spans), names.of(DOI("10.1000/182"))
    (3, [0, 2])
    """

    def __init__(self, block: str) -> None:
        found = list(NAME.finditer(block))
        self.spans = [name.span() for name in found]
        stripped = block.strip()
        self.is_row = stripped[:1] == "|" and stripped.count("|") > 2 and "\n" not in stripped
        # Sorted, so that a name is found without a look at all others.
        self._spelled = sorted(
            {
                (spelling.lower(), number)
                for number, name in enumerate(found)
                for spelling in (name[0], unquote(name[0]), unescape(name[0]))
            }
        )
        self._own: dict[str, list[int]] = {}

    def of(self, doi: DOI) -> Sequence[int]:
        """Which of the names are this one, or begin with it."""
        name = doi.name.lower()
        if name not in self._own:
            at = bisect_left(self._spelled, (name, 0))
            own = set()
            while at < len(self._spelled) and self._spelled[at][0].startswith(name):
                own.add(self._spelled[at][1])
                at += 1
            self._own[name] = sorted(own)
        return self._own[name]


@lru_cache(maxsize=_BLOCKS)
def names_of(block: str) -> Names:
    """The names in a block. They are looked for once, however many of them are asked for."""
    return Names(block)

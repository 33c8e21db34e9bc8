"""The blocks of a text, such as its paragraphs. A block shows what a DOI in it is about."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from functools import cached_property, partial

__all__ = ["Blocks"]


class Blocks:
    r"""The blocks of a text. They are searched for only when one of them is needed.

    :param begin: a pattern that matches at the beginning of each block

    >>> Blocks("one\n\ntwo", re.compile(r"\n\n")).at(6)()
    'two'
    """

    def __init__(self, text: str, begin: re.Pattern[str]) -> None:
        self._text = text
        self._begin = begin
        self._made: dict[int, str] = {}

    def at(self, offset: int) -> Callable[[], str]:
        """A function that makes the text of the block at an offset."""
        return partial(self._block, offset)

    @cached_property
    def _starts(self) -> list[int]:
        begins = (found.start() for found in self._begin.finditer(self._text))
        return [0, *begins, len(self._text)]

    def _block(self, offset: int) -> str:
        number = bisect_right(self._starts, offset) - 1
        if number not in self._made:
            start, end = self._starts[number : number + 2]
            self._made[number] = self._text[start:end].strip()
        return self._made[number]

"""The text of the block that contains a link."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property, partial
from typing import Final
from xml.etree.ElementTree import Element

from markdown.util import BLOCK_LEVEL_ELEMENTS, ETX, STX

from ..core.text import row_of
from .text import reading

__all__ = ["Blocks"]

_BLOCKS: Final = frozenset(BLOCK_LEVEL_ELEMENTS)
_CELLS: Final = frozenset({"td", "th"})
_STASHED: Final = re.compile(f"{STX}[^{STX}{ETX}]*{ETX}")  # raw HTML and marks of extensions


class Blocks:
    """The blocks of a document. The text of a block is made only when it is needed.

    :param root: the document
    """

    def __init__(self, root: Element) -> None:
        self._root = root
        self._texts: dict[Element, str] = {}

    def around(self, link: Element) -> Callable[[], str]:
        """A function that makes the text of the block around a link."""
        return partial(self._text_around, link)

    @cached_property
    def _parents(self) -> dict[Element, Element]:
        return {child: parent for parent in self._root.iter() for child in parent}

    def _text_around(self, link: Element) -> str:
        block = link
        while block.tag not in _BLOCKS and block in self._parents:
            block = self._parents[block]
        row = self._parents.get(block)
        if block.tag in _CELLS and row is not None and row.tag == "tr":
            block = row
        if block not in self._texts:
            text = row_of(map(self._text_of, block)) if block is row else self._text_of(block)
            self._texts[block] = text
        return self._texts[block]

    def _text_of(self, block: Element) -> str:
        return _STASHED.sub("", reading("".join(block.itertext()))).strip()

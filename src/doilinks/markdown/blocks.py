"""The text of the block that contains a link."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property, partial
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from markdown.util import BLOCK_LEVEL_ELEMENTS, ETX, STX

from ..core.text import definition_of, row_of
from .text import reading

__all__ = ["Blocks"]

_BLOCKS: Final = frozenset(BLOCK_LEVEL_ELEMENTS)
_CELLS: Final = frozenset({"td", "th"})
_STASHED: Final = re.compile(f"{STX}[^{STX}{ETX}]*{ETX}")  # raw HTML and marks of extensions


class _Definition(NamedTuple):
    """A definition that consists of paragraphs; without them, it is one itself."""

    terms: list[Element]
    paragraphs: list[Element]


class Blocks:
    """The blocks of a document. The text of a block is made only when it is needed.

    :param root: the document
    """

    def __init__(self, root: Element) -> None:
        self._root = root
        self._texts: dict[Element, str] = {}
        self._terms: dict[Element, str] = {}  # by the first of them

    def around(self, link: Element) -> Callable[[], str]:
        """A function that makes the text of the block around a link."""
        return partial(self._text_around, link)

    @cached_property
    def _parents(self) -> dict[Element, Element]:
        return {child: parent for parent in self._root.iter() for child in parent}

    @cached_property
    def _definitions(self) -> dict[Element, _Definition]:
        """For each term and paragraph, the definition that it belongs to, if this is a block.

        A term belongs to the first definition after it.
        """
        found: dict[Element, _Definition] = {}
        for each in self._root.iter("dl"):
            terms: list[Element] = []
            after = ""
            for child in each:
                if child.tag == "dt":
                    terms = terms if after == "dt" else []
                    terms.append(child)
                elif all(inner.tag == "p" or inner.tag not in _BLOCKS for inner in child):
                    paragraphs = [inner for inner in child if inner.tag == "p"] or [child]
                    new = terms if after == "dt" else []
                    found |= dict.fromkeys((*new, *paragraphs), _Definition(terms, paragraphs))
                after = child.tag
        return found

    def _text_around(self, link: Element) -> str:
        block = link
        while block.tag not in _BLOCKS and block in self._parents:
            block = self._parents[block]
        row = self._parents.get(block)
        if block.tag in _CELLS and row is not None and row.tag == "tr":
            block = row
        definition = self._definitions.get(block)
        block = definition.paragraphs[0] if definition else block
        if block not in self._texts:
            if definition:
                text = definition_of(
                    self._text_of_terms(definition.terms), map(self._text_of, definition.paragraphs)
                )
            elif block is row:
                text = row_of(map(self._text_of, block))
            else:
                text = self._text_of(block)
            self._texts[block] = text
        return self._texts[block]

    def _text_of_terms(self, terms: list[Element]) -> str:
        if terms and terms[0] not in self._terms:
            self._terms[terms[0]] = "\n".join(map(self._text_of, terms))
        return self._terms[terms[0]] if terms else ""

    def _text_of(self, block: Element) -> str:
        return _STASHED.sub("", reading("".join(block.itertext()))).strip()

"""The blocks of an HTML page, while its tags are read one after another.

A block is the text of an element such as a paragraph, including the text of its links. A row of a
table is one block for each cell that is one text. A definition that consists of paragraphs is one
block with its terms.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Final

from ..core.html import REFERENCE, unescape
from ..core.text import definition_of, row_of
from .tags import Tag

__all__ = ["Block", "Blocks"]

_CELLS: Final = frozenset({"td", "th"})
# Where one of these begins or ends, no cell and no definition continues.
_PARTS: Final = frozenset({"thead", "tbody", "tfoot", "tr", "dt", "dd", *_CELLS})
_SIGNATURE: Final = "sig"  # Sphinx' class for a function or class that the rest documents
_OUTER: Final = frozenset({"table", "dl"})


class Block:
    """The text of an element."""

    def __init__(self, group: _Group | None = None) -> None:
        self.group = group
        self._parts: list[str] = []
        if group:
            group.blocks.append(self)

    def add(self, source: str) -> None:
        """Add a piece of the page."""
        self._parts.append(source)

    @cached_property
    def own(self) -> str:
        """The text as a reader sees it. To be read when the page has been read."""
        return REFERENCE.sub(lambda found: unescape(found[0]), "".join(self._parts)).strip()

    def text(self) -> str:
        """The text of the whole block, which all of its names share."""
        return (self.group and self.group.text) or self.own


class _Group(ABC):
    """Blocks that may be one block, or a part of one, because one element contains them."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.is_mixed = False  # it has other blocks than paragraphs

    @cached_property
    def texts(self) -> list[str]:
        return [block.own for block in self.blocks if block.own]

    @property
    @abstractmethod
    def text(self) -> str:
        """The text of the whole block; ``""`` if the blocks are not a part of one."""


class _Row:
    def __init__(self) -> None:
        self.cells: list[_Cell] = []

    @cached_property
    def text(self) -> str:
        return row_of(" ".join(cell.texts) for cell in self.cells)


class _Cell(_Group):
    def __init__(self, row: _Row) -> None:
        super().__init__()
        self._row = row
        row.cells.append(self)

    @property
    def text(self) -> str:
        return self._row.text if len(self.texts) == 1 else ""


class _Entry:
    """Terms and their definitions."""

    def __init__(self) -> None:
        self.terms: list[_Term] = []
        self.definitions: list[_Definition] = []

    @cached_property
    def head(self) -> str:
        return "\n".join(text for term in self.terms for text in term.texts)


class _Term(_Group):
    def __init__(self, entry: _Entry) -> None:
        super().__init__()
        self._entry = entry
        entry.terms.append(self)

    @property
    def text(self) -> str:
        definitions = self._entry.definitions
        return definitions[0].text if definitions else ""


class _Definition(_Group):
    def __init__(self, entry: _Entry) -> None:
        super().__init__()
        self._entry = entry
        entry.definitions.append(self)

    @cached_property
    def text(self) -> str:
        return "" if self.is_mixed else definition_of(self._entry.head, self.texts)


class Blocks:
    """The blocks of a page.

    :ivar now: the block that the reader of the page is in
    """

    def __init__(self) -> None:
        self.now = Block()
        self._row: _Row | None = None
        self._entry: _Entry | None = None

    def tag(self, tag: Tag) -> None:
        """Go past a tag at which a block begins or ends."""
        group = self.now.group
        is_part = tag.name in _PARTS
        if group and not (tag.closes or is_part or tag.name == "p"):
            group.is_mixed = True
        self.now = Block(self._begun(tag) if is_part or tag.name in _OUTER else group)

    def _begun(self, tag: Tag) -> _Group | None:
        """The group that begins at a tag."""
        if tag.closes:
            if tag.name in ("tr", "table"):
                self._row = None
        elif tag.name == "tr":
            self._row = _Row()
        elif tag.name in _OUTER:
            self._row = self._entry = None
        elif tag.name in _CELLS and self._row:
            return _Cell(self._row)
        elif tag.name == "dt" and _SIGNATURE in tag.classes:
            self._entry = None
        elif tag.name == "dt":
            if not self._entry or self._entry.definitions:
                self._entry = _Entry()
            return _Term(self._entry)
        elif tag.name == "dd" and self._entry:
            return _Definition(self._entry)
        return None

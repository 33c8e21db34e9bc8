r"""The outline of a document: which of its texts belong together, and what names each of them.

Two rules need it, whatever tree a host has built. A label before a link decides what the link
shows, and the label may be the heading of the column. The text around a name is compared with its
record, and this is often more than one paragraph: the row of a table, or a definition with its
terms. Each host has an adapter that goes through its own tree.

>>> row = Row(heads=None)
>>> title, name = (row.cell().add(text) for text in ("The DOI Handbook", "10.1000/182"))
>>> name.text()
'| The DOI Handbook | 10.1000/182 |'
>>> entry = TermEntry()
>>> term, name = entry.term().add("DOI"), entry.definition().add("10.1000/182")
>>> name.head, name.text()
('DOI', 'DOI\n\n10.1000/182')
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Final

# Characters of terms that the text of each of their definitions begins with. A limit, because the
# number of these definitions is not limited.
_LONGEST_TERMS: Final = 2_000
_CELLS: Final = frozenset({"td", "th"})
_OUTER: Final = frozenset({"table", "dl"})
# Where one of these begins or ends, no cell and no definition continues.
_PARTS: Final = frozenset({"thead", "tbody", "tfoot", "tr", "dt", "dd", *_CELLS})


class Block:
    """A text of a document: a paragraph, a heading, a term, the content of a cell."""

    def __init__(self, text: str | Callable[[], str], group: BlockGroup | None = None) -> None:
        self._text = text
        self._group = group

    @cached_property
    def own(self) -> str:
        """The text of this block alone."""
        return self._text if isinstance(self._text, str) else self._text()

    @property
    def head(self) -> str:
        """The head of the block: the heading of its column, or the term that it defines."""
        group = self._group
        return group.head.own if group and group.head and group.blocks[0] is self else ""

    def text(self) -> str:
        """Return the text of all that belongs together, once the outline is complete."""
        return (self._group.text if self._group else "") or self.own


class BlockGroup:
    """The blocks of one element; ``whole`` makes the text of which they are a part."""

    def __init__(
        self, head: Block | None = None, whole: Callable[[BlockGroup], str] = lambda _: ""
    ) -> None:
        self.head, self._whole = head, whole
        self.blocks: list[Block] = []
        self.is_mixed = False  # whether it contains anything but paragraphs

    def add(self, text: str | Callable[[], str]) -> Block:
        """Add a block after the others, and return it."""
        block = Block(text, self)
        self.blocks.append(block)
        return block

    @cached_property
    def texts(self) -> list[str]:
        """The texts of the blocks that have any."""
        return [block.own for block in self.blocks if block.own]

    @cached_property
    def text(self) -> str:
        """The text of which the blocks are a part; ``""`` if each is a text by itself."""
        return self._whole(self)


class Row:
    """A row of a table."""

    is_head = False  # whether all of its cells are headings

    def __init__(self, heads: Row | None) -> None:
        self._heads = heads
        self.cells: dict[int, BlockGroup] = {}  # by the column in which each begins
        self.width = 0  # in columns

    def cell(self, *, is_head: bool = False) -> BlockGroup:
        """Add the next cell. If it contains one text, this text is a part of the row."""
        above = self._heads.cells.get(self.width) if self._heads else None
        self.is_head = is_head and (self.is_head or not self.cells)
        head = above.blocks[0] if above and above.blocks else None
        cell = BlockGroup(head, lambda cell: self.text if len(cell.texts) == 1 else "")
        self.cells[self.width] = cell
        self.width += 1
        return cell

    @cached_property
    def text(self) -> str:
        """The text of the row, in which each cell is on one line."""
        texts = (" ".join(" ".join(cell.texts).split()) for cell in self.cells.values())
        return f"| {' | '.join(texts)} |"


class TermEntry:
    """Terms and their definitions."""

    def __init__(self) -> None:
        self.terms: list[BlockGroup] = []
        self.definitions: list[BlockGroup] = []

    def term(self) -> BlockGroup:
        """Add the next term. It is a part of the first definition."""
        term = BlockGroup(None, lambda _: self.definitions[0].text if self.definitions else "")
        self.terms.append(term)
        return term

    def definition(self) -> BlockGroup:
        """Add the next definition. The first one follows its term, which names it."""
        follows = self.terms and not self.definitions
        named = self.terms[-1].blocks if follows else ()
        self.definitions.append(BlockGroup(named[0] if named else None, self._text_of))
        return self.definitions[-1]

    @cached_property
    def _terms_text(self) -> str:
        return "\n".join(text for term in self.terms for text in term.texts)

    def _text_of(self, definition: BlockGroup) -> str:
        """Join the terms and a definition that consists of paragraphs to one text, or ``""``."""
        if definition.is_mixed:
            return ""
        texts = (self._terms_text[:_LONGEST_TERMS], *definition.texts)
        return "\n\n".join(text.strip() for text in texts if text.strip())


class Outline:
    """The outline of a document whose elements come one after another, by their names in HTML."""

    def __init__(self) -> None:
        self._group: BlockGroup | None = None
        self._row: Row | None = None
        self._heads: Row | None = None
        self._is_head = False
        self._entry: TermEntry | None = None
        self._outer: list[tuple[Row | None, Row | None, TermEntry | None]] = []

    def block(self, text: str | Callable[[], str]) -> Block:
        """Add the next block, and return it."""
        return self._group.add(text) if self._group else Block(text)

    def open(self, tag: str) -> None:
        """Handle the start of an element at which a block ends."""
        if tag in _PARTS:
            self._group = self._begun(tag)
            return
        definitions = self._entry.definitions[-1:] if self._entry else []
        if self._group and self._group in definitions and tag != "p":
            self._group.is_mixed = True
            self._group = None
        if tag in _OUTER:
            self._outer.append((self._row, self._heads, self._entry))
            self._group = self._row = self._heads = self._entry = None

    def close(self, tag: str) -> None:
        """Handle the end of an element, with which a block ends."""
        if tag in _PARTS or tag in _OUTER:
            self._group = None
        if tag == "tr":
            self._end_row()
        elif tag == "thead":
            self._is_head = False
        elif tag in _OUTER and self._outer:
            self._row, self._heads, self._entry = self._outer.pop()

    def span(self, columns: int) -> None:
        """Extend the last cell through more columns, of which there may be millions."""
        if self._row:
            self._row.width += columns

    def _end_row(self) -> None:
        """End a row. Without ``thead``, the first row that consists of headings is the head."""
        if self._row and not self._heads and self._row.is_head:
            self._heads = self._row
        self._row = None

    def _begun(self, tag: str) -> BlockGroup | None:
        """Begin a part of a table or of a list of definitions, and return its group, if any."""
        if tag == "tr":
            self._end_row()
            self._row = Row(None if self._is_head else self._heads)
            if self._is_head:
                self._heads = self._row
        elif tag in _CELLS:
            return self._row.cell(is_head=tag == "th") if self._row else None
        elif tag == "dt":
            if not self._entry or self._entry.definitions:
                self._entry = TermEntry()
            return self._entry.term()
        elif tag == "dd":
            return self._entry.definition() if self._entry else None
        else:
            self._is_head = tag == "thead"
        return None


def own_label(before: Iterable[tuple[str, bool] | None], head: str) -> str:
    """Return the text with markup of its own before a link, or ``""``.

    This is emphasized or strong text just before the link. If the link begins a block, it is what
    names the block. ``before`` goes backwards: each text, and whether it is emphasized; None for
    anything else.

    >>> own_label([(": ", False), ("DOI", True), ("See ", False)], ""), own_label([], "DOI")
    ('DOI: ', 'DOI')
    """
    between = ""
    for each in before:
        if each is None:
            return ""
        text, is_marked = each
        if is_marked:
            return text + between
        between = text + between
        if len(between.split(maxsplit=2)) > 2:
            return ""  # a label and its colon are two words at most
    return "" if between.strip() else head

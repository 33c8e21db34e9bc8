"""The text of the block that a link is in."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from docutils import nodes

from ..core.text import row_of

__all__ = ["Blocks"]


class Blocks:
    """The blocks of a document."""

    def __init__(self) -> None:
        self._texts: dict[nodes.Node, Callable[[], str]] = {}

    def around(self, node: nodes.Node) -> Callable[[], str]:
        """A function that makes the text of the block that contains a node.

        This is a paragraph or the like; if it is all of a table's cell, the row.
        """
        while isinstance(node, nodes.Inline) and node.parent is not None:
            node = node.parent
        block = _row(node) or node
        if block not in self._texts:
            make = partial(_text_of_row, block) if isinstance(block, nodes.row) else block.astext
            self._texts[block] = cache(make)
        return self._texts[block]


def _row(block: nodes.Node) -> nodes.row | None:
    """The row of a table that contains a block, if this block is all of a cell."""
    cell = block.parent
    is_cell = isinstance(cell, nodes.entry) and len(cell.children) == 1
    return cell.parent if is_cell and isinstance(cell.parent, nodes.row) else None


def _text_of_row(row: nodes.row) -> str:
    return row_of(map(_text_of_cell, row.children))


def _text_of_cell(cell: nodes.Node) -> str:
    said = (node.astext() for node in cell.children if not isinstance(node, nodes.system_message))
    return " ".join(said)

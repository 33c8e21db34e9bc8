"""The text of the block that a link is in."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Final

from docutils import nodes

from ..core.text import definition_of, row_of

__all__ = ["Blocks"]

_TERMS: Final = (nodes.term, nodes.classifier)
_NOT_SHOWN: Final = (nodes.Invisible, nodes.system_message)


class Blocks:
    """The blocks of a document."""

    def __init__(self) -> None:
        self._texts: dict[nodes.Node, Callable[[], str]] = {}
        # Of each definition, or item of a list of them, the definition if it is a block.
        self._definitions: dict[nodes.Node, nodes.Node | None] = {}
        self._terms: dict[nodes.Node | None, str] = {}  # of each item

    def around(self, node: nodes.Node) -> Callable[[], str]:
        """A function that makes the text of the block that contains a node.

        This is a paragraph or the like; if it is all of a table's cell, the row; in a definition
        that consists of paragraphs, the definition with its term.
        """
        while isinstance(node, nodes.Inline) and node.parent is not None:
            node = node.parent
        block = _row(node) or self._definition(node) or node
        if block not in self._texts:
            make = block.astext
            if isinstance(block, nodes.row):
                make = partial(_text_of_row, block)
            elif isinstance(block, nodes.definition):
                make = partial(self._text_of_definition, block)
            self._texts[block] = cache(make)
        return self._texts[block]

    def _definition(self, block: nodes.Node) -> nodes.Node | None:
        """The definition that contains a paragraph; of a term, the first that follows."""
        owner = block.parent
        if not isinstance(owner, (nodes.definition, nodes.definition_list_item)):
            return None
        if owner not in self._definitions:
            found: nodes.Node | None = owner
            if not isinstance(owner, nodes.definition):
                found = next((c for c in owner.children if isinstance(c, nodes.definition)), None)
            shown = [c for c in found.children if not isinstance(c, _NOT_SHOWN)] if found else ()
            is_block = shown and all(isinstance(child, nodes.paragraph) for child in shown)
            self._definitions[owner] = found if is_block else None
        return self._definitions[owner]

    def _text_of_definition(self, definition: nodes.Node) -> str:
        item = definition.parent
        if item not in self._terms:
            of_item = item.children if item is not None else ()
            self._terms[item] = "\n".join(c.astext() for c in of_item if isinstance(c, _TERMS))
        paragraphs = (c for c in definition.children if isinstance(c, nodes.paragraph))
        return definition_of(self._terms[item], (each.astext() for each in paragraphs))


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

"""The text of the block that a link is in."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from docutils import nodes

__all__ = ["Blocks"]


class Blocks:
    """The blocks of a document."""

    def __init__(self) -> None:
        self._texts: dict[nodes.Node, Callable[[], str]] = {}

    def around(self, node: nodes.Node) -> Callable[[], str]:
        """A function that makes the text of the block that contains a node, such as a paragraph."""
        while isinstance(node, nodes.Inline) and node.parent is not None:
            node = node.parent
        if node not in self._texts:
            self._texts[node] = cache(node.astext)
        return self._texts[node]

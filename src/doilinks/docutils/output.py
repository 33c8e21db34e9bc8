"""Puts back the names that the smart quotes of docutils have changed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Final

from docutils import nodes
from docutils.transforms import Transform

__all__ = ["KeepNames", "keep"]

_KEPT: Final = "doi_kept"


def keep(document: nodes.document, links: Iterable[nodes.reference]) -> None:
    """Remember the texts of links for :class:`KeepNames`."""
    setattr(document, _KEPT, [(node, node.astext()) for node in links])


class KeepNames(Transform):
    """Undo the changes of smart quotes (855) in DOIs; docutils cannot exclude a node from them."""

    default_priority: ClassVar[int] = 856

    def apply(self, **_: Any) -> None:
        """Put back each name."""
        for node, text in getattr(self.document, _KEPT, ()):
            if node.astext() != text:
                node.children = []
                node.append(nodes.Text(text))

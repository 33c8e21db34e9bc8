"""Names that docutils' smart quotes have changed, put back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Final

from docutils import nodes
from docutils.transforms import Transform

__all__ = ["KeepNames", "keep"]

_KEPT: Final = "doi_kept"


def keep(document: nodes.document, links: Iterable[nodes.reference]) -> None:
    """Note the texts of links, for :class:`KeepNames`."""
    setattr(document, _KEPT, [(node, node.astext()) for node in links])


class KeepNames(Transform):
    """Undo what smart quotes (855) did to the DOIs shown; docutils has no mark to keep them off."""

    default_priority: ClassVar[int] = 856

    def apply(self, **_: Any) -> None:
        """Show each name as it was."""
        for node, text in getattr(self.document, _KEPT, ()):
            if node.astext() != text:
                node.children = []
                node.append(nodes.Text(text))

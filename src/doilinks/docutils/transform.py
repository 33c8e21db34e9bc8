"""The transforms that put the links into a docutils document."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from docutils import nodes
from docutils.transforms import Transform

from .options import read_options
from .walk import Linker

__all__ = ["DoiLinks", "KeepNames"]

_KEPT: Final = "doi_kept"


class DoiLinks(Transform):
    """Link the DOIs of a document, whatever parser built it.

    Every DOI is listed in ``document.dois``, a list of :class:`doilinks.Found`.
    """

    # Behind the transforms that resolve targets (up to 660), before those that pick typography.
    default_priority: ClassVar[int] = 740

    def apply(self, **_: Any) -> None:
        """Link what the tree holds."""
        linker = Linker(read_options(self.document))
        linker.link(self.document)
        # docutils has no place for what an extension finds.
        self.document.dois = linker.dois  # type: ignore[attr-defined]
        if getattr(self.document.settings, "smart_quotes", False):
            kept = [(node, node.astext()) for node in linker.links.shown]
            setattr(self.document, _KEPT, kept)


class KeepNames(Transform):
    """Undo what smart quotes (855) did to the DOIs shown; docutils has no mark to keep them off."""

    default_priority: ClassVar[int] = 856

    def apply(self, **_: Any) -> None:
        """Show each name as it was."""
        for node, text in getattr(self.document, _KEPT, ()):
            if node.astext() != text:
                node.children = []
                node.append(nodes.Text(text))

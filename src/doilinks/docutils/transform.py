"""The transform that puts the links into a docutils document."""

from __future__ import annotations

from typing import Any, ClassVar

from docutils.transforms import Transform

from .options import read_options
from .output import keep
from .walk import Linker

__all__ = ["DoiLinks"]


class DoiLinks(Transform):
    """Link the DOIs of a document, whatever parser built it.

    Every DOI is listed in ``document.dois``, a list of :class:`doilinks.Found`.
    """

    # After the transforms that resolve targets (up to 660), before smart quotes (855).
    default_priority: ClassVar[int] = 740

    def apply(self, **_: Any) -> None:
        """Link the DOIs in the tree."""
        linker = Linker(read_options(self.document))
        linker.link(self.document)
        # docutils has no place for the results of an extension.
        self.document.dois = linker.dois  # type: ignore[attr-defined]
        if getattr(self.document.settings, "smart_quotes", False):
            keep(self.document, linker.links.shown)

"""Sphinx's reStructuredText parser with the inliner that reads DOIs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx.parsers import RSTParser

from ..docutils.find import DoiInliner
from .options import options_of

if TYPE_CHECKING:
    from docutils import nodes
    from docutils.statemachine import StringList
    from sphinx.application import Sphinx

__all__ = ["DoiRSTParser", "use_parser"]


class DoiRSTParser(RSTParser):
    """Sphinx's parser; only the inliner differs."""

    def parse(self, inputstring: str | StringList, document: nodes.document) -> None:
        """Parse a page."""
        self.inliner = DoiInliner()
        self.inliner.options = options_of(document.settings.env.config)
        super().parse(inputstring, document)


def use_parser(app: Sphinx) -> None:
    """Put it in the place of Sphinx's, unless another extension has a parser of its own there.

    With such a parser names are linked all the same, but for those that hold markup characters.
    """
    if app.registry.source_parsers.get("restructuredtext") is RSTParser:
        app.add_source_parser(DoiRSTParser, override=True)

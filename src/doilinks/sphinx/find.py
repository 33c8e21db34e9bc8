"""Parsers for Sphinx and MyST that read a DOI before the markup in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx.parsers import RSTParser

from ..docutils.find import DoiInliner
from .myst import is_myst_parser, with_names
from .options import options_of

if TYPE_CHECKING:
    from docutils import nodes
    from docutils.statemachine import StringList
    from sphinx.application import Sphinx

__all__ = ["DoiRSTParser", "use_parsers"]


class DoiRSTParser(RSTParser):
    """Sphinx's parser with another inliner."""

    def parse(self, inputstring: str | StringList, document: nodes.document) -> None:
        """Parse a page."""
        self.inliner = DoiInliner()
        self.inliner.options = options_of(document.settings.env.config)
        super().parse(inputstring, document)


def use_parsers(app: Sphinx) -> None:
    """Replace the parsers of Sphinx and MyST.

    If another extension has replaced the parser, names are linked too, except names that contain
    markup.
    """
    for name, parser in list(app.registry.source_parsers.items()):
        if parser is RSTParser:
            app.add_source_parser(DoiRSTParser, override=True)
        elif is_myst_parser(parser):
            app.registry.source_parsers[name] = with_names(parser)

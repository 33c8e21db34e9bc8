"""The extension: tells Sphinx which functions to call, and when."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Final, Literal

from docutils import nodes
from docutils.parsers.rst import roles
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.parsers import RSTParser
from sphinx.transforms import SphinxSmartQuotes, SphinxTransform
from sphinx.util import logging
from sphinx.util.typing import ExtensionMetadata

from ... import __version__
from ..docutils.cite import with_typography
from ..docutils.entry import ROLE_OF, make_role
from ..docutils.find import DoiInliner
from ..docutils.walk import Linker
from .check import OF_DOCSTRINGS, setup_check
from .cite import PER_PAGE, keep_mentions, setup_works
from .keep import KeepInLatex, keep_doi_scheme, makers, with_names
from .project import DOIS, LAST, PerPage, options_of, setup_options


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
        elif makers(parser):
            app.registry.source_parsers[name] = with_names(parser)


_logger: Final = logging.getLogger(__name__)


class SphinxDoiLinks(SphinxTransform):
    """Link the DOIs of a page, and remember them."""

    # After translation (20) and the transforms that resolve targets (up to 660), before smart
    # quotes (750).
    default_priority: ClassVar[int] = 740

    def apply(self, **_: Any) -> None:
        """Link the DOIs in the tree."""
        linker = Linker(options_of(self.config))
        linker.link(self.document)
        for node in linker.links.canonical:
            node["support_smartquotes"] = False
        for node in linker.links.nameless:
            said = "%s is not the target of a DOI"
            _logger.warning(said, node["refuri"], location=node, type="doi", subtype="target")
        with_typography(linker.cites, self.document, SphinxSmartQuotes)
        if linker.dois:  # with the text around them
            dois = [replace(each, around=each.block) for each in linker.dois]
            DOIS.of(self.env)[self.env.docname] = dois
        keep_mentions(self.env, self.document, linker)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Connect the extension. Sphinx calls this."""
    setup_options(app)
    app.add_transform(SphinxDoiLinks)
    app.connect("config-inited", keep_doi_scheme)
    app.connect("builder-inited", use_parsers, priority=LAST)
    app.connect("builder-inited", _add_roles, priority=LAST)
    every: tuple[PerPage[Any], ...] = (DOIS, OF_DOCSTRINGS, *PER_PAGE)
    for kept in every:
        app.connect("env-purge-doc", kept.purge)
        app.connect("env-merge-info", kept.merge)
    app.add_post_transform(KeepInLatex)
    setup_works(app)
    setup_check(app)
    return {
        "version": __version__,
        "env_version": 7,
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }


def _add_roles(app: Sphinx) -> None:
    """Add the roles, unless the project or another extension has defined a role of this name."""
    names: tuple[Literal["doi", "arxiv"], ...] = ("doi", "arxiv")
    for name in names:
        # docutils' parser may have left its own in the process.
        if vars(roles)["_roles"].get(name, ROLE_OF[name]) is ROLE_OF[name]:
            role = make_role(lambda settings: options_of(settings.env.config), name)
            app.add_role(name, role, override=True)

"""The extension: tells Sphinx which functions to call, and when."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

from sphinx.parsers import RSTParser
from sphinx.transforms import SphinxSmartQuotes, SphinxTransform
from sphinx.util import logging
from sphinx.util.docutils import is_role_registered

from ... import __version__
from ..docutils.cite import DoiList, with_typography
from ..docutils.entry import make_role
from ..docutils.find import DoiInliner
from ..docutils.walk import Linker
from .check import (
    OF_DOCSTRINGS,
    DoiCheckBuilder,
    DoiLinkcheckBuilder,
    check_dois,
    is_on,
    keep_silences,
    require_check,
)
from .cite import (
    KEPT,
    DoiDomain,
    ShowWorks,
    begin,
    find_changed,
    keep_mentions,
)
from .keep import (
    KeepInLatex,
    KeepInMan,
    KeepInTexinfo,
    KeepInText,
    hand_back,
    is_myst_parser,
    keep_doi_scheme,
    restore_hyphens,
    with_names,
)
from .project import (
    FOUND,
    PerPage,
    add_bibliographies,
    add_options,
    dois_of,
    keep_found,
    options_of,
    options_of_settings,
    relative,
    require_valid_options,
)

if TYPE_CHECKING:
    from docutils import nodes
    from docutils.statemachine import StringList
    from sphinx.application import Sphinx
    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment
    from sphinx.util.typing import ExtensionMetadata

    from ...core.found import Found
    from ...core.remarks import Remark


# --------------------------------------------------------------------------------------------------
# Parsers for Sphinx and MyST that read a DOI before the markup in it.


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


# --------------------------------------------------------------------------------------------------
# The transform that puts the links into the pages of Sphinx.

_logger: Final = logging.getLogger(__name__)


class SphinxDoiLinks(SphinxTransform):
    """Link the DOIs of a page, and remember them."""

    # After translation (20) and the transforms that resolve targets (up to 660), before smart
    # quotes (750).
    default_priority: ClassVar[int] = 740

    def apply(self, **_: Any) -> None:
        """Link the DOIs in the tree."""
        linker = Linker(options_of(self.config), remark=self.config.doi_suspicious)
        linker.link(self.document)
        for node in linker.links.shown:
            node["support_smartquotes"] = False
        if linker.links.nameless:
            hand_back(linker.links.nameless, self.env)
        with_typography(linker.cites, self.document, SphinxSmartQuotes)
        keep_found(self.env, self.env.docname, linker.dois)
        keep_mentions(self.env, self.document, linker)
        for found in linker.dois:
            for remark in found.remarks:
                if remark.code not in self._unsaid():
                    _warn(found, remark)

    def _unsaid(self) -> frozenset[str]:
        # A full stop after a name is nearly always the end of a sentence. The check says itself
        # that a text names another DOI.
        checks = options_of(self.config).check != "off"
        return frozenset({"cut-full-stop", "text-names-another"} if checks else {"cut-full-stop"})


def warn_of_two_works(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of texts about different works, when all pages are read. The check says this itself."""
    if not app.config.doi_suspicious or is_on(app):
        return
    from ...checking.works.two import remark_on, two_works

    every = chain.from_iterable(dois_of(env).values())
    for place, other in two_works(every):
        shown = relative(app, other.file) if other.file else None
        _warn(place, remark_on(replace(other, file=shown)))


def _warn(found: Found, remark: Remark) -> None:
    place = f"{found.file}:{found.line}" if found.file and found.line else found.file
    _logger.warning(
        "suspicious: %s: %s [%s]",
        found.doi.uri,
        remark.message,
        remark.code,
        location=place,
        type="doi",
        subtype="suspicious",
    )


# A handler with this priority runs after all other handlers of an event.
_LAST: Final = 999


def setup(app: Sphinx) -> ExtensionMetadata:
    """Connect the extension. Sphinx calls this."""
    add_options(app)
    app.connect("config-inited", require_valid_options)
    _setup_links(app)
    _setup_writers(app)
    _setup_works(app)
    _setup_check(app)
    return {
        "version": __version__,
        "env_version": 6,
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }


def _setup_links(app: Sphinx) -> None:
    """What finds names and makes links of them, and what is kept of each page."""
    app.add_transform(SphinxDoiLinks)
    app.connect("config-inited", keep_doi_scheme)
    app.connect("builder-inited", add_bibliographies)
    app.connect("builder-inited", use_parsers, priority=_LAST)
    app.connect("builder-inited", _add_roles, priority=_LAST)
    app.connect("env-check-consistency", warn_of_two_works)
    every: tuple[PerPage[Any], ...] = (FOUND, OF_DOCSTRINGS, *KEPT)
    for kept in every:
        app.connect("env-purge-doc", kept.purge)
        app.connect("env-merge-info", kept.merge)


def _setup_writers(app: Sphinx) -> None:
    """What keeps writers from changing a name."""
    for keep in (KeepInLatex, KeepInMan, KeepInTexinfo, KeepInText):
        app.add_post_transform(keep)
    app.connect("builder-inited", restore_hyphens, priority=_LAST)


def _setup_works(app: Sphinx) -> None:
    """Texts on hover, citations and lists of references."""
    app.add_domain(DoiDomain)
    app.add_directive("doi-list", DoiList)
    app.add_post_transform(ShowWorks)
    app.connect("env-before-read-docs", begin)
    app.connect("env-updated", find_changed, priority=_LAST)


def _setup_check(app: Sphinx) -> None:
    """The check after a build, its builders, and the comments in docstrings that silence it."""
    app.add_builder(DoiCheckBuilder)
    app.add_builder(DoiLinkcheckBuilder, override=True)
    app.connect("builder-inited", require_check)
    app.connect("build-finished", check_dois, priority=_LAST)
    app.connect("config-inited", _read_docstrings, priority=_LAST)


def _read_docstrings(app: Sphinx, _config: Config) -> None:
    """Look into docstrings, after all extensions that change them."""
    if "autodoc-process-docstring" in app.events.events:  # autodoc is loaded
        app.connect("autodoc-process-docstring", keep_silences, priority=_LAST)


def _add_roles(app: Sphinx) -> None:
    """Add the roles, unless the project or another extension has defined a role of this name."""
    names: tuple[Literal["doi", "arxiv"], ...] = ("doi", "arxiv")
    for name in names:
        if not is_role_registered(name):
            app.add_role(name, make_role(options_of_settings, name))

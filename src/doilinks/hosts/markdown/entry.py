"""The extension: registers the processors with Python-Markdown."""

from __future__ import annotations

import logging
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any, Final

from markdown import Markdown
from markdown.extensions import Extension

from ...cite.page import WorkLookup, lookup_of
from ...core.options import Options, tell_no_check
from ...lock.bib_files import below
from .cite import WorkLinks
from .find import HideNames
from .walk import Headings, ShowLinks, ShowRest

_logger: Final = logging.getLogger("doilinks.markdown")
_warn: Final = partial(_logger.warning, "doilinks: %s")

# By this preprocessor, Zensical says which page of which project it makes.
_ZENSICAL: Final = "rendering_context"

# Priorities. The host's inline patterns have 20; smarty has 6, toc 5.
_HIDE: Final = 20.5
_SHOW: Final = 5.5
_AFTER_TOC: Final = 4.5
_LAST: Final = -100


class DoiExtension(Extension):
    """Link DOI names. Enable the extension as ``doilinks``. Its options have no prefix.

    The attribute ``dois`` of the ``Markdown`` instance lists the DOIs of the last document, as
    objects of :class:`doilinks.Found`, in the order of the document.

    :raises InvalidOption: (a ValueError) with each unknown option and each wrong value
    """

    def __init__(self, **options: Any) -> None:
        self.options = Options.read(options)
        self._root, self._page, self._language = Path(), "", ""
        self.config = {
            each.name: [getattr(self.options, each.name), each.metadata["help"]]
            for each in fields(Options)
        }

    def lookup(self) -> WorkLookup:
        """Return the works that pages show; a lock file is relative to the project folder."""
        lookup = lookup_of(self.options, self._root, _warn, self._language)
        lookup.place = self._page
        return lookup

    def finish(self, md: Markdown, works: WorkLinks) -> None:  # noqa: ARG002  for subclasses
        """Show the citations and lists of a document, at its end."""
        if not (works.all or works.lists):
            return
        lookup = self.lookup()
        if any(ask.scope == "project" for ask in works.lists.values()):
            said = "doi-list: Python-Markdown knows one page, so scope is page [doi-list]"
            lookup.tell(said, here=True)
        works.show(lookup)

    def setConfig(self, key: str, value: Any) -> None:  # noqa: N802  the host's name
        """Set one option.

        :raises InvalidOption: if there is no such option, or if it does not take ``value``
        """
        self.options = Options.read({**self.getConfigs(), key: value})
        self.config[key][0] = getattr(self.options, key)

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  the host's name
        """Add the processors to a ``Markdown`` instance."""
        if self.options.check != "off":
            tell_no_check(_logger)
        if _ZENSICAL in md.preprocessors:
            context: Any = md.preprocessors[_ZENSICAL]
            self._root, self._page = Path(context.config["root_dir"]), context.page.path
            self.options = below(self.options, self._root)
            self._language = str(context.config["theme"].get("language", ""))
        hide = HideNames(self.options, self.lookup, md)
        show = ShowLinks(self.options, hide, self.lookup, self.finish, md)
        md.treeprocessors.register(hide, "doi-hide", _HIDE)
        md.treeprocessors.register(show, "doi", _SHOW)
        md.treeprocessors.register(Headings(show.linked, md), "doi-headings", _AFTER_TOC)
        md.postprocessors.register(ShowRest(hide, md), "doi-rest", _LAST)
        if self.options.cites:
            md.ESCAPED_CHARS = [*md.ESCAPED_CHARS, "@"]
        md.registerExtension(show)  # type: ignore[arg-type]  # it has a reset(); the extension may serve several instances


def makeExtension(**options: Any) -> DoiExtension:  # noqa: N802  the host's name
    """Build the extension, if a user enables it by the name of its module."""
    return DoiExtension(**options)

"""The extension: registers the pattern and the tree processors with Python-Markdown."""

from __future__ import annotations

import logging
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from markdown import Markdown
from markdown.extensions import Extension

from ...core.options import Options, tell_no_check
from ..cite.page import Desk
from ..cite.shelf import Shelf
from .cite import Spots, desk_of
from .link import AFTER_ATTR_LIST, Classes
from .walk import (
    AFTER_LISTS,
    AFTER_SMARTY,
    AFTER_TOC,
    BEFORE_LISTS,
    BEFORE_SMARTY,
    SHOW,
    AfterLists,
    BeforeLists,
    Expect,
    Finder,
    Headings,
    HideQuotes,
    Linker,
    Show,
    ShowQuotes,
)

_logger: Final = logging.getLogger("doilinks.markdown")

# By this preprocessor, Zensical says which page of which project it makes.
_ZENSICAL: Final = "rendering_context"

# After references and links in square brackets (125), before autolinks (120) and raw HTML (90).
_INLINE_PRIORITY: Final = 122
# Just before the inline patterns (20).
_EXPECT_PRIORITY: Final = 20.5
# After the inline patterns, before attribute lists (8), smarty (6) and the toc (5).
_TREE_PRIORITY: Final = 18


class DoiExtension(Extension):
    """Link DOI names. Enable the extension as ``doilinks``. Its options have no prefix.

    The attribute ``dois`` of the ``Markdown`` instance lists the DOIs of the last document, as
    objects of :class:`doilinks.Found`, in the order of the document.

    :raises InvalidOption: (a ValueError) with each unknown option and each wrong value
    """

    def __init__(self, **options: Any) -> None:
        self.options = Options.read(options)
        self._root, self._page = Path(), ""
        self.config = {
            each.name: [getattr(self.options, each.name), each.metadata["help"]]
            for each in fields(Options)
        }

    def desk(self) -> Desk:
        """The works that pages show; a lock file is relative to the folder of the project."""
        root = self._root.absolute()
        desk = desk_of(self.options, root, _warn, Shelf.stamp(self.options, root))
        desk.place = self._page
        return desk

    def show(self, spots: Spots) -> None:
        """Show the citations and lists of a document."""
        desk = self.desk()
        if any(ask.scope == "project" for ask in spots.lists.values()):
            desk.tell("doi-list: Python-Markdown knows one page, so scope is page")
        spots.show(desk)

    def setConfig(self, key: str, value: Any) -> None:  # noqa: N802  the host's name
        """Set one option.

        :raises InvalidOption: if there is no such option, or if it does not take ``value``
        """
        self.options = Options.read({**self.getConfigs(), key: value})
        self.config[key][0] = getattr(self.options, key)

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  the host's name
        """Add the pattern and the tree processors to a ``Markdown`` instance."""
        if self.options.check != "off":
            tell_no_check(_logger)
        if _ZENSICAL in md.preprocessors:
            context: Any = md.preprocessors[_ZENSICAL]
            self._root, self._page = Path(context.config["root_dir"]), context.page.path
        names = Finder(self.options, md)
        linker = Linker(self.options, names, self.desk, md)
        md.inlinePatterns.register(names, "doi", _INLINE_PRIORITY)
        md.treeprocessors.register(
            Expect(self.options, names, linker, md), "doi-expect", _EXPECT_PRIORITY
        )
        md.treeprocessors.register(linker, "doi", _TREE_PRIORITY)
        before_lists = BeforeLists(linker.made, md)
        md.treeprocessors.register(before_lists, *BEFORE_LISTS)
        md.treeprocessors.register(AfterLists(before_lists, md), *AFTER_LISTS)
        md.treeprocessors.register(Classes(self.options, linker.linked, md), *AFTER_ATTR_LIST)
        if self.options.cite:
            md.ESCAPED_CHARS = [*md.ESCAPED_CHARS, "@"]
            md.treeprocessors.register(Show(linker, self.show, md), *SHOW)
        md.treeprocessors.register(HideQuotes(linker.quoted, md), *BEFORE_SMARTY)
        md.treeprocessors.register(ShowQuotes(linker.quoted, md), *AFTER_SMARTY)
        md.treeprocessors.register(Headings(linker.linked, md), *AFTER_TOC)
        md.registerExtension(linker)  # type: ignore[arg-type]  # it has a reset(); the extension may serve several instances


def _warn(message: str) -> None:
    _logger.warning("doilinks: %s", message)


def makeExtension(**options: Any) -> DoiExtension:  # noqa: N802  the host's name
    """The extension, if a user enables it by the name of its module."""
    return DoiExtension(**options)

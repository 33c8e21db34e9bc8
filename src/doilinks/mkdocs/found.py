"""The DOIs of a page, from whatever is converted for it."""

from __future__ import annotations

from typing import Any, Final
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor

from ..core.found import Found
from ..markdown import DoiExtension

__all__ = ["SiteExtension"]

# After the tree processor that lists the names of a document (18).
_LISTENER_PRIORITY: Final = 17


class SiteExtension(DoiExtension):
    """The Markdown extension, with the DOIs of all that is converted while a page is made.

    Another plug-in may convert more with it, with ``Markdown`` instances of its own: docstrings for
    example. A page that is rendered by other means converts nothing.

    :ivar heard: the DOIs of each conversion of the page
    :ivar conversions: how many there were
    """

    conversions = 0

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.heard: list[Found] = []

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  the host's name
        """Add a tree processor that listens, besides what finds the names."""
        super().extendMarkdown(md)
        md.treeprocessors.register(_Listener(self, md), "doi-heard", _LISTENER_PRIORITY)

    def forget(self) -> None:
        """Another page begins."""
        self.heard.clear()
        self.conversions = 0


class _Listener(Treeprocessor):
    def __init__(self, extension: SiteExtension, md: Markdown) -> None:
        super().__init__(md)
        self._extension = extension

    def run(self, root: Element) -> None:  # noqa: ARG002  the host's signature
        self._extension.heard += self.md.dois  # type: ignore[attr-defined]
        self._extension.conversions += 1

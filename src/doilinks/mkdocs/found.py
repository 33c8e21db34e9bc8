"""The DOIs of a page, from all text that is converted for it."""

from __future__ import annotations

from typing import Any, Final
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor

from ..core.found import Found
from ..markdown import DoiExtension
from .docstrings import object_of

__all__ = ["SiteExtension"]

# After the tree processor that lists the names of a document (18).
_LISTENER_PRIORITY: Final = 17


class SiteExtension(DoiExtension):
    """The Markdown extension, with the DOIs of all text that is converted while a page is made.

    Another plug-in may convert further text, such as docstrings, with ``Markdown`` instances of its
    own that have this extension. If a page is rendered by other means, nothing is converted.

    :ivar heard: the DOIs of all conversions for the page, each with the Python path of the object
        whose docstring it is in, or ``""``
    :ivar conversions: the number of these conversions
    """

    conversions = 0

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.heard: list[tuple[Found, str]] = []

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  the host's name
        """Add the extension, and a tree processor that collects the DOIs of each conversion."""
        super().extendMarkdown(md)
        md.treeprocessors.register(_Listener(self, md), "doi-heard", _LISTENER_PRIORITY)

    def forget(self) -> None:
        """Forget the page before, because another page begins."""
        self.heard.clear()
        self.conversions = 0


class _Listener(Treeprocessor):
    def __init__(self, extension: SiteExtension, md: Markdown) -> None:
        super().__init__(md)
        self._extension = extension

    def run(self, root: Element) -> None:  # noqa: ARG002  the host's signature
        path, dois = object_of(self.md), self.md.dois  # type: ignore[attr-defined]
        self._extension.heard += [(each, path) for each in dois]
        self._extension.conversions += 1

"""The tree processor: makes the links of the document canonical, and lists their DOIs."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor

from ..core.found import Found
from ..core.options import Options
from .blocks import Blocks
from .classes import classes_of
from .find import Names
from .labels import Labels
from .link import adopt
from .output import QUOTES
from .prose import unlink_enclosed

__all__ = ["Links"]


class Links(Treeprocessor):
    """Goes through the links of a document.

    :ivar linked: the links to DOIs
    :ivar made: the links among them that doilinks has made
    :ivar quoted: the links that doilinks has made and that a quotation mark follows
    """

    def __init__(self, options: Options, names: Names, md: Markdown) -> None:
        super().__init__(md)
        self._options = options
        self._names = names
        self.linked: list[Element] = []
        self.made: list[Element] = []
        self.quoted: list[Element] = []
        self.reset()

    def reset(self) -> None:
        """Forget the document that was converted before. The host calls this."""
        self._names.reset()
        self.linked.clear()
        self.made.clear()
        self.quoted.clear()
        self._dois: list[Found] = []
        self.md.dois = self._dois  # type: ignore[attr-defined]

    def run(self, root: Element) -> None:
        """Make the links canonical, and list their DOIs."""
        made = dict(self._names.made)
        html = self.md.htmlStash.rawHtmlBlocks
        if made and html:
            unlink_enclosed(root, self._names.written, html)
        self.reset()
        labels, blocks = Labels(root), Blocks(root)
        for link in root.iter("a"):
            ours = made.get(link)
            found = adopt(link, labels, blocks, self._options, ours)
            if found is None:
                continue
            self._dois.append(found)
            # The author's link may stay as it was.
            if ours or set(self._options.classes).issubset(classes_of(link)):
                self.linked.append(link)
            if ours:
                self.made.append(link)
                if (link.tail or "").startswith(QUOTES):
                    self.quoted.append(link)

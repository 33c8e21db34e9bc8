"""Quotation marks just after a link, for the host's ``smarty``."""

from __future__ import annotations

from typing import Final
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor

__all__ = ["AFTER_SMARTY", "BEFORE_SMARTY", "QUOTES", "HideQuotes", "ShowQuotes"]

# Names and priorities of the two tree processors; smarty has 6, abbreviations 7.
BEFORE_SMARTY: Final = ("doi-quotes", 6.5)
AFTER_SMARTY: Final = ("doi-quotes-end", 5.5)

QUOTES: Final = ("'", '"')

# smarty takes the text between two elements by itself. It cannot see what stands before a quote
# that is the first of a text, and may open a quotation there. After a letter it closes one.
_LETTER: Final = "a"


class HideQuotes(Treeprocessor):
    """Puts a letter before each quotation mark that stands just after a link, for smarty.

    :param links: those links
    """

    def __init__(self, links: list[Element], md: Markdown) -> None:
        super().__init__(md)
        self._links = links

    def run(self, root: Element) -> None:  # noqa: ARG002  the host's signature
        """Put it there."""
        if "smarty" in self.md.treeprocessors:
            for link in self._links:
                link.tail = _LETTER + (link.tail or "")


class ShowQuotes(HideQuotes):
    """Takes the letter away again."""

    def run(self, root: Element) -> None:  # noqa: ARG002  the host's signature
        """Take it away."""
        if "smarty" in self.md.treeprocessors:
            for link in self._links:
                link.tail = (link.tail or "").removeprefix(_LETTER)

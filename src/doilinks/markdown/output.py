"""Quotation marks just after a link, for the host's ``smarty``."""

from __future__ import annotations

from typing import Final
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor

__all__ = ["AFTER_SMARTY", "BEFORE_SMARTY", "QUOTES", "HideQuotes", "ShowQuotes"]

# Names and priorities of the two tree processors. smarty has the priority 6, abbreviations 7.
BEFORE_SMARTY: Final = ("doi-quotes", 6.5)
AFTER_SMARTY: Final = ("doi-quotes-end", 5.5)

QUOTES: Final = ("'", '"')

# smarty reads each text between two elements alone. If such a text begins with a quote, smarty
# cannot see the character before it and may open a quotation. After a letter, it closes one.
_LETTER: Final = "a"


class HideQuotes(Treeprocessor):
    """Puts a letter before each quotation mark that follows a link, so that smarty closes there.

    :param links: the links that a quotation mark follows
    """

    def __init__(self, links: list[Element], md: Markdown) -> None:
        super().__init__(md)
        self._links = links

    def run(self, root: Element) -> None:  # noqa: ARG002  the host's signature
        """Add the letter."""
        if "smarty" in self.md.treeprocessors:
            for link in self._links:
                link.tail = _LETTER + (link.tail or "")


class ShowQuotes(HideQuotes):
    """Removes the letter that :class:`HideQuotes` has added."""

    def run(self, root: Element) -> None:  # noqa: ARG002  the host's signature
        """Remove the letter."""
        if "smarty" in self.md.treeprocessors:
            for link in self._links:
                link.tail = (link.tail or "").removeprefix(_LETTER)

"""Quotation marks just behind a link, for the host's ``smarty``."""

from __future__ import annotations

from typing import Final
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor

__all__ = ["AROUND_SMARTY", "QUOTES", "Quotes"]

# Names and priorities of the two tree processors; smarty has 6, abbreviations 7.
AROUND_SMARTY: Final = {"doi-quotes": 6.5, "doi-quotes-end": 5.5}

QUOTES: Final = ("'", '"')


class Quotes(Treeprocessor):
    """Lets smarty, which takes each text between two elements by itself, close a quotation.

    It cannot see what stands before a quote that is the first of a text, and may open one there.
    So such a text gets a letter in front, which goes again once smarty is done.

    :param links: links with a quote just behind them
    """

    def __init__(self, links: list[Element], md: Markdown) -> None:
        super().__init__(md)
        self._links = links

    def run(self, root: Element) -> None:  # noqa: ARG002  the host's signature
        """Put the letter there, or take it away again."""
        if "smarty" not in self.md.treeprocessors:
            return
        for link in self._links:
            tail = link.tail or ""
            link.tail = tail.removeprefix("a") if tail.startswith("a") else "a" + tail

"""Attribute lists after a link, for the host's ``attr_list``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor
from markdown.util import ETX, STX

from ..core.attributes import may_harm
from ..core.html import ENTITY

__all__ = ["AFTER_LISTS", "BEFORE_LISTS", "AfterLists", "BeforeLists"]

# Names and priorities of the tree processors; attr_list has 8.
BEFORE_LISTS: Final = ("doi-before-lists", 8.5)
AFTER_LISTS: Final = ("doi-after-lists", 7.6)

_ENTITY: Final = re.compile(f"&{ENTITY}")
_STASHED: Final = re.compile(f"{STX}wzxhzdk:([0-9]{{1,9}}){ETX}")
_BRACE: Final = f"{STX}{ord('{')}{ETX}"  # as the host keeps one that the author has escaped


class BeforeLists(Treeprocessor):
    """Hides from attr_list what is no list without doilinks, or does more than describe a link.

    The brace of a list that may harm is escaped. Where nothing follows the last element of a block,
    attr_list takes a list from before the first one: ``{.b}`` in ``a {.b} 10.1000/182``, a cell of
    a table. So for a time a space follows each link, and all elements of a block that begins with
    one.

    :param links: links that are ours
    """

    def __init__(self, links: Sequence[Element], md: Markdown) -> None:
        super().__init__(md)
        self._links = links
        self.spaced: list[Element] = []

    def run(self, root: Element) -> None:
        """Escape the braces and add the spaces."""
        self.spaced.clear()
        if not self._links:
            return
        for link in self._links:
            tail = link.tail or ""
            if tail.startswith("{") and may_harm(_STASHED.sub(self._entity, tail)):
                link.tail = _BRACE + tail[1:]
        links = set(self._links)
        for parent in root.iter():
            first = len(parent) and parent[0] in links
            for child in parent:
                if (first or child in links) and not child.tail:
                    child.tail = " "
                    self.spaced.append(child)

    def _entity(self, stashed: re.Match[str]) -> str:
        """A character for an entity, which the host has put aside like a tag; a tag stays."""
        html: Any = self.md.htmlStash.rawHtmlBlocks
        number = int(stashed[1])
        is_entity = number < len(html) and _ENTITY.fullmatch(str(html[number]))
        return "." if is_entity else stashed[0]


class AfterLists(Treeprocessor):
    """Takes the spaces away again."""

    def __init__(self, before: BeforeLists, md: Markdown) -> None:
        super().__init__(md)
        self._before = before

    def run(self, root: Element) -> None:  # noqa: ARG002  the host's signature
        """Take them away."""
        for element in self._before.spaced:
            element.tail = None

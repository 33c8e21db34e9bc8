"""Attribute lists after a link, for the host's ``attr_list``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor
from markdown.util import ETX, STX

from ..core.attribute_lists import may_harm
from ..core.html import ENTITY

__all__ = ["AFTER_LISTS", "BEFORE_LISTS", "AfterLists", "BeforeLists"]

# Names and priorities of the tree processors. attr_list has the priority 8.
BEFORE_LISTS: Final = ("doi-before-lists", 8.5)
AFTER_LISTS: Final = ("doi-after-lists", 7.6)

_ENTITY: Final = re.compile(f"&{ENTITY}")
_STASHED: Final = re.compile(f"{STX}wzxhzdk:([0-9]{{1,9}}){ETX}")
_BRACE: Final = f"{STX}{ord('{')}{ETX}"  # the host keeps an escaped brace in this form


class BeforeLists(Treeprocessor):
    """Hides lists from attr_list that could harm, and braces that are a list only with doilinks.

    The brace of a list that could harm is escaped. If nothing follows the last element of a block,
    attr_list takes a list from before the first element, such as ``{.b}`` in the table cell
    ``a {.b} 10.1000/182``. So, until attr_list has run, a space follows each link, and each element
    of a block that begins with a link.

    :param links: the links that doilinks has made
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
        """A character in place of an entity, which the host stashes like a tag. A tag stays."""
        html: Any = self.md.htmlStash.rawHtmlBlocks
        number = int(stashed[1])
        is_entity = number < len(html) and _ENTITY.fullmatch(str(html[number]))
        return "." if is_entity else stashed[0]


class AfterLists(Treeprocessor):
    """Removes the spaces that :class:`BeforeLists` has added."""

    def __init__(self, before: BeforeLists, md: Markdown) -> None:
        super().__init__(md)
        self._before = before

    def run(self, root: Element) -> None:  # noqa: ARG002  the host's signature
        """Remove the spaces."""
        for element in self._before.spaced:
            element.tail = None

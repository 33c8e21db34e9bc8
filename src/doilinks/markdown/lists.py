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

__all__ = ["BEFORE_LISTS", "Lists"]

# Name and priority of the tree processor; attr_list has 8, and what stands before a list is then
# what attr_list will see.
BEFORE_LISTS: Final = ("doi-lists", 8.5)

_ENTITY: Final = re.compile(f"&{ENTITY}")
_STASHED: Final = re.compile(f"{STX}wzxhzdk:([0-9]{{1,9}}){ETX}")
_BRACE: Final = f"{STX}{ord('{')}{ETX}"  # as the host keeps one that the author has escaped


class Lists(Treeprocessor):
    """Makes text of each list that would give a link more than authors need.

    :param links: links that are ours
    """

    def __init__(self, links: Sequence[Element], md: Markdown) -> None:
        super().__init__(md)
        self._links = links

    def run(self, root: Element) -> None:  # noqa: ARG002  the host's signature
        """Escape the braces of such lists."""
        for link in self._links:
            tail = link.tail or ""
            if tail.startswith("{") and may_harm(_STASHED.sub(self._entity, tail)):
                link.tail = _BRACE + tail[1:]

    def _entity(self, stashed: re.Match[str]) -> str:
        """A character for an entity, which the host has put aside like a tag; a tag stays."""
        html: Any = self.md.htmlStash.rawHtmlBlocks
        return "." if _ENTITY.fullmatch(str(html[int(stashed[1])])) else stashed[0]

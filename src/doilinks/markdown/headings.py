"""Removes the links of ``toc`` around headings that contain a link."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor

__all__ = ["AFTER_TOC", "Headings"]

# Name and priority of the tree processor; toc has 5.
AFTER_TOC: Final = ("doi-headings", 4.5)

_HEADINGS: Final = frozenset(f"h{level}" for level in range(1, 7))


class Headings(Treeprocessor):
    """Removes the link around a heading with a DOI, because a link may not contain another link.

    Source: https://html.spec.whatwg.org/multipage/text-level-semantics.html#the-a-element, content
    model.

    :param links: the links to DOIs
    """

    def __init__(self, links: Iterable[Element], md: Markdown) -> None:
        super().__init__(md)
        self._links = links

    def run(self, root: Element) -> None:
        """Remove this link from each such heading."""
        linked = set(self._links)
        for heading in root.iter() if linked else ():
            if heading.tag not in _HEADINGS:
                continue
            for anchor in list(heading):
                to_itself = anchor.tag == "a" and anchor.get("href") == f"#{heading.get('id')}"
                if to_itself and not linked.isdisjoint(anchor.iter("a")):
                    _unwrap(heading, anchor)


def _unwrap(parent: Element, child: Element) -> None:
    """Replace a child by its content."""
    at = list(parent).index(child)
    _append(parent, at, child.text)
    parent[at : at + 1] = list(child)
    _append(parent, at + len(child), child.tail)


def _append(parent: Element, at: int, text: str | None) -> None:
    """Add a text before the child at ``at``."""
    if at:
        parent[at - 1].tail = (parent[at - 1].tail or "") + (text or "")
    else:
        parent.text = (parent.text or "") + (text or "")

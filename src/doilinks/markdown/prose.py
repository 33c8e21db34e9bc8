"""Removes links inside raw HTML in texts that the host reads twice.

The host reads a text twice in footnotes, and wherever a paragraph has elements before its text is
read. The second time, tags are placeholders, and a text does not contain the tags around it. So
the inline pattern cannot see that a name is inside raw HTML.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final
from xml.etree.ElementTree import Element

from markdown.util import ETX, STX

from ..core.html import enclosed

__all__ = ["unlink_enclosed"]

_TAG: Final = re.compile(f"{STX}wzxhzdk:([0-9]{{1,9}}){ETX}")


def unlink_enclosed(root: Element, written: Mapping[Element, str], html: Sequence[object]) -> None:
    """Put back the text of each link that is inside a link or code of raw HTML.

    :param written: the links that doilinks has made, each with the text that it has replaced
    :param html: the raw HTML that the host has stashed
    """
    row: list[str | None] = []
    links: list[tuple[Element, Element] | None] = []
    stack: list[tuple[Element, Element, bool]] = [(root, root, False)]
    while stack:
        element, parent, after = stack.pop()
        if not after and element in written:
            row.append(None)
            links.append((parent, element))
        for tag in _TAG.finditer((element.tail if after else element.text) or ""):
            number = int(tag[1])
            row.append(str(html[number]) if number < len(html) else "")
            links.append(None)
        if not after:
            for child in reversed(element):
                stack += (child, element, True), (child, element, False)
    gone: dict[Element, set[Element]] = {}
    for inside, place in zip(enclosed(row), links, strict=True):
        if inside and place:
            gone.setdefault(place[0], set()).add(place[1])
    for parent, inside_it in gone.items():
        _put_back(parent, inside_it, written)


def _put_back(parent: Element, links: set[Element], written: Mapping[Element, str]) -> None:
    kept: list[Element] = []
    texts = [[parent.text or ""]]
    for child in parent:
        if child in links:
            texts[-1] += written[child], child.tail or ""
        else:
            kept.append(child)
            texts.append([child.tail or ""])
    parent[:] = kept
    parent.text = "".join(texts[0])
    for child, text in zip(kept, texts[1:], strict=True):
        child.tail = "".join(text)

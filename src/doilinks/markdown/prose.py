"""Raw HTML around a name, where the host reads a text twice.

It does so in footnotes and wherever else a paragraph has elements before its text is read. The
second time the tags are placeholders, and those around a text are not in it.
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
    """Put back what was written for the links that stand in a link or code of raw HTML.

    :param written: the links that are ours, with the text that each stands for
    :param html: the raw HTML that the host has put aside
    """
    row: list[str | None] = []
    links: list[tuple[Element, Element] | None] = []
    stack: list[tuple[Element, Element, bool]] = [(root, root, False)]
    while stack:
        element, parent, behind = stack.pop()
        if not behind and element in written:
            row.append(None)
            links.append((parent, element))
        for tag in _TAG.finditer((element.tail if behind else element.text) or ""):
            number = int(tag[1])
            row.append(str(html[number]) if number < len(html) else "")
            links.append(None)
        if not behind:
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

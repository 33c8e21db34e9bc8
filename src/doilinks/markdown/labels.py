"""Labels that an author wrote before a link, so that the page does not show them twice."""

from __future__ import annotations

from functools import cached_property
from typing import Final
from xml.etree.ElementTree import Element

__all__ = ["Labels"]

_MARKED: Final = frozenset({"em", "strong", "b", "i"})


class Labels:
    """The labels before the links of a document.

    :param root: the document
    """

    def __init__(self, root: Element) -> None:
        self._root = root

    @cached_property
    def _places(self) -> dict[Element, tuple[Element, Element | None]]:
        """The parent of each element, and the element before it."""
        places: dict[Element, tuple[Element, Element | None]] = {}
        for parent in self._root.iter():
            before = None
            for child in parent:
                places[child] = parent, before
                before = child
        return places

    def text_before(self, link: Element) -> str:
        """The plain text just before a link."""
        parent, before = self._places[link]
        return (parent.text if before is None else before.tail) or ""

    def cut_before(self, link: Element, size: int) -> None:
        """Remove the last ``size`` characters of the plain text just before a link."""
        text = self.text_before(link)[:-size]
        parent, before = self._places[link]
        if before is None:
            parent.text = text
        else:
            before.tail = text

    def own(self, link: Element) -> str:
        """The text with markup of its own before a link, or ``""``.

        This is emphasized or strong text just before the link. If the link begins a definition or
        a cell, it is the term or the heading of the column.
        """
        between = self.text_before(link)
        parent, before = self._places[link]
        if before is not None:
            return "".join(before.itertext()) + between if before.tag in _MARKED else ""
        return "" if between.strip() else self._head(parent)

    def _head(self, element: Element) -> str:
        if element.tag == "p" and element in self._places:
            element, first = self._places[element]
            if first is not None:
                return ""
        if element not in self._places:
            return ""
        parent, before = self._places[element]
        if element.tag == "dd" and before is not None and before.tag == "dt":
            return "".join(before.itertext())
        return self._column_head(element, parent) if element.tag == "td" else ""

    def _column_head(self, cell: Element, row: Element) -> str:
        body = self._places.get(row, (None,))[0]
        table = self._places.get(body, (None,))[0] if body is not None else None
        heads = [] if table is None else table.findall("thead/tr/th")
        column = list(row).index(cell)
        return "".join(heads[column].itertext()) if column < len(heads) else ""

"""The elements of links to DOIs: ``build`` makes one, ``adopt`` takes one of the document."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, partial
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor
from markdown.util import BLOCK_LEVEL_ELEMENTS, ETX, STX, AtomicString

from ..core.found import Found
from ..core.link import Link, after_label, attributes, relink, with_classes
from ..core.options import Options
from ..core.text import definition_of, row_of
from .text import Span, escape, reading

__all__ = [
    "AFTER_ATTR_LIST",
    "Blocks",
    "Classes",
    "Labels",
    "adopt",
    "build",
    "classes_of",
    "set_attributes",
]


# --------------------------------------------------------------------------------------------------
# Labels that an author wrote before a link, so that the page does not show them twice.

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


# --------------------------------------------------------------------------------------------------
# The text of the block that contains a link.

_BLOCKS: Final = frozenset(BLOCK_LEVEL_ELEMENTS)
_CELLS: Final = frozenset({"td", "th"})
_STASHES: Final = re.compile(f"{STX}[^{STX}{ETX}]*{ETX}")  # raw HTML and marks of extensions


class _Definition(NamedTuple):
    """A definition that consists of paragraphs; without them, it is one itself."""

    terms: list[Element]
    paragraphs: list[Element]


class Blocks:
    """The blocks of a document. The text of a block is made only when it is needed.

    :param root: the document
    """

    def __init__(self, root: Element) -> None:
        self._root = root
        self._texts: dict[Element, str] = {}
        self._terms: dict[Element, str] = {}  # by the first of them

    def around(self, link: Element) -> Callable[[], str]:
        """A function that makes the text of the block around a link."""
        return partial(self._text_around, link)

    @cached_property
    def _parents(self) -> dict[Element, Element]:
        return {child: parent for parent in self._root.iter() for child in parent}

    @cached_property
    def _definitions(self) -> dict[Element, _Definition]:
        """For each term and paragraph, the definition that it belongs to, if this is a block.

        A term belongs to the first definition after it.
        """
        found: dict[Element, _Definition] = {}
        for each in self._root.iter("dl"):
            terms: list[Element] = []
            after = ""
            for child in each:
                if child.tag == "dt":
                    terms = terms if after == "dt" else []
                    terms.append(child)
                elif all(inner.tag == "p" or inner.tag not in _BLOCKS for inner in child):
                    paragraphs = [inner for inner in child if inner.tag == "p"] or [child]
                    new = terms if after == "dt" else []
                    found |= dict.fromkeys((*new, *paragraphs), _Definition(terms, paragraphs))
                after = child.tag
        return found

    def _text_around(self, link: Element) -> str:
        block = link
        while block.tag not in _BLOCKS and block in self._parents:
            block = self._parents[block]
        row = self._parents.get(block)
        if block.tag in _CELLS and row is not None and row.tag == "tr":
            block = row
        definition = self._definitions.get(block)
        block = definition.paragraphs[0] if definition else block
        if block not in self._texts:
            if definition:
                text = definition_of(
                    self._text_of_terms(definition.terms), map(self._text_of, definition.paragraphs)
                )
            elif block is row:
                text = row_of(map(self._text_of, block))
            else:
                text = self._text_of(block)
            self._texts[block] = text
        return self._texts[block]

    def _text_of_terms(self, terms: list[Element]) -> str:
        if terms and terms[0] not in self._terms:
            self._terms[terms[0]] = "\n".join(map(self._text_of, terms))
        return self._terms[terms[0]] if terms else ""

    def _text_of(self, block: Element) -> str:
        return _STASHES.sub("", reading("".join(block.itertext()))).strip()


# --------------------------------------------------------------------------------------------------
# Keeps the class of each link when an author gives the link further classes in a list.

# Name and priority of the tree processor; attr_list has 8, smarty 6.
AFTER_ATTR_LIST: Final = ("doi-classes", 7.5)


class Classes(Treeprocessor):
    """Adds the class again after ``attr_list``, which overwrites the classes of an element.

    :param links: the links to DOIs
    """

    def __init__(self, options: Options, links: Iterable[Element], md: Markdown) -> None:
        super().__init__(md)
        self._options = options
        self._links = links

    def run(self, root: Element) -> None:  # noqa: ARG002  the host's signature
        """Give each link its classes, each of them once."""
        for link in self._links:
            if link.get("class", "") != self._options.class_attribute:
                classes = with_classes(classes_of(link), self._options)
                set_attributes(link, {"class": " ".join(classes)})


def classes_of(link: Element) -> list[str]:
    """The classes that an element has."""
    return [each for each in re.split("[ \t\n\f\r]+", reading(link.get("class", ""))) if each]


def set_attributes(link: Element, attributes: Mapping[str, str]) -> None:
    """Set attributes in the encoding of the host."""
    for name, value in attributes.items():
        link.set(name, escape(value))


# If a link contains only these elements, its content counts as text.
_STYLED: Final = frozenset({"em", "strong", "b", "i", "del", "s"})


def build(span: Span, options: Options) -> Element:
    """The element for a name in a text."""
    a = Element("a")
    set_attributes(a, attributes(span.link, options))
    a.text = AtomicString(escape(span.link.text or span.written))
    return a


def adopt(
    a: Element, labels: Labels, blocks: Blocks, options: Options, ours: Span | None
) -> Found | None:
    """The DOI of a link. If the author wrote the link, it becomes canonical.

    :param ours: the name for which doilinks built the link, if it did
    """
    if ours is None:
        return _adopt_other(a, labels, blocks, options)
    shown = after_label(ours.link, options, labels.own(a)).text
    if shown and shown != ours.link.text:
        a.text = AtomicString(escape(shown))
    return Found(
        ours.link.doi,
        form=ours.form,
        written=ours.written,
        whole=ours.whole,
        around=blocks.around(a),
    )


def _adopt_other(a: Element, labels: Labels, blocks: Blocks, options: Options) -> Found | None:
    href = a.get("href", "")
    if "10" not in href and "doi" not in href:
        return None
    href = reading(href)
    places = list(_places_of_text(a))
    plain = all(each.tag in _STYLED for each in a.iter() if each is not a)
    text = reading("".join(getattr(*each) or "" for each in places)) if plain else "\0"
    link = relink(href, text or href, options, labels.text_before(a))
    if link is None:
        return None
    set_attributes(a, attributes(link, options, classes_of(a)))
    if link.text is not None:
        _show(places, _without_label(a, link, labels, options))
    return Found(link.doi, form="link", other=link.other, around=blocks.around(a))


def _without_label(a: Element, link: Link, labels: Labels, options: Options) -> str:
    """The text of a link, without a label that is already before the link."""
    if link.label:
        labels.cut_before(a, link.label)
    else:
        link = after_label(link, options, labels.own(a))
    return link.text or ""


def _places_of_text(a: Element) -> Iterator[tuple[Element, str]]:
    """Every place in a link that may contain text, in order."""
    yield a, "text"
    for child in a:
        yield from _places_of_text(child)
        yield child, "tail"


def _show(places: list[tuple[Element, str]], text: str) -> None:
    first = next((each for each in places if getattr(*each)), places[0])
    for element, place in places:
        setattr(element, place, None)
    setattr(*first, AtomicString(escape(text)))

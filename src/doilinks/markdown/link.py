"""The elements of links to DOIs: ``build`` makes one, ``adopt`` takes one of the document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, partial
from typing import Final
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor
from markdown.util import BLOCK_LEVEL_ELEMENTS, ETX, STX, AtomicString

from ..core.found import Found
from ..core.link import Link, after_label, attributes, leads_to_doi, relink, with_classes
from ..core.options import Options
from ..core.outline import Block, Outline, own_label
from .text import Span, escape, reading

# --------------------------------------------------------------------------------------------------
# What is before a link, and the block that contains it.

_MARKED: Final = frozenset({"em", "strong", "b", "i"})
_BLOCKS: Final = frozenset(BLOCK_LEVEL_ELEMENTS)
_STASHES: Final = re.compile(f"{STX}[^{STX}{ETX}]*{ETX}")  # raw HTML and marks of extensions


class Places:
    """Where the links of a document are.

    :param root: the document
    """

    def __init__(self, root: Element) -> None:
        self._root = root
        self._blocks: dict[Element, Block] = {}

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

    def own_label(self, link: Element) -> str:
        """See :func:`doilinks.core.outline.own_label`."""
        parent, before = self._places[link]
        between = self.text_before(link), False
        if before is not None:
            marked = ("".join(before.itertext()), True) if before.tag in _MARKED else None
            return own_label((between, marked), "")
        return own_label((between,), self._block(parent).head if parent.tag in _BLOCKS else "")

    def text_around(self, link: Element) -> str:
        """The text of the block that contains a link."""
        while link.tag not in _BLOCKS and link in self._places:
            link = self._places[link][0]
        return self._block(link).text()

    def _block(self, element: Element) -> Block:
        if element not in self._blocks:
            each, outermost = element, None
            while each in self._places:
                each = self._places[each][0]
                outermost = each if each.tag in ("table", "dl") else outermost
            if outermost is not None:
                self._read(outermost, Outline())
            self._blocks.setdefault(element, Block(partial(_text_of, element)))
        return self._blocks[element]

    def _read(self, element: Element, outline: Outline) -> None:
        outline.open(element.tag)
        inner = [child for child in element if child.tag in _BLOCKS]
        add = Block if inner else outline.block
        self._blocks[element] = add(partial(_text_of, element))
        for child in inner:
            self._read(child, outline)
        outline.close(element.tag)


def _text_of(block: Element) -> str:
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


# --------------------------------------------------------------------------------------------------
# The links: ``build`` makes one, ``adopt`` takes one of the document.

# If a link contains only these elements, its content counts as text.
_STYLED: Final = frozenset({"em", "strong", "b", "i", "del", "s"})


def build(span: Span, options: Options) -> Element:
    """The element for a name in a text."""
    a = Element("a")
    set_attributes(a, attributes(span.link, options))
    a.text = AtomicString(escape(span.link.text or span.written))
    return a


def adopt(a: Element, places: Places, options: Options, ours: Span | None) -> Found | None:
    """The DOI of a link. If the author wrote the link, it becomes canonical.

    :param ours: the name for which doilinks built the link, if it did
    """
    if ours is None:
        return _adopt_other(a, places, options)
    shown = after_label(ours.link, options, places.own_label(a)).text
    if shown and shown != ours.link.text:
        a.text = AtomicString(escape(shown))
    return Found(
        ours.link.doi,
        form=ours.form,
        written=ours.written,
        whole=ours.whole,
        around=partial(places.text_around, a),
    )


def _adopt_other(a: Element, places: Places, options: Options) -> Found | None:
    href = a.get("href", "")
    if "10" not in href and "doi" not in href and not leads_to_doi(href, options.arxiv):
        return None
    href = reading(href)
    texts = list(_texts_of(a))
    plain = all(each.tag in _STYLED for each in a.iter() if each is not a)
    text = reading("".join(getattr(*each) or "" for each in texts)) if plain else "\0"
    link = relink(href, text or href, options, places.text_before(a))
    if link is None:
        return None
    set_attributes(a, attributes(link, options, classes_of(a)))
    if link.text is not None:
        _show(texts, _without_label(a, link, places, options))
    return Found(link.doi, form="link", other=link.other, around=partial(places.text_around, a))


def _without_label(a: Element, link: Link, places: Places, options: Options) -> str:
    """The text of a link, without a label that is already before the link."""
    if link.label:
        places.cut_before(a, link.label)
    else:
        link = after_label(link, options, places.own_label(a))
    return link.text or ""


def _texts_of(a: Element) -> Iterator[tuple[Element, str]]:
    """Every place in a link that may contain text, in order."""
    yield a, "text"
    for child in a:
        yield from _texts_of(child)
        yield child, "tail"


def _show(texts: list[tuple[Element, str]], text: str) -> None:
    first = next((each for each in texts if getattr(*each)), texts[0])
    for element, place in texts:
        setattr(element, place, None)
    setattr(*first, AtomicString(escape(text)))

"""The elements of links, and the text around them: ``build`` and ``adopt``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property, partial
from typing import Final
from xml.etree.ElementTree import Element

from markdown.util import BLOCK_LEVEL_ELEMENTS, ETX, STX, AtomicString

from ...cite.citations import Cited, text_and_target
from ...core.found import Found
from ...core.link import after_label, attributes, bare_target, leads_to_doi, relink
from ...core.markup import ENTITY, NO_PROSE, unescape
from ...core.options import Options
from ...core.outline import Block, Outline, own_label
from .find import NameInText

# --------------------------------------------------------------------------------------------------
# Texts that Python-Markdown is still reading: with placeholders, entities and raw HTML.


def reading(markup: str) -> str:
    """Decode the escapes and entities in a text of the host."""
    escaped = _ESCAPED.sub(lambda found: chr(int(found[1])), markup)
    return _ENTITY.sub(lambda found: unescape(found[0]), escaped)


def escape(text: str) -> str:
    """Encode a text for the host, which leaves ``&amp;`` as it is but may misread an ``&``."""
    return text.replace("&", "&amp;")


# Here an entity ends in a semicolon, although HTML allows some without it.
_ENTITY: Final = re.compile(f"&{ENTITY}")
# An escaped character, which the host keeps as its code.
_ESCAPED: Final = re.compile(f"{STX}([0-9]+){ETX}")


# --------------------------------------------------------------------------------------------------
# The text before a link, and the block that contains it.

_MARKED: Final = frozenset({"em", "strong", "b", "i"})
_BLOCKS: Final = frozenset(BLOCK_LEVEL_ELEMENTS)
_NO_TEXT: Final = frozenset(("a", *NO_PROSE))
_STASHES: Final = re.compile(f"{STX}[^{STX}{ETX}]*{ETX}")  # raw HTML and marks of extensions


class Surroundings:
    """Where the links of a document are."""

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
        """Return the plain text just before a link."""
        parent, before = self._places[link]
        if before is not None and _is_address(before):
            return before.text or ""
        return (parent.text if before is None else before.tail) or ""

    def cut_before(self, link: Element, size: int) -> None:
        """Remove the last ``size`` characters of the plain text just before a link."""
        text = self.text_before(link)[:-size]
        parent, before = self._places[link]
        if before is not None and _is_address(before):
            if not text:  # a part of another address stays
                parent.remove(before)
                self._places[link] = parent, self._places[before][1]
        elif before is None:
            parent.text = text
        else:
            before.tail = text

    def own_label(self, link: Element) -> str:
        """Return the label of a link, as :func:`doilinks.core.outline.own_label` defines it."""
        parent, before = self._places[link]
        between = self.text_before(link), False
        if before is not None:
            marked = ("".join(before.itertext()), True) if before.tag in _MARKED else None
            return own_label((between, marked), "")
        return own_label((between,), self._block(parent).head if parent.tag in _BLOCKS else "")

    def text_around(self, link: Element) -> str:
        """Return the text of the block that contains a link."""
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
            self._blocks.setdefault(element, Block(partial(text_of, element)))
        return self._blocks[element]

    def _read(self, element: Element, outline: Outline) -> None:
        outline.open(element.tag)
        inner = [child for child in element if child.tag in _BLOCKS]
        add = Block if inner else outline.block
        self._blocks[element] = add(partial(text_of, element))
        for child in inner:
            self._read(child, outline)
        outline.close(element.tag)


def _is_address(element: Element) -> bool:
    """Tell whether an extension has made a link of an address that ends where the element ends.

    PyMdown's ``magiclink`` does so with ``https://doi.org/`` before ``[10.1000/182](…)``.
    """
    shows = element.tag == "a" and element.text == element.get("href")
    return shows and not len(element) and not element.tail


def text_of(block: Element) -> str:
    """Return the text of an element that readers see."""
    return _STASHES.sub("", reading("".join(block.itertext())))


def prose_of(parent: Element) -> Iterator[tuple[Element, str]]:
    """Yield the texts of an element that are in no link and no code, each with its element."""
    if parent.tag not in _NO_TEXT:
        yield parent, parent.text or ""
        for child in parent:
            yield from prose_of(child)
            yield parent, child.tail or ""


def classes_of(link: Element) -> list[str]:
    """Return the classes that an element has."""
    return [each for each in re.split("[ \t\n\f\r]+", reading(link.get("class", ""))) if each]


def set_attributes(link: Element, attributes: Mapping[str, str]) -> None:
    """Set attributes in the encoding of the host."""
    for name, value in attributes.items():
        link.set(name, escape(value))


# --------------------------------------------------------------------------------------------------
# The links: ``build`` makes one, ``adopt`` takes one of the document.

# If a link contains only these elements, its content counts as text.
_STYLED: Final = frozenset({"em", "strong", "b", "i", "del", "s"})


def build(item: NameInText | Cited, options: Options) -> Element:
    """Build the element for an item that was hidden in a text."""
    if isinstance(item, Cited):
        text, href = text_and_target(item.cite.doi, options)
    else:
        text, href = item.link.text or item.text, item.link.href
    a = Element("a")
    # A link without a target would stop MkDocs; this one gets its target with the list.
    set_attributes(a, attributes(href, options) or {"href": ""})
    a.text = AtomicString(escape(text))
    return a


def adopt(
    a: Element, surroundings: Surroundings, options: Options, ours: NameInText | Cited | None
) -> Found | None:
    """Return the DOI of a link. If the author wrote the link, make it canonical."""
    if ours is None:
        return _adopt_other(a, surroundings, options)
    if isinstance(ours, Cited):
        return ours.cite.place(f"@{ours.cite.doi.uri}")
    shown = after_label(ours.link, options, surroundings.own_label(a)).text
    if shown and shown != ours.link.text:
        a.text = AtomicString(escape(shown))
    return Found(
        ours.link.doi,
        form=ours.form,
        written=ours.text,
        whole=ours.whole,
        around=partial(surroundings.text_around, a),
    )


def _adopt_other(a: Element, surroundings: Surroundings, options: Options) -> Found | None:
    href = reading(a.get("href", ""))
    if not leads_to_doi(href, options):
        return bare_target(href, options, lambda: (_text_in(a),))
    link = relink(href, _text_in(a) or href, options, surroundings.text_before(a))
    if link is None:
        return None
    set_attributes(a, attributes(link.href, options, classes_of(a)))
    if link.text is not None:
        if link.label:  # it is before the link already
            surroundings.cut_before(a, link.label)
        else:
            link = after_label(link, options, surroundings.own_label(a))
        texts = list(_texts_of(a))
        first = next((each for each in texts if getattr(*each)), texts[0])
        for element, place in texts:
            setattr(element, place, None)
        setattr(*first, AtomicString(escape(link.text or "")))
    return Found(
        link.doi, form=link.form, other=link.other, around=partial(surroundings.text_around, a)
    )


def _text_in(a: Element) -> str:
    """Return the text of a link; one that is no text if the link has more than text."""
    plain = all(each.tag in _STYLED for each in a.iter() if each is not a)
    return reading("".join(getattr(*each) or "" for each in _texts_of(a))) if plain else "\0"


def _texts_of(a: Element) -> Iterator[tuple[Element, str]]:
    yield a, "text"
    for child in a:
        yield from _texts_of(child)
        yield child, "tail"

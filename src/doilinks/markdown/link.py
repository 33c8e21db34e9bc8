"""The elements of links to DOIs: ``build`` makes one, ``adopt`` takes one of the document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element

from markdown.util import AtomicString

from ..core.found import Found
from ..core.link import Link, after_label, attributes, relink
from ..core.options import Options
from .blocks import Blocks
from .classes import classes_of, set_attributes
from .labels import Labels
from .span import Span
from .text import escape, reading

__all__ = ["adopt", "build"]

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

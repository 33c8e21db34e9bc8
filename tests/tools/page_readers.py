"""Readers of pages: of HTML by html5lib, which reads it as browsers do, and of pandoc's JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import Element

import html5lib

from .pages import MADE, Page, Reading, Writer


def html_page(html: str, reading: Reading) -> Page:
    """A page of HTML."""
    root = html5lib.parseFragment(html, treebuilder="etree", namespaceHTMLElements=False)
    writers, closed = [Writer(reading)], 0
    writers[0].text(reading.text(root.text or ""))
    for event, element in _events(root):
        writer = writers[-1]
        if event == "tail":
            writer.text(reading.text(element.tail or ""))
        elif not isinstance(element.tag, str):
            if event == "open":
                writer.tag(f"!-- {element.text}")
        else:
            tag, classes = local(element), element.get("class", "").split()
            closes = tag in _CLOSED or "literal" in classes
            if event == "close":
                closed -= closes
                if tag == "a":
                    # Of a page's text alone all links are read alike, and their names as shown.
                    if element.get("href", "").startswith("#") and not reading.only_text:
                        writer.contents()
                    writers.pop()
                    writers[-1].link(element.attrib, writer)
                else:
                    writer.tag(f"/{tag}")
                continue
            if tag == "a":
                writers.append(Writer(reading))
                if closed and MADE in classes:
                    writers[-1].tag("a link where none may be")
            else:
                # pandoc hides a caption from those who hear the same text as the picture's description
                element.attrib.pop("aria-hidden", None)
                name = "" if tag in _KNOWN else " ".join([tag, *element.attrib])
                writer.tag(tag, element.attrib, name)
            if not (reading.only_text and tag in _RAW_TEXT):
                writers[-1].text(reading.text(element.text or ""))
            closed += closes
    return writers[0].page


def local(element: Element) -> str:
    """The name of an element; a link in SVG or MathML is one, too."""
    return element.tag.rpartition("}")[2]


def _events(root: Element) -> Iterator[tuple[str, Element]]:
    """What is in an element, in order; pages may be nested more deeply than functions may."""
    stack = list(reversed(root))
    opened: set[Element] = set()
    while stack:
        element = stack[-1]
        if element in opened:
            stack.pop()
            yield "close", element
            yield "tail", element
        else:
            opened.add(element)
            yield "open", element
            stack += reversed(element)


# No link may be in these.
_CLOSED = frozenset(
    {"a", "code", "kbd", "math", "pre", "samp", "script", "style", "svg", "textarea", "title"}
)
_KNOWN = frozenset(
    "a abbr b br code dd del div dl dt em h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre s span"
    " strong sub sup table tbody td th thead tr u ul".split()
)
# To a browser what stands in these is text, and no markup.
_RAW_TEXT = frozenset(
    {"textarea", "title", "xmp", "iframe", "noembed", "noframes", "script", "style"}
)


def json_page(value: Any, reading: Reading) -> Page:
    """A document in pandoc's JSON."""
    writer = Writer(reading)
    _write_json(value, writer)
    return writer.page


def _write_json(value: Any, writer: Writer) -> None:
    if isinstance(value, list):
        for each in value:
            _write_json(each, writer)
            if not isinstance(each, dict) or each.get("t") not in _INLINE:
                writer.tag(",")
    elif not isinstance(value, dict):
        writer.tag(repr(value))
    elif "t" not in value:
        for key, each in sorted(value.items()):
            writer.tag(repr(key))
            _write_json(each, writer)
    elif value["t"] in _SPACES:
        writer.text(writer.reading.text(_SPACES[value["t"]]))
    elif value["t"] == "Str":
        writer.text(writer.reading.text(value["c"]))
    elif value["t"] == "Link":
        (identifier, classes, others), content, (href, title) = value["c"]
        inside = Writer(writer.reading)
        _write_json(content, inside)
        attributes = {"id": identifier, "class": " ".join(classes), "href": href, "title": title}
        attributes |= {f"data-{key}": text for key, text in others}
        writer.link(
            {key: text for key, text in attributes.items() if text or key == "href"}, inside
        )
    else:
        name = ""
        if value["t"] == "RawInline":
            name = value["c"][1]
        writer.tag(value["t"], name=name)
        _write_json(value.get("c"), writer)
        writer.tag(f"/{value['t']}")


_SPACES = {"Space": " ", "SoftBreak": "\n"}
_INLINE = {*_SPACES, "Str", "Link"}

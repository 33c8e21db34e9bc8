"""Reads a page as browsers do: HTML with JustHTML, XML with expat, with the places in the page.

A text may be changed only if the source at its place decodes to it, and so may a start tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from html.entities import html5
from typing import TYPE_CHECKING, Final, NamedTuple
from xml.parsers import expat

from ..core.markup import unescape

if TYPE_CHECKING:
    from justhtml import Node

    from .html import HtmlPage

# --------------------------------------------------------------------------------------------------
# Start tags: the parsers give the values of attributes, but not their places.


class Tag(NamedTuple):
    """A start tag of a link, with its place in the page."""

    start: int
    end: int
    href: str | None  # its value, decoded; None without this attribute
    href_span: tuple[int, int]  # where that value is
    classes: tuple[str, ...]
    class_span: tuple[int, int] | None = None  # where their value is; None without one
    has_title: bool = False
    is_sure: bool = True  # whether the page has there what the parser says


SPACE: Final = r"\t\n\f\r "  # no other space ends a name or a value
_VALUE: Final = rf"\"[^\"]*+\"|'[^']*+'|[^{SPACE}>\"'][^{SPACE}>]*+|(?=>)"
_ATTRIBUTES: Final = (
    rf"(?>(?:[{SPACE}/]++|(?:=[^{SPACE}/>=]*+|[^{SPACE}/>=]++)"
    rf"(?:[{SPACE}]*+=[{SPACE}]*+(?:{_VALUE})|(?![{SPACE}]*+=)))*)"
)
MARKUP: Final = re.compile(r"<(?=[A-Za-z/!?])")  # any other "<" is text
TAG: Final = re.compile(rf"<(/?)([A-Za-z][^{SPACE}/>]*+)({_ATTRIBUTES})>")
_ATTRIBUTE: Final = re.compile(
    rf"[{SPACE}/]*+(=?[^{SPACE}/>=]++)"
    rf"(?:[{SPACE}]*+=[{SPACE}]*+(?:\"([^\"]*+)\"|'([^']*+)'|([^{SPACE}>]*+)))?"
)
_REFERENCE: Final = re.compile(r"&(?:#[0-9]++|#[xX][0-9A-Fa-f]++|[0-9A-Za-z]++);?")
_LONGEST: Final = len("&frac12")  # no longer name goes without a semicolon


def references(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """Yield the character references in a stretch of a page, each with its character.

    Some names need no semicolon, and of these the longest counts:
    https://html.spec.whatwg.org/#named-character-reference-state
    """
    for found in _REFERENCE.finditer(text, start, end):
        at, stop = found.span()
        if text[at + 1] != "#" and text[at + 1 : stop] not in html5:
            stops = range(min(stop, at + _LONGEST), at, -1)
            stop = next((each for each in stops if text[at + 1 : each] in html5), at)
        if at < stop:
            yield at, stop, unescape(text[at:stop])


def start_tag(text: str, at: int, attributes: Mapping[str, str | None]) -> Tag:
    """Return the start tag of a link, in which a parser has read some attributes."""
    href, classes = attributes.get("href"), tuple((attributes.get("class") or "").split())
    tag = TAG.match(text, at)
    if tag is None or tag[2].lower() != "a":
        return Tag(at, at, href, (at, at), classes, is_sure=False)
    spans: dict[str, tuple[int, int] | None] = {}
    for each in _ATTRIBUTE.finditer(text, *tag.span(3)):
        # Of two attributes, the first counts, even without a value:
        # https://html.spec.whatwg.org/#attribute-name-state
        value = each.span(each.lastindex) if each.lastindex and each.lastindex > 1 else None
        spans.setdefault(each[1].lower(), value)
    places = [spans.get(name) or (tag.end(), tag.end()) for name in ("href", "class")]
    read = [unescape(text[start:end]) for start, end in places]
    is_sure = read == [attributes.get("href") or "", attributes.get("class") or ""]
    href = href or "" if "href" in attributes else None
    return Tag(*tag.span(), href, places[0], classes, spans.get("class"), "title" in spans, is_sure)


def read_html(text: str, page: HtmlPage) -> None:
    """Read a page of HTML."""
    from justhtml import JustHTML  # takes a tenth of a second, and few files are pages

    # The parser drops a byte order mark, and counts from there. It ignores a space in its place.
    source = f" {text[1:]}" if text.startswith("\ufeff") else text
    root = JustHTML(source, sanitize=False, track_node_locations=True).root
    elements, moved, page.split = _places(root)
    stack: list[tuple[str, Iterator[Node]]] = [("", iter(root.children or ()))]
    while stack:
        name, children = stack[-1]
        node = next(children, None)
        if node is None:
            stack.pop()
            if name:
                page.close(name)
        elif node.name == "#text":
            at = node.origin_offset
            if at is not None:
                _read_text(text, at, str(node.data), page, elements, is_sure=at not in moved)
        elif node.name[:1] not in "#!":
            page.open(node.name, node.attrs or {}, node.origin_offset or 0)
            stack.append((node.name, iter(() if page.untouched else node.children or ())))


def _within(node: Node) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed(node.children or ())


def _places(root: Node) -> tuple[set[int], set[int], frozenset[int]]:
    """Find where the elements of a page begin, the texts that a browser moves, and those it splits.

    It moves text before the table in which it stands, and splits an element that ends elsewhere:
    https://html.spec.whatwg.org/#foster-parent, #adoption-agency-algorithm
    """
    elements: set[int] = set()
    split: set[int] = set()
    order: list[tuple[int, bool]] = []
    for node in _within(root):
        at, is_text = node.origin_offset, node.name == "#text"
        if at in elements and not is_text:
            split.add(at)
        elif at is not None:
            if not is_text:
                elements.add(at)
            order.append((at, is_text))
    moved: set[int] = set()
    least = len(order) and max(order)[0]
    for at, is_text in reversed(order):
        if is_text and at > least:
            moved.add(at)
        least = min(least, at)
    return elements, moved, frozenset(split)


def _read_text(
    text: str, at: int, data: str, page: HtmlPage, elements: set[int], *, is_sure: bool
) -> None:
    """Give a text to a page, in the stretches between the tags that a browser ignores in it.

    A text may be changed only if the source at its place decodes to it.
    """
    done = 0
    while done < len(data):
        if not done and text[at : at + 1] == "\n" and data[0] != "\n":
            at += 1  # the first line end in some elements
        found = MARKUP.search(text, at)
        end = found.start() if found else len(text)
        source = unescape(text[at:end])
        is_there = data.startswith(source, done)
        is_sure = is_sure and is_there
        page.text(at, end, is_sure=is_sure)
        done += len(source)
        tag = TAG.match(text, end)
        if not is_there or tag is None:
            return
        is_sure = is_sure and end not in elements
        if done < len(data):
            page.tag(tag[2].lower(), closes=bool(tag[1]))
        at = tag.end()


_XHTML: Final = ("http://www.w3.org/1999/xhtml", "")


class XmlReader:
    """Passes the events of expat to a page."""

    def __init__(self, text: str, page: HtmlPage) -> None:
        self._text = text
        self._page = page
        self._declared: set[str] = set()  # entities
        # Of the elements that are open, whether it has no prefix, and its name.
        self._open: list[tuple[bool, str]] = []
        self._in_section = False
        self._octets = text.encode("utf-8", "replace")
        self._at = (0, 0)  # an offset in octets, and in characters
        parser = expat.ParserCreate("utf-8", " ")
        self._parser = parser
        # Readers know the entities of HTML, even if the page does not say where they are declared.
        parser.UseForeignDTD(True)
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_ALWAYS)
        # What is declared elsewhere is taken for empty; nothing is fetched.
        parser.ExternalEntityRefHandler = lambda context, *_: parser.ExternalEntityParserCreate(
            context
        ).Parse(b"", True)
        parser.EntityDeclHandler = lambda name, *_: self._declared.add(name)
        parser.StartElementHandler = self._start
        parser.EndElementHandler = lambda _: page.close(self._open.pop()[1])
        parser.StartCdataSectionHandler = partial(setattr, self, "_in_section", True)
        parser.EndCdataSectionHandler = partial(setattr, self, "_in_section", False)
        parser.CharacterDataHandler = self._data
        parser.CommentHandler = lambda _: None
        parser.ProcessingInstructionHandler = lambda *_: None
        # With this handler, entities of the page are not expanded.
        parser.DefaultHandler = self._other

    def read(self) -> None:
        """Read the page; an ``ExpatError`` says why it is not well-formed."""
        self._parser.Parse(self._octets, True)

    def _offset(self) -> int:
        (octet, character), now = self._at, self._parser.CurrentByteIndex
        self._at = now, character + len(self._octets[octet:now].decode("utf-8"))
        return self._at[1]

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        at = self._offset()
        space, _, local = name.rpartition(" ")
        # What is in no namespace of HTML is left alone, as SVG is.
        shown = local if space in _XHTML else "svg"
        self._open.append((self._text.startswith(local, at + 1), shown))
        self._page.open(shown, attributes, at)

    def _data(self, data: str) -> None:
        at = self._offset()
        reference = None if self._in_section else _REFERENCE.match(self._text, at)
        end = reference.end() if reference else at + len(data)
        is_there = unescape(reference[0]) == data if reference else self._text[at:end] == data
        # In a section, a tag would be text. A new element has no prefix.
        is_sure = is_there and not self._in_section and self._open[-1][0]
        self._page.text(at, end, is_sure=is_sure)

    def _other(self, data: str) -> None:
        if self._open and data.startswith("&"):
            at = self._offset()
            known = data[1:-1] not in self._declared and unescape(data) != data
            self._page.text(at, at + len(data), is_sure=known and self._open[-1][0])

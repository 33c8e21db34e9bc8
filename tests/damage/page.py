"""A page as a string in which each tag is one character, and the links of doilinks are holes.

So two pages can be compared with nothing but string methods. Tags become characters of the private
use planes, the same character for the same tag with the same attributes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urlsplit
from xml.etree.ElementTree import Element

import html5lib

from doilinks import DOI, InvalidDOI, scan

# The class by which the links of doilinks are known; no document has it.
MADE = "made-by-doilinks"

_FIRST = 0xF0000
_PRIVATE = re.compile("[\U000f0000-\U0010fffd]")

Attributes = dict[str, str]


@dataclass(frozen=True)
class Hole:
    """A link of doilinks.

    :ivar href: its target
    :ivar attributes: its other attributes, without the class of doilinks
    :ivar inside: what stands in the link, when that shows the DOI; None when it is a title, which
        follows as part of the page
    """

    href: str
    attributes: Attributes
    inside: str | None

    @property
    def doi(self) -> DOI:
        return doi_of(self.href) or DOI("10.0000/none")


@dataclass
class Tags:
    """Which character stands for which tag; shared by the pages to be compared.

    :ivar bare_urls: whether links that show nothing but their target are tags, too; else they are
        text, and their targets are in ``left_out``; then typography, which spares the text of
        links, is undone
    """

    bare_urls: bool = True
    left_out: list[str] = field(default_factory=list)
    known: dict[str, str] = field(default_factory=dict)
    links: dict[str, Attributes] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)

    def sign(self, tag: str, attributes: Attributes | None = None, *, name: str = "") -> str:
        """The character for a tag."""
        given = {key: _anchor(key, value) for key, value in (attributes or {}).items()}
        sign = self.known.setdefault(
            f"{tag} {sorted(given.items())}", chr(_FIRST + len(self.known))
        )
        if tag == "a" and "href" in given:
            self.links[sign] = given
        self.names[sign] = name
        return sign

    def show(self, text: str) -> str:
        """A piece of a page for a person to read."""
        known = {sign: f"<{tag}>".replace(" []>", ">") for tag, sign in self.known.items()}
        return _PRIVATE.sub(lambda found: known.get(found[0], "?"), text)


Page = list[str | Hole]


def _anchor(key: str, value: str) -> str:
    """Markdown hosts make the anchor of a heading from the text that it shows, names included."""
    made = key == "id" or (key == "href" and value.startswith("#"))
    return "#..." if made and re.search("10\\.?[0-9]{4}", value) else value


def doi_of(href: str) -> DOI | None:
    """The DOI that a target leads to, whatever the proxy."""
    parts = urlsplit(href.strip()) if href.isprintable() else None
    try:
        if parts and parts.scheme in ("http", "https") and "doi" in parts.netloc:
            return DOI.parse(f"https://doi.org{parts.path}")
        return DOI.parse(href)
    except (InvalidDOI, ValueError):
        return None


def shows(text: str, doi: DOI) -> bool:
    """Tell whether a text is the DOI, in any form and typography."""
    for each in (text, plain(text)):
        for written in (each, each.strip("<>")):
            try:
                found = DOI.parse(written)
            except InvalidDOI:
                continue
            if found == doi or DOI(plain(found.name)) == DOI(plain(doi.name)):
                return True
    return False


def plain(text: str) -> str:
    """Undo typography."""
    return text.translate(_TYPOGRAPHY)


_TYPOGRAPHY = str.maketrans(
    {
        "–": "--",
        "—": "---",
        "…": "...",
        "‘": "'",
        "’": "'",
        "“": '"',
        "”": '"',
        "«": '"',
        "»": '"',
        "½": "1/2",
        "¼": "1/4",
        "¾": "3/4",
        "⅓": "1/3",
        "⅔": "2/3",
        "±": "+-",
        "©": "(c)",
        "®": "(r)",
        "™": "(tm)",
    }
)


def pure(text: str) -> str:
    """A piece of a page without its tags."""
    return _PRIVATE.sub("", text)


class _Writer:
    """Collects a page; holes that show a DOI swallow what is in them."""

    def __init__(self, tags: Tags) -> None:
        self.tags = tags
        self.page: Page = []
        self._parts: list[str] = []

    def text(self, text: str) -> None:
        text = _PRIVATE.sub("?", text)
        self._parts.append(text if self.tags.bare_urls else plain(text))

    def tag(self, tag: str, attributes: Attributes | None = None, name: str = "") -> None:
        self._parts.append(self.tags.sign(tag, attributes, name=name))

    def link(self, attributes: Attributes, inside: _Writer) -> None:
        """Write a link with what is in it."""
        classes = attributes.get("class", "").split()
        if MADE not in classes:
            bare = not self.tags.bare_urls and inside.is_only(attributes.get("href", ""))
            if bare:
                self.tags.left_out.append(attributes["href"])
            else:
                self.tag("a", attributes)
            self._take(inside)
            if not bare:
                self.tag("/a")
            return
        others = [name for name in classes if name != MADE]
        kept = {key: value for key, value in attributes.items() if key not in ("class", "href")}
        if others:
            kept["class"] = " ".join(others)
        href = attributes.get("href", "")
        doi = doi_of(href)
        content = inside.done()
        whole = "".join(part for part in content if isinstance(part, str))
        if doi and shows(pure(whole), doi):
            self._hole(Hole(href, kept, whole))
        else:
            self._hole(Hole(href, kept, None))
            self._take(inside)
            self.tag("/a")

    def is_only(self, href: str) -> bool:
        """Tell whether this is the text of a URL and nothing else."""
        page = self.done()
        if len(page) != 1 or not href:
            return False
        targets = {href, unquote(href), re.sub("^(?:http://|mailto:)", "", unquote(href))}
        return isinstance(page[0], str) and plain(page[0]) in set(map(plain, targets))

    def contents(self) -> None:
        """Spell the names in an entry of a table of contents, which are no links, in one way."""
        text = "".join(self._parts)
        for match in reversed(list(scan(text))):
            text = text[: match.start] + match.doi.uri + text[match.end :]
        self._parts = [text]

    def _hole(self, hole: Hole) -> None:
        self._flush()
        self.page.append(hole)

    def _take(self, other: _Writer) -> None:
        for part in other.done():
            if isinstance(part, str):
                self._parts.append(part)
            else:
                self._hole(part)

    def _flush(self) -> None:
        if self._parts:
            self.page.append("".join(self._parts))
            self._parts = []

    def done(self) -> Page:
        self._flush()
        return self.page


def html_page(html: str, tags: Tags) -> Page:
    """A page of HTML, read by html5lib."""
    # <doi:10.1000/182> that a host has let through would be an element without an end.
    html = re.sub(r"<span>(&#64;|&#46;)</span>", r"\1", html)  # how docutils hides mail addresses
    html = re.sub(r"<([A-Za-z][A-Za-z0-9]*:[^<>\s]*)>", r"&lt;\1&gt;", html)
    root = html5lib.parseFragment(html, treebuilder="etree", namespaceHTMLElements=False)
    writer = _Writer(tags)
    _write_element(root, writer, outer=False)
    return writer.done()


def _write_element(
    element: Element, writer: _Writer, *, outer: bool = True, closed: bool = False
) -> None:
    inside = writer
    link = outer and element.tag == "a"
    tag: object = element.tag
    if not isinstance(tag, str):  # a comment
        writer.tag(f"!-- {element.text}")
        return
    classes = element.get("class", "").split()
    if link:
        inside = _Writer(writer.tags)
        if closed and MADE in classes:
            writer.tag("a link where none may be")
    elif outer:
        known = element.tag in _HTML
        # pandoc hides a caption from those who hear the same text as the picture's description
        element.attrib.pop("aria-hidden", None)
        writer.tag(
            element.tag, element.attrib, "" if known else " ".join([element.tag, *element.attrib])
        )
    inside.text(element.text or "")
    closed = closed or element.tag in _CLOSED or "literal" in classes
    for child in element:
        _write_element(child, inside, closed=closed)
        inside.text(child.tail or "")
    if link:
        if element.attrib.get("href", "").startswith("#"):
            inside.contents()
        writer.link(element.attrib, inside)
    elif outer:
        writer.tag(f"/{element.tag}")


_CLOSED = frozenset(
    {"a", "code", "kbd", "math", "pre", "samp", "script", "style", "svg", "textarea", "title"}
)
_HTML = frozenset(
    "a abbr b br code dd del div dl dt em h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre s span"
    " strong sub sup table tbody td th thead tr u ul".split()
)


def json_page(value: Any, tags: Tags) -> Page:
    """A document in pandoc's JSON."""
    writer = _Writer(tags)
    _write_json(value, writer)
    return writer.done()


def _write_json(value: Any, writer: _Writer) -> None:
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
        writer.text(_SPACES[value["t"]])
    elif value["t"] == "Str":
        writer.text(value["c"])
    elif value["t"] == "Link":
        (identifier, classes, others), content, (href, title) = value["c"]
        inside = _Writer(writer.tags)
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

"""A page as a string in which each tag is one character, and links are holes.

So two pages, one of them made with doilinks, can be compared with nothing but string methods
(``page_walk.py``). Tags become characters of the private use planes, the same character for the same tag
with the same attributes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from doilinks import DOI, InvalidDOI, scan

# The class by which the links of doilinks are known; no document has it.
MADE = "made-by-doilinks"

_FIRST = 0xF0000
_PRIVATE = re.compile("[\U000f0000-\U0010fffd]")

Attributes = dict[str, str]


class Hole(NamedTuple):
    """A link of doilinks, or any link of a page of which only the text counts.

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


Page = list[str | Hole]


@dataclass
class Reading:
    """How the pages that are compared are read; they share it.

    :ivar bare_urls: whether links that show nothing but their target are tags, too; else they are
        text, and their targets are in ``left_out``; then typography, which spares the text of
        links, is undone
    :ivar only_text: tags are left out, every link is a hole, and of the text what markup and
        typography are made of is left out
    """

    bare_urls: bool = True
    only_text: bool = False
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

    def text(self, text: str) -> str:
        """The text of a page as it is compared."""
        text = _PRIVATE.sub("?", text)
        if self.only_text:
            return without_markup(text)
        return text if self.bare_urls else plain(text)

    def show(self, text: str) -> str:
        """A piece of a page for a person to read."""
        known = {sign: f"<{tag}>".replace(" []>", ">") for tag, sign in self.known.items()}
        return _PRIVATE.sub(lambda found: known.get(found[0], "?"), text)


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


_TYPOGRAPHY = {
    "–": "--", "—": "---", "…": "...", "‘": "'", "’": "'", "“": '"', "”": '"', "«": '"', "»": '"',
    "½": "1/2", "¼": "1/4", "¾": "3/4", "⅓": "1/3", "⅔": "2/3",
    "±": "+-", "©": "(c)", "®": "(r)", "™": "(tm)",
}  # fmt: skip
_PLAIN = str.maketrans(_TYPOGRAPHY)
_WITHOUT_MARKUP = str.maketrans(dict.fromkeys("*_~`^$\"'", ""))


def plain(text: str) -> str:
    """Undo typography."""
    return text.translate(_PLAIN)


def without_markup(text: str) -> str:
    """Text without what markup and typography are made of.

    Emphasis and quotes end in another place when a name is no longer markup.
    """
    return plain(text).translate(_WITHOUT_MARKUP)


def pure(text: str) -> str:
    """A piece of a page without its tags."""
    return _PRIVATE.sub("", text)


class Writer:
    """Collects a page; holes that show a DOI swallow what is in them."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.page: Page = []

    def text(self, text: str) -> None:
        """Write text, or what stands for tags."""
        if not text:
            return
        joined = bool(self.page) and isinstance(self.page[-1], str)
        self.page.append(self.page.pop() + text if joined else text)

    def tag(self, tag: str, attributes: Attributes | None = None, name: str = "") -> None:
        """Write a tag."""
        if not self.reading.only_text:
            self.text(self.reading.sign(tag, attributes, name=name))

    def link(self, attributes: Attributes, inside: Writer) -> None:
        """Write a link with what is in it."""
        classes = attributes.get("class", "").split()
        href = attributes.get("href", "")
        if self.reading.only_text:
            self._merge(Hole(href, {}, inside.shown()))
        elif MADE in classes:
            others = [name for name in classes if name != MADE]
            kept = {key: value for key, value in attributes.items() if key not in ("class", "href")}
            kept |= {"class": " ".join(others)} if others else {}
            doi, whole = doi_of(href), inside.shown()
            if doi and shows(pure(whole), doi):
                self.page.append(Hole(href, kept, whole))
            else:
                self.page.append(Hole(href, kept, None))
                self._take(inside)
                self.tag("/a")
        elif not self.reading.bare_urls and inside.is_only(href):
            self.reading.left_out.append(href)
            self._take(inside)
        else:
            self.tag("a", attributes)
            self._take(inside)
            self.tag("/a")

    def shown(self) -> str:
        """What has been written, without links that are in it."""
        return "".join(
            part if isinstance(part, str) else (part.inside or "") * self.reading.only_text
            for part in self.page
        )

    def is_only(self, href: str) -> bool:
        """Tell whether this is the text of a URL and nothing else."""
        if len(self.page) != 1 or not href:
            return False
        targets = {href, unquote(href), re.sub("^(?:http://|mailto:)", "", unquote(href))}
        return isinstance(self.page[0], str) and plain(self.page[0]) in set(map(plain, targets))

    def contents(self) -> None:
        """Spell the names in an entry of a table of contents, which are not links, in one way."""
        text = "".join(part for part in self.page if isinstance(part, str))
        for match in reversed(list(scan(text))):
            text = text[: match.start] + match.doi.uri + text[match.end :]
        self.page = [text]

    def _merge(self, hole: Hole) -> None:
        """Write a hole; it is one with the hole that it touches."""
        if self.page and isinstance(self.page[-1], Hole):
            hole = hole._replace(inside=self.page.pop().inside + hole.inside)
        self.page.append(hole)

    def _take(self, other: Writer) -> None:
        for part in other.page:
            if isinstance(part, str):
                self.text(part)
            else:
                self.page.append(part)

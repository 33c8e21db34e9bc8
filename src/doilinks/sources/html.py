"""Reads HTML pages, such as those of a site generator: the visible text, and the links.

Names in code, scripts, styles and the head do not count. A link counts once, by its target. If a
link leads elsewhere, names in its text do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from string import ascii_letters, digits
from typing import Final

from ..core.found import Found
from ..core.html import NO_PROSE, REFERENCE, unescape
from ..core.options import Options
from ..core.scan import may_contain_doi
from ..core.text import Part, SourceText
from .found import found_in_link, found_in_prose
from .html_blocks import Blocks
from .tags import Tag, tags

__all__ = ["read"]

# docutils gives the first class to an inline literal. Hosts give the others to math.
_UNTOUCHED_CLASSES: Final = frozenset({"literal", "math", "arithmatex", "katex", "MathJax"})
# Elements that do not interrupt a word, so a name continues through them.
_TRANSPARENT: Final = frozenset({"span", "wbr", "font", "bdi"})
_PHRASE: Final = frozenset((
    "a", "abbr", "b", "br", "cite", "data", "del", "dfn", "em", "i", "img", "input", "ins",
    "label", "mark", "q", "s", "small", "strong", "sub", "sup", "time", "u",
))  # fmt: skip
# A character reference for a character that a name has before its suffix, as in 10&#46;1000/182.
_NUMBERS: Final = "|".join(
    f"0*{ord(each)}(?![0-9])|x0*{ord(each):x}(?![0-9a-f])" for each in f"{ascii_letters}{digits}./%"
)
_SPELLED: Final = re.compile(rf"&(?:#(?:{_NUMBERS})|period;|sol;|percnt;)", re.IGNORECASE)
# What does not interrupt a word, between the characters of a prefix, as in 10<wbr>.1000/182.
_WITHIN: Final = rf"(?:<(?:/?(?:{'|'.join(sorted(_TRANSPARENT))})|[!?]|/[^a-z])[^<>]*>)*+"
_SPLIT: Final = re.compile(rf"1{_WITHIN}0{_WITHIN}[./%]|doi\.org/<", re.IGNORECASE)


def read(text: str, options: Options, *, xml: bool = False) -> Iterator[Found]:
    """Every DOI of an HTML page, in the order of the page.

    :param xml: whether the page has the syntax of XML
    """
    if not (may_contain_doi(text) or _SPELLED.search(text) or _SPLIT.search(text)):
        return iter(())
    page = _Page(text, options)
    page.read(xml=xml)
    return iter(page.found)


def _is_untouched(tag: Tag) -> bool:
    if tag.name in ("span", "div"):
        return not _UNTOUCHED_CLASSES.isdisjoint(tag.classes)
    return tag.name in NO_PROSE


class _Page:
    def __init__(self, text: str, options: Options) -> None:
        self.found: list[Found] = []
        self._text = text
        self._options = options
        # The name of the open element that is not read, and how many of that name are open.
        self._inside, self._depth = "", 0
        self._in_link = False
        self._doi_link: Found | None = None  # the DOI of the link that is open
        self._link_text: list[str] = []
        self._run: list[Part] = []  # the text between two block elements or links
        self._blocks = Blocks()

    def read(self, *, xml: bool) -> None:
        """Read the whole page."""
        at = 0
        for tag in tags(self._text, xml=xml):
            self._prose(at, tag.start)
            self._tag(tag)
            at = tag.end
        self._prose(at, len(self._text))
        self._end_link()
        self._flush()

    def _tag(self, tag: Tag) -> None:
        if self._depth:
            if tag.name == self._inside:
                self._depth += -1 if tag.closes else 1
        elif not tag.closes and _is_untouched(tag):
            self._break(tag)
            # An XHTML element that closes itself has no end tag.
            if self._text[tag.end - 2 : tag.end] != "/>":
                self._inside, self._depth = tag.name, 1
        elif tag.name == "a":
            self._end_link()
            self._break(tag)
            # Without a target, the element is not a link, and its text is prose.
            if tag.href is not None and not tag.closes:
                self._link(tag.href, *tag.href_span)
                self._in_link = True
        elif tag.name:
            self._break(tag)

    def _break(self, tag: Tag) -> None:
        if tag.name == "br":
            self._blocks.now.add("\n")
        if tag.name in _TRANSPARENT or self._in_link:
            return
        if tag.name in _PHRASE:
            self._run.append(("\n", tag.start, tag.end))
        else:
            self._flush()
            self._blocks.tag(tag)

    def _link(self, href: str, start: int, end: int) -> None:
        self._flush()
        if found := found_in_link(href.strip(), self._options):
            written = self._text[start:end]
            start += len(written) - len(written.lstrip())
            end = max(start, end - len(written) + len(written.rstrip()))
            self._doi_link = replace(found, span=(start, end), around=self._blocks.now.text)

    def _end_link(self) -> None:
        """List the DOI of the link that ends here."""
        if (found := self._doi_link) and found.span:
            text = unescape("".join(self._link_text))
            href = unescape(self._text[slice(*found.span)])
            again = found_in_link(href, self._options, texts=(text,)) or found
            self.found.append(replace(found, remarks=again.remarks, other=again.other))
        self._in_link, self._doi_link, self._link_text = False, None, []

    def _prose(self, start: int, end: int) -> None:
        if self._depth or start == end:
            return
        self._blocks.now.add(self._text[start:end])
        if self._in_link:
            self._link_text.append(self._text[start:end])
            return
        at = start
        for reference in REFERENCE.finditer(self._text, start, end):
            self._run.append((self._text[at : reference.start()], at, reference.start()))
            self._run.append((unescape(reference[0]), *reference.span()))
            at = reference.end()
        self._run.append((self._text[at:end], at, end))

    def _flush(self) -> None:
        """Find the names in the run of text that ends here."""
        run = SourceText.from_parts(self._run)
        for found in found_in_prose(run.text, self._options, self._blocks.now.text):
            span = run.span(*found.span) if found.span else None
            self.found.append(replace(found, span=span))
        self._run = []

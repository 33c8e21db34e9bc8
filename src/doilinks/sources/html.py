"""HTML pages, those that a generator built among them: the text that a reader sees, and links.

A name is not looked for in code, scripts, styles and the head. A link counts once, by its target;
the text of a link that leads elsewhere does not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from typing import Final

from ..core.options import Options
from ..core.scan import may_hold_doi
from .found import Found, Lines, found_in_link, found_in_prose

__all__ = ["read"]

_UNTOUCHED: Final = frozenset((
    "code", "pre", "kbd", "samp", "tt", "var", "script", "style", "head", "template", "textarea",
    "math", "svg", "select", "button", "iframe", "noscript", "object", "title",
))  # fmt: skip
# Elements that do not interrupt a word: a name runs on through them.
_TRANSPARENT: Final = frozenset({"span", "wbr", "font", "bdi"})
_PHRASE: Final = frozenset((
    "a", "abbr", "b", "br", "cite", "data", "del", "dfn", "em", "i", "img", "input", "ins",
    "label", "mark", "q", "s", "small", "strong", "sub", "sup", "time", "u",
))  # fmt: skip

_HREF: Final = re.compile(r"\shref\s*=\s*[\"']?\s*", re.IGNORECASE)


def read(text: str, options: Options) -> Iterator[Found]:
    """Every DOI of an HTML page, in the order of the page."""
    page = _Page(text, options)
    page.feed(text)
    page.close()
    page.flush()
    return iter(page.found)


class _Page(HTMLParser):
    def __init__(self, text: str, options: Options) -> None:
        super().__init__(convert_charrefs=False)
        self.found: list[Found] = []
        self._options = options
        self._starts = Lines(text).starts
        self._closed_by: list[str] = []  # elements that are untouched, outermost first
        self._in_link = False
        self._run: list[tuple[str, int, bool]] = []  # text, its offset, written as it is shown

    def _at(self) -> int:
        line, column = self.getpos()
        return self._starts[line - 1] + column

    # A run of text: the pieces between two block elements, each with its offset.

    def _add(self, text: str, *, verbatim: bool = True) -> None:
        if not self._closed_by and not self._in_link:
            self._run.append((text, self._at(), verbatim))

    def flush(self) -> None:
        """Look for names in the run that ends here."""
        run, self._run = self._run, []
        text = "".join(piece for piece, _, _ in run)
        if not may_hold_doi(text):
            return
        ends, at = [], 0
        for piece, _, _ in run:
            at += len(piece)
            ends.append(at)
        piece_at = 0
        for found in found_in_prose(text, self._options):
            while ends[piece_at] <= found.at:
                piece_at += 1
            piece, offset, verbatim = run[piece_at]
            inside = found.at - (ends[piece_at] - len(piece)) if verbatim else 0
            self.found.append(found._replace(at=offset + inside))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._closed_by:
            if tag == self._closed_by[-1]:
                self._closed_by.append(tag)
            return
        if tag in _UNTOUCHED:
            self._break(tag)
            self._closed_by.append(tag)
        elif tag == "a":
            self._break(tag)
            href = dict(attrs).get("href")
            # Without a target it is an anchor, and its text is text.
            self._in_link = href is not None
            if href:
                self._link(href)
        else:
            self._break(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        # In HTML the slash of <p/> says nothing, but in XHTML nothing will close the element.
        if tag not in _UNTOUCHED and tag != "a":
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if self._closed_by:
            if tag == self._closed_by[-1]:
                self._closed_by.pop()
            return
        if tag == "a":
            self._in_link = False
        self._break(tag)

    def _break(self, tag: str) -> None:
        if tag in _TRANSPARENT or self._closed_by or self._in_link:
            return
        if tag in _PHRASE:
            self._add("\n")
        else:
            self.flush()

    def _link(self, href: str) -> None:
        self.flush()
        value = _HREF.search(self.get_starttag_text() or "")
        at = self._at() + (value.end() if value else 0)
        if found := found_in_link(href.strip(), at, self._options):
            self.found.append(found)

    def handle_data(self, data: str) -> None:
        self._add(data)

    def handle_entityref(self, name: str) -> None:
        self._add(unescape(f"&{name};"), verbatim=False)

    def handle_charref(self, name: str) -> None:
        self._add(unescape(f"&#{name};"), verbatim=False)

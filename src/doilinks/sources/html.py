"""Reads HTML pages, such as those of a site generator: the visible text, and the links.

Names in code, scripts, styles and the head do not count. A link counts once, by its target. If a
link leads elsewhere, names in its text do not count. JustHTML says how browsers read a page, and
expat how they read one in XML; both say where each text begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from string import ascii_letters, digits
from typing import TYPE_CHECKING, Final, NamedTuple
from xml.parsers import expat

from ..core.arxiv import ANCHOR as ARXIV
from ..core.doi import DOI
from ..core.found import Found
from ..core.link import bare_target, may_contain_publisher, relink
from ..core.markup import NO_PROSE, TAIL_LINK, unescape
from ..core.options import Options
from ..core.outline import Block, Outline
from ..core.scan import may_contain_doi, scan
from ..core.text import Part, SourceText
from .browsers import TAG, Tag, XmlReader, read_html, references, start_tag
from .common import found_in_link, found_in_prose, placed
from .escapes import parts_of
from .files import Unread

if TYPE_CHECKING:
    from justhtml import Node

# --------------------------------------------------------------------------------------------------
# Whether a page may contain a name. Only then is it parsed.

# Elements that do not interrupt a word, so a name continues through them.
_TRANSPARENT: Final = frozenset({"span", "wbr", "font", "bdi"})
# A character reference for a character that a name has before its suffix, as in 10&#46;1000/182.
_NUMBERS: Final = "|".join(
    f"0*{ord(each)}(?![0-9])|x0*{ord(each):x}(?![0-9a-f])" for each in f"{ascii_letters}{digits}./%"
)
# References to characters that names are written with.
_REFERENCES: Final = re.compile(rf"&(?i:#(?:{_NUMBERS})|period;|sol;|percnt;)")
# What does not interrupt a word, between the characters of a prefix, as in 10<wbr>.1000/182.
_WITHIN: Final = rf"(?>(?:<(?i:/?(?:{'|'.join(sorted(_TRANSPARENT))})|[!?]|/[^a-z])[^<>]*>)*)"
# The prefix of a name. A longer row of digits counts, whatever is after it: time stays linear.
_PREFIX: Final = re.compile(
    rf"1{_WITHIN}0{_WITHIN}\.(?:{_WITHIN}[0-9]){{2}}(?>(?:{_WITHIN}[0-9.]){{0,40}})"
    rf"{_WITHIN}(?:/|%2[fF]|[0-9])"
)
# The host doi.org with tags between its letters.
_RESOLVER: Final = re.compile(_WITHIN.join("doi.org/").replace(".", "\\.", 1))
# After a label, a prefix may be shorter. No label is a part of "doing".
_SHORT: Final = re.compile(rf"1{_WITHIN}0{_WITHIN}(?:[./]|%2[fF])")
# The label with tags between its letters; "doing" is a word.
_LABEL: Final = re.compile(rf"{_WITHIN.join('doi')}(?!ng)", re.IGNORECASE)
_PAPER: Final = re.compile(ARXIV)  # only if the option arxiv is on


def may_contain_name(text: str, options: Options) -> bool:
    """Tell quickly whether a page may contain a DOI."""
    texts = (text, unescape(text)) if _REFERENCES.search(text) else (text,)
    return may_contain_publisher(text, options) or any(
        _PREFIX.search(each)
        or _RESOLVER.search(each)
        or (_SHORT.search(each) and _LABEL.search(each))
        or (options.arxiv and _PAPER.search(each))
        for each in texts
    )


# --------------------------------------------------------------------------------------------------
# The blocks of a page, while its elements begin and end one after another. A block is the text of
# an element such as a paragraph, including the text of its links.

_SIGNATURE: Final = "sig"  # Sphinx' class for a function or class that the rest documents
# docutils gives the first class to an inline literal. Hosts give the others to math.
_UNTOUCHED_CLASSES: Final = frozenset({"literal", "math", "arithmatex", "katex", "MathJax"})
# Doxygen's listings of code. Slides of reveal.js have the first class too, for any element.
_LISTING: Final = "fragment"
_LINE: Final = '<div class="line">'
_UNTOUCHED: Final = frozenset(NO_PROSE)
_WITH_CLASSES: Final = frozenset({"div", "dt", "span"})  # those whose classes count
_PHRASE: Final = frozenset((
    "a", "abbr", "b", "br", "cite", "data", "del", "dfn", "em", "i", "img", "input", "ins",
    "label", "mark", "q", "s", "small", "strong", "sub", "sup", "time", "u",
))  # fmt: skip
LARGEST: Final = 20_000_000  # characters; the tree of a page takes 35 times as much memory
_TAIL: Final = re.compile(TAIL_LINK)  # the rest of a name after a link that ends too early
_AFTER: Final = re.compile(r"</a[\t\n\f\r ]*>([^<]+)", re.IGNORECASE)  # the text just after a link
Stretch = tuple[int, int] | None  # of a page; None where a word is interrupted
# The address of a badge.
_BADGE: Final = re.compile(r"https?://[^\s\"'<>()]{1,80}/badge/[^\s\"'<>()]{1,200}", re.IGNORECASE)


class _HtmlBlocks:
    def __init__(self, page: str) -> None:
        self._page = page
        self._outline = Outline()
        self._now: Block | None = None
        self._parts: list[tuple[int, int] | str] = []

    @property
    def now(self) -> Block:
        """The block that the reader of the page is in."""
        if self._now is None:
            parts = self._parts = []
            self._now = self._outline.block(lambda: self._as_seen(parts))
        return self._now

    def _as_seen(self, parts: Sequence[tuple[int, int] | str]) -> str:
        shown = (part if isinstance(part, str) else self._page[slice(*part)] for part in parts)
        return unescape("".join(shown)).strip()

    def add(self, part: tuple[int, int] | str) -> None:
        """Add a stretch of the page to the block, or another text."""
        self._now = self.now
        self._parts.append(part)

    def open(self, name: str, classes: Iterable[str]) -> None:
        """Record that an element begins, at which a block ends."""
        self._now = None
        is_signature = name == "dt" and _SIGNATURE in classes
        self._outline.open("tbody" if is_signature else name)  # a part, but no term
        self._now = self.now  # the first block of a cell, even if it has no text

    def close(self, name: str) -> None:
        """Record that an element ends, and a block with it."""
        self._now = None
        self._outline.close(name)


def read(text: str, options: Options, *, xml: bool = False) -> Iterator[Found | Unread]:
    """Find every DOI of an HTML page, or of one in the syntax of XML, in the order of the page."""
    if not may_contain_name(text, options):
        return
    page = HtmlPage(text, options)
    page.read(xml=xml)
    found = {each.span: each for each in page.places}
    if page.trouble and xml:  # readers of EPUB show many such pages
        lenient = HtmlPage(text, options)
        lenient.read(xml=False)
        found = {each.span: each for each in lenient.places} | found
    elif len(text) > LARGEST:
        yield Unread(0, page.trouble)
    yield from sorted(found.values(), key=lambda each: each.span or (0, 0))


def read_xhtml(text: str, options: Options) -> Iterator[Found | Unread]:
    """Find every DOI of an XHTML page, in the order of the page."""
    return read(text, options, xml=True)


def is_phrase(name: str) -> bool:
    """Tell whether an element is a part of a text, and begins no block."""
    return name in _PHRASE or name in _TRANSPARENT


class Remainder(NamedTuple):
    """The rest of the name of a link that stands after the link."""

    text: str  # of the link, and the rest
    doi: DOI  # the whole name
    start: int  # where the rest begins in the page
    end: int


class HtmlPage:
    """Reads one page; a subclass may also link the names.

    A parser calls :meth:`open`, :meth:`text` and :meth:`close`, as a browser reads the page.
    """

    def __init__(self, text: str, options: Options) -> None:
        self.places: list[Found] = []
        self.trouble = ""  # why nothing in the page may be changed
        self.untouched = 0  # how many elements are open in one that is not read, with that one
        # Where the links begin of which a browser makes several elements.
        self.split: frozenset[int] = frozenset()
        self._text = text
        self._options = options
        # Of each element ``a`` around this place, if it is a link; None: it is the end of a SICI.
        self._around: list[bool | None] = []
        self._inside = 0  # how many of them are links
        self._links: set[int] = set()  # where the links begin that have been read
        self._link: Tag | None = None  # the link that is open
        self._link_text: list[tuple[int, int]] = []
        self._is_plain = True  # whether that text stands in the page as it is shown
        self._is_sure = True  # the same of the run that is read
        # The stretches of text between two block elements or links, and those before them.
        self._run: list[Stretch] = []
        self._last: list[Stretch] = []
        self._blocks = _HtmlBlocks(text)

    def read(self, *, xml: bool) -> None:
        """Read the whole page."""
        if xml:
            try:
                XmlReader(self._text, self).read()
            except expat.ExpatError as error:
                self.trouble = f"not well-formed XML ({error})"
        elif len(self._text) > LARGEST:
            self.trouble = f"it is longer than {LARGEST / 1e6:.0f} million characters"
        else:
            read_html(self._text, self)
        self._end()

    def open(self, name: str, attributes: Mapping[str, str | None], at: int) -> None:
        """Handle an element with some attributes that begins at a place of the page."""
        if self.untouched:
            self.untouched += 1
        elif name == "a" and self._is_tail(at):
            self._around.append(None)
        elif name == "a":
            self._end()
            self._around.append(is_link := "href" in attributes)
            self._inside += is_link
            # A link that a browser splits is read once. Its text stays.
            if is_link and at not in self._links:
                self._links.add(at)
                self._begin_link(start_tag(self._text, at, attributes))
        else:
            classes = (attributes.get("class") or "").split() if name in _WITH_CLASSES else ()
            self._break(name, classes)
            tag = TAG.match(self._text, at) if _LISTING in classes else None
            has_lines = tag is not None and self._text.startswith(_LINE, tag.end())
            is_code = has_lines if tag else not _UNTOUCHED_CLASSES.isdisjoint(classes)
            if name in _UNTOUCHED or is_code:
                self.untouched = 1
            if name == "template" and self._around:
                self.trouble = "it has a template in a link, which JustHTML ends too early"

    def close(self, name: str) -> None:
        """Handle the end of an element."""
        if self.untouched:
            self.untouched -= 1
            return
        if name == "a" and self._around[-1] is None:
            self._around.pop()
            return
        if name == "a":
            self._end()
            self._inside -= bool(self._around.pop())
        self._break(name, closes=True)

    def _is_tail(self, at: int) -> bool:
        """Tell whether a tool has made this link of the end of the name before it."""
        is_glued = bool(self._run) and not self._inside and self._text[at - 1] in ">];"
        return is_glued and _TAIL.match(self._text, at) is not None

    def tag(self, name: str, *, closes: bool) -> None:
        """Go past a tag that a browser ignores. In a part of a page, it may mean something."""
        if not self.untouched:
            self._break(name, closes=closes)

    def text(self, start: int, end: int, *, is_sure: bool = True) -> None:
        """Go past a stretch of text; whether a browser shows what the page has there, is sure."""
        if self.untouched:
            return
        self._blocks.add((start, end))
        if self._link:
            self._is_plain = self._is_plain and is_sure
            _extend(self._link_text, start, end)
        elif not self._inside and is_sure:
            _extend(self._run, start, end)
        elif not self._inside:
            self._flush()
            self._run, self._is_sure = [(start, end)], False
            self._flush()
            self._is_sure = True

    def _break(self, name: str, classes: Iterable[str] = (), *, closes: bool = False) -> None:
        if name == "br" and not closes:
            self._blocks.add("\n")
        if name in _TRANSPARENT or self._link:
            return
        if name in _PHRASE:
            if self._run and self._run[-1]:
                self._run.append(None)  # a word is interrupted
            return
        self._flush()
        if closes:
            self._blocks.close(name)
        else:
            self._blocks.open(name, classes)

    def _begin_link(self, tag: Tag) -> None:
        self._link, self._link_text = tag, []
        self._is_plain = tag.start not in self.split

    def _end(self) -> None:
        """End the link that is open, and the run before it."""
        if self._link:
            self._read_link(self._link)
            self._link = None
        self._flush()

    def _text_of_link(self) -> str:
        return unescape("".join(self._text[start:end] for start, end in self._link_text))

    def _rest(self, tag: Tag) -> Remainder | None:
        """Find what an autolinker has cut off the name of a link. It ends a URL at ``<``."""
        is_plain = self._is_plain and len(self._link_text) == 1
        after = _AFTER.match(self._text, self._link_text[0][1]) if is_plain else None
        if after is None:
            return None
        rest, link_text = SourceText.from_parts(self._parts([after.span(1)])), self._text_of_link()
        if not rest.text.startswith(("<", "::")):
            return None
        link = relink(tag.href or "", link_text, self._options)
        match = next(scan(link_text + rest.text), None)
        if link is None or link.text is None or match is None:
            return None
        is_across = match.start < len(link_text) < match.end
        if not is_across or not match.doi.name.startswith(link.doi.name):
            return None
        start, end = rest.span(0, match.end - len(link_text))
        return Remainder(f"{link_text}{rest.text}"[: match.end], match.doi, start, end)

    def _read_link(self, tag: Tag) -> None:
        href = (tag.href or "").strip()
        texts = (self._text_of_link(),)
        found = found_in_link(href, self._options, texts=texts)
        if found := found or bare_target(href, self._options, lambda: texts):
            start, end = tag.href_span
            written = self._text[start:end]
            start += len(written) - len(written.lstrip())
            end = max(start, end - len(written) + len(written.rstrip()))
            rest = self._rest(tag)
            whole = rest.doi if rest else None
            around = self._blocks.now.text
            self.places.append(replace(found, span=(start, end), around=around, whole=whole))

    def _parts(self, run: Iterable[Stretch]) -> Iterator[Part]:
        """Yield the text of a run and its places; a line end where a word is interrupted."""
        page, at = self._text, 0
        for stretch in run:
            if not stretch:
                yield "\n", at, at
                continue
            start, at = stretch
            yield from parts_of(page, start, at, references(page, start, at))

    def _flush(self) -> None:
        self._last = run = self._run
        self._run = []
        stretches = [each for each in run if each is not None]
        text = unescape("".join(self._text[start:end] for start, end in stretches))
        if may_contain_doi(text, self._options.arxiv):
            self._read_run(SourceText.from_parts(self._parts(run)), stretches)

    def _read_run(self, run: SourceText, _: Sequence[tuple[int, int]]) -> None:
        """Find the names in a run of text, which consists of stretches of the page."""
        names = found_in_prose(run.text, self._options, self._blocks.now.text)
        self.places += placed(names, run)


def _extend(stretches: list[Stretch] | list[tuple[int, int]], start: int, end: int) -> None:
    """Add a stretch, or extend the last one if it ends where this one starts."""
    if stretches and (last := stretches[-1]) and last[1] == start:
        start = last[0]
        stretches.pop()
    stretches.append((start, end))


def badges(text: str) -> Iterator[tuple[str, str]]:
    """Yield the target of each link that is a badge, and the link as Markdown writes it."""
    if "/badge/" not in text:
        return
    from justhtml import JustHTML

    waiting: list[tuple[Node, str]] = [(JustHTML(text, sanitize=False).root, "")]
    while waiting:
        node, href = waiting.pop()
        if node.name == "#text":
            continue
        given = node.attrs or {}
        if node.name == "a":
            href = (given.get("href") or "").strip()
        elif href and node.name == "img" and (found := _BADGE.match(given.get("src") or "")):
            yield href, f"[![]({found[0]})]({href})"
        waiting += [(child, href) for child in reversed(node.children or ())]

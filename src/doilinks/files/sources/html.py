"""Reads HTML pages, such as those of a site generator: the visible text, and the links.

Names in code, scripts, styles and the head do not count. A link counts once, by its target. If a
link leads elsewhere, names in its text do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from string import ascii_letters, digits
from typing import Final, NamedTuple

from ...core.arxiv import ANCHOR as ARXIV
from ...core.found import Found
from ...core.link import may_contain_publisher
from ...core.markup import NO_PROSE, RAW_TEXT, unescape
from ...core.options import Options
from ...core.outline import Block, Outline
from ...core.scan import ANCHOR_OF_PREFIX
from ...core.text import Part, SourceText
from .prose import found_in_link, found_in_prose

# --------------------------------------------------------------------------------------------------
# The tags of an HTML page with their places, in linear time.
#
# This follows the tokenizer of the HTML standard (https://html.spec.whatwg.org/#tokenization)
# as far as a reader of text needs it. For instance, a tag that is never closed takes the rest of
# the page. ``html.parser`` does not give the places of attributes, and in many versions of Python
# it takes quadratic time for unclosed tags.


class Tag(NamedTuple):
    """A tag or a comment.

    :ivar start: the offset of the tag
    :ivar end: the offset just after the tag
    :ivar name: the name of the element in lower case; ``""`` for a comment or declaration
    :ivar closes: whether this is an end tag
    :ivar href: the decoded value of ``href``; None without this attribute. Attributes are read of
        start tags of ``a``, ``div``, ``dt`` and ``span``
    :ivar href_span: the offsets at which that value begins and ends
    :ivar classes: the words of ``class``
    :ivar class_span: the offsets at which that value begins and ends
    :ivar has_title: whether there is an attribute ``title``
    :ivar is_empty: whether it ends in ``/>``
    """

    start: int
    end: int
    name: str = ""
    closes: bool = False
    href: str | None = None
    href_span: tuple[int, int] = (0, 0)
    classes: tuple[str, ...] = ()
    class_span: tuple[int, int] | None = None
    has_title: bool = False
    is_empty: bool = False


_SPACE: Final = r"\t\n\f\r "  # no other space ends a name or a value
_VALUE: Final = rf"\"[^\"]*+\"|'[^']*+'|[^{_SPACE}>\"'][^{_SPACE}>]*+|(?=>)"
_ATTRIBUTES: Final = (
    rf"(?:[{_SPACE}/]++|(?:=[^{_SPACE}/>=]*+|[^{_SPACE}/>=]++)"
    rf"(?:[{_SPACE}]*+=[{_SPACE}]*+(?:{_VALUE})|(?![{_SPACE}]*+=)))*+"
)
# A whole tag; the beginning of a comment or declaration, or of a tag that is never closed.
_OPEN: Final = re.compile(
    rf"<(?:(/?)([A-Za-z][^{_SPACE}/>]*+)({_ATTRIBUTES})>|(!--|[!?]|/(?=[^A-Za-z])|/?[A-Za-z]))"
)
_SECTION: Final = re.compile(r"<!\[CDATA\[")
_COMMENT_END: Final = re.compile(r"--!?>")
_ATTRIBUTE: Final = re.compile(
    rf"[{_SPACE}/]*+(=?[^{_SPACE}/>=]*)(?:[{_SPACE}]*+=[{_SPACE}]*+([\"']?))?"
)
_UNQUOTED: Final = re.compile(rf"[^{_SPACE}>]*")
_FOREIGN: Final = frozenset({"svg", "math"})
_WITH_ATTRIBUTES: Final = frozenset({"a", "div", "dt", "span"})  # those that anybody asks for
_RAW: Final = frozenset({*RAW_TEXT, "noscript"})  # the last in a browser that runs scripts


def tags(text: str, *, xml: bool = False) -> Iterator[Tag]:
    """Every tag and comment of a page, in order.

    :param xml: whether the page is XHTML. Then an end tag follows a tag that ends in ``/>``, and
        only the content of a CDATA section is text in any case
        (https://www.w3.org/TR/xml/#sec-logical-struct, #sec-cdata-sect).

    >>> [(t.name, t.closes, t.href) for t in tags("<p>a <a href='b&amp;c'>d</a><!-- <p> -->")]
    [('p', False, None), ('a', False, 'b&c'), ('a', True, None), ('', False, None)]
    """
    at = foreign = 0  # how many elements of SVG and MathML are open
    while found := _OPEN.search(text, at):
        if (xml or foreign) and (section := _SECTION.match(text, found.start())):
            yield Tag(*section.span())
            end, at = _mark("]]>", text, section.end())
            yield Tag(end, at)
            continue
        closes, name, attributes, other = found.groups()
        if other:
            at = _mark("?>", text, found.end())[1] if xml and other == "?" else _end(text, found)
            yield Tag(found.start(), at)
            continue
        start, at = found.span()
        name = name.lower()
        is_foreign = xml or foreign or name in _FOREIGN
        if attributes and (name in _WITH_ATTRIBUTES or (is_foreign and attributes[-1] == "/")):
            tag = _with_attributes(text, found, name)
        else:
            tag = Tag(start, at, name, bool(closes))
        yield tag
        if name in _FOREIGN:
            foreign = max(0, foreign + (-1 if closes else 1))
        # In HTML itself, the slash says nothing.
        if tag.is_empty and not closes and (xml or foreign):
            yield Tag(at, at, name, closes=True)
            foreign -= name in _FOREIGN
        # The content of these elements is text up to their end tag, even if it looks like tags.
        elif name in _RAW and not closes and not xml:
            at = _end_of_raw(name, text, at)


def _end_of_raw(name: str, text: str, at: int) -> int:
    """The offset of the end tag of an element whose content is text.

    >>> text = "<!-- <script></script> --></script>"
    >>> text[_end_of_raw("script", text, 0) :], _end_of_raw("plaintext", text, 0) == len(text)
    ('</script>', True)
    """
    if name == "plaintext":
        return len(text)
    close = re.compile(rf"(?i:</{name})(?=[{_SPACE}/>])", re.ASCII)
    if name != "script":
        found = close.search(text, at)
        return found.start() if found else len(text)
    # In a comment of a script, a start tag and its end tag belong together:
    # https://html.spec.whatwg.org/#script-data-double-escaped-state
    in_comment = in_script = False
    for found in _OF_SCRIPT.finditer(text, at):
        if found[0] == "<!--":
            # <!--> and <!---> are whole comments.
            in_comment = in_comment or not text.startswith((">", "->"), found.end())
        elif found[0] == "-->":
            in_comment = in_script = False
        elif not found[1]:
            in_script = in_comment
        elif in_script:
            in_script = False
        else:
            return found.start()
    return len(text)


_OF_SCRIPT: Final = re.compile(rf"<!--|-->|<(/?)(?i:script)(?=[{_SPACE}/>])", re.ASCII)


_BADGE: Final = re.compile(
    r"\ssrc=[\"']?(https?://[^\s\"'<>()]{1,80}/badge/[^\s\"'<>()]{1,200})", re.IGNORECASE
)


def badges(text: str) -> Iterator[tuple[str, str]]:
    """The target of each link that is a badge, and the link as Markdown writes it.

    >>> list(badges('<a href="doi:10.1/x"><img src="https://a.org/badge/1.svg"></a>'))
    [('doi:10.1/x', '[![](https://a.org/badge/1.svg)](doi:10.1/x)')]
    """
    href = ""
    for tag in tags(text):
        if tag.name == "a":
            href = "" if tag.closes else (tag.href or "").strip()
        elif href and tag.name == "img" and (found := _BADGE.search(text, tag.start, tag.end)):
            yield href, f"[![]({found[1]})]({href})"
            href = ""


def _end(text: str, found: re.Match[str]) -> int:
    """The offset at which a comment or declaration of HTML ends, or what is never closed."""
    if found[4][-1:].isalpha():
        return len(text)  # neither a tag nor text
    if found[4] == "!--":
        # <!--> and <!---> are whole comments.
        end = _COMMENT_END.search(text, found.start() + 2)
        return end.end() if end else len(text)
    return _mark(">", text, found.end())[1]


def _mark(mark: str, text: str, at: int) -> tuple[int, int]:
    """The offsets at which the next ``mark`` begins and ends; without one, the end of the text."""
    start = text.find(mark, at)
    return (start, start + len(mark)) if start >= 0 else (len(text), len(text))


def _with_attributes(text: str, found: re.Match[str], name: str) -> Tag:
    """A tag with what is asked for of its attributes."""
    href: str | None = None
    href_span = (0, 0)
    classes: tuple[str, ...] = ()
    class_span = None
    has_class = has_title = is_empty = False
    at, stop = found.span(3)
    while at < stop:
        attribute = _ATTRIBUTE.match(text, at, stop)
        assert attribute  # noqa: S101  it matches the empty string
        at = attribute.end()
        if not attribute[1]:
            is_empty = text[at - 1] == "/"
            break
        start = end = at
        if attribute[2]:
            end = text.index(attribute[2], at)
            at = end + 1
        elif attribute[2] is not None:
            value = _UNQUOTED.match(text, at, stop)
            at = end = value.end() if value else at
        # Of two attributes, the first counts, even without a value:
        # https://html.spec.whatwg.org/#attribute-name-state
        match attribute[1].lower():
            case "href" if href is None:
                href, href_span = unescape(text[start:end]), (start, end)
            case "class" if not has_class:
                has_class = True
                classes = tuple(unescape(text[start:end]).split())
                class_span = (start, end) if attribute[2] is not None else None
            case "title":
                has_title = True
    tag = *found.span(), name, bool(found[1])
    return Tag(*tag, href, href_span, classes, class_span, has_title, is_empty)


# --------------------------------------------------------------------------------------------------
# The blocks of an HTML page, while its tags are read one after another. A block is the text of an
# element such as a paragraph, including the text of its links.

_SIGNATURE: Final = "sig"  # Sphinx' class for a function or class that the rest documents


class _Blocks:
    """The blocks of a page."""

    def __init__(self, page: str) -> None:
        self._page = page
        self._outline = Outline()
        self._now: Block | None = None

    @property
    def now(self) -> Block:
        """The block that the reader of the page is in."""
        if self._now is None:
            self._parts: list[tuple[int, int] | str] = []
            self._now = self._outline.block(partial(_as_seen, self._page, self._parts))
        return self._now

    def add(self, part: tuple[int, int] | str) -> None:
        """Add a stretch of the page to the block, or another text."""
        if self._now is None:
            self._now = self.now
        self._parts.append(part)

    def tag(self, tag: Tag) -> None:
        """Go past a tag at which a block begins or ends."""
        self._now = None
        if tag.closes:
            self._outline.close(tag.name)
            return
        is_signature = tag.name == "dt" and _SIGNATURE in tag.classes
        self._outline.open("tbody" if is_signature else tag.name)  # a part, but no term
        self._now = self.now  # the first block of a cell, even if it has no text


# Some references need no semicolon: https://html.spec.whatwg.org/#named-character-reference-state
_REFERENCE: Final = re.compile(r"&#?[0-9A-Za-z]++;?")


def _as_seen(page: str, parts: list[tuple[int, int] | str]) -> str:
    """A text as a reader sees it."""
    text = "".join(part if isinstance(part, str) else page[slice(*part)] for part in parts)
    return _REFERENCE.sub(lambda found: unescape(found[0]), text).strip()


# --------------------------------------------------------------------------------------------------
# The names of a page: in its links, and in its visible text.

# docutils gives the first class to an inline literal. Hosts give the others to math.
_UNTOUCHED_CLASSES: Final = frozenset({"literal", "math", "arithmatex", "katex", "MathJax"})
# Doxygen's listings of code. Slides of reveal.js have the first class too, for any element.
_LISTING: Final = "fragment"
_LINE: Final = '<div class="line">'
# Elements that do not interrupt a word, so a name continues through them.
_TRANSPARENT: Final = frozenset({"span", "wbr", "font", "bdi"})
# What has text in the head is one of these, or it ends the head of a page of HTML.
_UNTOUCHED: Final = frozenset(NO_PROSE) - {"head"}
_PHRASE: Final = frozenset((
    "a", "abbr", "b", "br", "cite", "data", "del", "dfn", "em", "i", "img", "input", "ins",
    "label", "mark", "q", "s", "small", "strong", "sub", "sup", "time", "u",
))  # fmt: skip
# A character reference for a character that a name has before its suffix, as in 10&#46;1000/182.
_NUMBERS: Final = "|".join(
    f"0*{ord(each)}(?![0-9])|x0*{ord(each):x}(?![0-9a-f])" for each in f"{ascii_letters}{digits}./%"
)
# What does not interrupt a word, between the characters of a prefix, as in 10<wbr>.1000/182.
_WITHIN: Final = rf"(?:<(?i:/?(?:{'|'.join(sorted(_TRANSPARENT))})|[!?]|/[^a-z])[^<>]*>)*+"
# One of them is in every name, or in what a browser reads as one. Each begins with the same
# character always, so that a search for it is quick.
_ANCHORS: Final = tuple(map(re.compile, (
    ANCHOR_OF_PREFIX,
    "doi\\.org/",
    rf"1{_WITHIN}0{_WITHIN}[./%]",
    _WITHIN.join("doi.org/").replace(".", "\\.", 1),
    rf"&(?i:#(?:{_NUMBERS})|period;|sol;|percnt;)",
)))  # fmt: skip
_ANCHOR_OF_PAPER: Final = re.compile(ARXIV)


def read(text: str, options: Options, *, xml: bool = False) -> Iterator[Found]:
    """Every DOI of an HTML page, in the order of the page.

    :param xml: whether the page has the syntax of XML
    """
    if not may_contain_name(text, options):
        return iter(())
    page = Page(text, options)
    page.read(xml=xml)
    return iter(page.found)


def may_contain_name(text: str, options: Options) -> bool:
    """Tell quickly whether a page may contain a DOI."""
    return _Anchors(text, options).between(0, len(text)) or may_contain_publisher(text, options)


class _Anchors:
    """The places of a page at which there may be a name, found as the reader goes on."""

    def __init__(self, text: str, options: Options) -> None:
        self._text = text
        papers = (_ANCHOR_OF_PAPER,) if options.arxiv else ()
        # Of each pattern, the offset of the next place.
        self._next = dict.fromkeys((*_ANCHORS, *papers), -1)
        self._nearest = -1

    def between(self, start: int, end: int) -> bool:
        """Tell whether a name may begin in a stretch. Each call must pass a larger ``start``."""
        if self._nearest < start:
            for pattern, at in self._next.items():
                if at < start:
                    found = pattern.search(self._text, start)
                    self._next[pattern] = found.start() if found else len(self._text)
            self._nearest = min(self._next.values())
        return self._nearest < end


def read_xhtml(text: str, options: Options) -> Iterator[Found]:
    """Every DOI of an XHTML page, in the order of the page."""
    return read(text, options, xml=True)


def is_phrase(name: str) -> bool:
    """Whether an element is a part of a text, and begins no block."""
    return name in _PHRASE or name in _TRANSPARENT


def _is_untouched(tag: Tag, page: str) -> bool:
    if tag.name in ("span", "div"):
        is_listing = _LISTING in tag.classes and page.startswith(_LINE, tag.end)
        return is_listing or not _UNTOUCHED_CLASSES.isdisjoint(tag.classes)
    return tag.name in _UNTOUCHED


@dataclass(slots=True)
class _Scope:
    """An element whose end tag alone ends what is open in it.

    :ivar count: how many elements are open in it that have the name of the one that is not read
    :ivar in_template: whether it is a template, or in one that is not read
    """

    name: str
    count: int
    in_template: bool


# Those that sites have. Cells are in a table.
_SCOPES: Final = frozenset({"table", "object", "select"})


class Page:
    """Reads one page; what is found there may also be linked.

    :ivar found: the DOIs
    """

    def __init__(self, text: str, options: Options) -> None:
        self.found: list[Found] = []
        self._text = text
        self._options = options
        self._anchors = _Anchors(text, options)
        # The element that is not read, and the scopes that are open in it.
        self._untouched = ""
        self._scopes: list[_Scope] = []
        self._link: Tag | None = None  # the link that is open
        self._link_text: list[tuple[int, int]] = []  # the stretches of its text
        # The stretches of text between two block elements or links, and the tags between them.
        self._run: list[tuple[int, int, bool]] = []
        self._blocks = _Blocks(text)

    def read(self, *, xml: bool) -> None:
        """Read the whole page."""
        at = 0
        for tag in tags(self._text, xml=xml):
            if at < tag.start:
                self._prose(at, tag.start)
            self._tag(tag)
            at = tag.end
        if at < len(self._text):
            self._prose(at, len(self._text))
        self._end_link()
        self._flush()

    def _tag(self, tag: Tag) -> None:
        if self._untouched:
            self._tag_in_untouched(tag)
        elif not tag.closes and _is_untouched(tag, self._text):
            self._break(tag)
            self._untouched = tag.name
            self._scopes = [_Scope(tag.name, 1, in_template=tag.name == "template")]
        elif tag.name == "a":
            self._end_link()
            # Without a target, the element is not a link, and its text is prose.
            if tag.href is None or tag.closes:
                self._break(tag)
            else:
                self._begin_link(tag)
        elif tag.name:
            self._break(tag)

    def _tag_in_untouched(self, tag: Tag) -> None:
        """Go past a tag in an element that is not read.

        An end tag in a scope, such as a table, ends nothing that contains the scope. But that of a
        template ends all scopes in it:
        https://html.spec.whatwg.org/#has-an-element-in-scope, #parsing-main-intemplate.
        """
        name, scopes = tag.name, self._scopes
        if name == "template":
            if not tag.closes:
                scopes.append(_Scope(name, 0, in_template=True))
            elif scopes[-1].in_template:
                while scopes.pop().name != name:
                    pass
        elif name == self._untouched:
            if not tag.closes or scopes[-1].count:
                scopes[-1].count += -1 if tag.closes else 1
        elif name in _SCOPES:
            if not tag.closes:
                scopes.append(_Scope(name, 0, in_template=scopes[-1].in_template))
            elif scopes[-1].name == name:
                scopes.pop()
        if not scopes or (len(scopes) == 1 and not scopes[0].count):
            self._untouched = ""

    def _break(self, tag: Tag) -> None:
        if tag.name == "br":
            self._blocks.add("\n")
        if tag.name in _TRANSPARENT or self._link:
            return
        if tag.name in _PHRASE:
            self._run.append((tag.start, tag.end, True))
        else:
            self._flush()
            self._blocks.tag(tag)

    def _prose(self, start: int, end: int) -> None:
        if self._untouched:
            return
        self._blocks.add((start, end))
        if self._link:
            self._link_text.append((start, end))
        else:
            self._run.append((start, end, False))

    def _begin_link(self, tag: Tag) -> None:
        self._flush()
        self._link, self._link_text = tag, []

    def _end_link(self) -> None:
        if self._link:
            self._read_link(self._link)
            self._link = None

    def _shown(self) -> str:
        """The text of the link."""
        return unescape("".join(self._text[start:end] for start, end in self._link_text))

    def _read_link(self, tag: Tag) -> None:
        """List the DOI of a link that ends here."""
        href = (tag.href or "").strip()
        if found := found_in_link(href, self._options, texts=(self._shown(),)):
            start, end = tag.href_span
            written = self._text[start:end]
            start += len(written) - len(written.lstrip())
            end = max(start, end - len(written) + len(written.rstrip()))
            around = self._blocks.now.text
            self.found.append(replace(found, span=(start, end), around=around))

    def _flush(self) -> None:
        """Read the run of text that ends here."""
        run, self._run = self._run, []
        if run and self._anchors.between(run[0][0], run[-1][1]):
            self._read_run(SourceText.from_parts(self._parts(run)))

    def _parts(self, run: Iterable[tuple[int, int, bool]]) -> Iterator[Part]:
        """The text of a run, with its places."""
        for start, end, is_tag in run:
            if is_tag:
                yield "\n", start, end
                continue
            at = start
            for reference in _REFERENCE.finditer(self._text, start, end):
                yield self._text[at : reference.start()], at, reference.start()
                yield unescape(reference[0]), *reference.span()
                at = reference.end()
            yield self._text[at:end], at, end

    def _read_run(self, run: SourceText) -> None:
        """Find the names in a run of text."""
        for found in found_in_prose(run.text, self._options, self._blocks.now.text):
            span = run.span(*found.span) if found.span else None
            self.found.append(replace(found, span=span))

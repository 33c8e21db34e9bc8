"""Locates what a parser has read in its source: parsers of markup keep lines, but no columns."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final
from urllib.parse import unquote

from ..core.doi import Form
from ..core.found import Found
from ..core.link import aimed, bare_target, may_contain
from ..core.markup import CITE_ROLES, ENTITY, unescape
from ..core.options import Options
from ..core.text import Part, SourceText
from . import html
from .common import (
    ROLES,
    Block,
    Lines,
    found_in_link,
    found_in_prose,
    found_in_role,
    with_citations,
)
from .files import Unread


class PlaceFinder:
    """Lists the names of a document that a parser reads block by block, with their places.

    A reader sets the lines of a block, and the text around its names, before it reads the block.
    """

    def __init__(self, text: str, options: Options, *, encoded: bool = False) -> None:
        self.places: list[Found] = []
        self._text = text
        self._options = options
        self._locate = Locator(text, encoded=encoded)
        self._lines = (0, 0)  # the first line of the block, and the line after it
        self._around: Block = None

    def _find(self, written: str) -> tuple[int, int]:
        return self._locate.find(written, *self._lines)

    def _add(self, place: Found, span: tuple[int, int]) -> None:
        self.places.append(replace(place, span=span, around=self._around))

    def _skip(self, text: str) -> None:
        """Move past a text, so that the next search does not find its name."""
        if may_contain(text, self._options, roles=True):
            self._find(text)

    def _link(self, href: str, texts: Sequence[str], form: Form = "link") -> None:
        found = found_in_link(href, self._options, form, texts)
        if found := found or bare_target(href, self._options, lambda: texts):
            self._add(found, self._locate.find_target(href, *self._lines))

    def _aimed(self, text: str) -> None:
        """List the places in prose that aim at a name and have none."""
        for found in aimed(text, self._options):
            start, end = found.span or (0, 0)
            self._add(found, self._find(text[start:end]))

    def _role(self, name: str, content: str) -> None:
        """Read the content of a role for names, of one that cites, or of one of prose."""
        if name in ROLES:
            span = self._find(content)
            if found := found_in_role(content, self._options, name):
                self._add(found, span)
            return
        cites = name in CITE_ROLES
        for each in found_in_prose(with_citations(content, cites=cites), self._options):
            begins, ends = each.span or (0, 0)
            span = self._find(content[begins:ends])
            self._add(replace(each, form="cite") if cites else each, span)

    def _raw(
        self, text: str, whole: SourceText | None, pictures: Mapping[str, str] | None = None
    ) -> None:
        """Read raw HTML. The text around the link of a badge is the badge, as in Markdown.

        ``whole`` is the HTML with its places, if they are known, and ``pictures`` the badges of the
        block that contains it, by their targets.
        """
        if not html.may_contain_name(text, self._options):
            return
        if pictures is None:
            pictures = dict(html.badges(text))
        for found in html.read(text, self._options):
            if isinstance(found, Unread):
                continue
            start, end = found.span or (0, 0)
            span = whole.span(start, end) if whole else self._find(text[start:end])
            around = pictures.get(unescape(text[start:end])) or self._around or found.around
            self.places.append(replace(found, span=span, around=around))

    def _raw_block(self, text: str) -> None:
        """Read raw HTML that is a block."""
        self._raw(text, self._placed(text))

    def _placed(self, text: str) -> SourceText | None:
        """Return a block with its places if each of its lines is there, after the margin."""
        parts: list[Part] = []
        for number, line in enumerate(text.split("\n"), self._lines[0]):
            end = self._locate.start(number + 1)
            at = self._text.find(line, self._locate.start(number), end)
            if at < 0:
                return None
            end = at + len(line)
            parts += [(line, at, end), ("\n", end, end + 1)]
        return SourceText.from_parts(parts)


class Locator:
    """Locates pieces of text in a source, in the order of the source.

    If it is ``encoded``, it may contain entities, and the parser encodes the targets of links.
    """

    def __init__(self, text: str, *, encoded: bool = False) -> None:
        self._text = text
        self._encoded = encoded
        self._starts = Lines(text).starts
        self._cursor = 0
        # This many more characters may be searched. The limit keeps the time linear.
        self._patience = _PATIENCE * (len(text) + _NEAR)

    def start(self, line: int) -> int:
        """Return the offset of a line, counted from 0; after the last, the end of the text."""
        return self._starts[line] if line < len(self._starts) else len(self._text)

    def find(self, written: str, first: int, last: int, *, whole: bool = False) -> tuple[int, int]:
        """Find the span of ``written`` in the lines from ``first`` up to, not including, ``last``.

        The search begins after the piece that was found before. It also finds a text with
        characters that backslashes or entities stand for. If it finds nothing, the result is an
        empty piece at the beginning of the text of the first line.

        :param whole: whether a piece of a longer URL does not count, if there is another one
        """
        for slack in (0, _SLACK):
            start, end = self.start(max(0, first - slack)), self.start(last + slack)
            after = max(start, self._cursor) if self._cursor < end else start
            # The text is nearly always near. A search to the end each time would take too long.
            limit = min(end, after + _NEAR + len(written))
            at = found_at = self._text.find(written, after, limit)
            while whole and at >= 0 and self._is_part(at, at + len(written)):
                at = self._text.find(written, at + 1, limit)
            at = at if at >= 0 else found_at
            if at >= 0:
                self._cursor = at + len(written)
                return at, self._cursor
            if self._patience < 0:
                break
            found = self._loose.find(written, after, end) or self._loose.find(written, start, end)
            self._patience -= (found[1] if found else end) - start
            if found:
                self._cursor = found[1]
                return found
        start = max(0, min(self.start(first), len(self._text) - 1))
        line = self._text[start : self.start(first + 1)]
        at = start + len(line) - len(line.lstrip())
        return at, at

    def _is_part(self, start: int, end: int) -> bool:
        return bool(_AFTER_PART.match(self._text, start) or _BEFORE_PART.match(self._text, end))

    @cached_property
    def _loose(self) -> _Loose:
        return _Loose(self._text, self._encoded)

    def find_target(self, href: str, first: int, last: int) -> tuple[int, int]:
        """Find the span of the target of a link, which a parser may have encoded again."""
        start, end = self.find(href, first, last, whole=True)
        if start == end:
            # The part up to the registrant code is never encoded.
            slash = href.find("/", href.find("10"))
            start, _ = self.find(href[: slash + 1], first, last)
            return start, start
        return start, end


_NEAR: Final = 4096
_PATIENCE: Final = 20
# A URL in another one: what is before it, and what is after it.
_AFTER_PART: Final = re.compile(r"(?<=[\w%/?&=#~+-])")
# Goes on after a place that is a part of a longer name or URL.
_BEFORE_PART: Final = re.compile(r"[.,;:]{0,3}[\w%/?&=#~+(-]")
_SLACK: Final = 3  # lines; docutils counts the lines of a cell from the row before
# Only this many characters are compared in other spellings. The rest is assumed to be as long.
_LONGEST: Final = 300

# Characters in another spelling. Parsers encode the target of a link, and replace a NUL.
_CODED: Final = re.compile(rf"\0|(?>(?:%[0-9A-Fa-f]{{2}})+)|&{ENTITY}")
_NUL: Final = re.compile(r"\0")  # in place of ``_CODED`` if nothing is encoded
# A line break may be followed by the mark of a block quote or cell. A space alone stays as it is.
_BACKSLASHES_OR_GAP: Final = re.compile(r"\\++|(?:[^\S ]| (?=[\s>|\\]))[\s>|\\]*+")
_BEFORE: Final = " >|"  # in the source, such a character may belong to a gap
_SPACE: Final = "\0"  # a space that was encoded, which is no part of a gap


class _Loose:
    r"""A source without the differences that parsers make.

    It is compared as a whole. A pattern made of each text, with backslashes and spaces that may be
    repeated, would take exponential time.
    """

    def __init__(self, text: str, encoded: bool) -> None:
        self._text = text
        self._coded = _CODED if encoded else _NUL
        self._decoded = self._decode(text)
        self._bare = _loosened(self._decoded.text)
        self._searched = self._bare.text.replace(_SPACE, " ")

    def _decode(self, text: str) -> SourceText:
        pieces = ((*found.span(), _character(found[0])) for found in self._coded.finditer(text))
        return SourceText.of(text, pieces)

    def find(self, written: str, start: int, end: int) -> tuple[int, int] | None:
        """Find the span of a parser's text between two offsets."""
        first, last = (self._bare.offset(self._decoded.offset(at)) for at in (start, end))
        # In code, an entity is not the character that it stands for.
        for text in dict.fromkeys((written, self._decode(written).text)):
            bare = _loosened(text).text.replace(_SPACE, " ").lstrip(_BEFORE)[:_LONGEST]
            at = self._searched.find(bare, first, last) if bare else -1
            if at >= 0:
                found = self._decoded.span(*self._bare.span(at, at + len(bare)))
                return found[0], min(end, found[1] + max(0, len(written) - _LONGEST))
        return None


def _character(coded: str) -> str:
    if coded == "\0":
        return "\ufffd"
    text = unquote(coded) if coded[0] == "%" else unescape(coded)
    return "".join(_SPACE if each.isspace() else each for each in text)


def _loosened(text: str) -> SourceText:
    gaps = _BACKSLASHES_OR_GAP.finditer(text)
    return SourceText.of(text, ((*gap.span(), "" if gap[0][0] == "\\" else " ") for gap in gaps))

"""The way from a text back to its source: the escapes of a source, and what a parser made of it.

An escape is a piece ``(start, end, text)``: where it begins and ends, and what it stands for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache, partial
from typing import Final
from urllib.parse import unquote

from ...core.markup import ENTITY, REFERENCE, unescape
from ...core.text import LATEX_CHARACTER, SourceText, latex_character

Escapes = Callable[[str], Iterator[tuple[int, int, str]]]

# A character of ASCII punctuation may be escaped [CommonMark 2.4], in reStructuredText any
# character [reST: escaping mechanism]. Authors escape only these in a name.
_BACKSLASH: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_MARKDOWN: Final = re.compile(rf"{_BACKSLASH.pattern}|{REFERENCE.pattern}")
_JSON: Final = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\."
)


def backslashes(text: str) -> Iterator[tuple[int, int, str]]:
    r"""A backslash before punctuation.

    >>> list(backslashes(r"a\_b"))
    [(1, 3, '_')]
    """
    for found in _BACKSLASH.finditer(text):
        yield *found.span(), found[1]


def references(text: str) -> Iterator[tuple[int, int, str]]:
    """A character reference of HTML.

    >>> list(references("a&lt;b"))
    [(1, 5, '<')]
    """
    for found in REFERENCE.finditer(text):
        yield *found.span(), unescape(found[0])


def of_markdown(text: str) -> Iterator[tuple[int, int, str]]:
    r"""The escapes of Markdown, which has both.

    >>> list(of_markdown(r"a\_b&lt;"))
    [(1, 3, '_'), (4, 8, '<')]
    """
    for found in _MARKDOWN.finditer(text):
        yield *found.span(), found[1] or unescape(found[0])


def of_json(text: str) -> Iterator[tuple[int, int, str]]:
    r"""The escapes of a JSON string.

    >>> list(of_json(r"a\"\u2013"))
    [(1, 3, '"'), (3, 9, '–')]
    """
    for found in _JSON.finditer(text):
        yield *found.span(), _of_json(found[0])


@lru_cache(maxsize=4096)  # no notebook escapes this many different characters
def _of_json(escape: str) -> str:
    character: str = json.loads(f'"{escape}"')
    return character


def to_json(text: str) -> str:
    r"""A text as it stands in a JSON string.

    >>> print(to_json('a"b'))
    a\"b
    """
    return json.dumps(text, ensure_ascii=False)[1:-1]


# What stands for a character or for nothing inside a name of a LaTeX document, for a pattern with
# re.VERBOSE. A comment at the end of a line joins it to the next one, `\-` and `\allowbreak` say
# where a word may be divided, and REVTeX writes `\doibase` before a name. TeX drops the
# spaces after the name of a command.
LATEX: Final = rf"""
      (?P<nothing>%\n[ \t]*+|\\-|\\discretionary[ ]?(?>(?:\{{[^{{}}]{{0,9}}\}}){{0,3}})
        |\\(?:allowbreak|linebreak(?:\[[0-4]\])?|detokenize)(?![A-Za-z])[ \t]*+)
    | (?P<base>\\doibase(?![A-Za-z])\s*+)
    | \{{(?P<single>[_%&\#~^<>])\}}
    | (?P<open>\{{)?(?:{LATEX_CHARACTER})(?(open)\}})
"""
_LATEX: Final = re.compile(LATEX, re.VERBOSE)


def of_latex(text: str) -> Iterator[tuple[int, int, str]]:
    r"""The escapes of a LaTeX document.

    >>> list(of_latex(r"a\_b{\%}c\-d"))
    [(1, 3, '_'), (4, 8, '%'), (9, 11, '')]
    """
    for found in _LATEX.finditer(text):
        base = "https://doi.org/" if found["base"] else ""
        yield *found.span(), base or found["single"] or latex_character(found)


_TO_LATEX: Final = {
    "<": r"\textless{}", ">": r"\textgreater{}", "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}", "\\": r"\textbackslash{}",
}  # fmt: skip


def to_latex(text: str) -> str:
    r"""A text as it stands in a LaTeX document.

    >>> print(to_latex("a_b<c"))
    a\_b\textless{}c
    """
    return re.sub(r"[_%&#${}<>~^\\]", lambda found: _TO_LATEX.get(found[0], f"\\{found[0]}"), text)


# The command whose argument begins here, or the line of a field by biblatex.
_COMMAND: Final = re.compile(
    r"\\(?:(?P<url>href|url|nolinkurl)|(?P<path>path)|(?P<doi>doi|DOI))\*?\s*+"
    r"(?:\[[^\][]{0,200}\]\s*+)?\{[^{}]{0,200}\Z|(?P<verb>\\verb[ ][^\n]{0,200}\Z)"
)
_AWAY: Final = 500  # characters
# A command for names that takes them as they stand, or one name that is written so. Of the two
# kinds of names, the one that is first counts.
_DOI_AS_IT_IS: Final = re.compile(r"\\Url\b|\\(?:doi|DOI)\s?\{[^{}\\\n]{0,200}(?P<escape>\\?)_")


class LatexPlaces:
    r"""How a character is written in a LaTeX document, which depends on the command around it.

    In the argument of ``\url``, ``_`` is a character; in text, it is one of mathematics. ``%`` and
    ``#`` need a backslash there too if the command is in the argument of another one. What ``\doi``
    does depends on the class; heuristic: it is what the other names of the document need.

    :param text: the document

    >>> places = LatexPlaces(r"\url{https://doi.org/10.1000/1}, 10.1000/2")
    >>> places(6)("a_b%"), places(33)("a_b%")
    ('a_b\\%', 'a\\_b\\%')
    """

    def __init__(self, text: str) -> None:
        self._text = text

    def __call__(self, at: int) -> Callable[[str], str]:
        """The function that escapes a text for an offset."""
        command = _COMMAND.search(self._text[max(0, at - _AWAY) : at])
        if command is None or (command["doi"] and not self._doi_as_it_is):
            return to_latex
        special = "" if command["path"] or command["verb"] else "%#"
        return partial(_with_backslashes, special=special)

    @cached_property
    def _doi_as_it_is(self) -> bool:
        found = _DOI_AS_IT_IS.search(self._text)
        return found is not None and not found["escape"]


def _with_backslashes(text: str, special: str) -> str:
    return "".join(f"\\{each}" if each in special else each for each in text)


_RD: Final = re.compile(r"\\([%{}\\])")


def of_rd(text: str) -> Iterator[tuple[int, int, str]]:
    r"""The escapes of R documentation.

    >>> list(of_rd(r"a\%b"))
    [(1, 3, '%')]
    """
    for found in _RD.finditer(text):
        yield *found.span(), found[1]


def to_rd(text: str) -> str:
    r"""A text as it stands in R documentation.

    >>> print(to_rd("a%b"))
    a\%b
    """
    return re.sub(r"[%{}\\]", r"\\\g<0>", text)


class Unescaped:
    """A stretch of a source, and the characters that it stands for.

    :param written: the stretch
    :param layers: the escapes of the format, the outermost first
    :ivar text: the characters

    >>> name = Unescaped("10.1000/a&amp;b", [references])
    >>> name.text, name.span(9, 10)
    ('10.1000/a&b', (9, 14))
    """

    def __init__(self, written: str, layers: Sequence[Escapes]) -> None:
        self.text = written
        self._layers: list[SourceText] = []
        for escapes in layers:
            layer = SourceText.of(self.text, escapes(self.text))
            self._layers.append(layer)
            self.text = layer.text

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where characters begin and end in the source."""
        for layer in reversed(self._layers):
            start, end = layer.span(start, end) if start < end else layer.span(start, start + 1)
        return start, end


# --------------------------------------------------------------------------------------------------
# Locates a text of a parser in the source, because parsers of markup keep lines but no columns.


class Locator:
    r"""Locates pieces of text in a source, in the order of the source.

    :param encoded: whether the source may contain entities, and the parser encodes targets of links

    >>> source = "a | b\nsee 10.1000/a\\_b and 10.1000/a\\_b"
    >>> locate = Locator(source, [0, 6])
    >>> locate.find("10.1000/a_b", 1, 2), locate.find("10.1000/a_b", 1, 2)
    ((10, 22), (27, 39))
    """

    def __init__(self, text: str, starts: Sequence[int], *, encoded: bool = False) -> None:
        self._text = text
        self._encoded = encoded
        self._starts = starts
        self._cursor = 0
        # This many more characters may be searched. The limit keeps the time linear.
        self._patience = _PATIENCE * (len(text) + _NEAR)

    def start(self, line: int) -> int:
        """The offset of a line, counted from 0; for a line after the last, the end of the text."""
        return self._starts[line] if line < len(self._starts) else len(self._text)

    def find(self, written: str, first: int, last: int) -> tuple[int, int]:
        """Start and end of ``written`` in the lines from ``first`` up to, not including, ``last``.

        The search begins after the piece that was found before. It also finds a text with
        characters that backslashes or entities stand for. If it finds nothing, the result is an
        empty piece at the beginning of the text of the first line.
        """
        for slack in (0, _SLACK):
            start, end = self.start(max(0, first - slack)), self.start(last + slack)
            after = max(start, self._cursor) if self._cursor < end else start
            # The text is nearly always near. A search to the end each time would take too long.
            at = self._text.find(written, after, min(end, after + _NEAR + len(written)))
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

    @cached_property
    def _loose(self) -> _Loose:
        return _Loose(self._text, self._encoded)

    def find_target(self, href: str, first: int, last: int) -> tuple[int, int]:
        """Start and end of the target of a link, which a parser may have encoded again."""
        start, end = self.find(href, first, last)
        if start == end:
            # The part up to the registrant code is never encoded.
            slash = href.find("/", href.find("10"))
            start, _ = self.find(href[: slash + 1], first, last)
            return start, start
        return start, end


_NEAR: Final = 4096
_PATIENCE: Final = 20
_SLACK: Final = 3  # lines; docutils counts the lines of a cell from the row before
# Only this many characters are compared in other spellings. The rest is assumed to be as long.
_LONGEST: Final = 300

# Characters in another spelling. Parsers encode the target of a link, and replace a NUL.
_CODED: Final = re.compile(rf"\0|(?>(?:%[0-9A-Fa-f]{{2}})+)|&{ENTITY}")
_NUL: Final = re.compile(r"\0")
# A line break may be followed by the mark of a block quote or cell. A space alone stays as it is.
_BACKSLASHES_OR_GAP: Final = re.compile(r"\\++|(?:[^\S ]| (?=[\s>|\\]))[\s>|\\]*+")
_BEFORE: Final = " >|"  # in the source, such a character may belong to a gap
_SPACE: Final = "\0"  # a space that was encoded, which is no part of a gap


class _Loose:
    r"""A source without the differences between it and what parsers make of it.

    It is compared as a whole. A pattern made of each text, with backslashes and spaces that may be
    repeated, would take exponential time.

    >>> _Loose(r"a\_b &amp; c", encoded=True).find("b & c", 0, 13)
    (3, 12)
    """

    def __init__(self, text: str, encoded: bool) -> None:
        self._text = text
        self._coded = _CODED if encoded else _NUL
        self._decoded = self._decode(text)
        self._bare = SourceText.of(self._decoded.text, _loosened(self._decoded.text))
        self._searched = self._bare.text.replace(_SPACE, " ")

    def _decode(self, text: str) -> SourceText:
        pieces = ((*found.span(), _character(found[0])) for found in self._coded.finditer(text))
        return SourceText.of(text, pieces)

    def find(self, written: str, start: int, end: int) -> tuple[int, int] | None:
        """Where a text of a parser is between two offsets."""
        first, last = (self._bare.offset(self._decoded.offset(at)) for at in (start, end))
        # In code, an entity is not the character that it stands for.
        for text in dict.fromkeys((written, self._decode(written).text)):
            bare = SourceText.of(text, _loosened(text)).text.replace(_SPACE, " ")
            bare = bare.lstrip(_BEFORE)[:_LONGEST]
            at = self._searched.find(bare, first, last) if bare else -1
            if at >= 0:
                found = self._decoded.span(*self._bare.span(at, at + len(bare)))
                return self._with_backslashes(written, *found, start, end)
        return None

    def _with_backslashes(
        self, written: str, first: int, last: int, start: int, end: int
    ) -> tuple[int, int]:
        """A place with the backslashes at its ends: each may be escaped by another one."""
        before = 2 * (len(written) - len(written.lstrip("\\"))) + 1
        while before and first > start and self._text[first - 1] == "\\":
            first, before = first - 1, before - 1
        after = 2 * (len(written) - len(written.rstrip("\\")))
        while after and last < end and self._text[last] == "\\":
            last, after = last + 1, after - 1
        return max(first, start), min(end, last + max(0, len(written) - _LONGEST))


def _character(coded: str) -> str:
    if coded == "\0":
        return "\ufffd"
    text = unquote(coded) if coded[0] == "%" else unescape(coded)
    return "".join(_SPACE if each.isspace() else each for each in text)


def _loosened(text: str) -> Iterator[tuple[int, int, str]]:
    for found in _BACKSLASHES_OR_GAP.finditer(text):
        yield *found.span(), "" if found[0][0] == "\\" else " "

"""Reads only the docstrings and comments of Python programs.

A docstring is reStructuredText, as Sphinx reads it. A docstring without markup is plain text.
Comments are plain text, and comments on consecutive lines are one text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from ..core.found import MARK, REST_COMMENTS, Found, Silence, silences_in
from ..core.options import Options
from ..core.scan import may_contain_doi
from ..core.text import SourceText
from . import rest
from .files import Unread
from .found import Lines, begin, read_prose
from .literals import Token, docstrings, parts, syntax_tree, tokens
from .sieve import may_contain_name
from .types import HASH_COMMENTS

# Characters that may be markup or begin it [reST]. A name with `_` inside is not markup.
_MARKUP: Final = re.compile(r"[`*|\\]|::|>>>|_(?!\w)|^[ \t]*(?:\.\.(?:\s|\Z)|:)", re.MULTILINE)
_MARK: Final = re.compile(r"#*+:?[ \t]*+")  # the beginning of a comment; Sphinx reads `#:`


def read(text: str, options: Options, *, cython: bool = False) -> Iterator[Found | Unread]:
    """Every DOI of a program.

    :param cython: whether the program is in Cython. Its comments and strings in triple quotes are
        read, as in a program that does not parse
    """
    holds = partial(may_contain_doi, arxiv=options.arxiv)
    if not holds(text):
        return
    found: list[Found | Unread] = []
    strings = False
    run: list[Token] = []  # comments on consecutive lines
    for token in tokens(text):
        if token.quote:
            strings = strings or holds(text[token.first : token.last])
        elif run and _continues(text, run[-1], token):
            run.append(token)
        else:
            found += _comment(text, run, options)
            run = [token]
    found += _comment(text, run, options)
    if strings:
        groups, unread = documentation(text, holds, cython=cython)
        if unread:
            yield unread
        for group in groups:
            found += _docstring(text, group, options)
    yield from sorted(found, key=_begin)


def read_cython(text: str, options: Options) -> Iterator[Found | Unread]:
    """Every DOI of a program in Cython."""
    return read(text, options, cython=True)


def _begin(found: Found | Unread) -> int:
    return begin(found) if isinstance(found, Found) else found.at


def documentation(
    text: str, holds: Callable[[str], bool], *, cython: bool = False
) -> tuple[Iterable[list[Token]], Unread | None]:
    """The literals of each docstring of a program, and why it does not parse, if so.

    Several literals may form one string. Of a program that does not parse, or is in Cython, these
    are the strings in triple quotes.

    :param holds: whether a string matters
    """
    unread = None
    if not cython:
        try:
            return _documentation(text, holds), None
        except ValueError as error:
            reason = (
                f"not read as Python ({error}), but comments and strings in triple quotes are read"
            )
            unread = Unread(0, reason)
    triple = (token for token in tokens(text) if len(token.quote) > 1 and "b" not in token.prefix)
    return ([token] for token in triple if holds(text[token.first : token.last])), unread


def _documentation(text: str, holds: Callable[[str], bool]) -> list[list[Token]]:
    """The literals of each docstring.

    :raises ValueError: if the program does not parse
    """
    # Python takes a carriage return for the end of a line, but this module does not.
    tree = syntax_tree(text.replace("\r", " "))
    starts = Lines(text).starts
    ends = [*starts[1:], len(text)]

    def offset(line: int, octets: int) -> int:
        start = starts[line - 1]
        # A line of this many octets has at most this many characters.
        written = text[start : min(ends[line - 1], start + octets)]
        if written.isascii():
            return start + octets
        return start + len(written.encode()[:octets].decode())

    groups = []
    for string in docstrings(tree):
        start = offset(string.lineno, string.col_offset)
        end = offset(string.end_lineno or string.lineno, string.end_col_offset or 0)
        if holds(text[start:end]):
            groups.append([token for token in tokens(text, start, end) if token.quote])
    return groups


def _docstring(text: str, literals: Sequence[Token], options: Options) -> Iterator[Found]:
    value = SourceText.from_parts(part for token in literals for part in parts(text, token))
    if not may_contain_name(value.text, "rst", options.arxiv):
        return
    clean = SourceText.of(value.text, _margin(value.text))
    if _MARKUP.search(clean.text):
        found = rest.read(clean.text, options, metadata=False)
    else:
        found = read_prose(clean.text, options)
    for each in found:
        start, end = each.span or (0, 0)
        first, _ = value.span(*clean.span(start, start + 1))
        _, last = value.span(*clean.span(end - 1, end)) if start < end else (0, first)
        yield replace(each, span=(first, last))


_INDENTATION: Final = re.compile(r"^[ \t]*+(?=[^\s])", re.MULTILINE)


def _margin(text: str) -> Iterator[tuple[int, int, str]]:
    """The margin of each line of a docstring [PEP 257, "Handling Docstring Indentation"]."""
    lines = [found.span() for found in _INDENTATION.finditer(text)]
    margin = min((end - start for start, end in lines if start), default=0)
    for start, end in lines:
        yield start, end if start == 0 else start + margin, ""


def _continues(text: str, before: Token, token: Token) -> bool:
    """Tell whether only the end of a line is between two comments."""
    between = text[before.end : token.start]
    return between.isspace() and between.count("\n") == 1


def _comment(text: str, group: Sequence[Token], options: Options) -> Iterator[Found]:
    """The DOIs in comments on consecutive lines."""
    if not group or not may_contain_doi(text[group[0].start : group[-1].end], options.arxiv):
        return
    pieces = []
    for token in group:
        mark = _MARK.match(text, token.first, token.last)
        first = mark.end() if mark else token.first
        pieces += [(text[first : token.end], first, token.end), ("\n", token.end, token.end + 1)]
    whole = SourceText.from_parts(pieces)
    for each in read_prose(whole.text, options):
        yield replace(each, span=whole.span(*each.span) if each.span else None)


_CHARACTER: Final = re.compile(r"[^\n]")


def comments(text: str, file: str | None, *, cython: bool = False) -> Iterator[Silence]:
    """The comments for the check in comments of a program, and in the reST of its docstrings."""
    pieces, at = [], 0
    for token in tokens(text):
        # A `#` in a string does not begin a comment.
        if token.quote and text.find(MARK, token.first, token.last) >= 0:
            hidden = _CHARACTER.sub("x", text[token.first : token.last])
            pieces += [text[at : token.first], hidden]
            at = token.last
    yield from silences_in("".join([*pieces, text[at:]]), HASH_COMMENTS, file)
    if not pieces:
        return
    lines = Lines(text)
    groups, _ = documentation(text, lambda string: MARK in string, cython=cython)
    for token in (each for group in groups for each in group):
        before = lines.place(token.first)[0] - 1
        silences = silences_in(text[token.first : token.last], REST_COMMENTS, file)
        yield from (each.moved(before) for each in silences)


def comments_of_cython(text: str, file: str | None) -> Iterator[Silence]:
    """The same in a program in Cython."""
    return comments(text, file, cython=True)

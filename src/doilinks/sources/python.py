"""Reads only the docstrings and comments of Python programs.

A docstring is reStructuredText, as Sphinx reads it. A docstring without markup is plain text.
Comments are plain text, and comments on consecutive lines are one text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from ..core.found import Found
from ..core.options import Options
from ..core.scan import may_hold_doi
from ..core.text import SourceText
from . import plain, rest
from .docstrings import docstrings, syntax_tree
from .errors import Unread
from .found import Lines, begin
from .literals import Token, parts, tokens
from .sieve import may_hold_name

__all__ = ["read"]

# Characters that may be markup or begin it [reST]. A name with `_` inside is not markup.
_MARKUP: Final = re.compile(r"[`*|\\]|::|>>>|_(?!\w)|^[ \t]*(?:\.\.(?:\s|\Z)|:)", re.MULTILINE)
_MARK: Final = re.compile(r"#*+:?[ \t]*+")  # the beginning of a comment; Sphinx reads `#:`


def read(text: str, options: Options, *, cython: bool = False) -> Iterator[Found | Unread]:
    """Every DOI of a program.

    :param cython: whether the program is in Cython. Its comments and strings in triple quotes are
        read, as in a program that does not parse
    """
    if not may_hold_doi(text):
        return
    found: list[Found | Unread] = []
    strings: list[Token] = []
    comments: list[Token] = []  # comments on consecutive lines
    for token in tokens(text):
        if token.quote:
            if may_hold_doi(text[token.first : token.last]):
                strings.append(token)
        elif comments and _continues(text, comments[-1], token):
            comments.append(token)
        else:
            found += _comment(text, comments, options)
            comments = [token]
    found += _comment(text, comments, options)
    if strings:
        try:
            groups = _in_quotes(strings) if cython else _documentation(text)
        except _DoesNotParse as error:
            yield error.args[0]
            groups = _in_quotes(strings)
        for group in groups:
            found += _docstring(text, group, options)
    yield from sorted(found, key=_begin)


def _begin(found: Found | Unread) -> int:
    return begin(found) if isinstance(found, Found) else found.at


class _DoesNotParse(Exception):
    pass


def _in_quotes(strings: Sequence[Token]) -> list[list[Token]]:
    triple = (token for token in strings if len(token.quote) > 1)
    return [[token] for token in triple if "b" not in token.prefix]


def _documentation(text: str) -> list[list[Token]]:
    """The literals of each docstring of a program. Several literals may form one string.

    :raises _DoesNotParse: if the program does not parse
    """
    try:
        # Python takes a carriage return for the end of a line, but this module does not.
        tree = syntax_tree(text.replace("\r", " "))
    except ValueError as error:
        reason = f"not read as Python ({error}), but comments and strings in triple quotes are read"
        raise _DoesNotParse(Unread(0, reason)) from error
    starts = Lines(text).starts
    ends = [*starts[1:], len(text)]

    def offset(line: int, octets: int) -> int:
        start = starts[line - 1]
        # A line of so many octets has at most so many characters.
        written = text[start : min(ends[line - 1], start + octets)]
        if written.isascii():
            return start + octets
        return start + len(written.encode()[:octets].decode())

    groups = []
    for string in docstrings(tree):
        start = offset(string.lineno, string.col_offset)
        end = offset(string.end_lineno or string.lineno, string.end_col_offset or 0)
        if may_hold_doi(text[start:end]):
            groups.append([token for token in tokens(text, start, end) if token.quote])
    return groups


def _docstring(text: str, literals: Sequence[Token], options: Options) -> Iterator[Found]:
    value = SourceText.from_parts(part for token in literals for part in parts(text, token))
    if not may_hold_name(value.text, "rst"):
        return
    clean = SourceText.of(value.text, _margin(value.text))
    if _MARKUP.search(clean.text):
        found = rest.read(clean.text, options, metadata=False)
    else:
        found = plain.read(clean.text, options)
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
    if not group or not may_hold_doi(text[group[0].start : group[-1].end]):
        return
    pieces = []
    for token in group:
        mark = _MARK.match(text, token.first, token.last)
        first = mark.end() if mark else token.first
        pieces += [(text[first : token.end], first, token.end), ("\n", token.end, token.end + 1)]
    whole = SourceText.from_parts(pieces)
    for each in plain.read(whole.text, options):
        yield replace(each, span=whole.span(*each.span) if each.span else None)

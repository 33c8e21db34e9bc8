"""Reads the docstrings and comments of Julia programs, both as Markdown.

A docstring is a string that stands alone before a definition, and in ``@doc``. Documenter and the
help of Julia read it as Markdown (https://docs.julialang.org/en/v1/manual/documentation/). Authors
write links of Markdown in comments too. Other strings do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ...core.found import Found
from ...core.options import Options
from ...core.text import SourceText
from . import markdown
from .prose import begin, may_contain_any_or_role, may_contain_name
from .python import Token, as_one, continues, in_program, margin, parts

# A quote after a name or a bracket transposes; elsewhere, it begins a character. A comment between
# `#=` and `=#` may contain others, which hardly anybody writes.
_TOKEN: Final = re.compile(
    r"""
      \#=(?P<block>(?s:.*?))(?:=\#|\Z)
    | \#++[ \t]*+(?P<line>[^\n]*+)
    | (?P<prefix>\b[A-Za-z]\w{0,20}+)?(?P<quote>\"{3}|\")
    | (?<![\w)\]}'.])'(?:\\[^'\n]{1,10}|[^'\\\n])'
    """,
    re.VERBOSE,
)
_CONTENT: Final = {
    '"': re.compile(r'(?:[^"\\]++|\\.)*+', re.DOTALL),
    '"""': re.compile(r'(?:[^"\\]++|\\.|"(?!""))*+', re.DOTALL),
}
# What is before a docstring, and after one that has no `@doc`.
_BEFORE: Final = re.compile(r"(?:\A|\n)[ \t]*+(?P<doc>@doc[ \t]++)?(?:raw|md|doc)?\Z")
_AFTER: Final = re.compile(r"[ \t]*+(?:\n|\#|\Z)")
_NEAR: Final = 80


def read(text: str, options: Options) -> Iterator[Found]:
    """Every DOI of a program."""
    if not may_contain_any_or_role(text, options):
        return
    found: list[Found] = []
    run: list[tuple[int, int]] = []  # comments on consecutive lines
    at = 0
    while token := _TOKEN.search(text, at):
        start, at = token.span()
        if token["line"] is not None:
            if run and not continues(text, run[-1][1], start):
                found += _comment(text, run, options)
                run = []
            run.append(token.span("line"))
        elif token["block"] is not None:
            found += _comment(text, [token.span("block")], options)
        elif quote := token["quote"]:
            content = _CONTENT[quote].match(text, at)
            last = content.end() if content else at
            string = Token(start, last, at, last, quote, token["prefix"] or "")
            at = last + len(quote) if text.startswith(quote, last) else last
            before = text[max(0, token.start("quote") - _NEAR) : token.start("quote")]
            alone = _BEFORE.search(before)
            if alone and (alone["doc"] or _AFTER.match(text, at)):
                found += _docstring(text, string, options)
    found += _comment(text, run, options)
    yield from sorted(found, key=begin)


def _comment(text: str, run: Sequence[tuple[int, int]], options: Options) -> Iterator[Found]:
    yield from _names(as_one(text, run), options)


def _docstring(text: str, string: Token, options: Options) -> Iterator[Found]:
    yield from _names(SourceText.from_parts(parts(text, string)), options)


def _names(value: SourceText, options: Options) -> Iterator[Found]:
    """The names of a text of Markdown, which may have a margin."""
    if not may_contain_name(value.text, "md", options):
        return
    clean = SourceText.of(value.text, margin(value.text))
    yield from in_program(markdown.read(clean.text, options), clean, value)

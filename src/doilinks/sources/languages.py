"""Reads the comments and documentation strings of programs in any language that Pygments knows.

Comments are plain text, and comments on consecutive lines are one text. A documentation string is
one before a definition of Julia, which reads it as Markdown
(https://docs.julialang.org/en/v1/manual/documentation/), or a docstring of Cython, which Sphinx
reads as one of Python. All other strings are values, and do not count.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final

from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, String

from ..core.found import Found, IgnoreComment, silences_in
from ..core.link import may_contain
from ..core.options import Options
from .common import begin, placed, read_prose
from .files import Unread
from .python import CONTENT, Token, as_one, docstring, end_of, last_before, runs
from .types import DOCUMENTED, PROGRAM_COMMENTS

# Characters of the longest program that is read: Pygments reads half a million in a second.
LARGEST: Final = 2_000_000
_LONG: Final = f"not read, because it is longer than {LARGEST / 1e6:.0f} million characters"
# Some lexers take quadratic time on hostile text, so the processor time is limited, in seconds: to
# ten times what real programs take.
_SECONDS: Final = 0.5
_PER_CHARACTER: Final = 2e-5
_OFTEN: Final = 256  # characters between two looks at the time, each of which takes a system call
_SLOW: Final = "not read from here on, because that takes too long"
_CODE: Final = re.compile(r"\S")  # hidden, so that a comment stands alone or beside code
# What is around the text of a line of a comment: the marks of all languages, with those of Doxygen
# and Haddock.
_MARK: Final = re.compile(r"[ \t]*+(?:[/*#%!;{=-]++[<>|^]?)?[ \t]*+")
_ENDS: Final = ("*/", "-}", "=#", "%}", "*)", "]]")
_QUOTE: Final = re.compile(r"\"\"\"|'''|\"")  # the beginning of a string of Julia
# In Julia, a string may have line ends.
_CONTENT: Final = CONTENT | {'"': re.compile(r'(?:[^"\\]++|\\.)*+', re.DOTALL)}
# Code that the next line goes on.
_GOES_ON: Final = re.compile(r"[-+*/\\^%=<>&|?,~$]\Z|\A(?:return|in|isa)\Z")
# What is before a documentation string of Julia, and, unless that is `@doc`, after it: the end of
# its line and a definition, or the name of what is documented.
_BEFORE: Final = re.compile(r"(?:\A|\n)[ \t]*+(?P<doc>@doc[ \t]++)?(?P<prefix>raw|md|doc)?\Z")
_NEAR: Final = 80
# A line of one word in MATLAB.
_WORD_ALONE: Final = re.compile(r"^([ \t]*+[A-Za-z]\w*+)\s(?=[ \t]*(?:\n|%(?!\{)))", re.MULTILINE)
# What a string of Julia documents: a definition in the next line.
_DEFINITION: Final = re.compile(
    r"""(?x)[ \t]*+(?:\#[^\n]*+)?\n[ \t]*+
    (?:(?:function|macro|mutable|struct|const|(?:bare)?module|abstract|primitive|global)\b|[@(:]
      |(?!(?:end|else|elseif|catch|finally|return|if|for|while)\b)
       \w[\w.!]*+(?:\{[^\n]{0,200}?\})?[ \t]*+(?:\(|=(?!=)|::|\n|\Z|:))"""
)


def read(text: str, options: Options, lexer: str) -> Iterator[Found | Unread]:
    """Find every DOI of a program."""
    if not may_contain(text, options, roles=True):
        return
    places: list[Found | Unread] = []
    comments: list[Token] = []
    for token in _tokens(text, lexer, _last_sign(text, options)):
        if isinstance(token, Unread):
            places.append(token)
        elif token.quote:
            places += docstring(text, [token], options, kind="md" if lexer == "julia" else "rst")
        else:
            comments.append(token)
    for run in runs(text, comments):
        places += _comment(text, run[0].start, run[-1].end, options)
    yield from sorted(places, key=begin)


def _last_sign(text: str, options: Options) -> int:
    """Return an offset after which no comment with a name begins."""
    last = max(map(text.rfind, ("10", "doi", "Doi", "DOI")))
    return len(text) if may_contain(text[last + 2 :], options) else last


def comments(text: str, file: str | None, lexer: str) -> Iterator[IgnoreComment]:
    """Yield the comments for the check. What looks like one in a string does not count."""
    shown, at = [], 0
    for token in _comments(text, lexer):
        shown += [_CODE.sub("x", text[at : token.start]), text[token.start : token.end]]
        at = token.end
    yield from silences_in("".join([*shown, _CODE.sub("x", text[at:])]), PROGRAM_COMMENTS, file)


def in_comment(text: str, lexer: str) -> Callable[[tuple[int, int, str]], bool]:
    """Build a function that tells whether an edit of a program begins in a comment."""
    before = last_before([*_comments(text, lexer)])
    return lambda edit: (comment := before(edit[0])) is not None and edit[0] < comment.end


def _comments(text: str, lexer: str) -> Iterator[Token]:
    for token in _tokens(text, lexer):
        if isinstance(token, Token) and not token.quote:
            yield token


def _comment(text: str, at: int, end: int, options: Options) -> Iterator[Found]:
    written, spans = text[at:end], []
    if not may_contain(written, options):
        return
    for line in written.splitlines(keepends=True):
        shown = line.rstrip()
        if shown.endswith(_ENDS):
            shown = shown[:-2].rstrip("* \t")
        spans.append((at + min(end_of(_MARK, line, 0), len(shown)), at + len(shown)))
        at += len(line)
    whole = as_one(text, spans)
    # Quickbook, in which Boost writes, has links such as [@https://doi.org/10.1000/182 text].
    yield from placed(read_prose(whole.text.replace("[@http", "[ http"), options), whole)


@cache
def _sort(kind: Any) -> tuple[bool, bool]:
    """Tell whether a kind of tokens is a comment, and whether it is a string."""
    is_code = kind in Comment.Preproc or kind in Comment.PreprocFile
    return kind in Comment and not is_code, kind in String


def _tokens(text: str, lexer: str, last_sign: int = sys.maxsize) -> Iterator[Token | Unread]:
    """Yield the comments and documentation strings of a program, as Pygments finds them.

    If only comments count, it ends with those on the lines after ``last_sign``.
    """
    if len(text) > LARGEST:
        yield Unread(0, _LONG)
        return
    # Many lexers see no comment in a last line without an end. That of MATLAB takes what is after a
    # line of one word for arguments of a command.
    text = text.replace("\r\n", " \n").replace("\r", "\n") + "\n"
    text = _WORD_ALONE.sub(r"\1;", text) if lexer == "matlab" else text
    made = get_lexer_by_name(lexer)  # before its time begins: that of Scala compiles for long
    latest = time.process_time() + _SECONDS + _PER_CHARACTER * len(text)
    documented = lexer in DOCUMENTED
    # How many brackets are open; the code before; where a string ends; when to look at the time.
    depth, code, after, look = 0, "", 0, 0
    for at, kind, value in made.get_tokens_unprocessed(text):
        if at >= look:
            look = at + _OFTEN
            if time.process_time() > latest:
                yield Unread(at, _SLOW)
                return
        # The lexer of Fortran in fixed form gives wrong offsets for what is not a whole line.
        if at < after or not text.startswith(value, at):
            continue
        after = at + len(value)
        is_comment, is_string = _sort(kind)
        if is_comment or (not documented and kind is String.Doc):  # that of Rust is a comment
            yield Token(at, after, at, after)
            continue
        if not documented:
            if at > last_sign and value.strip():
                return
            continue
        quote = _QUOTE.match(value) if is_string else None
        if quote and (kind is String.Doc or (lexer == "julia" and value == quote[0])):
            # To Pygments, what is put into a string of Julia is none of it.
            code_before, code, first = code, quote[0], at + len(quote[0])
            last = end_of(_CONTENT[code], text, first)
            after = last + len(code) if text.startswith(code, last) else last
            alone = depth == 0 and not _GOES_ON.search(code_before)
            before = _BEFORE.search(text[max(0, at - _NEAR) : at])
            if lexer == "julia":
                # A colon may be that of a choice; in Cython it begins a block.
                defines = alone and code_before[-1:] != ":" and _DEFINITION.match(text, after)
                alone = before is not None and bool(before["doc"] or defines)
            if alone:
                raw = "r" if before and before["prefix"] else ""
                yield Token(at, after, first, last, code, raw)
        elif is_string:
            code = quote[0] if quote else '"'
        elif value.strip():
            code = value.rstrip()
            if not value.isalnum():
                depth += sum(map(value.count, "([{")) - sum(map(value.count, ")]}"))
                depth = max(0, depth)

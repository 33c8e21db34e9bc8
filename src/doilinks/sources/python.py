"""Reads only the docstrings and comments of Python programs.

A docstring is reStructuredText, as Sphinx reads it. A docstring without markup is plain text.
Comments are plain text, and comments on consecutive lines are one text.
"""

from __future__ import annotations

import ast
import re
import sys
import warnings
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain
from typing import Final, NamedTuple

from ..core.found import MARK, REST_COMMENTS, Found, IgnoreComment, silences_in
from ..core.link import may_contain, may_contain_publisher
from ..core.options import Options
from ..core.scan import may_contain_doi
from ..core.text import Part, SourceText
from .common import CHARACTER, Lines, begin, placed, read_prose
from .escapes import parts_of
from .files import Unread
from .sieve import may_contain_name
from .types import HASH_COMMENTS

# Characters that may be markup or begin it [reST]. A name with `_` inside is not markup.
_MARKUP: Final = re.compile(r"[`*|\\]|::|>>>|_(?!\w)|^[ \t]*(?:\.\.(?:\s|\Z)|:)", re.MULTILINE)
_MARK: Final = re.compile(r"#*+:?[ \t]*+")  # the beginning of a comment; Sphinx reads `#:`
# A line after this one that is no comment.
_NEW_CODE: Final = re.compile(r"\n(?![ \t]*#)")
_INDENTATION: Final = re.compile(r"^[ \t]*+(?=[^\s])", re.MULTILINE)


def read(text: str, options: Options) -> Iterator[Found | Unread]:
    """Find every DOI of a program."""
    holds = partial(may_contain, options=options, roles=True)
    if not holds(text):
        return
    places: list[Found | Unread] = []
    comments, strings = [], False
    for token in tokens(text):
        if token.quote:
            strings = strings or holds(text[token.first : token.last])
        else:
            comments.append(token)
    for run in runs(text, comments):
        places += _comment(text, run, options)
    if strings:
        groups, unread = documentation(text, holds)
        if unread:
            yield unread
        for group in groups:
            places += docstring(text, group, options)
    yield from sorted(places, key=begin)


def documentation(
    text: str, holds: Callable[[str], bool]
) -> tuple[Iterable[list[Token]], Unread | None]:
    """Find the literals of each docstring that matters, and why parsing failed, if it did.

    Several literals may form one string. Of a program that does not parse, these are the strings in
    triple quotes.
    """
    try:
        # Python takes a carriage return for the end of a line, but this module does not.
        tree = syntax_tree(text.replace("\r", " "))
    except ValueError as error:
        reason = f"not read as Python ({error}), but comments and strings in triple quotes are read"
        triple = (each for each in tokens(text) if len(each.quote) > 1 and "b" not in each.prefix)
        return ([each] for each in triple if holds(text[each.first : each.last])), Unread(0, reason)
    starts = Lines(text).starts

    def offset(line: int, octets: int) -> int:
        start = starts[line - 1]
        # So many octets are at most so many characters.
        return start + len(text[start : start + octets].encode()[:octets].decode())

    groups = []
    for string in docstrings(tree):
        start = offset(string.lineno, string.col_offset)
        end = offset(string.end_lineno or string.lineno, string.end_col_offset or 0)
        if holds(text[start:end]):
            groups.append([token for token in tokens(text, start, end) if token.quote])
    return groups, None


def in_documentation(text: str) -> Callable[[tuple[int, int, str]], bool]:
    """Build a function that tells whether an edit stays in its comment or docstring.

    It replaces nothing that may end a string, and puts nothing there that may, so the program does
    the same. Of a program that does not parse, every string may be a value.
    """
    groups, unread = documentation(text, lambda _string: True)
    strings = () if unread else (token for group in groups for token in group)
    before = last_before(sorted([*strings, *(each for each in tokens(text) if not each.quote)]))

    def is_in(edit: tuple[int, int, str]) -> bool:
        start, end, new = edit
        token = before(start)
        if token is None or not token.first <= start <= end <= token.last:
            return False
        if not token.quote:
            return _NEW_CODE.search(new) is None
        ends = "\"'\\" if len(token.quote) > 1 else "\"'\\\n"
        return set(ends).isdisjoint(text[start:end] + new)

    return is_in


def docstring(
    text: str, literals: Sequence[Token], options: Options, *, kind: str = "rst"
) -> Iterator[Found]:
    """Yield the names of a docstring, which may have several literals, with their places."""
    value = SourceText.from_parts(part for token in literals for part in parts(text, token))
    if not may_contain_name(value.text, kind, options):
        return
    clean = SourceText.of(value.text, _margin(value.text))
    if kind == "md":
        from . import markdown  # markdown-it-py takes long to import

        found = markdown.read(clean.text, options)
    elif _MARKUP.search(clean.text) or may_contain_publisher(clean.text, options):
        from . import rest  # docutils takes long to import, and `doilinks fix` needs literals alone

        found = rest.read(clean.text, options, metadata=False)
    else:
        found = read_prose(clean.text, options)
    yield from placed(placed(found, clean), value)


def _margin(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the margins of a docstring [PEP 257, "Handling Docstring Indentation"]."""
    lines = [found.span() for found in _INDENTATION.finditer(text)]
    margin = min((end - start for start, end in lines if start), default=0)
    for start, end in lines:
        yield start, end if start == 0 else start + margin, ""


def runs(text: str, comments: Iterable[Token]) -> Iterator[list[Token]]:
    """Yield the comments of one kind between which there is nothing but the end of a line."""
    run: list[Token] = []
    for token in comments:
        between = text[run[-1].end : token.start] if run else ""
        is_next = not between or (between.isspace() and between.count("\n") == 1)
        if run and not (is_next and run[-1].prefix == token.prefix):
            yield run
            run = []
        run.append(token)
    if run:
        yield run


def as_one(text: str, comments: Iterable[tuple[int, int]]) -> SourceText:
    """Join comments on consecutive lines to one text, with its places in the program."""
    pieces: list[Part] = []
    for first, last in comments:
        pieces += [(text[first:last], first, last), ("\n", last, last + 1)]
    return SourceText.from_parts(pieces)


def _comment(text: str, run: Sequence[Token], options: Options) -> Iterator[Found]:
    if not may_contain_doi(text[run[0].start : run[-1].end], options.arxiv):
        return
    whole = as_one(text, ((end_of(_MARK, text, each.first), each.end) for each in run))
    yield from placed(read_prose(whole.text, options), whole)


def comments(text: str, file: str | None) -> Iterator[IgnoreComment]:
    """Yield the comments for the check in comments of a program and in reST of docstrings."""
    # A `#` in a string does not begin a comment.
    strings = [(each.first, each.last) for each in tokens(text) if each.quote]
    marked = [span for span in strings if text.find(MARK, *span) >= 0]
    pieces = ((*span, CHARACTER.sub("x", text[slice(*span)])) for span in marked)
    yield from silences_in(SourceText.of(text, pieces).text, HASH_COMMENTS, file)
    if not marked:
        return
    lines = Lines(text)
    groups, _ = documentation(text, lambda string: MARK in string)
    for token in chain.from_iterable(groups):
        before = lines.place(token.first)[0] - 1
        silences = silences_in(text[token.first : token.last], REST_COMMENTS, file)
        yield from (each.moved(before) for each in silences)


# --------------------------------------------------------------------------------------------------
# Finds the comments and string literals of a Python program, and decodes the literals.
#
# ``tokenize`` cannot be used, because it stops at the first error in a program and differs from
# version to version of Python. This module follows "String and Bytes literals" in the language
# reference (https://docs.python.org/3/reference/lexical_analysis.html).


class Token(NamedTuple):
    """A comment or a string literal, by its offsets."""

    start: int
    end: int
    first: int  # of its content, after `#` or the opening quote
    last: int
    quote: str = ""  # that opens it; empty for a comment
    prefix: str = ""  # the letters before the quote, in lower case; of a comment, its kind


_PREFIX: Final = re.compile(r"(?<!\w)[rbuft]{1,2}\Z", re.IGNORECASE)
LINE: Final = re.compile(r"[^\n]*+")  # the rest of a line
# A literal in single quotes ends with its line at the latest, even if it is not closed.
CONTENT: Final = {
    "'": re.compile(r"(?:[^'\\\n]++|\\.)*+", re.DOTALL),
    '"': re.compile(r'(?:[^"\\\n]++|\\.)*+', re.DOTALL),
    "'''": re.compile(r"(?>(?:[^'\\]++|\\.|'(?!''))*)", re.DOTALL),
    '"""': re.compile(r'(?>(?:[^"\\]++|\\.|"(?!""))*)', re.DOTALL),
}
# A comment, or a literal, whose content is a group. The longer quotes come first.
_LITERALS: Final = (f"{each}({CONTENT[each].pattern})(?:{each})?" for each in reversed(CONTENT))
_TOKEN: Final = re.compile("|".join(["#[^\n]*+", *_LITERALS]), re.DOTALL)


def tokens(text: str, at: int = 0, stop: int = sys.maxsize) -> Iterator[Token]:
    """Yield every comment and string literal, in order.

    Here, a quotation mark in the braces of an f-string ends the f-string, as it did before Python
    3.12. These marks come in pairs, so the text after the f-string is read correctly.
    """
    for found in _TOKEN.finditer(text, at, stop):
        start, end = found.span()
        if found.lastindex is None:
            yield Token(start, end, start + 1, end)
            continue
        first, last = found.span(found.lastindex)
        has_letter = text[max(0, start - 1) : start].isalpha()
        prefix = has_letter and _PREFIX.search(text, max(0, start - 3), start)
        letters = prefix[0] if prefix else ""
        yield Token(start - len(letters), end, first, last, text[start:first], letters.lower())


def end_of(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Return the end of the match of a pattern at an offset; the offset if there is none."""
    found = pattern.match(text, at)
    return found.end() if found else at


def last_before(tokens: Sequence[Token]) -> Callable[[int], Token | None]:
    """Build a function that gives the last token that begins at or before an offset."""
    starts = [each.start for each in tokens]
    return lambda at: tokens[number - 1] if (number := bisect_right(starts, at)) else None


_ESCAPE: Final = re.compile(
    r"(?s)\\(?:[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}\n]+\}|.)"
)


def parts(text: str, token: Token) -> Iterator[Part]:
    """Yield the text that a string literal stands for, in parts with places in the program."""
    escapes = () if "r" in token.prefix else _ESCAPE.finditer(text, token.first, token.last)
    values = ((*escape.span(), _value(escape[0])) for escape in escapes)
    return parts_of(text, token.first, token.last, values)


@lru_cache(maxsize=4096)  # no program escapes this many different characters
def _value(escape: str) -> str:
    """Return the character that an escape stands for, or a text that is no escape as it is."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return str(ast.literal_eval(f'"{escape}"'))
    except (SyntaxError, ValueError):
        return escape


# Characters of the longest program that is parsed. In a syntax tree, each takes 60 bytes of memory,
# and up to 110 if the program consists of short functions.
LARGEST: Final = 2_000_000

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def syntax_tree(text: str) -> ast.Module:
    """Parse a program to its syntax tree; a ``ValueError`` says why it cannot be parsed."""
    if len(text) > LARGEST:
        raise ValueError(f"it is longer than {LARGEST / 1e6:.0f} million characters")
    if "\0" in text:  # the message of Python differs from version to version
        raise ValueError("it contains a null character")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # such as warnings of escapes in this program
            return ast.parse(text)
    except SyntaxError as error:
        raise ValueError(f"{error.msg}, line {error.lineno or 1}") from error
    except UnicodeError as error:
        raise ValueError("it contains half of a surrogate pair") from error
    except (MemoryError, RecursionError) as error:  # the parser's stack is full
        raise ValueError("it is nested too deeply") from error


def docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    """Yield docstrings of modules, classes and functions, and the strings after attributes.

    A string after an attribute counts if Sphinx shows it, which is so after an assignment in a
    module, a class or ``__init__`` [Sphinx: autoattribute].
    """
    for statement in tree.body:  # at the top of a module, it is the docstring of the module
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "__doc__":
            value = statement.value
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield value
    yield from filter(None, map(string_of, tree.body[:1]))
    todo: list[tuple[Sequence[ast.stmt], bool]] = [(tree.body, True)]
    while todo:
        body, is_read = todo.pop()
        for at, statement in enumerate(body):
            if isinstance(statement, ast.ClassDef | _Function):
                yield from filter(None, map(string_of, statement.body[:1]))
                is_shown = not isinstance(statement, _Function) or statement.name == "__init__"
                todo.append((statement.body, is_shown))
                continue
            is_after = at > 0 and isinstance(body[at - 1], ast.Assign | ast.AnnAssign)
            if is_read and is_after and (string := string_of(statement)):
                yield string
            elif isinstance(statement, ast.Expr):
                yield from added(statement.value)
            # The bodies of `if`, `for`, `try`, `match` and others.
            inner = [getattr(statement, name, ()) for name in ("body", "orelse", "finalbody")]
            cases = (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ()))
            todo += ((each, is_read) for each in (*inner, *(part.body for part in cases)) if each)


def added(node: ast.AST) -> Iterator[ast.Constant]:
    """Yield the documentation that a call of ``add_newdoc`` gives to an object of C.

    Heuristic: the name is enough [NumPy: numpy.lib.add_newdoc]. It is the last argument: a string,
    or pairs of a name and a string.
    """
    if not (isinstance(node, ast.Call) and node.args):
        return
    if getattr(node.func, "attr", getattr(node.func, "id", "")) != "add_newdoc":
        return
    parts = list(ast.walk(node.args[-1]))
    if all(isinstance(each, ast.Constant | ast.List | ast.Tuple | ast.Load) for each in parts):
        strings = (each for each in parts if isinstance(each, ast.Constant))
        yield from (each for each in strings if isinstance(each.value, str))


def string_of(node: object) -> ast.Constant | None:
    """Return the string that a node is as a statement, or None."""
    value = node.value if isinstance(node, ast.Expr) else None
    return value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None

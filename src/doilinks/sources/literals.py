"""Finds the comments and string literals of a Python program, and decodes the literals.

``tokenize`` cannot be used, because it stops at the first error in a program and differs from
version to version of Python. This module follows "String and Bytes literals" in the language
reference (https://docs.python.org/3/reference/lexical_analysis.html).
"""

from __future__ import annotations

import ast
import re
import unicodedata
import warnings
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ..core.text import Part


class Token(NamedTuple):
    """A comment or a string literal.

    :ivar start: the offset of the token
    :ivar end: the offset after the token
    :ivar first: the offset of its content, after ``#`` or the opening quote
    :ivar last: the offset after its content
    :ivar quote: the opening quote; empty for a comment
    :ivar prefix: the letters before the quote, in lower case
    """

    start: int
    end: int
    first: int
    last: int
    quote: str = ""
    prefix: str = ""


_BEGIN: Final = re.compile(r"#|\"\"\"|'''|[\"']")
_PREFIX: Final = re.compile(r"(?<!\w)[rbuft]{1,2}\Z", re.IGNORECASE)
_LINE: Final = re.compile(r"[^\n]*+")
# A literal in single quotes ends with its line at the latest, even if it is not closed.
_CONTENT: Final = {
    "'": re.compile(r"(?:[^'\\\n]++|\\.)*+", re.DOTALL),
    '"': re.compile(r'(?:[^"\\\n]++|\\.)*+', re.DOTALL),
    "'''": re.compile(r"(?:[^'\\]++|\\.|'(?!''))*+", re.DOTALL),
    '"""': re.compile(r'(?:[^"\\]++|\\.|"(?!""))*+', re.DOTALL),
}


def tokens(text: str, at: int = 0, stop: int | None = None) -> Iterator[Token]:
    """Every comment and string literal, in order.

    Here, a quotation mark in the braces of an f-string ends the f-string, as it did before Python
    3.12. These marks come in pairs, so the text after the f-string is read correctly.

    >>> [(t.prefix, t.quote) for t in tokens('x = Rb"a" # b')]
    [('rb', '"'), ('', '')]
    """
    stop = len(text) if stop is None else stop
    while found := _BEGIN.search(text, at, stop):
        first, quote = found.end(), found[0]
        if quote == "#":
            at = _end(_LINE, text, first)
            yield Token(found.start(), at, first, at)
            continue
        last = _end(_CONTENT[quote], text, first)
        at = last + len(quote) if text.startswith(quote, last) else last
        prefix = _PREFIX.search(text, max(0, found.start() - 3), found.start())
        start = prefix.start() if prefix else found.start()
        yield Token(start, at, first, last, quote, prefix[0].lower() if prefix else "")


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


_ESCAPE: Final = re.compile(
    r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|N\{([^}\n]+)\}|(.))",
    re.DOTALL,
)
_SINGLE: Final = {
    "\n": "", "\\": "\\", "'": "'", '"': '"', "a": "\a", "b": "\b", "f": "\f", "n": "\n",
    "r": "\r", "t": "\t", "v": "\v",
}  # fmt: skip


def parts(text: str, token: Token) -> Iterator[Part]:
    r"""The text that a string literal stands for, and the place of each part in the program.

    >>> text = r"'see 10.1000/a\x2fb'"
    >>> list(parts(text, next(tokens(text))))
    [('see 10.1000/a', 1, 14), ('/', 14, 18), ('b', 18, 19)]
    """
    at = token.first
    if "r" not in token.prefix:
        for escape in _ESCAPE.finditer(text, token.first, token.last):
            value = _value(escape)
            if value is not None:
                yield text[at : escape.start()], at, escape.start()
                yield value, *escape.span()
                at = escape.end()
    yield text[at : token.last], at, token.last


def _value(escape: re.Match[str]) -> str | None:
    """The character that an escape stands for; None if the backslash stands for itself."""
    octal, *hexadecimal, name, single = escape.groups()
    if octal:
        return chr(int(octal, 8))
    if digits := next(filter(None, hexadecimal), None):
        number = int(digits, 16)
        return chr(number) if number <= _LAST else None
    if name:
        try:
            return unicodedata.lookup(name)
        except KeyError:
            return None
    return _SINGLE.get(single)


_LAST: Final = 0x10FFFF  # the last code point


# --------------------------------------------------------------------------------------------------
# Finds the string literals of a Python program that are documentation.

# Characters of the longest program that is parsed. In a syntax tree, each takes 60 bytes of memory,
# and up to 110 if the program consists of short functions.
LARGEST: Final = 2_000_000

_Owner = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def syntax_tree(text: str) -> ast.Module:
    """The syntax tree of a program.

    :raises ValueError: with the reason if the program cannot be parsed
    """
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
    '''The docstrings of modules, classes and functions, and the strings after attributes.

    A string after an attribute counts if Sphinx shows it, which is so after an assignment in a
    module, a class or ``__init__`` [Sphinx: autoattribute].

    >>> [each.value for each in docstrings(ast.parse("""'a'; b = 1; 'c'; 'd'"""))]
    ['a', 'c']
    '''
    todo: list[tuple[Sequence[ast.stmt], bool]] = []
    yield from _statements(tree, todo)
    while todo:
        body, shown = todo.pop()
        yield from _attributes(body, todo, shown=shown)


def _statements(
    owner: _Owner, todo: list[tuple[Sequence[ast.stmt], bool]]
) -> Iterator[ast.Constant]:
    if owner.body and (first := _string(owner.body[0])):
        yield first
    shown = (
        not isinstance(owner, ast.FunctionDef | ast.AsyncFunctionDef) or owner.name == "__init__"
    )
    todo.append((owner.body, shown))


def _attributes(
    body: Sequence[ast.stmt], todo: list[tuple[Sequence[ast.stmt], bool]], *, shown: bool
) -> Iterator[ast.Constant]:
    before: ast.stmt | None = None
    for statement in body:
        if isinstance(statement, _Owner):
            yield from _statements(statement, todo)
        elif (
            shown
            and isinstance(before, ast.Assign | ast.AnnAssign)
            and (string := _string(statement))
        ):
            yield string
        # The bodies of `if`, `for`, `try`, `match` and others.
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            inner = getattr(statement, name, ())
            if isinstance(statement, _Owner) or not isinstance(inner, list):
                continue
            if name in ("handlers", "cases"):
                todo += ((each.body, shown) for each in inner)
            elif inner:
                todo.append((inner, shown))
        before = statement


def _string(statement: ast.stmt) -> ast.Constant | None:
    """The string that a statement consists of."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    return value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None

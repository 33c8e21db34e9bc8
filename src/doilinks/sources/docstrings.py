"""Finds the string literals of a Python program that are documentation."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Sequence
from typing import Final

__all__ = ["LARGEST", "docstrings", "syntax_tree"]

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
    plain = isinstance(owner, ast.FunctionDef | ast.AsyncFunctionDef) and owner.name != "__init__"
    todo.append((owner.body, not plain))


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

"""Programs: their strings are values, unless they are documentation."""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from ..sources.docstrings import syntax_tree
from ..sources.found import Lines
from ..sources.literals import Token, tokens
from .change import Change

__all__ = ["Program"]

# After these, a string in a line of its own is not a statement.
_GOES_ON: Final = re.compile(r"[(\[{,=+\-*/%\\|&<>:]\Z|\b(?:return|yield|and|or|not|in|is|print)\Z")
_NEAR: Final = 400  # characters
_BLOCK: Final = re.compile(r"^\s*(?:class|def|cdef|cpdef|async)\b.*:\Z|\)(?:\s*->.*)?:\Z")


class Program:
    """A program, of which no value may change.

    :param text: the program
    :param cython: whether it is in Cython, which Python does not parse
    """

    def __init__(self, text: str, *, cython: bool) -> None:
        self._text = text
        self._statements: list[str] | None = None
        if not cython:
            with suppress(ValueError):
                self._statements = _statements(text)

    def allows(self) -> Callable[[Change], bool]:
        """A function that tells whether a change is in a comment or in documentation.

        If Python parses the program, every change is allowed here, and ``is_same`` compares the
        statements afterwards. Heuristic for all other programs: a string in a line of its own,
        after a statement or a head, is documentation.
        """
        if self._statements is not None:
            return lambda _change: True
        found = list(tokens(self._text))
        starts = [token.start for token in found]

        def is_safe(change: Change) -> bool:
            at = bisect_right(starts, change.pieces[0][0]) - 1
            return at >= 0 and (not found[at].quote or self._stands_alone(found[at]))

        return is_safe

    def is_same(self, changed: str) -> bool:
        """Tell whether a changed program does the same, but for its documentation."""
        if self._statements is None:
            return True
        try:
            statements = _statements(changed)
            return len(statements) == len(self._statements) and all(
                before == after or _meaning(before) == _meaning(after)
                for before, after in zip(self._statements, statements, strict=True)
            )
        except ValueError:
            return False

    def _stands_alone(self, token: Token) -> bool:
        before = self._text[max(0, token.start - _NEAR) : token.start]
        after = self._text[token.end : token.end + _NEAR].partition("\n")[0]
        before, _, indentation = before.rpartition("\n")
        if (indentation + after).strip():
            return False
        before = before.rstrip().rpartition("\n")[2].rstrip()
        return not _GOES_ON.search(before) or bool(_BLOCK.search(before))


def _statements(text: str) -> list[str]:
    """The lines of each statement of a program, or of several that have a line in common.

    :raises ValueError: if Python cannot parse the program
    """
    starts = [*Lines(text).starts, len(text)]
    tree = syntax_tree(text.replace("\r", " "))  # which is no end of a line here
    lines: list[list[int]] = []
    for each in tree.body:
        first = min(node.lineno for node in (each, *getattr(each, "decorator_list", ())))
        if lines and first <= lines[-1][1]:  # it begins where the one before ends
            first = lines.pop()[0]
        lines.append([first, each.end_lineno or first])
    return [text[starts[first - 1] : starts[last]] for first, last in lines]


def _meaning(statement: str) -> list[object]:
    r"""What a statement does: its syntax tree, without strings that stand alone.

    The compiled code would say the same, but CPython takes quadratic time for equal functions.

    :raises ValueError: if Python cannot parse it without what is around it

    >>> _meaning("def f():\n 'a'\n return 1") == _meaning("def f():\n 'b' # c\n return 1")
    True
    >>> _meaning("a = 'b'") == _meaning("a = 'c'")
    False
    """
    meaning: list[object] = []
    todo: list[object] = [syntax_tree(statement.replace("\r", " "))]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.AST):
            meaning.append(type(node))
            if not (isinstance(node, ast.Expr) and _is_string(node.value)):
                todo += (getattr(node, field, None) for field in node._fields)
        elif isinstance(node, list):
            meaning.append(len(node))
            todo += node
        else:
            meaning.append(repr(node))
    return meaning


def _is_string(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)

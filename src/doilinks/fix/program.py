"""Programs: their strings are values, unless they are documentation."""

from __future__ import annotations

import re
import warnings
from bisect import bisect_right
from collections.abc import Callable
from types import CodeType
from typing import Final

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
    :param cython: whether it is in Cython, which Python does not compile
    """

    def __init__(self, text: str, *, cython: bool) -> None:
        self._text = text
        self._code = None if cython else _code_of(text)

    def allows(self) -> Callable[[Change], bool]:
        """A function that tells whether a change is in a comment or in documentation.

        If Python compiles the program, every change is allowed here, and ``is_same`` compares the
        compiled code afterwards. Heuristic for all other programs: a string in a line of its own,
        after a statement or a head, is documentation.
        """
        if self._code:
            return lambda _change: True
        found = list(tokens(self._text))
        starts = [token.start for token in found]

        def is_safe(change: Change) -> bool:
            at = bisect_right(starts, change.pieces[0][0]) - 1
            return at >= 0 and (not found[at].quote or self._stands_alone(found[at]))

        return is_safe

    def is_same(self, changed: str) -> bool:
        """Tell whether a changed program does the same, but for its documentation."""
        return self._code is None or self._code == _code_of(changed)

    def _stands_alone(self, token: Token) -> bool:
        before = self._text[max(0, token.start - _NEAR) : token.start]
        after = self._text[token.end : token.end + _NEAR].partition("\n")[0]
        before, _, indentation = before.rpartition("\n")
        if (indentation + after).strip():
            return False
        before = before.rstrip().rpartition("\n")[2].rstrip()
        return not _GOES_ON.search(before) or bool(_BLOCK.search(before))


def _code_of(text: str) -> object:
    """What a program does, without its docstrings; None if it does not compile. It never runs."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code = compile(text, "", "exec", dont_inherit=True, optimize=2)
        return _parts(code)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None


def _parts(code: CodeType) -> tuple[object, ...]:
    """All of a code object but the columns, which change with the length of a docstring."""
    constants = [_parts(each) if isinstance(each, CodeType) else repr(each)
                 for each in code.co_consts]  # fmt: skip
    return (
        code.co_code, code.co_name, code.co_flags, code.co_argcount, code.co_posonlyargcount,
        code.co_kwonlyargcount, code.co_names, code.co_varnames, code.co_freevars,
        code.co_cellvars, code.co_exceptiontable, constants,
    )  # fmt: skip

"""The proof of a change: the changed text, read again, has the same names in the same places."""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from ..core.found import Found
from ..sources.found import Lines
from ..sources.literals import Token, syntax_tree, tokens
from .rules import Change, Edit, applied

# --------------------------------------------------------------------------------------------------
# Programs: their strings are values, unless they are documentation.

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
            at = bisect_right(starts, change.edits[0][0]) - 1
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


# --------------------------------------------------------------------------------------------------
# Reads the changed text again, and leaves out the changes that do not pass.

_Read = Callable[[str], list[Found]]

# A file is read at most 16 times. A small file may be read up to 400 times, but not more than
# 4,000,000 characters in all. These limits keep the time linear.
_READINGS: Final = (16, 400)
_CHARACTERS: Final = 4_000_000


def proven(
    text: str, found: Sequence[Found], changes: Sequence[Change], read: _Read
) -> list[Change]:
    """The changes after which a reader finds the same names, but for those that are changed.

    A change that does not pass is left out. If it is not clear which one fails, the changes are
    tried in halves.

    :param found: the names of the text before
    :param read: reads a text; it may raise a ValueError for a text that must not be written
    """
    return _Proof(text, found, read).settle([], list(changes))


class _Proof:
    def __init__(self, text: str, found: Sequence[Found], read: _Read) -> None:
        self._text, self._found, self._read = text, found, read
        low, high = _READINGS
        self._left = max(low, min(high, _CHARACTERS // (len(text) + 1)))

    def settle(self, good: list[Change], group: list[Change]) -> list[Change]:
        """The changes that pass: those that are known to be good, and those of a group that are."""
        while group and self._left > 0:
            self._left -= 1
            wrong = _wrong(self._text, self._found, [*good, *group], self._read)
            if wrong == set():
                return [*good, *group]
            rest = [each for each in group if wrong is None or id(each) not in wrong]
            if len(rest) < len(group):
                group = rest
                continue
            if len(group) == 1:
                break
            half = len(group) // 2
            return self.settle(self.settle(good, group[:half]), group[half:])
        return good


def _wrong(
    text: str, found: Sequence[Found], changes: Sequence[Change], read: _Read
) -> set[int] | None:
    """The ids of the changes that give another name; None if it is not clear which."""
    edits = [edit for change in changes for edit in change.edits]
    edits.sort()
    try:
        again = read(applied(text, edits))
    except ValueError:
        return None
    if len(again) != len(found):
        return None
    of = {id(change.found): change for change in changes}
    moved = _Moved(edits)
    wrong: set[int] = set()
    for before, after in zip(found, again, strict=True):
        change = of.get(id(before))
        if _is_same(before, after, change, moved):
            continue
        if change is None:
            return None
        wrong.add(id(change))
    return wrong


def _is_same(before: Found, after: Found, change: Change | None, moved: _Moved) -> bool:
    doi = change.doi if change else before.doi
    if (after.doi.name, after.form, after.line) != (doi.name, before.form, before.line):
        return False
    if before.span is None or after.span is None:
        return before.span == after.span
    start, written = moved.to(before.span[0]), change.new if change else before.written
    if (after.span[0], after.written) == (start, written):
        return True
    # Between angle brackets, a URL without < and > is a link of Markdown itself, which is listed
    # without the brackets.
    inner = written[1:-1] if change and written and before.form == "angle" else None
    return (after.span[0], after.written) == (start + 1, inner)


class _Moved:
    """Where offsets of the old text are in the new one."""

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._ends = [end for _, end, _ in edits]
        self._by = [0]
        for start, end, new in edits:
            self._by.append(self._by[-1] + len(new) - (end - start))

    def to(self, at: int) -> int:
        return at + self._by[bisect_right(self._ends, at)]

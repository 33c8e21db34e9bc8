"""The regular expressions of the package, and what in them may take more than linear time.

A repeat that gives back what it took, before another that takes the same characters, tries each place
between the two; so does a repeat of a repeat. A possessive repeat and an atomic group give nothing back.

In Python 3.11.0 to 3.11.4 a possessive repeat of a group goes on where its last, failing turn was
(https://github.com/python/cpython/issues/106052). There an atomic group around a plain repeat is right.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from re import _compiler as compiler  # type: ignore[attr-defined]
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import doilinks

# Enough to tell apart the classes of characters that patterns have.
_SIGNS = "".join(map(chr, range(256))) + "\u2010\u2013\u2028\u3000\u4e00を\U00010000"
_REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)

Signs = frozenset[Any]
# The characters of a repeat that may give some back, and those of each sign after it.
Open = tuple[Signs, tuple[Signs, ...]]


@cache
def patterns() -> dict[str, tuple[str | bytes, int]]:
    """Each pattern of a module, or written out in a function, with its flags, by its place.

    In a function, a name stands for whatever a pattern is made of.
    """
    found: dict[str, tuple[str | bytes, int]] = {}
    for info in pkgutil.walk_packages(doilinks.__path__, "doilinks."):
        if info.name.endswith("__main__"):
            continue
        module = importlib.import_module(info.name)
        for name, value in vars(module).items():
            for at, each in enumerate(_compiled(value)):
                if (each.pattern, each.flags) not in found.values():
                    found[f"{info.name}.{name}{f'[{at}]' if at else ''}"] = (
                        each.pattern,
                        each.flags,
                    )
        tree = ast.parse(Path(module.__file__ or "").read_text(encoding="utf-8"))
        functions = (each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef))
        for written in (_written(call) for each in functions for call in ast.walk(each)):
            if written:
                found[f"{info.name}: {written}"] = (written, 0)
    return found


def _compiled(value: object) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict | list | tuple):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _compiled(each)


def _written(call: ast.AST) -> str | None:
    """The pattern that a function of ``re`` is given in its call."""
    if not (isinstance(call, ast.Call) and call.args and ast.unparse(call.func).startswith("re.")):
        return None
    match call.args[0]:
        case ast.Constant(str() as text):
            return text
        case ast.JoinedStr(values):
            return "".join(v.value if isinstance(v, ast.Constant) else "name" for v in values)
    return None


def doubtful(pattern: str | bytes, flags: int = 0) -> bool:
    """Whether two repeats, with nothing between them that tells them apart, take the same.

    >>> [doubtful(each) for each in (r"a*a*b", r"(?:a*b?)*c", r"a*,a*", r"a*+a*", "[^c]*ab[abc]*d")]
    [True, True, False, False, True]
    """
    walk = _Walk(flags, isinstance(pattern, bytes))
    walk.sequence(parser.parse(pattern, flags), frozenset())
    return walk.doubtful


def after_look_ahead(pattern: str | bytes, flags: int = 0) -> re.Pattern[Any] | None:
    """The alternatives before which a pattern looks ahead, without that; None for another pattern.

    >>> after_look_ahead("(?=[ab])(?:aa|bb)").search("bb")[0], after_look_ahead("a|b")
    ('bb', None)
    """
    items = parser.parse(pattern, flags)
    *before, last = items.data or [(None, None)]
    if not before or last[0] is not op.BRANCH or any(each[0] is not op.ASSERT for each in before):
        return None
    found: re.Pattern[Any] = compiler.compile(
        parser.SubPattern(items.state, [last]), items.state.flags
    )
    return found


def fragments() -> dict[str, str]:
    """The texts of modules that patterns are made of, by their places."""
    found = {}
    for info in pkgutil.walk_packages(doilinks.__path__, "doilinks."):
        if not info.name.endswith("__main__"):
            for name, value in vars(importlib.import_module(info.name)).items():
                if isinstance(value, str) and re.search(r"\)(?:[*+?]|\{+[0-9,]+\}+)\+", value):
                    found[f"{info.name}.{name}"] = value
    return found


def misplaced(pattern: str | bytes, flags: int = 0) -> bool:
    """Whether a possessive repeat of a group may go on at a wrong place, in the first versions of Python 3.11.

    >>> [misplaced(each) for each in ("(?:ab?c)*+", '(?:a|"(?!"))*+', "(?:ab|c+)*+", "(?>(?:ab?c)*)")]
    [True, True, False, False]
    """
    return _misplaced(parser.parse(pattern, flags))


def _misplaced(items: Any) -> bool:
    return any(
        (
            kind is op.POSSESSIVE_REPEAT
            and not compiler._simple(value[2])
            and _lost(value[2], False)[0]
        )
        or any(map(_misplaced, _inside(kind, value)))
        for kind, value in items
    )


def _inside(kind: Any, value: Any) -> list[Any]:
    if kind in _REPEATS:
        return [value[2]]
    if kind is op.SUBPATTERN:
        return [value[3]]
    if kind is op.BRANCH:
        return list(value[1])
    if kind is op.ATOMIC_GROUP:
        return [value]
    return [value[1]] if kind in (op.ASSERT, op.ASSERT_NOT) else []


def _lost(items: Any, moved: bool) -> tuple[bool, bool]:
    """Whether something fails after the engine has kept a place within, and whether it keeps one.

    It keeps its place at each repeat, alternative and lookaround, and at the end of a lookahead.
    """
    lost = kept = False
    for kind, value in items:
        may_fail = kind not in _REPEATS or value[0] > 0
        if not (kind in _REPEATS and compiler._simple(value[2])):
            for each in _inside(kind, value):
                inner, keeps = _lost(each, moved)
                lost, kept = lost or inner, kept or keeps
        if kind in (*_REPEATS, op.BRANCH, op.ATOMIC_GROUP, op.ASSERT, op.ASSERT_NOT):
            kept = kept or moved or (kind in (op.ASSERT, op.ASSERT_NOT) and value[0] == 1)
        lost = lost or (kept and may_fail)
        moved = moved or kind not in (op.AT, op.ASSERT, op.ASSERT_NOT)
    return lost, kept


class _Walk:
    def __init__(self, flags: int, octets: bool) -> None:
        self.doubtful = False
        self.taken: list[Signs] = []
        self.known: dict[str, Signs] = {}
        self.octets, self.state = octets, parser.State()
        self.state.flags = flags

    def sequence(self, items: Any, opened: frozenset[Open]) -> frozenset[Open]:
        """The repeats that are open after the items, if those in ``opened`` are open before."""
        for kind, value in items:
            opened = self.item(kind, value, opened)
        return opened

    def item(self, kind: Any, value: Any, opened: frozenset[Open]) -> frozenset[Open]:
        """The repeats that are open after one item."""
        if kind in _REPEATS:
            return self.repeat(kind, *value, opened)
        if kind is op.SUBPATTERN:
            return self.sequence(value[3], opened)
        if kind is op.BRANCH:
            return frozenset().union(*(self.sequence(each, opened) for each in value[1]))
        if kind is op.ATOMIC_GROUP:
            return frozenset(
                e for e in self.sequence(value, opened) if (e[0], ()) in opened or e in opened
            )
        if kind in (op.ASSERT, op.ASSERT_NOT):
            if value[0] == 1:  # what is looked for before a place is short
                self.sequence(value[1], opened)
            return opened
        if kind in (op.AT, op.GROUPREF, op.GROUPREF_EXISTS, op.FAILURE):
            return opened
        signs = self.signs((kind, value))
        self.taken.append(signs)
        return frozenset((has, (*after, signs)[-4:]) for has, after in opened if has & signs)

    def repeat(
        self, kind: Any, least: int, most: int, body: Any, opened: frozenset[Open]
    ) -> frozenset[Open]:
        """The repeats that are open after a repeat; sees whether it takes what those before it do."""
        first = len(self.taken)
        once = self.sequence(body, opened)
        if most is not op.MAXREPEAT:
            return once if least else once | opened
        signs = frozenset().union(*self.taken[first:])
        through = {has for has, _ in once} & {has for has, _ in opened}
        for has, after in opened:
            if has in through and has & signs and all(each & signs for each in after):
                self.doubtful = True
        new = once - opened
        self.sequence(body, once)  # what the body opened meets the body again
        if kind is op.POSSESSIVE_REPEAT:
            return opened if not least else frozenset(e for e in once if e[0] in through)
        return (once if least else once | opened) | new | {(signs, ())}

    def signs(self, item: tuple[Any, Any]) -> Signs:
        """The characters that one item takes."""
        if repr(item) not in self.known:
            one = compiler.compile(parser.SubPattern(self.state, [item]), self.state.flags)
            signs = _SIGNS.encode("latin-1", "ignore") if self.octets else _SIGNS
            self.known[repr(item)] = frozenset(one.findall(signs))
        return self.known[repr(item)]

r"""Leaves out the blocks of a reStructuredText document that say nothing about its names.

A block begins at the margin, after an empty line, and contains all lines up to the next such line.
So its indented lines, such as a literal block, belong to it. A block that may contain a name stays.
Another block stays only if it says what a block with a name means [reST]: the text before a literal
block that is not indented, a title beside one with a name, the border of a table, the field list
that may be metadata, and whatever targets, references and roles have to do with.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from .sieve import blanked, part_may_contain_name

__all__ = ["relevant"]

_BLOCK: Final = re.compile(r"\n[^\S\n]*\n(?=\S)")  # ends before the first line of a block
# A document with such a directive may have names in any markup.
_ROLE: Final = re.compile(r"role[^\S\n]?::", re.IGNORECASE)
# A line of one character and spaces, as below a title.
_LINE: Final = re.compile(r"^[^\S\n]*([!-/:-@\[-`{-~])(?:\1|[^\S\n])*+$", re.MULTILINE)
# The first line of a table, any line around its rows, and an empty line [reST: simple tables].
_TOP: Final = re.compile(r"^=++(?:[^\S\n]++=++)++[^\S\n]*+$", re.MULTILINE)
_BORDER: Final = re.compile(r"^=(?:=|[^\S\n])*+$", re.MULTILINE)
_EMPTY: Final = re.compile(r"\n[^\S\n]*(?:\n|\Z)|\Z")
_TARGET: Final = re.compile(r"^[^\S\n]*(?:\.\.[^\S\n]+_|__[^\S\n])", re.MULTILINE)
# A word with `_` at its end is a reference only if there is a target of that name.
_WORD: Final = re.compile(r"[^\W_]_(?!\w)")
# A reference, or what may be a target: explicit markup, and a text with `_` before it.
_NAMED: Final = re.compile(r"_(?!\w)|^[^\S\n]*(?:\.\.(?:[^\S\n]|$)|__\s)", re.MULTILINE)
_FIELD: Final = re.compile(r"^:", re.MULTILINE)
_LITERAL: Final = "::"  # at the end of a block: the next one may be literal, without indentation
# `i.` is a letter or a number. What it is depends on the item before.
_LETTER: Final = re.compile(r"\(?(?:[a-z]|[ivxlcdm]+)[.)][^\S\n]", re.IGNORECASE)
# A title and the line below it. A line of fewer characters may be text.
_TITLE: Final = re.compile(r"\w.*\n([!-/:-@\[-`{-~])\1{3,}[^\S\n]*\n(?=\S)")
_ITEM: Final = re.compile(r"^(?=\S)", re.MULTILINE)
_BULLETS: Final = ("- ", "* ", "+ ")


def relevant(text: str) -> str:
    r"""A document with empty lines in place of the blocks that say nothing about its names.

    >>> relevant("A\n=\n\nOne.\n\nTwo\n  of it.\n\nSee doi:10.1000/182.\n")
    '\n\n\n\n\n\n\n\nSee doi:10.1000/182.\n'
    """
    if _ROLE.search(text):
        return text
    blocks: list[str] = []
    holding: list[bool] = []
    for start, end in pairwise([0, *_starts(text), len(text)]):
        block = text[start:end]
        holds = part_may_contain_name(block, "rst")
        if holds and not (blocks and _ends_literal(blocks[-1])):
            parts = list(_parts(block))
            blocks += parts
            holding += [part_may_contain_name(part, "rst") for part in parts]
        else:
            blocks.append(block)
            holding.append(holds)
    return blanked(blocks, _kept(blocks, holding))


def _starts(text: str) -> Iterator[int]:
    """Where each block after the first begins. A table is one block, with its empty lines."""
    before = first = ends = 0
    for found in _BLOCK.finditer(text):
        start = found.end()
        while top := _TOP.search(text, max(first, ends), start):
            certain = top.start() == first and not _ends_literal(text[before:first])
            ends = _end_of_table(text, top) if certain else len(text)
        if start >= ends:
            yield start
            before, first = first, start


def _end_of_table(text: str, top: re.Match[str]) -> int:
    """The end of the table with that first line; of the text, if the table is malformed."""
    width = len(top[0].expandtabs().rstrip())
    for number, border in enumerate(_BORDER.finditer(text, top.end()), 1):
        if len(border[0].expandtabs().rstrip()) != width:
            break
        if number == 2 or _EMPTY.match(text, border.end()):
            return border.end()
    return len(text)


def _parts(block: str) -> Iterator[str]:
    """A title and what is below it without an empty line; the items of a list."""
    if title := _TITLE.match(block):
        yield title[0]
        block = block[title.end() :]
    starts = [found.start() for found in _ITEM.finditer(block)]
    bullet = block[:2]
    if bullet in _BULLETS and all(block.startswith(bullet, start) for start in starts):
        for start, end in pairwise([*starts, len(block)]):
            yield block[start:end]
    else:
        yield block


def _kept(blocks: Sequence[str], holding: Sequence[bool]) -> list[bool]:
    """Tell of each block whether it stays.

    :param holding: of each block, whether it may contain a name
    """
    held = [block for block, holds in zip(blocks, holding, strict=True) if holds]
    patterns = []
    if any(_TARGET.search(block) or _WORD.search(block) for block in held):
        patterns = [_NAMED, _LINE]
    elif any(map(_LINE.search, held)):
        patterns = [_LINE]
    kept = [
        holds or any(pattern.search(block) for pattern in patterns)
        for block, holds in zip(blocks, holding, strict=True)
    ]
    if any(map(_FIELD.search, held)):
        for at, block in enumerate(blocks):
            kept[at] = True
            if block[0].isalnum() and not _LINE.search(block):  # no metadata after this one
                break
    for at in reversed(range(1, len(blocks))):
        if kept[at] and (_ends_literal(blocks[at - 1]) or _LETTER.match(blocks[at])):
            kept[at - 1] = True
    for at in range(1, len(blocks)):
        if kept[at - 1] and _ends_literal(blocks[at - 1]):
            kept[at] = True
    return kept


def _ends_literal(block: str) -> bool:
    return block.rstrip().endswith(_LITERAL)

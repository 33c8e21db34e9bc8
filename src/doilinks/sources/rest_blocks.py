"""Leaves out the blocks of a reStructuredText document that say nothing about its names.

A block begins at the margin, after an empty line, and contains all lines up to the next such line.
So its indented lines, such as a literal block, belong to it. What a block means depends on others
only through titles, explicit markup (``..``), references, roles, and a literal block that is not
indented [reST]. A block with one of these stays, and so does a block that may contain a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from .sieve import may_hold_name

__all__ = ["relevant"]

# Explicit markup; a line of one character and spaces, as below a title and around a table.
_STAYS: Final = re.compile(
    r"^[^\S\n]*(?:\.\.(?:[^\S\n]|$)|__\s|([!-/:-@\[-`{-~])(?:\1|[^\S\n])*+$)", re.MULTILINE
)
_TARGET: Final = re.compile(r"^[^\S\n]*(?:\.\.[^\S\n]+_|__[^\S\n])", re.MULTILINE)
_REFERENCE: Final = re.compile(r"_(?!\w)")
# A word with `_` at its end is a reference only if there is a target of that name. Targets may
# stand within a text.
_WORD: Final = re.compile(r"[^\W_]_(?!\w)")
_TARGET_WITHIN: Final = re.compile(r">`_|_`")
_BULLETS: Final = ("- ", "* ", "+ ")
_ROLE: Final = "role::"  # a document with such a directive may have names in any markup
_LITERAL: Final = "::"  # at the end of a block: the next one may be literal, without indentation


def relevant(text: str) -> str:
    r"""A document with empty lines in place of the blocks that say nothing about its names.

    The first of these blocks stays: if it did not, a list of fields after it would be metadata.

    >>> relevant("A\n=\n\nOne.\n\nTwo\n  of it.\n\nSee doi:10.1000/182.\n")
    'A\n=\n\nOne.\n\n\n\n\nSee doi:10.1000/182.\n'
    """
    if _ROLE in text:
        return text
    lines = text.split("\n")
    spans = list(_blocks(lines))
    blocks = ["\n".join(lines[start:end]) for start, end in spans]
    holding = [may_hold_name(block, "rst") for block in blocks]
    held = [block for block, holds in zip(blocks, holding, strict=True) if holds]
    # What is searched for in the blocks without a name.
    patterns = [_STAYS]
    if any(map(_TARGET.search, held)):  # a target counts if something refers to it
        patterns.append(_REFERENCE)
    if any(map(_WORD.search, held)):
        patterns.append(_TARGET_WITHIN)
    first, literal = True, False
    for (start, end), block, holds in zip(spans, blocks, holding, strict=True):
        after, literal = literal, block.rstrip().endswith(_LITERAL)
        if holds or after or literal or any(pattern.search(block) for pattern in patterns):
            continue
        if not first:
            lines[start:end] = [""] * (end - start)
        first = False
    return "\n".join(lines)


def _blocks(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where each block begins and ends. In a list, each item is a block."""
    starts = [
        at
        for at, line in enumerate(lines)
        if line[:1].strip() and (at == 0 or not lines[at - 1].strip())
    ]
    for start, end in pairwise([*starts, len(lines)]):
        bullet = lines[start][:2]
        margin = [at for at in range(start, end) if lines[at][:1].strip()]
        if bullet in _BULLETS and all(lines[at].startswith(bullet) for at in margin):
            yield from pairwise([*margin, end])
        else:
            yield start, end

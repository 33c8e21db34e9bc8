r"""Leaves out the blocks of a Markdown document that say nothing about its names.

A block begins at the margin, after an empty line, and contains all lines up to the next such line.
So the indented lines of a list or a footnote belong to it. At such a line, everything that began
before has ended [CommonMark 5], except what ends at a mark of its own: a fence, a formula and HTML.
A block with such a mark stays. All other blocks depend on each other through references alone.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from .sieve import blanked, part_may_contain_name

__all__ = ["relevant"]

_BLOCK: Final = re.compile(r"\n[ \t]*\n(?=\S)")  # ends before the first line of a block
# What begins or ends something in which lines may be empty [CommonMark 4.5, 4.6].
_MARKS: Final = ("```", "~~~", ":::", "$$", "-->", "?>", "]]>")
_TAG: Final = re.compile(r"<(?:[!?]|/?(?:script|pre|style|textarea))", re.IGNORECASE)
_DECLARATION: Final = re.compile(r"<![A-Za-z]")  # ends at any `>`
# The definition of a term goes on after empty lines. The first line of a table is an item if there
# is a list before it.
_WHOLE: Final = re.compile(
    r"\n(?: {0,3}[:~][ \t]|(?:[-+*]|\d+[.)])[ \t].*\n[ \t]*[-:|][-:| \t]*$)", re.MULTILINE
)
_DEFINITION: Final = "]:"
_REFERENCE: Final = "["


def relevant(text: str) -> str:
    r"""A document with empty lines in place of the blocks that say nothing about its names.

    >>> relevant("# A\n\nOne.\n\n* Two\n\n  of it\n\nSee doi:10.1000/182.\n")
    '\n\n\n\n\n\n\n\nSee doi:10.1000/182.\n'
    """
    if _DECLARATION.search(text) or _WHOLE.search(text):
        return text
    starts = (found.end() for found in _BLOCK.finditer(text))
    blocks = [text[start:end] for start, end in pairwise([0, *starts, len(text)])]
    holding = [part_may_contain_name(block, "md") for block in blocks]
    both = list(zip(blocks, holding, strict=True))
    # A reference is a link if there is a definition, and has a name if the definition has one.
    defined = any(holds and _DEFINITION in block for block, holds in both)
    marks = (*_MARKS, _REFERENCE if defined else _DEFINITION)
    kept = (
        holds or any(mark in block for mark in marks) or _TAG.search(block) is not None
        for block, holds in both
    )
    return blanked(blocks, kept)

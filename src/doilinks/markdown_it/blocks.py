"""The text of the block that a link is in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from markdown_it.token import Token

from ..core.text import definition_of, row_of

__all__ = ["blocks_of"]

# What a definition consists of, if it is a block with its term.
_PARAGRAPHS: Final = frozenset(
    {"dd_open", "paragraph_open", "inline", "paragraph_close", "dd_close"}
)


def blocks_of(tokens: Sequence[Token]) -> dict[int, str]:
    """The blocks that consist of several texts, for the place of each among the tokens.

    These are rows of tables, and definitions that consist of paragraphs, with their terms. Any
    other text is a block by itself.
    """
    blocks: dict[int, str] = {}
    cells: dict[int, str] = {}
    term, head = -1, ""
    defined: dict[int, str] | None = None  # paragraphs of a definition, while there is nothing else
    before = ""
    for at, token in enumerate(tokens):
        if token.type == "tr_open":
            cells = {}
        elif token.type == "tr_close":
            blocks |= dict.fromkeys(cells, row_of(cells.values()))
        elif token.type == "dd_open":
            defined = {}
        elif token.type == "dd_close" and defined:
            own = [term] if term >= 0 else []  # a term belongs to its first definition
            blocks |= dict.fromkeys((*own, *defined), definition_of(head, defined.values()))
            term = -1
        elif token.type == "inline":
            cells[at] = token.content
            if before == "dt_open":
                term, head = at, token.content
            elif defined is not None:
                defined[at] = token.content
        if token.type not in _PARAGRAPHS:
            defined = None
        before = token.type
    return blocks

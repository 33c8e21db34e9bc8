"""Labels that an author wrote before a link, so that the page does not show them twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any, Final

from ..core.text import definition_of, row_of
from .pieces import Node, Piece
from .text import all_text, unwrapped

__all__ = [
    "cells_with_heads",
    "definition_texts",
    "is_paragraph",
    "own_label",
    "plain_text",
    "text_before",
]

_REACH: Final = 20  # characters; longer than two labels
_DEPTH: Final = 2  # ***DOI:*** is emphasis inside emphasis
_MARKED: Final = frozenset({"Emph", "Strong"})
_BLANK: Final = {"Space": " ", "SoftBreak": "\n", "LineBreak": "\n"}
_TABLE_SIZE: Final = 6  # parts of a table since pandoc-types 1.21; older ones have no cells


def text_before(pieces: Sequence[Piece]) -> str:
    """The end of the text of the pieces. It is long enough to contain any label."""
    text = ""
    for piece in reversed(pieces):
        text = piece.text[-_REACH:] + text
        if len(text) >= _REACH:
            break
    return text[-_REACH:]


def own_label(pieces: Sequence[Piece], index: int, text: str, head: str) -> str:
    """The text with markup of its own before a link, or ``""``.

    This is emphasized or strong text just before the link. If the link begins a cell or a
    definition, it is the heading of the column or the term.

    :param pieces: the pieces of the list; the first and the last are not inlines
    :param index: the index of the piece in which the link begins
    :param text: the text before the link in this piece
    """
    between, at = text, index - 1
    while at > 0 and not between.strip(": \n\uff1a") and len(between) < _REACH:
        inner = unwrapped(pieces[at].node)
        if inner["t"] in _MARKED:
            return plain_text(inner["c"]) + between
        if inner["t"] != "Str" and inner["t"] not in _BLANK:
            return ""
        between, at = pieces[at].text + between, at - 1
    return head if at == 0 and not between.strip() else ""


def plain_text(inlines: Sequence[Node], depth: int = _DEPTH) -> str:
    """The text of a list of inlines without emphasis; NUL for an inline that no label contains.

    :param depth: how many levels of emphasis are read; the limit keeps the time linear
    """
    texts = []
    for node in inlines:
        inner = unwrapped(node)
        kind, content = inner["t"], inner.get("c")
        if kind in _MARKED and depth:
            texts.append(plain_text(content or (), depth - 1))
        else:
            texts.append(str(content) if kind == "Str" else _BLANK.get(kind, "\x00"))
    return "".join(texts)


def is_paragraph(block: Node) -> bool:
    """Tell whether a block is a paragraph, or a wrapper that gives the position of a paragraph."""
    return _inside(block)["t"] in ("Para", "Plain")


def _inside(block: Node) -> Node:
    while block["t"] == "Div" and len(block["c"][1]) == 1:
        block = block["c"][1][0]
    return block


def cells_with_heads(table: Any) -> Iterator[tuple[Any, str, Callable[[], str] | None]]:
    """The contents of a table in order.

    For each cell also the text of its column heading and, if the cell is one paragraph, a function
    that makes the text of its row.
    """
    if len(table) != _TABLE_SIZE:
        yield table, "", None
        return
    heads = _heads(table[3])
    yield table[:4], "", None
    for _, _, head, rows in table[4]:
        yield head, "", None
        for _, cells in rows:
            column = 0
            row = cache(partial(_text_of_row, cells))
            for cell in cells:
                blocks = cell[4]
                is_one = len(blocks) == 1 and is_paragraph(blocks[0])
                yield blocks, heads.get(column, ""), row if is_one else None
                column += cell[3]
    yield table[5], "", None


def definition_texts(term: Any, definitions: Any) -> list[Callable[[], str] | None]:
    """For each definition that consists of paragraphs, a function that makes its text."""
    head = cache(partial(all_text, term))
    return [
        cache(partial(_text_of_definition, head, blocks))
        if blocks and all(map(is_paragraph, blocks))
        else None
        for blocks in definitions
    ]


def _text_of_definition(head: Callable[[], str], blocks: Any) -> str:
    return definition_of(head(), map(_text_of_paragraph, blocks))


def _text_of_row(cells: Any) -> str:
    return row_of(
        " ".join(map(_text_of_paragraph, filter(is_paragraph, cell[4]))) for cell in cells
    )


def _text_of_paragraph(block: Node) -> str:
    return all_text(_inside(block)["c"])


def _heads(head: Any) -> dict[int, str]:
    """The texts in the last row of the head of a table, by column."""
    texts: dict[int, str] = {}
    column = 0
    for cell in head[1][-1][1] if head[1] else ():
        blocks = cell[4]
        if len(blocks) == 1 and blocks[0]["t"] in ("Plain", "Para"):
            texts[column] = plain_text(blocks[0]["c"])
        column += cell[3]
    return texts

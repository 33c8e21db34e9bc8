"""Labels that an author wrote before a link, so that the page does not say them twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from .text import Node, Piece, unwrapped

__all__ = ["cells_with_heads", "is_paragraph", "own_label", "plain_text", "text_before"]

_REACH: Final = 20  # characters; longer than two labels
_DEPTH: Final = 2  # ***DOI:*** is emphasis within emphasis
_MARKED: Final = frozenset({"Emph", "Strong"})
_BLANK: Final = {"Space": " ", "SoftBreak": "\n", "LineBreak": "\n"}
_TABLE_SIZE: Final = 6  # parts of a table since pandoc-types 1.21; older ones have no cells


def text_before(pieces: Sequence[Piece]) -> str:
    """The end of the text of some pieces, long enough for a label."""
    text = ""
    for piece in reversed(pieces):
        text = piece.text[-_REACH:] + text
        if len(text) >= _REACH:
            break
    return text[-_REACH:]


def own_label(pieces: Sequence[Piece], index: int, text: str, head: str) -> str:
    """The text in markup of its own that stands before a link, or ``""``.

    It is emphasized or strong text just before the link, or the head of the column or the term of
    the definition that begins with the link.

    :param pieces: those of the list; the first and the last are no inlines
    :param index: the piece in which the link begins
    :param text: the text of that piece before the link
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
    """The text of a list of inlines without emphasis; NUL for what cannot be in a label.

    :param depth: how much emphasis within emphasis is looked into, so that time stays linear
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
    """Tell whether a block is a paragraph, maybe in a wrapper for its position."""
    while block["t"] == "Div" and len(block["c"][1]) == 1:
        block = block["c"][1][0]
    return block["t"] in ("Para", "Plain")


def cells_with_heads(table: Any) -> Iterator[tuple[Any, str]]:
    """What a table contains, in order, and for a cell the text of its column's head."""
    if len(table) != _TABLE_SIZE:
        yield table, ""
        return
    heads = _heads(table[3])
    yield table[:4], ""
    for _, _, head, rows in table[4]:
        yield head, ""
        for _, cells in rows:
            column = 0
            for cell in cells:
                yield cell[4], heads.get(column, "")
                column += cell[3]
    yield table[5], ""


def _heads(head: Any) -> dict[int, str]:
    """The texts in the last row of a table's head, by column."""
    texts: dict[int, str] = {}
    column = 0
    for cell in head[1][-1][1] if head[1] else ():
        blocks = cell[4]
        if len(blocks) == 1 and blocks[0]["t"] in ("Plain", "Para"):
            texts[column] = plain_text(blocks[0]["c"])
        column += cell[3]
    return texts

"""Labels that an author wrote before a link, so that the page does not show them twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from markdown_it.token import Token

__all__ = ["cut_before", "own_label", "text_before", "with_heads"]

_TEXT: Final = frozenset({"text", "softbreak"})
_MARKED: Final = frozenset({"em_close", "strong_close"})


def text_before(tokens: Sequence[Token], at: int) -> str:
    """The plain text just before the token at ``at``."""
    return "".join(map(_text_of, tokens[_first_of_text(tokens, at) : at]))


def cut_before(tokens: Sequence[Token], at: int, size: int) -> None:
    """Remove the last ``size`` characters of the plain text before the token at ``at``."""
    while size > 0:
        at -= 1
        text = _text_of(tokens[at])
        tokens[at].type, tokens[at].content = "text", text[: max(0, len(text) - size)]
        size -= len(text)


def own_label(tokens: Sequence[Token], at: int, head: str) -> str:
    """The text with markup of its own before the token at ``at``, or ``""``.

    :param head: the heading of the column, or the term of the definition, that contains the tokens
    """
    first = _first_of_text(tokens, at)
    if first and tokens[first - 1].type not in _MARKED:
        return ""
    between = "".join(map(_text_of, tokens[first:at]))
    if first == 0:
        return "" if between.strip() else head
    begin = first - 1
    while begin and not (
        tokens[begin].nesting == 1 and tokens[begin].level == tokens[first - 1].level
    ):
        begin -= 1
    inside = "".join(each.content for each in tokens[begin:first])
    return inside + between


def with_heads(tokens: Sequence[Token]) -> Iterator[tuple[int, Token, str]]:
    """Each block of text of a document, with its column heading or the term that it defines.

    The number is the place of the block among the tokens.
    """
    heads: list[str] = []
    column, head, before = 0, "", ""
    for at, token in enumerate(tokens):
        if token.type == "thead_open":
            heads = []
        elif token.type == "tr_open":
            column = 0
        elif token.type == "td_open":
            head = heads[column] if column < len(heads) else ""
            column += 1
        elif token.type == "inline":
            yield at, token, head
            if before == "th_open":
                heads.append(token.content)
            # Only the first block of a definition follows its term.
            head = token.content if before == "dt_open" else ""
        before = token.type


def _first_of_text(tokens: Sequence[Token], at: int) -> int:
    while at and tokens[at - 1].type in _TEXT:
        at -= 1
    return at


def _text_of(token: Token) -> str:
    return "\n" if token.type == "softbreak" else token.content

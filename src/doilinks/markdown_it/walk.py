"""The core rule: one walk over the links of a document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from ..core.found import Found
from ..core.options import Options
from ..core.scan import may_contain_doi
from .blocks import blocks_of
from .labels import with_heads
from .link import adopt, unlink

__all__ = ["Links"]


class Links:
    """Makes the links of a document canonical, and lists the DOIs."""

    def __init__(self, options: Options) -> None:
        self._options = options

    def rule(self, state: StateCore) -> None:
        """The core rule."""
        dois: list[Found] = state.env.setdefault("dois", [])
        if not may_contain_doi(state.src):
            return
        blocks = cache(partial(blocks_of, state.tokens))
        for number, block, head in with_heads(state.tokens):
            for found in self._links(block, block.children or [], head):
                around = blocks().get(number)
                dois.append(replace(found, around=around) if around else found)

    def _links(self, block: Token, tokens: list[Token], head: str) -> Iterator[Found]:
        empty: list[tuple[int, Token]] = []
        for at, token in enumerate(tokens):
            if token.type == "image" and token.children:
                unlink(token.children)
            if token.type == "link_open" and (
                found := adopt(block, at, self._options, head, empty)
            ):
                yield found
        if empty:
            _insert(tokens, empty)


def _insert(tokens: list[Token], added: list[tuple[int, Token]]) -> None:
    """Insert all tokens in one pass, each before the token that is at its place now."""
    done = 0
    kept: list[Token] = []
    for at, token in added:
        kept += tokens[done:at]
        kept.append(token)
        done = at
    tokens[:] = kept + tokens[done:]

"""The core rule: one walk over the links of a document."""

from __future__ import annotations

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from ..core.found import Found
from ..core.options import Options
from ..core.scan import may_hold_doi
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
        if not may_hold_doi(state.src):
            return
        for block, head in with_heads(state.tokens):
            if block.children:
                self._block(block, block.children, head, dois)

    def _block(self, block: Token, tokens: list[Token], head: str, dois: list[Found]) -> None:
        empty: list[tuple[int, Token]] = []
        for at, token in enumerate(tokens):
            if token.type == "image" and token.children:
                unlink(token.children)
            if token.type == "link_open" and (
                found := adopt(block, at, self._options, head, empty)
            ):
                dois.append(found)
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

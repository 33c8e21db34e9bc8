"""Names kept as they are typed, for a program that makes the links itself after the parser."""

from __future__ import annotations

from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline

from ..core.options import Options
from .find import Names
from .link import Spot

__all__ = ["keep_names", "name_of"]

_RULE: Final = "doi"
_KEPT: Final = "doi_name"  # the type of the token, until every rule has run


def keep_names(md: MarkdownIt, options: Options) -> None:
    """Keep the rules of a parser from changing names.

    Each name comes out as a token of text on its own, of which :func:`name_of` knows what it is.
    Neither emphasis, ``linkify`` nor typography touches it. A name that the options do not link is
    left to them, and so is a URL if URLs are to be left as they are.
    """
    md.inline.ruler.before("text", _RULE, Names(options, _keep).rule)
    md.core.ruler.push(_RULE, _become_text)


def name_of(meta: dict[str, object]) -> Spot | None:
    """The name that a token of text is, by its ``meta``."""
    spot = meta.get("doi")
    return spot if isinstance(spot, Spot) else None


def _keep(state: StateInline, spot: Spot) -> None:
    token = state.push(_KEPT, "", 0)
    token.content, token.meta = spot.text, {"doi": spot}


def _become_text(state: StateCore) -> None:
    for block in state.tokens:
        for token in block.children or ():
            for each in (token, *(token.children or ())):  # the description of an image
                if each.type == _KEPT:
                    each.type = "text"

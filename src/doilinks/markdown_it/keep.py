"""Keeps names as they are typed, for a program that makes the links itself after the parser."""

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
_KEPT: Final = "doi_name"  # the token has this type until every rule has run


def keep_names(md: MarkdownIt, options: Options) -> None:
    """Keep the rules of a parser from changing names.

    Each name becomes a text token of its own, for which :func:`name_of` returns the name. Neither
    emphasis, ``linkify`` nor typography changes it. If the options do not link a name, or leave
    URLs as they are, these rules may change the name or the URL.
    """
    md.inline.ruler.before("text", _RULE, Names(options, md, _keep).rule)
    md.core.ruler.push(_RULE, _become_text)


def name_of(meta: dict[str, object]) -> Spot | None:
    """The name that a text token contains, according to its ``meta``; None without a name."""
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

"""Works: on hover, in citations, and in lists of references."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from ...core.doi import DOI
from ...core.options import Options
from ..cite.marker import Asked, asked, may_ask
from ..cite.marks import Cited
from ..cite.page import (
    Desk,
    WorkLink,
    add_classes,
    list_of,
    mentions_of,
    parts_of,
    point_to_entry,
)
from ..cite.shelf import Shelf
from ..cite.words import no_formula
from .walk import link_tokens

_logger: Final = logging.getLogger("doilinks.markdown_it")


class Pages:
    """What is shown of works. The lock file is read again when it has changed.

    :param root: the folder that ``check_lockfile`` is relative to
    """

    def __init__(self, options: Options, root: Path) -> None:
        self._options, self._root = options, root
        self._stamp: tuple[int, ...] | None = None
        self._desk = Desk(options, root, _warn)

    def page(self) -> Page:
        """The works of one document."""
        stamp = Shelf.stamp(self._options, self._root)
        if stamp != self._stamp:
            self._stamp, self._desk = stamp, Desk(self._options, self._root, _warn)
        self._desk.forget()
        return Page(self._desk, self._options)


def _warn(message: str) -> None:
    _logger.warning("%s", message)


class Page:
    """The works of one document."""

    def __init__(self, desk: Desk, options: Options) -> None:
        self._desk, self._options = desk, options
        self._links: list[tuple[WorkLink, Token]] = []  # each with the token of its text

    def add(self, token: Token, text: Token, doi: DOI) -> None:
        """Add a link to a work, and show on hover what it leads to."""
        cited = token.meta.get("doi")
        citation = cited.citation if isinstance(cited, Cited) else None
        show = self._desk.cite if citation else self._desk.hover
        add_classes(token.attrs, *show(token.attrs, doi))
        self._links.append((WorkLink(doi, token.attrs, citation), text))

    def show(self, state: StateCore) -> None:
        """Show the citations, and the lists that the document asks for."""
        lists = self._lists(state) if self._options.cite and may_ask(state.src) else {}
        mentions = mentions_of(link for link, _ in self._links)
        references = self._desk.references(mentions)
        for ((doi, attrs, citation), text), mention in zip(self._links, mentions, strict=True):
            if lists:
                attrs["id"] = mention.anchor
            if citation:
                # The words beside it in brackets, and these, are in the document.
                [said] = [piece.text for piece in references.words(citation) if piece.doi]
                text.content = said
                if lists:
                    point_to_entry(attrs, doi, self._desk.shelf)
                add_classes(attrs, *no_formula(said))
        done, ids = 0, set[str]()
        shown: list[Token] = []
        for at, ask in lists.items():
            works = self._desk.references(mentions, ask)
            made = list_of(works, self._options, ids, numbered=ask.order == "places")
            shown += state.tokens[done : at - 1]
            shown += _tokens(made, state.tokens[at - 1]) if made is not None else ()
            done = at + 2
        state.tokens[:] = shown + state.tokens[done:]

    def _lists(self, state: StateCore) -> dict[int, Asked]:
        """What the document asks for, by the numbers of its tokens."""
        found: dict[int, Asked] = {}
        for at, token in enumerate(state.tokens):
            if token.type != "inline" or state.tokens[at - 1].type != "paragraph_open":
                continue
            if ask := asked(token.content):
                found[at] = ask
                for message in ask.trouble:
                    self._desk.tell(message)
                if ask.scope == "project":
                    self._desk.tell("doi-list: markdown-it-py knows one document, so scope is page")
        return found


# --------------------------------------------------------------------------------------------------
# The tokens of a list.

_KINDS: Final = {"ul": "bullet_list", "ol": "ordered_list", "li": "list_item", "div": "doi_list"}
_TAGS: Final = {"i": "em", "b": "strong"}  # of the tokens that the host has for these styles


def _tokens(element: Element, like: Token, level: int | None = None) -> Iterator[Token]:
    """A list as tokens at the place of a paragraph."""
    level = like.level if level is None else level
    kind, tag, place = _KINDS[element.tag], element.tag, like.map
    attrs: dict[str, str | int | float] = {**element.attrib}
    yield Token(f"{kind}_open", tag, 1, attrs=attrs, map=place, level=level, block=True)
    if tag == "li":
        inline = Token("inline", "", 0, map=place, level=level + 1, block=True)
        inline.children = [token for part in parts_of(element) for token in _inline(part, 0)]
        yield inline
    else:
        for child in element:
            yield from _tokens(child, like, level + 1)
    yield Token(f"{kind}_close", tag, -1, level=level, block=True)


def _inline(part: str | Element, level: int) -> Iterator[Token]:
    if isinstance(part, str):
        yield Token("text", "", 0, content=part, level=level)
    elif part.tag == "a":
        yield from link_tokens({**part.attrib}, part.text or "", level)
    else:
        tag = _TAGS.get(part.tag, part.tag)
        yield Token(f"{tag}_open", tag, 1, level=level)
        for inner in parts_of(part):
            yield from _inline(inner, level + 1)
        yield Token(f"{tag}_close", tag, -1, level=level)

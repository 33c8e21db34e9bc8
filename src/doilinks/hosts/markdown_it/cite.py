"""Works: on hover, in citations, and in lists of references."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from ...cite.citations import Bracket, Cited, Cluster, group_of
from ...cite.marker import ListRequest, list_request, may_ask
from ...cite.page import (
    WorkLink,
    WorkLookup,
    add_classes,
    add_runs,
    lookup_of,
    mentions_of,
    parts_of,
    placed,
)
from ...cite.references import Piece, References, format_all
from ...core.nameless import WorkId
from ...core.options import Options
from ...record.words import no_formula
from .walk import link_tokens

_warn: Final = partial(logging.getLogger("doilinks.markdown_it").warning, "doilinks: %s")
_KINDS: Final = {"ul": "bullet_list", "ol": "ordered_list", "li": "list_item", "div": "doi_list"}
_TAGS: Final = {"i": "em", "b": "strong"}  # of the tokens that the host has for these styles


def lookup_at(options: Options) -> WorkLookup:
    """Return the works of the current folder."""
    return lookup_of(options, Path(), _warn)


def page_of(options: Options, source: str) -> Page:
    """Build the page with the works of one document."""
    lookup = lookup_at(options)
    lookup.forget()
    lookup.source = source
    return Page(lookup, options)


class Page:
    """The works of one document."""

    def __init__(self, lookup: WorkLookup, options: Options) -> None:
        self._lookup, self._options = lookup, options
        self._links: dict[int, WorkLink] = {}  # by the ids of the tokens that open them

    def add(self, token: Token, doi: WorkId) -> None:
        """Add a link to a work, and show the work on hover."""
        cited = token.meta.get("doi")
        citation = cited.citation if isinstance(cited, Cited) else None
        show = self._lookup.cite if citation else self._lookup.hover
        add_classes(token.attrs, *show(token.attrs, doi))
        self._links[id(token)] = WorkLink(doi, token.attrs, citation)

    def show(self, state: StateCore) -> None:
        """Show the citations, and the lists that the document asks for."""
        lists = self._lists(state) if self._options.cites and may_ask(state.src) else {}
        mentions = mentions_of(self._links.values())
        inlines = [token for token in state.tokens if token.children] if self._links else []
        said = [each[2] for token in inlines for each in self._citations(token, lambda _: True)]
        works = [self._lookup.references(mentions, said, ask) for ask in lists.values()]
        format_all(works)
        references = works[0] if works else self._lookup.references(mentions)
        for (doi, attrs, citation), mention in zip(self._links.values(), mentions, strict=True):
            if lists:
                attrs["id"] = mention.anchor
                if citation:
                    self._lookup.point_to_entry(attrs, doi)
        for token in inlines:
            self._fill(token, references)
        done, ids = 0, set[str]()
        listed: list[Token] = []
        for at, each in zip(lists, works, strict=True):
            made = self._lookup.list_of(each, ids)
            listed += state.tokens[done : at - 1]
            listed += _tokens(made, state.tokens[at - 1]) if made is not None else ()
            done = at + 2
        state.tokens[:] = listed + state.tokens[done:]

    def _citations(
        self, inline: Token, groups: Callable[[Cluster], bool]
    ) -> Iterator[tuple[int, int, Cluster]]:
        """Yield the span of each citation and its cluster: a group as a whole, or each work."""
        tokens, done = inline.children or [], 0
        for at, token in enumerate(tokens):
            bracket, link = token.meta.get("doi"), self._links.get(id(token))
            if at < done:
                continue
            if isinstance(bracket, Bracket) and bracket.opens:
                for end in range(at + 1, len(tokens)):
                    closing = tokens[end].meta.get("doi")
                    if not isinstance(closing, Bracket) or closing.group is not bracket.group:
                        continue
                    group = group_of(self._parts(tokens[at : end + 1]))
                    if groups(group):
                        done = end + 1
                        yield at, done, group
            elif link and link.citation:
                done = at + 3
                yield at, done, link.citation

    def _parts(self, tokens: Iterable[Token]) -> Iterator[str | Cluster]:
        tokens = iter(tokens)
        for token in tokens:
            link = self._links.get(id(token))
            if link and link.citation:
                yield link.citation
                next(tokens)  # its text
            else:
                yield " " if token.type == "softbreak" else token.content

    def _fill(self, inline: Token, references: References) -> None:
        tokens = inline.children or []
        filled: list[Token] = []
        done = 0
        for start, end, cluster in self._citations(inline, references.changes):
            inside = tokens[start:end]
            works = ((self._links.get(id(each)), each) for each in inside)
            links = [(work.doi, each) for work, each in works if work]
            # The brackets and the words of a work that is alone are in the document.
            is_alone = inside[0].type == "link_open"
            pieces = [references.link_words(cluster)] if is_alone else references.words(cluster)
            filled += tokens[done:start]
            for piece, link in placed(pieces, links):
                filled += _tokens_of(piece, link, inside[0].level)
            done = end
        inline.children = filled + tokens[done:]

    def _lists(self, state: StateCore) -> dict[int, ListRequest]:
        """Find the lists that the document asks for, by the numbers of its tokens."""
        lists: dict[int, ListRequest] = {}
        for at, token in enumerate(state.tokens):
            if token.type != "inline" or state.tokens[at - 1].type != "paragraph_open":
                continue
            if ask := list_request(token.content):
                lists[at] = ask
                line = token.map[0] + 1 if token.map else 0
                for message in ask.trouble:
                    self._lookup.tell(message, here=True, line=line)
                if ask.scope == "project":
                    message = "doi-list: markdown-it-py knows one document, so scope is page"
                    self._lookup.tell(f"{message} [doi-list]", here=True, line=line)
        return lists


def _tokens_of(piece: Piece, link: Token | None, level: int) -> Iterator[Token]:
    """Yield the tokens of a piece of a citation, in the link if there is one."""
    content = Element("span")
    add_runs(content, piece.runs)
    if link and not piece.runs:
        content.attrib |= {"id": str(link.attrs["id"])} if "id" in link.attrs else {}
        yield from _inline(content, level)
        return
    if link:
        add_classes(link.attrs, *no_formula(piece.text))
        yield link
    for part in parts_of(content):
        yield from _inline(part, level + bool(link))
    if link:
        yield Token("link_close", "a", -1, level=level, markup="doi", info="auto")


def _tokens(element: Element, like: Token, level: int | None = None) -> Iterator[Token]:
    """Yield a list as tokens at the place of a paragraph."""
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
        yield Token(f"{tag}_open", tag, 1, attrs={**part.attrib}, level=level)
        for inner in parts_of(part):
            yield from _inline(inner, level + 1)
        yield Token(f"{tag}_close", tag, -1, level=level)

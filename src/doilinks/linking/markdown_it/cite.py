"""Works: on hover, in citations, and in lists of references.

An inline rule takes each citation as a whole and leaves a token in its place, because what it says
depends on the other citations of the document. The core rule shows them when it has seen all.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline, link
from markdown_it.token import Token

from ...core.doi import DOI
from ...core.found import Found
from ...core.link import attributes, link_to
from ...core.options import Options
from ...core.text import HIDDEN, SourceText
from ..cite.citations import Cluster, Span, may_cite, parse, sides
from ..cite.marker import Asked, asked, may_ask
from ..cite.page import (
    Attributes,
    Desk,
    WorkLink,
    add_classes,
    list_of,
    mentions_of,
    parts_of,
    point_to_entry,
)
from ..cite.references import Mention
from ..cite.shelf import Shelf
from ..cite.words import no_formula
from .walk import CITATION, unlink

_logger: Final = logging.getLogger("doilinks.markdown_it")

_Decode = Callable[[str], Iterable[tuple[int, int, str]]]


# --------------------------------------------------------------------------------------------------
# The inline rule.

_SIGNS: Final = frozenset("[@-")  # with which a citation begins


class Cited(NamedTuple):
    """A citation in the source of an inline token.

    :ivar end: the offset in the source at which it ends
    :ivar cluster: the words around a name in brackets are as in the source, with their markup
    :ivar text: as in the source, with escapes decoded
    :ivar line: its line in the token, counted from 0
    """

    end: int
    cluster: Cluster
    text: str
    line: int


class CiteFinder:
    """Finds the citations in the source of inline tokens.

    :param decode: the pieces of a source that are not prose, and its escapes
    """

    def __init__(self, decode: _Decode) -> None:
        self._decode = decode
        self._last: tuple[str, dict[int, Cited]] = "", {}

    def rule(self, state: StateInline, silent: bool) -> bool:
        """The inline rule: take the citation at this place."""
        source, places = self._last
        if source is not state.src:
            places = self._places(state.src)
            self._last = state.src, places
        cited = places.get(state.pos)
        if cited is None or cited.end > state.posMax:
            return False
        if not silent:
            if state.linkLevel > 0:
                state.push("text_special", "", 0).content = cited.text
            elif not cited.cluster.narrative and _is_link(state):
                return False
            else:
                token = state.push(CITATION, "", 0)
                token.content, token.meta = cited.text, {CITATION: cited}
        state.pos = cited.end
        return True

    def _places(self, source: str) -> dict[int, Cited]:
        """Each citation in the source of an inline token, by the offset at which it begins."""
        if not may_cite(source):
            return {}
        plain = SourceText.of(source, self._without_escaped(source))
        places: dict[int, Cited] = {}
        line = at = 0
        for cluster in parse(plain.text):
            start, end = plain.span(cluster.start, cluster.end)
            line += source.count("\n", at, start)
            at = start
            written = plain.text[cluster.start : cluster.end]
            places[start] = Cited(end, _with_markup(cluster, source, plain), written, line)
        return places

    def _without_escaped(self, source: str) -> Iterator[tuple[int, int, str]]:
        r"""Hide what an author has escaped so that it does not begin a citation: ``\@``, ``\[``."""
        for start, end, piece in self._decode(source):
            before = source[max(0, start - 1) : start]
            begins = piece == "@" or (piece in _SIGNS and not before.strip(" \n("))
            yield start, end, HIDDEN if begins else piece


def _with_markup(cluster: Cluster, source: str, plain: SourceText) -> Cluster:
    """A citation with the words in brackets as in the source."""
    if cluster.narrative:
        return cluster

    def written(span: Span) -> str:
        return source[slice(*plain.span(*span))] if span[0] < span[1] else ""

    around = zip(cluster.cites, sides(plain.text, cluster), strict=True)
    cites = [
        cite._replace(before=written(before), after=written(after))
        for cite, (before, after) in around
    ]
    return cluster._replace(cites=tuple(cites))


def _is_link(state: StateInline) -> bool:
    """Tell whether the host reads what is in brackets as the text of a link."""
    at = state.pos
    found = link(state, True)
    state.pos = at
    return found


# --------------------------------------------------------------------------------------------------
# The core rule.


class Works:
    """The works of the lock file, which is read again when it has changed.

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
        self._places: list[WorkLink] = []

    def link(self, token: Token, doi: DOI) -> None:
        """Show on hover what a link leads to."""
        self._places.append(WorkLink(doi, token.attrs))
        add_classes(token.attrs, *self._desk.hover(token.attrs, doi))

    def cite(self, inline: Token, token: Token) -> Iterator[Found]:
        """List the names of a citation in an inline token."""
        cited: Cited = token.meta[CITATION]
        line = inline.map[0] + 1 + cited.line if inline.map else None
        for each in cited.cluster.cites:
            attrs = attributes(link_to(each.doi, self._options), self._options)
            add_classes(attrs, *self._desk.cite(attrs, each.doi))
            self._places.append(WorkLink(each.doi, attrs, cited.cluster))
            yield Found(each.doi, form="cite", line=line, written=cited.text)

    def show(self, state: StateCore) -> None:
        """Show the citations, and the lists that the document asks for."""
        lists = self._lists(state) if self._options.cite and may_ask(state.src) else {}
        cited = [place.attrs for place in self._places if place.citation]
        if not (cited or lists):
            return
        mentions = mentions_of(self._places)
        if lists:
            for place, mention in zip(self._places, mentions, strict=True):
                place.attrs["id"] = mention.anchor
        if cited:
            self._show_citations(state, mentions, cited, to_list=bool(lists))
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

    def _show_citations(
        self,
        state: StateCore,
        mentions: Sequence[Mention],
        cited: Iterable[Attributes],
        *,
        to_list: bool,
    ) -> None:
        references = self._desk.references(mentions)
        places = iter(cited)
        for inline in state.tokens:
            if not any(each.type == CITATION for each in inline.children or ()):
                continue
            children: list[Token] = []
            for token in inline.children or ():
                if token.type != CITATION:
                    children.append(token)
                    continue
                for piece in references.words(token.meta[CITATION].cluster):
                    if piece.doi is None:
                        children += _words(state, piece.text, token.level)
                        continue
                    attrs = next(places)
                    if to_list:
                        point_to_entry(attrs, piece.doi, self._desk.shelf)
                    add_classes(attrs, *no_formula(piece.text))
                    children += _linked(attrs, piece.text, token.level)
            inline.children = children


def _words(state: StateCore, source: str, level: int) -> list[Token]:
    """The words around a name in brackets, with their markup. A name in them is not a link."""
    tokens: list[Token] = []
    state.md.inline.parse(source, state.md, state.env, tokens)
    unlink(tokens)
    for token in tokens:
        token.level += level
    return tokens


# --------------------------------------------------------------------------------------------------
# The tokens of a list, which no rule of the host changes.

_KINDS: Final = {"ul": "bullet_list", "ol": "ordered_list", "li": "list_item", "div": "doi_list"}
_TAGS: Final = {"i": "em", "b": "strong"}  # of the tokens that the host has for these styles


def _text(content: str, level: int) -> Token:
    """Text that neither linkify nor typography changes."""
    return Token("text_special", "", 0, content=content, level=level)


def _linked(attrs: Attributes, shown: str, level: int) -> list[Token]:
    begin = Token("link_open", "a", 1, attrs=dict(attrs), level=level, markup="doi", info="auto")
    end = Token("link_close", "a", -1, level=level, markup="doi", info="auto")
    return [begin, _text(shown, level + 1), end]


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
        yield _text(part, level)
    elif part.tag == "a":
        yield from _linked({**part.attrib}, part.text or "", level)
    else:
        tag = _TAGS.get(part.tag, part.tag)
        yield Token(f"{tag}_open", tag, 1, level=level)
        for inner in parts_of(part):
            yield from _inline(inner, level + 1)
        yield Token(f"{tag}_close", tag, -1, level=level)

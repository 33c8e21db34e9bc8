"""Works: on hover, in citations, and in lists of references.

An inline rule takes each citation as a whole and leaves a token in its place, because what it says
depends on the other citations of the document. The core rule shows them when it has seen all.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Final, NamedTuple

from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline, link
from markdown_it.token import Token

from ..cite.citations import Cluster, Span, may_cite, parse, sides
from ..cite.marker import may_ask
from ..cite.references import Mention, References, anchor_of, place_of
from ..cite.shelf import Shelf
from ..cite.style import style_of
from ..cite.words import no_formula
from ..core.doi import DOI
from ..core.found import Found
from ..core.link import attributes, link_to
from ..core.options import Options
from ..core.text import HIDDEN, SourceText
from .references import Lists, linked
from .walk import CITATION, unlink

_logger: Final = logging.getLogger(__package__)

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
        self._shelf, self._is_new = Shelf(None), False
        # A style is read once, and the works that it has formatted are kept.
        self.style = lru_cache(maxsize=8)(partial(style_of, root=root, warn=_logger.warning))

    def page(self) -> Page:
        """The works of one document."""
        stamp = Shelf.stamp(self._options, self._root)
        if stamp != self._stamp:
            self._stamp, self._shelf = stamp, Shelf.of(self._options, self._root)
            self._is_new = True
        return Page(self, self._options, self._shelf)

    def tell(self) -> None:
        """Warn once if the lock file is damaged."""
        if self._is_new and self._shelf.trouble:
            _logger.warning("%s", self._shelf.trouble)
        self._is_new = False


class _Place(NamedTuple):
    """A link to a work, or a citation; and the token that opens the link."""

    doi: DOI
    token: Token
    cited: bool


class Page:
    """The works of one document."""

    def __init__(self, works: Works, options: Options, shelf: Shelf) -> None:
        self._works, self._options, self._shelf = works, options, shelf
        self._places: list[_Place] = []

    def link(self, token: Token, doi: DOI) -> None:
        """Show on hover what a link leads to."""
        self._places.append(_Place(doi, token, cited=False))
        if self._options.hovers and (shown := self._shelf.on_hover(doi)):
            token.attrs.setdefault("title", shown.text)
            for name in shown.classes:
                token.attrJoin("class", name)

    def cite(self, inline: Token, token: Token) -> Iterator[Found]:
        """List the names of a citation in an inline token."""
        cited: Cited = token.meta[CITATION]
        line = inline.map[0] + 1 + cited.line if inline.map else None
        for each in cited.cluster.cites:
            self._places.append(_Place(each.doi, self._opening(each.doi, token.level), cited=True))
            yield Found(each.doi, form="cite", line=line, written=cited.text)

    def _opening(self, doi: DOI, level: int) -> Token:
        token = Token("link_open", "a", 1, level=level, markup="doi", info="auto")
        token.attrs |= attributes(link_to(doi, self._options), self._options)
        if shown := self._shelf.on_hover(doi):
            for name in ("doi-cite", *shown.classes):
                token.attrJoin("class", name)
            if self._options.hovers:
                token.attrs["title"] = shown.text
        return token

    def show(self, state: StateCore) -> None:
        """Show the citations, and the lists that the document asks for."""
        asks = self._options.cite and may_ask(state.src)
        lists = Lists(state.tokens, self._options) if asks else None
        cited = [place for place in self._places if place.cited]
        if self._places:
            self._works.tell()
        if not self._shelf.trouble:
            for _, message in self._shelf.unknown(place.doi for place in cited):
                _logger.warning("%s [doi-cite]", message)
        if not (cited or lists):
            return
        mentions = [*self._mentions(with_places=bool(lists))]
        if cited:
            self._show_citations(state, mentions, cited, to_list=bool(lists))
        if lists:
            lists.show(state.tokens, self._shelf, mentions, self._works.style)

    def _mentions(self, *, with_places: bool) -> Iterator[Mention]:
        numbers: Counter[DOI] = Counter()
        for doi, token, cited in self._places:
            anchor = ""
            if with_places:
                numbers[doi] += 1
                anchor = str(token.attrs.setdefault("id", place_of(doi, numbers[doi])))
            yield Mention(doi, anchor, cited=cited)

    def _show_citations(
        self,
        state: StateCore,
        mentions: Iterable[Mention],
        cited: Sequence[_Place],
        *,
        to_list: bool,
    ) -> None:
        references = References(self._shelf.work, mentions, uri=self._uri, same=self._shelf.same)
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
                    opening = next(places).token
                    if to_list and self._shelf.work(piece.doi):
                        opening.attrs["href"] = f"#{anchor_of(self._shelf.same(piece.doi))}"
                    for name in no_formula(piece.text):
                        opening.attrJoin("class", name)
                    children += linked(opening, piece.text)
            inline.children = children

    def _uri(self, doi: DOI) -> str:
        return link_to(doi, self._options).text or doi.uri


def _words(state: StateCore, source: str, level: int) -> list[Token]:
    """The words around a name in brackets, with their markup. A name in them is not a link."""
    tokens: list[Token] = []
    state.md.inline.parse(source, state.md, state.env, tokens)
    unlink(tokens)
    for token in tokens:
        token.level += level
    return tokens

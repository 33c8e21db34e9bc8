"""Works: on hover, in citations, and in lists of references."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import Final, NamedTuple

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from ..cite.citations import Cluster
from ..cite.marker import may_ask
from ..cite.references import Mention, References, anchor_of, place_of
from ..cite.shelf import Shelf
from ..cite.style import style_of
from ..cite.words import no_formula
from ..core.doi import DOI
from ..core.link import link_to
from ..core.options import Options
from .find import Cited
from .references import Lists

_logger: Final = logging.getLogger(__package__)


class Desk:
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


class _Mention(NamedTuple):
    """A link to a work, its tokens, and what it cites, if it does."""

    doi: DOI
    token: Token
    text: Token
    cluster: Cluster | None


class Page:
    """The works of one document."""

    def __init__(self, desk: Desk, options: Options, shelf: Shelf) -> None:
        self._desk, self._options, self._shelf = desk, options, shelf
        self._mentions: list[_Mention] = []

    def add(self, token: Token, text: Token, doi: DOI) -> None:
        """Add a link, and show on hover what it leads to.

        :param text: the token of its text
        """
        cited = token.meta.get("doi")
        cluster = cited.citation if isinstance(cited, Cited) else None
        self._mentions.append(_Mention(doi, token, text, cluster))
        if (self._options.hovers or cluster) and (shown := self._shelf.on_hover(doi)):
            for name in (*(("doi-cite",) if cluster else ()), *shown.classes):
                token.attrJoin("class", name)
            if self._options.hovers:
                token.attrs.setdefault("title", shown.text)

    def show(self, state: StateCore) -> None:
        """Show the citations, and the lists that the document asks for."""
        asks = self._options.cite and may_ask(state.src)
        lists = Lists(state.tokens, self._options) if asks else None
        cited = [each for each in self._mentions if each.cluster]
        if self._mentions:
            self._desk.tell()
        if not self._shelf.trouble:
            for _, message in self._shelf.unknown(each.doi for each in cited):
                _logger.warning("%s [doi-cite]", message)
        if not (cited or lists):
            return
        mentions = [*self._listed(with_places=bool(lists))]
        references = References(self._shelf.work, mentions, uri=self._uri, same=self._shelf.same)
        for doi, token, text, cluster in cited:
            text.content = _words(references, cluster)
            if lists and self._shelf.work(doi):
                token.attrs["href"] = f"#{anchor_of(self._shelf.same(doi))}"
            for name in no_formula(text.content):
                token.attrJoin("class", name)
        if lists:
            lists.show(state.tokens, self._shelf, mentions, self._desk.style)

    def _listed(self, *, with_places: bool) -> Iterator[Mention]:
        numbers: Counter[DOI] = Counter()
        for doi, token, _, cluster in self._mentions:
            anchor = ""
            if with_places:
                numbers[doi] += 1
                anchor = str(token.attrs.setdefault("id", place_of(doi, numbers[doi])))
            yield Mention(doi, anchor, cited=cluster is not None)

    def _uri(self, doi: DOI) -> str:
        return link_to(doi, self._options).text or doi.uri


def _words(references: References, cluster: Cluster | None) -> str:
    """What a citation shows; the words beside it in brackets, and these, are in the document."""
    pieces = references.words(cluster) if cluster else ()
    return "".join(piece.text for piece in pieces if piece.doi)

"""Reads a DOI before the inline markup that its characters could be.

docutils looks for the first start of inline markup and only then, in what is left, for URLs. A DOI
is put on a level with markup: whichever begins first is read first. So a DOI inside a literal, a
role or a hyperlink is never seen here, and markup inside a DOI is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from docutils import nodes
from docutils.parsers.rst import states
from docutils.utils import escape2null

from doilinks.core.link import Link
from doilinks.core.options import Options
from doilinks.core.scan import may_hold_doi, scan

from .link_node import link_written, mark

__all__ = ["DoiInliner"]

_KEY: Final = "doilinks"


class DoiInliner(states.Inliner):
    """The inliner of docutils, which also reads DOIs.

    :ivar options: what is linked; set before each document
    """

    options: Options = Options()

    def parse(
        self, text: str, lineno: int, memo: Any, parent: nodes.Element
    ) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Parse one run of text, as :meth:`docutils.parsers.rst.states.Inliner.parse` does."""
        # A role may parse its own text while the text around it is being parsed.
        outer = self.patterns.initial
        markup = outer.markup if isinstance(outer, _Initial) else outer
        holds = may_hold_doi(text.replace("\\", "") if "\\" in text else text)
        self.patterns.initial = _Initial(markup, text, self.options) if holds else markup
        try:
            return super().parse(text, lineno, memo, parent)
        finally:
            self.patterns.initial = outer

    def doi(self, match: _Begun, lineno: int) -> _Parsed:  # noqa: ARG002  docutils' signature
        """Turn a DOI into the mark that the transform makes a link of."""
        remaining = match.string[match.end :]
        return match.string[: match.start], [mark(match.written, match.link)], remaining, []

    dispatch = {**states.Inliner.dispatch, _KEY: doi}  # type: ignore[dict-item]  # noqa: RUF012


# docutils builds its patterns from the strings in the class's own namespace, not the inherited one.
for _name, _value in vars(states.Inliner).items():
    if isinstance(_value, str) and not _name.startswith("__"):
        setattr(DoiInliner, _name, _value)

_Parsed = tuple[str, list[nodes.Node], str, list[nodes.system_message]]


class _Begun(NamedTuple):
    """A DOI in the text that remains; as much of ``re.Match`` as docutils' loop asks for."""

    string: str
    start: int
    end: int
    written: str
    link: Link | None

    def groupdict(self) -> dict[str, str | None]:
        return {"start": _KEY, "backquote": None, "refend": None, "fnend": None}


class _Spot(NamedTuple):
    """Where a DOI is, counted from the end of the text, which what remains shares."""

    start: int
    end: int
    written: str
    link: Link | None


class _Initial:
    """Stands in for docutils' pattern of initial markup, for one text."""

    def __init__(self, markup: re.Pattern[str], text: str, options: Options) -> None:
        self.markup = markup
        self._options = options
        self._spots = self._find(escape2null(text))
        self._next = next(self._spots, None)
        self._markup_at: int | None = None
        self._behind = -1  # how much text followed the name read last

    def search(self, remaining: str) -> re.Match[str] | _Begun | None:
        size = len(remaining)
        while self._next and self._next.start > size:
            if self._next.end < size:
                # Markup has ended inside what looked like a name: look again behind it.
                self._spots = self._find(remaining)
            self._next = next(self._spots, None)
        found = self._markup_in(remaining)
        spot = self._next
        if spot is None or (found and found.start() < size - spot.start):
            return found
        self._behind = spot.end
        return _Begun(remaining, size - spot.start, size - spot.end, spot.written, spot.link)

    def _markup_in(self, remaining: str) -> re.Match[str] | None:
        """What docutils would find; text without markup is searched once, not for each DOI."""
        size, known, first = len(remaining), self._markup_at, 0
        found = self.markup.match(remaining)  # only here "^" matches what it did not before
        if found and size == self._behind:
            # Just behind a name nothing begins: the asterisk of 10.1000/182* is one of the text.
            found, first = None, 1
        if found:
            return found
        if known is None or known > size - first:
            found = self.markup.search(remaining, first)
            self._markup_at = size - found.start() if found else 0
            return found
        return self.markup.search(remaining, size - known) if known else None

    def _find(self, escaped: str) -> Iterator[_Spot]:
        """The DOIs of a text in which docutils has put a NUL before each escaped character."""
        size = len(escaped)
        if "\x00" not in escaped:
            text, at = escaped, None
        else:
            text, at = _unescape(escaped)
        for match in scan(text):
            link = link_written(match, self._options, text)
            start = at[match.start] if at else match.start
            end = at[match.end] if at else match.end
            if escaped[start] == "\x00":
                link = None
            elif link is None:
                continue
            yield _Spot(size - start, size - end, text[match.start : match.end], link)


def _unescape(escaped: str) -> tuple[str, list[int]]:
    """The text without its escapes, and where each of its characters stood.

    Escaped white space is nothing in reStructuredText, but it parts words; the NUL stays for it.
    """
    characters, at = [], []
    found = 0
    while found < len(escaped):
        at.append(found)
        if escaped[found] == "\x00" and found + 1 < len(escaped):
            after = escaped[found + 1]
            characters.append("\x00" if after.isspace() else after)
            found += 2
        else:
            characters.append(escaped[found])
            found += 1
    at.append(len(escaped))
    return "".join(characters), at

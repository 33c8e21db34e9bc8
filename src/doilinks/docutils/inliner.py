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
from doilinks.core.text import SourceText

from .link_node import link_written, mark

__all__ = ["DoiInliner"]

_KEY: Final = "doilinks"
_ESCAPED: Final = re.compile("\x00.", re.DOTALL)
_AHEAD: Final = 256  # characters of a name that tell whether a URL goes on into it


class DoiInliner(states.Inliner):
    """The inliner of docutils, which also reads DOIs.

    :ivar options: what is linked; set before each document
    """

    options: Options = Options()

    def init_customizations(self, settings: Any) -> None:
        """Build the patterns; docutils does it before each document."""
        super().init_customizations(settings)
        self.implicit_dispatch = [
            (_URLs(self.patterns) if pattern is self.patterns.uri else pattern, method)  # type: ignore[misc]  # docutils asks for search() alone
            for pattern, method in self.implicit_dispatch
        ]

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
        string = match.string
        self.patterns.initial.parted(
            string[match.start : match.start + _AHEAD], string[match.end - 1]
        )
        return string[: match.start], [mark(match.written, match.link)], string[match.end :], []

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


class _URLs:
    """Stands in for docutils' pattern of URLs.

    A name takes no URL out of a text that docutils would not see there without it: ``x`` is none in
    ``javascript:x}{10.1000/182}``, and half of ``data:text/html,doi:10.1000/182`` is none either.
    """

    def __init__(self, patterns: Any) -> None:
        self._patterns = patterns
        self._pattern: re.Pattern[str] = patterns.uri

    def search(self, text: str) -> re.Match[str] | None:
        found = self._pattern.search(text)
        around = self._patterns.initial
        if found is None or not isinstance(around, _Initial):
            return found
        if around.before and found.start() == 0:
            # Where a text begins, a URL may begin; not where only the name before it ends.
            found = self._pattern.search(text, 1)
        around.before = ""
        if found and around.after and not re.search(r"\s", text[found.end() :]):
            first = max(0, found.start() - 1)
            whole = self._pattern.match(text[first:] + around.after, found.start() - first)
            if whole is None or not (
                whole["whole"] == found["whole"] or found["whole"].lower().startswith("http")
            ):
                return None
        return found


class _Initial:
    """Stands in for docutils' pattern of initial markup, for one text.

    :ivar before: the last character of the name behind which the text begins that is read next
    :ivar after: the name, and what follows, that ends the text that is read next
    """

    def __init__(self, markup: re.Pattern[str], text: str, options: Options) -> None:
        self.markup = markup
        self._options = options
        self._spots = self._find(escape2null(text))
        self._next = next(self._spots, None)
        self._markup_at: int | None = None
        self._behind = -1  # how much text followed the name read last
        self._last = self.before = self.after = ""

    def parted(self, after: str, last: str) -> None:
        """Remember the name that has been read."""
        self.after, self._last = after, last

    def search(self, remaining: str) -> re.Match[str] | _Begun | None:
        size = len(remaining)
        self.after = ""
        if size == self._behind:
            self.before = self._last
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
        plain = SourceText.of(escaped, _unescaped(escaped))
        text = plain.text
        for match in scan(text):
            link = link_written(match, self._options, text)
            start, end = plain.span(match.start, match.end)
            if escaped[start] == "\x00":
                link = None
            elif link is None:
                continue
            yield _Spot(size - start, size - end, text[match.start : match.end], link)


def _unescaped(escaped: str) -> Iterator[tuple[int, int, str]]:
    """Each escaped character, for itself.

    Escaped white space is nothing in reStructuredText but separates words; the NUL stays for it.
    """
    for found in _ESCAPED.finditer(escaped):
        yield found.start(), found.end(), found[0][0 if found[0][1].isspace() else 1]

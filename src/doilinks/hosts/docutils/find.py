"""Reads a DOI before docutils can take its characters for inline markup.

docutils looks for inline markup first, and looks for URLs only in the text that is left. This
inliner looks for markup and for DOIs together, and reads first what begins first. So it never sees
a DOI inside a literal, a role or a hyperlink, and the characters of a DOI are never markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from heapq import merge
from typing import Any, Final, NamedTuple

from docutils import nodes
from docutils.parsers.rst import states
from docutils.utils import escape2null

from ...core.link import may_contain
from ...core.options import Options
from ...core.scan import scan, whole_name
from ...core.text import SourceText
from .cite import cite_mark, hidden_citations
from .link import link_written, mark

_ESCAPED: Final = re.compile("\x00.", re.DOTALL)  # as docutils marks a character after a backslash
_SPACE: Final = re.compile(r"\s")
_AHEAD: Final = 256  # this many characters of a name show whether a URL continues into the name

# This character is put before a text that follows a name. Otherwise docutils would take the
# beginning of the text for the beginning of a block. No URL begins with this character or just
# after it.
_GUARD: Final = "\ue000"

_COVER: Final = "\x01"  # hides a citation; it ends every name

_Parsed = tuple[list[nodes.Node], list[nodes.system_message]]


class DoiInliner(states.Inliner):
    """The inliner of docutils, which also reads DOIs."""

    options: Options = Options()  # the options of the document; set before each document is parsed
    _after = ""  # the text after the one that is searched for URLs

    def init_customizations(self, settings: Any) -> None:
        """Take over the patterns of docutils, which calls this before each document.

        docutils builds its patterns from strings in the namespace of the inliner's class. This
        class has no such strings, so an inliner of docutils builds the patterns.
        """
        stock = states.Inliner()
        stock.init_customizations(settings)
        vars(self).update(vars(stock))
        self.implicit_dispatch = [
            (pattern, getattr(self, method.__name__)) for pattern, method in stock.implicit_dispatch
        ]

    def parse(self, text: str, lineno: int, memo: Any, parent: nodes.Element) -> _Parsed:
        """Parse one run of text, as :meth:`docutils.parsers.rst.states.Inliner.parse` does.

        The loop is the loop of docutils, with one more thing that may begin: a name.
        """
        if not may_contain(text.replace("\\", ""), self.options):
            return super().parse(text, lineno, memo, parent)
        self.document, self.language, self.parent = memo.document, memo.language, parent
        self.reporter = self.document.reporter
        remaining = escape2null(text)
        names, markup = _Names(remaining, self.options), _Markup(self.patterns.initial)
        unprocessed: list[str] = []
        processed: list[nodes.Node] = []
        messages: list[nodes.system_message] = []
        after_name = False
        while remaining:
            size = len(remaining)
            match = markup.search(remaining, after_name=after_name and not unprocessed)
            name = names.next_in(remaining)
            if name and not (match and match.start() < size - name.start):
                start, end = size - name.start, size - name.end
                unprocessed.append(remaining[:start])
                self._after = remaining[start : start + _AHEAD]
                inlines: list[nodes.Node] = [name.mark]
                rest = remaining[end:]
            elif match:
                groups = match.groupdict()
                kind = groups["start"] or groups["backquote"] or groups["refend"] or groups["fnend"]
                method: Any = self.dispatch[kind]  # the stubs know another signature
                before, inlines, rest, more = method(self, match, lineno)
                unprocessed.append(before)
                messages += more
                self._after = ""
                name = None
            else:
                break
            if inlines:
                processed += self._urls("".join(unprocessed), lineno, after_name=after_name)
                processed += inlines
                unprocessed = []
                after_name = name is not None
            remaining = rest
        self._after = ""
        processed += self._urls("".join(unprocessed) + remaining, lineno, after_name=after_name)
        return processed, messages

    def _urls(self, text: str, lineno: int, *, after_name: bool) -> list[nodes.Node]:
        """Build the nodes for a text without markup, in which docutils finds URLs and such."""
        found: list[Any] = list(self.implicit_inline((_GUARD if after_name else "") + text, lineno))
        if after_name:
            rest = str(found[0]).removeprefix(_GUARD)  # with the escapes that docutils marks
            found[:1] = [nodes.Text(rest)] if rest else []
        return found

    def standalone_uri(self, match: re.Match[str], lineno: int) -> Any:
        """Build the link for a URL that docutils would also see with the name after it.

        ``data:text/html,`` is only half of the URL ``data:text/html,doi:10.1000/182``.
        """
        if self._after and not _SPACE.search(match.string, match.end()):
            first = max(0, match.start() - 1)
            around = match.string[first:] + self._after
            whole, seen = match.re.match(around, match.start() - first), match["whole"]
            if whole is None or not (whole["whole"] == seen or seen.lower().startswith("http")):
                raise states.MarkupMismatch
        return super().standalone_uri(match, lineno)


class _Name(NamedTuple):
    """A DOI of a text. Its offsets are counted from the end of the text, which does not move."""

    start: int
    end: int
    mark: nodes.inline


class _Names:
    """The DOIs of a text whose beginning is used up step by step."""

    def __init__(self, text: str, options: Options) -> None:
        self._options = options
        self._cited, self._visible = self._citations(text)
        self._names = self._find(text)
        self._next = next(self._names, None)

    def next_in(self, remaining: str) -> _Name | None:
        size = len(remaining)
        while self._next and self._next.start > size:
            if self._next.end < size:
                # Markup has ended inside this name, so it is not a name. Search again after that.
                self._names = self._find(remaining)
            self._next = next(self._names, None)
        return self._next

    def _citations(self, escaped: str) -> tuple[list[_Name], str]:
        """Find a text's citations, the first one last, and the text with them hidden."""
        if not self._options.cites or "@" not in escaped:
            return [], escaped
        plain = SourceText.of(escaped, _unescaped(escaped) if "\x00" in escaped else ())
        size = len(escaped)
        places: list[_Name] = []
        covers: list[tuple[int, int, str]] = []
        for start, end, written, cluster in hidden_citations(escaped, plain, "\0", self._options):
            node = cite_mark(written, cluster) if cluster else mark(written, None, "label")
            places.append(_Name(size - start, size - end, node))
            covers.append((start, end, _COVER * (end - start)))
        return places[::-1], SourceText.of(escaped, covers).text

    def _find(self, remaining: str) -> Iterator[_Name]:
        while self._cited and self._cited[-1].start > len(remaining):
            self._cited.pop()
        names = self._named(self._visible[len(self._visible) - len(remaining) :])
        if not self._cited:
            return names
        return merge(reversed(self._cited), names, key=lambda place: -place.start)

    def _named(self, escaped: str) -> Iterator[_Name]:
        """Yield the DOIs of a text where docutils has put a NUL before escaped characters."""
        size = len(escaped)
        plain = SourceText.of(escaped, _unescaped(escaped) if "\x00" in escaped else ())
        text = plain.text
        for match in scan(text, self._options.arxiv):
            link = link_written(match, self._options, text)
            start, end = plain.span(match.start, match.end)
            if escaped[start] == "\x00":
                link = None
            elif link is None:
                continue
            written = text[match.start : match.end]
            whole = whole_name(match, text)
            yield _Name(size - start, size - end, mark(written, link, match.form, whole))


class _Markup:
    """The inline markup of a text. A text without markup is searched once, not for each name."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern
        # The offset at which markup begins, counted from the end of the text. 0: there is none.
        self._at: int | None = None

    def search(self, remaining: str, *, after_name: bool) -> re.Match[str] | None:
        """Find the first markup that docutils would find in the text that remains."""
        size, known, first = len(remaining), self._at, 0
        if after_name:
            # No markup begins just after a name: the asterisk of 10.1000/182* is text.
            first = 1
        elif found := self._pattern.match(remaining):
            return found  # the "^" of the pattern can match here, although it did not before
        if known is None or known > size - first:
            found = self._pattern.search(remaining, first)
            self._at = size - found.start() if found else 0
            return found
        return self._pattern.search(remaining, size - known) if known else None


def _unescaped(escaped: str) -> Iterator[tuple[int, int, str]]:
    """Yield each escape in a text, with the character that it stands for.

    Escaped white space shows nothing in reStructuredText but separates words. So the text that
    replaces it is the NUL.
    """
    for found in _ESCAPED.finditer(escaped):
        yield found.start(), found.end(), found[0][0 if found[0][1].isspace() else 1]

"""The inline pattern: finds a name before the host reads the markup in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.inlinepatterns import InlineProcessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import ETX, INLINE_PLACEHOLDER_PREFIX

from ..core.arxiv import ANCHOR as ANCHOR_OF_PAPER
from ..core.options import Options
from ..core.scan import ANCHOR, ANCHOR_OF_PREFIX, may_contain_doi
from .link import build
from .text import AUTOLINKER, Span, escape, spans

# The pattern for a document: the host searches each of its texts with it, so it finds no more than
# it has to.
_ANY: Final = re.compile(ANCHOR)
_PREFIX: Final = re.compile(ANCHOR_OF_PREFIX)
_PAPER: Final = re.compile(f"{ANCHOR}|{ANCHOR_OF_PAPER}")
_NOTHING: Final = re.compile(r"\x00")


class Names(InlineProcessor):
    """The inline pattern. It matches an anchor, and a scan says whether a name contains the anchor.

    :ivar made: the links that doilinks has made, each with its name
    :ivar written: for each of these links, the text that the host would read without doilinks
    """

    def __init__(self, options: Options, md: Markdown) -> None:
        super().__init__(ANCHOR, md)
        self._markdown = md
        self._options = options
        self.made: dict[Element, Span] = {}
        self.written: dict[Element, str] = {}
        self._data = ""
        self._spans: Iterator[Span] = iter(())
        self._span: Span | None = None
        # The offset of the last name, and the length of the text after it.
        self._last = (0, 0)

    def reset(self) -> None:
        """Forget the document that was converted before."""
        self.made.clear()
        self.written.clear()
        self._data, self._spans, self._span = "", iter(()), None
        self.compiled_re = _ANY

    def expect(self, text: str) -> None:
        """Look for nothing but what is in the text of a document, until the next reset."""
        if not may_contain_doi(text, self._options.arxiv):
            self.compiled_re = _NOTHING
        elif self._options.arxiv:
            self.compiled_re = _PAPER
        else:
            self.compiled_re = _ANY if "doi.org/" in text else _PREFIX

    def handleMatch(  # type: ignore[override]  # noqa: N802  the host's name
        self, m: re.Match[str], data: str
    ) -> tuple[Element | str | None, int | None, int | None]:
        """The link for the name that contains an anchor; inside a link, only the name."""
        span = self._around(m.start(), data)
        if span is None:
            return None, None, None
        start, end = len(data) - span.before, len(data) - span.after
        self._last = start, span.after
        # After this, some versions of the host begin again at the start of the text.
        self._span = next(self._spans, None)
        inline: Any = self._markdown.treeprocessors["inline"]
        if "a" in inline.ancestors:
            return escape(span.written), start, end
        link = build(span, self._options)
        self.made[link] = span
        self.written[link] = escape(span.written)
        return link, start, end

    def _around(self, anchor: int, data: str) -> Span | None:
        """The name that contains an anchor.

        After each name the host asks about a new text, in which a placeholder replaces the name.
        The rest of the text is the same as before, so the scan continues. A new scan for each name
        would take quadratic time.
        """
        if data is not self._data:
            if not self._goes_on(data):
                inline: Any = self._markdown.treeprocessors["inline"]
                autolinks = AUTOLINKER in self._markdown.inlinePatterns
                stash = inline.stashed_nodes
                self._spans = spans(data, stash, self._options, autolinks=autolinks)
                self._span = next(self._spans, None)
            self._data = data
        while self._span and len(data) - self._span.after <= anchor:
            self._span = next(self._spans, None)
        span = self._span
        return span if span and len(data) - span.before <= anchor else None

    def _goes_on(self, data: str) -> bool:
        at, follows = self._last
        if not self._data or not data.startswith(INLINE_PLACEHOLDER_PREFIX, at):
            return False
        return len(data) - data.find(ETX, at) - 1 == follows


class Expect(Treeprocessor):
    """The tree processor that tells the pattern what to look for, just before the host uses it."""

    def __init__(self, names: Names, md: Markdown) -> None:
        super().__init__(md)
        self._names = names

    def run(self, root: Element) -> None:
        """Read the text of the document."""
        self._names.expect("\n".join(root.itertext()))

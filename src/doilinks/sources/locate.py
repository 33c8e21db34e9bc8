"""Locates a text of a parser in the source, because parsers of markup keep lines but no columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html.entities import codepoint2name
from typing import Final
from urllib.parse import unquote

__all__ = ["Locator"]


class Locator:
    r"""Locates pieces of text in a source, in the order of the source.

    >>> source = "a | b\nsee 10.1000/a\\_b and 10.1000/a\\_b"
    >>> locate = Locator(source, [0, 6])
    >>> locate.find("10.1000/a_b", 1, 2), locate.find("10.1000/a_b", 1, 2)
    ((10, 22), (27, 39))
    """

    def __init__(self, text: str, starts: Sequence[int]) -> None:
        self._text = text
        self._starts = starts
        self._cursor = 0
        # So many more characters may be searched. The limit keeps the time linear.
        self._patience = _PATIENCE * (len(text) + _NEAR)

    def start(self, line: int) -> int:
        """The offset of a line, counted from 0; for a line after the last, the end of the text."""
        return self._starts[line] if line < len(self._starts) else len(self._text)

    def find(self, written: str, first: int, last: int) -> tuple[int, int]:
        """Start and end of ``written`` in the lines from ``first`` up to, not including, ``last``.

        The search begins after the piece that was found before. It also finds a text with
        characters that backslashes or entities stand for. If it finds nothing, the result is an
        empty piece at the beginning of the text of the first line.
        """
        pattern: re.Pattern[str] | None = None
        for slack in (0, _SLACK):
            start, end = self.start(max(0, first - slack)), self.start(last + slack)
            after = max(start, self._cursor) if self._cursor < end else start
            # The text is nearly always near. A search to the end each time would take too long.
            at = self._text.find(written, after, min(end, after + _NEAR + len(written)))
            if at >= 0:
                self._cursor = at + len(written)
                return at, self._cursor
            if self._patience < 0:
                break
            pattern = pattern or _tolerant(written[:_LONGEST])
            found = pattern.search(self._text, after, end) or pattern.search(self._text, start, end)
            self._patience -= (end if found is None else found.end()) - start
            if found:
                self._cursor = min(end, found.end() + max(0, len(written) - _LONGEST))
                return found.start(), self._cursor
        start = self.start(first)
        line = self._text[start : self.start(first + 1)]
        at = start + len(line) - len(line.lstrip())
        return at, at

    def find_target(self, href: str, first: int, last: int) -> tuple[int, int]:
        """Start and end of the target of a link, which a parser may have encoded again."""
        start, end = self.find(href, first, last)
        if start == end:
            # The part up to the registrant code is never encoded.
            slash = href.find("/", href.find("10"))
            start, _ = self.find(href[: slash + 1], first, last)
            return start, start
        return start, end


_NEAR: Final = 4096
_PATIENCE: Final = 20
# Only so many characters are compared in other spellings. The rest is assumed to be as long.
_LONGEST: Final = 300
_SLACK: Final = 3  # lines; docutils counts the lines of a cell from the row before


def _tolerant(written: str) -> re.Pattern[str]:
    return re.compile(_UNIT.sub(_spellings, written))


# Parsers encode the target of a link.
_UNIT: Final = re.compile(r"(?:%[0-9A-Fa-f]{2})+|.", re.DOTALL)


def _spellings(unit: re.Match[str]) -> str:
    written = unit[0]
    if len(written) == 1:
        return _spelling(written)
    return f"(?:{written}|{''.join(map(_spelling, unquote(written)))})"


def _spelling(character: str) -> str:
    if character.isspace():
        return r"[\s>|]+"  # a line break may be followed by the mark of a block quote or cell
    if character == "\ufffd":
        return "[\ufffd\0]"  # parsers replace a NUL by this character
    pattern = rf"\\?{re.escape(character)}"
    if character.isalnum():
        return pattern
    named = codepoint2name.get(ord(character))
    entity = rf"&#(?:0*{ord(character)}|[xX]0*{ord(character):x}|[xX]0*{ord(character):X});"
    return f"(?:{entity}|&{named};|{pattern})" if named else f"(?:{entity}|{pattern})"

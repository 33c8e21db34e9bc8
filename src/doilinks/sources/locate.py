"""Finds in a source what a parser took out of it: parsers of markup keep lines, but no columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html.entities import codepoint2name
from typing import Final
from urllib.parse import unquote

__all__ = ["Locator"]


class Locator:
    r"""Looks up pieces of text in the order in which they stand in a source.

    >>> source = "a | b\nsee 10.1000/a\\_b and 10.1000/a\\_b"
    >>> locate = Locator(source, [0, 6])
    >>> locate.find("10.1000/a_b", 1, 2), locate.find("10.1000/a_b", 1, 2)
    ((10, 22), (27, 39))
    """

    def __init__(self, text: str, starts: Sequence[int]) -> None:
        self._text = text
        self._starts = starts
        self._cursor = 0
        # How many more characters may be looked through, so that the time stays linear.
        self._patience = _PATIENCE * (len(text) + _NEAR)

    def start(self, line: int) -> int:
        """The offset of a line, the first being 0; that of the end for a line behind the last."""
        return self._starts[line] if line < len(self._starts) else len(self._text)

    def find(self, written: str, first: int, last: int) -> tuple[int, int]:
        """Start and end of ``written`` in the lines from ``first`` up to, not including, ``last``.

        Looked for behind the piece found before. What a markup escapes, by a backslash or an
        entity, is found too. Without success: an empty piece where the first line's text begins.
        """
        pattern: re.Pattern[str] | None = None
        for slack in (0, _SLACK):
            start, end = self.start(max(0, first - slack)), self.start(last + slack)
            after = max(start, self._cursor) if self._cursor < end else start
            # It is most often the next thing; else a search to the end each time would add up.
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
        """The same for a link's target, which a parser may have encoded anew."""
        start, end = self.find(href, first, last)
        if start == end:
            # Up to the registrant code nothing is ever encoded.
            slash = href.find("/", href.find("10"))
            start, _ = self.find(href[: slash + 1], first, last)
            return start, start
        return start, end


_NEAR: Final = 4096
_PATIENCE: Final = 20
_LONGEST: Final = 300  # of what is looked for in other spellings; the rest is taken to be as long
_SLACK: Final = 3  # docutils counts the lines of a table's cells from the row before


def _tolerant(written: str) -> re.Pattern[str]:
    return re.compile(_UNIT.sub(_spellings, written))


# Parsers encode the target of a link.
_UNIT: Final = re.compile(r"(?:%[0-9A-Fa-f]{2})+|.", re.DOTALL)


def _spellings(unit: re.Match[str]) -> str:
    written = unit[0]
    if len(written) == 1:
        return _sign(written)
    return f"(?:{written}|{''.join(map(_sign, unquote(written)))})"


def _sign(sign: str) -> str:
    if sign.isspace():
        return r"[\s>|]+"  # a line break may be followed by the mark of a block quote or cell
    if sign == "\ufffd":
        return "[\ufffd\0]"  # parsers put it for a NUL
    pattern = rf"\\?{re.escape(sign)}"
    if sign.isalnum():
        return pattern
    named = codepoint2name.get(ord(sign))
    entity = rf"&#(?:0*{ord(sign)}|[xX]0*{ord(sign):x}|[xX]0*{ord(sign):X});"
    return f"(?:{entity}|&{named};|{pattern})" if named else f"(?:{entity}|{pattern})"

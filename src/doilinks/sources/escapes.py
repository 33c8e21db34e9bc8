"""What escapes stand for: the characters of a stretch of a source, each with its place.

An escape is a piece ``(start, end, text)``: where it begins and ends, and what it stands for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from ..core.markup import REFERENCE, unescape
from ..core.text import SourceText

Escapes = Callable[[str], Iterator[tuple[int, int, str]]]

# A character of ASCII punctuation may be escaped [CommonMark 2.4], in reStructuredText any
# character [reST: escaping mechanism]. Authors escape only these in a name.
_BACKSLASH: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_MARKDOWN: Final = re.compile(rf"{_BACKSLASH.pattern}|{REFERENCE.pattern}")
_JSON: Final = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\."
)


def backslashes(text: str) -> Iterator[tuple[int, int, str]]:
    r"""A backslash before punctuation.

    >>> list(backslashes(r"a\_b"))
    [(1, 3, '_')]
    """
    for found in _BACKSLASH.finditer(text):
        yield *found.span(), found[1]


def references(text: str) -> Iterator[tuple[int, int, str]]:
    """A character reference of HTML.

    >>> list(references("a&lt;b"))
    [(1, 5, '<')]
    """
    for found in REFERENCE.finditer(text):
        yield *found.span(), unescape(found[0])


def of_markdown(text: str) -> Iterator[tuple[int, int, str]]:
    r"""The escapes of Markdown, which has both.

    >>> list(of_markdown(r"a\_b&lt;"))
    [(1, 3, '_'), (4, 8, '<')]
    """
    for found in _MARKDOWN.finditer(text):
        yield *found.span(), found[1] or unescape(found[0])


def of_json(text: str) -> Iterator[tuple[int, int, str]]:
    r"""The escapes of a JSON string.

    >>> list(of_json(r"a\"\u2013"))
    [(1, 3, '"'), (3, 9, '–')]
    """
    for found in _JSON.finditer(text):
        yield *found.span(), _of_json(found[0])


@lru_cache(maxsize=4096)  # no notebook escapes this many different characters
def _of_json(escape: str) -> str:
    character: str = json.loads(f'"{escape}"')
    return character


class Unescaped:
    """A stretch of a source, and the characters that it stands for.

    :param written: the stretch
    :param layers: the escapes of the format, the outermost first
    :ivar text: the characters

    >>> name = Unescaped("10.1000/a&amp;b", [references])
    >>> name.text, name.span(9, 10)
    ('10.1000/a&b', (9, 14))
    """

    def __init__(self, written: str, layers: Sequence[Escapes]) -> None:
        self.text = written
        self._layers: list[SourceText] = []
        for escapes in layers:
            layer = SourceText.of(self.text, escapes(self.text))
            self._layers.append(layer)
            self.text = layer.text

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where characters begin and end in the source."""
        for layer in reversed(self._layers):
            start, end = layer.span(start, end) if start < end else layer.span(start, start + 1)
        return start, end

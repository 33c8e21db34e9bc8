"""How the characters of a name are spelled in a source: with the escapes of its format."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from ..core.field import field_pieces
from ..core.html import REFERENCE, unescape
from ..core.text import SourceText

__all__ = ["Spelled"]

_Pieces = Callable[[str], Iterator[tuple[int, int, str]]]

# A character of ASCII punctuation may be escaped [CommonMark 2.4], in reStructuredText any
# character [reST: escaping mechanism]. Authors escape only these in a name.
_BACKSLASH: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_MARKDOWN: Final = re.compile(rf"{_BACKSLASH.pattern}|{REFERENCE.pattern}")


def _backslashes(text: str) -> Iterator[tuple[int, int, str]]:
    for found in _BACKSLASH.finditer(text):
        yield *found.span(), found[1]


def _markdown(text: str) -> Iterator[tuple[int, int, str]]:
    for found in _MARKDOWN.finditer(text):
        yield *found.span(), found[1] or unescape(found[0])


def _references(text: str) -> Iterator[tuple[int, int, str]]:
    for found in REFERENCE.finditer(text):
        yield *found.span(), unescape(found[0])


def _json(text: str) -> Iterator[tuple[int, int, str]]:
    from ..sources.notebook import escapes  # imports markdown-it-py

    yield from escapes(text)


# The escapes of each type, the outermost first. A Python string with escapes stays as it is.
_LAYERS: Final[dict[str, tuple[_Pieces, ...]]] = {
    "md": (_markdown,),
    "rst": (_backslashes,),
    "html": (_references,),
    "xhtml": (_references,),
    "ipynb": (_json, _markdown),
    "bib": (field_pieces,),
    "txt": (_markdown,),
}


class Spelled:
    """A stretch of a source, and the characters that it stands for.

    :ivar text: the characters

    >>> name = Spelled("10.1000/a&amp;b", "html")
    >>> name.text, name.span(9, 10)
    ('10.1000/a&b', (9, 14))
    """

    def __init__(self, written: str, kind: str) -> None:
        self.text = written
        self._layers: list[SourceText] = []
        for pieces in _LAYERS.get(kind, ()):
            layer = SourceText.of(self.text, pieces(self.text))
            self._layers.append(layer)
            self.text = layer.text

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where characters begin and end in the source."""
        for layer in reversed(self._layers):
            start, end = layer.span(start, end) if start < end else layer.span(start, start + 1)
        return start, end

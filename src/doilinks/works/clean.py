"""Text as agencies give it, made plain: no markup, no entities, no control characters, one line.

Agencies hand on what publishers sent: JATS and MathML elements, HTML entities that were escaped
twice, line breaks and indentation of the XML.
"""

from __future__ import annotations

import re
from typing import Final

from ..core.html import unescape

__all__ = ["plain", "texts"]

LONGEST: Final = 600
_MOST: Final = 40  # entries of a list
# More than this is not read at all: an answer may be made to cost time.
_READ: Final = 6_000

_TAG: Final = re.compile(r"</?([A-Za-z][\w:.-]{0,40})(?:\s[^<>]*)?/?>")
# These stand inside a word, such as in H<sub>2</sub>O. Any other element ends a word.
_INSIDE: Final = re.compile(
    "(?:b|bold|em|i|inf|italic|sc|scp|span|strong|sub|sup|tt|u)", re.IGNORECASE
)


def plain(value: object) -> str:
    r"""A value of a record as one line of plain characters; ``""`` when it is not text.

    >>> plain("On <jats:italic>Drosophila</jats:italic>&amp;amp; H<sub>2</sub>O\n   in vivo")
    'On Drosophila& H2O in vivo'
    >>> plain("p < 0.05\x1b[31m"), plain(None), plain(["A title"])
    ('p < 0.05[31m', '', '')
    """
    if not isinstance(value, str):
        return ""
    text = value[:_READ]
    for _ in range(2):
        text = unescape(_TAG.sub(_between, text))
    text = _TAG.sub(_between, text)
    if not text.isprintable():
        text = " ".join(text.split())
        text = "".join(character for character in text if character.isprintable())
    return " ".join(text.split())[:LONGEST].rstrip()


def texts(value: object) -> list[str]:
    """The texts of a field that one agency gives as a string and another as a list."""
    values = value[:_MOST] if isinstance(value, list) else [value]
    return [text for text in map(plain, values) if text]


def _between(tag: re.Match[str]) -> str:
    return "" if _INSIDE.fullmatch(tag[1].rpartition(":")[2]) else " "

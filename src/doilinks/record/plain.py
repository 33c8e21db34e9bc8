"""Text as agencies give it, made plain: no markup, no entities, no control characters, one line.

Agencies hand on what publishers sent: JATS and MathML elements, HTML entities that were escaped
twice, line breaks and indentation of the XML.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..core.markup import unescape

LONGEST: Final = 600
_MOST: Final = 40  # entries of a list
_READ: Final = 6_000  # more is not read at all: an answer may be made to cost time


def plain(value: object) -> str:
    r"""Convert a value of a record to one line of plain characters; ``""`` if it is not text.

    >>> plain("On <jats:italic>Drosophila</jats:italic>&amp;amp; H<sub>2</sub>O\n   in vivo")
    'On Drosophila& H2O in vivo'
    >>> plain("p < 0.05\x1b[31m"), plain(None), plain(["A title"])
    ('p < 0.05[31m', '', '')
    """
    if not isinstance(value, str):
        return ""
    # Nearly all texts of a lock file are plain already, and it may have tens of thousands. A
    # pattern takes three times as long as these tests.
    if (
        len(value) <= LONGEST
        and value.isprintable()
        and not ("<" in value or "&" in value or "  " in value)
        and value == value.strip()
    ):
        return value
    text = value[:_READ]
    if "<" in text or "&" in text:
        from .tags import without_tags  # few texts have any

        for _ in range(3):
            text = unescape(without_tags(text))
        text = without_tags(text)
    if not text.isprintable():
        text = " ".join(text.split())
        text = "".join(character for character in text if character.isprintable())
    text = " ".join(text.split())
    if len(text) <= LONGEST:
        return text
    head = text[: LONGEST - 1]
    return f"{head.rpartition(' ')[0] or head}…"


def texts(value: object) -> list[str]:
    """Return the texts of a field that one agency gives as a string and another as a list."""
    values = value[:_MOST] if isinstance(value, list) else [value]
    return [text for text in map(plain, values) if text]


def mappings(value: object, most: int = 10_000) -> list[Mapping[str, object]]:
    """Return the mappings among the first entries of a list; none if it is not a list."""
    entries = value[:most] if isinstance(value, list) else []
    return [each for each in entries if isinstance(each, Mapping)]


def inner_of(fields: Mapping[str, object], name: str) -> Mapping[str, object]:
    """Return the mapping in a field; an empty one if it has none."""
    inner = fields.get(name)
    return inner if isinstance(inner, Mapping) else {}

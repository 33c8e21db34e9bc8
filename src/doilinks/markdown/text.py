"""Texts that Python-Markdown is still reading: with placeholders, entities and raw HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from markdown.util import ETX, STX

from ..core.html import ENTITY, NO_PROSE, unescape
from ..core.text import HIDDEN

__all__ = ["escape", "pieces", "reading"]


def reading(markup: str) -> str:
    """Decode the escapes and entities in a text of the host."""
    escaped = _ESCAPED.sub(lambda found: chr(int(found[1])), markup)
    return _ENTITY.sub(lambda found: unescape(found[0]), escaped)


def escape(text: str) -> str:
    """Encode a text for the host, which leaves ``&amp;`` as it is but may misread an ``&``."""
    return text.replace("&", "&amp;")


# Here an entity ends in a semicolon, although HTML allows some without it.
_ENTITY: Final = re.compile(f"&{ENTITY}")
_ESCAPED: Final = re.compile(f"{STX}([0-9]+){ETX}")
# A list of attributes may contain braces in quoted values, and opening braces in words. The pattern
# stops at a brace that may begin another list. Otherwise a text would be read again for each list.
_BEFORE: Final = rf"[\s)\]>*_`{ETX}]"
_BRACE: Final = rf"(?<!{_BEFORE})\{{"
_VALUES: Final = rf"""(?:"[^"\n]*+"|'[^'\n]*+'|[^{{}}"'\n]|{_BRACE})*+\}}"""
_WORDS: Final = rf"(?:[^{{}}\n]|{_BRACE})*+\}}"
# Each alternative begins with a plain character, which makes the search many times faster.
_MARKUP: Final = re.compile(
    rf"""{STX}klzzwxh:(?P<stashed>[0-9]+){ETX}
    | &(?P<entity>{ENTITY})
    | <(?P<element>(?i:a|{"|".join(NO_PROSE)}))(?=[\s>])
    | <(?P<comment>!--)
    | \{{(?<={_BEFORE}\{{):?\ ?(?:[.\#]|[\w-]+=)(?:{_VALUES}|{_WORDS})
    | \{{(?P<attributes>:?\ ?[.\#])
    | </?[A-Za-z][A-Za-z0-9-]*+(?:(?:\s(?:[^<>"']|"[^"]*+"|'[^']*+')*+)?/?>|\s[^<>]*+>)
    """,
    re.VERBOSE,
)


def pieces(data: str, stash: Mapping[str, object]) -> Iterator[tuple[int, int, str]]:
    """The pieces of a text that are not prose, hidden, and its escapes and entities, decoded."""
    unclosed: set[str] = set()  # end tags that are missing; searched once, for linear time
    done = 0
    for found in _MARKUP.finditer(data):
        start, end = found.span()
        if start < done:
            continue
        if found["stashed"]:
            # A backslash escape that the host has stashed is decoded. Other elements are hidden.
            node = stash.get(found["stashed"])
            escaped = _ESCAPED.fullmatch(node) if isinstance(node, str) else None
            text = chr(int(escaped[1])) if escaped else HIDDEN
        elif found["entity"]:
            text = unescape(found[0])
            if text == found[0]:
                continue
        else:
            text = HIDDEN
            if found["element"] or found["comment"]:
                name = found["element"]
                close = rf"</{name.lower()}(?=[\s>])" if name else "-->"
                at = None
                if close not in unclosed:
                    at = re.compile(close, re.IGNORECASE).search(data, end)
                if not at:
                    unclosed.add(close)
                    continue
                end = at.end()
        yield start, end, text
        done = end

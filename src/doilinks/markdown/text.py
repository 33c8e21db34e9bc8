"""The text of Python-Markdown in the making, which holds placeholders, entities and raw HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Final

from markdown.util import ETX, STX

from ..core.html import ENTITY, RAW_TEXT
from ..core.text import HIDDEN

__all__ = ["escape", "pieces", "reading"]


def reading(markup: str) -> str:
    """The text for one that is still encoded for the host: escapes and entities."""
    escaped = _ESCAPED.sub(lambda found: chr(int(found[1])), markup)
    return _ENTITY.sub(lambda found: unescape(found[0]), escaped)


def escape(text: str) -> str:
    """The opposite: the host writes ``&amp;`` as it stands, and might take an ``&`` for more."""
    return text.replace("&", "&amp;")


# Without the semicolon it is not one here, though it is in HTML.
_ENTITY: Final = re.compile(f"&{ENTITY}")
_ESCAPED: Final = re.compile(f"{STX}([0-9]+){ETX}")
# A list of attributes may hold braces in its values in quotes, and the opening one in a word. One
# that may begin another list is not read over, so that no text is read again and again.
_BEFORE: Final = rf"[\s)\]>*_`{ETX}]"
_BRACE: Final = rf"(?<!{_BEFORE})\{{"
_VALUES: Final = rf"""(?:"[^"\n]*+"|'[^'\n]*+'|[^{{}}"'\n]|{_BRACE})*+\}}"""
_WORDS: Final = rf"(?:[^{{}}\n]|{_BRACE})*+\}}"
# Each alternative begins with a plain sign, which makes the search many times faster.
_MARKUP: Final = re.compile(
    rf"""{STX}klzzwxh:(?P<stashed>[0-9]+){ETX}
    | &(?P<entity>{ENTITY})
    | <(?P<element>(?i:a|code|kbd|samp|pre|math|svg|{"|".join(RAW_TEXT)}))(?=[\s>])
    | <(?P<comment>!--)
    | (?<={_BEFORE})\{{:?\ ?(?:[.\#]|[\w-]+=)(?:{_VALUES}|{_WORDS})
    | \{{(?P<attributes>:?\ ?[.\#])
    | </?[A-Za-z][A-Za-z0-9-]*+(?:(?:\s(?:[^<>"']|"[^"]*+"|'[^']*+')*+)?/?>|\s[^<>]*+>)
    """,
    re.VERBOSE,
)


def pieces(data: str, stash: Mapping[str, object]) -> Iterator[tuple[int, int, str]]:
    """What is no prose, hidden, and what stands for other characters, decoded."""
    unclosed: set[str] = set()  # looked for once, so that the time stays linear
    done = 0
    for found in _MARKUP.finditer(data):
        start, end = found.span()
        if start < done:
            continue
        if found["stashed"]:
            # A backslash escape, which the host has put aside; anything else is not for us.
            escaped = _ESCAPED.fullmatch(str(stash.get(found["stashed"], "")))
            text = chr(int(escaped[1])) if escaped else HIDDEN
        elif found["entity"]:
            text = unescape(found[0])
            if text == found[0]:
                continue
        else:
            text = HIDDEN
            if found["element"] or found["comment"]:
                close = f"</{found['element'].lower()}" if found["element"] else "-->"
                at = None
                if close not in unclosed:
                    at = re.compile(close, re.IGNORECASE).search(data, end)
                if not at:
                    unclosed.add(close)
                    continue
                end = at.end()
        yield start, end, text
        done = end

"""Decodes or hides the markup of CommonMark, so that a text can be scanned for names."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from ..core.html import ENTITY, NO_PROSE, unescape
from ..core.text import HIDDEN

__all__ = ["pieces"]

# Each alternative begins with a plain character, which makes the search many times faster.
_MARKUP: Final = re.compile(
    rf"""\\(?P<escaped>[!-/:-@\[-`{{-~])
    | &(?P<entity>{ENTITY})
    | `(?P<ticks>`*)
    | <(?P<element>(?i:{"|".join(NO_PROSE)}))(?=[\s>])
    | \[(?P<footnote>\^[^\[\]\s]+\])
    | \{{(?P<attributes>:?\ ?[.\#])
    """,
    re.VERBOSE,
)
_TICKS: Final = re.compile("``*")  # begins with a plain character too


def pieces(source: str) -> Iterator[tuple[int, int, str]]:
    r"""The pieces of a source that are not prose, hidden, and its escapes and entities, decoded.

    >>> from doilinks.core.text import SourceText
    >>> [SourceText.of(text, pieces(text)).text for text in (r"a\_b&lt;c", "a `b` c")]
    ['a_b<c', 'a \x00 c']
    """
    runs: dict[str, list[int]] = {}
    unclosed: set[str] = set()  # end tags that are missing; searched once, for linear time
    done = 0
    for found in _MARKUP.finditer(source):
        start, end = found.span()
        if start < done:
            continue
        if found["escaped"]:
            yield start, end, found["escaped"]
        elif found["entity"]:
            text = unescape(found[0])
            if text == found[0]:
                continue
            yield start, end, text
        elif found["footnote"] or found["attributes"]:
            yield start, end, HIDDEN
        elif found["ticks"] is not None:
            if not runs:
                for run in _TICKS.finditer(source):
                    runs.setdefault(run[0], []).append(run.start())
            same = runs.get(found[0], [])
            after = bisect_left(same, end)
            if after == len(same):
                continue
            end = same[after] + len(found[0])
            yield start, end, HIDDEN
        else:
            close, name = None, found["element"].lower()
            if name not in unclosed:
                close = re.compile(rf"</{name}(?=[\s>])", re.IGNORECASE).search(source, end)
            if not close:
                unclosed.add(name)
                continue
            end = close.start()
            yield start, end, HIDDEN
        done = end

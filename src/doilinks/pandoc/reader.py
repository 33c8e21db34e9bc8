"""Which spellings pandoc's reader changed when it read the document.

Pandoc gives the options of its reader to filters in the environment variable
``PANDOC_READER_OPTIONS`` (manual, "Environment variables"). If this variable is missing, as in a
pipe after ``pandoc -t json``, the filter assumes pandoc's Markdown.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

__all__ = ["SMART", "Reader"]

# The characters that `smart` makes, and the text that the author typed for each.
SMART: Final = str.maketrans(
    {"–": "--", "—": "---", "…": "...", "‘": "'", "’": "'", "“": '"', "”": '"'}
)

# Heuristic: every Markdown reader has one of these extensions, and of the other readers only
# Textile.
_MARKDOWN = frozenset({"raw_html", "pipe_tables", "backtick_code_blocks", "strikeout"})


@dataclass(frozen=True)
class Reader:
    """The spellings that a reader changes.

    :ivar smart: whether ``--``, ``...`` and straight quotes have become typographic characters
    :ivar emphasis: the character that makes emphasis inside a word; ``""`` if the document is not
        Markdown
    :ivar bare_urls: whether a URL without markup is a link
    """

    smart: bool = True
    emphasis: str = "*"
    bare_urls: bool = False

    @classmethod
    def of(cls, environment: Mapping[str, str] = os.environ) -> Reader:
        """The reader that the environment of the filter describes.

        >>> Reader.of({"PANDOC_READER_OPTIONS": '{"extensions": ["auto_identifiers"]}'})
        Reader(smart=False, emphasis='', bare_urls=True)
        """
        try:
            names = frozenset(json.loads(environment["PANDOC_READER_OPTIONS"])["extensions"])
        except (KeyError, TypeError, ValueError):
            return cls()
        if _MARKDOWN.isdisjoint(names):
            emphasis = ""
        elif "shortcut_reference_links" in names and "intraword_underscores" not in names:
            emphasis = "_"  # original Markdown, where 10.1000/a_b_c has emphasis
        else:
            emphasis = "*"
        return cls("smart" in names, emphasis, not emphasis or "autolink_bare_uris" in names)

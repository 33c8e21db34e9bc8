"""What is known of the reader that made the document: which spellings it has changed.

Pandoc hands its reader's options to filters in the environment, ``PANDOC_READER_OPTIONS``
(manual, "Environment variables"); where they are missing, as in a pipe of ``pandoc -t json``,
pandoc's own Markdown is assumed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

__all__ = ["SMART", "Reader"]

# What `smart` makes, and of what.
SMART: Final = str.maketrans(
    {"–": "--", "—": "---", "…": "...", "‘": "'", "’": "'", "“": '"', "”": '"'}
)

# Heuristic: each Markdown reader has one of these on, no other reader but Textile has.
_MARKDOWN = frozenset({"raw_html", "pipe_tables", "backtick_code_blocks", "strikeout"})


@dataclass(frozen=True)
class Reader:
    """The spellings that a reader changes.

    :ivar smart: ``--``, ``...`` and straight quotes have become typographic ones
    :ivar emphasis: the sign that makes emphasis within a word, ``""`` when markup is none of
        Markdown's and shows no signs
    :ivar bare_urls: a URL without markup is a link
    """

    smart: bool = True
    emphasis: str = "*"
    bare_urls: bool = False

    @classmethod
    def of(cls, environment: Mapping[str, str] = os.environ) -> Reader:
        """The reader that pandoc tells of in its environment.

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

"""Plain text: all of it is prose, and empty lines separate its paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from ..core.found import Found
from ..core.options import Options
from .found import Blocks, found_in_prose

__all__ = ["read"]

_PARAGRAPH: Final = re.compile(r"\n[ \t]*(?=\n)")


def read(text: str, options: Options) -> Iterator[Found]:
    """Every DOI of a plain text."""
    paragraphs = Blocks(text, _PARAGRAPH)
    for found in found_in_prose(text, options):
        _, end = found.span or (0, 0)
        yield replace(found, around=paragraphs.at(end - 1))

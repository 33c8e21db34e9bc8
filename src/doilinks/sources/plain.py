"""Plain text: all of it is prose."""

from __future__ import annotations

from collections.abc import Iterator

from ..core.options import Options
from .found import Found, found_in_prose

__all__ = ["read"]


def read(text: str, options: Options) -> Iterator[Found]:
    """Every DOI of a plain text."""
    return found_in_prose(text, options)

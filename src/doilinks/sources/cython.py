"""Programs in Cython: their comments and strings in triple quotes."""

from __future__ import annotations

from collections.abc import Iterator

from ..core.found import Found
from ..core.options import Options
from . import python
from .files import Unread

__all__ = ["read"]


def read(text: str, options: Options) -> Iterator[Found | Unread]:
    """Every DOI of a program in Cython."""
    return python.read(text, options, cython=True)

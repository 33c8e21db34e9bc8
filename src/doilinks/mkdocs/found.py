"""The DOIs of a site, each with the page and the line that it stands in."""

from __future__ import annotations

from typing import NamedTuple

from ..core.doi import DOI

__all__ = ["Found"]


class Found(NamedTuple):
    """A DOI on a page.

    :ivar doi: the DOI
    :ivar path: the page's source file, as MkDocs names it in messages
    :ivar line: its line in that file, counted from 1; None where it is not written as such
    """

    doi: DOI
    path: str
    line: int | None

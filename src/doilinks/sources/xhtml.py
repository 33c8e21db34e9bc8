"""XHTML pages, such as the chapters of an EPUB: HTML with the syntax of XML."""

from __future__ import annotations

from collections.abc import Iterator

from ..core.found import Found
from ..core.options import Options
from . import html

__all__ = ["read"]


def read(text: str, options: Options) -> Iterator[Found]:
    """Every DOI of an XHTML page, in the order of the page."""
    return html.read(text, options, xml=True)

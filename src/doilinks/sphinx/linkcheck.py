"""Sphinx's ``linkcheck`` asks the Handle API about a DOI, never the publisher behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.doi import DOI, InvalidDOI
from ..core.link import relink
from ..core.options import Options
from .options import options_of

if TYPE_CHECKING:
    from sphinx.application import Sphinx

__all__ = ["ask_handle_api"]


def ask_handle_api(app: Sphinx, uri: str) -> str | None:
    """The address to ask about a DOI [URI §4]; None for any other link."""
    options = options_of(app.config)
    doi = _doi_at(uri, options)
    return options.check_api + doi.uri.removeprefix("doi:") if doi else None


def _doi_at(uri: str, options: Options) -> DOI | None:
    if uri.startswith(options.proxy):
        try:
            return DOI.parse(uri.removeprefix(options.proxy))
        except InvalidDOI:
            pass
    link = relink(uri, "", Options())
    return link.doi if link else None

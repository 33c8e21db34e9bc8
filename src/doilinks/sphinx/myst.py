"""MyST-Parser's share: a ``doi:`` link of Markdown reaches the transform as it was written."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

__all__ = ["keep_doi_scheme"]


def keep_doi_scheme(_app: Sphinx, config: Config) -> None:
    """Let MyST hand on ``doi:`` links unchanged.

    Without the scheme it looks for a page of that name; with a template, which its manual has for
    DOIs, it loses what stands behind a number sign or question mark.
    """
    if "myst_url_schemes" not in config:
        return
    schemes = config.myst_url_schemes
    if isinstance(schemes, dict):
        if schemes.get("doi", "") is not None:
            config.myst_url_schemes = {**schemes, "doi": None}
    elif schemes is not None and "doi" not in schemes:
        config.myst_url_schemes = [*schemes, "doi"]

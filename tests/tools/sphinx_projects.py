"""Projects of Sphinx, written and built."""

from __future__ import annotations

from .hosts import body
from .links import html_links
from .modules import run_module
from .projects import write

__all__ = ["doi_links", "sphinx_build", "write"]


def sphinx_build(*arguments):
    """A build as an author runs it, in its own process."""
    return run_module("sphinx", *arguments)


def doi_links(page):
    return [link for link in html_links(body(page)) if "doi.org" in link[1]]

"""Projects of Sphinx, written and built."""

from __future__ import annotations

from .hosts import body
from .links import html_links
from .modules import run_module


def write(folder, pages):
    """Write the files of a project; returns its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in pages.items():
        if isinstance(content, bytes):
            (folder / name).write_bytes(content)
        else:
            (folder / name).write_text(content.lstrip("\n"), encoding="utf-8")
    return folder


def sphinx_build(*arguments):
    """A build as an author runs it, in its own process."""
    return run_module("sphinx", *arguments)


def doi_links(page):
    return [link for link in html_links(body(page)) if "doi.org" in link[1]]

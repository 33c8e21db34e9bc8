"""Of names that were planted into documents and directives, pages link those that ``scan`` lists."""

import json
import re
from functools import cache

import pytest
from pymdownx.tabbed import TabbedExtension
from mdit_py_plugins.footnote import footnote_plugin

from ..tools.hosts import BARE, BARE_THEME, Docutils, Pandoc, Markdown, MarkdownIt, Sphinx, apart
from ..tools.proof import sample
from .planting import (
    TELLS, Directive, documents, in_myst, in_rest, linked, listed, parts_of, plant,
)  # fmt: skip

CONF = (
    "".join(f"{name} = {value!r}\n" for name, value in BARE.items())
    + "html_domain_indices = False\ntodo_include_todos = True\nmyst_enable_extensions = ['colon_fence', 'deflist']\n"
)
TOLD = ["sphinx.ext.todo", "sphinx.ext.graphviz", "myst_parser"]
# The extensions that Material's guide has its readers put into mkdocs.yml.
MATERIAL = (
    "abbr", "admonition", "attr_list", "def_list", "footnotes", "md_in_html", "tables", "toc",
    "pymdownx.arithmatex", "pymdownx.betterem", "pymdownx.caret", "pymdownx.details",
    "pymdownx.highlight", "pymdownx.inlinehilite", "pymdownx.keys", "pymdownx.mark",
    "pymdownx.smartsymbols", "pymdownx.superfences", "pymdownx.tasklist", "pymdownx.tilde",
    TabbedExtension(alternate_style=True), "pymdownx.blocks.admonition", "pymdownx.blocks.caption",
    "pymdownx.blocks.details", "pymdownx.blocks.tab",
)  # fmt: skip


def sphinx(suffix):
    return Sphinx(suffix, TOLD, CONF + TELLS, files=BARE_THEME)


HOSTS = {
    "docutils": ("rst", Docutils()),
    "Sphinx": ("rst", sphinx(".rst")),
    "MyST": ("md", sphinx(".md")),
    "markdown-it-py": ("md", MarkdownIt("commonmark", (footnote_plugin,))),
    "Python-Markdown with Material's": ("md", Markdown(MATERIAL)),
    "Pandoc": ("md", Pandoc("markdown")),
    "Pandoc, gfm": ("md", Pandoc("gfm")),
}


def unread(host, planted):
    """What pages link and ``scan`` does not list, and what it lists, by document."""
    kind, run = HOSTS[host]
    texts = {f"p{number}": each.text for number, each in enumerate(planted)}
    made = apart(run, texts, {}) if isinstance(run, type(sphinx(""))) else run(texts, {})
    return [
        (linked(made.pages[name]), listed(text, kind)) for name, text in texts.items()
    ]

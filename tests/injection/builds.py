"""The hosts that get hostile text, each with doilinks and without.

Pelican and Nikola are not among them: their pages are made by the parser of docutils and by Python-Markdown.
"""

from __future__ import annotations

import json
from functools import partial
from typing import NamedTuple

from mdit_py_plugins.attrs import attrs_block_plugin, attrs_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin

from ..tools.hosts import (
    Docutils,
    Host,
    Markdown,
    MarkdownIt,
    MkDocs,
    Pandoc,
    Sphinx,
)
from ..tools.versions import older


class Setting(NamedTuple):
    """A host in one configuration.

    :ivar reads: ``md`` or ``rst``
    :ivar host: how it is run
    :ivar every: of the cases it gets one in so many, unless all are wanted
    :ivar in_files: it reads files, so that no lone surrogate can reach it
    :ivar but: it gets no names that match this regular expression
    :ivar odd: of cases that match this one the text is not compared
    :ivar autolinks: it makes links of bare URLs itself
    :ivar loses: attributes that it does not give to a link that leads nowhere without doilinks
    """

    reads: str
    host: Host
    every: int = 1
    in_files: bool = True
    but: str = ""
    odd: str = ""
    autolinks: bool = False
    loses: frozenset[str] = frozenset()


_PAGE = """<!DOCTYPE html><html><head><title>{{ page.title|striptags }}</title>
<meta name="description" content="{{ page.meta.description|e }}"></head><body>
<nav>{% for item in page.toc recursive %}<a href="{{ item.url }}">{{ item.title }}</a>
{% if item.children %}{{ loop(item.children) }}{% endif %}{% endfor %}</nav>
{{ page.content }}</body></html>"""


# Sphinx fetches images of other hosts for EPUB and LaTeX; names of the corpus are such addresses.
_NO_DOWNLOADS = """
from sphinx.transforms.post_transforms.images import ImageDownloader

def setup(app):
    app.registry.post_transforms.remove(ImageDownloader)
"""


def _notebook(source: str) -> str:
    """A notebook that holds a text as prose, and as what its code says; it has no front matter."""
    # Before 0.22, docutils fails on a line that comes first in what code says.
    texts = {"text/plain": [source], "text/markdown": [f"Output.\n\n{source}"]}
    outputs = [
        {"output_type": "stream", "name": "stdout", "text": [source]},
        *({"output_type": "display_data", "metadata": {}, "data": {kind: text}}
          for kind, text in texts.items()),
        {"output_type": "error", "ename": "E", "evalue": source[:2000], "traceback": [source]},
    ]  # fmt: skip
    code = {"cell_type": "code", "execution_count": 1, "source": ["x"], "outputs": outputs}
    prose = {"cell_type": "markdown", "source": [source.split("\n---\n\n", 1)[-1]]}
    cells = [{"id": f"c{at}", "metadata": {}, **cell} for at, cell in enumerate([prose, code])]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4,
                       "nbformat_minor": 5})  # fmt: skip


def sphinx(suffix: str = ".rst", conf: str = "", builder: str = "html") -> Sphinx:
    """A project with a page for each source; for LaTeX, a document."""
    extensions = {".rst": (), ".md": ("myst_parser",), ".ipynb": ("myst_nb",)}[suffix]
    more = "project = 'Hostile'\nhtml_theme = 'basic'\nhtml_show_sourcelink = False\nsmartquotes = True"
    return Sphinx(
        suffix, extensions, f"{more}\n{conf}\n{_NO_DOWNLOADS}", builder,
        given=_notebook if suffix == ".ipynb" else str,
    )  # fmt: skip


MKDOCS = MkDocs(
    {"site_name": "Hostile",
     "markdown_extensions": ["tables", "footnotes", "smarty", "attr_list", "md_in_html"]},
    template=_PAGE,
)  # fmt: skip
DOCUTILS = Docutils(
    parts=("whole",), settings={"file_insertion_enabled": False, "math_output": "LaTeX"}
)
_FULL = MarkdownIt(
    "gfm-like",
    (footnote_plugin, deflist_plugin, dollarmath_plugin, front_matter_plugin,
     partial(attrs_plugin, spans=True), attrs_block_plugin),
    enable=("replacements", "smartquotes"), settings=(("typographer", True),),
)  # fmt: skip


def _named(source: str) -> str:
    return source.replace("`__", "`_")  # pandoc's reader of reST gives up on an odd anonymous link


_SITES = ("extra", "admonition", "sane_lists", "smarty", "toc", "meta", "pymdownx.magiclink",
          "pymdownx.tilde", "pymdownx.caret", "pymdownx.superfences", "pymdownx.tasklist")  # fmt: skip
_MYST = """myst_enable_extensions = ["dollarmath", "deflist", "linkify", "smartquotes",
    "replacements", "strikethrough", "fieldlist", "tasklist", "attrs_inline", "attrs_block",
    "colon_fence", "html_image", "substitution"]"""
_NOTEBOOK = "nb_execution_mode = 'off'\nnb_merge_streams = True"
_EPUB = "epub_show_urls = 'no'\nversion = '1'"
_DEEP = r"\[{9}"  # pandoc alone takes for ever with brackets in brackets
# Linkify shows entities in a URL as typed, those after it too, and it is doilinks that reads them;
# two dollar signs make formulas of what is between.
_ODD = r"\?a=b&c=d&quot;|/\$[({]|/\.\./evil|https?:.* in '&lt;"
# Without doilinks the list after a bare URL belongs to the host's own link; a list that may harm ours
# stays text.
_LIST_AFTER_URL = r"\{\..* in '.*https://doi\.org/\{\}"
_NUL = "\x00|%00"  # MyST alone fails with one in the path of an image
# Before 3.11.1, Python-Markdown takes whatever begins as a tag for one, whose text is not shown.
_TAG = "'<doi:" if older("Markdown", "3.11.1") else ""
_MYST_LOSES = frozenset({"title"} if older("myst-parser", "4") else ())
_TORN = "#a\x00b"  # PyMdown alone makes a link in a link of it

HTML: dict[str, Setting] = {
    "markdown_it": Setting("md", MarkdownIt(), 5, in_files=False),
    "markdown_it_full": Setting(
        "md", _FULL, 5, in_files=False, odd=f"{_ODD}|{_LIST_AFTER_URL}", autolinks=True
    ),
    "markdown": Setting("md", Markdown(("tables",)), 11, in_files=False, odd=_TAG),
    "markdown_full": Setting("md", Markdown(_SITES), 19, in_files=False, but=_TORN, autolinks=True),
    "mkdocs": Setting("md", MKDOCS, 19, odd=_TAG),
    "docutils": Setting("rst", DOCUTILS, 7, in_files=False),
    "sphinx": Setting("rst", sphinx(), 17),
    "myst": Setting("md", sphinx(".md"), 23, but=_NUL, loses=_MYST_LOSES),
    "myst_full": Setting(
        "md", sphinx(".md", _MYST), 23, but=_NUL, odd=_ODD, autolinks=True, loses=_MYST_LOSES
    ),
    "notebook": Setting("md", sphinx(".ipynb", _NOTEBOOK), 47, but=_NUL, loses=_MYST_LOSES),
    "epub": Setting("rst", sphinx(builder="epub", conf=_EPUB), 31),
    "pandoc": Setting("md", Pandoc(together=50), 11, but=_DEEP),
    "pandoc_gfm": Setting("md", Pandoc("gfm", together=50), 11),
    "pandoc_rst": Setting("rst", Pandoc("rst", together=50, given=_named), 11, but=_DEEP),
    "quarto": Setting("md", Pandoc(together=50, quarto=True), 11, but=_DEEP),
}

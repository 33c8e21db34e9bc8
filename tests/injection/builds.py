"""The hosts that get hostile text, each with doilinks and without."""

from __future__ import annotations

import json
import re
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from mdit_py_plugins.attrs import attrs_block_plugin, attrs_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin

from ..tools.hosts import (
    Docutils,
    Host,
    Made,
    Markdown,
    MarkdownIt,
    MkDocs,
    Options,
    Pandoc,
    Sphinx,
    Texts,
)
from ..tools.modules import run_module
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


_PELICAN = """
PATH, THEME, TIMEZONE = "content", "theme", "UTC"
FILENAME_METADATA = "(?P<title>(?P<slug>page[0-9]+))"
DEFAULT_DATE = (2026, 1, 1)
ARTICLE_SAVE_AS = "{slug}.html"
DIRECT_TEMPLATES = []
FEED_ALL_ATOM = CATEGORY_FEED_ATOM = TRANSLATION_FEED_ATOM = AUTHOR_FEED_ATOM = AUTHOR_FEED_RSS = None
CATEGORY_SAVE_AS = AUTHOR_SAVE_AS = TAG_SAVE_AS = ""
DOCUTILS_SETTINGS = {"report_level": 5, "halt_level": 5, "file_insertion_enabled": False}
MARKDOWN = {"extensions": ["tables", "footnotes", "smarty", "attr_list"]}
"""


@dataclass(frozen=True)
class Pelican(Host):
    """One site with an article for each text.

    :ivar suffix: of the articles
    """

    suffix: str

    def __call__(self, texts: Texts, options: Options | None, times: int = 1) -> Made:
        given = {f"DOI_{key.upper()}": value for key, value in (options or {}).items()}
        lines = [f"{key} = {value!r}" for key, value in given.items()]
        plugins = [] if options is None else ["doilinks.pelican"]
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            _write(folder / "content", texts, self.suffix)
            _write(folder / "theme" / "templates", {"article": "{{ article.content }}"}, ".html")
            settings = [_PELICAN, f"PLUGINS = {plugins!r}", *lines]
            (folder / "pelicanconf.py").write_text("\n".join(settings))
            done = run_module("pelican", "-q", "-s", "pelicanconf.py", "-o", "out", cwd=folder)
            pages = _pages(folder / "out", texts)
            return Made(pages, log=done.stdout + done.stderr, code=done.returncode)


_NIKOLA = """
BLOG_TITLE = BLOG_AUTHOR = BLOG_DESCRIPTION = "A"
SITE_URL, BLOG_EMAIL, DEFAULT_LANG, TIMEZONE = "https://site.example/", "a@site.example", "en", "UTC"
POSTS, PAGES = (), (("pages/*.rst", "", "page.tmpl"), ("pages/*.md", "", "page.tmpl"))
COMPILERS = {"rest": [".rst"], "markdown": [".md"]}
PRETTY_URLS, FILES_FOLDERS, GALLERY_FOLDERS, LISTINGS_FOLDERS = False, {}, {}, {}
DISABLED_PLUGINS = ["render_sources", "sitemap", "robots"]
"""
# Nikola formats the page, and where it breaks lines in an element depends on its links. It puts the
# name of the page before a fragment, numbers code by chance, and ends the page with the messages of
# docutils, which does not know the role without doilinks.
_NIKOLAS_OWN = re.compile(
    r"""(?<!</a>)(?<=>)\n|\n(?=</)|(?<=href=")page[0-9]+\.html(?=\#)
        |(?<=rest_code_)[0-9a-f]{32}|<(?:aside|div|section)[ ]class="system-messages.*""",
    re.DOTALL | re.VERBOSE,
)


@dataclass(frozen=True)
class Nikola(Host):
    """One site with a page of reStructuredText for each text."""

    def __call__(self, texts: Texts, options: Options | None, times: int = 1) -> Made:
        head = ".. title: Page\n.. date: 2026-01-01\n\n\n"
        lines = [_NIKOLA]
        if options is not None:
            lines.append("from doilinks.docutils import link_everywhere")
            lines.append(f"link_everywhere(**{dict(options)})")
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            _write(folder / "pages", {page: head + text for page, text in texts.items()}, ".rst")
            _write(folder / "templates", {"page": "${post.text()}"}, ".tmpl")
            (folder / "conf.py").write_text("\n".join(lines))
            done = run_module("nikola", "build", cwd=folder)
            pages = _pages(folder / "output", texts)
            made = {page: _NIKOLAS_OWN.sub("", html) for page, html in pages.items()}
            return Made(made, log=done.stdout + done.stderr, code=done.returncode)


def _write(folder: Path, texts: Texts, suffix: str) -> None:
    folder.mkdir(parents=True)
    for name, text in texts.items():
        (folder / f"{name}{suffix}").write_text(text, encoding="utf-8")


def _pages(folder: Path, texts: Texts) -> dict[str, str]:
    files = {name: folder / f"{name}.html" for name in texts}
    return {name: file.read_text(encoding="utf-8") for name, file in files.items() if file.exists()}


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
_CONTROL = "[\x00-\x08\x0b-\x1f]"  # lxml, with which Nikola reads pages, fails with one in a link
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
    "pelican": Setting("md", Pelican(".md"), 11, odd=_TAG),
    "pelican_rst": Setting("rst", Pelican(".rst"), 11),
    "nikola": Setting("rst", Nikola(), 11, but=_CONTROL, odd=":raw:`"),
    "quarto": Setting("md", Pandoc(together=50, quarto=True), 11, but=_DEEP),
}

"""The same documents built by each host, with doilinks and without.

A build takes sources, each a document of its own, and the options of doilinks, or None for a build
without it; it gives back what the host made of each source.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..hosts.pandoc import pandoc
from ..hosts.quarto import lua_filter
from ..hosts.sphinx import build as build_sphinx
from ..tools.modules import run_module
from ..tools.versions import older

Options = Mapping[str, str]
Build = Callable[[Sequence[str], Options | None], list[str]]


class Host(NamedTuple):
    """A host in one configuration.

    :ivar reads: ``md`` or ``rst``
    :ivar build: the build
    :ivar every: of the cases it gets one in so many, unless all are wanted
    :ivar in_files: it reads files, so that no lone surrogate can reach it
    :ivar but: it gets no names that match this regular expression
    :ivar odd: of cases that match this one the text is not compared
    :ivar autolinks: it makes links of bare URLs itself
    :ivar loses: attributes that it does not give to a link that leads nowhere without doilinks
    """

    reads: str
    build: Build
    every: int = 1
    in_files: bool = True
    but: str = ""
    odd: str = ""
    autolinks: bool = False
    loses: frozenset[str] = frozenset()


def markdown_it(sources: Sequence[str], options: Options | None) -> list[str]:
    """markdown-it-py as it is."""
    from markdown_it import MarkdownIt

    from doilinks.markdown_it import doi_plugin

    md = MarkdownIt("commonmark").enable("table")
    if options is not None:
        md.use(doi_plugin, **options)
    return [md.render(source) for source in sources]


def markdown_it_full(sources: Sequence[str], options: Options | None) -> list[str]:
    """markdown-it-py with linkify, typography and the usual plug-ins."""
    from markdown_it import MarkdownIt
    from mdit_py_plugins.attrs import attrs_block_plugin, attrs_plugin
    from mdit_py_plugins.deflist import deflist_plugin
    from mdit_py_plugins.dollarmath import dollarmath_plugin
    from mdit_py_plugins.footnote import footnote_plugin
    from mdit_py_plugins.front_matter import front_matter_plugin

    from doilinks.markdown_it import doi_plugin

    md = MarkdownIt("gfm-like", {"typographer": True}).enable(["replacements", "smartquotes"])
    md.use(footnote_plugin).use(deflist_plugin).use(dollarmath_plugin).use(front_matter_plugin)
    md.use(attrs_plugin, spans=True).use(attrs_block_plugin)
    if options is not None:
        md.use(doi_plugin, **options)
    return [md.render(source) for source in sources]


def markdown(*extensions: str) -> Build:
    """Python-Markdown with extensions."""

    def build(sources: Sequence[str], options: Options | None) -> list[str]:
        from markdown import Markdown

        names = [*extensions, *(["doilinks"] if options is not None else [])]
        md = Markdown(extensions=names, extension_configs={"doilinks": dict(options or {})})
        return [md.reset().convert(source) for source in sources]

    return build


_PAGE = """<!DOCTYPE html><html><head><title>{{ page.title|striptags }}</title>
<meta name="description" content="{{ page.meta.description|e }}"></head><body>
<nav>{% for item in page.toc recursive %}<a href="{{ item.url }}">{{ item.title }}</a>
{% if item.children %}{{ loop(item.children) }}{% endif %}{% endfor %}</nav>
{{ page.content }}</body></html>"""


def mkdocs(sources: Sequence[str], options: Options | None) -> list[str]:
    """One site with a page for each source, which shows its title and its table of contents."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pages = write_mkdocs(folder, sources, options)
        done = run_module("mkdocs", "build", "-q", cwd=folder)
        assert done.returncode == 0, done.stderr[-3000:]
        return [_read(folder / "site" / f"{page}.html") for page in pages]


def write_mkdocs(folder: Path, sources: Sequence[str], options: Options | None) -> list[str]:
    """Write the sources of a site; the names of its pages."""
    for part in ("docs", "theme"):
        (folder / part).mkdir()
    for page in ("main", "404"):
        (folder / "theme" / f"{page}.html").write_text(_PAGE if page == "main" else "")
    config = {
        "site_name": "Hostile",
        "use_directory_urls": False,
        "theme": {"name": None, "custom_dir": "theme"},
        "markdown_extensions": ["tables", "footnotes", "smarty", "attr_list", "md_in_html"],
        "plugins": [] if options is None else [{"doilinks": dict(options)}],
    }
    (folder / "mkdocs.yml").write_text(json.dumps(config))
    pages = [f"page{n:05}" for n in range(len(sources))]
    for page, source in zip(pages, sources, strict=True):
        (folder / "docs" / f"{page}.md").write_text(source, encoding="utf-8")
    (folder / "docs" / "index.md").write_text("Home.")
    return pages


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


def pelican(reads: str) -> Build:
    """One site with an article for each source."""

    def build(sources: Sequence[str], options: Options | None) -> list[str]:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            pages = _write(folder / "content", sources, reads)
            (folder / "theme" / "templates").mkdir(parents=True)
            (folder / "theme" / "templates" / "article.html").write_text("{{ article.content }}")
            given = {f"DOI_{key.upper()}": value for key, value in (options or {}).items()}
            lines = [f"{key} = {value!r}" for key, value in given.items()]
            plugins = [] if options is None else ["doilinks.pelican"]
            settings = [_PELICAN, f"PLUGINS = {plugins!r}", *lines]
            (folder / "pelicanconf.py").write_text("\n".join(settings))
            done = run_module("pelican", "-q", "-s", "pelicanconf.py", "-o", "out", cwd=folder)
            assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
            return [_read(folder / "out" / f"{page}.html") for page in pages]

    return build


_NIKOLA = """
BLOG_TITLE = BLOG_AUTHOR = BLOG_DESCRIPTION = "A"
SITE_URL, BLOG_EMAIL, DEFAULT_LANG, TIMEZONE = "https://site.example/", "a@site.example", "en", "UTC"
POSTS, PAGES = (), (("pages/*.rst", "", "page.tmpl"), ("pages/*.md", "", "page.tmpl"))
COMPILERS = {"rest": [".rst"], "markdown": [".md"]}
PRETTY_URLS, FILES_FOLDERS, GALLERY_FOLDERS, LISTINGS_FOLDERS = False, {}, {}, {}
DISABLED_PLUGINS = ["render_sources", "sitemap", "robots"]
"""


def nikola(sources: Sequence[str], options: Options | None) -> list[str]:
    """One site with a page for each source."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        heads = [f".. title: Page\n.. date: 2026-01-01\n\n\n{source}" for source in sources]
        pages = _write(folder / "pages", heads, "rst")
        (folder / "templates").mkdir()
        (folder / "templates" / "page.tmpl").write_text("${post.text()}")
        lines = [_NIKOLA]
        if options is not None:
            lines.append(
                f"from doilinks.docutils import link_everywhere\nlink_everywhere(**{dict(options)})"
            )
        (folder / "conf.py").write_text("\n".join(lines))
        done = run_module("nikola", "build", cwd=folder)
        assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
        made = [_read(folder / "output" / f"{page}.html") for page in pages]
        # Nikola formats the page, and where it breaks lines in an element depends on its links. It
        # puts the name of the page before a fragment, numbers code by chance, and ends the page
        # with the messages of docutils, which does not know the role without doilinks.
        odd = r"""(?<!</a>)(?<=>)\n|\n(?=</)|(?<=href=")page[0-9]+\.html(?=\#)
            |(?<=rest_code_)[0-9a-f]{32}|<(?:aside|div|section)[ ]class="system-messages.*"""
        return [re.sub(odd, "", page, flags=re.DOTALL | re.VERBOSE) for page in made]


def _write(folder: Path, sources: Sequence[str], ending: str) -> list[str]:
    """Write a file for each source; the names of the pages."""
    folder.mkdir()
    pages = [f"page{n:05}" for n in range(len(sources))]
    for page, source in zip(pages, sources, strict=True):
        (folder / f"{page}.{ending}").write_text(source, encoding="utf-8")
    return pages


def docutils(sources: Sequence[str], options: Options | None) -> list[str]:
    """docutils with its writer of HTML 5."""
    from docutils.core import publish_string
    from docutils.parsers.rst import Parser as PlainParser
    from docutils.writers.html5_polyglot import Writer

    from doilinks.docutils import Parser

    settings: dict[str, Any] = {f"doi_{key}": value for key, value in (options or {}).items()}
    settings |= {"report_level": 5, "halt_level": 5, "embed_stylesheet": False,
                 "stylesheet_path": "", "output_encoding": "unicode", "_disable_config": True,
                 "file_insertion_enabled": False, "warning_stream": False,
                 "math_output": "LaTeX"}  # fmt: skip
    parser = PlainParser if options is None else Parser
    return [
        publish_string(source, parser=parser(), writer=Writer(), settings_overrides=settings)
        for source in sources
    ]


def sphinx(reads: str = "rst", conf: str = "", builder: str = "html") -> Build:
    """One project with a page (for LaTeX a document) for each source."""

    def build(sources: Sequence[str], options: Options | None) -> list[str]:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name, "source")
            pages = write_sphinx(folder, sources, reads, conf, doilinks=options is not None)
            overrides = {f"doi_{key}": value for key, value in (options or {}).items()}
            build_sphinx(folder, Path(name, "out"), builder=builder, overrides=overrides)
            ending = {"latex": "tex", "epub": "xhtml"}.get(builder, builder)
            made = [_read(Path(name, "out", f"{page}.{ending}")) for page in pages]
            return [page.replace(name, "FOLDER") for page in made]  # in messages of docutils

    return build


def write_sphinx(
    folder: Path, sources: Sequence[str], reads: str = "rst", conf: str = "", *, doilinks: bool
) -> list[str]:
    """Write the sources of a project; the names of its pages."""
    folder.mkdir()
    extensions = ["doilinks.sphinx"] if doilinks else []
    extensions += {"rst": [], "md": ["myst_parser"], "ipynb": ["myst_nb"]}[reads]
    pages = [f"p{number:05}" for number in range(len(sources))]
    sources = [_notebook(source) for source in sources] if reads == "ipynb" else sources
    for page, source in zip(pages, sources, strict=True):
        (folder / f"{page}.{reads}").write_text(source, encoding="utf-8")
    (folder / "index.rst").write_text("Index\n=====\n", encoding="utf-8")
    documents = [(page, f"{page}.tex", "Title", "Author", "howto") for page in pages]
    (folder / "conf.py").write_text(
        f"project = 'Hostile'\nextensions = {extensions}\nhtml_theme = 'basic'\n"
        f"latex_documents = {documents}\nhtml_copy_source = False\n"
        f"html_show_sourcelink = False\nsmartquotes = True\n{conf}\n{_NO_DOWNLOADS}",
        encoding="utf-8",
    )
    return pages


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


def pandoc_to(
    writer: str, reader: str = "markdown", together: int = 50, *, quarto: bool = False
) -> Build:
    """The real pandoc, ``together`` sources in one run.

    :param quarto: run the filter as Quarto does, which is not installed
    """

    def build(sources: Sequence[str], options: Options | None) -> list[str]:
        parts = (sources[at : at + together] for at in range(0, len(sources), together))
        return [page for part in parts for page in run(part, options)]

    def run(sources: Sequence[str], options: Options | None) -> list[str]:
        mark = "endofadocumentofitsown"
        given = [f"--metadata=doi-{key.replace('_', '-')}={value}"
                 for key, value in (options or {}).items()]  # fmt: skip
        with tempfile.TemporaryDirectory() as folder:
            if quarto and options is not None:
                given.append(f"--lua-filter={lua_filter(Path(folder, 'quarto.lua'))}")
            files = []
            Path(folder, "end").write_text(mark + "\n")
            for number, source in enumerate(sources):
                Path(folder, f"{number}").write_text(source + "\n", encoding="utf-8")
                files += [str(number), "end"]
            output = pandoc(
                *("-f", reader, "-t", writer, "--file-scope", "--reference-location=block"),
                *given, *files, doilinks=options is not None and not quarto, cwd=folder,
                env={"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"},
            ).stdout.decode()  # fmt: skip
        pages = output.split(f"<p>{mark}</p>" if writer == "html" else mark)
        assert len(pages) == len(sources) + 1, (len(pages), len(sources))
        return pages[:-1]

    return build


def pandoc_rst(sources: Sequence[str], options: Options | None) -> list[str]:
    """Pandoc's reader of reStructuredText, which gives up on an odd anonymous link."""
    named = [source.replace("`__", "`_") for source in sources]
    return pandoc_to("html", "rst")(named, options)


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


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

HTML: dict[str, Host] = {
    "markdown_it": Host("md", markdown_it, 5, in_files=False),
    "markdown_it_full": Host(
        "md", markdown_it_full, 5, in_files=False, odd=f"{_ODD}|{_LIST_AFTER_URL}", autolinks=True
    ),
    "markdown": Host("md", markdown("tables"), 11, in_files=False, odd=_TAG),
    "markdown_full": Host("md", markdown(*_SITES), 19, in_files=False, but=_TORN, autolinks=True),
    "mkdocs": Host("md", mkdocs, 19, odd=_TAG),
    "docutils": Host("rst", docutils, 7, in_files=False),
    "sphinx": Host("rst", sphinx(), 17),
    "myst": Host("md", sphinx("md"), 23, but=_NUL, loses=_MYST_LOSES),
    "myst_full": Host(
        "md", sphinx("md", _MYST), 23, but=_NUL, odd=_ODD, autolinks=True, loses=_MYST_LOSES
    ),
    "notebook": Host("md", sphinx("ipynb", _NOTEBOOK), 47, but=_NUL, loses=_MYST_LOSES),
    "epub": Host("rst", sphinx(builder="epub", conf=_EPUB), 31),
    "pandoc": Host("md", pandoc_to("html"), 11, but=_DEEP),
    "pandoc_gfm": Host("md", pandoc_to("html", "gfm"), 11),
    "pandoc_rst": Host("rst", pandoc_rst, 11, but=_DEEP),
    "pelican": Host("md", pelican("md"), 11, odd=_TAG),
    "pelican_rst": Host("rst", pelican("rst"), 11),
    "nikola": Host("rst", nikola, 11, but=_CONTROL, odd=":raw:`"),
    "quarto": Host("md", pandoc_to("html", quarto=True), 11, but=_DEEP),
}

"""The hosts, each without doilinks (0), with it (1), and with it twice (2)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import pypandoc

from ..tools.modules import run_module
from ..tools.pages import MADE
from .difference import Comparison, compare_html, compare_json

# Documents by name to pages by name; a page that the host could not make is not there.
Documents = Mapping[str, str]
Pages = dict[str, str]


class Host(NamedTuple):
    """A host in one of its settings.

    :ivar markup: the kind of document it takes: ``md``, ``rst``, or another format of pandoc
    :ivar pages: makes the pages of some documents, with doilinks so many times
    :ivar compare: compares two pages
    :ivar site: pages know of each other
    """

    markup: str
    pages: Callable[[Documents, int], Pages]
    compare: Callable[[str, str], Comparison] = compare_html
    site: bool = False


def _each(render: Callable[[str, int], str]) -> Callable[[Documents, int], Pages]:
    """A host that makes one page at a time."""

    def pages(documents: Documents, times: int) -> Pages:
        made = {}
        for name, text in documents.items():
            try:
                with warnings.catch_warnings(action="ignore"):
                    made[name] = render(text, times)
            except Exception as error:  # noqa: BLE001  the host's own trouble, unless doilinks makes it
                if times:
                    made[name] = f"{type(error).__name__}: {error}"
                    continue
        return made

    return pages


def _docutils(**settings: Any) -> Callable[[str, int], str]:
    from docutils import nodes, utils
    from docutils.core import publish_parts
    from docutils.parsers.rst import Parser, roles
    from docutils.writers.html5_polyglot import Writer

    from doilinks.docutils import DoiLinks
    from doilinks.docutils import Parser as DoiParser

    class Twice(DoiParser):
        def get_transforms(self) -> list[Any]:
            return [*super().get_transforms(), DoiLinks]

    def role(name: str, rawtext: str, text: str, *_: Any, **__: Any) -> tuple[list[Any], list[Any]]:
        # A project has a role of that name, or else the page without doilinks has an error there.
        shown = utils.unescape(text)
        href = f"https://doi.org/{shown.removeprefix('doi:')}"
        return [nodes.reference(rawtext, shown, refuri=href)], []

    given: dict[str, Any] = {
        "report_level": 5,
        "halt_level": 6,
        "_disable_config": True,
        "warning_stream": False,
    }
    given |= {"file_insertion_enabled": False, "syntax_highlight": "none", **settings}

    def render(text: str, times: int) -> str:
        roles.register_local_role("doi", role)
        parser = (Parser, DoiParser, Twice)[times]()
        more = {"doi_css_class": MADE} if times else {}
        try:
            parts = publish_parts(
                text, parser=parser, writer=Writer(), settings_overrides=given | more
            )
        finally:
            vars(roles)["_roles"].pop("doi")  # or else every later document has it
        return "".join(parts[part] for part in ("html_title", "subtitle", "docinfo", "body"))

    return render


def _markdown_it(
    preset: str, *, plugins: bool = False, **settings: Any
) -> Callable[[str, int], str]:
    from markdown_it import MarkdownIt
    from mdit_py_plugins import (
        anchors,
        attrs,
        deflist,
        dollarmath,
        footnote,
        front_matter,
        tasklists,
    )

    from doilinks.markdown_it import doi_plugin

    @lru_cache
    def host(times: int) -> MarkdownIt:
        md = MarkdownIt(preset, settings)
        if preset == "commonmark":
            md.enable("table")
        if plugins:
            for plugin in (
                footnote.footnote_plugin, deflist.deflist_plugin, dollarmath.dollarmath_plugin,
                front_matter.front_matter_plugin, tasklists.tasklists_plugin, attrs.attrs_plugin,
                anchors.anchors_plugin,
            ):  # fmt: skip
                md.use(plugin)
        for _ in range(times):
            md.use(doi_plugin, css_class=MADE)
        return md

    return lambda text, times: str(host(times).render(text))


def _python_markdown(*extensions: str) -> Callable[[str, int], str]:
    from markdown import Markdown

    from doilinks.markdown import DoiExtension

    @lru_cache
    def host(times: int) -> Markdown:
        ours = [DoiExtension(css_class=MADE) for _ in range(times)]
        return Markdown(extensions=[*extensions, *ours])

    def render(text: str, times: int) -> str:
        md = host(times)
        html = md.reset().convert(text)
        return html + str(getattr(md, "toc", ""))

    return render


_USUAL = ("extra", "sane_lists", "smarty", "admonition", "toc", "codehilite", "wikilinks", "meta")
_PYMDOWN = (
    "pymdownx.extra", "pymdownx.magiclink", "pymdownx.betterem", "pymdownx.caret",
    "pymdownx.tilde", "pymdownx.mark", "pymdownx.smartsymbols", "pymdownx.arithmatex",
    "pymdownx.details", "pymdownx.tabbed", "pymdownx.tasklist", "pymdownx.critic", "pymdownx.keys",
    "pymdownx.inlinehilite", "admonition", "toc",
)  # fmt: skip


@lru_cache
def _environment(reader: str) -> str:
    """What pandoc tells a filter of its reader."""
    with tempfile.TemporaryDirectory() as folder:
        said, program = Path(folder, "said"), Path(folder, "filter.py")
        program.write_text(
            "import os, sys\n"
            f"open({str(said)!r}, 'w').write(os.environ['PANDOC_READER_OPTIONS'])\n"
            "sys.stdout.write(sys.stdin.read())\n"
        )
        run_pandoc("a", "-f", reader, "-t", "json", "--filter", str(program))
        return said.read_text()


def run_pandoc(given: str, *arguments: str) -> str:
    """Run pandoc; what it wrote."""
    done = subprocess.run(
        [pypandoc.get_pandoc_path(), "--data-dir", os.devnull, "--wrap=preserve", *arguments],
        input=given.encode(), capture_output=True, check=True, timeout=120,
    )  # fmt: skip
    return done.stdout.decode()


@lru_cache(maxsize=4096)
def _json(reader: str, text: str) -> str:
    return run_pandoc(text, "-f", reader, "-t", "json", "-M", f"doi-css-class={MADE}")


def _pandoc(reader: str, writer: str = "") -> Callable[[str, int], str]:
    from doilinks.pandoc import rewrite
    from doilinks.pandoc.text import Settings

    def render(text: str, times: int) -> str:
        made = _json(reader, text)
        seen = Settings.of({"PANDOC_READER_OPTIONS": _environment(reader)})
        for _ in range(times):
            made = rewrite(made, seen, writer).text
        return _written(made, writer) if writer else made

    return render


@lru_cache(maxsize=64)
def _written(document: str, writer: str) -> str:
    return run_pandoc(document, "-f", "json", "-t", writer)


# A project whose own role and scheme for DOIs are there with doilinks and without.
_CONF = """
extensions = {extensions}
root_doc = {root!r}
html_theme = "basic"
exclude_patterns = ["_none"]
extlinks = {{"doi": ("https://doi.org/%s", "%s")}}
numfig = True
myst_enable_extensions = {myst}
myst_heading_anchors = 3
myst_url_schemes = ["http", "https", "mailto", "ftp", "doi"]
"""
_TWICE = """
def setup(app):
    from doilinks.sphinx.entry import SphinxDoiLinks
    app.add_transform(SphinxDoiLinks)
"""
_MYST = (
    "amsmath", "attrs_block", "attrs_inline", "colon_fence", "deflist", "dollarmath", "fieldlist",
    "linkify", "replacements", "smartquotes", "substitution", "tasklist",
)  # fmt: skip


def _sphinx(
    suffix: str, *extensions: str, myst: tuple[str, ...] = ()
) -> Callable[[Documents, int], Pages]:
    def pages(documents: Documents, times: int) -> Pages:
        from sphinx.application import Sphinx
        from sphinx.util.docutils import docutils_namespace, patch_docutils

        if not documents:
            return {}
        used = ["sphinx.ext.extlinks", "sphinx.ext.todo", "sphinx.ext.mathjax", *extensions]
        used += ["doilinks.sphinx"] * bool(times)
        with _folder(documents, suffix) as folder:
            source, out = folder / "docs", folder / "out"
            first = next(iter(documents)).removesuffix(suffix)
            conf = _CONF.format(extensions=used, root=first, myst=list(myst))
            conf += f"doi_css_class = {MADE!r}\n" if times else ""
            (folder / "conf.py").write_text(conf + _TWICE * (times == 2))
            with (
                warnings.catch_warnings(action="ignore"),
                patch_docutils(folder),
                docutils_namespace(),
            ):
                app = Sphinx(
                    source, folder, out, folder / "doctrees", "json",
                    confoverrides={"source_suffix": {".rst": "restructuredtext"}} if suffix == ".rst" else
                    {"source_suffix": {".md": "markdown"}},
                    status=None, warning=None,
                )  # fmt: skip
                app.build(force_all=True)
            made = {}
            for name in documents:
                file = out / (name.removesuffix(suffix) + ".fjson")
                if file.exists():
                    parts = json.loads(file.read_text(encoding="utf-8"))
                    made[name] = parts["body"]
            return made

    return pages


@contextmanager
def _folder(documents: Documents, suffix: str) -> Iterator[Path]:
    # The same place each time, since error messages name it, and headings may hold those.
    name = Path(tempfile.gettempdir(), f"damage-{os.getpid()}")
    try:
        for document, text in documents.items():
            file = Path(name, "docs", document.removesuffix(suffix) + suffix)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", errors="replace")
        yield name
    finally:
        shutil.rmtree(name)


_SITE = {
    "site_name": "Site",
    "site_url": "https://example.org/",
    "use_directory_urls": False,
    "docs_dir": "docs",
    "theme": {"name": None, "custom_dir": "theme"},
    "not_in_nav": "*",

    "markdown_extensions": [
        "abbr", "admonition", "attr_list", "def_list", "footnotes", "md_in_html", "smarty", "tables",
        {"toc": {"permalink": True}}, "pymdownx.details", "pymdownx.superfences", "pymdownx.tilde",
        {"pymdownx.tabbed": {"alternate_style": True}}, "pymdownx.magiclink", "pymdownx.arithmatex",
    ],
}  # fmt: skip


def _mkdocs(documents: Documents, times: int) -> Pages:
    if not documents:
        return {}
    with _folder(documents, ".md") as folder:
        theme = folder / "theme"
        theme.mkdir()
        for page in ("main", "404"):
            (theme / f"{page}.html").write_text("{{ page.content }}")
        site = dict(_SITE)
        site["plugins"] = [{"doilinks": {"css_class": MADE}}] * bool(times)
        if times == 2:
            # Many list the Markdown extension beside the plug-in.
            site["markdown_extensions"] = [*_SITE["markdown_extensions"], "doilinks"]  # type: ignore[misc]
        (folder / "mkdocs.yml").write_text(json.dumps(site))
        done = run_module("mkdocs", "build", "-q", cwd=folder)
        if done.returncode:
            raise RuntimeError(done.stderr[-2000:])
        made = {}
        for name in documents:
            file = folder / "site" / (name.removesuffix(".md") + ".html")
            if file.exists():
                made[name] = file.read_text(encoding="utf-8")
        return made


HOSTS: dict[str, Host] = {
    "docutils": Host("rst", _each(_docutils())),
    "docutils, smart quotes": Host("rst", _each(_docutils(smart_quotes=True))),
    "Sphinx": Host("rst", _sphinx(".rst"), site=True),
    "MyST": Host("md", _sphinx(".md", "myst_parser"), site=True),
    "MyST, extensions": Host("md", _sphinx(".md", "myst_parser", myst=_MYST), site=True),
    "markdown-it-py": Host("md", _each(_markdown_it("commonmark"))),
    "markdown-it-py, plug-ins": Host(
        "md", _each(_markdown_it("js-default", plugins=True, html=True, typographer=True))
    ),
    "markdown-it-py, gfm-like": Host("md", _each(_markdown_it("gfm-like", typographer=True))),
    "Python-Markdown": Host("md", _each(_python_markdown())),
    "Python-Markdown, extra": Host("md", _each(_python_markdown(*_USUAL))),
    "Python-Markdown, PyMdown": Host("md", _each(_python_markdown(*_PYMDOWN))),
    "MkDocs": Host("md", _mkdocs, site=True),
    **{
        f"Pandoc, {reader}": Host(markup, _each(_pandoc(reader)), compare_json)
        for markup, reader in (
            ("md", "markdown"), ("md", "gfm"), ("md", "commonmark_x"), ("rst", "rst"),
            ("latex", "latex"), ("html", "html"), ("org", "org"),
        )
    },
    "Pandoc, markdown to html": Host("md", _each(_pandoc("markdown", "html"))),
    "Pandoc, rst to html": Host("rst", _each(_pandoc("rst", "html"))),
}  # fmt: skip

"""Each host with each of its companions: builds a tree, and gives the three views of it.

A setting is a function of the folder in which it may build; :data:`SETTINGS` has all of them.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pypandoc
import pytest
import yaml

from doilinks import DOI, scan

from ..tools.modules import run_module
from .views import Names, Views, names_of, scanned

ROOT = Path(__file__).parents[2]
PAGES = Path(__file__).parent / "pages"

Setting = Callable[[Path], Views]


def _sources(folder: Path, **files: str) -> Path:
    """A folder of sources: ``page="markdown.md"`` copies a page of the corpus under a name."""
    source = folder / "source"
    source.mkdir(parents=True)
    for name, page in files.items():
        shutil.copy(PAGES / page, source / f"{name}{Path(page).suffix}")
    return source


def _elsewhere(*files: Path) -> set[DOI]:
    """The names of sources that are not pages themselves."""
    found: set[DOI] = set()
    for path in files:
        for file in [path] if path.is_file() else path.rglob("*.py"):
            found.update(*scanned(file).values())
            if file.suffix == ".py":
                found.update(match.doi for match in scan(file.read_text(encoding="utf-8")))
    return found


def _only(names: Names, pages: Iterable[str]) -> Names:
    return {page: names[page] for page in pages if page in names}


def docutils(**settings: Any) -> Setting:
    """A page of docutils."""

    def views(folder: Path) -> Views:
        from docutils.core import publish_doctree, publish_from_doctree
        from docutils.writers.html5_polyglot import Writer

        from doilinks.docutils import Parser

        source = _sources(folder, page="rest.rst")
        text = (source / "page.rst").read_text(encoding="utf-8")
        given = {"report_level": 5, "output_encoding": "unicode", **settings}
        tree = publish_doctree(text, parser=Parser(), settings_overrides=given)
        html = publish_from_doctree(tree, writer=Writer(), settings_overrides=given)
        asked = names_of(("page", found.doi) for found in tree.dois)
        return Views(scanned(source), asked, _page(folder, html))

    return views


def _page(folder: Path, html: str) -> Names:
    out = folder / "out"
    out.mkdir()
    (out / "page.html").write_text(html, encoding="utf-8")
    return scanned(out, links_only=True)


def sphinx(
    files: Mapping[str, str], extensions: Sequence[str] = (), text: str = "", **values: Any
) -> Setting:
    """A Sphinx project.

    :param files: page of the project to page of the corpus
    :param text: more of the first page, in its format
    """

    def views(folder: Path) -> Views:
        source = _sources(folder, **files)
        shutil.copy(PAGES / "library.bib", source)
        first = next(source.glob(f"{next(iter(files))}.*"))
        with first.open("a", encoding="utf-8") as page:
            page.write(text)
        conf = {
            "extensions": ["doilinks.sphinx", *extensions],
            "html_theme": "basic",
            "root_doc": next(iter(files)),
            "html_copy_source": False,
            "suppress_warnings": ["toc"],
            **values,
        }
        (source / "conf.py").write_text(
            f"import sys\nsys.path.insert(0, {str(PAGES / 'package')!r})\n"
            + "".join(f"{name} = {value!r}\n" for name, value in conf.items()),
            encoding="utf-8",
        )
        # A process of its own, because extensions of Sphinx keep state in theirs.
        script = (
            "import json, sys\n"
            "from pathlib import Path\n"
            "from tests.tools.hosts import build\n"
            "from doilinks.sphinx.project import dois_of\n"
            "app = build(Path(sys.argv[1]), Path(sys.argv[2]), overrides={'source_suffix': json.loads(sys.argv[3])})\n"
            "print(json.dumps({page: [each.doi.name for each in found] for page, found in dois_of(app.env).items()}))\n"
        )
        kinds = {".rst": "restructuredtext"}
        if any("myst" in each for each in extensions):
            kinds[".md"] = "myst-nb" if "myst_nb" in extensions else "markdown"
        if "myst_nb" in extensions:
            kinds[".ipynb"] = "myst-nb"
        done = _python(folder, script, source, folder / "out", json.dumps(kinds))
        asked = {page: set(map(DOI, names)) for page, names in json.loads(done).items()}
        linked = _only(scanned(folder / "out", links_only=True), files)
        return Views(
            _only(scanned(source), files), asked, linked,
            _elsewhere(source / "library.bib", PAGES / "package"),
        )  # fmt: skip

    return views


def _python(folder: Path, script: str, *arguments: object) -> str:
    at_root = f"import sys\nsys.path[0] = {str(ROOT)!r}\n"
    done = run_module("-c", at_root + script, *arguments, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


def markdown_it(preset: str = "commonmark", **settings: Any) -> Setting:
    """A page of markdown-it-py."""

    def views(folder: Path) -> Views:
        from markdown_it import MarkdownIt

        from doilinks.markdown_it import doi_plugin

        source = _sources(folder, page="markdown.md")
        md = MarkdownIt(preset, settings).enable("table").use(doi_plugin)
        if settings.get("typographer"):
            md.enable(["replacements", "smartquotes"])
        env: dict[str, Any] = {}
        html = md.render((source / "page.md").read_text(encoding="utf-8"), env)
        asked = names_of(("page", found.doi) for found in env["dois"])
        return Views(scanned(source), asked, _page(folder, html))

    return views


def markdown(*extensions: str, **configs: Any) -> Setting:
    """A page of Python-Markdown."""

    def views(folder: Path) -> Views:
        from markdown import Markdown

        source = _sources(folder, page="markdown.md")
        md = Markdown(extensions=["tables", *extensions, "doilinks"], extension_configs=configs)
        html = md.convert((source / "page.md").read_text(encoding="utf-8"))
        asked = names_of(("page", found.doi) for found in md.dois)
        return Views(scanned(source), asked, _page(folder, html))

    return views


def mkdocs(
    plugins: Sequence[object],
    files: Mapping[str, str] = {"index": "markdown.md"},
    text: str = "",
    needs: str = "mkdocs",
) -> Setting:
    """A site of MkDocs.

    :param plugins: in the order of ``mkdocs.yml``
    :param text: more of the first page
    :param needs: a module without which the test is skipped
    """

    def views(folder: Path) -> Views:
        pytest.importorskip(needs, reason=f"{needs} is not installed")
        source = _sources(folder, **files)
        with (source / "index.md").open("a", encoding="utf-8") as page:
            page.write(text)
        (folder / "theme").mkdir()
        for page in ("main", "404"):
            (folder / "theme" / f"{page}.html").write_text("{{ page.content }}")
        config = {
            "site_name": "Agreement",
            "docs_dir": "source",
            "use_directory_urls": False,
            "theme": {"name": None, "custom_dir": "theme"},
            "markdown_extensions": ["tables", "footnotes"],
            "plugins": list(plugins),
        }
        (folder / "mkdocs.yml").write_text(yaml.safe_dump(config), encoding="utf-8")
        script = (
            "import json, sys\n"
            "from mkdocs.config import load_config\n"
            "from mkdocs.commands.build import build\n"
            "config = load_config(sys.argv[1])\n"
            "build(config)\n"
            "dois = config.plugins['doilinks'].dois\n"
            "print(json.dumps({page: [each.doi.name for each in found] for page, found in dois.items()}))\n"
        )
        done = json.loads(_python(folder, script, folder / "mkdocs.yml"))
        asked = {
            str(Path(page).with_suffix("")): set(map(DOI, names)) for page, names in done.items()
        }
        linked = _only(scanned(folder / "site", links_only=True), files)
        elsewhere = _elsewhere(PAGES / "package", PAGES / "library.bib")
        return Views(scanned(source), asked, linked, elsewhere)

    return views


def pandoc(reader: str = "markdown", *, text: str = "", page: str = "markdown.md") -> Setting:
    """A document of pandoc.

    :param reader: its format, with extensions
    :param text: more of the document; with a bibliography, citeproc runs before the filter
    """

    def views(folder: Path) -> Views:
        from doilinks.pandoc import rewrite
        from doilinks.pandoc.text import Settings

        source = _sources(folder, page=page)
        path = next(source.iterdir())
        with path.open("a", encoding="utf-8") as file:
            file.write(text)
        more = ["--citeproc", f"--bibliography={PAGES / 'library.bib'}"] if text else []
        given = _pandoc(["-f", reader, "-t", "json", *more, str(path)])
        document = rewrite(
            given,
            Settings.of({"PANDOC_READER_OPTIONS": json.dumps({"extensions": _extensions(reader)})}),
            "html",
        )
        html = _pandoc(["-f", "json", "-t", "html"], document.text)
        asked = names_of(("page", found.doi) for found in document.dois)
        elsewhere = _elsewhere(PAGES / "library.bib") if text else set()
        return Views(scanned(source), asked, _page(folder, html), elsewhere)

    return views


def _extensions(reader: str) -> list[str]:
    """The extensions of a reader that are on, as pandoc tells them to its filters."""
    base, *more = reader.split("+")
    listed = _pandoc([f"--list-extensions={base}"]).split()
    return [each[1:] for each in listed if each[0] == "+"] + more


def _pandoc(arguments: Sequence[str], given: str = "") -> str:
    done = subprocess.run(
        [pypandoc.get_pandoc_path(), "--data-dir=/dev/null", "--wrap=preserve", *arguments],
        input=given, capture_output=True, text=True, check=True, timeout=120, encoding="utf-8",
    )  # fmt: skip
    return done.stdout


CITED = (
    "\n\nSee [@sici; @braces; @backslash; @entities; @url; @percent; @math; @textless; @note].\n"
)
BIBLIOGRAPHY = "\n\n.. bibliography::\n   :all:\n   :style: plain\n"
DOCSTRINGS = "\n\n.. automodule:: vapour\n   :members:\n"
SUMMARY = "\n\n.. autosummary::\n\n   vapour.soft\n"
PYTHON = {"mkdocstrings": {"handlers": {"python": {"paths": [str(PAGES / "package")]}}}}
REST = {"index": "rest.rst"}
MYST = {"index": "markdown.md"}

SETTINGS: dict[str, Setting] = {
    "docutils": docutils(),
    "docutils, smart quotes": docutils(smart_quotes=True),
    "Sphinx": sphinx(REST),
    "Sphinx, sphinxcontrib-bibtex": sphinx(
        REST, ["sphinxcontrib.bibtex"], BIBLIOGRAPHY, bibtex_bibfiles=["library.bib"]
    ),
    "Sphinx, autodoc": sphinx(REST, ["sphinx.ext.autodoc"], DOCSTRINGS),
    "Sphinx, autosummary": sphinx(
        REST, ["sphinx.ext.autodoc", "sphinx.ext.autosummary"], SUMMARY
    ),
    "MyST": sphinx(MYST, ["myst_parser"]),
    "MyST, linkify": sphinx(MYST, ["myst_parser"], myst_enable_extensions=["linkify"]),
    "MyST, replacements and smartquotes": sphinx(
        MYST, ["myst_parser"], myst_enable_extensions=["replacements", "smartquotes"]
    ),
    "MyST, strikethrough, linkify and replacements": sphinx(
        MYST, ["myst_parser"],
        myst_enable_extensions=["strikethrough", "linkify", "replacements"],
    ),
    "MyST-NB": sphinx(
        {"index": "markdown.md", "notebook": "notebook.ipynb"}, ["myst_nb"],
        nb_execution_mode="off",
    ),
    "markdown-it-py": markdown_it(),
    "markdown-it-py, gfm-like": markdown_it("gfm-like"),
    "markdown-it-py, typographer": markdown_it(typographer=True),
    "Python-Markdown": markdown(),
    "Python-Markdown, extra and smarty": markdown("extra", "smarty"),
    "Python-Markdown, magiclink": markdown("pymdownx.magiclink"),
    "Python-Markdown, links in headings": markdown("toc", toc={"anchorlink": True}),
    "MkDocs": mkdocs(["doilinks"]),
    "MkDocs, mkdocstrings first": mkdocs([PYTHON, "doilinks"], text="\n\n::: vapour\n"),
    "MkDocs, mkdocstrings last": mkdocs(["doilinks", PYTHON], text="\n\n::: vapour\n"),
    "MkDocs, mkdocs-jupyter": mkdocs(
        ["doilinks", "mkdocs-jupyter"], {"index": "markdown.md", "notebook": "notebook.ipynb"}
    ),
    "MkDocs, mkdocs-bibtex": mkdocs(
        [{"bibtex": {"bib_file": str(PAGES / "library.bib")}}, "doilinks"],
        text=f"{CITED}\n\\bibliography\n", needs="mkdocs_bibtex",
    ),
    "Pandoc": pandoc(),
    "Pandoc, citeproc": pandoc(text=CITED),
    "Pandoc, gfm": pandoc("gfm"),
    "Pandoc, commonmark_x": pandoc("commonmark_x"),
    "Pandoc, bare URLs": pandoc("markdown+autolink_bare_uris"),
    "Pandoc, reST": pandoc("rst", page="rest.rst"),
}  # fmt: skip

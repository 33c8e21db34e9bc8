"""Each host with each of its companions: builds a tree, and gives the three views of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from markdown.extensions.toc import TocExtension

from doilinks import DOI, scan

from ..tools.hosts import (
    Docutils,
    Filter,
    Host,
    Markdown,
    MarkdownIt,
    MkDocs,
    Sphinx,
    apart,
)
from .views import Views, scanned

PAGES = Path(__file__).parent / "pages"
MYST = {"index.md": "markdown.md"}
NOTEBOOK = MYST | {"notebook.ipynb": "notebook.ipynb"}


@dataclass(frozen=True)
class Setting:
    """A host in one configuration, with pages of the corpus.

    :ivar pages: the name of each page, and that of the page of the corpus
    :ivar text: more of the first page, which brings names from elsewhere
    :ivar needs: a module without which the test is skipped
    """

    host: Host
    pages: Mapping[str, str] = field(default_factory=lambda: {"page.md": "markdown.md"})
    text: str = ""
    needs: str = "doilinks"

    def views(self, folder: Path) -> Views:
        """Build the pages; the folder is for the views."""
        pytest.importorskip(self.needs, reason=f"{self.needs} is not installed")
        texts = {
            name: (PAGES / page).read_text(encoding="utf-8") for name, page in self.pages.items()
        }
        texts[next(iter(texts))] += self.text
        # Extensions of Sphinx keep state in their process.
        run = apart if isinstance(self.host, Sphinx) else type(self.host).__call__
        made = run(self.host, texts, {})
        assert made.code == 0, made.log
        pages = {Path(name).with_suffix(".html").name: page for name, page in made.pages.items()}
        asked = {Path(page).with_suffix("").as_posix(): dois for page, dois in made.asked.items()}
        return Views(
            scanned(_written(folder / "source", texts)), asked,
            scanned(_written(folder / "out", pages), links_only=True),
            _elsewhere() if self.text else set(),
        )  # fmt: skip


def _written(folder: Path, texts: Mapping[str, str]) -> Path:
    folder.mkdir()
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def _elsewhere() -> set[DOI]:
    """The names of sources that are not pages themselves."""
    found = set().union(*scanned(PAGES / "library.bib").values())
    for path in PAGES.rglob("*.py"):
        found.update(*scanned(path).values())
        found.update(match.doi for match in scan(path.read_text(encoding="utf-8")))
    return found


def docutils(**settings: Any) -> Setting:
    """A page of docutils."""
    return Setting(Docutils(("whole",), settings=settings), {"page.rst": "rest.rst"})


def sphinx(
    pages: Mapping[str, str], extensions: Sequence[str] = (), text: str = "", **values: Any
) -> Setting:
    """A Sphinx project, whose configuration has some more values."""
    conf = (
        f"import sys\nsys.path.insert(0, {str(PAGES / 'package')!r})\nhtml_theme = 'basic'\n"
        + "".join(f"{name} = {value!r}\n" for name, value in values.items())
    )
    files = {"library.bib": (PAGES / "library.bib").read_text(encoding="utf-8")}
    suffix = Path(next(iter(pages))).suffix
    return Setting(Sphinx(suffix, extensions, conf, files=files), pages, text)


def rest(extensions: Sequence[str] = (), text: str = "", **values: Any) -> Setting:
    """A Sphinx project in reStructuredText."""
    return sphinx({"index.rst": "rest.rst"}, extensions, text, **values)


def markdown_it(preset: str = "commonmark", *enable: str, **settings: Any) -> Setting:
    """A page of markdown-it-py."""
    return Setting(MarkdownIt(preset, (), ("table", *enable), tuple(settings.items())))


def markdown(*extensions: Any) -> Setting:
    """A page of Python-Markdown."""
    return Setting(Markdown(("tables", *extensions)))


def mkdocs(
    plugins: Sequence[object], pages: Mapping[str, str] = MYST, text: str = "",
    needs: str = "mkdocs",
) -> Setting:  # fmt: skip
    """A site of MkDocs, with its plug-ins in the order of ``mkdocs.yml``."""
    config = {"markdown_extensions": ["tables", "footnotes"], "plugins": list(plugins)}
    return Setting(MkDocs(config, ask=True), pages, text, needs)


def pandoc(reader: str = "markdown", text: str = "", page: str = "markdown.md") -> Setting:
    """A document of pandoc; if it cites, citeproc runs before the filter."""
    more = ("--citeproc", f"--bibliography={PAGES / 'library.bib'}") if text else ()
    return Setting(Filter(reader, "html", more), {f"page{Path(page).suffix}": page}, text)


CITED = (
    "\n\nSee [@sici; @braces; @backslash; @entities; @url; @percent; @math; @textless; @note].\n"
)
BIBLIOGRAPHY = "\n\n.. bibliography::\n   :all:\n   :style: plain\n"
DOCSTRINGS = "\n\n.. automodule:: vapour\n   :members:\n"
SUMMARY = "\n\n.. autosummary::\n\n   vapour.soft\n"
PYTHON = {"mkdocstrings": {"handlers": {"python": {"paths": [str(PAGES / "package")]}}}}

SETTINGS: dict[str, Setting] = {
    "docutils": docutils(),
    "docutils, smart quotes": docutils(smart_quotes=True),
    "Sphinx": rest(),
    "Sphinx, sphinxcontrib-bibtex": rest(
        ["sphinxcontrib.bibtex"], BIBLIOGRAPHY, bibtex_bibfiles=["library.bib"]
    ),
    "Sphinx, autodoc": rest(["sphinx.ext.autodoc"], DOCSTRINGS),
    "Sphinx, autosummary": rest(["sphinx.ext.autodoc", "sphinx.ext.autosummary"], SUMMARY),
    "MyST": sphinx(MYST, ["myst_parser"]),
    "MyST, linkify": sphinx(MYST, ["myst_parser"], myst_enable_extensions=["linkify"]),
    "MyST, replacements and smartquotes": sphinx(
        MYST, ["myst_parser"], myst_enable_extensions=["replacements", "smartquotes"]
    ),
    "MyST, strikethrough, linkify and replacements": sphinx(
        MYST, ["myst_parser"],
        myst_enable_extensions=["strikethrough", "linkify", "replacements"],
    ),
    "MyST-NB": sphinx(NOTEBOOK, ["myst_nb"], nb_execution_mode="off"),
    "markdown-it-py": markdown_it(),
    "markdown-it-py, gfm-like": markdown_it("gfm-like"),
    "markdown-it-py, typographer": markdown_it(
        "commonmark", "replacements", "smartquotes", typographer=True
    ),
    "Python-Markdown": markdown(),
    "Python-Markdown, extra and smarty": markdown("extra", "smarty"),
    "Python-Markdown, magiclink": markdown("pymdownx.magiclink"),
    "Python-Markdown, links in headings": markdown(TocExtension(anchorlink=True)),
    "MkDocs": mkdocs(["doilinks"]),
    "MkDocs, mkdocstrings first": mkdocs([PYTHON, "doilinks"], text="\n\n::: vapour\n"),
    "MkDocs, mkdocstrings last": mkdocs(["doilinks", PYTHON], text="\n\n::: vapour\n"),
    "MkDocs, mkdocs-jupyter": mkdocs(["doilinks", "mkdocs-jupyter"], NOTEBOOK),
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

"""What a site holds beside its pages: navigation, indexes of terms and for the search, settings.

Hostile names stand in titles, index entries, terms and captions, and in what conf.py says of a
project. A file that doilinks does not change is the same; of the others the structure is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from ..tools.hosts import Sphinx, build, numbered
from ..tools.modules import run_module
from ..tools.pages import without_markup
from ..tools.programs import succeeded
from ..tools.proof import sample
from .builds import MKDOCS
from .corpus import names
from .page import OPTIONS, PROXY, gained

# One line of a title, and no markup that a title of its own would need.
NAMES = sample(
    "hostile names beside pages",
    "each",
    [
        each
        for each in names()
        if each.isprintable() and len(each) < 300 and not set("`*_|") & set(each)
    ],
    one_in=12,
)
PAGE = """{title}
{line}

.. index:: pair: entry {number}; {name}

Section {name}
{line}

Word {name} here.

.. glossary::

   term {number} {name}
      Text {name}.

.. figure:: none.png
   :alt: {name}

   Caption {name}
"""
CONF = """project = author = copyright = release = version = html_title = html_short_title = epub_title = {name!r}
epub_author = epub_publisher = epub_description = {name!r}
rst_epilog = '.. |epilog| replace:: ' + {name!r}
html_theme = 'basic'
html_copy_source = html_show_sourcelink = smartquotes = numfig = False
epub_show_urls = 'no'
suppress_warnings = ['image.not_readable']
"""


def sphinx(folder: Path, *, doilinks: bool) -> Path:
    """A project of a page for each name, as HTML and as EPUB; the folder with both."""
    caption, out = NAMES[3], folder / "out"
    pages = {
        f"page{number}": PAGE.format(
            title=f"Title {name}", line="=" * 4 * len(f"Title {name}"), number=number, name=name
        )
        for number, name in enumerate(NAMES)
    }
    listed = "".join(f"   {page}\n" for page in pages)
    index = (
        f"Index\n=====\n\n.. toctree::\n   :caption: {caption}\n\n{listed}   {caption} <page1>\n"
    )
    host = Sphinx(conf=CONF.format(name=caption))
    source = host.write(folder / "source", {"index": index, **pages}, times=int(doilinks))
    overrides = {f"doi_{key}": value for key, value in OPTIONS.items()} if doilinks else {}
    for builder in ("html", "epub"):
        build(source, out / builder, builder, overrides, doctreedir=folder / "doctrees")
    return out


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("beside")
    return sphinx(folder / "with", doilinks=True), sphinx(folder / "without", doilinks=False)


def beside(projects: tuple[Path, Path], pattern: str) -> Iterator[tuple[str, str, str]]:
    """Files beside the pages: name, text with doilinks, text without."""
    linked, plain = projects
    for file in sorted(plain.glob(pattern)):
        if not file.name.startswith("page"):
            other = linked / file.relative_to(plain)
            yield file.name, other.read_text(encoding="utf-8"), file.read_text(encoding="utf-8")


def test_no_file_is_new(projects):
    linked, plain = (
        {file.relative_to(folder) for file in folder.rglob("*") if file.is_file()}
        for folder in projects
    )
    assert linked == plain


def test_pages_that_list_others(projects):
    compared = 0
    for name, linked, plain in beside(projects, "*/*html"):
        found = gained(linked, plain, texts=False)
        assert found == [], name
        assert without_markup(plain).count("10.1") > 0.8 * len(NAMES) or name in (
            "search.html",
            "not-found.html",
        )
        compared += 1
    assert compared >= 6


@pytest.mark.parametrize("name", ["toc.ncx", "content.opf"])
def test_navigation_of_an_ebook(name, projects):
    ((_, linked, plain),) = beside(projects, f"epub/{name}")
    after, before = (list(ET.fromstring(text).iter()) for text in (linked, plain))
    assert [(each.tag, each.attrib) for each in after] == [
        (each.tag, each.attrib) for each in before
    ]
    dated = {"date", "meta"}
    for one, other in zip(after, before, strict=True):
        assert one.text == other.text or one.tag.rpartition("}")[2] in dated
    assert PROXY not in linked


def test_the_index_for_the_search(projects):
    ((_, linked, plain),) = beside(projects, "html/searchindex.js")
    after, before = (
        json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))
        for text in (linked, plain)
    )
    assert after["titles"] == before["titles"]
    assert after["alltitles"] == before["alltitles"]
    assert after["filenames"] == before["filenames"]
    assert after.keys() == before.keys()
    words = after["terms"].keys() - before["terms"].keys()
    assert all(set(word) <= set("_") or word.replace("_", "").isalnum() for word in words), words


def test_the_index_for_the_search_of_mkdocs(tmp_path):
    made = []
    sources = [f"# Title {name}\n\nWord {name} here.\n\n## Section {name}\n" for name in NAMES]
    for options in (OPTIONS, None):
        folder = tmp_path / str(bool(options))
        folder.mkdir()
        MKDOCS.write(folder, numbered(sources), options)
        config = folder / "mkdocs.yml"
        given = json.loads(config.read_text())
        config.write_text(json.dumps({**given, "plugins": ["search", *given["plugins"]]}))
        succeeded(run_module("mkdocs", "build", "-q", cwd=folder))
        index = json.loads((folder / "site" / "search" / "search_index.json").read_text())
        made.append(index["docs"])
    linked, plain = made
    assert len(linked) == len(plain) > 2 * len(NAMES)
    compared = 0
    for one, other in zip(linked, plain, strict=True):
        assert one.keys() == other.keys()
        assert PROXY not in one["text"] + one["title"] + one["location"]
        for part in ("title", "text"):
            # It is text, and no HTML any more; of raw HTML, which a name may be, nothing is left in it.
            # MkDocs puts a space around each link.
            after, before = ("".join(unescape(each[part]).split()) for each in (one, other))
            if "<" not in after:
                assert without_markup(after) == without_markup(before)
                compared += 1
    assert compared > 3 * len(NAMES)

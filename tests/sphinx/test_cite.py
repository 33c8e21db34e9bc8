"""Works in Sphinx: on hover, in citations and in lists of references, through real builds."""

from __future__ import annotations

import json
import re
import shutil
import time
import zipfile

import pytest
import sphinx

from ..docutils.test_cite import WORKS, lock_file, plain
from ..tools.hosts import body, body_of
from ..tools.sphinx_projects import sphinx_build, write

CONF = """
import pathlib, sys
sys.path.insert(0, str(pathlib.Path(__file__).parent))
project, author, html_theme = "Names", "A. Author", "basic"
extensions = ["doilinks.sphinx", "myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon",
              "sphinx.ext.mathjax", "sphinxcontrib.bibtex"]
nb_execution_mode = "off"
bibtex_bibfiles = ["refs.bib"]
locale_dirs = ["locale"]
gettext_compact = False
man_pages = [("index", "names", "Names", ["A. Author"], 1)]
epub_copyright, version = "None", "1"
doi_hover = True
doi_cite = True
"""

PAGES = {
    "conf.py": CONF,
    "index.rst": """
Names
=====

.. toctree::

   own
   linked
   markdown
   notebook
   code
   bibliography
   works
""",
    "own.rst": """
.. _a-label:

Own [@doi:10.1000/182]
======================

As *@doi:10.1000/183 [p. 3]* and :doi:`10.1000/a_b` say :doi:cite:`see 10.1000/a_b, p. 4`.
So :doi:citet:`10.1000/182`; see `the Handbook <https://doi.org/10.1000/182>`_.

.. doi-list::
   :order: places
""",
    "linked.rst": """
Linked
======

Only doi:10.1000/182 and [@doi:10.1000/rtl].
""",
    "markdown.md": """
# Markdown [@doi:10.1000/183]

As *@doi:10.1000/182 [p. 3]* and {doi}`10.1000/182` say {doi:cite}`see 10.1000/a_b, p. 4`.
So {doi:citet}`10.1000/182`; see [the Handbook](https://doi.org/10.1000/182 "A book").
Not [a title](a-label), `@doi:10.1000/183`, \\@doi:10.1000/183, [x @doi:10.1000/183](https://example.org).

| A | B |
|---|---|
| [@doi:10.1000/hostile] | doi:10.1000/hostile |
""",
    "notebook.ipynb": json.dumps(
        {
            "cells": [
                {
                    "cell_type": "markdown",
                    "metadata": {},
                    "source": "# Notebook\n\n@doi:10.1000/182\n\n```{doi-list}\n```\n",
                }
            ],
            "metadata": {"language_info": {"name": "python"}},
            "nbformat": 4,
            "nbformat_minor": 4,
        }
    ),
    "code.rst": "Code\n====\n\n.. automodule:: coded\n   :members:\n",
    "coded.py": '''
def function(number):
    """As [@doi:10.1000/182] says.

    Args:
        number (int): of @doi:10.1000/183.
    """
''',
    "bibliography.rst": """
Bibliography
============

As :cite:t:`book` says.

.. bibliography::
""",
    "refs.bib": "@book{book, title={A}, author={B, C}, publisher={D}, year=2000, doi={10.1000/182}}",
    "works.rst": """
Works
=====

.. doi-list::
   :scope: project
""",
    "doi-lock.json": lock_file(),
}

HOVER = 'title="Paskin (2000). DOI Handbook."'


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return write(tmp_path_factory.mktemp("cite"), PAGES)


@pytest.fixture
def copied(project, tmp_path):
    return shutil.copytree(project, tmp_path / "project")


def made(project, builder, *options):
    out = project.parent / f"{project.name}-{builder}{len(options)}"
    done = sphinx_build(
        "-q",
        "-n",
        "-W",
        "--keep-going",
        "-b",
        builder,
        "-d",
        project.parent / "kept",
        *options,
        project,
        out,
    )
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture(scope="module")
def pages(project):
    out = made(project, "html")
    return {page.stem: body(page) for page in out.glob("*.html")}


def links(html):
    """The target of each link, by its text."""
    return [
        (plain(text), href)
        for href, text in re.findall('<a [^>]*?href="([^"]*)"[^>]*>(.*?)</a>', html)
    ]


def test_citations_of_a_page_with_a_list(pages):
    assert ("1", "#doi-10-1000-182") in links(pages["own"])
    text = plain(pages["own"])
    assert "As Paskin [2, p. 3] and doi:10.1000/a_b say [see 3, retracted, p. 4]" in text
    assert "So Paskin [1]; see the Handbook." in text
    items = re.findall('<li id="([^"]*)"', pages["own"])
    assert items == ["doi-10-1000-182", "doi-10-1000-183", "doi-10-1000-a-b-1432b107"]


def test_citations_of_other_pages_lead_to_the_list_of_the_project(pages):
    assert ("\u2068\u05d2\u05d3\u2069, 2001", "works.html#doi-10-1000-rtl") in links(
        pages["linked"]
    )
    assert ("Paskin (2000)", "#doi-10-1000-182") in links(pages["notebook"])
    assert ("Paskin (2000a)", "works.html#doi-10-1000-183") in links(pages["code"])


def test_markdown_has_the_same(pages):
    text = plain(pages["markdown"])
    assert "Markdown (Paskin, 2000a)" in text
    assert (
        "As Paskin (2000b, p. 3) and doi:10.1000/182 say (see Miller, 1999, retracted, p. 4)"
        in text
    )
    assert "So Paskin (2000b); see the Handbook." in text
    assert "Not a title, @doi:10.1000/183, @doi:10.1000/183, x @doi:10.1000/183." in text


def test_words_beside_a_work_have_the_typography_of_other_text(tmp_path):
    write(
        tmp_path,
        {
            "doi-lock.json": lock_file(),
            "conf.py": "extensions = ['doilinks.sphinx', 'myst_parser']\ndoi_cite, language = True, 'de'\n",
            "index.rst": 'A\n=\n\nAs :doi:cite:p:`see "y" 10.1000/a_b, S. 3--5`.\n\n.. toctree::\n\n   b\n',
            "b.md": '# B\n\nAs @doi:10.1000/a_b [S. 3--5 "y"].\n',
        },
    )
    sphinx_build("-q", "-W", tmp_path, tmp_path / "out")
    shown = [plain((tmp_path / "out" / f"{name}.html").read_text()) for name in ("index", "b")]
    assert "As (see „y“ Miller, 1999, zurückgezogen, S. 3–5)." in shown[0]
    assert "As Miller (1999, zurückgezogen, S. 3–5 „y“)." in shown[1]


def test_the_list_of_the_project_leads_to_every_page(pages, project):
    list_of_works = pages["works"]
    assert list_of_works.count('role="doc-bibliography"') == 1
    assert list_of_works.count("<li id=") == len(WORKS)
    back = [href for _, href in links(list_of_works) if "#at-" in href]
    assert len(back) == len(set(back)) == 13  # six of a work at most
    for href in back:
        page, _, anchor = href.partition(".html#")
        assert f'id="{anchor}"' in pages[page], href


def test_ids_are_unique(pages):
    for page in pages.values():
        ids = re.findall(r'\bid="([^"]*)"', page)
        assert 0 < len(ids) == len(set(ids))


def test_every_link_shows_its_work_on_hover_but_the_title_of_an_author_stays(pages):
    for page in ("own", "linked", "markdown", "notebook", "code", "bibliography"):
        assert HOVER in pages[page], page
    assert 'title="A book"' in pages["markdown"]
    assert 'class="doi doi-cite doi-retracted reference internal"' in pages["own"]


def test_hostile_works_are_text(pages):
    for page in ("markdown", "works"):
        assert "<script" not in pages[page]
        assert "\u202e" not in pages[page]
        assert "{{ x }}" in pages[page]
    assert 'class="doi-list mathjax_ignore tex2jax_ignore' in pages["works"]


def test_contents_show_citations_as_text(pages):
    toc = links(pages["index"])
    assert ("Own [1]", "own.html") in toc
    assert ("Markdown (Paskin, 2000a)", "markdown.html") in toc


def test_in_one_page_ids_are_unique_and_each_link_has_one(project):
    page = body(made(project, "singlehtml") / "index.html")
    ids = re.findall(r'\bid="([^"]*)"', page)
    assert len(ids) == len(set(ids))
    inside = [href for _, href in links(page) if "doi-10" in href and href.startswith("#")]
    assert len(inside) > 30
    assert {href[1:] for href in inside} <= set(ids)


def test_an_epub_has_all_of_it(project):
    with zipfile.ZipFile(next(made(project, "epub").glob("*.epub"))) as book:
        own, works = book.read("own.xhtml").decode(), book.read("works.xhtml").decode()
    assert HOVER in own
    assert 'href="own.xhtml#at-doi-10-1000-183-1"' in works


@pytest.mark.parametrize("builder", ["text", "man", "latex", "texinfo", "xml", "pseudoxml"])
def test_other_formats_have_citations_and_lists_and_no_hover(builder, project):
    out = made(project, builder)
    files = [*out.rglob("*.*"), *out.glob("*.1")]
    text = "".join(
        each.read_text("utf-8") for each in files
        if each.suffix in (".txt", ".1", ".tex", ".texi", ".xml", ".pseudoxml")
        and "sphinx" not in each.name
    )  # fmt: skip
    shown = re.sub(r"\\sphinxAtStartPar|\\%|\\:", "", text)
    assert "Paskin, N. (2000b)." in shown
    assert 'title="Paskin' not in text
    assert "↩" not in text
    assert "\u2068" not in text
    assert "at-doi" not in text
    assert "doi_" not in re.sub(r"<inline doi_cite=[^>]*>", "", text)  # in contents
    if builder == "latex":
        assert r"\label{\detokenize{works:doi-10-1000-rtl}}" in text
        assert r"\hyperref[\detokenize{works:doi-10-1000-rtl}]" in text
        labels = re.findall(r"\\label\{\\detokenize\{(\S+?)\}\}", text)
        assert len(labels) == len(set(labels))
        targets = re.findall(r"\\hyperref\[\\detokenize\{(\S+?)\}\]", text)
        assert {each for each in targets if "doi-10" in each} <= set(labels)


def html_of(project, out, *options):
    done = sphinx_build("-n", "-W", "--keep-going", *options, project, out)
    assert done.returncode == 0, done.stderr
    return {page.name: page.read_text("utf-8") for page in out.glob("*.html")}, done.stdout


def test_parallel_builds_give_the_same_pages(copied, tmp_path):
    one, _ = html_of(copied, tmp_path / "one")
    four, _ = html_of(copied, tmp_path / "four", "-j", "4")
    assert one == four


def _written(folder):
    return {page.name: page.stat().st_mtime_ns for page in folder.glob("*.html")}


def _rewritten(copied, out):
    before = _written(out)
    time.sleep(0.02)
    pages, log = html_of(copied, out)
    again = {name for name, at in _written(out).items() if at != before.get(name)}
    return pages, again - {"genindex.html", "search.html", "py-modindex.html", "index.html"}, log


def test_a_changed_lock_file_changes_pages_that_are_not_read_again(copied, tmp_path):
    out = tmp_path / "out"
    html_of(copied, out)
    pages, again, _ = _rewritten(copied, out)
    assert not again
    works = {**WORKS, "10.1000/rtl": {"title": "New", "author": [["Z"]], "year": 2002}}
    (copied / "doi-lock.json").write_text(lock_file(works), encoding="utf-8")
    pages, again, log = _rewritten(copied, out)
    assert again == {"linked.html", "works.html"}
    assert "0 added, 0 changed, 0 removed" in log
    assert 'title="Z (2002). New."' in pages["linked.html"]
    assert "Z (2002)." in pages["works.html"]
    assert not _rewritten(copied, out)[1]


def test_another_builder_does_not_hide_a_change(copied, tmp_path):
    out, text, kept = tmp_path / "out", tmp_path / "text", tmp_path / "kept"
    html_of(copied, out, "-d", kept)
    works = {**WORKS, "10.1000/rtl": {"title": "New", "author": [["Z"]], "year": 2002}}
    (copied / "doi-lock.json").write_text(lock_file(works), encoding="utf-8")
    html_of(copied, text, "-d", kept, "-b", "text")
    pages, _ = html_of(copied, out, "-d", kept)
    assert 'title="Z (2002). New."' in pages["linked.html"]


def test_a_new_citation_changes_the_list_and_the_letters_of_other_pages(copied, tmp_path):
    out = tmp_path / "out"
    html_of(copied, out)
    page = copied / "linked.rst"
    works = {**WORKS, "10.1000/new": {"title": "A", "author": [["Paskin"]], "year": 2000}}
    (copied / "doi-lock.json").write_text(lock_file(works), encoding="utf-8")
    _, again, _ = _rewritten(copied, out)
    assert not again
    page.write_text(page.read_text("utf-8") + "\n@doi:10.1000/new\n", encoding="utf-8")
    pages, again, _ = _rewritten(copied, out)
    assert {"linked.html", "works.html", "markdown.html", "code.html"} <= again
    assert "own.html" not in again  # its letters are those of its own list
    assert "(2000c)" in pages["works.html"]
    assert "Paskin, 2000c" in pages["code.html"]
    fresh, _ = html_of(copied, tmp_path / "fresh")
    for name in ("linked.html", "works.html", "markdown.html", "code.html"):
        assert body_of(pages[name]) == body_of(fresh[name]), name


def test_a_page_that_goes_leaves_the_list(copied, tmp_path):
    out = tmp_path / "out"
    html_of(copied, out)
    (copied / "linked.rst").unlink()
    index = copied / "index.rst"
    index.write_text(index.read_text("utf-8").replace("   linked\n", ""), encoding="utf-8")
    pages, again, _ = _rewritten(copied, out)
    assert "works.html" in again
    assert "linked.html" not in pages["works.html"]


def small(tmp_path, text, conf="", lock=True, **more):
    files = {
        "conf.py": f'extensions = ["doilinks.sphinx"]\nhtml_theme = "basic"\n{conf}',
        "index.rst": text,
    }
    if lock:
        files["doi-lock.json"] = lock_file()
    return write(tmp_path / "small", files | more)


def test_a_work_that_is_not_known_is_a_warning_with_a_place(tmp_path):
    folder = small(tmp_path, "T\n=\n\nAs\n@doi:10.1000/x and @doi:10.1000/x.\n", "doi_cite = True")
    done = sphinx_build("-q", folder, tmp_path / "out")
    assert done.stderr.count("the work of") == 1
    lock = folder / "doi-lock.json"
    assert f"index.rst:5: WARNING: the work of doi:10.1000/x is not in {lock}" in done.stderr
    assert 'href="https://doi.org/10.1000/x"' in (tmp_path / "out" / "index.html").read_text()
    done = sphinx_build("-q", "-W", "-D", "suppress_warnings=doi.cite", folder, tmp_path / "out")
    assert done.returncode == 0, done.stderr


def test_without_the_options_pages_are_the_same(tmp_path):
    text = (
        "T\n=\n\nSee doi:10.1000/182, [@doi:10.1000/182] and @doi:10.1000/183 :doi:`10.1000/182`.\n"
    )
    (one, _), (two, _) = (
        html_of(small(tmp_path / str(lock), text, lock=lock), tmp_path / f"out{lock}")
        for lock in (True, False)
    )
    assert one["index.html"] == two["index.html"]
    assert "title=" not in body(tmp_path / "outTrue" / "index.html").replace('title="Link', "")
    assert "[@doi:10.1000/182]" in plain(one["index.html"])


def test_roles_and_lists_need_no_option(tmp_path):
    text = "T\n=\n\n:doi:cite:`10.1000/182` doi:10.1000/183\n\n.. doi-list::\n"
    pages, _ = html_of(small(tmp_path, text), tmp_path / "out")
    assert (
        '(<a class="doi doi-cite reference internal" href="#doi-10-1000-182"' in pages["index.html"]
    )
    assert pages["index.html"].count("<li id=") == 2


def test_a_list_without_works_shows_nothing(tmp_path):
    pages, _ = html_of(small(tmp_path, "T\n=\n\n.. doi-list::\n\nEnd.\n"), tmp_path / "out")
    assert "doi-list" not in pages["index.html"]


def test_two_lists_on_a_page(tmp_path):
    lists = ".. doi-list::\n\n.. doi-list::\n   :scope: project\n"
    text = f"T\n=\n\n:doi:cite:`10.1000/182`\n\n{lists}"
    pages, _ = html_of(small(tmp_path, text), tmp_path / "out")
    assert pages["index.html"].count('role="doc-bibliography"') == 2
    assert pages["index.html"].count('id="doi-10-1000-182"') == 1


def test_two_lists_of_the_project_are_not_linked(tmp_path):
    project = ".. doi-list::\n   :scope: project\n"
    page = f":orphan:\n\nX\n=\n\n{project}"
    text = "T\n=\n\n:doi:cite:`10.1000/182`\n"
    folder = small(tmp_path, text, **{"a.rst": page, "b.rst": page})
    pages, _ = html_of(folder, tmp_path / "out")
    assert (
        '<a class="doi doi-cite reference external" href="https://doi.org/10.1000/182"'
        in pages["index.html"]
    )
    assert 'href="index.html#at-doi-10-1000-182-1"' in pages["a.html"]


def test_a_damaged_lock_file_is_one_warning(tmp_path):
    folder = small(tmp_path, "T\n=\n\n:doi:cite:`10.1000/182`\n", "doi_hover = True")
    (folder / "doi-lock.json").write_text("{")
    done = sphinx_build("-q", folder, tmp_path / "out")
    assert done.returncode == 0
    assert done.stderr.count("WARNING") == 1
    assert "doi-lock.json:1: damaged lock file" in done.stderr


def test_translations_have_citations(tmp_path):
    po = """
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8"

msgid "As [@doi:10.1000/182] says."
msgstr "Wie [@doi:10.1000/183, S. 3] sagt."
"""
    conf = 'doi_cite = True\nlanguage = "de"\nlocale_dirs = ["locale"]\n'
    folder = small(tmp_path, "T\n=\n\nAs [@doi:10.1000/182] says.\n", conf)
    (folder / "locale/de/LC_MESSAGES").mkdir(parents=True)
    (folder / "locale/de/LC_MESSAGES/index.po").write_text(po)
    pages, _ = html_of(folder, tmp_path / "out")
    assert "Wie (Paskin, 2000, S. 3) sagt." in plain(pages["index.html"])
    done = sphinx_build("-q", "-W", "-b", "gettext", folder, tmp_path / "pot")
    assert done.returncode == 0, done.stderr
    assert 'msgid "As [@doi:10.1000/182] says."' in (tmp_path / "pot" / "index.pot").read_text()


def test_names_of_citations_are_checked(tmp_path):
    text = "T\n=\n\nAs @doi:10.1000/182\nand [@doi:10.1000/183] say :doi:cite:`10.1000/a_b`.\n"
    folder = small(tmp_path, text, 'doi_cite, doi_check, doi_check_offline = True, "warn", True')
    done = sphinx_build("-q", folder, tmp_path / "out")
    said = [line.partition("index.rst:")[2] for line in done.stderr.splitlines()]
    at = [
        (int(line.partition(":")[0]), line.split("doi:")[1].split(" ")[0]) for line in said if line
    ]
    names = [(4, "10.1000/182"), (5, "10.1000/183"), (5, "10.1000/a_b")]
    assert [(line, name.strip(":,;")) for line, name in at] == names


def test_unknown_works_are_reported_in_the_order_of_the_pages(tmp_path):
    text = "T\n=\n\n@doi:10.1000/x\n@doi:10.1000/y\n@doi:10.1000/x\n"
    done = sphinx_build("-q", small(tmp_path, text, "doi_cite = True"), tmp_path / "out")
    assert re.findall("10.1000/(.) is not", done.stderr) == ["x", "y"]


def test_a_heading_of_latex_leads_to_the_work(tmp_path):
    text = "T\n=\n\nAs @doi:10.1000/182\n------------------\n\n@doi:10.1000/182\n\n.. doi-list::\n"
    folder = small(tmp_path, text, "doi_cite = True")
    sphinx_build("-q", "-b", "latex", folder, tmp_path / "out")
    [tex] = [*(tmp_path / "out").glob("*.tex")]
    shown = tex.read_text(encoding="utf-8")
    [heading] = re.findall(r"\\chapter\{As.*", shown)
    assert "hyperref" not in heading
    if sphinx.version_info >= (9,):  # 7.4 drops links of chapters
        assert "https://doi.org/10.1000/182" in heading
    assert "\\hyperref" in shown.partition(heading)[2]

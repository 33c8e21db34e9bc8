"""Works in Sphinx: on hover, in citations and in lists of references, through real builds."""

from __future__ import annotations

import re
import shutil
import time
import zipfile
from html import unescape
from pathlib import Path

import pytest
import sphinx

from ..tools.hosts import body, body_of
from ..tools.programs import succeeded
from ..tools.sphinx_projects import sphinx_build, write
from ..tools.works import HANDBOOK, WORKS, lock, lock_file

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

CODED = '''
def function(number):
    """As [@doi:10.1000/182] says.

    Args:
        number (int): of @doi:10.1000/183.
    """
'''
PAGES = Path(__file__).parent / "works"  # of the project

HOVER = f'title="{HANDBOOK}"'
CHANGED = WORKS | {"10.1000/rtl": {"title": "New", "author": [["Z"]], "year": 2002}}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = shutil.copytree(PAGES, tmp_path_factory.mktemp("cite") / "source")
    return write(folder, {"conf.py": CONF, "coded.py": CODED, "doi-lock.json": lock_file()})


def made(project, builder, *options, kept=""):
    """The output of a builder, without a warning, from one set of pages read.

    Sphinx reads pages without typography for the builders man and text, which have a set of their own.
    """
    kept = kept or ("plain" if builder in ("man", "text") else "kept")
    out = project.parent / f"{project.name}-{builder}{len(options)}"
    flags = ("-q", "-n", "-W", "--keep-going", "-b", builder, "-d", project.parent / kept)
    succeeded(sphinx_build(*flags, *options, project, out))
    return out


@pytest.fixture(scope="module")
def out(project):
    return made(project, "html")


@pytest.fixture(scope="module")
def pages(out):
    return {page.stem: body(page) for page in out.glob("*.html")}


def plain(html):
    return unescape(re.sub("<[^>]+>", "", html))


def links(html):
    """The target of each link, by its text."""
    return [(plain(text), href) for href, text in re.findall('<a [^>]*?href="([^"]*)"[^>]*>(.*?)</a>', html)]  # fmt: skip


SAID = {
    "own": ["As Paskin [2, p. 3] and doi:10.1000/a_b say [see 3, retracted, p. 4]", "So Paskin [1]; see the Handbook."],
    "markdown": [
        "Markdown (Paskin, 2000a)",
        "As Paskin (2000b, p. 3) and doi:10.1000/182 say (see Miller & Berg, 1999, retracted, p. 4)",
        "So Paskin (2000b); see the Handbook.",
        "Not a title, @doi:10.1000/183, @doi:10.1000/183, x @doi:10.1000/183.",
    ],
}  # fmt: skip
LINKS = {
    "own": [("1", "#doi-10-1000-182")],
    "linked": [("\u2068\u05d2\u05d3\u2069, 2001", "works.html#doi-10-1000-rtl")],
    "notebook": [("Paskin (2000)", "#doi-10-1000-182")],
    "code": [("Paskin (2000a)", "works.html#doi-10-1000-183")],
    "index": [("Own [1]", "own.html"), ("Markdown (Paskin, 2000a)", "markdown.html")],
}


def test_citations_of_every_page(pages):
    """They lead to the list of their page, or to that of the project; contents show them as text."""
    for page, sentences in SAID.items():
        assert [each for each in sentences if each not in plain(pages[page])] == []
    for page, wanted in LINKS.items():
        assert [each for each in wanted if each not in links(pages[page])] == [], page
    items = re.findall('<li id="([^"]*)"', pages["own"])
    assert items == ["doi-10-1000-182", "doi-10-1000-183", "doi-10-1000-a-b-1432b107"]
    for page in pages.values():
        ids = re.findall(r'\bid="([^"]*)"', page)
        assert 0 < len(ids) == len(set(ids))


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
    assert "As (see „y“ Miller & Berg, 1999, zurückgezogen, S. 3–5)." in shown[0].replace(
        "und", "&"
    )
    assert "As Miller & Berg (1999, zurückgezogen, S. 3–5 „y“)." in shown[1].replace("und", "&")


def test_the_list_of_the_project_leads_to_every_page(pages):
    list_of_works = pages["works"]
    assert list_of_works.count('role="doc-bibliography"') == 1
    assert list_of_works.count("<li id=") == len(WORKS)
    back = [href for _, href in links(list_of_works) if "#at-" in href]
    assert len(back) == len(set(back)) == 11  # six of a work at most
    for href in back:
        page, _, anchor = href.partition(".html#")
        assert f'id="{anchor}"' in pages[page], href


def test_every_link_shows_its_work_on_hover_but_the_title_of_an_author_stays(pages):
    for page in ("own", "linked", "markdown", "notebook", "code", "bibliography"):
        assert HOVER in pages[page], page
    assert 'title="A book"' in pages["markdown"]
    assert 'class="doi doi-cite doi-retracted reference internal"' in pages["own"]


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


BUILDERS = {"text": "*.txt", "man": "*.1", "latex": "names.tex", "texinfo": "*.texi", "xml": "*.xml", "pseudoxml": "*.pseudoxml"}  # fmt: skip


# That of texinfo is like man's, and that of pseudoxml shows what xml has.
@pytest.mark.parametrize(
    "builder",
    [pytest.param(each, marks=[pytest.mark.thorough] * (each in ("texinfo", "pseudoxml"))) for each in BUILDERS],
)  # fmt: skip
def test_other_formats_have_citations_and_lists_and_no_hover(builder, project):
    text = "".join(
        file.read_text("utf-8") for file in made(project, builder).glob(BUILDERS[builder])
    )
    assert "Paskin, N. (2000b)." in re.sub(r"\\sphinxAtStartPar|\\%|\\:", "", text)
    for html in ('title="Paskin', "↩", "\u2068", "at-doi"):
        assert html not in text
    assert "doi_" not in re.sub(r"<inline doi_cite=[^>]*>", "", text)  # in contents
    if builder == "latex":
        assert r"\label{\detokenize{works:doi-10-1000-rtl}}" in text
        assert r"\hyperref[\detokenize{works:doi-10-1000-rtl}]" in text
        labels = re.findall(r"\\label\{\\detokenize\{(\S+?)\}\}", text)
        assert len(labels) == len(set(labels))
        targets = re.findall(r"\\hyperref\[\\detokenize\{(\S+?)\}\]", text)
        assert {each for each in targets if "doi-10" in each} <= set(labels)


def test_parallel_builds_give_the_same_pages(project, out):
    two = made(project, "html", "-j", "2", kept="parallel")
    for page in out.glob("*.html"):
        assert page.read_text("utf-8") == (two / page.name).read_text("utf-8")


def html_of(project, out, *options):
    done = succeeded(sphinx_build("-n", "-W", "--keep-going", *options, project, out))
    return {page.name: page.read_text("utf-8") for page in out.glob("*.html")}, done.stdout


def rewritten(project, out):
    """Build again: the pages, the names of those that are written anew, and what was said."""
    before = {page.name: page.stat().st_mtime_ns for page in out.glob("*.html")}
    time.sleep(0.02)
    pages, log = html_of(project, out)
    again = {page.name for page in out.glob("*.html") if page.stat().st_mtime_ns != before.get(page.name)}  # fmt: skip
    return pages, again - {"genindex.html", "search.html", "py-modindex.html", "index.html"}, log


def test_what_changes_in_a_project_changes_its_pages(project, tmp_path):
    """The lock file, which no page is read again for; a citation; a page that goes."""
    folder, out = shutil.copytree(project, tmp_path / "project"), tmp_path / "out"
    html_of(folder, out)
    lock(folder, CHANGED)
    pages, again, log = rewritten(folder, out)
    assert again == {"linked.html", "works.html"}
    assert "0 added, 0 changed, 0 removed" in log
    assert 'title="Z (2002). New."' in pages["linked.html"]
    assert "Z (2002)." in pages["works.html"]
    # Another builder sees a change first, of which the pages here know nothing then.
    newer = CHANGED | {"10.1000/rtl": {"title": "Newer", "author": [["Z"]], "year": 2003}}
    lock(folder, newer)
    html_of(folder, tmp_path / "text", "-d", out / ".doctrees", "-b", "text")
    pages, _ = html_of(folder, out)
    assert 'title="Z (2003). Newer."' in pages["linked.html"]
    lock(folder, newer | {"10.1000/new": {"title": "A", "author": [["Paskin"]], "year": 2000}})
    assert not rewritten(folder, out)[1]
    page = folder / "linked.rst"
    page.write_text(page.read_text("utf-8") + "\n@doi:10.1000/new\n", encoding="utf-8")
    pages, again, _ = rewritten(folder, out)
    assert {"linked.html", "works.html", "markdown.html", "code.html"} <= again
    assert "own.html" not in again  # its letters are those of its own list
    assert "(2000c)" in pages["works.html"]
    assert "Paskin, 2000c" in pages["code.html"]
    fresh, _ = html_of(folder, tmp_path / "fresh")
    for name in ("linked.html", "works.html", "markdown.html", "code.html"):
        assert body_of(pages[name]) == body_of(fresh[name]), name
    page.unlink()
    index = folder / "index.rst"
    index.write_text(index.read_text("utf-8").replace("   linked\n", ""), encoding="utf-8")
    pages, again, _ = rewritten(folder, out)
    assert "works.html" in again
    assert "linked.html" not in pages["works.html"]


# --------------------------------------------------------------------------------------------------
# Small projects.


def small(folder, conf="", **pages):
    """Write a project of pages, of which each has a heading; returns its folder."""
    files = {f"{name}.rst": f":orphan:\n\nT\n=\n\n{text}\n" for name, text in pages.items()}
    conf = f'extensions = ["doilinks.sphinx"]\nhtml_theme = "basic"\n{conf}'
    return write(folder / "small", {"conf.py": conf, "doi-lock.json": lock_file(), **files})


def test_works_that_are_not_known_are_warnings_with_places_in_the_order_of_the_pages(tmp_path):
    text = "As\n@doi:10.1000/x and @doi:10.1000/y and @doi:10.1000/x."
    folder = small(tmp_path, "doi_cite = True", index=text)
    done = sphinx_build("-q", folder, tmp_path / "out")
    warned = (
        f"index.rst:7: WARNING: the work of doi:10.1000/{{}} is not in {folder / 'doi-lock.json'}"
    )
    assert [
        line.partition(": run")[0].rpartition("/index")[2] for line in done.stderr.splitlines()
    ] == [warned.format(name).removeprefix("index") for name in "xy"]
    assert 'href="https://doi.org/10.1000/x"' in (tmp_path / "out" / "index.html").read_text()
    succeeded(
        sphinx_build("-q", "-W", "-D", "suppress_warnings=doi.cite", folder, tmp_path / "out")
    )


PROJECT = ".. doi-list::\n   :scope: project\n"
CITED = ":doi:cite:`10.1000/182`"


def test_roles_and_lists_need_no_option(tmp_path):
    folder = small(
        tmp_path,
        "doi_cite = False",
        index="See doi:10.1000/182, [@doi:10.1000/182] and @doi:10.1000/183 :doi:`10.1000/182`.",
        empty=".. doi-list::\n\nEnd.", listed=f"{CITED} doi:10.1000/183\n\n.. doi-list::",
        two=f"{CITED}\n\n.. doi-list::\n\n{PROJECT}", cites=CITED, a=PROJECT, b=PROJECT,
    )  # fmt: skip
    pages, _ = html_of(folder, tmp_path / "out")
    assert "doi-list" not in pages["empty.html"]
    link = '(<a class="doi doi-cite reference internal" href="#doi-10-1000-182"'
    assert link in pages["listed.html"]
    assert pages["listed.html"].count("<li id=") == 2
    assert pages["two.html"].count('role="doc-bibliography"') == 2
    assert pages["two.html"].count('id="doi-10-1000-182"') == 1
    # Two lists of the project are not linked.
    link = '<a class="doi doi-cite reference external" href="https://doi.org/10.1000/182"'
    assert link in pages["cites.html"]
    assert 'href="cites.html#at-doi-10-1000-182-1"' in pages["a.html"]
    # Without an option and a role, a page is the same whatever is known.
    (folder / "doi-lock.json").unlink()
    sphinx_build("-q", "-E", folder, tmp_path / "without", folder / "index.rst")
    assert (tmp_path / "without" / "index.html").read_text("utf-8") == pages["index.html"]
    assert "title=" not in body_of(pages["index.html"]).replace('title="Link', "")
    assert "[@doi:10.1000/182]" in plain(pages["index.html"])


def test_a_page_may_have_nothing_but_a_key(tmp_path):
    conf = "doi_cite = True\ndoi_cite_bib = ['refs.bib']"
    folder = small(tmp_path, conf, index="So :doi:cite:`Team1`.", listed=PROJECT)
    (folder / "refs.bib").write_text("@misc{Team1, author={Team}, title={A tool}, year=2020}")
    pages, _ = html_of(folder, tmp_path / "out")
    assert 'href="listed.html#doi-team1-' in pages["index.html"]
    assert '<li id="doi-team1-' in pages["listed.html"]


def test_translations_have_citations(tmp_path):
    po = """
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8"

msgid "As [@doi:10.1000/182] says."
msgstr "Wie [@doi:10.1000/183, S. 3] sagt."
"""
    conf = 'doi_cite = True\nlanguage = "de"\nlocale_dirs = ["locale"]\n'
    folder = small(tmp_path, conf, index="As [@doi:10.1000/182] says.")
    (folder / "locale/de/LC_MESSAGES").mkdir(parents=True)
    (folder / "locale/de/LC_MESSAGES/index.po").write_text(po)
    pages, _ = html_of(folder, tmp_path / "out")
    assert "Wie (Paskin, 2000, S. 3) sagt." in plain(pages["index.html"])
    succeeded(sphinx_build("-q", "-W", "-b", "gettext", folder, tmp_path / "pot"))
    assert 'msgid "As [@doi:10.1000/182] says."' in (tmp_path / "pot" / "index.pot").read_text()


def test_names_of_citations_are_checked(tmp_path):
    text = "As @doi:10.1000/182\nand [@doi:10.1000/183] say :doi:cite:`10.1000/a_b`."
    conf = 'doi_cite, doi_check, doi_check_offline = True, "warn", True'
    done = sphinx_build("-q", small(tmp_path, conf, index=text), tmp_path / "out")
    found = re.findall(r"index\.rst:(\d+): .*?doi:10\.1000/(\w+)", done.stderr)
    assert found == [("6", "182"), ("7", "183"), ("7", "a_b")]


def test_a_heading_of_latex_leads_to_the_work(tmp_path):
    text = "As @doi:10.1000/182\n------------------\n\n@doi:10.1000/182\n\n.. doi-list::\n"
    sphinx_build(
        "-q", "-b", "latex", small(tmp_path, "doi_cite = True", index=text), tmp_path / "out"
    )
    [tex] = [*(tmp_path / "out").glob("*.tex")]
    shown = tex.read_text(encoding="utf-8")
    [heading] = re.findall(r"\\chapter\{As.*", shown)
    assert "hyperref" not in heading
    if sphinx.version_info >= (9,):  # 7.4 drops links of chapters
        assert "https://doi.org/10.1000/182" in heading
    assert "\\hyperref" in shown.partition(heading)[2]

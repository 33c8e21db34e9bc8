"""A real project through every builder of Sphinx, and what each of them wrote."""

from __future__ import annotations

import ast
from io import StringIO
from pathlib import Path
from shutil import copy, copytree

import pytest

from doilinks import DOI

from ..tools.hosts import body, build
from ..tools.links import html_links, link_to
from ..tools.programs import succeeded
from ..tools.sphinx_projects import doi_links, sphinx_build, write

# Sphinx's own napoleon uses what Sphinx's own autodoc has deprecated.
pytestmark = pytest.mark.filterwarnings("default:The mapping interface for autodoc")

SICI = "10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-0"

CONF = """
import pathlib
import sys
sys.path.insert(0, str(pathlib.Path().absolute()))
project = "Names"
author = "A. Author"
extensions = [
    "doilinks.sphinx", "myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon",
    "sphinxcontrib.bibtex",
]
myst_enable_extensions = ["linkify"]
nb_execution_mode = "off"
bibtex_bibfiles = ["refs.bib"]
html_theme = "basic"
locale_dirs = ["locale"]
gettext_compact = False
"""

PAPERS = '''
"""Module doc, doi:10.1000/module."""


def fit(x):
    """Fit a line [1]_.

    Args:
        x: as in doi:10.1000/argument_.

    Returns:
        A line, see 10.1000/returned.

    References:
        .. [1] A. Author, "A paper," 2001. :doi:`10.1000/reference`
           and doi: 10.1000/second_line.
    """
'''
NAMES = Path(__file__).parent / "names"  # the pages of the project
PAGE_LINKS = [
    *map(link_to, ("10.1000/456#789", "10.18260/1-2--11357", "10.1000/it's", SICI, "10.1000/182")),
    link_to("10.1000/182", "the Handbook"), link_to("10.1000/456#789"), link_to(SICI, "early Wiley"),
    link_to("10.1000/under_score"), link_to("10.1000/badge", ""), link_to("10.1000/table"),
    link_to("10.1000/term"), link_to("10.1000/definition"), link_to("10.1000/footnote"),
    link_to("10.1000/citation"), link_to("10.1000/glossary"),
]  # fmt: skip


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    source = copytree(NAMES, tmp_path_factory.mktemp("project") / "source")
    return write(source, {"conf.py": CONF, "papers.py": PAPERS})


@pytest.fixture(scope="module")
def app(project):
    """The HTML of the project, built by two processes and without a warning."""
    said = StringIO()
    app = build(project, project.parent / "html", jobs=2, warning=said)
    assert said.getvalue() == ""
    return app


@pytest.fixture(scope="module")
def html(app):
    return Path(app.outdir)


def test_a_restructuredtext_page(html):
    assert doi_links(html / "page.html") == PAGE_LINKS
    page = body(html / "page.html")
    assert (
        '<a class="doi reference external" href="https://doi.org/10.1000/456%23789">'
        "doi:10.1000/456%23789</a>" in page
    )
    assert 'alt="doi:10.1000/alt"' in page
    assert "“quotes” – and" in page


def test_a_notebook_is_linked_but_not_what_its_code_printed(html):
    assert doi_links(html / "notebook.html") == [link_to("10.1000/cell#1")]
    assert "doi:10.1000/displayed" in body(html / "notebook.html")


def test_docstrings(html):
    assert [text for text, _ in doi_links(html / "code.html")] == [
        "doi:10.1000/module", "doi:10.1000/argument", "doi:10.1000/returned",
        "doi:10.1000/reference", "doi:10.1000/second_line",
    ]  # fmt: skip


def test_a_heading_keeps_its_anchor_and_its_title(html):
    page = (html / "heading.html").read_text(encoding="utf-8")
    assert '<section id="the-name-doi-10-1000-a-b">' in page
    assert "<title>The name doi:10.1000/a_b" in page
    index = body(html / "index.html")
    assert '<a class="reference internal" href="heading.html">The name doi:10.1000/a_b</a>' in index


# What other formats say of names is in tests/hosts/test_formats.py.
BUILDERS = {"dirhtml": "page/index.html", "singlehtml": "index.html", "latex": "names.tex"}


@pytest.fixture(scope="module")
def others(project):
    """The application of every other builder, from one set of pages read by one process."""
    out, said = project.parent / "others", StringIO()
    apps = {
        name: build(project, out / name, name, warning=said, doctreedir=out / "doctrees")
        for name in BUILDERS
    }
    assert said.getvalue() == ""
    return apps


@pytest.fixture(scope="module")
def built(others):
    return {name: Path(others[name].outdir) / file for name, file in BUILDERS.items()}


@pytest.mark.parametrize("processes", [1, 2])
def test_found_names_have_file_and_line_and_metadata_stay(app, others, processes):
    from doilinks.sphinx import dois_of

    env = (others["latex"] if processes == 1 else app).env
    assert (env.metadata["page"]["doi"], env.metadata["markdown"]["doi"]) == (
        "10.1000/metadata",
        "10.1000/front",
    )
    found = dois_of(env)
    assert set(found) == {"page", "heading", "markdown", "notebook", "code", "bibliography"}
    every = [each for page in found.values() for each in page]
    where = {each.doi.name: (Path(each.file).name, each.line) for each in every}
    # Other pages may describe the name as another work. Those of bibliographies are made anew.
    assert all(isinstance(each.around, str) for page in env.doi_found.values() for each in page)
    lines = (NAMES / "page.rst").read_text(encoding="utf-8").split("\n")
    for name in ("10.18260/1-2--11357", "10.1000/table", "10.1000/citation", "10.1000/glossary"):
        expected = next(at for at, text in enumerate(lines, 1) if name in text)
        assert where[name] == ("page.rst", expected)
    assert where["10.1000/role"] == ("markdown.md", 9)
    assert where["10.1000/cell#1"] == ("notebook.ipynb", 10004)  # as MyST-NB counts
    source, line = where["10.1000/second_line"]
    assert (source, line is not None) == ("papers.py:docstring of papers.fit", True)


def test_an_option_that_changes_pages_reads_all_of_them_again_and_one_of_the_check_none(tmp_path):
    from doilinks.sphinx import dois_of

    pages = {
        "conf.py": "extensions = ['doilinks.sphinx']\nhtml_theme = 'basic'\n",
        "index.rst": "I\n=\n\ndoi:10.1000/a\n",
    }
    source, out = write(tmp_path / "source", pages), tmp_path / "out"
    build(source, out)
    app = build(source, out, overrides={"doi_check_timeout": "5"})
    assert not app.builder.env.get_outdated_files(config_changed=False)[1]
    assert set(dois_of(app.env)) == {"index"}
    build(source, out, overrides={"doi_display": "name"})
    assert doi_links(out / "index.html") == [("10.1000/a", "https://doi.org/10.1000/a")]


def test_other_builders_of_html(built):
    assert doi_links(built["dirhtml"]) == PAGE_LINKS
    links = doi_links(built["singlehtml"])
    assert [link for link in links if link in PAGE_LINKS][: len(PAGE_LINKS)] == PAGE_LINKS


def test_latex(built):
    tex = built["latex"].read_text(encoding="utf-8")
    assert r"{https://doi.org/10.1000/456\%23789}{doi:10.1000/\allowbreak{}456\%23789}" in tex
    # TeX makes no dash of two hyphens in boxes, and ends no line after one.
    assert r"{doi:10.18260/\allowbreak{}1\mbox{-}2\mbox{-}\mbox{-}11357}" in tex
    assert r"{doi:10.1000/\allowbreak{}under\_\allowbreak{}score}" in tex


def test_gettext_has_the_authors_text_and_translations_are_linked(project, tmp_path):
    succeeded(sphinx_build("-q", "-b", "gettext", project, tmp_path / "pot"))
    catalogue = (tmp_path / "pot" / "page.pot").read_text(encoding="utf-8")
    text = "".join(
        ast.literal_eval(line.removeprefix("msgid "))
        for line in catalogue.splitlines()
        if line.startswith(('"', 'msgid "'))
    )
    assert "Plain doi:10.1000/456#789, then bare 10.18260/1-2--11357" in text
    assert "doi:10.1000/under_score_ next" in text

    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with (tmp_path / "pot" / "heading.pot").open("rb") as source:
        messages = read_po(source, "de")
    messages["The name doi:10.1000/a_b"].string = "Der Name doi:10.1000/a_b"
    messages["Text."].string = "Siehe doi:10.1000/unter_strich_ und :doi:`10.1000/456#789`."
    index = "Names\n=====\n\n.. toctree::\n\n   heading\n"
    folder = write(tmp_path / "german", {"conf.py": CONF, "index.rst": index, "refs.bib": ""})
    copy(NAMES / "heading.rst", folder)
    where = folder / "locale" / "de" / "LC_MESSAGES"
    where.mkdir(parents=True)
    with (where / "heading.mo").open("wb") as target:
        write_mo(target, messages)
    build(folder, tmp_path / "de", overrides={"language": "de"})
    assert doi_links(tmp_path / "de" / "heading.html") == [
        *map(link_to, ("10.1000/a_b", "10.1000/unter_strich", "10.1000/456#789"))
    ]


FIELDS = {
    "braces": r"10.1007/978-3-319-10590-1{\_}53",
    "backslash": r"10.1007/back\_slash",
    "entities": "10.1002/x78:6&lt;1284::A&gt;3",
    "percent": r"https://doi.org/10.1175/1520\%282001\%29040",
    "number": r"10.1000/456\#789",
    "stop": "10.1000/182.",
}


def test_a_bibliography_names_what_its_fields_name(tmp_path):
    """And nothing that the author of the page has kept from being a link."""
    from doilinks.sphinx import dois_of

    cited = " ".join(f":footcite:`{key}`" for key in FIELDS)
    pages = {
        "conf.py": (
            "extensions = ['doilinks.sphinx', 'sphinxcontrib.bibtex']\n"
            "bibtex_bibfiles = ['refs.bib']\nhtml_theme = 'basic'\nroot_doc = 'notes'\n"
        ),
        "notes.rst": f"Notes\n=====\n\n\\10.1000/escaped {cited}\n\n.. footbibliography::\n",
        "list.rst": "List\n====\n\n\\10.1000/escaped\n\n.. bibliography::\n   :all:\n",
        "refs.bib": "".join(f"@misc{{{key}, author={{A}}, title={{T}}, doi={{{doi}}}}}\n" for key, doi in FIELDS.items()),
    }  # fmt: skip
    app = build(write(tmp_path / "source", pages), tmp_path / "out")
    names = {
        "10.1007/978-3-319-10590-1_53", "10.1007/back_slash", "10.1002/x78:6<1284::A>3",
        "10.1175/1520(2001)040", "10.1000/456#789", "10.1000/182",
    }  # fmt: skip
    for page in ("notes", "list"):
        links = doi_links(tmp_path / "out" / f"{page}.html")
        assert {DOI.parse(href).name for _, href in links} == names
        assert {DOI.parse(text).name for text, _ in links} == names
        assert {each.doi.name for each in dois_of(app.env)[page]} == names


def test_myst_keeps_names_in_anchors_and_descriptions(tmp_path):
    pages = {
        "conf.py": (
            "extensions = ['doilinks.sphinx', 'myst_parser']\nhtml_theme = 'basic'\n"
            "myst_enable_extensions = ['linkify', 'replacements', 'smartquotes']\n"
            "myst_heading_anchors = 2\nsuppress_warnings = ['image']\n"
            "myst_url_schemes = {'https': None, 'doi': 'https://doi.org/{{path}}'}\n"
        ),
        "index.md": (
            "# Names\n\n## After 10.1000/a..b\n\n![In 10.1000/a..b](x.png)\n\n"
            "[here](#after-101000ab)\n[10.1000/a--b](https://doi.org/10.1000/a--b) [a--b](doi:10.1000/c?d)\n"
        ),
    }
    build(write(tmp_path / "source", pages), tmp_path / "out")
    index = body(tmp_path / "out" / "index.html")
    assert 'alt="In 10.1000/a..b"' in index
    assert '<h2>After <a class="doi ' in index
    assert 'href="#after-10-1000-a-b">here' in index
    assert doi_links(tmp_path / "out" / "index.html") == [
        ("doi:10.1000/a..b", "https://doi.org/10.1000/a..b"),
        ("doi:10.1000/a--b", "https://doi.org/10.1000/a--b"),
        ("a–b", "https://doi.org/10.1000/c%3Fd"),
    ]


@pytest.mark.parametrize("linkify", [False, True])
def test_a_parsed_literal_of_myst_has_the_links_of_myst(linkify, tmp_path):
    pages = {
        "conf.py": (
            "extensions = ['doilinks.sphinx', 'myst_parser']\nhtml_theme = 'basic'\n"
            f"myst_enable_extensions = {['linkify'] * linkify!r}\n"
        ),
        "index.md": "# Names\n\n```{parsed-literal}\nhttps://doi.org/10.1000/182 10.1000/181 *b*\n```\n",
    }
    build(write(tmp_path / "source", pages), tmp_path / "out")
    url = "https://doi.org/10.1000/182"
    found = html_links(body(tmp_path / "out" / "index.html"))
    assert [link for link in found if "doi.org" in link[1]] == [(url, url)] * linkify

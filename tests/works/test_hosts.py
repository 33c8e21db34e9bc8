"""The same wrong reference in every host and file type: one message, at its place."""

import json
import re
import sys

import pytest

from tests.mkdocs.test_check import build as mkdocs_build
from tests.mkdocs.test_check import said, site
from tests.pandoc.test_check import run, the_reader_trusts_the_api
from tests.sphinx.test_check import project
from tests.tools.command import doilinks
from tests.tools.hosts import FILTER
from tests.tools.modules import quick

__all__ = ["project", "run", "site", "the_reader_trusts_the_api"]

RIGHT, WRONG, MENTIONED = "10.1000/182", "10.1000/183", "10.1000/184"
HANDBOOK = {
    "title": "DOI Handbook of Names",
    "author": [{"family": "Paskin", "given": "Norman"}],
    "issued": {"date-parts": [[2000]]},
}
GOOD_TEXT = "Paskin, N. (2000). DOI handbook of names."
BAD_TEXT = "Wiles, A. (1995). Modular elliptic curves and the theorem of Fermat."
WORDS = f'another work: doi:{WRONG} is registered for "DOI Handbook of Names" (Paskin, 2000)'


def in_short(message):
    """Without what the text says: each type of file has its own block of text."""
    return re.sub("; the text says .* or the text(?= |$)", "", message)


@pytest.fixture(autouse=True)
def works(handle_api):
    for name in (RIGHT, WRONG, MENTIONED):
        handle_api.set(name, {"url": "https://example.org/", "work": HANDBOOK})


def cell(kind, text):
    more = {"outputs": [], "execution_count": None} if kind == "code" else {}
    return {"cell_type": kind, "id": "a", "metadata": {}, "source": [text], **more}


def notebook(text):
    cells = [cell("markdown", text)]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})


def entry(key, author, title, year, name):
    return f"@article{{{key},\n  author = {{{author}}},\n  title = {{{title}}},\n  journal = {{Annals}},\n  year = {{{year}}},\n  doi = {{{name}}}\n}}\n"


BIB = entry("a", "Paskin, Norman", "{DOI} handbook of names", 2000, RIGHT) + entry(
    "b", "Wiles, Andrew", "Modular elliptic curves and the theorem of Fermat", 1995, WRONG
)
LIST = f"* {GOOD_TEXT} https://doi.org/{RIGHT}\n* {BAD_TEXT} https://doi.org/{WRONG}\n\nSee also doi:{MENTIONED} for more.\n"
CFF = f"""cff-version: 1.2.0
message: Cite it.
title: A program
authors:
  - family-names: Miller
references:
  - type: book
    title: DOI handbook of names
    authors:
      - family-names: Paskin
    year: 2000
    doi: {RIGHT}
  - type: article
    title: Modular elliptic curves and the theorem of Fermat
    authors:
      - family-names: Wiles
    year: 1995
    doi: {WRONG}
"""
DOCSTRING = f'''"""A module."""


def function():
    """Do it.

    .. [1] {GOOD_TEXT}
       https://doi.org/{RIGHT}
    .. [2] {BAD_TEXT}
       https://doi.org/{WRONG}
    """
'''
TABLE = f"""\
=============  =====================  ====================================
Author         Title                  Name
=============  =====================  ====================================
Norman Paskin  DOI handbook of names  doi:{RIGHT}
Andrew Wiles   Modular elliptic form  doi:{WRONG}
=============  =====================  ====================================
"""
PIPES = f"""\
| Author | Title | Name |
|---|---|---|
| Norman Paskin | DOI handbook of names | doi:{RIGHT} |
| Andrew Wiles | Modular elliptic form | doi:{WRONG} |
"""
ROWS = "".join(
    f"<tr><td>{who}</td>\n<td>{what}</td><td><a href='https://doi.org/{name}'>link</a></td></tr>"
    for who, what, name in (
        ("Norman Paskin", "DOI handbook of names", RIGHT),
        ("Andrew Wiles", "Modular elliptic form", WRONG),
    )
)
# Neither a term nor its definition says enough by itself.
REST_TERMS = f"""\
Paskin, N. (2000)
    DOI handbook of names.

    See doi:{RIGHT}
Wiles, A. (1995)
    Modular elliptic curves and the theorem of Fermat. doi:{WRONG}
"""
TERMS = f"""\
Paskin, N. (2000)
:   DOI handbook of names. doi:{RIGHT}

Wiles, A. (1995)
:   Modular elliptic curves and the theorem of Fermat. doi:{WRONG}
"""
HTML_TERMS = f"""\
<dl><dt>Paskin, N. (2000)</dt><dd><p>DOI handbook of names.</p><p>doi:{RIGHT}</p></dd>
<dt>Wiles, A. (1995) <a href="https://doi.org/{WRONG}">link</a>
<dd>Modular elliptic curves and the theorem of Fermat.</dl>
"""
FILES = {
    "a.md": LIST,
    "b.md": f"One[^1] and two[^2].\n\n[^1]: {GOOD_TEXT} doi:{RIGHT}\n[^2]: {BAD_TEXT} doi:{WRONG}\n",
    "c.md": f"| Reference | Name |\n|---|---|\n| {GOOD_TEXT} | doi:{RIGHT} |\n| {BAD_TEXT} | doi:{WRONG} |\n",
    "d.md": PIPES,
    "c.rst": TABLE,
    "e.md": TERMS,
    "d.rst": REST_TERMS,
    "c.html": HTML_TERMS,
    "c.ipynb": notebook(TERMS),
    "b.py": f'"""A module.\n\n{REST_TERMS}"""\n',
    "b.html": f"<table>{ROWS}</table>",
    "b.ipynb": notebook(PIPES),
    "a.rst": LIST,
    "b.rst": f".. [a] {GOOD_TEXT} doi:{RIGHT}\n.. [b] {BAD_TEXT} doi:{WRONG}\n",
    "a.py": DOCSTRING,
    "a.bib": BIB,
    "a.html": f"<ul><li>{GOOD_TEXT} <a href='https://doi.org/{RIGHT}'>link</a></li>\n<li>{BAD_TEXT} <a href='https://doi.org/{WRONG}'>link</a></li></ul>",
    "a.ipynb": notebook(LIST),
    "a.cff": CFF,
    "a.txt": f"{GOOD_TEXT} doi:{RIGHT}\n\n{BAD_TEXT} doi:{WRONG}\n",
}


@pytest.mark.parametrize("name", FILES)
def test_command_line(name, handle_api, tmp_path):
    (tmp_path / name).write_text(FILES[name])
    api = ("--check-api", handle_api.api, "--check-works-api", handle_api.works_api)
    code, out, err = doilinks("check", "--works", *api, name, cwd=tmp_path)
    *lines, summary = out.splitlines()
    assert ". Works: 1 other, " in summary
    assert [in_short(line.partition(" ")[2]) for line in lines] == [f"{WORDS} [doi-other-work]"], (
        err
    )
    place = lines[0].partition(": ")[0].split(":")
    assert place[0] == name
    assert code == 0
    code, _, _ = doilinks("check", "--check-works", "error", *api, name, cwd=tmp_path)
    assert code == 1


SPHINX = {
    "page": ({"a.rst": f"A\n=\n\n{LIST}"}, ("doilinks.sphinx",), ""),
    "table": ({"a.rst": f"A\n=\n\n{TABLE}"}, ("doilinks.sphinx",), ""),
    "table in MyST": ({"a.md": f"# A\n\n{PIPES}"}, ("doilinks.sphinx", "myst_parser"), ""),
    "definitions": ({"a.rst": f"A\n=\n\n{REST_TERMS}"}, ("doilinks.sphinx",), ""),
    "definitions in MyST": (
        {"a.md": f"# A\n\n{TERMS}"},
        ("doilinks.sphinx", "myst_parser"),
        "myst_enable_extensions = ['deflist']\n",
    ),
    "footnotes": (
        {
            "a.rst": f"A\n=\n\n[1]_ [2]_\n\n.. [1] {GOOD_TEXT} doi:{RIGHT}\n.. [2] {BAD_TEXT} doi:{WRONG}\n"
        },
        ("doilinks.sphinx",),
        "",
    ),
    "docstring": (
        {"amodule.py": DOCSTRING, "a.rst": "A\n=\n\n.. automodule:: amodule\n   :members:\n"},
        ("doilinks.sphinx", "sphinx.ext.autodoc"),
        "import sys, pathlib\nsys.path.insert(0, str(pathlib.Path(__file__).parent))\n",
    ),
    "notebook": (
        {"a.ipynb": notebook(f"# A\n\n{LIST}")},
        ("doilinks.sphinx", "myst_nb"),
        "nb_execution_mode = 'off'\n",
    ),
    "bibliography": (
        {"a.rst": "A\n=\n\n:cite:`a` :cite:`b`\n\n.. bibliography::\n", "refs.bib": BIB},
        ("doilinks.sphinx", "sphinxcontrib.bibtex"),
        "bibtex_bibfiles = ['refs.bib']\n",
    ),
}


@pytest.mark.parametrize("kind", SPHINX)
def test_sphinx(kind, project, handle_api, monkeypatch):
    pages, extensions, conf = SPHINX[kind]
    options = {"check_works": "warn", "check_works_api": handle_api.works_api}
    for check_works, status in (("warn", 0), ("error", 1)):
        options["check_works"] = check_works
        code, warnings, told = project(pages, extensions=extensions, conf=conf, **options)
        ours = [line for line in warnings if "[doi." in line]
        assert [in_short(line.partition("WARNING: ")[2]) for line in ours] == [
            f"{WORDS} [doi.other_work]"
        ]
        assert code == status
        last = told.splitlines()[-1]
        assert (": 1 other." in last) == (check_works == "error"), last
    monkeypatch.delitem(sys.modules, "amodule", raising=False)


@pytest.mark.parametrize(
    ("text", "line"), [(LIST, 4), (PIPES, 6), (TERMS, 7)], ids=["list", "table", "definitions"],
)  # fmt: skip
def test_mkdocs(text, line, site, handle_api):
    options = {"check_works": "warn", "check_works_api": handle_api.works_api}
    project = site({"index.md": "# A\n", "a.md": f"# A\n\n{text}"}, **options)
    if text is TERMS:
        config = project / "mkdocs.yml"
        config.write_text(f"markdown_extensions: [def_list]\n{config.read_text()}")
    code, output = mkdocs_build(project)
    assert code == 0
    assert ("WARNING", f"docs/a.md:{line}: {WORDS} [doi-other-work]") in [
        (level, in_short(message)) for level, message in said(output)
    ]
    assert mkdocs_build(project, "--strict")[0] == 1
    config = project / "mkdocs.yml"
    config.write_text(config.read_text().replace("check_works: warn", "check_works: error"))
    code, output = mkdocs_build(project)
    assert code == 1
    *_, last, _aborted = filter(None, output.splitlines())
    assert ". Works: 1 other" in last, output


REFERENCES = [
    {
        "id": key,
        "type": "book",
        "title": title,
        "author": [{"family": family, "given": "N"}],
        "issued": {"date-parts": [[year]]},
        "DOI": name,
    }
    for key, title, family, year, name in (
        ("a", "DOI handbook of names", "Paskin", 2000, RIGHT),
        ("b", "Modular elliptic curves and the theorem of Fermat", "Wiles", 1995, WRONG),
    )
]


@pytest.mark.parametrize(
    ("files", "arguments", "reader"),
    [
        ({"a.md": LIST}, (), "markdown"),
        ({"a.md": FILES["b.md"]}, (), "markdown"),
        ({"a.md": PIPES}, (), "markdown"),
        ({"a.md": TERMS}, (), "markdown"),
        (
            {"a.md": "See [@a; @b].\n", "refs.json": json.dumps(REFERENCES)},
            ("--citeproc", "--bibliography=refs.json"),
            "markdown",
        ),
    ],
    ids=["list", "footnote", "table", "definitions", "citeproc"],
)
def test_pandoc(files, arguments, reader, run, handle_api, monkeypatch, tmp_path):
    monkeypatch.setenv("DOILINKS_CHECK_WORKS_API", handle_api.works_api)
    documents = {name: text for name, text in files.items() if name.endswith(".md")}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    # The filter of doilinks has to come after citeproc.
    options = ("--filter", quick(FILTER)) if arguments else ()
    code, lines, made = run(documents, *arguments, *options, reader=reader, check_works="warn")
    ours = [line for line in lines if "another work" in line]
    assert [in_short(line.partition("another")[2]) for line in ours] == [
        f"{WORDS.partition('another')[2]} [doi-other-work]"
    ]
    assert made is not None
    assert code == 0
    assert any(". Works: 1 other, 1 " in line for line in lines), lines


# --------------------------------------------------------------------------------------------------
# Another version, and only another year: remarks, the same in every host.

RELEASE, RULES = "10.1000/186", "10.1000/187"
OLDER = f"""\
* Paskin, N., & Berg, A. (2021). parser: version 1.4.2. https://doi.org/{RELEASE}
* The score of Paskin & Berg (2012), https://doi.org/{RULES}, is used.
"""
REMARKS = [
    (
        f'another version: doi:{RELEASE} is registered for "parser: v2.1.0"'
        " (Paskin and Berg, 2021), version 2.1.0; the text says version 1.4.2 [doi-other-version]"
    ),
    (
        f'another year: doi:{RULES} is registered for "Strictly proper rules of names"'
        " (Paskin and Berg, 2007); the text says 2012 [doi-other-year]"
    ),
]


def remarks_in(text):
    """The two remarks, as a host says them."""
    told = "\n".join(text) if isinstance(text, list) else text
    return [words for words in REMARKS if words in told]


@pytest.fixture
def versions(handle_api):
    people = [{"family": "Paskin", "given": "Norman"}, {"family": "Berg", "given": "Ann"}]
    software = {"title": "parser: v2.1.0", "version": "2.1.0", "type": "software"}
    article = {"title": "Strictly proper rules of names", "type": "journal-article"}
    for name, year, work in ((RELEASE, 2021, software), (RULES, 2007, article)):
        record = work | {"author": people, "issued": {"date-parts": [[year]]}}
        handle_api.set(name, {"url": "https://example.org/", "work": record})
    return {"check_works": "error", "check_works_api": handle_api.works_api}


@pytest.mark.parametrize("name", ["a.md", "a.rst", "a.html", "a.ipynb", "a.txt"])
def test_the_command_line_says_version_and_year(name, versions, handle_api, tmp_path):
    items = "".join(f"<li>{line[2:]}</li>\n" for line in OLDER.splitlines())
    texts = {"a.html": f"<ul>{items}</ul>", "a.ipynb": notebook(OLDER)}
    texts["a.txt"] = OLDER.replace("\n*", "\n\n*")
    (tmp_path / name).write_text(texts.get(name, OLDER))
    api = ("--check-api", handle_api.api, "--check-works-api", handle_api.works_api)
    code, out, err = doilinks("check", "--check-works", "error", *api, name, cwd=tmp_path)
    assert (code, remarks_in(out)) == (0, REMARKS), out + err
    assert "1 of another version, 1 of another year" in out
    accepted = 'check_accept = ["10.1000/*"]\n'
    (tmp_path / "pyproject.toml").write_text(f"[tool.doilinks]\n{accepted}")
    code, out, _ = doilinks("check", "--check-works", "error", *api, name, cwd=tmp_path)
    assert (code, "another" in out) == (0, False), out


def test_sphinx_says_version_and_year(project, versions):
    code, warnings, told = project({"a.rst": f"A\n=\n\n{OLDER}"}, **versions)
    assert (code, warnings, remarks_in(told)) == (0, [], REMARKS)


def test_mkdocs_says_version_and_year(site, versions):
    code, output = mkdocs_build(site({"index.md": f"# A\n\n{OLDER}"}, **versions), "--strict")
    assert (code, remarks_in(output)) == (0, REMARKS), output


def test_pandoc_says_version_and_year(run, versions, monkeypatch):
    monkeypatch.setenv("DOILINKS_CHECK_WORKS_API", versions["check_works_api"])
    code, lines, _ = run({"a.md": OLDER}, check_works="error")
    assert (code, remarks_in(lines)) == (0, REMARKS), lines


# --------------------------------------------------------------------------------------------------
# Which DOI was meant: the same name in every host.

MEANT = "10.1000/185"
OFFER = f"did you mean doi:{MEANT}?"
FERMAT = {
    "title": "Modular elliptic curves and the theorem of Fermat",
    "author": [{"family": "Wiles", "given": "Andrew"}],
    "issued": {"date-parts": [[1995]]},
}


@pytest.fixture
def offered(handle_api):
    handle_api.set(MEANT, {"url": "https://example.org/", "work": FERMAT})
    return {"check_works": "warn", "check_works_api": handle_api.works_api, "check_suggest": True}  # fmt: skip


# These have the title in short.
@pytest.mark.parametrize("name", sorted(FILES.keys() - {"d.md", "c.rst", "b.html", "b.ipynb"}))
def test_the_command_line_suggests(name, offered, handle_api, tmp_path):
    (tmp_path / name).write_text(FILES[name])
    api = ("--check-api", handle_api.api, "--check-works-api", handle_api.works_api)
    _, out, _ = doilinks("check", "--works", "--suggest", *api, name, cwd=tmp_path)
    assert out.count(OFFER) == 1
    doilinks("fix", "--from-check", "--select", "doi-work", *api, name, cwd=tmp_path)
    assert (tmp_path / name).read_text() == FILES[name].replace(WRONG, MEANT)


@pytest.mark.parametrize("kind", ["page", "docstring", "notebook"])
def test_sphinx_suggests(kind, project, offered, monkeypatch):
    pages, extensions, conf = SPHINX[kind]
    _, warnings, _ = project(pages, extensions=extensions, conf=conf, **offered)
    assert [OFFER in line for line in warnings if "[doi." in line] == [True]
    monkeypatch.delitem(sys.modules, "amodule", raising=False)


def test_mkdocs_suggests(site, offered):
    _, output = mkdocs_build(site({"index.md": f"# A\n\n{LIST}"}, **offered))
    assert output.count(OFFER) == 1


def test_pandoc_suggests(run, offered, monkeypatch):
    monkeypatch.setenv("DOILINKS_CHECK_WORKS_API", offered["check_works_api"])
    _, lines, _ = run({"a.md": LIST}, check_works="warn", check_suggest="true")
    assert sum(OFFER in line for line in lines) == 1

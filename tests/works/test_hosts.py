"""The same wrong reference in every host and file type: one message, at its place, with the name that was meant."""

import json
import re
import sys
from pathlib import Path

import pytest

from tests.mkdocs.test_check import build as mkdocs_build
from tests.mkdocs.test_check import said, site
from tests.pandoc.test_check import run, the_reader_trusts_the_api
from tests.sphinx.test_check import project
from tests.tools.command import doilinks
from tests.tools.hosts import FILTER
from tests.tools.modules import quick
from tests.tools.places import cases
from tests.tools.tables import tables

TABLES = tables(__file__)

__all__ = ["project", "run", "site", "the_reader_trusts_the_api"]

RIGHT, WRONG, MENTIONED = "10.1000/182", "10.1000/183", "10.1000/184"
HANDBOOK = TABLES["handbook"]
WORDS = f'another work: doi:{WRONG} is registered for "DOI Handbook of Names" (Paskin, 2000)'


def in_short(message):
    """Without what the text says: each type of file has its own block of text."""
    return re.sub(r"; the text says .*(?: or the text|\))(?=; did| \[|$)", "", message)


MEANT, RELEASE, RULES = "10.1000/185", "10.1000/186", "10.1000/187"
PART, RINGS = "10.1000/188", "10.1000/189"
OFFER = f"; did you mean doi:{MEANT}?"
OLDER = f"""\
* Paskin, N., & Berg, A. (2021). parser: version 1.4.2. https://doi.org/{RELEASE}
* The score of Paskin & Berg (2012), https://doi.org/{RULES}, is used.
* Paskin, N., & Berg, A. (1994). Mixing of names in channels, part 2. https://doi.org/{PART}
* Paskin, N.; Berg, A. J. Names 2002, 124, 5134-5135. https://doi.org/{RINGS}
"""
REMARKS = TABLES["remarks"]


def remarks_in(text):
    """The remarks, as a host says them."""
    told = "\n".join(text) if isinstance(text, list) else text
    return [words for words in REMARKS if words in told]


@pytest.fixture(autouse=True)
def works(handle_api):
    """What each host is told of the check of works."""
    records = {**dict.fromkeys((RIGHT, WRONG, MENTIONED), HANDBOOK), MEANT: TABLES["fermat"]}
    records |= {RELEASE: TABLES["release"], RULES: TABLES["rules"]}
    records |= {PART: TABLES["part"], RINGS: TABLES["rings"]}
    for name, work in records.items():
        handle_api.set(name, {"url": "https://example.org/", "work": work})
    given = {"check_works": "warn", "check_works_api": handle_api.works_api}
    return given | {"check_suggest": True}


def cell(kind, text):
    more = {"outputs": [], "execution_count": None} if kind == "code" else {}
    return {"cell_type": kind, "id": "a", "metadata": {}, "source": [text], **more}


def notebook(text):
    cells = [cell("markdown", text)]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})


# Each names one work rightly and one wrongly. Of those in short, no other name is offered.
CASES = cases(Path(__file__).with_name("references"))
FILES = {case.id: case.values[1] for case in CASES}
SHORT = {case.id for case in CASES if case.values[2] == "in short\n"}
LIST, PIPES, TERMS, TABLE = (FILES[name] for name in ("a.md", "d.md", "e.md", "c.rst"))
DOCSTRING, BIB = FILES["a.py"], FILES["a.bib"]
FILES["a.ipynb"] = notebook(LIST)


def test_command_line(handle_api, tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    api = ("--check-api", handle_api.api, "--check-works-api", handle_api.works_api)
    code, out, err = doilinks("check", "--works", "--suggest", *api, ".", cwd=tmp_path)
    *lines, summary = out.splitlines()
    told = {line.partition(":")[0]: in_short(line.partition(" ")[2]) for line in lines}
    offers = {name: "" if name in SHORT else OFFER for name in FILES}
    assert told == {name: f"{WORDS}{offers[name]} [doi-other-work]" for name in FILES}, err
    assert (code, len(lines), ". Works: 1 other, " in summary) == (0, len(FILES), True)
    assert doilinks("check", "--check-works", "error", *api, ".", cwd=tmp_path)[0] == 1
    doilinks("fix", "--from-check", "--select", "doi-work", *api, ".", cwd=tmp_path)
    for name, text in FILES.items():
        mended = text if name in SHORT else text.replace(WRONG, MEANT)
        assert (tmp_path / name).read_text() == mended, name


@pytest.mark.parametrize("name", ["a.md", "a.html", "a.txt"])
def test_the_command_line_says_in_what_alone_a_text_differs(name, handle_api, tmp_path):
    items = "".join(f"<li>{line[2:]}</li>\n" for line in OLDER.splitlines())
    texts = {"a.html": f"<ul>{items}</ul>", "a.txt": OLDER.replace("\n*", "\n\n*")}
    (tmp_path / name).write_text(texts.get(name, OLDER))
    api = ("--check-api", handle_api.api, "--check-works-api", handle_api.works_api)
    code, out, err = doilinks("check", "--check-works", "error", *api, name, cwd=tmp_path)
    assert (code, remarks_in(out)) == (0, REMARKS), out + err
    count = "1 of another page, 1 of another title, 1 of another version, 1 of another year"
    assert count in out
    (tmp_path / "pyproject.toml").write_text('[tool.doilinks]\ncheck_accept = ["10.1000/*"]\n')
    code, out, _ = doilinks("check", "--check-works", "error", *api, name, cwd=tmp_path)
    assert (code, "another" in out) == (0, False), out


SPHINX = {
    "page": ({"a.rst": f"A\n=\n\n{LIST}\n{OLDER}"}, ("doilinks.sphinx",), ""),
    "table": ({"a.rst": f"A\n=\n\n{TABLE}"}, ("doilinks.sphinx",), ""),
    "definitions in MyST": (
        {"a.md": f"# A\n\n{TERMS}"},
        ("doilinks.sphinx", "myst_parser"),
        "myst_enable_extensions = ['deflist']\n",
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
def test_sphinx(kind, project, works, monkeypatch):
    pages, extensions, conf = SPHINX[kind]
    offer = "" if kind.startswith(("table", "bibliography")) else OFFER
    for check_works, status in (("warn", 0), ("error", 1))[: 1 + (kind == "page")]:
        options = works | {"check_works": check_works}
        code, warnings, told = project(pages, extensions=extensions, conf=conf, **options)
        ours = [in_short(line.partition("WARNING: ")[2]) for line in warnings if "[doi." in line]
        assert (ours, code) == ([f"{WORDS}{offer} [doi.other_work]"], status)
        assert (": 1 other" in told.splitlines()[-1]) == (check_works == "error"), told
        assert remarks_in(told) == (REMARKS if kind == "page" else [])
    monkeypatch.delitem(sys.modules, "amodule", raising=False)


@pytest.mark.parametrize(
    ("text", "line"),
    [(f"{LIST}\n{OLDER}", 4), (PIPES, 6), (TERMS, 7)],
    ids=["list", "table", "definitions"],
)
def test_mkdocs(text, line, site, works):
    project = site({"index.md": "# A\n", "a.md": f"# A\n\n{text}"}, **works)
    config = project / "mkdocs.yml"
    if text is TERMS:
        config.write_text(f"markdown_extensions: [def_list]\n{config.read_text()}")
    code, output = mkdocs_build(project)
    told = [(level, in_short(message)) for level, message in said(output)]
    offer = "" if text is PIPES else OFFER
    assert ("WARNING", f"docs/a.md:{line}: {WORDS}{offer} [doi-other-work]") in told
    assert (code, remarks_in(output)) == (0, [] if text in (PIPES, TERMS) else REMARKS)
    if text is PIPES:
        assert mkdocs_build(project, "--strict")[0] == 1
        config.write_text(config.read_text().replace("check_works: warn", "check_works: error"))
        code, output = mkdocs_build(project)
        *_, last, _aborted = filter(None, output.splitlines())
        assert (code, ". Works: 1 other" in last) == (1, True), output


REFERENCES = TABLES["references"]


@pytest.mark.parametrize(
    ("files", "arguments"),
    [
        ({"a.md": f"{LIST}\n{OLDER}"}, ()),
        ({"a.md": FILES["b.md"]}, ()),
        ({"a.md": PIPES}, ()),
        ({"a.md": TERMS}, ()),
        (
            {"a.md": "See [@a; @b].\n", "refs.json": json.dumps(REFERENCES)},
            ("--citeproc", "--bibliography=refs.json"),
        ),
    ],
    ids=["list", "footnote", "table", "definitions", "citeproc"],
)
def test_pandoc(files, arguments, run, works, monkeypatch, tmp_path):
    monkeypatch.setenv("DOILINKS_CHECK_WORKS_API", works["check_works_api"])
    documents = {name: text for name, text in files.items() if name.endswith(".md")}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    # The filter of doilinks has to come after citeproc.
    options = ("--filter", quick(FILTER)) if arguments else ()
    given = {"check_works": "warn", "check_suggest": "true"}
    code, lines, made = run(documents, *arguments, *options, reader="markdown", **given)
    ours = [line for line in lines if "another work" in line]
    offer = "" if files["a.md"] is PIPES else OFFER
    words = f"{WORDS.partition('another')[2]}{offer} [doi-other-work]"
    assert [in_short(line.partition("another")[2]) for line in ours] == [words]
    assert (code, made is None) == (0, False)
    assert any(". Works: 1 other, 1 " in line for line in lines), lines
    assert remarks_in(lines) == (REMARKS if OLDER in files["a.md"] else [])

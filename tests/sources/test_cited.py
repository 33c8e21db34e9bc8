"""Names that are cited, in sources: listed where the option `cite` says so, and left as they are."""

import json

import pytest

from doilinks.core.options import Options
from doilinks.sources import read

from ..tools.command import doilinks

CITING = "As @doi:10.1000/182 says [see @doi:10.1000/183, p. 3; -@{doi:10.1000/184}].\n"
NOTEBOOK = json.dumps(
    {
        "cells": [{"cell_type": "markdown", "metadata": {}, "source": [CITING]}], "metadata": {},
        "nbformat": 4, "nbformat_minor": 5,
    }
)  # fmt: skip
SOURCES = {"md": CITING, "qmd": CITING, "rst": CITING, "txt": CITING, "ipynb": NOTEBOOK}


@pytest.mark.parametrize(("kind", "text"), SOURCES.items())
def test_cited_names_are_listed_where_they_stand(kind, text):
    kind = "md" if kind == "qmd" else kind
    assert list(read(text, kind, Options())) == []
    assert list(read(text, kind, Options(cite=True, ignore=["10.1000/"]))) == []
    found = list(read(text, kind, Options(cite=True)))
    assert [each.doi.suffix for each in found] == ["182", "183", "184"]
    assert [text[slice(*each.span)] for each in found] == [
        "doi:10.1000/182", "doi:10.1000/183", "doi:10.1000/184",
    ]  # fmt: skip


@pytest.mark.parametrize("kind", ["md", "rst"])
def test_a_short_doi_is_cited_as_other_names_are(kind):
    found = list(read("As @doi:10/abc1 says [see @{doi:10/wxyz}].\n", kind, Options(cite=True)))
    assert [each.doi.name for each in found] == ["10/abc1", "10/wxyz"]


OF_MYSTMD = """\
As @10.1000/1 and @{10.1000/2} say [see @https://doi.org/10.1000/3, p. 3; -@10.1000/4].
{cite}`doi:10.1000/5`, {cite:p}`{see}10.1000/6{p. 3}; smith2000,https://doi.org/10.1000/7`
"""


@pytest.mark.parametrize("kind", ["md", "ipynb"])
def test_what_mystmd_cites(kind):
    text = (
        OF_MYSTMD if kind == "md" else NOTEBOOK.replace(json.dumps(CITING), json.dumps(OF_MYSTMD))
    )
    found = list(read(text, kind, Options(cite=True)))
    assert [each.doi.suffix for each in found] == list("1234567")
    assert {each.form for each in found} == {"cite"}
    assert [text[slice(*each.span)][-1] for each in found] == list("1234567")
    # To other programs, these are no citations.
    assert list(read(OF_MYSTMD.partition("\n")[0], "rst", Options(cite=True))) == []


def test_what_cites_nothing():
    text = (
        "Code `@doi:10.1000/code`, me@doi:10.1000/mail, \\@doi:10.1000/escaped, `@10.1000/code`, "
        "me@10.1000/mail, https://example.org/@10.1000/page, @10.0.0.1/24, {cite}`smith2000`.\n"
    )
    assert list(read(text, "md", Options(cite=True))) == []


FRONT = """\
---
title: "On [@doi:10.1000/182] and doi:10.1000/1"
# @doi:10.1000/2
abstract: |
  As @{doi:10.1000/183} says, [see doi:10.1000/3, @doi:10.1000/184]; me@doi:10.1000/4
doi: 10.1000/5
---

@doi:10.1000/185
"""


def test_front_matter_cites():
    """Pandoc shows it. Names that are only linked are not read there."""
    found = list(read(FRONT, "md", Options(cite=True)))
    assert [each.doi.suffix for each in found] == ["182", "183", "184", "185"]
    assert {each.form for each in found} == {"cite"}
    assert [FRONT[slice(*each.span)][-3:] for each in found] == ["182", "183", "184", "185"]
    assert list(read(FRONT, "md", Options())) == []


def test_fix_leaves_citations_as_they_are(tmp_path):
    text = CITING.replace("@doi", "@DOI") + "\nSee http://dx.doi.org/10.1000/182.\n"
    (tmp_path / "a.md").write_text(text)
    (tmp_path / "pyproject.toml").write_text("[tool.doilinks]\ncite = true\n")
    code, _, err = doilinks("fix", "a.md", cwd=tmp_path)
    assert (code, err) == (0, "")
    assert (tmp_path / "a.md").read_text() == text.replace("http://dx.", "https://")


def test_the_prose_around_a_citation_is_compared_with_no_record(tmp_path):
    lock = {
        "version": 1,
        "found": {"doi:10.1000/182": {"checked": "2026-11-20"}},
        "works": {
            "doi:10.1000/182": {
                "fetched": "2026-11-20", "title": "Racism and Research", "year": 1978,
                "author": [["Brandt", "Allan M."]],
            }
        },
    }  # fmt: skip
    (tmp_path / "doi-lock.json").write_text(json.dumps(lock))
    prose = 'Starting in 1932, the Health Service ran "A study of the growth of frogs" by Miller'
    (tmp_path / "a.md").write_text(
        f"{prose} [@doi:10.1000/182].\n\n{prose} {{doi:cite}}`10.1000/182`.\n"
    )
    code, out, _ = doilinks("check", "--cite", "--works", "--offline", "a.md", cwd=tmp_path)
    assert (code, out) == (0, "1 DOI: 1 found (1 from doi-lock.json). Works: 1 says too little\n")
    (tmp_path / "a.md").write_text(f"{prose} doi:10.1000/182.\n")
    _, out, _ = doilinks("check", "--works", "--offline", "a.md", cwd=tmp_path)
    assert "doi-other-work" in out

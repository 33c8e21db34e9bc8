"""Identifiers of arXiv: the rows that find them, and what is linked."""

from __future__ import annotations

import pytest

from doilinks.core.arxiv import (
    AFTER,
    BEFORE,
    FORMS,
    IDENTIFIERS,
    paper_in_role,
    paper_of,
    papers_in,
)
from doilinks.core.link import link_match, relink
from doilinks.core.options import InvalidOption, Options
from doilinks.core.scan import may_contain_doi, scan

from ..tools.tables import tables

TABLES = tables(__file__)

ROWS = (*IDENTIFIERS, *FORMS, BEFORE, AFTER)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_example_of_a_row(row):
    text = row.example.replace("|", "", 1)
    assert [start for start, _, _ in papers_in(text)] == [row.example.index("|")]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_what_a_row_leaves_alone(row):
    assert row.unlike
    assert list(papers_in(row.unlike)) == []


@pytest.mark.parametrize("text", TABLES["what_names_no_paper"])
def test_what_names_no_paper(text):
    assert [match for match in scan(text, arxiv=True) if match.form == "arxiv"] == []


def test_a_name_that_is_written_as_a_doi_stays_one():
    text = "doi:10.48550/arXiv:2301.00001 10.1000/arXiv:2301.00001 arXiv:2301.00002"
    forms = [match.form for match in scan(text, arxiv=True)]
    assert forms == ["label", "bare", "arxiv"]


def test_nothing_is_found_unless_asked_for():
    text = "See arXiv:2301.00001."
    assert list(scan(text)) == []
    assert not may_contain_doi(text)
    assert may_contain_doi(text, arxiv=True)


def test_brackets_around_an_address_belong_to_it():
    assert [found[:2] for found in papers_in("<https://arxiv.org/abs/2301.00001>.")] == [(0, 34)]
    assert [found[:2] for found in papers_in("<arXiv:2301.00001")] == [(1, 17)]


@pytest.mark.parametrize(("text", "title", "cited"), TABLES["the_text_of_a_role"])
def test_the_text_of_a_role(text, title, cited):
    found, paper = paper_in_role(text)
    assert (found, paper.text) == (title, cited)


@pytest.mark.parametrize(
    "text", ["", "a title", "a title <2313.00001>", "2301.00001 and more", "<" * 1000]
)
def test_the_text_of_a_role_without_a_paper(text):
    assert paper_in_role(text) is None


@pytest.mark.parametrize(("urls", "text", "shown", "href"), TABLES["a_link_that_the_author_wrote"])
def test_a_link_that_the_author_wrote(urls, text, shown, href):
    link = relink("https://arxiv.org/abs/2301.00001v2", text, Options(arxiv=True, urls=urls))
    assert (link.text, link.href) == (shown, href)


def test_a_link_to_a_name_without_its_prefix():
    assert relink("https://doi.org/arXiv.2301.00001", "x", Options()).href is None
    link = relink("https://doi.org/arXiv.2301.00001", "x", Options(arxiv=True))
    assert link.href == "https://doi.org/10.48550/arXiv.2301.00001"


def test_a_page_of_arxiv_keeps_its_version():
    options = Options(arxiv="abs")
    links = [
        link_match(match, options, "arXiv:2301.00001v2")
        for match in scan("arXiv:2301.00001v2", "abs")
    ]
    assert [link.href for link in links] == ["https://arxiv.org/abs/2301.00001v2"]


def test_the_values_of_the_option():
    assert [Options(arxiv=value).arxiv for value in ("true", "off", "abs", True)] == [
        True, False, "abs", True,
    ]  # fmt: skip
    with pytest.raises(InvalidOption, match="takes true, false or 'abs', got 'pdf'"):
        Options(arxiv="pdf")


def test_an_address_with_anything_after_it_is_not_a_paper():
    assert paper_of("https://arxiv.org/abs/2301.00001#S1") is None

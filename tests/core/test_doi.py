"""The DOI name: syntax, forms, equivalence."""

import copy
import pickle

import pytest

from doilinks import DOI, InvalidDOI
from doilinks.core.doi import parse_parts

from ..tools.tables import tables

TABLES = tables(__file__)


@pytest.mark.parametrize(("name", "uri", "url", "urn"), TABLES["forms"])
def test_forms(name, uri, url, urn):
    """The examples of [URI §2], [HB] and [NISO E]."""
    doi = DOI(name)
    assert (doi.name, doi.uri, doi.url, doi.urn) == (name, uri, url, urn)


def test_parts():
    doi = DOI("10.1000.10/456/789")
    assert (doi.prefix, doi.suffix) == ("10.1000.10", "456/789")


@pytest.mark.parametrize("name", TABLES["names"])
def test_names(name):
    """[NISO C], and what the character set allows."""
    assert DOI(name).name == name


@pytest.mark.parametrize(("text", "reason"), TABLES["no_names"])
def test_no_names(text, reason):
    with pytest.raises(InvalidDOI) as caught:
        DOI(text)
    assert (caught.value.text, caught.value.reason) == (text, reason)
    assert isinstance(caught.value, ValueError)
    assert reason in str(caught.value)


def test_an_error_shows_no_more_than_a_line():
    with pytest.raises(InvalidDOI) as caught:
        DOI("x\n" * 1000)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("text", TABLES["parse"])
def test_parse(text):
    assert DOI.parse(text).name == "10.1000/456#789"


@pytest.mark.parametrize("text", TABLES["parse_refuses"])
def test_parse_refuses(text):
    with pytest.raises(InvalidDOI):
        DOI.parse(text)


def test_parse_short():
    assert DOI.parse("https://doi.org/cr3qwn") == DOI("10/cr3qwn")
    assert DOI.parse("doi:10/aabbe") == DOI("10/aabbe")


def test_query_and_fragment_are_the_urls_own():
    assert parse_parts("https://doi.org/10.1000/182?x=1#top") == (DOI("10.1000/182"), "?x=1#top")
    assert parse_parts("doi:10.1000/182?x=1#top") == (DOI("10.1000/182?x=1#top"), "")


def test_equal_when_ascii_case_is_folded():
    """[URI §3] note, [NISO §4]: only Basic Latin."""
    assert DOI("10.123/ABC") == DOI("10.123/AbC")
    assert len({DOI("10.123/ABC"), DOI("10.123/AbC")}) == 1
    assert DOI("10.123/ä") != DOI("10.123/Ä")
    assert DOI("10.123/ı") != DOI("10.123/i")
    assert DOI("10.123/K") != DOI("10.123/\u212a")
    assert DOI("10.123/A") != "10.123/A"


def test_composed_and_decomposed_are_two_names():
    """[URI §2] note 1."""
    assert DOI("10.123/\u00c1") != DOI("10.123/A\u0301")


def test_immutable_and_copied():
    doi = DOI("10.1000/182")
    for attribute in ("name", "prefix", "suffix", "url"):
        with pytest.raises(AttributeError):
            setattr(doi, attribute, "10.1000/183")
    assert copy.deepcopy(doi) == doi == pickle.loads(pickle.dumps(doi))
    assert (str(doi), repr(doi)) == ("10.1000/182", "DOI('10.1000/182')")


def test_parse_is_linear():
    """A nest of labels is peeled, not re-read; a quadratic reader would not finish."""
    with pytest.raises(InvalidDOI):
        DOI.parse("https://doi.org/" * 50_000)
    with pytest.raises(InvalidDOI):
        DOI.parse("doi:" * 250_000)


def test_a_short_doi_of_digits_may_begin_with_ten():
    assert DOI.parse("https://doi.org/10011").name == "10/10011"
    with pytest.raises(InvalidDOI):
        DOI.parse("https://doi.org/10")


def test_the_order_agrees_with_equality():
    names = [DOI(name) for name in ("10.1/A", "10.1/a", "10.1/Á", "10.1/á", "10.1/b", "10.1/B")]
    for one in names:
        for two in names:
            assert [one < two, one == two, one > two].count(True) == 1
            assert (one <= two) == (not one > two)
    with pytest.raises(TypeError, match="not supported between instances of 'DOI' and 'str'"):
        _ = names[0] < "10.1/b"

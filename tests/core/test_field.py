"""A DOI as fields of bibliographies contain it."""

import pytest

from doilinks import DOI, InvalidDOI
from doilinks.core.text import doi_in_field, plain_field


@pytest.mark.parametrize(
    ("written", "name"),
    [
        (r"10.1000/a\_b", "10.1000/a_b"),
        (r"10.1000/a\\_b\\\#c", "10.1000/a_b#c"),
        (r"10.1000/a{\_}b", "10.1000/a_b"),
        (r"10.1000/a\textunderscore{}b", "10.1000/a_b"),
        (r"10.1000/a\#b\&c\%d", "10.1000/a#b&c%d"),
        (r"10.1002/x(1996)7:1{$<$}1::A{$>$}2", "10.1002/x(1996)7:1<1::A>2"),
        (r"10.1002/x(1996)7:1$<$1::A$>$2", "10.1002/x(1996)7:1<1::A>2"),
        (r"10.1002/x{\textless}1::A{\textgreater}2", "10.1002/x<1::A>2"),
        (r"10.1002/x\textless 1::A\textgreater 2", "10.1002/x<1::A>2"),
        ("10.1002/x&lt;1::A&gt;2&amp;3", "10.1002/x<1::A>2&3"),
        (r"\url{10.1000/a~b}", "10.1000/a~b"),
        (r"10.1000/a\textasciitilde{}b", "10.1000/a~b"),
        ("10.1000/a--b", "10.1000/a--b"),
        ("10.1000/a&b;c&none;d", "10.1000/a&b;c&none;d"),
    ],
)
def test_latex_and_references_are_undone(written, name):
    assert plain_field(written) == name
    assert doi_in_field(written).name == name
    assert doi_in_field(f"https://doi.org/{written}").name == name


@pytest.mark.parametrize(
    ("written", "name"),
    [
        (r"10.1175/1520\%282001\%29040<0762:O>2", "10.1175/1520(2001)040<0762:O>2"),
        ("10.1002/8%3C693::AID-ASI4%3E3", "10.1002/8<693::AID-ASI4>3"),
        ("https://doi.org/10.1000/a#b?c", "10.1000/a#b?c"),
        ("https://doi.org/https://doi.org/10.1000/182", "10.1000/182"),
        ("doi: 10.1000/182.", "10.1000/182"),
    ],
)
def test_a_field_is_read_as_a_name_is_everywhere(written, name):
    assert doi_in_field(written) == DOI(name)


def test_a_field_without_a_doi():
    with pytest.raises(InvalidDOI):
        doi_in_field(r"{\_}")

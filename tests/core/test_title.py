"""Which texts of a link are the DOI itself, which are another one, and which are neither."""

import pytest

from doilinks import DOI
from doilinks.core.link import frame_of, other_doi

SICI = "10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-0"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("10.1000/182", "10.1000/182"),
        ("10.1000/ABC", "10.1000/abc"),
        (" DOI: 10.1000/182 ", "10.1000/182"),
        ("DOI 10.1000/182.", "10.1000/182"),
        ("(https://doi.org/10.1000/182).", "10.1000/182"),
        ("[10.1000/182]", "10.1000/182"),
        ("“10.1000/182”", "10.1000/182"),
        ("doi:10.1002/(SICI)1097-4571(199806)49:8%3C693::AID-ASI4%3E3.0.CO;2-0,", SICI),
        ("10.1000/a.", "10.1000/a."),
    ],
)
def test_a_text_that_is_the_name(text, name):
    assert frame_of(text, DOI(name)) is not None
    assert other_doi(text, DOI(name)) is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("10.1000/18…", "10.1000/182"),
        ("10.1000/1...2", "10.1000/1872"),
        ("(10.1002/(SICI)1097-4571...)", SICI),
        ("10.1000/a–b", "10.1000/a--b"),
        ("10.1000/it’s", "10.1000/it's"),
        ("10.1000/\u200bab\u00adcd", "10.1000/abcd"),
        ("10.1000/a b", "10.1000/a b"),
        ("(10.1000/a.)", "10.1000/a."),
        ("https://doi.org/10.1000/456#789", "10.1000/456#789"),
        ("doi:10/abc1", "10.1000/182"),
        ("10.1000/182", "10/abc1"),
        ("Correction to 10.1000/181", "10.1000/182"),
        ("10.1000/181 (erratum)", "10.1000/182"),
        ("10.1000/181, 10.1000/182", "10.1000/182"),
        ("10.1000/181, 10.1000/182", "10.1000/183"),
        ("https://example.org/doi/10.1000/181", "10.1000/182"),
        ("the Handbook", "10.1000/182"),
        ("", "10.1000/182"),
    ],
)
def test_a_text_that_does_not_name_another_work(text, name):
    assert other_doi(text, DOI(name)) is None


@pytest.mark.parametrize(
    ("text", "name", "other"),
    [
        ("10.1000/181", "10.1000/182", "10.1000/181"),
        ("DOI: 10.1000/181.", "10.1000/182", "10.1000/181"),
        ("DOI 10.1000/181", "10.1000/182", "10.1000/181"),
        ("(https://doi.org/10.1000/181)", "10.1000/182", "10.1000/181"),
        ("10.1000/18", "10.1000/182", "10.1000/18"),
        ("10.1000/1822", "10.1000/182", "10.1000/1822"),
        ("10.1001/182", "10.1000/182", "10.1001/182"),
        ("doi:10/abc1", "10/abc2", "10/abc1"),
    ],
)
def test_a_text_that_names_another_work(text, name, other):
    assert other_doi(text, DOI(name)) == DOI(other)
    assert frame_of(text, DOI(name)) is None

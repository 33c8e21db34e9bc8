"""Which texts of a link are the DOI itself, which are another one, and which are neither."""

import pytest

from doilinks import DOI
from doilinks.core.link import frame_of, other_doi

SICI = "10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-0"


@pytest.mark.parametrize(
    ("text", "name", "names"),
    [
        ("10.1000/182", "10.1000/182", "the name"),
        ("10.1000/ABC", "10.1000/abc", "the name"),
        (" DOI: 10.1000/182 ", "10.1000/182", "the name"),
        ("DOI 10.1000/182.", "10.1000/182", "the name"),
        ("(https://doi.org/10.1000/182).", "10.1000/182", "the name"),
        ("[10.1000/182]", "10.1000/182", "the name"),
        ("“10.1000/182”", "10.1000/182", "the name"),
        ("doi:10.1002/(SICI)1097-4571(199806)49:8%3C693::AID-ASI4%3E3.0.CO;2-0,", SICI, "the name"),
        ("10.1000/a.", "10.1000/a.", "the name"),
        # Neither the name nor that of another work.
        ("10.1000/18…", "10.1000/182", ""),
        ("10.1000/1...2", "10.1000/1872", ""),
        ("(10.1002/(SICI)1097-4571...)", SICI, ""),
        ("10.1000/a–b", "10.1000/a--b", ""),
        ("10.1000/it’s", "10.1000/it's", ""),
        ("10.1000/\u200bab\u00adcd", "10.1000/abcd", ""),
        ("10.1000/a b", "10.1000/a b", ""),
        ("(10.1000/a.)", "10.1000/a.", ""),
        ("https://doi.org/10.1000/456#789", "10.1000/456#789", ""),
        ("doi:10/abc1", "10.1000/182", ""),
        ("10.1000/182", "10/abc1", ""),
        ("Correction to 10.1000/181", "10.1000/182", ""),
        ("10.1000/181 (erratum)", "10.1000/182", ""),
        ("10.1000/181, 10.1000/182", "10.1000/182", ""),
        ("10.1000/181, 10.1000/182", "10.1000/183", ""),
        ("https://example.org/doi/10.1000/181", "10.1000/182", ""),
        ("the Handbook", "10.1000/182", ""),
        ("", "10.1000/182", ""),
        # Another work.
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
def test_what_a_text_names(text, name, names):
    """The name of its link, that of another work, or neither."""
    other = other_doi(text, DOI(name))
    assert (other and other.name) == (names if names.startswith("10") else None)
    if names:
        assert (frame_of(text, DOI(name)) is not None) == (names == "the name")

"""The encodings, row by row from the standards, and reading percent triplets."""

import string
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from doilinks import DOI
from doilinks.core.doi import (
    decode,
    is_graphic,
    link_form,
    not_graphic,
    tail_form,
    uri_form,
)

from ..tools.names import DOT_SEGMENTS, LETTERS, PERCENT, REAL, every_printable_character


def test_every_printable_ascii_character_in_both_forms():
    """RFC 3986 §2.2 and §2.3, with the Handbook's plus sign."""
    kept = set(string.ascii_letters + string.digits + "-._~" + "!$&'()*+,;=" + ":@")
    for code in range(0x20, 0x7F):
        character = chr(code)
        triplet = f"%{code:02X}"
        assert uri_form(character) == (character if character in kept else triplet)
        in_link = character in kept - {"+"} or character == "/"
        assert link_form(character) == (character if in_link else triplet)


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("10.1000/a/./b", "10.1000/a/.%2Fb"),
        ("10.1000/a/../b", "10.1000/a/..%2Fb"),
        ("10.1000/./b", "10.1000/.%2Fb"),
        ("10.1000/../b", "10.1000/..%2Fb"),
        ("10.1000/a/.", "10.1000/a%2F."),
        ("10.1000/a/..", "10.1000/a%2F.."),
        ("10.1000/.", "10.1000%2F."),
        ("10.1000/..", "10.1000%2F.."),
        ("10.1000/a/././b", "10.1000/a/.%2F.%2Fb"),
        ("10.1000/a/../..", "10.1000/a/..%2F.."),
        ("10.1000/a/.../b", "10.1000/a/.../b"),
        ("10.1000/a/.b/..c", "10.1000/a/.b/..c"),
        ("10.1000//./", "10.1000//.%2F"),
    ],
)
def test_dot_segments(name, path):
    """[HB] note; at the end of a name the slash before the dots is the only one there is."""
    assert link_form(name) == path


def test_utf8_without_normalisation():
    assert uri_form("Á") == "%C3%81"
    assert uri_form("A\u0301") == "A%CC%81"
    assert uri_form("\u65e5\u672c\u8a9e") == "%E6%97%A5%E6%9C%AC%E8%AA%9E"
    assert uri_form("🐔") == "%F0%9F%90%94"


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("456%23789", "456#789"), ("a%2Fb%2fc", "a/b/c"), ("100%25", "100%"), ("%2541", "%41"),
        ("100%", "100%"), ("%4", "%4"), ("%zz", "%zz"), ("%C3%81", "Á"), ("%c3%81", "Á"),
        ("%C3", "%C3"), ("%81%C3%81", "%81Á"), ("%C0%AF", "%C0%AF"), ("%ED%A0%80", "%ED%A0%80"),
        ("%F0%9F%90%94", "🐔"), ("%F4%90%80%80", "%F4%90%80%80"), ("%00%0A%1B%7F", "%00%0A%1B%7F"),
        ("%C2%AD%E2%80%8B%E2%80%AE", "%C2%AD%E2%80%8B%E2%80%AE"), ("%20", " "),
    ],
)  # fmt: skip
def test_decode(written, name):
    assert decode(written) == name


NOT_GRAPHIC = "\x00 \n \x7f \x85 \u00ad \u200b \u202e \u2028 \ud800 \ue000 \uffff \U000e0001"


@pytest.mark.parametrize("character", NOT_GRAPHIC.split(" "))
def test_no_graphic_character(character):
    assert not is_graphic(character)
    assert not_graphic(f"ab{character}") == 2


@pytest.mark.parametrize("character", [" ", "\u00a0", "é", "\u0301", "日", "🐔", "٣"])
def test_graphic_character(character):
    assert is_graphic(character)
    assert not_graphic(f"ab{character}") is None


# A name, and what a reader sees of it.
LEGIBLE = [
    ("0004-6361/201935325", "0004-6361/201935325"),
    ("1520-0493(1972)100<0081:OTAOSH>2.3.CO;2", "1520-0493(1972)100%3C0081:OTAOSH%3E2.3.CO;2"),
    ("0012-9658(2006)87[2832:TIOPMA]2.0.CO;2", "0012-9658(2006)87[2832:TIOPMA]2.0.CO;2"),
    ("1-2--11357", "1-2--11357"),
    ("Á.GUTIÉRREZ.ZARZA.02", "Á.GUTIÉRREZ.ZARZA.02"),
    ("A\u0301", "A%CC%81"),  # not composed
    ("a\u2013b\u2212c", "a%E2%80%93b%E2%88%92c"),  # dashes
    ("p\u0430ge", "p%D0%B0ge"),  # a Cyrillic letter
    ("\uff11", "%EF%BC%91"),  # full-width
    ("\u0131\u00d0\u017f\u00df", "%C4%B1%C3%90%C5%BF%C3%9F"),  # not an accented letter of Latin-1
    ("a b\u00a0c", "a%20b%C2%A0c"),
    ('a"b`c', "a%22b%60c"),
    ("it's", "it's"),
    ("a#b?c%d", "a%23b%3Fc%25d"),
    ("a{b}c|d\\e^f", "a%7Bb%7Dc%7Cd%5Ce%5Ef"),
    ("a/../b", "a/../b"),
]


@pytest.mark.parametrize(("suffix", "shown"), LEGIBLE)
def test_legible_form(suffix, shown):
    assert DOI(f"10.1000/{suffix}").legible == f"doi:10.1000/{shown}"


GRAPHIC = st.characters(exclude_categories=("C", "Zl", "Zp"))


@given(st.text(GRAPHIC | st.sampled_from("%0aF<>&;#?/.{}[]:"), min_size=1))
@example("%41")
@example("&lt;")
def test_what_readers_read_is_the_name(suffix):
    """It reads back, needs no normalisation, and is never longer than the URI form."""
    doi = DOI(f"10.1000/{suffix}")
    assert DOI.parse(doi.legible).name == doi.name
    assert unicodedata.is_normalized("NFKC", doi.legible)
    assert len(doi.legible) <= len(doi.uri)


def test_real_and_odd_names_read_back():
    listed = [*REAL.read_text(encoding="utf-8").split("\n"), *LETTERS, *PERCENT, *DOT_SEGMENTS]
    for name in filter(None, [*listed, *every_printable_character()]):
        assert DOI.parse(DOI(name).legible).name == name


def test_tail_form_keeps_what_a_url_may_hold():
    assert tail_form("?a=b%20c&d=[e]#f") == "?a=b%20c&d=%5Be%5D#f"
    assert tail_form('?"><\ud800') == "?%22%3E%3C%3F"


@pytest.mark.parametrize("name", ["10.1000/" + chr(code) for code in range(0x20, 0x7F)])
def test_forms_and_back(name):
    doi = DOI(name)
    assert [DOI.parse(form).name for form in (doi.uri, doi.url, doi.urn)] == [name] * 3

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
from ..tools.tables import tables

TABLES = tables(__file__)


def test_every_printable_ascii_character_in_both_forms():
    """RFC 3986 §2.2 and §2.3, with the Handbook's plus sign."""
    kept = set(string.ascii_letters + string.digits + "-._~" + "!$&'()*+,;=" + ":@")
    for code in range(0x20, 0x7F):
        character = chr(code)
        triplet = f"%{code:02X}"
        assert uri_form(character) == (character if character in kept else triplet)
        in_link = character in kept - {"+"} or character == "/"
        assert link_form(character) == (character if in_link else triplet)


@pytest.mark.parametrize(("name", "path"), TABLES["dot_segments"])
def test_dot_segments(name, path):
    """[HB] note; at the end of a name the slash before the dots is the only one there is."""
    assert link_form(name) == path


def test_utf8_without_normalisation():
    assert uri_form("Á") == "%C3%81"
    assert uri_form("A\u0301") == "A%CC%81"
    assert uri_form("\u65e5\u672c\u8a9e") == "%E6%97%A5%E6%9C%AC%E8%AA%9E"
    assert uri_form("🐔") == "%F0%9F%90%94"


@pytest.mark.parametrize(("written", "name"), TABLES["decode"])
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
LEGIBLE = TABLES["legible"]


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

"""What is remarked on, what is not, and that a remark never changes anything."""

import pytest

from doilinks import DOI, scan
from doilinks.core.remarks import CODES, DASHES, remarks, remarks_of

from ..tools.tables import tables

TABLES = tables(__file__)


def codes(text):
    """The codes for the first DOI of a prose text."""
    return [remark.code for remark in remarks_of(next(scan(text)), text)]


@pytest.mark.parametrize("dash", DASHES)
def test_every_dash_look_alike_is_named_with_its_place(dash):
    (remark,) = remarks(DOI(f"10.1000/ab{dash}1"))
    assert remark.code == "dash-look-alike"
    assert f"U+{ord(dash):04X} " in remark.message
    assert "character 11 " in remark.message
    assert remark.message.isascii()


def test_each_dash_is_named():
    assert [each.code for each in remarks(DOI("10.1000/a–b–c"))] == ["dash-look-alike"] * 2


@pytest.mark.parametrize("name", ["10.1000/a-b_c~d.e", "10.1002/(SICI)1:2<3::A>3.0.CO;2-I"])
def test_ordinary_names_have_no_remarks(name):
    assert remarks(DOI(name), name) == []


@pytest.mark.parametrize(
    ("name", "character"),
    [
        ("10.1000/рaper", "U+0440 CYRILLIC SMALL LETTER ER at character 9"),
        ("10.1000/pаper", "U+0430 CYRILLIC SMALL LETTER A at character 10"),
        ("10.1000/αb", "U+03B1 GREEK SMALL LETTER ALPHA at character 9"),
    ],
)
def test_mixed_scripts_name_the_letter_that_is_not_latin(name, character):
    (remark,) = remarks(DOI(name))
    assert remark.code == "mixed-scripts"
    assert character in remark.message


@pytest.mark.parametrize(
    "name", ["10.1000/статья", "10.1000/µm5", "10.1000/ABC論文かな", "10.1000/é"]
)
def test_one_script_or_latin_with_cjk_is_not_mixed(name):
    assert remarks(DOI(name)) == []


def test_not_nfc():
    (remark,) = remarks(DOI("10.1000/e\u0301t"))
    assert remark.code == "not-nfc"
    assert "U+0065 LATIN SMALL LETTER E at character 9" in remark.message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (text, each.split())
        for each, texts in TABLES["remarks_on_matches"].items()
        for text in texts
    ],
)
def test_remarks_on_matches(text, expected):
    assert codes(text) == expected


def test_the_whole_of_what_was_given_is_the_name():
    doi = DOI.parse("10.1000/456%23789")
    assert [each.code for each in remarks(doi, "10.1000/456%23789")] == ["percent-decoded"]
    assert remarks(doi) == []


def test_codes_are_those_listed():
    text = "10.1000/e\u0301/р–%41%zz) 10.5555/a/b. 10.1000/a\u200bb https://doi.org/10.1000/1#x"
    found = {each.code for match in scan(text) for each in remarks_of(match, text)}
    assert found <= set(CODES)
    assert len(found) >= 7, found


def test_a_long_text_before_a_bracket_costs_little():
    text = "(" * 100_000 + " 10.1000/182]"
    assert codes(text) == ["cut-bracket"]


@pytest.mark.parametrize("character", "\u00ad\u200b\u200d\u2060\ufeff")
def test_a_cut_that_nobody_can_see_tells_the_whole_name(character):
    text = f"See doi:10.1000/a{character}b{character}#c again"
    (remark,) = remarks_of(next(scan(text)), text)
    assert remark.message.endswith("without it, the name is doi:10.1000/ab%23c")


@pytest.mark.parametrize("mark", [*".,;:!?*_'\"…”/)]"])
def test_a_mark_at_the_end_of_a_target(mark):
    url = DOI(f"10.1000/182{mark}").url
    for text in (f"<{url}>", f"<doi:10.1000/182{mark}>"):
        assert codes(text) == ["mark-end"]
    if mark not in "/)]":  # in prose, it belongs to the sentence
        assert codes(f"See https://doi.org/10.1000/182{mark} there") == []


@pytest.mark.parametrize("name", ["10.1000/1(82)", "10.1000/182+", "10.1000/182#", "10.1000/1-"])
def test_what_ends_real_names_has_no_remark(name):
    assert remarks(DOI(name)) == []


def test_a_blank_at_the_end():
    assert [each.code for each in remarks(DOI.parse("https://doi.org/10.1136/bmj.315%20"))] == [
        "blank-end"
    ]
    assert remarks(DOI("10.1136/bmj 315")) == []

"""Two texts with one name: the cases in ``two.md``, and what a project without repetition costs."""

import re
from pathlib import Path

import pytest

from doilinks import DOI, Found
from doilinks.record.same_name import two_works, with_two_works

NAME = DOI("10.1000/182")
TEXT = Path(__file__).with_name("two.md").read_text(encoding="utf-8")
CASES = re.findall(
    r"^(\S.*)\n\.\n((?:.*\n)+?)\.\n((?:.*\n)+?)\.\n(two works|one work)\n\.$", TEXT, re.MULTILINE
)
HANDBOOK = "Paskin, N. (2000). DOI handbook of the system of names. https://doi.org/10.1000/182"
FERMAT = "Wiles, A. (1995). Modular elliptic curves and Fermat's theorem. doi:10.1000/182"


def test_every_case_is_read():
    assert len(CASES) == TEXT.count("\ntwo works\n") + TEXT.count("\none work\n") > 8


@pytest.mark.parametrize(
    ("one", "other", "verdict"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_a_case(one, other, verdict):
    expected = verdict == "two works"
    assert differ(one, other) is differ(other, one) is expected


def places(*texts, doi=NAME):
    return [Found(doi, file="a.md", line=line, around=text) for line, text in enumerate(texts, 1)]


def differ(one, other):
    return any(two_works(places(one, other)))


def lines(found):
    return [(place.line, other.line) for place, other in two_works(found)]


def test_the_work_that_fewer_places_describe_is_doubtful():
    assert lines(places(FERMAT, HANDBOOK, f"* {HANDBOOK}")) == [(1, 2)]
    assert lines(places(HANDBOOK, FERMAT)) == [(2, 1)]


def test_the_first_place_may_say_nothing():
    assert lines(places("See doi:10.1000/182.", None, HANDBOOK, FERMAT)) == [(4, 3)]


def test_names_are_equal_whatever_their_case():
    upper = FERMAT.replace("10.1000/182", "10.1000/AB")
    lower = HANDBOOK.replace("10.1000/182", "10.1000/ab")
    found = places(lower, doi=DOI("10.1000/ab")) + places(upper, doi=DOI("10.1000/AB"))
    assert len(list(two_works(found))) == 1


def test_the_block_of_a_name_that_occurs_once_is_not_made():
    def block():
        pytest.fail("made")

    found = [Found(DOI(f"10.1000/{n}"), around=block) for n in range(3)]
    assert list(two_works(found)) == []


def test_the_remark_says_where_the_other_place_is():
    said = [each.remarks for each in with_two_works(places(HANDBOOK, FERMAT))]
    assert said[0] == ()
    [(code, message)] = said[1]
    assert (code, message) == ("two-works", "the name stands for another reference at a.md:1")


def test_a_block_of_many_names_is_read_once():
    """Otherwise two long lists of the same names would take quadratic time."""
    names = [DOI(f"10.1000/{n}") for n in range(3_000)]
    blocks = [" ".join(f"{text} doi:{name.name}" for name in names) for text in (HANDBOOK, FERMAT)]
    assert not list(two_works(Found(name, around=block) for block in blocks for name in names))

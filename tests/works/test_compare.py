"""The comparison: the cases in the Markdown files beside this one, and hostile blocks."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doilinks import DOI
from doilinks.record import part
from doilinks.record.registered import Registered
from doilinks.record.states import States
from doilinks.record.text import Text
from doilinks.record.weights import WEIGHTS
from doilinks.works import Status, Verdict, Work, compare

FOLDER = Path(__file__).parent
CASE = re.compile(
    r"^(?P<title>\S.*)\nwork: (?P<work>.*)\n(?P<head>(?:\w+: .*\n)*)\.\n(?P<block>(?:.*\n)*?)\.\n(?P<verdict>.*)\n\.$",
    re.MULTILINE,
)
NAME = DOI("10.1000/182")
OTHERS = ("README.md", "two.md")


def cases():
    for path in sorted(FOLDER.glob("*.md")):
        if path.name not in OTHERS:
            for case in CASE.finditer(path.read_text(encoding="utf-8")):
                yield pytest.param(case, id=f"{path.stem}-{case['title']}")


CASES = [*cases()]


def work_of(case):
    title, names, year = (part.strip() for part in case["work"].split("|"))
    head = dict(re.findall(r"(\w+): (.*)", case["head"]))
    work = Work(
        titles=(title,) if title else (),
        names=tuple(name.strip() for name in names.split(",") if name.strip()),
        years=(int(year),),
        status=Status(head.get("status", "")),
        type=head.get("type", ""),
        version=head.get("version", ""),
        container=head.get("container", ""),
        volume=head.get("volume", ""),
        page=head.get("page", ""),
    )
    return work, DOI(head.get("doi", "10.1000/182"))


@pytest.mark.parametrize("case", CASES)
def test_a_case(case):
    work, doi = work_of(case)
    found = compare(case["block"], work, doi)
    verdict, _, fields = case["verdict"].partition(": ")
    assert (found.verdict, ", ".join(reason.field for reason in found.reasons)) == (verdict, fields)


def test_every_case_is_read():
    text = "".join(path.read_text() for path in FOLDER.glob("*.md") if path.name not in OTHERS)
    assert len(CASES) == len(re.findall("^work:", text, re.MULTILINE)) > 30


def test_the_evidence():
    work = Work(titles=("Linear handbook of names",), names=("Paskin", "Berg"), years=(2000,))
    found = compare("Paskin: Handbook of names (2001). doi:10.1000/182", work, NAME)
    assert found.title == pytest.approx(2 / 3)
    assert found.names == ("Paskin",)
    assert found.year is True


@given(st.text(), st.text(), st.text())
def test_no_text_is_an_error(block, title, name):
    assert compare(block + "10.1000/182" + block, Work(titles=(title,), names=(name,)), NAME)


WORK = Work(titles=("A population code for orientation",), names=("van den Berg",), years=(2003,))
RECORDS = {
    "3,000 authors": {
        "title": "On names of works",
        "author": [{"family": f"Aa{n}"} for n in range(3_000)],
    },
    "a title of one word": {"title": "Names", "author": [{"family": "Li"}]},
    "a name of one letter": {"title": "On names of works", "author": [{"family": "O"}]},
    "another alphabet": {"title": "Имена произведений", "author": [{"family": "Иванов"}]},
    "no letters": {"title": "— ? —", "author": [{"family": "—"}]},
    "a long title": {"title": "Aa " * 5_000, "author": [{"family": "Aa " * 5_000}]},
    "odd numbers": {"title": "Names", "volume": [1], "page": {"a": 1}, "container": {"volume": -1}},
    "long numbers": {"title": "Names", "volume": "9" * 9_000, "page": 10**5_000},
}


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_a_hostile_record_is_compared(record):
    work = Work.of(record)
    for block in (
        "Wiles, A. (1995). Elliptic curves. 10.1000/182", "10.1000/183 " * 20 + "10.1000/182",
        "Ли 10.1000/182",
    ):  # fmt: skip
        assert compare(block, work, NAME).verdict in Verdict


def test_people_and_titles_in_another_alphabet_are_not_compared():
    work = Work.of({"title": "Имена произведений и книг", "author": [{"family": "Иванов"}]})
    block = "Ivanov, I. (2000). Names of works and of books. doi:10.1000/182"
    assert compare(block, work, NAME).verdict is Verdict.UNSURE


def test_the_reasons_are_the_states_that_decided():
    work = Work.of({"title": "DOI Handbook", "author": [{"family": "Paskin"}], "issued": 2000})
    block = "Wiles, A. (1995). Modular elliptic curves and the theorem of Fermat. doi:10.1000/182"
    assert compare(block, work, NAME).reasons == (
        ("title", "Modular elliptic curves and the theorem of Fermat", "DOI Handbook"),
        ("people", "Wiles", "Paskin"),
        ("year", "1995", "2000"),
    )


def test_other_people_under_the_right_title():
    work = Work.of({"title": "DOI handbook of names of works", "author": [{"family": "Paskin"}]})
    title = "DOI handbook of names of works. doi:10.1000/182"
    assert compare(f"Wiles, A., Berg, C. (2000). {title}", work, NAME).strangers == (
        "Wiles",
        "Berg",
    )
    assert compare(f"Wiles, A., Paskin, N. (2000). {title}", work, NAME).strangers == ()
    assert compare(title, work, NAME).strangers == ()


@pytest.mark.parametrize(
    ("people", "shown"),
    [
        (r"author = {Bru{\~{n}}a, Ana and Andr\`es, Bo},", ("Bruna, Ana", "Andres, Bo")),
        (
            'authors = [{name = "Ann Wiles", orcid = "1"}, {name = "Bo Berg"}],',
            ("Ann Wiles", "Bo Berg"),
        ),
        (
            'author = c(person("Ann", "Wiles"), person(given = "Bo", family = "Berg")),',
            ("Ann Wiles", "Bo Berg"),
        ),
    ],
)
def test_people_are_shown_as_they_are_read(people, shown):
    work = Work.of({"title": "DOI handbook of names of works", "author": [{"family": "Paskin"}]})
    block = f"@{{a,\n{people}\ntitle = {{DOI handbook of names of works}},\nyear = 2000,\ndoi = {{10.1000/182}}}}"
    assert compare(block, work, NAME).strangers == shown


@pytest.mark.parametrize("how", ["Cited by", "reviewed in", "as quoted in", "Translated by"])
@pytest.mark.parametrize("people", ["Miller, J. (2005)", "Miller, J. and Berg, C. (2005)"])
def test_who_cites_a_work_has_not_written_it(how, people):
    work = Work.of({"title": "DOI handbook of names of works", "author": [{"family": "Paskin"}]})
    title = "DOI handbook of names of works"
    assert compare(f"{title}. {how} {people}. doi:10.1000/182", work, NAME).strangers == ()
    assert compare(f"{title}. doi:10.1000/182. {how} {people}.", work, NAME).strangers == ()
    assert compare(f"{people}. {title}. doi:10.1000/182", work, NAME).strangers


def test_the_weights_are_those_of_the_states():
    of_text = States(Text.of("Wiles, A. 10.1000/182", NAME), Registered(WORK)).features()
    of_row = States(Text.of("| a | b | 10.1000/182 |", NAME), Registered(WORK)).features()
    assert {"", *of_text, *of_row} == WEIGHTS.keys()


def test_a_year_says_nothing_of_software_and_data():
    """Each version has a record, and all of them have one."""
    record = {"title": "Names: a program", "author": [{"family": "Miller"}, {"family": "Berg"}]}
    block = "Miller, A., Berg, C., 2025, Documents v3.10: Survey release, doi:10.1000/182"
    of = {kind: Work.of({**record, "issued": 2019, "type": kind}) for kind in ("Software", "book")}
    assert States(Text.of(block, NAME), Registered(of["book"])).year_differs
    assert not States(Text.of(block, NAME), Registered(of["Software"])).year_differs
    assert compare(block, of["Software"], NAME).verdict is not Verdict.OTHER
    other = "Wiles, A. (1995). Modular elliptic curves and the theorem of Fermat. doi:10.1000/182"
    assert compare(other, of["Software"], NAME).verdict is Verdict.OTHER


@pytest.mark.parametrize(
    "people", ["van den Berg, A. B., de la Cruz, E.", "A. B. van den Berg and E. de la Cruz"]
)
def test_a_family_name_has_its_particles(people):
    text = Text.of(f"{people} (2003). A population code. doi:10.1000/182", NAME)
    assert [person.written for person in text.people] == ["van den Berg", "de la Cruz"]


def test_fields_in_capitals():
    block = "@ARTICLE{a,\n AUTHOR = {Berg, Ann and X and 12},\n TITLE = {On Names of Works},\n YEAR = 2000,\n DOI = {10.1000/182}}"
    text = Text.of(block, NAME)
    assert [claim.written for claim in text.titles] == ["On Names of Works"]
    assert [person.written for person in text.people] == ["Berg, Ann"]
    assert text.years == (2000,)


@pytest.mark.parametrize(("command", "letters"), part._LATEX.items())
def test_a_command_of_latex_is_its_letters(command, letters):
    """Each letter that has a command of its own, with what stands beside it."""
    assert part.ascii_letters(f"x\\{command} y") == f"x{letters} y"
    letter = {
        "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ",
        "OE": "Œ", "i": "ı", "aa": "å", "AA": "Å",
    }.get(command)  # fmt: skip
    if letter:
        assert part.fold(letter) == part.fold(letters)


@pytest.mark.parametrize(
    ("letter", "plain"),
    [
        *zip(
            "øØłŁđĐðÐßæÆœŒıþÞﬁﬂ",
            "o o l l d d d d ss ae ae oe oe i th th fi fl".split(),
            strict=True,
        ),
        (r"{\OE}", "oe"),
    ],
)
def test_a_letter_with_a_stroke_is_the_one_without(letter, plain):
    assert part.fold(f"a{letter}b") == part.fold(f"a{plain}b")


@pytest.mark.parametrize(
    ("text", "registered"),
    [
        # A review of a book under its title, and a comment and its reply, are by other people.
        (
            "Lind, Maja. 2014. The Weight of Rivers. Lund: Northern University Press.",
            ("The Weight of Rivers", "Harlan", 2015, "Review of Rivers", "9", "77-79"),
        ),
        (
            "Gilbert, D., King, G. (2016). Comment on “Estimating the number of names”. Names, 351, 1037.",
            ("Response to Comment on “Estimating the number of names”", "Andersen", 2016, "Names", "351", "1037"),
        ),
        (
            "Andersen, C. (2016). Response to Comment on “Estimating the number of names”. Names, 351, 1037.",
            ("Comment on “Estimating the number of names”", "Gilbert", 2016, "Names", "351", "1037"),
        ),
    ],
)  # fmt: skip
def test_other_people_under_a_title_like_it(text, registered):
    title, name, year, container, volume, page = registered
    work = Work.of({
        "title": title, "author": [{"family": name, "given": "A."}], "issued": year,
        "container-title": container, "volume": volume, "page": page, "type": "journal-article",
    })  # fmt: skip
    assert compare(f"{text} doi:10.1000/182", work, NAME).strangers

"""The record of a work, in the shapes and with the dirt that agencies send."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from doilinks import DOI
from doilinks.ask.works.agencies import read_work
from doilinks.record.labels import without_label
from doilinks.works import Work

from ..tools.tables import tables

TABLES = tables(__file__)

RECORDS = json.loads(Path(__file__).with_name("records.json").read_text(encoding="utf-8"))
CROSSREF, DATACITE, CSL = RECORDS.values()


def test_a_record_of_crossref():
    work = Work.of(CROSSREF)
    assert work.titles == (
        "Foraging of Larus audouinii & others",
        "Foraging of Larus audouinii & others: Timing Matters",
    )
    assert work.names == ("Bécares", "The PLOS ONE Staff")
    assert work.years == (2015, 2016)
    assert (work.type, work.container) == ("journal-article", "PLOS ONE")
    assert Work.of(CROSSREF["message"]) == work


def test_a_record_of_datacite():
    work = Work.of(DATACITE)
    assert work.titles == ("bibmanager", "bibmanager: A manager for BibTeX", "Gestionnaire")
    assert work.names == ("Cubillos", "Blecic", "Way, Turing and Friends, The")
    assert work.years == (2019, 2018)
    assert work.type == "Software"
    assert Work.of(DATACITE["data"]) == Work.of(DATACITE["data"]["attributes"]) == work


def test_a_record_of_content_negotiation():
    work = Work.of(CSL)
    assert work.titles == ("Numerical methods in Fortran",)
    assert work.names == ("van den Berg",)
    assert work.years == (1998,)


@pytest.mark.parametrize(("title", "expected"), TABLES["titles"])
def test_titles(title, expected):
    assert Work.of({"title": title}).titles == tuple(expected)


def test_a_subtitle_that_is_in_the_title_is_not_added():
    record = {"title": ["Meta: a study of X"], "subtitle": ["A Study of X"]}
    assert Work.of(record).titles == ("Meta: a study of X",)


@pytest.mark.parametrize(("date", "years"), TABLES["dates"])
def test_dates(date, years):
    assert Work.of({"issued": date}).years == tuple(years)


@pytest.mark.parametrize(("people", "names"), TABLES["people"])
def test_people(people, names):
    assert Work.of({"author": people}).names == tuple(names)


@pytest.mark.parametrize(("field", "value", "people"), TABLES["in_full"])
def test_people_in_full(field, value, people):
    work = Work.of({field: value})
    known = [(1 if each.given is None else 2 + bool(each.suffix), each) for each in work.people]
    assert [[*each[:number]] for number, each in known] == people
    assert work.count == len(people)


@pytest.mark.parametrize(("record", "fields"), TABLES["fields"])
def test_fields(record, fields):
    work = Work.of(record)
    assert json.loads(json.dumps({name: getattr(work, name) for name in fields})) == fields


def test_a_long_title_is_cut_with_a_sign():
    title = Work.of({"title": "names " * 200}).title
    assert title.endswith("names…")
    assert len(title) <= 600


def update(kind, year=2010):
    return {"type": kind, "DOI": "10.1000/notice", "updated": {"date-parts": [[year, 2, 6]]}}


def titles():
    """Titles, and what they say became of the work."""
    text = Path(__file__).with_name("titles").joinpath("status.md").read_text(encoding="utf-8")
    for status, listed in re.findall(r"^# (.+)\n\n((?:\* .+\n)+)", text, re.MULTILINE):
        for title in re.findall(r"^\* (.+)$", listed, re.MULTILINE):
            yield {"title": title}, "" if status == "nothing" else status


STATUSES = [*TABLES["statuses"], *titles()]
assert len(STATUSES) > 80


@pytest.mark.parametrize(("record", "status"), STATUSES)
def test_status(record, status):
    assert Work.of({"DOI": "10.1000/self", **record}).status == status


def test_a_notice_that_is_listed_twice_is_one_and_the_gravest_is_first():
    record = {"updated-by": [update("correction", year=2020), *[update("retraction")] * 2]}
    first, second = Work.of(record).notices
    assert (
        first.kind, first.date, first.doi,
    ) == ("retraction", "2010-02-06", DOI("10.1000/notice"))  # fmt: skip
    assert second.kind == "correction"


@pytest.mark.parametrize("title", ["Retraction", "Corrigendum", "Erratum.", "Retractación"])
def test_a_label_alone_is_no_title(title):
    assert without_label(title) == ""


NAME = DOI("10.1000/182")


@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [
        (200, b"<html><title>Just a moment...</title>", "HTTP 200 without a record"),
        (200, b"", "HTTP 200 without a record"),
        (200, b"[" * 100_000, "HTTP 200 without a record"),
        (200, b"1" * 10_000, "HTTP 200 without a record"),
        (200, b'{"DOI": "10.1000/182"}', "the record says neither title nor author"),
        (200, b'{"title": "Another page of JSON"}', "the record says neither title nor author"),
        (200, b'{"DOI": "10.1000/183", "title": "X"}', "the record is that of another name"),
        (404, b'{"DOI": "10.1000/182", "title": "X"}', "the agency has no record"),
        (429, b"", "HTTP 429 without a record"),
        (503, b"{}", "HTTP 503 without a record"),
    ],
)
def test_what_is_no_record_of_the_name_is_unknown(status, body, reason):
    answer = read_work(NAME, status, body)
    assert answer.value is None
    assert answer.reason == reason
    assert answer.again == (status in (429, 503))


def test_a_name_that_was_merged_into_another_has_its_record():
    record = {"message": {"DOI": "10.1000/183", "aliases": ["10.1000/182"], "title": ["X"]}}
    assert read_work(NAME, 200, json.dumps(record).encode()).value is not None


def test_a_name_with_a_comma_has_two_parts():
    [person] = Work.of({"title": "X", "creators": [{"name": "Miller, Ann"}]}).people
    assert person == ("Miller", "Ann", "")


def test_a_record_of_a_million_authors_keeps_a_few():
    body = json.dumps(
        {
            "DOI": "10.1000/182",
            "author": [{"family": "A" * 9_000}, *[{"family": str(n)} for n in range(100_000)]],
        }
    )
    work = read_work(NAME, 200, body.encode()).value
    assert (len(work.names), work.count, work.names[-1]) == (11, 100_001, "99999")
    assert all(len(name) <= 600 for name in work.names)


FIELDS = st.sampled_from(
    "title titles titleType subtitle author creators name family familyName literal editor issued dates date "
    "dateType date-parts publicationYear updated-by update-to type updated DOI doi aliases container types "
    "message data attributes resourceTypeGeneral container-title".split()
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text("a<>&;: \x1b\u202e2019", max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=6),
    max_leaves=20,
)


@given(st.dictionaries(FIELDS, values))
@example({"dates": [{"dateType": []}]})
@example({"types": {"resourceTypeGeneral": 7}})
def test_no_record_is_an_exception_or_anything_but_characters(record):
    work = Work.of(record)
    everything = (*work.titles, *work.names, work.type, work.container)
    assert all(text.isprintable() and len(text) <= 1201 for text in everything)
    read_work(NAME, 200, json.dumps(record).encode())

"""What a link shows of a work whose entry in the lock file may have been edited by hand."""

import pytest

from doilinks import DOI
from doilinks.lock.entries import read_work
from doilinks.record.words import authors_of, classes_of, hover, reference, shortened
from doilinks.works import Work

from ..tools.tables import tables

TABLES = tables(__file__)

ENTRY = {"fetched": "2026-11-20", "title": "A title", "author": [["Paskin", "N."]], "year": 2000}


@pytest.mark.parametrize(("more", "shown"), TABLES["a_link_shows_what_can_be_read"])
def test_a_link_shows_what_can_be_read(more, shown):
    kept = read_work(ENTRY | more)
    assert kept
    assert (hover(kept), classes_of(kept)) == (shown, ())


@pytest.mark.parametrize(("record", "text"), TABLES["a_record_in_a_list"])
def test_a_record_in_a_list(record, text):
    work = Work.of({"title": "Names", "issued": {"date-parts": [[2011]]}, **record})
    assert "".join(run.text for run in reference(DOI("10.1000/182"), work)) == text


@pytest.mark.parametrize(("people", "cited", "on_hover"), TABLES["people_in_short"])
def test_people_in_short(people, cited, on_hover):
    record = {"title": "Names", "subtitle": "A guide", "author": people, "issued": "2011"}
    work = Work.of(record)
    assert (authors_of(work), hover(work)) == (cited, on_hover)


def test_a_retracted_work_is_marked():
    kept = read_work(ENTRY | {"status": "retracted", "title": "RETRACTED: A title"})
    assert kept
    assert hover(kept) == "Retracted. Paskin (2000). A title."
    assert classes_of(kept) == ("doi-retracted",)


@pytest.mark.parametrize("more", [{"title": "", "author": []}])
def test_what_is_not_an_entry_shows_nothing(more):
    assert read_work(ENTRY | more) is None


@pytest.mark.parametrize(
    ("longest", "shown"),
    [(13, "one two three"), (12, "one two…"), (8, "one two…"), (7, "one…"), (3, "on…")],
)
def test_a_text_is_cut_between_words_where_there_are_any(longest, shown):
    assert shortened("one two three", longest) == shown

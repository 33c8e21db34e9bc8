"""What a link shows of a work whose entry in the lock file may have been edited by hand."""

import pytest

from doilinks.lock.entries import read_work
from doilinks.record.words import classes_of, hover, shortened

from ..tools.tables import tables

TABLES = tables(__file__)

ENTRY = {"fetched": "2026-11-20", "title": "A title", "author": [["Paskin", "N."]], "year": 2000}


@pytest.mark.parametrize(("more", "shown"), TABLES["a_link_shows_what_can_be_read"])
def test_a_link_shows_what_can_be_read(more, shown):
    kept = read_work(ENTRY | more)
    assert kept
    assert (hover(kept), classes_of(kept)) == (shown, ())


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

"""HTTP status and body → outcome [URI §4]."""

from __future__ import annotations

import json

import pytest

from doilinks import DOI
from doilinks.ask.names.api import read_record
from doilinks.ask.net.client import Outcome

NAME = DOI("10.1000/Ab#c")


def record(code, handle="10.1000/Ab#c", **more):
    return json.dumps({"responseCode": code, "handle": handle, **more}).encode()


@pytest.mark.parametrize(
    ("status", "body", "outcome"),
    [
        (200, record(1), Outcome.FOUND),
        (200, record(1, "10.1000/aB#C"), Outcome.FOUND),
        (404, record(100), Outcome.NOT_FOUND),
        (200, record(200), Outcome.NO_VALUES),
    ],
)
def test_an_answer_as_specified(status, body, outcome):
    answer = read_record(NAME, status, body)
    assert (answer.outcome, answer.reason, answer.lost) == (outcome, "", False)


@pytest.mark.parametrize(
    ("status", "body", "reason", "again"),
    [
        (500, record(2), "the API reports a server error", True),
        # A code under a status that it does not go with is not an answer.
        (404, record(1), "HTTP 404 with response code 1", False),
        (200, record(100), "HTTP 200 with response code 100", False),
        (404, record(200), "HTTP 404 with response code 200", False),
        (200, record(7), "HTTP 200 with response code 7", False),
        (200, record(10**400), "HTTP 200 with response code 100000000", False),
        (200, record("1"), "HTTP 200 without a Handle record", True),
        (200, record(1.0), "HTTP 200 without a Handle record", True),
        (200, record(True), "HTTP 200 without a Handle record", True),
        (404, record(None), "HTTP 404 without a Handle record", False),
        (200, record(1, "10.1000/Ab"), "the answer is about another name", False),
        (404, record(100, "10.1000/Ab"), "the answer is about another name", False),
        (200, record(1, "10.1000/Ab%23c"), "the answer is about another name", False),
        (200, record(1, 5), "the answer is about another name", False),
        (200, b'{"responseCode": 1}', "the answer is about another name", False),
        (200, b"", "HTTP 200 without a Handle record", True),
        (404, b"<h1>no such page</h1>", "HTTP 404 without a Handle record", False),
        (403, b"<h1>robots!</h1>", "HTTP 403 without a Handle record", False),
        (502, b"<h1>bad gateway</h1>", "HTTP 502 without a Handle record", True),
        (200, b"[1]", "HTTP 200 without a Handle record", True),
        (200, b"[" * 100_000, "HTTP 200 without a Handle record", True),
        (200, b"\xff\xfe\x00", "HTTP 200 without a Handle record", True),
        (200, b'{"responseCode": ' + b"9" * 10_000 + b"}", "HTTP 200 without a Handle record", 1),
    ],
)
def test_anything_else_is_unknown(status, body, reason, again):
    answer = read_record(NAME, status, body)
    assert (answer.outcome, answer.reason) == (Outcome.UNKNOWN, reason)
    assert answer.again == again


def test_non_ascii_letters_keep_their_case():
    """[URI §3] note: only Basic Latin is folded; [URI §2] note 1: nothing is normalised."""
    answer = read_record(DOI("10.1/Á"), 200, record(1, "10.1/á"))
    assert answer.outcome is Outcome.UNKNOWN
    answer = read_record(DOI("10.1/Á"), 200, record(1, "10.1/A\u0301"))
    assert answer.outcome is Outcome.UNKNOWN


def urls(*every):
    return record(
        1, values=[{"type": "URL", "data": {"format": "string", "value": url}} for url in every]
    )


@pytest.mark.parametrize(
    ("every", "outcome"),
    [
        (["http://www.crossref.org/deleted_DOI.html"], Outcome.DELETED),
        (["https://www.crossref.org/_deleted-doi/"], Outcome.DELETED),
        (["https://www.datacite.org/invalid.html"], Outcome.DELETED),
        (["http://datacite.org/invalidDOI"], Outcome.DELETED),
        (["http://datacite.org/invalidDOI", "https://example.org/"], Outcome.FOUND),
        (["https://example.org/?from=http://datacite.org/invalidDOI"], Outcome.FOUND),
        (["https://www.crossref.org/deleted_DOI.html.old"], Outcome.FOUND),
        (["https://www.datacite.org/"], Outcome.FOUND),
        ([5], Outcome.FOUND),
        ([], Outcome.FOUND),
    ],
)
def test_a_name_that_leads_to_the_page_for_deleted_names(every, outcome):
    assert read_record(NAME, 200, urls(*every)).outcome is outcome


def alias(data):
    return record(1, values=[{"type": "URL"}, {"type": "HS_ALIAS", "data": data}])


def test_alias():
    answer = read_record(NAME, 200, alias({"format": "string", "value": "10.1/x"}))
    assert (answer.outcome, answer.alias) == (Outcome.FOUND, DOI("10.1/x"))


@pytest.mark.parametrize("data", [{"value": "\x1b[2J"}, {"value": 5}, {}, None, [], {"value": ""}])
def test_an_alias_of_what_is_no_name(data):
    answer = read_record(NAME, 200, alias(data))
    assert (answer.outcome, answer.reason) == (Outcome.UNKNOWN, "an alias that is not a DOI name")


@pytest.mark.parametrize("values", [None, 5, {}, [None], [5], [[]], [{"type": []}]])
def test_values_of_any_other_shape_do_no_harm(values):
    assert read_record(NAME, 200, record(1, values=values)).outcome is Outcome.FOUND

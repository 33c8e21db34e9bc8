"""The record: what an answer of the Handle API says about a name.

A pure function from an HTTP status and a body to an :class:`Answer`. An answer that is not exactly
what the specification describes is ``unknown``: it never makes a build fail by mistake, and never
lets a wrong name pass.

Spec: [URI §4].
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from ..core.doi import DOI, InvalidDOI

__all__ = ["Answer", "Outcome", "lost", "read_record", "unknown"]


class Outcome(StrEnum):
    """What is known about a name."""

    FOUND = "found"
    NOT_FOUND = "not found"
    NO_VALUES = "no values"
    UNKNOWN = "unknown"


# [URI §4]: each response code goes with one HTTP status.
_MEANINGS: Final = {
    (200, 1): Outcome.FOUND,
    (404, 100): Outcome.NOT_FOUND,
    (200, 200): Outcome.NO_VALUES,
}
_SERVER_ERROR: Final = (500, 2)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the API said about one name.

    :ivar outcome: one of the four
    :ivar reason: why the outcome is unknown, a phrase; never text of the answer's own
    :ivar alias: the name that this name stands for [RFC 3651 §3.2.4], as shortDOI names do
    :ivar again: asking again may help
    :ivar lost: the answer contained no record, so the problem may be the service, not the name
    """

    outcome: Outcome
    reason: str = ""
    alias: DOI | None = None
    again: bool = False
    lost: bool = False


def unknown(reason: str, *, again: bool = False) -> Answer:
    """An answer that says nothing about the name."""
    return Answer(Outcome.UNKNOWN, reason, again=again)


def lost(reason: str, *, again: bool = True) -> Answer:
    """No record of any kind."""
    return Answer(Outcome.UNKNOWN, reason, again=again, lost=True)


def read_record(doi: DOI, status: int, body: bytes) -> Answer:
    """Read one answer about ``doi``. Never raises.

    >>> read_record(DOI("10.1/A"), 200, b'{"responseCode": 1, "handle": "10.1/a"}').outcome
    <Outcome.FOUND: 'found'>
    >>> read_record(DOI("10.1/A"), 404, b'{"responseCode": 100, "handle": "10.1/b"}').reason
    'the answer is about another name'
    >>> read_record(DOI("10.1/A"), 404, b"<h1>no such page</h1>").reason
    'HTTP 404 without a Handle record'
    """
    record = _json_object(body)
    code = record.get("responseCode") if record is not None else None
    if record is None or type(code) is not int:
        again = status < 300 or status >= 500
        return lost(f"HTTP {status} without a Handle record", again=again)
    if (status, code) == _SERVER_ERROR:
        return unknown("the API reports a server error", again=True)
    outcome = _MEANINGS.get((status, code))
    if outcome is None:
        return unknown(f"HTTP {status} with response code {str(code)[:9]}", again=status >= 500)
    handle = record.get("handle")
    if not isinstance(handle, str) or _name(handle) != doi:
        return unknown("the answer is about another name")
    if outcome is not Outcome.FOUND:
        return Answer(outcome)
    target = _alias(record.get("values"))
    if target is None:
        return Answer(outcome)
    name = _name(target)
    return Answer(outcome, alias=name) if name else unknown("an alias that is not a DOI name")


def _json_object(body: bytes) -> dict[str, object] | None:
    # Deep nesting raises a RecursionError, a number of a million digits a ValueError.
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _alias(values: object) -> str | None:
    """The target of the record's HS_ALIAS value [RFC 3651 §3.2.4], if it has one."""
    for value in values if isinstance(values, list) else ():
        if isinstance(value, dict) and value.get("type") == "HS_ALIAS":
            data = value.get("data")
            target = data.get("value") if isinstance(data, dict) else data
            return target if isinstance(target, str) else ""
    return None


def _name(text: str) -> DOI | None:
    try:
        return DOI(text)
    except InvalidDOI:
        return None

"""The answer of an agency about one name, read from its bytes.

A pure function, as :mod:`doilinks.check.record` is for the Handle API. An answer that is not a
record of the name that was asked for is unknown, with a reason; it never raises.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from ..core.doi import DOI, InvalidDOI
from .work import Work

__all__ = ["Reading", "read_work"]

_GONE: Final = (404, 410)


@dataclass(frozen=True, slots=True)
class Reading:
    """What one answer said.

    :ivar work: the work, if there is a record of it
    :ivar reason: why there is none, a phrase; never text of the answer's own
    :ivar again: asking again may help
    :ivar lost: nothing came that an agency would send
    :ivar gone: the agency says that it has no record
    """

    work: Work | None = None
    reason: str = ""
    again: bool = False
    lost: bool = False
    gone: bool = False


def read_work(doi: DOI, status: int, body: bytes) -> Reading:
    """Read an answer of Crossref, DataCite or content negotiation about ``doi``. Never raises.

    >>> read_work(DOI("10.1000/182"), 200, b'{"DOI": "10.1000/182", "title": "DOI Handbook"}').work
    Work(titles=('DOI Handbook',), ...)
    >>> read_work(DOI("10.1000/182"), 200, b"<html>").reason
    'HTTP 200 without a record'
    >>> read_work(DOI("10.1000/182"), 200, b'{"DOI": "10.1000/183", "title": "X"}').reason
    'the record is that of another name'
    """
    if status in _GONE:
        return Reading(reason="the agency has no record", gone=True)
    record = _json(body) if status == 200 else None
    if record is None:
        return Reading(
            reason=f"HTTP {status} without a record",
            again=status == 429 or status >= 500,
            lost=True,
        )
    names = set(_names(record))
    if names and doi not in names:
        return Reading(reason="the record is that of another name")
    work = Work.of(record)
    if not names or not work.is_known:
        return Reading(reason="the record says neither title nor author")
    return Reading(work)


def _json(body: bytes) -> Mapping[str, object] | None:
    # Deep nesting is a RecursionError, a number of a million digits a ValueError.
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _names(record: Mapping[str, object]) -> Iterable[DOI]:
    """The names that a record says it is about; Crossref lists those merged into one as aliases."""
    inside: object = record
    for wrapper in ("message", "data", "attributes"):
        inner = inside.get(wrapper) if isinstance(inside, Mapping) else None
        inside = inner if isinstance(inner, Mapping) else inside
    if not isinstance(inside, Mapping):
        return
    aliases = inside.get("aliases")
    for name in (inside.get("DOI"), inside.get("doi"), *(aliases if type(aliases) is list else ())):
        try:
            if isinstance(name, str):
                yield DOI.parse(name)
        except InvalidDOI:
            continue

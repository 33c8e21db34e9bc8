"""The work: what a registration agency says that a DOI name stands for.

Spec: the REST API of Crossref, the JSON:API of DataCite and CSL-JSON 1.0. All three are read by one
function, because agencies and their mirrors mix them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Self

from .clean import plain, texts
from .notices import Notice, Status, notices_of, status_of
from .people import family_names

__all__ = ["Work"]

_MOST_TITLES: Final = 6
# The day that a work was published; not the day that its DOI was registered (``created``).
_DATES: Final = ("issued", "published", "published-print", "published-online", "posted")
_DATACITE_DATES: Final = ("Issued", "Available", "Created", "Submitted", "Accepted")
_YEAR: Final = re.compile(r"(?<!\d)(1[4-9]\d\d|20\d\d)(?!\d)")

_NUMBER: Final = re.compile(r"[A-Za-z]?\d{1,12}")


@dataclass(frozen=True, slots=True)
class Work:
    """What a DOI name stands for.

    :ivar titles: the main title, then the same with its subtitle, then others
    :ivar names: family names and names of groups, as registered
    :ivar years: the years of publication, the first is that of issue
    :ivar type, container: ``""`` when unknown
    :ivar volume, page: of a journal, the first page; ``""`` when unknown
    :ivar status: what became of the work, or which kind of notice it is
    :ivar notices: what was published about it, the gravest first
    """

    titles: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    years: tuple[int, ...] = ()
    type: str = ""
    container: str = ""
    status: Status = Status.NONE
    notices: tuple[Notice, ...] = ()
    volume: str = ""
    page: str = ""

    @classmethod
    def of(cls, record: object) -> Self:
        """Read a record of an agency. Never raises: what cannot be read is left out.

        >>> Work.of({"title": ["DOI Handbook"], "author": [{"family": "Paskin"}],
        ...          "issued": {"date-parts": [[2000]]}, "type": "book"})
        Work(titles=('DOI Handbook',), names=('Paskin',), years=(2000,), type='book', ...)
        """
        fields = _fields(record)
        titles = tuple(dict.fromkeys(_titles(fields)))[:_MOST_TITLES]
        notices, is_notice = notices_of(fields)
        return cls(
            titles=titles,
            names=family_names(fields),
            years=tuple(dict.fromkeys(_years(fields))),
            type=_type(fields),
            container=_container(fields),
            status=status_of(titles[0] if titles else "", notices, is_notice),
            notices=notices,
            volume=_number(fields, "volume"),
            page=_number(fields, "page"),
        )

    @property
    def title(self) -> str:
        """The main title."""
        return self.titles[0] if self.titles else ""

    @property
    def is_known(self) -> bool:
        """The record says anything that a text can be compared with."""
        return bool(self.titles or self.names)


def _fields(record: object) -> Mapping[str, object]:
    """The mapping with the fields; each agency wraps it in its own way."""
    for wrapper in ("message", "data", "attributes"):
        inner = record.get(wrapper) if isinstance(record, Mapping) else None
        if isinstance(inner, Mapping):
            record = inner
    return record if isinstance(record, Mapping) else {}


def _titles(fields: Mapping[str, object]) -> Iterable[str]:
    main: list[str] = []
    below: list[str] = texts(fields.get("subtitle"))
    others: list[str] = []
    titles = fields.get("titles")
    for entry in titles[:20] if isinstance(titles, list) else ():  # DataCite
        if isinstance(entry, Mapping):
            kind = entry.get("titleType")
            into = below if kind == "Subtitle" else others if kind else main
            into += texts(entry.get("title"))
        else:
            main += texts(entry)
    main += texts(fields.get("title"))
    yield from main[:1]
    if main and below and below[0].casefold() not in main[0].casefold():
        yield f"{main[0].rstrip(':. ')}: {below[0]}"
    yield from main[1:]
    yield from others
    for field in ("original-title", "short-title", "title-short"):
        yield from texts(fields.get(field))


def _years(fields: Mapping[str, object]) -> Iterable[int]:
    yield from _year(fields.get("publicationYear"))
    for field in _DATES:
        yield from _year(fields.get(field))
    dates = fields.get("dates")
    for entry in dates[:20] if isinstance(dates, list) else ():
        if isinstance(entry, Mapping) and entry.get("dateType") in _DATACITE_DATES:
            yield from _year(entry.get("date"))


def _year(value: object) -> Iterable[int]:
    """The year of a date in any of its shapes: ``{"date-parts": [[2000, 1]]}``, "2000", 2000."""
    for _ in range(4):
        if isinstance(value, Mapping):
            parts = value.get("date-parts")
            value = parts or value.get("literal") or value.get("raw")
        elif isinstance(value, list):
            value = value[0] if value else None
    if type(value) is int:
        value = str(value) if 0 < value < 10_000 else ""
    found = _YEAR.search(value[:80]) if isinstance(value, str) else None
    return (int(found[0]),) if found else ()


def _type(fields: Mapping[str, object]) -> str:
    types = fields.get("types")
    general = types.get("resourceTypeGeneral") if isinstance(types, Mapping) else ""
    return (plain(fields.get("type")) if not general else plain(general))[:60]


def _container(fields: Mapping[str, object]) -> str:
    container = fields.get("container")
    named = plain(container.get("title")) if isinstance(container, Mapping) else ""
    return named or next(iter(texts(fields.get("container-title"))), "")


def _number(fields: Mapping[str, object], name: str) -> str:
    """The first number of a field. DataCite has it in the container, a page as ``firstPage``."""
    container = fields.get("container")
    inner = container if isinstance(container, Mapping) else {}
    for value in (fields.get(name), inner.get(name), inner.get(f"first{name.title()}")):
        text = str(value) if type(value) is int and 0 < value < 10**9 else plain(value)
        if found := _NUMBER.search(text):
            return found[0].lower().lstrip("0")
    return ""

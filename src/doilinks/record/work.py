"""The work: what a registration agency says that a DOI name stands for.

Spec: the REST API of Crossref, the JSON:API of DataCite and CSL-JSON 1.0. All three are read by one
function, because agencies and their mirrors mix them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, Self

from ..core.doi import DOI, InvalidDOI
from ..core.markup import unescape
from .kinds import Notice, Status

# --------------------------------------------------------------------------------------------------
# Text as agencies give it, made plain: no markup, no entities, no control characters, one line.
#
# Agencies hand on what publishers sent: JATS and MathML elements, HTML entities that were escaped
# twice, line breaks and indentation of the XML.

LONGEST: Final = 600
_MOST: Final = 40  # entries of a list
_READ: Final = 6_000  # more is not read at all: an answer may be made to cost time

_TAG: Final = re.compile(r"</?([A-Za-z][\w:.-]{0,40})(?:\s[^<>]*)?/?>")
# These stand inside a word, such as in H<sub>2</sub>O. Any other element ends a word.
_INSIDE: Final = re.compile(
    "(?:b|bold|em|i|inf|italic|sc|scp|span|strong|sub|sup|tt|u)", re.IGNORECASE
)


def plain(value: object) -> str:
    r"""Convert a value of a record to one line of plain characters; ``""`` if it is not text.

    >>> plain("On <jats:italic>Drosophila</jats:italic>&amp;amp; H<sub>2</sub>O\n   in vivo")
    'On Drosophila& H2O in vivo'
    >>> plain("p < 0.05\x1b[31m"), plain(None), plain(["A title"])
    ('p < 0.05[31m', '', '')
    """
    if not isinstance(value, str):
        return ""
    # Nearly all texts of a lock file are plain already, and it may have tens of thousands. A
    # pattern takes three times as long as these tests.
    if (
        len(value) <= LONGEST
        and value.isprintable()
        and not ("<" in value or "&" in value or "  " in value)
        and value == value.strip()
    ):
        return value
    text = value[:_READ]
    if "<" in text or "&" in text:
        for _ in range(2):
            text = unescape(_TAG.sub(_between, text))
        text = _TAG.sub(_between, text)
    if not text.isprintable():
        text = " ".join(text.split())
        text = "".join(character for character in text if character.isprintable())
    return " ".join(text.split())[:LONGEST].rstrip()


def texts(value: object) -> list[str]:
    """Return the texts of a field that one agency gives as a string and another as a list."""
    values = value[:_MOST] if isinstance(value, list) else [value]
    return [text for text in map(plain, values) if text]


def _between(tag: re.Match[str]) -> str:
    return "" if _INSIDE.fullmatch(tag[1].rpartition(":")[2]) else " "


# --------------------------------------------------------------------------------------------------
# Who made a work: family names, as agencies give them.

# Some records list thousands of people. Styles that print all of twenty are many, of more few.
_FIRST: Final = 20
COMPARED: Final = 10  # with the last one enough to recognise a reference by


class Person(NamedTuple):
    """Somebody who made a work.

    :ivar family: a family name, or the whole name of a group
    :ivar given: ``""`` when unknown; None for a group, and for a name that has no known parts
    """

    family: str
    given: str | None = None


def people_of(record: Mapping[str, object]) -> tuple[tuple[Person, ...], str, int]:
    """Return the first twenty people and the last, their role and the total. Prefer authors."""
    for role in ("author", "creators", "editor"):
        every = record.get(role)
        every = every if isinstance(every, list) else [every] if every else []
        short = every if len(every) <= _FIRST else [*every[:_FIRST], every[-1]]
        people = tuple(each for each in map(_person, short) if each.family)
        if people:
            return people, "editor" if role == "editor" else "author", len(every)
    return (), "author", 0


def names_of(people: Sequence[Person]) -> tuple[str, ...]:
    """Return the family names and names of groups to compare with a text, each once."""
    short = (*people[:COMPARED], *people[COMPARED:][-1:])
    return tuple(dict.fromkeys(person.family for person in short))


def _person(person: object) -> Person:
    """One person: CSL and Crossref ``family`` and ``given``, DataCite ``familyName``."""
    if not isinstance(person, Mapping):
        return _parted(plain(person))
    family = plain(person.get("family")) or plain(person.get("familyName"))
    if family:
        particle = plain(person.get("non-dropping-particle"))
        given = plain(person.get("given")) or plain(person.get("givenName"))
        return Person(f"{particle} {family}" if particle else family, given)
    name = plain(person.get("name")) or plain(person.get("literal"))
    return Person(name) if person.get("nameType") == "Organizational" else _parted(name)


def _parted(name: str) -> Person:
    """Split a personal name at its comma [DataCite 4.6, creatorName].

    A heuristic: the names of groups contain commas too, but more than one word before the first.
    """
    before, comma, after = name.partition(",")
    is_personal = comma and len(before.split()) <= 3
    return Person(before.strip(), after.strip()) if is_personal else Person(name)


# --------------------------------------------------------------------------------------------------
# Notices: what was published about a work after it, such as a retraction.
#
# Crossref lists the notices of a work in ``updated-by`` of the work. In ``update-to`` a notice
# lists the works that it is about, and a few publishers list a work in its own ``update-to``. Both
# fields may contain a notice twice, from the publisher and from Retraction Watch.


_GRAVITY: Final = (Status.RETRACTED, Status.CONCERN, Status.CORRECTED)
_MOST_NOTICES: Final = 20


def notices_of(record: Mapping[str, object]) -> tuple[tuple[Notice, ...], Status]:
    """Read the notices about a work, gravest and latest first, and its status as a notice."""
    own = doi_in(record.get("DOI"))
    about: list[Notice] = _read(record.get("updated-by"))
    is_notice = Status.NONE
    for update in _read(record.get("update-to")):
        if update.doi is None or update.doi == own:
            about.append(Notice(update.kind, update.date))
        elif update.status is Status.RETRACTED:
            is_notice = Status.RETRACTION_NOTICE
        elif is_notice is Status.NONE and update.status:
            is_notice = Status.CORRECTION_NOTICE
    known = [notice for notice in about if notice.status]
    known.sort(key=lambda notice: notice.date, reverse=True)
    known.sort(key=lambda notice: _GRAVITY.index(notice.status))
    return tuple(dict.fromkeys(known)), is_notice


def _read(value: object) -> list[Notice]:
    found = []
    for entry in value[:_MOST_NOTICES] if isinstance(value, list) else ():
        if isinstance(entry, Mapping):
            date = "-".join(f"{number:02d}" for number in _date(entry.get("updated")))
            doi = doi_in(entry.get("DOI"))
            every = [Notice(_kind(entry.get(name)), date, doi) for name in ("type", "label")]
            # The label says more than the type when it is graver.
            is_partial = every[0].kind.startswith("partial")
            if every[1].status is Status.RETRACTED and not is_partial:
                every.reverse()
            found.append(every[0])
    return found


def _kind(value: object) -> str:
    """Convert a type to Crossref's spelling, as far as messages depend on it."""
    kind = re.sub(r"[\s_]+", "-", plain(value).lower())
    return {"withdrawn": "withdrawal", "removed": "removal"}.get(kind, kind)


def doi_in(value: object) -> DOI | None:
    """Parse a value as a DOI name; None if it is not one."""
    try:
        return DOI.parse(value) if isinstance(value, str) else None
    except InvalidDOI:
        return None


class Newer(NamedTuple):
    """What is newer than a work.

    :ivar kind: ``published``, the article of a preprint; ``version``, a version or all of them
    :ivar doi: its name
    :ivar version: the number of this version among ``versions``; 0 when unknown
    :ivar versions: how many there are; then ``doi`` stands for all of them
    """

    kind: str
    doi: DOI
    version: int = 0
    versions: int = 0


_MOST_TITLES: Final = 6
# The day that a work was published; not the day that its DOI was registered (``created``).
_DATES: Final = ("issued", "published", "published-print", "published-online", "posted")
_DATACITE_DATES: Final = ("Issued", "Available", "Created", "Submitted", "Accepted")
_DATE: Final = re.compile(
    r"(?<!\d)(1[4-9]\d\d|20\d\d)(?!\d)"
    r"(?:-(0?[1-9]|1[0-2])(?!\d)(?:-(0?[1-9]|[12]\d|3[01])(?!\d))?)?"
)

_NUMBER: Final = re.compile(r"[A-Za-z]?\d{1,12}")


@dataclass(frozen=True, slots=True)
class Work:
    """What a DOI name stands for.

    :ivar titles: the main title, then the same with its subtitle, then others
    :ivar names: family names and names of groups, of the first ten people and the last
    :ivar years: the years of publication, the first is that of issue
    :ivar month, day: of issue, in the first of the years; 0 when unknown
    :ivar type, container: ``""`` when unknown
    :ivar volume, issue, page, publisher, version: as registered; ``""`` when unknown
    :ivar short: the abbreviation of the container, as registered
    :ivar people: the first twenty and the last; none in a record that has only names
    :ivar role: of the people: ``author`` or ``editor``
    :ivar count: how many people there are, with those left out
    :ivar relations: to other works, as the agency spells them; not in the lock file
    :ivar newer: the newer work, if there is one
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
    issue: str = ""
    page: str = ""
    publisher: str = ""
    people: tuple[Person, ...] = ()
    role: str = "author"
    count: int = 0
    relations: tuple[tuple[str, DOI], ...] = ()
    newer: Newer | None = None
    month: int = 0
    day: int = 0
    version: str = ""
    short: str = ""

    @classmethod
    def of(cls, record: object) -> Self:
        """Read a record of an agency. Never raises: what cannot be read is left out.

        >>> Work.of({"title": ["DOI Handbook"], "author": [{"family": "Paskin"}],
        ...          "issued": {"date-parts": [[2000]]}, "type": "book"})
        Work(titles=('DOI Handbook',), names=('Paskin',), years=(2000,), type='book', ...)
        """
        from .labels import status_of  # only a record of an agency needs it

        fields = fields_of(record)
        types, container, publisher = (
            _inner(fields, name) for name in ("types", "container", "publisher")
        )
        titles = tuple(dict.fromkeys(_titles(fields)))[:_MOST_TITLES]
        notices, is_notice = notices_of(fields)
        people, role, count = people_of(fields)
        years, month, day = _issued(fields)
        return cls(
            titles=titles,
            names=names_of(people),
            years=years,
            type=(plain(types.get("resourceTypeGeneral")) or plain(fields.get("type")))[:60],
            container=plain(container.get("title"))
            or next(iter(texts(fields.get("container-title"))), ""),
            status=status_of(titles[0] if titles else "", notices, is_notice),
            notices=notices,
            volume=_numbered(fields, "volume"),
            issue=_numbered(fields, "issue"),
            page=_numbered(fields, "page"),
            publisher=plain(publisher.get("name")) or plain(fields.get("publisher")),
            people=people,
            role=role,
            count=count,
            month=month,
            day=day,
            version=_text(fields.get("version")),
            short=next(iter(texts(fields.get("short-container-title"))), ""),
        )

    @property
    def title(self) -> str:
        """The main title."""
        return self.titles[0] if self.titles else ""

    @property
    def numbers(self) -> tuple[str, str]:
        """The numbers of volume and first page, as a text has them."""
        return _number(self.volume), _number(self.page)

    def renewed(self, now: Work) -> Work:
        """Return the kept work with the current status, notices and newer work.

        One that an early version kept, without the month, given names or some people, gets them.
        """
        kept = replace(self, status=now.status, notices=now.notices, newer=now.newer)
        is_same = self.names == now.names and self.count == now.count
        if is_same and len(self.people) < len(now.people):
            kept = replace(kept, people=now.people)
        if not self.people and now.names and set(now.names) <= set(self.names):
            kept = replace(now, titles=self.titles, years=self.years)
            kept = replace(kept, month=self.month, day=self.day)
        if not self.month and self.years[:1] == now.years[:1]:
            kept = replace(kept, month=now.month, day=now.day)
        return replace(kept, version=self.version or now.version)

    @property
    def is_known(self) -> bool:
        """The record says anything that a text can be compared with."""
        return bool(self.titles or self.names)


def fields_of(record: object) -> Mapping[str, object]:
    """Return the mapping with the fields of a record, which each agency wraps in its own way."""
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


def _issued(fields: Mapping[str, object]) -> tuple[tuple[int, ...], int, int]:
    """Return the years of publication, and the month and day of issue, which is in the first.

    DataCite has the year of issue in a field of its own, and the whole date in a list.
    """
    dates = fields.get("dates")
    listed = {
        kind: _date(entry.get("date"))
        for entry in (dates[19::-1] if isinstance(dates, list) else ())  # the first one stays
        if isinstance(entry, Mapping) and (kind := entry.get("dateType")) in _DATACITE_DATES
    }
    every = [_date(fields.get(name)) for name in ("publicationYear", *_DATES)]
    years = tuple(dict.fromkeys(each[0] for each in (*every, *listed.values()) if each))
    issued = [each for each in (every[1], listed.get("Issued", ())) if each[:1] == years[:1]]
    month, day = (*max(issued, key=len, default=()), 0, 0, 0)[1:3]
    return years, month, day


def _date(value: object) -> tuple[int, ...]:
    """Year, month and day, as far as they are known, of a date in any of its shapes."""
    for _ in range(4):
        if isinstance(value, Mapping):
            parts = value.get("date-parts")
            value = parts or value.get("literal") or value.get("raw")
        elif isinstance(value, list) and value and isinstance(value[0], int | str):
            value = "-".join(map(_text, value[:3]))
        elif isinstance(value, list):
            value = value[0] if value else None
    found = _DATE.search(_text(value))
    return tuple(int(part) for part in found.groups() if part) if found else ()


def _inner(fields: Mapping[str, object], name: str) -> Mapping[str, object]:
    inner = fields.get(name)
    return inner if isinstance(inner, Mapping) else {}


def _numbered(fields: Mapping[str, object], name: str) -> str:
    """Find a field, with a number if possible. DataCite has it in the container, pages as two."""
    inner = _inner(fields, "container")
    first, last = _text(inner.get(f"first{name.title()}")), _text(inner.get(f"last{name.title()}"))
    pages = f"{first}-{last}" if first and last else first
    every = [_text(fields.get(name)), _text(inner.get(name)), pages]
    return next((text for text in every if _number(text)), next(filter(None, every), ""))


def _text(value: object) -> str:
    return str(value) if type(value) is int and 0 < value < 10**9 else plain(value)


def _number(text: str) -> str:
    """Return the first number of a text, such as "97" in "Vol. 097"."""
    found = _NUMBER.search(text)
    return found[0].lower().lstrip("0") if found else ""

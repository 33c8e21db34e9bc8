"""The work: what a registration agency says that a DOI name stands for.

Spec: the REST API of Crossref, the JSON:API of DataCite and CSL-JSON 1.0. All three are read by one
function, because agencies and their mirrors mix them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, Self

from ..core.doi import DOI, InvalidDOI
from .kinds import ARTICLES, Notice, Status, csl_type
from .person import Person, names_of
from .plain import inner_of, mappings, plain, texts

_GRAVITY: Final = (Status.RETRACTED, Status.CONCERN, Status.CORRECTED)
_MOST: Final = 20  # entries of a list


def notices_of(record: Mapping[str, object]) -> tuple[tuple[Notice, ...], Status]:
    """Read the notices about a work, gravest and latest first, and its status as a notice.

    Crossref lists the notices of a work in ``updated-by`` of the work. In ``update-to`` a notice
    lists the works that it is about, and a few publishers list a work in its own ``update-to``.
    Both fields may contain a notice twice, from the publisher and from Retraction Watch.
    """
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
    notices = []
    for entry in mappings(value, _MOST):
        date = "-".join(f"{number:02d}" for number in _date(entry.get("updated")))
        doi = doi_in(entry.get("DOI"))
        by_type, by_label = (
            Notice(_kind(entry.get(name)), date, doi) for name in ("type", "label")
        )
        # The label says more than the type when it is graver.
        is_graver = by_label.status is Status.RETRACTED and not by_type.kind.startswith("partial")
        notices.append(by_label if is_graver else by_type)
    return notices


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
# Theses and standards have only the day of approval.
_DATES: Final = ("issued", "published", "published-print", "published-online", "posted", "approved")
_DATACITE_DATES: Final = ("Issued", "Available", "Created", "Submitted", "Accepted")
# A year, with month and day if they are there.
_DATE: Final = re.compile(
    r"(?<!\d)(1[4-9]\d\d|20\d\d)(?!\d)"
    r"(?:-(0?[1-9]|1[0-2])(?!\d)(?:-(0?[1-9]|[12]\d|3[01])(?!\d))?)?"
)

# CSL has these in ``status`` too.
_STATES: Final = frozenset({"in press", "forthcoming", "submitted", "in preparation"})
_LONGEST_DATE: Final = 30

# The digits of a volume or a page, with a letter before them.
_NUMBER: Final = re.compile(r"[A-Za-z]?\d{1,12}")
# What earlier versions did not keep, so that the works of their lock files get it.
_LATER: Final = (
    "version", "article", "edition", "series", "place", "language", "editors", "translators",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Work:
    """What a DOI name stands for.

    :ivar titles: the main title, then the same with its subtitle, then others
    :ivar names: family names and names of groups, of the first ten people and the last
    :ivar years: the years of publication, the first is that of issue
    :ivar dated: without a year, what stands in its place, such as "in press"; not in the lock file
    :ivar month, day: of issue, in the first of the years; 0 when unknown
    :ivar type, container: ``""`` when unknown
    :ivar volume, issue, page, publisher, version: as registered; ``""`` when unknown
    :ivar short: the abbreviation of the container, as registered
    :ivar article: the number of an article that has it in the place of pages
    :ivar edition: from the second on
    :ivar series: of the book that this is, or that this is a part of
    :ivar place: of the publisher
    :ivar language: of the titles, a tag of BCP 47
    :ivar editors, translators: beside the people, the first ones
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
    article: str = ""
    edition: str = ""
    series: str = ""
    place: str = ""
    language: str = ""
    editors: tuple[Person, ...] = ()
    translators: tuple[Person, ...] = ()
    dated: str = ""
    short: str = ""

    @classmethod
    def of(cls, record: object) -> Self:
        """Read a record of an agency. Never raises: what cannot be read is left out.

        >>> Work.of({"title": ["DOI Handbook"], "author": [{"family": "Paskin"}],
        ...          "issued": {"date-parts": [[2000]]}, "type": "book"})
        Work(titles=('DOI Handbook',), names=('Paskin',), years=(2000,), type='book', ...)
        """
        # Only a record of an agency needs these.
        from .labels import status_of
        from .people import beside, people_of
        from .values import edition_in, language_in, pages_in, places_of, publisher_of, type_of

        fields = fields_of(record)
        titles = tuple(dict.fromkeys(_titles(fields)))[:_MOST_TITLES]
        notices, is_notice = notices_of(fields)
        people, role, count = people_of(fields)
        years, month, day = _issued(fields)
        kind = csl_type(registered := type_of(fields))
        editors = beside(fields, "editor", kind) if role == "author" else ()
        if not people and editors:  # of DataCite
            people, role, count, editors = editors, "editor", len(editors), ()
        container, series = places_of(fields, kind)
        page, article = (pages_in(_numbered(fields, name)) for name in ("page", "article-number"))
        article = article or (_text(fields.get("number")) if kind in ARTICLES else "")
        return cls(
            titles=titles,
            names=names_of(people),
            years=years,
            type=registered,
            container=container,
            status=status_of(titles[0] if titles else "", notices, is_notice),
            notices=notices,
            volume=_numbered(fields, "volume"),
            issue=_numbered(fields, "issue"),
            page=page,
            publisher=publisher_of(fields, kind),
            people=people,
            role=role,
            count=count,
            month=month,
            day=day,
            version=_text(fields.get("version")),
            article="" if article == page else article,
            edition=edition_in(_first(fields, "edition-number", "edition")),
            series="" if series in titles else series,
            place=_first(fields, "publisher-location", "publisher-place"),
            language=language_in(_text(fields.get("language"))),
            editors=editors,
            translators=beside(fields, "translator", kind),
            dated="" if years else _dated(fields),
            short=next(iter(texts(fields.get("short-container-title"))), ""),
        )

    @property
    def title(self) -> str:
        """The main title."""
        return self.titles[0] if self.titles else ""

    @property
    def whole_title(self) -> str:
        """The main title with its subtitle."""
        begin = f"{self.title.rstrip(':. ')}: "
        return next((each for each in self.titles[1:2] if each.startswith(begin)), self.title)

    @property
    def persons(self) -> tuple[Person, ...]:
        """The people; family names alone where an early version kept no more."""
        return self.people or tuple(Person(name, "") for name in self.names)

    @property
    def pages(self) -> str:
        """The pages, or the number that stands for them."""
        return self.page or self.article

    @property
    def numbers(self) -> tuple[str, str]:
        """The numbers of volume and first page, as a text has them."""
        return _number(self.volume), _number(self.pages)

    def renewed(self, now: Work) -> Work:
        """Return the kept work with the current status, notices and newer work.

        The month, people and other fields that an early version did not keep are added.
        """
        work = replace(self, status=now.status, notices=now.notices, newer=now.newer)
        is_same = self.names == now.names and self.count == now.count
        if is_same and len(self.people) < len(now.people):
            work = replace(work, people=now.people)
        if not self.people and now.names and set(now.names) <= set(self.names):
            work = replace(now, titles=self.titles, years=self.years)
            work = replace(work, month=self.month, day=self.day)
        if not self.month and self.years[:1] == now.years[:1]:
            work = replace(work, month=now.month, day=now.day)
        if now.series and work.container == now.series:  # an early version took it for the book
            work = replace(work, container=now.container)
        if is_same and any(each.suffix for each in now.people):
            work = replace(work, people=now.people)
        work = replace(work, type=now.type if work.type == "Text" else work.type)  # of DataCite
        return replace(work, **{name: getattr(work, name) or getattr(now, name) for name in _LATER})

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
    from .values import is_code, is_nothing

    main: list[str] = []
    below: list[str] = texts(fields.get("subtitle"))
    others: list[str] = []
    titles = fields.get("titles")
    for entry in titles[:_MOST] if isinstance(titles, list) else [titles]:  # DataCite
        if isinstance(entry, Mapping):
            kind = entry.get("titleType")
            into = below if kind == "Subtitle" else others if kind else main
            into += texts(entry.get("title"))
        else:
            main += texts(entry)
    main += texts(fields.get("title"))
    main = [title for title in main if not is_code(title)]
    yield from main[:1]
    below = [title.lstrip(": ") for title in below if not is_nothing(title)]
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
    listed = {
        kind: _date(entry.get("date"))
        for entry in reversed(mappings(fields.get("dates"), _MOST))  # the first one stays
        if (kind := entry.get("dateType")) in _DATACITE_DATES
    }
    # Journals are cited by the year of the volume, which is that of print.
    first = ("published-print",) if _numbered(fields, "volume") else ()
    every = [_date(fields.get(name)) for name in ("publicationYear", *first, *_DATES)]
    years = tuple(dict.fromkeys(each[0] for each in (*every, *listed.values()) if each))
    days = (*every[1 : 2 + len(first)], listed.get("Issued", ()))
    issued = [each for each in days if each[:1] == years[:1]]
    month, day = (*max(issued, key=len, default=()), 0, 0, 0)[1:3]
    return years, month, day


def _dated(fields: Mapping[str, object]) -> str:
    """Return what an author has written in the place of a year."""
    issued, status = inner_of(fields, "issued"), _text(fields.get("status"))
    texts_of = (_text(issued.get("literal")), _text(issued.get("raw")), _text(fields.get("issued")))
    said = next(filter(None, texts_of), status if status.lower() in _STATES else "")
    return said.strip("()[] ")[:_LONGEST_DATE]


def _date(value: object) -> tuple[int, ...]:
    """Return year, month and day, as far as they are known, of a date in any of its shapes."""
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


def _numbered(fields: Mapping[str, object], name: str) -> str:
    """Find a field, with a number if possible. DataCite has it in the container, pages as two."""
    from .values import NO_NUMBER

    inner = inner_of(fields, "container")
    first, last = _text(inner.get(f"first{name.title()}")), _text(inner.get(f"last{name.title()}"))
    pages = f"{first}-{last}" if first and last else first
    every = [_text(fields.get(name)), _text(inner.get(name)), pages]
    every = [text for text in every if text and not NO_NUMBER.fullmatch(text)]
    return next((text for text in every if _number(text)), next(iter(every), ""))


def _text(value: object) -> str:
    from .values import is_nothing

    text = str(value) if type(value) is int and 0 < value < 10**9 else plain(value)
    return "" if is_nothing(text) else text


def _first(fields: Mapping[str, object], *names: str) -> str:
    return next(filter(None, (_text(fields.get(name)) for name in names)), "")


def _number(text: str) -> str:
    """Return the first number of a text, such as "97" in "Vol. 097"."""
    found = _NUMBER.search(text)
    return found[0].lower().lstrip("0") if found else ""

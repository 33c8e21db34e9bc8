"""Works in the lock file: what each name stands for, one line a name, so that reviews see it.

::

    "works": {
      "doi:10.1000/182": {"fetched": "2026-11-20", "title": "DOI Handbook", "names": ["Paskin"],
                          "year": 2000, "container": "", "type": "book"}
    }

``volume`` and ``page`` are there if they are known; ``titles`` and ``years`` have more than one;
``status``, ``notice`` (the notice's URI), ``kind`` and ``date`` are there if there is a notice.
What a person or another program wrote is read as leniently as an agency's record; an entry that
says nothing is asked for again. What this version does not know stays in the file as it is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from ..core.doi import DOI, InvalidDOI
from ..works import Notice, Status, Work
from ..works.clean import plain, texts
from .entries import key_of, name_of

__all__ = ["KeptWork", "agencies_in", "merged", "names_in", "spell_work", "works_in"]

_KNOWN: Final = {
    *("fetched", "title", "titles", "names", "year", "years", "container", "type"),
    *("volume", "page"),
    *("status", "kind", "date", "notice"),
}


@dataclass(frozen=True, slots=True)
class KeptWork:
    """A kept work.

    :ivar fetched: the day of the agency's answer
    """

    fetched: date
    work: Work


def works_in(section: object) -> dict[DOI, KeptWork]:
    """The works of a section of a lock file. Never raises: what cannot be read is left out."""
    works = {}
    for name, entry in section.items() if isinstance(section, dict) else ():
        try:
            kept = _read(entry) if isinstance(entry, dict) else None
            if kept is not None:
                works[DOI.parse(name)] = kept
        except (InvalidDOI, ValueError, TypeError):
            continue
    return works


def names_in(section: object) -> dict[str, DOI]:
    """The keys of a section of a lock file that are names, with these names."""
    names = {}
    for key in section if isinstance(section, dict) else ():
        with suppress(InvalidDOI):
            names[key] = name_of(key)
    return names


def merged(
    section: object, learnt: Mapping[DOI, KeptWork], gone: Collection[DOI]
) -> dict[str, Any]:
    """A section of a lock file with what was learnt; everything else in it stays as it is.

    :param gone: the names that are taken out
    """
    kept = dict(section) if isinstance(section, dict) else {}
    more: dict[DOI, dict[str, Any]] = {}
    for key, doi in names_in(section).items():
        if doi in learnt or doi in gone:
            old = kept.pop(key)
            if isinstance(old, dict):
                unknown = {name: value for name, value in old.items() if name not in _KNOWN}
                more[doi] = more.get(doi, {}) | unknown
    for doi, work in learnt.items():
        kept[key_of(doi)] = spell_work(work) | more.get(doi, {})
    return kept


def agencies_in(section: object) -> dict[str, str]:
    """The agencies of prefixes."""
    if not isinstance(section, dict):
        return {}
    return {name: agency for name, agency in section.items() if isinstance(agency, str)}


def _read(entry: Mapping[str, Any]) -> KeptWork | None:
    titles = dict.fromkeys([*texts(entry.get("title")), *texts(entry.get("titles"))])
    names = texts(entry.get("names"))
    if not titles and not names:
        return None
    years = [entry.get("year"), *_list(entry.get("years"))]
    status = entry.get("status")
    known = Status(status) if status in list(Status) else Status.NONE
    notices: tuple[Notice, ...] = ()
    if known and "kind" in entry:
        notice = entry.get("notice")
        doi = DOI.parse(notice) if isinstance(notice, str) else None
        notices = (Notice(plain(entry["kind"]), plain(entry.get("date")), doi),)
    work = Work(
        titles=tuple(titles),
        names=tuple(names),
        years=tuple(dict.fromkeys(year for year in years if type(year) is int)),
        type=plain(entry.get("type")),
        container=plain(entry.get("container")),
        status=known,
        notices=notices,
        volume=plain(entry.get("volume")),
        page=plain(entry.get("page")),
    )
    return KeptWork(date.fromisoformat(entry["fetched"]), work) if "fetched" in entry else None


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def spell_work(kept: KeptWork) -> dict[str, Any]:
    """The entry of a work."""
    work = kept.work
    entry: dict[str, Any] = {
        "fetched": kept.fetched.isoformat(),
        "title": work.title,
        "names": list(work.names),
    }
    if work.years:
        entry["year"] = work.years[0]
    entry |= {"container": work.container, "type": work.type}
    entry |= {"volume": work.volume} if work.volume else {}
    entry |= {"page": work.page} if work.page else {}
    if len(work.titles) > 1:
        entry["titles"] = list(work.titles[1:])
    if len(work.years) > 1:
        entry["years"] = list(work.years[1:])
    if work.status:
        entry["status"] = str(work.status)
    for notice in work.notices[:1]:
        entry["kind"] = notice.kind
        if notice.date:
            entry["date"] = notice.date
        if notice.doi is not None:
            entry["notice"] = notice.doi.uri
    return entry

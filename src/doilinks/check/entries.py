"""The text of a lock file: entries read and written, one name a line.

Names are in URI form, ASCII letters folded to lower case. Members that this version does not know,
beside ``found`` or within an entry, are kept as they are. Two members of one name, as a merge may
leave them, are damage: one of them would be lost (RFC 8259 §4).

Works in the lock file: what each name stands for, one line a name, so that reviews see it.

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

import json
import math
import re
import string
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from ..core.doi import DOI, InvalidDOI, decode_name
from ..core.work import Notice, Status, Work, plain, texts

__all__ = [
    "NEWER",
    "Damaged",
    "Kept",
    "KeptWork",
    "agencies_in",
    "key_of",
    "merged",
    "name_of",
    "names_in",
    "parse",
    "spell",
    "spell_work",
    "works_in",
]


_VERSION: Final = 1
NEWER: Final = "was written by a newer doilinks"
_FOLD: Final = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_CONFLICT: Final = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")
# Numbers that Python reads although RFC 8259 §6 does not allow them.
_TOKEN: Final = re.compile(r'(?P<text>"(?:[^"\\]|\\.)*")(?P<names>\s*:)?|[{}\[\]]', re.DOTALL)
_NO_NUMBER: Final = re.compile(r"(?<=[:,\[\s])-?(?:NaN|Infinity)\b|\d[eE]\+?\d{3,}")


class Damaged(ValueError):
    """The text of a file that is not a lock file.

    :ivar line: the line, counted from 1
    :ivar reason: what is wrong, a phrase
    """

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(line, reason)
        self.line, self.reason = line, reason


@dataclass(frozen=True, slots=True)
class Kept:
    """A kept answer: the name was found.

    :ivar checked: the day of the answer
    :ivar alias: the name that it stands for
    :ivar more: members of the entry that this version does not know
    """

    checked: date
    alias: DOI | None = None
    more: Mapping[str, Any] = field(default_factory=dict)


def parse(octets: bytes) -> tuple[dict[DOI, Kept], dict[str, Any]]:
    """The entries, and the other members.

    :raises Damaged: if this is not a lock file
    """
    document = _document(octets)
    found = document.pop("found", None) if isinstance(document, dict) else None
    if not isinstance(document, dict) or not isinstance(found, dict):
        raise Damaged(1, 'no object with a member "found"')
    version = document.pop("version", None)
    if version != _VERSION:
        newer = isinstance(version, int) and version > _VERSION
        reason = f"version {json.dumps(version)[:20]}, this doilinks reads version {_VERSION}"
        raise Damaged(1, NEWER if newer else reason)
    kept: dict[DOI, Kept] = {}
    for name, entry in found.items():
        try:
            doi, answer = name_of(name), _entry(entry)
        except (InvalidDOI, ValueError, TypeError, KeyError):
            text = octets.decode("utf-8")
            line = text[: max(text.find(json.dumps(name)), 0)].count("\n") + 1
            reason = 'not an entry like "doi:10.1000/182": {"checked": "2026-11-20"}'
            raise Damaged(line, reason) from None
        # The same name twice, in two cases of its letters, is an edit by hand.
        if kept.setdefault(doi, answer).checked < answer.checked:
            kept[doi] = answer
    return kept, document


def _document(octets: bytes) -> Any:
    try:
        text = octets.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Damaged(octets.count(b"\n", 0, error.start) + 1, "not UTF-8") from None
    try:
        return json.loads(
            text, parse_constant=_refuse, parse_float=_finite, object_pairs_hook=_members
        )
    except _TwiceError as error:
        words = f"{json.dumps(error.name)[:80]} stands there twice, perhaps after a merge"
        raise Damaged(_line_of_second(text), words) from None
    except json.JSONDecodeError as error:
        for number, content in enumerate(text.split("\n"), 1):
            if content.startswith(_CONFLICT):
                raise Damaged(number, "a merge conflict") from None
        raise Damaged(error.lineno, error.msg) from None
    except OverflowError:
        found = _NO_NUMBER.search(text)
        line = text.count("\n", 0, found.start() if found else 0) + 1
        raise Damaged(line, "a number that JSON does not have") from None
    except (ValueError, RecursionError):
        raise Damaged(1, "not a document of this kind") from None


def _refuse(constant: str) -> float:
    raise OverflowError(constant)


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):  # it would be written as Infinity
        raise OverflowError(text)
    return number


class _TwiceError(Exception):
    """An object has two members of one name."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        [(name, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise _TwiceError(name)
    return members


def _line_of_second(text: str) -> int:
    """The line of the first name that its object already has. The text is JSON."""
    names: list[set[str]] = []
    for token in _TOKEN.finditer(text):
        if token[0] in "{[":
            names.append(set())
        elif token[0] in "}]":
            names.pop()
        elif token["names"]:
            name = json.loads(token["text"])
            if name in names[-1]:
                return text.count("\n", 0, token.start()) + 1
            names[-1].add(name)
    return 1


def name_of(name: str) -> DOI:
    """The name that a key stands for.

    :raises InvalidDOI: if it is not a name
    """
    # A shortcut for names as this module writes them; people may write other forms.
    if name.startswith("doi:10"):
        return DOI(decode_name(name.removeprefix("doi:")))
    return DOI.parse(name)


def _entry(entry: Any) -> Kept:
    more = dict(entry)
    checked = date.fromisoformat(more.pop("checked"))
    alias = more.pop("alias", None)
    if not (alias is None or isinstance(alias, str)):
        raise TypeError
    return Kept(checked, None if alias is None else DOI.parse(alias), more)


def spell(
    kept: Mapping[DOI, Kept],
    rest: Mapping[str, Any],
    works: Mapping[str, Any] | None = None,
) -> str:
    """The text of a lock file with these entries, other members, and works.

    >>> print(spell({DOI("10.1000/A#b"): Kept(date(2026, 11, 20))}, {}), end="")
    {
      "version": 1,
      "found": {
        "doi:10.1000/a%23b": {"checked": "2026-11-20"}
      }
    }
    """
    members = [f'"version": {_VERSION}']
    members += [f"{_json(name)}: {_json(value)}" for name, value in sorted(rest.items())]
    members.append(_section("found", (_line(doi, answer) for doi, answer in kept.items())))
    if works:
        lines = (f"{_json(name)}: {_json(entry)}" for name, entry in works.items())
        members.append(_section("works", lines))
    return "{\n" + ",\n".join(f"  {member}" for member in members) + "\n}\n"


def _section(name: str, lines: Iterable[str]) -> str:
    body = ",\n".join(f"    {line}" for line in sorted(lines))
    return f'"{name}": {{\n{body}\n  }}' if body else f'"{name}": {{}}'


def key_of(doi: DOI) -> str:
    """A name as the key of its line."""
    return DOI(doi.name.translate(_FOLD)).uri


def _line(doi: DOI, kept: Kept) -> str:
    entry: dict[str, Any] = {"checked": kept.checked.isoformat()}
    if kept.alias is not None:
        entry["alias"] = kept.alias.uri
    return f"{_json(key_of(doi))}: {_json(entry | dict(kept.more))}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=True)


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

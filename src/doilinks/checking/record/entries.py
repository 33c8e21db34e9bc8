"""The text of a lock file: read, written for reviews, and two of them merged.

Names are in URI form, ASCII letters folded to lower case. Members that this version does not know,
beside ``found`` or within an entry, are kept as they are. Two members of one name, as a merge may
leave them, are damage: one of them would be lost (RFC 8259 §4).

A name has one line in ``found`` and one in ``works``, a prefix has one in ``agencies``. Text is
readable; only what a review would not show is escaped. An entry says nothing that is unknown::

    "doi:10.1000/182": {"fetched": "2026-11-20", "type": "book", "title": "DOI Handbook",
                        "author": [["Paskin", "Norman"], ["A Group"]], "year": 2000}

``month`` and ``day`` belong to the year. ``container volume issue page publisher version`` are as
registered. ``author`` or ``editor`` are the first
ten people and the last, with ``people``, the number of all if there are more. ``titles`` and
``years`` are further ones, and ``status kind date notice`` what became of the work. ``newer`` is
the article of a preprint, ``{"published": "doi:…"}``, or the name of all versions, ``{"version":
"doi:…", "number": 3, "of": 9}``. An entry of the old form has ``names``, family names alone. What a
person or another program wrote is read as leniently as an agency's record; an entry that says
nothing is asked for again.

``suggested`` says which works fit the text of a reference, by the hash of what was sent of it, the
likeliest first; without ``fits`` there is none, so that the same text is not sent again::

    "1f0e3dad99908345": {"asked": "2026-11-20", "fits": ["doi:10.1000/182"]}

``renewed`` says on which day all names were found again, or all works asked for again. So a
renewal is a change of one line. An entry with ``"renewed": false`` was not among them.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping
from datetime import date
from shlex import quote
from typing import Any, Final, NamedTuple

from ...core.doi import DOI, InvalidDOI, uri_form
from .work import Newer, Notice, Person, Status, Work, names_of, plain, texts

Document = dict[str, Any]

_VERSION: Final = 1
FOUND, WORKS, AGENCIES, RENEWED = "found", "works", "agencies", "renewed"
SUGGESTED: Final = "suggested"
# The day of an entry, by section; and the sections in which answers come of age.
DATES: Final = {FOUND: "checked", WORKS: "fetched", SUGGESTED: "asked"}
AGEING: Final = (FOUND, WORKS)
CONFLICT: Final = "a merge conflict"
NEWER: Final = "was written by a newer doilinks"
_MARKERS: Final = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")
# Numbers that Python reads although RFC 8259 §6 does not allow them.
_TOKEN: Final = re.compile(r'(?P<text>"(?:[^"\\]|\\.)*")(?P<names>\s*:)?|[{}\[\]]', re.DOTALL)
_NO_NUMBER: Final = re.compile(r"(?<=[:,\[\s])-?(?:NaN|Infinity)\b|\d[eE]\+?\d{3,}")
# Names as this module writes them that need no encoding, which are nearly all: each is its own key.
_OWN_KEY: Final = re.compile(
    r"doi:10(?:\.[0-9]+)+/[a-z0-9._~:;()@\-]++(?:%2F[a-z0-9._~:;()@\-]*+)*+"
)
# Blank, or a mere variant of the character before, although they count as printable.
_BLANK: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)


class Damaged(ValueError):
    """The text of a file that is not a lock file.

    :ivar line: the line, counted from 1, or 0 when the file cannot be read at all
    :ivar reason: what is wrong, a phrase
    """

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(line, reason)
        self.line, self.reason = line, reason

    def in_words(self, path: str) -> str:
        """What is wrong with the file of this path, and what to do about it.

        >>> Damaged(3, "not UTF-8").in_words("doi-lock.json").partition("; ")[0]
        'doi-lock.json:3: damaged lock file: not UTF-8'
        """
        if self.line == 0:
            return f"{path}: cannot read the lock file: {self.reason}"
        if self.reason == NEWER:
            return f"{path}:{self.line}: the lock file {NEWER}; update doilinks"
        merge = f"merge it with: doilinks lock --merge {quote(path)}, or "
        return (
            f"{path}:{self.line}: damaged lock file: {self.reason}; "
            f"{merge if self.reason == CONFLICT else ''}"
            "restore it from version control, or delete it to ask for every name again"
        )


class Kept(NamedTuple):
    """A kept answer: the name was found.

    :ivar checked: the day of the answer
    :ivar alias: the name that it stands for
    """

    checked: date
    alias: DOI | None = None


class KeptWork(NamedTuple):
    """A kept work.

    :ivar fetched: the day of the agency's answer
    """

    fetched: date
    work: Work


class Suggested(NamedTuple):
    """A kept suggestion.

    :ivar asked: the day of the answer
    :ivar names: the names of the works that fit the text
    """

    asked: date
    names: tuple[DOI, ...] = ()


# --------------------------------------------------------------------------------------------------
# The document.


def parse(octets: bytes) -> Document:
    """The members of a lock file but for its version, with folded names.

    :raises Damaged: if this is not a lock file
    """
    document = _document(octets)
    found = document.get(FOUND) if isinstance(document, dict) else None
    if not isinstance(document, dict) or not isinstance(found, dict):
        raise Damaged(1, 'no object with a member "found"')
    if "version" not in document:
        raise Damaged(1, f'no member "version": {_VERSION}')
    version = document.pop("version")
    if version != _VERSION:
        newer = isinstance(version, int) and version > _VERSION
        reason = f"version {json.dumps(version)[:20]}, this doilinks reads version {_VERSION}"
        raise Damaged(1, NEWER if newer else reason)
    for name, entry in found.items():
        try:
            _key_of(name), read_found(entry)
        except (InvalidDOI, ValueError, TypeError, KeyError, AttributeError):
            text = octets.decode("utf-8")
            spelt = (json.dumps(name, ensure_ascii=escaped) for escaped in (True, False))
            line = text[: max(0, *map(text.find, spelt))].count("\n") + 1
            reason = 'not an entry like "doi:10.1000/182": {"checked": "2026-11-20"}'
            raise Damaged(line, reason) from None
    for section in DATES.keys() & document.keys():
        if isinstance(document[section], dict):
            document[section] = _folded(section, document[section])
    return document


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
            if content.startswith(_MARKERS):
                raise Damaged(number, CONFLICT) from None
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


def _folded(section: str, entries: Mapping[str, Any]) -> dict[str, Any]:
    """Entries by the keys of their names; what is no name keeps its own."""
    folded: dict[str, Any] = {}
    for name, entry in entries.items():
        try:
            key = _key_of(name)
        except InvalidDOI:
            key = name
        # The same name twice, in two cases of its letters, is an edit by hand.
        folded[key] = _later(section, folded[key], entry) if key in folded else entry
    return folded


def _key_of(name: str) -> str:
    """The key of a name that a person may have written in another form.

    :raises InvalidDOI: if it is not a DOI
    """
    return name if _OWN_KEY.fullmatch(name) else key_of(DOI.parse(name))


def key_of(doi: DOI) -> str:
    """A name as the key of its line.

    >>> key_of(DOI("10.1000/A#B"))
    'doi:10.1000/a%23b'
    """
    prefix, _, suffix = doi.folded.partition("/")
    return f"doi:{prefix}/{uri_form(suffix)}"


def spell(document: Document) -> str:
    """The text of a lock file with these members.

    >>> print(spell({"found": {"doi:10.1000/a%23b": {"checked": "2026-11-20"}}}), end="")
    {
      "version": 1,
      "found": {
        "doi:10.1000/a%23b": {"checked": "2026-11-20"}
      }
    }
    """
    several = (AGENCIES, FOUND, SUGGESTED, WORKS)
    sections = {name: document[name] for name in several if section_of(document, name)}
    sections.setdefault(FOUND, {})
    members = [f'"version": {_VERSION}']
    others = sorted(document.keys() - sections.keys())
    members += [f"{_json(name)}: {_json(document[name])}" for name in others]
    for name, entries in sorted(sections.items()):
        lines = sorted(f"{_json(key)}: {_json(entry)}" for key, entry in entries.items())
        body = ",\n".join(f"    {line}" for line in lines)
        members.append(f'"{name}": {{\n{body}\n  }}' if body else f'"{name}": {{}}')
    return "{\n" + ",\n".join(f"  {member}" for member in members) + "\n}\n"


def _json(value: object) -> str:
    r"""A value in one line of readable text, in which nothing is hidden.

    >>> print(_json({"title": "Über x\u202e\u200b"}))
    {"title": "Über x\u202e\u200b"}
    """
    text = json.dumps(value, ensure_ascii=False)
    if text.isprintable() and not _BLANK.search(text):
        return text
    return "".join(
        each if each.isprintable() and not _BLANK.match(each) else json.dumps(each)[1:-1]
        for each in text
    )


# --------------------------------------------------------------------------------------------------
# Days, and two documents merged.


def day_of(document: Document, section: str, key: str) -> date | None:
    """The day on which an entry was last confirmed, by itself or with all others."""
    entry = section_of(document, section).get(key)
    day = _day(entry.get(DATES[section])) if isinstance(entry, dict) else None
    if day is None or is_left(entry):
        return day
    renewed = _day(section_of(document, RENEWED).get(section))
    return max(day, renewed) if renewed else day


def is_left(entry: object) -> bool:
    """The day on which all were renewed is not that of this entry."""
    return isinstance(entry, dict) and entry.get(RENEWED) is False


def section_of(document: Document, name: str) -> dict[str, Any]:
    """A member of a document, if it is an object."""
    section = document.get(name)
    return section if isinstance(section, dict) else {}


def _day(text: object) -> date | None:
    try:
        return date.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None


def merge(base: Document, ours: Document, theirs: Document) -> Document:
    """What two have made of one document. If both have changed an entry, the later one stays.

    >>> day = [{"found": {"doi:10.1000/1": {"checked": f"2026-11-2{n}"}}} for n in (0, 1, 2)]
    >>> merge(*day)
    {'found': {'doi:10.1000/1': {'checked': '2026-11-22'}}}
    """
    merged = _merge(FOUND, base, ours, theirs)
    for name in (AGENCIES, RENEWED, *DATES):
        every = [section_of(document, name) for document in (base, ours, theirs)]
        if any(every[1:]):
            merged[name] = _merge(name, *every)
            if not merged[name] and name != FOUND:
                del merged[name]
    if ours.get(RENEWED) == theirs.get(RENEWED):
        return merged
    # A day of renewal is not that of names that only the other one has added.
    for section, member in DATES.items():
        for key, entry in section_of(merged, section).items():
            days = [day_of(each, section, key) for each in (ours, theirs)]
            known = max(filter(None, days), default=None)
            if known and (day_of(merged, section, key) or known) > known:
                merged[section][key] = entry | {member: known.isoformat(), RENEWED: False}
    return merged


def _merge(
    section: str, base: dict[str, Any], ours: dict[str, Any], theirs: dict[str, Any]
) -> dict[str, Any]:
    merged = {}
    for key in [*theirs, *(key for key in ours if key not in theirs)]:
        was, mine, other = (each.get(key) for each in (base, ours, theirs))
        chosen = (
            mine if other in (mine, was) else other if mine == was else _later(section, mine, other)
        )
        if chosen is not None:
            merged[key] = chosen
    return merged


def _later(section: str, mine: Any, other: Any) -> Any:
    if mine is None or other is None:
        return other if mine is None else mine
    member = DATES.get(section, "")
    days = [_day(e.get(member) if isinstance(e, dict) else e) for e in (mine, other)]
    return other if days[1] and (not days[0] or days[0] < days[1]) else mine


def unmerged(text: str) -> tuple[str, str] | None:
    r"""The two sides of a text with conflict markers, as git writes them; None without markers.

    >>> unmerged("a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> topic\n")
    ('a\nb\n', 'a\nc\n')
    """
    sides: tuple[list[str], list[str]] = ([], [])
    into: tuple[list[str], ...] = sides
    for line in text.splitlines(keepends=True):
        mark = line[:7]
        if mark in _MARKERS:
            into = {"<<<<<<<": sides[:1], "=======": sides[1:], "|||||||": ()}.get(mark, sides)
        else:
            for side in into:
                side.append(line)
    found = "".join(sides[0]), "".join(sides[1])
    return None if found[0] == found[1] == text else found


# --------------------------------------------------------------------------------------------------
# Entries.


def read_found(entry: Any) -> Kept:
    """The answer of an entry.

    :raises ValueError, TypeError, KeyError, AttributeError: if it is not one
    """
    alias = entry.get("alias")
    if not (alias is None or isinstance(alias, str)):
        raise TypeError
    return Kept(date.fromisoformat(entry["checked"]), None if alias is None else DOI.parse(alias))


def spell_found(kept: Kept) -> dict[str, Any]:
    """The entry of an answer."""
    entry = {"checked": kept.checked.isoformat()}
    return entry | ({"alias": kept.alias.uri} if kept.alias else {})


def read_work(entry: object) -> KeptWork | None:
    """The work of an entry. Never raises: what cannot be read is left out."""
    fetched = _day(entry.get("fetched")) if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or fetched is None:
        return None
    get = entry.get
    role = "editor" if "editor" in entry else "author"
    people = tuple([person for person in map(_person, _list(get(role))) if person])
    names = names_of(people) or tuple(texts(get("names")))
    titles = tuple(dict.fromkeys(texts(get("title")) + texts(get("titles"))))
    if not titles and not names:
        return None
    years = [year for year in (get("year"), *_list(get("years"))) if type(year) is int]
    month, day = (
        number if type(number := get(name)) is int and 0 < number <= most else 0
        for name, most in (("month", 12), ("day", 31))
    )
    written, count, newer = get("status"), get("people"), get("newer")
    status = _STATUS.get(written, Status.NONE) if isinstance(written, str) else Status.NONE
    notices: tuple[Notice, ...] = ()
    if status and "kind" in entry:
        try:
            doi = DOI.parse(get("notice") or "")
        except (InvalidDOI, TypeError, AttributeError):
            doi = None
        notices = (Notice(plain(entry["kind"]), plain(get("date")), doi),)
    work = Work(
        titles=titles,
        names=names,
        years=tuple(dict.fromkeys(years)),
        type=plain(get("type")),
        container=plain(get("container")),
        status=status,
        notices=notices,
        volume=plain(get("volume")),
        issue=plain(get("issue")),
        page=plain(get("page")),
        publisher=plain(get("publisher")),
        people=people,
        role=role,
        count=count if type(count) is int and count > len(people) else len(people),
        newer=_newer(newer) if isinstance(newer, dict) else None,
        month=month,
        day=day if month else 0,
        version=plain(get("version")),
    )
    return KeptWork(fetched, work)


_FIELDS: Final = (
    "type", "month", "day", "container", "volume", "issue", "page", "publisher", "version",
)  # fmt: skip
_STATUS: Final = {status.value: status for status in Status}


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _person(person: object) -> Person | None:
    if not isinstance(person, list) or not person:
        return None
    family = plain(person[0])
    return Person(family, plain(person[1]) if len(person) > 1 else None) if family else None


def _newer(entry: dict[str, Any]) -> Newer | None:
    kind = next((kind for kind in ("published", "version") if kind in entry), "")
    try:
        doi = DOI.parse(entry.get(kind) or "")
    except (InvalidDOI, TypeError, AttributeError):
        return None
    numbers = [entry.get("number"), entry.get("of")]
    return Newer(kind, doi, *(numbers if all(type(each) is int for each in numbers) else ()))


def spell_work(kept: KeptWork) -> dict[str, Any]:
    """The entry of a work."""
    work = kept.work
    people = [[p.family] if p.given is None else [p.family, p.given] for p in work.people]
    entry: dict[str, Any] = {
        "fetched": kept.fetched.isoformat(),
        "type": work.type,
        "title": work.title,
    }
    entry |= {work.role: people} if people else {"names": list(work.names)}
    entry |= {"people": work.count} if work.count > len(people) else {}
    entry |= {"year": next(iter(work.years), None)}
    entry |= {name: getattr(work, name) for name in _FIELDS[1:]}
    entry |= {"titles": list(work.titles[1:]), "years": list(work.years[1:])}
    entry |= {"status": str(work.status)}
    for notice in work.notices[:1]:
        doi = notice.doi.uri if notice.doi else ""
        entry |= {"kind": notice.kind, "date": notice.date, "notice": doi}
    if newer := work.newer:
        numbers = {"number": newer.version, "of": newer.versions} if newer.versions else {}
        entry |= {"newer": {newer.kind: newer.doi.uri, **numbers}}
    return {name: value for name, value in entry.items() if value}


def read_suggested(entry: object) -> Suggested | None:
    """The suggestion of an entry; None if it is not one."""
    entry = entry if isinstance(entry, dict) else {}
    asked, names = _day(entry.get("asked")), entry.get("fits", [])
    try:
        fits = tuple(map(DOI.parse, names)) if isinstance(names, list) else None
    except (InvalidDOI, TypeError, AttributeError):
        return None
    return None if asked is None or fits is None else Suggested(asked, fits)


def spell_suggested(kept: Suggested) -> dict[str, Any]:
    """The entry of a suggestion."""
    names = [doi.uri for doi in kept.names]
    return {"asked": kept.asked.isoformat(), **({"fits": names} if names else {})}


# What an entry says of its own, so that everything else in it stays.
KNOWN: Final = {
    FOUND: {"checked", "alias", RENEWED},
    WORKS: {
        *_FIELDS, "fetched", "title", "titles", "author", "editor", "names", "people", "year",
        "years", "status", "kind", "date", "notice", "newer", RENEWED,
    },
    SUGGESTED: {"asked", "fits"},
}  # fmt: skip

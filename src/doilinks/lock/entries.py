"""The text of a lock file: read, written for reviews, and two of them merged.

Names are in URI form, ASCII letters folded to lower case. Members that this version does not know,
beside ``found`` or within an entry, are kept as they are. Two members of one name, as a merge may
leave them, are damage: one of them would be lost (RFC 8259 §4).

A name has one line in ``found`` and one in ``works``, a prefix has one in ``agencies``. Text is
readable; only what a review would not show is escaped. An entry says nothing that is unknown::

    "doi:10.1000/182": {"type": "book", "title": "DOI Handbook",
                        "author": [["Paskin", "Norman"], ["A Group"]], "year": 2000}

``month`` and ``day`` belong to the year. ``container volume issue page article publisher place
edition series version language`` are as registered, ``short`` is the abbreviation of the container
and ``article`` the number of an article that has no pages. ``author`` or ``editor`` are the first
twenty people and the last, with ``people``, the number of all if there are more; ``editors`` and
``translators`` are others beside them. A person has a family name, given names and perhaps ``Jr.``,
a group one name. ``titles`` and ``years`` are further ones, and ``status kind date notice`` what
became of the work. ``newer`` is the article of a preprint, ``{"published": "doi:…"}``, or the name
of all versions, ``{"version": "doi:…", "number": 3, "of": 9}``. An entry without ``author`` may
have ``names``, family names alone. What a person or another program wrote is read as leniently as
an agency's record; an entry that says nothing is asked for again.

``suggested`` lists the works that fit the text of a reference, by the hash of the text that was
sent, the likeliest first; without ``fits`` no work does, and the same text is not sent again::

    "1f0e3dad99908345": {"asked": "2026-11-20", "fits": ["doi:10.1000/182"]}

``checked`` is a day: each name of ``found`` was confirmed then or later. So is ``fetched``, for
works. A renewal changes one line, and a name that was added since is asked for again too soon,
never too late. Only an entry that a renewal did not confirm has a day of its own.

In a :data:`Document`, an entry is its text until somebody asks for it: a build of a hundred names
does not read a hundred thousand.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from functools import partial
from pathlib import Path
from shlex import quote
from typing import Any, Final

from ..core.doi import DOI, InvalidDOI, uri_form
from ..record.kinds import Notice, Status
from ..record.person import Person, names_of
from ..record.plain import plain, texts
from ..record.work import Newer, Work, doi_in
from ..shared.project import in_messages

Document = dict[str, Any]

_VERSION: Final = 1
FOUND, WORKS, AGENCIES, SUGGESTED = "found", "works", "agencies", "suggested"
SECTIONS: Final = (FOUND, SUGGESTED, WORKS)
# The member with the common day of a section, for the sections whose answers expire.
DAYS: Final = {FOUND: "checked", WORKS: "fetched"}
_NEVER: Final = "1970-01-01"
CONFLICT: Final = "a merge conflict"
NEWER: Final = "was written by a newer doilinks"
_MARKERS: Final = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")
# Numbers that Python reads although RFC 8259 §6 does not allow them.
_TOKEN: Final = re.compile(r'(?P<text>"(?:[^"\\]|\\.)*")(?P<names>\s*:)?|[{}\[\]]', re.DOTALL)
# What Python reads as a number and JSON does not have, or a huge exponent.
_NO_NUMBER: Final = re.compile(r"(?<=[:,\[\s])-?(?:NaN|Infinity)\b|\d[eE]\+?\d{3,}")
# Names as this module writes them that need no encoding, which are nearly all: each is its own key.
_KEY: Final = r"doi:10(?:\.[0-9]++)+/[a-z0-9._~:;()@\-]++(?>(?:%2F[a-z0-9._~:;()@\-]*+)*)"
_OWN_KEY: Final = re.compile(_KEY)  # a key that is folded already
# Blanks and variation selectors: nobody sees them, although Python counts them as printable.
_BLANK: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)


def _several(begin: str, item: str, end: str) -> str:
    return rf"{begin}(?:{item}(?>(?:, {item})*))?{end}"


# A line as this module writes it (RFC 8259); a file with any other line is read as plain JSON.
_TEXT: Final = r'"[^"\\\x00-\x1f]*+(?>(?:\\(?:["\\/bfnrt]|u[0-9a-f]{4})[^"\\\x00-\x1f]*+)*)"'
_ATOM: Final = rf"(?:{_TEXT}|[1-9][0-9]{{0,15}}|true|false|null)"
_FLAT: Final = _several(r"\[", _ATOM, r"\]")
_LIST: Final = _several(r"\[", f"(?:{_ATOM}|{_FLAT})", r"\]")
_INNER: Final = _several(r"\{", f"{_TEXT}: {_ATOM}", r"\}")
_ENTRY: Final = _several(r"\{", f"{_TEXT}: (?:{_ATOM}|{_LIST}|{_INNER})", r"\}")
# A line of a section: a key and its entry.
_LINE: Final = re.compile(rf'    "({_KEY}|[0-9a-f]{{16}})": ({_ENTRY}),?\n')
# The line with which a section begins.
_SECTION: Final = re.compile(rf'^  "({"|".join(SECTIONS)})": \{{\n', re.MULTILINE)


class InvalidLockfile(ValueError):
    """A lock file that cannot be read; the file stays as it is.

    :ivar path: the file
    :ivar line: the line, counted from 1, or 0 when the file cannot be read at all
    :ivar reason: what is wrong, a phrase
    """

    def __init__(self, line: int, reason: str, path: Path | None = None) -> None:
        super().__init__(line, reason)
        self.line, self.reason, self.path = line, reason, path or Path()

    def __str__(self) -> str:
        path = in_messages(self.path)
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


def parse(octets: bytes) -> Document:
    """Parse the members of a lock file except its version, with folded DOI names.

    :raises InvalidLockfile: if this is not a lock file
    """
    try:
        text = octets.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidLockfile(octets.count(b"\n", 0, error.start) + 1, "not UTF-8") from None
    # The lines of a section are taken out, and the rest is read as JSON.
    rest, *pieces = _SECTION.split(text)
    lines: dict[str, dict[str, str]] = {}
    for name, piece in zip(pieces[::2], pieces[1::2], strict=True):
        body = piece[: piece.find("\n  }") + 1]
        found = _LINE.findall(body)
        entries = dict(found)
        count = body.count("\n")
        is_ours = count == len(entries) and body.count("},\n") == count - 1
        if name in lines or not (is_ours and body.endswith("}\n")):
            lines, rest = {}, text
            break
        lines[name] = entries
        rest += f'  "{name}": {{}}{piece[len(body) + 3 :]}'
    document = _members_of(rest)
    for name in SECTIONS:
        if isinstance(each := document.get(name), dict):
            spelt = ((key, spell_entry(entry)) for key, entry in each.items())
            document[name] = lines.get(name) or dict(spelt)
    for name, entry in document[FOUND].items():
        if entry == "{}" and lines:
            continue
        try:
            _key_of(name), read_found(json.loads(entry))
        except (InvalidDOI, ValueError, TypeError, AttributeError):
            forms = (json.dumps(name, ensure_ascii=escaped) for escaped in (True, False))
            line = text[: max(0, *map(text.find, forms))].count("\n") + 1
            raise InvalidLockfile(line, 'not an entry like "doi:10.1000/182": {}') from None
    for name in () if lines else SECTIONS:
        if isinstance(document.get(name), dict):
            document[name] = _folded(document[name])
    return document


def _members_of(text: str) -> Document:
    number, members = partial(_finite, text), partial(_members, text)
    try:
        document = json.loads(
            text, parse_constant=number, parse_float=number, object_pairs_hook=members
        )
    except InvalidLockfile:
        raise
    except json.JSONDecodeError as error:
        for line, content in enumerate(text.split("\n"), 1):
            if content.startswith(_MARKERS):
                raise InvalidLockfile(line, CONFLICT) from None
        raise InvalidLockfile(error.lineno, error.msg) from None
    except (ValueError, RecursionError):
        raise InvalidLockfile(1, "not a document of this kind") from None
    if not isinstance(document, dict) or not isinstance(document.get(FOUND), dict):
        raise InvalidLockfile(1, 'no object with a member "found"')
    if "version" not in document:
        raise InvalidLockfile(1, f'no member "version": {_VERSION}')
    version = document.pop("version")
    if version != _VERSION:
        newer = isinstance(version, int) and version > _VERSION
        reason = f"version {json.dumps(version)[:20]}, this doilinks reads version {_VERSION}"
        raise InvalidLockfile(1, NEWER if newer else reason)
    return document


def _finite(text: str, written: str) -> float:
    number = float(written)
    if not math.isfinite(number):  # it would be written as Infinity
        found = _NO_NUMBER.search(text)
        line = text.count("\n", 0, found.start() if found else 0) + 1
        raise InvalidLockfile(line, "a number that JSON does not have")
    return number


def _members(text: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        [(name, _)] = Counter(name for name, _ in pairs).most_common(1)
        words = f"{json.dumps(name)[:80]} stands there twice, perhaps after a merge"
        raise InvalidLockfile(_line_of_second(text), words)
    return members


def _line_of_second(text: str) -> int:
    """Return the line of the first name that its object already has. The text is JSON."""
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


def _folded(entries: Mapping[str, str]) -> dict[str, str]:
    """Fold the keys of entries; a key that is not a DOI name stays."""
    folded: dict[str, str] = {}
    for name, entry in entries.items():
        try:
            key = _key_of(name)
        except InvalidDOI:
            key = name
        folded.setdefault(key, entry)  # the same name in two cases is an edit by hand
    return folded


def _key_of(name: str) -> str:
    """Return the key of a DOI name that a person may have written in another form."""
    return name if _OWN_KEY.fullmatch(name) else key_of(DOI.parse(name))


def key_of(doi: DOI) -> str:
    """Return the key of a DOI name, with which its line begins.

    >>> key_of(DOI("10.1000/A#B"))
    'doi:10.1000/a%23b'
    """
    prefix, _, suffix = doi.folded.partition("/")
    return f"doi:{prefix}/{uri_form(suffix)}"


def spell(document: Document) -> str:
    """Write the text of a lock file with these members."""
    several = (AGENCIES, *SECTIONS)
    sections = {name: document[name] for name in several if section_of(document, name)}
    sections.setdefault(FOUND, {})
    members = [f'"version": {_VERSION}']
    empty = {name for name in several if document.get(name) == {}}
    others = sorted(document.keys() - sections.keys() - empty)
    members += [f"{spell_entry(name)}: {spell_entry(document[name])}" for name in others]
    for name, entries in sorted(sections.items()):
        lines = sorted(
            (f'    "{key}": ' if _OWN_KEY.fullmatch(key) else f"    {spell_entry(key)}: ")
            + (spell_entry(entry) if name == AGENCIES else entry)
            for key, entry in entries.items()
        )
        body = ",\n".join(lines)
        members.append(f'"{name}": {{\n{body}\n  }}' if body else f'"{name}": {{}}')
    return "{\n" + ",\n".join(f"  {member}" for member in members) + "\n}\n"


def spell_entry(value: object) -> str:
    r"""Write a value as one line of readable JSON, in which no character is invisible.

    >>> print(spell_entry({"title": "Über x\u202e\u200b"}))
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


def entry_of(document: Document, section: str, key: str) -> dict[str, Any]:
    """Return an entry of a section; empty if it is missing or not an object."""
    entry = json.loads(section_of(document, section).get(key, "{}"))
    return entry if isinstance(entry, dict) else {}


def day_of(document: Document, section: str, entry: Mapping[str, Any]) -> date:
    """Return the day on which an entry of a section was last confirmed, or an earlier one."""
    member = DAYS[section]
    return _day(entry.get(member)) or _day(document.get(member)) or date.fromisoformat(_NEVER)


def with_day(section: str, text: str, day: object) -> str:
    """Add a day to the text of an entry that has no day of its own yet."""
    entry, member = json.loads(text), DAYS[section]
    if not isinstance(entry, dict) or member in entry:
        return text
    return spell_entry({member: day, **entry})


def section_of(document: Document, name: str) -> dict[str, Any]:
    """Return a member of a document; empty if it is not an object."""
    section = document.get(name)
    return section if isinstance(section, dict) else {}


def _day(text: object) -> date | None:
    try:
        return date.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None


def merge(base: Document, ours: Document, theirs: Document) -> Document:
    """Merge two versions of one document. If both changed an entry, the later one stays.

    Of two new days of all answers the earlier one stays. What only one side has added keeps the day
    of that side, if all are of a later one now.
    """
    merged = _merge(
        base, ours, theirs, lambda *days: min(days) if all(map(_day, days)) else days[0]
    )
    for name in (AGENCIES, *SECTIONS):
        every = [section_of(document, name) for document in (base, ours, theirs)]
        days = [str(document.get(DAYS.get(name, ""), "")) for document in (ours, theirs)]
        if any(every[1:]):
            late = days[0] < days[1]
            merged[name] = _merge(every[0], every[1], every[2], lambda *both, late=late: both[late])
        if name != FOUND and not merged.get(name, True):
            del merged[name]
        if name in DAYS and min(days) and str(merged.get(DAYS[name])) > min(days):
            older, newer = sorted(zip(days, every[1:], strict=True), key=lambda each: each[0])
            for key in (older[1].keys() - newer[1].keys()) & merged[name].keys():
                merged[name][key] = with_day(name, merged[name][key], older[0])
    return merged


def _merge(
    base: dict[str, Any],
    ours: dict[str, Any],
    theirs: dict[str, Any],
    both: Callable[[Any, Any], Any],
) -> dict[str, Any]:
    merged = {}
    for key in [*theirs, *(key for key in ours if key not in theirs)]:
        was, mine, other = (each.get(key) for each in (base, ours, theirs))
        if other in (mine, was):
            chosen = mine
        elif mine == was:
            chosen = other
        elif mine is None or other is None:
            chosen = other if mine is None else mine
        else:
            chosen = both(mine, other) if type(mine) is type(other) is str else mine
        if chosen is not None:
            merged[key] = chosen
    return merged


def unmerged(text: str) -> tuple[str, str] | None:
    r"""Split a text with the conflict markers of git into its two sides; None without markers."""
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


def read_found(entry: Any) -> DOI | None:
    """Read the alias of an entry; raise ValueError, TypeError or AttributeError if invalid."""
    alias = entry.get("alias")
    if not (alias is None or isinstance(alias, str)):
        raise TypeError
    date.fromisoformat(entry.get("checked", _NEVER))
    return None if alias is None else DOI.parse(alias)


def read_work(entry: object) -> Work | None:
    """Read the work of an entry. Never raise an error: leave out fields that cannot be read."""
    if not isinstance(entry, dict) or not entry:
        return None
    get = entry.get
    role = "editor" if "editor" in entry else "author"
    people = _people(get(role))
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
        notices = (Notice(plain(entry["kind"]), plain(get("date")), doi_in(get("notice"))),)
    fields: dict[str, Any] = {name: plain(get(name)) for name in _TEXTS if name in entry}
    fields |= {name: _people(get(name)) for name in ("editors", "translators") if name in entry}
    return Work(
        titles=titles,
        names=names,
        years=tuple(dict.fromkeys(years)),
        type=plain(get("type")),
        status=status,
        notices=notices,
        people=people,
        role=role,
        count=count if type(count) is int and count > len(people) else len(people),
        newer=_newer(newer) if isinstance(newer, dict) else None,
        month=month,
        day=day if month else 0,
        **fields,
    )


_FIELDS: Final = (
    "type", "month", "day", "container", "short", "volume", "issue", "page", "publisher", "version",
    "article", "edition", "series", "place", "language",
)  # fmt: skip
_TEXTS: Final = _FIELDS[3:]
_STATUS: Final = {status.value: status for status in Status}


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _people(value: object) -> tuple[Person, ...]:
    every = ([plain(part) for part in each[:3]] for each in _list(value) if isinstance(each, list))
    return tuple([Person(*parts) for parts in every if any(parts[:1])])


def _spell_people(people: Iterable[Person]) -> list[list[str]]:
    known = ((each, 1 if each.given is None else 2 + bool(each.suffix)) for each in people)
    return [[part or "" for part in each[:count]] for each, count in known]


def _newer(entry: dict[str, Any]) -> Newer | None:
    kind = next((kind for kind in ("published", "version") if kind in entry), "")
    doi, numbers = doi_in(entry.get(kind)), [entry.get("number"), entry.get("of")]
    known = [each for each in numbers if type(each) is int]
    return Newer(kind, doi, *(known if len(known) == 2 else ())) if doi else None


def spell_work(work: Work) -> dict[str, Any]:
    """Build the entry of a work."""
    people = _spell_people(work.people)
    entry: dict[str, Any] = {"type": work.type, "title": work.title}
    entry |= {work.role: people} if people else {"names": list(work.names)}
    entry |= {"people": work.count} if work.count > len(people) else {}
    entry |= {"editors": _spell_people(work.editors)}
    entry |= {"translators": _spell_people(work.translators)}
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


def read_suggested(entry: object) -> tuple[DOI, ...] | None:
    """Read the names in the entry of a suggestion; None if it is not one."""
    entry = entry if isinstance(entry, dict) else {}
    names = entry.get("fits", [])
    names = names if isinstance(names, list) else [None]
    fits = tuple(filter(None, map(doi_in, names)))
    return fits if _day(entry.get("asked")) and len(fits) == len(names) else None


# The members that this version writes; all others are kept.
MEMBERS: Final = {
    FOUND: {"checked", "alias"},
    WORKS: {
        *_FIELDS, "fetched", "title", "titles", "author", "editor", "editors", "translators",
        "names", "people", "year", "years", "status", "kind", "date", "notice", "newer",
    },
    SUGGESTED: {"asked", "fits"},
}  # fmt: skip

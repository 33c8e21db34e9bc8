"""The people of a record, as agencies give them: in parts, in one text, or not at all.

Spec: CSL 1.0.2 with its schema of input data, the REST API of Crossref, and DataCite 4.6.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from .kinds import ARTICLES
from .person import OTHERS, Person
from .plain import mappings, plain
from .values import is_nothing

# Some records list thousands of people. Styles that print all of twenty are many, of more few.
_FIRST: Final = 20
_EDITED: Final = frozenset(("book", "chapter", "paper-conference"))
# People whom a record leaves out, as a person of their own or after the last one.
_ET_AL: Final = re.compile(
    r"(?:^|,?\s)[(\[]?(?:et\.?\s?al(?:\.|ii|iae)?|(?-i:u\.\s?a\.)|:etal|(?:and\s)?others"
    r"|(?:and\s)?\d+\s(?:others|more))[)\]]?\s*$",
    re.IGNORECASE,
)
# Jr, Sr and Roman numbers after a name.
_SUFFIX: Final = re.compile(r"(?:^|,?\s)([JS]r\b\.?|JR|SR|III?|IV)(?:,\s|$)")
_AROUND: Final = " ,;*†‡§¶–—-"  # marks of footnotes, and a dash for a part that is not there
_AND: Final = re.compile(r"^and\s", re.IGNORECASE)  # before the last person
# Heuristics for names that libraries and repositories write: years of life, affiliations.
_YEARS: Final = r"[(\[,]\s?(?:[a-z]{1,4}\.?\s)?\d{3,4}\??(?:\s?[-–]\s?(?:\d{3,4}\??)?)?[)\]]?"
# The years of a life, a remark in brackets, or an address, after a name.
_AFTER: Final = re.compile(rf"\s?(?:{_YEARS}|\([^()]*\)|\[[^\[\]]*\]|<[^<>]*>|https?://\S+)\.?$")
_COMMAS: Final = str.maketrans({"，": ", ", "،": ", ", "；": ";"})
# A word that groups have in their names.
_GROUP: Final = re.compile(
    r"(?i)\b(?:(?:univ|instit|labor|academ|organi[sz]|associa|administ|minist|commi|librar)\w*"
    r"|department|dept|survey|bureau|cent(?:er|re)|agency|office|council|society|group|team|inc|ltd"
    r"|consortium|collaboration|museum|school|college|faculty|hospital|project|network|llc|gmbh)\b"
)
# What stands between people in one field.
_BETWEEN: Final = re.compile(r"\s*(?:,|\s(?:and|&)\s)\s*", re.IGNORECASE)
_INITIAL: Final = re.compile(r"\b[A-ZÀ-ÞА-Я]\.")  # of a given name


def people_of(record: Mapping[str, object]) -> tuple[tuple[Person, ...], str, int]:
    """Return the first twenty people and the last, their role and the total. Prefer authors."""
    for role in ("author", "creators", "editor"):
        people, count = people_in(record.get(role), is_datacite=role == "creators")
        if people:
            return people, "editor" if role == "editor" else "author", count
    return (), "author", 0


def beside(record: Mapping[str, object], role: str, kind: str) -> tuple[Person, ...]:
    """Return the editors or translators of a work of a type of CSL.

    Of an article, editors are those who handled it, whom no style names. At DataCite they are
    contributors, and those of data and programs are not cited.
    """
    if role == "editor" and kind in ARTICLES:
        return ()
    others = mappings(record.get("contributors")) if kind in _EDITED else []
    listed = [each for each in others if each.get("contributorType") == role.title()]
    return people_in(record.get(role) or listed, is_datacite=bool(listed))[0]


def people_in(value: object, *, is_datacite: bool = False) -> tuple[tuple[Person, ...], int]:
    """Return the first twenty people of a field and the last, and how many there are."""
    every = value if isinstance(value, list) else [value] if value else []
    short = every if len(every) <= _FIRST else [*every[:_FIRST], every[-1]]
    people = [person for entry in short for person in _people(entry, is_datacite=is_datacite)]
    people = [*(person for person in people[:-1] if person != OTHERS), *people[-1:]]
    if people == [OTHERS]:
        return (), 0
    count = len(every) + len(people) - len(short)
    return (*people[:_FIRST], *people[_FIRST:][-1:]), count


def _people(entry: object, *, is_datacite: bool) -> Iterator[Person]:
    """Yield the people of an entry: one, nobody, or several with semicolons between them."""
    fields = entry if isinstance(entry, Mapping) else {}

    def text(*names: str) -> str:
        parts = (_AND.sub("", plain(fields.get(name)).strip(_AROUND)) for name in names)
        return " ".join(part for part in parts if any(map(str.isalnum, part)))

    whole, kind = text("name") or text("literal") or plain(entry), plain(fields.get("nameType"))
    family, given = text("family") or text("familyName"), text("given") or text("givenName")
    is_whole = (is_datacite and ";" in whole) or ("," in family and not given)
    if kind.lower() == "organizational":
        people = [Person(whole or family)]
    elif (family or given) and not is_whole:
        given = _AFTER.sub("", given) if is_datacite else given
        given = " ".join(filter(None, (given, text("dropping-particle"))))
        family = " ".join(filter(None, (text("non-dropping-particle"), family)))
        people = [Person(family, given, text("suffix")) if family else Person(given, "")]
    elif is_datacite or is_whole or not fields:
        people = [*_written(whole or family, is_person=kind == "Personal")]
    else:  # of Crossref ``name``, of CSL ``literal``: never a person
        people = [Person(whole)]
    for person in people:
        yield from _mended(person)


def _written(text: str, *, is_person: bool) -> Iterator[Person]:
    """Read people in one text, with a comma before given names [DataCite 4.6, creatorName].

    Heuristics: names of groups contain commas too, but more than three words before the first, or a
    word for a group. After "Ann B. Berg", "Berg A." and "Berg, A." a comma begins the next person.
    """
    for each in text.translate(_COMMAS).split(";"):
        before, comma, _ = each.strip().partition(",")
        is_parted = comma and len(before.split()) <= 3
        name = _AFTER.sub("", _AFTER.sub("", each)) if is_parted or is_person else each
        parts = _BETWEEN.split(name.strip())
        is_paired = name.count(",") < len(parts) - 1 or all(map(_INITIAL.match, parts[1::2]))
        if not is_parted or _GROUP.search(" ".join(parts[:2])):
            yield Person(name.strip())
        elif is_paired and len(parts) > 2 and len(parts) % 2 == 0:
            yield from map(Person, parts[::2], parts[1::2])
        elif _INITIAL.search(before) and not _SUFFIX.search(name):
            yield from map(Person, parts)
        else:
            yield Person(parts[0], ", ".join(parts[1:])) if parts[1:] else Person(parts[0])


def _mended(person: Person) -> Iterator[Person]:
    """Yield a person without what is no part of a name; those who are left out; or nobody."""
    family, given, suffix = person
    whole = f"{given or ''} {family}".strip()
    if _ET_AL.match(whole):
        yield OTHERS
    elif not (is_nothing(whole) or (is_nothing(family) and is_nothing(given or ""))):
        others = _ET_AL.search(family, 1) or _ET_AL.search(given or "")
        if others:
            family, given = family.removesuffix(others[0]), given and given.removesuffix(others[0])
        if given:
            given, after = _without_suffix(given, 0)
            family, end = _without_suffix(family, 1)
            given, suffix = given.partition(",")[0], suffix or after or end
        yield Person(family, given, suffix)
        if others:
            yield OTHERS


def _without_suffix(name: str, start: int) -> tuple[str, str]:
    found = _SUFFIX.search(name, start)
    rest = f"{name[: found.start()]} {name[found.end() :]}".strip() if found else name
    return rest, found[1] if found else ""

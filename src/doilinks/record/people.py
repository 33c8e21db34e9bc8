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
    r"(?:^|,?\s)(?:et\.?\s?al(?:\.|ii|iae)?|(?:and\s)?others|\(?:etal\)?)\s*$", re.IGNORECASE
)
# Jr, Sr and Roman numbers after a name.
_SUFFIX: Final = re.compile(r"(?:^|,?\s)([JS]r\b\.?|JR|SR|III?|IV)(?:,\s|$)")
# Heuristics for names that libraries and repositories write: years of life, and affiliations.
_YEARS: Final = r"[(\[,]\s?(?:[a-z]{1,4}\.?\s)?\d{3,4}\??(?:\s?[-–]\s?(?:\d{3,4}\??)?)?[)\]]?"
# The years of a life, or a remark in brackets, after a name.
_AFTER: Final = re.compile(rf"\s?(?:{_YEARS}|\([^()]*\)|\[[^\[\]]*\])\.?$")


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
        return " ".join(filter(None, (plain(fields.get(name)) for name in names)))

    whole, kind = text("name") or text("literal") or plain(entry), fields.get("nameType")
    family, given = text("family") or text("familyName"), text("given") or text("givenName")
    if kind == "Organizational":
        people = [Person(whole or family)]
    elif is_datacite and ";" in whole:
        people = [_written(part.strip()) for part in whole.split(";")]
    elif family or given:
        given = _AFTER.sub("", given) if is_datacite else given
        given = " ".join(filter(None, (given, text("dropping-particle"))))
        family = " ".join(filter(None, (text("non-dropping-particle"), family)))
        people = [Person(family, given, text("suffix")) if family else Person(given, "")]
    elif is_datacite or not fields:
        people = [_written(whole, is_person=kind == "Personal")]
    else:  # of Crossref ``name``, of CSL ``literal``: never a person
        people = [Person(whole)]
    for person in people:
        yield from _mended(person)


def _written(name: str, *, is_person: bool = False) -> Person:
    """Split a name at its comma [DataCite 4.6, creatorName].

    A heuristic: the names of groups contain commas too, but more than one word before the first.
    """
    before, comma, after = name.partition(",")
    is_parted = comma and len(before.split()) <= 3
    if is_parted or is_person:
        for _ in range(2):
            name = _AFTER.sub("", name)
        before, comma, after = name.partition(",")
    return Person(before.strip(), after.strip()) if is_parted and comma else Person(name)


def _mended(person: Person) -> Iterator[Person]:
    """Yield a person without what is no part of a name; those who are left out; or nobody."""
    family, given, suffix = person
    whole = f"{given or ''} {family}".strip()
    if _ET_AL.match(whole):
        yield OTHERS
    elif not is_nothing(whole):
        others = _ET_AL.search(family, 1) or _ET_AL.search(given or "")
        if others:
            family, given = family.removesuffix(others[0]), given and given.removesuffix(others[0])
        found = _SUFFIX.search(given or "")
        if given and found and not suffix:
            suffix = found[1]
            given = f"{given[: found.start()]} {given[found.end() :]}".strip()
        yield Person(family, given, suffix)
        if others:
            yield OTHERS

"""Who made a work: family names, as agencies give them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from .clean import plain

__all__ = ["family_names"]

# Enough to recognise a reference by. Some records list thousands of people.
MOST: Final = 30


def family_names(record: Mapping[str, object]) -> tuple[str, ...]:
    """Family names, or whole names of groups, in the order of the record; editors without authors.

    >>> family_names({"author": [{"family": "Berg", "non-dropping-particle": "van den"}]})
    ('van den Berg',)
    >>> family_names({"creators": [{"name": "Miller, Ann"}, {"name": "R Core Team"}]})
    ('Miller', 'R Core Team')
    """
    for role in ("author", "creators", "editor"):
        names = tuple(_unique(_name(person) for person in _list(record.get(role))))
        if names:
            return names
    return ()


def _list(value: object) -> list[object]:
    if isinstance(value, list):
        return value[:MOST]
    return [value] if isinstance(value, str | dict) else []


def _unique(names: Iterable[str]) -> Iterable[str]:
    return dict.fromkeys(name for name in names if name)


def _name(person: object) -> str:
    """The family name of one person: CSL and Crossref ``family``, DataCite ``familyName``."""
    if not isinstance(person, Mapping):
        return _family(plain(person))
    family = plain(person.get("family")) or plain(person.get("familyName"))
    if family:
        particle = plain(person.get("non-dropping-particle"))
        return f"{particle} {family}" if particle else family
    name = plain(person.get("name")) or plain(person.get("literal"))
    return name if person.get("nameType") == "Organizational" else _family(name)


def _family(name: str) -> str:
    """What precedes the comma of a personal name [DataCite 4.6, creatorName].

    A heuristic: the names of groups contain commas too, but more than one word before the first.
    """
    before, comma, _ = name.partition(",")
    return before.strip() if comma and len(before.split()) <= 3 else name

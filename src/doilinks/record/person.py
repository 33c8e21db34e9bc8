"""A person or group who made a work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

COMPARED: Final = 10  # with the last one enough to recognise a reference by


class Person(NamedTuple):
    """Somebody who made a work.

    :ivar family: a family name, or the whole name of a group
    :ivar given: ``""`` when unknown; None for a group, and for a name that has no known parts. Its
        last word may be a particle, as in "Jan van"
    :ivar suffix: such as ``Jr.``
    """

    family: str
    given: str | None = None
    suffix: str = ""


OTHERS: Final = Person("et al.")  # comes last if a record does not say who the others are


def names_of(people: Sequence[Person]) -> tuple[str, ...]:
    """Return the family names and names of groups to compare with a text, each once."""
    people = people[:-1] if OTHERS in people[-1:] else people
    short = (*people[:COMPARED], *people[COMPARED:][-1:])
    return tuple(dict.fromkeys(person.family for person in short))

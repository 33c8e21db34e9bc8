"""The same name in blocks that describe different works. Needs no network.

A heuristic, and a strict one: both texts have people and a title of their own, and neither has the
title of the other one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from ..core.doi import DOI
from ..core.found import Found
from ..core.remarks import Remark
from .part import names_of
from .registered import Registered
from .states import States
from .text import Text, content
from .work import Work

_COMPARED: Final = 50  # places of one name
_NAMES: Final = 4  # in one block, which may contain a name in its text, its target and a note
_LIKELY: Final = 0.5  # how likely a title is one
_LEAST, _SHORT = 4, 2  # words of a title, and of one that counts beside other people and years


def two_works(places: Iterable[Found]) -> Iterator[tuple[Found, Found]]:
    """Yield each place whose text describes another work than most texts with the same name.

    The second of each pair is one of those. Only the blocks of names that occur twice are made.

    >>> texts = ("Paskin, N. (2000). Handbook of the system of names for objects. 10.1000/182",
    ...          "Wiles, A. (1995). Modular elliptic curves and a famous theorem. 10.1000/182")
    >>> places = [Found(DOI("10.1000/182"), line=n, around=text) for n, text in enumerate(texts, 1)]
    >>> [(place.line, other.line) for place, other in two_works(places)]
    [(2, 1)]
    """
    by_name: dict[DOI, list[Found]] = {}
    for each in places:
        by_name.setdefault(each.doi, []).append(each)
    crowded: dict[str, bool] = {}
    for doi, same in by_name.items():
        if len(same) > 1:
            yield from _apart(doi, same, crowded)


def _apart(
    doi: DOI, places: Iterable[Found], crowded: dict[str, bool]
) -> Iterator[tuple[Found, Found]]:
    blocks: dict[str, list[Found]] = {}
    for place in islice(places, _COMPARED):
        if block := place.block:
            blocks.setdefault(block, []).append(place)
    if len(blocks) < 2:
        return
    works: list[tuple[_ComparedText, list[Found]]] = []
    for block, same in blocks.items():
        if block not in crowded:
            crowded[block] = len(names_of(block).spans) > _NAMES
        text = None if crowded[block] else _ComparedText.of(block, doi)
        if text is None:
            continue
        for known, group in works:
            if not text.differs(known):
                group.extend(same)
                break
        else:
            works.append((text, same))
    most = max((group for _, group in works), key=len, default=[])
    for _, group in works:
        if group is not most:
            yield from ((place, most[0]) for place in group)


def with_two_works(places: Iterable[Found]) -> list[Found]:
    """Add a remark to places where two texts with one DOI name describe different works."""
    places = list(places)
    remarks = {id(place): remark_on(other) for place, other in two_works(places)}
    return [
        replace(each, remarks=(*each.remarks, remarks[id(each)])) if id(each) in remarks else each
        for each in places
    ]


def remark_on(other: Found) -> Remark:
    """Build the remark on a place, when the text at ``other`` describes another work."""
    return Remark("two-works", f"the name stands for another reference at {place_of(other)}")


def place_of(place: Found) -> str:
    """Format a place for messages."""
    return ":".join(str(part) for part in (place.file, place.line) if part)


@dataclass(frozen=True, slots=True)
class _ComparedText:
    """A text that describes a work: what it claims, and this as if it were a record."""

    text: Text
    record: Registered
    short: bool

    @classmethod
    def of(cls, block: str, doi: DOI) -> _ComparedText | None:
        """Read a block; None if it says too little."""
        text = Text.of(block, doi)
        claims = [c.words for c in text.titles if c.likely >= _LIKELY and len(c.words) >= _SHORT]
        long = [words for words in claims if len(words) >= _LEAST]
        if text.shared or not text.listed or not claims:
            return None
        titles = tuple(map(" ".join, long or claims))
        work = Work(titles, names=_names(text), years=text.years)
        return cls(text, Registered(work), short=not long)

    def differs(self, other: _ComparedText) -> bool:
        """Tell whether each of the two texts describes another work than the other one."""
        if self.short or other.short:
            years = States(self.text, other.record).year_differs
            if not years or not self._people.isdisjoint(other._people):
                return False
        return self._is_of_another(other.record) and other._is_of_another(self.record)

    @property
    def _people(self) -> set[str]:
        return {word for person in self.text.people for word in person.words}

    def _is_of_another(self, record: Registered) -> bool:
        states = States(self.text, record)
        # Titles change between preprint and article; people and year then are the same.
        limit = 0.35 if states.names and not states.year_differs else 0.65
        return states.title < 0.7 and states.claimed_title[2] < limit


def _names(text: Text) -> tuple[str, ...]:
    """Return people, and all capitalised words outside of titles: each may be a family name."""
    titled = {word for title in text.titles for word in title.words}
    people = (word for person in text.people for word in person.words)
    words = zip(text.words.folded, text.words.capital, strict=True)
    names = (word for word, capital in words if capital and len(word) > 2)
    return tuple(content(dict.fromkeys(w for w in (*people, *names) if w not in titled)))

"""The same name in blocks that describe different works. Needs no network.

A heuristic, and a strict one: both texts have people and a title of their own, and the rules of the
comparison say of each that it describes another work than the other text does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from ..core.doi import DOI
from ..core.found import Found
from ..core.printable import printable
from ..core.remarks import Remark
from .claims import Claims, People, claims_of
from .evidence import Evidence
from .own_titles import content
from .part import names_in, part_of
from .rules import Verdict, rule_for
from .work import Work

__all__ = ["place_of", "remark_on", "two_works", "with_two_works"]

_COMPARED: Final = 50  # places of one name
_NAMES: Final = 4  # in one block, which may contain a name in its text, its target and a note
_FULL: Final = (People.FIELD, People.LISTED)


def two_works(found: Iterable[Found]) -> Iterator[tuple[Found, Found]]:
    """Each place where the text describes another work than most texts with the same name do.

    The second of each pair is one of those. Only the blocks of names that occur twice are made.

    >>> texts = ("Paskin, N. (2000). Handbook of the system of names for objects. 10.1000/182",
    ...          "Wiles, A. (1995). Modular elliptic curves and a famous theorem. 10.1000/182")
    >>> found = [Found(DOI("10.1000/182"), line=n, around=text) for n, text in enumerate(texts, 1)]
    >>> [(place.line, other.line) for place, other in two_works(found)]
    [(2, 1)]
    """
    places: dict[DOI, list[Found]] = {}
    for each in found:
        places.setdefault(each.doi, []).append(each)
    crowded: dict[str, bool] = {}
    for doi, same in places.items():
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
    works: list[tuple[_Text, list[Found]]] = []
    for block, same in blocks.items():
        if block not in crowded:
            crowded[block] = len(names_in(block, _NAMES + 1)) > _NAMES
        text = None if crowded[block] else _Text.of(block, doi)
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


def with_two_works(found: Iterable[Found]) -> list[Found]:
    """What was found, with a remark where two texts with a name describe different works."""
    found = list(found)
    said = {id(place): remark_on(other) for place, other in two_works(found)}
    return [
        replace(each, remarks=(*each.remarks, said[id(each)])) if id(each) in said else each
        for each in found
    ]


def remark_on(other: Found) -> Remark:
    """The remark on a place, when the text at ``other`` describes another work."""
    return Remark("two-works", f"the name stands for another reference at {place_of(other)}")


def place_of(found: Found) -> str:
    """A place as messages name it."""
    return ":".join(printable(str(part)) for part in (found.file, found.line) if part)


@dataclass(frozen=True, slots=True)
class _Text:
    """A text that describes a work: what it claims, and this as if it were a record."""

    text: str
    claims: Claims
    work: Work

    @classmethod
    def of(cls, block: str, doi: DOI) -> _Text | None:
        """Read a block; None if it says too little."""
        part = part_of(block, doi)
        claims = claims_of(part)
        if part.shared or claims.people not in _FULL or not claims.titles:
            return None
        titles = tuple(" ".join(title) for title in claims.titles)
        return cls(part.text, claims, Work(titles, names=_names(claims), years=claims.years))

    def differs(self, other: _Text) -> bool:
        """Each of the two describes another work than the other one does."""
        return self._is_of_another(other.work) and other._is_of_another(self.work)

    def _is_of_another(self, work: Work) -> bool:
        rule = rule_for(Evidence.of(work, self.claims), self.text)
        return rule is not None and rule.verdict is Verdict.OTHER


def _names(claims: Claims) -> tuple[str, ...]:
    """The capitalised words outside of titles, because any of them may be a family name."""
    titled = {word for title in claims.titles for word in title}
    words = zip(claims.words.folded, claims.words.capital, strict=True)
    names = (word for word, capital in words if capital and len(word) > 2 and word not in titled)
    return tuple(content(dict.fromkeys(names)))

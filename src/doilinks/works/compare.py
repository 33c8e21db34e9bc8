"""Whether a text describes the work that a DOI name in it stands for.

Pure, without input or output, in time linear in the text. States of agreement (:mod:`.states`) are
weighed by a multinomial logistic regression, whose three classes are the three verdicts. Its
weights (:mod:`.weights`) are fitted to labelled blocks by ``benchmarks/fit_works.py``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from ..core.doi import DOI
from .states import Registered, States
from .text import Text
from .weights import ENOUGH, OTHER, SAME, WEIGHTS
from .work import Work

__all__ = ["Comparison", "Reason", "Verdict", "compare", "judged"]

_NOTICE: Final = re.compile(
    r"correct|corrig|errat|retract|withdraw|removal|addend|concern|comment|notice", re.IGNORECASE
)
_SHOWN: Final = 3  # people in a reason


class Verdict(StrEnum):
    """What a comparison found."""

    SAME = "same"
    OTHER = "other"
    UNSURE = "unsure"


class Reason(NamedTuple):
    """A field in which the text and the record differ.

    :ivar field: ``title``, ``people``, ``first author``, ``year``, ``numbers``, or ``notice`` if
        the record is that of a notice about the article that the text describes
    :ivar text: what the text has; ``""`` if it has nothing of the record's
    :ivar work: what is registered
    """

    field: str
    text: str
    work: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """A verdict, with its evidence.

    :ivar verdict: same, other or unsure
    :ivar title: the share of the title's words found, from 0 to 1
    :ivar names: the family names found
    :ivar year: whether a year is within one; ``None`` if the text or the record has no year
    :ivar reasons: in what the text and the record differ, if the work is another one
    :ivar strangers: people of the text, if it has the title and none of the registered people
    """

    verdict: Verdict
    title: float = 0.0
    names: tuple[str, ...] = ()
    year: bool | None = None
    reasons: tuple[Reason, ...] = ()
    strangers: tuple[str, ...] = ()


def compare(block: str, work: Work, doi: DOI) -> Comparison:
    """Compare the text around a name with the work that is registered for it.

    :param block: the text around the name, as in the source or as a host shows it
    :param doi: which of the names in the block

    >>> work = Work.of({"title": "DOI Handbook of Names", "author": [{"family": "Paskin"}]})
    >>> compare("Paskin, N.: DOI Handbook of Names. 10.1000/182", work, DOI("10.1000/182")).verdict
    <Verdict.SAME: 'same'>
    >>> found = compare("Wiles, A. (1995). Modular elliptic curves and Fermat's last theorem. "
    ...                 "10.1000/182", work, DOI("10.1000/182"))
    >>> found.verdict, found.reasons[1]
    (<Verdict.OTHER: 'other'>, Reason(field='people', text='Wiles', work='Paskin'))
    """
    states = States(Text.of(block, doi), Registered(work))
    verdict, reasons = judged(states)
    strangers: tuple[str, ...] = ()
    if verdict is not Verdict.OTHER and states.has_other_people:
        strangers = tuple(person.shown for person in states.strangers)
    year = None if states.apart is None else not states.year_differs
    return Comparison(verdict, states.title, states.names, year, reasons, strangers)


def judged(states: States) -> tuple[Verdict, tuple[Reason, ...]]:
    """The verdict on states, and the reasons when it is another work."""
    work = states.record.work
    if not work.is_known:
        return Verdict.UNSURE, ()
    if work.status.is_notice and _is_article(states):
        return Verdict.OTHER, (Reason("notice", "", work.title),)
    against_same, against_unsure = scores(states.features())
    if against_same > OTHER and against_unsure > ENOUGH and not states.is_spared:
        return Verdict.OTHER, tuple(_reasons(states))
    # Among other names, people may be those of another reference.
    is_told = states.title >= 0.5 or not states.text.form["other names"]
    if is_told and _chance_of_same(against_same, against_unsure) > SAME:
        return Verdict.SAME, ()
    return Verdict.UNSURE, ()


def scores(features: dict[str, float]) -> tuple[float, float]:
    """The log odds of another work: against the same one, against too little."""
    same, unsure = WEIGHTS[""]
    for name, value in features.items():
        if value:
            weights = WEIGHTS[name]
            same += weights[0] * value
            unsure += weights[1] * value
    return same, unsure


def _chance_of_same(against_same: float, against_unsure: float) -> float:
    same, unsure = math.exp(-against_same), math.exp(-against_unsure)
    return same / (1 + same + unsure)


def _is_article(states: States) -> bool:
    """The text describes the article that a notice is about, and does not speak of a notice."""
    is_there = any(share >= 0.8 and size > 3 for share, size in states.shares)
    return is_there and not _NOTICE.search(states.text.plain)


def _reasons(states: States) -> Iterator[Reason]:
    text, work = states.text, states.record.work
    own, unlike, _ = states.own
    if own is not None and unlike > 0.2:
        yield Reason("title", own.shown, work.title)
    elif states.title < 0.5 or not states.strangers:
        yield Reason("title", "", work.title)
    shown = ", ".join(person.shown for person in states.strangers[:_SHOWN])
    if states.strangers and not states.names:
        yield Reason("people", shown, ", ".join(work.names[:_SHOWN]))
    elif states.strangers and text.people[0] == states.strangers[0]:
        yield Reason("first author", text.people[0].shown, work.names[0])
    if states.year_differs:
        yield Reason("year", str(text.year or text.years[-1]), str(work.years[0]))
    if text.form["numbers"] and work.volume and not any(states.numbers):
        yield Reason("numbers", "", ", ".join(filter(None, (work.volume, work.page))))

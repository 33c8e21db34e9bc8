"""Compares a text with the work that a DOI name in it stands for.

Pure, without input or output, in time linear in the text. States of agreement are weighed by a
multinomial logistic regression, whose three classes are the three verdicts. Its weights
(:mod:`.weights`) are fitted to labelled blocks by ``benchmarks/fit_works.py``.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from ..core.doi import DOI
from .kinds import IN_TEXT
from .part import ascii_letters
from .registered import ABOUT_WORD, Registered
from .states import Reason, States, share_of
from .text import Text, content
from .weights import ENOUGH, OTHER, SAME, WEIGHTS
from .work import Work

_NOTICE: Final = re.compile(IN_TEXT, re.IGNORECASE)  # a word for a notice in a text
_PEOPLE: Final = 3  # people in a reason
_WORD: Final = re.compile(r"[^\W_]+")  # a word of letters and digits


class Verdict(StrEnum):
    """The result of a comparison."""

    SAME = "same"
    OTHER = "other"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A verdict, with its evidence.

    :ivar verdict: same, other or unsure
    :ivar title: the share of the title's words found, from 0 to 1
    :ivar names: the family names found
    :ivar year: whether a year is within one; ``None`` if the text or the record has no year
    :ivar reasons: the fields in which text and record differ, if the work is another one; for the
        same work, that only the year differs, or the version
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
        strangers = tuple(person.written for person in states.strangers)
    if reasons or strangers:
        written = _written(block)
        reasons = tuple(each._replace(text=written(each.text)) for each in reasons)
        strangers = tuple(map(written, strangers))
    year = None if states.years_between is None else not states.year_differs
    return Comparison(verdict, states.title, states.names, year, reasons, strangers)


class _Written:
    """Gives words back the accents that a text has.

    >>> _Written("Boulesteix, Couronne\u0301: M\u00fcller")("Muller, Couronne")
    'Müller, Couronné'
    """

    def __init__(self, block: str) -> None:
        words = _WORD.findall(unicodedata.normalize("NFC", block))
        self._words = {ascii_letters(word): word for word in words if not word.isascii()}

    def __call__(self, text: str) -> str:
        return _WORD.sub(lambda word: self._words.get(word[0], word[0]), text)


_written: Final = lru_cache(8)(_Written)  # a block may contain many names


def judged(states: States) -> tuple[Verdict, tuple[Reason, ...]]:
    """Return the verdict on the states of a comparison, and the reasons for a difference."""
    work = states.record.work
    if not work.is_known:
        return Verdict.UNSURE, ()
    if _is_article(states):
        return Verdict.OTHER, (Reason("notice", "", work.title),)
    if not (states.record.titles or work.names):
        return Verdict.UNSURE, ()  # a label is all that is registered
    against_same, against_unsure = scores(states.features())
    is_other = against_same > OTHER and against_unsure > ENOUGH and not states.is_spared
    remark = states.remark
    if (
        is_other
        or states.is_sibling
        or states.is_namesake
        or (remark and remark.field == "title" and states.is_elsewhere)
    ):
        return Verdict.OTHER, tuple(_reasons(states))
    # Among other names, people may be those of another reference, and a year later of another work.
    is_late = states.years_between == 1 and not (states.has_versions or all(states.numbers))
    is_told = states.title >= 0.5 or not (states.text.shared or is_late)
    is_told = is_told and (
        states.has_whole_title or not (states.page_differs or states.has_own_title)
    )
    is_told = is_told and (remark is None or remark.field == "version")
    same, unsure = math.exp(-against_same), math.exp(-against_unsure)
    is_same = is_told and same / (1 + same + unsure) > SAME
    return Verdict.SAME if is_same else Verdict.UNSURE, (remark,) if remark else ()


def scores(features: dict[str, float]) -> tuple[float, float]:
    """Compute the log odds of another work: against the same work, against too little evidence."""
    same, unsure = WEIGHTS[""]
    for name, value in features.items():
        if value and name in WEIGHTS:
            weights = WEIGHTS[name]
            same += weights[0] * value
            unsure += weights[1] * value
    return same, unsure


def _is_article(states: States) -> bool:
    """Tell whether the text describes the article of a notice, without mentioning a notice."""
    text, about = states.text, states.record.about
    if states.record.work.status.is_notice:
        is_there = any(share >= 0.8 and size > 3 for share, size in states.shares)
        return is_there and not _NOTICE.search(text.plain)
    if not about or len(content(about.folded)) < 2 or share_of(states.words, about)[0] < 0.9:
        return False
    return not any(map(ABOUT_WORD.match, text.words.distinct))


def _reasons(states: States) -> Iterator[Reason]:
    text, work = states.text, states.record.work
    own, unlike, closest = states.claimed_title
    if unlike <= 0.2:  # it may be too short to decide
        marked = (claim for claim in text.titles if claim.marked and claim.likely >= 0.8)
        own = next(marked, None) if max(closest, states.title) < 0.5 else None
    if states.remark:
        yield states.remark
    elif own is not None:
        yield Reason("title", own.written, work.title)
    elif states.title < 0.5 or not (states.strangers or states.is_namesake):
        yield Reason("title", "", work.title)
    shown = "; ".join(person.written for person in states.strangers[:_PEOPLE])
    shown += " et al." if len(text.people) > _PEOPLE else ""
    if states.strangers and not states.names:
        yield Reason("people", shown, ", ".join(work.names[:_PEOPLE]))
    elif states.strangers and text.people[0] == states.strangers[0]:
        yield Reason("first author", text.people[0].written, work.names[0])
    if states.year_differs:
        yield states.other_year
    if text.form["numbers"] and work.numbers[0] and not any(states.numbers):
        yield Reason("numbers", "", ", ".join(filter(None, work.numbers)))
    elif states.has_other_page:
        yield states.other_page

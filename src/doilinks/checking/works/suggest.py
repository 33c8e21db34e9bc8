"""Which DOI was meant: asks Crossref with the text of a reference whose name is wrong.

It is asked only if ``check_suggest`` is on, and only about texts at names that do not resolve or
are those of other works. Of what Crossref finds, only what the text describes is suggested.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, Final, NamedTuple

from ...core.doi import DOI
from ...core.found import Found
from ...core.options import Options
from ...core.printable import counted
from ..check import Outcome, Problem, Resolution, Severity
from ..check.api import Answer
from ..check.checker import near_misses
from ..check.lockfile import Keeper
from ..net import Sleep
from ..record.work import Work
from .agencies import Agencies
from .comparing import Registered, States, Verdict, judged, scores
from .part import BOUNDARY
from .text import Text

_LONGEST: Final = 400  # characters that are sent
_MOST: Final = 50  # names in one check: invented names must not burden the server
_LIKELY: Final = 0.5  # how likely a title is one
_PEOPLE: Final = 3  # of a text that is too long
# What is left of the markup of a link, and of the name, where the name was cut out.
_LEFT: Final = re.compile(
    rf"<a\s[^<>]{{0,300}}|[{BOUNDARY}<>{{}}$@\\]|\b(?:doi|urn|https?):", re.IGNORECASE
)

Places = Mapping[DOI, list[Found]]
Known = Mapping[DOI, Resolution]


class Question(NamedTuple):
    """Which DOI was meant by a text.

    :ivar doi: the wrong name
    :ivar block: the text around it
    :ivar text: what of it is sent
    :ivar near: names that are tried first
    """

    doi: DOI
    block: str
    text: str
    near: tuple[DOI, ...] = ()

    @property
    def hash(self) -> str:
        """What the lock file has in place of the text."""
        return sha256(self.text.encode("utf-8", "replace")).hexdigest()[:16]


def text_to_send(block: str, doi: DOI) -> str:
    """What is sent of the text around a name; ``""`` if it describes no work.

    There is no markup, address or name in it. Of a long text, these are people, title and years.

    >>> text_to_send("* Paskin, N. (2000). *Handbook of Names*. 10.1000/182x", DOI("10.1000/182x"))
    'Paskin, N. (2000). Handbook of Names.'
    >>> text_to_send("See doi:10.1000/182x for more.", DOI("10.1000/182x"))
    ''
    """
    read = Text.of(block, doi)
    has_title = read.form["a marked title"] >= _LIKELY
    if not (read.listed or has_title or (read.people and read.form["numbers"])):
        return ""
    text = read.plain
    if len(text) > _LONGEST:
        title = max(read.titles, key=lambda claim: claim.size, default=None)
        people = (person.shown for person in read.people[:_PEOPLE])
        text = " ".join([*people, title.shown if title else "", *map(str, read.years[:_PEOPLE])])
    words = " ".join(_LEFT.sub(" ", text).split())
    return "".join(filter(str.isprintable, words))[:_LONGEST]


def likeness(block: str, doi: DOI, work: Work) -> float | None:
    """How likely the text around a name describes a work; None if it may be another one.

    What a search finds is alike anyway, so the title has to be there, or volume and page.

    :param doi: the name in the text, which may be that of another work
    """
    states = States(Text.of(block, doi), Registered(work))
    is_there = states.has_title or all(states.numbers)
    if not is_there or judged(states)[0] is not Verdict.SAME or states.has_other_people:
        return None
    return -scores(states.features())[0]


class Suggestions:
    """Which names were meant, asked after the works are known; a round of a further check.

    :param wrong: gives the names that are wrong, each with its blocks where it is
    """

    def __init__(
        self,
        options: Options,
        keeper: Keeper,
        wrong: Callable[[Places, Known], Iterable[tuple[DOI, list[str]]]],
    ) -> None:
        self._options, self._keeper, self._wrong = options, keeper, wrong
        self._meant: dict[DOI, tuple[DOI, Work]] = {}
        self._lost: list[str] = []

    def wanted(self, places: Places, known: Known, *, update: bool) -> Iterator[Question]:
        """The texts at wrong names. One that was sent before is not sent again.

        :param update: also texts that were sent before
        """
        is_on, left = self._options.check_suggest and not self._options.check_offline, _MOST
        for doi, blocks in self._wrong(places, known):
            kept = self._keeper.suggested(doi)
            if not (is_on or kept):
                continue
            # Near misses of a name that does not resolve were asked for with the name.
            near = () if known[doi].fails else near_misses(doi)
            every = (Question(doi, each, text_to_send(each, doi), near) for each in blocks)
            questions = [each for each in every if each.text]
            again = kept is None or all(each.hash != kept.text for each in questions)
            if kept and kept.doi and kept.doi != doi:
                work, _ = self._keeper.work(kept.doi)
                again = again or work is None
                if work is not None:
                    self._meant[doi] = kept.doi, work
            if questions and (again or update) and is_on and left:
                left -= 1
                yield questions[0]

    def asks(
        self, asked: list[Question], user_agent: str, sleep: Sleep, clock: Callable[[], float]
    ) -> Agencies:
        """The agencies, and Crossref's search."""
        names = [near for question in asked for near in question.near]
        self._search = _Search(
            self._options, user_agent, names, self._keeper.agencies, sleep=sleep, clock=clock
        )
        return self._search

    def learn(self, asked: Question, answer: Answer, *, new: bool) -> None:
        """Take an answer: the name that was meant and its work, or that there is none."""
        if answer.outcome is Outcome.UNKNOWN:
            self._lost.append(answer.reason)
            return
        self._meant.pop(asked.doi, None)
        if answer.value is not None:
            self._meant[asked.doi] = answer.value
        doi, work = answer.value or (None, Work())
        if new:
            self._keeper.learn_suggested(asked.doi, asked.hash, doi)
        if new and doi is not None:
            self._keeper.learn_work(doi, work, self._search.agencies)

    def meant(self, place: Found) -> DOI | None:
        """The name that was meant at a place, if the text there describes its work."""
        doi, work = self._meant.get(place.doi, (None, Work()))
        block = place.block if doi else None
        return doi if block and likeness(block, place.doi, work) is not None else None

    def problems(self) -> Iterator[Problem]:
        """That Crossref could not be asked."""
        if self._lost:
            reasons = ", ".join(sorted(set(self._lost))[:_PEOPLE])
            words = f"could not ask which DOI {counted(len(self._lost), 'text')} meant ({reasons})"
            yield Problem(Severity.REMARK, "doi-work-unknown", words)


class _Search(Agencies):
    """Finds the work that a text describes."""

    async def resolve(self, asked: Any, /) -> Answer:
        """Try the near misses of the name, then ask Crossref.

        The value is a name and its work. Of several works that the text may describe, it is the
        likeliest.
        """
        question: Question = asked
        records = await asyncio.gather(*map(super().resolve, question.near))
        tried = zip(question.near, (record.value for record in records), strict=True)
        best = _likeliest(question, ((doi, work) for doi, work in tried if work is not None))
        if best is None:
            answer = await self.search(question.text)
            if answer.outcome is Outcome.UNKNOWN:
                return answer
            best = _likeliest(question, answer.value)
        return Answer(Outcome.FOUND if best else Outcome.NOT_FOUND, value=best)


def _likeliest(question: Question, works: Iterable[tuple[DOI, Work]]) -> tuple[DOI, Work] | None:
    like = [
        (likely, doi, work)
        for doi, work in works
        if doi != question.doi
        and (likely := likeness(question.block, question.doi, work)) is not None
    ]
    return max(like, key=lambda each: each[0])[1:] if like else None

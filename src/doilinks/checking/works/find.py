"""Which work a text describes: asks Crossref and DataCite, and accepts one work or none.

What a search finds is alike anyway, so that it was found says nothing. A work is accepted if the
comparison says that the text describes it, its title stands there as a title, the year agrees,
nobody in the text is a stranger to it, it is not another version of the work, and no other work
that was found is accepted too. All of this is heuristic, measured in ``benchmarks/find.py``.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from ...core.doi import DOI
from ...core.options import Options
from ..check.api import Answer, Outcome, Session
from ..check.checker import agent
from ..check.lockfile import Keeper
from ..net import Sleep, Unusable
from ..record.work import Work
from .agencies import Agencies
from .comparing import Registered, States, Verdict, judged
from .part import BOUNDARY, Words, places_of_words
from .text import Text

# --------------------------------------------------------------------------------------------------
# What is sent of a text, and how the lock file knows it again.

_LONGEST: Final = 400  # characters that are sent
_PEOPLE: Final = 3  # of a text that is too long
# What is left of the markup of a link, and of the name, where the name was cut out.
_LEFT: Final = re.compile(
    rf"<a\s[^<>]{{0,300}}|[{BOUNDARY}<>{{}}$@\\]|\b(?:doi|urn|https?):", re.IGNORECASE
)
_COMMAND: Final = re.compile(r"\\[A-Za-z]{2,20}")
NO_NAME: Final = DOI("10.0000/0")  # of a text without a name


class Question(NamedTuple):
    """Which work a text describes.

    :ivar block: the text as it stands in its source
    :ivar text: what of it is sent
    :ivar doi: the wrong name in it, which is not the answer
    :ivar near: names that are tried first
    """

    block: str
    text: str
    doi: DOI = NO_NAME
    near: tuple[DOI, ...] = ()

    @property
    def hash(self) -> str:
        """What the lock file has in place of the text."""
        return sha256(self.text.encode("utf-8", "replace")).hexdigest()[:16]


def text_to_send(text: Text) -> str:
    """What is sent of a text: no markup, address or name.

    Of a long text, these are people, title and years.

    >>> block = "* Paskin, N. (2000). *Handbook of Names*. https://example.org/a"
    >>> text_to_send(Text.of(block, NO_NAME))
    'Paskin, N. (2000). Handbook of Names.'
    """
    words = _COMMAND.sub(" ", text.plain)
    if len(words) > _LONGEST:
        title = max(text.titles, key=lambda claim: claim.size, default=None)
        people = (person.shown for person in text.people[:_PEOPLE])
        words = " ".join([*people, title.shown if title else "", *map(str, text.years[:_PEOPLE])])
    words = " ".join(_LEFT.sub(" ", words).split())
    return "".join(filter(str.isprintable, words))[:_LONGEST]


# --------------------------------------------------------------------------------------------------
# Acceptance.


class Fit(NamedTuple):
    """The works that fit a text.

    :ivar works: each with its name
    :ivar sure: there is one, and it is the work
    """

    works: tuple[tuple[DOI, Work], ...] = ()
    sure: bool = False

    @property
    def doi(self) -> DOI | None:
        """The name of the work, if one is accepted."""
        return self.works[0][0] if self.sure else None


# Types of Crossref for what is no work of its own, or is about another one.
_NO_WORK: Final = frozenset(
    str.split(
        "journal journal-issue journal-volume component peer-review grant proceedings-series"
        " report-series book-series book-set report-component review review-book"
    )
)
_PREPRINT: Final = frozenset({"posted-content", "preprint", "manuscript"})
# Titles of what is about another work, or around it.
_ABOUT: Final = re.compile(
    r"\W*(?:(?:author|editor|publisher)'?s?'? )?(errat|corrig|correction|retract|comment|reply"
    r"|respon|review|book review|discussion|rejoinder|addend|editorial|expression of concern"
    r"|front matter|back matter|preface|foreword|contents|withdraw)",
    re.IGNORECASE,
)
_SERVERS: Final = re.compile(
    r"\b(?:(?:arx|biorx|medrx|chemrx|psyarx)iv|pre-?print|ssrn)", re.IGNORECASE
)
_ENOUGH: Final = 0.8  # of the words of a title
_SHORT: Final = 3  # words of a title that may be a part of a longer one
_SAME: Final = 0.5  # of the words of a journal
# What stands before a title and after it. A comma is between people, title and journal.
_BREAK: Final = re.compile(r"[.:;,?!()\[\]\"“”„«»|¦§*_\n–—]|''|``|\s-+\s|\d\s*\Z")
_ROMAN: Final = re.compile(r"(?=[ivx])x{0,2}(?:ix|iv|v?i{0,3})\Z")


def fitting(block: str, works: Iterable[tuple[DOI, Work]], doi: DOI = NO_NAME) -> Fit:
    """Which of the works that a search has found a text describes.

    :param doi: the name in the text, which may be that of another work

    >>> work = Work.of({"title": "Handbook of Names", "author": [{"family": "Paskin"}]})
    >>> fitting("* Paskin, N. (2000). *Handbook of Names*.", [(DOI("10.1000/182"), work)]).doi
    DOI('10.1000/182')
    """
    text = Text.of(block, doi)
    found: dict[str, list[tuple[DOI, Work]]] = {}
    for name, work in works:
        if name != doi:
            kind = _kind(States(text, Registered(work)), block)
            found.setdefault(kind, []).append((name, work))
    agreeing, alone, versions = (found.get(kind, []) for kind in ("agrees", "alone", "version"))
    # Where journal, volume or year say which version is meant, it is that one.
    if len(agreeing) == 1:
        return Fit((agreeing[0],), sure=True)
    every = (*agreeing, *alone, *versions)
    return Fit(every, sure=len(every) == 1 and not versions)


def _kind(states: States, block: str) -> str:
    """How a work fits a text: ``""`` not at all; ``version``, as another version of its work.

    ``agrees`` if the text also names its journal, or its volume and page, or its server of
    preprints; ``alone`` if it says nothing of them.
    """
    text, work = states.text, states.record.work
    kind, numbers = work.type.lower(), all(states.numbers)
    venue = _venue(states)
    by_numbers = numbers and states.first_is_there and (states.apart == 0 or venue >= _SAME)
    about = _ABOUT.match(work.title)
    is_other = kind in _NO_WORK or work.status.is_notice
    is_other = is_other or (about is not None and about[1].lower() not in text.plain.lower())
    if is_other or not (by_numbers or _has_title(states)):
        return ""
    if judged(states)[0] is not Verdict.SAME or states.has_other_people:
        return ""
    if states.year_differs and not (numbers or (venue >= _SAME and any(states.numbers))):
        return ""
    if not numbers and _has_strangers(states):
        return ""
    differ = text.form["numbers"] and all(work.numbers) and not any(states.numbers)
    agrees = numbers or (venue >= _SAME and not differ)
    is_preprint = kind in _PREPRINT or bool(_SERVERS.search(f"{work.container} {work.publisher}"))
    says_preprint = _SERVERS.search(block) is not None
    if is_preprint or (says_preprint and not work.container and not numbers):
        return "agrees" if says_preprint else "version"
    is_elsewhere = text.form["numbers"] and work.container
    if not agrees and (says_preprint or is_elsewhere):
        return "version"
    return "agrees" if agrees else "alone"


def _venue(states: States) -> float:
    """The share of the journal's words that the text has beside the title; both may abbreviate."""
    venue, words = states.record.venue, states.text.words
    if len(venue) > 2 and "".join(word[0] for word in venue) in words.distinct:
        return 1.0
    both = zip(words.folded, words.capital, strict=True)
    beside = {word for word, capital in both if capital} - states.record.in_titles
    least = 1 if len(venue) > 1 else 3
    begins = {word[:end] for word in beside for end in range(least, len(word) + 1)}
    found = (
        each in begins or any(each[:end] in beside for end in range(least, len(each)))
        for each in venue
    )
    return sum(found) / len(venue) if venue else 0.0


def _has_title(states: States) -> bool:
    """A title of the record stands in the text with its numerals; a short one as a title."""
    words = states.text.words
    for title, (share, size) in zip(states.record.titles, states.shares, strict=True):
        numerals = {word for word in title.folded if word.isdigit() or _ROMAN.match(word)}
        is_there = share >= _ENOUGH and size and numerals <= words.distinct
        if is_there and (size > _SHORT or _stands_alone(states.text.plain, title.folded)):
            return True
    return False


def _stands_alone(text: str, title: tuple[str, ...]) -> bool:
    """The words of a title stand side by side, with an end of a sentence or the like around."""
    text, places = places_of_words(text)
    folded = [word for word, _, _ in places]
    for at in range(len(folded) - len(title) + 1):
        after = at + len(title)
        if tuple(folded[at:after]) == title:
            before = text[places[at - 1][1] : places[at][1]] if at else "."
            behind = text[places[after - 1][2] : places[after][1]] if after < len(places) else "."
            if _BREAK.search(before) and _BREAK.search(behind):
                return True
    return False


def _has_strangers(states: States) -> bool:
    """People of the text are strangers to the record, and its title alone does not outweigh that.

    Given names are none, and of many people only some are kept.
    """
    work = states.record.work
    given = {word for each in work.people for word in Words.of(each.given or "").folded}
    strangers = [each for each in states.strangers if given.isdisjoint(each.words)]
    if not strangers or (work.count > len(work.people) and sum(states.there) > 2):
        return False
    is_whole = states.title >= 0.95 and states.first_is_there
    return not (is_whole and 2 * len(strangers) <= len(states.text.people))


# --------------------------------------------------------------------------------------------------
# The search.

# DataCite registers software and data.
_DATA: Final = re.compile(
    r"\b(?:zenodo|figshare|dryad|dataverse|pangaea|software|data ?sets?|computer program"
    r"|R package)\b|\[data|\b(?:version|v\.?) ?\d",
    re.IGNORECASE,
)


class Search(Agencies):
    """Finds the work that a text describes."""

    async def resolve(self, asked: Any, /) -> Answer:
        """Try the near misses of the name, then ask Crossref, and DataCite for software and data.

        The value is a :class:`Fit`.
        """
        question: Question = asked
        records = await asyncio.gather(*map(super().resolve, question.near))
        tried = zip(question.near, (record.value for record in records), strict=True)
        works = [(doi, work) for doi, work in tried if work is not None]
        fit = fitting(question.block, works, question.doi)
        for search in (self.search, self.search_data):
            if fit.sure or (search == self.search_data and not _DATA.search(question.block)):
                break
            answer = await search(question.text)
            if answer.outcome is Outcome.UNKNOWN:
                return answer
            works += [each for each in answer.value if each[0] not in dict(works)]
            fit = fitting(question.block, works, question.doi)
        return Answer(Outcome.FOUND if fit.works else Outcome.NOT_FOUND, value=fit)


def kept_fit(question: Question, keeper: Keeper) -> Fit | None:
    """What the lock file says of a text, compared again; None if it has to be asked for."""
    kept = keeper.suggested(question.hash)
    works = [(doi, keeper.work(doi)[0]) for doi in kept.names] if kept else []
    if kept is None or any(work is None for _, work in works):
        return None
    return fitting(question.block, ((d, w) for d, w in works if w is not None), question.doi)


def keep(question: Question, fit: Fit, keeper: Keeper, agencies: Mapping[str, str]) -> None:
    """Keep an answer in the lock file."""
    keeper.learn_suggested(question.hash, [doi for doi, _ in fit.works])
    for doi, work in fit.works:
        keeper.learn_work(doi, work, agencies)


# --------------------------------------------------------------------------------------------------
# ``doilinks find``: the works of many texts, each asked for once.


class Sought(NamedTuple):
    """What was found.

    :ivar fits: of each text that was sent, or would be
    :ivar reasons: why texts could not be asked about, each with their number
    :ivar asked: how many texts were sent
    :ivar trouble: why the lock file was not written, or ""
    """

    fits: Mapping[str, Fit]
    reasons: Mapping[str, int]
    asked: int
    trouble: str = ""


def find(
    questions: Iterable[Question],
    options: Options,
    root: Path,
    *,
    update: bool = False,
    progress: Callable[[int, int], object] = lambda _done, _all: None,
    waiting: Callable[[float], None] = lambda _seconds: None,
    sleep: Sleep = asyncio.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Sought:
    """Find the works of texts, from the lock file or by asking.

    What was learnt is in the lock file also if this is interrupted.

    :param root: the folder that ``check_lockfile`` is relative to
    :param update: ask about all of them again
    :raises InvalidLockfile: when the lock file is damaged or cannot be read
    """
    keeper = Keeper(options, root)
    fits: dict[str, Fit] = {}
    wanted: dict[str, Question] = {}
    for each in questions:
        kept = None if update and not options.check_offline else kept_fit(each, keeper)
        if kept is not None:
            fits[each.text] = kept
        else:
            wanted.setdefault(each.text, each)
    reasons: Counter[str] = Counter()
    if options.check_offline:
        reasons["offline"] += len(wanted)
    elif wanted:

        def make() -> Search:
            return Search(options, agent(), (), keeper.agencies, sleep=sleep, clock=clock)

        session = Session(make, min(options.check_concurrency, len(wanted)), waiting)
        try:
            session.open()
        except (Unusable, OSError, RuntimeError) as error:
            reasons[str(error)] += len(wanted)
            return Sought(fits, reasons, 0)
        stopped = True
        try:
            progress(0, len(wanted))
            with session:
                for done, (each, answer) in enumerate(session.answers(wanted.values()), 1):
                    progress(done, len(wanted))
                    if answer.value is None:
                        reasons[answer.reason] += 1
                        continue
                    fits[each.text] = answer.value
                    keep(each, answer.value, keeper, session.resolver.agencies)
            stopped = False
        finally:
            keeper.save(soon=stopped)
    trouble = "; ".join(each.message for each in keeper.problems)
    return Sought(fits, {key: n for key, n in reasons.items() if n}, len(wanted), trouble)

"""Finds the work that a text describes: asks Crossref and DataCite, and keeps works that fit.

``doilinks find`` asks about references without a name, a check with ``check_suggest`` about texts
at wrong names. Both have one search and one section of the lock file.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from ...core.doi import DOI
from ...core.found import Found
from ...core.options import Options
from ...core.printable import counted
from ...lock.lockfile import Lockfile
from ...record.fitting import NO_NAME, Fit, fitting
from ...record.part import BOUNDARY
from ...record.text import Text
from ..loop import AskStep, Loop, Progress, agent, saving, silent
from ..names.problems import Problem, Severity, of_lockfile
from ..net.client import Answer, Network, Outcome
from .agencies import Agencies

_LONGEST: Final = 400  # characters that are sent
_PEOPLE: Final = 3  # of a longer text, of which only people, title and year are sent
# The rest of the markup of a link, and of a label, where the name was cut out.
_LEFT: Final = re.compile(
    rf"<a\s[^<>]{{0,300}}|[{BOUNDARY}<>{{}}$@\\]|\b(?:doi|urn|https?):", re.IGNORECASE
)
_COMMAND: Final = re.compile(r"\\[A-Za-z]{2,20}")  # of LaTeX: no word of a reference
_LIKELY: Final = 0.5  # how likely a title is one


class Question(NamedTuple):
    """A block and its query; the wrong name in it; and names that are tried first."""

    block: str
    text: str
    doi: DOI = NO_NAME
    near: tuple[DOI, ...] = ()

    @property
    def hash(self) -> str:
        """The hash that the lock file has in place of the text."""
        return sha256(self.text.encode("utf-8", "replace")).hexdigest()[:16]


def _to_send(text: Text) -> str:
    """Extract the text to send: no markup, address, DOI name; if long, people, title and years."""
    words = _COMMAND.sub(" ", text.plain)
    title = max(text.titles, key=lambda claim: claim.size, default=None)
    shown = title.written if title and title.size >= _LIKELY else ""
    # Of many people without a title after them, the title may be the beginning.
    if len(words) > _LONGEST and text.people and (shown or len(text.people) <= _PEOPLE):
        people = (person.written for person in text.people[:_PEOPLE])
        words = " ".join([*people, shown, *map(str, text.years[:_PEOPLE])])
    words = " ".join(_LEFT.sub(" ", words).split())
    return "".join(filter(str.isprintable, words))[:_LONGEST]


def question_of(block: str, doi: DOI = NO_NAME, near: tuple[DOI, ...] = ()) -> Question | None:
    """Make the query for a reference, or a text at a wrong name; None if it describes no work."""
    text = Text.of(block, doi)
    has_title = text.form["a marked title"] >= _LIKELY
    says_more = text.listed or has_title or (text.people and text.form["numbers"])
    sent = _to_send(text) if doi == NO_NAME or says_more else ""
    return Question(block, sent, doi, near) if sent else None


# DataCite registers software, data and arXiv's papers.
_DATA: Final = re.compile(
    r"\b(?:arxiv|zenodo|figshare|dryad|dataverse|pangaea|software|data ?sets?|computer program"
    r"|R package)\b|\[data|\b(?:version|v\.?) ?\d",
    re.IGNORECASE,
)


class Search(Agencies):
    """Finds the work that a text describes."""

    async def resolve(self, asked: Any, /) -> Answer:
        """Try near misses, then Crossref, and DataCite for software and data: a :class:`Fit`."""
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
                if fit.works:  # the works of Crossref count without DataCite
                    break
                return answer
            works += [each for each in answer.value if each[0] not in dict(works)]
            fit = fitting(question.block, works, question.doi)
        return Answer(Outcome.FOUND if fit.works else Outcome.NOT_FOUND, value=fit)


_REASONS: Final = 3  # in a message


class Finding(AskStep[Question]):
    """Finds the work that each text describes.

    :ivar fits: the works that fit each text, by its query
    :ivar count: how many texts were sent
    """

    def __init__(
        self, options: Options, lockfile: Lockfile, questions: Iterable[Question] = ()
    ) -> None:
        super().__init__()
        self._options, self._lockfile = options, lockfile
        self._texts = {each.text: each for each in questions}
        self.fits: dict[str, Fit] = {}
        self.count = 0
        self._reasons: Counter[str] = Counter()  # why texts could not be asked about

    def wanted(self, *, update: bool) -> Iterator[Question]:
        """Yield the texts that were not sent before; with ``update``, all."""
        is_offline = self._options.check_offline
        for each in self._texts.values():
            if (is_offline or not update) and self._knows(each):
                continue
            if is_offline:
                self._reasons["offline"] += 1
            else:
                yield each

    def _knows(self, question: Question) -> bool:
        """Tell whether the lock file has works for a text; they are compared with it again."""
        kept = self._lockfile.suggested(question.hash)
        works = {doi: self._lockfile.work(doi) for doi in kept or ()}
        known = [(doi, work) for doi, work in works.items() if work is not None]
        if kept is None or len(known) < len(works):
            return False
        self.fits[question.text] = fitting(question.block, known, question.doi)
        return True

    def connect(self, asked: Sequence[Question], network: Network) -> Search:
        """Make the clients of the agencies, with their search."""
        names = [near for question in asked for near in question.near]
        self._search = Search(self._options, network, names, self._lockfile.agencies)
        return self._search

    def learn(self, asked: Question, answer: Answer, *, new: bool) -> None:
        """Take an answer: the works that fit the text."""
        if answer.outcome is Outcome.UNKNOWN:
            self._reasons[answer.reason] += 1
            return
        fit: Fit = answer.value
        self.fits[asked.text] = fit
        self.count += 1
        if new:
            self._lockfile.learn_suggested(asked.hash, [doi for doi, _ in fit.works])
            for doi, work in fit.works:
                self._lockfile.learn_work(doi, work, self._search.agencies)

    def problems(self) -> list[Problem]:
        """Return a remark if the search gave no answer."""
        if not self._reasons:
            return []
        texts = counted(self._reasons.total(), "text")
        why = ", ".join(sorted(self._reasons)[:_REASONS])
        words = f"could not ask which DOI {texts} meant ({why})"
        return [Problem(Severity.REMARK, "doi-work-unknown", words)]


def find(
    questions: Iterable[Question],
    options: Options,
    root: Path,
    *,
    progress: Progress = silent,
    update: bool = False,
) -> tuple[dict[str, Fit], Sequence[Problem], int]:
    """Find the works of texts, in the lock file or by asking.

    Return what fits each text, the problems, and the number of texts that were sent.

    The answers are in the lock file also if this is interrupted.

    :param root: the folder that ``check_lockfile`` is relative to
    :param progress, update: as those of :func:`doilinks.check.check`
    :raises InvalidLockfile: when the lock file is damaged or cannot be read
    """
    lockfile = Lockfile.of(options, root)
    finding = Finding(options, lockfile, questions)
    loop = Loop(options, lockfile, Network(agent()), progress)
    with saving(lockfile):
        loop.run([finding], update=update)
    if loop.fault:
        raise loop.fault
    return finding.fits, [*of_lockfile(lockfile), *finding.problems()], finding.count


_MOST: Final = 50  # names in one check: invented names must not burden the server


class Suggestions(Finding):
    """Finds the names that were meant where names do not resolve or have other works.

    :param wrong: gives the names that are wrong, each with its blocks and the names to try first
    """

    def __init__(
        self,
        options: Options,
        lockfile: Lockfile,
        wrong: Callable[[], Iterable[tuple[DOI, list[str], tuple[DOI, ...]]]],
    ) -> None:
        super().__init__(options, lockfile)
        self._wrong = wrong
        self._questions: dict[DOI, list[Question]] = {}

    def wanted(self, *, update: bool) -> Iterator[Question]:
        """Yield the texts at wrong names that were not sent before; with ``update``, those too."""
        is_on, left = self._options.check_suggest and not self._options.check_offline, _MOST
        for doi, blocks, near in self._wrong():
            questions = [each for block in blocks if (each := question_of(block, doi, near))]
            self._questions[doi] = questions
            kept = sum(map(self._knows, questions))
            if questions and (update or not kept) and is_on and left:
                left -= 1
                yield questions[0]

    def meant(self, place: Found) -> DOI | None:
        """Return the DOI name that was meant at a place, if the text there describes its work."""
        questions = self._questions.get(place.doi, ())
        fits = (self.fits.get(each.text, Fit()) for each in questions)
        works = next((fit.works for fit in fits if fit.sure), ())
        return fitting(place.block, works, place.doi).doi if works and place.block else None

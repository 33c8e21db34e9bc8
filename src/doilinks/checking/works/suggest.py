"""Which DOI was meant: asks with the text of a reference whose name is wrong.

It is asked only if ``check_suggest`` is on, and only about texts at names that do not resolve or
are those of other works. Search, acceptance and lock file are those of :mod:`.find`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from ...core.doi import DOI
from ...core.found import Found
from ...core.options import Options
from ...core.printable import counted
from ..check import Outcome, Problem, Resolution, Severity
from ..check.api import Answer
from ..check.checker import near_misses
from ..check.lockfile import Keeper
from ..net import Sleep
from .agencies import Agencies
from .find import Fit, Question, Search, fitting, keep, kept_fit, text_to_send
from .text import Text

_MOST: Final = 50  # names in one check: invented names must not burden the server
_LIKELY: Final = 0.5  # how likely a title is one
_REASONS: Final = 3  # in a message

Places = Mapping[DOI, list[Found]]
Known = Mapping[DOI, Resolution]


def question_of(block: str, doi: DOI, near: tuple[DOI, ...] = ()) -> Question | None:
    """What to ask about the text around a wrong name; None if it describes no work.

    >>> question_of("* Paskin, N. (2000). *Handbook of Names*. 10.1000/x", DOI("10.1000/x")).text
    'Paskin, N. (2000). Handbook of Names.'
    >>> question_of("See doi:10.1000/182x for more.", DOI("10.1000/182x"))
    """
    text = Text.of(block, doi)
    has_title = text.form["a marked title"] >= _LIKELY
    is_reference = text.listed or has_title or (text.people and text.form["numbers"])
    sent = text_to_send(text) if is_reference else ""
    return Question(block, sent, doi, near) if sent else None


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
        self._meant: dict[DOI, Fit] = {}
        self._lost: list[str] = []

    def wanted(self, places: Places, known: Known, *, update: bool) -> Iterator[Question]:
        """The texts at wrong names. One that was sent before is not sent again.

        :param update: also texts that were sent before
        """
        is_on, left = self._options.check_suggest and not self._options.check_offline, _MOST
        for doi, blocks in self._wrong(places, known):
            # Near misses of a name that does not resolve were asked for with the name.
            near = () if known[doi].fails else near_misses(doi)
            questions = [each for block in blocks if (each := question_of(block, doi, near))]
            fits = [fit for each in questions if (fit := kept_fit(each, self._keeper)) is not None]
            if sure := [fit for fit in fits if fit.sure]:
                self._meant[doi] = sure[0]
            if questions and (update or not fits) and is_on and left:
                left -= 1
                yield questions[0]

    def asks(
        self, asked: list[Question], user_agent: str, sleep: Sleep, clock: Callable[[], float]
    ) -> Agencies:
        """The agencies, and their search."""
        names = [near for question in asked for near in question.near]
        self._search = Search(
            self._options, user_agent, names, self._keeper.agencies, sleep=sleep, clock=clock
        )
        return self._search

    def learn(self, asked: Question, answer: Answer, *, new: bool) -> None:
        """Take an answer: the works that fit the text."""
        if answer.outcome is Outcome.UNKNOWN:
            self._lost.append(answer.reason)
            return
        self._meant[asked.doi] = answer.value
        if new:
            keep(asked, answer.value, self._keeper, self._search.agencies)

    def meant(self, place: Found) -> DOI | None:
        """The name that was meant at a place, if the text there describes its work."""
        fit = self._meant.get(place.doi, Fit())
        block = place.block if fit.sure else None
        return fitting(block, fit.works, place.doi).doi if block else None

    def problems(self) -> Iterator[Problem]:
        """That the search could not be asked."""
        if self._lost:
            reasons = ", ".join(sorted(set(self._lost))[:_REASONS])
            words = f"could not ask which DOI {counted(len(self._lost), 'text')} meant ({reasons})"
            yield Problem(Severity.REMARK, "doi-work-unknown", words)

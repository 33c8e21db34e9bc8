"""The check of names and of their works: whether the text around a name describes its work.

It is the check of names (:mod:`doilinks.check`) with an extra check. A work that is kept in the
lock file is not asked for again, except for its status.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from itertools import chain
from typing import Any, Final

from ...core.doi import DOI
from ...core.found import Found, Listed
from ...core.options import Options
from ...lock.entries import WORKS
from ...lock.lockfile import Lockfile
from ...record.comparing import Comparison, Verdict, compare
from ...record.project_name import two_names
from ...record.same_name import two_works
from ...record.work import Work
from ..loop import AskStep
from ..names import CheckReport, Outcome, Problem, Severity, WorkCounts
from ..names import check as check_names
from ..names.problems import ExtraCheck, Places, Resolutions
from ..net import Answer, Network, lost
from .agencies import Agencies
from .find import Suggestions
from .newer import newer_problems
from .problems import (
    future_year,
    stale_entry,
    text_problems,
    two_names_problems,
    unknown_works,
    work_problems,
)


def check(found: Iterable[Found], options: Options, **more: Any) -> CheckReport:
    """Resolve every DOI of the documents, and compare texts with works as ``check_works`` says.

    In any case, two texts with the same name are compared with each other, and a year in the
    future is reported.

    :param found: as :func:`doilinks.check.check` takes it
    :param options: which hosts ask for it, and how
    :param more: the other arguments of :func:`doilinks.check.check`
    :raises InvalidLockfile: if the lock file is damaged or cannot be read
    :raises Interrupted: after Ctrl-C, with the report so far

    >>> check([], Options(check="error", check_works="warn", check_lockfile="")).summary
    '0 DOIs: 0 found'
    """
    return check_names(found, options, extra=WorksCheck, **more)


_ACCEPTED: Final = frozenset({
    "doi-newer", "doi-two-names", "doi-other-page", "doi-other-title", "doi-other-version",
    "doi-other-year",
})  # fmt: skip


class WorksCheck(ExtraCheck, AskStep[DOI]):
    """The check of works: asks agencies as a step, and reports as an extra check."""

    def __init__(self, options: Options, lockfile: Lockfile) -> None:
        super().__init__()
        self._options, self._lockfile = options, lockfile
        self._is_on = options.check_works != "off"
        self._accepted = Listed(options.check_accept)
        self._works: dict[DOI, Work] = {}
        self._unknown: dict[DOI, Answer] = {}
        self._update = False
        self._this_year = datetime.now(UTC).year
        self.counts = WorkCounts() if self._is_on else None
        self._compared: dict[tuple[DOI, str], Comparison] = {}
        self._suggestions = Suggestions(options, lockfile, self._wrong)

    def steps(self, places: Places, resolutions: Resolutions) -> tuple[AskStep[Any], ...]:
        """Return the step for works, and the step for suggestions."""
        self._resolutions = resolutions
        self._suggestions.places, self._suggestions.resolutions = places, resolutions
        is_asked = self._options.check_suggest and not self._options.check_offline
        suggests = is_asked or self._lockfile.has_suggested
        return (self, self._suggestions) if suggests else (self,)

    def wanted(self, *, update: bool) -> Iterator[DOI]:
        """Yield the DOI names that may resolve and for which no fresh work is kept.

        :param update: take titles and people from the agency too, which are kept for good otherwise
        """
        self._update = update
        for doi, resolution in self._resolutions.items():
            if not self._is_on or resolution.outcome not in (Outcome.FOUND, Outcome.UNKNOWN):
                continue
            work = self._lockfile.work(doi)
            if work is not None:
                self._works[doi] = work
            if self._options.check_offline:
                if work is None:
                    self._unknown[doi] = lost("not in the lock file")
            elif work is None or update or not self._lockfile.is_fresh(WORKS, doi):
                yield doi

    def connect(self, names: Sequence[DOI], network: Network) -> Agencies:
        """Make the clients of the agencies."""
        kept = self._lockfile
        self._agencies = Agencies(self._options, network, names, kept.agencies, kept.alias)
        return self._agencies

    def learn(self, doi: DOI, answer: Answer, *, new: bool) -> None:
        """Take an agency's answer, and keep the work in the lock file if it is new."""
        work: Work | None = answer.value
        if work is None:
            if doi not in self._works:  # otherwise, the kept work still counts
                self._unknown[doi] = answer
            return
        earlier = None if self._update else self._works.get(doi)
        if earlier is not None:
            work = earlier.renewed(work)
        self._works[doi] = work
        if new:
            self._lockfile.learn_work(doi, work, self._agencies.agencies)

    def meant(self, place: Found) -> DOI | None:
        """Return the DOI name that the text at a place means, if a suggestion is known."""
        return self._suggestions.meant(place)

    def _wrong(self, places: Places, resolutions: Resolutions) -> Iterator[tuple[DOI, list[str]]]:
        """Yield each name that fails or has another work than its texts, with these blocks."""
        for doi, every in places.items():
            if resolutions[doi].fails and resolutions[doi].near is None:
                yield doi, [block for place in every if (block := place.block)]
            elif self._is_on and doi in self._works and doi not in self._accepted:
                rows = compared({doi: every}, self._works, self._compared)
                other = [at.block for at, _, each in rows if each and each.verdict is Verdict.OTHER]
                if blocks := [block for block in other if block]:
                    yield doi, blocks

    def hides(self, silent: Iterable[Found], places: Places) -> Callable[[Found], bool]:
        """Return a function that tells whether a silenced place has, or may have, a problem."""
        silent = list(silent)
        if not silent:
            return lambda _place: False
        others = chain.from_iterable(places.get(doi, ()) for doi in {each.doi for each in silent})
        apart = {place.doi for place, _ in two_works(chain(others, silent))}
        every = chain(chain.from_iterable(places.values()), silent)
        apart |= {place.doi for place, _ in two_names(every, self._work_of)}
        return lambda place: place.doi in apart or self._hides(place)

    def _work_of(self, doi: DOI) -> Work | None:
        """Return the work of a DOI name if it is known, even if works are not checked now."""
        return self._works.get(doi) or self._lockfile.work(doi)

    def _hides(self, place: Found) -> bool:
        if future_year(place, self._this_year):
            return True
        # Heuristic: a project whose lock file has no works at all does not check works.
        work = self._works.get(place.doi) if self._is_on else self._lockfile.work(place.doi)
        if work is None:
            return self._is_on or not self._options.check_lockfile or self._lockfile.has_works
        comparison = compare(place.block, work, place.doi) if place.block else None
        problems = work_problems(place, work, comparison, None, self._options)
        return bool(problems or any(newer_problems([(place, work)], {}, {})))

    def problems(self, places: Places, resolutions: Resolutions) -> list[Problem]:
        """List the problems with the works at ``places``, which contain no silenced ones."""
        works = {doi: work for doi, work in self._works.items() if doi in places}
        unknown = {doi: answer for doi, answer in self._unknown.items() if doi in places}
        same: set[DOI] = set()
        every = list(text_problems(places, resolutions, self._this_year))
        rows = list(compared(places, works, self._compared))
        every += newer_problems([row[:2] for row in rows], places, resolutions)
        every += two_names_problems(places, self._work_of, resolutions)
        for place, work, comparison in rows:
            if comparison and comparison.verdict is Verdict.SAME:
                same.add(place.doi)
            here = resolutions.get(place.doi)
            if here and comparison and comparison.verdict is Verdict.OTHER:
                here = replace(here, near=self.meant(place))
            every += work_problems(place, work, comparison, here, self._options)
        every += self._suggestions.problems()
        wrong = {p.doi for p in every if p.doi and p.severity is not Severity.REMARK}
        accepts = {p.doi for p in every if p.doi and _can_accept(p) and p.doi in self._accepted}
        problems = [p for p in every if not (_can_accept(p) and p.doi in accepts)]
        if not self._is_on:
            return problems
        without_record = sum(not answer.lost for answer in unknown.values())
        self.counts = WorkCounts(
            known=len(works),
            same=len(same - wrong - accepts),
            unsure=len(works.keys() - same - wrong - accepts),
            accepted=len(accepts),
            unknown=len(unknown) - without_record,
            unrecorded=without_record,
        )
        problems += self._stale({*accepts, *unknown}, works)
        return [*problems, *unknown_works(unknown.values(), self._options)]

    def _stale(self, needing: Iterable[DOI], works: Iterable[DOI]) -> Iterator[Problem]:
        """Yield a problem for each entry of ``check_accept`` that no name needs."""
        entries_of = self._accepted.entries_of
        needed = {entry for doi in needing for entry in entries_of(doi)}
        for entry in dict.fromkeys(entry for doi in works for entry in entries_of(doi)):
            if entry not in needed:
                yield stale_entry(entry, self._options)


def _can_accept(problem: Problem) -> bool:
    """Tell whether ``check_accept`` can accept a problem; of remarks, only ``_ACCEPTED``."""
    return problem.severity is not Severity.REMARK or problem.code in _ACCEPTED


# A host that builds again, and an editor, check mostly the texts of the last time.
_again: Final = lru_cache(4096)(compare)
_LONGEST: Final = 10_000  # characters of a text whose comparison is kept


def compared(
    places: Mapping[DOI, list[Found]],
    works: Mapping[DOI, Work],
    comparisons: dict[tuple[DOI, str], Comparison],
) -> Iterator[tuple[Found, Work, Comparison | None]]:
    """Yield each place of a name with its work, if known, and the comparison if it has a text.

    :param comparisons: a cache of comparisons, which gets the new ones
    """
    # In the order of the documents, because the names of a block are searched once if its places
    # follow each other.
    every = (place for doi in places for place in places[doi] if doi in works)
    for place in sorted(every, key=lambda place: (place.file or "", place.line or 0)):
        doi, block = place.doi, place.block
        if block and (doi, block) not in comparisons:
            again = _again if len(block) <= _LONGEST else compare
            comparisons[doi, block] = again(block, works[doi], doi)
        yield place, works[doi], comparisons[doi, block] if block else None

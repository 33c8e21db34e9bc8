"""The check of works: what each name stands for, and whether the text around it describes that.

A work that is kept in the lock file is not asked for again, except for its status.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from ..core.doi import DOI
from ..core.found import Found, Listed
from ..core.options import Options
from ..core.printable import describe, printable
from ..net import Sleep, Unusable
from ..works import Comparison, Status, Verdict, Work, compare
from ..works.agencies import Agencies, Reading
from .api import Outcome, Session, Told
from .lockfile import Keeper
from .problems import (
    CheckReport,
    Memory,
    Problem,
    Resolution,
    Severity,
    WorkCounts,
    fault,
    in_order,
)

__all__ = [
    "Said",
    "Works",
    "compared",
    "says_something",
    "severity_of",
    "work_problem",
]


# --------------------------------------------------------------------------------------------------
# What is said about works: another one, retracted, of concern, corrected, unknown.
#
# A title is text of an agency. It is made of printable characters only, and shortened.

_LONGEST: Final = 120  # characters of a title in a message
_PEOPLE: Final = 3
_WORDS: Final = {
    "withdrawal": "withdrawn",
    "removal": "removed",
    "partial-retraction": "retracted in part",
}


class Said(NamedTuple):
    """What is said about a name at one place."""

    severity: Severity
    code: str
    message: str


def severity_of(options: Options) -> Severity:
    """How severe it is that a work is another one or was retracted."""
    return Severity.ERROR if options.check_works == "error" else Severity.WARNING


def work_problem(
    place: Found, work: Work, found: Comparison | None, known: Resolution | None, options: Options
) -> Problem | None:
    """The problem with the work of a name at one place, or None."""
    said = _other(place, work, found, options)
    if said is None and work.status is not Status.RETRACTED:
        said = _people(place, work, found)
    said = said or _status(place, work, options)
    if said is None:
        return None
    return Problem(*said, place.doi, known, place.file, place.line, place.column, work)


def _other(place: Found, work: Work, found: Comparison | None, options: Options) -> Said | None:
    if found is None or found.verdict is not Verdict.OTHER:
        return None
    if any(reason.field == "notice" for reason in found.reasons):
        what = "a notice; the text describes the article that it is about"
        message = f"another work: {place.doi.uri} is {_shown(work)}, {what}"
    else:
        part = "only a part of the title" if found.title >= 0.5 else "not the title"
        lacks = part if found.names or found.title >= 0.5 else "neither title nor author"
        message = f"another work: {place.doi.uri} is {_shown(work)}, of which the text has {lacks}"
    return Said(severity_of(options), "doi-other-work", message)


def _people(place: Found, work: Work, found: Comparison | None) -> Said | None:
    """The title is right, and none of the people. A group has other names, so it is a warning."""
    if found is None or not found.strangers:
        return None
    shown = ", ".join(printable(name)[:_LONGEST] for name in found.strangers[:_PEOPLE])
    message = (
        f"other people: {place.doi.uri} is {_shown(work)}; the text has the title, and {shown}"
    )
    return Said(Severity.WARNING, "doi-other-people", message)


def _status(place: Found, work: Work, options: Options) -> Said | None:
    notice = work.notices[0] if work.notices else None
    kind = notice.kind if notice else ""
    more = f", {_day(notice.date)}" if notice and notice.date else ""
    more += f", see {notice.doi.uri}" if notice and notice.doi else ""
    what = f"{place.doi.uri} {_shown(work)}{more}"
    match work.status:
        case Status.RETRACTED:
            word = _WORDS.get(kind, "retracted")
            return Said(severity_of(options), "doi-retracted", f"{word}: {what}")
        case Status.CONCERN:
            return Said(Severity.WARNING, "doi-concern", f"expression of concern: {what}")
        case Status.CORRECTED:
            word = _WORDS.get(kind, "corrected")
            return Said(Severity.REMARK, "doi-corrected", f"{word}: {what}")
    return None


def _day(date: str) -> str:
    """A date as a message says it: on a day, in a month or a year."""
    return f"{'on' if date.count('-') == 2 else 'in'} {date}"


def _shown(work: Work) -> str:
    """A work in words: its title, who made it, and when."""
    title = work.title
    if len(title) > _LONGEST:
        title = title[:_LONGEST].rstrip() + "…"
    who = work.names[0] if work.names else ""
    if len(work.names) == 2:
        who = " and ".join(work.names)
    elif len(work.names) > 2:
        who += " et al."
    details = ", ".join(filter(None, (who, str(work.years[0]) if work.years else "")))
    return f'"{title}"' + (f" ({details})" if details else "")


_UNKNOWN: Final = "doi-work-unknown"
_SHOWN: Final = 3  # reasons in one message


class Works:
    """The works of one check.

    :param keeper: the lock file
    :param memory: answers of earlier checks
    :ivar requests: requests that were sent
    :ivar fault: a fault of doilinks that ended the check early
    """

    def __init__(self, options: Options, keeper: Keeper, memory: Memory) -> None:
        self._options, self._keeper, self._memory = options, keeper, memory
        self._accepted = Listed(options.check_accept)
        self._known: dict[DOI, Work] = {}
        self._unknown: dict[DOI, Reading] = {}
        self._update = False
        self._verdicts: dict[DOI, set[Verdict]] = {}
        self._accepts: set[DOI] = set()
        self.requests = 0
        self.fault: Exception | None = None

    def ask(
        self,
        resolutions: Mapping[DOI, Resolution],
        told: Told,
        sleep: Sleep = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
        *,
        update: bool = False,
    ) -> None:
        """Ask for the works of all names that may resolve.

        :param update: take titles and people from the agency too, which are kept for good otherwise
        """
        self._update = update
        asked = []
        for doi, known in resolutions.items():
            if known.outcome not in (Outcome.FOUND, Outcome.UNKNOWN):
                continue
            work, fresh = self._keeper.work(doi)
            if work is not None:
                self._known[doi] = work
            if self._options.check_offline:
                if work is None:
                    self._unknown[doi] = Reading(reason="not in the lock file", lost=True)
            elif not update and doi in self._memory.works:
                self._learn(doi, self._memory.works[doi])
            elif work is None or not fresh or update:
                asked.append(doi)
        if asked:
            self._ask(asked, told, sleep, clock)

    def _ask(
        self,
        names: list[DOI],
        told: Told,
        sleep: Sleep,
        clock: Callable[[], float],
    ) -> None:
        from .. import __version__

        agent, known = f"doilinks/{__version__}", self._keeper.agencies
        session = Session(
            lambda: Agencies(self._options, agent, names, known, sleep=sleep, clock=clock),
            min(self._options.check_concurrency, len(names)),
            told.waiting,
        )
        try:
            session.open()
        except Unusable as error:
            self._lose(names, str(error))
            return
        except Exception as error:  # noqa: BLE001  no files or threads left; its text may be anything
            self._lose(names, f"cannot set up the connection: {describe(error)}")
            return
        with session:
            try:
                told.progress(0, len(names))
                for done, (doi, reading) in enumerate(session.answers(names), 1):
                    self._memory.works[doi] = reading
                    self._learn(doi, reading)
                    if doi in self._known and reading.work is not None:
                        self._keeper.learn_work(doi, self._known[doi], session.resolver.agencies)
                    told.progress(done, len(names))
            except Exception as error:  # noqa: BLE001  a fault of ours: the answers so far still count
                self.fault = error
            finally:
                self.requests = session.resolver.requests

    def _learn(self, doi: DOI, reading: Reading) -> None:
        work = reading.work
        if work is not None:
            kept = None if self._update else self._known.get(doi)
            if kept is not None:
                work = kept.renewed(work)
            self._known[doi] = work
        elif doi not in self._known:  # otherwise, the kept work still counts
            self._unknown[doi] = reading

    def _lose(self, names: Iterable[DOI], reason: str) -> None:
        for doi in names:
            self._learn(doi, Reading(reason=reason, lost=True))

    def known(self, doi: DOI) -> Work | None:
        """What a name stands for, or None if nobody said."""
        return self._known.get(doi)

    def added_to(
        self, report: CheckReport, places: Mapping[DOI, list[Found]], accepted: Iterable[DOI]
    ) -> CheckReport:
        """A report on names, with what is wrong with their works.

        :param accepted: names with other problems that ``check_accept`` accepts
        """
        # Those of silenced names are not reported.
        self._known = {doi: work for doi, work in self._known.items() if doi in places}
        self._unknown = {doi: each for doi, each in self._unknown.items() if doi in places}
        about = self._problems(places, report.resolutions, accepted)
        said = in_order([*report.problems, *about])
        if self.fault is not None:
            said.append(fault(self.fault, self._options))
        return replace(
            report,
            problems=tuple(said),
            requests=report.requests + self.requests,
            exit_code=_exit_code(report.exit_code, about, self.fault),
            fault=report.fault or self.fault,
            works=self._counts(),
        )

    def _counts(self) -> WorkCounts:
        verdicts = [self._verdicts.get(doi, {Verdict.UNSURE}) for doi in self._known]
        lost = sum(reading.lost for reading in self._unknown.values())
        return WorkCounts(
            known=len(self._known),
            same=sum(Verdict.SAME in each and Verdict.OTHER not in each for each in verdicts),
            unsure=sum(each == {Verdict.UNSURE} for each in verdicts),
            accepted=len(self._accepts),
            unknown=lost,
            unrecorded=len(self._unknown) - lost,
        )

    def _problems(
        self,
        places: Mapping[DOI, list[Found]],
        resolutions: Mapping[DOI, Resolution],
        accepted: Iterable[DOI],
    ) -> list[Problem]:
        said: list[Problem] = []
        reported: list[DOI] = []  # of which a problem is accepted
        for place, work, found in compared(places, self._known):
            doi = place.doi
            verdict = found.verdict if found else Verdict.UNSURE
            self._verdicts.setdefault(doi, set()).add(verdict)
            problem = work_problem(place, work, found, resolutions.get(doi), self._options)
            if problem is None:
                continue
            if doi in self._accepted and problem.severity is not Severity.REMARK:
                reported.append(doi)
            else:
                said.append(problem)
        self._accepts = {*reported, *accepted}
        return [*said, *self._stale([*reported, *accepted]), *self._trouble()]

    def _stale(self, reported: list[DOI]) -> Iterable[Problem]:
        """Entries of ``check_accept`` that all their names in the documents do without."""
        entries_of = self._accepted.entries_of
        needed = {entry for doi in (*reported, *self._unknown) for entry in entries_of(doi)}
        for entry in dict.fromkeys(entry for doi in self._known for entry in entries_of(doi)):
            if entry not in needed:
                option = self._options.spelled("check_accept")
                words = f"nothing to accept: {entry} (remove it from {option})"
                yield Problem(Severity.WARNING, "doi-stale-accept", words)

    def _trouble(self) -> Iterable[Problem]:
        """One message for all works that could not be had, and one for those without a record."""
        lost = [reading for reading in self._unknown.values() if reading.lost]
        if lost and self._options.check_unknown != "ignore":
            fails = self._options.check_unknown == "error"
            severity = severity_of(self._options) if fails else Severity.WARNING
            yield Problem(severity, _UNKNOWN, f"could not tell: {_several(lost)}")
        none = [reading for reading in self._unknown.values() if not reading.lost]
        if none:
            yield Problem(Severity.REMARK, _UNKNOWN, f"no record: {_several(none)}")


def compared(
    places: Mapping[DOI, list[Found]], works: Mapping[DOI, Work]
) -> Iterator[tuple[Found, Work, Comparison | None]]:
    """Each place of a name whose work is known, compared with it if the place has a text."""
    # In the order of the documents, because the names of a block are looked for once if they follow
    # each other.
    every = (place for doi in places for place in places[doi] if doi in works)
    found: dict[tuple[DOI, str], Comparison] = {}
    for place in sorted(every, key=lambda place: (place.file or "", place.line or 0)):
        doi, block = place.doi, place.block
        if block and (doi, block) not in found:
            found[doi, block] = compare(block, works[doi], doi)
        yield place, works[doi], found[doi, block] if block else None


def says_something(place: Found, work: Work, options: Options) -> bool:
    """Whether a check of works would report something at one place."""
    found = compare(place.block, work, place.doi) if place.block else None
    return work_problem(place, work, found, None, options) is not None


def _exit_code(code: int, works: Iterable[Problem], failure: Exception | None) -> int:
    """The exit code of a check: an error about a work counts like one about a name."""
    if failure is not None:
        return 4
    errors = {problem.code for problem in works if problem.severity is Severity.ERROR}
    if code != 4 and errors - {_UNKNOWN}:
        return 1
    return code or (3 if errors else 0)


def _several(readings: list[Reading]) -> str:
    reasons = sorted({reading.reason for reading in readings})
    shown = ", ".join(reasons[:_SHOWN]) + (", …" if len(reasons) > _SHOWN else "")
    count = len(readings)
    return (
        f"the work{'' if count == 1 else 's'} of {count} DOI{'' if count == 1 else 's'} ({shown})"
    )

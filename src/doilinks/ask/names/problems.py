"""The problem with each answer, and its severity under the options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Final

from ...core.doi import DOI
from ...core.found import Found, Listed
from ...core.nameless import NoName
from ...core.options import Options
from ...core.printable import counted, describe, public
from ...lock.lockfile import Lockfile
from ...record.work import Work
from ..loop import AskStep
from ..net import Answer, Outcome

# --------------------------------------------------------------------------------------------------
# The result of a check: resolutions, problems, the report.

FAILING: Final = (Outcome.NOT_FOUND, Outcome.NO_VALUES, Outcome.DELETED)


@dataclass(frozen=True, slots=True)
class Resolution:
    """The result of a check for one name.

    :ivar reason: why the outcome is unknown, a phrase
    :ivar alias: the name that this name stands for
    :ivar near: a name that may have been meant, if this one fails or is registered for another
        work; in a problem, the name that is meant at its place
    :ivar kept: the answer is from the lock file
    :ivar expected: the name is in ``check_ignore``
    :ivar lost: the API gave no answer; the name is not the cause
    :ivar age: days since the answer in the lock file, if that counts because the server gave no
        answer now; ``reason`` says why
    """

    doi: DOI
    outcome: Outcome
    reason: str = ""
    alias: DOI | None = None
    near: DOI | None = None
    kept: bool = False
    expected: bool = False
    lost: bool = False
    age: int | None = None

    @property
    def fails(self) -> bool:
        """Whether the name does not resolve, although ``check_ignore`` does not list it."""
        return self.outcome in FAILING and not self.expected


@dataclass(slots=True)
class Memory:
    """All answers to the checks of one process; see :func:`~doilinks.check.check`.

    :ivar outage: why the API gave no answers, or ``""``
    :ivar extra: the answers to an extra check, such as those of registration agencies
    """

    known: dict[DOI, Resolution] = field(default_factory=dict)
    outage: str = ""
    extra: dict[Any, Answer] = field(default_factory=dict)


class Severity(StrEnum):
    """How severe a problem is under the options."""

    ERROR = "error"
    WARNING = "warning"
    REMARK = "remark"


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem with a DOI at one place, or with the whole check.

    :ivar code: stable, one of those that ``doilinks.check.CODES`` explains
    :ivar message: one line without file and code; names in it are in URI form only
    :ivar doi: the name as written at this place, or None
    :ivar resolution: all that is known about the name, or None
    :ivar file: the file, or None
    :ivar line, column: counted from 1, or None
    :ivar work: the work of the name, if the problem is about the work
    :ivar evidence: the comparison of the text with this work: the verdict, and the fields that
        differ
    """

    severity: Severity
    code: str
    message: str
    doi: DOI | None = None
    resolution: Resolution | None = None
    file: str | None = None
    line: int | None = None
    column: int | None = None
    work: Work | None = None
    evidence: Mapping[str, Any] | None = field(default=None, compare=False)

    def __str__(self) -> str:
        place = "".join(f"{part}:" for part in (self.file, self.line, self.column) if part)
        return f"{place}{' ' if place else ''}{self.message} [{self.code}]"


@dataclass(frozen=True, slots=True)
class WorkCounts:
    """The number of names about which agencies were asked, by result.

    :ivar known: the work of the name is known
    :ivar same: of these, the text around the name describes it, and there is no problem
    :ivar unsure: of these, no text around the name says enough, and there is no problem
    :ivar accepted: of these, ``check_accept`` accepts a problem
    :ivar unknown: no agency could be asked
    :ivar unrecorded: the agency has no record
    """

    known: int = 0
    same: int = 0
    unsure: int = 0
    accepted: int = 0
    unknown: int = 0
    unrecorded: int = 0


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The result of a check.

    :ivar resolutions: every name of the documents; those written differently are one
    :ivar problems: in the order of the documents; those without a place come last
    :ivar lockfile: the path of the lock file in messages, ``""`` without one
    :ivar requests: requests that were sent
    :ivar exit_code: 0 nothing fails; 1 a name does not resolve; 3 a name could not be checked, and
        the options make that an error; 4 a fault of doilinks ended the check early
    :ivar fault: that fault, or None
    :ivar works: the counts of the comparison with works; None if works were not checked
    :ivar created: this check has written the lock file for the first time
    """

    resolutions: Mapping[DOI, Resolution]
    problems: tuple[Problem, ...]
    lockfile: str = ""
    requests: int = 0
    exit_code: int = 0
    fault: Exception | None = None
    works: WorkCounts | None = None
    created: bool = False

    @property
    def news(self) -> str:
        """One line that asks to commit a new lock file; otherwise ``""``."""
        return f"{self.lockfile} written: commit it" if self.created else ""

    def having(self, severity: Severity) -> tuple[Problem, ...]:
        """Return the problems of one severity."""
        return tuple(problem for problem in self.problems if problem.severity is severity)

    @property
    def errors(self) -> tuple[Problem, ...]:
        """The problems that fail a build."""
        return self.having(Severity.ERROR)

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """The problems that a build warns of."""
        return self.having(Severity.WARNING)

    @property
    def remarks(self) -> tuple[Problem, ...]:
        """Problems worth knowing about that do not fail a build."""
        return self.having(Severity.REMARK)

    def count(self, outcome: Outcome) -> int:
        """Count the DOI names with this outcome."""
        return sum(each.outcome is outcome for each in self.resolutions.values())

    @property
    def failing(self) -> int:
        """The number of names that do not resolve, without those in ``check_ignore``."""
        return sum(each.fails for each in self.resolutions.values())

    @property
    def name_counts(self) -> dict[str, int]:
        """The number of names, and of each outcome."""
        return {
            "names": len(self.resolutions),
            "kept": sum(each.kept for each in self.resolutions.values()),
            **{outcome.value.replace(" ", "_"): self.count(outcome) for outcome in Outcome},
        }

    @property
    def work_counts(self) -> dict[str, int | bool]:
        """The number of names with each problem of their work, and counts of the comparison."""
        counts = self.works or WorkCounts()
        names = _names_by_code(self.problems)
        return {
            "asked": self.works is not None,
            **asdict(counts),
            **{
                code.removeprefix("doi-").replace("-", "_"): len(names.get(code, ()))
                for code in _WORKS
            },
        }

    @property
    def summary(self) -> str:
        """One line: the number of names, of each outcome, and of each problem with works."""
        counts = Counter(
            "expected" if each.expected and each.outcome in FAILING else each.outcome.value
            for each in self.resolutions.values()
        )
        old = sum(each.kept for each in self.resolutions.values())
        names = [
            f"{counts['found']} found" + (f" ({old} from {self.lockfile})" if old else ""),
            *(f"{counts[key]} {words}" for key, words in _SUMMARY if counts[key]),
        ]
        no_names = sum(problem.code == "doi-no-name" for problem in self.problems)
        works = self.works or WorkCounts()
        of_works = (
            (works.same, "agrees" if works.same == 1 else "agree"),
            (works.unsure, "says too little" if works.unsure == 1 else "say too little"),
            (works.accepted, "accepted"),
            (works.unknown, "could not be checked"),
            (works.unrecorded, "without a record"),
        )
        parts = [f"{count} {words}" for count, words in of_works if count]
        about_works = ", ".join(filter(None, [works_in_words(self.problems), *parts]))
        return (
            f"{counted(len(self.resolutions), 'DOI')}: {', '.join(names)}"
            + (f"; {counted(no_names, 'place')} without a name" if no_names else "")
            + ("; a fault of doilinks ended the check early" if self.fault is not None else "")
            + (f". Works: {about_works}" if about_works else "")
        )


_SUMMARY = (
    ("not found", "not found"),
    ("no values", "without values"),
    ("deleted", "deleted"),
    ("expected", "known not to resolve"),
    ("unknown", "could not be checked"),
)


# The problems with works, as the summary counts them.
_WORKS: Final = {
    "doi-other-work": "other",
    "doi-other-people": "of other people",
    "doi-two-works": "of two references",
    "doi-future-year": "of the future",
    "doi-retracted": "retracted",
    "doi-concern": "of concern",
    "doi-corrected": "corrected",
    "doi-newer": "with a newer work",
    "doi-other-page": "of another page",
    "doi-other-title": "of another title",
    "doi-other-version": "of another version",
    "doi-other-year": "of another year",
    "doi-two-names": "of a project with several",
}


def _names_by_code(problems: Iterable[Problem]) -> dict[str, set[DOI]]:
    names: dict[str, set[DOI]] = {}
    for problem in problems:
        if problem.doi is not None:
            names.setdefault(problem.code, set()).add(problem.doi)
    return names


def works_in_words(problems: Iterable[Problem]) -> str:
    """Count the names with each kind of problem of their work: ``2 other, 1 retracted``."""
    names = _names_by_code(problems)
    return ", ".join(
        f"{len(names[code])} {words}" for code, words in _WORKS.items() if code in names
    )


def work_details(work: Work) -> dict[str, Any]:
    """Return the metadata of a work as a dictionary for programs."""
    notice = work.notices[0] if work.notices else None
    return {
        "title": work.title,
        "names": list(work.names),
        "year": work.years[0] if work.years else None,
        "container": work.container or None,
        "type": work.type or None,
        "status": str(work.status) or None,
        "newer": work.newer.doi.uri if work.newer else None,
        "notice": {
            "kind": notice.kind,
            "date": notice.date or None,
            "doi": notice.doi.uri if notice.doi else None,
        }
        if notice
        else None,
    }


Places = Mapping[DOI, list[Found]]
Resolutions = Mapping[DOI, Resolution]


class ExtraCheck:
    """An extra check of the same names, with its steps and problems. This base does nothing.

    :ivar counts: the counts for the summary; None if the check was not asked for
    """

    counts: WorkCounts | None = None

    def steps(self, _places: Places, _resolutions: Resolutions) -> Sequence[AskStep[Any]]:
        """Return the steps in order: the answers of one decide what the next one asks."""
        return ()

    def meant(self, _place: Found) -> DOI | None:
        """Return the name that was meant instead of the one at a place; None if unknown."""
        return None

    def hides(self, _silent: Iterable[Found], _places: Places) -> Callable[[Found], bool]:
        """Return a function that tells whether a comment at a place still hides a problem."""
        return lambda _place: False

    def problems(self, _places: Places, _resolutions: Resolutions) -> list[Problem]:
        """Return the problems at the places of names."""
        return []


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended the check; the answers so far are in the lock file.

    :ivar report: the report of these answers
    """

    def __init__(self, report: CheckReport) -> None:
        super().__init__(report)
        self.report = report

    def __str__(self) -> str:
        done = sum(each.outcome is not Outcome.UNKNOWN for each in self.report.resolutions.values())
        lost = any(problem.code == "doi-lockfile" for problem in self.report.problems)
        file = "" if lost else self.report.lockfile
        kept = f"; answers are kept in {file}" if file else ""
        return f"interrupted after {done} of {len(self.report.resolutions)} DOIs{kept}"


# --------------------------------------------------------------------------------------------------
# The problem with each answer.

UNASKED: Final = "not asked"  # only if the check ended early, for which there is one message


def problems_with(
    rows: Iterable[tuple[Resolution, Found]], outage: str, options: Options
) -> list[Problem]:
    """List the problems of DOI names at their places; ``outage``: why the API did not answer."""
    rows = list(rows)
    lost = {result.doi: result for result, _ in rows if result.lost} if outage else {}
    unknown = [result for result in lost.values() if result.age is None]
    earlier = [result for result in lost.values() if result.age is not None]
    together = {result.doi for each in (unknown, earlier) if len(each) > 1 for result in each}
    problems = []
    for result, place in rows:
        if result.reason != UNASKED and result.doi not in together and place.form != "target":
            severity, code, message = _words(result, place, options)
            if severity is not None:
                problems.append(problem_at(place, severity, code, message, result))
    severity = _unknown(options)
    if len(unknown) > 1 and severity is not None:
        reason = _reason(unknown, outage, options)
        message = f"could not check: {len(unknown)} DOIs ({reason})"
        problems.append(Problem(severity, "doi-unknown", message))
    if len(earlier) > 1:
        days = counted(max(result.age or 0 for result in earlier), "day")
        reason = _reason(earlier, outage, options)
        message = f"found up to {days} ago: {len(earlier)} DOIs (not asked now: {reason})"
        problems.append(Problem(Severity.REMARK, "doi-kept", message))
    for result, place in rows:
        problems += [problem_at(place, *each, result) for each in _written(place, options)]
    return problems


def _written(place: Found, options: Options) -> Iterator[tuple[Severity, str, str]]:
    """Yield the problems of a place that do not depend on any answer."""
    remarks = {remark.code: remark.message for remark in place.remarks}
    if message := remarks.get("more-than-name"):
        yield _failing(options), "doi-field", message
    if place.form == "target":
        yield Severity.WARNING, "doi-bare-target", remarks["bare-target"]
    elif place.other is not None:
        words = f"text names another DOI: {place.doi.uri} (the text is {place.other.uri})"
        yield Severity.WARNING, "doi-text-target", words


def nameless(places: Iterable[Found], expected: Listed, options: Options) -> Iterator[Problem]:
    """Yield a problem for each place that should have a DOI name but has none, unless expected."""
    for place in places:
        if isinstance(place.doi, NoName) and place.doi not in expected:
            severity = _failing(options) if place.doi.is_sure else Severity.REMARK
            yield problem_at(place, severity, "doi-no-name", place.doi.message, doi=None)


def problem_at(
    place: Found,
    severity: Severity,
    code: str,
    message: str,
    resolution: Resolution | None = None,
    **more: Any,
) -> Problem:
    """Make a problem with the name at a place."""
    at = {"file": place.file, "line": place.line, "column": place.column, "doi": place.doi}
    return Problem(severity, code, message, resolution=resolution, **at | more)


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """Sort problems by file and line; those without a place come last, in their order."""
    return sorted(
        problems,
        key=lambda each: (not each.file, each.file or "", each.line or 0, each.column or 0),
    )


def unresolved(known: Resolution, doi: DOI) -> str:
    """Return the message that a DOI name, as written at the place, does not resolve."""
    notes = f" (did you mean {known.near.uri}?)" if known.near else ""
    notes = f" (stands for {known.alias.uri})" if known.alias else notes
    return f"{known.outcome.value}: {doi.uri}{notes}"


def _words(result: Resolution, place: Found, options: Options) -> tuple[Severity | None, str, str]:
    uri = place.doi.uri
    match result.outcome:
        case Outcome.FOUND if result.expected:
            words = f"resolves after all: {uri} (remove it from {options.spelled('check_ignore')})"
            return Severity.WARNING, "doi-stale-ignore", words
        case Outcome.FOUND if result.age is not None:
            words = (
                f"found {counted(result.age, 'day')} ago: {uri} (not asked now: {result.reason})"
            )
            return Severity.REMARK, "doi-kept", words
        case Outcome.FOUND if result.alias:
            return Severity.REMARK, "doi-alias", f"alias: {uri} (stands for {result.alias.uri})"
        case Outcome.UNKNOWN if not result.expected:
            return _unknown(options), "doi-unknown", f"could not check: {uri} ({result.reason})"
        case _ if result.fails:
            code = "doi-" + result.outcome.value.replace(" ", "-")
            return _failing(options), code, unresolved(result, place.doi)
    return None, "", ""


def _reason(lost: Sequence[Resolution], reason: str, options: Options) -> str:
    if reason == "no answer":
        reason = ", ".join(sorted({each.reason for each in lost})[:3])
    return reason if options.check_offline else f"{public(options.check_api)}: {reason}"


def _failing(options: Options) -> Severity:
    """Return the severity of a name that does not resolve."""
    return Severity.WARNING if options.check == "warn" else Severity.ERROR


def _unknown(options: Options) -> Severity | None:
    """Return the severity of a name without an answer; None if it is ignored."""
    if options.check_unknown == "ignore":
        return None
    return _failing(options) if options.check_unknown == "error" else Severity.WARNING


def of_lockfile(lockfile: Lockfile) -> Iterator[Problem]:
    """Yield a problem if the lock file could not be written, or a remark on names removed."""
    if lockfile.trouble:
        yield Problem(Severity.WARNING, "doi-lockfile", lockfile.trouble)
    elif lockfile.pruned is not None:
        names = counted(lockfile.pruned, "name")
        words = f"removed from {lockfile.name}: {names} that no document contains"
        yield Problem(Severity.REMARK, "doi-pruned", words)


def fault(error: Exception, options: Options) -> Problem:
    """Build the problem for a check that ended early because of a fault in doilinks."""
    message = f"the check ended early by a fault of doilinks: {describe(error)}; please report it"
    return Problem(_failing(options), "doi-fault", message)


_UNSURE: Final = frozenset({"doi-unknown", "doi-work-unknown"})


def exit_code(problems: Iterable[Problem], fault: Exception | None = None) -> int:
    """Return 0 if nothing fails, 1 if a name or work does, 3 if some are unknown, 4 for a fault."""
    if fault is not None:
        return 4
    errors = {problem.code for problem in problems if problem.severity is Severity.ERROR}
    return 1 if errors - _UNSURE else 3 if errors else 0

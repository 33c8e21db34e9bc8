"""The result of a check: resolutions, problems, the report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from ..core.doi import DOI
from ..core.printable import printable
from ..works.answer import Reading
from .record import Outcome

__all__ = [
    "CheckReport",
    "Interrupted",
    "Memory",
    "Problem",
    "Resolution",
    "Severity",
]


@dataclass(frozen=True, slots=True)
class Resolution:
    """What is known about one name.

    :ivar reason: why the outcome is unknown, a phrase
    :ivar alias: the name that it stands for
    :ivar near: for a name that fails, a name that resolves and may have been meant
    :ivar kept: the answer is from the lock file
    :ivar expected: the name is in ``check_ignore``
    :ivar lost: the API gave no answer; the name is not the cause
    :ivar age: days since the answer in the lock file, if it counts because the name was asked and
        nothing is known now; ``reason`` says why
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
        return self.outcome in (Outcome.NOT_FOUND, Outcome.NO_VALUES) and not self.expected


@dataclass(slots=True)
class Memory:
    """All answers to the checks of one process; see :func:`~doilinks.check.check`.

    :ivar silence: why the API gave no answers, or ``""``
    :ivar works: the answers of registration agencies
    """

    known: dict[DOI, Resolution] = field(default_factory=dict)
    silence: str = ""
    works: dict[DOI, Reading] = field(default_factory=dict)


class Severity(StrEnum):
    """How severe a problem is under the options."""

    ERROR = "error"
    WARNING = "warning"
    REMARK = "remark"


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem with a DOI at one place, or with the whole check.

    :ivar code: stable: ``doi-not-found``, ``doi-no-values``, ``doi-unknown``,
        ``doi-stale-ignore``, ``doi-alias``, ``doi-text-target``, ``doi-lockfile``, ``doi-fault``,
        ``doi-other-work``, ``doi-other-people``, ``doi-retracted``, ``doi-concern``,
        ``doi-corrected``,
        ``doi-work-unknown``, ``doi-stale-accept``, ``doi-stale-comment``, ``doi-unknown-comment``,
        ``doi-kept``, ``doi-pruned``
    :ivar message: one line without file and code; names in it are in URI form only
    :ivar doi: the name as written at this place, or None
    :ivar resolution: all that is known about the name, or None
    :ivar file: the file, or None
    :ivar line, column: counted from 1, or None
    """

    severity: Severity
    code: str
    message: str
    doi: DOI | None = None
    resolution: Resolution | None = None
    file: str | None = None
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        place = "".join(f"{part}:" for part in (self.file, self.line, self.column) if part)
        return f"{place}{' ' if place else ''}{self.message} [{self.code}]"


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The result of a check.

    :ivar resolutions: every name of the documents; those written differently are one
    :ivar problems: in the order of the documents; those without a place come last
    :ivar lockfile: the lock file's name as the options spell it, ``""`` without one
    :ivar requests: requests that were sent
    :ivar exit_code: 0 nothing fails, 1 a name does not resolve, 3 could not tell, which fails as
        the options have it. 4 when a fault of doilinks ended the check early, whatever they say
    :ivar fault: that fault, or None
    """

    resolutions: Mapping[DOI, Resolution]
    problems: tuple[Problem, ...]
    lockfile: str = ""
    requests: int = 0
    exit_code: int = 0
    fault: Exception | None = None

    def having(self, severity: Severity) -> tuple[Problem, ...]:
        """The problems of one severity."""
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
        """What is worth reading, but is not a fault."""
        return self.having(Severity.REMARK)

    def count(self, outcome: Outcome) -> int:
        """The number of names with this outcome."""
        return sum(known.outcome is outcome for known in self.resolutions.values())

    @property
    def failing(self) -> int:
        """The number of names that do not resolve, without those in ``check_ignore``."""
        return sum(known.fails for known in self.resolutions.values())

    @property
    def summary(self) -> str:
        """One line: the number of names, and of each outcome."""
        counts = Counter(
            "expected" if known.expected and known.outcome in _FAILING else known.outcome.value
            for known in self.resolutions.values()
        )
        kept = sum(known.kept for known in self.resolutions.values())
        parts = [f"{counts['found']} found"]
        if kept:
            parts[0] += f" ({kept} from {printable(self.lockfile)})"
        for key, words in _SUMMARY:
            if counts[key]:
                parts.append(f"{counts[key]} {words}")
        total = len(self.resolutions)
        return f"{total} DOI{'' if total == 1 else 's'}: {', '.join(parts)}"


_FAILING = (Outcome.NOT_FOUND, Outcome.NO_VALUES)
_SUMMARY = (
    ("not found", "not found"),
    ("no values", "without values"),
    ("expected", "known not to resolve"),
    ("unknown", "could not be checked"),
)


class Interrupted(KeyboardInterrupt):
    """The check was interrupted; what was learnt is in the lock file.

    :ivar report: what is known so far
    """

    def __init__(self, report: CheckReport) -> None:
        super().__init__(report)
        self.report = report

    def __str__(self) -> str:
        done = sum(
            known.outcome is not Outcome.UNKNOWN for known in self.report.resolutions.values()
        )
        lost = any(problem.code == "doi-lockfile" for problem in self.report.problems)
        file = "" if lost else printable(self.report.lockfile)
        kept = f"; answers are kept in {file}" if file else ""
        return f"interrupted after {done} of {len(self.report.resolutions)} DOIs{kept}"

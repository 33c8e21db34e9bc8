"""What is said about works: another one, retracted, of concern, corrected, unknown.

A title is text of an agency. It is made of printable characters only, and shortened.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Final

from ..check.api import Answer
from ..check.problems import Problem, Resolution, Severity
from ..core.doi import DOI
from ..core.found import Found
from ..core.options import Options
from ..core.printable import printable
from ..core.work import Status, Work
from .compare import Comparison, Verdict
from .two import place_of, two_works

__all__ = [
    "stale_entry",
    "two_works_problems",
    "unknown_works",
    "work_problem",
]

_LONGEST: Final = 120  # characters of a title in a message
_PEOPLE: Final = 3
_REASONS: Final = 3  # in one message
_WORDS: Final = {
    "withdrawal": "withdrawn",
    "removal": "removed",
    "partial-retraction": "retracted in part",
}


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


_Said = tuple[Severity, str, str]


def _severity(options: Options) -> Severity:
    """How severe it is that a work is another one or was retracted."""
    return Severity.ERROR if options.check_works == "error" else Severity.WARNING


def _other(place: Found, work: Work, found: Comparison | None, options: Options) -> _Said | None:
    if found is None or found.verdict is not Verdict.OTHER:
        return None
    if any(reason.field == "notice" for reason in found.reasons):
        what = "a notice; the text describes the article that it is about"
        message = f"another work: {place.doi.uri} is {_shown(work)}, {what}"
    else:
        part = "only a part of the title" if found.title >= 0.5 else "not the title"
        lacks = part if found.names or found.title >= 0.5 else "neither title nor author"
        message = f"another work: {place.doi.uri} is {_shown(work)}, of which the text has {lacks}"
    return _severity(options), "doi-other-work", message


def _people(place: Found, work: Work, found: Comparison | None) -> _Said | None:
    """The title is right, and none of the people. A group has other names, so it is a warning."""
    if found is None or not found.strangers:
        return None
    shown = ", ".join(printable(name)[:_LONGEST] for name in found.strangers[:_PEOPLE])
    message = (
        f"other people: {place.doi.uri} is {_shown(work)}; the text has the title, and {shown}"
    )
    return Severity.WARNING, "doi-other-people", message


def _status(place: Found, work: Work, options: Options) -> _Said | None:
    notice = work.notices[0] if work.notices else None
    kind = notice.kind if notice else ""
    more = f", {_day(notice.date)}" if notice and notice.date else ""
    more += f", see {notice.doi.uri}" if notice and notice.doi else ""
    what = f"{place.doi.uri} {_shown(work)}{more}"
    match work.status:
        case Status.RETRACTED:
            word = _WORDS.get(kind, "retracted")
            return _severity(options), "doi-retracted", f"{word}: {what}"
        case Status.CONCERN:
            return Severity.WARNING, "doi-concern", f"expression of concern: {what}"
        case Status.CORRECTED:
            word = _WORDS.get(kind, "corrected")
            return Severity.REMARK, "doi-corrected", f"{word}: {what}"
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


def two_works_problems(
    places: Mapping[DOI, Iterable[Found]], known: Mapping[DOI, Resolution]
) -> Iterator[Problem]:
    """The problem with each place where a text describes another work than most texts do.

    Found in every check, without asking anybody.
    """
    for place, other in two_works(chain.from_iterable(places.values())):
        words = f"two works: {place.doi.uri} stands for another reference at {place_of(other)}"
        at = (place.file, place.line, place.column)
        yield Problem(
            Severity.WARNING, "doi-two-works", words, place.doi, known.get(place.doi), *at
        )


def stale_entry(entry: str, options: Options) -> Problem:
    """The problem with an entry of ``check_accept`` that accepts nothing."""
    words = f"nothing to accept: {entry} (remove it from {options.spelled('check_accept')})"
    return Problem(Severity.WARNING, "doi-stale-accept", words)


def unknown_works(answers: Iterable[Answer], options: Options) -> Iterator[Problem]:
    """One message for all works that could not be had, and one for those without a record."""
    answers = list(answers)
    lost = [answer for answer in answers if answer.lost]
    if lost and options.check_unknown != "ignore":
        fails = options.check_unknown == "error"
        severity = _severity(options) if fails else Severity.WARNING
        yield Problem(severity, "doi-work-unknown", f"could not tell: {_several(lost)}")
    none = [answer for answer in answers if not answer.lost]
    if none:
        yield Problem(Severity.REMARK, "doi-work-unknown", f"no record: {_several(none)}")


def _several(answers: list[Answer]) -> str:
    reasons = sorted({answer.reason for answer in answers})
    shown = ", ".join(reasons[:_REASONS]) + (", …" if len(reasons) > _REASONS else "")
    count = len(answers)
    return (
        f"the work{'' if count == 1 else 's'} of {count} DOI{'' if count == 1 else 's'} ({shown})"
    )

"""The problem with each answer, and its severity under the options."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ..core.address import public
from ..core.doi import DOI
from ..core.fault import describe
from ..core.found import Found
from ..core.options import Options
from ..core.printable import counted
from .record import Outcome
from .result import Problem, Resolution, Severity

__all__ = [
    "UNASKED",
    "exit_code",
    "fault",
    "in_order",
    "problems_with",
    "stale_families",
    "unresolved",
]

UNASKED: Final = "not asked"  # only if the check ended early, for which there is one message


def problems_with(
    rows: Iterable[tuple[Resolution, Found]], silence: str, options: Options
) -> list[Problem]:
    """The problems in the order of the documents; those without a place come last.

    :param silence: why the API gave no answers, or ``""``; if so, one problem stands for all names
        without an answer
    """
    rows = list(rows)
    lost = {known.doi: known for known, _ in rows if known.lost} if silence else {}
    unknown = [known for known in lost.values() if known.age is None]
    earlier = [known for known in lost.values() if known.age is not None]
    together = {known.doi for each in (unknown, earlier) if len(each) > 1 for known in each}
    found = [
        _problem(known, place, options)
        for known, place in rows
        if known.reason != UNASKED and known.doi not in together
    ]
    if len(unknown) > 1:
        found.append(_silence(unknown, silence, options))
    if len(earlier) > 1:
        found.append(_earlier(earlier, silence, options))
    found += [_other(known, place) for known, place in rows]
    return in_order(problem for problem in found if problem is not None)


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """Problems in the order of files and lines; those without a place last, as they are."""
    return sorted(
        problems,
        key=lambda each: (not each.file, each.file or "", each.line or 0, each.column or 0),
    )


def _problem(known: Resolution, place: Found, options: Options) -> Problem | None:
    """The problem with a name at one place, or None."""
    severity, code, message = _words(known, place, options)
    if severity is None:
        return None
    return Problem(severity, code, message, place.doi, known, place.file, place.line, place.column)


def _other(known: Resolution, place: Found) -> Problem | None:
    """The problem with a link of which the text names another DOI, whatever the answers are."""
    if place.other is None:
        return None
    message = f"text names another DOI: {place.doi.uri} (the text is {place.other.uri})"
    return Problem(
        Severity.WARNING,
        "doi-text-target",
        message,
        place.doi,
        known,
        place.file,
        place.line,
        place.column,
    )


def unresolved(known: Resolution, doi: DOI) -> str:
    """That a name does not resolve, in words: the same in every host.

    :param doi: the name as written at the place
    """
    notes = f" (did you mean {known.near.uri}?)" if known.near else ""
    notes = f" (stands for {known.alias.uri})" if known.alias else notes
    return f"{known.outcome.value}: {doi.uri}{notes}"


def _words(known: Resolution, place: Found, options: Options) -> tuple[Severity | None, str, str]:
    uri = place.doi.uri
    alias = known.alias.uri if known.alias else ""
    failing = Severity.WARNING if options.check == "warn" else Severity.ERROR
    match known.outcome:
        case Outcome.FOUND if known.expected:
            words = f"resolves after all: {uri} (remove it from {options.spelled('check_ignore')})"
            return Severity.WARNING, "doi-stale-ignore", words
        case Outcome.FOUND if known.age is not None:
            words = f"found {counted(known.age, 'day')} ago: {uri} (not asked now: {known.reason})"
            return Severity.REMARK, "doi-kept", words
        case Outcome.FOUND if known.alias:
            return Severity.REMARK, "doi-alias", f"alias: {uri} (stands for {alias})"
        case Outcome.UNKNOWN if not known.expected:
            return _unknown(options), "doi-unknown", f"could not tell: {uri} ({known.reason})"
        case Outcome.NOT_FOUND | Outcome.NO_VALUES if not known.expected:
            code = "doi-" + known.outcome.value.replace(" ", "-")
            return failing, code, unresolved(known, place.doi)
    return None, "", ""


def stale_families(families: Iterable[str], options: Options) -> list[Problem]:
    """The problem with each family in ``check_ignore`` that hides nothing.

    :param families: in URI form
    """
    words = "all names of it resolve after all: {} (remove it from {})"
    option = options.spelled("check_ignore")
    return [
        Problem(Severity.WARNING, "doi-stale-ignore", words.format(family, option))
        for family in families
    ]


def _silence(silent: Sequence[Resolution], reason: str, options: Options) -> Problem | None:
    """One message for all names without an answer.

    :param reason: why the API gives no answers; for ``no answer`` the message gives the reasons
    """
    severity = _unknown(options)
    if severity is None:
        return None
    reason = _reason(silent, reason, options)
    return Problem(severity, "doi-unknown", f"could not tell: {len(silent)} DOIs ({reason})")


def _earlier(silent: Sequence[Resolution], reason: str, options: Options) -> Problem:
    """One message for all names that were found earlier and that the API does not answer for."""
    days = counted(max(known.age or 0 for known in silent), "day")
    reason = _reason(silent, reason, options)
    message = f"found up to {days} ago: {len(silent)} DOIs (not asked now: {reason})"
    return Problem(Severity.REMARK, "doi-kept", message)


def _reason(silent: Sequence[Resolution], reason: str, options: Options) -> str:
    if reason == "no answer":
        reason = ", ".join(sorted({known.reason for known in silent})[:3])
    return reason if options.check_offline else f"{public(options.check_api)}: {reason}"


def _unknown(options: Options) -> Severity | None:
    if options.check_unknown == "ignore":
        return None
    error = options.check_unknown == "error" and options.check != "warn"
    return Severity.ERROR if error else Severity.WARNING


def fault(error: Exception, options: Options) -> Problem:
    """The problem of a check that ended early by a fault of doilinks."""
    severity = Severity.WARNING if options.check == "warn" else Severity.ERROR
    message = f"the check ended early by a fault of doilinks: {describe(error)}; please report it"
    return Problem(severity, "doi-fault", message)


def exit_code(
    resolutions: Iterable[Resolution], options: Options, fault: Exception | None = None
) -> int:
    """0 nothing fails, 1 a name does not resolve, 3 some are unknown, 4 a fault ended the check.

    3 only with ``check_unknown = "error"``.
    """
    if fault is not None:
        return 4
    if options.check == "warn":
        return 0
    known = list(resolutions)
    if any(each.fails for each in known):
        return 1
    unsure = any(each.outcome is Outcome.UNKNOWN and not each.expected for each in known)
    return 3 if unsure and options.check_unknown == "error" else 0

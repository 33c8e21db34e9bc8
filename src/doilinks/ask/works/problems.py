"""Builds the problems with works: another work, retracted, of concern, corrected, unknown.

A title is text of an agency: messages show it shortened, in printable characters only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import Any, Final

from ...core.doi import DOI
from ...core.found import Found
from ...core.options import Options
from ...core.printable import counted, printable
from ...record.comparing import Comparison, Verdict
from ...record.kinds import Status, update_of
from ...record.project_name import two_names
from ...record.same_name import place_of, two_works
from ...record.text import year_ahead
from ...record.work import Work
from ..names.problems import Problem, Resolution, Severity, problem_at
from ..net import Answer

_LONGEST: Final = 80  # characters of a title in a message
_PEOPLE: Final = 3
_REASONS: Final = 3  # in one message
_LATER: Final = re.compile(r"20[2-4]\d")  # a year; most texts have none that can be in the future


def work_problems(
    place: Found,
    work: Work,
    comparison: Comparison | None,
    resolution: Resolution | None,
    options: Options,
) -> list[Problem]:
    """List the problems with the work of a name at one place: another work, or its status.

    :param comparison: the comparison with the text; None if the place has no text
    :param resolution: the resolution of the name, in which ``near`` is the name that was meant
    """
    meant = resolution.near if resolution else None
    problems = [*_differing(place, work, comparison, options, meant)]
    grave = any(severity is not Severity.REMARK for severity, _, _ in problems)
    problems += _status(place, work, options, only_grave=grave)
    evidence = _evidence(comparison) if comparison else None
    return [problem_at(place, *each, resolution, work=work, evidence=evidence) for each in problems]


_Message = tuple[Severity, str, str]


def _severity(options: Options) -> Severity:
    """Return the severity of another work, or of one that was retracted."""
    return Severity.ERROR if options.check_works == "error" else Severity.WARNING


def _differing(
    place: Found, work: Work, comparison: Comparison | None, options: Options, meant: DOI | None
) -> Iterator[_Message]:
    """Yield messages that the text is about another work, people, title, page, version or year."""
    if comparison is None:
        return
    registered = f"{place.doi.uri} is registered for {in_words(work)}"
    if any(reason.field == "notice" for reason in comparison.reasons):
        what = "a notice; the text describes the article that it is about"
        what += f"; did you mean {meant.uri}?" if meant else "; give that one's name"
        yield _severity(options), "doi-other-work", f"another work: {registered}, {what}"
    elif comparison.verdict is Verdict.OTHER:
        step = f"did you mean {meant.uri}?" if meant else "correct the name or the text"
        words = f"{registered}; the text says {_text(comparison, work)}; {step}"
        yield _severity(options), "doi-other-work", f"another work: {words}"
    elif comparison.strangers:  # a group has other names, so it is a warning
        says = _text(comparison, work)
        words = f"{registered}; the text says {says}; correct the people or the name"
        yield Severity.WARNING, "doi-other-people", f"other people: {words}"
    else:
        for field, text, work_has in comparison.reasons:
            more = f", {_cut(work_has)}" if field == "version" and work_has else ""
            more = f", page {_cut(work_has)}" if field == "page" else more
            words = f"another {field}: {registered}{more}; the text says {_cut(text)}"
            yield Severity.REMARK, f"doi-other-{field}", words


def _text(comparison: Comparison, work: Work) -> str:
    """Describe the text where it differs from the work, and which fields differ or agree.

    >>> from doilinks.works import Reason
    >>> reasons = (Reason("title", "On motion", "The theory"), Reason("year", "1995", "1905"))
    >>> comparison = Comparison(Verdict.OTHER, names=("Einstein",), year=False, reasons=reasons)
    >>> _text(comparison, Work(names=("Einstein",)))
    '"On motion", 1995 (other title and year; same people)'
    """
    texts = {reason.field: reason.text for reason in comparison.reasons}
    if comparison.strangers:
        texts["people"] = "; ".join(comparison.strangers[:_PEOPLE])
        texts["people"] += " et al." if len(comparison.strangers) > _PEOPLE else ""
    title, year = texts.get("title"), texts.get("year")
    people = texts.get("people") or texts.get("first author")
    phrase = ", ".join(_cut(each) for each in (people, year) if each)
    if title:
        phrase = f'"{_cut(title)}"' + (" by " if people else ", " if year else "") + phrase
    few = 2 * len(comparison.names) < len(work.names)  # a family name may be that of somebody else
    agrees = {"title": comparison.title >= 0.8, "people": bool(comparison.names) and not few}
    agrees["year"] = bool(comparison.year)
    other = [field for field, text in texts.items() if text]
    other += ["volume", "page"] if "numbers" in texts else []
    if "first author" in texts:
        agrees["people"] = False
    same = [field for field, does in agrees.items() if does and field not in texts]
    states = [f"other {_joined(other)}"] if other else []
    states += [f"same {_joined(same)}"] if same else []
    if few and comparison.names:
        states.append(f"{_joined(list(comparison.names[:_PEOPLE]))} in both")
    if title == "":
        states.append("only a part of the title" if comparison.title >= 0.5 else "not the title")
    return f"{phrase or 'something else'} ({'; '.join(states)})"


def _status(place: Found, work: Work, options: Options, *, only_grave: bool) -> Iterator[_Message]:
    word, more = _became(work)
    words = f"{word}: {place.doi.uri} {in_words(work)}{more}"
    match work.status:
        case Status.RETRACTED:
            yield _severity(options), "doi-retracted", words
        case Status.CONCERN:
            yield Severity.WARNING, "doi-concern", words
        case Status.CORRECTED if not only_grave:
            yield Severity.REMARK, "doi-corrected", words


def became_in_words(work: Work) -> str:
    """Describe the status of a work in words; ``""`` without a status."""
    return "".join(_became(work)) if work.status else ""


def _became(work: Work) -> tuple[str, str]:
    """Return a word for the status of a work, and a phrase with the date and DOI of its notice."""
    word = {Status.CONCERN: "expression of concern"}.get(work.status, work.status.replace("-", " "))
    if not work.notices:
        return word, ""
    notice = work.notices[0]
    more = f", {_day(notice.date)}" if notice.date else ""
    more += f", see {notice.doi.uri}" if notice.doi else ""
    update = update_of(notice.kind)
    return (update and update.became) or word, more


def _day(date: str) -> str:
    """Format a date for a message: on a day, in a month or a year."""
    return f"{'on' if date.count('-') == 2 else 'in'} {date}"


def in_words(work: Work) -> str:
    """Describe a work in words: its title, its people and its year."""
    title = f'"{_cut(work.title)}"' if work.title else "a work without a title"
    who = work.names[0] if work.names else ""
    if len(work.names) == 2:
        who = " and ".join(work.names)
    elif len(work.names) > 2:
        who += " et al."
    details = ", ".join(filter(None, (_cut(who), str(work.years[0]) if work.years else "")))
    return title + (f" ({details})" if details else "")


def _cut(text: str) -> str:
    r"""Turn a text of others into one harmless line; end a long one after a word if possible.

    >>> _cut("A\u202e " + "long title " * 20)
    'A\\u202e long title long title long title long title long title long title long …'
    """
    text = printable(" ".join(text[: 4 * _LONGEST].split()))
    if len(text) <= _LONGEST:
        return text
    head, _, _ = text[: _LONGEST - 1].rpartition(" ")
    # A language without spaces, or a single word.
    return f"{head.rstrip(' ,;:')} …" if len(head) > _LONGEST // 2 else f"{text[: _LONGEST - 1]}…"


def _joined(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _evidence(comparison: Comparison) -> dict[str, Any]:
    """Return the verdict of a comparison with its evidence, for programs."""
    return {
        "verdict": str(comparison.verdict),
        "title": round(comparison.title, 2),
        "names": list(comparison.names),
        "year": comparison.year,
        "reasons": [reason._asdict() for reason in comparison.reasons],
        "strangers": list(comparison.strangers),
    }


def text_problems(
    places: Mapping[DOI, Iterable[Found]], resolutions: Mapping[DOI, Resolution], this_year: int
) -> Iterator[Problem]:
    """Yield problems that need no answers: two works with one DOI name, a year in the future.

    :param this_year: a later year is in the future
    """
    every = list(chain.from_iterable(places.values()))
    for place, other in two_works(every) if len(every) > len(places) else ():
        words = f"same name, two works: {place.doi.uri} here and at {place_of(other)}"
        words += "; correct the wrong one"
        here = resolutions.get(place.doi)
        yield problem_at(place, Severity.WARNING, "doi-two-works", words, here)
    for place in every:
        if year := future_year(place, this_year):
            words = f"year in the future: the text gives {year} for {place.doi.uri}"
            here = resolutions.get(place.doi)
            yield problem_at(place, Severity.WARNING, "doi-future-year", words, here)


def two_names_problems(
    places: Mapping[DOI, Iterable[Found]],
    work_of: Callable[[DOI], Work | None],
    resolutions: Mapping[DOI, Resolution],
) -> Iterator[Problem]:
    """Yield the remark on each file that has another name of the project than the first one."""
    if len(places) < 2:
        return
    every = (place for same in places.values() for place in same)
    ordered = sorted(every, key=lambda each: (each.file or "", each.line or 0, each.column or 0))
    for place, other in two_names(ordered, work_of):
        here, there = place.doi.uri, other.doi.uri
        words = f"two names: {here} stands for the project here, {there} at {place_of(other)}"
        yield problem_at(place, Severity.REMARK, "doi-two-names", words, resolutions.get(place.doi))


@lru_cache(maxsize=256)  # a block may contain many names, each of which asks
def _latest(block: str) -> int:
    return max(map(int, _LATER.findall(block)), default=0)


def future_year(place: Found, this_year: int) -> int | None:
    """Return the year of the reference at a place if it is after the next one."""
    block = place.block or ""
    return year_ahead(block, place.doi, this_year) if _latest(block) > this_year + 1 else None


def stale_entry(entry: str, options: Options) -> Problem:
    """Build the problem for an entry of ``check_accept`` that accepts nothing."""
    words = f"nothing to accept: {entry} (remove it from {options.spelled('check_accept')})"
    return Problem(Severity.WARNING, "doi-stale-accept", words)


def unknown_works(answers: Iterable[Answer], options: Options) -> Iterator[Problem]:
    """Yield one message for all works without an answer, and one for those without a record."""
    answers = list(answers)
    lost = [answer for answer in answers if answer.lost]
    if lost and options.check_unknown != "ignore":
        fails = options.check_unknown == "error"
        severity = _severity(options) if fails else Severity.WARNING
        yield Problem(severity, "doi-work-unknown", f"could not check: {_several(lost)}")
    none = [answer for answer in answers if not answer.lost]
    if none:
        yield Problem(Severity.REMARK, "doi-work-unknown", f"no record: {_several(none)}")


def _several(answers: list[Answer]) -> str:
    reasons = sorted({answer.reason for answer in answers})
    words = ", ".join(reasons[:_REASONS]) + (", …" if len(reasons) > _REASONS else "")
    works = "the work" if len(answers) == 1 else "the works"
    return f"{works} of {counted(len(answers), 'DOI')} ({words})"

"""Notices: what was published about a work after it, such as a retraction.

Crossref lists the notices of a work in ``updated-by`` of the work. In ``update-to`` a notice lists
the works that it is about, and a few publishers list a work in its own ``update-to``. Both fields
may contain a notice twice, from the publisher and from Retraction Watch.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from ..core.doi import DOI, InvalidDOI
from .clean import plain

__all__ = ["Notice", "Status", "notices_of", "status_of", "without_label"]


class Status(StrEnum):
    """What became of a work, or which kind of notice it is."""

    NONE = ""
    RETRACTED = "retracted"
    CONCERN = "concern"
    CORRECTED = "corrected"
    RETRACTION_NOTICE = "retraction-notice"
    CORRECTION_NOTICE = "correction-notice"

    @property
    def is_notice(self) -> bool:
        """The work is a notice about another work."""
        return self in (Status.RETRACTION_NOTICE, Status.CORRECTION_NOTICE)


# The types of updates in Crossref's deposit schema. New versions and editions are not notices.
_STATUS: Final = {
    "retraction": Status.RETRACTED,
    "withdrawal": Status.RETRACTED,
    "removal": Status.RETRACTED,
    "expression-of-concern": Status.CONCERN,
    "correction": Status.CORRECTED,
    "partial-retraction": Status.CORRECTED,  # the rest of the work stands
    "corrigendum": Status.CORRECTED,
    "erratum": Status.CORRECTED,
    "clarification": Status.CORRECTED,
    "addendum": Status.CORRECTED,
}
_GRAVITY: Final = (Status.RETRACTED, Status.CONCERN, Status.CORRECTED)
_MOST: Final = 20

# Publishers' labels on the title of the work itself, such as "RETRACTED ARTICLE: …".
_ON_WORK: Final = re.compile(
    r"\W{0,2}(?:(?P<partly>partial(?:ly)? (?:retracted|retraction)(?: (?:article|paper))?)"
    r"|(?P<retracted>(?:(?:article|temporarily) )?"
    r"(?:retracted|withdrawn|removed)(?: (?:article|paper|chapter|manuscript))?|temporary removal)"
    r"|(?P<concern>EXPRESSION OF CONCERN))(?:\s*[:\]]|\s+[-–—])\s*",
    re.IGNORECASE,
)
# Labels on the title of a notice. The title of the work may follow, or nothing.
_ON_NOTICE: Final = re.compile(
    r"\W?(?:(?:statement|notice|note) of )?(?:(?:publisher|author|editorial|editor'?s)['’]?s? )?"
    r"(?:(?P<retraction>retraction|withdrawal|removal)"
    r"|(?P<correction>corrections?|corrigend(?:um|a)|errat(?:um|a)|addendum|expression of concern))"
    r"(?: (?:note|notice))?(?: (?:to|for|of|on)(?=:? ?[“”\"'‘’«])|(?: to)?\s*[:\]]|\s*\.?$"
    r"|(?<=um) to(?= )|(?<=ta) to(?= ))\s*",  # "Correction to the theory of …" is an ordinary title
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Notice:
    """One notice about a work.

    :ivar kind: Crossref's word for it, with hyphens: ``retraction``, ``expression-of-concern``
    :ivar date: year, month and day as far as they are known: ``2010-02-06``
    :ivar doi: the DOI of the notice
    """

    kind: str
    date: str = ""
    doi: DOI | None = None

    @property
    def status(self) -> Status:
        """What the notice makes of the work."""
        return _STATUS.get(self.kind, Status.NONE)


def notices_of(record: Mapping[str, object]) -> tuple[tuple[Notice, ...], Status]:
    """The notices about the work, the gravest and latest first; and which kind of notice it is."""
    own = _doi(record.get("DOI"))
    about: list[Notice] = _read(record.get("updated-by"))
    is_notice = Status.NONE
    for update in _read(record.get("update-to")):
        if update.doi is None or update.doi == own:
            about.append(Notice(update.kind, update.date))
        elif update.status is Status.RETRACTED:
            is_notice = Status.RETRACTION_NOTICE
        elif is_notice is Status.NONE and update.status:
            is_notice = Status.CORRECTION_NOTICE
    known = [notice for notice in about if notice.status]
    known.sort(key=lambda notice: notice.date, reverse=True)
    known.sort(key=lambda notice: _GRAVITY.index(notice.status))
    return tuple(dict.fromkeys(known)), is_notice


def status_of(title: str, notices: tuple[Notice, ...], notice: Status) -> Status:
    """The status of a work by its notices, or by the label on its title.

    >>> status_of("RETRACTED: A study", (), Status.NONE)
    <Status.RETRACTED: 'retracted'>
    >>> status_of("PARTIALLY RETRACTED: A study", (), Status.NONE)
    <Status.CORRECTED: 'corrected'>
    >>> status_of("A North Pacific jet retraction", (), Status.NONE)
    <Status.NONE: ''>
    """
    if notices and notices[0].status is not Status.CORRECTED:
        return notices[0].status
    label = _ON_WORK.match(title)
    if label and not label["partly"]:
        return Status.RETRACTED if label["retracted"] else Status.CONCERN
    if notice:
        return notice
    if label:
        return Status.CORRECTED
    label = _ON_NOTICE.match(title)
    if label:
        return Status.RETRACTION_NOTICE if label["retraction"] else Status.CORRECTION_NOTICE
    return notices[0].status if notices else Status.NONE


def without_label(title: str) -> str:
    """A title without a publisher's label; ``""`` if it is nothing else.

    >>> without_label("RETRACTED ARTICLE: On mice"), without_label("Correction to: On mice")
    ('On mice', 'On mice')
    """
    label = _ON_WORK.match(title) or _ON_NOTICE.match(title)
    return title[label.end() :] if label else title


def _read(value: object) -> list[Notice]:
    found = []
    for entry in value[:_MOST] if isinstance(value, list) else ():
        if isinstance(entry, Mapping):
            kind = re.sub(r"[\s_]+", "-", plain(entry.get("type")).lower())
            found.append(Notice(kind, _date(entry.get("updated")), _doi(entry.get("DOI"))))
    return found


def _date(value: object) -> str:
    parts = value.get("date-parts") if isinstance(value, Mapping) else None
    first = parts[0] if isinstance(parts, list) and parts else None
    numbers = []
    for number in first[:3] if isinstance(first, list) else ():
        if type(number) is not int or not 0 < number < 10_000:
            break
        numbers.append(f"{number:02d}")
    return "-".join(numbers)


def _doi(value: object) -> DOI | None:
    try:
        return DOI.parse(value) if isinstance(value, str) else None
    except InvalidDOI:
        return None

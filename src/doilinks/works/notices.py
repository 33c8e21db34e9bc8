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


# The types of updates in Crossref's deposit schema, as agencies and mirrors spell them: the first
# stem that begins a type decides. New versions and editions are not notices.
_STATUS: Final = (
    ("partial", Status.CORRECTED),  # the rest of the work stands
    ("retract", Status.RETRACTED),
    ("withdraw", Status.RETRACTED),
    ("remov", Status.RETRACTED),
    ("expression", Status.CONCERN),
    ("correct", Status.CORRECTED),
    ("corrig", Status.CORRECTED),
    ("errat", Status.CORRECTED),
    ("clarif", Status.CORRECTED),
    ("addend", Status.CORRECTED),
)
_GRAVITY: Final = (Status.RETRACTED, Status.CONCERN, Status.CORRECTED)
_MOST: Final = 20

# Publishers' labels on the title of the work itself, such as "RETRACTED ARTICLE: …".
_ON_WORK: Final = re.compile(
    r"\W{0,2}(?:(?P<partly>partial(?:ly)? (?:retracted|retraction)(?: (?:article|paper))?)"
    r"|(?P<retracted>(?:(?:article|temporarily) )?"
    r"(?:retracted|withdrawn|removed)(?: (?:article|paper|chapter|manuscript))?|temporary removal"
    r"|(?:art[ií](?:culo|go|cle) )?(?:retrac?tado|r[ée]tract[ée]|retir[ée])|zurückgezogen"
    r"|ritirato"
    r"|отозвана|已撤稿)"
    r"|(?P<concern>EXPRESSION OF CONCERN))(?:\s*[:：\]]|\s+[-–—])\s*",
    re.IGNORECASE,
)
# Labels at the end of a title, in brackets or after a dash or colon. What may be an ordinary word
# there, such as "withdrawal", is none.
_AT_END: Final = re.compile(
    r"\s*(?:[(\[](?P<bracket>[^()\[\]]{1,80})[)\]]|(?:\s[-–—]|:)\s(?P<dash>[^-–—:()\[\]]{1,40}))\.?$"
)
_IN_BRACKETS: Final = re.compile(
    r"(?P<retracted>(?:retracted|withdrawn)(?: (?:article|paper|chapter))?)"
    r"|(?P<retraction>retraction(?: (?:note|notice|of .*))?)"
    r"|(?P<correction>corrigend(?:um|a)|errat(?:um|a)|correction notice)",
    re.IGNORECASE,
)
# Labels on the title of a notice. The title of the work may follow, or nothing.
_ON_NOTICE: Final = re.compile(
    r"\W?(?:(?:statement|notice|note) of )?(?:(?:publisher|author|editorial|editor'?s)['’]?s? )?"
    r"(?:(?P<retraction>retraction|withdrawal|removal|r[ée]tractation|retractaci[óo]n|retrac?ta[çc][ãa]o"
    r"|ritrattazione|retraktion|rücknahme|ретракция|撤稿(?:声明)?|論文撤回)"
    r"|(?P<correction>corrections?|corrigend(?:um|a)|errat(?:um|a)|addendum|expression of concern"
    r"|rectificatif|correcci[óo]n|fe de erratas|corre[çc][ãa]o|berichtigung|correzione|исправление"
    r"|更正|訂正))"
    r"(?: (?:note|notice))?(?: (?:to|for|of|on)(?=:? ?[“”\"'‘’«])|(?: to)?\s*[:：\]]|\s*\.?$"
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
        return next((status for stem, status in _STATUS if self.kind.startswith(stem)), Status.NONE)


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
    on_work, on_notice, at_end = _ON_WORK.match(title), _ON_NOTICE.match(title), _at_end(title)
    if on_work and not on_work["partly"]:
        return Status.RETRACTED if on_work["retracted"] else Status.CONCERN
    if at_end and at_end["retracted"]:
        return Status.RETRACTED
    # Publishers deposit retractions as errata and corrections; then the title is right.
    for label in (on_notice, at_end):
        if label and label["retraction"]:
            return Status.RETRACTION_NOTICE
    if notice:
        return notice
    if on_work:
        return Status.CORRECTED
    if on_notice or at_end:
        return Status.CORRECTION_NOTICE
    return notices[0].status if notices else Status.NONE


def _at_end(title: str) -> re.Match[str] | None:
    """The label at the end of a title. After a dash it must not be a single ordinary word."""
    end = _AT_END.search(title, max(0, len(title) - 120))
    if not end:
        return None
    label = _IN_BRACKETS.fullmatch(end["bracket"] or end["dash"])
    if label and end["dash"] and label[0].lower() == "retraction":
        return None
    return label


def without_label(title: str) -> str:
    """A title without a publisher's label; ``""`` if it is nothing else.

    >>> without_label("RETRACTED ARTICLE: On mice"), without_label("Correction to: On mice")
    ('On mice', 'On mice')
    """
    label = _ON_WORK.match(title) or _ON_NOTICE.match(title)
    if label:
        return title[label.end() :]
    end = _AT_END.search(title, max(0, len(title) - 120)) if _at_end(title) else None
    return title[: end.start()] if end else title


def _read(value: object) -> list[Notice]:
    found = []
    for entry in value[:_MOST] if isinstance(value, list) else ():
        if isinstance(entry, Mapping):
            date, doi = _date(entry.get("updated")), _doi(entry.get("DOI"))
            every = [Notice(_kind(entry.get(name)), date, doi) for name in ("type", "label")]
            # The label says more than the type when it is graver.
            is_partial = every[0].kind.startswith("partial")
            if every[1].status is Status.RETRACTED and not is_partial:
                every.reverse()
            found.append(every[0])
    return found


def _kind(value: object) -> str:
    """A type in Crossref's spelling, as far as messages depend on it."""
    kind = re.sub(r"[\s_]+", "-", plain(value).lower())
    return {"withdrawn": "withdrawal", "removed": "removal"}.get(kind, kind)


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

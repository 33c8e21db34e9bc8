"""Labels on titles: what publishers write there of a work that was retracted, and of notices.

Its patterns take long to compile, and few titles have a label: what runs in each build imports this
module when there is one.
"""

from __future__ import annotations

import re
from typing import Final

from .work import Notice, Status

# Publishers' labels on the title of the work itself, such as "RETRACTED ARTICLE: …".
_ON_WORK: Final = re.compile(
    r"\W{0,2}(?:(?P<partly>partial(?:ly)? (?:retracted|retraction)(?: (?:article|paper))?)"
    r"|(?P<retracted>(?:(?:article|paper|temporarily) )?"
    r"(?:retracted|withdrawn|removed)(?: (?:article|paper|chapter|manuscript))?|temporary removal"
    r"|(?:art[ií](?:culo|go|cle) )?(?:retrac?tado|r[ée]tract[ée]|retir[ée])|zurückgezogen"
    r"|ritirato|geri çekildi|отозвана|已撤稿)"
    r"|(?P<concern>EXPRESSION OF CONCERN))(?:\s*[:：\]]|\s+[-–—])\s*",
    re.IGNORECASE,
)
# Labels at the end of a title, in brackets or after a dash or colon. What may be an ordinary word
# there, such as "withdrawal", does not count.
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
    r"(?:(?P<retraction>retraction(?: and replacement)?|withdrawal|removal|r[ée]tractation|retrait"
    r"|retractaci[óo]n|retra(?:c?ta)?[çc][ãa]o|ritrattazione|retraktion|rücknahme|ретракция"
    r"|撤稿(?:声明)?|(?:論文)?撤回|철회)"
    r"|(?P<correction>corrections?|corrigend(?:um|a)|errat(?:um|a)(?: corrige)?|addendum"
    r"|expression of concern|rectificatif|rectificatie|correcci[óo]n|fe de erratas|corre[çc][ãa]o"
    r"|berichtigung|korrektur|correzione|sprostowanie|düzeltme|исправление|更正|訂正|정정))"
    r"(?: (?:note|notice|statement))?"
    # "Correction to the theory of …" and "Correction for guessing" are ordinary titles.
    r"(?: (?:to|for|of|on)(?=:? ?[“”\"'‘’«])|(?: (?:to|of|zu|à))?\s*[:：\]】]|\s*+\.?$"
    r"|(?<=um) to(?= )|(?<=ta) to(?= )|(?<=notice) to(?= )|(?<=replacement)\.(?= )"
    r"| for [^,:]{1,60} et al\.,)\s*",
    re.IGNORECASE,
)


def status_of(title: str, notices: tuple[Notice, ...], notice: Status) -> Status:
    """The status of a work by its notices, or by the label on its title."""
    if notices and notices[0].status is not Status.CORRECTED:
        return notices[0].status
    on_work, on_notice, at_end = _ON_WORK.match(title), _ON_NOTICE.match(title), _at_end(title)
    if on_work and not on_work["partly"]:
        return Status.RETRACTED if on_work["retracted"] else notice or Status.CONCERN
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

"""Labels on titles, by which publishers mark notices and works that were retracted.

Its patterns take long to compile, and few titles have a label: modules of each build import it when
there is a label.
"""

from __future__ import annotations

import re
from typing import Final

from .kinds import Notice, Status, words_of

# Labels on the title of the work itself, such as "RETRACTED ARTICLE: …".
_ON_WORK: Final = re.compile(
    rf"\W{{0,2}}(?:{words_of('partly')}|{words_of('retracted')}|{words_of('concern')})"
    r"(?:\s*[:：\]]|\s+[-–—])\s*",
    re.IGNORECASE,
)
# Words in brackets or after a dash, at the end of a title.
_AT_END: Final = re.compile(
    r"\s*(?:[(\[](?P<bracket>[^()\[\]]{1,80})[)\]]|(?:\s[-–—]|:)\s(?P<dash>[^-–—:()\[\]]{1,40}))\.?$"
)
# Any label that stands at the end of a title.
_IN_BRACKETS: Final = re.compile(
    "|".join(words_of(kind, at_end=True) for kind in ("retracted", "retraction", "correction")),
    re.IGNORECASE,
)
# Labels on the title of a notice. The title of the work may follow, or nothing.
_ON_NOTICE: Final = re.compile(
    r"\W?(?:(?:statement|notice|note) of )?(?:(?:publisher|author|editorial|editor'?s)['’]?s? )?"
    rf"(?:{words_of('retraction')}|{words_of('correction')})"
    r"(?: (?:note|notice|statement))?"
    # "Correction to the theory of …" and "Correction for guessing" are ordinary titles.
    r"(?: (?:to|for|of|on|regarding|concerning)(?=:? ?[“”\"'‘’«])"
    r"|(?: (?:to|of|zu|à))?\s*[:：\]】]|\s*+\.?$"
    r"|(?<=um) to(?= )|(?<=ta) to(?= )|(?<=notice) to(?= )|(?<=replacement)\.(?= )"
    r"| for [^,:]{1,60} et al\.,)\s*",
    re.IGNORECASE,
)


def status_of(title: str, notices: tuple[Notice, ...], notice: Status) -> Status:
    """Return the status of a work by its notices, or by the label on its title."""
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
    """Find the label at the end of a title. After a dash, an ordinary word alone is not one."""
    end = _AT_END.search(title, max(0, len(title) - 120))
    if not end:
        return None
    label = _IN_BRACKETS.fullmatch(end["bracket"] or end["dash"])
    if label and end["dash"] and label[0].lower() == "retraction":
        return None
    return label


def without_label(title: str) -> str:
    """Remove a publisher's label from a title; ``""`` if the title is nothing else."""
    label = _ON_WORK.match(title) or _ON_NOTICE.match(title)
    if label:
        return title[label.end() :]
    end = _AT_END.search(title, max(0, len(title) - 120)) if _at_end(title) else None
    return title[: end.start()] if end else title

"""Whether a text describes the work that a DOI name in it stands for.

Pure, without input or output, in time linear in the text.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..core.doi import DOI
from .claims import Claims, claims_of
from .evidence import Evidence
from .fold import Words
from .part import Part, part_of, plain
from .rules import Verdict, rule_for
from .work import Work

__all__ = ["Comparison", "Verdict", "compare"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A verdict, with its evidence.

    :ivar verdict: same, other or unsure
    :ivar title: the share of the title's words found, from 0 to 1
    :ivar names: the family names found
    :ivar year: whether a year is within one; ``None`` if the text or the record has no year
    :ivar rule: the name of the rule that decided; ``""`` if none did
    """

    verdict: Verdict
    title: float = 0.0
    names: tuple[str, ...] = ()
    year: bool | None = None
    rule: str = ""


def compare(block: str, work: Work, doi: DOI) -> Comparison:
    """Compare the text around a name with the work that is registered for it.

    :param block: the text around the name, as in the source or as a host shows it
    :param doi: which of the names in the block

    >>> work = Work.of({"title": "DOI Handbook", "author": [{"family": "Paskin"}]})
    >>> compare("Paskin, N.: DOI Handbook. doi:10.1000/182", work, DOI("10.1000/182")).verdict
    <Verdict.SAME: 'same'>
    >>> compare("Wiles, A.: Modular elliptic curves and Fermat's last theorem (1995). 10.1000/182",
    ...         work, DOI("10.1000/182")).verdict
    <Verdict.OTHER: 'other'>
    """
    part = part_of(block, doi)
    found = Evidence.of(work, claims_of(part))
    rule = rule_for(found, part.text)
    if rule and rule.verdict is Verdict.OTHER and part.shared and _is_near(part, work):
        rule = None
    return Comparison(
        rule.verdict if rule else Verdict.UNSURE,
        found.title,
        found.names,
        found.year,
        rule.name if rule else "",
    )


def _is_near(part: Part, work: Work) -> bool:
    """Tell whether the text near a part names the work. If so, the part may be the wrong one."""
    found = Evidence.of(work, Claims(Words.of(plain(part.nearby))))
    return bool(found.names) or found.title >= 0.5

"""The rules of the comparison, in the order in which they are tried; the first that applies counts.

A rule has a name, a reason and a verdict. Its cases are in ``tests/works``. Where no rule applies,
the comparison is unsure. What decides is a title, people and a year together; journals, volumes and
pages do not count, because a fifth of correct references differ from the record only there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from typing import Final, NamedTuple

from .claims import People
from .evidence import Evidence

__all__ = ["RULES", "Rule", "Verdict", "rule_for"]


class Verdict(StrEnum):
    """What a comparison found."""

    SAME = "same"
    OTHER = "other"
    UNSURE = "unsure"


class Rule(NamedTuple):
    """One rule.

    :ivar name: never changes
    :ivar verdict: what it says when it applies
    :ivar reason: why, for people
    :ivar applies: to the evidence and the text
    """

    name: str
    verdict: Verdict
    reason: str
    applies: Callable[[Evidence, str], bool]


_NOTICE: Final = re.compile(
    r"correct|corrig|errat|retract|withdraw|removal|addend|concern|comment|notice", re.IGNORECASE
)


def _article_of_notice(found: Evidence, text: str) -> bool:
    is_there = found.title >= 0.8 and any(size >= 4 for _, size in found.shares)
    return found.work.status.is_notice and is_there and not _NOTICE.search(text)


def _title_and_support(found: Evidence, _: str) -> bool:
    supported = bool(found.names) or bool(found.year)
    return supported and any(share >= 0.75 and size >= 2 for share, size in found.shares)


def _title_alone(found: Evidence, _: str) -> bool:
    if any(share >= 0.95 and size >= 6 for share, size in found.shares):
        return True
    other_people = found.claims.people and found.work.names and found.year is False
    return not other_people and any(share >= 0.85 and size >= 4 for share, size in found.shares)


def _most_of_title(found: Evidence, _: str) -> bool:
    return found.title >= 0.6 and bool(found.names) and bool(found.year)


def _own_title(found: Evidence, _: str) -> bool:
    claims = found.claims
    if not (claims.people and claims.titles and found.titles) or found.title >= 0.7:
        return False
    if claims.people is People.ROW:
        limit = 0.8 if found.work.names and not found.names else 0.0
    else:
        # Titles change between preprint and article; people and year then are the same.
        limit = 0.35 if found.names and found.year is not False else 0.65
    return found.likeness(claims.titles) < limit


def _own_title_alone(found: Evidence, _: str) -> bool:
    alone = found.claims.alone
    if not (alone and found.titles) or found.names or found.title >= 0.4:
        return False
    return found.likeness(alone) < 0.4


def _own_people(found: Evidence, _: str) -> bool:
    named = bool(found.claims.people and found.work.names and found.titles)
    return named and not found.names and found.title < 0.5


RULES: Final = (
    Rule(
        "article-of-notice",
        Verdict.OTHER,
        "the name is that of a notice, the text describes the article",
        _article_of_notice,
    ),
    Rule(
        "title-and-support",
        Verdict.SAME,
        "the title is there, and a name or the year",
        _title_and_support,
    ),
    Rule("title-alone", Verdict.SAME, "the whole of a long title is there", _title_alone),
    Rule(
        "most-of-title",
        Verdict.SAME,
        "most of the title is there, a name and the year",
        _most_of_title,
    ),
    Rule("own-title", Verdict.OTHER, "the text has people and another title", _own_title),
    Rule("own-title-alone", Verdict.OTHER, "the text is another title", _own_title_alone),
    Rule("own-people", Verdict.OTHER, "the text has other people, not the title", _own_people),
)


def rule_for(found: Evidence, text: str) -> Rule | None:
    """The rule that decides, or None."""
    return next((rule for rule in RULES if rule.applies(found, text)), None)

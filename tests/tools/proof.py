"""How much of a proof is run: a sample of its cases, all of them, or every combination.

``make test`` takes samples, and leaves out the tests with the mark ``thorough``, so that nobody waits
long for it. ``CI=true`` takes the same samples, and those tests too. ``DOILINKS_PROOF=1``, which ``make
proof`` sets, and which runs every night and before a release, takes every case. ``DOILINKS_PROOF=all``
takes every combination, too, of which there are so many that a run takes hours.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

Case = TypeVar("Case")

_OFF = ("", "0", "false", "no", "off")
_ASKED = os.environ.get("DOILINKS_PROOF", "").lower()
WHOLE = _ASKED not in _OFF
THOROUGH = WHOLE or os.environ.get("CI", "").lower() not in _OFF
COMBINATIONS = _ASKED == "all"

# How many cases of each part of a proof this run has taken, and how many there are.
TAKEN: dict[tuple[str, str], tuple[int, int]] = {}


def sample(
    proof: str, part: str, cases: Sequence[Case], *, one_in: int, turn: int = 0
) -> list[Case]:
    """All cases of a proof if the whole is asked for; or else one in so many, always the same.

    :param proof: its name in the summary of the run
    :param part: what it is of, such as a host
    :param turn: which of them to begin with; ``one_in`` turns take every case once
    """
    # Of fewer cases than that, one is taken.
    taken = list(cases if WHOLE else cases[turn % max(1, min(one_in, len(cases))) :: one_in])
    TAKEN[proof, part] = len(taken), len(cases)
    return taken


def number(proof: str, part: str, of: int, *, one_in: int) -> int:
    """How many cases of a proof this run takes, where each case is made by chance."""
    return len(sample(proof, part, range(of), one_in=one_in))


def summary() -> list[str]:
    """A line for each proof of which this run has taken a sample."""
    sums: dict[str, tuple[int, int]] = {}
    for (proof, _), (taken, there_are) in TAKEN.items():
        before = sums.get(proof, (0, 0))
        sums[proof] = before[0] + taken, before[1] + there_are
    return [
        f"sampled: {taken:,} of {there_are:,} {proof}"
        for proof, (taken, there_are) in sorted(sums.items())
        if taken < there_are
    ]

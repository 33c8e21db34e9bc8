"""Near misses: suggests names for a DOI that does not resolve.

Heuristic, not in any standard: the commonest mistakes in copied references.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..core.doi import DOI, InvalidDOI
from ..core.remarks import DASHES
from ..core.steps import BRACKETS

__all__ = ["near_misses"]

# In registered names, the hyphen-minus is the only dash.
_TO_HYPHENS: Final = str.maketrans(dict.fromkeys(DASHES, "-"))


def near_misses(doi: DOI) -> tuple[DOI, ...]:
    """At most three other names, the likeliest first.

    >>> [near.name for near in near_misses(DOI("10.1000/182x"))]
    ['10.1000/182']
    >>> [near.name for near in near_misses(DOI("10.1016/S0140–6736(97"))]
    ['10.1016/S0140-6736(97', '10.1016/S0140–6736(97)', '10.1016/S0140–6736(9']
    """
    found: dict[DOI, None] = {}
    for name in _candidates(doi.name):
        try:
            near = DOI(name)
        except InvalidDOI:
            continue
        if near != doi:
            found[near] = None
    return tuple(found)


def _candidates(name: str) -> Iterator[str]:
    yield name.translate(_TO_HYPHENS)
    opened = [each for each, closer in BRACKETS.items() if name.count(each) > name.count(closer)]
    if opened:
        yield name + BRACKETS[max(opened, key=name.rfind)]
    yield name[:-1]

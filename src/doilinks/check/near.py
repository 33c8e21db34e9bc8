"""Near misses: names that the author of a name that fails may have meant.

Heuristic, not in any standard: what most often goes wrong between a reference and its copy.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..core.doi import DOI, InvalidDOI

__all__ = ["near_misses"]

# Dashes that typesetting puts in the place of the hyphen, which is the only one in use in names.
_DASHES: Final = str.maketrans(dict.fromkeys("‐‑‒–—―−﹘﹣－", "-"))
_CLOSERS: Final = {"(": ")", "[": "]", "<": ">", "{": "}"}


def near_misses(doi: DOI) -> tuple[DOI, ...]:
    """At most three names, the likeliest first, none of them equal to ``doi``.

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
    yield name.translate(_DASHES)
    opened = [sign for sign in _CLOSERS if name.count(sign) > name.count(_CLOSERS[sign])]
    if opened:
        yield name + _CLOSERS[max(opened, key=name.rfind)]
    yield name[:-1]

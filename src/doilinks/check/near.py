"""Near misses: suggests names for a DOI that does not resolve.

Heuristic, not in any standard: the commonest mistakes in copied references.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Final
from unicodedata import category
from urllib.parse import quote, unquote

from ..core.doi import DOI, InvalidDOI
from ..core.remarks import DASHES
from ..core.steps import BRACKETS

__all__ = ["near_misses"]

# In registered names, the hyphen-minus is the only dash.
_TO_HYPHENS: Final = str.maketrans(dict.fromkeys(DASHES, "-"))
_TRIPLETS: Final = re.compile("(?:%[89A-Fa-f][0-9A-Fa-f]){2,4}")
_WHOLES: Final = 2


def near_misses(doi: DOI, wholes: Iterable[DOI] = ()) -> tuple[DOI, ...]:
    """At most six other names, the likeliest first.

    :param wholes: the name without invisible characters that cut it, in each of its places

    >>> [near.name for near in near_misses(DOI("10.1000/182x"))]
    ['10.1000/182']
    >>> [near.name for near in near_misses(DOI("10.1016/S0140–6736(97"))]
    ['10.1016/S0140-6736(97', '10.1016/S0140–6736(97)', '10.1016/S0140–6736(9']
    """
    found: dict[DOI, None] = {}
    likeliest = islice(dict.fromkeys(whole.name for whole in wholes), _WHOLES)
    for name in chain(likeliest, _candidates(doi.name)):
        try:
            near = DOI(name)
        except InvalidDOI:
            continue
        if near != doi:
            found[near] = None
    return tuple(found)


def _candidates(name: str) -> Iterator[str]:
    yield _TRIPLETS.sub(_visible, name)
    yield name.translate(_TO_HYPHENS)
    opened = [each for each, closer in BRACKETS.items() if name.count(each) > name.count(closer)]
    if opened:
        yield name + BRACKETS[max(opened, key=name.rfind)]
    yield name[:-1]


def _visible(triplets: re.Match[str]) -> str:
    """Triplets of a link's target, without those that stand for invisible characters."""
    text = unquote(triplets[0], errors="replace")
    if "\ufffd" in text:
        return triplets[0]
    return quote("".join(each for each in text if category(each) != "Cf"))

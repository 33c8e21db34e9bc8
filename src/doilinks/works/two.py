"""The same name in two blocks that describe different works. Needs no network.

A heuristic, and the strictest one here: both blocks have people and a title, hardly a word of the
titles is common to both, nor is a family name.
"""

from __future__ import annotations

from typing import Final

from ..core.doi import DOI
from .claims import Claims, People, claims_of
from .own_titles import content
from .part import part_of

__all__ = ["differ"]

_LIKE: Final = 0.25  # the share of a title's words that another work may have by chance
_FULL: Final = (People.FIELD, People.LISTED)


def differ(one: str, other: str, doi: DOI) -> bool:
    """Whether two blocks with the same name describe different works.

    >>> differ("Paskin, N. (2000). Handbook of the system of names for objects. 10.1000/182",
    ...        "Wiles, A. (1995). Modular elliptic curves and a famous last theorem. 10.1000/182",
    ...        DOI("10.1000/182"))
    True
    """
    parts = part_of(one, doi), part_of(other, doi)
    if any(part.shared for part in parts):
        return False
    first, second = (claims_of(part) for part in parts)
    if not (_is_full(first) and _is_full(second)):
        return False
    return _is_strange(first, second) and _is_strange(second, first)


def _is_full(claims: Claims) -> bool:
    return claims.people in _FULL and bool(claims.titles) and bool(claims.years)


def _is_strange(one: Claims, other: Claims) -> bool:
    """No title of one text is in the other, and no capitalised word that may be a family name."""
    for title in one.titles:
        if sum(word in other.words for word in title) > _LIKE * len(title):
            return False
    return not (_names(one) & _names(other))


def _names(claims: Claims) -> set[str]:
    titled = {word for title in claims.titles for word in title}
    words = zip(claims.words.folded, claims.words.capital, strict=True)
    names = {word for word, capital in words if capital and len(word) > 2}
    return set(content(names - titled))

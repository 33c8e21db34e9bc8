"""Corrections that come from the check: the right name, and the rule that applies it."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final, NamedTuple

from ..core.doi import DOI
from ..core.encoding import characters, link_form
from ..core.remarks import DASHES
from .change import Piece
from .name import Name

__all__ = ["Correction", "corrected", "correction"]

_TO_HYPHENS: Final = str.maketrans(dict.fromkeys(DASHES, "-"))


class Correction(NamedTuple):
    """What is right instead of a name.

    :ivar code: the rule
    :ivar doi: the right name
    """

    code: str
    doi: DOI


def correction(doi: DOI, near: DOI | None, alias: DOI | None) -> Correction | None:
    r"""What is right instead of a name, if the check knows it.

    :param near: the near miss that resolves, if the name does not
    :param alias: the name that it stands for

    >>> correction(DOI("10.1000/a\u20131"), DOI("10.1000/a-1"), None)
    Correction(code='doi-dash', doi=DOI('10.1000/a-1'))
    """
    if near is not None:
        dash = doi.name.translate(_TO_HYPHENS) == near.name
        return Correction("doi-dash" if dash else "doi-near", near)
    # A name may also stand for another whole name, which is no better for a reader.
    if alias is not None and doi.prefix == "10" and alias.prefix != "10":
        return Correction("doi-alias", alias)
    return None


def corrected(name: Name, new: DOI, kind: str) -> list[Piece]:
    """The characters of a name that have to be replaced for it to be another one.

    :param kind: the type of the file
    """
    if not name.known:
        return []
    units = list(_units(name))
    old = "".join(character for _, _, character in units)
    if old == new.name or not units:
        return []
    if old != name.doi.name or len(old) != len(new.name):
        first, last = _middle(old, new.name) if old == name.doi.name else (0, 0)
        start, end = units[first][0] if first < len(units) else units[-1][1], units[-1][1]
        if last:
            end = units[-last][0]
        part = new.name[first : len(new.name) - last]
        return [_piece(name, start, max(start, end), part, kind)]
    return [
        _piece(name, start, end, right, kind)
        for (start, end, wrong), right in zip(units, new.name, strict=True)
        if wrong != right
    ]


def _middle(old: str, new: str) -> tuple[int, int]:
    """How many characters two names have in common at the beginning, and at the end."""
    shorter = min(len(old), len(new))
    first = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    last = 0
    while last < shorter - first and old[-last - 1] == new[-last - 1]:
        last += 1
    return first, last


def _units(name: Name) -> Iterator[tuple[int, int, str]]:
    """The characters of a name with their places; triplets that stand for one are one unit."""
    at = name.at
    for character, written in characters(name.plain.text[name.at : name.end]):
        yield at, at + len(written), character
        at += len(written)


def _piece(name: Name, start: int, end: int, part: str, kind: str) -> Piece:
    first, last = name.plain.span(start, end) if start < end else (0, 0)
    if start == end:  # nothing is replaced, so the place is just after the character before
        first = last = name.plain.span(start - 1, start)[1]
    if name.in_url:
        part = link_form(part)
    if kind in ("html", "xhtml"):
        part = escape(part, quote=True)
    return first, last, part

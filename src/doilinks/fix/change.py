"""A change of a source: of one name, in one place."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.doi import DOI
from ..core.found import Found

__all__ = ["Change", "Piece", "applied"]

Piece = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one name, in one place.

    :ivar found: the name as it was found, with a span
    :ivar pieces: what is replaced: ``(start, end, new)``, offsets in the text of the source
    :ivar old: the text before; ``new`` the text after
    :ivar codes: the rules that want it
    :ivar doi: the DOI that it gives
    """

    found: Found
    pieces: tuple[Piece, ...]
    old: str
    new: str
    codes: tuple[str, ...]
    doi: DOI

    def __str__(self) -> str:
        place = f"{self.found.file}:{self.found.line}:{self.found.column}"
        return f"{place}: {self.old} → {self.new} [{', '.join(self.codes)}]"


def applied(text: str, pieces: list[Piece]) -> str:
    """A text with pieces of it replaced; they are in order and disjoint."""
    parts, at = [], 0
    for start, end, new in pieces:
        parts += [text[at:start], new]
        at = end
    return "".join([*parts, text[at:]])

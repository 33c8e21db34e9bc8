"""A list of pandoc's inlines as pieces of text.

Most inlines are words and spaces, and a long list has thousands. So the texts of all are in one
list, and a word or a space becomes an object only when somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, overload

from ..core.found import Found
from ..core.link import Link
from ..core.silence import Silence

__all__ = ["NO_NODE", "Node", "Piece", "Pieces", "Span"]

Node = dict[str, Any]

NO_NODE: Final[Node] = {"t": ""}  # stands for what is around a list


@dataclass(slots=True)
class Piece:
    """One inline of a list, as text.

    :ivar node: the inline
    :ivar text: its text
    :ivar whole: whether the inline can only be replaced as a whole
    :ivar link: the canonical link, if the inline is a link to a DOI
    :ivar closed: whether nothing in the inline may become a link
    :ivar bare: whether the inline is a link that the reader has made of a URL in prose
    :ivar silence: the comment that silences the names in the inline
    """

    node: Node
    text: str
    whole: bool = True
    link: Link | None = None
    closed: bool = False
    bare: bool = False
    silence: Silence | None = None


class Pieces(Sequence[Piece]):
    """The inlines of a list as pieces. The first and the last piece are not inlines.

    :param inlines: the list
    :param silences: for each inline, the comment that silences it; empty: none
    :param around: the text just before and just after the list
    :ivar nodes: the inlines
    :ivar texts: the text of each inline
    :ivar read: the pieces that are not words or spaces, by number
    """

    def __init__(
        self, inlines: Sequence[Node], silences: Sequence[Silence | None], around: str
    ) -> None:
        self.nodes: list[Node] = [NO_NODE, *inlines, NO_NODE]
        self.texts: list[str] = [around]
        self.read: dict[int, Piece] = {}
        self._silences = silences

    def __len__(self) -> int:
        return len(self.texts)

    @overload
    def __getitem__(self, number: int) -> Piece: ...

    @overload
    def __getitem__(self, number: slice) -> list[Piece]: ...

    def __getitem__(self, number: int | slice) -> Piece | list[Piece]:
        if isinstance(number, slice):
            return [self[each] for each in range(len(self))[number]]
        number = range(len(self))[number]
        if number in self.read:
            return self.read[number]
        node = self.nodes[number]
        silence = self._silence(number)
        return Piece(node, self.texts[number], whole=node["t"] != "Str", silence=silence)

    def append(self, piece: Piece) -> None:
        """Add the piece of the next inline."""
        piece.silence = self._silence(len(self.texts))
        self.read[len(self.texts)] = piece
        self.texts.append(piece.text)

    def _silence(self, number: int) -> Silence | None:
        return self._silences[number - 1] if 0 < number <= len(self._silences) else None


class Span(NamedTuple):
    """The link that replaces a stretch of the text of a list.

    :ivar found: the DOI that was found in the stretch
    :ivar offset: the offset in its first piece at which the stretch begins
    :ivar first: the piece in which the stretch begins
    :ivar held: the piece with the author's link that becomes this link, if there is one
    """

    link: Link
    found: Found
    offset: int
    first: Piece
    held: Piece | None

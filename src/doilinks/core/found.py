"""A DOI that was found in a document: readers and hosts list it, the check reads it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING

from .doi import DOI, Form

if TYPE_CHECKING:
    from .remarks import Remark
    from .silence import Silence

__all__ = ["Found", "distinct"]


@dataclass(frozen=True, slots=True)
class Found:
    """A DOI and its place in a document. What is not known is None.

    :ivar doi: the DOI
    :ivar form: how it is written
    :ivar file: the file, as the host names it in messages
    :ivar line: its line in the file, counted from 1
    :ivar column: its column in that line, counted from 1 in characters
    :ivar remarks: what is doubtful about it, where the host looks for that
    :ivar span: where it begins and ends in the source, as offsets in characters
    :ivar written: the text in the source, a label and ``<`` ``>`` included
    :ivar whole: the name without an invisible character that ends it, where there is one
    :ivar other: the DOI that the text of a link names, if the link leads to another one
    :ivar silence: the comment that silences it, if the host knows. Comparisons ignore it
    :ivar around: the text of its block, or a function that makes this text. Comparisons ignore it

    >>> found = Found(DOI("10.1000/182"), form="label", file="guide.md", line=12)
    >>> found.line, found.column, found.block
    (12, None, None)
    """

    doi: DOI
    _: KW_ONLY
    form: Form | None = None
    file: str | None = None
    line: int | None = None
    column: int | None = None
    remarks: tuple[Remark, ...] = ()
    span: tuple[int, int] | None = None
    written: str | None = None
    whole: DOI | None = None
    other: DOI | None = None
    silence: Silence | None = field(default=None, compare=False)
    around: str | Callable[[], str] | None = field(default=None, compare=False, repr=False)

    @property
    def block(self) -> str | None:
        """The text of its paragraph, list item, row or definition; made only on request."""
        return self.around() if callable(self.around) else self.around


def distinct(found: Iterable[Found]) -> list[Found]:
    """Each DOI once for each place (file, line and column), in the order given.

    >>> len(distinct([Found(DOI("10.1000/a"), line=1), Found(DOI("10.1000/A"), line=1)]))
    1
    """
    places: dict[tuple[object, ...], Found] = {}
    for each in found:
        hidden = each.silence is not None
        key = (each.doi, each.file, each.line, each.column, each.other, hidden)
        places.setdefault(key, each)
    return list(places.values())

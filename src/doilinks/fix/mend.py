"""Mends one source: reads it, changes what is written wrongly, and reads it again."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from ..core.doi import DOI
from ..core.found import Found
from ..core.options import Options
from ..core.silence import SilencedLines
from ..sources import CannotRead, comments, read
from .change import Change
from .correct import Correction
from .field import FRONT, bare
from .front import front_matter
from .layout import laid_out
from .original import NotEncodable, Original
from .program import Program
from .proof import proven
from .propose import changes

__all__ = ["Mended", "mend"]


@dataclass(frozen=True)
class Mended:
    """A source, mended.

    :ivar octets: the octets that it should have
    :ivar changes: what was changed, in the order of the source
    :ivar left: the changes that were not made, each with the reason
    """

    octets: bytes
    changes: Sequence[Change] = ()
    left: Sequence[tuple[Change, str]] = ()


_PROOF: Final = "the text would be read in another way"
_VALUE: Final = "it is in a string that may be a value"


def mend(
    original: Original,
    kind: str,
    options: Options,
    wanted: frozenset[str],
    file: str = "-",
    unread: Callable[[str], object] = lambda _message: None,
    right: Mapping[DOI, Correction] = MappingProxyType({}),
) -> Mended:
    """Mend one source.

    :param kind: one of :data:`~doilinks.sources.TYPES`
    :param wanted: the codes of the rules
    :param file: what messages call it
    :param unread: called with a message for each place where a DOI could not be read
    :param right: for names that the check knows better, what is right
    :raises CannotRead: if the text is not of that type
    """
    text = original.text
    found = list(read(text, kind, options, file, unread))
    silenced = SilencedLines(comments(text, kind, file))
    loud = [each for each in found if silenced.comment_on(each) is None]
    proposed = [*_front(text, kind, file, options, wanted)]
    proposed += _disjoint(changes(text, kind, loud, wanted, right))
    left: list[tuple[Change, str]] = []
    program = Program(text, cython=kind == "pyx") if proposed and kind in ("py", "pyx") else None
    if program:
        is_safe = program.allows()
        left = [(each, _VALUE) for each in proposed if not is_safe(each)]
        proposed = [each for each in proposed if is_safe(each)]
    if not proposed:
        return Mended(original.octets, (), left)

    def again(changed: str) -> list[Found]:
        if program and not program.is_same(changed):
            raise ValueError(_VALUE)
        try:
            return list(read(changed, kind, options, file))
        except CannotRead as error:
            raise ValueError(str(error)) from error

    good = proven(text, found, list(laid_out(text, kind, proposed)), again)
    kept = {id(each.found) for each in good}
    left += [(each, _PROOF) for each in proposed if id(each.found) not in kept]
    try:
        octets = original.replaced(sorted(piece for each in good for piece in each.pieces))
    except NotEncodable as error:
        return Mended(original.octets, (), [(each, str(error)) for each in proposed])
    return Mended(octets, good, left)


def _front(
    text: str, kind: str, file: str, options: Options, wanted: frozenset[str]
) -> Iterator[Change]:
    if kind == "md" and "doi-field" in wanted:
        for found in front_matter(text, file, options):
            if change := bare(text, FRONT, found):
                yield change


def _disjoint(proposed: Iterable[Change]) -> list[Change]:
    """The changes without those that overlap one before, such as the text of a link in another."""
    taken: list[tuple[int, int]] = []  # in the order of the source
    result = []
    for each in proposed:
        touched = [(start, max(end, start + 1)) for start, end, _ in each.pieces]
        if all(_is_free(span, taken) for span in touched):
            for span in touched:
                insort(taken, span)
            result.append(each)
    return result


def _is_free(span: tuple[int, int], taken: Sequence[tuple[int, int]]) -> bool:
    start, end = span
    after = bisect_left(taken, span)
    return (after == 0 or taken[after - 1][1] <= start) and (
        after == len(taken) or end <= taken[after][0]
    )

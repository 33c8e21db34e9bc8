"""Mends one source: reads it, changes what is written wrongly, and reads it again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ..core.found import Found
from ..core.options import Options
from ..core.silence import SILENT, silences_in
from ..sources import CannotRead, read
from .change import Change
from .original import NotEncodable, Original
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


_PROOF = "the text would be read in another way"


def mend(
    original: Original,
    kind: str,
    options: Options,
    wanted: frozenset[str],
    file: str = "-",
    unread: Callable[[str], object] = lambda _message: None,
) -> Mended:
    """Mend one source.

    :param kind: one of :data:`~doilinks.sources.TYPES`
    :param wanted: the codes of the rules
    :param file: what messages call it
    :param unread: called with a message for each place where a DOI could not be read
    :raises CannotRead: if the text is not of that type
    """
    text = original.text
    found = list(read(text, kind, options, file, unread))
    silenced = {each.silenced for each in silences_in(text, kind, file) if each.word == SILENT}
    loud = [each for each in found if each.line not in silenced]
    proposed = _disjoint(changes(text, kind, loud, wanted))
    if not proposed:
        return Mended(original.octets)

    def again(changed: str) -> list[Found]:
        try:
            return list(read(changed, kind, options, file))
        except CannotRead as error:
            raise ValueError(str(error)) from error

    good = proven(text, found, proposed, again)
    kept = {id(each) for each in good}
    left = [(each, _PROOF) for each in proposed if id(each) not in kept]
    try:
        octets = original.replaced(sorted(piece for each in good for piece in each.pieces))
    except NotEncodable as error:
        return Mended(original.octets, (), [(each, str(error)) for each in proposed])
    return Mended(octets, good, left)


def _disjoint(proposed: Iterable[Change]) -> list[Change]:
    """The changes without those that overlap one before, such as the text of a link in another."""
    taken: set[int] = set()
    result = []
    for each in proposed:
        touched = {at for start, end, _ in each.pieces for at in range(start, max(end, start + 1))}
        if taken.isdisjoint(touched):
            taken |= touched
            result.append(each)
    return result

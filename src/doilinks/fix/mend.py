"""Mends one source: reads it, changes what is written wrongly, reads it again, and writes it."""

from __future__ import annotations

import errno
import os
import re
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from ..core.doi import DOI
from ..core.found import Found, SilencedLines
from ..core.options import Options
from ..replace import replace
from ..sources import TYPES, CannotRead, Decoded, comments, decode, read
from ..sources.types import FRONT_MATTER
from .proof import Program, proven
from .propose import changes, laid_out
from .rules import Change, Correction, bare, front_matter

# --------------------------------------------------------------------------------------------------
# A file as it is on the disk: its octets, the text that a reader gets, and the way back.
#
# A reader gets a text without a byte order mark, in which every line ends with ``\n``. The way back
# changes nothing but what is replaced: the encoding, the mark and each line end stay.

_PAIR: Final = re.compile("\r\n")


class NotEncodable(ValueError):
    """A text that cannot be written in the encoding of its file. The message says why."""


class Original:
    r"""The octets of a file, and its text.

    :param octets: all octets of the file
    :param kind: the type of the file
    :ivar text: the text as a reader gets it
    :raises Binary: if the file is not a text

    >>> original = Original(b"\xef\xbb\xbfone\r\ntwo\nthree\r", "txt")
    >>> original.text
    'one\ntwo\nthree\n'
    >>> original.replaced([(4, 7, "2")])
    b'\xef\xbb\xbfone\r\n2\nthree\r'
    """

    def __init__(self, octets: bytes, kind: str) -> None:
        self.octets = octets
        self._decoded: Decoded = decode(octets, kind)
        self.text = self._decoded.as_read

    def replaced(self, edits: Iterable[tuple[int, int, str]]) -> bytes:
        """The octets after edits ``(start, end, new)`` of the text.

        :param edits: in order and disjoint
        :raises NotEncodable: if the encoding does not give the same octets again, or has no
            octets for a new character
        """
        raw, encoding = self._decoded.text, self._decoded.encoding
        try:
            same = self._decoded.mark + raw.encode(encoding) == self.octets
        except UnicodeEncodeError:
            same = False
        if not same:
            raise NotEncodable(f"not all of its octets are {encoding.upper()}")
        # A line end of two characters is one character in the text. So an offset in the text is the
        # offset in the file minus the number of such pairs before it.
        pairs = [at.start() - number for number, at in enumerate(_PAIR.finditer(raw))]
        parts, at = [], 0
        for start, end, new in edits:
            first, last = start + bisect_left(pairs, start), end + bisect_left(pairs, end)
            parts += [raw[at:first], new]
            at = last
        try:
            return self._decoded.mark + "".join([*parts, raw[at:]]).encode(encoding)
        except UnicodeEncodeError as error:
            character = f"U+{ord(error.object[error.start]):04X}"
            raise NotEncodable(f"{encoding.upper()} has no octets for {character}") from error

    def encode(self, text: str) -> bytes:
        """A part of the text in the encoding of the file, for a diff."""
        encoding = self._decoded.encoding
        wide = encoding.startswith(("utf-16", "utf-32"))
        return text.encode("utf-8" if wide else encoding, "backslashreplace")

    def lines(self) -> list[str]:
        """The lines of the file, each with its line end, as programs for diffs count them."""
        return _LINE.findall(self._decoded.text)


# A carriage return alone ends no line of a diff.
_LINE: Final = re.compile("[^\n]*\n|[^\n]+")


# --------------------------------------------------------------------------------------------------
# A source, mended.


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
    text, row = original.text, TYPES[kind]
    found = list(read(text, kind, options, file, unread))
    silenced = SilencedLines(comments(text, kind, file))
    loud = [each for each in found if silenced.comment_on(each) is None]
    proposed = list(_front(text, file, options, wanted)) if row.front_matter else []
    proposed += _disjoint(changes(text, row, loud, wanted, right))
    left: list[tuple[Change, str]] = []
    is_program = proposed and row.program
    program = Program(text, cython=row.program == "Cython") if is_program else None
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

    good = proven(text, found, list(laid_out(text, row, proposed)), again)
    kept = {id(each.found) for each in good}
    left += [(each, _PROOF) for each in proposed if id(each.found) not in kept]
    try:
        octets = original.replaced(sorted(edit for each in good for edit in each.edits))
    except NotEncodable as error:
        return Mended(original.octets, (), [(each, str(error)) for each in proposed])
    return Mended(octets, good, left)


def _front(text: str, file: str, options: Options, wanted: frozenset[str]) -> Iterator[Change]:
    if "doi-field" in wanted:
        for found in front_matter(text, file, options):
            if change := bare(text, FRONT_MATTER, found):
                yield change


def _disjoint(proposed: Iterable[Change]) -> list[Change]:
    """The changes without those that overlap one before, such as the text of a link in another."""
    taken: list[tuple[int, int]] = []  # in the order of the source
    result = []
    for each in proposed:
        touched = [(start, max(end, start + 1)) for start, end, _ in each.edits]
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


# --------------------------------------------------------------------------------------------------
# Replaces a document in one step, if nobody else has changed it meanwhile.


def write(path: str, before: bytes, octets: bytes) -> int:
    """Replace the octets of a document. All else about the file stays.

    :param path: the path without symbolic links, as it was when the document was found
    :param before: what was read from the document
    :returns: how many other hard links of the file keep the old octets
    :raises OSError: if the document cannot be written, no longer contains ``before``, or has
        another path now; it is unchanged then
    """
    target = Path(path)
    if not target.is_file():  # a second read of a pipe may never end
        raise OSError(errno.EINVAL, "it is not a file, but a pipe or a device")
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    others = target.stat().st_nlink - 1
    replace(target, octets, before=before)
    return others


# --------------------------------------------------------------------------------------------------
# A unified diff of two versions of a file that have the same number of lines.

_AROUND: Final = 3  # lines before and after a change, as `diff -u` gives them


def unified(old: Sequence[str], new: Sequence[str], file: str) -> Iterator[str]:
    r"""The lines of a diff, each with its line end.

    A change never adds or removes a line, so the time is linear; ``difflib`` needs more.

    >>> list(unified(["a\n", "b\n"], ["a\n", "c\n"], "x.md"))[2:]
    ['@@ -1,2 +1,2 @@\n', ' a\n', '-b\n', '+c\n']
    """
    changed = [at for at, (one, two) in enumerate(zip(old, new, strict=True)) if one != two]
    if changed:
        yield from (f"--- {file}\n", f"+++ {file}\n")
    begin = 0
    while begin < len(changed):
        end = begin + 1
        while end < len(changed) and changed[end] - changed[end - 1] <= 2 * _AROUND:
            end += 1
        yield from _hunk(old, new, changed[begin:end])
        begin = end


def _hunk(old: Sequence[str], new: Sequence[str], changed: Sequence[int]) -> Iterator[str]:
    first = max(0, changed[0] - _AROUND)
    last = min(len(old), changed[-1] + 1 + _AROUND)
    place = f"{first + 1},{last - first}" if last - first != 1 else f"{first + 1}"
    yield f"@@ -{place} +{place} @@\n"
    at = first
    while at < last:
        if old[at] == new[at]:
            yield from _line(" ", old[at])
            at += 1
            continue
        end = at
        while end < last and old[end] != new[end]:
            end += 1
        for number in range(at, end):
            yield from _line("-", old[number])
        for number in range(at, end):
            yield from _line("+", new[number])
        at = end


def _line(mark: str, line: str) -> Iterator[str]:
    yield f"{mark}{line}"
    if not line.endswith("\n"):
        yield "\n\\ No newline at end of file\n"

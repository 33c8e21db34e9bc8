"""Mends one source: reads it, changes what is written wrongly, proves the changes, and writes it.

The proof of a change: the changed text, read again, has the same names in the same places.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from codecs import getincrementalencoder
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from itertools import groupby, pairwise
from types import MappingProxyType
from typing import Final

from ...core.doi import DOI
from ...core.found import Found, IgnoredLines
from ...core.options import Options
from ...sources import TYPES, CannotRead, Decoded, comments, decode, read
from ...sources.common import Lines, begin
from ...sources.python import in_documentation, tokens
from ...sources.references import references
from ...sources.types import FRONT_MATTER, FileType
from .house import HOUSE
from .missing import CODE, Missing, Style, has_name, inserted
from .propose import bare, changes, front_matter
from .rules import Change, Correction, Edit, applied

# --------------------------------------------------------------------------------------------------
# A file as it is on the disk: its octets, the text that a reader gets, and the way back.
#
# A reader gets a text without a byte order mark, in which every line ends with ``\n``. The way back
# changes nothing but what is replaced: the encoding, the mark and each line end stay.

_PAIR: Final = re.compile("\r\n")  # a line end of two characters
_LINE: Final = re.compile("[^\n]*\n|[^\n]+")  # a carriage return alone ends no line of a diff


class NotEncodable(ValueError):
    """Raised for a text that the encoding of its file cannot write; the message says why."""


class Original:
    r"""The octets of a file, and its text as a reader gets it.

    >>> original = Original(b"\xef\xbb\xbfone\r\ntwo\nthree\r", "txt")
    >>> original.text, original.replaced([(4, 7, "2")])
    ('one\ntwo\nthree\n', b'\xef\xbb\xbfone\r\n2\nthree\r')
    """

    def __init__(self, octets: bytes, kind: str) -> None:
        self.octets = octets
        self._decoded: Decoded = decode(octets, kind)
        self.text = self._decoded.as_read

    def replaced(self, edits: Iterable[Edit]) -> bytes:
        """Return the octets after edits, in order and disjoint, or raise ``NotEncodable``."""
        raw, encoding = self._decoded.text, self._decoded.encoding
        line_end = "\r\n" if "\r\n" in raw else "\n"
        try:
            same = self._decoded.mark + raw.encode(encoding) == self.octets
        except UnicodeEncodeError:
            same = False
        if not same:
            raise NotEncodable(f"not all of its octets are {encoding.upper()}")
        # A line end of two characters is one character in the text. So an offset in the text is the
        # offset in the file minus the number of such pairs before it.
        pairs = array("q", (at.start() - n for n, at in enumerate(_PAIR.finditer(raw))))
        # Piece by piece: a page of 50 MB may have half a million edits. In some encodings, what is
        # after a character decides on its octets, so no piece is encoded alone.
        encode, at = getincrementalencoder(encoding)().encode, 0
        made = BytesIO()
        made.write(self._decoded.mark)
        try:
            for start, end, new in edits:
                first, last = start + bisect_left(pairs, start), end + bisect_left(pairs, end)
                made.write(encode(raw[at:first]))
                made.write(encode(new.replace("\n", line_end)))
                at = last
            made.write(encode(raw[at:], final=True))
            return made.getvalue()
        except UnicodeEncodeError as error:
            character = f"U+{ord(error.object[error.start]):04X}"
            raise NotEncodable(f"{encoding.upper()} has no octets for {character}") from error

    def encode(self, text: str) -> bytes:
        """Encode a part of the text for a diff, as the file is; UTF-16 and UTF-32 as UTF-8."""
        encoding = self._decoded.encoding
        wide = encoding.startswith(("utf-16", "utf-32"))
        return text.encode("utf-8" if wide else encoding, "backslashreplace")

    def lines(self) -> list[str]:
        """Return the lines of the file with their ends, as programs for diffs count them."""
        return _LINE.findall(self._decoded.text)


# --------------------------------------------------------------------------------------------------
# A source, mended.


@dataclass(frozen=True)
class Mended:
    """The octets that a source should have."""

    octets: bytes
    changes: Sequence[Change] = ()  # in the order of the source
    left: Sequence[tuple[Change, str]] = ()  # what was not changed, and why


_PROOF: Final = "the text would be read in another way"
_VALUE: Final = "it is in a string that may be a value"
_ALIGNED: Final = "a table or the line below a title needs the length of this line"
_SPELLINGS: Final = "then the line beside it, which differs in the address alone, would be the same"


def mend(
    original: Original,
    kind: str,
    options: Options,
    wanted: frozenset[str],
    file: str = "-",
    unread: Callable[[str], object] = lambda _message: None,
    right: Mapping[DOI, Correction] = MappingProxyType({}),
    missing: Missing | None = None,
) -> Mended:
    """Mend one source by the rules whose codes are wanted; it may raise ``CannotRead``.

    What is right for a name, and what is missing, the check knows.
    """
    text = original.text
    places = list(read(text, kind, options, file, unread))
    proposed = _disjoint(_proposed(text, kind, options, wanted, file, places, right, missing))
    left: list[tuple[Change, str]] = []
    for reason, is_safe in _conditions(text, TYPES[kind], proposed) if proposed else ():
        left += [(each, reason) for each in proposed if not is_safe(each)]
        proposed = [each for each in proposed if is_safe(each)]
    if not proposed:
        return Mended(original.octets, (), left)

    again = partial(read, kind=kind, options=options, file=file)
    good = _Proof(text, places, again).settle([], proposed)
    kept = {id(each.found) for each in good}
    left += [(each, _PROOF) for each in proposed if id(each.found) not in kept]
    try:
        octets = original.replaced(sorted(edit for each in good for edit in each.edits))
    except NotEncodable as error:
        return Mended(original.octets, (), [(each, str(error)) for each in proposed])
    return Mended(octets, good, left)


def _proposed(
    text: str,
    kind: str,
    options: Options,
    wanted: frozenset[str],
    file: str,
    places: list[Found],
    right: Mapping[DOI, Correction],
    missing: Missing | None,
) -> Iterator[Change]:
    """Yield the changes that the rules want. If two overlap, the first counts."""
    if kind == "md" and "doi-field" in wanted:
        for each in front_matter(text, file, options):
            if field := bare(text, FRONT_MATTER, each):
                yield field
    silenced = IgnoredLines(comments(text, kind, file))
    loud = [each for each in places if silenced.comment_on(each) is None]
    yield from changes(text, TYPES[kind], loud, wanted, right)
    if missing and CODE in wanted:
        style, names = Style.of(text, places, missing), missing.names
        for reference in references(text, kind, options, file, names=places):
            is_free = not reference.has_doi and not has_name(text, reference)
            if reference.text in names and is_free:
                yield inserted(text, reference, names[reference.text], style, file)


def _conditions(
    text: str, row: FileType, proposed: Sequence[Change]
) -> Iterator[tuple[str, Callable[[Change], bool]]]:
    """Yield the conditions of a change, each with a function that tells whether it is met."""
    is_in = None
    if row.program:
        is_in = in_documentation(text)
    elif row.lexer:
        from ...sources.languages import in_comment  # Pygments takes long to import

        is_in = in_comment(text, row.lexer)
    if is_in:
        yield _VALUE, lambda change: all(map(is_in, change.edits))
    if row.aligned:
        yield _ALIGNED, _aligned(text, row)
    yield _SPELLINGS, _apart(text, proposed)


def _disjoint(proposed: Iterable[Change]) -> list[Change]:
    """Return the changes in order, without those that overlap an earlier one that is kept."""
    taken, result = 0, []
    for each in sorted(proposed, key=lambda change: change.edits[0]):
        first, last = each.edits[0][0], each.edits[-1][1]
        if first >= taken:
            result.append(each)
            taken = max(last, first + 1)
    return result


# A border of a simple table, what is before another column of a row, and the line below a title
# [reST: simple tables, sections]. The limit keeps the time linear.
_BORDER: Final = re.compile(r"^[ \t]*+=++(?>(?: ++=++)+) *+$", re.MULTILINE)
_COLUMN: Final = re.compile(r"  \S")  # text after more than one space
_BELOW: Final = re.compile(r"[^\n]*\n([!-/:-@\[-`{-~])\1+[ \t]*$", re.MULTILINE)  # an underline
_WIDEST: Final = 1000  # characters


def _aligned(text: str, row: FileType) -> Callable[[Change], bool]:
    """Return a function that tells whether a change leaves what is in columns as it is.

    In a grid table the row would be read in another way, so the proof finds that.
    """
    tables = _BORDER.search(text) is not None
    # The quotation marks at the end of a string are below no title.
    ends = {each.last for each in (tokens(text) if row.program else ()) if each.quote}

    def is_whole(change: Change) -> bool:
        growth = sum(len(new) - (end - start) for start, end, new in change.edits)
        start, end = change.edits[0][0], change.edits[-1][1]
        row = text[end : end + _WIDEST].partition("\n")[0]
        if tables and growth and _COLUMN.search(row):
            return False
        first = text.rfind("\n", max(0, start - _WIDEST), start) + 1
        below = _BELOW.match(text, first, end + 2 * _WIDEST) if growth > 0 else None
        if below is None or below.start(1) in ends:
            return True
        from docutils.utils import column_width  # it takes long to import

        title, _, line = below[0].partition("\n")
        return column_width(title.rstrip()) + growth <= len(line.rstrip())

    return is_whole


_NUMBER: Final = re.compile(r"\s*\d+[.)]\s")  # of an item in a list


def _apart(text: str, proposed: Sequence[Change]) -> Callable[[Change], bool]:
    """Return a function that tells whether a change leaves adjacent lines different.

    Heuristic: lines that differ in the address of one name alone say how addresses are written.
    """
    after = applied(text, sorted(edit for each in proposed for edit in each.edits)).split("\n")
    before, lines = text.split("\n"), Lines(text)
    both = enumerate(zip(before, after, strict=False), 1)
    shown = [
        (n, *(_NUMBER.sub("", each).strip() for each in two)) for n, two in both if two[1].strip()
    ]
    same = {
        number
        for (one, old, new), (two, old_below, new_below) in pairwise(shown)
        if new == new_below and old != old_below and len(before) == len(after)
        for number in (one, two)
    }
    return lambda change: lines.place(change.edits[0][0])[0] not in same


# --------------------------------------------------------------------------------------------------
# A unified diff of two versions of a file.

_AROUND: Final = 3  # lines before and after a change, as `diff -u` gives them


def unified(old: Sequence[str], new: Sequence[str], file: str) -> Iterator[str]:
    r"""Yield the lines of a diff, each with its line end, of texts with equally many lines.

    A change never removes a line, so the time is linear; ``difflib`` needs more.

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
        yield from _hunk(old, new, changed[begin], changed[end - 1])
        begin = end


def _hunk(old: Sequence[str], new: Sequence[str], changed: int, last: int) -> Iterator[str]:
    first, last = max(0, changed - _AROUND), min(len(old), last + 1 + _AROUND)
    more, before = (
        sum(max(0, lines.count("\n") - 1) for lines in new[start:end])
        for start, end in ((first, last), (0, first))
    )
    places = ((first, last - first), (first + before, last - first + more))
    left, right = (f"{at + 1},{count}" if count != 1 else f"{at + 1}" for at, count in places)
    yield f"@@ -{left} +{right} @@\n"
    pairs = [(old[at], _LINE.findall(new[at])) for at in range(first, last)]
    for stays, run in groupby(pairs, lambda pair: pair[1].count(pair[0]) == 1):
        both = list(run)
        lines = [] if stays else [f"-{was}" for was, _ in both]
        for was, now in both:
            lines += [f"{' ' if stays and line == was else '+'}{line}" for line in now]
        for line in lines:
            yield line
            if not line.endswith("\n"):
                yield "\n\\ No newline at end of file\n"


# --------------------------------------------------------------------------------------------------
# Reads the changed text again, and leaves out the changes that do not pass.

# A file is read at most 16 times. A small file may be read up to 400 times, but not more than
# 4,000,000 characters in all. These limits keep the time linear.
_READINGS: Final = (16, 400)
_CHARACTERS: Final = 4_000_000


class _Proof:
    """Finds the changes after which a reader finds the same names, but for those that change.

    It may raise ``CannotRead`` for a text that must not be written.
    """

    def __init__(
        self, text: str, places: Sequence[Found], read: Callable[[str], Iterator[Found]]
    ) -> None:
        self._text, self._places, self._read = text, places, read
        low, high = _READINGS
        self._left = max(low, min(high, _CHARACTERS // (len(text) + 1)))

    def settle(self, good: list[Change], group: list[Change]) -> list[Change]:
        """Return the changes that are good already, and those of a group that prove to be.

        If it is not clear which one fails, the changes are tried in halves.
        """
        while group and self._left > 0:
            self._left -= 1
            wrong = self._wrong([*good, *group])
            if wrong == set():
                return [*good, *group]
            rest = [each for each in group if wrong is None or id(each) not in wrong]
            if len(rest) < len(group):
                group = rest
                continue
            if len(group) == 1:
                break
            half = len(group) // 2
            return self.settle(self.settle(good, group[:half]), group[half:])
        return good

    def _wrong(self, changes: Sequence[Change]) -> set[int] | None:
        """Return the ids of changes that give another name; None if it is not clear which."""
        edits = sorted(edit for change in changes for edit in change.edits)
        places = self._places
        try:
            again = list(self._read(applied(self._text, edits)))
        except CannotRead:
            return None
        if new := [change.found for change in changes if CODE in change.codes]:
            places, again = sorted([*places, *new], key=begin), sorted(again, key=begin)
        if len(again) != len(places):
            return None
        of = {id(change.found): change for change in changes}
        moved = _Moved(edits, self._text)
        wrong: set[int] = set()
        for before, after in zip(places, again, strict=True):
            change = of.get(id(before))
            if _is_same(before, after, change, moved):
                continue
            if change is None:
                return None
            wrong.add(id(change))
        return wrong


def _is_same(before: Found, after: Found, change: Change | None, moved: _Moved) -> bool:
    doi = change.doi if change else before.doi
    if change and CODE in change.codes and before.span and after.span:
        end, (_, _, new) = moved.to(before.span[0]), change.edits[0]
        return after.doi.name == doi.name and end - len(new) <= after.span[0] < end
    if change and (house := next((each for each in change.codes if each in HOUSE), None)):
        # The name is where it was written, and in that form.
        (start, end), (at, _, new) = after.span or (-1, -1), change.edits[0]
        is_inside = moved.to(at) <= start and end <= moved.to(at) + len(new)
        in_form = (after.form == "role") == (house == "doi-role")
        return after.doi.name == doi.name and is_inside and in_form
    if (after.doi.name, after.line) != (doi.name, moved.line(before)):
        return False
    # The address of a publisher's page, and a bare target, become links.
    if after.form != before.form and not (change and before.form in ("publisher", "target")):
        return False
    if before.span is None or after.span is None:
        return before.span == after.span
    start, written = moved.to(before.span[0]), change.new if change else before.written
    if (after.span[0], after.written) == (start, written):
        return True
    # Between angle brackets, a URL without < and > is a link of Markdown itself, which is listed
    # without the brackets.
    inner = written[1:-1] if change and written and before.form == "angle" else None
    return (after.span[0], after.written) == (start + 1, inner)


class _Moved:
    """Maps offsets and lines of the old text to the new one."""

    def __init__(self, edits: Sequence[Edit], text: str) -> None:
        self._old = Lines(text)
        self._ends = [end for _, end, _ in edits]
        self._by, self._lines = [0], [0]
        for start, end, new in edits:
            self._by.append(self._by[-1] + len(new) - (end - start))
            added = new.count("\n") - text.count("\n", start, end)
            self._lines.append(self._lines[-1] + added)

    def line(self, place: Found) -> int | None:
        if not self._lines[-1] or place.line is None:
            return place.line
        at = place.span[0] if place.span else self._old.starts[place.line - 1]
        return place.line + self._lines[bisect_right(self._ends, at)]

    def to(self, at: int) -> int:
        return at + self._by[bisect_right(self._ends, at)]

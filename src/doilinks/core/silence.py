"""Comments by which an author silences the check for some lines: ``doilinks: ignore``.

A comment at the end of a line silences that line. One that stands alone silences the next line that
is not blank. A comment of reStructuredText always stands alone, before a blank line, so it silences
all lines from there to the next blank line. Comments are read from the source, because a host's
tree no longer has them where they were. Heuristic: what looks like a comment is one, unless it is
in a block of code.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from .directives import LITERAL, NO_MARKDOWN

if TYPE_CHECKING:
    from .found import Found

__all__ = ["MARK", "SILENT", "WORD", "Place", "Silence", "SilencedLines", "silences_in"]

Place = tuple[int, int]  # line and column, both counted from 1

SILENT: Final = "ignore"
MARK: Final = "doilinks:"
# Heuristic: "ignore" with more words is a mistake to report. Other words may be about doilinks.
_MORE: Final = rf"{SILENT}[ \t][^\n<>]{{1,80}}?"
WORD: Final = rf"doilinks:[ \t]*(?P<word>[A-Za-z][A-Za-z-]{{0,40}}|{_MORE})[ \t]*"
_HTML: Final = rf"(?<!`)<!--[ \t]*{WORD}-->"
_REST: Final = rf"^[ \t]*\.\.[ \t]+{WORD}$"
_HASH: Final = rf"#[ \t]*{WORD}$"
_KINDS: Final = {
    "md": (_HTML, rf"^[ \t]*%[ \t]*{WORD}$"),
    "html": (_HTML,),
    "xhtml": (_HTML,),
    "rst": (_REST,),
    "bib": (rf"(?<!\\)%[ \t]*{WORD}$",),
    "py": (_HASH,),
    "pyx": (_HASH,),
    "cff": (_HASH,),
}
# Heuristic: text in which one host finds a name and another does not, such as one in code; markup
# for which other programs put text: macros, snippets, directives, substitutions, citations.
_OPEN: Final = re.compile(
    r"10[./][0-9A-Za-z]|\bdoi\b|\{[{%A-Za-z]|--8<--|\|\w|(?<!\w)@\w|\]_|`\w"
    r"|\.\. (?:\w*include|auto\w+|bibliography|csv-table)::",
    re.IGNORECASE,
)
# What may stand beside a comment that silences the next line: markup of lists and quotations.
_NOTHING: Final = re.compile(r"[\s>*+-]*")


@dataclass(frozen=True, slots=True)
class Silence:
    """A comment for the check.

    :ivar word: what it asks for; ``ignore`` is all there is
    :ivar line: its own line, counted from 1, or None
    :ivar silenced: the begin of what is silenced, and the place after its end; None if each
        ``Found`` says itself which comment silences it
    :ivar file: the file, or None
    :ivar open: what it silences may have a name that only another program finds there
    """

    word: str
    line: int | None
    silenced: tuple[Place, Place] | None
    file: str | None = None
    open: bool = False

    def moved(self, lines: int) -> Silence:
        """The same comment with its places moved down, for a text that is a part of another."""
        if self.line is None or self.silenced is None:
            return self
        (first, column), (after, end) = self.silenced
        silenced = (first + lines, column), (after + lines, end)
        return replace(self, line=self.line + lines, silenced=silenced)


class SilencedLines:
    """What comments with a place silence.

    >>> from doilinks import DOI, Found
    >>> lines = SilencedLines(silences_in("a <!-- doilinks: ignore -->", "md"))
    >>> [lines.comment_on(Found(DOI("10.1000/a"), line=line)) is None for line in (1, 2)]
    [False, True]
    """

    def __init__(self, comments: Iterable[Silence]) -> None:
        # By file, in the order in which what they silence begins. Of two that overlap, such as
        # comments in the same block, both end together, so the last one to begin is enough.
        self._of_file: dict[str | None, list[tuple[Place, Place, Silence]]] = {}
        for each in comments:
            if each.word == SILENT and each.silenced is not None:
                self._of_file.setdefault(each.file, []).append((*each.silenced, each))
        for spans in self._of_file.values():
            spans.sort(key=itemgetter(0))

    def comment_on(self, found: Found) -> Silence | None:
        """The comment that silences the place of a name."""
        spans = self._of_file.get(found.file)
        if spans is None or found.line is None:
            return None
        place = found.line, found.column or 1
        last = bisect_right(spans, place, key=itemgetter(0)) - 1
        return spans[last][2] if last >= 0 and place < spans[last][1] else None


def silences_in(text: str, kind: str, file: str | None = None) -> Iterator[Silence]:
    r"""The comments for the check in a source.

    :param kind: the type of the source, as the command line names it; others have no comments

    >>> for each in silences_in("doi:10.1/a <!-- doilinks: ignore -->\n", "md"):
    ...     print(each.word, each.silenced)
    ignore ((1, 1), (2, 1))
    >>> [each.silenced for each in silences_in(".. doilinks: ignore\n\nOne\nblock.\n", "rst")]
    [((3, 1), (5, 1))]
    """
    if kind not in _KINDS or MARK not in text:
        return
    pattern = re.compile("|".join(_KINDS[kind]).replace("?P<word>", ""))
    lines = text.split("\n")
    code = _code_of(lines, kind)
    blank = [at for at, line in enumerate(lines) if not line.strip()] if kind == "rst" else []
    for at, line in enumerate(lines):
        if MARK not in line or code[at]:
            continue
        found = pattern.search(line.rstrip())
        if found:
            alone = _NOTHING.fullmatch(line[: found.start()] + line[found.end() :])
            first = _after(lines, at) if alone else at
            end = first + 1
            if kind == "rst":
                after = bisect_left(blank, first)
                end = blank[after] if after < len(blank) else len(lines)
            word = next(filter(None, found.groups()))
            own = line[: found.start()] + line[found.end() :]
            is_open = any(map(_OPEN.search, [*lines[max(first, at + 1) : end], own]))
            yield Silence(word, at + 1, ((first + 1, 1), (end + 1, 1)), file, is_open)


def _after(lines: Sequence[str], at: int) -> int:
    """The next line that is not blank."""
    return next((each for each in range(at + 1, len(lines)) if lines[each].strip()), at)


_FENCE: Final = re.compile(r"[ \t>]*(?:[*+-][ \t]+)?(?P<fence>`{3,}|~{3,}|:{3,})(?P<info>.*)")
_DIRECTIVE: Final = re.compile(r"[ \t]*\{([A-Za-z][\w:.+-]*)\}")
_REST_DIRECTIVE: Final = re.compile(r"[ \t]*\.\.[ \t]+([A-Za-z][\w.+-]*) ?::(?:[ \t]|\Z)")


def _code_of(lines: Sequence[str], kind: str) -> list[bool]:
    """For each line, whether it is in a block of code."""
    if kind == "md":
        return _in_fences(lines)
    return _in_literals(lines) if kind == "rst" else [False] * len(lines)


def _in_fences(lines: Sequence[str]) -> list[bool]:
    """Fences of Markdown; those with a directive of MyST contain Markdown."""
    code: list[bool] = []
    opened: list[tuple[str, bool]] = []
    for line in lines:
        code.append(bool(opened) and opened[-1][1])
        found = _FENCE.match(line)
        if not found:
            continue
        fence, info = found["fence"], found["info"].strip()
        if opened and not info and fence.startswith(opened[-1][0]):
            opened.pop()
        elif not code[-1]:
            directive = _DIRECTIVE.match(info)
            name = directive[1].lower() if directive else ""
            is_code = name in NO_MARKDOWN if name else fence[0] != ":"
            opened.append((fence, is_code))
    return code


def _in_literals(lines: Sequence[str]) -> list[bool]:
    """Literal blocks of reStructuredText: what is indented more than the line that begins one."""
    code: list[bool] = []
    indent: int | None = None
    for line in lines:
        width = len(line) - len(line.lstrip())
        if indent is not None and line.strip() and width <= indent:
            indent = None
        code.append(indent is not None)
        if indent is None:
            text = line.strip()
            begins = text.endswith("::") and not text.startswith("..")
            directive = _REST_DIRECTIVE.match(line)
            if begins or (directive and directive[1].lower() in LITERAL):
                indent = width
    return code

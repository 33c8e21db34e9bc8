"""A DOI of a document with its place, and the comments that silence its check."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from .doi import DOI, Form, InvalidDOI
from .markup import LITERAL, NO_MARKDOWN

if TYPE_CHECKING:
    from .remarks import Remark


# --------------------------------------------------------------------------------------------------
# The entries of an option: names, and families of names such as ``10.5555/*``.


class Listed:
    """A list of names and families.

    An entry that ends in ``*`` is a family: all names that begin as it does. ``*`` at the end of a
    name itself is written ``%2A``.

    >>> listed = Listed(["10.1000/182", "10.5555/A*"])
    >>> DOI("10.5555/abc") in listed, DOI("10.1000/1823") in listed
    (True, False)
    """

    def __init__(self, entries: Iterable[str]) -> None:
        names, self.families = [], {}
        for entry in entries:
            if entry.endswith("*"):
                whole = _listed(entry[:-1] + "x", entry)  # with an end, because a name has one
                self.families[whole.uri[:-1] + "*"] = whole.folded[:-1]
            else:
                names.append(_listed(entry, entry))
        self.names = frozenset(names)  # the names that are listed one by one

    def __contains__(self, doi: DOI) -> bool:
        return doi in self.names or any(self.families_of(doi))

    def entries_of(self, doi: DOI) -> Iterator[str]:
        """Yield the entries that list a DOI name, in URI form."""
        if doi in self.names:
            yield doi.uri
        yield from self.families_of(doi)

    def families_of(self, doi: DOI) -> Iterator[str]:
        """Yield the listed families to which a DOI name belongs."""
        for family, begin in self.families.items():
            if doi.folded.startswith(begin):
                yield family


def _listed(written: str, entry: str) -> DOI:
    """Parse an entry as a DOI name, or as an address of doi.org that contains no DOI name."""
    try:
        return DOI.parse(written)
    except InvalidDOI as error:
        from .nameless import nowhere  # rarely needed

        if none := nowhere(written):
            return none
        raise InvalidDOI(entry, error.reason) from None


# --------------------------------------------------------------------------------------------------
# A DOI with its place in a document: readers and hosts list it, the check reads it.


# Not frozen: a frozen one takes three times as long to make.
@dataclass(unsafe_hash=True, slots=True)
class Found:
    """A DOI and its place in a document. Members that are not known are None.

    :ivar doi: the DOI
    :ivar form: how it is written
    :ivar file: the file, as the host names it in messages
    :ivar line: its line in the file, counted from 1
    :ivar column: its column in that line, counted from 1 in characters
    :ivar remarks: doubts about it, where the host looks for them
    :ivar span: where it begins and ends in the source, as offsets in characters
    :ivar written: the text in the source, a label and ``<`` ``>`` included
    :ivar whole: the whole name, if an invisible character or the end of a link has cut it off
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
    silence: IgnoreComment | None = field(default=None, compare=False)
    around: str | Callable[[], str] | None = field(default=None, compare=False, repr=False)

    @property
    def block(self) -> str | None:
        """The text of its paragraph, list item, row or definition; made only on request.

        A citation has none: its words are from the record, and the text around it is prose.
        """
        if self.form == "cite":
            return None
        return self.around() if callable(self.around) else self.around


def distinct(places: Iterable[Found]) -> list[Found]:
    """Keep each DOI once for each place (file, line and column), in the order of ``places``."""
    by_place: dict[tuple[object, ...], Found] = {}
    for each in places:
        hidden = each.silence is not None
        key = (each.doi, each.file, each.line, each.column, each.other, hidden)
        by_place.setdefault(key, each)
    return list(by_place.values())


# --------------------------------------------------------------------------------------------------
# Comments by which an author silences the check for some lines: ``doilinks: ignore``.
#
# A comment at the end of a line silences that line. One that stands alone silences the next line
# that is not blank. A comment of reStructuredText always stands alone, before a blank line, so it
# silences all lines from there to the next blank line. Comments are read from the source, because a
# host's tree no longer has them where they were. Heuristic: what looks like a comment is one,
# unless it is in a block of code.

Place = tuple[int, int]  # line and column, both counted from 1

SILENT: Final = "ignore"
MARK: Final = "doilinks:"
# Heuristic: "ignore" with more words is a mistake to report. Other words may be about doilinks.
_MORE: Final = rf"{SILENT}[ \t][^\n<>]{{1,80}}?"
WORD: Final = rf"doilinks:[ \t]*(?P<word>[A-Za-z][A-Za-z-]{{0,40}}|{_MORE})[ \t]*"
# Heuristic: text where another program may find a name, or put one: code, macros, snippets,
# directives, substitutions, citations. A comment about it is never stale.
_OPEN: Final = (
    r"10[./][0-9A-Za-z]|\bdoi\b|\{[{%A-Za-z]|--8<--|\|\w|(?<!\w)@\w|\]_|`\w"
    r"|\.\. (?:\w*include|auto\w+|bibliography|csv-table)::"
)
# The text that may stand beside a comment about the next line: markup of lists and quotations, and
# of a comment in the reStructuredText of MyST.
_NOTHING: Final = re.compile(r"(?:\.\. )?[\s>*+-]*")
_FENCE: Final = re.compile(r"[ \t>]*(?:[*+-][ \t]+)?(?P<fence>`{3,}+|~{3,}+|:{3,}+)(?P<info>.*)")
_DIRECTIVE: Final = re.compile(r"[ \t]*\{([A-Za-z][\w:.+-]*)\}")  # of MyST, after a fence
_REST_DIRECTIVE: Final = re.compile(r"[ \t]*\.\.[ \t]+([A-Za-z][\w.+-]*) ?::(?:[ \t]|\Z)")


class Comment(NamedTuple):
    """One way to write a comment for the check."""

    example: str  # a comment as an author writes it
    unlike: str  # a text that looks alike, and is not such a comment
    pattern: str  # finds it in a line without space at its end; the group is the instruction


class CommentSyntax(NamedTuple):
    """How a format writes comments."""

    comments: tuple[Comment, ...]  # each way
    # Tells of each line whether it is in a block of code, in which nothing is a comment.
    code: Callable[[Sequence[str]], list[bool]] | None = None
    to_blank_line: bool = False  # whether a comment silences a whole block, and not one line


@dataclass(frozen=True, slots=True)
class IgnoreComment:
    """A comment for the check."""

    word: str  # the instruction; ``ignore`` is the only one
    line: int | None  # its own line, counted from 1
    # The first silenced place, and the one after the last; None if ``Found`` has it.
    silenced: tuple[Place, Place] | None
    file: str | None = None
    open: bool = False  # whether that text may have a name that only another program finds

    def moved(self, lines: int) -> IgnoreComment:
        """Return the comment moved down, for a text that has ``lines`` more lines before it."""
        if self.line is None or self.silenced is None:
            return self
        (first, column), (after, end) = self.silenced
        silenced = (first + lines, column), (after + lines, end)
        return replace(self, line=self.line + lines, silenced=silenced)


class IgnoredLines:
    """The lines that comments silence.

    >>> from doilinks import DOI, Found
    >>> lines = IgnoredLines(silences_in("a <!-- doilinks: ignore -->", MARKDOWN_COMMENTS))
    >>> [lines.comment_on(Found(DOI("10.1000/a"), line=line)) is None for line in (1, 2)]
    [False, True]
    """

    def __init__(self, comments: Iterable[IgnoreComment]) -> None:
        # By file, in the order of the first line that they silence. If two overlap, such as
        # comments in the same block, both end together, so the last one to begin is enough.
        self._of_file: dict[str | None, list[tuple[Place, Place, IgnoreComment]]] = {}
        for each in comments:
            if each.word == SILENT and each.silenced is not None:
                self._of_file.setdefault(each.file, []).append((*each.silenced, each))
        for spans in self._of_file.values():
            spans.sort(key=itemgetter(0))

    def comment_on(self, place: Found) -> IgnoreComment | None:
        """Return the comment that silences the place of a DOI name, or None."""
        spans = self._of_file.get(place.file)
        if spans is None or place.line is None:
            return None
        position = place.line, place.column or 1
        last = bisect_right(spans, position, key=itemgetter(0)) - 1
        return spans[last][2] if last >= 0 and position < spans[last][1] else None


def silences_in(
    text: str, syntax: CommentSyntax, file: str | None = None
) -> Iterator[IgnoreComment]:
    r"""Yield the comments for the check in a source.

    :param syntax: how the format of the source writes comments

    >>> for each in silences_in("doi:10.1/a <!-- doilinks: ignore -->\n", MARKDOWN_COMMENTS):
    ...     print(each.word, each.silenced)
    ignore ((1, 1), (2, 1))
    >>> text = ".. doilinks: ignore\n\nOne\nblock.\n"
    >>> [each.silenced for each in silences_in(text, REST_COMMENTS)]
    [((3, 1), (5, 1))]
    """
    if MARK not in text:
        return
    patterns = "|".join(each.pattern for each in syntax.comments)
    pattern = re.compile(patterns.replace("?P<word>", ""))
    lines = text.split("\n")
    code = syntax.code(lines) if syntax.code else [False] * len(lines)
    blank = [at for at, line in enumerate(lines) if syntax.to_blank_line and not line.strip()]
    for at, line in enumerate(lines):
        if MARK not in line or code[at]:
            continue
        found = pattern.search(line.rstrip())
        if found:
            own = line[: found.start()] + line[found.end() :]
            alone = _NOTHING.fullmatch(own)
            below = (each for each in range(at + 1, len(lines)) if lines[each].strip())
            first = next(below, at) if alone else at
            end = first + 1
            if syntax.to_blank_line:
                after = bisect_left(blank, first)
                end = blank[after] if after < len(blank) else len(lines)
            word = next(filter(None, found.groups()))
            may_hold = re.compile(_OPEN, re.IGNORECASE).search  # takes long to compile
            is_open = any(map(may_hold, [*lines[max(first, at + 1) : end], own]))
            yield IgnoreComment(word, at + 1, ((first + 1, 1), (end + 1, 1)), file, is_open)


def in_fences(lines: Sequence[str]) -> list[bool]:
    """Tell of each line of Markdown whether it is in a fence without Markdown."""
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
    """Tell of each line of reStructuredText whether it is in a literal block."""
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


def verbatim(pattern: re.Pattern[str]) -> Callable[[Sequence[str]], list[bool]]:
    """Return a function that finds the lines in blocks of code, for :class:`CommentSyntax`."""

    def code(lines: Sequence[str]) -> list[bool]:
        is_code = [False] * len(lines)
        text, line, at = "\n".join(lines), 0, 0
        for block in pattern.finditer(text):
            line += text.count("\n", at, block.start())
            last = line + text.count("\n", *block.span())
            is_code[line : last + 1] = [True] * (last + 1 - line)
            line, at = last, block.end()
        return is_code

    return code


HTML_COMMENT: Final = Comment(
    "<!-- doilinks: ignore -->", "`<!-- doilinks: ignore -->`", rf"(?<!`)<!--[ \t]*{WORD}-->"
)
_OF_MYST: Final = Comment("% doilinks: ignore", "100 % doilinks: ignore", rf"^[ \t]*%[ \t]*{WORD}$")
_OF_REST: Final = Comment(".. doilinks: ignore", "..doilinks: ignore", rf"^[ \t]*\.\.[ \t]+{WORD}$")
MARKDOWN_COMMENTS: Final = CommentSyntax((HTML_COMMENT, _OF_MYST), in_fences)
REST_COMMENTS: Final = CommentSyntax((_OF_REST,), _in_literals, to_blank_line=True)

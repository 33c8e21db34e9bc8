"""Shared by readers: the names in a part of a source, its blocks and its lines."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property, partial
from typing import Final

from ..core.arxiv import paper_in_role
from ..core.doi import DOI, Form, InvalidDOI, parse_parts
from ..core.field import read_field
from ..core.found import Found
from ..core.link import aimed, link_match, other_doi, relink
from ..core.markup import CITE_ROLES, is_spoken_role
from ..core.nameless import NoName, may_aim, no_name_in
from ..core.options import Options
from ..core.remarks import more_than, remarks, remarks_of
from ..core.scan import Match, scan, whole_name
from ..core.text import SourceText, field_pieces
from .files import Unread


class TextBlocks:
    """The blocks of a text, such as paragraphs, which comparisons read.

    They are as readers see them, and searched for only if one is needed.
    """

    def __init__(
        self, text: str, begin: re.Pattern[str], plain: Callable[[str], str] = str.strip
    ) -> None:
        self._text = text
        self._begin = begin
        self._plain = plain
        self._texts: dict[int, str] = {}

    def at(self, offset: int) -> Callable[[], str]:
        """Return a function that makes the text of the block at an offset."""
        return partial(self._block, offset)

    @cached_property
    def _starts(self) -> list[int]:
        begins = (found.start() for found in self._begin.finditer(self._text))
        return [0, *begins, len(self._text)]

    def _block(self, offset: int) -> str:
        number = bisect_right(self._starts, offset) - 1
        if number not in self._texts:
            start, end = self._starts[number : number + 2]
            self._texts[number] = self._plain(self._text[start:end])
        return self._texts[number]


CHARACTER: Final = re.compile("[^\n]")  # all but line ends, for a text of the same length


def hidden(text: str, pattern: re.Pattern[str]) -> str:
    r"""Return a text of the same length, with spaces in place of the matches of a pattern.

    >>> hidden("a `b\nc` d", re.compile("`[^`]*`"))
    'a   \n   d'
    """
    return pattern.sub(lambda found: CHARACTER.sub(" ", found[0]), text)


Block = str | Callable[[], str] | None


class Lines:
    """The lines of a text, for changing an offset into a line and a column."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def starts(self) -> array[int]:
        """The offsets at which the lines begin."""
        starts = array("q", [0])  # a list of numbers would take five times the memory
        at = self._text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self._text.find("\n", at + 1)
        return starts

    def place(self, at: int) -> tuple[int, int]:
        """Return the line and column of an offset, both counted from 1."""
        line = bisect_right(self.starts, at)
        return line, at - self.starts[line - 1] + 1


def with_line_ends(text: str) -> str:
    r"""Return a text of the same length with all line ends as ``\n``, as those of files are.

    Cells of notebooks and docstrings may have others.
    """
    return text.replace("\r\n", " \n").replace("\r", "\n")


def begin(place: Found | Unread) -> int:
    """Return the offset of a DOI, or of a place that could not be read, as a sort key."""
    if isinstance(place, Unread):
        return place.at
    return place.span[0] if place.span else 0


def placed(places: Iterable[Found], source: SourceText) -> Iterator[Found]:
    """Yield the names of a text with places in its source. An empty place stays empty."""
    for each in places:
        start, end = each.span or (0, 0)
        first, last = source.span(start, max(end, start + 1))
        yield replace(each, span=(first, last if start < end else first))


# --------------------------------------------------------------------------------------------------
# The names in a run of prose, in a link and in a role.

ROLES: Final = frozenset({"doi", "arxiv"})
_PARAGRAPH: Final = re.compile(r"\n[ \t]*(?=\n)")  # a blank line
# A field for a name in RIS, YAML and JSON, and such an element of XML, as that of JATS. It has one
# word with a digit.
_VALUE: Final = r"((?=[^\s0-9]*[0-9])(?=[^\s./]*[./])(?:10\.[0-9]+/ )?[^\s\"'<>,]+)"
# A field for a name in RIS, YAML, JSON and JATS.
_FIELD: Final = re.compile(
    rf"(?im)^(?:DO  - |[ \t-]*doi:[ \t]+[\"']?){_VALUE}[\"']?[ \t]*$"
    rf"|[\"']doi[\"']\s?:\s?[\"']{_VALUE}[\"']"
    rf"|\b(?:[a-z-]*type|class)=[\"']doi[\"'][^<>]{{0,200}}>\s*+{_VALUE}\s*+<"
)
# A field of RIS, and one of CSL-YAML in either style, with all of its value.
_WHOLE_FIELD: Final = re.compile(
    r"(?im)^DO  - ([^\n]*+)"
    r"|^[ \t]*+(?:- )?doi:[ \t]++[\"']?([^\s\"'|>{][^\s\"']*+(?>(?:[ \t]++[^\s\"'#][^\s\"']*+)*))"
    r"|[{,][ \t]*+doi:[ \t]++[\"']?"
    r"([^\s\"',{}]++(?>(?:[ \t]++[^\s\"',{}]++)*))[\"']?[ \t]*+(?=[,}])"
)


def is_read(role: str) -> bool:
    """Tell whether the content of a role may have names: those for names, and those of prose."""
    return role in ROLES or role in CITE_ROLES or is_spoken_role(role)


def with_citations(text: str, *, cites: bool, of_mystmd: bool = False) -> str:
    """Return a text of the same length in which cited names count, if ``cites`` is true."""
    if not cites or "@" not in text:
        return text
    from ..cite.citations import source_without_signs  # few projects cite so

    return source_without_signs(text, of_mystmd=of_mystmd)


def found_in_prose(text: str, options: Options, block: Block = None) -> Iterator[Found]:
    """Yield the DOIs in a run of prose, and the places that aim at a name and have none."""
    for match in scan(text, options.arxiv):
        if link_match(match, options, text):
            whole = whole_name(match, text)
            yield found_at(match, (match.start, match.end), text, block, whole)
    yield from aimed(text, options)


def read_prose(text: str, options: Options) -> Iterator[Found]:
    """Find every DOI of a plain text: all of it is prose; empty lines separate its paragraphs."""
    text = with_citations(text, cites=options.cites)
    paragraphs = TextBlocks(text, _PARAGRAPH)
    has_fields = may_aim(text) or "DO  - " in text
    fields = [*_FIELD.finditer(text)] if has_fields else []
    if has_fields and ("DO  - " in text or ("id: " in text and "type: " in text)):
        fields += _WHOLE_FIELD.finditer(text)
    inside: dict[tuple[int, int], Found] = {}
    ends = [0]  # of those fields that are more than a name; the prose in them is read already
    for field in fields:
        start = field.start(at := field.lastindex or 0)
        value = SourceText.from_parts([(field[at], *field.span(at))])
        for each in found_in_field(value, options):
            is_more = field.re is _WHOLE_FIELD and not read_field(field[at]).is_alone
            if is_more or (isinstance(each.doi, NoName) and not any(scan(field[at]))):
                inside[each.span or (0, 0)] = replace(each, around=paragraphs.at(start))
                ends += [start, field.end(at)] if is_more and ends[-1] <= start else []
    for found in found_in_prose(text, options):
        _, end = found.span or (0, 0)
        if bisect_right(ends, end - 1) % 2:
            inside[found.span or (0, 0)] = replace(found, around=paragraphs.at(end - 1))
    yield from sorted(inside.values(), key=begin)


def found_at(
    match: Match, span: tuple[int, int], text: str, block: Block = None, whole: DOI | None = None
) -> Found:
    """Build the ``Found`` for a match in a parser's text, with its ``span`` in the source."""
    start, end = span
    if start < end:
        notes = remarks_of(match._replace(start=start, end=end), text, whole)
    else:  # the name was not located in the source, so only the name is examined
        notes = remarks(match.doi, tail=match.tail, whole=whole)
    return Found(
        match.doi, form=match.form, remarks=tuple(notes), span=span, around=block, whole=whole
    )


def found_in_link(
    href: str, options: Options, form: Form = "link", texts: Iterable[str] = ()
) -> Found | None:
    """Find the DOI to which a link, or all links with these texts, leads; else return None."""
    shown = [*dict.fromkeys(texts)]
    link = relink(href, next((text for text in shown if "\\" in text), ""), options)
    if link is None:
        return None
    if isinstance(link.doi, NoName):
        return Found(link.doi, form=form)
    others = (other_doi(text, link.doi) for text in shown)
    other = next((each for each in others if each and not options.ignores(each)), None)
    at_publisher = link.form == "publisher"
    tail = "" if at_publisher else "".join(href.partition("#")[1:])
    notes = tuple(remarks(link.doi, tail=tail, other=other))
    return Found(link.doi, form="publisher" if at_publisher else form, remarks=notes, other=other)


def found_in_field(value: SourceText, options: Options, why: str = "") -> Iterator[Found]:
    """Yield the names of a field that should contain a name and nothing else.

    ``why`` ends the message of a field without a name. If a field contains more than a name but its
    name is clear, the whole of it counts as the place of the name.
    """
    decoded = SourceText.of(value.text, field_pieces(value.text))
    text = decoded.text
    field = read_field(text)
    none = None if field.matches else no_name_in(text, why)
    if none and not options.ignores(none):
        first = len(text) - len(text.lstrip())
        yield Found(none, form="field", span=value.span(*decoded.span(first, len(text.rstrip()))))
    told = field.is_alone
    for match in field.names:
        if options.ignores(match.doi):
            continue
        whole = whole_name(match, text)
        notes = remarks_of(match, text, whole)
        span = decoded.span(match.start, match.end)
        if not told:
            told = True
            notes.append(more_than(match.doi, text.strip()))
            if field.is_clear and not whole:
                first = len(value.text) - len(value.text.lstrip())
                span = (first, len(value.text.rstrip()))
        span = value.span(*span)
        yield Found(match.doi, form="field", remarks=tuple(notes), span=span, whole=whole)


def found_in_role(content: str, options: Options, role: str = "doi") -> Found | None:
    """Return the DOI of one of :data:`ROLES`: a name, or a title and ``<name>``."""
    if role == "arxiv":
        read = paper_in_role(content)
        return _found_beside(read[0], read[1].doi, options) if read else None
    whole = content.rstrip()
    opened = list(re.finditer("<", whole))[:8] if whole.endswith(">") else []
    # A name may contain < and > itself, and so may a title. If there is no space before the first
    # <, the text has a title only if the whole text is not a name.
    readings = [(whole[at.end() : -1], whole[: at.start()]) for at in opened]
    readings.insert(len(readings) if re.match(r"[^<]*\s<", whole) else 0, (content, ""))
    for written, text in readings:
        try:
            doi, tail = parse_parts(written)
        except InvalidDOI:
            continue
        if not doi.suffix[0].isspace():
            return _found_beside(text, doi, options, tail)
    none = no_name_in(readings[0][0])
    return Found(none, form="role") if none and not options.ignores(none) else None


def _found_beside(title: str, doi: DOI, options: Options, tail: str = "") -> Found | None:
    other = other_doi(title, doi)
    notes = tuple(remarks(doi, tail=tail, other=other))
    found = Found(doi, form="role", remarks=notes, other=other)
    return None if options.ignores(doi) else found

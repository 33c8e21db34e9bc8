"""Reads the fields of BibTeX and biblatex files that contain DOI names or that pages show.

``doi`` is a name; ``url`` and similar fields, and those such as ``code_doi``, are links; ``note``
and what else Pandoc or Sphinx prints is prose. Other fields do not count, because no page has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from ..core.arxiv import paper_of
from ..core.field import read_field
from ..core.found import Found
from ..core.link import may_contain
from ..core.nameless import no_name_in
from ..core.options import Options
from ..core.remarks import Remark, more_than, remarks
from ..core.scan import scan
from ..core.text import Part, SourceText, field_pieces
from . import latex
from .common import TextBlocks, begin, found_in_field, found_in_link, placed

# --------------------------------------------------------------------------------------------------
# The entries of a BibTeX or biblatex file: their fields, and the values of the fields.
#
# This reads everything that BibTeX reads (https://www.ctan.org/pkg/bibtex, btxdoc §3, and the
# grammar in bibtex.web). It also reads a value that is not closed, which ends with its line, and a
# DOI name without delimiters as a value. Text outside entries is a comment.

# The beginning of an entry, with its type.
ENTRY: Final = re.compile(r"@[ \t]*([A-Za-z]+)\s*[{(]", re.ASCII)
# The name of a field, or a sign that counts for nesting.
_FIELD: Final = re.compile(r"(?<![\w:.+-])([A-Za-z][\w:.+-]*+)\s*+=\s*|([{}\"@\n])", re.ASCII)
# The name of a macro, as a value.
_NAME: Final = re.compile(r"([A-Za-z][^\s\"#%'(),={}]*+)\s*+(?=[#,})]|\Z)")
_STRING: Final = re.compile(r"\s*([A-Za-z][^\s\"#%'(),={}]*+)\s*=\s*")  # the name in ``@string``
_NUMBER: Final = re.compile(r"[0-9]++(?=\s*+[#,})])")  # a value without delimiters
_UNDELIMITED_END: Final = re.compile(r"[,}\n]")  # the end of a value that is not BibTeX
# What opens or ends a value, or an entry that begins because one is not closed.
_DELIMITER: Final = re.compile(r"(?<!\\)[{}\"]|\n[ \t]*@[A-Za-z]+\s*\{")
_LONGEST: Final = 200  # characters of a string that is put into values; so time stays linear
_AND: Final = re.compile(r"\s*#\s*")  # joins two strings


class BibField(NamedTuple):
    """A field of an entry."""

    name: str  # in lower case
    value: SourceText  # without its delimiters, joined from its parts
    missing: tuple[str, ...] = ()  # the names in the value for which no string is defined


def fields(text: str) -> Iterator[BibField]:
    """Yield every field of every entry, in order."""
    return _Entries(text).read()


class _Entries:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._closed = True  # whether every value of the entry so far was closed
        self._strings: dict[str, str] = {}

    def read(self) -> Iterator[BibField]:
        while entry := ENTRY.search(self._text, self._at):
            self._at = entry.end()
            self._closed = True
            match entry[1].lower():
                case "comment" | "preamble":
                    pass
                case "string":
                    if name := _STRING.match(self._text, self._at):
                        self._at = name.end()
                        self._strings[name[1].lower()] = self._value("").value.text
                case _:
                    yield from self._entry()

    def _entry(self) -> Iterator[BibField]:
        while field := _FIELD.search(self._text, self._at):
            if field[2] == "@" and ENTRY.match(self._text, field.start()):
                self._at = field.start()
                return  # the entry before this one was never closed
            self._at = field.end()
            if field[2] == "}":
                return
            if field[1]:
                yield self._value(field[1].lower())
        self._at = len(self._text)

    def _value(self, name: str) -> BibField:
        parts: list[Part] = []
        missing: list[str] = []
        while True:
            parts.append(self._part(missing))
            more = _AND.match(self._text, self._at)
            if not more or not self._closed:
                break
            self._at = more.end()
        text, start, end = parts[0]  # nearly always the only one
        value = SourceText(text, (0, len(text)), (start,), (end,))
        if len(parts) > 1:
            value = SourceText.from_parts(parts)
        return BibField(name, value, tuple(missing))

    def _part(self, missing: list[str]) -> Part:
        start, value = self._at, None
        if self._text[start : start + 1] in ('"', "{"):
            start, end = self._delimited()
            return self._text[start:end], start, end
        if name := _NAME.match(self._text, start):
            self._at = name.end(1)
            value = self._strings.get(name[1].lower())
            if value is None or len(value) > _LONGEST:
                value = None
                missing.append(name[1])
        elif number := _NUMBER.match(self._text, start):
            self._at = number.end()
        else:
            undelimited = _UNDELIMITED_END.search(self._text, start)
            self._at = undelimited.start() if undelimited else len(self._text)
        return self._text[start : self._at] if value is None else value, start, self._at

    def _delimited(self) -> tuple[int, int]:
        """Return the offsets at which the text between two delimiters begins and ends."""
        opener, depth, start = self._text[self._at], 0, self._at + 1
        line = self._text.find("\n", start)
        line = line if line >= 0 else len(self._text)
        # After a value that is not closed, the search stops at the end of each line. Otherwise
        # every further value would search the whole rest of the file.
        last = len(self._text) if self._closed else line
        for mark in _DELIMITER.finditer(self._text, start, last):
            if mark[0] == "{":
                depth += 1
            elif mark[0] == "}":
                if opener == "{" and depth == 0:
                    self._at = mark.end()
                    return start, mark.start()
                depth = max(0, depth - 1)
            elif mark[0] == '"' and opener == '"' and depth == 0:
                self._at = mark.end()
                return start, mark.start()
            elif mark[0][0] == "\n":  # the next entry begins, so this value was never closed
                break
        self._closed, self._at = False, line
        return start, line


# Fields that contain addresses.
_LINKS: Final = re.compile(r"(?:bdsk-)?url(?:-[0-9]+)?|ee|howpublished|link|eprint")
# Heuristic: such a field, as `code_doi`, names another work than the one that the entry describes.
_OTHER: Final = re.compile(r"[a-z0-9][\w:.+-]*[_-]doi")
# Heuristic: a name in a title is that of another work, as in `Erratum to 10.1000/182`.
_TITLES: Final = frozenset({"title", "subtitle", "titleaddon"})
_PROSE: Final = _TITLES | {
    "note", "annote", "annotation", "addendum", "abstract", "journal", "journaltitle", "booktitle",
    "booksubtitle", "maintitle", "eventtitle", "series", "publisher", "pages", "school", "type",
    "institution", "organization", "edition", "volume", "number", "issue", "address", "location",
    "chapter", "month", "year", "version", "part", "pubstate", "author", "editor", "translator",
}  # fmt: skip
_BROKEN: Final = Remark("line-break", "a line ends inside the name, and pages show a space there")


def read(text: str, options: Options) -> Iterator[Found]:
    """Find every DOI of a BibTeX file, and the ``doi`` fields without one."""
    entries = TextBlocks(text, ENTRY)
    for field in fields(text):
        found: Iterable[Found] = ()
        is_own = field.name not in _TITLES
        if field.name == "doi":
            found = _doi(field, options)
        elif field.name in _PROSE:
            found = _prose(field, options) if may_contain(field.value.text, options) else ()
        elif (other := _OTHER.fullmatch(field.name)) or _LINKS.fullmatch(field.name):
            found, is_own = _link(field, options), not other
        for each in found:
            yield replace(each, around=entries.at(begin(each)) if is_own else None)


def _doi(field: BibField, options: Options) -> Iterator[Found]:
    decoded = SourceText.of(field.value.text, field_pieces(field.value.text))
    written = decoded.text.strip()
    why = "".join(f" ({name!r} is not defined)" for name in field.missing[:1])
    if why and written != field.missing[0]:  # what it stands for may be a part of the name
        if none := no_name_in(written, why):
            yield Found(none, form="field", span=_whole_span(decoded, field))
        return
    joined = read_field(_joined(written))
    if not joined.is_alone:
        yield from found_in_field(field.value, options, why)
    elif not options.ignores(doi := joined.matches[0].doi):
        notes = (*remarks(doi, written), _BROKEN, more_than(doi, written))
        yield Found(doi, form="field", remarks=notes, span=_whole_span(decoded, field))


def _link(field: BibField, options: Options) -> Iterator[Found]:
    decoded = SourceText.of(field.value.text, field_pieces(field.value.text))
    href = decoded.text.strip()
    if options.arxiv and field.name == "eprint" and paper_of(href, bare=True):
        href = f"arXiv:{href}"  # as pages link it
    joined = _joined(href)
    found = found_in_link(joined, options) if joined else None
    if found:
        found.remarks += (_BROKEN,)
    elif not any(map(str.isspace, href)):  # several URLs have a space between them
        found = found_in_link(href, options)
    if found:
        yield replace(found, span=_whole_span(decoded, field))
    else:
        yield from _prose(field, options)


def _prose(field: BibField, options: Options) -> Iterator[Found]:
    yield from placed(latex.read(field.value.text, options, comments=False), field.value)


def _joined(written: str) -> str:
    """Return a value of several lines as one; ``""`` for only one line or several names."""
    if "\n" not in written or len(list(scan(written))) > 1:
        return ""
    return "".join(map(str.strip, written.split("\n")))


def _whole_span(decoded: SourceText, field: BibField) -> tuple[int, int]:
    """Return the offsets in the file at which the only name of a field begins and ends."""
    first = len(decoded.text) - len(decoded.text.lstrip())
    last = len(decoded.text.rstrip(" \t\r\n\xa0.,;"))
    return field.value.span(*decoded.span(first, last))

r"""Finds the references of a source, so that those without a DOI can be given one.

A reference is an item of a list of references: a citation or footnote, an item below a heading that
says so, ``\bibitem``, ``\references`` of R, an entry of a bibliography. What is no reference is
sent to nobody, so all patterns here prefer to miss one. They are heuristics; where a host says what
an item is, it is cited.

>>> text = ".. [1] Paskin, N. (2000). *Handbook of Names*.\n   Chapter 3.\n"
>>> [(each.text, each.end, each.has_doi) for each in references(text, "rst", Options())]
[('Paskin, N. (2000). *Handbook of Names*.\nChapter 3.', 60, False)]
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import partial
from itertools import accumulate, chain, groupby, pairwise, takewhile
from typing import Any, Final, NamedTuple

from ..core.doi import DOI
from ..core.found import REST_COMMENTS, Found, IgnoredLines, in_fences
from ..core.options import Options
from ..record.language import rows as languages
from ..record.words import reference as in_words
from ..record.work import Work
from . import bibtex
from .common import Lines, hidden
from .files import CannotRead
from .json_text import strings as json_strings
from .latex import plain
from .marked import end_of_group
from .python import documentation, tokens
from .rd import BRACE, COMMENT
from .reading import comments, read
from .types import LATEX_CODE


class Reference(NamedTuple):
    """A reference in a source."""

    start: int  # where its text begins
    end: int  # where the text of its first paragraph ends, after which a DOI belongs
    stop: int  # where all of it ends; up to there a DOI is its own
    text: str  # without the mark of the item and the margin
    form: str  # how a DOI is written there: a key of ``fix``
    has_doi: bool = False
    line: int = 0  # its place, counted from 1
    column: int = 0
    unread: str = ""  # why it is not read as a reference, although it is where references are


def references(
    text: str, kind: str, options: Options, file: str = "-", *, names: list[Found] | None = None
) -> list[Reference]:
    """Return the references of a source in order, without those that a comment silences.

    What only looks like one is among them, and says why. ``names`` are those of the source, if they
    are known. It may raise ``CannotRead``.
    """
    reader = _READERS.get(kind)
    try:
        items = sorted(reader(text)) if reader else []
    except (ValueError, RecursionError, IndexError) as error:  # every other file has to be read
        raise CannotRead(f"looking for references failed ({type(error).__name__})") from error
    if not items:
        return []
    found = list(read(text, kind, options, file)) if names is None else names
    spans = sorted((each.span or (0, 0))[0] for each in found)
    lines = Lines(text)
    silenced = IgnoredLines(comments(text, kind, file))
    kept = []
    for item in items:
        first, last = (bisect_left(spans, at) for at in (item.start, item.stop))
        line, column = lines.place(item.start)
        has = item.has_doi or first < last or _WRITTEN.search(item.text) is not None
        is_silenced = silenced.comment_on(Found(_ANY, file=file, line=line))
        is_none = item.unread if has else _NONE.search(item.text)
        if not is_silenced and not is_none:
            kept.append(item._replace(line=line, column=column, has_doi=has))
    return kept


# A name that a reader does not list, such as one in code, is one that the author knows.
_WRITTEN: Final = re.compile(r"\bdoi[\s:=}{\"`./org]{0,12}10[./]", re.IGNORECASE)
# Says that a work has no DOI.
_NONE: Final = re.compile(
    r"(?i)\b(?:no|without(?: an?)?) doi\b|\bdoi\b\W{0,4}(?:none|n/?a\b|not? (?:available|assigned))"
)
_ANY: Final = DOI("10.1000/182")  # a comment silences a line, whatever name is in it

# --------------------------------------------------------------------------------------------------
# Items of text: in documents, docstrings and comments.

# A heading of references has one of these words, and few others. Reading alone may be anything.
_OF_REFERENCES: Final = frozenset(
    word.lower() for row in languages().values() for word in row.headings.split()
)
# Headings of lists of reading.
_READING: Final = re.compile(
    r"\b(?:further|additional|background|suggested|recommended|related|more|other|selected|general"
    r"|optional|required) readings?\b|\Areadings?(?: lists?| materials?)?\Z"
)
_MOST_WORDS: Final = 6
# A heading of any markup language.
_HEADING: Final = re.compile(
    r"[ \t]*(?:(?:#{1,6}|={1,5}|\.\.[ \t]+(?:rubric|topic|admonition)::)[ \t]"
    r"|(?:\*\*[^*\n]{1,60}\*\*:?|(?P<colon>(?![a-z])[^\W\d_][\w &-]{0,40}[:：]))[ \t]*\Z)"
)
# The line below a heading.
_LINE_BELOW: Final = re.compile(r"[ \t]*([!-/:-@\[-`{-~])\1{2,}[ \t]*\Z")
# An item whatever the heading [reST: citations, footnotes; Markdown: footnotes], and `[1] Paskin`.
_CITATION: Final = re.compile(
    r"([ \t]*)(?:\.\.[ \t]+\[[^\[\]\n]{1,60}\](?:[ \t]+|\Z)|\[\^[^\[\]\n]{1,60}\]:[ \t]+"
    r"|(?:[-*+][ \t]+)?\\?\[(?:\d{1,3}|[A-Z][A-Za-z+]{0,20}\d{2,4}[a-z]?)\\?\](?!\()[:.]?"
    r"[ \t]+(?=\S))"
)
# An item of a list, and a paragraph, if the heading says so.
_BULLET: Final = re.compile(
    r"([ \t]*)(?:[-+•–]|\*{1,5}|\.{1,5}|\#\.|\(?(?P<number>\d{1,3})[.)])[ \t]+(?=\S)"
)
_COLUMNS: Final = re.compile(r"\S {3,}\[\w{1,9}\] ")  # of two references side by side
_NO_ITEM: Final = re.compile(
    r"[ \t]*(?:\.\.(?:[ \t]|\Z)|:[\w -]{1,60}:(?!`)|[#=]{1,6}[ \t]|>>>|```|~~~|\||<!--|@|%%|!\["
    r"|//|\w+::\S*\[|\+[ \t]*\Z)"  # comments, macros and continuations of AsciiDoc
)
_NEXT_TO: Final = 4  # lines that tell whether another reference begins
_MOST_LINES: Final = 40  # of a reference, in which a name is looked for
_LONGEST: Final = 8_000  # characters of a reference; of a longer one, these are read


def _in_text(
    view: str, form: str = "text", code: Any = None, start: int = 0, stop: int | None = None
) -> Iterator[Reference]:
    """Yield the items of a stretch, line by line; ``view`` has spaces for what is not text."""
    lines = view[start:stop].split("\n")
    begins = [*accumulate((len(line) + 1 for line in lines), initial=start)]
    if code:
        lines = ["" if hide else line for line, hide in zip(lines, code(lines), strict=True)]
    lines += ["", ""]  # so that there are always two more lines
    at, listed, margin = 0, False, 0
    while at < len(begins) - 1:
        line, indent = lines[at], _indent(lines[at])
        is_title = _LINE_BELOW.match(lines[at + 1]) and not _LINE_BELOW.match(line)
        if indent >= 0 and (is_title or _HEADING.match(line)):
            listed, margin = _is_of_references(line), 0 if is_title else indent
            at += 2 if is_title else 1
            continue
        listed = listed and (indent >= margin or indent < 0)
        mark = _mark(line, listed=listed)
        if indent < 0 or not (mark or (listed and not _NO_ITEM.match(line))):
            at += 1
            continue
        begin = mark.end() if mark else indent
        last, after = _extent(lines, at, mark, listed=listed)
        text = _text_of(lines[at:last], begin)
        fault = fault_of(text, is_item=mark is not None)
        if not fault or (listed and fault in _LIKE_ONE):
            end = begins[last - 1] + len(lines[last - 1].rstrip())
            text = _text_of(lines[at:after], begin)
            place = begins[at] + begin, end, begins[after] - 1
            yield Reference(*place, text, form, unread=fault)
            last = last if fault else after
        at = last


def _is_of_references(heading: str) -> bool:
    words = _WORD.findall(heading[:200].lower())
    is_of = not _OF_REFERENCES.isdisjoint(words) or _READING.search(" ".join(words))
    return len(words) <= _MOST_WORDS and bool(is_of)


def _mark(line: str, *, listed: bool) -> re.Match[str] | None:
    return _CITATION.match(line) or (_BULLET.match(line) if listed else None)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip()) if line.strip() else -1


def _text_of(lines: list[str], begin: int) -> str:
    shown = map(str.strip, [lines[0][begin:], *lines[1:]])
    return "\n".join(shown)[:_LONGEST].strip()


def _extent(
    lines: list[str], at: int, mark: re.Match[str] | None, *, listed: bool
) -> tuple[int, int]:
    """Find the lines after the first paragraph of an item, and after all of it."""
    indent, is_citation = _indent(lines[at]), mark is not None and mark.re is _CITATION
    # Authors indent the lines of a citation less than its mark.
    least = indent - 2 if is_citation else indent
    hangs = mark is None and _indent(lines[at + 1]) > indent
    last, after = 0, at + 1
    while (margin := _indent(lines[after])) >= max(least, 0):
        line, is_deeper = lines[after], margin > indent
        is_apart = not is_deeper and (hangs or _LINE_BELOW.match(lines[after + 1]))
        if is_apart or _NO_ITEM.match(line):
            break
        # A line of a citation may begin with a number or a dash.
        item = _mark(line, listed=listed and not (is_citation and is_deeper))
        if item and _is_next(mark, item, is_deeper=is_deeper):
            break
        # Paragraphs without a blank line between them, and a list in an item. A name is that of all
        # lines above it, as for the check.
        if item or (mark is None and not hangs and lines[after - 1].rstrip().endswith(".")):
            above = "\n".join(lines[max(at, after - _MOST_LINES) : after])
            below = [*takewhile(str.strip, lines[after : after + _MOST_LINES])]
            is_own = NAME.search(above) or not NAME.search("\n".join(below))
            if is_own and is_reference(above) and _begins(below[:_NEXT_TO], item):
                break
        if item and item["number"] in (None, "1"):  # other numbers begin no list [CommonMark 5.3]
            last = last or after
        after += 1
    last = last or after
    # Paragraphs that are indented below the mark belong to it; a DOI may be in one of them.
    while mark and _indent(lines[after]) < 0 and _indent(lines[after + 1]) > indent:
        if _mark(lines[after + 1], listed=listed):
            break
        after += 1
        while _indent(lines[after]) > indent:
            after += 1
    return last, after


def _is_next(mark: re.Match[str] | None, item: re.Match[str], *, is_deeper: bool) -> bool:
    """Tell whether an item is the next one of a list, and no wrapped line that begins like one."""
    if item.re is _CITATION:
        return True
    if mark is None or is_deeper or mark.re is _CITATION:
        return False
    one, two = mark["number"], item["number"]
    return two in (None, "1") or bool(one and abs(int(one) - int(two)) < 2)


NAME: Final = re.compile(r"\b10\.\d{4,9}(?:\.\d{1,9}){0,6}(?:/|%2[Ff])\S")  # a DOI name
# A line of a paragraph that begins with people as lists of references name them, and has words of
# a title. Journals, presses and towns begin like people: Things, B. · Springer, N.Y. · J. Things, 2
_UPPER: Final = r"[A-ZÀ-ÖØ-ÞΑ-ΩА-Я]"
_FAMILY: Final = rf"(?:(?:van|von|de|der|den|di|la) ){{0,2}}{_UPPER}[\w'’-]+(?: {_UPPER}[\w'’-]+)?"
# The first person of a reference, as styles write people.
_FIRST: Final = re.compile(
    rf"\W{{0,3}}(?:{_FAMILY}, (?:{_UPPER}\.[ ~-]?)+(?!\w)"
    rf"|{_FAMILY} {_UPPER}{{1,3}}, {_FAMILY} {_UPPER}{{1,3}}[,.:]"
    rf"|(?:{_UPPER}\.[ ~-]?){{1,6}}{_FAMILY}(?:,(?!\s*\d)| (?:and|&) {_UPPER}\.))"
)
# Words in lower case as a title has them.
_TITLED: Final = re.compile(
    r"(?<![\w./:-])(?!vol|eds?\b|pages|edit|and\b|doi|https?\b)[a-z]{3,}(?![\w./:])"
)


def _begins(lines: list[str], item: re.Match[str] | None) -> bool:
    text = _text_of(lines, item.end() if item else 0)
    return bool(_FIRST.match(text)) and len(_TITLED.findall(text)) > 1 and is_reference(text)


# Words that sentences have, and references seldom.
_SENTENCE: Final = re.compile(
    r"(?i)\b(?:is|are|was|were|been|have|has|we|you|your|our|this|these|those|it|here|would|should|may"
    r"|must|please|wrote)\b"
)


def _is_prose(paragraph: str) -> bool:
    """Tell whether a paragraph reads like sentences that mention a work."""
    if _FIRST.match(paragraph):
        return False
    says = len(_SENTENCE.findall(paragraph)) + 2 * paragraph.startswith(("In ", "See "))
    return says > 1 or paragraph.endswith(":")


# No power of two, and no count of a language without spaces.
_YEAR: Final = re.compile(
    r"(?<![\d./:_-])(?:1[6-9]\d\d|20[0-3]\d)(?![\d_\u3040-\u5e73\u5e75-\u9fff]|\.\d)"
)
_PERSON: Final = re.compile(
    r"\b(?:[^\W\d_]\.[ ~-]?){1,4}\s*[^\W\d_]['\w-]+"
    r"|\b[^\W\d_][\w'-]+,?\s+[^\W\d_](?:\.|[A-Z]{0,2}\b[,.])"
    r"|\bet\.?\s+al\b|\b[A-Z][\w'-]+,?\s+(?:and|&)\s+(?:[A-Z]\S*\s+)?[A-Z]\w"
    r"|\b[A-Z][\w'-]+,\s+[A-Z][\w'-]+"
    r"|\A\W*+[\u0370-\u1fff'-]{2,}(?:\s+[\u0370-\u1fff'-]{2,}){0,2}\s*[,:.(]"
    r"|(?:\A|[,，、;；])\s*[\u3040-\u9fff\uac00-\ud7a3]{2,4}\s*[,，、.．。:：;；(（\[]"
    # Norman Paskin, 2000
    r"|\b[A-Z][\w'-]+\s+[A-Z][\w'-]+[.,]\s+(?:[A-Z]\w+\s+)?(?:1[6-9]|20)\d\d\b"
    # Norman Paskin, Norman N. Paskin: at the beginning.
    r"|\A\W*[A-Z][\w'-]+(?:\s+[A-Z]\.)?\s+[A-Z][\w'-]+\s*[,:.(]"
    r"|\A\W*[A-Z][\w'-]+(?:\s+[A-Z][\w'.-]*){0,3},?\s*[(\[]?(?:1[6-9]|20)\d\d"
    # Paskin N and Miller A: A handbook; Paskin N A, Miller B C, 2000.
    r"|\b[A-Z][a-z]+ (?:[A-Z]{1,3}|[A-Z](?: [A-Z]){1,3})[,.;:]"
)
# Volume, pages or an identifier.
_NUMBERS: Final = re.compile(
    r"(?i)\b(?:vol|pp)\b\.? ?\d|\b\d{1,4} ?\(\d{1,4}\)|\bdoi\b.{0,9}10\.|\barxiv\b"
)
# Fields of BibTeX.
_ENTRY: Final = re.compile(r"\b(?:title|author|journal|year)\s*+=\s*+[{\"]", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W\d_]{2,}")  # a word of some length, in any script
# An address, whose words say nothing of a work.
_ADDRESS: Final = re.compile(r"<?(?:https?|ftp)://\S+")

_NOBODY, _UNDATED, _COLUMNED = "it names nobody", "it has neither year nor volume", "two columns"
_LIKE_ONE: Final = (_NOBODY, _UNDATED, _COLUMNED)


def is_reference(text: str) -> bool:
    """Tell whether a text reads like a reference: people, a year or volume, and some more words.

    >>> is_reference("Paskin, N. (2000). Handbook."), is_reference("See the manual of 2000.")
    (True, False)
    """
    return fault_of(text) in ("", _COLUMNED)


def fault_of(text: str, *, is_item: bool = True) -> str:
    """Say why a text is not read as a reference; ``""`` if it is.

    >>> fault_of("Paskin, N.: A handbook of names.")
    'it has neither year nor volume'
    """
    bare = _ADDRESS.sub(" ", text)
    words = _WORD.findall(bare[:2_000])
    is_dated = _YEAR.search(bare) or _NUMBERS.search(text)
    has_people = _PERSON.search(bare)
    if _ENTRY.search(text) or not (len(words) > 3 or len("".join(words)) > 12):
        return "it is code or a few words"
    if not (is_dated or has_people) or (not is_item and _is_prose(text)):
        return "it reads like sentences"
    if not (is_dated and has_people):
        return _UNDATED if has_people else _NOBODY
    return _COLUMNED if _COLUMNS.search(text) else ""


def _in_notebook(text: str) -> Iterator[Reference]:
    """Yield the items of Markdown cells, with their places in the file of JSON."""
    from . import notebook  # it loads a host, which other types do not need

    for cell in notebook.markdown_cells(text, lambda source: _YEAR.search(source) is not None):
        for item in _in_text(cell.text, "cell", in_fences):
            start, end = cell.span(item.start, item.end)
            _, stop = cell.span(item.start, item.stop)
            yield item._replace(start=start, end=end, stop=stop)


# --------------------------------------------------------------------------------------------------
# Programs: docstrings are reStructuredText, and comments on consecutive lines are text.

# Comments on consecutive lines, and the sign of each.
_COMMENTS: Final = re.compile(r"(?m)^[ \t]*+(?P<sign>#)[^\n]*+(?:\n[ \t]*+#[^\n]*+)*")
_SIGN: Final = re.compile(r"(?m)^[ \t]*#+[:']?")  # of comments in programs


def _in_program(text: str) -> Iterator[Reference]:
    groups, _ = documentation(text, lambda string: _YEAR.search(string) is not None)
    items: list[Reference] = []
    for token in chain.from_iterable(groups):
        items += _in_text(text, "rest", REST_COMMENTS.code, token.first, token.last)
    view = _SIGN.sub(lambda sign: " " * len(sign[0]), text)
    signs = {token.start for token in tokens(text) if not token.quote}  # not those in strings
    for run in _COMMENTS.finditer(text):
        if run.start("sign") in signs and _YEAR.search(run[0]):
            items += _in_text(view, "comment", start=run.start(), stop=run.end())
    yield from sorted(items)


# --------------------------------------------------------------------------------------------------
# LaTeX, the documentation of R, and bibliographies.

# An entry of a list of references, up to the next one.
_BIBITEM: Final = re.compile(
    r"\\bibitem\s*+(?:\[(?>(?:[^\[\]{}]++|\{[^{}]*+\})*)\]\s*+)?\{[^{}]*+\}\s*+"
    r"(?P<text>(?s:.*?))(?=\\bibitem\b|\\end\s*\{|\n[ \t]*\n|\Z)"
)
# Code and comments.
_LATEX_HIDDEN: Final = re.compile(rf"{LATEX_CODE}|(?<!\\)%[^\n]*", re.MULTILINE)
_RD: Final = re.compile(r"\\references\s*\{")  # the section of references
# An item of it, up to the next one.
_RD_ITEM: Final = re.compile(
    r"(?>(?:\s|\\(?:item|cr)\b)*)(?P<text>(?s:.*?))(?=\\(?:item|cr)\b|\n[ \t]*\n|\Z)"
)


def _in_rd(text: str) -> Iterator[Reference]:
    view, end = hidden(text, COMMENT), 0
    for opened in _RD.finditer(view):
        if opened.start() >= end:  # not one in another
            end = end_of_group(view, opened.end(), BRACE)
            yield from _pieces(view, _RD_ITEM, "rd", opened.end(), end)


def _pieces(
    view: str, item: re.Pattern[str], form: str, first: int = 0, last: int | None = None
) -> Iterator[Reference]:
    for found in item.finditer(view, first, len(view) if last is None else last):
        start, stop = found.span("text")
        written = found["text"].rstrip()
        shown = plain(written[:_LONGEST])
        if is_reference(shown):
            yield Reference(start, start + len(written), stop, shown, form)


# A field without a value.
_EMPTY: Final = re.compile(r"\bdoi\s*+=\s*+[{\"](?=\s*+[}\"])", re.IGNORECASE)
# Entries that are no work with a DOI.
_NO_WORK: Final = re.compile(r"@[ \t]*(?:online|www|xdata|set)\s*[{(]", re.ASCII | re.IGNORECASE)


def _in_bibtex(text: str) -> Iterator[Reference]:
    starts = [entry.start() for entry in bibtex.ENTRY.finditer(text)]
    for start, stop in pairwise([*starts, len(text)]):
        written = text[start:stop]
        if _NO_WORK.match(written):
            continue
        fields = {field.name: field.value for field in bibtex.fields(written)}
        people = fields.keys() & {"author", "editor"}
        if "title" not in fields or not people or fields.get("crossref"):
            continue
        has = "doi" in fields and fields["doi"].text.strip()
        # Before a field there is a comma; an empty field waits for its value.
        last = [field.span(0, 1)[0] for field in fields.values() if field.text]
        empty = _EMPTY.search(written)
        at = empty.end() if empty else max(last, default=0)
        yield Reference(start, start + at, stop, written[:_LONGEST], "bib", has_doi=bool(has))


# A call that describes a work.
_R_CALL: Final = re.compile(r"(?<![\w.])(?:bibentry|citEntry)\s*+\(")
# A comment, a string, a bracket, or the name of an argument with what its value begins with.
_R_TOKEN: Final = re.compile(
    r"(?s)#[^\n]*+|\"(?:[^\"\\]|\\.)*+\"?|'(?:[^'\\]|\\.)*+'?|(?P<bracket>[()])"
    r"|(?P<name>[A-Za-z][\w.]*+)\s*+=\s*+(?P<string>\")?"
)
_R_NAMES: Final = frozenset(str.split(
    "title author editor year journal volume number pages booktitle publisher school institution"
))  # fmt: skip


# [roxygen2] What a tag says ends at the next tag.
_ROXYGEN: Final = re.compile(
    r"(?m)^[ \t]*+#+'[ \t]*+@references\b"
    r"(?P<text>[^\n]*+(?>(?:\n[ \t]*+#+'(?![ \t]*+@[A-Za-z])[^\n]*+)*))"
)


def _in_r(text: str) -> Iterator[Reference]:
    """Yield the works that a program in R describes, such as ``inst/CITATION``, or refers to."""
    sections = [*_ROXYGEN.finditer(text)]
    view = _SIGN.sub(lambda sign: " " * len(sign[0]), text) if sections else ""
    for section in sections:
        yield from _pieces(view, _RD_ITEM, "rd", *section.span("text"))
    at = 0
    while call := _R_CALL.search(text, at):
        names, begins, depth, at, last = [], [], 1, call.end(), 0
        while depth and (token := _R_TOKEN.search(text, at)):
            at = token.end() - bool(token["string"])
            if token["bracket"]:
                depth += 1 if token[0] == "(" else -1
            elif token["name"] and depth == 1:
                names.append(token["name"].lower())
                begins.append(token.start())
                last = token.end() if token["string"] else last
        spans = zip(names, pairwise([*begins, at]), strict=True)
        fields = [text[slice(*span)].strip() for name, span in spans if name in _R_NAMES]
        if "title" in names and {"author", "editor"}.intersection(names):
            shown = "\n".join(fields)[:_LONGEST]
            yield Reference(call.start(), last, at, shown, "bib", has_doi="doi" in names)


def _in_markdown(text: str) -> Iterator[Reference]:
    """Yield the items of Markdown, and the entries of BibTeX in its blocks of code."""
    yield from _in_text(text, code=in_fences)
    lines = text.split("\n")
    begins = [*accumulate((len(line) + 1 for line in lines), initial=0)]
    numbers = range(len(lines)) if bibtex.ENTRY.search(text) else ()
    is_code = in_fences(lines)
    for inside, run in groupby(numbers, is_code.__getitem__):
        if inside:
            block = [*run]
            first, last = begins[block[0]], begins[block[-1] + 1]
            for each in _in_bibtex(text[first:last]):
                start, end, stop = (first + at for at in each[:3])
                yield each._replace(start=start, end=end, stop=stop)


def _in_csl(text: str) -> Iterator[Reference]:
    """Yield the items of CSL-JSON, each as a reference in words."""
    items = json.loads(text)
    for string in json_strings(text) if isinstance(items, list) else ():
        item = items[string.path[0]] if string.path[1:] in (("title",), ("DOI",)) else None
        work = Work.of(item)
        # An empty name waits for its value; of two with one key, the first would be lost.
        place = "DOI" if item and "DOI" in item else "title"
        if work is None or not (work.names and work.title) or string.name != place:
            continue
        words = "".join(run.text for run in in_words(_ANY, work))
        end = string.at + len(string.raw) + (place == "title")
        has = _WRITTEN.search(json.dumps(item)) is not None
        yield Reference(string.at, end, end, words, "csl", has_doi=has)


_READERS: Final[dict[str, Callable[[str], Iterator[Reference]]]] = {
    "md": _in_markdown,
    "rst": partial(_in_text, form="rest", code=REST_COMMENTS.code),
    "txt": _in_text,
    "adoc": _in_text,
    "ipynb": _in_notebook,
    "py": _in_program,
    "tex": lambda text: _pieces(hidden(text, _LATEX_HIDDEN), _BIBITEM, "tex"),
    "rd": _in_rd,
    "bib": _in_bibtex,
    "r": _in_r,
    "citation": _in_r,
    "json": _in_csl,
}

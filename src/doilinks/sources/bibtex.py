"""BibTeX and biblatex files: the ``doi`` fields, and links to doi.org in ``url`` fields.

Reads what BibTeX reads and more: a field that is never closed ends with the line, text outside
entries is a comment.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from typing import Final

from ..core.doi import InvalidDOI, parse_parts
from ..core.options import Options
from ..core.remarks import remarks
from ..core.scan import Match
from .found import Found, found_in_link, found_in_prose

__all__ = ["read", "without_latex"]

_ENTRY: Final = re.compile(r"@[ \t]*([A-Za-z]+)\s*[{(]", re.ASCII)
_NOT_ENTRIES: Final = frozenset({"comment", "string", "preamble"})
_FIELD: Final = re.compile(r"(?<![\w:.+-])([A-Za-z][\w:.+-]*+)\s*+=\s*|([{}\"@\n])", re.ASCII)
_URL_FIELD: Final = re.compile(r"(?:bdsk-)?url(?:-[0-9]+)?|ee|howpublished|link", re.IGNORECASE)

_LATEX: Final = re.compile(
    r"""
      \\(?:url|href|doi|path|nolinkurl|texttt|protect|string)\b\s*
    | \\text(?P<word>less|greater|underscore|asciitilde|backslash|bar|quotesingle
                      |endash|hyphen)\b\s*(?:\{\})?
    | \\(?P<ascii>asciitilde|sim|lt|gt|langle|rangle|_)\b\s*(?:\{\})?
    | \\(?P<sign>[_%&\#${}~^/<>|"'-])(?:\{\})?
    | \$(?P<math><|>|\\sim|\\_|_)\$
    | [{}]
    """,
    re.VERBOSE,
)
_WORDS: Final = {
    "less": "<", "greater": ">", "underscore": "_", "asciitilde": "~", "backslash": "\\",
    "bar": "|", "quotesingle": "'", "endash": "\u2013", "hyphen": "-", "sim": "~",
    "lt": "<", "gt": ">", "langle": "<", "rangle": ">", "\\sim": "~", "\\_": "_",
}  # fmt: skip


def without_latex(value: str) -> str:
    r"""Undo the LaTeX that protects characters of a name.

    >>> without_latex(r"10.1007/978{\_}3\%{}2"), without_latex(r"49:8$<$693::AID\textgreater{}3")
    ('10.1007/978_3%2', '49:8<693::AID>3')
    """
    return _LATEX.sub(_undo, value)


def _undo(found: re.Match[str]) -> str:
    kept = found["word"] or found["ascii"] or found["sign"] or found["math"] or ""
    return _WORDS.get(kept, kept)


def read(text: str, options: Options) -> Iterator[Found]:
    """Every DOI of a BibTeX file."""
    at = 0
    while entry := _ENTRY.search(text, at):
        at = entry.end()
        if entry[1].lower() in _NOT_ENTRIES:
            continue
        at = yield from _entry(text, at, options)


def _entry(text: str, at: int, options: Options) -> Generator[Found, None, int]:
    """The fields of one entry; returns where it ends."""
    broken = False
    while field := _FIELD.search(text, at):
        at = field.end()
        if field[2] == "@" and _ENTRY.match(text, field.start()):
            return field.start()  # the entry before it was never closed
        if field[2] == "}":
            return at
        if field[1]:
            start, end, at, closed = _value(text, at, broken=broken)
            broken = broken or not closed
            yield from _field(field[1].lower(), text[start:end], start, options)
    return len(text)


def _value(text: str, at: int, *, broken: bool) -> tuple[int, int, int, bool]:
    """A field's value without its delimiters: start, end, what follows, and whether it was closed.

    :param broken: a value before it was not; the values behind that one end with their lines, so
        that none is looked for in the whole rest of the file
    """
    opener = text[at : at + 1]
    if opener not in ('"', "{"):
        end = _BARE_END.search(text, at)
        stop = end.start() if end else len(text)
        return at, stop, stop, True
    depth, start = 0, at + 1
    end_of_line = text.find("\n", start)
    stop = end_of_line if end_of_line >= 0 else len(text)
    for sign in _DELIMITER.finditer(text, start, stop if broken else len(text)):
        if sign[0] == "{":
            depth += 1
        elif sign[0] == "}":
            if opener == "{" and depth == 0:
                return start, sign.start(), sign.end(), True
            depth = max(0, depth - 1)
        elif sign[0] == '"' and opener == '"' and depth == 0:
            return start, sign.start(), sign.end(), True
        elif sign[0][0] == "\n":  # the next entry: this value was never closed
            break
    return start, stop, stop, False


_BARE_END: Final = re.compile(r"[,}\n]")
_DELIMITER: Final = re.compile(r"(?<!\\)[{}\"]|\n[ \t]*@[A-Za-z]+\s*\{")


_BEGIN: Final = re.compile(r"https?:|doi|10[./]", re.IGNORECASE)


def _field(name: str, value: str, start: int, options: Options) -> Iterator[Found]:
    begin = _BEGIN.search(value)
    at = start + (begin.start() if begin else 0)
    plain = without_latex(value).strip()
    if name == "doi":
        try:
            doi, tail = parse_parts(plain.rstrip(".,;"))
        except InvalidDOI:
            doi = None
        if doi is None or " " in doi.name:
            # Several names, or other words beside one.
            for found in found_in_prose(plain, options):
                yield found._replace(at=at, form="field")
        elif not options.ignores(doi):
            notes = remarks(Match(0, len(plain), doi, "bare", tail), plain)
            yield Found(at, doi, "field", tuple(notes))
    elif _URL_FIELD.fullmatch(name):
        link = found_in_link(plain, at, options)
        if link:
            yield link

"""The entries of a BibTeX or biblatex file: their fields, and the values of the fields.

The module reads everything that BibTeX reads (https://www.ctan.org/pkg/bibtex, btxdoc §3, and the
grammar in bibtex.web). It also reads a value that is not closed, which ends with its line, and a
DOI name without delimiters as a value. Text outside entries is a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from ..core.text import Part, SourceText

__all__ = ["ENTRY", "Field", "fields"]

ENTRY: Final = re.compile(r"@[ \t]*([A-Za-z]+)\s*[{(]", re.ASCII)
_FIELD: Final = re.compile(r"(?<![\w:.+-])([A-Za-z][\w:.+-]*+)\s*+=\s*|([{}\"@\n])", re.ASCII)
_NAME: Final = re.compile(r"([A-Za-z][^\s\"#%'(),={}]*+)\s*+(?=[#,})]|\Z)")
_STRING: Final = re.compile(r"\s*([A-Za-z][^\s\"#%'(),={}]*+)\s*=\s*")
_NUMBER: Final = re.compile(r"[0-9]++(?=\s*+[#,})])")
_UNDELIMITED_END: Final = re.compile(r"[,}\n]")
_DELIMITER: Final = re.compile(r"(?<!\\)[{}\"]|\n[ \t]*@[A-Za-z]+\s*\{")
_SMALL: Final = 4096
_AND: Final = re.compile(r"\s*#\s*")


class Field(NamedTuple):
    """A field of an entry.

    :ivar name: the name in lower case
    :ivar value: the value without its delimiters, joined from its parts
    :ivar missing: the names in the value for which no string is defined
    """

    name: str
    value: SourceText
    missing: tuple[str, ...] = ()


def fields(text: str) -> Iterator[Field]:
    """Every field of every entry, in order.

    >>> [(field.name, field.value.text) for field in fields('@misc{a, note = "see " # {b}}')]
    [('note', 'see b')]
    """
    return _Reader(text).read()


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._closed = True  # whether every value of the entry so far was closed
        self._strings: dict[str, str] = {}
        # So many characters of strings may be inserted into other strings and into fields. Without
        # these limits, strings could double their length with each line.
        self._budgets = {"strings": len(text) + _SMALL, "fields": len(text) + _SMALL}

    def read(self) -> Iterator[Field]:
        while entry := ENTRY.search(self._text, self._at):
            self._at = entry.end()
            self._closed = True
            match entry[1].lower():
                case "comment" | "preamble":
                    pass
                case "string":
                    self._string()
                case _:
                    yield from self._entry()

    def _string(self) -> None:
        if name := _STRING.match(self._text, self._at):
            self._at = name.end()
            self._strings[name[1].lower()] = self._value(name[1], "strings").value.text

    def _entry(self) -> Iterator[Field]:
        while field := _FIELD.search(self._text, self._at):
            if field[2] == "@" and ENTRY.match(self._text, field.start()):
                self._at = field.start()
                return  # the entry before this one was never closed
            self._at = field.end()
            if field[2] == "}":
                return
            if field[1]:
                yield self._value(field[1].lower(), "fields")
        self._at = len(self._text)

    def _value(self, name: str, budget: str) -> Field:
        """Read a value, and move the reader to its end."""
        parts: list[Part] = []
        missing: list[str] = []
        while True:
            parts.append(self._part(budget, missing))
            more = _AND.match(self._text, self._at)
            if not more or not self._closed:
                break
            self._at = more.end()
        return Field(name, SourceText.from_parts(parts), tuple(missing))

    def _part(self, budget: str, missing: list[str]) -> Part:
        """Read one of the parts of a value that ``#`` joins."""
        start, known = self._at, None
        if self._text[start : start + 1] in ('"', "{"):
            start, end = self._delimited()
            return self._text[start:end], start, end
        if name := _NAME.match(self._text, start):
            self._at = name.end(1)
            known = self._strings.get(name[1].lower())
            if known is None or len(known) > self._budgets[budget]:
                known = None
                missing.append(name[1])
            else:
                self._budgets[budget] -= len(known)
        elif number := _NUMBER.match(self._text, start):
            self._at = number.end()
        else:
            undelimited = _UNDELIMITED_END.search(self._text, start)
            self._at = undelimited.start() if undelimited else len(self._text)
        return self._text[start : self._at] if known is None else known, start, self._at

    def _delimited(self) -> tuple[int, int]:
        """The offsets at which the text between two delimiters begins and ends."""
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

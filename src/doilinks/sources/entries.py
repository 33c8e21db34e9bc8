"""The entries of a BibTeX or biblatex file: their fields, and the values of these.

Reads what BibTeX reads (https://www.tug.org/texmf-docs/bibtex/btxdoc.pdf; its grammar is that of
``bibtex.web``) and more: a value that is never closed ends with its line, a name may stand without
delimiters, text outside entries is a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from ..core.text import Part, SourceText

__all__ = ["Field", "fields"]

_ENTRY: Final = re.compile(r"@[ \t]*([A-Za-z]+)\s*[{(]", re.ASCII)
_FIELD: Final = re.compile(r"(?<![\w:.+-])([A-Za-z][\w:.+-]*+)\s*+=\s*|([{}\"@\n])", re.ASCII)
_NAME: Final = re.compile(r"([A-Za-z][^\s\"#%'(),={}]*+)\s*+(?=[#,})]|\Z|(?<=\n))")
_STRING: Final = re.compile(r"\s*([A-Za-z][^\s\"#%'(),={}]*+)\s*=\s*")
_NUMBER: Final = re.compile(r"[0-9]++(?=\s*+[#,})])")
_UNDELIMITED_END: Final = re.compile(r"[,}\n]")
_DELIMITER: Final = re.compile(r"(?<!\\)[{}\"]|\n[ \t]*@[A-Za-z]+\s*\{")
_SMALL: Final = 4096
_AND: Final = re.compile(r"\s*#\s*")


class Field(NamedTuple):
    """A field of an entry.

    :ivar name: in small letters
    :ivar value: without its delimiters, put together from its parts
    :ivar missing: names of strings in it that are not defined
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
        self._closed = True  # whether all values of the entry have been, so far
        self._strings: dict[str, str] = {}
        # How much may be put into strings, which would double with each line, and into fields.
        self._budgets = {"strings": len(text) + _SMALL, "fields": len(text) + _SMALL}

    def read(self) -> Iterator[Field]:
        while entry := _ENTRY.search(self._text, self._at):
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
            if field[2] == "@" and _ENTRY.match(self._text, field.start()):
                self._at = field.start()
                return  # the entry before it was never closed
            self._at = field.end()
            if field[2] == "}":
                return
            if field[1]:
                yield self._value(field[1].lower(), "fields")
        self._at = len(self._text)

    def _value(self, name: str, budget: str) -> Field:
        """Read a value, and go on behind it."""
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
        """Read what stands between two ``#``."""
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
            end_sign = _UNDELIMITED_END.search(self._text, start)
            self._at = end_sign.start() if end_sign else len(self._text)
        return self._text[start : self._at] if known is None else known, start, self._at

    def _delimited(self) -> tuple[int, int]:
        """Where the text between two delimiters begins and ends."""
        opener, depth, start = self._text[self._at], 0, self._at + 1
        line = self._text.find("\n", start)
        line = line if line >= 0 else len(self._text)
        # Behind a value that was never closed, none is looked for in the whole rest of the file.
        last = len(self._text) if self._closed else line
        for sign in _DELIMITER.finditer(self._text, start, last):
            if sign[0] == "{":
                depth += 1
            elif sign[0] == "}":
                if opener == "{" and depth == 0:
                    self._at = sign.end()
                    return start, sign.start()
                depth = max(0, depth - 1)
            elif sign[0] == '"' and opener == '"' and depth == 0:
                self._at = sign.end()
                return start, sign.start()
            elif sign[0][0] == "\n":  # the next entry: this value was never closed
                break
        self._closed, self._at = False, line
        return start, line

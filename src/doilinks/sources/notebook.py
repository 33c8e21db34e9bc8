"""Jupyter notebooks: the Markdown cells. Positions are those in the notebook's JSON file."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import Final, NamedTuple

from ..core.options import Options
from ..core.scan import may_hold_doi
from . import markdown
from .found import Found

__all__ = ["NotANotebook", "read"]


class NotANotebook(ValueError):
    """A file that is no notebook; the message says why."""


class _String(NamedTuple):
    """A JSON string: the keys that lead to it, its offset and its text between the quotes."""

    path: tuple[str | int, ...]
    at: int
    raw: str


def read(text: str, options: Options) -> Iterator[Found]:
    """Every DOI of a notebook's Markdown cells.

    :raises NotANotebook: when the file is no JSON object with cells
    """
    try:
        notebook = json.loads(text)
        sheets = notebook.get("worksheets", [notebook])  # nbformat 3 has worksheets
        cells = [cell for sheet in sheets for cell in sheet["cells"]]
    except (ValueError, RecursionError) as error:
        raise NotANotebook(f"not a notebook ({error})") from error
    except (AttributeError, KeyError, TypeError) as error:
        raise NotANotebook("not a notebook (there is no list of cells in it)") from error
    return _read_cells(text, options) if any(map(_is_worth_reading, cells)) else iter(())


def _is_worth_reading(cell: object) -> bool:
    if not isinstance(cell, dict) or cell.get("cell_type") != "markdown":
        return False
    source = cell.get("source", "")
    return any(map(may_hold_doi, [source] if isinstance(source, str) else map(str, source)))


def _read_cells(text: str, options: Options) -> Iterator[Found]:
    sources: dict[tuple[str | int, ...], list[_String]] = {}
    markdown_cells = set()
    for string in _strings(text):
        path = string.path
        if "cells" not in path[:3]:
            continue
        cell, rest = path[: path.index("cells") + 2], path[path.index("cells") + 2 :]
        if rest[:1] == ("source",):
            sources.setdefault(cell, []).append(string)
        elif rest == ("cell_type",) and string.raw == "markdown":
            markdown_cells.add(cell)
    for cell, strings in sources.items():
        if cell in markdown_cells:
            yield from _read_cell(strings, options)


def _read_cell(strings: list[_String], options: Options) -> Iterator[Found]:
    pieces = [json.loads(f'"{string.raw}"', strict=False) for string in strings]
    source = "".join(pieces)
    if not may_hold_doi(source):
        return
    begins = list(accumulate(map(len, pieces), initial=0))
    spelled = [_Spelled(string) for string in strings]
    for found in markdown.read(source, options):
        piece = bisect_right(begins, found.at, hi=len(pieces)) - 1
        yield found._replace(at=spelled[piece].at(found.at - begins[piece]))


_ESCAPE: Final = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\."
)


class _Spelled:
    """From an offset in a decoded string to one in the file, where its JSON spelling is longer."""

    def __init__(self, string: _String) -> None:
        self._ends, self._longer = [0], [string.at]
        longer = 0
        for escape in _ESCAPE.finditer(string.raw):
            longer += len(escape[0]) - 1
            self._ends.append(escape.end() - longer)
            self._longer.append(string.at + longer)

    def at(self, offset: int) -> int:
        return offset + self._longer[bisect_right(self._ends, offset) - 1]


_TOKEN: Final = re.compile(r'"((?:[^"\\]|\\.)*)"|([{}\[\],:])', re.DOTALL)


def _strings(text: str) -> Iterator[_String]:
    """Every string value of a valid JSON text, with the path to it."""
    path: list[str | int] = []
    kinds: list[str] = []
    key = False  # the next string is a key
    for token in _TOKEN.finditer(text):
        sign = token[2]
        if sign is None:
            if key:
                path[-1] = token[1]
            else:
                yield _String(tuple(path), token.start(1), token[1])
        elif sign in "{[":
            kinds.append(sign)
            path.append("" if sign == "{" else 0)
            key = sign == "{"
        elif sign in "}]":
            kinds.pop()
            path.pop()
            key = False
        elif sign == ":":
            key = False
        elif kinds[-1] == "{":
            key = True
        else:
            last = path[-1]
            path[-1] = last + 1 if isinstance(last, int) else 0

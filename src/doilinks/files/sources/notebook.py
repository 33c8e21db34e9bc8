"""Reads the Markdown cells of Jupyter notebooks. Positions are those in the JSON file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from ...core.found import MARK, MARKDOWN_COMMENTS, Found, Silence, silences_in
from ...core.options import Options
from ...core.text import SourceText
from . import markdown
from .files import CannotRead
from .json_text import JsonString, Path, strings
from .prose import Lines, may_contain_name, with_line_ends


def read(text: str, options: Options) -> Iterator[Found]:
    """Every DOI of a notebook's Markdown cells.

    :raises CannotRead: if the file is not a notebook
    """
    for cell in markdown_cells(text, lambda cell: may_contain_name(cell, "md", options)):
        for found in markdown.read(cell.text, options):
            span = _span(cell, found.span) if found.span else None
            yield replace(found, span=span)


def comments(text: str, file: str | None) -> Iterator[Silence]:
    """The comments for the check in Markdown cells. A cell may be on one line of the file."""
    lines = Lines(text)
    for cell in markdown_cells(text, lambda source: MARK in source):
        starts = [*Lines(cell.text).starts, len(cell.text)]
        for each in silences_in(cell.text, MARKDOWN_COMMENTS, file):
            if each.silenced is None or each.line is None:
                continue
            (first, _), (after, _) = each.silenced
            start, end = cell.span(starts[first - 1], starts[after - 1])
            at, _ = cell.span(starts[each.line - 1], starts[each.line])
            line, _ = lines.place(at)
            yield replace(each, line=line, silenced=(lines.place(start), lines.place(end)))


def markdown_cells(text: str, holds: Callable[[str], bool]) -> Iterator[SourceText]:
    """The text of Markdown cells, with its places in the file.

    Keeps one cell in memory at a time. The rest of a large notebook is mostly pictures.

    :param holds: whether a text matters
    :raises CannotRead: if the file is not a notebook
    """
    wanted = _wanted(text, holds)
    if not wanted:
        return
    length = len(next(iter(wanted)))

    def cell_of(string: JsonString) -> Path | None:
        cell, rest = string.path[:length], string.path[length:]
        return cell if rest[:1] == ("source",) and cell in wanted else None

    for cell, group in groupby(strings(text), cell_of):
        if cell is not None:
            cell_text = SourceText.from_parts(part for string in group for part in string.parts())
            cell_text.text = with_line_ends(cell_text.text)
            yield cell_text


def _wanted(text: str, holds: Callable[[str], bool]) -> set[Path]:
    """The keys that lead to the Markdown cells whose text matters.

    :raises CannotRead: if the file is not a notebook
    """

    def kept(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
        """What stays of a JSON object: no text, but whether that of a cell matters."""
        left = {key: value for key, value in pairs if key in _KEPT}
        if "source" in left:
            source = _text_of(left["source"])
            left["source"] = None if source is None else holds(source)
        return left

    try:
        notebook = json.loads(text, object_pairs_hook=kept)
    except (ValueError, RecursionError) as error:
        raise CannotRead(f"not a notebook ({error})") from error
    return {
        path for number, (path, cell) in enumerate(_cells(notebook), 1) if _matters(cell, number)
    }


_KEPT: Final = frozenset({"cells", "worksheets", "cell_type", "source"})


def _text_of(source: object) -> str | None:
    """The text of a cell [nbformat 4: "Cell types"]; None if its source is not text."""
    pieces = [source] if isinstance(source, str) else source
    if not isinstance(pieces, list) or not all(isinstance(piece, str) for piece in pieces):
        return None
    return "".join(pieces)


def _cells(notebook: object) -> Iterator[tuple[Path, object]]:
    """Each cell, and the keys that lead to it [nbformat 4: "cells", 3: "worksheets"]."""
    sheets: dict[Path, object] = {(): notebook}
    if isinstance(notebook, dict) and "worksheets" in notebook:
        worksheets = notebook["worksheets"]
        if not isinstance(worksheets, list):
            raise CannotRead(_NO_CELLS)
        sheets = {("worksheets", number): sheet for number, sheet in enumerate(worksheets)}
    for path, sheet in sheets.items():
        cells = sheet.get("cells") if isinstance(sheet, dict) else None
        if not isinstance(cells, list):
            raise CannotRead(_NO_CELLS)
        for number, cell in enumerate(cells):
            yield (*path, "cells", number), cell


_NO_CELLS: Final = "not a notebook (there is no list of cells in it)"


def _matters(cell: object, number: int) -> bool:
    """Tell whether a cell is Markdown with a text that matters.

    :raises CannotRead: if the cell does not have the form of a cell
    """
    if not isinstance(cell, dict):
        raise CannotRead(f"not a notebook (cell {number} is not an object)")
    if cell.get("cell_type") != "markdown":
        return False
    matters = cell.get("source", False)
    if matters is None:
        raise CannotRead(f"not a notebook (the source of cell {number} is not text)")
    return bool(matters)


def _span(source: SourceText, span: tuple[int, int]) -> tuple[int, int]:
    start, end = span
    if start < end:
        return source.span(start, end)
    start, _ = source.span(start, start + 1)
    return start, start

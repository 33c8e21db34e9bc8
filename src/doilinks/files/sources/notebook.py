"""Reads the Markdown cells of Jupyter notebooks. Positions are those in the JSON file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final, cast

from ...core.found import MARK, MARKDOWN_COMMENTS, Found, Silence, silences_in
from ...core.options import Options
from ...core.text import SourceText
from . import markdown
from .files import CannotRead
from .json_text import JsonString, Path, strings
from .prose import Lines, may_contain_name, placed, with_line_ends


def read(text: str, options: Options) -> Iterator[Found]:
    """Every DOI of a notebook's Markdown cells."""
    for cell in markdown_cells(text, lambda cell: may_contain_name(cell, "md", options)):
        yield from placed(markdown.read(cell.text, options), cell)


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
    """The text of Markdown cells that matters, with its places in the file.

    Keeps one cell in memory at a time. The rest of a large notebook is mostly pictures.
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
    """The keys that lead to the Markdown cells whose text matters."""

    def kept(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
        """What stays of a JSON object: no text, but whether that of a cell matters."""
        left = {key: value for key, value in pairs if key in _KEPT}
        if "source" in left:  # a text, or its lines [nbformat 4: "Cell types"]
            source = left["source"]
            lines = [source] if isinstance(source, str) else source
            is_text = isinstance(lines, list) and all(isinstance(each, str) for each in lines)
            left["source"] = holds("".join(cast("list[str]", lines))) if is_text else None
        return left

    try:
        notebook = json.loads(text, object_pairs_hook=kept)
    except (ValueError, RecursionError) as error:
        raise CannotRead(f"not a notebook ({error})") from error
    wanted = set()
    for number, (path, cell) in enumerate(_cells(notebook), 1):
        if not isinstance(cell, dict):
            raise CannotRead(f"not a notebook (cell {number} is not an object)")
        if cell.get("cell_type") != "markdown":
            continue
        if (matters := cell.get("source", False)) is None:
            raise CannotRead(f"not a notebook (the source of cell {number} is not text)")
        if matters:
            wanted.add(path)
    return wanted


_KEPT: Final = frozenset({"cells", "worksheets", "cell_type", "source"})


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

"""Reads the Markdown cells of Jupyter notebooks. Positions are those in the JSON file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final, cast

from ..core.found import MARK, MARKDOWN_COMMENTS, Found, IgnoreComment, silences_in
from ..core.options import Options
from ..core.text import SourceText
from . import markdown
from .common import Lines, placed, with_line_ends
from .files import CannotRead
from .json_text import JsonString, strings
from .sieve import may_contain_name


def read(text: str, options: Options) -> Iterator[Found]:
    """Every DOI of a notebook's Markdown cells."""
    for cell in markdown_cells(text, lambda cell: may_contain_name(cell, "md", options)):
        yield from placed(markdown.read(cell.text, options), cell)


def comments(text: str, file: str | None) -> Iterator[IgnoreComment]:
    """Yield the comments for the check in Markdown cells. A cell may be one line of a file."""
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
    """Yield the text of each Markdown cell that matters, with its places in the file.

    Keeps one cell in memory at a time. The rest of a large notebook is mostly pictures.
    """
    wanted = _wanted(text, holds)
    if not wanted:
        return

    def cell_of(string: JsonString) -> int | None:
        match string.path:
            case ("cells", int(cell), "source", *_) if cell in wanted:
                return cell
        return None

    for cell, group in groupby(strings(text), cell_of):
        if cell is not None:
            cell_text = SourceText.from_parts(part for string in group for part in string.parts())
            cell_text.text = with_line_ends(cell_text.text)
            yield cell_text


def _wanted(text: str, holds: Callable[[str], bool]) -> set[int]:
    """Return the numbers of the Markdown cells whose text matters."""

    def kept(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
        """Return what stays of a JSON object: no text, but whether that of a cell matters."""
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
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        old = '"worksheets"' in text
        why = "it has format 3: save it with Jupyter" if old else "there is no list of cells in it"
        raise CannotRead(f"not a notebook ({why})")
    wanted = set()
    for number, cell in enumerate(cells):
        if not isinstance(cell, dict):
            raise CannotRead(f"not a notebook (cell {number + 1} is not an object)")
        if cell.get("cell_type") != "markdown":
            continue
        if (matters := cell.get("source", False)) is None:
            raise CannotRead(f"not a notebook (the source of cell {number + 1} is not text)")
        if matters:
            wanted.add(number)
    return wanted


_KEPT: Final = frozenset({"cells", "cell_type", "source"})

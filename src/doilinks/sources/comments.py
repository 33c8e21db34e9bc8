"""The comments for the check in a source: those of its format, and those of the texts in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from ..core.silence import MARK, Silence, silences_in
from .found import Lines
from .literals import tokens

__all__ = ["comments"]

_PROGRAMS: Final = frozenset({"py", "pyx"})


def comments(text: str, kind: str, file: str | None = None) -> Iterator[Silence]:
    r"""The comments for the check in a source, with the places that they silence.

    :param kind: one of :data:`~doilinks.sources.files.TYPES`
    :raises CannotRead: if the text is not of that type

    >>> [each.silenced for each in comments('x = "# doilinks: ignore"\n', "py")]
    []
    """
    if MARK not in text:
        return
    if kind == "ipynb":
        yield from _of_notebook(text, file)
    elif kind in _PROGRAMS:
        yield from _of_program(text, kind, file)
    else:
        yield from silences_in(text, kind, file)


def _of_notebook(text: str, file: str | None) -> Iterator[Silence]:
    """Those of the Markdown cells. A cell of many lines may be on one line of the file."""
    from .notebook import markdown_cells  # imports markdown-it-py

    lines = Lines(text)
    for cell in markdown_cells(text, lambda source: MARK in source):
        starts = [*Lines(cell.text).starts, len(cell.text)]
        for each in silences_in(cell.text, "md", file):
            if each.silenced is None or each.line is None:
                continue
            (first, _), (after, _) = each.silenced
            start, end = cell.span(starts[first - 1], starts[after - 1])
            at, _ = cell.span(starts[each.line - 1], starts[each.line])
            line, _ = lines.place(at)
            yield replace(each, line=line, silenced=(lines.place(start), lines.place(end)))


_CHARACTER: Final = re.compile(r"[^\n]")


def _of_program(text: str, kind: str, file: str | None) -> Iterator[Silence]:
    """Those in comments of the program, and those in the reStructuredText of its docstrings."""
    pieces, at = [], 0
    for token in tokens(text):
        # A `#` in a string does not begin a comment.
        if token.quote and text.find(MARK, token.first, token.last) >= 0:
            hidden = _CHARACTER.sub("x", text[token.first : token.last])
            pieces += [text[at : token.first], hidden]
            at = token.last
    yield from silences_in("".join([*pieces, text[at:]]), kind, file)
    if not pieces:
        return
    from .python import documentation  # imports docutils

    lines = Lines(text)
    groups, _ = documentation(text, lambda string: MARK in string, cython=kind == "pyx")
    for token in (each for group in groups for each in group):
        before = lines.place(token.first)[0] - 1
        silences = silences_in(text[token.first : token.last], "rst", file)
        yield from (each.moved(before) for each in silences)

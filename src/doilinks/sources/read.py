"""Reads one source: its octets, its text, its DOIs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from typing import Any, Final

from ..core.found import MARK, Found, Silence, silences_in
from ..core.options import Options
from .files import CannotRead, Source, Unread, octets_of, text_of
from .found import Lines, may_contain_name
from .literals import tokens

__all__ = [
    "CannotRead",
    "comments",
    "load",
    "read",
]


# --------------------------------------------------------------------------------------------------
# The comments for the check in a source: those of its format, and those of the texts in it.

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


_MODULES: Final = {
    "md": "markdown", "rst": "rest", "ipynb": "notebook", "html": "html", "xhtml": "xhtml",
    "txt": "plain", "bib": "bibtex", "cff": "citation",
    "py": "python", "pyx": "cython",
}  # fmt: skip


def load(source: Source, remark: Callable[[str], object] = lambda _message: None) -> str:
    r"""The text of a source in any encoding.

    A byte order mark is removed, and line ends become ``\n``.

    :param remark: called with a message if the encoding had to be guessed
    :raises Binary: if the source is not a text
    :raises CannotRead: if the source cannot be opened, is too large, or changes meanwhile
    """
    text, guessed = text_of(octets_of(source), source.kind)
    if guessed:
        remark(f"{source.path}: {guessed}")
    return text


def read(
    text: str,
    kind: str,
    options: Options,
    file: str = "-",
    unread: Callable[[str], object] = lambda _message: None,
    *,
    blocks: bool = False,
) -> Iterator[Found]:
    """Every DOI of a text, in the order of the text.

    :param kind: one of :data:`~doilinks.sources.files.TYPES`
    :param unread: called with a message for each place where a DOI should be, but could not be read
    :param blocks: whether each DOI knows the block that contains it, which keeps the text in memory
    :raises CannotRead: if the text is not of that type, or the parser fails
    """
    if not may_contain_name(text, kind):
        return
    module = import_module(f".{_MODULES[kind]}", __package__)
    reader: Callable[[str, Options], Iterator[Found | Unread]] = module.read
    lines = Lines(text)
    try:
        for found in reader(text, options):
            if isinstance(found, Unread):
                line, column = lines.place(found.at)
                unread(f"{file}:{line}:{column}: {found.reason}")
                continue
            around = found.around if blocks else None
            yield _placed(found, text, lines, file=file, around=around)
    except (CannotRead, MemoryError):
        raise
    except RecursionError as error:
        raise CannotRead("nested too deeply") from error
    except Exception as error:
        # A parser may raise any exception, and all other files have to be read.
        raise CannotRead(f"reading it as {kind} failed ({type(error).__name__})") from error


def _placed(found: Found, text: str, lines: Lines, **others: Any) -> Found:
    """A DOI with its line and column. An empty span is the place where its block begins.

    :param others: other fields to set
    """
    if found.span is None:
        return replace(found, **others)
    start, end = found.span
    line, column = lines.place(start)
    span, written = (found.span, text[start:end]) if start < end else (None, None)
    return replace(found, line=line, column=column, span=span, written=written, **others)

"""Reads one source, by the row of its type: its text, its DOIs, its comments for the check."""

from __future__ import annotations

import os
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any, Final

from ..core.doi import DOI
from ..core.found import MARK, Found, IgnoreComment, silences_in
from ..core.nameless import NoName
from ..core.options import Options
from .common import Lines
from .files import CannotRead, Source, Unread, decode, octets_of
from .sieve import may_contain_name
from .types import TYPES


def comments(text: str, kind: str, file: str | None = None) -> Iterator[IgnoreComment]:
    """Yield the comments for the check in a source of a type, with the places they silence."""
    row = TYPES[kind]
    if MARK not in text:
        return
    if row.comments_by:
        yield from _function(row.comments_by, row.lexer)(text, file)
    elif row.comments:
        yield from silences_in(text, row.comments, file)


def _function(path: str, lexer: str) -> Callable[..., Any]:
    """Load what a row of the table of types names; late, as its module may import much."""
    module, _, name = path.partition(":")
    function: Callable[..., Any] = getattr(import_module(f".{module}", __package__), name or "read")
    return partial(function, lexer=lexer) if lexer else function


def load(
    source: Source,
    remark: Callable[[str], object] = lambda _message: None,
    octets: bytes | None = None,
) -> str:
    """Return the text of a source in any encoding; make a remark if that had to be guessed.

    It may raise ``CannotRead``, and ``Binary`` if the source is not a text.
    """
    decoded = decode(octets_of(source) if octets is None else octets, source.kind)
    if decoded.guessed:
        remark(f"{source.path}: {decoded.guessed}")
    return decoded.as_read


def read(
    text: str,
    kind: str,
    options: Options,
    file: str = "-",
    unread: Callable[[str], object] = lambda _message: None,
    exists: Callable[[str], bool] = os.path.exists,
    *,
    blocks: bool = False,
    nameless: bool = False,
) -> Iterator[Found]:
    """Find every DOI of a text of a type, in order; raise ``CannotRead`` if the text is not one.

    A message tells of each place where a DOI should be, but is ``unread``; with ``nameless``, it is
    a ``Found`` too, whose DOI is a ``NoName``. With ``blocks``, each DOI knows the block that
    contains it, which keeps the text in memory. ``exists`` tells whether a target is a file.
    """
    if not may_contain_name(text, kind, options):
        return
    row = TYPES[kind]
    reader: Callable[[str, Options], Iterator[Found | Unread]] = _function(row.reader, row.lexer)
    lines = Lines(text)
    try:
        for found in reader(text, options):
            if isinstance(found, Unread):
                line, column = lines.place(found.at)
                unread(f"{file}:{line}:{column}: {found.reason}")
                continue
            if found.form == "target" and _leads_somewhere(found.doi.name, text, file, exists):
                continue
            around = found.around if blocks else None
            placed = _placed(found, text, lines, options, file=file, around=around)
            if isinstance(placed.doi, NoName) and not nameless:
                unread(f"{file}:{placed.line}:{placed.column}: {placed.doi.message}")
            else:
                yield placed
    except (CannotRead, MemoryError):
        raise
    except RecursionError as error:
        raise CannotRead("nested too deeply") from error
    except Exception as error:
        # A parser may raise any exception, and all other files have to be read.
        raise CannotRead(f"reading it as {kind} failed ({type(error).__name__})") from error


# A page is mostly linked by the address that it will have.
_ENDINGS: Final = ("", ".md", ".rst", ".ipynb", ".html")


def _leads_somewhere(target: str, text: str, file: str, exists: Callable[[str], bool]) -> bool:
    if f".. _{target}:" in text or f"({target})=" in text:  # a label
        return True
    path = os.path.join(os.path.dirname(file), target)  # noqa: PTH118, PTH120  paths are texts here
    return "\0" not in path and any(exists(path + end) for end in _ENDINGS)


def _placed(place: Found, text: str, lines: Lines, options: Options, **others: Any) -> Found:
    """Add its line and column to a DOI. An empty span is the place where its block begins."""
    start, end = place.span or (0, 0)
    line, column = lines.place(start)
    if start == end:
        return replace(place, line=line, column=column, span=None, **others)
    cites = options.cites and text[max(0, start - 2) : start].endswith(("@", "@{"))
    form = "cite" if cites and place.form in ("label", "bare", "url") else place.form
    return replace(place, form=form, line=line, column=column, written=text[start:end], **others)


_DEFAULT: Final = Options()


def lines_of(
    source: str, dois: Iterable[DOI], start: int = 0, options: Options = _DEFAULT
) -> Iterator[int | None]:
    r"""Yield the line of each DOI of a page, from 1; None for one that its source does not contain.

    Python-Markdown does not keep the lines, so the source is read once more. If a name is in it
    several times, its lines are yielded in their order. If a page has a name more often than its
    source, the last line is yielded again. This happens with links by reference, whose target is
    written once.

    >>> list(lines_of("`10.1000/a`\n10.1000/ab\n10.1000/a", [DOI("10.1000/a"), DOI("10.1000/c")]))
    [3, None]
    """
    lines: defaultdict[DOI, deque[int | None]] = defaultdict(deque)
    body = "\n" * source.count("\n", 0, start) + source[start:]
    try:
        for found in read(body, "md", options, nameless=True):
            lines[found.doi].append(found.line)
    except CannotRead:
        lines.clear()
    for doi in dois:
        at = lines.get(doi)
        yield (at.popleft() if len(at) > 1 else at[0]) if at else None

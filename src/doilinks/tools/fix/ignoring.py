"""Writes the comment that silences a name, ``doilinks: ignore``, where its format allows one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from ...core.found import REST_COMMENTS, Found, IgnoredLines
from ...core.options import Options
from ...sources import TYPES, CannotRead, comments, read
from .rules import Edit


def ignoring(
    text: str, kind: str, options: Options, file: str, names: Sequence[Found], name: Found
) -> Edit | None:
    """Return the edit that silences one of the names of a text; None if the type has no comments.

    The text, read again, has the same names, and a comment is about this one.
    """
    for at, new in _ways(text, kind, name):
        changed = text[:at] + new + text[at:]
        with suppress(CannotRead):
            again = list(read(changed, kind, options, file, nameless=True))
            ignored = IgnoredLines(comments(changed, kind, file))
            silent = {each.doi for each in again if ignored.comment_on(each)}
            if name.doi in silent and [one.doi for one in again] == [one.doi for one in names]:
                return at, at, new
    return None


def _ways(text: str, kind: str, name: Found) -> Iterator[tuple[int, str]]:
    """Yield places and comments: at the end of the line, on the line before, before the block."""
    row, at = TYPES[kind], name.span[0] if name.span else 0
    start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    block = text.rfind("\n\n", 0, at) + 2 if "\n\n" in text[:at] else 0
    for syntax in (row.comments, REST_COMMENTS if row.comments_by else None):
        for comment in syntax.comments[:1] if syntax else ():
            mark, to_blank_line = comment.example, syntax.to_blank_line if syntax else False
            if not to_blank_line:
                yield end if end >= 0 else len(text), f" {mark}"
            for first in (start, block):
                line = text[first:].partition("\n")[0]
                margin = line[: len(line) - len(line.lstrip())]
                yield first, f"{margin}{mark}\n" + "\n" * to_blank_line

"""A file that a command changes: its diff, and the file itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import islice
from typing import Final

from ...core.printable import counted, printable
from ...shared.streams import has_colour, has_terminal, say_painted, write_output
from ..fix import Change, Original, unified, write
from ..sources import Source
from ..sources.prose import Lines
from .terminal import warn

# How a line of a diff begins, and its style.
_STYLES: Final = {"@": "cyan", "-": "red", "+": "green"}


def print_diff(source: Source, before: bytes, after: bytes, changes: Iterable[Change] = ()) -> None:
    """Print a unified diff, in colours at a terminal; else in the encoding of the file.

    :param changes: what has changed, if lines may have been added
    """
    old, new = Original(before, source.kind), Original(after, source.kind)
    starts = Lines(old.text)
    added: Counter[int] = Counter()
    for start, _, text in (edit for change in changes for edit in change.edits):
        added[starts.place(start)[0] - 1] += text.count("\n")
    left, olds = iter(new.lines()), old.lines()
    news = ["".join(islice(left, 1 + added[number])) for number in range(len(olds))]
    lines = unified(olds, news, printable(source.path))
    if has_terminal(1) or has_colour(1):
        for number, line in enumerate(lines):
            style = "bold" if number < 2 else _STYLES.get(line[:1], "")  # two lines of head
            # Without expandtabs, a tabulator is shown as \t.
            say_painted((style, line.removesuffix("\n").expandtabs()))
    else:
        write_output(b"".join(map(old.encode, lines)))


def replace_file(source: Source, before: bytes, after: bytes) -> bool:
    """Write a file. Returns whether it is written; if not, a message says why."""
    try:
        others = write(source.real, before, after)
    except OSError as error:
        warn(f"{source.path}: {error.strerror or error}; not written")
        return False
    if others:
        links = counted(others, "other hard link")
        warn(f"{source.path}: the file had {links}, with the old text in a file apart now")
    return True

"""A file that a command changes: its diff, and the file itself."""

from __future__ import annotations

import errno
import os
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Final

from ...core.printable import counted, printable
from ...shared.replace import replace
from ...shared.streams import has_colour, has_terminal, say_painted, write_output
from ...sources import Source
from ...sources.common import Lines
from ..fix import Change, Original, unified
from .terminal import warn

# How a line of a diff begins, and its style.
_STYLES: Final = {"@": "cyan", "-": "red", "+": "green"}


def print_diff(source: Source, before: bytes, after: bytes, changes: Iterable[Change] = ()) -> None:
    """Print a unified diff, in colours at a terminal; else in the encoding of the file."""
    old, new = Original(before, source.kind), Original(after, source.kind)
    starts = Lines(old.text)
    added: Counter[int] = Counter()
    for start, end, text in (edit for change in changes for edit in change.edits):
        lines = text.count("\n") - old.text.count("\n", start, end)
        added[starts.place(start)[0] - 1] += lines
    left, olds = iter(new.lines()), old.lines()
    news = ["".join(islice(left, 1 + added[number])) for number in range(len(olds))]
    through_link = os.path.abspath(source.path) != source.real  # noqa: PTH100  as in Source
    # Neither git nor patch changes a file through a link.
    path = os.path.relpath(source.real) if through_link else source.path
    shown = unified(olds, news, printable(path))
    if has_terminal(1) or has_colour():
        for number, line in enumerate(shown):
            style = "bold" if number < 2 else _STYLES.get(line[:1], "")  # two lines of head
            # Without expandtabs, a tabulator is shown as \t.
            say_painted((style, line.removesuffix("\n").expandtabs()))
    else:
        write_output(b"".join(map(old.encode, shown)))


def give(
    source: Source,
    before: bytes,
    after: bytes,
    changes: Iterable[Change] = (),
    *,
    diff: bool,
    check: bool,
) -> bool:
    """Print the diff of a file, or write it, unless it is only checked; whether that succeeded."""
    if diff:
        print_diff(source, before, after, changes)
    if diff or check:
        return True
    if source.path == "-":
        write_output(after)
        return True
    try:
        others = write(source.real, before, after)
    except OSError as error:
        warn(f"{source.path}: {error.strerror or error}; not written")
        return False
    if others:
        links = counted(others, "other hard link")
        warn(f"{source.path}: the file had {links}, with the old text in a file apart now")
    return True


def write(path: str, before: bytes, octets: bytes) -> int:
    """Replace the octets of a document; returns how many other hard links keep the old ones.

    :raises OSError: if the document cannot be written, no longer contains ``before``, or has
        another path now; it is unchanged then
    """
    target = Path(path)
    if not target.is_file():  # a second read of a pipe may never end
        raise OSError(errno.EINVAL, "it is not a file, but a pipe or a device")
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    others = target.stat().st_nlink - 1
    replace(target, octets, before=before)
    return others

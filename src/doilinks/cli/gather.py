"""Reads the paths that the user named; a file that cannot be read does not stop it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ..core.found import Found
from ..core.options import Options
from ..core.silence import Silence, silences_in
from ..sources import Binary, CannotRead, Source, load, read, walk
from .reading import Reading
from .terminal import progress, warn

__all__ = ["Gathered", "gather", "sources_at", "unread"]


@dataclass
class Gathered:
    """All DOIs of a run.

    :ivar silences: the comments that silence names
    :ivar files: how many files were read
    :ivar failed: how many paths could not be read; each was named on standard error
    """

    found: list[Found] = field(default_factory=list)
    silences: list[Silence] = field(default_factory=list)
    files: int = 0
    failed: int = 0


def gather(paths: Sequence[str], reading: Reading, options: Options) -> Gathered:
    """Read all files below ``paths``, each once."""
    gathered = Gathered()
    blocks = options.check_works != "off"

    def fail(path: str, reason: str) -> None:
        gathered.failed += 1
        unread(path, reason)

    sources = sources_at(paths, reading, fail)
    with progress("reading") as step:
        for done, source in enumerate(sources, 1):
            try:
                # First make a list: if a file fails midway, none of its names count.
                text = load(source, warn)
                dois = read(text, source.kind, options, source.path, warn, blocks=blocks)
                gathered.found += list(dois)
                gathered.silences += silences_in(text, source.kind, source.path)
                gathered.files += 1
            except Binary as error:
                warn(f"{source.path}: a binary file ({error}); skipped")
            except CannotRead as error:
                fail(source.path, str(error))
            step(done, len(sources))
    return gathered


def unread(path: str, reason: str) -> None:
    """Say that a path could not be read."""
    warn(f"{path}: {reason}; not read")


def sources_at(
    paths: Sequence[str], reading: Reading, fail: Callable[[str, str], object]
) -> list[Source]:
    """All sources below ``paths``, each once.

    :param fail: called with each path that cannot be read, and the reason
    """
    sources: list[Source] = []
    seen: set[str] = set()
    failed: list[str] = []

    def unreadable(error: OSError, path: str | None = None) -> None:
        failed.append("")
        shown = os.fsdecode(error.filename).removeprefix("./") if path is None else path
        fail(shown, error.strerror or str(error))

    rules = reading.rules()
    for path in paths:
        empty = True
        failed.clear()
        try:
            found = walk(
                path,
                reading.kind,
                hidden=reading.hidden,
                unreadable=unreadable,
                left_out=reading.left_out,
                rules=rules,
            )
            for source in found:
                empty = False
                real = source.path if source.path == "-" else os.path.realpath(source.path)
                if real not in seen:
                    seen.add(real)
                    sources.append(source)
        except OSError as error:
            unreadable(error, path)
        if empty and not failed:
            warn(f"{path}: no file of a type that is read")
    return sources

"""A unified diff of two versions of a file that have the same number of lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

__all__ = ["unified"]

_AROUND: Final = 3  # lines before and after a change, as `diff -u` gives them


def unified(old: Sequence[str], new: Sequence[str], file: str) -> Iterator[str]:
    r"""The lines of a diff, each with its line end.

    A change never adds or removes a line, so the time is linear; ``difflib`` needs more.

    >>> list(unified(["a\n", "b\n"], ["a\n", "c\n"], "x.md"))[2:]
    ['@@ -1,2 +1,2 @@\n', ' a\n', '-b\n', '+c\n']
    """
    changed = [at for at, (one, two) in enumerate(zip(old, new, strict=True)) if one != two]
    if changed:
        yield from (f"--- {file}\n", f"+++ {file}\n")
    begin = 0
    while begin < len(changed):
        end = begin + 1
        while end < len(changed) and changed[end] - changed[end - 1] <= 2 * _AROUND:
            end += 1
        yield from _hunk(old, new, changed[begin:end])
        begin = end


def _hunk(old: Sequence[str], new: Sequence[str], changed: Sequence[int]) -> Iterator[str]:
    first = max(0, changed[0] - _AROUND)
    last = min(len(old), changed[-1] + 1 + _AROUND)
    place = f"{first + 1},{last - first}" if last - first != 1 else f"{first + 1}"
    yield f"@@ -{place} +{place} @@\n"
    at = first
    while at < last:
        if old[at] == new[at]:
            yield from _line(" ", old[at])
            at += 1
            continue
        end = at
        while end < last and old[end] != new[end]:
            end += 1
        for number in range(at, end):
            yield from _line("-", old[number])
        for number in range(at, end):
            yield from _line("+", new[number])
        at = end


def _line(mark: str, line: str) -> Iterator[str]:
    yield f"{mark}{line}"
    if not line.endswith("\n"):
        yield "\n\\ No newline at end of file\n"

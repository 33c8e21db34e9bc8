"""Seconds of processor time that hostile input takes, at several sizes.

A host may itself take more than linear time. What counts is therefore what doilinks adds: the time
of the host with doilinks less that of the host alone. Below a part of the latter it is the noise
that two runs of the host differ by.

Each measurement runs in a forked process, so that one leaves no memory to the next.
"""

from __future__ import annotations

import gc
import math
import multiprocessing
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from typing import NamedTuple

from .entries import Entry, entries
from .runs import EVERY, inputs_of

NOISE = 0.3  # of a host's own time; what two runs of it may differ by
PATIENCE = 40.0  # seconds; a size that would take longer is left out
ENOUGH = 0.1  # seconds; after so many there is no further run
LEAST = 0.01  # seconds; below that the processor's caches are what is measured

# One of each kind: labels, digits and dots, brackets, quotes, what follows a name, and names.
IN_TABLE = (
    "10.10.10.…", "name + '('", "doi:doi:…10.1000/1", "name + '.'", "name + '\"'", "name + '<'", "nested names",
    "short names", "distinct names, commas", "short names, paragraphs",
)  # fmt: skip
TABLE_SIZES = (10**4, 10**5, 10**6, 10**7)
SIZES = (5_000, 10_000, 20_000, 10**5)


class Time(NamedTuple):
    """What doilinks adds at one size, and what its host takes without it, in seconds."""

    size: int
    ours: float
    host: float


class Row(NamedTuple):
    """One input through one entry point; ``doubled`` is what twice the size costs.

    :ivar doubled: 0 where the noise of the host hides it
    """

    made: str
    times: list[Time]
    doubled: float


def seconds(call: Callable[[str], object], made: str, size: int) -> float:
    """The least processor time of some runs, each on another text, since hosts remember the last."""
    best, total = math.inf, 0.0
    for run in range(9):
        text = EVERY[made](size + 50 * run)
        gc.collect()
        start = time.process_time()
        call(text)
        taken = time.process_time() - start
        best, total = min(best, taken), total + taken
        if total > ENOUGH:
            break
    return best


def measured(entry: Entry, made: str, size: int) -> Time:
    """Run an entry point and its host alone, in a process of their own.

    :raises RuntimeError: the process came to an end without a result, for want of memory perhaps
    """
    ours, theirs = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(
        target=_measure, args=(entry, made, size, theirs)
    )
    child.start()
    theirs.close()
    try:
        return ours.recv()
    except EOFError:
        raise RuntimeError(f"{made}: no result for {size:,} characters") from None
    finally:
        child.join()


def _measure(entry: Entry, made: str, size: int, result: Connection) -> None:
    entry.run(EVERY[made](200))  # patterns are compiled once
    both = seconds(entry.run, made, size)
    host = seconds(entry.alone, made, size) if entry.alone else 0.0
    result.send(Time(size, both - host, host))


def growth(small: tuple[float, float], large: tuple[float, float]) -> float:
    """How many times more doilinks takes for a larger text.

    :param small: of the smaller text what doilinks takes and what its host takes, in any unit
    :param large: the same of the larger text
    :returns: 0 where the noise of the host hides it
    """
    (ours, host), (ours_large, host_large) = small, large
    if ours_large < NOISE * host_large:
        return 0.0
    least = NOISE * host if host else 1e-5
    return ours_large / max(ours, least)


def measure(entry: Entry, made: str, sizes: tuple[int, ...]) -> Row:
    """Seconds at each size; what a doubling costs is what the largest costs more than its half."""
    times: list[Time] = []
    for size in sizes:
        if _expected(times, size) > PATIENCE:
            break
        times.append(measured(entry, made, size))
    last = times[-1]
    half = measured(entry, made, last.size // 2)
    return Row(made, times, growth(half[1:], last[1:]))


def _expected(times: list[Time], size: int) -> float:
    """Seconds that a run with and one without doilinks will take, from those of smaller texts."""
    both = [max(each.ours, 0.0) + 2 * each.host for each in times]
    if not both:
        return 0.0
    grown = both[-1] / both[-2] if len(both) > 1 and both[-2] > 0.01 else 0.0
    return both[-1] * max(grown, size / times[-1].size)


def steepest(words: list[str], *, every: bool) -> Iterator[str]:
    """For each entry point the inputs that grow fastest and those that cost most; or all."""
    for name, entry in chosen(words):
        sizes = tuple(size for size in SIZES if size <= entry.largest)[-3:]
        rows = [measure(entry, made, sizes) for made in inputs_of(name)]
        if not every:
            steep = sorted(rows, key=lambda row: -row.doubled)[:5]
            dear = sorted(rows, key=lambda row: -row.times[-1].ours)[:3]
            rows = steep + [row for row in dear if row not in steep]
        shown = ", ".join(f"{size:,}" for size in sizes)
        yield f"\n{name}: {len(rows)} inputs; seconds for {shown} characters; a doubling"
        for row in rows:
            times = " ".join(f"{each.ours:9.5f}" for each in row.times)
            yield f"  {row.made:30} {times:30}  x{row.doubled:.2f}"


def table(words: list[str]) -> Iterator[str]:
    """In Markdown: seconds of each entry point at 10^4 to 10^7 characters.

    Where there is a host, what doilinks adds, and the host's own time after a plus sign.
    """
    for name, entry in chosen(words):
        if name == "all but scan":  # each of them has a table
            continue
        yield f"\n### {name[0].upper()}{name[1:]}\n"
        yield "| Text | " + " | ".join(f"{size:,}" for size in TABLE_SIZES) + " | Doubled |"
        yield "|---|" + "--:|" * (len(TABLE_SIZES) + 1)
        for made in IN_TABLE:
            row = measure(entry, made, TABLE_SIZES)
            cells = [_cell(each, alone=entry.alone is not None) for each in row.times]
            cells += ["–"] * (len(TABLE_SIZES) - len(cells))
            text = made.replace("|", "\\|")
            yield f"| `{text}` | " + " | ".join(cells) + f" | {_doubled(row)} |"


def _cell(taken: Time, *, alone: bool) -> str:
    ours, host = (
        f"{each:.3f}" if each < 1 else f"{each:.1f}" for each in (max(taken.ours, 0), taken.host)
    )
    return f"{ours} + {host}" if alone else ours


def _doubled(row: Row) -> str:
    if row.times[-1].ours < LEAST and row.times[-1].host < LEAST:
        return "under 10 ms"
    return f"{row.doubled:.2f} ×" if row.doubled else "noise"


def chosen(words: list[str]) -> Iterator[tuple[str, Entry]]:
    """The entry points whose name contains one of the words; all without words."""
    for name, entry in entries():
        if not words or any(word in name for word in words):
            yield name, entry

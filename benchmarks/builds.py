"""Times the builds of a host with doilinks and without it, by turns."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

# Builds into a folder, and returns the processor time that this took.
Build = Callable[[Path], float]


def seconds(program: str, *arguments: object) -> float:
    """The processor time that a program measures and prints, in a process of its own."""
    command = [sys.executable, "-c", program, *map(str, arguments)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(done.stdout)


def links(out: Path, pattern: str, mark: str) -> int:
    """How many DOIs a build has linked.

    :param pattern: that of the pages
    :param mark: what each link contains once
    """
    return sum(page.read_text().count(mark) for page in out.rglob(pattern))


def compare(
    host: str, pages: int, rounds: int, builds: Mapping[str, Build], linked: Callable[[Path], int]
) -> None:
    """Build by turns, and print the ratio of the medians.

    :param builds: ``without`` and ``with`` doilinks, in this order
    :param linked: how many DOIs a build has linked; each tenth page has two
    """
    times: dict[str, list[float]] = {name: [] for name in builds}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds):
            for name in sorted(builds, reverse=number % 2 == 1):
                times[name].append(builds[name](Path(folder, f"{number}{name}")))
        found = linked(Path(folder, "0with")), linked(Path(folder, "0without"))
    if found != (2 * pages // 10, 0):
        sys.exit(f"wrong: {found} DOIs linked")
    without, with_it = map(statistics.median, times.values())
    print(
        f"{host} {pages} pages, check off   {with_it / without:6.3f} x   "
        f"({without:.2f} s without, {with_it:.2f} s with, {found[0]} DOIs, {rounds} runs each)"
    )

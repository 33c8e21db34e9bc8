"""How fast `doilinks scan` reads a tree, for each type of file, beside `grep -E` over the same files.

    python benchmarks/tree.py [FOLDER ...]

Without a folder, it reads files of the packages that are installed here: real prose, and nothing is
fetched. The two programs take turns, and the least processor time of each counts, without what
`doilinks` needs to start. The last rows read all files at once, with one process and with one for
each core, for which the time on the clock counts.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from doilinks.sources import TYPES

MOST = 8_000_000  # bytes of each type
TURNS = 3
SHORT = 0.01  # seconds
PATTERN = r"10\.[0-9]{4,9}/"
DOILINKS = (str(Path(sys.executable).with_name("doilinks")), "scan")


class Used(NamedTuple):
    """What a program needed: seconds of the processor and of the clock, MiB at its peak."""

    cpu: float
    wall: float
    peak: float


def collect(folders: list[Path], into: Path) -> dict[str, int]:
    """Copy a sample of the files of each type into a folder of its own; the bytes of each."""
    sizes = {}
    for kind in TYPES:
        files = [file for folder in folders for file in sorted(folder.rglob(f"*.{kind}"))]
        random.Random(1).shuffle(files)
        for number, file in enumerate(file for file in files if file.is_file()):
            if sizes.get(kind, 0) + file.stat().st_size <= MOST:
                (into / kind).mkdir(exist_ok=True)
                shutil.copyfile(file, into / kind / f"{number}.{kind}")
                sizes[kind] = sizes.get(kind, 0) + file.stat().st_size
    return sizes


def use(*command: str) -> Used:
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode and (command[0] != "grep" or process.returncode > 1):  # 1: nothing found
        sys.exit(f"{command} ended with {process.returncode}")
    wall = time.perf_counter() - start
    return Used(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024)


def least(*commands: tuple[str, ...]) -> list[Used]:
    """Of each command the least of everything, in turns."""
    turns = [[use(*command) for command in commands] for _ in range(TURNS)]
    return [Used(*map(min, *each)) for each in zip(*turns, strict=True)]


def speed(size: int, seconds: float) -> str:
    """Below ten milliseconds, the clock of the processor and the start of a program are too coarse."""
    return f"{'> ' * (seconds < SHORT)}{size / 1e6 / max(seconds, SHORT):.0f} MB/s"


def main() -> None:
    folders = [Path(each) for each in sys.argv[1:]] or [Path(sysconfig.get_path("purelib"))]
    with tempfile.TemporaryDirectory() as folder:
        sizes = collect(folders, Path(folder))
        empty = Path(folder, "empty.txt")
        empty.touch()
        (start,) = least((*DOILINKS, str(empty)))
        print(f"{'':8}{'MB':>8}{'doilinks':>14}{'grep -E':>14}{'peak':>10}")
        for kind, size in sizes.items():
            place = str(Path(folder, kind))
            ours, grep = least((*DOILINKS, "--jobs", "1", place), ("grep", "-rohE", PATTERN, place))
            mine, theirs = speed(size, ours.cpu - start.cpu), speed(size, grep.cpu)
            print(f".{kind:7}{size / 1e6:8.2f}{mine:>14}{theirs:>14}{ours.peak:6.0f} MiB")
        for jobs in sorted({1, os.cpu_count() or 1}):
            (all_of,) = least((*DOILINKS, "--jobs", str(jobs), folder))
            total = sum(sizes.values()) / 1e6
            print(
                f"all files, --jobs {jobs}: {total:.1f} MB in {all_of.wall:.2f} s, "
                f"{total / all_of.wall:.1f} MB/s, peak {all_of.peak:.0f} MiB a process"
            )
        print(f"start: {start.cpu * 1000:.0f} ms, {start.peak:.0f} MiB")


if __name__ == "__main__":
    main()

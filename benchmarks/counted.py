"""The ratios of ``core.py`` and ``markdown_hosts.py`` in instructions, counted under valgrind.

``python benchmarks/counted.py`` prints one line a ratio. Other work on the machine does not change these
counts, so two versions of doilinks can be compared on a busy machine.
"""

from __future__ import annotations

import gc
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import markdown_hosts

import core

Run = Callable[[], object]

_CHILD = "DOILINKS_COUNTED"  # set in the process that valgrind runs


def pairs() -> Iterator[tuple[str, Run, Run]]:
    """What is compared, doilinks, and what doilinks is compared with."""
    for length in (2000, 200):
        text = core.prose(length, core.NAME)
        what = f"scan, a DOI in {length:,}, against Crossref's pattern"
        yield what, lambda text=text: core.all_of(text), lambda text=text: core.by_pattern(text)
    none = markdown_hosts.document("")
    names = markdown_hosts.document("doi:10.1000/182.{} ")
    links = markdown_hosts.document("<https://doi.org/10.1000/182.{}> ")
    for host, ours, host_alone in markdown_hosts.hosts():
        for what, text, other in (("no DOIs", none, none), ("a DOI a paragraph", names, links)):
            yield (
                f"{host}, {what}",
                lambda ours=ours, text=text: ours(text),
                lambda host_alone=host_alone, other=other: host_alone(other),
            )


def count() -> None:
    """Run everything in forked processes, which valgrind counts apart; print their numbers."""
    for what, *runs in pairs():
        numbers = []
        for run in runs:
            run()
            gc.collect()
            numbers.append([_fork(None), _fork(run)])
        print(json.dumps([what, numbers]), flush=True)


def _fork(run: Run | None) -> int:
    number = os.fork()
    if number == 0:
        gc.disable()
        if run:
            run()
        os._exit(0)
    os.waitpid(number, 0)
    return number


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="doilinks-") as folder:
        command = [
            "valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
            f"--log-file={folder}/%p", sys.executable, __file__,
        ]  # fmt: skip
        environment = {**os.environ, _CHILD: "1", "PYTHONHASHSEED": "0"}
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment)
        total = {}
        for file in Path(folder).iterdir():
            found = re.search(r"I +refs: +([\d,]+)", file.read_text())
            total[file.name] = int(found[1].replace(",", "")) if found else 0
    for line in done.stdout.decode().splitlines():
        what, numbers = json.loads(line)
        ours, theirs = (total[str(after)] - total[str(before)] for before, after in numbers)
        print(f"{what:52} {ours:>14,} {theirs:>14,} {ours / theirs:8.3f} x")


if __name__ == "__main__":
    count() if _CHILD in os.environ else main()

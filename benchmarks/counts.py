"""Instructions that short programs need, against the numbers of ``counts.json``.

``make counts`` fails where one needs more than 3 % more. A change that is worth its price writes the numbers
anew: ``python benchmarks/counts.py --write``.

A count depends on the machine, on the version of Python and on those of the hosts. So each number is a ratio
to a program of the same run which does the same work without doilinks, and there is one a version of Python.
Other work on the machine does not change it.
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
from functools import partial
from pathlib import Path
from shutil import which

NUMBERS = Path(__file__).with_name("counts.json")
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
MORE = 1.03
TIMES = 50  # that a text is scanned

_CHILD = "DOILINKS_COUNTS"  # set in the process that valgrind runs
VALGRIND = (
    "valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
)  # fmt: skip
Run = Callable[[], object]


def pairs() -> Iterator[tuple[str, Run, Run]]:
    """What is counted, doilinks, and what it is compared with."""
    import core
    import markdown_hosts
    from docutils.core import publish_string
    from docutils.parsers.rst import Parser as Rest

    from doilinks.core.options import Options
    from doilinks.docutils import Parser
    from doilinks.sources import read

    def often(run: Run) -> Run:
        return lambda: [run() for _ in range(TIMES)]

    texts = {
        "free": core.prose(2000),
        "sparse": core.sparse(),
        "dense": core.prose(200, core.NAME),
        "URLs": '<a href="https://doi.org/10.1000/182">a</a> (see https://doi.org/10.1000/1?a=b). '
        * 5,
    }
    for what, text in texts.items():
        yield (
            f"scan, {what}, against Crossref's pattern",
            often(lambda text=text: core.all_of(text)),
            often(lambda text=text: core.by_pattern(text)),
        )
    markdown_hosts.PARAGRAPHS = 30
    none = markdown_hosts.document("")
    page = none + "\n\n" + markdown_hosts.document("doi:10.1000/182.{} ")
    quiet = {"report_level": 5, "_disable_config": True}

    def html(parser: Rest) -> object:
        return publish_string(page, parser=parser, writer_name="html5", settings_overrides=quiet)

    for host, ours, alone in markdown_hosts.hosts():
        yield (
            f"{host}, a page, against no plug-in",
            lambda ours=ours: ours(page),
            lambda alone=alone: alone(page),
        )
    yield "docutils, a page, against no plug-in", lambda: html(Parser()), lambda: html(Rest())
    for kind in ("md", "rst"):
        yield (
            f"a .{kind} file without names, against Crossref's pattern",
            often(lambda kind=kind: list(read(none, kind, Options()))),
            often(lambda: core.by_pattern(none)),
        )


# Programs, each with the one it is compared with. What Python needs for its start is subtracted.
_FILTER = "import sys; from doilinks.pandoc import main; sys.exit(main())"
PROGRAMS = {
    "doilinks --version, against import click": (
        ("-m", "doilinks", "--version"), ("-c", "import click"),
    ),
    "the Pandoc filter without names, against import json": (
        ("-c", _FILTER, "html"), ("-c", "import json"),
    ),
}  # fmt: skip
_PARAGRAPHS = ",".join(['{"t":"Para","c":[{"t":"Str","c":"nothing"}]}'] * 1000)
_IDLE = f'{{"pandoc-api-version":[1,23,1],"meta":{{}},"blocks":[{_PARAGRAPHS}]}}'


def program(*arguments: str, given: bytes, folder: Path, **more: str) -> int:
    """The instructions of a program of Python that is run in a folder."""
    # Whoever installs doilinks has its modules compiled; with this, each program compiles them anew.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"PYTHONHASHSEED": "0", **more}
    for before in ((), VALGRIND):  # the first run may compile
        done = subprocess.run(
            [*before, sys.executable, *arguments],
            check=True, input=given, capture_output=True, cwd=folder, env=environment,
        )  # fmt: skip
    return counted(done.stderr.decode())


def counted(log: str) -> int:
    """The instructions that a log of valgrind says."""
    found = re.search(r"I +refs: +([\d,]+)", log)
    if found is None:
        sys.exit(f"valgrind has not counted: {log[-500:]}")
    return int(found[1].replace(",", ""))


def count(pairs: Iterator[tuple[str, Run, Run]]) -> None:
    """Run everything in forked processes, which valgrind counts apart; print their numbers."""
    for what, *runs in pairs:
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


def counts_of(file: str, mark: str) -> Iterator[tuple[str, int, int]]:
    """What a program prints that runs :func:`count`: each pair, its counts.

    :param mark: the variable of the environment that tells the program to do so
    """
    with tempfile.TemporaryDirectory(prefix="doilinks-") as folder:
        command = [*VALGRIND, f"--log-file={folder}/%p", sys.executable, file]
        environment = {**os.environ, mark: "1", "PYTHONHASHSEED": "0"}
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment)
        total = {each.name: counted(each.read_text()) for each in Path(folder).iterdir()}
    for line in done.stdout.decode().splitlines():
        what, numbers = json.loads(line)
        ours, theirs = (total[str(after)] - total[str(before)] for before, after in numbers)
        yield what, ours, theirs


def ratios() -> Iterator[tuple[str, float]]:
    for what, ours, theirs in counts_of(__file__, _CHILD):
        yield what, ours / theirs
    with tempfile.TemporaryDirectory(prefix="doilinks-") as name:
        run = partial(program, given=_IDLE.encode(), folder=Path(name))
        start = run("-c", "pass")
        for what, (ours, theirs) in PROGRAMS.items():
            yield what, (run(*ours) - start) / (run(*theirs) - start)


def main() -> int:
    if which("valgrind") is None:
        print("make counts: valgrind is not installed, so nothing is counted")
        return 1 if os.environ.get("CI") else 0
    known = json.loads(NUMBERS.read_text())
    before = known.get(VERSION, {})
    now, worse = {}, []
    for what, ratio in ratios():
        now[what] = round(ratio, 4)
        was = before.get(what)
        said = f"{ratio / was - 1:+8.1%} of {was:.4f}" if was else f"no number for Python {VERSION}"
        print(f"{what:58} {ratio:9.4f} {said}", flush=True)
        if was and ratio > was * MORE:
            worse.append(what)
    if "--write" in sys.argv:
        known[VERSION] = now
        NUMBERS.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n")
    elif worse:
        print(f"more than {MORE - 1:.0%} worse: {'; '.join(worse)}")
        print("If that is worth it: python benchmarks/counts.py --write")
        return 1
    return 0


if __name__ == "__main__":
    if _CHILD in os.environ:
        count(pairs())
    else:
        sys.exit(main())

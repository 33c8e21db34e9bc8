"""What the processor executes for hostile input, counted under valgrind."""

from __future__ import annotations

import functools
import gc
import importlib
import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from .html import SHAPES
from .inputs import INPUTS
from .runs import EVERY, PLACES, READ, WITH_SHAPES
from .seconds import growth

ROOT = Path(__file__).parents[2]

# The entry points that are counted, and the size of the smaller text: as small as shows a loop in a loop.
COUNTED = {
    "link_match, remarks": 500,  # remarks look 400 characters back for a bracket
    "all but scan": 250,
    **dict.fromkeys(("near misses", "API answer", "MkDocs"), 300),
    "two works": 1200,
    "references": 300,
    "compared with works": 600,
    **dict.fromkeys(("lock file, read", "lock file, written"), 300),
    **dict.fromkeys(("source txt", "source bib", "source html", "source xhtml", "source rst"), 300),
    **dict.fromkeys(("source tex", "source adoc", "source typ", "source rd", "source r"), 300),
    **dict.fromkeys(("source dcf", "source citation"), 300),
    **dict.fromkeys(("fix txt", "fix html", "fix tex", "fix md", "fix rst"), 300),
    "fix bib": 2400,
    "pages of HTML": 300,
    "a page of HTML, in place": 600,
    "blocks of rst": 600,
    "mystmd tree": 600,
    "source py": 600,
    "source cff": 300,
    "source json": 300,
    "comments for the check": 150,
    **dict.fromkeys(("source md", "source ipynb", "markdown-it-py", "Python-Markdown"), 150),
    **dict.fromkeys(("docutils Parser", "docutils and Sphinx trees", "pandoc rewrite"), 151),
}
# Every input for the core, and for others, which take long, these.
FOR_ALL_INPUTS = ("scan", "link_match, remarks")
FOR_HOSTS = (
    "short names", "short names, paragraphs", "distinct names, commas", "nested names",
    "nested quotes", "tags <a over names", "unclosed elements", "unclosed quoted", "CDATA sections over", "code spans",
    "blocks without ends",
    "escapes over", "entities over", "links", "links of their own text", "emphasis inside", "tables",
    "definitions used", "footnotes [^1].", "roles", "rst blocks", "BibTeX long keys", "BibTeX unclosed field",
    "percent %41", "dot segments ../", "docstrings", "docstrings unclosed", "comments of Python",
)  # fmt: skip


# A reader of each type, and a fix, which reads what it has changed.
WITH_RUNS = (
    "source txt", "source bib", "source tex", "source adoc", "source typ", "source rd", "source r", "source html", "source cff", "source json", "source py", "source md", "source rst", "fix md",
)  # fmt: skip
RUN_OF = (
    " ", "\t", "\\", "|", ">", "`", "*", "_", "[", "(", "<", "&", "#", "1", "'", "\n", ":", "-",
)  # fmt: skip
LIMIT = 600  # seconds
RUN = 25  # characters of a run; what takes exponential time does not end if it is longer
SHAPE = 800  # characters of a hostile page


class Pair(NamedTuple):
    """What is counted at once: an entry point, an input, and the size of the smaller text."""

    entry: str
    made: str
    small: int


# docutils alone takes quadratic time for backquotes without ends, and a fix reads a text twice. A fix
# that fails its proof reads the text again for each half of the changes, up to a fixed number of
# times; of these runs, that is so for the larger text alone.
LEFT_OUT = {
    ("fix rst", "blocks without ends"),
    ("fix md", "runs of '[' in md"),
    ("fix md", "runs of '|' in md"),
}
# A search through the text for each name in it shows in longer texts alone.
LONGER = (
    Pair("MkDocs", "short names, paragraphs", 2000),
    # More names than are compared with each other.
    Pair("compared with works", "distinct names", 600),
    *(
        Pair(entry, made, 300)
        for some, kinds in (
            (
                ("source md", "Python-Markdown"),
                ("terms", "definitions of one term", "paragraphs of one definition"),
            ),
            (
                ("source html",),
                (
                    "terms of HTML",
                    "terms of HTML, one definition",
                    "definitions of HTML, one term",
                    "paragraphs of HTML, one definition",
                ),
            ),
            (("source rst", "docutils Parser"), ("rst terms", "rst paragraphs of one definition")),
        )
        for made in kinds
        for entry in some
    ),
    Pair("comments for the check", "comments that silence comments", 300),
)


def pairs(sizes: Mapping[str, int] = COUNTED) -> list[Pair]:
    """Each entry point with each of its inputs."""
    short = [
        Pair(entry, made, small)
        for entry, small in sizes.items()
        for made in INPUTS
        if made in FOR_HOSTS or entry in FOR_ALL_INPUTS
    ]
    runs = [
        Pair(entry, made, RUN * PLACES[READ[entry]])
        for entry in sizes
        if entry in WITH_RUNS
        for unit in RUN_OF
        for made in (f"runs of {unit!a} in {READ[entry]}",)
    ]
    shapes = [
        Pair(entry, made, SHAPE) for entry in sizes if entry in WITH_SHAPES for made in SHAPES
    ]
    every = short + runs + shapes + [pair for pair in LONGER if pair.entry in sizes]
    return [pair for pair in every if pair[:2] not in LEFT_OUT]


class Count(NamedTuple):
    """Instructions of doilinks for one input, at a size and at a multiple of it, and their ratio."""

    entry: str
    made: str
    small: float
    large: float
    grown: float


def in_instructions(
    wanted: Sequence[Pair], times: int, module: str = "benchmarks.linear.entries"
) -> list[Count]:
    """Count what the processor executes, under valgrind, in one process: to start is a third of it all.

    :param times: how many times larger the larger text is
    :param module: where ``entries()`` is
    :raises FileNotFoundError: without valgrind
    """
    with tempfile.TemporaryDirectory(prefix="doilinks-") as folder:
        command = [
            "valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
            f"--log-file={folder}/%p", sys.executable, "-m", __spec__.name, module, str(times), folder,
        ]  # fmt: skip
        done = subprocess.run(
            command,
            input=json.dumps(wanted).encode(),
            check=True,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": "0"},
        )
    counts = []
    for line in done.stdout.decode().splitlines():
        entry, made, base, *ran = json.loads(line)
        small_run, large_run, *hosts = (each - base for each in ran)
        host, host_large = hosts or (0, 0)
        ours = (small_run - host, host), (large_run - host_large, host_large)
        grown = math.inf if math.inf in ran else growth(*ours)
        counts.append(Count(entry, made, ours[0][0], ours[1][0], grown))
    return counts


def _children(module: str, times: int, folder: Path, wanted: Sequence[Pair]) -> None:
    """Run each input in a forked process, whose instructions valgrind tells apart by its number.

    A forked process begins with its parent's count, which one that does nothing tells.
    """
    left = {pair.entry for pair in wanted}
    for name, entry in importlib.import_module(module).entries():
        if name not in left:
            continue
        for call in filter(None, (entry.run, entry.alone)):
            for made in ("short names", "links", "emphasis inside"):  # patterns are compiled once
                call(EVERY[made](200))
        gc.collect()
        gc.freeze()
        for _, made, small in (pair for pair in wanted if pair.entry == name):
            counts = [_child(lambda: None, folder)]
            for call in filter(None, (entry.run, entry.alone)):
                texts = (EVERY[made](small), EVERY[made](small * times))
                counts += [_child(functools.partial(call, text), folder) for text in texts]
            print(json.dumps([name, made, *counts]), flush=True)
        left.remove(name)
        if not left:  # what the others would import takes long
            return


def _child(call: Callable[[], object], folder: Path) -> float:
    """The count of a call; infinite if it does not end."""
    child = os.fork()
    if child == 0:
        signal.alarm(LIMIT)  # ends the process, whose count is then the largest there is
        try:
            call()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return math.inf
    # Read at once, because a later process may get the same number.
    found = re.search(r"I +refs: +([\d,]+)", (folder / str(child)).read_text())
    return int(found[1].replace(",", "")) if found else 0


if __name__ == "__main__":
    _, imported, ratio, logs = sys.argv
    _children(imported, int(ratio), Path(logs), [Pair(*each) for each in json.load(sys.stdin)])

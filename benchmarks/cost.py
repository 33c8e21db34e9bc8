"""What each part costs a name, and how that grows: the table of tests/README.md.

``python benchmarks/cost.py`` writes the table anew. Each run is a process of its own, whose processor time
counts, without what a first run needs; of three, the least. The largest text has 8,000 names.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cite
import core
from markdown import markdown
from markdown_it import MarkdownIt

from doilinks import DOI
from doilinks.core.options import Options
from doilinks.lock.lockfile import Lockfile
from doilinks.markdown_it import doi_plugin
from doilinks.sources import read
from doilinks.sources.references import references
from doilinks.tools.pages import link_page

PAGE = Path(__file__).parents[1] / "tests" / "README.md"
BEGIN, END = "<!-- made: cost -->\n", "<!-- end: cost -->\n"
FIRST, TIMES, TURNS = 1000, (1, 2, 4, 8), 3
MD = MarkdownIt().use(doi_plugin)
Make = Callable[[int, Path], Callable[[], object]]


def texts(run: Callable[[str], object], each: str, join: str = "\n\n") -> Make:
    """A part that reads a text, in which ``each`` is there once a name."""
    prose = core.prose(200)

    def made(names: int, _: Path) -> Callable[[], object]:
        text = join.join(each.format(prose=prose, n=n) for n in range(names))
        return lambda: run(text)

    return made


def saved(names: int, folder: Path) -> Callable[[], object]:
    folder /= str(names)
    file = folder / "doi-lock.json"
    if not file.exists():
        folder.mkdir()
        cite.write(folder, names, {})

    def run() -> None:
        lock = Lockfile(file)
        lock.learn(DOI(f"10.1000/new.{os.getpid()}.{time.monotonic_ns()}"))
        lock.save()

    run()  # now it has a line for each entry
    return run


def opened(names: int, folder: Path) -> Callable[[], object]:
    saved(names, folder)
    return lambda: Lockfile(folder / str(names) / "doi-lock.json")


NAME = "{prose} doi:10.1000/182.{n}."
PARTS: dict[str, Make] = {
    "`scan`": texts(core.all_of, NAME),
    "markdown-it-py, the whole page": texts(MD.render, NAME),
    "Python-Markdown, the whole page": texts(
        lambda text: markdown(text, extensions=["doilinks"]), NAME
    ),
    "names of a Markdown file": texts(lambda text: [*read(text, "md", Options())], NAME),
    "comments of C++": texts(
        lambda text: [*read(text, "cpp", Options())],
        "// doi:10.1000/182.{n}\nint f{n}() {{ return {n}; }}",
        "\n",
    ),
    "`doilinks html`, a page": texts(
        lambda text: link_page(f"<body>{text}</body>", Options()), f"<p>{NAME}</p>", "\n"
    ),
    "`find`, references of a Markdown file": texts(
        lambda text: references("# References\n\n" + text, "md", Options()),
        "- Smith, J., & Jones, A. (2001). A study of method {n}. *Journal of Methods*, 12(3), 1-9.",
        "\n",
    ),
    "lock file with works, opened": opened,
    "the same, opened, and a new name saved": saved,
}


def run(what: Callable[[], object]) -> tuple[float, float]:
    """Seconds of the processor and MiB that a run needs, in a process of its own."""
    reader, writer = os.pipe()
    gc.freeze()  # what is here already is nothing that the run has to go through
    if os.fork() == 0:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        begin = time.process_time()
        what()
        used = (
            time.process_time() - begin,
            resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak,
        )
        os.write(writer, json.dumps(used).encode())
        os._exit(0)
    os.wait()
    os.close(writer)
    with os.fdopen(reader) as answer:
        seconds, kib = json.load(answer)
    return seconds, kib / 1024


def rows() -> Iterator[str]:
    """The table."""
    yield "| Part | µs a name | 2, 4 and 8 times the names | MiB, 8,000 names |"
    yield "|---|--:|--:|--:|"
    with tempfile.TemporaryDirectory(prefix="doilinks-") as name:
        for part, make in PARTS.items():
            make(10, Path(name))()  # what a first run loads is not counted
            least = [(float("inf"), 0.0)] * len(TIMES)
            runs = [make(FIRST * times, Path(name)) for times in TIMES]
            for _ in range(TURNS):
                least = [min(known, run(each)) for known, each in zip(least, runs, strict=True)]
            seconds, (_, peak) = [each for each, _ in least], least[-1]
            growth = "; ".join(f"{each / seconds[0]:.1f}" for each in seconds[1:])
            yield f"| {part} | {seconds[-1] / FIRST / TIMES[-1] * 1e6:.0f} | {growth} | {peak:.0f} |"
            print(part, growth, file=sys.stderr, flush=True)


def main() -> None:
    page = PAGE.read_text(encoding="utf-8")
    head, _, rest = page.partition(BEGIN)
    _, _, tail = rest.partition(END)
    table = "\n".join(rows())
    PAGE.write_text(f"{head}{BEGIN}\n{table}\n\n{END}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()

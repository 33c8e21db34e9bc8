"""What the MkDocs plug-in adds to a build: 200 pages, check off, with it against without it.

    python benchmarks/mkdocs_build.py [ROUNDS]

Each build is a process of its own, from nothing; the two take turns. What counts is the processor
time of the build alone, without that of starting Python and importing MkDocs, and the ratio is that
of the medians.
"""

from __future__ import annotations

import sys
import tempfile
from functools import partial
from pathlib import Path

from builds import compare, links, seconds

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 5
PAGES = 200
PROSE = (
    "The *method* of Smith and Jones is described in [the manual](https://example.org/manual), "
    "where `solve(a, b)` returns a pair; see **section 3** for its limits and for a list of "
    "known problems, version 2.10 and later, and the tables in the appendix of that report."
)
# Every tenth page has these references.
NAMES = (
    "It was first published as doi:10.1000/182.{page}, and again, with a corrected table, in "
    "<https://doi.org/10.1000/456.{page}>."
)
CONFIG = "site_name: bench\nmarkdown_extensions: [tables, fenced_code]\nplugins: [{}]\n"
BUILD = """
import sys, time
from mkdocs.commands.build import build
from mkdocs.config import load_config
import mkdocs.contrib.search.search_index, mkdocs.structure.pages
config = load_config(sys.argv[1], site_dir=sys.argv[2])
begin = time.process_time()
build(config)
print(time.process_time() - begin)
"""


def page(number: int) -> str:
    """A page of a manual: prose, lists, a table, code; on every tenth ``NAMES``."""
    parts = [f"# Part {number}"]
    for section in range(4):
        parts += [f"## Section {section}", PROSE, PROSE]
    if number % 10 == 0:
        parts.append(NAMES.format(page=number))
    parts += [
        "* one\n* two\n* three",
        "| A | B |\n|---|---|\n| 1 | 2 |",
        "```python\nsolve(1)\n```",
    ]
    return "\n\n".join(parts) + "\n"


def site(folder: Path) -> None:
    """Write the pages, and a configuration with the plug-in and one without it."""
    (folder / "docs").mkdir()
    for number in range(PAGES):
        name = f"p{number:03}.md" if number else "index.md"
        (folder / "docs" / name).write_text(page(number))
    (folder / "without.yml").write_text(CONFIG.format("search"))
    (folder / "with.yml").write_text(CONFIG.format("search, doilinks"))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        site(Path(folder))
        times = {
            name: partial(seconds, BUILD, Path(folder, f"{name}.yml"))
            for name in ("without", "with")
        }
        linked = partial(links, pattern="*.html", mark='class="doi"')
        compare("MkDocs", PAGES, ROUNDS, times, linked)


if __name__ == "__main__":
    main()

"""What the Sphinx extension adds to a build: 500 pages, check off, with it against without it.

    python benchmarks/sphinx_build.py [ROUNDS]

Each build is a process of its own, html from nothing, one job; the two take turns. What counts is
the processor time of the build alone, starting Python and importing Sphinx aside, and the ratio is
that of the medians, since a build takes seconds in which a machine warms up and cools down.
"""

from __future__ import annotations

import sys
import tempfile
from functools import partial
from pathlib import Path

from builds import compare, links, seconds

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 3
PAGES = 500
PROSE = (
    "The *method* of Smith and Jones is described in `the manual <https://example.org/manual>`__, "
    "where ``solve(a, b)`` returns a pair; see **section 3** for its limits and for a list of "
    "known problems, version 2.10 and later, and the tables in the appendix of that report."
)
# Every tenth page has these references.
NAMES = (
    "It was first published as doi:10.1000/182.{page}, and again, with a corrected table, in "
    "https://doi.org/10.1000/456.{page}."
)
BUILD = """
import resource, sys, time
from sphinx.application import Sphinx
def used():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime
extension, source, out = sys.argv[1:]
import sphinx.builders.html, sphinx.parsers, sphinx.domains.python
begin = used()
overrides = {"extensions": [extension]} if extension else {}
app = Sphinx(source, source, out, out + "/.doctrees", "html", overrides, status=None)
app.build(force_all=True)
print(used() - begin)
"""


def page(number: int, names: str) -> str:
    """A page of a manual: prose, a list, a table, code; on every tenth ``names``."""
    parts = [f"Part {number}\n{'=' * 10}"]
    for section in range(4):
        parts += [f"Section {section}\n{'-' * 10}", PROSE, PROSE]
    if number % 10 == 0:
        parts.append(names.format(page=number))
    parts += [
        "* one\n* two\n* three",
        "=====  =====\nA      B\n=====  =====\n1      2\n3      4\n=====  =====",
        f".. code-block:: python\n\n   solve({number}, 10)",
        ".. note::\n\n   " + PROSE,
    ]
    return "\n\n".join(parts) + "\n"


def project(folder: Path, names: str = NAMES) -> None:
    """Write the project's sources."""
    folder.mkdir()
    (folder / "conf.py").write_text("project = 'bench'\nhtml_theme = 'basic'\n")
    lines = [f"   p{number:03}" for number in range(PAGES)]
    (folder / "index.rst").write_text(
        "Manual\n======\n\n.. toctree::\n\n" + "\n".join(lines) + "\n"
    )
    for number in range(PAGES):
        (folder / f"p{number:03}.rst").write_text(page(number, names))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "source")
        project(source)
        times = {
            name: partial(seconds, BUILD, extension, source)
            for name, extension in (("without", ""), ("with", "doilinks.sphinx"))
        }
        linked = partial(links, pattern="p*.html", mark='class="doi ')
        compare("Sphinx", PAGES, ROUNDS, times, linked)


if __name__ == "__main__":
    main()

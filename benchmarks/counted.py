"""The ratios of ``core.py`` and ``markdown_hosts.py`` in instructions, counted under valgrind.

``python benchmarks/counted.py`` prints one line a ratio, also for docutils and for the Pandoc filter. Other
work on the machine does not change these counts, so two versions of doilinks can be compared on a busy
machine. Install both in the same way and without ``--editable``, because that changes what a program needs
to start.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import cite
import core
import markdown_hosts
import pandoc_filter
import pypandoc
from counts import count, counts_of, program
from docutils.core import publish_string
from docutils.parsers.rst import Parser as Rest

from doilinks.docutils import Parser

Run = Callable[[], object]

_CHILD = "DOILINKS_COUNTED"  # set in the process that valgrind runs
SPARSE = "scan, a label in parentheses in 2,000, against it"


def pairs() -> Iterator[tuple[str, Run, Run]]:
    """What is compared, doilinks, and what doilinks is compared with."""
    for length in (2000, 200):
        text = core.prose(length, core.NAME)
        what = f"scan, a DOI in {length:,}, against Crossref's pattern"
        yield what, lambda text=text: core.all_of(text), lambda text=text: core.by_pattern(text)
    text = core.sparse()
    yield SPARSE, lambda: core.all_of(text), lambda: core.by_pattern(text)
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
    urls = markdown_hosts.document("https://doi.org/10.1000/182.{} ")
    for what, ours, other in (("no DOIs", none, none), ("a DOI a paragraph", names, urls)):
        yield (
            f"docutils, {what}, against URLs",
            lambda ours=ours: _html(ours, Parser()),
            lambda other=other: _html(other, Rest()),
        )


def _html(text: str, parser: Rest) -> bytes:
    quiet = {"report_level": 5, "_disable_config": True}
    return publish_string(text, parser=parser, writer_name="html5", settings_overrides=quiet)


def filtered(every: int, folder: Path) -> tuple[int, int]:
    """What the Pandoc filter needs for 200 KB, and what Python needs to start."""
    pandoc_filter.SIZE = 200_000
    given = folder / "given.json"
    source = pandoc_filter.document(every)
    given.write_text(pypandoc.convert_text(source, "json", format="markdown"))
    ours = str(Path(sys.executable).with_name("pandoc-doilinks"))
    return _program(given, ours, "html"), _program(given, "-c", "pass")


def hovering(folder: Path) -> tuple[int, int]:
    """What the filter needs for 500 names whose works are on hover, and for the same without hover."""
    prose = "\n\n".join(f"{core.prose(200)} doi:{cite.name(each)}." for each in range(500))
    cite.write(folder, 1000, {})
    given = folder / "hover.json"
    given.write_text(pypandoc.convert_text(prose, "json", format="markdown"))
    ours = str(Path(sys.executable).with_name("pandoc-doilinks"))
    on, off = (_program(given, ours, "html", DOILINKS_HOVER=each) for each in ("true", "false"))
    return on, off


def _program(given: Path, *arguments: str, **more: str) -> int:
    return program(*arguments, given=given.read_bytes(), folder=given.parent, **more)


def main() -> None:
    for what, ours, theirs in counts_of(__file__, _CHILD):
        print(f"{what:52} {ours:>14,} {theirs:>14,} {ours / theirs:8.3f} x")
    with tempfile.TemporaryDirectory(prefix="doilinks-") as folder:
        programs = {
            f"the Pandoc filter, 200 KB, {what}": filtered(every, Path(folder))
            for what, every in (("a DOI in three paragraphs", 3), ("no DOIs", 0))
        }
        on, off = hovering(Path(folder))
    what = "the Pandoc filter, 500 works on hover, against none"
    print(f"{what:52} {on:>14,} {off:>14,} {on / off:8.3f} x")
    for what, (ours, python) in programs.items():
        print(f"{what:52} {ours:>14,} {python:>14,} of which Python's start")


if __name__ == "__main__":
    count(pairs()) if _CHILD in os.environ else main()

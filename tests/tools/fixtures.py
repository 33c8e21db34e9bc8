"""The reader of ``tests/conformance``, the one for tests, documentation and fuzzing."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path

from .links import Links

EVERY_HOST = "*"
CONFORMANCE = Path(__file__).parents[1] / "conformance"


@dataclass
class Case:
    """One sentence of ``tests/conformance`` and its links; the format is in its README.

    :ivar line: where in its file, ``path``, the title is, counted from 1
    :ivar since: a package, the first version that reads the sentence so, and what others do
    :ivar texts: what a reader sees, by host, where it is not what the core makes of the sentence
    """

    title: str
    source: str
    links: Links
    path: Path
    line: int
    options: dict[str, str] = field(default_factory=dict)
    exceptions: dict[str, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    since: tuple[str, str, str] | None = None

    @property
    def id(self) -> str:
        return f"{self.path.stem}: {self.title}"

    @property
    def place(self) -> str:
        return f"{self.path.relative_to(CONFORMANCE.parents[1])}:{self.line}"


def read_cases(path: Path) -> list[Case]:
    """The cases of one fixture file: title and header lines, ``.``, text, ``.``, links, ``.``."""
    cases = []
    numbered = enumerate(path.read_text(encoding="utf-8").split("\n"), 1)
    lines = (line for _, line in numbered)
    head: list[str] = []
    for number, line in numbered:
        if line != ".":
            head.append(line)
            continue
        source = "\n".join(_until_dot(lines, path))
        links = [_link(row, path) for row in _until_dot(lines, path) if row.strip()]
        block = list(takewhile(str.strip, reversed(head)))[::-1]
        title, *headers = _head(block, path)
        cases.append(Case(title, source, links, path, number - len(block), *headers))
        head = []
    return cases


def _until_dot(lines, path: Path) -> list[str]:
    found = []
    for line in lines:
        if line == ".":
            return found
        found.append(line)
    raise ValueError(f"{path}: a case is not closed by a line with a dot")


def _link(row: str, path: Path) -> tuple[str, str]:
    text, arrow, href = row.rpartition(" -> ")
    if not arrow:
        raise ValueError(f"{path}: not a link, text -> href: {row!r}")
    return text, href


def _head(block: list[str], path: Path):
    """The title is the first line of the last paragraph before the dot; header lines follow it."""
    if not block:
        raise ValueError(f"{path}: a case has no title")
    title, *headers = block
    options: dict[str, str] = {}
    exceptions: dict[str, str] = {}
    texts: dict[str, str] = {}
    since: tuple[str, str, str] | None = None
    for header in headers:
        if found := re.fullmatch(r"options: (\w+)=(.*)", header):
            options[found[1]] = found[2]
        elif found := re.fullmatch(r"not in ([\w, -]+): (.+)", header):
            exceptions |= dict.fromkeys((host.strip() for host in found[1].split(",")), found[2])
        elif found := re.fullmatch(r"text(?: in ([\w, -]+))?: (.+)", header):
            hosts = (found[1] or EVERY_HOST).split(",")
            texts |= dict.fromkeys((host.strip() for host in hosts), found[2])
        elif found := re.fullmatch(r"since ([\w-]+) ([\d.]+): (.+)", header):
            since = found[1], found[2], found[3]
        else:
            raise ValueError(f"{path}: not a header line: {header!r}")
    return title, options, exceptions, texts, since

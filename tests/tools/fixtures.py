"""The reader of ``tests/conformance``, the one for tests, documentation and fuzzing."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from .links import Links

EVERY_HOST = "*"
CONFORMANCE = Path(__file__).parents[1] / "conformance"
_CASE = re.compile(r"^((?:.+\n)+?)\.\n((?:.*\n)*?)\.\n((?:.*\n)*?)\.$", re.MULTILINE)


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


def dotted(path: Path) -> list[tuple[int, list[str], str, str]]:
    """The cases of a file: the line of the title; title and header lines; what stands between the dots."""
    text = path.read_text(encoding="utf-8")
    found = list(_CASE.finditer(text))
    if text.split("\n").count(".") != 3 * len(found):
        raise ValueError(f"{path}: a case has no title, or is not closed by a line with a dot")
    return [
        (text.count("\n", 0, case.start()) + 1, case[1].splitlines(), case[2], case[3])
        for case in found
    ]


def read_cases(path: Path) -> list[Case]:
    """The cases of one file of ``tests/conformance``."""
    cases = []
    for line, head, source, rows in dotted(path):
        title, *headers = _head(head, path)
        links = [_link(row, path) for row in rows.splitlines() if row.strip()]
        cases.append(Case(title, source.removesuffix("\n"), links, path, line, *headers))
    return cases


def _link(row: str, path: Path) -> tuple[str, str]:
    text, arrow, href = row.rpartition(" -> ")
    if not arrow:
        raise ValueError(f"{path}: not a link, text -> href: {row!r}")
    return text, href


def _head(block: list[str], path: Path):
    """The title is the first line of the last paragraph before the dot; header lines follow it."""
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

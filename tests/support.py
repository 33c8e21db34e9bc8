"""What several test modules share: reading fixtures, the links of an HTML page, and programs."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import pytest

CONFORMANCE = Path(__file__).parent / "conformance"

Links = list[tuple[str, str]]


@dataclass
class Case:
    """One sentence of ``tests/conformance`` and its links; the format is in its README."""

    title: str
    source: str
    links: Links
    file: str
    options: dict[str, str] = field(default_factory=dict)
    exceptions: dict[str, str] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return f"{Path(self.file).stem}: {self.title}"


def read_cases(path: Path) -> list[Case]:
    """The cases of one fixture file: title and header lines, ``.``, text, ``.``, links, ``.``."""
    cases = []
    lines = iter(path.read_text(encoding="utf-8").split("\n"))
    head: list[str] = []
    for line in lines:
        if line != ".":
            head.append(line)
            continue
        source = "\n".join(_until_dot(lines, path))
        links = [_link(row, path) for row in _until_dot(lines, path) if row.strip()]
        title, options, exceptions = _head(head, path)
        cases.append(Case(title, source, links, path.name, options, exceptions))
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


def _head(lines: list[str], path: Path):
    """The title is the last paragraph's first line before the dot; header lines follow it."""
    block: list[str] = []
    for line in reversed(lines):
        if not line.strip():
            break
        block.insert(0, line)
    if not block:
        raise ValueError(f"{path}: a case has no title")
    title, *headers = block
    options: dict[str, str] = {}
    exceptions: dict[str, str] = {}
    for header in headers:
        if found := re.fullmatch(r"options: (\w+)=(.*)", header):
            options[found[1]] = found[2]
        elif found := re.fullmatch(r"not in ([\w, -]+): (.+)", header):
            exceptions |= dict.fromkeys((host.strip() for host in found[1].split(",")), found[2])
        else:
            raise ValueError(f"{path}: not a header line: {header!r}")
    return title, options, exceptions


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.links: Links = []
        self._text: list[str] | None = None
        self._href = ""

    def handle_starttag(self, tag, attrs):
        if tag == "a" and dict(attrs).get("href") is not None:
            self._href, self._text = dict(attrs)["href"], []

    def handle_data(self, data):
        if self._text is not None:
            self._text.append(data)

    def handle_endtag(self, tag):
        if tag == "a" and self._text is not None:
            self.links.append(("".join(self._text), self._href))
            self._text = None


def html_links(html: str) -> Links:
    """Every link of a piece of HTML as (text, href), entities decoded, in order."""
    parser = _Links()
    parser.feed(html)
    parser.close()
    return parser.links


def tool(name: str, lost: str) -> str:
    """The path of a program; without it the test, or the module, is skipped, but not in CI, which installs it.

    :param lost: what is not tested then
    """
    path = shutil.which(name)
    if path is None:
        reason = f"{name} is not installed: {lost}"
        if os.environ.get("CI"):
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason, allow_module_level=True)  # elsewhere nobody has to have every program
    return path

"""What ``doilinks fix`` does to real projects: run by hand, on folders with their unpacked sources.

    python -m tests.tools.mended WORK TREE...

Copies the files of each TREE that doilinks reads into WORK, mends them there, and prints what is
not as it should be. WORK/NAME.diff is the whole change, to be read by a person.
"""

from __future__ import annotations

import ast
import difflib
import io
import json
import marshal
import re
import shutil
import subprocess
import sys
import tokenize
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import docutils.core
import markdown
import pypandoc
from markdown_it import MarkdownIt

from doilinks.core.doi import DOI, InvalidDOI
from doilinks.files.sources import type_of

CHANGE = re.compile(r"(.+?):(\d+):(\d+): (.+) → (.+) \[([a-z, -]+)\]")


def main(work: Path, trees: list[Path]) -> None:
    total: Counter[str] = Counter()
    for tree in trees:
        before, after = (work / tree.name / each for each in ("before", "after"))
        for copy in (before, after):
            copied(tree, copy)
        done = doilinks("fix", after)
        changes = [found for line in done.stdout.splitlines() if (found := CHANGE.fullmatch(line))]
        codes = Counter(code for found in changes for code in found[6].split(", "))
        total += codes
        print(f"{tree.name}: {dict(codes)}; {done.stdout.splitlines()[-1]}", flush=True)
        notes = [line for line in done.stderr.splitlines() if "Windows-1252" not in line]
        (work / f"{tree.name}.said").write_text("\n".join(notes))
        changed = [path for path in files_of(before) if differs(path, before, after)]
        (work / f"{tree.name}.diff").write_text("".join(diff(changed, before, after)))
        named = {Path(found[1]).relative_to(after) for found in changes}
        for trouble in (
            *(f"changed, not named: {path}" for path in set(changed) - named),
            *(f"named, not changed: {path}" for path in named - set(changed)),
            *twice(after),
            *names(before, after),
            *(line for path in changed for line in one_file(path, before, after)),
        ):
            print(f"  {trouble}", flush=True)
    print(f"in all: {dict(total)}")


def copied(tree: Path, copy: Path) -> None:
    shutil.rmtree(copy, ignore_errors=True)
    for path in files_of(tree):
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(tree / path, copy / path)


def files_of(tree: Path) -> list[Path]:
    every = (path for path in sorted(tree.rglob("*")) if path.is_file() and type_of(path.name))
    return [path.relative_to(tree) for path in every]


def doilinks(command: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "doilinks", command, *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, check=False)


def differs(path: Path, before: Path, after: Path) -> bool:
    return (before / path).read_bytes() != (after / path).read_bytes()


def diff(changed: list[Path], before: Path, after: Path) -> Iterator[str]:
    for path in changed:
        old, new = (
            (folder / path).read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)
            for folder in (before, after)
        )
        yield from difflib.unified_diff(old, new, str(path), str(path), n=0)


def twice(after: Path) -> Iterator[str]:
    done = doilinks("fix", "--check", after)
    if done.returncode:
        yield f"twice: exit code {done.returncode}: {done.stdout[-300:]}"


def names(before: Path, after: Path) -> Iterator[str]:
    lists = []
    for folder in (before, after):
        listed = json.loads(doilinks("scan", "--format", "json", folder).stdout)
        entries = listed["dois"] if isinstance(listed, dict) else listed
        lists.append(
            Counter(
                (str(Path(e["file"]).relative_to(folder)), e["line"], e["name"]) for e in entries
            )
        )
    for gone in lists[0] - lists[1]:
        yield f"name gone: {gone}"
    for come in lists[1] - lists[0]:
        yield f"name come: {come}"


def one_file(path: Path, before: Path, after: Path) -> Iterator[str]:
    old, new = ((folder / path).read_bytes() for folder in (before, after))
    kind = type_of(path.name)
    if kind == "py":
        yield from (f"{path}: {each}" for each in program(old, new))
    for name, build in BUILDS.get(kind or "", {}).items():
        yield from (f"{path}: {name}: {each}" for each in page(build, old, new))


# Programs


def program(old: bytes, new: bytes) -> Iterator[str]:
    try:
        tree = without_docstrings(old)
    except SyntaxError:
        return
    if tree != without_docstrings(new):
        yield "another program"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        codes = [marshal.dumps(compile(each, "-", "exec", optimize=2)) for each in (old, new)]
    if codes[0] != codes[1]:
        yield "another bytecode"
    kinds = [kinds_of(each) for each in (old, new)]
    if kinds[0] != kinds[1]:
        yield "other tokens"


def without_docstrings(source: bytes) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(source)
    for node in ast.walk(tree):
        for body in (getattr(node, name, None) for name in ("body", "orelse", "finalbody")):
            if isinstance(body, list):
                body[:] = [each for each in body if not is_text(each)]
    return ast.dump(tree)


def is_text(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def kinds_of(source: bytes) -> list[tuple[int, str]]:
    """The tokens, of strings only how they begin, and comments without their text."""
    quiet = (tokenize.COMMENT, tokenize.STRING)
    return [
        (token.type, token.string[:4] if token.type in quiet else token.string)
        for token in tokenize.tokenize(io.BytesIO(source).readline)
    ]


# Pages


def by_docutils(text: str) -> str:
    settings = {"report_level": 5, "halt_level": 5, "file_insertion_enabled": False,
                "raw_enabled": True, "_disable_config": True}  # fmt: skip
    return str(
        docutils.core.publish_parts(text, writer="html", settings_overrides=settings)["whole"]
    )


def by_pandoc(reader: str) -> Callable[[str], str]:
    return lambda text: str(pypandoc.convert_text(text, "html", reader, extra_args=["--quiet"]))


BUILDS: dict[str, dict[str, Callable[[str], str]]] = {
    "md": {
        "markdown-it-py": MarkdownIt("commonmark").enable("table").render,
        "Python-Markdown": lambda text: markdown.markdown(text, extensions=["extra", "smarty"]),
        "Pandoc": by_pandoc("markdown"),
        "Pandoc, gfm": by_pandoc("gfm"),
    },
    "rst": {"docutils": by_docutils, "Pandoc": by_pandoc("rst")},
    "html": {"": str},
    "ipynb": {"Pandoc": by_pandoc("ipynb")},
    "bib": {"Pandoc": lambda text: escape(pypandoc.convert_text(text, "csljson", "bibtex"))},
}  # fmt: skip


class Tokens(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, ...]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(("tag", tag))
        self.found += [("attribute", tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        self.found.append(("end", tag))

    def handle_data(self, data: str) -> None:
        self.found += [("text", word) for word in data.split()]


def page(build: Callable[[str], str], old: bytes, new: bytes) -> Iterator[str]:
    pages = []
    for octets in (old, new):
        tokens = Tokens()
        try:
            tokens.feed(build(octets.decode("utf-8", errors="replace").replace("\r\n", "\n")))
        except Exception as error:  # noqa: BLE001  any host may fail on any page; then both fail
            tokens.found = [("error", type(error).__name__)]
        pages.append(tokens.found)
    if len(pages[0]) != len(pages[1]):
        yield "another number of elements and words"
        return
    for was, now in zip(*pages, strict=True):
        if was != now and not is_mended(was, now):
            yield f"{was} → {now}"


def is_mended(was: tuple[str, ...], now: tuple[str, ...]) -> bool:
    """Whether only the address of one name is another one."""
    if was[:-1] != now[:-1]:
        return False
    try:
        names = [DOI.parse(each[-1].strip("()[].,;:\"'")) for each in (was, now)]
    except InvalidDOI:
        return False
    return names[0].name == names[1].name


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(each) for each in sys.argv[2:]])

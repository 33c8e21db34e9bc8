"""Mutants: small faults put into the source, each of which some test has to see.

``make mutants`` draws 150, the same ones for the same source, and 50 more that drop an escape or a cleaning call.
It runs the tests of the mutant's own module first, then those of its folder, then wider ones, and prints those
that no test has seen, and a table by package. Those that change nothing a test could see are listed, with the
reason, in ``mutants.toml``. All of it takes hours; ``--of cite`` takes one package, ``--only HASH`` one mutant.

Libraries for this (mutmut, cosmic-ray) draw by no quota, drop no escapes, and have no order of tests for each module.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "doilinks"
EQUIVALENT = Path(__file__).with_name("mutants.toml")
DRAWN, ESCAPES = 150, 50
SECONDS = 300  # of a processor, for the tests of one folder; a mutant may make a loop endless
# What makes text harmless, and what takes from it what does not count.
ESCAPING = {"printable", "escape", "_escape", "escape_html", "code_escape", "quote", "quoteattr", "inert",
            "no_formula", "latex", "_latex", "public", "without_password", "_isolated"}  # fmt: skip
CLEANING = {"plain", "unescape", "unquote", "strip", "lstrip", "rstrip", "lower", "casefold", "normalize", "shown",
            "without_label", "without_signs"}  # fmt: skip
# Which tests may see a fault beside those of its own folder, in this order.
WIDER = {
    "core": "cite markdown_it markdown docutils check sources hosts/test_conformance.py injection/test_terminal.py",
    "cite": "hosts/test_cite.py docutils/test_cite.py markdown_it/test_cite.py pandoc/test_cite.py injection/test_works.py",
    "docutils": "hosts/test_conformance.py hosts/test_cite.py hosts/test_found.py sphinx/test_cite.py injection/test_html.py",
    "sphinx": "hosts/test_conformance.py hosts/test_cite.py hosts/test_found.py hosts/test_check.py hosts/test_project.py works/test_hosts.py injection/test_works.py",
    "markdown_it": "hosts/test_words.py hosts/test_conformance.py hosts/test_cite.py hosts/test_found.py sources injection/test_html.py",
    "markdown": "hosts/test_words.py hosts/test_conformance.py hosts/test_cite.py hosts/test_found.py mkdocs/test_cite.py injection/test_html.py injection/test_works.py",
    "mkdocs": "hosts/test_conformance.py hosts/test_cite.py hosts/test_found.py hosts/test_check.py hosts/test_project.py works/test_hosts.py",
    "pandoc": "hosts/test_conformance.py hosts/test_cite.py hosts/test_found.py hosts/test_check.py works/test_hosts.py injection/test_html.py injection/test_works.py",
    "hosts": "mdast sites hosts/test_conformance.py",
    "record": "works cite cli/test_works.py cli/test_show.py",
    "net": "works/test_agencies.py cli/test_check.py",
    "names": "check works/test_check.py cli/test_check.py cli/test_scan.py cli/test_outputs.py hosts/test_found.py docutils sphinx/test_check.py injection/test_terminal.py",
    "lock": "check works cite hosts/test_one_lock_file.py",
    "ask": "check works",
    "works": "cli/test_works.py cli/test_find.py fix/test_missing.py repository/test_accuracy.py injection/test_works.py",
    "sources": "cli/test_scan.py fix hosts/test_found.py hosts/test_silence.py agreement html injection/test_terminal.py",
    "fix": "cli/test_fix.py sources",
    "pages": "cli/test_html.py cli/test_built_sites.py injection/test_html.py",
    "cli": "mdast pandoc/test_quarto.py works/test_newer.py works/test_lock_reviews.py fix/test_missing.py hosts/test_one_lock_file.py injection/test_terminal.py",
    "shared": "cli check/test_lockfile.py hosts/test_one_lock_file.py sphinx/test_config.py",
}


@dataclass(frozen=True, eq=False)
class Mutant:
    """One place of the source, and what stands there instead."""

    file: Path
    start: int
    end: int
    new: str
    operator: str
    line: int
    was: str  # the whole line, or lines
    becomes: str

    @property
    def room(self) -> str:
        parts = self.file.relative_to(SOURCE).parts
        return parts[1] if len(parts) == 3 else parts[0]

    @property
    def place(self) -> str:
        return f"{self.file.relative_to(ROOT)}:{self.line}"

    @property
    def compiles(self) -> bool:
        try:
            compile(self.applied(self.file.read_bytes()), str(self.file), "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            return False
        return True

    def applied(self, source: bytes) -> bytes:
        return source[: self.start] + self.new.encode() + source[self.end :]

    @cached_property
    def hash(self) -> str:
        """Of its module and its text, not of its place, so that changes elsewhere draw the same ones."""
        text = f"{self.file.relative_to(SOURCE)}|{self.was}|{self.becomes}"
        return hashlib.sha256(text.encode()).hexdigest()[:10]


def mutants(file: Path) -> list[Mutant]:
    """Every mutant of a module; some cannot be compiled."""
    source = file.read_bytes()
    starts = [0, *(found.end() for found in re.finditer(rb"\n", source))]

    def offset(line: int, column: int) -> int:
        return starts[line - 1] + column

    made = []
    for operator, first, last, new in _changes(ast.parse(source), source, offset):
        begin = source.rfind(b"\n", 0, first) + 1
        end = source.find(b"\n", last)
        was, becomes = source[begin:end], source[begin:first] + new.encode() + source[last:end]
        line = source.count(b"\n", 0, first) + 1
        words = [" ".join(each.decode().split()) for each in (was, becomes)]
        made.append(Mutant(file, first, last, new, operator, line, *words))
    return list({each.hash: each for each in made}.values())


COMPARE = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "in": "not in", "not in": "in",
           "is": "is not", "is not": "is"}  # fmt: skip


def _changes(tree: ast.Module, source: bytes, offset) -> Iterator[tuple[str, int, int, str]]:
    """Operator, span and new text of each change."""
    spoken = set()  # docstrings, annotations, and what only type checkers and ``import *`` read
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            spoken.add(node.value)
        for name in ("annotation", "returns"):
            spoken.update(ast.walk(getattr(node, name, None) or ast.Pass()))
        if isinstance(node, (ast.JoinedStr, ast.FormattedValue)):
            spoken.update(each for each in ast.walk(node) if isinstance(each, ast.Constant))
        if isinstance(node, ast.Assign) and ast.unparse(node.targets) == "__all__":
            spoken.update(ast.walk(node))
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "Literal":
            spoken.update(ast.walk(node))
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            spoken.update(ast.walk(node))

    def span(node) -> tuple[int, int]:
        return offset(node.lineno, node.col_offset), offset(node.end_lineno, node.end_col_offset)

    def text(node) -> str:
        first, last = span(node)
        return source[first:last].decode()

    for node in ast.walk(tree):
        if node in spoken or not hasattr(node, "lineno"):
            continue
        first, last = span(node)
        match node:
            case ast.Compare(left=left, comparators=[right]):
                between = source[span(left)[1] : span(right)[0]].decode()
                if (sign := between.strip()) in COMPARE:
                    yield (
                        "compare",
                        span(left)[1],
                        span(right)[0],
                        between.replace(sign, COMPARE[sign]),
                    )
            case ast.BoolOp(op=op, values=[left, right, *_]):
                old, new = ("and", "or") if isinstance(op, ast.And) else ("or", "and")
                between = source[span(left)[1] : span(right)[0]].decode()
                yield "boolop", span(left)[1], span(right)[0], re.sub(rf"\b{old}\b", new, between)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield "not", first, last, f"({text(operand)})"
            case ast.Constant(value=bool() as value):
                yield "bool", first, last, str(not value)
            case ast.Constant(value=int() as value):
                yield "int", first, last, str(value + 1)
            case ast.Constant(value=str() as value):
                yield "str", first, last, '"x"' if not value else '""'
            case ast.Return(value=ast.expr() as value) if text(value) not in ("None", "False"):
                yield "return", *span(value), "None"
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
                yield "branch", *span(test), f"(not ({text(test)}))"
            case ast.Raise() | ast.AugAssign() | ast.Continue() | ast.Break() | ast.Delete():
                yield "delete", first, last, "pass"
            case (
                ast.Assign(targets=[ast.Attribute() | ast.Subscript()])
                | ast.Expr(value=ast.Call() | ast.Await())
            ):
                yield "delete", first, last, "pass"
            case ast.Call(
                func=ast.Name(id=name) | ast.Attribute(attr=name), args=args, keywords=[]
            ) if name in ESCAPING | CLEANING:
                operator = "escape" if name in ESCAPING else "clean"
                kept = args[-1] if name == "normalize" else args[0] if args else None
                if name in ("strip", "lstrip", "rstrip", "lower", "casefold"):
                    kept = node.func.value
                if kept is not None:
                    yield operator, first, last, f"({text(kept)})"


def drawn(every: list[Mutant], number: int, escapes: int) -> list[Mutant]:
    """One of each module, then others by chance; and those that drop a call."""
    every = sorted(every, key=lambda each: each.hash)
    firsts: dict[Path, Mutant] = {}
    for each in every:
        if each.file not in firsts and each.compiles:
            firsts[each.file] = each
    calls = [each for each in every if each.operator in ("escape", "clean")]
    chosen = list(
        dict.fromkeys([*firsts.values(), *filter(lambda each: each.compiles, every[:number])])
    )[:number]
    calls.sort(key=lambda each: each.operator != "escape")  # stable; of two, one escapes
    both = [each for pair in zip(calls, calls[::-1], strict=True) for each in pair]
    return list(dict.fromkeys([*chosen, *both[:escapes]]))


def own_tests(mutant: Mutant) -> list[list[str]]:
    """Files and folders of tests, those first that are for the module."""
    tests = ROOT / "tests"
    folder = {"pages": "html", "record": "check", "net": "check"}.get(mutant.room, mutant.room)
    stem = mutant.file.stem
    named = re.compile(
        rf"\b{mutant.room}(?:\.| import )(?:.*\b)?{stem}\b"
        + (rf"|\b{stem}\b" if len(stem) > 7 else "")
    )
    mirror = [tests / folder / f"test_{stem}.py", *tests.glob(f"*/test_{stem}.py")]
    mirror += [
        file for file in sorted(tests.rglob("test_*.py")) if named.search(file.read_text("utf-8"))
    ]
    own = dict.fromkeys(str(each.relative_to(ROOT)) for each in mirror if each.exists())
    wider = [f"tests/{each}" for each in WIDER.get(mutant.room, "").split()]
    stages = [[str(mutant.file.relative_to(ROOT)), *own], [f"tests/{folder}"], wider]
    there = ([each for each in stage if (ROOT / each).exists()] for stage in stages)
    return [stage for stage in there if stage]


def killer(mutant: Mutant, copy: Path) -> str:
    """The test that sees the mutant in a copy of the project, or nothing."""
    file = copy / mutant.file.relative_to(ROOT)
    clean = file.read_bytes()
    changed = mutant.applied(clean)
    for stage in own_tests(mutant):
        without: list[str] = []  # tests that fail without the mutant, and so see nothing
        while True:
            _write(file, changed)
            said, code = _tests(copy, *stage, *(f"--deselect={each}" for each in without))
            _write(file, clean)
            if code in (0, 5):
                break
            failed = re.search(
                r"^(?:FAILED|ERROR) (\S+\.py)(\S*(?:\[.*?\])?(?= - |$))?", said, re.MULTILINE
            )
            test = failed[1] + (failed[2] or "") if failed else ""
            if not test or _passes(copy, test):
                return test or f"exit code {code}: {said[-200:]!r}"
            print(f"fails on clean code: {test}", file=sys.stderr)
            # With an odd id it cannot be left out alone, and then its file is.
            without.append(test.partition("::")[0] if test in without else test)
            if without[-1] in without[:-1]:
                break
    return ""


_PASS: dict[str, bool] = {}


def _passes(copy: Path, test: str) -> bool:
    if test not in _PASS:  # an odd id may not be selectable, so ask the file then
        _PASS[test] = any(_tests(copy, each)[1] == 0 for each in (test, test.partition("::")[0]))
    return _PASS[test]


_TURN = [int(Path(__file__).stat().st_mtime)]


def _write(file: Path, text: bytes) -> None:
    file.write_bytes(text)
    _TURN[0] += 2  # what Python has compiled counts if the time is the same
    os.utime(file, (_TURN[0], _TURN[0]))


def _tests(copy: Path, *names: str) -> tuple[str, int]:
    command = [
        "sh",
        "-c",
        f'ulimit -t {SECONDS}; exec "$@"',
        "sh",
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "-n0",
        "--tb=no",
        *names,
    ]
    environment = {**os.environ, "PYTHONPATH": str(copy / "src")}
    done = subprocess.run(
        command,
        cwd=copy,
        env=environment,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    return done.stdout, done.returncode


def _copy(folder: Path) -> Path:
    files = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    for name in filter(None, files.split("\0")):
        if (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    return folder


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--number", type=int, default=DRAWN)
    options.add_argument("--escapes", type=int, default=ESCAPES)
    options.add_argument("--of", metavar="PACKAGE", help="those of one package alone")
    options.add_argument("--only", metavar="HASH", nargs="*", default=[])
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--list", action="store_true", help="print what is drawn, and run nothing")
    given = options.parse_args()
    every = [each for file in sorted(SOURCE.glob("*/**/*.py")) for each in mutants(file)]
    every = [each for each in every if given.of in (None, each.room)]
    chosen = [each for each in every if each.hash in given.only] or drawn(
        every, given.number, given.escapes
    )
    listed = tomllib.loads(EQUIVALENT.read_text("utf-8"))
    print(f"{len(chosen)} of {len(every)} mutants", flush=True)
    table: dict[str, Counter[str]] = {}
    with (
        tempfile.TemporaryDirectory(prefix="mutants-") as folder,
        ThreadPoolExecutor(given.jobs) as pool,
    ):
        copies: SimpleQueue[Path] = SimpleQueue()
        if not given.list:
            for job in range(given.jobs):
                copies.put(_copy(Path(folder, str(job), "doilinks")))

        def run(mutant: Mutant) -> tuple[str, str]:
            if given.list:
                return "drawn", ""
            if mutant.hash in listed:
                return "equivalent", listed[mutant.hash]
            copy = copies.get()
            try:
                by = killer(mutant, copy)
            finally:
                copies.put(copy)
            return ("killed" if by else "LEFT"), by

        running = {pool.submit(run, each): each for each in chosen}
        for done in as_completed(running):
            mutant, (state, why) = running[done], done.result()
            table.setdefault(mutant.room, Counter()).update([state])
            print(f"{state} {mutant.hash} {mutant.operator} {mutant.place} {why}", flush=True)
            if state != "killed":
                print(f"    - {mutant.was}\n    + {mutant.becomes}", flush=True)
    total = sum(table.values(), Counter())
    for room, counts in [*sorted(table.items()), ("all", total)]:
        print(
            f"{room:12} "
            + "  ".join(f"{state} {number}" for state, number in sorted(counts.items()))
        )
    left, killed = total["LEFT"], total["killed"]
    return left > (left + killed) // 10


if __name__ == "__main__":
    sys.exit(main())

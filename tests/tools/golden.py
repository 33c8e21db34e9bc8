"""A golden run: what every host and command makes of the same documents, before and after a change.

``python -m tests.tools.golden record FOLDER`` writes it, ``... compare FOLDER`` makes it again and
shows each difference; a name of :data:`PARTS` after the folder takes that part alone. A change
that should not be seen by anybody, such as a file that moves, must give no difference. The folder
is outside of the repository. ``--trees DIR`` adds real source trees, ``--shared DIR`` the corpora.
"""

from __future__ import annotations

import argparse
import difflib
import gzip
import importlib
import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from shutil import rmtree
from tempfile import gettempdir

from doilinks import DOI, InvalidDOI, scan
from doilinks.testing import HandleServer

from ..test_conformance import ALL, cases_of
from .command import doilinks

ROOT = Path(__file__).parents[2]
OPTIONS = ({}, {"display": "url", "urls": "target"}, {"display": "name", "bare": False})
TYPES = ("md", "rst", "ipynb", "html", "xhtml", "txt", "bib", "py", "pyx", "cff")
SHOWN = 40  # lines of the difference of an item
# What differs from run to run: ports, folders, days and times.
FLEETING = re.compile(r"127\.0\.0\.1:\d+|/tmp/[\w./-]+?(?=/)|\b\d\d\d\d-\d\d-\d\d(T[\d:.+]+Z?)?")
Item = tuple[str, str]


def names(shared: Path) -> Iterator[Item]:
    for name in (shared / "corpus" / "names.txt").read_text(encoding="utf-8").splitlines():
        try:
            doi = DOI(name)
        except InvalidDOI as error:
            yield name, str(error)
        else:
            yield name, f"{doi.uri} {doi.url} {doi.urn}"


def prose(shared: Path) -> Iterator[Item]:
    for number, row in enumerate(_rows(shared / "corpus" / "prose.jsonl")):
        found = [(each.start, each.end, each.doi.name) for each in scan(row["text"])]
        yield f"{number}", f"{found}"


def pages(shared: Path) -> Iterator[Item]:
    """The sentences of all hosts, with their own options, and the prose of the corpus with three."""
    rows = _rows(shared / "corpus" / "prose.jsonl")
    for host in ALL:
        module = importlib.import_module(f"tests.hosts.{host}")
        batches: dict[tuple[tuple[str, object], ...], dict[str, str]] = {}
        for case in cases_of(host):
            batches.setdefault(tuple(case.options.items()), {})[case.id] = case.source
        for options in OPTIONS:
            texts = {f"prose {at}": row["text"] for at, row in enumerate(rows)}
            batches.setdefault(tuple(options.items()), {}).update(texts)
        for chosen, sources in batches.items():
            made = module.pages(list(sources.values()), dict(chosen))
            for name, page in zip(sources, made, strict=True):
                yield f"{host} {dict(chosen)} {name}", page


def commands(shared: Path) -> Iterator[Item]:
    """Every command on documents of every type, beside a Handle API that knows some names."""
    names = (shared / "corpus" / "names.txt").read_text(encoding="utf-8").splitlines()[:400]
    records = dict.fromkeys(names[::2], "https://example.org/") | {names[1]: None}
    # Fingerprints of problems contain the path, so it is the same in each run.
    folder = Path(gettempdir(), "doilinks-golden")
    folder.mkdir()
    with ExitStack() as stack:
        stack.callback(rmtree, folder)
        server = stack.enter_context(HandleServer(records))
        for kind in TYPES:
            for path in sorted((ROOT / "tests").rglob(f"*.{kind}")):
                target = folder / kind / "-".join(path.relative_to(ROOT).parts)
                target.parent.mkdir(exist_ok=True)
                target.write_bytes(path.read_bytes())
        (folder / "names.md").write_text("\n\n".join(f"See doi:{each}." for each in names))
        yield from _run("scan", folder)
        yield from _run("scan", folder, "--remarks", "--format", "json")
        for form in ("text", "json", "github", "sarif", "junit", "gitlab"):
            flags = ("--format", form, "--check-api", server.api, "--check-lockfile", "")
            yield from _run("check", folder / "names.md", *flags)
        yield from _run("fix", folder, "--diff")
        for name in names[:100]:
            yield from _run("show", name)


def trees(shared: Path, folder: Path | None) -> Iterator[Item]:
    """Real source trees: what is found in them, and what would be mended."""
    for tree in sorted(folder.iterdir()) if folder else ():
        yield from _run("scan", tree, "--remarks", "--format", "json")
        yield from _run("fix", tree, "--diff")


def works(shared: Path) -> Iterator[Item]:
    from doilinks.works import Work, compare

    for path in sorted((shared / "records").glob("pairs*.jsonl")):
        for row in _rows(path):
            made = compare(row["block"], Work.of(row["record"]), DOI(row["doi"]))
            evidence = (made.title, made.names, made.year)
            yield f"{path.name} {row['id']}", f"{made.verdict} {evidence}"


PARTS: dict[str, Callable[..., Iterator[Item]]] = {
    each.__name__: each for each in (names, prose, pages, commands, trees, works)
}


def _rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def _run(command: str, path: Path | str, *flags: str) -> Iterator[Item]:
    text = "\n".join(map(str, doilinks(command, str(path), *flags, cwd=ROOT / "examples")))
    where = str(Path(path).parent) if isinstance(path, Path) else "//"
    shown = FLEETING.sub("…", text.replace(where, "…"))
    title = " ".join([command, Path(path).name, *(each for each in flags if "/" not in each)])
    yield title, shown


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task", choices=["record", "compare"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("part", nargs="*", choices=[[], *PARTS])
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--trees", type=Path)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    differ = 0
    for part in given.part or PARTS:
        more = (given.trees,) if part == "trees" else ()
        made = dict(PARTS[part](given.shared, *more))
        path = given.folder / f"{part}.json.gz"
        if given.task == "record":
            with gzip.open(path, "wt", encoding="utf-8") as out:
                json.dump(made, out)
            print(f"{part}: {len(made)} items")
            continue
        with gzip.open(path, "rt", encoding="utf-8") as stream:
            kept = json.load(stream)
        unlike = [name for name in {**kept, **made} if kept.get(name) != made.get(name)]
        differ += len(unlike)
        print(f"{part}: {len(unlike)} of {len(kept)} items differ")
        for name in unlike[:20]:
            before, after = (each.get(name, "").splitlines() for each in (kept, made))
            lines = difflib.unified_diff(before, after, "before", "after", lineterm="", n=0)
            print(f"* {name}", *list(lines)[:SHOWN], sep="\n  ")
    return int(differ > 0)


if __name__ == "__main__":
    sys.exit(main())

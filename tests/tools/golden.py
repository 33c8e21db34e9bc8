"""A golden run: what every host and command makes of the same documents, before and after a change.

``python -m tests.tools.golden record FOLDER`` writes it, ``... compare FOLDER`` makes it again and
shows each difference; a name of :data:`PARTS` after the folder takes that part alone. A change
that nobody should see, such as a file that moves, must give no difference. The folder is outside
the repository. It keeps the documents of ``tests`` and ``examples`` as they were, so a later
change of a fixture is not a difference. ``--trees DIR`` adds real source trees, each a folder
of DIR, and ``--shared DIR`` says where the corpora are.
"""

from __future__ import annotations

import argparse
import datetime as dt
import difflib
import gzip
import json
import re
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from pathlib import Path
from shutil import copytree, ignore_patterns, rmtree
from tempfile import mkdtemp
from typing import Any

import yaml

from doilinks import DOI, InvalidDOI, scan
from doilinks.sources import TYPES

from ..hosts import HOSTS
from ..hosts.test_conformance import ALL, cases_of
from .check_matrix import ROWS, URL
from .command import doilinks
from .handle_api import HandleServer
from .modules import BIN, ROOT, end, load, run_module

SETS: tuple[dict[str, str], ...] = (
    {}, {"display": "url", "urls": "target"}, {"display": "name", "bare": "off"},
    {"display": "source", "urls": "keep"}, {"display": "legible", "css_class": "doi other"},
    {"ignore": r"10\.(5072|1038)/"},
)  # fmt: skip
FORMATS = ("text", "json", "github", "sarif", "junit", "gitlab", "markdown")
WRITERS = ("html", "latex", "json", "markdown", "rst", "plain", "man", "typst")
BUILDERS = ("html", "text", "latex", "man", "texinfo", "xml")
SHOWN, ITEMS = 40, 20  # lines of the difference of an item, items of a part
Item = tuple[str, str]


@dataclass
class Run:
    """Where the documents are, and a folder to work in, of which each run has its own."""

    folder: Path
    shared: Path
    trees: Path | None = None

    @property
    def inputs(self) -> Path:
        return self.folder / "inputs"

    @cached_property
    def work(self) -> Path:
        return Path(mkdtemp(prefix="golden-"))

    def fresh(self, *documents: str) -> Path:
        """The folder to work in: empty, or with a copy of some of the inputs."""
        rmtree(self.work, ignore_errors=True)
        self.work.mkdir()
        for each in documents:
            copytree(self.inputs / each, self.work / each)
        return self.work

    def rows(self, path: str) -> list[dict[str, Any]]:
        lines = (self.shared / path).read_text(encoding="utf-8").split("\n")
        return [json.loads(line) for line in lines if line]

    @cached_property
    def prose(self) -> list[str]:
        files = ("prose", "negatives", "cases")
        return [row["text"] for each in files for row in self.rows(f"corpus/{each}.jsonl")]

    @cached_property
    def names(self) -> list[str]:
        text = (self.shared / "corpus" / "names.txt").read_text(encoding="utf-8")
        return text.splitlines()

    def plain(self, text: str) -> str:
        """Without what differs from run to run: the port, the day, the time, and where the folder is."""
        for path, shown in ((self.work, "WORK"), (self.trees, "TREES"), (ROOT, "ROOT")):
            text = text.replace(str(path), shown) if path else text
        for day in (dt.date.today(), dt.datetime.now(dt.UTC).date()):  # noqa: DTZ011
            text = text.replace(day.isoformat(), "TODAY")
        text = re.sub(r"(TODAY)[T ][\d:.+]+Z?", r"\1", text)
        text = re.sub(r"127\.0\.0\.1:\d+", "SERVER", text)
        text = re.sub(r"(?m)^doilinks: asked \d+ of \d+\n", "", text)  # of a slow check
        return re.sub(r"\x1b\[[\d;]*m|/\S*/(?=pandoc-doilinks)", "", text)

    def command(self, *arguments: str, cwd: Path | None = None, stdin: str = "") -> Item:
        """What a command line gives: its exit code, and both of its streams."""
        made = doilinks(*arguments, cwd=cwd or self.work, stdin=stdin.encode())
        return self.plain(" ".join(arguments))[:120], self.plain("\n".join(map(str, made)))

    def take_inputs(self) -> None:
        """Copy the sentences and documents of the repository."""
        rmtree(self.inputs, ignore_errors=True)
        documents = self.inputs / "documents"
        for kind in TYPES:
            (documents / kind).mkdir(parents=True)
            roots = (ROOT / "tests", ROOT / "examples", ROOT / "docs")
            paths = [path for root in roots for path in root.rglob(f"*.{kind}")]
            paths = [path for path in sorted(paths) if "_build" not in path.parts]
            for path in paths:
                target = documents / kind / "-".join(path.relative_to(ROOT).parts)
                target.write_bytes(path.read_bytes())
        built = ignore_patterns("_build", "__pycache__", ".*")
        copytree(ROOT / "examples", self.inputs / "examples", ignore=built)
        pages = ROOT / "tests" / "agreement" / "pages"
        copytree(pages, self.inputs / "pages", ignore=built)
        cases = {
            host: [(case.id, case.options, case.source) for case in cases_of(host)] for host in ALL
        }
        (self.inputs / "cases.json").write_text(json.dumps(cases), encoding="utf-8")

    def serve(self, server: HandleServer) -> list[str]:
        """Give a server records, some of them of other works; returns texts that cite them."""
        rows = [row for row in ROWS if not row.options.get("check_timeout")]
        for row in rows:
            row.serve(server)
        texts = [f"See {row.text} there." for row in rows]
        cited = {row["doi"]: row for row in self.rows("records/retractions.jsonl")}
        # A pair and a swapped one in turn, of each name one.
        for at, row in enumerate(self.rows("records/pairs.jsonl")[:900]):
            if row["made"] == ("random" if at % 3 == 0 else "real"):
                cited.setdefault(row["doi"], row)
        for name, row in cited.items():
            # A swapped record has the name of its own work.
            work = {key: value for key, value in row["record"].items() if key != "DOI"}
            server.set(name, {"url": URL, "work": work})
            texts.append(" ".join(row["block"].split()) + f" doi:{name}")
        for name in self.names[:40]:
            server.set(name, URL)
            texts.append(f"See doi:{name.replace('-', '–')}, doi:{name} or doi:{name}x.")
        return texts


def names(run: Run) -> Iterator[Item]:
    """The forms of each name, and what is found of it in four sentences."""
    for number, name in enumerate(run.names):
        said = ("{}", "See doi:{}.", "(https://doi.org/{})", "“{}”, and")
        found = [
            [(at.start, at.end, at.doi.name) for at in scan(each.format(name))] for each in said
        ]
        try:
            doi = DOI(name)
        except InvalidDOI as error:
            yield f"{number} {name}", f"{error}\n{found}"
        else:
            yield f"{number} {name}", f"{doi.uri} {doi.url} {doi.urn}\n{found}"


def prose(run: Run) -> Iterator[Item]:
    for number, text in enumerate(run.prose):
        yield f"{number}", f"{text}\n{[(at.start, at.end, at.doi.name) for at in scan(text)]}"


def works(run: Run) -> Iterator[Item]:
    """The verdict about each pair of a text and a record, with its evidence."""
    from doilinks.works import Work, compare

    for path in sorted((run.shared / "records").glob("pairs*.jsonl")):
        for row in run.rows(f"records/{path.name}"):
            made = compare(row["block"], Work.of(row["record"]), DOI(row["doi"]))
            yield (
                f"{path.name} {row['id']}",
                f"{made.verdict} {(made.title, made.names, made.year)}",
            )


def host(name: str) -> Callable[[Run], Iterator[Item]]:
    """The sentences of a host with their own options, prose with each set of options, and names."""

    def pages(run: Run) -> Iterator[Item]:
        batches: dict[str, dict[str, str]] = {}
        cases = json.loads((run.inputs / "cases.json").read_text(encoding="utf-8"))[name]
        for title, options, source in cases:
            batches.setdefault(json.dumps(options), {})[title] = source
        lists = [
            "\n\n".join(f"See doi:{each}." for each in part) for part in _parts(run.names[::4])
        ]
        for options in SETS:
            texts = {f"prose {at}": text for at, text in enumerate(run.prose)}
            texts |= {f"names {at}": text for at, text in enumerate(lists) if not options}
            batches.setdefault(json.dumps(options), {}).update(texts)
        for options, sources in batches.items():
            made = HOSTS[name].pages(list(sources.values()), json.loads(options))
            for title, page in zip(sources, made, strict=True):
                yield f"{options} {title}", run.plain(page)

    return pages


def writers(run: Run) -> Iterator[Item]:
    """Documents as each builder of Sphinx, writer of Pandoc and site generator writes them."""
    from .hosts import build, pandoc

    rest, markdown = (run.inputs / "pages" / each for each in ("rest.rst", "markdown.md"))
    texts = {".rst": rest.read_text(encoding="utf-8"), ".md": markdown.read_text(encoding="utf-8")}
    lists = "\n\n".join(f"See doi:{each}." for each in run.names[::25])
    for suffix, text in texts.items():
        source = run.fresh() / "source"
        source.mkdir()
        (source / "conf.py").write_text("")
        for title, page in (("index", text), ("names", f"Names\n=====\n\n{lists}\n")):
            (source / f"{title}{suffix}").write_text(page, encoding="utf-8")
        kinds = {".rst": "restructuredtext"} | ({".md": "markdown"} if suffix == ".md" else {})
        more = {"extensions": ["doilinks.sphinx", "myst_parser"], "source_suffix": kinds,
                "project": "Golden", "author": "Nobody", "today": "a day", "html_theme": "basic",
                "latex_documents": [(each, f"{each}.tex", each, "", "howto") for each in ("index", "names")],
                "suppress_warnings": ["toc"]}  # fmt: skip
        for builder in BUILDERS:
            said, out = StringIO(), run.work / builder
            build(source, out, builder, more, warning=said)
            yield f"sphinx {suffix} {builder}: warnings", run.plain(said.getvalue())
            for path in sorted(out.glob("*.*")):
                if path.suffix in (".html", ".txt", ".tex", ".1", ".texi", ".xml"):
                    page = path.read_text(encoding="utf-8", errors="replace")
                    yield f"sphinx {suffix} {builder} {path.name}", run.plain(page)
        for writer in WRITERS:
            reader = {".rst": "rst", ".md": "markdown"}[suffix]
            done = pandoc("-s", "-f", reader, "-t", writer, given=f"{text}\n\n{lists}", check=False)
            page = f"{done.returncode}\n{(done.stdout + done.stderr).decode()}"
            yield f"pandoc {reader} {writer}", run.plain(page)
    yield from _pelican(run, texts, lists)


def _pelican(run: Run, texts: dict[str, str], lists: str) -> Iterator[Item]:
    site = run.fresh()
    (site / "content").mkdir()
    rest = re.sub(r"\A.*\n=+\n", "", texts[".rst"])
    head = "A title\n#######\n\n:date: 2026-01-01\n:slug: b\n\n"
    (site / "content" / "b.rst").write_text(f"{head}{rest}\n\n{lists}\n", encoding="utf-8")
    head = "Title: A\nDate: 2026-01-01\nSlug: a\n\n"
    (site / "content" / "a.md").write_text(f"{head}{texts['.md']}\n\n{lists}\n", encoding="utf-8")
    for display in ("uri", "name"):
        (site / "pelicanconf.py").write_text(
            "SITENAME, AUTHOR, TIMEZONE = 'Site', 'Author', 'UTC'\nFEED_ALL_ATOM = None\n"
            f"PLUGINS = ['doilinks.pelican']\nDOI_DISPLAY = {display!r}\n"
        )
        line = [BIN / "pelican", "content", "-o", "out", "-s", "pelicanconf.py"]
        done = subprocess.run(line, cwd=site, capture_output=True, text=True, check=False)
        yield f"pelican {display}: exit code", str(done.returncode)
        for page in ("a.html", "b.html"):
            yield f"pelican {display} {page}", (site / "out" / page).read_text(encoding="utf-8")


def examples(run: Run) -> Iterator[Item]:
    """The examples, built by the program that comes with them."""
    folder = run.fresh("examples") / "examples"
    demo = load(folder / "demo.py")
    for example in demo.BUILDS:
        out = run.work / "out" / example.name
        out.mkdir(parents=True)
        for command in example.commands:
            done = demo.run(command, example.name, out=out)
            yield f"{command} ({example.name})", run.plain(f"{done.returncode}\n{done.stdout}")
        for output in example.outputs:
            if (out / output).suffix == ".html":
                page = (out / output).read_text(encoding="utf-8")
                yield f"{example.name}/{output}", run.plain(page)
            else:
                yield f"{example.name}/{output}", "\n".join(map(str, demo.doi_links(out / output)))
    with HandleServer(folder / "check" / "records.json") as server:
        for command in demo.FAILING:
            done = demo.run(command, "check", out=run.work / "out" / "check", api=server.api)
            yield command, run.plain(f"{done.returncode}\n{done.stdout}")


def checks(run: Run) -> Iterator[Item]:
    """The check in Sphinx, MyST, MkDocs and Pandoc: messages, how a build ends, the lock file."""
    from .hosts import build, pandoc

    settings = (
        {"check": "error"}, {"check": "warn", "check_works": "warn"},
        {"check": "error", "check_works": "error", "check_unknown": "error", "check_ignore": "10.1000/*"},
    )  # fmt: skip
    with HandleServer() as server:
        document = "Title\n=====\n\n" + "\n\n".join(run.serve(server)) + "\n"
        for chosen in settings:
            given = chosen | {
                "check_retries": "0",
                "check_api": server.api,
                "check_works_api": server.works_api,
            }
            for suffix, extensions in ((".rst", []), (".md", ["myst_parser"])):
                folder, said, status = run.fresh() / "source", StringIO(), StringIO()
                folder.mkdir()
                (folder / "conf.py").write_text("")
                (folder / f"index{suffix}").write_text(document, encoding="utf-8")
                values = {f"doi_{name}": value for name, value in given.items()}
                values["extensions"] = ["doilinks.sphinx", *extensions]
                app = build(folder, run.work / "out", "dummy", values, warning=said, status=status)
                # The rest of what Sphinx says of its progress is not from doilinks.
                own = [line for line in status.getvalue().splitlines() if "doi" in line.lower()]
                shown = "\n".join([str(app.statuscode), said.getvalue(), *own])
                yield f"sphinx {suffix} {chosen}", run.plain(shown)
                yield from _lockfile(run, folder, f"sphinx {suffix} {chosen}")
            folder = run.fresh()
            (folder / "docs").mkdir()
            (folder / "docs" / "index.md").write_text(document, encoding="utf-8")
            config = {"site_name": "Golden", "plugins": [{"doilinks": given}]}
            (folder / "mkdocs.yml").write_text(yaml.safe_dump(config))
            done = run_module("mkdocs", "build", cwd=folder)
            said_ = re.sub(r"in \d+\.\d+ seconds", "", done.stderr + done.stdout)
            yield f"mkdocs {chosen}", run.plain(f"{done.returncode}\n{said_}")
            yield from _lockfile(run, folder, f"mkdocs {chosen}")
            folder = run.fresh()
            (folder / "page.md").write_text(document, encoding="utf-8")
            own_ = {name: value for name, value in given.items() if "api" not in name}
            flags = [
                f"--metadata=doi-{name.replace('_', '-')}={value}" for name, value in own_.items()
            ]
            trusted = {
                "DOILINKS_CHECK_API": server.api,
                "DOILINKS_CHECK_WORKS_API": server.works_api,
            }
            line = ("-f", "commonmark_x+sourcepos", "-t", "html", *flags, "page.md")
            made = pandoc(*line, check=False, cwd=folder, env=trusted)
            said_ = f"{made.returncode}\n{(made.stderr + made.stdout).decode()}"
            yield f"pandoc {chosen}", run.plain(said_)


def _lockfile(run: Run, folder: Path, title: str) -> Iterator[Item]:
    path = folder / "doi-lock.json"
    text = path.read_text(encoding="utf-8") if path.exists() else "there is none"
    yield f"{title}: lock file", run.plain(text)


def cli(run: Run) -> Iterator[Item]:
    """Every command, on documents of every type."""
    folder = run.fresh("documents")
    documents = folder / "documents"
    listed = "\n\n".join(f"See doi:{each}." for each in run.names[::2])
    for kind in ("md", "rst", "txt"):
        (documents / kind / f"names.{kind}").write_text(listed, encoding="utf-8")
        (documents / kind / f"prose.{kind}").write_text("\n\n".join(run.prose), encoding="utf-8")
    entries = [f"@misc{{a{at},\n  doi = {{{each}}}\n}}\n" for at, each in enumerate(run.names[::4])]
    (documents / "bib" / "names.bib").write_text("\n".join(entries), encoding="utf-8")
    for kind in TYPES:
        where = f"documents/{kind}"
        yield run.command("scan", where)
        yield run.command("scan", "-j1", "--remarks", "--format", "json", where)
        yield run.command("fix", "-j1", "--diff", where)
        yield run.command("scan", "--type", kind, "-", stdin="\n\n".join(run.prose))
        yield run.command("fix", "--type", kind, "-", stdin="\n\n".join(run.prose))
    for flags in (["--format", "csv"], ["--no-bare"], ["--display", "name", "--ignore", "10.1038"],
                  ["-v", "--exclude", "prose.*"], ["--format", "nothing"]):  # fmt: skip
        yield run.command("scan", *flags, "documents/md")
    for part in _parts(run.names):
        yield run.command("show", *part)
    yield run.command("show", "--format", "json", *run.names[:200])
    yield run.command("show", "nothing")
    for arguments in ([], ["scan"], ["check"], ["fix"], ["show"]):
        yield run.command(*arguments, "--help")
    for wrong in (["check", "none.md"], ["fix", "--select", "none", "."], ["scan", "--nothing"]):
        yield run.command(*wrong)
    yield from _fixed(run, "fix", "-j1", "documents")


def _fixed(run: Run, *arguments: str) -> Iterator[Item]:
    """What a command writes into files."""
    before = {path: path.read_bytes() for path in sorted(run.work.rglob("*")) if path.is_file()}
    yield run.command(*arguments)
    for path in sorted(path for path in run.work.rglob("*") if path.is_file()):
        if before.get(path) != path.read_bytes():
            text = path.read_bytes().decode("utf-8", "backslashreplace")
            yield f"{path.relative_to(run.work)} after {arguments[0]}", run.plain(text)


def check(run: Run) -> Iterator[Item]:
    """``doilinks check`` in every format, with works, a lock file, and without a connection."""
    folder = run.fresh("documents")
    with HandleServer() as server:
        texts = run.serve(server)
        for kind in ("md", "rst"):
            (folder / f"page.{kind}").write_text("\n\n".join(texts), encoding="utf-8")
        api = ("--check-api", server.api, "--check-works-api", server.works_api,
               "--check-retries", "0")  # fmt: skip
        alone = (*api, "--check-lockfile", "")
        for form in FORMATS:
            yield run.command("check", "page.md", "--format", form, *alone)
            yield run.command("check", "page.md", "page.rst", "--works", "--format", form, *alone)
        for more in (["--check", "warn"], ["--check-unknown", "error"], ["--check-works", "error"],
                     ["--check-ignore", "10.1000/*"], ["-q"], ["--works", "--check-accept", "10.1109/*"],
                     ["--format", "json", "-o", "report.json"]):  # fmt: skip
            yield run.command("check", "page.md", *more, *alone)
        yield run.command("check", "documents", "--works", *alone)
        for more in ([], ["--works"], ["--offline"], ["--offline", "--works"], ["--update"]):
            yield run.command("check", "page.md", "page.rst", *more, *api)
            yield from _lockfile(run, folder, f"check {more}")
        (folder / "page.rst").unlink()
        (folder / "page.md").write_text("\n\n".join(texts[::2]), encoding="utf-8")
        yield run.command("check", "page.md", "--prune", *api)
        yield from _lockfile(run, folder, "check --prune")
        yield from _fixed(run, "fix", "page.md", "--from-check", *api[:2])


def trees(run: Run) -> Iterator[Item]:
    """Real source trees: what is found in them, and what would be mended."""
    if run.trees is None:
        return
    listed = run.inputs / "trees.json"  # one that is added later is not a difference
    if not listed.exists():
        folders = sorted(path.name for path in run.trees.iterdir() if path.is_dir())
        listed.write_text(json.dumps(folders))
    for tree in json.loads(listed.read_text()):
        yield run.command("scan", "-j1", "--remarks", tree, cwd=run.trees)
        yield run.command("fix", "-j1", "--diff", tree, cwd=run.trees)


def _parts(all_of_them: list[str], size: int = 100) -> Iterator[list[str]]:
    for at in range(0, len(all_of_them), size):
        yield all_of_them[at : at + size]


PARTS: dict[str, Callable[[Run], Iterator[Item]]] = {
    each.__name__: each
    for each in (names, prose, works, cli, check, checks, writers, examples, trees)
} | {each: host(each) for each in ALL}


def made(part: str, run: Run) -> dict[str, str]:
    """The items of a part by title.

    :raises ValueError: for a title that two items have
    """
    items: dict[str, str] = {}
    for title, text in PARTS[part](run):
        if title in items:
            raise ValueError(f"{part}: two items are called {title}")
        items[title] = text
    return items


def differences(kept: dict[str, str], now: dict[str, str]) -> Iterator[str]:
    """Each item that differs: its title, and the first lines that do."""
    for title in [title for title in {**kept, **now} if kept.get(title) != now.get(title)]:
        before, after = (each.get(title, "").splitlines() for each in (kept, now))
        lines = list(difflib.unified_diff(before, after, "before", "after", lineterm="", n=0))
        lines = lines or ["only how its lines end"]
        if title not in kept or title not in now:
            lines = ["only before" if title in kept else "only after", *lines[:3]]
        more = [f"... {len(lines) - SHOWN} lines more"] if len(lines) > SHOWN else []
        yield "\n  ".join([f"* {title}", *lines[:SHOWN], *more])


def record(run: Run, part: str) -> int:
    """Write a part; the same items give the same bytes."""
    items = made(part, run)
    data = json.dumps(items, ensure_ascii=False).encode("utf-8", "surrogatepass")
    (run.folder / f"{part}.json.gz").write_bytes(gzip.compress(data, mtime=0))
    print(f"{part}: {len(items)} items", flush=True)
    return 0


def compare(run: Run, part: str) -> int:
    """Make a part again; returns how many items differ."""
    data = gzip.decompress((run.folder / f"{part}.json.gz").read_bytes())
    kept = json.loads(data.decode("utf-8", "surrogatepass"))
    try:
        wrong = list(differences(kept, made(part, run)))
    except Exception:  # noqa: BLE001  the other parts still tell something
        wrong = [f"* could not be made\n{traceback.format_exc()}"]
    print(f"{part}: {len(wrong)} of {len(kept)} items differ", *wrong[:ITEMS], sep="\n", flush=True)
    return len(wrong)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="golden", description=__doc__)
    parser.add_argument("task", choices=["record", "compare"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("part", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--trees", type=Path)
    given = parser.parse_args(arguments)
    if unknown := set(given.part) - PARTS.keys():
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    run = Run(given.folder.resolve(), given.shared.resolve(), given.trees and given.trees.resolve())
    # A part that is recorded again is of the documents that the others are of.
    if given.task == "record" and not (given.part and (run.inputs / "cases.json").exists()):
        run.take_inputs()
    if not (run.inputs / "cases.json").exists():
        parser.error(f"nothing is recorded in {run.folder}")
    recorded = [part for part in PARTS if (run.folder / f"{part}.json.gz").exists()]
    parts = given.part or (list(PARTS) if given.task == "record" else recorded)
    task = {"record": record, "compare": compare}[given.task]
    try:
        return int(sum(task(run, part) for part in parts) > 0)
    finally:
        rmtree(run.work, ignore_errors=True)


if __name__ == "__main__":
    try:
        sys.exit(main())
    finally:
        end()

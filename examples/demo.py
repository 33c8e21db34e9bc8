"""Build every example, offline, and show what was linked where.

Run by ``make demo``. Takes a folder to build into; the default is ``examples/_build``.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET
from zipfile import ZipFile

import pypandoc

from doilinks import DOI

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.tools.handle_api import HandleServer

EXAMPLES = Path(__file__).resolve().parent
PROXY = "https://doi.org/"
TIMEOUT = 300  # seconds for one command
RULE = "-" * 78


class Example(NamedTuple):
    """A folder with a document, how it is built, and one link to look at.

    :ivar commands: run in the folder; ``{out}`` is where the output goes
    :ivar outputs: files in ``{out}``
    :ivar before: as it stands in the source
    :ivar after: as the output shows it
    :ivar citing: the output with citations and a list of references
    :ivar citation: one of them, as the output shows it
    """

    name: str
    commands: tuple[str, ...]
    outputs: tuple[str, ...]
    before: str
    after: str
    citing: str
    citation: str


# The filter gives citeproc the works, and corrects the links of the list that citeproc makes.
_PANDOC = "--filter pandoc-doilinks --citeproc --filter pandoc-doilinks"
BUILDS = (
    Example(
        "sphinx",
        ("sphinx-build -q -W -b html . {out}",),
        ("index.html", "methods.html", "reading.html", "software.html", "api.html"),
        "DOI: 10.1175/1520-0493(1980)108<1046:TCOEPT>2.0.CO;2",
        "doi:10.1175/1520-0493(1980)108%3C1046:TCOEPT%3E2.0.CO;2",
        "software.html",
        "Hoyer & Hamman (2017)",
    ),
    Example(
        "mkdocs",
        ("mkdocs build -q -d {out}",),
        ("index.html", "protocols.html", "reading.html", "software.html"),
        "**10.1577/1548-8446(2006)31[590:TCFIE]2.0.CO;2**",
        "doi:10.1577/1548-8446(2006)31%5B590:TCFIE%5D2.0.CO;2",
        "software.html",
        "Breiman (2001)",
    ),
    Example(
        "pandoc",
        (
            f"pandoc paper.md -s {_PANDOC} -o {{out}}/paper.html",
            f"pandoc paper.md {_PANDOC} -o {{out}}/paper.docx",
        ),
        ("paper.html", "paper.docx"),
        "doi:10.26321/Á.GUTIÉRREZ.ZARZA.02.2018.03",
        "doi:10.26321/%C3%81.GUTI%C3%89RREZ.ZARZA.02.2018.03",
        "paper.html",
        "(Hoyer and Hamman 2017)",
    ),
    Example(
        "markdown-it",
        (
            "python render.py notes.md {out}/notes.html",
            "python render.py talk.md {out}/talk.html",
        ),
        ("notes.html", "talk.html"),
        "**10.1021/bc030018+**",
        "doi:10.1021/bc030018+",
        "talk.html",
        "Brown et al. (2001)",
    ),
)

# These have to fail, and to say why; {api} is a server on this machine.
FAILING = (
    "doilinks check --check-api {api} .",
    "sphinx-build -q -b html -D doi_check_api={api} . {out}",
)
REASON = ("software.rst:9", "not found", "did you mean doi:10.1038/s41592-019-0686-2?")


def main() -> int:
    """Show everything; the exit code is 1 when something did not go as it should."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace", line_buffering=True)
    into = Path(sys.argv[1] if len(sys.argv) > 1 else EXAMPLES / "_build").resolve()
    began = time.monotonic()
    good = build(into) and show_links(into) and show_works(into)
    good = show_failing_builds(into) and good
    print(RULE)
    took = f"in {time.monotonic() - began:.0f} s"
    print(f"All as it should be, {took}." if good else f"Something is wrong, see above ({took}).")
    return 0 if good else 1


def build(into: Path) -> bool:
    """Build every example, a line for each command; False when one fails."""
    print(f"Building the examples. Each command runs in its example's folder.\n{RULE}")
    good = True
    for example in BUILDS:
        out = fresh(into / example.name)
        out.mkdir(parents=True)
        for command in example.commands:
            began = time.monotonic()
            done = run(command, example.name, out=out)
            took = f"{time.monotonic() - began:4.1f} s"
            print(f"{took}  {example.name:12} {shown(command, example.name, out=out)}")
            if done.returncode:
                print(f"FAILED with exit code {done.returncode}:\n{done.stdout.rstrip()}")
                good = False
    return good


def show_links(into: Path) -> bool:
    """What was linked where, and where to look; False when a link is not there."""
    print(f"\nWhat was linked where. Open one of the files, and hover.\n{RULE}")
    print(f"{'Example':13} {'Where to look':48} {'DOIs':>5} {'distinct':>9}")
    good = True
    for example in BUILDS:
        print(RULE)
        all_links: dict[str, str] = {}
        for name, output in zip((example.name, *[""] * 9), example.outputs, strict=False):
            file = into / example.name / output
            links = doi_links(file)
            distinct = {DOI.parse(href) for _, href in links}
            all_links |= dict(links)
            print(f"{name:13} {place(file):48} {len(links):5} {len(distinct):9}")
        href = all_links.get(example.after)
        print(f"{'before':>12}: {example.before}")
        print(f"{'after':>12}: {example.after if href else 'NOT FOUND'}")
        print(f"{'links to':>12}: {href}")
        good = good and href is not None
    return good


def show_works(into: Path) -> bool:
    """What was cited, and what a link shows; False when a citation is not there."""
    print(f"\nWhat was cited. The works are those of doi-lock.json, beside each example.\n{RULE}")
    good = True
    for example in BUILDS:
        shown = works_shown(into / example.name / example.citing)
        known = example.citation in shown.citations
        good = good and known and bool(shown.entries) and bool(shown.titles)
        print(f"{example.name:13} {place(into / example.name / example.citing)}")
        print(f"{'cites':>12}: {'; '.join(shown.citations)}")
        print(f"{'on hover':>12}: {next(iter(shown.titles), 'NOTHING')}")
        print(f"{'lists':>12}: {next(iter(shown.entries), 'NOTHING')}")
        print(f"{'':>12}  and {len(shown.entries) - 1} more\n{RULE}")
        if not known:
            print(f"NOT FOUND: {example.citation}")
    return good


def show_failing_builds(into: Path) -> bool:
    """Builds with a name that does not exist; False when one does not fail as it should."""
    print(
        f"\nA build that fails, as it should. No connection leaves this machine.\n{RULE}\n"
        "One name in examples/check was copied from a PDF, with dashes for its hyphens.\n"
        "The others are answered from the lock file that is committed with the example;\n"
        "that one is asked of a server started here, in the place of doi.org."
    )
    good = True
    with HandleServer(EXAMPLES / "check" / "records.json") as server:
        for command in FAILING:
            out = fresh(into / "check")
            done = run(command, "check", out=out, api=server.api)
            failed = done.returncode == 1 and all(words in done.stdout for words in REASON)
            print(f"\nexamples/check$ {shown(command, 'check', out=out, api=server.api)}")
            print(done.stdout.rstrip())
            verdict = "as expected" if failed else "NOT as expected"
            print(f"(exit code {done.returncode}, {verdict})")
            good = good and failed
    return good


def run(command: str, folder: str, **places: object) -> subprocess.CompletedProcess[str]:
    """Run a command in an example's folder, with the programs of this environment."""
    pandoc = shutil.which(pypandoc.get_pandoc_path()) or ""
    path = (str(Path(sys.executable).parent), str(Path(pandoc).parent), os.environ.get("PATH", ""))
    environment = os.environ | {
        "PATH": os.pathsep.join(path),
        "NO_PROXY": "127.0.0.1",
        "no_proxy": "127.0.0.1",
        "NO_COLOR": "1",
        "PYTHONUTF8": "1",
    }
    name, *arguments = [word.format(**places) for word in command.split()]
    try:
        return subprocess.run(  # noqa: S603  # the commands above
            [shutil.which(name, path=environment["PATH"]) or name, *arguments],
            cwd=EXAMPLES / folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            timeout=TIMEOUT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return subprocess.CompletedProcess(command, 1, str(error))


def shown(command: str, folder: str, *, out: Path, api: str = "") -> str:
    """The command as one would type it in the folder."""
    return command.format(out=os.path.relpath(out, EXAMPLES / folder), api=api)


def place(file: Path) -> str:
    """A path as one would type it here."""
    return str(file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file)


def fresh(folder: Path) -> Path:
    """The folder, without what an earlier run has left there."""
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def doi_links(file: Path) -> list[tuple[str, str]]:
    """The links to DOIs in a built file, as (text, href)."""
    read = _links_of_docx if file.suffix == ".docx" else _links_of_html
    return [(text, href) for text, href in read(file) if href.startswith(PROXY)]


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[tuple[str, str]] = []
        self._href: str | None = None
        self._text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self._href, self._text = dict(attrs).get("href"), ""

    def handle_data(self, data: str) -> None:
        self._text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "a" and self._href is not None:
            self.links.append((" ".join(self._text.split()), self._href))
            self._href = None


class Shown(HTMLParser):
    """What a page shows of works.

    :ivar citations: the text of each citation
    :ivar entries: the text of each entry of its list of references
    :ivar titles: what its links show on hover
    """

    def __init__(self) -> None:
        super().__init__()
        self.citations: list[str] = []
        self.entries: list[str] = []
        self.titles: list[str] = []
        self._open: list[tuple[str, list[str], list[str]]] = []  # tag, where it goes, its text

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        classes = given.get("class", "").split()
        if tag == "a" and "doi" in classes and "title" in given:
            self.titles.append(given["title"])
        if {"doi-cite", "citation"}.intersection(classes):
            self._open.append((tag, self.citations, []))
        elif "csl-entry" in classes or (tag == "li" and given.get("id", "").startswith("doi-")):
            self._open.append((tag, self.entries, []))

    def handle_data(self, data: str) -> None:
        for _, _, text in self._open:
            text.append(data)

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open[-1][0] == tag:
            _, goes, text = self._open.pop()
            goes.append(" ".join("".join(text).split()))


def works_shown(file: Path) -> Shown:
    """What a built page shows of works."""
    parser = Shown()
    parser.feed(file.read_text(encoding="utf-8"))
    return parser


def _links_of_html(file: Path) -> list[tuple[str, str]]:
    parser = _Links()
    parser.feed(file.read_text(encoding="utf-8"))
    return parser.links


def _links_of_docx(file: Path) -> list[tuple[str, str]]:
    """A hyperlink names a relationship, which has the target; each part has its own."""
    word = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
    relation = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
    links = []
    with ZipFile(file) as archive:
        for part in ("document", "footnotes"):
            # Pandoc has just written this XML, so it is not hostile.
            relations = ET.fromstring(archive.read(f"word/_rels/{part}.xml.rels"))  # noqa: S314
            targets = {each.get("Id"): each.get("Target", "") for each in relations}
            body = ET.fromstring(archive.read(f"word/{part}.xml"))  # noqa: S314
            for link in body.iter(word + "hyperlink"):
                text = "".join(each.text or "" for each in link.iter(word + "t"))
                links.append((text, targets.get(link.get(relation), "")))
    return links


if __name__ == "__main__":
    sys.exit(main())

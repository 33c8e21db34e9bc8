"""What works cost: texts on hover in a build, and a long list of references.

    python benchmarks/cite.py [ROUNDS [HOST ...]]

500 pages with four names on each, whose works are all in the lock file, are built with ``hover`` and
without it. Each build is a process of its own; the two take turns. What counts is the processor
time of the build alone, of which the least counts. Then a page with a list of 2,000
works is built once in each host that has lists: seconds, and MiB that the list adds to the peak.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from mkdocs_build import page as md_page
from sphinx_build import page as rst_page

from doilinks.lock.entries import parse, spell

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 3
PAGES, NAMES, LISTED = 500, 4, 2_000
TITLE = "A study of the method of Smith and Jones and of its limits, number {}"

# Each program prints the processor time of what it is about, the peak in KiB, and how many titles
# and entries the pages have. Its arguments are a folder, and the options as JSON.
_HEAD = """
import json, re, resource, sys, time
from pathlib import Path
folder, options = Path(sys.argv[1]), json.loads(sys.argv[2])
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
def say(used, pages):
    titles, entries = (sum(len(re.findall(each, page)) for page in pages)
                       for each in ('title="Smith', '<li id="doi-'))
    print(json.dumps([used, peak(), titles, entries]))
"""
_PYTHON_MARKDOWN = """
import markdown
md = markdown.Markdown(extensions=["tables", "fenced_code", "doilinks"], extension_configs={"doilinks": options})
sources = [file.read_text() for file in sorted((folder / "docs").glob("*.md"))]
md.convert("doi:10.1000/182")
begin = time.process_time()
made = [md.reset().convert(source) for source in sources]
say(time.process_time() - begin, made)
"""
_MARKDOWN_IT = """
from markdown_it import MarkdownIt
from doilinks.markdown_it import doi_plugin
md = MarkdownIt().use(doi_plugin, **options)
sources = [file.read_text() for file in sorted((folder / "docs").glob("*.md"))]
md.render("doi:10.1000/182")
begin = time.process_time()
made = [md.render(source) for source in sources]
say(time.process_time() - begin, made)
"""
_MKDOCS = """
import logging
from mkdocs.commands.build import build
from mkdocs.config import load_config
import mkdocs.contrib.search.search_index, mkdocs.structure.pages
config = {"site_name": "bench", "markdown_extensions": ["tables", "fenced_code"],
          "plugins": ["search", {"doilinks": options}]}
(folder / "mkdocs.yml").write_text(json.dumps(config))
config = load_config(str(folder / "mkdocs.yml"), site_dir=str(folder / "site"))
begin = time.process_time()
build(config)
used = time.process_time() - begin
say(used, [file.read_text() for file in (folder / "site").rglob("*.html")])
"""
_SPHINX = """
from sphinx.application import Sphinx
import sphinx.builders.html, sphinx.parsers, sphinx.domains.python
source, out = str(folder / "rst"), str(folder / "out")
overrides = {"extensions": ["doilinks.sphinx"], **{f"doi_{key}": value for key, value in options.items()}}
begin = time.process_time()
Sphinx(source, source, out, out + "/.doctrees", "html", overrides, status=None, warning=None).build(force_all=True)
used = time.process_time() - begin
say(used, [file.read_text() for file in (folder / "out").rglob("*.html")])
"""
_EVERY = {
    "Sphinx": _SPHINX,
    "MkDocs": _MKDOCS,
    "Python-Markdown": _PYTHON_MARKDOWN,
    "markdown-it-py": _MARKDOWN_IT,
}
PROGRAMS = {host: program for host, program in _EVERY.items() if host in (sys.argv[2:] or _EVERY)}
ON: dict[str, object] = {"hover": True}
OFF: dict[str, object] = {"hover": False}


class Used(NamedTuple):
    """What a program says of itself."""

    seconds: float
    peak: int
    titles: int
    entries: int


def run(program: str, folder: Path, options: dict[str, object]) -> Used:
    lock = {"check_lockfile": str(folder / "doi-lock.json")}
    command = [sys.executable, "-c", _HEAD + program, str(folder), json.dumps({**options, **lock})]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr[-2000:])
    return Used(*json.loads(done.stdout.splitlines()[-1]))


def name(number: int) -> str:
    return f"10.1000/work.{number}"


def write(folder: Path, works: int, pages: dict[str, str]) -> None:
    """A lock file with works, and the pages of a project by their paths."""
    entries = {
        f"doi:{name(each)}": {
            "fetched": "2026-11-20", "type": "journal-article", "title": TITLE.format(each),
            "author": [[f"Smith{each % 97}", "Jo A."], ["Jones", "B."]], "year": 1990 + each % 30,
            "container": "Journal of Studies", "volume": "12", "issue": "3", "page": "45-67",
        }
        for each in range(works)
    }  # fmt: skip
    lock = {"version": 1, "found": {}, "works": entries}
    (folder / "doi-lock.json").write_text(spell(parse(json.dumps(lock).encode())))
    for path, text in pages.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def builds(folder: Path) -> None:
    """Builds with hover and without it."""
    names = "Published as {} and {}.\n\nAlso see {}, and {}."
    pages = {"rst/conf.py": "root_doc = 'p000'\n"}
    for number in range(PAGES):
        four = names.format(*(f"doi:{name(number * NAMES + each)}" for each in range(NAMES)))
        pages[f"rst/p{number:03}.rst"] = f"{rst_page(number, '')}\n{four}\n"
        pages[f"docs/{f'p{number:03}' if number else 'index'}.md"] = f"{md_page(number)}\n{four}\n"
    write(folder, PAGES * NAMES, pages)
    for host, program in PROGRAMS.items():
        made: dict[bool, list[Used]] = {False: [], True: []}
        for turn in range(ROUNDS):
            for hover in (turn % 2 == 0, turn % 2 == 1):
                made[hover].append(run(program, folder, ON if hover else OFF))
        titles = made[True][0].titles
        if titles == 0:
            print(f"{host:16} has no hover")
            continue
        if (titles, made[False][0].titles) != (PAGES * NAMES, 0):
            sys.exit(f"wrong: {host} shows {titles} works")
        without, with_it = (min(each.seconds for each in made[hover]) for hover in made)
        print(
            f"{host:16} {PAGES} pages, {titles} works on hover   {with_it / without:6.3f} x   "
            f"({without:.2f} s without, {with_it:.2f} s with, {ROUNDS} runs each)"
        )


def lists(folder: Path) -> None:
    """A page with a list of many works, which are linked in it."""
    links = "\n\n".join(f"See doi:{name(each)}." for each in range(LISTED))
    head = {"rst": "Title\n=====\n\n", "md": "# Title\n\n"}
    asked = {"rst": ".. doi-list::\n", "md": "[doi-list]\n"}
    for host, program in PROGRAMS.items():
        used: list[Used] = []
        for listed in (False, True):
            page = {
                kind: f"{head[kind]}{links}\n\n{asked[kind] if listed else ''}" for kind in head
            }
            place = folder / f"{host}{listed}"
            place.mkdir()
            conf = {"rst/conf.py": "root_doc = 'index'\n"}
            files = {"rst/index.rst": page["rst"], "docs/index.md": page["md"]}
            write(place, LISTED, {**conf, **files})
            used.append(run(program, place, {"cite": True, **ON}))
        plain, with_list = used
        if with_list.entries == 0:
            print(f"{host:16} has no lists")
            continue
        if with_list.entries != LISTED:
            sys.exit(f"wrong: {host} lists {with_list.entries} works")
        print(
            f"{host:16} a list of {LISTED} works   {with_list.seconds - plain.seconds:6.2f} s   "
            f"{(with_list.peak - plain.peak) / 1024:4.0f} MiB   "
            f"({plain.seconds:.2f} s and {plain.peak / 1024:.0f} MiB without the list)"
        )


def main() -> None:
    for part in (builds, lists):
        with tempfile.TemporaryDirectory() as folder:
            part(Path(folder))


if __name__ == "__main__":
    main()

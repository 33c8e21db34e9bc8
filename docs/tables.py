"""Writes the tables of the documentation that are made from the code itself.

    python docs/tables.py [--check]

Such a table stands between two comments, of which the first says what it shows, with a line for
each row where the page chooses them. So a page reads alike in the repository and on the site.
``--check`` writes nothing, and exits with 1 if a page is not what would be written.
"""

# ruff: noqa: E402  the path is set first

import datetime as dt
import difflib
import json
import logging
import re
import string
import sys
import tempfile
import tomllib
from dataclasses import fields
from pathlib import Path
from urllib.parse import urlsplit

import click

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent)]  # the reader of the conformance cases

from tests.tools.fixtures import CONFORMANCE, read_cases
from tests.tools.handle_api import HandleServer
from tests.tools.steps import STEPS

from doilinks import DOI, Found, InvalidDOI, __version__, scan
from doilinks.ask.works.check import check
from doilinks.core.link import link_match, link_to
from doilinks.core.options import DOCUTILS, PANDOC, PELICAN, SPHINX, Options, kind_of
from doilinks.sources import TYPES
from doilinks.tools.cli.command import command, subcommands

MADE = re.compile(r"^<!-- made: (\S+)(.*?) ?-->\n.*?^<!-- end: \1 -->\n", re.MULTILINE | re.DOTALL)


# --------------------------------------------------------------------------------------------------
# Markdown


def code(text):
    """Return a text as code, for a cell of a table; a dash if there is none."""
    if not text:
        return "–"
    marks = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    space = " " if text[0] in "` " or text[-1] in "` " else ""
    return f"{marks}{space}{text}{space}{marks}".replace("|", r"\|")


def lines(texts):
    return "<br>".join(map(code, texts))


def words(text):
    """Return a text in which names, which are examples, are code too."""

    def written(part):
        for match in reversed(list(scan(part))):
            name = code(part[match.start : match.end])
            part = part[: match.start] + name + part[match.end :]
        return part

    parts = re.split(r"``(.+?)``", text)
    return "".join(code(part) if at % 2 else written(part) for at, part in enumerate(parts))


def table(heads, rows):
    head, *body = (f"| {' | '.join(cells)} |" for cells in (heads, *rows))
    return "\n".join((head, "|---" * len(heads) + "|", *body))


def block(text, language):
    return f"```{language}\n{text.strip()}\n```"


# --------------------------------------------------------------------------------------------------
# The tables: each takes the words after its name, and the lines below.


def options(_argument, _rows):
    """What there is to set: a section for each option."""
    sections = []
    for field in fields(Options):
        kind = kind_of(field)
        choices = ", ".join(map(code, kind.choices))
        takes = f"one of {choices}" if choices else kind.takes
        sections += [
            f"### {code(field.name)}",
            words(field.metadata["help"]),
            f"Takes {takes}. Default: {default_of(field)}. Example: {code(example_of(field))}.",
        ]
    return "\n\n".join(sections)


def default_of(field):
    if field.default in ((), ""):
        return "none"
    value = field.default
    return code(str(value).lower() if isinstance(value, bool) else str(value))


def example_of(field):
    """Return a value other than the default, as ``pyproject.toml`` has it."""
    kind = kind_of(field)
    if kind.choices:
        value = next(choice for choice in kind.choices if choice != field.default)
    elif isinstance(field.default, bool):
        value = not field.default
    elif isinstance(field.default, (int, float)):
        value = field.default * 2
    else:
        value = kind.example
    if getattr(Options(**{field.name: value}), field.name) == field.default:
        raise ValueError(f"the example of {field.name} is its default")
    value = list(value) if isinstance(value, tuple) else value
    return f"{field.name} = {json.dumps(value)}"


SPELLINGS = {"Sphinx": SPHINX, "docutils": DOCUTILS, "Pelican": PELICAN, "Pandoc": PANDOC}


def spellings(_argument, _rows):
    """How each host spells an option, and the flags with the commands that take them."""
    flags = {}
    for name, each in subcommands().items():
        for parameter in each.params:
            flags.setdefault(parameter.name, (list(parameter.opts), []))[1].append(name)
    rows = []
    for name in Options.NAMES:
        flag, commands = flags.get(name, ((), ()))
        cell = f"{' '.join(map(code, flag))} ({', '.join(commands)})" if flag else "–"
        rows.append((code(name), *(code(each(name)) for each in SPELLINGS.values()), cell))
    return table(("Markdown, MkDocs, pyproject.toml", *SPELLINGS, "doilinks"), rows)


def help_of(name, _rows):
    """What a command says about itself."""
    settings = {**command.context_settings, "terminal_width": 88}
    context = click.Context(command, info_name="doilinks", **settings)
    if name:
        each = subcommands()[name]
        context = click.Context(each, context, info_name=name, **settings)
    return block(context.command.get_help(context), "text")


def forms(argument, rows):
    """What becomes of each line; ``display`` shows each way of display."""
    if argument == "display":
        kinds = kind_of(next(f for f in fields(Options) if f.name == "display")).choices
        heads = ("You write", *(f"{code(kind)} shows" for kind in kinds))
        return table(heads, [[code(r), *(code(link_of(r, k)[0]) for k in kinds)] for r in rows])
    heads = ("You write", "The page shows", "The link leads to")
    return table(heads, [map(code, (row, *link_of(row))) for row in rows])


def link_of(line, display="uri"):
    options = Options(display=display)
    links = [link_match(match, options, line) for match in scan(line)]
    if len(links) != 1:
        # This form is not found in running text, only in the target of a link or in a role.
        try:
            links = [link_to(DOI.parse(line), options, line)]
        except InvalidDOI as error:
            raise SystemExit(str(error)) from error
    return links[0].text, links[0].href


def encodings(_argument, _rows):
    """Each ASCII character that an encoding changes."""
    rows = []
    for character in " " + string.punctuation:
        doi = DOI(f"10.1000/a{character}b")
        uri = doi.uri.removeprefix("doi:10.1000/a").removesuffix("b")
        link = doi.url.removeprefix("https://doi.org/10.1000/a").removesuffix("b")
        if {uri, link} != {character}:
            rows.append(("space" if character == " " else code(character), code(uri), code(link)))
    return table(("Character", "In the URI", "In the link"), rows)


def cases(_argument, titles):
    """Cases of ``tests/conformance``, named by their titles."""
    by_title = {}
    for path in CONFORMANCE.glob("*.md"):
        if path.name != "README.md":
            for case in read_cases(path):
                by_title.setdefault(case.title, []).append(case)
                by_title[case.id] = [case]
    rows = []
    for title in titles:
        matching = by_title.get(title, [])
        if len(matching) != 1:
            ids = " or ".join(case.id for case in matching) or "none"
            raise SystemExit(f"which conformance case is {title!r}? {ids}")
        [case] = matching
        linked = lines([text for text, _ in case.links] or [""])
        rows.append((lines(case.source.split("\n")), linked))
    return table(("In the text", "Linked"), rows)


def steps(_argument, names):
    """Steps of the scan, with their examples."""
    by_name = {step.name: step for step in STEPS}
    rows = []
    for name in names:
        if name not in by_name:
            raise SystemExit(f"there is no step {name!r}")
        rows.append((name, code(by_name[name].example), code(by_name[name].unlike)))
    return table(("Step", "Where it applies", "Where it does not"), rows)


def types(argument, _rows):
    """The types of files; with ``comments`` how each writes a comment."""
    if argument != "comments":
        rows = []
        for row in TYPES.values():
            endings = " ".join(map(code, (*(f".{each}" for each in row.endings), *row.names)))
            rows.append((words(f"{row.what[0].upper()}{row.what[1:]}"), endings))
        return table(("Files", "Endings or names"), rows)
    kinds = {}
    for row in TYPES.values():
        for comment in row.comments.comments if row.comments else ():
            kinds.setdefault(comment.example, []).append(code(f".{row.name}"))
    rows = [(", ".join(names), code(example)) for example, names in kinds.items()]
    return table(("In", "Comment"), rows)


RECORDS = {
    "10.1016/S0092-8674(00)81683-9": (
        "The Hallmarks of Cancer", 2000, "Cell", "Hanahan", "Weinberg",
    ),
    "10.1038/s41586-020-2649-2": (
        "Array programming with NumPy", 2020, "Nature", "Harris", "Millman",
    ),
}  # fmt: skip


def lock_diff(_argument, _rows):
    """What a pull request shows when a reference is added, from a real check."""
    records = {
        name: {
            "url": "https://example.org/",
            "work": {
                "title": title,
                "author": [{"family": family} for family in people],
                "issued": {"date-parts": [[year]]},
                "container-title": journal,
                "type": "article-journal",
            },
        }
        for name, (title, year, journal, *people) in RECORDS.items()
    }
    logging.getLogger("httpx").setLevel(logging.WARNING)  # it logs each request
    versions = []
    with HandleServer(records) as server, tempfile.TemporaryDirectory() as folder:
        options = Options(
            check_api=server.api, check_works_api=server.works_api, check_works="warn"
        )
        names = []
        for name in records:
            names.append(Found(DOI(name)))
            check(names, options, root=Path(folder))
            text = (Path(folder) / options.check_lockfile).read_text(encoding="utf-8")
            today = dt.datetime.now(dt.UTC).date().isoformat()
            versions.append(text.replace(today, "2026-11-20").splitlines(keepends=True))
    head = (options.check_lockfile,) * 2
    return block("".join(difflib.unified_diff(*versions, *head, n=1)), "diff")


# What names the repository: its address is in pyproject.toml alone, which a release fills in.
PROJECT = tomllib.loads((HERE.parent / "pyproject.toml").read_text("utf-8"))["project"]
ADDRESS = PROJECT["urls"]["Source"].rstrip("/")
IS_PUBLIC = not urlsplit(ADDRESS).netloc.endswith(".example")  # no address [RFC 2606]
VERSION = f"v{__version__}"

ISSUE = """
# .github/workflows/doi-issue.yml
name: DOI names, each week
on:
  schedule: [{cron: "0 6 * * 1"}]
  workflow_dispatch:
permissions: {}
jobs:
  check:
    runs-on: ubuntu-latest
    permissions:
      contents: read
      issues: write   # without it, the job warns and keeps no issue
    steps:
      - uses: actions/checkout@v6
      - uses: ACTION
        with:
          paths: docs/
          works: error
          issue: true
"""
HOOKS = """
# .pre-commit-config.yaml
repos:
  - repo: REPOSITORY
    rev: VERSION
    hooks:
      - id: doilinks-fix     # mends old links, and stops the commit if it has
      - id: doilinks-check
"""
LOCAL_HOOKS = r"""
# .pre-commit-config.yaml
repos:
  - repo: local
    hooks:
      - id: doilinks-fix     # mends old links, and stops the commit if it has
        name: mend DOI names
        entry: doilinks fix --force-exclude
        language: system     # the doilinks that is installed
        files: &files '\.(md|rst|ipynb|py|bib|tex|cff)$'
      - id: doilinks-check
        name: check DOI names
        entry: doilinks check --force-exclude
        language: system
        files: *files
        require_serial: true
"""
BADGES = (
    "[![PyPI](https://img.shields.io/pypi/v/doilinks)](https://pypi.org/project/doilinks/) "
    "[![Tests](ADDRESS/actions/workflows/test.yml/badge.svg)](ADDRESS/actions/workflows/test.yml)"
)


def issue_workflow(_argument, _rows):
    """The action for GitHub: in a copy of the source until there is an address."""
    action = f"{urlsplit(ADDRESS).path.strip('/')}@{VERSION}"
    local = "./doilinks   # a folder with the source of doilinks"
    return block(ISSUE.replace("ACTION", action if IS_PUBLIC else local), "yaml")


def hooks(_argument, _rows):
    """The hooks for pre-commit."""
    public = HOOKS.replace("REPOSITORY", ADDRESS).replace("VERSION", VERSION)
    return block(public if IS_PUBLIC else LOCAL_HOOKS, "yaml")


def badges(_argument, _rows):
    """The badges of the README, once they have something to show."""
    return BADGES.replace("ADDRESS", ADDRESS) if IS_PUBLIC else ""


TABLES = {
    "options": options, "spellings": spellings, "help": help_of, "forms": forms,
    "encodings": encodings, "cases": cases, "steps": steps, "types": types,
    "lock-diff": lock_diff, "issue-workflow": issue_workflow, "hooks": hooks, "badges": badges,
}  # fmt: skip


# --------------------------------------------------------------------------------------------------


def written(page):
    """Return a page with its tables made anew."""

    def made(match):
        name, told = match[1], match[2]
        if name not in TABLES:  # of another program
            return match[0]
        argument, _, rows = told.partition("\n")
        body = TABLES[name](argument.strip(), rows.strip("\n").split("\n") if rows else [])
        end = "\n-->" if rows else " -->"
        body = f"\n{body}\n\n" if body else ""
        return f"<!-- made: {name}{told.rstrip()}{end}\n{body}<!-- end: {name} -->\n"

    return MADE.sub(made, page)


def main():
    wrong = 0
    for path in [HERE.parent / "README.md", *sorted(HERE.rglob("*.md"))]:
        before = path.read_text(encoding="utf-8")
        after = written(before)
        if after == before:
            continue
        wrong = 1
        if "--check" in sys.argv:
            print(f"{path}: is not what `make tables` writes")
        else:
            path.write_text(after, encoding="utf-8")
    return wrong if "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())

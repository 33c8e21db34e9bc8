"""Directives whose tables are made while the documentation is built, from the code itself.

``doi-options`` and ``doi-spellings`` from the class of the options, ``doi-help`` from the command
line, ``doi-forms`` and ``doi-encodings`` from the core, ``doi-steps`` from the tables of the scan,
``doi-types`` from the table of file types, ``doi-cases`` from ``tests/conformance``,
``doi-lock-diff`` from a check. So none of them can be out of date.
"""

import datetime as dt
import difflib
import json
import logging
import re
import string
import tempfile
from dataclasses import fields
from pathlib import Path
from typing import ClassVar

import click
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective
from tests.tools.fixtures import CONFORMANCE, read_cases
from tests.tools.handle_api import HandleServer
from tests.tools.steps import STEPS

from doilinks import DOI, Found, InvalidDOI, scan
from doilinks.ask.works.check import check
from doilinks.core.link import link_match, link_to
from doilinks.core.options import DOCUTILS, PANDOC, PELICAN, SPHINX, Options, kind_of
from doilinks.sources import TYPES
from doilinks.tools.cli.command import command, subcommands


def code(text):
    return nodes.literal(text, text)


def lines(texts):
    """One literal a line."""
    block = nodes.line_block()
    block += [nodes.line("", "", code(text) if text else nodes.Text("–")) for text in texts]
    return block


def words(text):
    """A paragraph; what is in double backquotes is code, and so are names, which are examples."""
    paragraph = nodes.paragraph()
    for at, part in enumerate(re.split(r"``(.+?)``", text)):
        if at % 2:
            paragraph += code(part)
            continue
        done = 0
        for match in scan(part):
            paragraph += [nodes.Text(part[done : match.start]), code(part[match.start : match.end])]
            done = match.end
        paragraph += nodes.Text(part[done:])
    return paragraph


def table(heads, rows, *classes):
    """A table; a cell is a text or a node."""
    group = nodes.tgroup("", *(nodes.colspec(colwidth=1) for _ in heads), cols=len(heads))
    group += nodes.thead("", _row(heads))
    group += nodes.tbody("", *map(_row, rows))
    return [nodes.table("", group, classes=list(classes))]


def _row(cells):
    cells = (words(cell) if isinstance(cell, str) else cell for cell in cells)
    return nodes.row("", *(nodes.entry("", cell) for cell in cells))


def default_of(field):
    return "none" if field.default in ((), "") else f"``{_toml(field.default)}``"


def _toml(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def example_of(field):
    """A value other than the default, as ``pyproject.toml`` has it."""
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


class OptionSections(SphinxDirective):
    """What there is to set: ``doi-options``, a section for each option, with its name as anchor."""

    def run(self):
        return [self.section(field) for field in fields(Options)]

    def section(self, field):
        kind = kind_of(field)
        choices = ", ".join(f"``{choice}``" for choice in kind.choices)
        takes = f"one of {choices}" if choices else kind.takes
        example = example_of(field)
        section = nodes.section("", ids=[field.name], names=[field.name])
        self.state.document.note_explicit_target(section)
        section += nodes.title("", "", code(field.name))
        section += words(field.metadata["help"])
        section += words(f"Takes {takes}. Default: {default_of(field)}. Example:")
        section += nodes.literal_block(example, example, language="toml")
        return section


def anchor_codes(app, document):
    """Give each row of a table that begins with a code, such as ``doi-not-found``, that anchor."""
    if app.env.docname not in ("reference/messages", "howto/fix"):
        return
    for row in document.findall(nodes.row):
        text = row[0].astext()
        if re.fullmatch("[a-z]+(-[a-z]+)+", text) and row.next_node(nodes.literal):
            row["ids"].append(text)


def flags():
    """The flags of an option on the command line, and the commands that take them."""
    found = {}
    for name, each in subcommands().items():
        for parameter in each.params:
            found.setdefault(parameter.name, (list(parameter.opts), []))[1].append(name)
    return found


SPELLINGS = {"Sphinx": SPHINX, "docutils": DOCUTILS, "Pelican": PELICAN, "Pandoc": PANDOC}


class Spellings(SphinxDirective):
    """How each host spells an option: ``doi-spellings``."""

    def run(self):
        rows = []
        known = flags()
        for name in Options.NAMES:
            flag, commands = known.get(name, ((), ()))
            cell = " ".join(f"``{each}``" for each in flag) + f" ({', '.join(commands)})"
            row = (name, *(spelling(name) for spelling in SPELLINGS.values()))
            rows.append((*map(code_cell, row), cell if flag else "–"))
        heads = ("Markdown, MkDocs, pyproject.toml", *SPELLINGS, "doilinks")
        return table(heads, rows, "spellings")


def code_cell(text):
    return nodes.paragraph("", "", code(text))


class Help(SphinxDirective):
    """What a command says about itself: ``doi-help``."""

    optional_arguments = 1

    def run(self):
        settings = {**command.context_settings, "terminal_width": 88}
        context = click.Context(command, info_name="doilinks", **settings)
        if self.arguments:
            name = self.arguments[0]
            each = subcommands()[name]
            context = click.Context(each, context, info_name=name, **settings)
        text = context.command.get_help(context)
        return [nodes.literal_block(text, text, language="text")]


class Forms(SphinxDirective):
    """What becomes of each line: ``doi-forms``; ``:display:`` shows each way of display."""

    has_content = True
    option_spec: ClassVar = {"display": directives.flag}

    def run(self):
        if "display" in self.options:
            kinds = kind_of(next(f for f in fields(Options) if f.name == "display")).choices
            heads = ("You write", *(f"``{kind}`` shows" for kind in kinds))
            rows = [
                (lines([line]), *(lines([self.shown(line, kind)[0]]) for kind in kinds))
                for line in self.content
            ]
            return table(heads, rows)
        rows = [
            (lines([line]), *(lines([each]) for each in self.shown(line))) for line in self.content
        ]
        return table(("You write", "The page shows", "The link leads to"), rows)

    def shown(self, line, display="uri"):
        options = Options(display=display)
        found = [link_match(match, options, line) for match in scan(line)]
        if len(found) != 1:
            # This form is not found in running text, only in the target of a link or in a role.
            try:
                found = [link_to(DOI.parse(line), options, line)]
            except InvalidDOI as error:
                raise self.error(str(error)) from error
        return found[0].text, found[0].href


class Encodings(SphinxDirective):
    """Each ASCII character that an encoding changes: ``doi-encodings``."""

    def run(self):
        rows = []
        for character in " " + string.punctuation:
            doi = DOI(f"10.1000/a{character}b")
            uri = doi.uri.removeprefix("doi:10.1000/a").removesuffix("b")
            link = doi.url.removeprefix("https://doi.org/10.1000/a").removesuffix("b")
            if {uri, link} != {character}:
                shown = "space" if character == " " else f"``{character}``"
                rows.append(
                    (
                        shown if character != "`" else code_cell(character),
                        f"``{uri}``",
                        f"``{link}``",
                    )
                )
        return table(("Character", "In the URI", "In the link"), rows)


class Cases(SphinxDirective):
    """Cases of ``tests/conformance``, named by their titles: ``doi-cases``."""

    has_content = True

    def run(self):
        known = {}
        for path in CONFORMANCE.glob("*.md"):
            if path.name != "README.md":
                self.env.note_dependency(str(path))
                for case in read_cases(path):
                    known.setdefault(case.title, []).append(case)
                    known[case.id] = [case]
        rows = []
        for title in self.content:
            cases = known.get(title, [])
            if len(cases) != 1:
                ids = " or ".join(case.id for case in cases) or "none"
                raise self.error(f"which conformance case is {title!r}? {ids}")
            [case] = cases
            linked = lines([text for text, _ in case.links] or [""])
            rows.append((lines(case.source.split("\n")), linked))
        return table(("In the text", "Linked"), rows)


class Steps(SphinxDirective):
    """Steps of the scan, a name a line, with their examples: ``doi-steps``."""

    has_content = True

    def run(self):
        known = {step.name: step for step in STEPS}
        rows = []
        for name in self.content:
            if name not in known:
                raise self.error(f"there is no step {name!r}")
            step = known[name]
            rows.append((name, lines([step.example]), lines([step.unlike])))
        return table(("Step", "Where it applies", "Where it does not"), rows)


class Types(SphinxDirective):
    """The types of files: ``doi-types``; with ``:comments:`` how each writes a comment."""

    option_spec: ClassVar = {"comments": directives.flag}

    def run(self):
        if "comments" not in self.options:
            rows = [
                (
                    f"{row.what[0].upper()}{row.what[1:]}",
                    " ".join(f"``{e}``" for e in (*(f".{e}" for e in row.endings), *row.names)),
                )
                for row in TYPES.values()
            ]
            return table(("Files", "Endings or names"), rows)
        kinds = {}
        for row in TYPES.values():
            for comment in row.comments.comments if row.comments else ():
                kinds.setdefault(comment.example, []).append(f"``.{row.name}``")
        rows = [(", ".join(names), code_cell(example)) for example, names in kinds.items()]
        return table(("In", "Comment"), rows)


class LockDiff(SphinxDirective):
    """What a pull request shows when a reference is added: ``doi-lock-diff``, from a real check."""

    RECORDS: ClassVar = {
        "10.1016/S0092-8674(00)81683-9": (
            "The Hallmarks of Cancer",
            2000,
            "Cell",
            "Hanahan",
            "Weinberg",
        ),
        "10.1038/s41586-020-2649-2": (
            "Array programming with NumPy",
            2020,
            "Nature",
            "Harris",
            "Millman",
        ),
    }

    def run(self):
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
            for name, (title, year, journal, *people) in self.RECORDS.items()
        }
        logging.getLogger("httpx").setLevel(logging.WARNING)  # it logs each request
        kept = []
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
                kept.append(text.replace(today, "2026-11-20").splitlines(keepends=True))
        head = (options.check_lockfile,) * 2
        text = "".join(difflib.unified_diff(*kept, *head, n=1))
        return [nodes.literal_block(text, text, language="diff")]


def setup(app):
    for name, directive in (
        ("options", OptionSections),
        ("spellings", Spellings),
        ("help", Help),
        ("forms", Forms),
        ("encodings", Encodings),
        ("cases", Cases),
        ("steps", Steps),
        ("types", Types),
        ("lock-diff", LockDiff),
    ):
        app.add_directive(f"doi-{name}", directive)
    app.connect("doctree-read", anchor_codes)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

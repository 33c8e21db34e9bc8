"""``doilinks scan``: every DOI of files and folders, with file, line and column."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from io import StringIO
from itertools import groupby
from textwrap import fill
from typing import Final

import click

from ...core.found import Found
from ...core.link import link_to
from ...core.options import Options
from ...core.printable import counted, printable
from ...shared.streams import has_terminal, say, say_painted
from ...sources import TYPES
from .files import FileFlags, Gathered, cache_flag, file_flags, gather
from .options import option_flags, publisher_flag, settings_from

# Not by the help itself, which divides a name after a hyphen.
_TYPES: Final = fill(
    f"Types of files: {' '.join(' '.join(row.names) or f'.{row.name}' for row in TYPES.values())}.",
    76,
    break_on_hyphens=False,
)
_HELP: Final = f"""List every DOI in the PATHs: files, folders, - for standard input.

\b
{_TYPES}

Folders are read in sorted order. Hidden ones, those that tools fill, such as build and
node_modules, and virtual environments are left out, and so are files of other types; what is named
as a PATH is read whatever it is. Code, math, comments, front matter and citation keys do not
count; of a program its docstrings and comments do. A link by reference counts once, where its
target is written.
"""
_WIDEST: Final = 40  # characters of a column


@click.command(
    help=_HELP,
    short_help="List every DOI of files and folders.",
    epilog="\b\nExamples:\n  doilinks scan docs/ README.md\n  doilinks scan --remarks docs/\n"
    "  doilinks scan --format csv paper/ > names.csv\n  pdftotext paper.pdf - | doilinks scan -",
)
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "csv"]), default="text",
    help="Format of the list.  [default: text]",
)  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="Print no summary and no progress.")
@click.option("--remarks", is_flag=True, help="Say what is doubtful about a name, below its line.")
@file_flags
@cache_flag
@option_flags("display", "proxy", "bare", "ignore", "arxiv", "cite")
@publisher_flag
def scan(paths: tuple[str, ...], form: str, quiet: bool, remarks: bool, **flags: object) -> int:
    """List every DOI of files and folders."""
    which = FileFlags.take(flags)
    options, _ = settings_from(flags)
    doubtful = remarks or form != "text"
    gathered = gather(paths, which, options, blocks=doubtful)
    if doubtful:
        from ...record.same_name import with_two_works

        gathered.places = with_two_works(gathered.places)
    if form == "json":
        rows = [
            {
                "name": o.doi.name,
                "uri": o.doi.uri,
                "url": o.doi.url_at(options.proxy),
                "file": o.file,
                "line": o.line,
                "column": o.column,
                "form": o.form,
                "remarks": [remark._asdict() for remark in o.remarks],
            }
            for o in gathered.places
        ]
        say(json.dumps(rows, indent=2))
    elif form == "csv":
        _csv(gathered.places, options)
    else:
        _text(gathered, options, remarks=remarks)
        if not quiet:
            distinct = len({each.doi for each in gathered.places})
            files = len({each.file for each in gathered.places})
            say(
                f"{counted(len(gathered.places), 'DOI')}, {distinct} distinct, "
                f"in {files} of {counted(gathered.files, 'file')}"
            )
    return 2 if gathered.failed else 0


def _text(gathered: Gathered, options: Options, *, remarks: bool) -> None:
    """Print a line for each DOI: on a terminal below its file's path, else after that path."""
    grouped = has_terminal(1)
    files = [(file, list(group)) for file, group in groupby(gathered.places, key=_file)]
    rows = [("" if grouped else f"{file}:", each) for file, names in files for each in names]
    places = [f"{file}{each.line}:{each.column}" for file, each in rows]
    # One long path must not make all lines longer than a terminal.
    width = min(_WIDEST, max(map(len, places), default=0))
    place = iter(places)
    for file, names in files:
        if grouped:
            say_painted(("bold", file))
        for each in names:
            # Numbers are aligned at the right, paths at the left.
            at = f"  {next(place):>{width}}" if grouped else f"{next(place):<{width}}"
            shown = link_to(each.doi, options).text
            say_painted(("cyan", at), ("", f"  {shown}   "), ("dim", each.form or ""))
            for remark in each.remarks if remarks else ():
                words = f"{'':<{len(at)}}  {remark.message} "
                say_painted(("", words), ("yellow", f"[{remark.code}]"))


def _file(place: Found) -> str:
    return printable(place.file or "")


def _csv(places: Sequence[Found], options: Options) -> None:
    rows = StringIO()
    writer = csv.writer(rows, lineterminator="\n")
    writer.writerow(["file", "line", "column", "form", "uri", "url", "remarks"])
    for o in places:
        codes = " ".join(dict.fromkeys(remark.code for remark in o.remarks))
        url = o.doi.url_at(options.proxy)
        writer.writerow([_file(o), o.line, o.column, o.form, o.doi.uri, url, codes])
    say(rows.getvalue(), end="")

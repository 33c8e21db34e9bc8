"""``doilinks check``: whether every DOI of files and folders resolves."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from ..core.found import Found
from ..core.options import Options
from ..core.printable import printable
from ..program import fault
from ..streams import say, say_painted
from .files import gather
from .options import CHECK_OPTIONS, option_flags, settings_from
from .reading import (
    CommandWithOutputs,
    Output,
    Reading,
    jobs_flag,
    output_flags,
    outputs_of,
    reading_flags,
    write,
)
from .terminal import NAME, has_bar, progress, warn

__all__ = ["check"]

_FORMATS: Final = ("text", "json", "github", "sarif", "junit", "gitlab")
_COLOURS: Final = {"error": "red", "warning": "yellow", "remark": "cyan"}  # of severities


@click.command(
    cls=CommandWithOutputs,
    short_help="Check that every DOI of files and folders resolves.",
    epilog="\b\nExamples:\n  doilinks check docs/ paper.bib\n  doilinks check _site/\n"
    "  doilinks check --offline docs/\n  doilinks check --format github docs/\n"
    "  doilinks check --format sarif --output doi.sarif --format text docs/",
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@output_flags(_FORMATS)
@click.option("--update", is_flag=True, help="Ask again for names in the lock file too.")
@click.option(
    "--works",
    is_flag=True,
    help="Also ask what each name stands for, and compare that with the text around it. Takes no "
    "value and warns; `--check-works error` takes one, and fails.",
)
@click.option("--prune", is_flag=True, help="Remove names from the lock file that are in none of "
              "the PATHs.")  # fmt: skip
@jobs_flag
@reading_flags
@option_flags("bare", "ignore", "check", *CHECK_OPTIONS)
def check(
    paths: tuple[str, ...],
    forms: tuple[str, ...],
    files: tuple[str, ...],
    quiet: bool,
    update: bool,
    works: bool,
    prune: bool,
    jobs: int | None,
    **flags: object,
) -> int:
    """Check that every DOI in the PATHs resolves: sources, or the built HTML of any generator.

    Asks the Handle API of doi.org, never the publisher, and each name once. With --works it asks
    registration agencies too: Crossref, DataCite and others. Good answers are kept
    in a lock file, which is meant to be committed. PATHs are read as `doilinks scan` reads them.

    Exit codes: 0 nothing fails, 1 some do not resolve, 2 wrong usage or a file that could not be
    read, 3 some are unknown (only with --check-unknown error), 4 a fault of doilinks ended the
    check early.
    """
    if flags["check"] == "off":
        raise click.UsageError("--check: takes one of 'warn', 'error', got 'off'")
    if works and paths[0] in ("off", "warn", "error") and not Path(paths[0]).exists():
        raise click.UsageError(f"--works: takes no value; write --check-works {paths[0]}")
    outputs = outputs_of(forms, files)
    reading = Reading.take(flags)
    options, root = settings_from(flags)
    if works and options.check_works == "off":
        options = options.but(check_works="warn")
    if prune and not options.check_lockfile:
        raise click.UsageError("--prune: there is no lock file, because check_lockfile is empty")
    from .. import check as checking
    from ..works.check import check as check_works

    gathered = gather(paths, reading, options, jobs, blocks=True)
    prunes = prune and not (gathered.failed or gathered.skipped)
    if prune and not prunes:
        warn(f"nothing is removed from {options.check_lockfile}, because not all files were read")
    ask = partial(
        check_works,
        silences=gathered.silences,
        root=root,
        update=update,
        prune=prunes,
    )
    try:
        report = _check(checking, ask, gathered.found, options, quiet=quiet)
    except checking.InvalidLockfile as error:
        raise click.ClickException(str(error)) from error
    except checking.Interrupted as interrupted:
        _report(checking, interrupted.report, outputs, quiet=quiet)
        raise
    unwritten = _report(checking, report, outputs, quiet=quiet)
    if report.news and not quiet:
        warn(report.news)
    if report.fault is not None:
        return fault(NAME, report.fault)
    return 2 if gathered.failed or unwritten else report.exit_code


def _check(
    checking: Any, ask: Callable[..., Any], found: list[Found], options: Options, *, quiet: bool
) -> Any:
    # A bar on a terminal; elsewhere a line now and then.
    with progress("asking") as bar:
        if has_bar():
            return ask(found, options, progress=bar, waiting=bar.waiting)
        if quiet:
            return ask(found, options)
        return ask(found, options, progress=checking.news(warn), waiting=checking.pauses(warn))


def _report(checking: Any, report: Any, outputs: list[Output], *, quiet: bool) -> bool:
    """Write every report; returns whether a file could not be written."""
    troubles = []
    for output in outputs:
        shown = checking.render(report, output.form, quiet=quiet)
        if output.file is None and output.form == "text":
            _show(report, shown)
        elif output.file is None:
            say(shown, end="")
        elif trouble := write(output, shown):
            troubles.append(trouble)
            warn(trouble)
    files = [output.file for output in outputs if output.file]
    if len(files) == len(outputs) and not troubles and not quiet:
        warn(f"{report.summary}; the report is in {', '.join(files)}")
    return bool(troubles)


def _show(report: Any, shown: str) -> None:
    """Write the report for people: the place in bold, the code in the colour of its severity."""
    problems = {printable(str(problem)): problem for problem in report.problems}
    for line in shown.splitlines():
        problem = problems.get(line)
        if problem is None:
            say_painted(("bold", line))
            continue
        code = f"[{problem.code}]"
        place = line.removesuffix(code).removesuffix(f"{printable(problem.message)} ")
        say_painted(
            ("bold", place),
            ("", line[len(place) : -len(code)]),
            (_COLOURS[problem.severity.value], code),
        )

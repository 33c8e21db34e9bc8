"""``doilinks check``: whether every DOI of files and folders resolves."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click

from ..core.found import Found
from ..core.options import Options
from ..program import fault
from ..sources import TYPES
from ..streams import say
from .gather import gather
from .options import CHECK_OPTIONS, option_flags, settings_from
from .terminal import NAME, has_bar, progress, warn

__all__ = ["check"]

_FORMATS: Final = ("text", "json", "github", "sarif", "junit", "gitlab")


@click.command(
    short_help="Check that every DOI of files and folders resolves.",
    epilog="\b\nExamples:\n  doilinks check docs/ paper.bib\n  doilinks check _site/\n"
    "  doilinks check --offline docs/\n  doilinks check --format github docs/",
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--format", "form", type=click.Choice(_FORMATS), default="text",
              help="Format of the report on standard output.  [default: text]")  # fmt: skip
@click.option("--update", is_flag=True, help="Ask again for names in the lock file too.")
@click.option("--type", "kind", type=click.Choice(TYPES), help="Type of standard input, and of "
              "files whose ending tells nothing.  [default: txt]")  # fmt: skip
@click.option("--hidden", is_flag=True, help="Read hidden files and folders too.")
@option_flags("bare", "ignore", "check", *CHECK_OPTIONS)
def check(
    paths: tuple[str, ...], form: str, update: bool, kind: str | None, hidden: bool, **flags: object
) -> int:
    """Check that every DOI in the PATHs resolves: sources, or the built HTML of any generator.

    Asks the Handle API of doi.org, never the publisher, and each name once. Good answers are kept
    in a lock file, which is meant to be committed. PATHs are read as `doilinks scan` reads them.

    Exit codes: 0 all resolve, 1 some do not, 2 wrong usage or a file that could not be read,
    3 some are unknown, 4 a fault of doilinks ended the check early.
    """
    if flags["check"] == "off":
        raise click.UsageError("--check: takes one of 'warn', 'error', got 'off'")
    options, root = settings_from(flags)
    from .. import check as checking

    gathered = gather(paths, kind, options, hidden=hidden)
    try:
        report = _check(checking, gathered.found, options, root, update=update)
    except checking.InvalidLockfile as error:
        raise click.ClickException(str(error)) from error
    except checking.Interrupted as interrupted:
        say(checking.render(interrupted.report, form), end="")
        raise
    say(checking.render(report, form), end="")
    if report.fault is not None:
        return fault(NAME, report.fault)
    return 2 if gathered.failed else report.exit_code


def _check(checking: Any, found: list[Found], options: Options, root: Path, *, update: bool) -> Any:
    # A bar on a terminal; elsewhere a line now and then.
    with progress("asking") as bar:
        step = bar if has_bar() else checking.news(warn)
        return checking.check(found, options, root=root, progress=step, update=update)

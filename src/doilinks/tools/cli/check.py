"""``doilinks check``: whether every DOI resolves; ``doilinks lock``: two lock files merged."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from ...core.options import Options
from ...shared.program import fault
from ...shared.project import in_messages, lockfile_of
from ...shared.streams import say_painted
from .baseline import entry_of, write_baseline
from .files import FileFlags, cache_flag, file_flags, gather
from .options import CHECK_OPTIONS, option_flags, publisher_flag, settings_from
from .outputs import OrderedCommand, Output, output_flags, outputs_of, write
from .terminal import NAME, progress, warn

_FORMATS: Final = ("text", "json", "github", "sarif", "junit", "gitlab", "markdown")
_COLOURS: Final = {"error": "red", "warning": "yellow", "remark": "cyan"}  # of severities
# A person may cite a name on purpose although this is true of its work.
_ACCEPTABLE: Final = {"doi-other-work", "doi-other-people", "doi-retracted", "doi-concern"}


@click.command(
    cls=OrderedCommand,
    short_help="Check that every DOI of files and folders resolves.",
    epilog="\b\nExamples:\n  doilinks check docs/ paper.bib\n  doilinks check _site/\n"
    "  doilinks check --offline docs/\n  doilinks check --format github docs/\n"
    "  doilinks check --format sarif --output doi.sarif --format text docs/",
)
@output_flags(_FORMATS)
@click.option("--update", is_flag=True, help="Ask again for names in the lock file too.")
@click.option(
    "--works",
    is_flag=True,
    help="Also ask what each name stands for, and compare that with the text around it. Takes no "
    "value and warns; `--check-works error` takes one, and fails.",
)
@click.option("--baseline", is_flag=True, help="Write names that do not resolve into check_ignore "
              "of pyproject.toml, so that only new ones fail.")  # fmt: skip
@click.option("--prune", is_flag=True, help="Remove names from the lock file that are in none of "
              "the PATHs.")  # fmt: skip
@file_flags
@cache_flag
@option_flags("bare", "ignore", "arxiv", "cite", "check", *CHECK_OPTIONS)
@publisher_flag
def check(
    paths: tuple[str, ...],
    forms: tuple[str, ...],
    files: tuple[str, ...],
    quiet: bool,
    update: bool,
    works: bool,
    prune: bool,
    baseline: bool,
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
    which = FileFlags.take(flags)
    options, root = settings_from(flags)
    if works and options.check_works == "off":
        options = options.but(check_works="warn")
    if update and options.check_offline:
        raise click.UsageError("--update: check_offline is on, so nothing can be asked")
    if prune and not options.check_lockfile:
        raise click.UsageError("--prune: there is no lock file, because check_lockfile is empty")
    from ...ask import names as checking
    from ...ask.works.check import check as check_works

    gathered = gather(paths, which, options, blocks=True, nameless=True)
    prunes = prune and not (gathered.failed or gathered.skipped)
    if prune and not prunes:
        file = in_messages(lockfile_of(options, root))
        warn(f"nothing is removed from {file}, because not all files were read")
    ask = partial(check_works, silences=gathered.silences, root=root, update=update, prune=prunes)
    try:
        report = asked(ask, gathered.places, options, quiet=quiet)
    except checking.Interrupted as interrupted:
        _report(checking, interrupted.report, outputs, quiet=quiet)
        raise
    unwritten = _report(checking, report, outputs, quiet=quiet)
    if report.news and not quiet:
        warn(report.news)
    if not quiet and (line := _accepting(report, options)):
        warn(f"if they are cited on purpose, write into [tool.doilinks] of pyproject.toml: {line}")
    if report.fault is not None:
        return fault(NAME, report.fault)
    code: int = report.exit_code
    if baseline:
        said, others = write_baseline(report.problems)
        warn(said)
        code = code if others or code != 1 else 0
    return 2 if gathered.failed or unwritten else code


def asked(ask: Callable[..., Any], about: list[Any], options: Options, *, quiet: bool) -> Any:
    """Return the report of a check or search, with a bar on a terminal, elsewhere lines."""
    from ...ask.loop import silent
    from ...ask.names import InvalidLockfile, news

    try:
        with progress("asking", silent if quiet else news(warn)) as step:
            return ask(about, options, progress=step)
    except InvalidLockfile as error:
        raise click.ClickException(str(error)) from error


def _accepting(report: Any, options: Options) -> str:
    """Return the ``pyproject.toml`` line that accepts all works reported; ``""`` if none."""
    entries = dict.fromkeys(options.check_accept)
    for doi in (each.doi for each in report.problems if each.code in _ACCEPTABLE):
        entries[entry_of(doi)] = None
    if len(entries) == len(options.check_accept):
        return ""
    # Names have no control characters, so JSON writes them as TOML does.
    return f"check_accept = {json.dumps(list(entries), ensure_ascii=False)}"


def _report(checking: Any, report: Any, outputs: list[Output], *, quiet: bool) -> bool:
    is_lost = False
    for output in outputs:
        if output.file is None and output.form == "text":
            _show(report, quiet=quiet)
            continue
        shown = checking.render(report, output.form, quiet=quiet)
        is_lost = not write(output, shown) or is_lost
    files = [output.file for output in outputs if output.file]
    if len(files) == len(outputs) and not is_lost and not quiet:
        warn(f"{report.summary}; the report is in {', '.join(files)}")
    return is_lost


def _show(report: Any, *, quiet: bool) -> None:
    """Write the report for people: the place in bold, the code in the colour of its severity."""
    for problem in report.problems:
        if quiet and problem.severity.value == "remark":
            continue
        code = f"[{problem.code}]"
        place = str(problem).removesuffix(f"{problem.message} {code}")
        colour = _COLOURS[problem.severity.value]
        say_painted(("bold", place), ("", f"{problem.message} "), (colour, code))
    if not quiet:
        say_painted(("bold", report.summary))


# --------------------------------------------------------------------------------------------------
# ``doilinks lock``: two versions of a lock file merged.


@click.command(
    short_help="Merge two versions of a lock file.",
    epilog="\b\nExamples:\n  doilinks lock --merge doi-lock.json\n"
    "  git config merge.doilinks.driver 'doilinks lock --merge %O %A %B'",
)
@click.option("--merge", is_flag=True, required=True, help="Merge, and write the result to OURS.")
@click.argument("files", nargs=-1, required=True, metavar="OURS | BASE OURS THEIRS",
                type=click.Path(exists=True, dir_okay=False, path_type=Path))  # fmt: skip
def lock(merge: bool, files: tuple[Path, ...]) -> int:  # noqa: ARG001  it is required
    """Merge two versions of a lock file.

    With one file, the two sides of its merge conflict, as git marks them. With three files, what
    OURS and THEIRS have made of BASE, as git gives them to a merge driver. What either has added
    stays. If both have changed an entry, the later one stays.

    Exit codes: 0 merged, 2 wrong usage, or a file that is damaged or cannot be read or written.
    """
    from ...lock.lockfile import InvalidLockfile, merge_files

    if len(files) not in (1, 3):
        raise click.UsageError("--merge: takes one file, or three: BASE OURS THEIRS")
    base, ours, theirs = files if len(files) == 3 else (None, files[0], None)
    try:
        merged = merge_files(ours, base, theirs)
    except InvalidLockfile as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        why = error.strerror or "another process is writing there"
        raise click.ClickException(f"cannot write {ours}: {why}") from error
    if not theirs:  # git, which gives three files, reports merges itself
        warn(f"{ours} {'merged: git add it' if merged else 'has no merge conflict, nothing to do'}")
    return 0

"""``doilinks fix``: writes the names of sources as they should be written."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from ...core.doi import DOI
from ...core.found import Found, IgnoredLines
from ...core.options import InvalidOption, Options
from ...core.printable import counted, printable
from ...shared.program import fault
from ...shared.streams import say, write_output
from ...sources import Source, octets_of
from ..fix import Correction, Mended, Missing, Original, UnknownRule, chosen, correction, mend
from .changes import give
from .check import asked
from .files import (
    PAGES,
    FileFlags,
    Say,
    file_flags,
    for_each_file,
    read_file,
    results_of,
    sources_at,
    unread,
)  # fmt: skip
from .find import HAS_ROLE, kept_names
from .options import ASKING, nearest_project, option_flags, settings_from
from .since import changed_since
from .terminal import NAME, warn

if TYPE_CHECKING:
    from ...ask.names import CheckReport, Problem


@click.command(
    short_help="Mend the DOIs of files and folders, in place.",
    epilog="\b\nExamples:\n  doilinks fix docs/ README.md\n  doilinks fix --diff docs/\n"
    "  doilinks fix --check --select doi-resolver .\n  doilinks fix --type md - < in.md > out.md",
)
@click.option("--diff", is_flag=True, help="Print a unified diff, and write nothing.")
@click.option("--check", is_flag=True, help="Say what would change, and write nothing.")
@click.option("--summary", is_flag=True, help="Count what would change, by rule and by file, and "
              "write nothing.")  # fmt: skip
@click.option("--since", metavar="REV", help="Only files that have changed since this branch left "
              "a revision of git, and new ones.")  # fmt: skip
@click.option("--select", metavar="CODES", multiple=True, help="Only these rules, with commas "
              "between them. [may be repeated]")  # fmt: skip
@click.option("--ignore", metavar="CODES", multiple=True, help="Not these rules, with commas "
              "between them. [may be repeated]")  # fmt: skip
@click.option(
    "--from-check",
    is_flag=True,
    help="Also correct names by what `doilinks check` knows, from the lock file or by asking.",
)
@click.option("-q", "--quiet", is_flag=True, help="Print no changes, no summary and no progress.")
@file_flags
@option_flags(*ASKING, "check_max_age", "check_suggest")
def fix(
    paths: tuple[str, ...],
    diff: bool,
    check: bool,
    summary: bool,
    since: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    from_check: bool,
    quiet: bool,
    **flags: object,
) -> int:
    """Mend the DOIs in the PATHs: sources, in place. Nothing else changes.

    PATHs are read as `doilinks scan` reads them, so code, comments and citation keys stay. A URL
    stays a URL, and a label stays a label. With the PATH -, standard input is written to standard
    output.

    Exit codes: 0 nothing to do, or all is written; 1 with --diff, --check or --summary, if
    something would change; 2 wrong usage, or a file that could not be read or written.
    """
    codes, without = _codes(select), _codes(ignore)
    try:
        project = nearest_project()
        if project and not (codes or without):
            wanted = chosen(project.fix_select, project.fix_ignore, asks=from_check)
        else:
            wanted = chosen(codes, without, asks=from_check)
    except (InvalidOption, UnknownRule) as error:
        raise click.UsageError(str(error)) from error
    for rule in dict.fromkeys(codes) if not from_check else ():
        if rule not in wanted and rule not in without:
            warn(f"--select {rule}: this rule changes nothing without --from-check")
    which = FileFlags.take(flags)
    options, root = settings_from(flags)
    if "doi-publisher" in wanted:
        options = options.but(publisher_urls="link")
    check = check or summary
    piped = diff or ("-" in paths and not check)
    tell = warn if piped else say
    run = FixRun(options, wanted, which.jobs, diff=diff, check=check, quiet=quiet, tell=tell)
    run.counts, run.named = {} if summary else None, frozenset(paths)
    sources = sources_at(paths, which, run.fail, writes=True)
    if since is not None:
        changed = changed_since(since)
        sources = [each for each in sources if os.path.realpath(each.path) in changed]
    if from_check and (code := run.ask(sources, root)):
        return code
    if "doi-role" in wanted and (conf := _without_role(sources)):
        warn(f"doi-role: {conf} has no role doi, so none is written: add doilinks.sphinx")
        run.wanted -= {"doi-role"}
    run.mend(sources)
    return run.end()


def _without_role(sources: Sequence[Source]) -> str:
    """Find a conf.py of Sphinx, if neither it nor another one nor a source has the role."""
    files = [str(each) for depth in range(5) for each in Path().glob("*/" * depth + "conf.py")]
    for path in (*files, *(each.path for each in sources if files and each.kind in ("py", "rst"))):
        with suppress(OSError):
            if HAS_ROLE.search(Path(path).read_text(encoding="utf-8", errors="replace")):
                return ""
    return next(iter(files), "")


def _codes(values: Iterable[str]) -> list[str]:
    return [code.strip() for each in values for code in each.split(",") if code.strip()]


@dataclass
class FixRun:
    """One run of the command."""

    options: Options
    wanted: frozenset[str]
    jobs: int | None
    diff: bool
    check: bool
    quiet: bool
    tell: Callable[[str], None]  # messages must not be mixed with a source or a diff
    files: int = 0
    changed: int = 0
    changes: int = 0
    left: int = 0
    failed: int = 0
    right: dict[DOI, Correction] = field(default_factory=dict)
    built: Counter[str] = field(default_factory=Counter)  # pages by generator
    missing: Missing | None = None
    named: frozenset[str] = frozenset()  # paths that the user has named
    counts: dict[str, Counter[str]] | None = None  # of changes, by file and by rule

    def fail(self, path: str, reason: str) -> None:
        """Report a path that could not be read."""
        self.failed += 1
        unread(path, reason)

    def ask(self, sources: Sequence[Source], root: Path) -> int:
        """Check the names of all sources; returns an exit code if that is not possible."""
        from ...ask.works.check import check

        works, newer = "doi-work" in self.wanted, "doi-newer" in self.wanted
        task = partial(read_file, options=self.options, blocks=works or newer)
        # A file that cannot be read is reported when it is to be mended.
        found: list[Found] = []
        with closing(results_of(sources, task, self.jobs)) as results:
            for names, silences, _ in (result.value for result in results if result.value):
                silenced = IgnoredLines(silences)
                found += [each for each in names if not silenced.comment_on(each)]
        options = self.options.but(check_works="warn" if works or newer else "off")
        options = options if works else options.but(check_suggest=False)
        report = asked(partial(check, root=root), found, options, quiet=True)
        if report.fault is not None:
            return fault(NAME, report.fault)
        if not self.quiet:
            warn(report.summary)
        if "doi-missing" in self.wanted:
            self.missing = kept_names(sources, self.options, root, self.jobs)
        self.right = corrections(report, found, self.wanted)
        return 0

    def mend(self, sources: Sequence[Source]) -> None:
        """Mend all sources."""
        mends = partial(
            mend, options=self.options, wanted=self.wanted, right=self.right, missing=self.missing
        )
        task = partial(_mend_file, mends=mends, named=self.named)
        for_each_file(sources, "fixing", task, self.jobs, self._take, self.fail)

    def _take(self, source: Source, result: str | tuple[bytes, Mended]) -> None:
        if isinstance(result, str):
            self.built[result] += 1
            return
        before, mended = result
        self.files += 1
        self.left += len(mended.left)
        if not mended.changes:
            if source.path == "-" and not (self.diff or self.check):
                write_output(before)
            return
        after, changes = mended.octets, mended.changes
        if not give(source, before, after, changes, diff=self.diff, check=self.check):
            self.failed += 1
            return
        self.changed += 1
        self.changes += len(changes)
        if self.counts is not None:
            codes = Counter(code for change in changes for code in change.codes)
            self.counts[source.path] = codes
            return
        for change in changes if not (self.quiet or self.diff) else ():
            self.tell(printable(str(change)))

    def end(self) -> int:
        """Print the summary; returns the exit code."""
        dry = self.diff or self.check
        for tool, number in self.built.items():
            pages = counted(number, "page")
            warn(f"{pages} that {tool} has built: left alone, because it writes them again")
        by_file = self.counts or {}
        for code, number in sum(by_file.values(), Counter[str]()).most_common():
            files = sum(code in each for each in by_file.values())
            self.tell(f"{number:7,} {code}, in {counted(files, 'file')}")
        for path, of_file in sorted(by_file.items(), key=lambda each: -each[1].total()):
            codes = ", ".join(f"{number} {code}" for code, number in of_file.most_common())
            self.tell(f"{of_file.total():7,} {printable(path)}: {codes}")
        if not self.quiet:
            would = "would be made" if dry else "made"
            words = f"{counted(self.changes, 'change')} {would}, in {self.changed} of "
            words += counted(self.files, "file")
            words += f"; {self.left} could not be made" if self.left else ""
            self.tell(words)
        if self.failed:
            return 2
        return 1 if dry and self.changes else 0


def corrections(
    report: CheckReport, found: Sequence[Found], wanted: frozenset[str]
) -> dict[DOI, Correction]:
    """Return what is right instead of names that were checked, by the rules wanted."""
    from ...ask.names import Outcome
    from ...ask.works.newer import published

    right: dict[DOI, Correction] = {}
    articles = published(report.problems, found)
    of_publisher = {each.doi for each in found if each.form == "publisher"}
    for doi, known in report.resolutions.items():
        near = known.near if known.fails else None
        better = correction(doi, near, known.alias, articles.get(doi))
        if better and better.code in wanted:
            right[doi] = better
        found_there = doi in of_publisher and known.outcome is Outcome.FOUND
        if found_there and "doi-publisher" in wanted:
            page = right.get(doi, Correction("doi-publisher", doi))
            right[doi] = page._replace(page=True)
    return _meant(report.problems) | right if "doi-work" in wanted else right


def _meant(problems: Iterable[Problem]) -> dict[DOI, Correction]:
    """Return the corrections of names that are wrong at some places."""
    meant: dict[DOI, Correction] = {}
    for each in problems:
        near = each.resolution.near if each.resolution else None
        if each.doi is not None and near is not None:
            before = meant.get(each.doi, Correction("doi-work", near, frozenset()))
            places = {*(before.places or ()), (each.file, each.line, each.column)}
            meant[each.doi] = before._replace(places=frozenset(places))
    return meant


# --------------------------------------------------------------------------------------------------
# One file: read and mended, but not written. Another process may do this.


# Generators, which write their pages again.
_GENERATORS: Final = (
    "bookdown", "DocBook XSL", "Docutils", "Doxygen", "Eleventy", "Hugo", "javadoc", "Jekyll",
    "makeinfo", "MkDocs", "Nikola", "Pelican", "pkgdown", "quarto", "rustdoc", "Sphinx",
)  # fmt: skip
_BUILT: Final = re.compile(
    rf"(?i)<meta name=[\"']?generator[\"']? content=[\"']?({'|'.join(_GENERATORS)})\b"
)
_ADDRESS: Final = re.compile(r"\s*+(?:https?://\S++\s*+)?(?:#.*)?")


def _mend_file(
    source: Source, say: Say, mends: Callable[..., Mended], named: frozenset[str]
) -> str | tuple[bytes, Mended]:
    """Mend a file; return its octets before, if they are needed, and after; or its generator."""
    original = Original(octets_of(source), source.kind)
    if source.kind in PAGES and source.path != "-" and (built := _BUILT.search(original.text)):
        return built[1]
    mended = mends(original, source.kind, file=source.path, unread=say)
    # Heuristic: addresses alone, one a line, are identifiers, which a program may compare.
    lines = original.text.split("\n") if mended.changes and source.path not in named else ()
    if lines and all(map(_ADDRESS.fullmatch, lines)):
        say(f"{source.path} stays: it is a list of addresses; to mend it, name the file")
        return b"", Mended(b"")
    for change, reason in mended.left:
        say(f"{change} stays, because {reason}")
    if mended.changes or source.path == "-":
        return original.octets, mended
    return b"", Mended(b"", (), mended.left)  # there is nothing to write

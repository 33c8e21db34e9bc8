"""``doilinks html``: links the DOIs of pages that any generator has built."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import click

from ...core.options import Options
from ...core.printable import counted, printable
from ...lock.known_works import KnownWorks
from ...shared.streams import say, write_output
from ...sources import CannotRead, Source, octets_of
from ...sources.common import Lines
from ..fix import NotEncodable, Original
from ..pages import Edit, Linked, link_page
from .changes import give
from .files import PAGES, FileFlags, Say, for_each_file, site_flags, sources_at, unread
from .options import option_flags, settings_from
from .terminal import warn

_UNSURE: Final = "the page stays as it is, because a second run would change this line again"
_READINGS: Final = 4  # of a page; those of authors need two


@click.command(
    short_help="Link the DOIs of pages that any generator has built.",
    epilog="\b\nExamples:\n  doilinks html public/\n  doilinks html _site/ --output linked/\n"
    "  doilinks html --check public/\n  doilinks html --diff public/paper.html",
)
@click.argument("paths", nargs=-1, required=True, metavar="SITE...")
@click.option("-o", "--output", metavar="DIR", help="Copy the SITE, which must be one folder, to "
              "DIR, which must be empty or new, and change the copy.")  # fmt: skip
@click.option("--diff", is_flag=True, help="Print a unified diff, and write nothing.")
@click.option("--check", is_flag=True, help="Say what would change, and write nothing.")
@click.option("-q", "--quiet", is_flag=True, help="Print no summary and no progress.")
@site_flags
@option_flags(
    "display", "proxy", "bare", "urls", "css_class", "ignore", "hover", "arxiv", "publisher_urls",
    "check_lockfile", links=True,
)  # fmt: skip
def html(
    paths: tuple[str, ...],
    output: str | None,
    diff: bool,
    check: bool,
    quiet: bool,
    **flags: object,
) -> int:
    """Link the DOI names in HTML pages, and make links to DOIs canonical, in place.

    For pages of Hugo, Jekyll, Docusaurus, Doxygen, pkgdown and any other generator. Only links
    change. A second run changes nothing. Code, scripts and the text of other links stay.

    Exit codes: 0 nothing to do, or all is written; 1 with --diff or --check, if something would
    change; 2 wrong usage, or a page that could not be read or written.
    """
    which = replace(FileFlags.take(flags), site=True)
    options, root = settings_from(flags)
    if output is not None:
        if diff or check:
            raise click.UsageError("--output: --diff and --check write nothing")
        paths = (_copied(paths, output),)
    known_works = KnownWorks.of(options, root) if options.hovers else None
    run = _HtmlRun(known_works, diff=diff, check=check, verbose=which.verbose)
    pages = list(_pages(sources_at(paths, which, run.fail, writes=True), which.kind))
    task = partial(_link_file, options=options, known_works=known_works)
    for_each_file(pages, "linking", task, which.jobs, run.take, run.fail)
    if not quiet:
        (warn if diff or "-" in paths else say)(run.summary(len(pages)))
    if run.failed_pages:
        return 2
    return 1 if (diff or check) and run.changed_pages else 0


def _pages(sources: Sequence[Source], kind: str | None) -> Iterator[Source]:
    """Yield the pages among the files; warn of each other file, which the user has named."""
    for source in sources:
        if source.path == "-":
            yield source._replace(kind=kind or "html")
        elif source.kind in PAGES:
            yield source
        else:
            warn(f"{source.path}: not a page of HTML; left as it is")


def _copied(paths: Sequence[str], output: str) -> str:
    """Copy a site, and return where it is now."""
    if len(paths) != 1 or not Path(paths[0]).is_dir():
        raise click.UsageError("--output: takes one folder as SITE")
    site, target = Path(paths[0]).resolve(), Path(output).resolve()
    if target.is_relative_to(site) or site.is_relative_to(target):
        raise click.UsageError(f"--output {output}: one folder is inside the other")
    try:
        # A file that is there might be a link, through which another one would be overwritten.
        if target.exists() and any(target.iterdir()):
            raise click.UsageError(f"--output {output}: the folder is not empty; name a new one")
        # A link stays one, so nothing from outside the site is copied.
        shutil.copytree(site, target, symlinks=True, dirs_exist_ok=True)
    except shutil.Error as error:  # of each file: its path, that of its copy, and why
        first = "; ".join(f"{file}: {why}" for file, _, why in error.args[0][:3])
        raise click.ClickException(f"not all is copied to {output}: {first}") from error
    except OSError as error:
        where = f"{paths[0]} to {output}"
        raise click.ClickException(f"cannot copy {where}: {error}") from error
    return output


@dataclass
class _HtmlRun:
    """A run of the command: counts new links, and those that it has made canonical."""

    known_works: KnownWorks | None
    diff: bool
    check: bool
    verbose: bool
    new: int = 0
    changed: int = 0
    changed_pages: int = 0
    failed_pages: int = 0

    def fail(self, path: str, reason: str) -> None:
        """Report a path that could not be read."""
        self.failed_pages += 1
        unread(path, reason)

    def take(self, page: Source, result: _FileLinked) -> None:
        """Report on one page, and write it."""
        linked = result.linked
        if self.known_works and result.after:
            # Only now, because a site without names needs no lock file.
            if self.known_works.trouble:
                warn(self.known_works.trouble)
            self.known_works = None
        if linked and self.verbose:
            for doi in dict.fromkeys(linked.left):
                warn(f"{page.path}: {doi.uri} stays, because of tags inside it or around it")
        if not linked or not result.after:
            if page.path == "-" and not (self.diff or self.check):
                write_output(result.before)
            return
        if not give(page, result.before, result.after, diff=self.diff, check=self.check):
            self.failed_pages += 1
            return
        if self.check and not self.diff:
            new = counted(linked.new, "new link")
            say(f"{printable(page.path)}: {new}, {linked.changed} made canonical")
        self.new, self.changed = self.new + linked.new, self.changed + linked.changed
        self.changed_pages += 1

    def summary(self, pages: int) -> str:
        """Count links and pages in one line."""
        dry = "would be " if self.diff or self.check else ""
        return (
            f"{counted(self.new, 'link')} {dry}made and {self.changed} {dry}made canonical, "
            f"in {self.changed_pages} of {counted(pages, 'page')}"
        )


class _FileLinked(NamedTuple):
    """The result for one page: its octets, those to write, and its links."""

    before: bytes
    after: bytes = b""
    linked: Linked | None = None


def _link_file(
    source: Source, say: Say, options: Options, known_works: KnownWorks | None
) -> _FileLinked:
    original = Original(octets_of(source), source.kind)
    before, after = original.octets, b""
    link = partial(link_page, options=options, known_works=known_works, xml=source.kind == "xhtml")
    linked = link(original.text)
    # The edits of a page of 50 MB, and its text, may take several times as much in memory.
    first = linked._replace(edits=[])
    if linked.trouble:
        say(f"{source.path}: left as it is: {linked.trouble}")
    # The new page is read too, until nothing is left to do.
    for _ in range(_READINGS):
        if not linked.edits:
            break
        after = _replaced(original, linked.edits)
        original = Original(after, source.kind)
        linked = link(original.text)
    if not linked.edits:
        return _FileLinked(before, after, first)
    line, _ = Lines(original.text).place(linked.edits[0][0])
    say(f"{source.path}:{line}: {_UNSURE}")
    return _FileLinked(before)


def _replaced(original: Original, edits: Sequence[Edit]) -> bytes:
    """Return the octets with the edits; characters the encoding lacks become references."""
    try:
        with suppress(NotEncodable):
            return original.replaced(edits)
        return original.replaced(
            (start, end, new.encode("ascii", "xmlcharrefreplace").decode())
            for start, end, new in edits
        )
    except NotEncodable as error:  # the encoding does not give the same octets again
        raise CannotRead(str(error)) from error

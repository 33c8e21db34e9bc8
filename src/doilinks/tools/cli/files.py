"""The files of a command: finds those that paths and flags select, and reads each.

A file that cannot be read does not stop the command.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

import click

from ...core.found import Found, IgnoreComment
from ...core.options import InvalidOption, Options
from ...core.printable import counted
from ...shared.project import checkout_of
from ...sources import TYPES, Binary, CannotRead, Source, comments, load, read, type_of
from ...sources.files import Patterns, Rules, octets_of, walk, wrong_pattern
from .options import all_of, nearest_project
from .terminal import progress, warn

if TYPE_CHECKING:
    from .cache import Cache

_T = TypeVar("_T")


# --------------------------------------------------------------------------------------------------
# The flags that select files.

_GITIGNORE: Final = click.option(
    "--gitignore/--no-gitignore", default=True, help="Leave out what git ignores, "
    "inside a checkout. [default: on]",
)  # fmt: skip
_TYPE: Final = click.option(
    "--type", "kind", type=click.Choice(list(TYPES)), help="Type of standard input, "
    "and of files whose ending tells nothing.  [default: txt]",
)  # fmt: skip
PAGES: Final = ("html", "xhtml")
_PAGE: Final = click.option(
    "--type", "kind", type=click.Choice(PAGES), help="Type of standard input [default: html], "
    "and of files that you name and whose ending tells nothing.",
)  # fmt: skip
_FLAGS: Final = (
    click.option("-j", "--jobs", type=click.IntRange(1), metavar="N", help="Read files in N "
                 "processes. [default: one for each core if there is enough to read, else 1]"),
    _TYPE,
    click.option("--hidden", is_flag=True, help="Read hidden files and folders too."),
    click.option("--exclude", multiple=True, metavar="PATTERN", help="Leave out files and "
                 "folders, by a pattern as git has, from the current folder. [may be repeated]"),
    click.option("--force-exclude", is_flag=True, help="Also leave out a PATH that these patterns, "
                 "or those in pyproject.toml, match. For programs that name files."),
    _GITIGNORE,
    click.option("-v", "--verbose", is_flag=True, help="Say what is left out, and "
                 "which settings are from pyproject.toml."),
)  # fmt: skip
file_flags: Final = all_of(
    click.argument("paths", nargs=-1, required=True, metavar="PATH..."), *_FLAGS
)
cache_flag: Final = click.option(
    "--no-cache", is_flag=True, help="Read files anew that are as in an earlier run."
)
# Git usually ignores the pages of a site that was built.
site_flags: Final = all_of(
    *(_PAGE if each is _TYPE else each for each in _FLAGS if each is not _GITIGNORE)
)


@dataclass(frozen=True)
class FileFlags:
    """The values of these flags."""

    jobs: int | None  # the number of processes; None: as many as are worth it
    kind: str | None  # the type of standard input, and of files without a known ending
    hidden: bool
    exclude: Patterns | None  # patterns of files that are not read
    force_exclude: bool  # whether they also count for paths that the user names
    gitignore: bool
    verbose: bool
    site: bool = False  # whether folders are sites that a program has built
    no_cache: bool = False  # whether files are read that are as in an earlier run

    @classmethod
    def take(cls, flags: dict[str, Any]) -> FileFlags:
        """Take these flags out of all flags of a command; raise UsageError for a wrong pattern."""
        own = {name: flags.pop(name, False) for name in cls.__dataclass_fields__}
        try:
            project = nearest_project()
        except InvalidOption as error:
            raise click.UsageError(str(error)) from error
        lines, base, of = own["exclude"], Path.cwd(), "--exclude"
        for line in filter(wrong_pattern, lines or ()):
            raise click.UsageError(f"{of}: not a pattern of files or folders: {line!r}")
        if project and not lines:
            lines, base = project.exclude, project.file.parent
            of = f"{project.file}: tool.doilinks.exclude"
        return cls(**own | {"exclude": Patterns.read(lines, str(base), of) if lines else None})

    def walk(self, path: str, **callbacks: Any) -> Iterator[Source]:
        """Yield the files at a path or below it; in a site, only pages and the path itself."""
        found = walk(
            path, self.kind, hidden=self.hidden, site=self.site, left_out=self.left_out, **callbacks
        )
        for source in found:
            # In a site, only pages are read, and paths that the user names.
            if not self.site or source.kind in PAGES or source.path in (path, "-"):
                yield source

    def left_out(self, path: str, why: str) -> None:
        """Say that a path is left out, if the user wants to know."""
        if self.verbose:
            warn(f"{path}: left out, because {why}")


# --------------------------------------------------------------------------------------------------
# One file: its content, and the messages about it.

Say = Callable[[str], object]
# The names, the comments, and the key of the file if the names can be kept for the next run.
FileRead = tuple[list[Found], list[IgnoreComment], str]


@dataclass
class Result(Generic[_T]):
    """The result of a task for one file. A process can send it to another one."""

    value: _T | None = None  # None if the file could not be read, or is no text
    messages: list[str] = field(default_factory=list)
    failure: str | None = None  # why it could not be read


def _result_of(source: Source, task: Callable[[Source, Say], _T]) -> Result[_T]:
    """Do a task for a file. If that fails midway, there is no result."""
    result: Result[_T] = Result()
    try:
        result.value = task(source, result.messages.append)
    except Binary as error:
        if source.is_named:
            result.failure = f"not a text ({error})"
        else:
            result.messages.append(f"{source.path}: a binary file ({error}); skipped")
    except CannotRead as error:
        result.failure = str(error)
    except MemoryError:
        result.failure = "there is not enough memory"
    return result


def read_file(
    source: Source,
    say: Say,
    options: Options,
    *,
    blocks: bool,
    nameless: bool = False,
    cache: Cache | None = None,
) -> FileRead:
    """Read the names of a file, each with the block around it if wanted, and its comments."""
    octets = octets_of(source)
    key = cache.key(source, octets) if cache else ""
    if cache and (kept := cache.get(key)) is not None:
        return kept, [], key
    others: list[str] = []  # a file is not kept with messages, or if it depends on other files

    def note(message: str) -> None:
        others.append(message)
        say(message)

    def exists(path: str) -> bool:
        others.append(path)
        return os.path.exists(path)  # noqa: PTH110  paths are texts here

    text = load(source, note, octets)
    read_as = read(
        text, source.kind, options, source.path, note, exists, blocks=blocks, nameless=nameless
    )
    # A block is a function until someone needs it. The function keeps the whole file in memory.
    found = [replace(each, around=each.block) if blocks else each for each in read_as]
    silences = list(comments(text, source.kind, source.path))
    return found, silences, "" if others or silences else key


# --------------------------------------------------------------------------------------------------
# All files of a run, in one process or in several.

# Heuristic: a process takes a fifth of a second to start. So the first files are read without
# others, and others start only if there are at least this many files for each.
_SOON: Final = 1.0  # seconds
_WORTH: Final = 4
_PANDOC: Final = "pandoc {path} -t markdown | doilinks {command} --type md -"
_EXPORT: Final = "export it as text or HTML, and read that"
# What reads a file that is not a text, by its ending.
_WAYS: Final = {
    **dict.fromkeys((".docx", ".epub", ".odt", ".rtf"), f"this reads it: {_PANDOC}"),
    **dict.fromkeys((".doc", ".odp", ".ods", ".pages", ".pptx", ".xlsx"), _EXPORT),
    **dict.fromkeys((".eps", ".pdf", ".ps"), "read its source, such as LaTeX or Markdown, or the "
                    "HTML that is built from the same"),
}  # fmt: skip
# What a user may name in place of a file.
_NO_FILES: Final = {
    "an address": ("https?://", "this reads it: curl -L {path} | doilinks {command} --type html -"),
    "a name": (r"(doi:)?10\.\d+/", "this reads it: echo {path} | doilinks {command} -"),
}
_WORTH_KEEPING: Final = 50  # files; Heuristic: nobody waits for fewer


@dataclass
class Gathered:
    """All DOIs of a run."""

    places: list[Found] = field(default_factory=list)
    silences: list[IgnoreComment] = field(default_factory=list)
    files: int = 0  # how many files were read
    skipped: int = 0  # how many files are not texts
    failed: int = 0  # how many paths could not be read; each was named on standard error


def gather(
    paths: Sequence[str],
    which: FileFlags,
    options: Options,
    *,
    blocks: bool = False,
    nameless: bool = False,
) -> Gathered:
    """Read all files below ``paths``, each once, with the text around each DOI if ``blocks``."""
    gathered = Gathered()

    def fail(path: str, reason: str) -> None:
        gathered.failed += 1
        unread(path, reason)

    def take(_source: Source, read: FileRead) -> None:
        gathered.files += 1
        gathered.places += read[0]
        gathered.silences += read[1]
        if read[2]:
            names[read[2]] = read[0]

    names: dict[str, list[Found]] = {}
    sources, cache = sources_at(paths, which, fail), None
    if not which.no_cache and len(sources) >= _WORTH_KEEPING:
        from .cache import Cache

        cache = Cache(paths, options, blocks, nameless)
    task = partial(read_file, options=options, blocks=blocks, nameless=nameless, cache=cache)
    gathered.skipped = for_each_file(sources, "reading", task, which.jobs, take, fail)
    if cache:
        cache.save(names)
    return gathered


def unread(path: str, reason: str) -> None:
    """Say that a path could not be read, and what can be read in its place."""
    is_file = os.path.isfile(path)  # noqa: PTH113  silent about closed folders
    way = _WAYS.get(Path(path).suffix.lower(), "") if is_file else ""
    for what, (pattern, instead) in _NO_FILES.items():
        if re.match(pattern, path, re.IGNORECASE) and not os.path.lexists(path):
            reason, way = f"{what}, not a file", instead
    warn(f"{path}: {reason}; not read")
    if way:
        name = click.get_current_context().info_name
        command = name if name in ("find", "scan", "works") else "check"
        warn(way.format(path=shlex.quote(path), command=command))


def sources_at(
    paths: Sequence[str],
    which: FileFlags,
    fail: Callable[[str, str], object],
    *,
    writes: bool = False,
) -> list[Source]:
    """Yield all sources below ``paths``, each once.

    :param fail: called with each path that cannot be read, and the reason
    :param writes: whether files may be changed: then no link leads out of ``paths``. Else one may
        lead to a file or folder of the same checkout, as a home page to the README
    """
    sources: dict[str, Source] = {}
    failed: list[str] = []
    outside = 0

    def unreadable(error: OSError, path: str | None = None) -> None:
        failed.append("")
        shown = os.fsdecode(error.filename).removeprefix("./") if path is None else path
        fail(shown, error.strerror or str(error))

    def leads_out(path: str, real: str, *, site: bool = False) -> bool:
        nonlocal outside
        above = Path(os.path.realpath(Path(path).parent))
        # In a site, all commands read the same pages. A link to its own folder is a loop.
        if not (writes or site or above.is_relative_to(real)) and _in_checkout(real, above):
            return False
        which.left_out(path, "it is a link that leads out of all paths that are named")
        outside += 1
        return True

    def follow(path: str) -> bool:
        real = os.path.realpath(path)
        if _path_of(path, real, named) or leads_out(path, real):
            return False
        named[real] = path  # so it is followed once
        return True

    rules = Rules(which.exclude, gitignore=which.gitignore, wrong=warn)
    named: dict[str, str] = {}  # by their real paths
    for path in sorted(paths, key=os.path.islink):
        named.setdefault(path if path == "-" else os.path.realpath(path), path)
    for path in paths:
        if which.force_exclude and path != "-" and (why := rules.why_named(path)):
            which.left_out(path, why)
            continue
        empty = True
        failed.clear()
        try:
            for source in which.walk(path, unreadable=unreadable, follow=follow, rules=rules):
                empty = False
                real = source.path if source.path == "-" else os.path.realpath(source.path)
                itself = _path_of(source.path, real, named)
                if itself and itself != source.path:
                    kind = type_of(itself) or source.kind
                    sources.setdefault(real, Source(itself, kind, real))
                elif itself or not leads_out(source.path, real, site=source.kind in PAGES):
                    sources.setdefault(real, source._replace(real=real))
                if source.is_named and real in sources:
                    sources[real] = sources[real]._replace(is_named=True)
        except OSError as error:
            unreadable(error, path)
        if empty and not failed:
            fail(path, "it has no file to read (-v names what is left out)")
    if outside and not (which.verbose or writes):
        links = counted(outside, "link")
        warn(f"{links} to files outside of the paths left out; -v names them")
    return list(sources.values())


def _path_of(path: str, real: str, named: Mapping[str, str]) -> str | None:
    """Return the path of a file itself, below one that is named by its real path; None outside."""
    if os.path.abspath(path) == real:  # noqa: PTH100  paths are texts here
        return path  # as nearly always: there is no link in it
    ways = [way for way in (real, *map(str, Path(real).parents)) if way in named]
    if not ways:
        return None
    way = min(ways, key=lambda way: os.path.islink(named[way]))  # noqa: PTH114  as above
    below = os.path.join(named[way], os.path.relpath(real, way))  # noqa: PTH118  as above
    return named[way] if way == real else below.removeprefix("./")


def _in_checkout(real: str, folder: Path) -> bool:
    """Tell whether a path is in the same checkout of git as a folder."""
    root, file = checkout_of((folder, *folder.parents)), Path(real)
    return root is not None and file.is_relative_to(root) and ".git" not in file.parts


def for_each_file(
    sources: Sequence[Source],
    what: str,
    task: Callable[[Source, Say], _T],
    jobs: int | None,
    take: Callable[[Source, _T], object],
    fail: Callable[[str, str], object],
) -> int:
    """Do the task for each file, beside a bar that says ``what``; return how many are no texts."""
    skipped = 0
    results = results_of(sources, task, jobs)
    with progress(what) as step, closing(results):
        step(0, len(sources), 0)
        for done, (source, result) in enumerate(zip(sources, results, strict=True), 1):
            for message in result.messages:
                warn(message)
            if result.failure is not None:
                fail(source.path, result.failure)
            elif result.value is None:
                skipped += 1
            else:
                take(source, result.value)
            step(done, len(sources), 0)
    return skipped


def results_of(
    sources: Sequence[Source], task: Callable[[Source, Say], _T], jobs: int | None
) -> Generator[Result[_T], None, None]:
    """Do the task for each file, and yield the results in order.

    It is sent to up to ``jobs`` processes; without a number, to as many as are worth it.
    """
    read = partial(_result_of, task=task)
    if any(source.path == "-" for source in sources):
        jobs = 1  # only this process has the standard input
    begun, at = monotonic(), 0
    while at < len(sources) and (jobs is None or jobs == 1):
        yield read(sources[at])
        at += 1
        if jobs is None and monotonic() - begun > _SOON:
            here = hasattr(os, "sched_getaffinity")  # not on every system
            cores = len(os.sched_getaffinity(0)) if here else os.cpu_count() or 1
            jobs = max(1, min(cores, (len(sources) - at) // _WORTH))
    if at < len(sources):
        from .workers import in_processes  # rarely needed

        yield from in_processes(sources[at:], read, lambda why: Result(failure=why), jobs or 1)

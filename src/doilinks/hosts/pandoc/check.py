"""The check of a document. It reports problems on standard error, as filters do.

Pandoc tells a filter neither the name of its input nor how much to print. So the places in messages
are those that the reader gives (``+sourcepos``), and the check reports every problem. If a filter
fails with any exit code, pandoc writes nothing.
"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...core.found import SILENT, WORD, Found, IgnoreComment
from ...core.options import ENVIRONMENT, PANDOC, Options
from ...shared.program import INTERRUPTED, fault, first_interrupt
from ...shared.project import project_of
from ...shared.streams import tell
from . import NAME
from .text import Node, position, unwrapped

if TYPE_CHECKING:
    from ...ask.names import CheckReport


# --------------------------------------------------------------------------------------------------
# The settings of the person who runs pandoc: ``DOILINKS_DISPLAY=name``, and the pyproject.toml.
#
# Metadata come with the document, and a filter cannot tell them from ``-M`` on the command line. So
# the environment wins over them. The nearest pyproject.toml, which the filter trusts as the command
# line does, gives the defaults.


def of_environment(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the options that environment variables set. An empty one counts as not set."""
    return {name: value for name, value in ENVIRONMENT.named(environment).items() if value}


def of_project() -> dict[str, object]:
    """Return the defaults from the nearest pyproject.toml, from the current folder upwards."""
    project = None
    with suppress(OSError):  # the current folder may be gone
        project = project_of(Path.cwd())
    return project.defaults() if project else {}


# --------------------------------------------------------------------------------------------------
# Comments ``<!-- doilinks: ignore -->`` of a document, and the inlines that they silence.
#
# The filter does not see the source, so a line is what stands between two line breaks of a
# paragraph. It sees only what pandoc's reader hands on as raw HTML; most readers leave comments
# out.

_COMMENT: Final = re.compile(rf"\s*<!--\s*{WORD}-->\s*")  # the whole of an inline of raw HTML
_BREAKS: Final = frozenset({"SoftBreak", "LineBreak"})
_POSITION: Final = re.compile(r"(?:([^;]*)@)?([0-9]{1,9}):")  # as +sourcepos writes it
# For every program that reads URLs, an address that begins like this is on doi.org.
_DOI_ORG: Final = "https://doi.org/"


class Comments:
    """The comments of one document: ``all`` that were found so far."""

    def __init__(self) -> None:
        self.all: list[IgnoreComment] = []  # those found so far
        self._above: IgnoreComment | None = None  # a block of its own, just before
        self._alone: IgnoreComment | None = None  # the same, at the end of the block that is read

    def take(self, block: Node) -> bool:
        """Take a block if it is a comment."""
        inner = block
        if block["t"] == "Div" and len(block["c"][1]) == 1:  # as +sourcepos wraps it
            inner = block["c"][1][0]
        comment = self._read(inner, block) if inner["t"] == "RawBlock" else None
        if comment is not None:
            self._above = comment if comment.word == SILENT else None
        return comment is not None

    def leave(self) -> None:
        """Leave a block without inner blocks: only a comment at its end is about the next."""
        self._above, self._alone = self._alone, None

    def of(
        self, inlines: Sequence[Node], raw: Sequence[str | None], outer: IgnoreComment | None
    ) -> list[IgnoreComment | None]:
        """Return the comment that silences each inline of a list, or None."""
        above, self._above = self._above, None
        if above is None and not any(raw):
            return [outer] * len(inlines)
        lines: list[list[Node]] = [[]]
        for node in inlines:
            lines[-1].append(node)
            if unwrapped(node)["t"] in _BREAKS:
                lines.append([])
        silences: list[IgnoreComment | None] = []
        for line in lines:
            found = [self._read(unwrapped(node), node) for node in line]
            comment = next((each for each in found if each and each.word == SILENT), None)
            silences += [outer or comment or above] * len(line)
            alone = comment and all(
                each or unwrapped(node)["t"] in {"Space", *_BREAKS}
                for each, node in zip(found, line, strict=True)
            )
            above = comment if alone else None
        self._alone = above or self._alone  # not that of an emphasis in the same paragraph
        return silences

    def _read(self, node: Node, placed: Node) -> IgnoreComment | None:
        if node["t"] not in ("RawInline", "RawBlock") or node["c"][0] != "html":
            return None
        found = _COMMENT.fullmatch(node["c"][1])
        if not found:
            return None
        place = _POSITION.match(position(placed))
        line, file = (int(place[2]), place[1]) if place else (None, None)
        self.all.append(IgnoreComment(found["word"], line, None, file))
        return self.all[-1]


def resolve(
    places: Iterable[Found], options: Options, silences: Iterable[IgnoreComment] = ()
) -> int:
    """Check the DOIs of a document if the options ask for it; the exit code of the filter."""
    if options.check == "off":
        return 0
    if distrust := _distrusted(options):
        tell(NAME, distrust)
        return 1
    try:
        from ...ask.names import Interrupted, InvalidLockfile, news
        from ...ask.works.check import check
    except ImportError as error:
        tell(NAME, f"doi-check: {error}")
        return 1
    # On Ctrl-C the terminal interrupts pandoc and its filter; pandoc then terminates the filter.
    with first_interrupt(signal.SIGINT, signal.SIGTERM):
        try:
            log = news(partial(tell, NAME))
            report = check(places, options, silences=silences, progress=log)
        except InvalidLockfile as error:
            tell(NAME, str(error))
            return 1
        except Interrupted as interrupted:
            _say(interrupted.report)
            tell(NAME, str(interrupted))
            return INTERRUPTED
        except KeyboardInterrupt:  # the check had not asked about any name
            return INTERRUPTED
    _say(report)
    if report.problems:
        tell(NAME, report.summary)
    if report.news:
        tell(NAME, report.news)
    if report.fault is not None and report.errors:
        return fault(NAME, report.fault)
    return 1 if report.errors else 0


def _distrusted(options: Options) -> str:
    """Return why the filter refuses the options of a document; ``""`` if it accepts them.

    A document cannot choose another host to ask, not even this machine, because local services
    often need no password, nor another folder to write to. The environment and pyproject.toml can.
    """
    from ...core.printable import public  # most documents are not checked

    own = Options.read(of_project() | of_environment())
    if options.check_api != own.check_api and not options.check_api.startswith(_DOI_ORG):
        return _refused("check_api", f"{public(options.check_api)} is not on {_DOI_ORG}")
    if options.check_works_api not in ("", own.check_works_api):
        return _refused("check_works_api", f"{public(options.check_works_api)} is not an agency")
    return distrusted_lockfile(options)


def distrusted_lockfile(options: Options) -> str:
    """Return why the filter does not use the lock file of a document; ``""`` if it does."""
    own = Options.read(of_project() | of_environment())
    lockfile = options.check_lockfile
    if lockfile in ("", own.check_lockfile, Options.check_lockfile):
        return ""
    # A symbolic link in the path may lead to another folder, so the real path is compared.
    below = os.path.realpath(lockfile).startswith(os.path.join(os.path.realpath("."), ""))  # noqa: PTH118  raises nothing
    if Path(lockfile).is_absolute() or not below or not lockfile.endswith(".json"):
        return (
            f"{PANDOC('check_lockfile')}: takes the name of a .json file below the current folder, "
            f"got {lockfile!r}; for another, set the environment variable "
            f"{ENVIRONMENT('check_lockfile')}"
        )
    return ""


def _refused(option: str, why: str) -> str:
    return (
        f"{PANDOC(option)}: {why}; to ask there, set the environment variable "
        f"{ENVIRONMENT(option)} to the same address"
    )


def _say(report: CheckReport) -> None:
    tell(NAME, *(f"{problem.severity}: {problem}" for problem in report.problems))

"""The flags of the commands that read files: which files, and what is said about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from ..sources import TYPES, Patterns, Rules, wrong_pattern
from .options import excluded
from .terminal import warn

__all__ = ["Reading", "jobs_flag", "reading_flags"]

_F = TypeVar("_F", bound=Callable[..., Any])

_FLAGS: Final = (
    click.option("--type", "kind", type=click.Choice(TYPES), help="Type of standard input, and of "
                 "files whose ending tells nothing.  [default: txt]"),
    click.option("--hidden", is_flag=True, help="Read hidden files and folders too."),
    click.option("--exclude", multiple=True, metavar="PATTERN", help="Leave out files and "
                 "folders, by a pattern as git has, from the current folder. [may be repeated]"),
    click.option("--force-exclude", is_flag=True, help="Also leave out a PATH that these patterns, "
                 "or those in pyproject.toml, match. For programs that name files."),
    click.option("--gitignore/--no-gitignore", default=True, help="Leave out what git ignores, "
                 "inside a checkout. [default: on]"),
    click.option("-v", "--verbose", is_flag=True, help="Say what is left out, and "
                 "which settings are from pyproject.toml."),
)  # fmt: skip


jobs_flag: Final = click.option(
    "-j", "--jobs", type=click.IntRange(1), metavar="N", help="Read files in N processes. "
    "[default: one for each core if there is enough to read, else 1]",
)  # fmt: skip


def reading_flags(function: _F) -> _F:
    """A decorator that adds the flags."""
    for flag in reversed(_FLAGS):
        function = flag(function)
    return function


@dataclass(frozen=True)
class Reading:
    """What a user says about reading.

    :ivar kind: the type of what has no ending that tells it, or None
    :ivar hidden: whether hidden files and folders are read
    :ivar exclude: patterns of what is not read, and where they are from
    :ivar force_exclude: whether these patterns also count for what the user names
    :ivar gitignore: whether what git ignores is not read
    :ivar verbose: whether it is said what is left out
    """

    kind: str | None
    hidden: bool
    exclude: Patterns | None
    force_exclude: bool
    gitignore: bool
    verbose: bool

    @classmethod
    def take(cls, flags: dict[str, Any]) -> Reading:
        """Take its own flags out of all the flags of a command.

        :raises click.UsageError: for a pattern that means nothing
        """
        own = {name: flags.pop(name) for name in cls.__dataclass_fields__}
        lines, base, of = excluded()
        if own["exclude"]:
            lines, base, of = own["exclude"], Path.cwd(), "--exclude"
        for line in filter(wrong_pattern, lines):
            raise click.UsageError(f"{of}: not a pattern of files or folders: {line!r}")
        return cls(**own | {"exclude": Patterns.read(lines, str(base), of) if lines else None})

    def rules(self) -> Rules:
        """What leaves files and folders out."""
        return Rules(self.exclude, gitignore=self.gitignore, wrong=warn)

    def left_out(self, path: str, why: str) -> None:
        """Say that a path is left out, if the user wants to know."""
        if self.verbose:
            warn(f"{path}: left out, because {why}")

"""The flags of the commands that read files: which files, and what is said about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import click

from ..sources import TYPES
from .terminal import warn

__all__ = ["Reading", "reading_flags"]

_F = TypeVar("_F", bound=Callable[..., Any])

_FLAGS: Final = (
    click.option("--type", "kind", type=click.Choice(TYPES), help="Type of standard input, and of "
                 "files whose ending tells nothing.  [default: txt]"),
    click.option("--hidden", is_flag=True, help="Read hidden files and folders too."),
    click.option("-v", "--verbose", is_flag=True, help="Say what is left out, and why."),
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
    :ivar verbose: whether it is said what is left out
    """

    kind: str | None
    hidden: bool
    verbose: bool

    @classmethod
    def take(cls, flags: dict[str, Any]) -> Reading:
        """Take its own flags out of all the flags of a command."""
        return cls(**{name: flags.pop(name) for name in cls.__dataclass_fields__})

    def left_out(self, path: str, why: str) -> None:
        """Say that a path is left out, if the user wants to know."""
        if self.verbose:
            warn(f"{path}: left out, because {why}")

"""What reaches the terminal: nothing that controls it, and a progress bar where there is one."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ..core.printable import printable

__all__ = ["has_bar", "progress", "say", "warn"]


def say(text: str = "", end: str = "\n") -> None:
    """Write to standard output; unlike ``click.echo`` in the encoding that was asked for."""
    sys.stdout.write(text + end)


def warn(message: str) -> None:
    """Write one line to standard error."""
    sys.stderr.write(f"doilinks: {printable(message)}\n")


def has_bar() -> bool:
    """Whether standard error is a terminal with somebody in front of it."""
    return sys.stderr.isatty() and not os.environ.get("CI") and os.environ.get("TERM") != "dumb"


@contextmanager
def progress(title: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar while the block runs, on a terminal only; yields what takes done and total."""
    if not has_bar():
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)

"""Messages and the progress bar for a user at a terminal."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from ..streams import has_terminal, tell

__all__ = ["NAME", "has_bar", "is_verbose", "progress", "warn"]


NAME: Final = "doilinks"


def warn(message: str) -> None:
    """Write one line to standard error."""
    tell(NAME, message)


def has_bar() -> bool:
    """Whether a progress bar is shown: on a terminal, but not on that of CI, nor with ``-q``."""
    return (
        not _flag("quiet")
        and has_terminal(2)
        and not os.environ.get("CI")
        and os.environ.get("TERM") != "dumb"
    )


def is_verbose() -> bool:
    """Whether the user wants to know more, by ``-v``."""
    return _flag("verbose")


def _flag(name: str) -> bool:
    import click  # only here: what reports a missing click needs this module

    context = click.get_current_context(silent=True)
    return context is not None and bool(context.params.get(name))


@contextmanager
def progress(title: str) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar during the block, on a terminal only; yields a function (done, total)."""
    if not has_bar():
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)

"""Messages and the progress bar for a user at a terminal.

The bar of ``rich`` stays below the messages and goes away at the end. After that of ``click``, each
message would begin on the line of the bar.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from ..streams import has_terminal, tell

if TYPE_CHECKING:
    from rich.progress import Progress

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


class Bar:
    """A progress bar, or nothing if there is no terminal."""

    def __init__(self, title: str, shown: Progress | None = None) -> None:
        self._title, self._shown = title, shown
        if shown is not None:
            self._task = shown.add_task(title, total=None)

    def __call__(self, done: int, total: int) -> None:
        """Show how many of all are done."""
        if self._shown is not None:
            self._shown.update(self._task, description=self._title, completed=done, total=total)

    def waiting(self, seconds: float) -> None:
        """Show that the server asks for a pause of ``seconds`` from now."""
        if self._shown is not None:
            words = f"waiting {seconds:.0f} s, as the server asks"
            self._shown.update(self._task, description=words)


@contextmanager
def progress(title: str) -> Iterator[Bar]:
    """Show a progress bar during the block, on a terminal only."""
    if not has_bar():
        yield Bar(title)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    # The terminal breaks long lines by itself, so that a copy of one is one line.
    console = Console(stderr=True, soft_wrap=True)
    # What is printed meanwhile goes above the bar, but not what the user sends to a file.
    with Progress(
        *columns, console=console, transient=True, redirect_stdout=has_terminal(1)
    ) as shown:
        yield Bar(title, shown)

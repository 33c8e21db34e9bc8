"""The messages of the program at a terminal, and its progress bar."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from ...shared.streams import has_terminal, tell

if TYPE_CHECKING:
    from ...ask.loop import Progress

NAME: Final = "doilinks"


def warn(message: str) -> None:
    """Write one line to standard error."""
    tell(NAME, message)


def is_verbose() -> bool:
    """Tell whether the user wants to know more, by ``-v``."""
    return _flag("verbose")


def _flag(name: str) -> bool:
    import click  # only here: what reports a missing click needs this module

    context = click.get_current_context(silent=True)
    return context is not None and bool(context.params.get(name))


@contextmanager
def progress(title: str, instead: Progress = lambda *_: None) -> Iterator[Progress]:
    """Show a progress bar during the block: on a terminal but that of CI, and not with ``-q``.

    :param instead: the value to yield where there is no bar
    """
    is_dumb = os.environ.get("CI") or os.environ.get("TERM") == "dumb"
    if is_dumb or _flag("quiet") or not has_terminal(2):
        yield instead
        return
    # This bar stays below the messages and goes away at the end. After that of ``click``, each
    # message would begin on the line of the bar.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    # The terminal breaks long lines by itself, so that a copy of one is one line.
    console = Console(stderr=True, soft_wrap=True)
    # Messages go above the bar, unless the user sends them to a file.
    above = has_terminal(1)
    with Progress(*columns, console=console, transient=True, redirect_stdout=above) as shown:
        task = shown.add_task(title, total=None)

        def step(done: int, total: int, pause: float) -> None:
            words = f"waiting {pause:.0f} s, as the server asks" if pause else title
            shown.update(task, description=words, completed=done, total=total)

        yield step

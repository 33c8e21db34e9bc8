"""Messages about the progress of a long check, for a log."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

__all__ = ["news"]

_EVERY: Final = 10.0  # seconds


def news(say: Callable[[str], object], every: float = _EVERY) -> Callable[[int, int], None]:
    """A ``progress`` for :func:`~doilinks.check.check` that logs a line from time to time.

    :param say: called with a line
    :param every: the least number of seconds between two lines

    >>> progress = news(print, every=0)
    >>> progress(40, 400)
    asked 40 of 400
    """
    last = time.monotonic()

    def progress(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last >= every:
            last = time.monotonic()
            say(f"asked {done} of {total}")

    return progress

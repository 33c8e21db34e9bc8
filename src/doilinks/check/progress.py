"""Messages about the progress of a long check, for a log: how much is done, why it waits."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

__all__ = ["news", "pauses"]

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


def pauses(say: Callable[[str], object]) -> Callable[[float], None]:
    """A ``waiting`` for :func:`~doilinks.check.check` that logs a line for each pause.

    :param say: called with a line

    >>> waiting = pauses(print)
    >>> waiting(25), waiting(24.8)
    waits 25 seconds, as the server asks
    (None, None)
    """
    until = 0.0

    def waiting(seconds: float) -> None:
        nonlocal until
        end = time.monotonic() + seconds
        if end > until + 1:  # otherwise it is the same pause
            until = end
            say(f"waits {seconds:.0f} seconds, as the server asks")

    return waiting

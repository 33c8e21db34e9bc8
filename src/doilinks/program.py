"""What the commands of doilinks share: exit codes, faults, what Ctrl-C does."""

from __future__ import annotations

import os
import signal
import threading
import traceback
from collections.abc import Callable
from typing import Final

from .core.fault import describe
from .streams import tell

__all__ = ["FAULT", "INTERRUPTED", "fault", "interrupt_once"]

FAULT: Final = 4
INTERRUPTED: Final = 128 + 2  # as a shell reports SIGINT
_DEBUG: Final = "DOILINKS_DEBUG"


def fault(program: str, error: BaseException) -> int:
    """Say that something went wrong that nobody foresaw; returns the exit code for that.

    Without the error's text, unless the environment variable ``DOILINKS_DEBUG`` is set: it may
    contain a password.
    """
    hint = f"; {_DEBUG}=1 in the environment shows its traceback"
    if os.environ.get(_DEBUG):
        hint = ""
        lines = "".join(traceback.format_exception(error)).splitlines()
        tell(program, *lines)
    tell(program, f"a fault of doilinks: {describe(error)}; please report it{hint}")
    return FAULT


def interrupt_once(*signals: signal.Signals) -> Callable[[], None]:
    """Take the first of these signals for Ctrl-C, and no more: there are answers to save.

    A second one comes soon, and from many: from whoever waits for the command and passes the
    terminal's Ctrl-C on, as pandoc and uv do, and from an impatient user.

    :returns: what makes the signals mean again what they meant before
    """
    before = {}
    if threading.current_thread() is threading.main_thread():
        before = {each: signal.getsignal(each) for each in signals}
    ours = [each for each, handler in before.items() if handler not in (None, signal.SIG_IGN)]

    def interrupt(_number: int, _frame: object) -> None:
        for each in ours:
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt

    for each in ours:
        signal.signal(each, interrupt)

    def restore() -> None:
        for each in ours:
            signal.signal(each, before[each])

    return restore

"""What the commands of doilinks share: exit codes, faults, what Ctrl-C does."""

from __future__ import annotations

import os
import signal
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from .core.fault import describe
from .streams import tell

__all__ = ["FAULT", "INTERRUPTED", "fault", "first_interrupt"]

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


@contextmanager
def first_interrupt(*signals: signal.Signals) -> Iterator[None]:
    """Take the first of these signals for Ctrl-C, and no more: there are answers to save.

    A second one comes soon, and from many: from whoever waits for the command and passes the
    terminal's Ctrl-C on, as pandoc and uv do, and from an impatient user. After the block the
    signals mean what they meant before; if one has come, nothing, for then the program ends.
    """
    before: dict[signal.Signals, Any] = {}
    if threading.current_thread() is threading.main_thread():
        before = {each: signal.getsignal(each) for each in signals}
    # Whoever ignores a signal, as `nohup` does, goes on to do so.
    ours = [each for each, handler in before.items() if handler not in (None, signal.SIG_IGN)]
    interrupted = False

    def interrupt(_number: int, _frame: object) -> None:
        nonlocal interrupted
        if not interrupted:
            interrupted = True
            raise KeyboardInterrupt

    for each in ours:
        signal.signal(each, interrupt)
    try:
        yield
    finally:
        for each in ours:
            signal.signal(each, signal.SIG_IGN if interrupted else before[each])

"""Shared by the commands of doilinks: exit codes, reports of faults, the handling of Ctrl-C."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from ..core.printable import describe
from .streams import tell

FAULT: Final = 4
INTERRUPTED: Final = 128 + 2  # as a shell reports SIGINT
_DEBUG: Final = "DOILINKS_DEBUG"


def fault(program: str, error: BaseException) -> int:
    """Report an unforeseen error; return the exit code for it.

    The text of the error is shown only if the environment variable ``DOILINKS_DEBUG`` is set,
    because it may contain a password.
    """
    hint = f"; {_DEBUG}=1 in the environment shows its traceback"
    if os.environ.get(_DEBUG):
        import traceback  # rarely needed

        hint = ""
        lines = "".join(traceback.format_exception(error)).splitlines()
        tell(program, *lines)
    tell(program, f"a fault of doilinks: {describe(error)}; please report it{hint}")
    return FAULT


@contextmanager
def first_interrupt(*signals: signal.Signals) -> Iterator[None]:
    """Treat the first of these signals as Ctrl-C and ignore all others: there are answers to save.

    A second signal often follows soon: pandoc and uv pass the terminal's Ctrl-C on to the command
    that they wait for, and users press it again. After the block, the signals have their former
    meaning again. If one has arrived, they stay ignored, because the program is about to end.
    """
    before: dict[signal.Signals, Any] = {}
    if threading.current_thread() is threading.main_thread():
        before = {each: signal.getsignal(each) for each in signals}
    # A signal that is ignored, as under `nohup`, stays ignored.
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

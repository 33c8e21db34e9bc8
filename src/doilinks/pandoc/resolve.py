"""The check of a document: what there is to say goes to standard error, as a filter's messages do.

Pandoc tells a filter neither the input's name nor how much to say. So places are those that the
reader gives (``+sourcepos``), and all that was found out is said. Whatever a filter fails with,
pandoc writes nothing.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from ..core.options import Options, needs_check
from .linker import Found

if TYPE_CHECKING:
    from ..check import CheckReport

__all__ = ["INTERRUPTED", "resolve", "tell"]

_API: Final = "DOILINKS_CHECK_API"
INTERRUPTED: Final = 128 + 2  # as a shell reports SIGINT


def resolve(found: Iterable[Found], options: Options) -> int:
    """Check the DOIs of a document if the options ask for it.

    The lock file is relative to the current directory.

    :returns: the filter's exit code, 0 unless a problem is an error or the check was not possible
    """
    if options.check == "off":
        return 0
    if distrust := _distrusted(options):
        tell(distrust)
        return 1
    try:
        from ..check import Interrupted, InvalidLockfile, Occurrence, check, news, printable
    except ImportError as error:
        tell(needs_check("doi-check", error))
        return 1
    places = dict.fromkeys(Occurrence(*each) for each in found)
    with _interruptible():
        try:
            report = check(places, options, progress=news(tell))
        except InvalidLockfile as error:
            tell(printable(str(error)))
            return 1
        except Interrupted as interrupted:
            _say(interrupted.report)
            tell(str(interrupted))
            return INTERRUPTED
        except KeyboardInterrupt:  # before anything was asked
            return INTERRUPTED
    _say(report)
    if report.problems:
        tell(report.summary)
    return 1 if report.errors else 0


def tell(*messages: str) -> None:
    """Write messages to standard error, a line each."""
    for message in messages:
        print(f"pandoc-doilinks: {message}", file=sys.stderr)


def _distrusted(options: Options) -> str:
    """Why a document's options are not followed, or ``""``.

    Metadata comes with the document, and a filter cannot tell it from the command line's. So no
    document may choose another host to ask, or another folder to write to.
    """
    host = urlsplit(options.check_api).hostname or ""
    trusted = (
        host in ("doi.org", "localhost", "::1")
        or re.fullmatch(r"127(?:\.[0-9]{1,3}){3}", host) is not None
    )
    if not trusted and os.environ.get(_API) != options.check_api:
        return (
            f"doi-check-api: {options.check_api} is not on doi.org; to ask there, set the "
            f"environment variable {_API} to the same address"
        )
    lockfile = Path(options.check_lockfile)
    if lockfile.is_absolute() or ".." in lockfile.parts:
        return f"doi-check-lockfile: takes a path below the current folder, got {str(lockfile)!r}"
    return ""


@contextmanager
def _interruptible() -> Iterator[None]:
    """Take the first SIGINT or SIGTERM for Ctrl-C, and no more.

    On Ctrl-C the terminal interrupts pandoc and its filter, and pandoc then terminates the filter,
    which has answers to save.
    """
    before = {}
    if threading.current_thread() is threading.main_thread():
        before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    ours = [each for each, handler in before.items() if handler not in (None, signal.SIG_IGN)]

    interrupted = False

    def interrupt(_number: int, _frame: object) -> None:
        nonlocal interrupted
        if not interrupted:  # the other signal may be pending already
            interrupted = True
            raise KeyboardInterrupt

    for each in ours:
        signal.signal(each, interrupt)
    try:
        yield
    finally:
        for each in ours:
            signal.signal(each, before[each])


def _say(report: CheckReport) -> None:
    from ..check import printable

    for problem in report.problems:
        tell(f"{problem.severity}: {printable(str(problem))}")

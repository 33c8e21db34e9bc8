"""The check of a document: what there is to say goes to standard error, as a filter's messages do.

Pandoc tells a filter neither the input's name nor how much to say. So places are those that the
reader gives (``+sourcepos``), and all that was found out is said. Whatever a filter fails with,
pandoc writes nothing.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..core.options import Options, needs_check
from ..core.printable import printable
from .environment import of_reader, variable
from .linker import Found

if TYPE_CHECKING:
    from ..check import CheckReport

__all__ = ["INTERRUPTED", "resolve", "tell"]

# No address that begins so is read as one on another host, whoever reads it.
_DOI_ORG: Final = "https://doi.org/"
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
        from ..check import Interrupted, InvalidLockfile, Occurrence, check, news
    except ImportError as error:
        tell(needs_check("doi-check", error))
        return 1
    places = dict.fromkeys(Occurrence(*each) for each in found)
    with _interruptible():
        try:
            report = check(places, options, progress=news(tell))
        except InvalidLockfile as error:
            tell(str(error))
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
        print(f"pandoc-doilinks: {printable(message)}", file=sys.stderr)


def _distrusted(options: Options) -> str:
    """Why a document's options are not followed, or ``""``.

    Metadata comes with the document, and a filter cannot tell it from the command line's. So no
    document may choose another host to ask, this machine among them, whose services often need no
    password; nor another place to write to. The environment may.
    """
    reader = of_reader()
    if "check_api" not in reader and not options.check_api.startswith(_DOI_ORG):
        return (
            f"doi-check-api: {options.check_api} is not on {_DOI_ORG}; to ask there, set the "
            f"environment variable {variable('check_api')} to the same address"
        )
    lockfile = options.check_lockfile
    if "check_lockfile" in reader or lockfile in ("", Options.check_lockfile):
        return ""
    # Where it really is, for a link on the way may lead anywhere.
    below = os.path.realpath(lockfile).startswith(os.path.join(os.path.realpath("."), ""))  # noqa: PTH118  raises nothing
    if Path(lockfile).is_absolute() or not below or not lockfile.endswith(".json"):
        return (
            f"doi-check-lockfile: takes the name of a .json file below the current folder, got "
            f"{lockfile!r}; for another, set the environment variable {variable('check_lockfile')}"
        )
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
    for problem in report.problems:
        tell(f"{problem.severity}: {problem}")

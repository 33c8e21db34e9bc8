"""The check of a document. It reports problems on standard error, as filters do.

Pandoc tells a filter neither the name of its input nor how much to print. So the places in messages
are those that the reader gives (``+sourcepos``), and the check reports every problem. If a filter
fails with any exit code, pandoc writes nothing.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..core.found import Found
from ..core.options import Options
from ..core.silence import Silence
from ..program import INTERRUPTED, fault, first_interrupt
from ..streams import tell
from .entry import NAME
from .environment import of_environment, of_project, variable

if TYPE_CHECKING:
    from ..check import CheckReport

__all__ = ["resolve"]

# For every program that reads URLs, an address that begins like this is on doi.org.
_DOI_ORG: Final = "https://doi.org/"


def resolve(found: Iterable[Found], options: Options, silences: Iterable[Silence] = ()) -> int:
    """Check the DOIs of a document if the options ask for it.

    The path of the lock file is relative to the current folder.

    :returns: the exit code of the filter; 0 unless a problem is an error or the check is impossible
    """
    if options.check == "off":
        return 0
    if distrust := _distrusted(options):
        tell(NAME, distrust)
        return 1
    try:
        from ..check import Interrupted, InvalidLockfile, check, news, pauses
    except ImportError as error:
        tell(NAME, f"doi-check: {error}")
        return 1
    # On Ctrl-C the terminal interrupts pandoc and its filter; pandoc then terminates the filter.
    with first_interrupt(signal.SIGINT, signal.SIGTERM):
        try:
            log = partial(tell, NAME)
            report = check(
                found, options, silences=silences, progress=news(log), waiting=pauses(log)
            )
        except InvalidLockfile as error:
            tell(NAME, str(error))
            return 1
        except Interrupted as interrupted:
            _say(interrupted.report)
            tell(NAME, str(interrupted))
            return INTERRUPTED
        except KeyboardInterrupt:  # the check had not asked about any name
            return INTERRUPTED
    _say(report)
    if report.problems:
        tell(NAME, report.summary)
    if report.news:
        tell(NAME, report.news)
    if report.fault is not None and report.errors:
        return fault(NAME, report.fault)
    return 1 if report.errors else 0


def _distrusted(options: Options) -> str:
    """Why the filter refuses the options of a document; ``""`` if it accepts them.

    Metadata come with the document, and a filter cannot tell them from ``-M`` on the command line.
    So a document cannot choose another host to ask, not even this machine, because local services
    often need no password. It cannot choose another folder to write to either. The environment and
    the pyproject.toml can.
    """
    from ..core.address import public  # most documents are not checked

    trusted = of_project() | of_environment()
    own = Options.read(trusted)
    if options.check_api != own.check_api and not options.check_api.startswith(_DOI_ORG):
        return (
            f"doi-check-api: {public(options.check_api)} is not on {_DOI_ORG}; to ask there, set "
            f"the environment variable {variable('check_api')} to the same address"
        )
    if options.check_works_api not in ("", own.check_works_api):
        return (
            f"doi-check-works-api: {public(options.check_works_api)} is not an agency; to ask "
            f"there, set the environment variable {variable('check_works_api')} to the same address"
        )
    lockfile = options.check_lockfile
    if lockfile in ("", own.check_lockfile, Options.check_lockfile):
        return ""
    # A symbolic link in the path may lead to another folder, so the real path is compared.
    below = os.path.realpath(lockfile).startswith(os.path.join(os.path.realpath("."), ""))  # noqa: PTH118  raises nothing
    if Path(lockfile).is_absolute() or not below or not lockfile.endswith(".json"):
        return (
            f"doi-check-lockfile: takes the name of a .json file below the current folder, got "
            f"{lockfile!r}; for another, set the environment variable {variable('check_lockfile')}"
        )
    return ""


def _say(report: CheckReport) -> None:
    for problem in report.problems:
        tell(NAME, f"{problem.severity}: {problem}")

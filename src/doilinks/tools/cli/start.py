"""Starts the command line, and names packages that are missing."""

from __future__ import annotations

import signal
import sys
from typing import Final

from ...shared.program import INTERRUPTED, fault, first_interrupt
from ...shared.streams import tell
from .terminal import NAME

# The packages that commands need, and the extra that brings each.
_EXTRAS: Final = {
    "click": "cli", "docutils": "cli", "markdown_it": "cli", "mdit_py_plugins": "cli",
    "pathspec": "cli", "pybtex": "cli", "pygments": "cli", "rich": "cli", "yaml": "cli",
    "filelock": "check", "h2": "check", "httpx": "check", "sniffio": "check", "tenacity": "check",
}  # fmt: skip
# All of them end the program as Ctrl-C does, so no temporary file stays. Windows has no SIGHUP.
_SIGNALS: Final = [each for each in signal.Signals if each.name in ("SIGINT", "SIGTERM", "SIGHUP")]


def main() -> None:
    """Run the command line and exit.

    0 all is well, 1 some do not resolve, 2 bad usage or input, 3 unknown, 4 a fault of doilinks.
    """
    with first_interrupt(*_SIGNALS):
        try:
            from .command import run

            code = run()
        except KeyboardInterrupt:  # before a command has begun
            tell(NAME, "interrupted")
            code = INTERRUPTED
        except Exception as error:  # noqa: BLE001  an unforeseen error
            missing = error.name if isinstance(error, ModuleNotFoundError) else ""
            if (package := (missing or "").partition(".")[0]) in _EXTRAS:
                install = f'install it with: pip install "doilinks[{_EXTRAS[package]}]"'
                tell(NAME, f"this needs {package}, which is not installed; {install}")
                code = 2
            else:
                code = fault(NAME, error)
    sys.exit(code)

"""The command line: ``doilinks scan``, ``doilinks check``, ``doilinks show``."""

from __future__ import annotations

import sys
from typing import Final

__all__ = ["main"]

# The packages that commands need, and the extra that brings each.
_EXTRAS: Final = {
    "click": "cli", "docutils": "cli", "markdown_it": "cli", "mdit_py_plugins": "cli",
    "rich": "cli", "filelock": "check", "h2": "check", "httpx": "check", "sniffio": "check",
    "tenacity": "check",
}  # fmt: skip


def main() -> None:
    """Run the command line and exit: 0, 1 some do not resolve, 2 bad usage or input, 3 unknown."""
    try:
        from .command import run

        sys.exit(run())
    except KeyboardInterrupt:  # before a command has begun
        sys.stderr.write("doilinks: interrupted\n")
        sys.exit(130)
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in _EXTRAS:
            raise
        sys.stderr.write(
            f"doilinks: this needs {package}, which is not installed; "
            f'install it with: pip install "doilinks[{_EXTRAS[package]}]"\n'
        )
        sys.exit(2)

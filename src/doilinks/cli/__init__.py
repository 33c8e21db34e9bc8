"""The command line: ``doilinks scan``, ``doilinks check``, ``doilinks show``."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line and exit: 0, 1 some do not resolve, 2 bad usage or input, 3 unknown."""
    try:
        from .command import run
    except ImportError as error:
        package = (error.name or "").partition(".")[0]
        if package in ("", "doilinks"):
            raise
        sys.stderr.write(
            f"doilinks: the command line needs {package}, which is not installed; "
            'install it with: pip install "doilinks[cli]"\n'
        )
        sys.exit(2)
    sys.exit(run())

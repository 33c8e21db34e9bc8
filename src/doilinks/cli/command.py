"""The command ``doilinks`` and what all its subcommands share: exit codes, errors, signals."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import click

from .. import __version__
from ..core.printable import printable
from ..program import INTERRUPTED
from .check import check
from .scan import scan
from .show import show

__all__ = ["command", "run"]

_BROKEN_PIPE = 128 + 13  # as a shell reports SIGPIPE


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="\b\nExamples:\n  doilinks scan docs/\n  doilinks check docs/ paper.bib\n"
    "  doilinks show 10.1000/456#789",
)
@click.version_option(__version__, message="doilinks %(version)s")
def command() -> None:
    """Find, show and check DOI names in documents.

    Exit codes: 0 all is well, 1 a DOI does not resolve, 2 wrong usage or a file that could not be
    read, 3 it could not be told whether a DOI resolves, 4 a fault of doilinks.
    """


command.add_command(scan)
command.add_command(check)
command.add_command(show)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by who called
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115  to the end
        with suppress(AttributeError):  # not a real stream, as in a test
            getattr(sys, name).reconfigure(errors="backslashreplace")
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        # Not command.main(), which has other exit codes for Ctrl-C and a closed pipe.
        with command.make_context("doilinks", given) as context:
            result = command.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        _complain(error)
        return 2
    except (click.Abort, KeyboardInterrupt) as error:
        sys.stderr.write(f"doilinks: {printable(str(error)) or 'interrupted'}\n")
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()  # who reads, as `head` does, has enough
        return _BROKEN_PIPE
    except OSError as error:  # a full disk; what cannot be read is named elsewhere
        _discard_output()
        sys.stderr.write(f"doilinks: cannot write: {error.strerror or error}\n")
        return 2
    return result if isinstance(result, int) else 0


def _discard_output() -> None:
    """What is still to be written goes nowhere; the flush at exit must not fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(error: click.ClickException) -> None:
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        sys.stderr.write(f"{error.format_message()}\n")
        return
    if isinstance(error, click.UsageError) and error.ctx:
        sys.stderr.write(error.ctx.get_usage() + "\n")
    sys.stderr.write(f"doilinks: {printable(error.format_message())}\n")

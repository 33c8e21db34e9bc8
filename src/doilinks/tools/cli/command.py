"""The command ``doilinks``; exit codes, errors and signals of all its subcommands."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

import click

from ... import __version__
from ...shared.program import INTERRUPTED
from ...shared.streams import open_streams, say, tell, unwritten
from .terminal import NAME, warn

# The module of each subcommand. A module is imported only if its command runs or shows its help.
_MODULES: Final = {
    "check": "check", "find": "find", "fix": "fix", "html": "html", "lock": "check",
    "myst-plugin": "install", "quarto-extension": "install", "scan": "scan", "server": "server",
    "show": "show", "skill": "install", "works": "works",
}  # fmt: skip
# The variable by which a shell asks for completions, as click's scripts for shells spell it.
_COMPLETE: Final = "_DOILINKS_COMPLETE"


class _CommandGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click calls it so
        return list(_MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  as above
        return _subcommand(cmd_name) if cmd_name in _MODULES else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from ...core.options import nearest  # rarely needed

            near = nearest(args[0], _MODULES)
            hint = f" (Did you mean {near}?)" if near else ""
            raise click.UsageError(f"{error.message}{hint}", ctx) from None


def _subcommand(name: str) -> click.Command:
    module = import_module(f".{_MODULES[name]}", __package__)
    command: click.Command = getattr(module, name.replace("-", "_"))
    return command


def subcommands() -> dict[str, click.Command]:
    """Return every subcommand, by its name."""
    return {name: _subcommand(name) for name in _MODULES}


@click.group(
    cls=_CommandGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="\b\nExamples:\n  doilinks scan docs/\n  doilinks check docs/ paper.bib\n"
    "  doilinks show 10.1000/456#789",
)
@click.version_option(__version__, "-V", "--version", message="doilinks %(version)s")
def command() -> None:
    """Find, show and check DOI names in documents.

    Exit codes: 0 all is well, 1 a DOI does not resolve, 2 wrong usage or a file that could not be
    read, 3 a DOI is unknown because the API gave no answer, 4 a fault of doilinks.
    """


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    open_streams()
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if asked := os.environ.get(_COMPLETE):
            from click.shell_completion import shell_complete  # rarely needed

            return shell_complete(command, {}, NAME, _COMPLETE, asked)
        # Not command.main(), which has other exit codes for Ctrl-C and a closed pipe.
        with command.make_context(NAME, given) as context:
            result: int = command.invoke(context)
        say(end="", flush=True)
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        if isinstance(error, click.exceptions.NoArgsIsHelpError):
            tell("", *error.format_message().splitlines())
            return 2
        if isinstance(error, click.UsageError) and error.ctx:
            tell("", *error.ctx.get_usage().splitlines())
        warn(error.format_message())
        return 2
    except (click.Abort, KeyboardInterrupt) as error:
        warn(str(error) or "interrupted")
        return INTERRUPTED
    except OSError as error:  # what cannot be read is named elsewhere
        return unwritten(NAME, error)
    return result

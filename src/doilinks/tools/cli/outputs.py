"""Where reports go: ``--format sarif --output doi.sarif --format text``.

An ``--output`` belongs to the ``--format`` before it. A format without one goes to standard output.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import click

from ...shared.replace import replace
from ...shared.streams import say
from .options import Decorator, all_of
from .terminal import warn

_ORDER: Final = "doilinks.order"


@dataclass(frozen=True)
class Output:
    """One report: its format, and the file where it is written, or None for standard output."""

    form: str
    file: str | None = None


def output_flags(formats: tuple[str, ...]) -> Decorator[Any]:
    """Return a decorator that adds ``--format``, ``--output`` and ``--quiet``."""
    return all_of(
        click.option("--format", "forms", type=click.Choice(formats), multiple=True,
                     help="Format of the report; may be repeated.  [default: text]"),
        click.option("-o", "--output", "files", metavar="FILE", multiple=True,
                     help="Write the report in the --format before this to FILE, not to standard "
                     "output; may be repeated."),
        click.option("-q", "--quiet", is_flag=True,
                     help="Print errors and warnings, but no remarks, summary or progress."),
    )  # fmt: skip


class OrderedCommand(click.Command):
    """A command that knows in which order its flags were given."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, and keep the order of the flags in the context."""
        _, _, order = self.make_parser(ctx).parse_args(list(args))
        ctx.meta[_ORDER] = [each.name for each in order]
        return super().parse_args(ctx, args)


def outputs_of(
    forms: tuple[str, ...],
    files: tuple[str, ...],
    endings: Mapping[str, str] = MappingProxyType({}),
) -> list[Output]:
    """Pair the formats with their files; ``endings`` are those of files without a format.

    A UsageError says that it is not clear which report goes where, or names a wrong file.
    """
    order = click.get_current_context().meta[_ORDER]
    if len(files) == 1 and len(forms) < 2:
        form = forms[0] if forms else endings.get(Path(files[0]).suffix.lower(), "text")
        return [_output(form, files[0])]
    outputs: list[Output] = []
    given_forms, given_files = iter(forms), iter(files)
    before = ""
    for name in (each for each in order if each in ("forms", "files")):
        if name == "forms":
            outputs.append(Output(next(given_forms)))
        elif before != "forms":
            raise click.UsageError(f"--output {next(given_files)}: needs a --format before it")
        else:
            outputs[-1] = _output(outputs[-1].form, next(given_files))
        before = name
    for which in {each.file for each in outputs}:
        same = [each for each in outputs if each.file == which]
        if len(same) > 1:
            formats = " and ".join(f"--format {each.form}" for each in same)
            place = f"the file {which}" if which else "standard output; add an --output"
            raise click.UsageError(f"{formats} would both go to {place}")
    return outputs or [Output("text")]


def _output(form: str, file: str) -> Output:
    if file == "-":
        return Output(form)
    path = Path(file)
    if not file or "\0" in file or path.is_dir():
        raise click.UsageError(f"--output {file!r}: takes the name of a file")
    if not path.parent.is_dir():
        raise click.UsageError(f"--output {file}: there is no such folder")
    return Output(form, file)


def write(output: Output, report: str) -> bool:
    """Print one report, or write it to its file; return whether that worked."""
    if output.file is None:
        say(report, end="")
        return True
    path = Path(os.path.realpath(output.file))
    try:
        if path.exists() and not path.is_file():  # a pipe or a device, which nothing can replace
            path.write_bytes(report.encode())
        else:
            replace(path, report.encode())
    except OSError as error:
        warn(f"cannot write {output.file}: {error.strerror or error}")
        return False
    return True

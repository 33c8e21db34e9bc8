"""The options of doilinks as flags and as keys of ``[tool.doilinks]`` in pyproject.toml."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, fields
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from ..core.options import InvalidOption, Options, kind_of

__all__ = ["CHECK_OPTIONS", "excluded", "option_flags", "settings_from"]

CHECK_OPTIONS: Final = tuple(name for name in Options.NAMES if name.startswith("check_"))

_F = TypeVar("_F", bound=Callable[..., Any])

_SHORT = {"check_offline": "--offline"}
_HELP = {
    "check": "If a DOI does not resolve, error exits with 1, and warn exits with 0.",
    "bare": "Also count bare names, not only those with doi: or in a URL.",
    "display": "The form in which names are listed. Here `source` means `name`.",
    "ignore": "Regular expression, matched from the start of a name; a match does not count.",
}


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def option_flags(*names: str) -> Callable[[_F], _F]:
    """A decorator that adds a flag for each named option, or for all options if none is named."""

    def decorate(function: _F) -> _F:
        for each in reversed(fields(Options)):
            if not names or each.name in names:
                function = _click_option(each)(function)
        return function

    return decorate


def _click_option(option: Field[Any]) -> Callable[[_F], _F]:
    kind = kind_of(option)
    text = _HELP.get(option.name, option.metadata["help"]).replace("``", "")
    flag = _flag(option.name)
    spelled = [flag]
    if option.name in _SHORT:
        spelled.append(_SHORT[option.name])
    if isinstance(option.default, bool):
        spelled = ["/".join((*spelled, f"--no-{flag[2:]}"))] if len(spelled) == 1 else spelled
        return click.option(
            *spelled, option.name, is_flag=True, default=None, help=f"{text} [{_shown(option)}]"
        )
    several = option.default == ()
    # A check that is switched off makes no sense: the flag has no `off`.
    choices = [choice for choice in kind.choices if choice != "off"]
    metavar = "|".join(choices) or ("PATTERN" if option.name == "ignore" else _metavar(option))
    return click.option(
        flag,
        option.name,
        multiple=several,
        default=() if several else None,
        metavar=metavar,
        help=f"{text} [{'may be repeated' if several else _shown(option)}]",
    )


def _metavar(option: Field[Any]) -> str:
    takes = kind_of(option).takes
    words = {"path": "PATH", "URL": "URL", "DOI": "NAME", "number": "NUMBER", "class": "CLASS"}
    return next((shown for word, shown in words.items() if word in takes), "VALUE")


def _shown(option: Field[Any]) -> str:
    if isinstance(option.default, bool):
        return "default: on" if option.default else "default: off"
    return "default: error" if option.name == "check" else f"default: {option.default}"


def settings_from(flags: Mapping[str, Any]) -> tuple[Options, Path]:
    """The options of a run: those of the nearest pyproject.toml, overridden by the flags.

    The search for pyproject.toml begins in the current folder: the documents may be somebody
    else's, so a pyproject.toml beside them decides nothing.

    The second value is the folder that a lock file is relative to: the folder of the pyproject.toml
    if it configures doilinks and no flag names a lock file, otherwise the current folder.

    :raises click.UsageError: naming each wrong option in the spelling of its place
    """
    given: dict[str, object] = {
        name: value for name, value in flags.items() if value is not None and value != ()
    }
    file = _nearest_pyproject()
    kept: dict[str, object] = {}
    spelling: dict[str, str] = {}
    if file:
        for key, value in _table(file).items():
            name = key.replace("-", "_")
            spelling[name] = key
            if name != _EXCLUDE:  # not an option of hosts
                kept[name] = value
    problems: list[str] = []
    try:
        Options.read(kept, lambda name: spelling.get(name, name))
    except InvalidOption as error:
        problems += [f"{file}: tool.doilinks.{problem}" for problem in error.problems]
    try:
        Options.read(given, _flag)
    except InvalidOption as error:
        problems += error.problems
    if problems:
        raise click.UsageError("; ".join(problems))
    configured = file is not None and bool(spelling) and "check_lockfile" not in given
    return Options.read(kept | given), file.parent if file and configured else Path.cwd()


def excluded() -> tuple[Sequence[str], Path, str]:
    """The patterns of files that are not read, from the nearest pyproject.toml.

    Also the folder that they are relative to, and what a message calls them.

    :raises click.UsageError: when they are not a list of strings
    """
    file = _nearest_pyproject()
    patterns = _table(file).get(_EXCLUDE, []) if file else []
    of = f"{file}: tool.doilinks.{_EXCLUDE}"
    if not isinstance(patterns, list) or not all(isinstance(each, str) for each in patterns):
        raise click.UsageError(f"{of}: takes a list of patterns, got {patterns!r}")
    return patterns, file.parent if file else Path(), of


_EXCLUDE: Final = "exclude"


def _nearest_pyproject() -> Path | None:
    """The nearest pyproject.toml, from the current folder upwards."""
    try:
        start = Path.cwd()
    except OSError as error:
        raise click.ClickException("the current folder is gone") from error
    for folder in (start, *start.parents):
        file = folder / "pyproject.toml"
        if os.path.isfile(file):  # noqa: PTH113  is_file() raises an error for a closed folder
            return file
    return None


def _table(file: Path) -> dict[str, object]:
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise click.UsageError(f"{file}: {error.strerror or error}") from error
    except ValueError as error:
        raise click.UsageError(f"{file}: {error}") from error
    tool = table.get("tool", {})
    section = tool.get("doilinks", {}) if isinstance(tool, dict) else {}
    if not isinstance(section, dict):
        raise click.UsageError(f"{file}: tool.doilinks: takes a table, got {section!r}")
    return section

"""The options of doilinks, as flags and as keys of ``[tool.doilinks]`` in pyproject.toml."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import Field, fields
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from ...core.options import FLAG, InvalidOption, Options, kind_of
from ...shared.project import Project, project_of
from .terminal import is_verbose, warn

CHECK_OPTIONS: Final = tuple(name for name in Options.NAMES if name.startswith("check_"))
# The options of all requests.
ASKING: Final = set(CHECK_OPTIONS) - {
    "check_accept", "check_ignore", "check_max_age", "check_suggest", "check_unknown",
    "check_works",
}  # fmt: skip

_F = TypeVar("_F", bound=Callable[..., Any])
Decorator = Callable[[_F], _F]
_SHORT = {"check_offline": ["--offline"], "check_suggest": ["--suggest"]}
_HELP = {
    "check": "If a DOI does not resolve, error exits with 1, and warn exits with 0.",
    "bare": "Also count bare names, not only those with doi: or in a URL.",
    "arxiv": "Also count identifiers of arXiv, such as arXiv:2301.00001, by their DOI.",
    "cite": "Count names that are cited as in pandoc, @doi:10.1000/182, too.",
    "display": "The form in which names are listed. Here `source` means `name`.",
    "ignore": "Regular expression, matched from the start of a name; a match does not count.",
}
# The defaults of commands where they differ from those of hosts. A citation that no check sees
# would be worse than a page that shows `@doi:` as it is.
_DEFAULTS: Final = {"cite": True, "check": "error"}
publisher_flag: Final = click.option(
    FLAG("publisher_urls"), flag_value="link", help="Also count links to publishers' pages whose "
    "address contains a DOI."
)  # fmt: skip


def all_of(*flags: Decorator[Any]) -> Decorator[Any]:
    """Return a decorator that adds flags, in this order."""

    def decorate(function: _F) -> _F:
        for flag in reversed(flags):
            function = flag(function)
        return function

    return decorate


def option_flags(*names: str, links: bool = False) -> Decorator[Any]:
    """Add a flag for each named option; ``links`` says that the help is that of hosts."""
    helps = {} if links else _HELP
    return all_of(*(_click_option(each, helps) for each in fields(Options) if each.name in names))


def _click_option(option: Field[Any], helps: Mapping[str, str]) -> Decorator[Any]:
    kind = kind_of(option)
    text = helps.get(option.name, option.metadata["help"]).replace("``", "")
    default = _DEFAULTS.get(option.name, option.default)
    flag = FLAG(option.name)
    if isinstance(default, bool):
        text += f" [default: {'on' if default else 'off'}]"
        spelled = [f"{flag}/--no-{flag[2:]}", *_SHORT.get(option.name, ())]
        return click.option(*spelled, option.name, is_flag=True, default=None, help=text)
    several = default == ()
    # A check that is switched off makes no sense: the flag has no `off`.
    choices = [choice for choice in kind.choices if choice != "off"]
    return click.option(
        flag,
        option.name,
        multiple=several,
        default=() if several else None,
        metavar="|".join(choices) or kind.metavar,
        help=f"{text} [{'may be repeated' if several else f'default: {default}'}]",
    )


def settings_from(flags: Mapping[str, Any]) -> tuple[Options, Path]:
    """Return the options of a run: the nearest pyproject.toml's, overridden by the flags.

    The search for pyproject.toml begins in the current folder: the documents may be somebody
    else's, so a pyproject.toml beside them decides nothing. The second value is the current folder.
    """
    values = {name: value for name, value in flags.items() if value not in (None, ())}
    problems: list[str] = []
    project = None
    try:
        project = nearest_project()
    except InvalidOption as error:
        problems += error.problems
    try:
        Options.read(values, FLAG)
    except InvalidOption as error:
        problems += error.problems
    if problems:
        raise click.UsageError("; ".join(problems))
    defaults = {**project.options, **project.defaults()} if project else {}
    used = defaults.keys() - values.keys()
    if project and is_verbose() and (source := project.source(used)):
        warn(source)
    if "cite" in flags and defaults.get("cite", "auto") == "auto":
        defaults["cite"] = _DEFAULTS["cite"]
    return Options.read({**defaults, **values}, FLAG.beside_project(used)), Path.cwd()


def nearest_project() -> Project | None:
    """Read the settings in the nearest pyproject.toml, from the current folder upwards.

    :raises InvalidOption: when one is wrong, even if only another command uses it
    """
    try:
        start = Path.cwd()
    except OSError as error:
        raise click.ClickException("the current folder is gone") from error
    project = project_of(start)
    if project is None:
        return None
    # The lists that the command line alone reads, and few projects have; hosts do not judge them.
    problems = []
    if project.exclude:
        from ...sources import wrong_pattern

        wrong = filter(wrong_pattern, project.exclude)
        problems += [f"exclude: not a pattern of files or folders: {each!r}" for each in wrong]
    for key, codes in (("fix-select", project.fix_select), ("fix-ignore", project.fix_ignore)):
        if codes:
            from ..fix import UnknownRule, chosen

            try:
                chosen(codes, (), asks=False)
            except UnknownRule as error:
                problems.append(f"{key}: {error}")
    if problems:
        raise InvalidOption([f"{project.file}: tool.doilinks.{each}" for each in problems])
    return project

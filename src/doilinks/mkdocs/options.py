"""The options as a configuration of MkDocs, which validates them."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import fields
from typing import Any

from mkdocs.config.base import (
    BaseConfigOption,
    Config,
    ConfigErrors,
    ConfigWarnings,
    ValidationError,
)
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError

from ..core.kinds import Kind
from ..core.misspelt import no_such_option
from ..core.options import InvalidOption, Options, kind_of
from ..project import project_of
from .check import logger, root_of

__all__ = ["DoiConfig", "of_project"]


class _Option(BaseConfigOption[Any]):
    """One option of doilinks as an option of MkDocs, which validates its value."""

    def __init__(self, default: object, kind: Kind) -> None:
        super().__init__()
        self.default = default
        self._kind = kind

    def run_validation(self, value: object) -> object:
        try:
            return self._kind.read(value)
        except (TypeError, ValueError, KeyError) as error:
            raise ValidationError(self._kind.refusal(value, error)) from error


class _Declared(Config):  # type: ignore[no-untyped-call]  # the host is untyped here
    """A configuration in which an unknown name is an error, not a warning."""

    def _validate(self) -> tuple[ConfigErrors, ConfigWarnings]:
        failed, warnings = super()._validate()
        unknown = [key for key in self if key not in Options.NAMES]
        failed += [
            (key, ValidationError(no_such_option(str(key), Options.NAMES))) for key in unknown
        ]
        return failed, [warning for warning in warnings if warning[0] not in unknown]


DoiConfig: type[Config] = type(
    "DoiConfig",
    (_Declared,),
    {each.name: _Option(each.default, kind_of(each)) for each in fields(Options)},
)


def of_project(config: MkDocsConfig, given: Container[str]) -> dict[str, object]:
    """The defaults from the pyproject.toml of the project, except for options that are ``given``.

    :raises PluginError: with each wrong value in that file
    """
    folder = root_of(config)
    try:
        project = project_of(folder)
    except InvalidOption as error:
        raise PluginError(f"doilinks: {error}") from error
    if project is None:
        return {}
    used = {name: value for name, value in project.defaults(folder).items() if name not in given}
    if source := project.source(used):
        logger.debug("%s", source)
    return used

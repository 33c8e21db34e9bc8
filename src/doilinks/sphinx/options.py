"""The options as ``doi_*`` values of ``conf.py``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal
from weakref import WeakKeyDictionary

from sphinx.errors import ConfigError
from sphinx.util import logging

from ..core.options import SPHINX, InvalidOption, Options
from ..project import project_of

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

_logger: Final = logging.getLogger(__name__)

# The options of a configuration whose values are from the pyproject.toml, for messages.
_from_project: Final[WeakKeyDictionary[Config, frozenset[str]]] = WeakKeyDictionary()

# The options check their values themselves and report wrong ones. If an option has several types,
# Sphinx does not convert the text of ``-D doi_bare=false``.
_TYPES: Final = frozenset((int, float, str, list, tuple, set, frozenset))


def add_options(app: Sphinx) -> None:
    """Declare every option. An option of the check changes no page, so no page is read again.

    :raises ConfigError: with each wrong value in the pyproject.toml of the project
    """
    shared = _shared(app)
    for field in fields(Options):
        default = shared.get(field.name, field.default)
        default = list(default) if isinstance(default, tuple) else default
        rebuild: Literal["", "env"] = "" if field.name.startswith("check") else "env"
        types = _TYPES | {bool} if isinstance(field.default, bool) else _TYPES
        if type(default) is int:
            # Sphinx ignores a value that is not a whole number if the default is one. Because the
            # default is a function here, the option sees the value and reports it.
            default = partial(_default, number=default)
        app.add_config_value(SPHINX(field.name), default, rebuild, types)
    # Only Sphinx has types of warnings that can be suppressed, so only Sphinx has this option.
    app.add_config_value("doi_suspicious", default=False, rebuild="env", types=frozenset({bool}))


def _shared(app: Sphinx) -> dict[str, Any]:
    """The defaults from the pyproject.toml of the project."""
    folder = Path(app.confdir)
    try:
        project = project_of(folder)
    except InvalidOption as error:
        raise ConfigError("\n".join(error.problems)) from error
    if project is None:
        return {}
    shared = project.defaults(folder)

    def tell(_app: Sphinx, config: Config) -> None:
        given = {*_raw(config), *config.overrides}
        used = [name for name in shared if SPHINX(name) not in given]
        _from_project[config] = frozenset(used)
        if source := project.source(used):
            _logger.verbose("doilinks: %s", source)

    app.connect("config-inited", tell)
    return shared


def _default(_config: Config, number: int) -> int:
    return number


def require_valid_options(_app: Sphinx, config: Config) -> None:
    """Read all options once, before the build starts.

    :raises ConfigError: with the name of each option that does not take its value, and each
        ``doi_`` name that no extension has declared but that looks like a misspelt option
    """
    # Sphinx accepts any unknown name in ``conf.py``.
    unknown = {name: value for name, value in _raw(config).items() if name not in config}
    problems = SPHINX.slips(unknown)
    try:
        options_of(config)
    except InvalidOption as error:
        problems += error.problems
    if problems:
        raise ConfigError("\n".join(problems))


def _raw(config: Config) -> Mapping[str, Any]:
    """What ``conf.py`` sets."""
    given: Mapping[str, Any] = getattr(config, "_raw_config", {})
    return given


def options_of(config: Config) -> Options:
    """The options of a project.

    :raises InvalidOption: if a value is wrong; :func:`require_valid_options` reports this before
        any page is read
    """
    values = tuple((name, _hashable(getattr(config, SPHINX(name)))) for name in Options.NAMES)
    shared = _from_project.get(config, frozenset())
    try:
        hash(values)
    except TypeError:  # a value of a type that no option takes
        return _read.__wrapped__(values, shared)
    return _read(values, shared)


def options_of_settings(settings: Any) -> Options:
    """The options of a project, from the settings of a document, which is all that a role gets."""
    return options_of(settings.env.config)


def _hashable(value: Any) -> Any:
    return tuple(value) if isinstance(value, (list, set, frozenset)) else value


@lru_cache(maxsize=8)
def _read(values: tuple[tuple[str, Any], ...], shared: frozenset[str]) -> Options:
    return Options.read(dict(values), SPHINX.beside_project(shared))

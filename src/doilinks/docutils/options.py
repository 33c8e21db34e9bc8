"""The options as docutils settings: ``--doi-display``, ``doi_display`` in ``docutils.conf``."""

from __future__ import annotations

import optparse
from dataclasses import fields
from typing import Any, Final

from docutils import nodes
from docutils.frontend import Values

from ..core.misspelt import misspelt
from ..core.options import NO_CHECK, InvalidOption, Options, kind_of

__all__ = ["SETTINGS_SPEC", "options_of", "read_options"]

_PREFIX: Final = "doi_"
# The options are kept in this attribute of the document, because docutils has no place for them.
_OPTIONS: Final = "doi_options"


def _flag(name: str) -> str:
    return "--" + (_PREFIX + name).replace("_", "-")


def _setting(name: str) -> str:
    return _PREFIX + name


def _validate(setting: str, value: Any, *_: Any, **where: Any) -> Any:
    """Read one value. It comes from a file if docutils gives its place, otherwise from a flag.

    :raises ValueError: for a value that the option does not take
    """
    name = setting.removeprefix(_PREFIX)
    try:
        read = getattr(Options.read({name: value}, _setting if where else _flag), name)
    except InvalidOption as error:
        raise ValueError(str(error)) from None
    return list(read) if isinstance(read, tuple) else read


def _spec() -> tuple[tuple[str, list[str], dict[str, Any]], ...]:
    rows = []
    for field in fields(Options):
        kind = kind_of(field)
        row: dict[str, Any] = {"dest": _PREFIX + field.name, "validator": _validate}
        row["metavar"] = f"<{'|'.join(kind.choices) if kind.choices else field.name}>"
        row["default"] = field.default
        if isinstance(field.default, tuple):
            row |= {"action": "append", "default": None}
        default = "" if isinstance(field.default, tuple) else f' (default "{field.default}")'
        text = field.metadata["help"].replace("``", "") + default
        text += f"; {NO_CHECK}" if field.name == "check" else ""
        rows.append((text, [_flag(field.name)], row))
    return tuple(rows)


SETTINGS_SPEC: Final = ("DOI Links", None, _spec())


def options_of(settings: Values | optparse.Values) -> Options:
    """The options in a document's settings. An option that is not set has its default.

    :raises InvalidOption: for a value that an option does not take
    """
    given = {name: getattr(settings, _PREFIX + name, None) for name in Options.NAMES}
    values = {name: value for name, value in given.items() if value is not None}
    return Options.read(values, _setting)


def read_options(document: nodes.document) -> Options:
    """Read the options as :func:`options_of` does, report wrong values, and then use the defaults.

    Misspelt settings are reported too, because docutils keeps unknown settings without a message.
    Each problem is reported once for a document, at the first call, from parser or transform.

    :raises docutils.utils.SystemMessage: if the problem reaches ``halt_level``, as it does by
        default
    """
    known: Options | None = getattr(document, _OPTIONS, None)
    if known is not None:
        return known
    problems = _misspelt(document.settings)
    options = Options()
    try:
        options = options_of(document.settings)
    except InvalidOption as error:
        problems += error.problems
    for problem in problems:
        document += document.reporter.severe(problem)
    setattr(document, _OPTIONS, options)
    return options


def _misspelt(settings: Values | optparse.Values) -> list[str]:
    known = {_setting(name) for name in Options.NAMES}
    unknown = [name for name in vars(settings) if name.startswith(_PREFIX) and name not in known]
    return [problem for name in unknown if (problem := misspelt(name, _setting))]

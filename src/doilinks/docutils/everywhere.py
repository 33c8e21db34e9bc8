"""reStructuredText with DOIs in a program that chooses the parser of docutils itself.

Pelican and Nikola give docutils the name ``restructuredtext`` and no parser object. docutils then
takes the class ``Parser`` of its module. This module replaces that class.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from docutils.parsers import rst
from docutils.transforms import Transform

from ..core.options import InvalidOption, Options
from .entry import Parser

__all__ = ["link_everywhere", "linking"]


def link_everywhere(**options: Any) -> None:
    """Link the DOIs of every reStructuredText that this process reads from now on.

    Call this in the configuration file of a program that is a Python module, such as Nikola's
    ``conf.py``.

    :param options: the options of doilinks, without a prefix
    :raises SystemExit: with a message that names each unknown option and each wrong value; after
        any other exception, a program such as Nikola prints a traceback of its configuration
    """
    try:
        read = Options.read(options)
    except InvalidOption as error:
        raise SystemExit(f"doilinks: {error}") from None
    rst.Parser = _parser_with(read)  # type: ignore[misc]  # see the module's text


@contextmanager
def linking(options: Options, *transforms: type[Transform]) -> Iterator[None]:
    """Link the DOIs of every reStructuredText that is read inside the ``with`` block.

    :param transforms: further transforms that run on each document
    """
    before = rst.Parser
    rst.Parser = _parser_with(options, transforms)  # type: ignore[misc]  # see the module's text
    try:
        yield
    finally:
        rst.Parser = before  # type: ignore[misc]


def _parser_with(options: Options, transforms: Sequence[type[Transform]] = ()) -> type[Parser]:
    """The parser whose settings have these defaults; docutils' own settings still win."""

    class ParserWithOptions(Parser):
        settings_default_overrides = {  # noqa: RUF012  docutils' own attribute
            f"doi_{name}": list(value) if isinstance(value, tuple) else value
            for name, value in vars(options).items()
            if name in Options.NAMES
        }

        def get_transforms(self) -> list[type[Transform]]:
            return [*super().get_transforms(), *transforms]

    return ParserWithOptions

"""The options that whoever runs pandoc sets in the environment: ``DOILINKS_DISPLAY=name``.

A document brings its metadata along, and a filter cannot tell these from the command line's. The
environment is the reader's alone, so what it says wins over the document.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

from ..core.options import Options

__all__ = ["PREFIX", "of_reader", "variable"]

PREFIX: Final = "DOILINKS_"


def variable(option: str) -> str:
    """The environment variable of an option.

    >>> variable("check_api")
    'DOILINKS_CHECK_API'
    """
    return PREFIX + option.upper()


def of_reader(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The values of the options that are set; one that is empty is not.

    >>> of_reader({"DOILINKS_CHECK": "off", "DOILINKS_PROXY": "", "HOME": "/"})
    {'check': 'off'}
    """
    values = {name: environment.get(variable(name), "") for name in Options.NAMES}
    return {name: value for name, value in values.items() if value}

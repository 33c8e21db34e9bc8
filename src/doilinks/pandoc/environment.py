"""The options in the environment: ``DOILINKS_DISPLAY=name``.

Metadata come with the document, and a filter cannot tell them from those on the command line. The
environment belongs to the person who runs pandoc, so it wins over the document.
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
    """The values of the options that are set. An empty variable counts as not set.

    >>> of_reader({"DOILINKS_CHECK": "off", "DOILINKS_PROXY": "", "HOME": "/"})
    {'check': 'off'}
    """
    values = {name: environment.get(variable(name), "") for name in Options.NAMES}
    return {name: value for name, value in values.items() if value}

"""Whether the filter has nothing to do for a document, without the modules that read one.

To load these modules takes longer than pandoc takes for a short document, and most documents
contain no DOI. So this module imports no other module of doilinks at its start. It loads the
patterns of ``hints`` only for a text that may need them.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False  # that of typing, which takes as long to import as the rest of the filter
if TYPE_CHECKING:
    from typing import Final

__all__ = ["NEWEST", "OLDEST", "PREFIX", "is_idle"]

PREFIX: Final = "DOILINKS_"  # of the environment variables that set options

# The JSON has had its present form since 1.17. pandoc 3 writes 1.23.
OLDEST: Final = (1, 17)
NEWEST: Final = (1, 23)
_HEADS: Final = tuple(
    f'{{"pandoc-api-version":[{OLDEST[0]},{minor},' for minor in range(OLDEST[1], NEWEST[1] + 1)
)
_HEAD_REACH: Final = 64  # characters; longer than a head with spaces in it

# What ``hints`` looks for contains one of these.
_SIGNS: Final = ("10", "doi", "DOI", "Doi")


def is_idle(text: str) -> bool:
    """Tell whether the filter would return a document as it is, without a message.

    If the text is no document of a known version, the answer is False.

    >>> text = '{"t":"Para","c":[{"t":"Str","c":"10.1000/182"}]}'
    >>> is_idle(f'{{"pandoc-api-version":[1,23,1],"meta":{{}},"blocks":[{text}]}}')
    False
    """
    head = text[:_HEAD_REACH].replace(" ", "")
    if (
        not head.startswith(_HEADS)
        or not text[-2:].rstrip(" \r\n").endswith("}")
        or _is_configured()
    ):
        return False
    if not any(sign in text for sign in _SIGNS):
        return True
    from .hints import may_act

    return not may_act(text)


def _is_configured() -> bool:
    """Tell whether the environment or a pyproject.toml sets options.

    A pyproject.toml that cannot be read counts as one that does.
    """
    if any(name.startswith(PREFIX) for name in os.environ):
        return True
    try:
        folder = os.getcwd()  # noqa: PTH109  pathlib takes long to import
    except OSError:  # the current folder does not exist any more
        return False
    while not os.path.isfile(file := os.path.join(folder, "pyproject.toml")):  # noqa: PTH113, PTH118  as above
        above = os.path.dirname(folder)  # noqa: PTH120  as above
        if above == folder:
            return False
        folder = above
    from tomllib import loads

    try:
        with open(file, "rb") as octets:  # noqa: PTH123  as above
            tool = loads(octets.read().decode("utf-8-sig")).get("tool")
    except (OSError, ValueError, RecursionError):
        return True
    return isinstance(tool, dict) and "doilinks" in tool

"""The filter for a document on standard input.

Most documents contain no DOI. So nothing is loaded here that such a document does not need.
"""

from __future__ import annotations

import os
import sys

from ...shared.streams import has_terminal, open_streams, read_input, tell, unwritten, write_output
from . import NAME, NEWEST, OLDEST

TYPE_CHECKING = False  # that of typing, which takes as long to import as the rest of the filter
if TYPE_CHECKING:
    from typing import Final


# --------------------------------------------------------------------------------------------------
# Whether the filter has nothing to do for a document, without the modules that read one: to load
# them takes longer than pandoc takes for a short document.

PREFIX: Final = "DOILINKS_"  # of ENVIRONMENT in core/options.py, which takes long to import

_HEADS: Final = tuple(
    f'{{"pandoc-api-version":[{OLDEST[0]},{minor},' for minor in range(OLDEST[1], NEWEST[1] + 1)
)
_HEAD_REACH: Final = 64  # characters; longer than a head with spaces in it

# The texts that ``may_act`` looks for contain one of these.
_SIGNS: Final = ("10", "doi", "DOI", "Doi")


def is_idle(text: str) -> bool:
    """Tell whether the filter would return a document as it is, without a message.

    If the text is no document of a known version, the answer is False.
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
    from .signs import may_act  # imports `re`, which takes longer than all the rest

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


def main() -> int:
    """Run as a filter: read a document from standard input and write it to standard output."""
    try:
        return _filter()
    except KeyboardInterrupt:
        from ...shared.program import INTERRUPTED

        return INTERRUPTED
    except Exception as error:  # noqa: BLE001  an unforeseen error
        from ...shared.program import fault

        return fault(NAME, error)


def _filter() -> int:
    open_streams()
    if has_terminal(0):
        return _fail("this is a filter; run it as: pandoc --filter pandoc-doilinks")
    try:
        octets = read_input()
        text = octets.decode()
    except OSError as error:
        return _fail(f"cannot read: {error.strerror or error}")
    except UnicodeDecodeError:
        return _fail("the input is not UTF-8")
    if not is_idle(text):
        from .document import run

        failed, text = run(text, writer="".join(sys.argv[1:2]))
        if failed:
            return failed
        octets = text.encode()
    try:
        write_output(octets)
    except OSError as error:
        return unwritten(NAME, error)
    return 0


def _fail(problem: str) -> int:
    tell(NAME, problem)
    return 1

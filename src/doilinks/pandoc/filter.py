"""The filter for a document in which there may be something to do."""

from __future__ import annotations

import sys

from ..core.options import InvalidOption
from ..streams import tell
from .check import resolve
from .document import PandocError, rewrite
from .entry import NAME
from .environment import is_verbose
from .options import origins

__all__ = ["run"]

_DEPTH = 20_000  # levels of JSON; pandoc's own reader reaches its limit earlier


def run(text: str, writer: str) -> tuple[int, str]:
    """Link the DOIs of a document, and check them if its options ask for it.

    :param text: the document in pandoc's JSON
    :param writer: the output format
    :returns: the exit code, which is not 0 after a message that says why, and the new document
    """
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _DEPTH))
    try:
        document = rewrite(text, writer=writer)
    except InvalidOption as error:
        tell(NAME, *error.problems)
        return 1, ""
    except PandocError as error:
        tell(NAME, str(error))
        return 1, ""
    if is_verbose():
        tell(NAME, *origins(document.given))
    return resolve(document.dois, document.options, document.silences), document.text

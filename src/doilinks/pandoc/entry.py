"""The filter for a document on standard input, or for one of panflute.

Most documents contain no DOI. So nothing is loaded here that such a document does not need.
"""

from __future__ import annotations

import sys

from ..streams import has_terminal, open_streams, read_input, tell, unwritten, write_output
from .idle import is_idle

TYPE_CHECKING = False  # as in idle.py
if TYPE_CHECKING:
    from typing import Any, Final

    import panflute

__all__ = ["NAME", "main"]

NAME: Final = "pandoc-doilinks"


def main(doc: panflute.Doc | None = None) -> Any:
    """Run as a filter, which reads a document from standard input and writes it to standard output.

    If a panflute document is given, link its DOIs and return it, as ``main`` of a panflute filter
    does.

    :raises InvalidOption: if a document is given whose metadata contains a wrong option
    :raises SystemExit: if a document is given and the check fails
    """
    if doc is not None:
        from .elements import run

        return run(doc)
    try:
        return _filter()
    except KeyboardInterrupt:
        from ..program import INTERRUPTED

        return INTERRUPTED
    except Exception as error:  # noqa: BLE001  an unforeseen error
        from ..program import fault

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
        from .filter import run

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

"""The standard streams of the commands. They may be closed, full or a terminal.

No other module of the package writes to them, so no document can control the terminal.
"""

from __future__ import annotations

import errno
import os
import sys
from io import BytesIO, FileIO, TextIOWrapper

from ..core.printable import printable

TYPE_CHECKING = False  # that of typing, which takes long to import
if TYPE_CHECKING:
    from typing import BinaryIO, Final, TextIO

_CLOSED: Final = "standard {} is closed"
_BROKEN_PIPE: Final = 128 + 13  # as a shell reports SIGPIPE
_FULL: Final = 2

# The colours of a terminal's own theme, so that they can be read on a light and on a dark one.
STYLES: Final = {
    "bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34",
    "magenta": "35", "cyan": "36",
}  # fmt: skip


def open_streams() -> None:
    """Open the null device for each standard stream that the caller of the program closed.

    Otherwise the next file that is opened gets the number of the stream, and receives the output
    for the stream. ``sys.stdin``, ``sys.stdout`` and ``sys.stderr`` stay None then.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # None if closed; tests put other objects there
            stream.reconfigure(errors="backslashreplace")


def own_streams() -> tuple[FileIO, BinaryIO]:
    """Return streams for a protocol. What is written to standard output goes elsewhere from now."""
    streams = FileIO(os.dup(0)), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return streams


def say(text: str = "", end: str = "\n", *, flush: bool = False) -> None:
    """Write lines to standard output that control no terminal; OSError is for :func:`unwritten`."""
    if sys.stdout is not None:
        sys.stdout.write("\n".join(map(printable, text.split("\n"))) + end)
        if flush:
            sys.stdout.flush()


def say_painted(*pieces: tuple[str, str]) -> None:
    """Write one line of texts to standard output, each with its style, if there is colour."""
    if sys.stdout is None:
        return
    colour = has_colour()
    line = ""
    for style, text in pieces:
        shown = printable(text)
        line += f"\x1b[{STYLES[style]}m{shown}\x1b[0m" if colour and style and text else shown
    sys.stdout.write(line + "\n")


def tell(program: str, *messages: str) -> None:
    """Write messages to standard error, a line each, without anything that controls a terminal."""
    if sys.stderr is None:  # print() would write to standard output then
        return
    for message in messages:
        line = f"{program}: {message}" if program else message
        try:
            print(printable(line), file=sys.stderr, flush=True)
        except OSError:  # there is no other place to report it
            _discard(sys.stderr)
            return


def has_terminal(number: int) -> bool:
    """Tell whether a standard stream is a terminal: 0 input, 1 output, 2 errors."""
    stream = (sys.stdin, sys.stdout, sys.stderr)[number]
    return stream is not None and stream.isatty()


def has_colour() -> bool:
    """Tell whether standard output gets colour: ``NO_COLOR``, ``FORCE_COLOR``, then a terminal.

    Source: https://no-color.org and https://force-color.org: a variable counts if it is not empty.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    # A console of Windows shows the codes themselves, unless a program switches that off.
    old_console = os.name == "nt" and not os.environ.get("WT_SESSION")
    return has_terminal(1) and os.environ.get("TERM") != "dumb" and not old_console


def read_input(most: int = -1) -> bytes:
    """Read all of standard input, or its first octets, so that they can be read again."""
    if sys.stdin is None:
        raise OSError(errno.EBADF, _CLOSED.format("input"))
    octets = sys.stdin.buffer.read(most)
    sys.stdin = TextIOWrapper(BytesIO(octets))
    return octets


def write_output(octets: bytes) -> None:
    """Write all of standard output."""
    if sys.stdout is None:
        raise OSError(errno.EBADF, _CLOSED.format("output"))
    sys.stdout.buffer.write(octets)
    sys.stdout.flush()


def _discard(stream: TextIO) -> None:
    """Discard what is still in the buffer of a stream: the flush at exit must not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def unwritten(program: str, error: OSError) -> int:
    """Report that standard output could not be written; return the exit code for that."""
    if sys.stdout is not None:
        _discard(sys.stdout)
    if isinstance(error, BrokenPipeError):
        return _BROKEN_PIPE  # the reader, such as `head`, has stopped reading
    tell(program, f"cannot write: {error.strerror or error}")
    return _FULL

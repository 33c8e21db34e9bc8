"""Reading one source: its bytes, its text, its DOIs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Final

from ..core.options import Options
from ..core.scan import may_hold_doi
from ..streams import read_input
from .errors import CannotRead, Unread
from .files import Source
from .found import Found, Lines, Occurrence

__all__ = ["CannotRead", "load", "read"]

_MODULES: Final = {
    "md": "markdown", "rst": "rest", "ipynb": "notebook", "html": "html", "xhtml": "xhtml",
    "txt": "plain", "bib": "bibtex",
}  # fmt: skip


def load(source: Source) -> str:
    r"""The text of a source. UTF-8, a byte order mark is dropped; line ends become ``\n``.

    :raises CannotRead: when it cannot be read or is not UTF-8
    """
    try:
        octets = read_input() if source.path == "-" else Path(source.path).read_bytes()
    except OSError as error:
        raise CannotRead(error.strerror or str(error)) from error
    try:
        text = octets.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = octets.count(b"\n", 0, error.start) + 1
        raise CannotRead(f"not UTF-8 (byte 0x{octets[error.start]:02x} in line {line})") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read(
    text: str,
    kind: str,
    options: Options,
    file: str = "-",
    unread: Callable[[str], object] = lambda _message: None,
) -> Iterator[Occurrence]:
    """Every DOI of a text of a type, in its order.

    :param kind: one of :data:`~doilinks.sources.files.TYPES`
    :param unread: called with a message for each place where a DOI should be and none could be read
    :raises CannotRead: when the text is not of that type, or its parser fails with it
    """
    if kind == "txt" and not may_hold_doi(text):
        return
    module = import_module(f".{_MODULES[kind]}", __package__)
    reader: Callable[[str, Options], Iterator[Found | Unread]] = module.read
    lines = Lines(text)
    try:
        for found in reader(text, options):
            line, column = lines.place(found.at)
            if isinstance(found, Unread):
                unread(f"{file}:{line}:{column}: {found.reason}")
                continue
            yield Occurrence(found.doi, file, line, column, found.form, found.remarks)
    except (CannotRead, MemoryError):
        raise
    except RecursionError as error:
        raise CannotRead("nested too deeply") from error
    except Exception as error:
        # Parsers of others raise anything, and the other files are to be read all the same.
        raise CannotRead(f"reading it as {kind} failed ({type(error).__name__})") from error

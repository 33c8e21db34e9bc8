"""Reads the octets of a file, or of standard input."""

from __future__ import annotations

import os
import stat
from typing import Final

from ..streams import read_input
from .errors import CannotRead
from .files import Source

__all__ = ["LARGEST", "octets_of"]

# Megabytes of the largest file that is read. Its text takes several times its size in memory.
LARGEST: Final = 256
_MEGABYTE: Final = 1_000_000


def octets_of(source: Source) -> bytes:
    """The octets of a source.

    :raises CannotRead: if it cannot be opened, is too large, or changes while it is read
    """
    try:
        if source.path == "-":
            octets = read_input(LARGEST * _MEGABYTE + 1)
            _limit(len(octets))
            return octets
        with open(source.path, "rb") as file:  # noqa: PTH123  Path("./a") forgets the "./"
            before = os.fstat(file.fileno())
            _limit(before.st_size)
            # A pipe has no size, and may be endless.
            octets = file.read(LARGEST * _MEGABYTE + 1)
            _limit(len(octets))
            after = os.fstat(file.fileno())
    except OSError as error:
        raise CannotRead(error.strerror or str(error)) from error
    if stat.S_ISREG(before.st_mode) and _state(before) != _state(after):
        raise CannotRead("it changed while it was read; try again")
    return octets


def _limit(size: int) -> None:
    if size > LARGEST * _MEGABYTE:
        raise CannotRead(f"it is larger than {LARGEST} MB; split it")


def _state(status: os.stat_result) -> tuple[int, int]:
    return status.st_size, status.st_mtime_ns

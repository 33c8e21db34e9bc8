"""A small file in an untrusted folder: read within limits, replaced in one step."""

from __future__ import annotations

import errno
import glob
import os
import stat
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from ..replace import replace, temporary

__all__ = ["read", "write"]

_LIMIT: Final = 32 << 20  # octets; half a million names
# Seconds after which the temporary file of a killed writer is removed. No writer takes that long,
# and no other one on this machine writes at the same time, because of the guard.
_ABANDONED: Final = 600.0


def read(path: Path) -> bytes | None:
    """What is in a file, or None when there is none.

    :raises OSError: when it cannot be read, is larger than 32 MiB, or is not a regular file: a pipe
        would never end, and neither would a link to ``/dev/zero``
    """
    try:
        with open(path, "rb", opener=_without_waiting) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise OSError(errno.EINVAL, "not a regular file")
            octets = file.read(_LIMIT + 1)
    except FileNotFoundError:
        return None
    if len(octets) > _LIMIT:
        raise OSError(errno.EFBIG, f"larger than {_LIMIT >> 20} MiB")
    return octets


def _without_waiting(path: str, flags: int) -> int:
    # Otherwise, to open a pipe waits for its writer.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def write(path: Path, text: str) -> None:
    """Replace a file in one step, and remove what killed writers have left beside it.

    :raises OSError: when it cannot be written; the file is as before
    """
    begin, end = temporary(path.name)
    for left in path.parent.glob(f"{glob.escape(begin)}*{end}"):
        with suppress(OSError):
            if time.time() - left.lstat().st_mtime > _ABANDONED:
                left.unlink()
    replace(path, text.encode())

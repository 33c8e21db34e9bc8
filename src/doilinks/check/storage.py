"""A small file in an untrusted folder: read within limits, replaced in one step."""

from __future__ import annotations

import errno
import glob
import os
import stat
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

__all__ = ["read", "replace"]

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


def replace(path: Path, text: str) -> None:
    """Replace a file in one step: written beside it, flushed to the disk, then renamed.

    :raises OSError: when it cannot be written; the file is as before
    """
    try:
        mode = path.stat().st_mode & 0o777
    except FileNotFoundError:
        mode = 0o666 & ~_umask()
    _clean_up(path)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)  # noqa: PTH101  os calls, as in the lines around
        os.replace(name, path)  # noqa: PTH105  names from tempfile are text
    except BaseException:
        with suppress(OSError):
            os.unlink(name)  # noqa: PTH108  names from tempfile are text
        raise


def _clean_up(path: Path) -> None:
    for left in path.parent.glob(f".{glob.escape(path.name)}.*.tmp"):
        with suppress(OSError):
            if time.time() - left.lstat().st_mtime > _ABANDONED:
                left.unlink()


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask

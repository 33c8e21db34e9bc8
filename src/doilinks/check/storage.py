"""A small file in an untrusted folder: read within limits, replaced in one step."""

from __future__ import annotations

import errno
import glob
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from ..replace import replace, temporary

# --------------------------------------------------------------------------------------------------
# The guard of a file: its writers wait for one another, whatever their user and environment.
#
# The lock is on the folder of the file (``flock``). So there is no lock file that somebody might
# commit or plant, neither the user nor ``TMPDIR`` matters, and the system releases the lock of a
# process that is killed.
# Windows cannot lock a folder: there a file beside is locked, and removed afterwards.
#
# Writers on several machines that share a folder may not see one another: many network file systems
# lock a folder for one machine only, some not at all. The later of two such writers wins.

_POLL: Final = 0.01  # seconds

if sys.platform == "win32":
    from filelock import FileLock

    @contextmanager
    def guard(path: Path, seconds: float) -> Iterator[None]:
        """Keep other writers of a file away while the block runs.

        :param seconds: to wait for another writer
        :raises TimeoutError: when another one is still writing then
        :raises OSError: when the folder cannot be opened
        """
        with FileLock(path.with_name(f".{path.name}.lock"), timeout=seconds):
            yield

else:
    import fcntl

    @contextmanager
    def guard(path: Path, seconds: float) -> Iterator[None]:
        """Keep other writers of a file away while the block runs.

        :param seconds: to wait for another writer
        :raises TimeoutError: when another one is still writing then
        :raises OSError: when the folder cannot be opened
        """
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            _lock(folder, seconds)
            yield
        finally:
            os.close(folder)

    def _lock(folder: int, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while True:
            try:
                fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except (BlockingIOError, PermissionError):  # taken; file systems differ
                if time.monotonic() >= deadline:
                    raise TimeoutError from None
                time.sleep(_POLL)
            except OSError:  # a file system without locks: better unguarded than not written
                return
            else:
                return


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

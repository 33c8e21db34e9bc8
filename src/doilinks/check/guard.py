"""The guard of a file: its writers wait for one another, whatever their user and environment.

The lock is on the folder of the file (``flock``). So there is no lock file that somebody might
commit or plant, neither the user nor ``TMPDIR`` matters, and the system releases the lock of a
process that is killed.
Windows cannot lock a folder: there a file beside is locked, and removed afterwards.

Writers on several machines that share a folder may not see one another: many network file systems
lock a folder for one machine only, some not at all. The later of two such writers wins.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

__all__ = ["guard"]

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

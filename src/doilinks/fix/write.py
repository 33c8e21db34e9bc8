"""Replaces a file in one step, if nobody else has changed it meanwhile."""

from __future__ import annotations

import errno
import os
import tempfile
from contextlib import suppress
from pathlib import Path

__all__ = ["write"]


def write(path: str, before: bytes, octets: bytes) -> None:
    """Replace the octets of a file. A symbolic link stays, and so do the permissions of the file.

    :param before: what was read from the file
    :raises OSError: if the file cannot be written, or no longer contains ``before``; in both cases
        the file is unchanged
    """
    target = Path(os.path.realpath(path))
    if not target.is_file():  # a second read of a pipe may never end
        raise OSError(errno.EINVAL, "it is not a file, but a pipe or a device")
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    handle, name = tempfile.mkstemp(prefix=".doilinks-", suffix=".tmp", dir=target.parent)
    new = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(octets)
            file.flush()
            os.fsync(file.fileno())
        new.chmod(target.stat().st_mode & 0o7777)
        # Just before the file is replaced, so that little time is left for others.
        _expect(target, before)
        new.replace(target)
    except BaseException:
        with suppress(OSError):
            new.unlink()
        raise


def _expect(target: Path, before: bytes) -> None:
    if target.read_bytes() != before:
        raise OSError(errno.EBUSY, "another program has changed it meanwhile")

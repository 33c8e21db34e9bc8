"""Replaces a document in one step, if nobody else has changed it meanwhile."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from ..replace import replace

__all__ = ["write"]


def write(path: str, before: bytes, octets: bytes) -> int:
    """Replace the octets of a document. All else about the file stays.

    :param path: the path without symbolic links, as it was when the document was found
    :param before: what was read from the document
    :returns: how many other hard links of the file keep the old octets
    :raises OSError: if the document cannot be written, no longer contains ``before``, or has
        another path now; it is unchanged then
    """
    target = Path(path)
    if not target.is_file():  # a second read of a pipe may never end
        raise OSError(errno.EINVAL, "it is not a file, but a pipe or a device")
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    others = target.stat().st_nlink - 1
    replace(target, octets, before=before)
    return others

"""Files: replaced in one step, kept from other writers, and read within limits.

Owner, group, permissions and extended attributes of a replaced file stay.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

_WAITS_NOT: Final = getattr(os, "O_NONBLOCK", 0)  # otherwise, to open a pipe waits for its writer
_READ: Final = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)  # a link would lead to another file
    | _WAITS_NOT
    | getattr(os, "O_BINARY", 0)
)
# A folder whose names nobody may list can still be entered.
_FOLDER: Final = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0)
_HAS_FOLDERS: Final = {os.open, os.rename, os.unlink} <= os.supports_dir_fd  # not on Windows

# Attributes that users set, and access control lists. The system sets all others on a new file.
_ATTRIBUTES: Final = ("user.", "system.posix_acl_access")
_CHANGED: Final = "another program has changed it meanwhile"
_Old = tuple[os.stat_result, dict[str, bytes]]  # the status and attributes of a file


def temporary(name: str) -> tuple[str, str]:
    """Return the beginning and end of temporary names, for a file that replaces another one.

    >>> temporary("doi-lock.json")
    ('.doi-lock.json.', '.tmp')
    """
    return f".{name[:40]}.", ".tmp"  # a name has at most 255 octets, and a character up to 4


def replace(path: Path, octets: bytes, *, before: bytes | None = None) -> None:
    """Replace a file: write the new one beside it, flush it to the disk, then rename it.

    If anything fails, the file is as before, and nothing is left beside it. Other hard links of
    the file keep their content. The path has no symbolic link. A document must still contain
    ``before``, and is replaced only if owner, group and attributes can stay; without ``before``,
    those that cannot stay become those of the process.
    """
    strict = before is not None
    with _entered(path.parent) as folder:
        name, new = path.name, os.urandom(8).hex().join(temporary(path.name))
        if folder is None:
            name, new = os.fspath(path), os.fspath(path.with_name(new))
        mode = 0o600 if strict or os.path.lexists(path) else 0o666
        try:
            opener = partial(os.open, mode=mode, dir_fd=folder)
            with open(new, "xb", opener=opener) as file:
                file.write(octets)
                file.flush()
                os.fsync(file.fileno())
                # Just before the file is replaced, so that little time is left for others.
                if old := _look(name, folder, before):
                    _keep(old, new, file.fileno(), strict=strict)
            os.replace(new, name, src_dir_fd=folder, dst_dir_fd=folder)
        except FileExistsError:  # somebody else's
            raise
        except BaseException:
            with suppress(OSError):
                os.unlink(new, dir_fd=folder)
            raise


@contextmanager
def _entered(path: Path) -> Iterator[int | None]:
    """Yield the descriptor of a folder. It stays that folder, even if another gets the path."""
    if not _HAS_FOLDERS:
        yield None
        return
    folder = os.open(path, _FOLDER)
    try:
        if os.path.realpath(path) != os.fspath(path):
            raise OSError(errno.EBUSY, _CHANGED)
        yield folder
    finally:
        os.close(folder)


def _look(name: str, folder: int | None, before: bytes | None) -> _Old | None:
    """Look at a file; None if there is none, and nothing is expected in it."""
    try:
        handle = os.open(name, _READ, dir_fd=folder)
    except OSError as error:
        if error.errno == errno.ENOENT and before is None:
            return None
        if error.errno in (errno.ENOENT, errno.ELOOP):  # it is gone, or a symbolic link
            raise OSError(errno.EBUSY, _CHANGED) from error
        raise
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or (before is not None and file.read() != before):
            raise OSError(errno.EBUSY, _CHANGED)
        return status, _attributes(handle)


def _keep(old: _Old, new: str, handle: int, *, strict: bool) -> None:
    status, attributes = old
    try:
        _keep_owner(status, handle)
    except OSError as error:
        if strict:
            message = "its owner or group would change, and this user may not keep them"
            raise OSError(errno.EPERM, message) from error
    mode = stat.S_IMODE(status.st_mode)
    os.chmod(handle if os.chmod in os.supports_fd else new, mode)  # noqa: PTH101  a descriptor
    try:
        _keep_attributes(attributes, handle)
    except OSError as error:
        if strict:
            message = "its extended attributes would be lost, and cannot be written"
            raise OSError(errno.EPERM, message) from error


if sys.platform == "win32":

    def _keep_owner(_old: os.stat_result, _handle: int) -> None:
        """Do nothing: a file has the owner that its folder gives it."""

else:

    def _keep_owner(old: os.stat_result, handle: int) -> None:
        new = os.fstat(handle)
        if old.st_gid != new.st_gid:
            os.fchown(handle, -1, old.st_gid)
        if old.st_uid != new.st_uid:
            os.fchown(handle, old.st_uid, -1)


if sys.platform == "linux":

    def _attributes(handle: int) -> dict[str, bytes]:
        try:
            names = os.listxattr(handle)
        except OSError:  # the file system has none
            return {}
        return {name: os.getxattr(handle, name) for name in names if name.startswith(_ATTRIBUTES)}

    def _keep_attributes(old: dict[str, bytes], handle: int) -> None:
        new = _attributes(handle)
        for name in new.keys() - old.keys():  # the folder gave it to the new file
            os.removexattr(handle, name)
        for name, value in old.items():
            os.setxattr(handle, name, value)

else:

    def _attributes(_handle: int) -> dict[str, bytes]:
        """Return nothing: Python can read these attributes only on Linux."""
        return {}

    def _keep_attributes(_old: dict[str, bytes], _handle: int) -> None:
        """Do nothing, for the same reason."""


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

    @contextmanager
    def guard(path: Path, seconds: float) -> Iterator[None]:
        """Keep other writers of a file away while the block runs."""
        from filelock import FileLock  # only the lock file needs it, and only here

        with FileLock(path.with_name(f".{path.name}.lock"), timeout=seconds):
            yield

else:
    import fcntl

    @contextmanager
    def guard(path: Path, seconds: float) -> Iterator[None]:
        """Keep other writers of a file away while the block runs."""
        deadline = time.monotonic() + seconds
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            is_taken = True
            while is_taken:
                try:
                    fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    is_taken = False
                except (BlockingIOError, PermissionError):  # file systems differ
                    if time.monotonic() >= deadline:
                        raise TimeoutError from None
                    time.sleep(_POLL)
                except OSError:  # a file system without locks: better unguarded than not written
                    is_taken = False
            yield
        finally:
            os.close(folder)


# --------------------------------------------------------------------------------------------------
# A small file in an untrusted folder, such as the lock file: read within limits, and written.

# Octets, more than half a million names with their works: it bounds what a file of somebody else
# can cost, eight times as much memory.
_LIMIT: Final = 1 << 28
# Seconds after which the temporary file of a killed writer is removed. No writer takes that long,
# and no other one on this machine writes at the same time, because of the guard.
_ABANDONED: Final = 600.0


def read(path: Path) -> bytes | None:
    """Read a file; None without one; OSError if it is not regular, or larger than 256 MiB."""
    try:
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | _WAITS_NOT)) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise OSError(errno.EINVAL, "not a regular file")
            if status.st_size > _LIMIT:
                raise OSError(errno.EFBIG, "larger than 256 MiB")
            return file.read(_LIMIT)
    except FileNotFoundError:
        return None


def write(path: Path, octets: bytes) -> None:
    """Replace a file in one step, and remove what killed writers have left beside it."""
    import glob  # rarely needed

    begin, end = temporary(path.name)
    for left in path.parent.glob(f"{glob.escape(begin)}*{end}"):
        with suppress(OSError):
            if time.time() - left.lstat().st_mtime > _ABANDONED:
                left.unlink()
    replace(path, octets)

"""For a whole run: what the tests start obeys Ctrl-C, ends with them, and reaches loopback alone."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import pytest

from . import modules
from .forks import remember_plugins
from .leftovers import processes
from .offline import sitecustomize as offline

_NOTHING = pytest.StashKey[TextIO]()
OFFLINE = Path(offline.__file__).parent


@pytest.fixture(autouse=True, scope="session")
def obey_signals() -> Iterator[None]:
    """Children inherit which signals are ignored, but no handlers.

    A shell sees to it that what it starts in the background ignores Ctrl-C, and ``nohup`` that a
    hangup is ignored. The tests themselves still outlive a hangup then.
    """
    handlers = {signal.SIGINT: signal.default_int_handler}
    if sys.platform != "win32":
        handlers[signal.SIGHUP] = lambda _number, _frame: None
    ignored = [each for each in handlers if signal.getsignal(each) == signal.SIG_IGN]
    for each in ignored:
        signal.signal(each, handlers[each])
    yield
    for each in ignored:
        signal.signal(each, signal.SIG_IGN)


def _memory() -> str | None:
    """A folder in memory, if there is one that keeps all that a disk keeps: a disk may take five times as long."""
    try:
        with tempfile.NamedTemporaryFile(dir="/dev/shm") as file:
            os.setxattr(file.name, "user.a", b"")
        status = os.statvfs("/dev/shm")
    except (AttributeError, OSError):
        return None
    free = status.f_bavail * status.f_frsize
    usable = free > 4 << 30 and not status.f_flag & os.ST_NOEXEC and "TMPDIR" not in os.environ
    return "/dev/shm" if usable else None


def pytest_configure(config: pytest.Config) -> None:
    """Put what pytest itself writes, for workers too, into a folder that goes with the run."""
    if sys.__stdin__ is None:  # it is closed, which pytest itself presumes it is not
        sys.__stdin__ = config.stash[_NOTHING] = open(os.devnull)  # noqa: PTH123, SIM115  goes with the process
    remember_plugins()
    before = os.umask(0o022)  # for tests that go on as another user, who has to read files
    config.add_cleanup(lambda: os.umask(before))
    if not hasattr(config, "workerinput"):
        folder = tempfile.TemporaryDirectory(
            prefix="doilinks-", dir=_memory(), ignore_cleanup_errors=True
        )
        Path(folder.name).chmod(0o755)  # for tests that go on as another user
        patch = pytest.MonkeyPatch()
        patch.setattr(tempfile, "tempdir", folder.name)
        patch.setenv("TMPDIR", folder.name)
        config.add_cleanup(folder.cleanup)
        config.add_cleanup(patch.undo)


@pytest.fixture(autouse=True, scope="session")
def leave_nothing() -> Iterator[None]:
    """Keep temporary files in a folder that goes with the run, and end what a test has not ended."""
    with (
        tempfile.TemporaryDirectory(prefix="doilinks-", ignore_cleanup_errors=True) as folder,
        pytest.MonkeyPatch.context() as patch,
    ):
        refused = Path(folder, "refused.txt")
        Path(folder).chmod(0o755)  # for tests that go on as another user
        patch.setattr(tempfile, "tempdir", folder)
        patch.setenv("TMPDIR", folder)
        patch.setenv("XDG_CACHE_HOME", folder)
        patch.setenv("PYTHONPATH", str(OFFLINE), prepend=os.pathsep)
        patch.setenv(offline.REFUSED, str(refused))
        # Those of this machine and of its terminal.
        for name in ("SSL_CERT_FILE", "SSL_CERT_DIR", "COLUMNS", "LINES"):
            patch.delenv(name, raising=False)
        modules.begin()
        yield
        modules.end()
        left = processes("TMPDIR", folder)
        for process in left:
            process.end()
        commands = "\n".join(process.command for process in left)
        assert not left, f"left running by a test, ended now:\n{commands}"
        assert not refused.exists(), f"more than loopback:\n{refused.read_text()}"

"""What a run of the tests may leave behind: processes."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import NamedTuple

# Ends with the process that it belongs to.
_OUR_OWN = b"multiprocessing.resource_tracker"


class Process(NamedTuple):
    """A process that runs, or waits for its end to be noticed."""

    pid: int
    command: str

    def end(self) -> None:
        """Kill it."""
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            return
        try:
            os.waitpid(self.pid, 0)  # when it is our child
        except ChildProcessError:
            return


def living(group: int) -> list[int]:
    """The processes of a group that run, if the system tells; one that was killed ends in its time."""
    found = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, number = file.read_text(errors="replace").rpartition(")")[2].split()[:3]
        except OSError:  # it has ended
            continue
        if int(number) == group and state not in "XZ":
            found.append(int(file.parent.name))
    return found


def processes(variable: str, value: str) -> list[Process]:
    """The processes that were started with this value of an environment variable, if the system tells."""
    wanted = f"{variable}={value}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment = (folder / "environ").read_bytes().split(b"\0")
            command = (folder / "cmdline").read_bytes()
        except OSError:  # it has ended, or is somebody else's
            continue
        if wanted in environment and _OUR_OWN not in command:
            words = command.replace(b"\0", b" ").decode(errors="replace")
            found.append(Process(int(folder.name), words.strip()))
    return found

"""Programs that tests run."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import pytest

from .leftovers import living

Done = subprocess.CompletedProcess[str]
State = TypeVar("State")

# Seconds. Nobody waits so long but for a failure: other work on the machine may make a program that slow.
LONGEST = 600


def run(*command: str, cwd: Path | None = None) -> Done:
    """Run a command; what it printed is in the error when it fails. TeX cuts letters in two."""
    return succeeded(
        subprocess.run(
            command, cwd=cwd, capture_output=True, text=True, check=False, errors="replace"
        )
    )


def succeeded(done: Done) -> Done:
    """The same, of a command that has been run."""
    if done.returncode:
        raise AssertionError(
            f"{done.args[0]} ended with {done.returncode}\n{done.stdout}\n{done.stderr}"
        )
    return done


def keep_to_schema_of(vendor: str, *files: Path) -> None:
    """Fail if files do not keep to a schema that comes with check-jsonschema."""
    checker = Path(sys.executable).with_name("check-jsonschema")
    run(str(checker), "--builtin-schema", f"vendor.{vendor}", *map(str, files))


def git(folder: Path, *arguments: str, fails: bool = False) -> Done:
    """Run git as an author who is nobody; ``fails``: it may fail."""
    own = (
        "user.name=A",
        "user.email=a@example.org",
        "commit.gpgsign=false",
        "init.defaultBranch=main",
    )
    command = ["git", *(each for one in own for each in ("-c", one)), *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done if fails else succeeded(done)


@contextmanager
def running(*command: str | Path, **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """A program in a process group of its own, of which nothing outlives the block.

    :param options: those of ``Popen``
    """
    arguments = [str(each) for each in command]
    with subprocess.Popen(arguments, start_new_session=True, **options) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            # A process that is killed may go on for a moment.
            wait(lambda: not living(process.pid))


def wait(
    ready: Callable[[], State], process: subprocess.Popen[Any] | None = None, *,
    said: Callable[[], object] | None = None,
) -> State:  # fmt: skip
    """Wait until ``ready`` gives anything but nothing, and give that.

    :param process: with whose end the wait fails
    :param said: what a failure shows; by default, what the process has written into its pipes
    """
    until = time.monotonic() + LONGEST
    while True:
        # In this order, because the last that a process does may be what is waited for.
        ended = process is not None and process.poll() is not None
        if result := ready():
            return result
        if ended or time.monotonic() > until:
            what = f"ended with {process.returncode}" if process and ended else "did not come"
            pytest.fail(f"{what}, and said:\n{said() if said else _last_words(process)}")
        time.sleep(0.01)


def ended(process: subprocess.Popen[Any]) -> tuple[Any, Any]:
    """Wait for the end of a program: what it has written to its pipes."""
    try:
        return process.communicate(timeout=LONGEST)
    except subprocess.TimeoutExpired:
        pytest.fail(f"did not end, and said:\n{_last_words(process)}")


def _last_words(process: subprocess.Popen[Any] | None) -> str:
    if process is None:
        return ""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    return "\n".join(
        said if isinstance(said, str) else said.decode(errors="replace")
        for said in process.communicate()
        if said
    )


@contextmanager
def taken_port() -> Iterator[int]:
    """A port on which nobody listens, and that nobody else is given, as long as the block runs.

    A program that is told to may listen there, if it sets ``SO_REUSEADDR`` as servers do.
    """
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


def interrupt(process: subprocess.Popen[Any], times: int) -> None:
    """Send Ctrl-C, and if it is more than once, one after the other while the program ends."""
    for _ in range(times):
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        if times > 1:
            time.sleep(0.005)


def tool(name: str, lost: str, *other_names: str) -> str:
    """The path of a program; without it the test, or the module, is skipped, but not in CI, which installs it.

    :param lost: what is not tested then
    """
    path = next(filter(None, map(shutil.which, (name, *other_names))), None)
    if path is None:
        _do_without(name, lost)
    return path


def tex(engine: str, lost: str, *files: str) -> str:
    """The path of an engine of TeX, like :func:`tool`; also without fonts or packages it is skipped."""
    path = tool(engine, lost)
    for file in files:
        found = subprocess.run(
            ["kpsewhich", file], capture_output=True, check=False, timeout=LONGEST
        )
        if found.returncode != 0:
            _do_without(f"{file} for {engine}", lost)
    return path


def _do_without(name: str, lost: str) -> NoReturn:
    reason = f"{name} is not installed: {lost}"
    if os.environ.get("CI"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason, allow_module_level=True)  # elsewhere nobody has to have every program

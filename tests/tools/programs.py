"""Programs that tests run."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

import pytest

Done = subprocess.CompletedProcess[str]


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
        found = subprocess.run(["kpsewhich", file], capture_output=True, check=False, timeout=60)
        if found.returncode != 0:
            _do_without(f"{file} for {engine}", lost)
    return path


def _do_without(name: str, lost: str) -> NoReturn:
    reason = f"{name} is not installed: {lost}"
    if os.environ.get("CI"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason, allow_module_level=True)  # elsewhere nobody has to have every program

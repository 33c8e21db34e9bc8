"""The command line, run in this process or as a user runs it."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import struct
import subprocess
import sys
import termios
import threading
from contextlib import chdir, nullcontext, redirect_stderr, redirect_stdout

from doilinks.tools.cli.command import run

from .modules import BIN, quick
from .programs import LONGEST, running
from .schemas import keep_to_schema

DOILINKS = [sys.executable, "-c", "from doilinks.tools.cli import main; main()"]


def doilinks(*arguments, cwd, stdin=b"", real=False, **environment):
    """Run a command line; returns code, standard output and standard error.

    ``real``, or with an environment, in a process of its own, as a user does. JSON is compared with
    its published schema.
    """
    done = _run(arguments, cwd, stdin, environment, real)
    keep_to_schema(arguments, done[1])
    return done


def _run(arguments, cwd, stdin, environment, real):
    if not real and not environment:
        return inside(arguments, cwd, stdin)
    done = subprocess.run(
        [quick(BIN / "doilinks"), *arguments], cwd=cwd, input=stdin, capture_output=True,
        timeout=LONGEST, check=False, env={**os.environ, **environment},
    )  # fmt: skip
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def inside(arguments, cwd, stdin):
    """The same in this process, which is quicker."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="\n") for _ in range(2))
    given, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(stdin), "utf-8")
    try:
        with chdir(cwd) if cwd else nullcontext(), redirect_stdout(out), redirect_stderr(err):
            code = run(arguments)
    finally:
        sys.stdin = given
    for stream in (out, err):
        stream.flush()
    return code, out.buffer.getvalue().decode(), err.buffer.getvalue().decode()


_OTHERS = ("NO_COLOR", "FORCE_COLOR", "CI")  # the terminal is that of a person


def at_terminal(*arguments, cwd, errors=False, both=False, **environment):
    """All that a command writes to a terminal: its standard output, or its errors, or both."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    kept = {key: value for key, value in os.environ.items() if key not in _OTHERS}
    said = []

    def listen():
        try:
            while some := os.read(ours, 65536):
                said.append(some)
        except OSError:  # the other side was closed
            return

    reader = threading.Thread(target=listen)
    reader.start()
    streams = {"stderr": theirs} if errors or both else {}
    streams |= {} if errors else {"stdout": theirs}
    env = {**kept, "TERM": "xterm", **environment}
    with running(quick(BIN / "doilinks"), *arguments, cwd=cwd, env=env, **streams) as process:
        process.wait(timeout=LONGEST)
        os.close(theirs)
        reader.join(LONGEST)
    os.close(ours)
    return b"".join(said).decode().replace("\r\n", "\n")

"""The command line, run in this process or as a user runs it."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from contextlib import chdir, nullcontext, redirect_stderr, redirect_stdout

from doilinks.cli.command import run

from .modules import BIN, quick

DOILINKS = [sys.executable, "-c", "from doilinks.cli import main; main()"]


def doilinks(*arguments, cwd, stdin=b"", real=False, **environment):
    """Run a command line; returns code, standard output and standard error.

    ``real``, or with an environment, in a process of its own, as a user does.
    """
    if not real and not environment:
        return inside(arguments, cwd, stdin)
    done = subprocess.run(
        [quick(BIN / "doilinks"), *arguments],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        timeout=60,
        check=False,
        env={**os.environ, **environment},
    )
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

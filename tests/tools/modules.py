"""Programs of Python that start at once: forked from a process that has imported what they need.

To import Sphinx or MkDocs takes longer than to build a page with it. Else such a program is what
``python -m`` starts: it has a process, a current folder and an environment of its own.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from select import select
from typing import Any, NoReturn

ROOT = Path(__file__).parents[2]
IMPORTED = (
    "anyio._backends._asyncio", "doilinks.check", "doilinks.mkdocs", "doilinks.sphinx", "httpcore",
    "markdown.extensions.codehilite", "mkdocs.commands.build", "mkdocs.theme",
    "myst_parser.sphinx_ext.main", "sphinx.builders.html", "sphinx.cmd.build",
)  # fmt: skip
LONGEST = 600  # seconds

_parents: list[subprocess.Popen[str]] = []


def run_module(
    module: str, *arguments: str | Path, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a module as ``python -m`` does; it reads nothing.

    :raises AssertionError: it took too long, and has been killed
    """
    if not _parents:
        command = [sys.executable, "-m", "tests.tools.modules"]
        _parents.append(
            subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
            )
        )
    given = [module, *map(str, arguments)]
    (parent,) = _parents
    assert parent.stdin
    assert parent.stdout
    with tempfile.TemporaryDirectory() as folder:
        said = Path(folder, "out"), Path(folder, "err")
        asked = [given, str(cwd or Path.cwd()), dict(os.environ), *map(str, said)]
        print(json.dumps(asked), file=parent.stdin, flush=True)
        child = int(parent.stdout.readline())
        in_time = select([parent.stdout], [], [], LONGEST)[0]
        if not in_time:
            os.kill(child, signal.SIGKILL)
        code = int(parent.stdout.readline())
        out, err = (each.read_text(encoding="utf-8") for each in said)
    assert in_time, f"{given} took more than {LONGEST} seconds\n{out}\n{err}"
    return subprocess.CompletedProcess(given, code, out, err)


def end() -> None:
    """End the process that the others come from."""
    while _parents:
        _parents.pop().communicate()


def _be_parent() -> None:
    for name in IMPORTED:
        importlib.import_module(name)
    gc.freeze()  # or a child copies all of this as soon as it collects garbage
    while line := sys.stdin.readline():
        child = os.fork()
        if child == 0:
            _end(_code_of(json.loads(line)))
        print(child, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def _code_of(asked: Any) -> int:
    """Run the program; its exit code, as Python has it."""
    try:
        _be(*asked)
    except SystemExit as error:
        if error.code is None or isinstance(error.code, int):
            return error.code or 0
        print(error.code, file=sys.stderr)
        return 1
    except BaseException:  # noqa: BLE001  whatever else a program ends with
        sys.excepthook(*sys.exc_info())
        return 1
    return 0


def _end(code: int) -> NoReturn:
    """End this process as Python does, but free no memory, which takes longer than most programs."""
    threading._shutdown()  # waits for threads; nothing public does
    atexit._run_exitfuncs()  # the same
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code)


def _be(given: list[str], cwd: str, environment: dict[str, str], out: str, err: str) -> None:
    """Become the program."""
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    for number, file in enumerate((os.devnull, out, err)):
        os.dup2(os.open(file, os.O_RDWR | os.O_CREAT), number)
    sys.path[0], sys.argv = cwd, given
    runpy.run_module(given[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    _be_parent()

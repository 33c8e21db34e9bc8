"""Programs of Python that start at once: forked from a process that has imported what they need.

To import Sphinx or MkDocs takes longer than to build a page with it. In all other respects, such a
program is what Python starts: it has a process, a current folder, streams and an environment of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

from .programs import LONGEST

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent

# Asks for the program, gives it its streams, passes Ctrl-C on, and ends as it does. Without anybody
# to ask, without a stream, or with another setting that only a start of Python reads, it starts the
# program itself.
_STAND_IN = """\
#!{python} -IS
import _signal, _socket, marshal, os, sys

def number():
    return int.from_bytes(asker.recv(8, _socket.MSG_WAITALL), "little", signed=True)

read_at_start = {{name: value for name, value in os.environ.items()
                 if name.startswith(("PYTHON", "LC_", "LANG"))}}
try:
    if read_at_start != {read_at_start!r} or None in (sys.stdin, sys.stdout, sys.stderr):
        raise OSError
    asker = _socket.socket(_socket.AF_UNIX)
    asker.connect({address!r})
    asked = marshal.dumps(([{program!r}, *sys.argv[1:]], os.getcwd(), dict(os.environ)))
    streams = b"".join(stream.to_bytes(4, sys.byteorder) for stream in range(3))
    with_them = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)]
    asker.sendmsg([len(asked).to_bytes(8, "little")], with_them)
except OSError:
    os.execv({python!r}, [*{really!r}, *sys.argv[1:]])
_signal.pthread_sigmask(_signal.SIG_BLOCK, [_signal.SIGINT])  # until it is known for whom it is
asker.sendall(asked)
child = number()
def pass_on(*_):
    try:
        os.kill(child, _signal.SIGINT)
    except ProcessLookupError:  # it has ended, and its code is on the way
        pass

_signal.signal(_signal.SIGINT, pass_on)
_signal.pthread_sigmask(_signal.SIG_UNBLOCK, [_signal.SIGINT])
code = number()
if code < 0:
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    os.kill(os.getpid(), -code)
os._exit(code)
"""

_parents: list[subprocess.Popen[str]] = []
_folders: list[tempfile.TemporaryDirectory[str]] = []
_environment = dict(os.environ)


def run_module(
    module: str, *arguments: str | Path, cwd: Path | None = None, given: str = "", **more: str
) -> subprocess.CompletedProcess[str]:
    """Run a module as ``python -m`` does, or code, after ``-c``.

    :param given: what it reads
    :param more: for its environment
    """
    return subprocess.run(
        [quick(module), *arguments], cwd=cwd, input=given, env=os.environ | more,
        capture_output=True, encoding="utf-8", timeout=LONGEST, check=False,
    )  # fmt: skip


def quick(program: str | Path) -> Path:
    """A file that does at once what a module does, or a command of this environment.

    The command line, the filter for Pandoc, Sphinx and MkDocs start so.

    :param program: the path of a command, the name of a module, or ``-c``, to which code is given
    """
    if not _parents:
        _start_parent()
    program = str(program)
    file = Path(_folders[0].name, Path(program).name)
    if not file.exists():
        python, command = sys.executable, os.sep in program
        text = _STAND_IN.format(
            python=python, program=program, address=str(_address()),
            read_at_start=_read_at_start(),
            really=[python, program] if command or program == "-c" else [python, "-m", program],
        )  # fmt: skip
        file.write_text(text, encoding="utf-8")
        file.chmod(0o755)
    return file


def load(file: Path) -> ModuleType:
    """A program that is in no package, as a module."""
    loader = SourceFileLoader(f"loaded_{file.stem}", str(file))
    module = sys.modules[loader.name] = module_from_spec(spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def begin() -> None:
    """Take the environment as it is now for the process that the others come from."""
    assert not _parents, "started while tests were collected, so it may reach more than loopback"
    _environment.clear()
    _environment.update(os.environ)


def _start_parent() -> None:
    _folders.append(tempfile.TemporaryDirectory(prefix="quick-"))
    command = [sys.executable, "-m", "tests.tools.forks", str(_address())]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    _parents.append(subprocess.Popen(command, cwd=ROOT, env=_environment, text=True, **pipes))
    said = _parents[0].stdout
    assert said
    assert said.readline() == "ready\n"


def _address() -> Path:
    return Path(_folders[0].name, "socket")


def _read_at_start() -> dict[str, str]:
    """What a Python that starts reads from the environment."""
    read = ("PYTHON", "LC_", "LANG")
    return {name: value for name, value in _environment.items() if name.startswith(read)}


def end() -> None:
    """End the process that the others come from."""
    while _parents:
        _parents.pop().communicate()
        _folders.pop().cleanup()

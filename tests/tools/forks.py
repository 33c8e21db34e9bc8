"""The process that programs of Python are forked from, since it has imported what they need.

``python -m tests.tools.forks SOCKET`` listens there until its standard input is closed. Who connects
sends a program and three streams for it, and receives the number of its process, then its exit code.
A program whose asker hangs up is killed.
"""

from __future__ import annotations

import atexit
import gc
import importlib.metadata
import marshal
import os
import runpy
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from select import select
from types import ModuleType
from typing import NoReturn

IMPORTED = (
    "anyio._backends._asyncio", "docutils.languages.en", "doilinks.check", "doilinks.ask.works.check",
    "doilinks.tools.cli.check", "doilinks.tools.cli.command", "doilinks.tools.cli.fix",
    "doilinks.tools.cli.scan", "doilinks.tools.cli.show", "doilinks.sources.markdown",
    "doilinks.hosts.pandoc.check", "doilinks.hosts.pandoc.cite", "doilinks.hosts.pandoc.document",
    "doilinks.hosts.pandoc.entry", "doilinks.hosts.pandoc.walk", "doilinks.markdown_it", "doilinks.mkdocs",
    "doilinks.sphinx", "doilinks.tools.editor.requests", "encodings.unicode_escape", "encodings.utf_8_sig", "httpcore",
    "markdown.extensions.attr_list", "markdown.extensions.codehilite", "markdown.extensions.fenced_code",
    "markdown.extensions.tables", "mkdocs.commands.build", "mkdocs.commands.serve", "mkdocs.theme",
    "mkdocs.themes", "mkdocs_jupyter.plugin", "myst_nb.sphinx_ext", "myst_parser.parsers.sphinx_",
    "myst_parser.sphinx_ext.main", "myst_parser.sphinx_ext.mathjax", "sphinx.builders.html",
    "sphinx.builders.latex.transforms", "sphinx.cmd.build", "sphinx.ext.autodoc", "sphinx.ext.napoleon",
    "sphinxcontrib.bibtex",
)  # fmt: skip
PLUGINS = ("markdown.extensions", "mkdocs.plugins", "mkdocs.themes", "sphinx.html_themes")
SIZE = 8  # octets of each number that goes through the socket


def remember_plugins() -> None:
    """Ask each installed package once which plug-ins it has, and not in each build of a site."""
    importlib.metadata.entry_points = cache(importlib.metadata.entry_points)


def _be_parent(path: str) -> None:
    remember_plugins()
    from sphinx.application import builtin_extensions

    from doilinks.ask.net.transport import certificates

    for name in (*IMPORTED, *builtin_extensions):
        importlib.import_module(name)
    for group in PLUGINS:
        importlib.metadata.entry_points(group=group)
    certificates()  # takes as long as a small check
    # Or a child copies all of this as soon as it collects garbage, and collects too often.
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    woken, wakes = socket.socketpair()
    wakes.setblocking(False)
    signal.set_wakeup_fd(wakes.fileno())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(100)
    print("ready", flush=True)
    askers: dict[int, socket.socket] = {}
    while True:
        ready = select([sys.stdin, listener, woken, *askers.values()], [], [])[0]
        alone = [child for child, asker in askers.items() if asker in ready]
        for child in alone:
            os.kill(child, signal.SIGKILL)  # nobody says anything but by hanging up
        if sys.stdin in ready:
            for child in alone:
                os.waitpid(child, 0)
            os._exit(0)
        if woken in ready:
            woken.recv(1000)
            for child, code in _ended():
                _tell(askers[child], code)
                askers.pop(child).close()
        if listener in ready:
            asker, _ = listener.accept()
            size, streams, *_ = socket.recv_fds(asker, SIZE, 3)
            asked = asker.makefile("rb").read(int.from_bytes(size, "little"))
            child = os.fork() if asked else None  # else it has hung up
            if child is None:
                asker.close()
                continue
            if child == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                signal.set_wakeup_fd(-1)
                for each in (listener, woken, wakes, asker, *askers.values()):
                    each.close()
                _end(_code_of(*marshal.loads(asked), streams))
            for stream in streams:
                os.close(stream)
            askers[child] = asker
            _tell(asker, child)


def _tell(asker: socket.socket, number: int) -> None:
    with suppress(OSError):  # has hung up
        asker.sendall(number.to_bytes(SIZE, "little", signed=True))


def _ended() -> Iterator[tuple[int, int]]:
    """The children that have ended, and their exit codes."""
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            yield ended[0], os.waitstatus_to_exitcode(ended[1])


def _code_of(
    given: Sequence[str], cwd: str, environment: Mapping[str, str], streams: Sequence[int]
) -> int:
    """Be the program; its exit code, as Python has it."""
    try:
        _be(given, cwd, environment, streams)
    except SystemExit as error:
        if error.code is None or isinstance(error.code, int):
            return error.code or 0
        print(error.code, file=sys.stderr)
        return 1
    except BaseException:  # noqa: BLE001  whatever else a program ends with
        sys.excepthook(*sys.exc_info())
        return 1
    return 0


def _be(
    given: Sequence[str], cwd: str, environment: Mapping[str, str], streams: Sequence[int]
) -> None:
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None  # as the environment has it
    for number, (stream, name) in enumerate(
        zip(streams, ("stdin", "stdout", "stderr"), strict=True)
    ):
        os.dup2(stream, number)
        os.close(stream)
        old, mode = getattr(sys, name), "w" if number else "r"
        new = open(number, mode, 1 if number == 2 else -1, old.encoding, old.errors, closefd=False)  # noqa: SIM115  the program uses it to its end
        setattr(sys, name, new)
        setattr(sys, f"__{name}__", new)
    sys.argv = list(given)
    if given[0] == "-c":
        sys.path[0], sys.modules["__main__"] = "", ModuleType("__main__")
        exec(sys.argv.pop(1), vars(sys.modules["__main__"]))
    elif os.sep in given[0]:
        sys.path[0] = str(Path(given[0]).parent)
        runpy.run_path(given[0], run_name="__main__")
    else:
        sys.path[0] = cwd
        runpy.run_module(given[0], run_name="__main__", alter_sys=True)


def _end(code: int) -> NoReturn:
    """End this process as Python does, but free no memory, which takes longer than most programs."""
    threading._shutdown()  # waits for threads; nothing public does
    atexit._run_exitfuncs()  # the same
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()
    os._exit(code & 0xFF)


if __name__ == "__main__":
    _be_parent(sys.argv[1])

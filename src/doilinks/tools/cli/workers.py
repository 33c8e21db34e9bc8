"""Reads files in several processes at once, and gives the results in the order of the files.

``ProcessPoolExecutor`` would lose files: if one process is killed, it does not say which file that
process was reading, and gives up all others. Its processes never end if this one is killed.
"""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Final, Generic, TypeVar

from ...sources import Source

_T = TypeVar("_T")

# A process gets this many files at once. It sends the result of each file by itself, so it is known
# in which file it was when it ended.
_AT_ONCE: Final = 8


def in_processes(
    sources: Sequence[Source], task: Callable[[Source], _T], failed: Callable[[str], _T], jobs: int
) -> Iterator[_T]:
    """Read files in up to ``jobs`` processes. Yields the results in the order of the files.

    If a process is killed, the file that it was reading has failed, and another process reads the
    files after it. Without a process that starts, all files are read in this one.
    """
    chunks = (range(len(sources))[at : at + _AT_ONCE] for at in range(0, len(sources), _AT_ONCE))
    pool = _Pool(sources, task, failed, jobs, deque(map(deque, chunks)))
    try:
        for number in range(len(sources)):
            while number not in pool.done:
                pool.step()
            yield pool.done.pop(number)
    finally:
        pool.end()


@dataclass
class _Worker:
    """A process, and the numbers of the files that it has not read yet."""

    process: BaseProcess
    ready: bool = False
    todo: deque[int] = field(default_factory=deque)


@dataclass
class _Pool(Generic[_T]):
    sources: Sequence[Source]
    task: Callable[[Source], _T]
    failed: Callable[[str], _T]
    jobs: int
    waiting: deque[deque[int]]
    done: dict[int, _T] = field(default_factory=dict)
    workers: dict[Connection, _Worker] = field(default_factory=dict)

    def step(self) -> None:
        """Keep the processes busy, and wait for results."""
        idle = [(at, worker) for at, worker in self.workers.items() if not worker.todo]
        for connection, worker in idle:
            if worker.ready and self.waiting:
                worker.todo = self.waiting.popleft()
                # If the process has ended, it sends no results, which `_receive` notices.
                with suppress(OSError):
                    connection.send([self.sources[number] for number in worker.todo])
        for _ in range(min(self.jobs - len(self.workers), len(self.waiting) - len(idle))):
            if not self._start():
                self.jobs = len(self.workers)
                break
        if self.workers:
            self._receive()
        else:
            for number in self.waiting.popleft():
                self.done[number] = self.task(self.sources[number])

    def _receive(self) -> None:
        for connection in wait(list(self.workers)):
            assert isinstance(connection, Connection)  # noqa: S101  wait() takes other objects too
            worker = self.workers[connection]
            try:
                received = connection.recv()
            except (EOFError, OSError):
                self._ended(connection)
                continue
            if worker.ready:
                self.done[worker.todo.popleft()] = received
            worker.ready = True

    def _start(self) -> bool:
        # A process that is spawned does not depend on the threads of this one, which may show a
        # progress bar, and is the same on every system.
        context = get_context("spawn")
        here, there = context.Pipe()
        process = context.Process(target=_work, args=(there, self.task), daemon=True)
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # on Ctrl-C, this process ends it
        try:
            process.start()
        except OSError:  # there are too many processes, or there is no memory for one
            here.close()
            return False
        finally:
            signal.signal(signal.SIGINT, before)
            there.close()
        self.workers[here] = _Worker(process)
        return True

    def _ended(self, connection: Connection) -> None:
        worker = self.workers.pop(connection)
        connection.close()
        worker.process.join()
        code = worker.process.exitcode or 0
        worker.process.close()
        if not worker.ready:
            self.jobs = len(self.workers)  # the next one would not start either
        elif worker.todo:
            how = f"killed (signal {-code})" if code < 0 else f"ended (exit code {code})"
            self.done[worker.todo.popleft()] = self.failed(f"the process that read it was {how}")
            if worker.todo:
                self.waiting.appendleft(worker.todo)

    def end(self) -> None:
        """End all processes."""
        for connection, worker in self.workers.items():
            connection.close()
            worker.process.terminate()
        for worker in self.workers.values():
            worker.process.join()
            worker.process.close()


def _work(connection: Connection, task: Callable[[Source], Any]) -> None:
    try:
        connection.send(None)
        while True:
            for source in connection.recv():
                connection.send(task(source))
    except (EOFError, OSError):  # the other process has ended
        return

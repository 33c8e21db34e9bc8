"""The loop that sends requests: steps say what to ask and make the client; they learn each answer.

The check of names, the check of works and the search for works are steps. The loop has what all
of them need: a client in a thread of its own, earlier answers, the lock file and Ctrl-C.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from abc import ABC, abstractmethod
from collections.abc import (
    Callable,
    Collection,
    Coroutine,
    Iterable,
    Iterator,
    MutableMapping,
    Sequence,
)
from contextlib import contextmanager, suppress
from typing import Any, Final, Generic, Protocol, Self, TypeVar

from ..core.options import Options
from ..core.printable import describe
from ..lock.lockfile import Lockfile
from .net.client import Answer, Network, lost
from .net.transport import Unusable

_T = TypeVar("_T")
Q = TypeVar("Q")  # the subject of a request: a name, or a text

# Called with the number of answers, the number of requests, and the seconds of a pause, mostly 0.
Progress = Callable[[int, int, float], object]


def silent(*_: Any) -> None:
    """Report no progress, whatever the arguments."""


class Server(Protocol):
    """A client of a server; an asynchronous context manager."""

    @property
    def requests(self) -> int:
        """Requests sent."""

    @property
    def pause(self) -> float:
        """Seconds to wait, as the server asks; mostly 0."""

    async def __aenter__(self) -> Self: ...
    async def __aexit__(self, *_: object) -> None: ...
    async def resolve(self, asked: Any, /) -> Answer:
        """Ask about one name or text."""


_POLL: Final = 0.2  # seconds; on Windows a wait without a limit cannot be interrupted
_FAREWELL: Final = 2.0  # seconds to close connections


class Session:
    """Runs a client in a thread of its own, so that synchronous code can iterate over answers.

    So a caller may have a running event loop itself, and its thread stays free to handle Ctrl-C. A
    context manager after :meth:`open`.

    :ivar fault: the exception that ended the requests early, or None
    """

    def __init__(self, make: Callable[[], Server], at_once: int) -> None:
        self._make, self._at_once = make, at_once
        self.fault: Exception | None = None

    def open(self) -> None:
        """Start the thread and the client; raise Unusable if one of them cannot start."""
        self._loop = asyncio.new_event_loop()
        # A fault ends the check and is reported once. asyncio would write the faults of other
        # requests to standard error, with their texts.
        self._loop.set_exception_handler(lambda _loop, _context: None)
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

        async def opened() -> Server:
            made = self._make()
            await made.__aenter__()
            return made

        try:
            try:
                self._thread.start()
            except RuntimeError as error:
                raise Unusable("the system has no more threads") from error
            self.client = self._run(opened())
        except BaseException:
            self._stop()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        async def close() -> None:
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            await self.client.__aexit__(None, None, None)

        try:
            # All requests have ended by now, so neither a timeout nor an error here matters.
            with suppress(Exception):
                self._run(close(), _FAREWELL)
        finally:
            self._stop()

    def answers(
        self, names: Collection[Q], progress: Progress = silent
    ) -> Iterator[tuple[Q, Answer]]:
        """Ask about every name, and yield each with its answer as soon as it arrives."""
        answered: queue.SimpleQueue[tuple[Q, Answer] | None] = queue.SimpleQueue()
        left = iter(names)
        done, total = 0, len(names)

        async def work() -> None:
            for each in left:
                answered.put((each, await self.client.resolve(each)))

        async def ask_all() -> None:
            try:
                async with asyncio.TaskGroup() as workers:
                    for _ in range(min(self._at_once, total)):
                        workers.create_task(work())
            finally:
                answered.put(None)

        asking = asyncio.run_coroutine_threadsafe(ask_all(), self._loop)
        progress(0, total, 0)
        while True:
            try:
                item = answered.get(timeout=_POLL)
            except queue.Empty:
                if (seconds := self.client.pause) > 0:
                    progress(done, total, seconds)
                continue
            if item is None:
                break
            yield item
            done += 1
            progress(done, total, 0)
        # A fault of ours, or a library of another version: the answers so far still count.
        if isinstance(error := asking.exception(), Exception):
            self.fault = error

    def _run(self, work: Coroutine[Any, Any, _T], limit: float | None = None) -> _T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(limit)

    def _stop(self) -> None:
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(_FAREWELL)
        if not self._thread.is_alive():
            self._loop.close()


class AskStep(ABC, Generic[Q]):
    """One kind of request.

    :ivar answers: the answers of earlier runs, which are not asked for again
    """

    def __init__(self) -> None:
        self.answers: MutableMapping[Q, Answer] = {}

    @abstractmethod
    def wanted(self, *, update: bool) -> Iterable[Q]:
        """Yield the names or texts to ask about; with ``update``, also those in the lock file."""

    @abstractmethod
    def connect(self, asked: Sequence[Q], network: Network) -> Server:
        """Make the client for these requests."""

    @abstractmethod
    def learn(self, asked: Q, answer: Answer, *, new: bool) -> None:
        """Take an answer; keep it in the lock file if it is new."""

    def follow(self, session: Session) -> None:
        """Send further requests, on which the answers of this step decide."""

    def end(self, asked: Iterable[Q], trouble: str) -> None:
        """Handle the end of the answers; ``trouble`` says why there was no connection."""
        for one in asked if trouble else ():
            self.learn(one, lost(trouble), new=False)


class Loop:
    """Runs steps one after another: the answers of one step decide what the next one asks.

    :param progress: called with the number of answers, the number of requests, and the seconds of
        a pause; an exception that it raises ends the loop
    :ivar requests: the number of requests that were sent
    :ivar fault: a fault of doilinks that has ended the loop early, or None
    """

    def __init__(
        self, options: Options, lockfile: Lockfile, network: Network, progress: Progress = silent
    ) -> None:
        self._options, self._lockfile = options, lockfile
        self._network, self._progress = network, progress
        self.requests = 0
        self.fault: Exception | None = None

    def run(self, steps: Iterable[AskStep[Any]], *, update: bool = False) -> None:
        """Ask what each step wants to know, and give it the answers."""
        for step in steps:
            asked = []
            for one in step.wanted(update=update):
                if not update and one in step.answers:
                    step.learn(one, step.answers[one], new=False)
                else:
                    asked.append(one)
            trouble = self._ask(step, asked) if asked else ""
            if self.fault is not None:
                return
            if asked:
                step.end(asked, trouble)

    def _ask(self, step: AskStep[Any], asked: list[Any]) -> str:
        """Ask, and learn each answer; return why no connection is possible, or ``""``."""
        session = Session(
            lambda: step.connect(asked, self._network), self._options.check_concurrency
        )
        try:
            session.open()
        except Unusable as error:
            return str(error)
        except OSError as error:  # no files are left; its text may be anything
            return f"cannot set up the connection: {describe(error)}"
        except Exception as error:  # noqa: BLE001  a fault of ours, or a library of another version
            self.fault = error
            return ""
        with session:
            try:
                for one, answer in session.answers(asked, self._progress):
                    step.answers[one] = answer
                    step.learn(one, answer, new=True)
                    self._lockfile.keep_if_late()
                step.follow(session)
            finally:
                self.requests += session.client.requests
                self.fault = session.fault
        return ""


@contextmanager
def saving(lockfile: Lockfile) -> Iterator[None]:
    """Save new answers in the lock file when the block ends, also after an exception."""
    interrupted = False
    try:
        yield
    except KeyboardInterrupt:
        interrupted = True
        raise
    finally:
        lockfile.keep(soon=interrupted)


def agent() -> str:
    """Return the user agent that requests name."""
    from .. import __version__

    return f"doilinks/{__version__}"

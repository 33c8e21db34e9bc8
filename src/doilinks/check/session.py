"""A session with the API for synchronous callers: yields answers as they arrive.

The event loop runs in its own thread. So a caller may have a running loop itself, and its thread
stays free to handle Ctrl-C.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import suppress
from typing import Any, Final, Generic, NamedTuple, Protocol, Self, TypeVar

from ..core.doi import DOI

__all__ = ["Session", "Told"]

_T = TypeVar("_T")


class Told(NamedTuple):
    """What a caller wants to be told meanwhile; see :func:`~doilinks.check.check`."""

    progress: Callable[[int, int], None]
    waiting: Callable[[float], None]


class Asks(Protocol):
    """What can be asked about names: the Handle API or the agencies; a context manager."""

    @property
    def pause(self) -> float: ...
    async def resolve(self, doi: DOI) -> Any: ...
    async def __aenter__(self) -> Any: ...
    async def __aexit__(self, *_: object) -> None: ...


_R = TypeVar("_R", bound=Asks)
_POLL: Final = 0.2  # seconds; on Windows a wait without a limit cannot be interrupted
_FAREWELL: Final = 2.0  # seconds to close connections


class Session(Generic[_R]):
    """A resolver in its own thread; a context manager after :meth:`open`.

    :param resolver: makes the resolver
    :param waiting: called with the seconds that a server still wants to be left alone, now and then
    """

    def __init__(
        self, resolver: Callable[[], _R], at_once: int, waiting: Callable[[float], None]
    ) -> None:
        self._make, self._at_once, self._waiting = resolver, at_once, waiting

    def open(self) -> None:
        """Start.

        :raises Unusable: as the resolver does
        :raises OSError, RuntimeError: if the system has no more files or threads
        """
        self._loop = asyncio.new_event_loop()
        # A fault ends the check and is reported once. asyncio would write the faults of other
        # questions to standard error, with their texts.
        self._loop.set_exception_handler(lambda _loop, _context: None)
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        try:
            self._thread.start()
            self.resolver = self._run(self._open())
        except BaseException:
            self._stop()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            # All questions are answered by now, so neither a timeout nor an error here matters.
            with suppress(Exception):
                self._run(self._close(), _FAREWELL)
        finally:
            self._stop()

    def answers(self, names: Iterable[DOI]) -> Iterator[tuple[DOI, Any]]:
        """Ask about every name; yields each with its answer as soon as it arrives."""
        answered: queue.SimpleQueue[tuple[DOI, Any] | None] = queue.SimpleQueue()
        asking = asyncio.run_coroutine_threadsafe(
            self._ask_all(iter(names), answered.put), self._loop
        )
        while (item := self._next(answered)) is not None:
            yield item
        asking.result()

    def _next(self, answered: queue.SimpleQueue[_T]) -> _T:
        while True:
            try:
                return answered.get(timeout=_POLL)
            except queue.Empty:
                if (seconds := self.resolver.pause) > 0:
                    self._waiting(seconds)

    async def _ask_all(
        self, names: Iterator[DOI], put: Callable[[tuple[DOI, Any] | None], None]
    ) -> None:
        async def worker() -> None:
            for doi in names:
                put((doi, await self.resolver.resolve(doi)))

        try:
            async with asyncio.TaskGroup() as workers:
                for _ in range(self._at_once):
                    workers.create_task(worker())
        finally:
            put(None)

    async def _open(self) -> _R:
        made = self._make()
        await made.__aenter__()
        return made

    async def _close(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await self.resolver.__aexit__(None, None, None)

    def _run(self, work: Coroutine[Any, Any, _T], limit: float | None = None) -> _T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(limit)

    def _stop(self) -> None:
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(_FAREWELL)
        if not self._thread.is_alive():
            self._loop.close()

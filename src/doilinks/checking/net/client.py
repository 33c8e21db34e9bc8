"""The polite client: how much to ask at once, when to ask again, and when to stop asking.

At most ``check_concurrency`` questions run at once. ``check_timeout`` limits each attempt, and
``check_time_limit`` all of them. Retries have back-off and jitter. If the server asks for a pause,
all questions wait; if nothing answers any more, the rest is not asked.

It uses asyncio and not threads, because a running question can be cancelled: by a time limit, even
if a server sends a byte a second, and by Ctrl-C.
"""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections.abc import Awaitable, Callable
from typing import Final, Generic, NamedTuple, Protocol, Self, TypeVar

import httpx
from tenacity import AsyncRetrying, RetryCallState, retry_if_result, stop_after_attempt

from ...core.options import Options
from .transport import Manners, Reply, Transport, Turns

LONGEST: Final = 1 << 16  # characters of an address; httpx takes no more
_WAIT_LIMIT: Final = 60.0  # seconds; a server that asks for more is not asked again
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 20.0
# Heuristic: the client stops after this many attempts in a row without a connection, or this many
# attempts without an answer for each question that may run at the same time.
_UNCONNECTED_LIMIT: Final = 5
_LOST_LIMIT: Final = 5

Sleep = Callable[[float], Awaitable[None]]


class Judged(Protocol):
    """What the client has to know about the caller's reading of a reply.

    :ivar reason: why the reply is not an answer, a phrase
    :ivar again: asking again may help
    :ivar lost: the reply is not an answer of any kind, so the server may not be there
    """

    @property
    def reason(self) -> str: ...  # noqa: D102
    @property
    def again(self) -> bool: ...  # noqa: D102
    @property
    def lost(self) -> bool: ...  # noqa: D102


_J = TypeVar("_J", bound=Judged)


class _Heard(NamedTuple, Generic[_J]):
    judged: _J
    wait: float | None = None


class Client:
    """Connections to one server; an asynchronous context manager.

    :param options: ``check_concurrency``, ``check_retries``, ``check_timeout``,
        ``check_time_limit``
    :param manners: how the server is to be asked
    :param sleep, clock: wait, and tell the time
    :ivar stopped: why nothing is asked any more, or ``""``
    :raises Unusable: on entering, if no connection is possible with the environment
    """

    def __init__(
        self,
        options: Options,
        user_agent: str,
        manners: Manners | None = None,
        *,
        sleep: Sleep = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._options = options
        self._manners = manners or Manners()
        self._transport = Transport(user_agent, options.check_timeout, self._manners)
        self._sleep, self._clock = sleep, clock
        self._not_before = 0.0
        self._lost = self._unconnected = 0
        self.stopped = ""
        self._retrying = AsyncRetrying(
            sleep=self._pause,
            wait=_wait,
            stop=stop_after_attempt(options.check_retries + 1),
            retry=retry_if_result(lambda heard: heard.judged.again and not self.stopped),
            retry_error_callback=lambda state: state.outcome.result() if state.outcome else None,
        )

    async def __aenter__(self) -> Self:
        self._deadline = self._clock() + (self._options.check_time_limit or math.inf)
        most = self._options.check_concurrency
        self._turns = Turns(self._manners.at_once or most, most, self._manners.every)
        await self._transport.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._transport.__aexit__(*error)

    @property
    def requests(self) -> int:
        """The number of requests sent."""
        return self._transport.requests

    @property
    def pause(self) -> float:
        """Seconds that the server still wants to be left alone."""
        return 0.0 if self.stopped else max(0.0, self._not_before - self._clock())

    async def ask(self, address: str, judge: Callable[[Reply], _J]) -> _J:
        """Ask for an address, and again as the options and ``judge`` say.

        :param address: of at most :data:`LONGEST` characters
        :param judge: what to make of a reply, also of one that says why nothing was asked
        """
        # A copy, because a retrying object keeps the state of its one call.
        heard: _Heard[_J] = await self._retrying.copy()(self._attempt, httpx.URL(address), judge)
        return heard.judged

    async def _attempt(self, url: httpx.URL, judge: Callable[[Reply], _J]) -> _Heard[_J]:
        async with self._turns:
            if wait := self._turns.pause(self._clock()):
                await self._pause(wait)
            while not self.stopped and (wait := self._not_before - self._clock()) > 0:
                await self._pause(wait)
            left = self._deadline - self._clock()
            if left <= 0:
                self._stop_late()
            if self.stopped:
                return _Heard(judge(Reply(trouble=self.stopped)))
            reply = await self._transport.get(url, min(self._options.check_timeout, left))
            self._turns.heed(reply.limits)
            judged = judge(reply)
            heard = _Heard(judged, reply.wait if judged.again else None)
            self._consider(heard, reached=reply.reached)
        return heard

    async def _pause(self, seconds: float) -> None:
        """Wait, unless the time limit of the whole check comes first."""
        if self._clock() + seconds < self._deadline:
            await self._sleep(seconds)
        else:
            self._stop_late()

    def _stop_late(self) -> None:
        limit = self._options.check_time_limit
        name = self._options.spelled("check_time_limit")
        self.stopped = self.stopped or f"{name}, {limit:g} seconds, was over"

    def _consider(self, heard: _Heard[_J], *, reached: bool) -> None:
        """Stop if asking is useless; let all questions wait if the server asks for a pause."""
        judged, wait = heard
        self._lost = self._lost + 1 if judged.lost else 0
        self._unconnected = 0 if reached else self._unconnected + 1
        if wait is not None:
            self._not_before = max(self._not_before, self._clock() + wait)
        if wait is not None and wait > _WAIT_LIMIT:
            self.stopped = f"the API asks to come back in {wait:.0f} seconds"
        elif (
            self._unconnected >= _UNCONNECTED_LIMIT
            or self._lost >= _LOST_LIMIT * self._options.check_concurrency
        ):
            self.stopped = self.stopped or judged.reason


def _wait(state: RetryCallState) -> float:
    wait: float | None = state.outcome.result().wait if state.outcome else None
    if wait is not None:
        # All wait for that; the jitter keeps them from coming back at the same moment.
        return min(wait, _WAIT_LIMIT) + random.uniform(0, _FIRST_PAUSE)  # noqa: S311
    pause: float = min(_FIRST_PAUSE * 2 ** (state.attempt_number - 1), _LONGEST_PAUSE)
    return pause * random.uniform(0.5, 1.0)  # noqa: S311

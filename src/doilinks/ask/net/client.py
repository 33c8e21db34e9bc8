"""The client of one server: limits requests, retries them, and stops when there is no answer.

At most ``check_concurrency`` requests run at once. ``check_timeout`` limits each attempt, and
``check_time_limit`` all of them. Retries have back-off and jitter. If the server asks for a pause,
all requests wait; if it does not answer any more, no further request is sent.

It uses asyncio and not threads, because a running request can be cancelled: by a time limit, even
if a server sends a byte a second, and by Ctrl-C.
"""

from __future__ import annotations

import asyncio
import json
import math
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple, Self

import httpx
from tenacity import AsyncRetrying, RetryCallState, retry_if_result, stop_after_attempt

from ...core.doi import DOI
from ...core.options import Options
from .transport import Limits, ServerPolicy, Transport

LONGEST: Final = 1 << 16  # characters of an address; httpx takes no more
_WAIT_LIMIT: Final = 60.0  # seconds; a server that asks for more is not asked again
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 20.0
# Heuristic: the client stops after this many attempts in a row without a connection, or this many
# attempts without an answer for each request that may run at the same time.
_UNCONNECTED_LIMIT: Final = 5
_LOST_LIMIT: Final = 5

Sleep = Callable[[float], Awaitable[None]]


class Network(NamedTuple):
    """The user agent of requests, and the functions for time, which tests replace."""

    user_agent: str
    sleep: Sleep = asyncio.sleep
    clock: Callable[[], float] = time.monotonic


class Outcome(StrEnum):
    """The result of resolving a name."""

    FOUND = "found"
    NOT_FOUND = "not found"
    NO_VALUES = "no values"
    DELETED = "deleted"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of the Handle API or a registration agency about one name.

    :ivar reason: why there is no result, a phrase of ours; never text of the server
    :ivar alias: the name that this name stands for [RFC 3651 §3.2.4], as shortDOI names do
    :ivar lost: the answer contained no record, so the problem may be the service, not the name
    """

    outcome: Outcome
    reason: str = ""
    alias: DOI | None = None
    again: bool = False
    lost: bool = False
    value: Any = None


def unknown(reason: str, *, again: bool = False) -> Answer:
    """Build an answer that says nothing about the DOI name."""
    return Answer(Outcome.UNKNOWN, reason, again=again)


def lost(reason: str, *, again: bool = True) -> Answer:
    """Build an answer that contains no record of any kind."""
    return Answer(Outcome.UNKNOWN, reason, again=again, lost=True)


def read_json(body: bytes) -> Any:
    """Parse a body; None if it is not JSON, nests too deeply, or has a number that is too long."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


class RateLimit:
    """Limits requests to one server: how many run at once, and the least time between two.

    :param most: the highest value to which the server's own limit may raise ``at_once``
    :param every: the least number of seconds between two requests
    """

    def __init__(self, at_once: int, most: int, every: float = 0.0) -> None:
        self._limit, self._most = min(at_once, most), most
        self._every = self._least = every
        self._running, self._next, self._was_answered = 0, 0.0, False
        self._changed = asyncio.Condition()

    async def __aenter__(self) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: self._running < self._limit)
            self._running += 1

    async def __aexit__(self, *_: object) -> None:
        self._running -= 1  # also if the request was cancelled
        async with self._changed:
            self._changed.notify_all()

    def apply_limits(self, limits: Limits, now: float) -> None:
        """Apply the limits of a response. Waiting requests see them when the next one ends."""
        if limits.at_once:
            self._limit = min(limits.at_once, self._most)
        if limits.per_second:
            self._every = max(self._least, 1 / limits.per_second)
        if not self._was_answered:  # the first request arrives late, after the connection is made
            self._was_answered, self._next = True, max(self._next, now + self._every)

    def pause(self, now: float, not_before: float) -> float:
        """Return the seconds until the next request may be sent; 0 means that it is sent now."""
        pause = max(self._next, not_before) - now
        if pause <= 0:
            self._next = now + self._every
        return max(pause, 0.0)


class _Heard(NamedTuple):
    answer: Answer
    wait: float | None = None


Judge = Callable[[int, bytes], Answer]  # makes an answer of the status and body of a response


class Client:
    """Sends requests to one server, as the options say; an asynchronous context manager.

    :ivar stopped: why no further request is sent, or ``""``
    """

    def __init__(
        self, options: Options, network: Network, policy: ServerPolicy | None = None
    ) -> None:
        self._options = options
        self._policy = policy or ServerPolicy()
        self._transport = Transport(network.user_agent, options.check_timeout, self._policy)
        self._sleep, self._clock = network.sleep, network.clock
        self._not_before = 0.0
        self._lost = self._unconnected = 0
        self.stopped = ""
        self._retrying = AsyncRetrying(
            sleep=self._pause,
            wait=_wait,
            stop=stop_after_attempt(options.check_retries + 1),
            retry=retry_if_result(lambda heard: heard.answer.again and not self.stopped),
            retry_error_callback=lambda state: state.outcome.result() if state.outcome else None,
        )

    async def __aenter__(self) -> Self:
        self._deadline = self._clock() + (self._options.check_time_limit or math.inf)
        most = self._options.check_concurrency
        self._rate_limit = RateLimit(self._policy.at_once or most, most, self._policy.every)
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
        """The seconds left of a pause that the server has asked for."""
        return 0.0 if self.stopped else max(0.0, self._not_before - self._clock())

    async def ask(self, address: str, judge: Judge) -> Answer:
        """Request an address of at most :data:`LONGEST` characters; retry as ``judge`` says."""
        # A copy, because a retrying object keeps the state of its one call.
        heard: _Heard = await self._retrying.copy()(self._attempt, httpx.URL(address), judge)
        return heard.answer

    async def _attempt(self, url: httpx.URL, judge: Judge) -> _Heard:
        async with self._rate_limit:
            # When a pause is over, waiting requests go on one after another.
            while not self.stopped and (
                pause := self._rate_limit.pause(self._clock(), self._not_before)
            ):
                await self._pause(pause)
            left = self._deadline - self._clock()
            if left <= 0:
                self._stop_late()
            if self.stopped:
                return _Heard(lost(self.stopped, again=False))
            reply = await self._transport.get(url, min(self._options.check_timeout, left))
            self._rate_limit.apply_limits(reply.limits, self._clock())
            if reply.trouble:
                answer = lost(reply.trouble, again=reply.again)
            else:
                answer = judge(reply.status, reply.body)
            wait = reply.wait if answer.again else None
            # Stop if requests are useless; let all of them wait if the server asks for a pause.
            self._lost = self._lost + 1 if answer.lost else 0
            self._unconnected = 0 if reply.reached else self._unconnected + 1
            if wait is not None:
                self._not_before = max(self._not_before, self._clock() + wait)
            if wait is not None and wait > _WAIT_LIMIT:
                self.stopped = f"the API asks to come back in {wait:.0f} seconds"
            elif (
                self._unconnected >= _UNCONNECTED_LIMIT
                or self._lost >= _LOST_LIMIT * self._options.check_concurrency
            ):
                self.stopped = self.stopped or answer.reason
        return _Heard(answer, wait)

    async def _pause(self, seconds: float) -> None:
        """Wait, unless the time limit of the whole check comes first."""
        if self._clock() + seconds < self._deadline:
            await self._sleep(seconds)
        else:
            self._stop_late()

    def _stop_late(self) -> None:
        limit = self._options.check_time_limit
        name = self._options.spelled("check_time_limit")
        self.stopped = self.stopped or f"{name}, {limit:g} seconds, was reached"


def _wait(state: RetryCallState) -> float:
    wait: float | None = state.outcome.result().wait if state.outcome else None
    if wait is not None:
        # All requests wait for that; the jitter keeps them from coming back at the same moment.
        return min(wait, _WAIT_LIMIT) + random.uniform(0, _FIRST_PAUSE)  # noqa: S311
    pause: float = min(_FIRST_PAUSE * 2 ** (state.attempt_number - 1), _LONGEST_PAUSE)
    return pause * random.uniform(0.5, 1.0)  # noqa: S311

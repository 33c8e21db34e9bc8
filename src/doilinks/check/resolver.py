"""The resolver: asks the Handle API about names, politely, and never anybody else.

One connection pool, at most ``check_concurrency`` questions at once, every attempt bounded by
``check_timeout``, retries with back-off and jitter. When the server asks everybody to wait, all
wait; when nothing answers any more, the rest is not asked. Trouble is an answer, ``unknown`` with
a reason, not an exception.

asyncio rather than threads, because a running question can be cancelled: by the time limit, even
when a server sends a byte a second, and by Ctrl-C.

Spec: [URI §4].
"""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from types import TracebackType
from typing import Final, Self

import httpx
from tenacity import AsyncRetrying, RetryCallState, retry_if_result, stop_after_attempt

from ..core.doi import DOI
from ..core.options import Options
from .client import Client, Reply
from .environment import Unusable, is_usable
from .record import Answer, Outcome, lost, read_record, unknown

__all__ = ["Resolver"]

WAIT_LIMIT: Final = 60.0  # seconds; whoever asks for longer is not asked again
_LONGEST: Final = 1 << 16  # characters of an address; httpx takes no more
_ALIASES: Final = 4
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 20.0
# Heuristic: so many attempts in a row without a connection, or so many for each that is in flight
# without a record, and nothing more is asked.
_UNCONNECTED_LIMIT: Final = 5
_LOST_LIMIT: Final = 5

Sleep = Callable[[float], Awaitable[None]]


class Resolver:
    """An open connection to the Handle API; an asynchronous context manager.

    :param options: the ``check_*`` options
    :param sleep, clock: how to wait and what time it is
    :ivar answered: a record of some kind has come, so the API is there
    :ivar stopped: why nothing is asked any more, or ``""``
    :raises Unusable: on entering, when the environment or ``check_api`` names what no connection
        can be made with
    """

    def __init__(
        self,
        options: Options,
        user_agent: str,
        *,
        sleep: Sleep = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._options = options
        self._client = Client(user_agent, options.check_timeout)
        self._sleep, self._clock = sleep, clock
        self._asked: dict[DOI, asyncio.Task[Answer]] = {}
        self._not_before = 0.0
        self._lost = self._unconnected = 0
        self.answered = False
        self.stopped = ""
        retries = options.check_retries
        self._retrying = AsyncRetrying(
            sleep=self._pause,
            wait=self._wait,
            stop=stop_after_attempt(retries + 1),
            retry=retry_if_result(lambda answer: answer.again and not self.stopped),
            retry_error_callback=_give_up,
        )

    async def __aenter__(self) -> Self:
        if not is_usable(self._options.check_api):
            raise Unusable("check_api is not an address that can be asked")
        self._deadline = self._clock() + (self._options.check_time_limit or math.inf)
        self._turns = asyncio.Semaphore(self._options.check_concurrency)
        await self._client.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._client.__aexit__(kind, error, traceback)

    @property
    def requests(self) -> int:
        """Requests sent."""
        return self._client.requests

    async def resolve(self, doi: DOI) -> Answer:
        """Ask about a name, and about the name it stands for if it is an alias.

        The outcome is that of the last name; ``alias`` is the first one's target.
        """
        first = answer = await self.ask(doi)
        seen = {doi}
        while answer.alias is not None:
            if answer.alias in seen or len(seen) > _ALIASES:
                what = "a loop" if answer.alias in seen else "a chain"
                return Answer(Outcome.UNKNOWN, f"{what} of aliases", first.alias)
            seen.add(answer.alias)
            answer = await self.ask(answer.alias)
        if first.alias is None:
            return first
        return replace(answer, alias=first.alias)

    async def ask(self, doi: DOI) -> Answer:
        """Ask about one name, once however often this is called, and retry as the options say."""
        if doi not in self._asked:
            self._asked[doi] = asyncio.create_task(self._ask(doi))
        # Shielded: whoever gives up waiting does not take the answer from the others.
        return await asyncio.shield(self._asked[doi])

    async def _ask(self, doi: DOI) -> Answer:
        # A copy, because a retrying object keeps the state of its one call.
        answer: Answer = await self._retrying.copy()(self._attempt, doi)
        return answer

    async def _attempt(self, doi: DOI) -> Answer:
        address = self._options.check_api + _question(doi)
        if len(address) > _LONGEST:
            return unknown("the name is too long for a request")
        async with self._turns:
            while not self.stopped and (wait := self._not_before - self._clock()) > 0:
                await self._pause(wait)
            left = self._deadline - self._clock()
            if left <= 0:
                self._stop_late()
            if self.stopped:
                return lost(self.stopped, again=False)
            seconds = min(self._options.check_timeout, left)
            reply = await self._client.get(httpx.URL(address), seconds)
            answer = _answer(doi, reply)
            self.answered = self.answered or not answer.lost
            self._consider(answer, reached=reply.reached)
        return answer

    async def _pause(self, seconds: float) -> None:
        """Wait, unless that takes longer than the whole check may."""
        if self._clock() + seconds < self._deadline:
            await self._sleep(seconds)
        else:
            self._stop_late()

    def _stop_late(self) -> None:
        limit = self._options.check_time_limit
        self.stopped = self.stopped or f"check_time_limit, {limit:g} seconds, was over"

    def _consider(self, answer: Answer, *, reached: bool) -> None:
        """Stop asking when it is of no use, and let all wait when one was asked to."""
        self._lost = self._lost + 1 if answer.lost else 0
        self._unconnected = 0 if reached else self._unconnected + 1
        if answer.wait is not None:
            self._not_before = max(self._not_before, self._clock() + answer.wait)
        if answer.wait is not None and answer.wait > WAIT_LIMIT:
            self.stopped = f"the API asks to come back in {answer.wait:.0f} seconds"
        elif (
            self._unconnected >= _UNCONNECTED_LIMIT
            or self._lost >= _LOST_LIMIT * self._options.check_concurrency
        ):
            self.stopped = self.stopped or answer.reason

    def _wait(self, state: RetryCallState) -> float:
        answer: Answer = state.outcome.result() if state.outcome else unknown("")
        if answer.wait is not None:
            # All wait for that; the jitter keeps them from coming back at the same moment.
            return min(answer.wait, WAIT_LIMIT) + random.uniform(0, _FIRST_PAUSE)  # noqa: S311
        pause: float = min(_FIRST_PAUSE * 2 ** (state.attempt_number - 1), _LONGEST_PAUSE)
        return pause * random.uniform(0.5, 1.0)  # noqa: S311


def _answer(doi: DOI, reply: Reply) -> Answer:
    if reply.status == 429:
        return lost("asked too often, HTTP 429", wait=reply.wait)
    if reply.trouble:
        return lost(reply.trouble, again=reply.again)
    answer = read_record(doi, reply.status, reply.body)
    return replace(answer, wait=reply.wait) if answer.again else answer


def _give_up(state: RetryCallState) -> Answer:
    """The last answer, saying how often it was tried."""
    last: Answer = state.outcome.result() if state.outcome else unknown("")
    tries = f", {state.attempt_number} tries" if state.attempt_number > 1 else ""
    return replace(last, reason=last.reason + tries)


def _question(doi: DOI) -> str:
    """The scheme-specific part of the URI [URI §4].

    Clients remove a path's segments that are dots; a name that is nothing else behind its prefix
    has the slash encoded, as in a link [HB].
    """
    part = doi.uri.removeprefix("doi:")
    return part.replace("/", "%2F") if doi.suffix in (".", "..") else part

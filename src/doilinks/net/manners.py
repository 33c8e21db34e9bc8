"""Manners: how one server is to be asked, and turns: who may ask now."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

__all__ = ["NO_LIMITS", "Limits", "Manners", "Turns", "limits_in"]

_NUMBER: Final = re.compile(r"(\d{1,6})s?")


@dataclass(frozen=True, slots=True)
class Manners:
    """How a server is to be asked.

    :ivar accept: the media type that is asked for
    :ivar hosts: other servers that it may redirect to, over https only
    :ivar largest: octets of an answer
    :ivar at_once: questions at the same time until the server says how many; 0: as many as allowed
    """

    accept: str = "application/json"
    hosts: frozenset[str] = frozenset()
    largest: int = 1 << 20
    at_once: int = 0


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a server allows; 0 where it does not say.

    :ivar at_once: questions at the same time
    :ivar per_second: questions a second
    """

    at_once: int = 0
    per_second: float = 0.0


NO_LIMITS: Final = Limits()


def limits_in(headers: Mapping[str, str]) -> Limits:
    """The limits in the headers of an answer.

    Source: ``x-rate-limit-limit``, ``x-rate-limit-interval`` and ``x-concurrency-limit`` of the
    REST API of Crossref.

    >>> limits_in({"x-rate-limit-limit": "10", "x-rate-limit-interval": "1s"}).per_second
    10.0
    """

    def number(name: str) -> int:
        found = _NUMBER.fullmatch(headers.get(name, "").strip())
        return int(found[1]) if found else 0

    questions, seconds = number("x-rate-limit-limit"), number("x-rate-limit-interval")
    return Limits(number("x-concurrency-limit"), questions / seconds if seconds else 0.0)


class Turns:
    """Who may ask now: at most ``at_once`` at the same time, one after another if there is a pace.

    :param at_once: questions at the same time
    :param most: the most that the server's own limit may raise it to
    """

    def __init__(self, at_once: int, most: int) -> None:
        self._limit, self._most = min(at_once, most), most
        self._running = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._every = 0.0
        self._next = 0.0

    async def __aenter__(self) -> None:
        while self._running >= self._limit:
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                self._wake()
                raise
        self._running += 1

    async def __aexit__(self, *_: object) -> None:
        self._running -= 1
        self._wake()

    def heed(self, limits: Limits) -> None:
        """Ask no more than the server allows."""
        if limits.at_once:
            self._limit = min(limits.at_once, self._most)
            self._wake()
        if limits.per_second:
            self._every = 1 / limits.per_second

    def pause(self, now: float) -> float:
        """Seconds until the next question may be sent, which is then taken to be sent."""
        if not self._every:
            return 0.0
        at = max(now, self._next)
        self._next = at + self._every
        return at - now

    def _wake(self) -> None:
        free = self._limit - self._running
        while self._waiting and free > 0:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                free -= 1

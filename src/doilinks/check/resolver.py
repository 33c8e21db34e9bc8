"""The resolver: asks the Handle API about names, and asks no other server.

It asks about each name once, also about a name that another one stands for. Trouble is an answer,
``unknown`` with a reason, not an exception.

Spec: [URI §4].
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final, Self

from ..core.doi import DOI
from ..core.options import Options
from ..net import LONGEST, Client, Reply, Sleep, Unusable, is_usable
from .record import Answer, Outcome, lost, read_record, unknown

__all__ = ["Resolver"]

_ALIASES: Final = 4


class Resolver:
    """An open connection to the Handle API; an asynchronous context manager.

    :param options: the ``check_*`` options
    :param sleep, clock: wait, and tell the time
    :ivar answered: whether any record has arrived, so that the API is there
    :raises Unusable: on entering, if no connection is possible with the environment or
        ``check_api``
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
        self._client = Client(options, user_agent, sleep=sleep, clock=clock)
        self._asked: dict[DOI, asyncio.Task[Answer]] = {}
        self.answered = False

    async def __aenter__(self) -> Self:
        if not is_usable(self._options.check_api):
            name = self._options.spelled("check_api")
            raise Unusable(f"{name} is not an address that can be asked")
        await self._client.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._client.__aexit__(*error)

    @property
    def requests(self) -> int:
        """The number of requests sent."""
        return self._client.requests

    @property
    def pause(self) -> float:
        """Seconds that the server still wants to be left alone."""
        return self._client.pause

    @property
    def stopped(self) -> str:
        """Why nothing is asked any more, or ``""``."""
        return self._client.stopped

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
        """Ask about one name, once however often this is called."""
        if doi not in self._asked:
            self._asked[doi] = asyncio.create_task(self._ask(doi))
        # Shielded: if one caller is cancelled, the others still get the answer.
        return await asyncio.shield(self._asked[doi])

    async def _ask(self, doi: DOI) -> Answer:
        address = doi.api_at(self._options.check_api)
        if len(address) > LONGEST:
            return unknown("the name is too long for a request")
        answer = await self._client.ask(address, partial(self._judge, doi))
        if answer.again and self._options.check_retries and not self.stopped:
            tries = self._options.check_retries + 1
            return replace(answer, reason=f"{answer.reason}, {tries} tries")
        return answer

    def _judge(self, doi: DOI, reply: Reply) -> Answer:
        if reply.trouble:
            return lost(reply.trouble, again=reply.again)
        answer = read_record(doi, reply.status, reply.body)
        self.answered = self.answered or not answer.lost
        return answer

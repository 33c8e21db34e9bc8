"""The resolver: asks the Handle API about names, and asks no other server.

It asks about each name once, also about a name that another one stands for. Trouble is an answer,
``unknown`` with a reason, not an exception.

Spec: [URI §4].
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Final, Self

from ...core.doi import DOI, InvalidDOI
from ...core.options import Options
from ...record.plain import mappings
from ..net.client import LONGEST, Answer, Client, Network, Outcome, lost, read_json, unknown
from ..net.transport import Unusable, is_usable

# [URI §4]: each response code goes with one HTTP status.
_MEANINGS: Final = {
    (200, 1): Outcome.FOUND,
    (404, 100): Outcome.NOT_FOUND,
    (200, 200): Outcome.NO_VALUES,
}
_SERVER_ERROR: Final = (500, 2)
# Where agencies let the link of a deleted name lead, as they cannot take it out of the system.
# Source: https://support.datacite.org/docs/tombstone-pages; what Crossref and DataCite answer.
_DELETED: Final = re.compile(
    r"https?://(?:www\.)?(?:crossref\.org/(?:deleted_doi\.html|_deleted-doi)"
    r"|datacite\.org/invalid(?:doi|\.html))/?",
    re.IGNORECASE,
)


def read_record(doi: DOI, status: int, body: bytes) -> Answer:
    """Read one answer about ``doi``. Never raises.

    One that is not exactly what the specification describes is ``unknown``: it never makes a build
    fail by mistake, and never lets a wrong name pass.
    """
    record = read_json(body)
    code = record.get("responseCode") if isinstance(record, dict) else None
    if not isinstance(record, dict) or type(code) is not int:
        again = status < 300 or status >= 500
        return lost(f"HTTP {status} without a Handle record", again=again)
    if (status, code) == _SERVER_ERROR:
        return unknown("the API reports a server error", again=True)
    outcome = _MEANINGS.get((status, code))
    if outcome is None:
        return unknown(f"HTTP {status} with response code {str(code)[:9]}", again=status >= 500)
    handle = record.get("handle")
    if not isinstance(handle, str) or _name(handle) != doi:
        return unknown("the answer is about another name")
    if outcome is not Outcome.FOUND:
        return Answer(outcome)
    targets, urls = (_values(record, kind) for kind in ("HS_ALIAS", "URL"))
    if targets:  # [RFC 3651 §3.2.4]
        name = _name(targets[0])
        return Answer(outcome, alias=name) if name else unknown("an alias that is not a DOI name")
    is_deleted = bool(urls) and all(map(_DELETED.fullmatch, urls))
    return Answer(Outcome.DELETED if is_deleted else outcome)


def _values(record: Mapping[str, object], kind: str) -> list[str]:
    """Return the texts of a record's values of one type; ``""`` for what is no text."""
    values = mappings(record.get("values"))
    found = (each.get("data") for each in values if each.get("type") == kind)
    texts = (data.get("value") if isinstance(data, dict) else data for data in found)
    return [text if isinstance(text, str) else "" for text in texts]


def _name(text: str) -> DOI | None:
    try:
        return DOI(text)
    except InvalidDOI:
        return None


_ALIASES: Final = 4


class Resolver(Client):
    """An open connection to the Handle API.

    :ivar answered: whether any record has arrived, so that the API is there
    """

    def __init__(self, options: Options, network: Network) -> None:
        super().__init__(options, network)
        self._asked: dict[DOI, asyncio.Task[Answer]] = {}
        self.answered = False

    async def __aenter__(self) -> Self:
        if not is_usable(self._options.check_api):
            name = self._options.spelled("check_api")
            raise Unusable(f"{name} is not an address that can be asked")
        return await super().__aenter__()

    async def resolve(self, doi: DOI) -> Answer:
        """Ask about a name, and about the name it stands for if it is an alias.

        The outcome is that of the last name, which ``alias`` is. The work has its record there.
        """
        answer, names = await self._once(doi), [doi]
        while answer.alias is not None:
            is_loop = answer.alias in names
            names.append(answer.alias)
            if is_loop or len(names) > _ALIASES + 1:
                what = "a loop" if is_loop else "a chain"
                return Answer(Outcome.UNKNOWN, f"{what} of aliases", names[1])
            answer = await self._once(answer.alias)
        return replace(answer, alias=names[-1] if len(names) > 1 else None)

    async def _once(self, doi: DOI) -> Answer:
        """Ask about one name, once however often this is called."""
        if doi not in self._asked:
            self._asked[doi] = asyncio.create_task(self._ask(doi))
        # Shielded: if one caller is cancelled, the others still get the answer.
        return await asyncio.shield(self._asked[doi])

    async def _ask(self, doi: DOI) -> Answer:
        address = doi.api_at(self._options.check_api)
        if len(address) > LONGEST:
            return unknown("the name is too long for a request")
        answer = await self.ask(address, partial(self._judge, doi))
        if answer.again and self._options.check_retries and not self.stopped:
            tries = self._options.check_retries + 1
            return replace(answer, reason=f"{answer.reason}, {tries} tries")
        return answer

    def _judge(self, doi: DOI, status: int, body: bytes) -> Answer:
        answer = read_record(doi, status, body)
        self.answered = self.answered or not answer.lost
        return answer

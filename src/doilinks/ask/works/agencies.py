"""Asks registration agencies for the work of a name, and never asks the publisher.

First, doi.org says which agency registers names with a prefix. Then Crossref and DataCite are asked
in their own interfaces; the others by content negotiation at doi.org, which redirects to them.
Trouble is an :class:`~doilinks.ask.names.api.Answer` with a reason, not an exception.

Sources: https://www.doi.org/doiRA (many prefixes with commas between them),
https://api.crossref.org, https://api.datacite.org, https://citation.crosscite.org/docs.html.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from typing import Final, Self
from urllib.parse import urlencode, urlsplit

from ...core.doi import DOI
from ...core.options import Options
from ...core.printable import public
from ...record.plain import mappings
from ...record.work import Work, doi_in, fields_of
from ..net.client import LONGEST, Answer, Client, Judge, Network, Outcome, lost, read_json, unknown
from ..net.transport import ServerPolicy, Unusable, is_usable
from .newer import newer_than, relations_of

_GONE: Final = (404, 410)
_NO_RECORD: Final = "the agency has no record"


def read_work(doi: DOI, status: int, body: bytes) -> Answer:
    """Read an answer of Crossref, DataCite or content negotiation about ``doi``. Never raises.

    ``found`` has the work as its value; ``no values`` has a reason, and so has ``not found``. What
    is not a record of the name that was asked for is unknown.
    """
    if status in _GONE:
        return Answer(Outcome.NOT_FOUND, _NO_RECORD)
    record = read_json(body) if status == 200 else None
    if not isinstance(record, dict):
        again = status == 429 or status >= 500
        return lost(f"HTTP {status} without a record", again=again)
    names = set(_names(record))
    if names and doi not in names:
        return unknown("the record is that of another name")
    work = replace(Work.of(record), relations=relations_of(record))
    if not names or not work.is_known:
        return Answer(Outcome.NO_VALUES, "the record says neither title nor author")
    return Answer(Outcome.FOUND, value=work)


def read_works(status: int, body: bytes) -> Answer:
    """Read the results of a search as names with works. Never raises."""
    record = read_json(body) if status == 200 else None
    record = record if isinstance(record, dict) else {}
    message = record.get("message")
    items = message.get("items") if isinstance(message, dict) else record.get("data")
    if not isinstance(items, list):
        return lost(f"HTTP {status} without works", again=status == 429 or status >= 500)
    found = ((item, next(iter(_names(item)), None)) for item in mappings(items, _ROWS))
    works = [(doi, Work.of(item)) for item, doi in found if doi]
    return Answer(Outcome.FOUND, value=works)


def _names(record: Mapping[str, object]) -> Iterable[DOI]:
    """Return the DOI names that a record is about; Crossref lists merged ones as aliases."""
    inside = fields_of(record)
    aliases = inside.get("aliases")
    names = inside.get("DOI"), inside.get("doi"), *(aliases if isinstance(aliases, list) else ())
    return filter(None, map(doi_in, names))


_CSL: Final = "application/vnd.citationstyles.csl+json"
# Servers to which doi.org redirects requests for CSL-JSON, as the agencies document it.
_NEGOTIATED: Final = frozenset((
    "api.crossref.org", "data.crossref.org", "data.crosscite.org", "data.datacite.org",
    "data.medra.org",
))  # fmt: skip
_LARGEST: Final = 4 << 20  # octets; a record with 3,000 authors and all its references has 2
_PREFIXES: Final = 50  # in one request
_CROSSREF, _DATACITE, _DOI = "Crossref", "DataCite", "doi.org"
_LISTS: Final = "lists"  # the client for searches, whose answers are lists
_ADDRESSES: Final = {
    _CROSSREF: "https://api.crossref.org/works/",
    _DATACITE: "https://api.datacite.org/dois/",
    _DOI: "https://doi.org/",
}
_ROWS: Final = 5  # results of a search
_LISTS_EVERY: Final = 0.4  # seconds; Crossref allows three searches a second, some arrive late
_LUCENE: Final = frozenset({"and", "or", "not", "to"})
# The fields of these that Work.of reads, as far as Crossref selects them: not language, edition and
# institution. https://api.crossref.org/swagger-ui/ lists all.
_FIELDS: Final = (
    "DOI,title,subtitle,original-title,short-title,author,editor,translator,issued,published,"
    "published-print,published-online,posted,approved,type,container-title,short-container-title,"
    "volume,issue,page,article-number,publisher,publisher-location,group-title,update-to,updated-by"
)
_PATHS: Final = {_CROSSREF: "works/", _DATACITE: "dois/", _DOI: ""}  # of ``check_works_api``


class Agencies:
    """Open connections to the registration agencies; an asynchronous context manager.

    :param options: the ``check_*`` options
    :param names: the names that will be asked about
    :param agencies: the registration agency of each prefix for which it is known
    :param alias: gives the name that a name stands for, whose record the agencies have
    :ivar agencies: the same, and those that doi.org has named since
    :raises Unusable: on entering, when no connection can be made
    """

    def __init__(
        self,
        options: Options,
        network: Network,
        names: Iterable[DOI],
        agencies: Mapping[str, str],
        alias: Callable[[DOI], DOI | None] = lambda _doi: None,
    ) -> None:
        self._base = options.check_works_api
        self.agencies, self._alias = dict(agencies), alias
        self._unknown = sorted({(alias(doi) or doi).prefix for doi in names} - agencies.keys())
        mail = options.check_mail
        agent = network.user_agent + (f" (mailto:{mail})" if mail else "")

        def client(policy: ServerPolicy) -> Client:
            return Client(options, network._replace(user_agent=agent), policy)

        # Until it says more, Crossref answers one request at a time, or three with an address.
        at_once = 0 if self._base else 3 if mail else 1
        every = 0.0 if self._base else _LISTS_EVERY
        self._which = client(ServerPolicy(at_once=1))
        self._clients = {
            _CROSSREF: client(ServerPolicy(largest=_LARGEST, at_once=at_once)),
            _DATACITE: client(ServerPolicy(largest=_LARGEST, at_once=0 if self._base else 3)),
            _DOI: client(
                ServerPolicy(_CSL, frozenset() if self._base else _NEGOTIATED, _LARGEST, at_once)
            ),
            _LISTS: client(ServerPolicy(largest=_LARGEST, at_once=at_once, every=every)),
        }
        self._finding: asyncio.Task[str] | None = None
        self._asked: dict[DOI, asyncio.Task[Answer]] = {}
        self._learning = asyncio.Lock()

    async def __aenter__(self) -> Self:
        if self._base and not is_usable(self._base):
            raise Unusable("check_works_api is not an address that can be asked")
        async with AsyncExitStack() as stack:
            for client in (self._which, *self._clients.values()):
                await stack.enter_async_context(client)
            self._stack = stack.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    @property
    def requests(self) -> int:
        """Requests sent."""
        return sum(client.requests for client in (self._which, *self._clients.values()))

    @property
    def pause(self) -> float:
        """The seconds left of the longest pause that a server has asked for."""
        return max(client.pause for client in (self._which, *self._clients.values()))

    async def resolve(self, doi: DOI, /) -> Answer:
        """Ask for the work of a name, and for a newer work that its record asserts."""
        doi = self._alias(doi) or doi
        self._finding = self._finding or asyncio.create_task(self._learn(self._unknown))
        trouble = await asyncio.shield(self._finding)
        answer = await self._once(doi, trouble)
        work: Work | None = answer.value
        newer = await newer_than(doi, work, self._fetch) if work and work.relations else None
        return replace(answer, value=replace(work, newer=newer)) if work and newer else answer

    async def _fetch(self, doi: DOI) -> tuple[Work | None, str]:
        """Fetch the work of a DOI name that a record mentions, and its registration agency."""
        async with self._learning:
            trouble = "" if doi.prefix in self.agencies else await self._learn([doi.prefix])
        answer = await self._once(doi, trouble)
        return answer.value, self.agencies.get(doi.prefix, "")

    async def _once(self, doi: DOI, trouble: str) -> Answer:
        """Ask about a name once; ``trouble`` is why its agency is not known."""
        if doi not in self._asked:
            self._asked[doi] = asyncio.create_task(self._resolve(doi, trouble))
        return await asyncio.shield(self._asked[doi])

    async def _resolve(self, doi: DOI, trouble: str) -> Answer:
        agency = self.agencies.get(doi.prefix)
        if agency is None:
            return lost(trouble) if trouble else unknown("the prefix has no agency")
        first = agency if agency in _ADDRESSES else _DOI
        answer = await self._ask(first, doi)
        # A name may have moved to another agency than its prefix.
        if answer.outcome is Outcome.NOT_FOUND and first != _DOI:
            answer = await self._ask(_DOI, doi)
        return answer

    async def search(self, text: str) -> Answer:
        """Ask Crossref which works a text describes: at most five names with their works."""
        asked = {"query.bibliographic": text, "rows": _ROWS, "select": _FIELDS}
        return await self._list(_CROSSREF, asked)

    async def search_data(self, text: str) -> Answer:
        """Ask DataCite, which registers software and data, in the same way."""
        # Its search has a query syntax [Lucene], so only words are sent.
        words = " ".join(
            word for word in re.findall(r"[^\W_]+", text) if word.lower() not in _LUCENE
        )
        return await self._list(_DATACITE, {"query": words, "page[size]": _ROWS})

    async def _list(self, agency: str, asked: Mapping[str, object]) -> Answer:
        address = self._address(agency).removesuffix("/") + "?" + urlencode(asked)
        return await self._read(agency, address, read_works, _LISTS)

    async def _ask(self, agency: str, doi: DOI) -> Answer:
        address = self._address(agency) + doi.url.removeprefix("https://doi.org/")
        if len(address) > LONGEST:
            return unknown("the name is too long for a request")
        return await self._read(agency, address, partial(read_work, doi))

    async def _read(self, agency: str, address: str, read: Judge, client: str = "") -> Answer:
        """Ask an agency, and name it in the reason if the answer says nothing."""
        answer = await self._clients[client or agency].ask(address, read)
        if answer.outcome in (Outcome.UNKNOWN, Outcome.NO_VALUES):
            return replace(answer, reason=f"{self._asks(agency)}: {answer.reason}")
        return answer

    async def _learn(self, unknown: Sequence[str]) -> str:
        """Ask for the agencies of prefixes; return why some are unknown, or ``""``."""
        trouble = ""
        for first in range(0, len(unknown), _PREFIXES):
            prefixes = unknown[first : first + _PREFIXES]
            address = f"{self._base or _ADDRESSES[_DOI]}doiRA/{','.join(prefixes)}"
            answer = await self._which.ask(address, _read_agencies)
            agencies: Mapping[str, str] = answer.value or {}
            self.agencies.update((each, agencies[each]) for each in prefixes if each in agencies)
            trouble = trouble or (answer.reason and f"{self._asks(_DOI)}: {answer.reason}")
        return trouble

    def _asks(self, agency: str) -> str:
        """Return the server's name for messages: the agency's host, or the address that is set."""
        if self._base:
            return f"{public(self._base)} (check_works_api)"
        return str(urlsplit(_ADDRESSES[agency]).hostname)

    def _address(self, agency: str) -> str:
        return self._base + _PATHS[agency] if self._base else _ADDRESSES[agency]


def _read_agencies(status: int, body: bytes) -> Answer:
    """Read the answer of doi.org: ``[{"DOI": "10.1000", "RA": "Crossref"}, …]``."""
    entries = read_json(body)
    if status != 200 or not isinstance(entries, list):
        return lost(f"HTTP {status} without agencies", again=status >= 500)
    agencies = {}
    for entry in mappings(entries):
        prefix, agency = entry.get("DOI"), entry.get("RA")
        if isinstance(prefix, str) and isinstance(agency, str) and agency.isascii():
            agencies[prefix] = agency[:40]
    return Answer(Outcome.FOUND, value=agencies)

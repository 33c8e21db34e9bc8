"""The transport: asks one question and gives the reply, or the reason why there is none.

Time and size are bounded. Whatever a server, a proxy or a library does, the result is a
:class:`Reply` with a phrase of ours, never an exception, because its text might contain a password.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final, Self

import httpx

from .environment import Unusable, certificates, unusable_proxy
from .http import PROXY_LOGIN, read_body, redirected, retry_after, why
from .manners import NO_LIMITS, Limits, Manners, limits_in

__all__ = ["Reply", "Transport"]

_REDIRECTS: Final = 5
_TOO_MANY: Final = 429  # RFC 6585 §4
_PROXY_LOGIN: Final = 407  # RFC 9110 §15.5.8

# The loggers of the libraries. A filter of a logger does not see what its children log.
_LOGGERS: Final = (
    "httpx",
    *(f"httpcore.{name}" for name in ("connection", "http11", "http2", "proxy", "socks")),
    "hpack.hpack",
    "hpack.table",
)
_ours: Final = ContextVar("doilinks_asks", default=False)


def _is_not_ours(_record: logging.LogRecord) -> bool:
    return not _ours.get()


for _name in _LOGGERS:
    logging.getLogger(_name).addFilter(_is_not_ours)


@contextmanager
def _unlogged() -> Iterator[None]:
    """Keep the libraries from logging each request into the host; the host's own are logged."""
    token = _ours.set(True)
    try:
        yield
    finally:
        _ours.reset(token)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server replied, or why there is no reply.

    :ivar status: the status of HTTP, 0 when there is none
    :ivar body: the body, uncompressed
    :ivar wait: seconds that the server asks to wait (Retry-After), or None
    :ivar trouble: why there is no body to read, a phrase, or ``""``
    :ivar again: asking again may help
    :ivar reached: there was a connection to a server
    :ivar limits: how much the server allows
    """

    status: int = 0
    body: bytes = b""
    wait: float | None = None
    trouble: str = ""
    again: bool = False
    reached: bool = True
    limits: Limits = NO_LIMITS


class Transport:
    """Connections to one server; an asynchronous context manager.

    :param timeout: seconds for each step of an answer; :meth:`get` has a limit for all of it
    :param manners: how the server is to be asked
    :ivar requests: requests sent
    :raises Unusable: on entering, when the environment names a proxy or a file of certificates
        that cannot be used
    """

    def __init__(self, user_agent: str, timeout: float, manners: Manners | None = None) -> None:
        self._user_agent, self._timeout = user_agent, timeout
        self._manners = manners or Manners()
        self._shared: httpx.AsyncClient | None = None
        self.requests = 0

    async def __aenter__(self) -> Self:
        with _unlogged():
            self._tls = certificates()
        if words := unusable_proxy():
            raise Unusable(words)
        try:
            # The first client is made now, so that a wrong environment is reported now.
            with _unlogged():
                self._clients = [self._new()]
        except ImportError as error:  # the message of httpx says what to install
            raise Unusable(str(error)) from error
        except (httpx.InvalidURL, ValueError) as error:
            raise Unusable("NO_PROXY has an entry that is not the address of a host") from error
        self._free = self._clients[:]
        return self

    async def __aexit__(self, *_: object) -> None:
        for client in self._clients:
            with _unlogged(), suppress(Exception):  # a broken connection
                await client.aclose()

    def _new(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            http2=True,
            verify=self._tls,
            follow_redirects=False,
            timeout=self._timeout,
            # Uncompressed, so that the limit on the body bounds the memory.
            headers={
                "User-Agent": self._user_agent,
                "Accept": self._manners.accept,
                "Accept-Encoding": "identity",
            },
        )

    @contextmanager
    def _one(self) -> Iterator[httpx.AsyncClient]:
        """A client for one question.

        With HTTP/2, one client with one connection serves all questions. Otherwise each running
        question has its own client, because a pool looks at all its connections for each question;
        the client that was used last is taken first.
        """
        if self._shared is not None:
            yield self._shared
            return
        if not self._free:
            self._free.append(self._new())
            self._clients.append(self._free[-1])
        client = self._free.pop()
        try:
            yield client
        finally:
            self._free.append(client)

    async def get(self, url: httpx.URL, seconds: float) -> Reply:
        """Ask for an address, and follow redirects on the same server. Never raises.

        Manners may allow redirects to other hosts.

        :param seconds: for the whole answer
        """
        try:
            with _unlogged(), self._one() as client:
                async with asyncio.timeout(seconds):
                    return await self._follow(client, url)
        except (TimeoutError, httpx.TimeoutException):
            return Reply(trouble="timed out", again=True)
        except httpx.HTTPError as error:
            reached = not isinstance(error, (httpx.ConnectError, httpx.ProxyError))
            return Reply(trouble=why(error), again=True, reached=reached)
        except Exception:  # noqa: BLE001  h2, hyperframe, anyio and others raise anything
            return Reply(trouble="the connection was lost", again=True)

    async def _follow(self, client: httpx.AsyncClient, url: httpx.URL) -> Reply:
        for _ in range(_REDIRECTS):
            self.requests += 1
            async with client.stream("GET", url) as response:
                if response.http_version == "HTTP/2":
                    self._shared = self._shared or client
                # Always read it: servers refuse a client that hangs up, on HTTP/2 for good.
                body = await read_body(response, self._manners.largest)
                status, headers = response.status_code, response.headers
                wait = retry_after(headers.get("retry-after", ""))
                if not response.is_redirect:
                    trouble = ""
                    if status == _TOO_MANY:
                        trouble = "asked too often, HTTP 429"
                    elif status == _PROXY_LOGIN:
                        trouble = PROXY_LOGIN
                    elif headers.get("content-encoding", "identity") != "identity":
                        trouble = "a compressed answer, which was not asked for"
                    elif body is None:
                        trouble = f"an answer of more than {_mebibytes(self._manners.largest)}"
                    again, limits = status == _TOO_MANY, limits_in(headers)
                    return Reply(status, body or b"", wait, trouble, again=again, limits=limits)
                to = redirected(url, headers.get("location", ""), self._manners.hosts)
                if to is None:
                    return Reply(status, trouble="the API redirects to another server")
                url = to
        return Reply(status, trouble="the API redirects in circles")


def _mebibytes(octets: int) -> str:
    return "a mebibyte" if octets == 1 << 20 else f"{octets >> 20} mebibytes"

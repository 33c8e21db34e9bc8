"""The transport: sends one request, and returns the reply or the reason why there is none.

Time and size are bounded. Whatever a server, a proxy or a library does, the result is a
:class:`Reply` with a phrase of ours, never an exception, because its text might contain a password.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import socket
import ssl
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple, Self
from urllib.request import getproxies, proxy_bypass

import httpx

# The meaning of HTTP 407 (RFC 9110 §15.5.8).
PROXY_LOGIN: Final = "the proxy asks for a user name and password, or for others"
# Phrases for the most frequent faults, by the names that OpenSSL gives them.
_TLS: Final = {
    "TLSV1_ALERT_PROTOCOL_VERSION": "the server knows only versions that are too old",
    "UNSUPPORTED_PROTOCOL": "the server knows only versions that are too old",
    "UNEXPECTED_EOF_WHILE_READING": "the server or a proxy hung up",
    "WRONG_VERSION_NUMBER": "the server or a proxy does not speak TLS there",
}


def redirected(url: httpx.URL, location: str, hosts: frozenset[str]) -> httpx.URL | None:
    """Return the target of a redirect; None when it leaves the server: scheme, host and port.

    The address is judged as httpx reads it, because httpx will connect to it. Spec: RFC 9110 §15.4.
    """
    try:
        to = url.join(location)
        if _server(to) == _server(url):
            return to
        known = to.scheme == "https" and to.host in hosts and to.port is None and not to.userinfo
        return to if known else None
    except (httpx.InvalidURL, ValueError):
        return None


def _server(url: httpx.URL) -> tuple[str, str, int]:
    return url.scheme, url.host, url.port or (443 if url.scheme == "https" else 80)


def retry_after(value: str) -> float | None:
    """Parse a Retry-After header to seconds: a number or a date (RFC 9110 §10.2.3)."""
    value = value.strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


_REFUSED, _NO_HOST, _NO_CONNECTION = "connection refused", "host name not found", "cannot connect"
_UNREACHED: Final = {_REFUSED, _NO_HOST, _NO_CONNECTION}


def why(error: httpx.HTTPError) -> str:
    """Describe a failed connection in a phrase, in words of ours and of the operating system."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"TLS: {cause.verify_message}"
        if isinstance(cause, ssl.SSLError):
            return f"TLS: {_TLS.get(cause.reason, cause.reason or 'handshake failed')}"
        if isinstance(cause, ConnectionRefusedError):
            return _REFUSED
        if isinstance(cause, ConnectionResetError):
            return "the server or a proxy reset the connection"
        if isinstance(cause, socket.gaierror):
            return _NO_HOST
        cause = cause.__cause__ or cause.__context__
    if isinstance(error, httpx.ProxyError):
        status = str(error)[:3]  # the rest is text of the proxy
        if status == "407":
            return PROXY_LOGIN
        return f"the proxy refused, HTTP {status}" if status.isdecimal() else "the proxy refused"
    if isinstance(error, httpx.ConnectError):
        return _NO_CONNECTION
    if isinstance(error, httpx.RemoteProtocolError):
        return "the answer broke off or is not HTTP"
    return "the connection was lost"


_NUMBER: Final = re.compile(r"(\d{1,6})s?")  # in a header with a limit; an interval is in seconds


class ServerPolicy(NamedTuple):
    """The rules for requests to one server.

    :ivar hosts: other servers that it may redirect to, over https only
    :ivar largest: octets of an answer
    :ivar at_once: requests at the same time until the server sets a limit; 0: as the options allow
    :ivar every: the least number of seconds between two requests, whatever the server says
    """

    accept: str = "application/json"
    hosts: frozenset[str] = frozenset()
    largest: int = 1 << 20
    at_once: int = 0
    every: float = 0.0


class Limits(NamedTuple):
    """The limits that a server sets; 0 for none."""

    at_once: int = 0
    per_second: float = 0.0


def limits_in(headers: Mapping[str, str]) -> Limits:
    """Read the limits of the server from the headers of a response.

    Source: ``x-rate-limit-limit``, ``x-rate-limit-interval`` and ``x-concurrency-limit`` of the
    REST API of Crossref.
    """

    def number(name: str) -> int:
        found = _NUMBER.fullmatch(headers.get(name, "").strip())
        return int(found[1]) if found else 0

    questions, seconds = number("x-rate-limit-limit"), number("x-rate-limit-interval")
    return Limits(number("x-concurrency-limit"), questions / seconds if seconds else 0.0)


# httpx reads proxies and certificates from the environment. Unusable settings are reported without
# the text of a proxy's address, because it may contain a password.

_CERTIFICATES: Final = "SSL_CERT_FILE"
# The variables that httpx and ssl read when they make a context.
_FOR_TLS: Final = (_CERTIFICATES, "SSL_CERT_DIR", "SSLKEYLOGFILE")

# A raw ``#`` in a password ends the authority (RFC 3986 §3.2), and the host is then a part of the
# password. Of several ``@``, programs take the first or the last one.
_PLAIN_PROXY: Final = re.compile(r"[a-z0-9]+://(?:[^/?#@]*@)?[^/?#@]+(?:/[^?#@]*)?", re.IGNORECASE)


class Unusable(Exception):
    """No connection is possible with the environment or an option; the text is a phrase of ours."""


def is_usable(address: str) -> bool:
    """Tell whether an address names a host and a port as httpx reads it.

    >>> is_usable("https://doi.org/"), is_usable("http://xn--/"), is_usable("http://[:::]/")
    (True, False, False)
    """
    try:
        url = httpx.URL(address)
        # httpx reads the host on demand: a name that begins like an encoded one may be invalid.
        return bool(url.host) and (url.port or 0) < 1 << 16
    except (httpx.InvalidURL, ValueError):
        return False


def certificates() -> ssl.SSLContext:
    """Return the context for TLS, with the authorities of ``SSL_CERT_FILE`` where that is set."""
    file = os.environ.get(_CERTIFICATES)
    if file:
        try:
            with Path(file).open("rb"):  # httpx names no file; 0.27 ignores a missing one
                pass
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise Unusable(f"{_CERTIFICATES}: cannot read {file}: {why}") from error
    if not any(map(os.environ.get, _FOR_TLS)):
        return _default()
    try:
        return httpx.create_ssl_context()
    except ssl.SSLError as error:
        raise Unusable(f"{_CERTIFICATES}: no certificate in {file}") from error


@cache
def _default() -> ssl.SSLContext:
    """Make one context for all connections of a process; to read all authorities takes long."""
    return httpx.create_ssl_context()


def unusable_proxy() -> str:
    """Describe the proxy setting that cannot be used; return ``""`` if each is an address."""
    proxies = getproxies()
    if "*" in (host.strip() for host in proxies.get("no", "").split(",")):
        return ""  # httpx ignores all proxies then
    for scheme in ("http", "https", "all"):
        address = proxies.get(scheme, "")
        url = address if "://" in address else f"http://{address}"
        if not address:
            continue
        if _PLAIN_PROXY.fullmatch(url) is None:
            return (
                f"{scheme.upper()}_PROXY is not plainly the address of a proxy; "
                "in its user name and password, write # ? / @ as %23 %3F %2F %40"
            )
        with suppress(httpx.InvalidURL, ValueError):
            httpx.Proxy(url)  # knows the schemes
            if is_usable(url):
                continue
        return f"{scheme.upper()}_PROXY is not the address of a proxy"
    return ""


def proxy_before(url: httpx.URL) -> str:
    """Name the proxy through which an address is asked for, for a reason why it is not."""
    proxies = getproxies()
    name = next((each for each in (url.scheme, "all") if proxies.get(each)), "")
    if not name or proxy_bypass(url.host):
        return ""
    address = proxies[name]
    at = httpx.URL(address if "://" in address else f"http://{address}").netloc.decode("ascii")
    return f"the proxy of {name.upper()}_PROXY, {at}: "


_REDIRECTS: Final = 5
_TOO_MANY: Final = 429  # RFC 6585 §4
_PROXY_LOGIN: Final = 407  # RFC 9110 §15.5.8

# The loggers of the libraries. A filter of a logger does not apply to its children.
_LOGGERS: Final = (
    "httpx",
    *(f"httpcore.{name}" for name in ("connection", "http11", "http2", "proxy", "socks")),
    "hpack.hpack",
    "hpack.table",
)
_ours: Final = ContextVar("doilinks_asks", default=False)


for _name in _LOGGERS:
    logging.getLogger(_name).addFilter(lambda _record: not _ours.get())


@contextmanager
def _unlogged() -> Iterator[None]:
    """Keep the libraries from logging each request into the host; the host's own are logged."""
    token = _ours.set(True)
    try:
        yield
    finally:
        _ours.reset(token)


class Reply(NamedTuple):
    """The reply of a server, or the reason why there is none.

    :ivar status: the status of HTTP, 0 when there is none
    :ivar body: the body, uncompressed
    :ivar wait: seconds that the server asks to wait (Retry-After), or None
    :ivar trouble: why there is no body to read, a phrase, or ``""``
    """

    status: int = 0
    body: bytes = b""
    wait: float | None = None
    trouble: str = ""
    again: bool = False
    reached: bool = True
    limits: Limits = Limits()


@dataclass(eq=False)
class _Connection:
    """A client with one connection.

    :ivar running: requests that wait for a response on it
    :ivar heard: responses that have arrived on it
    :ivar is_dead: a request timed out, and nothing else arrived meanwhile
    """

    client: httpx.AsyncClient
    running: int = 0
    heard: int = 0
    is_dead: bool = False


class Transport:
    """Connections to one server; an asynchronous context manager.

    :raises Unusable: on entering, when the environment names a proxy or a file of certificates
        that cannot be used
    """

    def __init__(self, user_agent: str, timeout: float, policy: ServerPolicy | None = None) -> None:
        self._user_agent, self._timeout = user_agent, timeout
        self._policy = policy or ServerPolicy()
        self._connections: list[_Connection] = []
        self._free: list[_Connection] = []
        self._shared: _Connection | None = None
        self.requests = 0

    async def __aenter__(self) -> Self:
        if words := unusable_proxy():
            raise Unusable(words)
        with _unlogged():
            self._tls = certificates()
            try:  # the first client is made now, so that a wrong environment is reported now
                self._free.append(self._new())
            except ImportError as error:  # the message of httpx says what to install
                raise Unusable(str(error)) from error
            except (httpx.InvalidURL, ValueError) as error:
                raise Unusable("NO_PROXY has an entry that is not the address of a host") from error
        return self

    async def __aexit__(self, *_: object) -> None:
        for connection in self._connections[:]:
            await self._close(connection)

    async def _close(self, connection: _Connection) -> None:
        self._connections.remove(connection)
        with _unlogged(), suppress(Exception):  # a broken connection
            await connection.client.aclose()

    def _new(self) -> _Connection:
        client = httpx.AsyncClient(
            http2=True,
            verify=self._tls,
            follow_redirects=False,
            timeout=self._timeout,
            # Uncompressed, so that the limit on the body bounds the memory.
            headers={
                "User-Agent": self._user_agent,
                "Accept": self._policy.accept,
                "Accept-Encoding": "identity",
            },
        )
        self._connections.append(_Connection(client))
        return self._connections[-1]

    @asynccontextmanager
    async def _one(self) -> AsyncIterator[_Connection]:
        """Yield a client for one request.

        With HTTP/2, one client with one connection serves all requests. Otherwise each running
        request has its own client, because a pool looks at all its connections for each request;
        the client that was used last is taken first. One with a connection that may be dead, or was
        left in the middle of a record, is not taken again, and closed when nothing waits on it.
        """
        connection = self._shared or (self._free.pop() if self._free else self._new())
        heard = connection.heard
        connection.running += 1
        try:
            yield connection
        except (TimeoutError, httpx.TimeoutException):
            if connection.heard == heard:
                connection.is_dead = True
                self._shared = None if connection is self._shared else self._shared
            raise
        finally:
            connection.running -= 1
            if connection.is_dead:
                if not connection.running:
                    await self._close(connection)
            elif connection is not self._shared:
                self._free.append(connection)

    async def get(self, url: httpx.URL, seconds: float) -> Reply:
        """Request an address, and follow redirects on the same server or to hosts of the policy.

        It raises only faults of its own, such as a call that a library does not know.
        """
        try:
            with _unlogged():
                async with self._one() as connection, asyncio.timeout(seconds):
                    return await self._follow(connection, url)
        except (TimeoutError, httpx.TimeoutException):
            return Reply(trouble="timed out", again=True)
        except httpx.HTTPError as error:
            reached = not isinstance(error, (httpx.ConnectError, httpx.ProxyError))
            trouble = why(error)
            if trouble in _UNREACHED:
                trouble = proxy_before(url) + trouble
            return Reply(trouble=trouble, again=True, reached=reached)
        except Exception as error:  # h2, hyperframe, anyio and others raise anything
            if is_ours(error):
                raise
            return Reply(trouble="the connection was lost", again=True)

    async def _follow(self, connection: _Connection, url: httpx.URL) -> Reply:
        for _ in range(_REDIRECTS):
            self.requests += 1
            async with connection.client.stream("GET", url) as response:
                if response.http_version == "HTTP/2" and not connection.is_dead:
                    self._shared = self._shared or connection
                status, headers = response.status_code, response.headers
                largest = self._policy.largest
                body = bytearray()
                # Always read it: servers refuse a client that hangs up, on HTTP/2 for good.
                async for chunk in response.aiter_raw():
                    body += chunk
                    if len(body) > largest:
                        break
                connection.heard += 1
                wait = retry_after(headers.get("retry-after", ""))
                if not response.is_redirect:
                    trouble = ""
                    if status == _TOO_MANY:
                        trouble = "asked too often, HTTP 429"
                    elif status == _PROXY_LOGIN:
                        trouble = PROXY_LOGIN
                    elif headers.get("content-encoding", "identity") != "identity":
                        trouble = "a compressed answer, which was not asked for"
                    elif len(body) > largest:
                        size = "a mebibyte" if largest == 1 << 20 else f"{largest >> 20} mebibytes"
                        trouble = f"an answer of more than {size}"
                    again, limits = status == _TOO_MANY, limits_in(headers)
                    return Reply(status, bytes(body), wait, trouble, again=again, limits=limits)
                to = redirected(url, headers.get("location", ""), self._policy.hosts)
                if to is None:
                    return Reply(status, trouble="the API redirects to another server")
                url = to
        return Reply(status, trouble="the API redirects in circles")


def is_ours(error: BaseException) -> bool:
    """Tell whether code of doilinks raised an error, and not a library that it has called."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    raised = trace.tb_frame.f_globals.get("__name__", "") if trace else ""
    return str(raised).partition(".")[0] == __name__.partition(".")[0]

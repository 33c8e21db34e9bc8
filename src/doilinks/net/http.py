"""HTTP around the record: bodies, redirects, times to wait, and errors.

Spec: RFC 9110 §10.2.3 Retry-After, §15.4 redirects.
"""

from __future__ import annotations

import socket
import ssl
import time
from email.utils import parsedate_to_datetime
from typing import Final

import httpx

__all__ = ["PROXY_LOGIN", "read_body", "redirected", "retry_after", "why"]

# What a proxy means by HTTP 407 (RFC 9110 §15.5.8).
PROXY_LOGIN: Final = "the proxy asks for a user name and password, or for others"
# What OpenSSL calls the most frequent faults.
_TLS: Final = {
    "TLSV1_ALERT_PROTOCOL_VERSION": "the server knows only versions that are too old",
    "UNSUPPORTED_PROTOCOL": "the server knows only versions that are too old",
    "UNEXPECTED_EOF_WHILE_READING": "the server or a proxy hung up",
    "WRONG_VERSION_NUMBER": "the server or a proxy does not speak TLS there",
}


async def read_body(response: httpx.Response, largest: int) -> bytes | None:
    """The body as it came, or None when it has more octets than ``largest``."""
    body = bytearray()
    async for chunk in response.aiter_raw():
        body += chunk
        if len(body) > largest:
            return None
    return bytes(body)


def redirected(
    url: httpx.URL, location: str, hosts: frozenset[str] = frozenset()
) -> httpx.URL | None:
    """Where a redirect leads, or None when it leaves the server: scheme, host and port.

    The address is judged as httpx reads it, because httpx will connect to it.

    :param hosts: other servers that it may lead to, over https on its own port only
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
    """Seconds to wait by a Retry-After header: a number or a date (RFC 9110 §10.2.3)."""
    value = value.strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


def why(error: httpx.HTTPError) -> str:
    """A phrase for a failed connection, in words of our own and of the operating system."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"TLS: {cause.verify_message}"
        if isinstance(cause, ssl.SSLError):
            return f"TLS: {_TLS.get(cause.reason, cause.reason or 'handshake failed')}"
        if isinstance(cause, ConnectionRefusedError):
            return "connection refused"
        if isinstance(cause, ConnectionResetError):
            return "the server or a proxy reset the connection"
        if isinstance(cause, socket.gaierror):
            return "host name not found"
        cause = cause.__cause__ or cause.__context__
    if isinstance(error, httpx.ProxyError):
        status = str(error)[:3]  # what follows is text of the proxy
        if status == "407":
            return PROXY_LOGIN
        return f"the proxy refused, HTTP {status}" if status.isdecimal() else "the proxy refused"
    if isinstance(error, httpx.ConnectError):
        return "cannot connect"
    if isinstance(error, httpx.RemoteProtocolError):
        return "the answer broke off or is not HTTP"
    return "the connection was lost"

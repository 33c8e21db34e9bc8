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

__all__ = ["read_body", "redirected", "retry_after", "why"]

BODY_LIMIT: Final = 1 << 20  # octets; a record of a mebibyte is not a DOI record


async def read_body(response: httpx.Response) -> bytes | None:
    """The body as it came, or None when it is too long."""
    body = bytearray()
    async for chunk in response.aiter_raw():
        body += chunk
        if len(body) > BODY_LIMIT:
            return None
    return bytes(body)


def redirected(url: httpx.URL, location: str) -> httpx.URL | None:
    """Where a redirect leads, or None when it leaves the server: scheme, host and port.

    The address is judged as httpx reads it, because httpx will connect to it.
    """
    try:
        to = url.join(location)
        return to if _server(to) == _server(url) else None
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
            return f"TLS: {cause.reason or 'handshake failed'}"
        if isinstance(cause, ConnectionRefusedError):
            return "connection refused"
        if isinstance(cause, socket.gaierror):
            return "host name not found"
        cause = cause.__cause__ or cause.__context__
    if isinstance(error, httpx.ProxyError):
        return "the proxy refused"
    if isinstance(error, httpx.ConnectError):
        return "cannot connect"
    if isinstance(error, httpx.RemoteProtocolError):
        return "the answer broke off or is no HTTP"
    return "the connection was lost"

"""The settings of the environment for connections: proxies and certificates.

httpx reads the environment. This module reports unusable settings without the text of a proxy's
address, because it may contain a password.
"""

from __future__ import annotations

import os
import re
import ssl
from functools import cache
from pathlib import Path
from typing import Final
from urllib.request import getproxies

import httpx

__all__ = ["Unusable", "certificates", "is_usable", "unusable_proxy"]

_CERTIFICATES: Final = "SSL_CERT_FILE"
# What httpx and ssl read when they make a context.
_FOR_TLS: Final = (_CERTIFICATES, "SSL_CERT_DIR", "SSLKEYLOGFILE")
_PORTS: Final = range(1 << 16)

# A raw ``#`` in a password ends the authority (RFC 3986 §3.2), and the host is then a part of the
# password. Of several ``@``, programs take the first or the last one.
_PLAIN_PROXY: Final = re.compile(r"[a-z0-9]+://(?:[^/?#@]*@)?[^/?#@]+(?:/[^?#@]*)?", re.IGNORECASE)


class Unusable(Exception):
    """No connection is possible with the environment or an option; the text is a phrase of ours."""


def is_usable(address: str) -> bool:
    """Whether an address names a host and a port as httpx reads it.

    >>> is_usable("https://doi.org/"), is_usable("http://xn--/"), is_usable("http://[:::]/")
    (True, False, False)
    """
    try:
        url = httpx.URL(address)
        # httpx reads the host on demand: a name that begins like an encoded one may be invalid.
        return bool(url.host) and (url.port is None or url.port in _PORTS)
    except (httpx.InvalidURL, ValueError):
        return False


def certificates() -> ssl.SSLContext:
    """The context for TLS, with the authorities of ``SSL_CERT_FILE`` where that is set.

    :raises Unusable: when the file cannot be read or contains no certificate
    """
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
    """One context for all connections of a process, because to read all authorities takes long."""
    return httpx.create_ssl_context()


def unusable_proxy() -> str:
    """Which setting of a proxy cannot be used, a phrase; ``""`` when each is plainly an address.

    ``NO_PROXY`` is not looked at: only httpx knows how it reads it.
    """
    proxies = getproxies()
    if "*" in (host.strip() for host in proxies.get("no", "").split(",")):
        return ""  # httpx ignores all proxies then
    for scheme in ("http", "https", "all"):
        address = proxies.get(scheme)
        if not address:
            continue
        url = address if "://" in address else f"http://{address}"
        if _PLAIN_PROXY.fullmatch(url) is None:
            return (
                f"{scheme.upper()}_PROXY is not plainly the address of a proxy; "
                "in its user name and password, write # ? / @ as %23 %3F %2F %40"
            )
        try:
            httpx.Proxy(url)  # knows the schemes
            usable = is_usable(url)
        except (httpx.InvalidURL, ValueError):
            usable = False
        if not usable:
            return f"{scheme.upper()}_PROXY is not the address of a proxy"
    return ""

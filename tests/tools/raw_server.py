"""Servers that say what no server may say: bytes as they are, over TCP, or over TLS as HTTP/2."""

from __future__ import annotations

import contextlib
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import hpack
import trustme

from .programs import LONGEST

PREFACE = 24  # octets that a client begins an HTTP/2 connection with, RFC 9113 §3.4
DATA, HEADERS, SETTINGS = 0, 1, 4  # types of frames, RFC 9113 §6
_APART = 0.003  # seconds between two writes, so that the client reads them one by one
END_STREAM, END_HEADERS = 1, 4  # flags


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """One frame of HTTP/2, whether or not there may be such a one (RFC 9113 §4.1)."""
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def headers(*fields: tuple[str, str], status: str = "200", flags: int = END_HEADERS) -> bytes:
    """The head of an answer on the first stream."""
    return frame(HEADERS, flags, 1, hpack.Encoder().encode([(":status", status), *fields]))


@contextlib.contextmanager
def raw_server(
    says: Callable[[], Sequence[bytes]], folder: Path | None = None,
    context: ssl.SSLContext | None = None,
) -> Iterator[int]:  # fmt: skip
    """Say to each connection what ``says`` gives, a write for each item; yields the port.

    :param folder: speak TLS and offer HTTP/2; the authority's certificate is ``authority.pem`` there
    :param context: speak TLS with this certificate
    """
    context = _context(folder) if folder else context
    with socket.create_server(("127.0.0.1", 0), backlog=100) as listening:

        def serve() -> None:
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:  # closed
                    return
                # Whatever goes wrong, the client has hung up.
                with contextlib.suppress(OSError), connection:
                    if context is None:
                        _say(connection, says())
                        continue
                    connection.settimeout(LONGEST)
                    with context.wrap_socket(connection, server_side=True) as tls:
                        _say(tls, says())
                        tls.recv(1 << 16)

        threading.Thread(target=serve, daemon=True).start()
        yield listening.getsockname()[1]


def _say(connection: socket.socket, pieces: Sequence[bytes]) -> None:
    connection.recv(1 << 16)
    for piece in pieces:
        connection.sendall(piece)
        time.sleep(_APART)


def _context(folder: Path) -> ssl.SSLContext:
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    context.set_alpn_protocols(["h2"])
    authority.cert_pem.write_to_path(str(folder / "authority.pem"))
    return context

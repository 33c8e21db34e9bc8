"""The server: a small Handle API on the loopback interface, in a thread of its own, and the wire.

HTTP/1.1 and HTTP/2 are written out rather than taken from a server library, because a library will
not break a connection in the middle of an answer, which is what the server is for.
"""

from __future__ import annotations

import asyncio
import json
import ssl
import tempfile
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self
from urllib.parse import unquote

from .replies import AGENCIES, FAULTS, Reply, fold, read_records, reply_about_work, reply_to

if TYPE_CHECKING:
    from h2.connection import H2Connection

_API: Final = "/api/handles/"
_HEAD_LIMIT: Final = 1 << 20  # a name of 8,000 characters, each of them encoded, fits in
_BACKLOG: Final = 1024


class Request(NamedTuple):
    """A request as it was received.

    :ivar path: byte for byte, percent triplets included
    :ivar name: the name asked for, decoded; ``""`` when the path is not the API's
    :ivar protocol: ``HTTP/1.1`` or ``HTTP/2``
    """

    method: str
    path: str
    name: str
    protocol: str


class HandleServer:
    """A Handle API that says what it is told to; a context manager.

    :param records: name → entry, or a JSON file of it. An entry is an address (``"https://…"``: the
        record has this URL), a list of Handle values, ``None`` (a name without values) or an
        object: ``url``, ``values`` or ``alias``, and ``fault``, one of :data:`FAULTS`, with
        ``seconds``, ``retry_after`` or ``location``; ``times`` ends it after this many requests.
        ``work`` is what the ``agency`` (Crossref) says the name stands for, as CSL-JSON, and
        ``work_fault`` an object with a ``fault`` of the agency's answers. The
        entry ``"*"`` is for names that have none; without it they are not found. The entry ``"?"``
        is for searches of works by a text: ``items``, what is found instead of the works with most
        of its words, or a ``fault``; ``data`` is what DataCite finds.
    :param port: 0 takes a free one
    :param latency: seconds before every answer
    :param tls: serve https with HTTP/2 and HTTP/1.1. The certificate
        of its authority is in the file :attr:`authority`, for ``SSL_CERT_FILE``
    :ivar api: address of the API, for the option ``check_api``
    :ivar limits: headers of the agencies' answers, such as ``x-concurrency-limit``
    :ivar requests: every :class:`Request` so far
    :ivar connections: how many were made
    :ivar most_at_once: how many were being answered at the same time, at most; a client that gave
        up waiting (``slow``, ``drip``) counts until its answer would have been sent
    :raises OSError: when the port is taken
    :raises ValueError: for something that is not a record
    """

    def __init__(
        self, records: Mapping[str, Any] | Path | str | None = None, *, port: int = 0,
        latency: float = 0.0, tls: bool = False,
    ) -> None:  # fmt: skip
        self._records: dict[str, Any] = {}
        for name, entry in read_records(records).items():
            self.set(name, entry)
        self.latency = latency
        self.limits: dict[str, str] = {}
        self.requests: list[Request] = []
        self.most_at_once = self.connections = 0
        self._at_once = 0
        self._seen: Counter[str] = Counter()
        self.port, self._tls = port, tls
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="doilinks-handle-server", daemon=True
        )
        self._connections: set[asyncio.Task[None]] = set()
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def set(self, name: str, entry: Any) -> None:
        """Set the entry of a name, also while the server is running."""
        if not (entry is None or isinstance(entry, (str, list, Mapping))):
            raise ValueError(f"{name}: an entry is text, a list, an object or null, got {entry!r}")
        fault = entry.get("fault") if isinstance(entry, Mapping) else None
        if fault is not None and fault not in FAULTS:
            raise ValueError(
                f"{name}: there is no fault {fault!r} (there are: {', '.join(FAULTS)})"
            )
        self._records[fold(name)] = entry

    def count(self, name: str) -> int:
        """How often a name has been asked for, in any case of its ASCII letters."""
        return self._seen[fold(name)]

    @property
    def api(self) -> str:
        """Address of the API, for the option ``check_api``."""
        host = "localhost" if self._tls else "127.0.0.1"
        return f"http{'s' if self._tls else ''}://{host}:{self.port}{_API}"

    @property
    def works_api(self) -> str:
        """Address that answers for all registration agencies, for ``check_works_api``."""
        return self.api.removesuffix(_API) + AGENCIES

    @property
    def authority(self) -> str:
        """File with the certificate that the server's own is signed by; only with ``tls``."""
        if self._folder is None:
            raise AttributeError("the server was made without tls")
        return str(Path(self._folder.name, "authority.pem"))

    def start(self) -> Self:
        """Start listening. A ``with`` block does so by itself."""
        context = self._context() if self._tls else None
        self._thread.start()
        listen = asyncio.start_server(
            self._serve, "127.0.0.1", self.port, ssl=context, limit=_HEAD_LIMIT, backlog=_BACKLOG
        )
        try:
            self._server = asyncio.run_coroutine_threadsafe(listen, self._loop).result()
        except BaseException:
            self._end()
            raise
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    def stop(self) -> None:
        """Stop listening and close every connection."""
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result()
        self._end()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _end(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        if self._folder is not None:
            self._folder.cleanup()

    async def _close(self) -> None:
        self._server.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    def _context(self) -> ssl.SSLContext:
        import trustme

        authority = trustme.CA()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("localhost", "127.0.0.1").configure_cert(context)
        context.set_alpn_protocols(["h2", "http/1.1"])
        self._folder = tempfile.TemporaryDirectory(prefix="doilinks-")
        authority.cert_pem.write_to_path(self.authority)
        return context

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.current_task()
        if task is not None:
            self._connections.add(task)
            task.add_done_callback(self._connections.discard)
        tls = writer.get_extra_info("ssl_object")
        serve = serve_http2 if tls and tls.selected_alpn_protocol() == "h2" else serve_http1
        with suppress(ConnectionError, ssl.SSLError, asyncio.CancelledError):
            await serve(reader, writer, self._answering)
        writer.close()

    @asynccontextmanager
    async def _answering(self, method: str, path: str, protocol: str) -> AsyncIterator[Reply]:
        if path == "/":
            yield self._status()
            return
        at = path.find(_API)
        name = unquote(path[at + len(_API) :].partition("?")[0]) if at >= 0 else ""
        if at < 0 and AGENCIES in path:
            name = unquote(path.partition(AGENCIES)[2])
        self.requests.append(Request(method, path, name, protocol))
        self._seen[fold(name)] += 1
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            reply = self._reply(method, path, name)
            if AGENCIES in path:
                reply = replace(reply, headers={**reply.headers, **self.limits})
            if wait := self.latency + reply.delay:
                await asyncio.sleep(wait)
            yield reply
        finally:
            self._at_once -= 1

    def _reply(self, method: str, path: str, name: str) -> Reply:
        if method != "GET":
            return Reply(405)
        if not name:
            return Reply(404)
        if AGENCIES in path:
            return reply_about_work(path, self._records, self._seen)
        key = fold(name)
        known = key in self._records or "*" in self._records
        entry = self._records.get(key, self._records.get("*"))
        return reply_to(name, path, entry, known=known, times_seen=self._seen[key])

    def _status(self) -> Reply:
        """The counts for a test in another language, at the address ``/``."""
        status = {
            "requests": len(self.requests),
            "names": len(self._seen),
            "most_at_once": self.most_at_once,
        }
        return Reply(200, json.dumps(status).encode())


# --------------------------------------------------------------------------------------------------
# HTTP/1.1 and HTTP/2.

# Answers a method and a path as received; the reply is in flight while the context is open.
Answering = Callable[[str, str, str], AbstractAsyncContextManager[Reply]]

_CHUNK: Final = 1 << 16


async def serve_http1(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answering: Answering
) -> None:
    """Answer the requests of one connection, one after another."""
    while True:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            method, path, _ = head.split(b"\r\n")[0].decode("latin-1").split(" ")
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            return
        async with answering(method, path, "HTTP/1.1") as reply:
            if reply.keep == -1:
                writer.transport.abort()
                return
            phrase = HTTPStatus(reply.status).phrase
            lines = [f"HTTP/1.1 {reply.status} {phrase}", f"content-length: {len(reply.body)}"]
            lines += [f"{name}: {value}" for name, value in reply.headers.items()]
            writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
            async for piece in _pieces(reply):
                writer.write(piece)
                await writer.drain()
        if reply.keep is not None or b"\r\nconnection: close" in head.lower():
            return


async def _pieces(reply: Reply) -> AsyncIterator[bytes]:
    body = reply.body if reply.keep is None else reply.body[: reply.keep]
    size = 1 if reply.pause else _CHUNK
    for at in range(0, len(body), size):
        yield body[at : at + size]
        if reply.pause:
            await asyncio.sleep(reply.pause)


async def serve_http2(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answering: Answering
) -> None:
    """Answer the requests of one connection, at the same time."""
    await _Http2(reader, writer, answering).serve()


class _Http2:
    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answering: Answering
    ) -> None:
        from h2.config import H2Configuration
        from h2.connection import H2Connection

        self._reader, self._writer, self._answering = reader, writer, answering
        self._h2: H2Connection = H2Connection(H2Configuration(client_side=False))
        self._streams: dict[int, asyncio.Task[None]] = {}
        self._window = asyncio.Event()

    async def serve(self) -> None:
        from h2 import events
        from h2.exceptions import ProtocolError

        self._h2.initiate_connection()
        await self._flush()
        try:
            while octets := await self._reader.read(_CHUNK):
                for event in self._h2.receive_data(octets):
                    if isinstance(event, events.RequestReceived):
                        headers = dict(event.headers or ())
                        path, method = headers[b":path"].decode(), headers[b":method"].decode()
                        task = asyncio.create_task(self._reply(event.stream_id, method, path))
                        self._streams[event.stream_id] = task
                    elif isinstance(event, events.WindowUpdated):
                        self._window.set()
                    elif isinstance(event, events.StreamReset):
                        if event.stream_id in self._streams:
                            self._streams[event.stream_id].cancel()
                    elif isinstance(event, events.ConnectionTerminated):
                        return
                await self._flush()
        except ProtocolError:
            await self._flush()
        finally:
            for task in list(self._streams.values()):
                task.cancel()

    async def _reply(self, stream: int, method: str, path: str) -> None:
        from h2.exceptions import ProtocolError

        try:
            async with self._answering(method, path, "HTTP/2") as reply:
                if reply.keep != -1:
                    headers = [(":status", str(reply.status)), *reply.headers.items()]
                    self._h2.send_headers(stream, headers)
                    async for piece in _pieces(reply):
                        await self._send(stream, piece)
                if reply.keep is None:
                    self._h2.end_stream(stream)
                else:
                    self._h2.reset_stream(stream)
                await self._flush()
        except (ProtocolError, ConnectionError):
            return  # the client has gone
        finally:
            del self._streams[stream]

    async def _send(self, stream: int, data: bytes) -> None:
        while data:
            room = self._h2.local_flow_control_window(stream)
            room = min(room, self._h2.max_outbound_frame_size)
            if room == 0:
                self._window.clear()
                await self._window.wait()
                continue
            self._h2.send_data(stream, data[:room])
            data = data[room:]
            await self._flush()

    async def _flush(self) -> None:
        self._writer.write(self._h2.data_to_send())
        await self._writer.drain()

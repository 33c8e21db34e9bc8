"""HTTP/1.1 and HTTP/2 as the test server speaks them.

Written out rather than taken from a server library, because a library will not break a connection
in the middle of an answer, which is what the server is for.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from .replies import Reply

if TYPE_CHECKING:
    from h2.connection import H2Connection

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

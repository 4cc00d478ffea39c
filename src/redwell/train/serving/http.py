"""The little of an HTTP server that the gateway needs: one JSON request to a connection, answered when it is done."""

from __future__ import annotations

import asyncio
import errno
import json
import re
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from redwell.train.types import TrainingError

_HEAD = 65_536
_BODY = 64 << 20
_WAITING = 1024
"""Connections that may wait to be taken."""
_LINE = re.compile(rb"([A-Z]{1,16}) (/\S{0,8192}) HTTP/1\.[01]\r\n")
_PATIENCE = 60.0
"""Seconds in which a request must have come."""


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    body: dict[str, Any]


Answer = Callable[[str, str, Any], Awaitable[Reply]]
"""From method, path and the body's JSON (None without one) to the reply."""


def refusal(status: int, message: str, code: str = "") -> Reply:
    """An error as OpenAI words it."""
    return Reply(
        status,
        {
            "error": {
                "message": message,
                "type": "invalid_request_error" if status < 500 else "server_error",
                "code": code or None,
            }
        },
    )


def listening(port: int = 0) -> socket.socket:
    """A socket that listens on this port of 127.0.0.1, or on any that is free (0). Raises TrainingError when it cannot be had."""
    made = socket.socket()
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # one that was just left is free
        made.bind(("127.0.0.1", port))
        made.listen(_WAITING)
    except OSError as error:
        made.close()
        why = "another program has it" if error.errno == errno.EADDRINUSE else error.strerror or str(error)
        raise TrainingError(
            f"port {port} of this machine cannot be served at: {why}; name another with --port, or none for any that is free"
        ) from None
    return made


class HttpServer:
    """Serves on 127.0.0.1. A client that goes away cancels its request, so that nothing is sampled for nobody."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.Task[None]] = set()

    async def start(self, port: int = 0) -> str:
        """The address, without a path. Raises TrainingError as `listening` does."""
        self._server = await asyncio.start_server(self._serve, sock=listening(port), limit=_HEAD, backlog=_WAITING)
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        for task in list(self._open):
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            await self._one(reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError, asyncio.CancelledError):
            pass  # the client is gone, or the server ends
        finally:
            self._open.discard(task)
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(_PATIENCE):
            read = await _read(reader)
        if isinstance(read, Reply):
            await _send(writer, read)
            return
        answering = asyncio.ensure_future(self._answer(*read))
        gone = asyncio.ensure_future(reader.read())  # nothing more is expected: it returns when the client has closed
        try:
            await asyncio.wait((answering, gone), return_when=asyncio.FIRST_COMPLETED)
            if answering.done():
                error = answering.exception()
                await _send(writer, refusal(500, f"{type(error).__name__}: {error}") if error else answering.result())
        finally:
            for future in (answering, gone):
                future.cancel()
            with suppress(asyncio.CancelledError):
                await asyncio.gather(answering, gone, return_exceptions=True)


async def _read(reader: asyncio.StreamReader) -> tuple[str, str, Any] | Reply:
    head = await reader.readuntil(b"\r\n\r\n")
    line = _LINE.match(head)
    if line is None:
        return refusal(400, "this is no HTTP request")
    if re.search(rb"(?i)\r\ntransfer-encoding:", head):
        return refusal(411, "the body must come with its length")
    length = re.search(rb"(?i)\r\ncontent-length:[ \t]*(\d{1,12})[ \t]*\r\n", head)
    size = int(length[1]) if length else 0
    if size > _BODY:
        return refusal(413, f"a request may have {_BODY >> 20} MiB")
    body = await reader.readexactly(size)
    try:
        value = json.loads(body) if body else None
    except (ValueError, RecursionError):
        return refusal(400, "the body is no JSON")
    return line[1].decode("ascii"), line[2].decode("latin-1").partition("?")[0], value


async def _send(writer: asyncio.StreamWriter, reply: Reply) -> None:
    body = json.dumps(reply.body).encode()
    head = f"HTTP/1.1 {reply.status} Answer\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    writer.write(head.encode("ascii") + body)
    await writer.drain()

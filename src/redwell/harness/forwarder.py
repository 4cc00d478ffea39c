"""The one way out of a coding agent's walls: an HTTP proxy on a socket file that connects to its model's server and to nothing else."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

_HEAD = 65_536
"""Bytes of a request's head."""
_PIECE = 65_536
_CONNECT_SECONDS = 30.0
_LINE = re.compile(rb"([A-Z]{1,16}) (\S{1,8192}) HTTP/1\.[01]\r\n")


class Forwarder:
    """Serves while it is open (`async with`). `refused` counts the destinations that were asked for and not reached."""

    def __init__(self, path: Path, server: str) -> None:
        """`server` is the host:port that may be reached. Raises ValueError for anything else."""
        host, _, port = server.rpartition(":")
        if not host or not port.isdigit() or not 0 < int(port) < 65_536:
            raise ValueError(f"{server!r} is not host:port")
        self._path = path
        self._host, self._port = host.strip("[]").lower(), int(port)
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.Task[None]] = set()
        self.refused: Counter[str] = Counter()

    async def __aenter__(self) -> Forwarder:
        self._path.unlink(missing_ok=True)
        # A socket's address is shorter than many a run's folder, so it is given by way of the open folder (Linux, as the agent's walls are).
        folder = os.open(self._path.parent, os.O_PATH | os.O_DIRECTORY)
        try:
            address = f"/proc/self/fd/{folder}/{self._path.name}"
            self._server = await asyncio.start_unix_server(self._serve, address, limit=_HEAD)
        finally:
            os.close(folder)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in list(self._open):
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)
        self._path.unlink(missing_ok=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            await self._one(reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            pass
        finally:
            self._open.discard(task)
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection: a tunnel, or requests over HTTP as a proxy is sent them."""
        head = await reader.readuntil(b"\r\n\r\n")
        line = _LINE.match(head)
        if line is None:
            await _refuse(writer, 400, "not a request of a proxy")
            return
        method, target = line[1], line[2].decode("latin-1")
        host, port = _destination(method, target)
        if (host, port) != (self._host, self._port):
            self.refused[f"{host}:{port}"] += 1
            await _refuse(writer, 403, "only the model's server can be reached from here")
            return
        async with asyncio.timeout(_CONNECT_SECONDS):
            inner, outer = await asyncio.open_connection(self._host, self._port)
        try:
            if method == b"CONNECT":
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
                await writer.drain()
            else:
                outer.write(_as_sent(method, target, head[line.end() :]))
                await outer.drain()
            await _both(reader, writer, inner, outer)
        finally:
            outer.close()


def _destination(method: bytes, target: str) -> tuple[str, int]:
    if method == b"CONNECT":
        host, _, port = target.rpartition(":")
        return host.strip("[]").lower(), int(port) if port.isdigit() else 0
    parts = urlsplit(target)
    return (parts.hostname or "").lower(), parts.port or (443 if parts.scheme == "https" else 80)


def _as_sent(method: bytes, target: str, rest: bytes) -> bytes:
    """The request as its server wants it: with the path alone, one to a connection, so that no later request on it leads elsewhere."""
    parts = urlsplit(target)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    lines = [
        line for line in rest.split(b"\r\n") if not re.match(rb"(?i)(?:proxy-)?connection:|proxy-authorization:", line)
    ]
    return method + b" " + path.encode("latin-1") + b" HTTP/1.1\r\nConnection: close\r\n" + b"\r\n".join(lines)


async def _both(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, inner: asyncio.StreamReader, outer: asyncio.StreamWriter
) -> None:
    """Passes on both ways until the server has ended."""
    out = asyncio.create_task(_pass_on(reader, outer))
    try:
        await _pass_on(inner, writer)
    finally:
        out.cancel()
        with contextlib.suppress(asyncio.CancelledError, OSError):
            await out


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(_PIECE):
        writer.write(data)
        await writer.drain()
    if writer.can_write_eof():
        writer.write_eof()


async def _refuse(writer: asyncio.StreamWriter, status: int, reason: str) -> None:
    body = reason.encode()
    writer.write(b"HTTP/1.1 %d Refused\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % (status, len(body)) + body)
    await writer.drain()

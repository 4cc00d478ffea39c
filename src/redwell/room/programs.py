"""The programs that readers need (OCR, LibreOffice): a walled reader may start none, and asks the process that started it.

A worker is two processes. The one that reads documents can start nothing; the other, which never looks into a document, starts these two
programs for it, each behind walls of its own. Outside a worker the program is started at once.
"""

from __future__ import annotations

import importlib
import json
import socket
import struct
from typing import IO, Any

_FRAME = struct.Struct("<QQ")
_RUNS = {
    "tesseract": ("redwell.room.formats.ocr", "run_tesseract"),
    "libreoffice": ("redwell.room.formats.legacy", "run_libreoffice"),
}
_HEAD_BYTES = 1 << 16

_channel: socket.socket | None = None


class Failed(Exception):
    """A program that gave no result, with the reason in a reader's words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def listen(channel: socket.socket) -> None:
    """From here on programs are asked for over this channel."""
    global _channel
    _channel = channel


def call(program: str, data: bytes, **options: str | int | float) -> bytes:
    """What the program makes of the data. Raises Failed."""
    if _channel is None:
        return _run(program, data, options)
    try:
        _send(_channel, {"program": program, "options": options}, data)
        with _channel.makefile("rb") as stream:
            answer = _receive(stream)
    except OSError:
        answer = None
    if answer is None:
        raise Failed("the program that reads it cannot be started")
    head, body = answer
    if "failed" in head:
        raise Failed(str(head["failed"]))
    return body


def serve(channel: socket.socket) -> None:
    """Starts programs for the process at the other end until it is gone. What it asks for is checked: it may have been taken over."""
    with channel.makefile("rb") as stream:
        while (asked := _receive(stream)) is not None:
            head, data = asked
            try:
                body, told = _run(str(head.get("program")), data, head.get("options")), {}
            except Failed as failed:
                body, told = b"", {"failed": failed.reason}
            except (MemoryError, OSError, ValueError, TypeError, KeyError):
                body, told = b"", {"failed": "the program that reads it could not be used"}
            try:
                _send(channel, told, body)
            except OSError:
                return


def _run(program: str, data: bytes, options: Any) -> bytes:
    module, function = _RUNS[program]
    made: bytes = getattr(importlib.import_module(module), function)(data, **options)
    return made


def _send(channel: socket.socket, head: dict[str, Any], body: bytes) -> None:
    line = json.dumps(head).encode()
    channel.sendall(_FRAME.pack(len(line), len(body)) + line)
    channel.sendall(body)


def _receive(stream: IO[bytes]) -> tuple[dict[str, Any], bytes] | None:
    frame = stream.read(_FRAME.size)
    if len(frame) < _FRAME.size:
        return None
    head, body = _FRAME.unpack(frame)
    if head > _HEAD_BYTES:
        return None
    try:
        told = json.loads(stream.read(head))
        return (told, stream.read(body)) if isinstance(told, dict) else None
    except (ValueError, MemoryError, OverflowError):
        return None

"""A worker: a fresh interpreter that parses files for the reading process, within limits that it cannot lift, and may be killed.

It is two processes. The first starts programs for the second (see `programs`), and ends as that one ends; the second reads documents,
and raises walls around itself before it sees one (see `walls`).

It is started by `pool.py` with a socket as its only channel and an environment without keys. A request is a JSON header with a list
of files and their bytes; each file is answered by itself, in order, so that the reading process knows which one a worker died on.
"""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
import json
import os
import resource
import signal
import socket
import struct
import sys
from collections import deque
from collections.abc import Callable
from typing import Any, NoReturn

from redwell.room import pace, programs, wire
from redwell.room.types import Limits, Parsed, Unreadable
from redwell.room.walls import raise_walls

Reader = Callable[[bytes, str, Limits], Parsed]
FRAME = struct.Struct("<4sQQ")
"""What precedes each message: a tag, the header's length and the body's."""
TEXT_FLOOR = 32 << 20
"""A text of fewer characters than this is never refused for its length."""
READY, WORK, DONE, MORE = b"redy", b"work", b"done", b"more"


def serve(handle: int, reader: str, host: int, memory: int) -> None:
    """Answers requests on the socket until it closes. `reader` is `module:function`, or `/a/file.py:function`; `host` is the number of the
    reading process; `memory` is what either process may use, in bytes."""
    channel = socket.socket(fileno=handle)
    _harden(host)
    _limit_memory(memory)
    starter, asker = socket.socketpair()
    first = os.getpid()
    child = os.fork()
    if child:
        channel.close()
        asker.close()
        programs.serve(starter)
        _end_like(child)
    starter.close()
    _harden(first)
    programs.listen(asker)
    read = _load(reader)
    _send(channel, READY, json.dumps({"walls": raise_walls()}).encode(), [])
    stream = channel.makefile("rb")
    while frame := stream.read(FRAME.size):
        _, head, _ = FRAME.unpack(frame)
        request = json.loads(stream.read(head))
        limits = Limits(**request["limits"])
        _limit_memory(limits.memory_bytes)
        pace.listen(_asker(channel, limits))
        # All of it is taken before the first answer: were both ends to send at once, both could wait for the other to listen.
        files = deque((name, stream.read(size)) for name, size in request["files"])
        while files:
            name, data = files.popleft()
            _limit_seconds(limits.seconds)
            header, pieces, spent = _answer(read, data, name, limits)
            _send(channel, DONE, header, pieces)
            if spent:
                return


def _asker(channel: socket.socket, limits: Limits) -> Callable[[float], None]:
    def ask(seconds: float) -> None:
        _limit_seconds(max(seconds, limits.seconds))
        _send(channel, MORE, json.dumps({"seconds": seconds}).encode(), [])

    return ask


def _answer(read: Reader, data: bytes, name: str, limits: Limits) -> tuple[bytes, list[bytes], bool]:
    """The answer for one file; true when the worker's memory is not worth going on with."""
    try:
        try:
            parsed = _bounded(read(data, name, limits), len(data), limits)
        except Unreadable as error:
            kind = str(error.detail.get("kind", "unknown"))
            parsed = Parsed(kind, status="unreadable", reason=error.reason, metadata=_fault(error.detail.get("fault")))
            if not isinstance(error.__cause__, MemoryError):
                return (*wire.encode(parsed), False)
            raise MemoryError from error
        return (*wire.encode(parsed), False)
    except MemoryError:
        return (*wire.encode(Parsed("unknown", status="unreadable", reason=memory_reason(limits))), True)
    except RecursionError:
        return (*wire.encode(Parsed("unknown", status="unreadable", reason="its parts are nested too deeply")), False)
    except Exception as error:  # a reader's own fault must cost one file, never the room
        parsed = Parsed("unknown", status="unreadable", reason="the reader failed on it")
        parsed.metadata = _fault(type(error).__name__)
        return (*wire.encode(parsed), False)


def _bounded(parsed: Parsed, size: int, limits: Limits) -> Parsed:
    """Refuses a text that a small file repeats without end (one string in every cell, one number before every paragraph)."""
    most = max(TEXT_FLOOR, min(limits.ratio * size, 2 * limits.total_bytes))
    if any(sum(len(unit.text) + 1 for unit in units) > most for units in parsed.views.values()):
        raise Unreadable(
            f"it unfolds to more than {most >> 20:,} million characters of text, as a bomb does", kind=parsed.kind
        )
    return parsed


def _fault(name: object) -> dict[str, str]:
    """What a programmer needs to know of a reader's own fault; a reason is in the words of those who read reports."""
    return {"fault": str(name)} if name else {}


def memory_reason(limits: Limits) -> str:
    return f"needed more than {_amount(limits.memory_bytes)} of memory"


def _amount(count: int) -> str:
    return f"{count / (1 << 30):g} GiB" if count >= 1 << 30 else f"{count >> 20} MiB"


def _load(reader: str) -> Reader:
    place, _, function = reader.rpartition(":")
    if place.endswith(".py"):
        specification = importlib.util.spec_from_file_location("reader", place)
        if specification is None or specification.loader is None:
            raise ImportError(place)
        module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
    else:
        module = importlib.import_module(place)
    loaded: Reader = getattr(module, function)
    return loaded


def _harden(parent: int) -> None:
    """No core dumps, no privileges gained, and an end when the process of that number, the parent, ends."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        prctl = ctypes.CDLL(None).prctl
        set_death_signal, set_no_new_privileges, set_dumpable = 1, 38, 4
        prctl(set_death_signal, int(signal.SIGKILL), 0, 0, 0)
        prctl(set_no_new_privileges, 1, 0, 0, 0)
        prctl(set_dumpable, 0, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(0)


def _end_like(child: int) -> NoReturn:
    """Waits for the process that reads and ends in the same way, so that the reading process sees what killed it."""
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


def _limit_memory(most: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    ceiling = most if hard == resource.RLIM_INFINITY else min(most, hard)
    if soft != ceiling:
        resource.setrlimit(resource.RLIMIT_AS, (ceiling, ceiling))


def _limit_seconds(seconds: float) -> None:
    """Processor time for the next file, counted from here; the wall clock is the reading process's to watch."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = int(used.ru_utime + used.ru_stime + seconds) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def _send(channel: socket.socket, tag: bytes, header: bytes, pieces: list[bytes]) -> None:
    channel.sendall(FRAME.pack(tag, len(header), sum(map(len, pieces))) + header)
    for piece in pieces:
        channel.sendall(piece)


def request(limits: dict[str, Any], files: list[tuple[str, bytes]]) -> list[bytes]:
    """The message that asks for these files (name, bytes)."""
    header = json.dumps({"limits": limits, "files": [[name, len(data)] for name, data in files]}).encode()
    return [FRAME.pack(WORK, len(header), sum(len(data) for _, data in files)), header, *(data for _, data in files)]

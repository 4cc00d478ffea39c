"""The reading process's side of the workers: starts them, hands them files, and kills and replaces those that hang or crash."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import redwell
from redwell.room import wire, worker
from redwell.room.errors import RoomError
from redwell.room.scratch import Scratch
from redwell.room.types import Limits
from redwell.room.wire import Reading, unreadable

READER = "redwell.room.formats.read:read_file"
START_SECONDS = 60.0
HEADER_BYTES = 512 << 20
FILES_PER_WORKER = 2_000
GRANTS = 10_000
"""How often one file may be given more time (once a page)."""
_KEPT = ("PATH", "TESSDATA_PREFIX", "SSL_CERT_FILE", "TZ")


@dataclass(slots=True, eq=False)
class Task:
    """One document to parse: its SHA-256, its name, its bytes, how deep it lies in other documents."""

    digest: str
    name: str
    data: bytes
    depth: int = 0
    allowance: Allowance | None = None


@dataclass(slots=True)
class Allowance:
    """What one file of the room may still unfold into, however deeply its archives are nested."""

    entries: int
    bytes: int


@dataclass(slots=True, eq=False)
class _Worker:
    process: subprocess.Popen[bytes]
    channel: socket.socket
    received: bytearray = field(default_factory=bytearray)
    tasks: deque[Task] = field(default_factory=deque)
    ready: bool = False
    deadline: float = 0.0
    started: float = 0.0
    grants: int = 0
    done: int = 0


class Pool:
    """Workers in number `jobs`. Use as a context manager; leaving it kills them all."""

    def __init__(self, jobs: int, limits: Limits, reader: str = READER) -> None:
        self._jobs = max(1, jobs)
        self._limits = limits
        self._reader = reader
        self._selector = selectors.DefaultSelector()
        self._workers: list[_Worker] = []
        self._behind: deque[list[Task]] = deque()  # batches whose worker went away before it came to them
        self._suspects: deque[Task] = deque()  # files on which a used worker died: tried once more in a fresh one
        self._away = time.monotonic()
        self._body_bytes = max(limits.memory_bytes, 2 * limits.total_bytes)
        self._scratch: Scratch
        self.walls: dict[str, bool] = {}
        """What the worker that started last says of its walls (see `walls.NAMES`): whether each stands."""

    def __enter__(self) -> Pool:
        self._scratch = Scratch.make()
        return self

    def __exit__(self, *_: object) -> None:
        for one in list(self._workers):
            self._end(one, at_once=True)
        self._selector.close()
        self._scratch.remove()

    @property
    def busy(self) -> bool:
        return bool(self._behind or self._suspects) or any(one.tasks for one in self._workers)

    @property
    def free(self) -> int:
        """How many batches may be handed over now."""
        return self._jobs - sum(1 for one in self._workers if one.tasks) - len(self._behind) - len(self._suspects)

    def submit(self, tasks: Sequence[Task], *, fresh: bool = False) -> None:
        """Hands a batch to an idle worker, or to a new one when there is none or it must be `fresh`."""
        idle = next((one for one in self._workers if not one.tasks), None)
        if idle is not None and fresh and idle.done:
            self._end(idle, at_once=True)
            idle = None
        one = idle or self._start()
        one.tasks.extend(tasks)
        if one.ready:
            self._send(one)

    def wait(self) -> list[tuple[Task, Reading]]:
        """Blocks until a file is answered or a worker given up; the results that there are."""
        away = time.monotonic() - self._away
        for one in self._workers:
            one.deadline += away  # a worker may have waited for us to listen
        results: list[tuple[Task, Reading]] = []
        while self.busy and not results:
            while (self._behind or self._suspects) and sum(1 for one in self._workers if one.tasks) < self._jobs:
                if self._behind:
                    self.submit(self._behind.popleft())
                else:
                    self.submit([self._suspects.popleft()], fresh=True)
            working = [one for one in self._workers if one.tasks]
            timeout = min(one.deadline for one in working) - time.monotonic()
            for key, _ in self._selector.select(max(0.0, timeout)):
                results.extend(self._hear(key.data))
            now = time.monotonic()
            for one in working:
                if one.tasks and one.deadline <= now and one in self._workers:
                    results.extend(self._give_up(one, f"took more than {self._limits.seconds:g} s"))
        self._away = time.monotonic()
        return results

    def _start(self) -> _Worker:
        ours, theirs = socket.socketpair()
        for end in (ours, theirs):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        package = str(Path(redwell.__file__).resolve().parents[1])
        code = (
            f"import sys; sys.path.append({package!r}); from redwell.room.worker import serve; "
            f"serve({theirs.fileno()}, {self._reader!r}, {os.getpid()}, {self._limits.memory_bytes})"
        )
        environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
        environment |= {
            "LANG": "C.UTF-8",
            "HOME": str(self._scratch.path),
            "TMPDIR": str(self._scratch.path),
            "OMP_THREAD_LIMIT": "1",
            "MALLOC_ARENA_MAX": "2",
        }
        process = subprocess.Popen(
            [sys.executable, "-I", "-c", code],
            env=environment,
            cwd=self._scratch.path,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(theirs.fileno(),),
            start_new_session=True,
        )
        theirs.close()
        one = _Worker(process, ours)
        one.deadline = time.monotonic() + START_SECONDS
        self._workers.append(one)
        self._selector.register(ours, selectors.EVENT_READ, one)
        return one

    def _send(self, one: _Worker) -> None:
        self._clock(one)
        one.channel.settimeout(self._limits.seconds)
        try:
            for piece in worker.request(asdict(self._limits), [(task.name, task.data) for task in one.tasks]):
                one.channel.sendall(piece)
        except OSError:
            # Dead or deaf: the closed channel is heard in `wait`, or the clock runs out there.
            return
        finally:
            one.channel.settimeout(None)

    def _clock(self, one: _Worker) -> None:
        one.started = time.monotonic()
        one.deadline = one.started + self._limits.seconds
        one.grants = 0

    def _hear(self, one: _Worker) -> Iterator[tuple[Task, Reading]]:
        try:
            chunk = one.channel.recv(1 << 20)
        except OSError:
            chunk = b""
        if not chunk:
            yield from self._lost(one)
            return
        one.received += chunk
        while len(one.received) >= worker.FRAME.size:
            tag, head, body = worker.FRAME.unpack_from(one.received)
            if head > HEADER_BYTES or body > self._body_bytes:
                yield from self._give_up(one, "its text is longer than can be kept")
                return
            end = worker.FRAME.size + head + body
            if len(one.received) < end:
                return
            whole, one.received = one.received, bytearray(one.received[end:])
            message = memoryview(whole)[worker.FRAME.size : end]
            if tag == worker.READY and not one.ready:
                one.ready = True
                self._note_walls(bytes(message[:head]))
                if one.tasks:
                    self._send(one)
            elif tag == worker.MORE and one.tasks:
                self._grant(one, bytes(message[:head]))
            elif tag == worker.DONE and one.tasks:
                try:
                    reading = wire.decode(bytes(message[:head]), message[head:])
                except wire.BadMessage:
                    yield from self._give_up(one, "the reader gave an answer that makes no sense")
                    return
                yield from self._answered(one, reading)
            else:
                yield from self._give_up(one, "the reader gave an answer that makes no sense")
                return

    def _answered(self, one: _Worker, reading: Reading) -> Iterator[tuple[Task, Reading]]:
        task = one.tasks.popleft()
        fresh = one.done == 0
        one.done += 1
        self._clock(one)
        if reading.status == "unreadable" and reading.reason == worker.memory_reason(self._limits):
            # The worker leaves after this. Memory that earlier files left in pieces is no fault of this one's: once more, alone.
            self._end(one, at_once=False)
            if fresh:
                yield task, reading
            else:
                self._suspects.append(task)
            return
        yield task, reading
        if not one.tasks and one.done >= FILES_PER_WORKER:
            self._end(one, at_once=False)

    def _note_walls(self, header: bytes) -> None:
        try:
            self.walls = {str(name): stands is True for name, stands in json.loads(header)["walls"].items()}
        except (ValueError, TypeError, KeyError, AttributeError):
            self.walls = {}

    def _grant(self, one: _Worker, header: bytes) -> None:
        try:
            seconds = float(json.loads(header)["seconds"])
        except (ValueError, TypeError, KeyError):
            return
        one.grants += 1
        if one.grants <= GRANTS:
            allowed = max(0.0, min(seconds, self._limits.ocr_seconds_per_page + self._limits.seconds))
            one.deadline = max(one.deadline, time.monotonic() + allowed)

    def _lost(self, one: _Worker) -> Iterator[tuple[Task, Reading]]:
        """The worker's end of the channel is closed."""
        if not one.ready:
            raise RoomError("The workers that read documents cannot start; `redwell doctor` says more.")
        task = one.tasks.popleft() if one.tasks else None
        code = self._end(one, at_once=False)
        if task is None:
            return
        if one.done:
            self._suspects.append(task)  # perhaps an earlier file's fault
        elif code == -signal.SIGXCPU:
            yield task, unreadable(f"took more than {self._limits.seconds:g} s")
        else:
            how = f"signal {-code}" if code < 0 else f"exit {code}"
            yield task, unreadable(f"the reader crashed on it ({how})")

    def _give_up(self, one: _Worker, reason: str) -> Iterator[tuple[Task, Reading]]:
        if not one.ready:
            raise RoomError("The workers that read documents do not start; `redwell doctor` says more.")
        task = one.tasks.popleft() if one.tasks else None
        self._end(one, at_once=True)
        if task is not None:
            yield task, unreadable(reason)

    def _end(self, one: _Worker, *, at_once: bool) -> int:
        """Ends the worker with everything it started; its exit status. What it had not come to is done by others.

        Unless `at_once`, it gets a moment to leave by itself, so that its own signal is seen and not ours.
        """
        self._workers.remove(one)
        self._selector.unregister(one.channel)
        one.channel.close()
        if one.tasks:
            self._behind.append(list(one.tasks))
            one.tasks.clear()
        with contextlib.suppress(subprocess.TimeoutExpired):
            one.process.wait(0 if at_once else 2)
        # The group outlives its first process where a converter was started; the number cannot be another's before `wait`.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(one.process.pid, signal.SIGKILL)
        return one.process.wait()

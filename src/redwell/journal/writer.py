"""The one thread that writes a journal, and commits for everyone who waits at the same time."""

from __future__ import annotations

import asyncio
import hashlib
import json
import queue
import sqlite3
import threading
import time
import zlib
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from redwell.journal.database import JournalError, insert_rows, unusable

_BATCH = 1024  # events in one commit
_KNOWN = 65_536  # digests remembered as stored, so that a repeated text is not deflated again
# Each packing gives up the interpreter lock and waits to have it again while others compute: not for what saves a few hundred bytes.
_SMALLEST_DEFLATED = 2_000


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened. `sequence` orders all events of a run; `agent` is `root`, or `root.3` for a depth-2 child.

    `time` is the wall clock in seconds since 1970, for people; only `sequence` is an order. `data` is small JSON; texts are in
    blobs, named in `blobs` by purpose -> SHA-256.
    """

    sequence: int
    time: float
    kind: str
    agent: str
    data: dict[str, Any] = field(default_factory=dict)
    blobs: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Pending:
    """An event that waits for its commit; whoever waits for it is in `loop` (asyncio) or, without one, in a thread."""

    kind: str
    agent: str
    data: dict[str, Any]
    encoded: str
    blobs: Mapping[str, bytes]
    parts: Sequence[tuple[bytes, bytes]]  # each with its SHA-256
    future: asyncio.Future[Event] | Future[Event]
    loop: asyncio.AbstractEventLoop | None = None


class Writer:
    """Owns the writing connection. `submit` may be called from any thread."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        # The times of one process keep their distances also when the wall clock is set meanwhile.
        self._epoch = time.time() - time.monotonic()
        (self._last,) = connection.execute("SELECT coalesce(max(sequence), 0) FROM events").fetchone()
        self._known: set[bytes] = set()
        self._queue: queue.SimpleQueue[Pending | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="journal", daemon=True)
        self._thread.start()

    def submit(self, pending: Pending) -> None:
        with self._lock:
            if self._closed:
                raise JournalError(f"{self._path}: the journal is closed")
            self._queue.put(pending)

    def close(self) -> None:
        """Commits what was submitted, folds the write-ahead log into the file, and closes it."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._queue.put(None)
        self._thread.join()
        try:
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error:
            pass  # the log stays beside the file and is read from there
        finally:
            self._connection.close()

    def _work(self) -> None:
        closing = False
        while not closing:
            batch: list[Pending] = []
            item = self._queue.get()
            while True:
                if item is None:
                    closing = True
                    break
                batch.append(item)
                if len(batch) >= _BATCH:
                    break
                try:
                    item = self._queue.get_nowait()
                except queue.Empty:
                    break
            if batch:
                self._commit(batch)

    def _commit(self, batch: list[Pending]) -> None:
        events: list[Event] = []
        outcome: JournalError | None = None
        try:
            fresh: dict[bytes, bytes] = {}
            for number, pending in enumerate(batch, self._last + 1):
                names = {name: self._digest(content, fresh) for name, content in pending.blobs.items()}
                fresh |= {digest: content for digest, content in pending.parts if digest not in self._known}
                events.append(
                    Event(number, self._epoch + time.monotonic(), pending.kind, pending.agent, pending.data, names)
                )
            rows = [
                (event.sequence, event.time, event.kind, event.agent, pending.encoded, json.dumps(event.blobs))
                for event, pending in zip(events, batch, strict=True)
            ]
            self._connection.execute("BEGIN IMMEDIATE")
            if fresh:
                packed = [(digest, len(content), *_deflate(content)) for digest, content in fresh.items()]
                insert_rows(self._connection, "INSERT OR IGNORE INTO blobs (digest, size, deflated, bytes)", packed)
            insert_rows(self._connection, "INSERT INTO events (sequence, time, kind, agent, data, blobs)", rows)
            self._connection.execute("COMMIT")
            self._last += len(batch)
            if len(self._known) > _KNOWN:
                self._known.clear()
            self._known.update(fresh)
        except sqlite3.Error as error:
            outcome = unusable(self._path, error)
            self._undo()
        except Exception as error:  # a waiting caller must never be left waiting
            outcome = JournalError(f"{self._path} could not be written: {error}")
            self._undo()
        _answer(batch, events, outcome)

    def _undo(self) -> None:
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except sqlite3.Error:
            pass  # the next BEGIN will say what is wrong

    def _digest(self, content: bytes, fresh: dict[bytes, bytes]) -> str:
        digest = hashlib.sha256(content).digest()
        if digest not in self._known:
            fresh[digest] = content
        return digest.hex()


def _deflate(content: bytes) -> tuple[int, bytes]:
    if len(content) >= _SMALLEST_DEFLATED:
        packed = zlib.compress(content, 1)
        if len(packed) < 0.9 * len(content):
            return 1, packed
    return 0, content


def _answer(batch: list[Pending], events: list[Event], outcome: JournalError | None) -> None:
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Event], Event | None]]] = {}
    for number, pending in enumerate(batch):
        event = events[number] if outcome is None else None
        if isinstance(pending.future, Future):
            if event is not None:
                pending.future.set_result(event)
            else:
                pending.future.set_exception(outcome or JournalError("not written"))
        elif pending.loop is not None:
            by_loop.setdefault(pending.loop, []).append((pending.future, event))
    for loop, waiting in by_loop.items():
        try:
            loop.call_soon_threadsafe(_wake, waiting, outcome)
        except RuntimeError:
            continue  # that loop has ended, and nobody waits in it


def _wake(waiting: list[tuple[asyncio.Future[Event], Event | None]], outcome: JournalError | None) -> None:
    for future, event in waiting:
        if future.done():
            continue
        if event is not None:
            future.set_result(event)
        else:
            future.set_exception(outcome or JournalError("not written"))

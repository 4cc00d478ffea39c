"""The append-only record of a run: `run.json`, `journal.sqlite`, and `output/` in one folder."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import hashlib
import importlib.metadata
import json
import os
import platform
import re
import sqlite3
import threading
import uuid
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from redwell.journal.database import BROKEN, JournalError, connect_reader, connect_writer, unusable
from redwell.journal.shown import shown_json
from redwell.journal.writer import Event, Pending, Writer

__all__ = ["Event", "Journal", "JournalError"]

RUN_FILE = "run.json"
DATABASE_FILE = "journal.sqlite"
LOCK_FILE = "lock"
_PAGE = 500
_TIGHT = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_PACKAGES = ("redwell", "openai", "anthropic", "pypdfium2", "lxml", "tantivy")


class Journal:
    """What is appended here is durable (neither `kill -9` nor a power cut loses it) once `append` has returned.

    Any thread may append and read. One process at a time may write; any number may read beside it.
    """

    folder: Path

    def __init__(
        self, folder: Path, frozen: dict[str, Any], writer: Writer | None, reader: sqlite3.Connection, lock: int | None
    ) -> None:
        self.folder = folder
        self._frozen = frozen
        self._writer = writer
        self._reader = reader
        self._reading = threading.Lock()
        self._lock = lock

    @classmethod
    def create(cls, folder: Path, configuration: dict[str, Any]) -> Journal:
        """Makes the run folder with the frozen `run.json`.

        Raises FileExistsError when it holds a run already, JournalError when it cannot be made.
        """
        folder = Path(folder)
        path = folder / DATABASE_FILE
        frozen = {
            "format": 1,
            "id": uuid.uuid4().hex,
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "versions": _versions(),
            "configuration": configuration,
        }
        try:
            text = shown_json(json.dumps(frozen, indent=2, ensure_ascii=False, allow_nan=False))
        except (TypeError, ValueError) as error:
            raise JournalError(f"the configuration of a run must be plain JSON: {error}") from None
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = _take_lock(folder)
        except OSError as error:
            raise JournalError(f"{folder} cannot be made into a run folder: {error.strerror}") from None
        try:
            if (folder / RUN_FILE).exists():
                raise FileExistsError(f"{folder} holds a run already: resume it, or choose another folder")
            # Without run.json there is no run: what is here was left by a process that was killed while it made one.
            for leftover in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
                leftover.unlink(missing_ok=True)
            writer = Writer(connect_writer(path, new=True), path)
            (folder / "output").mkdir(exist_ok=True)
            _write_durably(folder / RUN_FILE, text)
            return cls(folder, json.loads(text), writer, connect_reader(path), lock)
        except FileExistsError:
            os.close(lock)
            raise
        except OSError as error:
            os.close(lock)
            raise JournalError(f"{folder} cannot be made into a run folder: {error.strerror}") from None
        except BaseException:
            os.close(lock)
            raise

    @classmethod
    def open(cls, folder: Path, *, read_only: bool = False) -> Journal:
        """Opens a run to go on with it, or only to read while another process writes.

        Raises JournalError when the folder holds no run, the journal is damaged, or (to write) another process uses it.
        """
        folder = Path(folder)
        path = folder / DATABASE_FILE
        frozen = _read_frozen(folder)
        if not path.is_file():
            raise JournalError(f"{folder} has {RUN_FILE} but no {DATABASE_FILE}: the journal is missing")
        if read_only:
            return cls(folder, frozen, None, connect_reader(path), None)
        try:
            lock = _take_lock(folder)
        except OSError as error:
            raise JournalError(f"{folder} cannot be written: {error.strerror}") from None
        try:
            return cls(folder, frozen, Writer(connect_writer(path, new=False), path), connect_reader(path), lock)
        except BaseException:
            os.close(lock)
            raise

    def append(
        self,
        kind: str,
        agent: str = "root",
        data: dict[str, Any] | None = None,
        *,
        parts: Sequence[str | bytes] = (),
        **blobs: str | bytes,
    ) -> Event:
        """Commits the event and its blobs before it returns.

        `parts` are texts that a blob names by their SHA-256; they are stored in the same commit. Raises JournalError when the
        event could not be written, or is not plain JSON; nothing of it is then in the journal.
        """
        future: Future[Event] = Future()
        self._submit(kind, agent, data, parts, blobs, future, None)
        return future.result()

    async def append_async(
        self,
        kind: str,
        agent: str = "root",
        data: dict[str, Any] | None = None,
        *,
        parts: Sequence[str | bytes] = (),
        **blobs: str | bytes,
    ) -> Event:
        """The same, sharing one commit among all callers that wait at the same time."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Event] = loop.create_future()
        self._submit(kind, agent, data, parts, blobs, future, loop)
        return await future

    def events(self, kind: str | tuple[str, ...] | None = None, *, after: int = 0) -> Iterator[Event]:
        """Events in order, of the given kind or kinds (a kind that ends in `.` stands for all that begin so), after a sequence."""
        where, values = _kind_filter(kind)
        query = f"SELECT sequence, time, kind, agent, data, blobs FROM events WHERE sequence > ?{where} ORDER BY sequence LIMIT ?"
        while True:
            rows = self._rows(query, [after, *values, _PAGE])
            for row, data, blobs in zip(rows, self._read(rows, 4), self._read(rows, 5), strict=True):
                yield Event(row[0], row[1], row[2], row[3], data, blobs)
            if len(rows) < _PAGE:
                return
            after = rows[-1][0]

    def _read(self, rows: list[Any], column: int) -> list[Any]:
        """The JSON of a column, read at once because a row at a time takes three times as long; of a page with damage, row by row."""
        with contextlib.suppress(ValueError, TypeError):
            found: list[Any] = json.loads(f"[{','.join([row[column] for row in rows])}]")
            if len(found) == len(rows):
                return found
        found = []
        for row in rows:
            try:
                found.append(json.loads(row[column]))
            except (ValueError, TypeError):
                raise JournalError(f"{self.folder / DATABASE_FILE} is damaged at event {row[0]}") from None
        return found

    @property
    def last(self) -> int:
        """The sequence of the newest event, 0 when there is none."""
        return int(self._rows("SELECT coalesce(max(sequence), 0) FROM events", [])[0][0])

    def blob(self, digest: str) -> bytes:
        """The bytes with this SHA-256. Raises JournalError when they are not here, or no longer have that digest."""
        try:
            key = bytes.fromhex(digest)
        except ValueError:
            raise JournalError(f"{digest!r} is not a SHA-256") from None
        rows = self._rows("SELECT deflated, bytes FROM blobs WHERE digest = ?", [key])
        if not rows:
            raise JournalError(f"{self.folder / DATABASE_FILE} has no text with the digest {digest}")
        try:
            content = zlib.decompress(rows[0][1]) if rows[0][0] else bytes(rows[0][1])
        except (zlib.error, TypeError):
            content = b""
        if hashlib.sha256(content).digest() != key:
            raise JournalError(f"{self.folder / DATABASE_FILE} is damaged: the text {digest} does not match its digest")
        return content

    def text(self, digest: str) -> str:
        return self.blob(digest).decode("utf-8")

    @property
    def configuration(self) -> dict[str, Any]:
        """What the run was started with, as it was frozen."""
        return dict(self._frozen["configuration"])

    @property
    def id(self) -> str:
        """A random name of the run, 32 hex digits, that no other run has."""
        return str(self._frozen["id"])

    @property
    def versions(self) -> dict[str, str]:
        return dict(self._frozen["versions"])

    @property
    def created(self) -> str:
        """When the run was made, ISO 8601, UTC."""
        return str(self._frozen["created"])

    def close(self) -> None:
        """Commits what is waiting and lets go of the run. Closing twice is allowed."""
        with self._reading:
            self._reader.close()
        if self._writer is not None:
            self._writer.close()  # last, because only a connection that may write takes the write-ahead log away with it
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _submit(
        self,
        kind: str,
        agent: str,
        data: dict[str, Any] | None,
        parts: Sequence[str | bytes],
        blobs: dict[str, str | bytes],
        future: asyncio.Future[Event] | Future[Event],
        loop: asyncio.AbstractEventLoop | None,
    ) -> None:
        if self._writer is None:
            raise JournalError(f"{self.folder} was opened to read only")
        # The data is frozen here, in the caller's thread: another task may change the object before it is written.
        try:
            encoded = _TIGHT.encode(data or {})
            encoded.encode("utf-8")
        except (TypeError, ValueError):
            encoded = _plain(kind, data or {})
        named = {name: _bytes(content) for name, content in blobs.items()}
        self._writer.submit(Pending(kind, agent, data or {}, encoded, named, [*map(_part, parts)], future, loop))

    def _rows(self, query: str, values: Sequence[Any]) -> list[Any]:
        try:
            with self._reading:
                return self._reader.execute(query, values).fetchall()
        except sqlite3.ProgrammingError:
            raise JournalError(f"{self.folder}: the journal is closed") from None
        except BROKEN as error:
            raise unusable(self.folder / DATABASE_FILE, error) from None


def _bytes(content: str | bytes) -> bytes:
    # A lone surrogate (from a model's broken escape) is kept readable instead of ending the run.
    return content.encode("utf-8", "backslashreplace") if isinstance(content, str) else bytes(content)


@lru_cache(maxsize=64)
def _part(content: str | bytes) -> tuple[bytes, bytes]:
    """The SHA-256 and the bytes: parts are rules and schemas, the same for thousands of events."""
    encoded = _bytes(content)
    return hashlib.sha256(encoded).digest(), encoded


def _plain(kind: str, data: dict[str, Any]) -> str:
    """JSON with escapes, for text that UTF-8 cannot hold; anything but plain JSON is refused."""
    try:
        return json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise JournalError(f"an event of kind {kind} must hold plain JSON: {error}") from None


def _kind_filter(kind: str | tuple[str, ...] | None) -> tuple[str, list[str]]:
    if kind is None:
        return "", []
    kinds = (kind,) if isinstance(kind, str) else kind
    tests: list[str] = []
    values: list[str] = []
    for one in kinds:
        if one.endswith("."):
            tests.append("(kind >= ? AND kind < ?)")
            values += [one, one[:-1] + "/"]  # "/" is the character after "."
        else:
            tests.append("kind = ?")
            values.append(one)
    return (f" AND ({' OR '.join(tests)})" if tests else " AND 0"), values


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version}
    for package in _PACKAGES:
        try:
            found[package] = _version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def _version(package: str) -> str:
    """What importlib.metadata says, read from the head of the file that it would parse as a whole."""
    held = importlib.metadata.distribution(package)
    said = re.search(r"^Version: *(\S+)", held.read_text("METADATA") or "", re.MULTILINE)
    return said[1] if said else held.version


def _read_frozen(folder: Path) -> dict[str, Any]:
    path = folder / RUN_FILE
    try:
        frozen = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise JournalError(f"{folder} holds no run: it has no {RUN_FILE}") from None
    except NotADirectoryError:
        raise JournalError(f"{folder} is not a folder") from None
    except OSError as error:
        raise JournalError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise JournalError(f"{path} is damaged: {error}") from None
    if not isinstance(frozen, dict) or not isinstance(frozen.get("configuration"), dict):
        raise JournalError(f"{path} is damaged: it has no configuration")
    return {"versions": {}, "created": "", "id": "", **frozen}


def _take_lock(folder: Path) -> int:
    """Holds the run for this process; the kernel lets go of it however the process ends."""
    descriptor = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()
        os.close(descriptor)
        raise JournalError(f"{folder} is in use by process {holder or 'unknown'}") from None
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
    return descriptor


def _write_durably(path: Path, text: str) -> None:
    """All of the file or none of it, also when the power goes."""
    beside = path.with_name(path.name + ".new")
    with open(beside, "w", encoding="utf-8") as file:
        file.write(text + "\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)

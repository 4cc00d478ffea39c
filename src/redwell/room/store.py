"""The store's files: `text.bin` (all texts, UTF-8, append-only), `boxes.bin`, `room.sqlite` (everything else), `index/`.

A text is appended and synced before the row that points at it is committed, so a crash leaves at most a tail of `text.bin` that
no row knows; the next writer cuts it off. One writer at a time; any number of readers. Documents are rows with an integer key
inside; the views `texts` and `units` give the SHA-256 instead, for readers that only have SQLite.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from redwell.room.errors import RoomError
from redwell.room.places import not_a_store
from redwell.room.wire import Reading

FORMAT = 1
DAMAGED = (sqlite3.DatabaseError, UnicodeDecodeError, MemoryError)
"""What reading a damaged store raises: it may name what is no text, or ask for more memory than there is."""
FLUSH_BYTES = 8 << 20
FLUSH_DOCUMENTS = 400

SCHEMA = """
CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE documents(
  key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, path TEXT NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL,
  reason TEXT NOT NULL, length INTEGER NOT NULL, units INTEGER NOT NULL, pages INTEGER NOT NULL, size INTEGER NOT NULL,
  parent TEXT, metadata TEXT NOT NULL, problems TEXT NOT NULL, removed INTEGER NOT NULL, readers TEXT NOT NULL);
CREATE TABLE files(
  path TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, inode INTEGER NOT NULL, document TEXT,
  status TEXT NOT NULL, reason TEXT NOT NULL, removed INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE members(
  parent TEXT NOT NULL, ordinal INTEGER NOT NULL, name TEXT NOT NULL, document TEXT, status TEXT NOT NULL, reason TEXT NOT NULL,
  PRIMARY KEY(parent, ordinal)) WITHOUT ROWID;
CREATE TABLE paths(path TEXT PRIMARY KEY, document TEXT, status TEXT NOT NULL, reason TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX paths_document ON paths(document);
CREATE TABLE text_rows(
  document INTEGER NOT NULL, view TEXT NOT NULL, offset INTEGER NOT NULL, bytes INTEGER NOT NULL, length INTEGER NOT NULL,
  PRIMARY KEY(document, view)) WITHOUT ROWID;
CREATE TABLE unit_rows(
  document INTEGER NOT NULL, view TEXT NOT NULL, ordinal INTEGER NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL,
  path TEXT NOT NULL, label TEXT NOT NULL, section TEXT NOT NULL, source TEXT NOT NULL, flags TEXT NOT NULL,
  PRIMARY KEY(document, view, ordinal)) WITHOUT ROWID;
CREATE INDEX hidden_units ON unit_rows(document, view) WHERE instr(flags, 'hidden');
CREATE TABLE box_rows(
  document INTEGER NOT NULL, view TEXT NOT NULL, ordinal INTEGER NOT NULL, offset INTEGER NOT NULL, bytes INTEGER NOT NULL,
  PRIMARY KEY(document, view, ordinal)) WITHOUT ROWID;
CREATE VIEW texts AS SELECT d.id AS document, t.view, t.offset, t.bytes, t.length
  FROM text_rows t JOIN documents d ON d.key = t.document;
CREATE VIEW units AS SELECT d.id AS document, u.view, u.ordinal, u.start, u."end", u.path, u.label, u.section, u.source, u.flags
  FROM unit_rows u JOIN documents d ON d.key = u.document;
"""


def open_database(folder: Path) -> sqlite3.Connection:
    """A read-only connection to a finished store; RoomError says what is wrong with anything else."""
    file = folder / "room.sqlite"
    if not file.is_file():
        raise RoomError(not_a_store(folder))
    try:
        try:
            connection = _connect(file, "mode=ro")
        except sqlite3.OperationalError:
            # A store on a read-only disk cannot hold the WAL's shared memory; it also cannot change, so `immutable` is true.
            connection = _connect(file, "mode=ro&immutable=1")
        values = dict(connection.execute("SELECT name, value FROM meta"))
    except DAMAGED as error:
        raise RoomError(
            f"The room in {folder} is damaged or cannot be opened ({error}). Delete the folder and read the room again."
        ) from error
    if values.get("format") != str(FORMAT):
        connection.close()
        raise RoomError(f"The room in {folder} was made by another version. Delete the folder and read the room again.")
    if values.get("complete") != "1":
        connection.close()
        raise RoomError(
            f"The reading of the room in {folder} has not finished. Run the same `redwell room read` again; it goes on."
        )
    return connection


def _connect(file: Path, options: str) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{file.absolute().as_uri()}?{options}", uri=True, check_same_thread=False)
    try:
        connection.execute("SELECT 1 FROM meta").fetchone()
    except DAMAGED:
        connection.close()
        raise
    return connection


def fold(folder: Path) -> None:
    """Makes the one SQLite file of a finished store the whole truth, where a process that was killed just after it had finished left some of it in the
    WAL: a session sees that file alone. Raises RoomError when the disk is full."""
    log = folder / "room.sqlite-wal"
    if not (log.is_file() and log.stat().st_size and writable(folder)):
        return
    with full_disk_told(folder), closing(sqlite3.connect(folder / "room.sqlite")) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def writable(folder: Path) -> bool:
    """Whether this process, as who it is now, may make files in a folder."""
    return os.access(folder, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def is_full(error: Exception) -> bool:
    """Whether the disk is full; the search engine says so only in words."""
    said = str(error).lower()
    told = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    return told or "no space left" in said or "disk is full" in said


@contextmanager
def full_disk_told(folder: Path) -> Iterator[None]:
    """Turns what a full disk raises while a store is written into a RoomError that says so."""
    try:
        yield
    except (OSError, ValueError, sqlite3.Error) as error:
        if is_full(error):
            raise RoomError(
                f"The store {folder} cannot be written: the disk is full. Free some space and do the same again; what was read is kept."
            ) from error
        raise


@contextmanager
def damage_told(folder: Path) -> Iterator[None]:
    """Turns what a damaged store raises while it is read into a RoomError that says so."""
    try:
        yield
    except DAMAGED as error:
        if is_full(error):
            raise
        raise RoomError(
            f"The room in {folder} is damaged, or its disk is failing ({error}). Delete the folder and read the room again."
        ) from error


class Writer:
    """The one process that changes a store. Results are kept back and committed together (`flush`)."""

    def __init__(self, folder: Path) -> None:
        """Opens or makes the store, and cuts off what a crash left. Raises RoomError when that is impossible or another writes."""
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(folder / "room.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise RoomError(
                f"The store {folder} cannot be written ({error.strerror}). Name another with --store."
            ) from error
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._lock)
            raise RoomError(
                f"Another process is reading a room into {folder}. Wait for it, or name another --store."
            ) from error
        try:
            self.database = self._open()
        except DAMAGED as error:
            os.close(self._lock)
            if is_full(error):
                raise
            raise RoomError(
                f"The room in {folder} is damaged ({error}). Delete the folder and read the room again."
            ) from error
        except RoomError:
            os.close(self._lock)
            raise
        self._text = self._append_to("text.bin", "text_rows")
        self._boxes = self._append_to("boxes.bin", "box_rows")
        self._pending: list[tuple[str, int, str, Reading, list[tuple[str, str | None, str, str]]]] = []
        self._pending_bytes = 0
        self._next_key = int(self.database.execute("SELECT coalesce(max(key), 0) + 1 FROM documents").fetchone()[0])

    def _open(self) -> sqlite3.Connection:
        database = sqlite3.connect(self.folder / "room.sqlite", check_same_thread=False)
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=NORMAL")
        database.execute("PRAGMA cache_size=-65536")
        if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
            database.executescript(f"BEGIN; {SCHEMA} INSERT INTO meta VALUES ('format', '{FORMAT}'); COMMIT;")
        elif self._meta(database, "format") != str(FORMAT):
            database.close()
            raise RoomError(
                f"The room in {self.folder} was made by another version. Delete the folder and read the room again."
            )
        return database

    @staticmethod
    def _meta(database: sqlite3.Connection, name: str) -> str | None:
        row = database.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else None

    def _append_to(self, name: str, table: str) -> int:
        end = int(self.database.execute(f"SELECT coalesce(max(offset + bytes), 0) FROM {table}").fetchone()[0])
        handle = os.open(self.folder / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        if os.fstat(handle).st_size < end:
            os.close(handle)
            raise RoomError(f"{self.folder / name} is shorter than it was. Delete the folder and read the room again.")
        os.ftruncate(handle, end)
        os.lseek(handle, end, os.SEEK_SET)
        return handle

    def meta(self, name: str) -> str | None:
        return self._meta(self.database, name)

    def set_meta(self, **values: str) -> None:
        self.database.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", values.items())

    def add(
        self, digest: str, size: int, readers: str, reading: Reading, members: list[tuple[str, str | None, str, str]]
    ) -> None:
        """Takes a document's result; `members` are (name, document or None, status, reason). It replaces an older result."""
        self._pending.append((digest, size, readers, reading, members))
        self._pending_bytes += sum(len(text.utf8) for text in reading.texts.values())
        if self._pending_bytes >= FLUSH_BYTES or len(self._pending) >= FLUSH_DOCUMENTS:
            self.flush()

    def flush(self) -> None:
        """Makes everything added so far durable: first the texts, then the rows that point at them."""
        if self._pending:
            rows: dict[str, list[tuple[Any, ...]]] = {
                "documents": [],
                "members": [],
                "texts": [],
                "units": [],
                "boxes": [],
            }
            text_end, box_end = os.lseek(self._text, 0, os.SEEK_CUR), os.lseek(self._boxes, 0, os.SEEK_CUR)
            texts: list[bytes] = []
            boxes: list[bytes] = []
            for digest, size, readers, reading, members in self._pending:
                key = self._key(digest)
                final = reading.texts.get("final")
                rows["documents"].append(
                    (
                        key, digest, "", reading.kind, reading.status, reading.reason, final.length if final else 0,
                        len(final.units) if final else 0, reading.pages, size, None,
                        json.dumps(reading.metadata, ensure_ascii=False), json.dumps(reading.problems, ensure_ascii=False), 0, readers,
                    )
                )  # fmt: skip
                rows["members"].extend((digest, i, *member) for i, member in enumerate(members))
                for view, text in reading.texts.items():
                    rows["texts"].append((key, view, text_end, len(text.utf8), text.length))
                    texts.append(text.utf8)
                    text_end += len(text.utf8)
                    rows["units"].extend((key, view, i, *unit) for i, unit in enumerate(text.units))
                    for ordinal, blob in text.boxes:
                        rows["boxes"].append((key, view, ordinal, box_end, len(blob)))
                        boxes.append(blob)
                        box_end += len(blob)
            _append(self._text, texts)
            _append(self._boxes, boxes)
            insert = self.database.executemany
            insert(f"INSERT INTO documents VALUES ({','.join('?' * 15)})", rows["documents"])
            insert("INSERT INTO members VALUES (?, ?, ?, ?, ?, ?)", rows["members"])
            insert("INSERT INTO text_rows VALUES (?, ?, ?, ?, ?)", rows["texts"])
            insert(f"INSERT INTO unit_rows VALUES ({','.join('?' * 10)})", rows["units"])
            insert("INSERT INTO box_rows VALUES (?, ?, ?, ?, ?)", rows["boxes"])
            self._pending.clear()
            self._pending_bytes = 0
        self.database.commit()

    def _key(self, digest: str) -> int:
        """A fresh key; the rows of an older result of the same bytes go away in the same transaction."""
        old = self.database.execute("SELECT key FROM documents WHERE id = ?", (digest,)).fetchone()
        if old:
            for table in ("text_rows", "unit_rows", "box_rows"):
                self.database.execute(f"DELETE FROM {table} WHERE document = ?", old)
            self.database.execute("DELETE FROM documents WHERE key = ?", old)
            self.database.execute("DELETE FROM members WHERE parent = ?", (digest,))
        self._next_key += 1
        return self._next_key - 1

    def files(self, rows: Iterable[tuple[str, int, int, int, str | None, str, str]]) -> None:
        """Notes what stands at each path now: (path, size, mtime_ns, inode, document, status, reason)."""
        self.database.executemany("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, 0)", rows)

    def close(self, *, finished: bool) -> None:
        """Gives the store up. `finished` empties the WAL, so that the one SQLite file is the whole truth."""
        try:
            if finished:
                self.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self.database.close()
        finally:
            for handle in (self._text, self._boxes, self._lock):
                os.close(handle)


def _append(handle: int, pieces: list[bytes]) -> None:
    if not pieces:
        return
    data = memoryview(b"".join(pieces))
    while data:
        data = data[os.write(handle, data) :]
    os.fsync(handle)

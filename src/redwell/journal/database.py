"""The SQLite file under a journal: its tables, how it is opened, and how rows are written in few steps."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

APPLICATION_ID = 0x5277_6C6A  # "Rwlj", so that `file` and we can tell a journal from any other database
FORMAT = 1
BROKEN = (sqlite3.Error, UnicodeDecodeError, MemoryError)
"""What reading a database raises: a damaged one may name what is no text, or ask for more memory than there is."""
ROWS_PER_STEP = 64

_SCHEMA = """
CREATE TABLE events (
  sequence INTEGER PRIMARY KEY,
  time REAL NOT NULL,
  kind TEXT NOT NULL,
  agent TEXT NOT NULL,
  data TEXT NOT NULL,
  blobs TEXT NOT NULL
);
CREATE INDEX events_by_kind ON events (kind, sequence);
CREATE TABLE blobs (
  digest BLOB PRIMARY KEY,
  size INTEGER NOT NULL,
  deflated INTEGER NOT NULL,
  bytes BLOB NOT NULL
);
"""


class JournalError(Exception):
    """A journal that cannot be made, opened, read or written, with the reason in plain words."""


def connect_writer(path: Path, *, new: bool) -> sqlite3.Connection:
    """WAL with synchronous=FULL: each commit is on the disk, not only in the kernel, when it returns."""
    try:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, cached_statements=256)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA wal_autocheckpoint=4000")
        if new:
            connection.executescript(
                f"BEGIN; {_SCHEMA} PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version={FORMAT}; COMMIT;"
            )
        else:
            _check_format(connection, path)
            _check_whole(connection, path)
    except BROKEN as error:
        raise unusable(path, error) from None
    return connection


def connect_reader(path: Path) -> sqlite3.Connection:
    """Opens read-only, beside a writer or on a read-only disk."""
    try:
        return _reader(path, "mode=ro")
    except sqlite3.OperationalError:
        # Without a writer and on a disk that takes no -shm file, WAL cannot be used; nobody can be writing there either.
        try:
            return _reader(path, "mode=ro&immutable=1")
        except BROKEN as error:
            raise unusable(path, error) from None
    except BROKEN as error:
        raise unusable(path, error) from None


def _reader(path: Path, mode: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"file:{quote(str(path))}?{mode}", uri=True, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("PRAGMA query_only=1")
        _check_format(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _check_format(connection: sqlite3.Connection, path: Path) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        raise JournalError(f"{path} is not a Redwell journal")
    if version != FORMAT:
        raise JournalError(
            f"{path} is of journal format {version}, and this version of Redwell reads format {FORMAT}: "
            "open it with the version that made it (run.json names it)"
        )


def _check_whole(connection: sqlite3.Connection, path: Path) -> None:
    (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise JournalError(f"{path} is damaged ({found}): restore it from a copy, or start a new run in another folder")
    count, last = connection.execute("SELECT count(*), coalesce(max(sequence), 0) FROM events").fetchone()
    if count != last:
        raise JournalError(f"{path} is damaged: {last - count} of its {last} events are missing")


def unusable(path: Path, error: Exception) -> JournalError:
    """The plain reason behind an SQLite error."""
    text = str(error)
    if isinstance(error, sqlite3.OperationalError):
        if "full" in text:
            return JournalError(f"{path}: the disk is full; free some space and resume the run")
        if "readonly" in text:
            return JournalError(f"{path} cannot be written: the file or its disk is read-only")
        if "unable to open" in text:
            return JournalError(f"{path} cannot be opened: it is missing, or its folder does not allow it")
        if "I/O" in text:
            return JournalError(
                f"{path}: the disk refused to read or write ({text}); see whether it is full or failing"
            )
        if "locked" in text:
            return JournalError(f"{path} is locked by another program")
    return JournalError(f"{path} is damaged or not a journal ({text})")


def insert_rows(connection: sqlite3.Connection, head: str, rows: Sequence[tuple[Any, ...]]) -> None:
    """Many rows in few statements.

    Every statement gives up the interpreter lock and has to wait for it again, up to five milliseconds when another thread is
    computing; so a batch must not be a thousand statements.
    """
    for start in range(0, len(rows), ROWS_PER_STEP):
        part = rows[start : start + ROWS_PER_STEP]
        one = "(" + ",".join("?" * len(part[0])) + ")"
        connection.execute(f"{head} VALUES {','.join([one] * len(part))}", [value for row in part for value in row])

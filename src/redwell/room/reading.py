"""Reading a room into its store: new and changed files only, in worker processes, with every file accounted for."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from redwell.room import paths
from redwell.room.errors import RoomError
from redwell.room.places import refuse_among_documents, refuse_made_here
from redwell.room.pool import READER, Allowance, Pool, Task
from redwell.room.search import update_index
from redwell.room.store import Writer, full_disk_told, is_full
from redwell.room.types import Accounting, Limits, Skipped, Unreadable
from redwell.room.walk import Entry, ignored, walk
from redwell.room.wire import Reading

BATCH_FILES = 16
BATCH_BYTES = 1 << 20
KEPT_EVERY = 1.0
"""Seconds after which what was parsed is made durable, also when it is little: pages that took minutes must survive a kill."""
UNFOLD_BYTES = 4 << 30
"""How many bytes the documents inside one file of the room may come to, however deeply its archives are nested."""
Progress = Callable[[dict[str, Any]], None]

# What was found at a path before anything was parsed: (path, size, mtime_ns, inode, document, status, reason).
_FileRow = tuple[str, int, int, int, str | None, str, str]
_Member = tuple[str, str | None, str, str]


def read_room(
    path: str | os.PathLike[str],
    store: str | os.PathLike[str],
    *,
    jobs: int | None = None,
    limits: Limits | None = None,
    ocr: Literal["auto", "off"] = "auto",
    progress: Progress | None = None,
    reader: str = READER,
    engine: str = "auto",
) -> Accounting:
    """Reads a folder, a ZIP archive or a file into `store`, or brings the store up to date with it.

    Args:
        path: the room.
        store: the folder that takes the store; made when absent.
        jobs: worker processes; one per CPU by default.
        limits: what one file may cost.
        ocr: `off` leaves pages without a text layer unread.
        progress: is called with {"stage": "reading" | "indexing" | "done", "found", "files", "parsed", "characters", "pages", "path"}.
        reader: what parses a file in the workers, `module:function` or `/a/file.py:function`.
        engine: the search index to make: `auto`, `tantivy` or `fts`.

    Returns:
        The account of what was found, read and not read.

    Raises:
        RoomError: the room or the store cannot be opened. A bad file never raises; it is accounted for.
    """
    root, folder = Path(path), Path(store)
    limits = limits or Limits()
    if ocr == "off":
        limits = replace(limits, ocr_seconds_per_page=0.0)
    if not root.exists():
        raise RoomError(f"There is nothing at {root}.")
    refuse_made_here(root)
    refuse_among_documents(root, folder)
    with full_disk_told(folder):
        return _read(root, folder, jobs, limits, progress or (lambda event: None), _readers(ocr), reader, engine)


def _read(
    root: Path,
    folder: Path,
    jobs: int | None,
    limits: Limits,
    progress: Progress,
    readers: str,
    reader: str,
    engine: str,
) -> Accounting:
    writer = Writer(folder)
    finished = False
    try:
        _same_room(folder, root.resolve())
        reading = _Reading(writer, limits, progress, readers)
        with Pool(jobs or len(os.sched_getaffinity(0)), limits, reader) as pool:
            reading.run(pool, walk(root, limits, apart=folder))
        writer.flush()
        writer.database.execute(
            "UPDATE files SET removed = 1 WHERE path NOT IN (SELECT path FROM temp.seen) AND NOT removed"
        )
        identity = paths.settle(writer.database)
        writer.set_meta(
            complete="1", id=identity, room=root.resolve().name.encode("utf-8", "backslashreplace").decode()
        )
        writer.flush()
        reading.tell("indexing")
        update_index(folder, engine)
        accounting = paths.account(writer.database)
        reading.tell("done")
        finished = True
        return accounting
    except KeyboardInterrupt:
        writer.flush()
        raise
    except sqlite3.OperationalError as error:
        if is_full(error):
            raise
        raise RoomError(f"The store {folder} cannot be written: {error}.") from error
    finally:
        writer.close(finished=finished)


def _same_room(store: Path, root: Path) -> None:
    """Notes which room a store is of, and refuses another: two matters must not run together. A room may have been moved."""
    note = store / "source"
    known = note.read_text(encoding="utf-8", errors="surrogateescape") if note.exists() else ""
    if known and known != str(root) and os.path.exists(known):
        raise RoomError(f"The store {store} is of another room, {known}. Name another with --store.")
    note.write_text(str(root), encoding="utf-8", errors="surrogateescape")


def _readers(ocr: str) -> str:
    """What could be read with, when a document was read: what was not fully read is tried again when this changes."""
    from redwell import __version__

    tools = [name for name in ("tesseract", "soffice") if shutil.which(name)]
    tools += [name for name in ("rapidocr",) if importlib.util.find_spec(name)]
    return f"{__version__} ocr={ocr} {' '.join(tools)}".strip()


@dataclass(slots=True)
class _Reading:
    """One run over a room: what is known, what waits, what is in the workers' hands."""

    writer: Writer
    limits: Limits
    progress: Progress
    readers: str
    known: set[str] = field(default_factory=set)
    stats: dict[str, tuple[int, int, int, str | None]] = field(default_factory=dict)
    inside: deque[Task] = field(default_factory=deque)
    counts: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("found", "files", "parsed", "characters", "pages"), 0)
    )
    told: float = 0.0
    kept: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        database = self.writer.database
        database.execute("CREATE TEMP TABLE seen(path TEXT PRIMARY KEY) WITHOUT ROWID")
        missing = {
            parent
            for (parent,) in database.execute(
                "SELECT parent FROM members WHERE document IS NOT NULL AND document NOT IN (SELECT id FROM documents)"
            )
        }
        for document, status, readers in database.execute("SELECT id, status, readers FROM documents"):
            again = status in ("unreadable", "partly_read") and readers != self.readers
            if not again and document not in missing:
                self.known.add(document)
        self.stats = {
            path: (size, mtime, inode, document)
            for path, size, mtime, inode, document in database.execute(
                "SELECT path, size, mtime_ns, inode, document FROM files"
            )
        }
        self._again_inside(missing)

    def _again_inside(self, missing: set[str]) -> None:
        """A document inside another can only be had again by reading the one that holds it, up to the file in the room."""
        parents: dict[str, set[str]] = {}
        for parent, document in self.writer.database.execute(
            "SELECT parent, document FROM members WHERE document IS NOT NULL"
        ):
            parents.setdefault(document, set()).add(parent)
        queue = [document for document in parents if document not in self.known]
        while queue:
            for parent in parents.get(queue.pop(), ()):
                if parent in self.known:
                    self.known.discard(parent)
                    queue.append(parent)

    def run(self, pool: Pool, found: Iterator[Entry | Skipped]) -> None:
        tasks = self._tasks(found)
        ready: deque[list[Task]] = deque()
        while True:
            while len(ready) < max(1, pool.free) and (batch := self._batch(tasks)):
                ready.append(batch)
            while ready and pool.free > 0:
                pool.submit(ready.popleft())
            if not pool.busy:
                return
            for task, reading in pool.wait():
                self._take(task, reading)

    def _batch(self, tasks: Iterator[Task]) -> list[Task]:
        """Small files share a message; what came out of an archive goes first, so that little of it is held at a time."""
        batch: list[Task] = []
        size = 0
        while len(batch) < BATCH_FILES and size < BATCH_BYTES:
            task = self.inside.pop() if self.inside else next(tasks, None)
            if task is None:
                break
            if batch and size + len(task.data) > BATCH_BYTES:
                self.inside.append(task)
                break
            batch.append(task)
            size += len(task.data)
        return batch

    def _tasks(self, found: Iterator[Entry | Skipped]) -> Iterator[Task]:
        for entry in found:
            self.counts["found"] += 1
            self.writer.database.execute("INSERT INTO temp.seen VALUES (?)", (entry.path,))
            task = self._skipped(entry) if isinstance(entry, Skipped) else self._entry(entry)
            if task is not None:
                yield task
            else:
                self.counts["files"] += 1
                self.tell("reading", entry.path)

    def _skipped(self, entry: Skipped) -> Task | None:
        self.writer.files([(entry.path, 0, -1, 0, None, entry.status, entry.reason)])
        return None

    def _entry(self, entry: Entry) -> Task | None:
        size, mtime, inode, document = self.stats.get(entry.path, (-1, -1, -1, None))
        if document in self.known and mtime != -1 and (size, mtime, inode) == (entry.size, entry.mtime_ns, entry.inode):
            self.writer.database.execute("UPDATE files SET removed = 0 WHERE path = ? AND removed", (entry.path,))
            return None
        try:
            if entry.size > self.limits.file_bytes:
                raise Unreadable(f"it is larger than {self.limits.file_bytes >> 20:,} MB")
            data = entry.read()
        except (Unreadable, MemoryError) as error:
            reason = error.reason if isinstance(error, Unreadable) else "it does not fit into memory"
            self.writer.files([(entry.path, entry.size, -1, entry.inode, None, "unreadable", reason)])
            return None
        if not data:
            self.writer.files([(entry.path, 0, -1, entry.inode, None, "skipped", "the file is empty (0 bytes)")])
            return None
        digest = hashlib.sha256(data).hexdigest()
        self.writer.files([(entry.path, entry.size, entry.mtime_ns, entry.inode, digest, "unreadable", "not read yet")])
        if digest in self.known:
            return None
        self.known.add(digest)
        return Task(digest, entry.path, data, 0, Allowance(self.limits.entries, UNFOLD_BYTES))

    def _take(self, task: Task, reading: Reading) -> None:
        members = [self._member(task, child.name, child.data) for child in reading.children]
        reading.children.clear()
        members += [(name, None, "skipped", reason) for name, reason in reading.skipped]
        members += [(name, None, "unreadable", reason) for name, reason in reading.unopened]
        self.writer.add(task.digest, len(task.data), self.readers, reading, members)
        if time.monotonic() - self.kept >= KEPT_EVERY:
            self.writer.flush()
            self.kept = time.monotonic()
        self.counts["parsed"] += 1
        self.counts["files"] += task.depth == 0
        self.counts["characters"] += reading.texts["final"].length if "final" in reading.texts else 0
        self.counts["pages"] += reading.pages
        self.tell("reading", task.name)

    def _member(self, parent: Task, name: str, data: bytes) -> _Member:
        """The row of a document inside another; the document itself goes to the workers when it is new."""
        if reason := ignored(name):
            return name, None, "skipped", reason
        if not data:
            return name, None, "skipped", "the file is empty (0 bytes)"
        digest = hashlib.sha256(data).hexdigest()
        if digest in self.known:
            return name, digest, "unreadable", "not read yet"
        if parent.depth >= self.limits.archive_depth:
            return name, None, "unreadable", f"nested deeper than {self.limits.archive_depth} files inside one another"
        allowance = parent.allowance or Allowance(self.limits.entries, UNFOLD_BYTES)
        if allowance.entries <= 0 or allowance.bytes < len(data):
            return name, None, "unreadable", "the files inside one another are too many or too large to be read"
        allowance.entries -= 1
        allowance.bytes -= len(data)
        self.known.add(digest)
        self.inside.append(Task(digest, f"{parent.name}!/{name}", data, parent.depth + 1, allowance))
        return name, digest, "unreadable", "not read yet"

    def tell(self, stage: str, path: str = "") -> None:
        """Reports progress, at most ten times a second while reading."""
        now = time.monotonic()
        if stage != "reading" or now - self.told >= 0.1:
            self.told = now
            self.progress({"stage": stage, "path": path, **self.counts})

"""Where each document stands: the files of the room, and what is inside them, at every path that leads there."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from redwell.room.types import Accounting, ReadStatus, Skipped

PATHS_PER_FILE = 20_000
"""How many paths one file of the room may unfold into: archives may hold one another many times over."""
DEPTH = 32
"""How deep a path may go into documents inside documents; an archive can be made that holds itself."""


@dataclass(frozen=True, slots=True)
class Place:
    """One path: the document there, or why there is none; `parent` is the document that holds it."""

    path: str
    document: str | None
    status: ReadStatus
    reason: str
    parent: str | None = None
    depth: int = 0


def expand(database: sqlite3.Connection) -> Iterator[Place]:
    """Every path of the room as the files and their members give it, without those that were removed."""
    statuses: dict[str, tuple[ReadStatus, str]] = {
        row[0]: (row[1], row[2]) for row in database.execute("SELECT id, status, reason FROM documents")
    }
    members: dict[str, list[tuple[str, str | None, ReadStatus, str]]] = {}
    for parent, *member in database.execute(
        "SELECT parent, name, document, status, reason FROM members ORDER BY parent, ordinal"
    ):
        members.setdefault(parent, []).append((member[0], member[1], member[2], member[3]))
    taken: set[str] = set()
    for path, document, status, reason in database.execute(
        "SELECT path, document, status, reason FROM files WHERE NOT removed ORDER BY path"
    ).fetchall():
        left = PATHS_PER_FILE
        stack = [Place(path, document, status, reason)]
        while stack:
            place = stack.pop()
            shown = _free(place.path, taken)
            known = statuses.get(place.document) if place.document else None
            status, reason = known or (place.status, place.reason)
            yield Place(shown, place.document, status, reason, place.parent)
            inside = members.get(place.document, []) if place.document else []
            if not inside:
                continue
            if len(inside) > left or place.depth >= DEPTH:
                if left > 0:
                    reason = f"{len(inside):,} more files inside; the archives hold one another too many times"
                    yield Place(_free(f"{shown}!/...", taken), None, "unreadable", reason, place.document)
                left -= 1
                continue
            left -= len(inside)
            stack.extend(
                Place(f"{shown}!/{name}", child, status, reason, place.document, place.depth + 1)
                for name, child, status, reason in reversed(inside)
            )


def _free(path: str, taken: set[str]) -> str:
    free, number = path, 2
    while free in taken:
        free, number = f"{path} ({number})", number + 1
    taken.add(free)
    return free


def settle(database: sqlite3.Connection) -> str:
    """Writes the paths of all documents, marks those that have none left as removed, and returns the room's identity. A document at several
    paths is called by the first that is not named a copy.

    The identity is a digest of all paths and documents: two stores of the same files have the same one.
    """
    places = sorted(expand(database), key=lambda place: place.path)
    first: dict[str, Place] = {}
    identity = hashlib.sha256()
    for place in places:
        identity.update(f"{place.path}\0{place.document or place.reason}\0".encode("utf-8", "surrogatepass"))
        if place.document and (
            place.document not in first or named_copy(first[place.document].path) > named_copy(place.path)
        ):
            first[place.document] = place
    database.execute("DELETE FROM paths")
    database.executemany(
        "INSERT INTO paths VALUES (?, ?, ?, ?)",
        ((place.path, place.document, place.status, place.reason) for place in places),
    )
    database.execute("UPDATE documents SET removed = 1")
    database.executemany(
        "UPDATE documents SET removed = 0, path = ?, parent = ? WHERE id = ?",
        ((place.path, place.parent, document) for document, place in first.items()),
    )
    return identity.hexdigest()[:16]


_COPY = re.compile(r"\bcopy of\b|\bcopy\b[^/]{0,4}\.\w+$|\(\d{1,2}\)\.\w+$|\bkopie\b", re.IGNORECASE)


def named_copy(path: str) -> bool:
    """Whether a file's own name says that it is a copy: `lease (copy).docx`, `Copy of lease.docx`, `lease (1).docx`."""
    return _COPY.search(path.rsplit("/", 1)[-1].replace("_", " ").replace("-", " ")) is not None


def account(database: sqlite3.Connection) -> Accounting:
    """The totals, counted in paths, and every path that was not read with its reason."""
    counts = dict(database.execute("SELECT status, count(*) FROM paths GROUP BY status"))
    documents, characters, pages = database.execute(
        "SELECT count(*), coalesce(sum(length), 0), coalesce(sum(pages), 0) FROM documents"
        " WHERE NOT removed AND status IN ('read', 'partly_read')"
    ).fetchone()
    not_read = database.execute("SELECT path, reason, status FROM paths WHERE status != 'read' ORDER BY path")
    return Accounting(
        found=sum(counts.values()),
        read=counts.get("read", 0),
        partly_read=counts.get("partly_read", 0),
        unreadable=counts.get("unreadable", 0),
        skipped=counts.get("skipped", 0),
        documents=documents,
        characters=characters,
        pages=pages,
        not_read=tuple(Skipped(*row) for row in not_read),
    )

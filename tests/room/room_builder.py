"""Stores made without workers, and what is compared between two of them."""

from __future__ import annotations

import hashlib
import sqlite3
from pathlib import Path

from redwell.room import paths, wire
from redwell.room.room import Room
from redwell.room.store import Writer
from redwell.room.types import Parsed, ParsedUnit


def text(*units: str | ParsedUnit, **rest: object) -> Parsed:
    """A document with these units in its final text."""
    made = [unit if isinstance(unit, ParsedUnit) else ParsedUnit(unit, f"p[{i}]") for i, unit in enumerate(units)]
    return Parsed("txt", {"final": made}, **rest)  # type: ignore[arg-type]


def build(store: Path, documents: dict[str, Parsed], *, engine: str = "auto") -> Room:
    """A finished store with these documents, by path; each goes through the wire as a worker's answer does."""
    writer = Writer(store)
    rows = []
    for path, parsed in documents.items():
        header, body = wire.encode(parsed)
        digest = hashlib.sha256(path.encode()).hexdigest()
        writer.add(digest, 1, "", wire.decode(header, memoryview(b"".join(body))), [])
        rows.append((path, 1, 1, 1, digest, "read", ""))
    writer.files(rows)
    writer.flush()
    writer.set_meta(complete="1", id=paths.settle(writer.database))
    writer.flush()
    writer.close(finished=True)
    return Room.open(store, engine=engine)


def content(store: Path) -> list[object]:
    """Everything a store says, without where in its files it says it."""
    with Room.open(store) as room:
        documents = [
            (document, {view: (room.text(document.id, view), room.units(document.id, view)) for view in document.views})
            for document in room.documents()
        ]
        database = sqlite3.connect(store / "room.sqlite")
        listed = [database.execute(f"SELECT * FROM {table}").fetchall() for table in ("paths", "members")]
        files = database.execute("SELECT path, size, document, removed FROM files").fetchall()
        database.close()
        return [room.id, documents, listed, files, room.accounting(), room.search("agreement", k=20_000)]


def let_others_in(folder: Path) -> None:
    """Other users may pass through pytest's own folders above a test's folder, and look into that."""
    for place in (folder, *folder.parents):
        if place == folder or place.name.startswith(("pytest-", "popen-")):
            place.chmod(place.stat().st_mode | 0o055)

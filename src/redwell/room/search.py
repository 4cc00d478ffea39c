"""Searching a room: which index is used, keeping it in step with the store, and making hits of what it finds.

The index is derived from the store and may be deleted at any time; it is made again when it is missing or out of step.
"""

from __future__ import annotations

import fcntl
import importlib.util
import json
import shutil
import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from redwell.room.errors import RoomError
from redwell.room.passages import Passage, passages
from redwell.room.query import Node, holds, loose, parse, wanted
from redwell.room.store import damage_told, full_disk_told, is_full, open_database, writable
from redwell.room.words import Stems, places, words

VERSION = 1
SNIPPET = 320
TIED = 400
"""How many passages are looked at to put equal scores in order."""


class Index(Protocol):
    """What an engine does; tantivy and FTS5 behave alike behind it."""

    name: str

    def update(
        self, added: Iterator[tuple[Passage, list[str], list[str]]], dropped: list[int], fresh: list[int]
    ) -> None: ...

    def search(
        self, node: Node, documents: Collection[int] | None, flag: str | None, limit: int
    ) -> list[tuple[float, Passage]]: ...

    def close(self) -> None: ...


def open_index(folder: Path, engine: str = "auto") -> Index:
    """The room's index, brought in step with the store; kept in memory where the store cannot be written.

    `engine` is `tantivy`, `fts`, or `auto` (tantivy when it is installed).
    """
    engine = _engine(engine)
    if _in_step(folder, engine):
        with suppress(ValueError, OSError, sqlite3.DatabaseError):  # what a damaged index raises
            return _make(engine, folder / "index" / engine)
        if writable(folder):
            (folder / "index" / f"{engine}.json").unlink(missing_ok=True)
    if writable(folder):
        update_index(folder, engine)
        return _make(engine, folder / "index" / engine)
    index = _make(engine, None)
    with _store(folder) as database:
        keys = _documents(database)
        index.update(_analysed(folder, database, keys), [], [])
    return index


def update_index(folder: Path, engine: str = "auto") -> None:
    """Brings the index on disk in step: documents that came are put in, those that went are taken out."""
    engine = _engine(engine)
    place = folder / "index"
    with full_disk_told(folder), _locked(place):
        with _store(folder) as database:
            current = _documents(database)
            have = _indexed(folder, engine)
            if have == current:
                return
            if have is None:
                shutil.rmtree(place / engine, ignore_errors=True)
                have = set()
            fresh, dropped = sorted(current - have), sorted(have - current)
            _update(engine, place / engine, _analysed(folder, database, fresh), dropped, fresh if have else [])
        state = place / f"{engine}.json"
        state.with_suffix(".new").write_text(json.dumps({"version": VERSION, "documents": sorted(current)}))
        state.with_suffix(".new").replace(state)


def _update(engine: str, place: Path, added: Iterator[Any], dropped: list[int], fresh: list[int]) -> None:
    try:
        index = _make(engine, place)
        index.update(added, dropped, fresh)
        index.close()
    except ValueError as error:
        if is_full(error):
            raise
        raise RoomError(
            f"The search index in {place} cannot be written: {error}. Delete that folder and try again."
        ) from error


@contextmanager
def _locked(place: Path) -> Iterator[None]:
    place.mkdir(exist_ok=True)
    with open(place / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def find(
    index: Index,
    query: str,
    stems: Stems,
    text_of: Callable[[Passage], str],
    order: Callable[[Passage], Any],
    documents: Collection[int] | None,
    flag: str | None,
    k: int,
) -> tuple[Node, list[tuple[float, Passage, str]]]:
    """The parsed query and its `k` best passages with their texts; equal scores go by `order`. Raises QueryError."""
    node = parse(query, stems)
    if documents is not None and not documents:
        return node, []
    if not loose(node):
        ranked = _ranked(index, node, documents, flag, k, order)
        return node, [(score, passage, text_of(passage)) for score, passage in ranked]
    limit = max(200, 4 * k)
    found: list[tuple[float, Passage, str]] = []
    seen = 0
    while True:
        batch = index.search(node, documents, flag, limit)
        for score, passage in batch[seen:]:
            text = text_of(passage)
            raw = words(text)
            if holds(node, raw, [stems[word] for word in raw]):
                found.append((score, passage, text))
        if len(batch) < limit or len(found) >= k:
            found.sort(key=lambda each: (-round(each[0], 5), order(each[1])))
            return node, found[:k]
        seen, limit = len(batch), 8 * limit


def _ranked(
    index: Index,
    node: Node,
    documents: Collection[int] | None,
    flag: str | None,
    k: int,
    order: Callable[[Passage], Any],
) -> list[tuple[float, Passage]]:
    """The best `k`. Equal scores go by `order`, so that the way in which the index was made cannot be seen in a result."""
    limit = 2 * k + 20
    while True:
        batch = index.search(node, documents, flag, limit)
        if len(batch) < limit or batch[-1][0] < batch[k - 1][0] or limit >= TIED:
            batch.sort(key=lambda each: (-round(each[0], 5), order(each[1])))
            return batch[:k]
        limit *= 4


def marks(node: Node, text: str, stems: Stems) -> list[tuple[int, int]]:
    """Where the query's words stand in a passage's text."""
    some, starts = wanted(node)
    marked = []
    for start, end, found in places(text):
        for word in found:
            if stems[word] in some or (starts and word.startswith(starts)):
                marked.append((start, end))
                break
    return marked


def excerpt(text: str, marked: list[tuple[int, int]]) -> str:
    """The text around the densest of the marks, about SNIPPET code points, cut at spaces."""
    if len(text) <= SNIPPET:
        return " ".join(text.split())
    best, most = 0, -1
    for start, _ in marked:
        count = sum(1 for other, end in marked if start <= other and end <= start + SNIPPET - 80)
        if count > most:
            best, most = start, count
    left = max(0, min(best - 60, len(text) - SNIPPET))
    right = min(len(text), left + SNIPPET)
    while left > 0 and not text[left - 1].isspace() and left > best - 100:
        left -= 1
    while right < len(text) and not text[right].isspace() and right < left + SNIPPET + 40:
        right += 1
    return ("… " if left else "") + " ".join(text[left:right].split()) + (" …" if right < len(text) else "")


def _engine(engine: str) -> str:
    if engine == "auto":
        return "tantivy" if importlib.util.find_spec("tantivy") else "fts"
    return engine


def _make(engine: str, folder: Path | None) -> Index:
    if engine == "tantivy":
        from redwell.room.tantivy_index import TantivyIndex

        return TantivyIndex(folder)
    from redwell.room.fts import FtsIndex

    return FtsIndex(folder)


@contextmanager
def _store(folder: Path) -> Iterator[sqlite3.Connection]:
    database = open_database(folder)
    try:
        yield database
    finally:
        database.close()


def _documents(database: sqlite3.Connection) -> set[int]:
    return {key for (key,) in database.execute("SELECT key FROM documents WHERE NOT removed AND length > 0")}


def _indexed(folder: Path, engine: str) -> set[int] | None:
    try:
        state = json.loads((folder / "index" / f"{engine}.json").read_text())
        if state["version"] == VERSION and (folder / "index" / engine).is_dir():
            return set(state["documents"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return None


def _in_step(folder: Path, engine: str) -> bool:
    with _store(folder) as database:
        return _indexed(folder, engine) == _documents(database)


def _analysed(
    folder: Path, database: sqlite3.Connection, documents: Collection[int]
) -> Iterator[tuple[Passage, list[str], list[str]]]:
    """The passages of these documents with their words and stems: the final text, and what the marked text has as deleted."""
    stems = Stems()
    with open(folder / "text.bin", "rb") as blob:
        for document in documents:
            for number, view in enumerate(("final", "marked")):
                with damage_told(folder):
                    row = database.execute(
                        "SELECT offset, bytes FROM text_rows WHERE document = ? AND view = ?", (document, view)
                    ).fetchone()
                    if row is None:
                        continue
                    blob.seek(row[0])
                    text = blob.read(row[1]).decode("utf-8")
                    units = database.execute(
                        'SELECT ordinal, start, "end", flags FROM unit_rows WHERE document = ? AND view = ? ORDER BY ordinal',
                        (document, view),
                    ).fetchall()
                if view == "marked":
                    units = [unit for unit in units if "deleted" in unit[3].split(",")]
                for passage in passages(document, text, units, view=number):
                    raw = words(text[passage.start : passage.end])
                    if raw:
                        yield passage, raw, [stems[word] for word in raw]

"""The room's store, read straight from its files: texts memory-mapped, documents and units from SQLite, all read-only."""

from __future__ import annotations

import mmap
import os
import sqlite3
from bisect import bisect_right
from collections import OrderedDict
from typing import Any

from redwell.harness.guest.constants import STORE

__all__: list[str] = []

CACHED_CHARS = 32_000_000
CACHED_DOCUMENTS = 64


class Store:
    """Opened when something is first asked of it."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._connection: sqlite3.Connection | None = None
        self._text: mmap.mmap | bytes = b""
        self._places: dict[tuple[str, str], tuple[int, int, int] | None] = {}
        self._several: dict[str, list[str]] | None = None
        self._decoded: OrderedDict[tuple[str, str], str] = OrderedDict()
        self._starts: OrderedDict[tuple[str, str], list[int]] = OrderedDict()

    def documents(self) -> list[Any]:
        """(id, path, kind, status, reason, length, pages, size, parent) of every document that is in the room, by path."""
        rows = self._open().execute(
            "SELECT id, path, kind, status, reason, length, pages, size, parent FROM documents WHERE NOT removed"
        )
        return sorted(rows, key=_path)

    def paths(self, document: str, first: str) -> list[str]:
        """All paths of a document, the one that names it first. Few documents have more than one."""
        if self._several is None:
            several: dict[str, list[str]] = {}
            for identity, path in self._open().execute(
                "SELECT document, path FROM paths WHERE document IN"
                " (SELECT document FROM paths GROUP BY document HAVING count(*) > 1) ORDER BY path"
            ):
                several.setdefault(identity, []).append(path)
            self._several = several
        return [first, *(path for path in self._several.get(document, ()) if path != first)]

    def metadata(self, document: str) -> str:
        """What the file says of itself, as a JSON object."""
        row = self._open().execute("SELECT metadata FROM documents WHERE id = ?", (document,)).fetchone()
        return row[0] if row else "{}"

    def read(self, document: str, start: int, end: int, view: str) -> str:
        """A stretch of a document's text; empty when the document has none of this view."""
        place = self._place(document, view)
        if place is None:
            return ""
        offset, size, length = place
        if size == length:
            # ASCII alone: code points are bytes.
            return self._text[offset + min(start, size) : offset + min(end, size)].decode("ascii")
        text = self._decoded.pop((document, view), None)
        if text is None:
            text = self._text[offset : offset + size].decode("utf-8")
        self._decoded[document, view] = text
        while len(self._decoded) > 1 and sum(map(len, self._decoded.values())) > CACHED_CHARS:
            self._decoded.popitem(last=False)
        return text[start:end]

    def _place(self, document: str, view: str) -> tuple[int, int, int] | None:
        """(offset, bytes, length) of a text; looked up when it is first read, since most never are."""
        try:
            return self._places[document, view]
        except KeyError:
            found = self._open().execute(
                "SELECT offset, bytes, length FROM texts WHERE document = ? AND view = ?", (document, view)
            )
            place: tuple[int, int, int] | None = found.fetchone()
            self._places[document, view] = place
            return place

    def units(self, document: str, view: str = "final") -> list[Any]:
        """(start, end, path, label, section, flags) of each unit, in reading order."""
        return (
            self._open()
            .execute(
                'SELECT start, "end", path, label, section, flags FROM units WHERE document = ? AND view = ? ORDER BY ordinal',
                (document, view),
            )
            .fetchall()
        )

    def unit_at(self, document: str, position: int, view: str) -> tuple[str, str] | None:
        """(path, section) of the unit in which a position stands; None when the document has no units."""
        ordinal = max(0, bisect_right(self.starts(document, view), position) - 1)
        row = (
            self._open()
            .execute(
                "SELECT path, section FROM units WHERE document = ? AND view = ? AND ordinal = ?",
                (document, view, ordinal),
            )
            .fetchone()
        )
        return (row[0], row[1]) if row else None

    def starts(self, document: str, view: str = "final") -> list[int]:
        """Where each unit begins, in reading order."""
        known = self._starts.pop((document, view), None)
        if known is None:
            rows = self._open().execute(
                "SELECT start FROM units WHERE document = ? AND view = ? ORDER BY ordinal", (document, view)
            )
            known = [row[0] for row in rows]
        self._starts[document, view] = known
        if len(self._starts) > CACHED_DOCUMENTS:
            self._starts.popitem(last=False)
        return known

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            path = self._folder.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
            # Immutable: no lock and no journal file is looked for, which the walls would not allow anyway.
            connection = sqlite3.connect(f"file:{path}/room.sqlite?immutable=1", uri=True, check_same_thread=False)
            descriptor = os.open(self._folder + "/text.bin", os.O_RDONLY)
            try:
                if os.fstat(descriptor).st_size:
                    self._text = mmap.mmap(descriptor, 0, prot=mmap.PROT_READ)
            finally:
                os.close(descriptor)
            self._connection = connection
        return self._connection


def _path(row: Any) -> Any:
    return row[1]


store = Store(STORE)

"""What a room keeps in memory from the moment it is opened: its documents, and where each text stands."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, cast

from redwell.room.types import Document, View

VIEWS: tuple[View, ...] = ("final", "original", "marked")


class Stored(NamedTuple):
    """A text in `text.bin`: the document's key, where it begins, its bytes and its code points (as many when it is ASCII alone)."""

    key: int
    offset: int
    bytes: int
    length: int


class Documents(Mapping[str, Document]):
    """All documents by id, in the order of their paths, removed ones included. Each is made of its row when it is first asked for."""

    def __init__(
        self, rows: dict[str, Any], several: dict[str, list[str]], stored: Mapping[tuple[str, View], Stored]
    ) -> None:
        self._rows = rows
        self._several = several
        self._stored = stored
        self._made: dict[str, Document] = {}
        self.removed = any(row[-1] for row in rows.values())
        """Whether one of them is."""

    def __getitem__(self, identity: str) -> Document:
        known = self._made.get(identity)
        if known is None:
            known = self._made[identity] = self._make(self._rows[identity])
        return known

    def __contains__(self, identity: object) -> bool:
        return identity in self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def present(self) -> list[Document]:
        """Those that are in the room now."""
        return [self[identity] for identity, row in self._rows.items() if not row[-1]]

    def sizes(self) -> Iterator[tuple[str, str, str, int]]:
        """(id, path, kind, code points of the final text) of those that are in the room now, by path."""
        return ((row[0], row[1], row[2], row[5]) for row in self._rows.values() if not row[-1])

    def _make(self, row: Any) -> Document:
        identity, path, kind, status, reason, length, units, pages, size, parent, metadata, problems, _, removed = row
        return Document(
            id=identity,
            paths=_named_first(self._several.get(identity, ()), path),
            kind=kind,
            status=status,
            reason=reason,
            length=length,
            units=units,
            pages=pages,
            size=size,
            parent=parent,
            views=tuple(view for view in VIEWS if (identity, view) in self._stored),
            metadata={} if metadata == "{}" else cast(dict[str, str], json.loads(metadata)),
            problems=() if problems == "[]" else tuple(json.loads(problems)),
            removed=bool(removed),
        )


def load(database: sqlite3.Connection) -> tuple[Documents, dict[tuple[str, View], Stored]]:
    """All documents, and their texts by id and view."""
    with database:
        database.execute("BEGIN")  # one snapshot for all tables
        found = database.execute(
            "SELECT id, path, kind, status, reason, length, units, pages, size, parent, metadata, problems, key, removed"
            " FROM documents WHERE path != '' ORDER BY path"
        ).fetchall()
        rows = {row[0]: row for row in found}
        ids = {row[-2]: row[0] for row in found}
        stored: dict[tuple[str, View], Stored] = {
            (ids[key], view): Stored(key, offset, size, length)
            for key, view, offset, size, length in database.execute(
                "SELECT document, view, offset, bytes, length FROM text_rows"
            )
            if key in ids
        }
        several: dict[str, list[str]] = {}
        for identity, path in database.execute(
            "SELECT document, path FROM paths WHERE document IN"
            " (SELECT document FROM paths WHERE document IS NOT NULL GROUP BY document HAVING count(*) > 1) ORDER BY path"
        ):
            several.setdefault(identity, []).append(path)
        return Documents(rows, several, stored), stored


def _named_first(paths: Any, first: str) -> tuple[str, ...]:
    """The paths of a document, the one that names it before the others."""
    return (first, *(path for path in paths if path != first)) if paths else (first,)

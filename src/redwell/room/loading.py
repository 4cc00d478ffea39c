"""What a room keeps in memory from the moment it is opened: its documents, and where each text stands."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from typing import cast

from redwell.room.types import Document, View

VIEWS: tuple[View, ...] = ("final", "original", "marked")


@dataclass(frozen=True, slots=True)
class Stored:
    """A text in `text.bin`: the document's key, where it begins, its bytes and its code points (as many when it is ASCII alone)."""

    key: int
    offset: int
    bytes: int
    length: int


def load(database: sqlite3.Connection) -> tuple[dict[str, Document], dict[tuple[str, View], Stored]]:
    """All documents by id, in the order of their paths, removed ones included; and their texts by id and view."""
    with database:
        database.execute("BEGIN")  # one snapshot for all tables
        stored: dict[tuple[str, View], Stored] = {}
        for document, view, *place in database.execute(
            "SELECT d.id, view, d.key, offset, bytes, t.length FROM text_rows t JOIN documents d ON d.key = t.document"
            " WHERE d.path != ''"
        ):
            stored[document, view] = Stored(*place)
        where: dict[str, list[str]] = {}
        for document, path in database.execute(
            "SELECT document, path FROM paths WHERE document IS NOT NULL ORDER BY path"
        ):
            where.setdefault(document, []).append(path)
        loaded: dict[str, Document] = {}
        for row in database.execute(
            "SELECT id, path, kind, status, reason, length, units, pages, size, parent, metadata, problems, removed"
            " FROM documents WHERE path != '' ORDER BY path"
        ):
            document, path, kind, status, reason, length, units, pages, size, parent, metadata, problems, removed = row
            loaded[document] = Document(
                id=document,
                paths=_named_first(where.get(document, [path]), path),
                kind=kind,
                status=status,
                reason=reason,
                length=length,
                units=units,
                pages=pages,
                size=size,
                parent=parent,
                views=tuple(view for view in VIEWS if (document, view) in stored),
                metadata={} if metadata == "{}" else cast(dict[str, str], json.loads(metadata)),
                problems=() if problems == "[]" else tuple(json.loads(problems)),
                removed=bool(removed),
            )
        return loaded, stored


def _named_first(paths: list[str], first: str) -> tuple[str, ...]:
    """The paths of a document, the one that names it before the others."""
    return (*(path for path in paths if path == first), *(path for path in paths if path != first))

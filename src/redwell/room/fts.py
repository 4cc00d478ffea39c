"""The full-text index kept by SQLite FTS5: slower to search than tantivy, but there wherever Python is."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable
from pathlib import Path

from redwell.room.passages import Passage
from redwell.room.query import All, Any, Except, Node, Phrase, Prefix, loose

_TABLES = """
CREATE VIRTUAL TABLE IF NOT EXISTS content USING fts5(stems, words, content='', tokenize='ascii');
CREATE TABLE IF NOT EXISTS passages(
  rowid INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER, view INTEGER, start INTEGER, "end" INTEGER,
  first INTEGER, last INTEGER, flags TEXT);
CREATE INDEX IF NOT EXISTS passages_document ON passages(document);
"""


class FtsIndex:
    """One index; `folder` None keeps it in memory."""

    name = "fts"

    def __init__(self, folder: Path | None) -> None:
        if folder is None:
            self._database = sqlite3.connect(":memory:", check_same_thread=False)
            self._database.executescript(_TABLES)
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(folder / "fts.sqlite", check_same_thread=False)
            self._database.execute("PRAGMA synchronous=NORMAL")
            self._database.executescript(_TABLES)
        except (sqlite3.OperationalError, OSError):
            uri = f"{(folder / 'fts.sqlite').absolute().as_uri()}?mode=ro&immutable=1"
            self._database = sqlite3.connect(uri, uri=True, check_same_thread=False)

    def update(
        self, added: Iterable[tuple[Passage, list[str], list[str]]], dropped: Iterable[int], fresh: Iterable[int]
    ) -> None:
        """Takes out the documents `dropped`, and puts in passages with their words and stems, of the documents `fresh`.

        What is taken out stays in the content table as rows that no passage names; row numbers are never given twice.
        """
        with self._database as database:
            database.executemany(
                "DELETE FROM passages WHERE document = ?", [(document,) for document in (*dropped, *fresh)]
            )
            row = int(
                database.execute(
                    "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'passages'"
                ).fetchone()[0]
                or 0
            )
            rows: list[tuple[int | str, ...]] = []
            content: list[tuple[int, str, str]] = []
            for passage, raw, stemmed in added:
                row += 1
                place = (passage.document, passage.view, passage.start, passage.end, passage.first, passage.last)
                rows.append((row, *place, f" {' '.join(passage.flags)} "))
                content.append((row, " ".join(stemmed), " ".join(set(raw))))
                if len(rows) >= 5_000:
                    self._insert(rows, content)
            self._insert(rows, content)

    def _insert(self, rows: list[tuple[int | str, ...]], content: list[tuple[int, str, str]]) -> None:
        self._database.executemany("INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
        self._database.executemany("INSERT INTO content(rowid, stems, words) VALUES (?, ?, ?)", content)
        rows.clear()
        content.clear()

    def search(
        self, node: Node, documents: Collection[int] | None, flag: str | None, limit: int
    ) -> list[tuple[float, Passage]]:
        """The best passages, best first; proximity in any order."""
        sql = (
            'SELECT -bm25(content), document, view, start, "end", first, last FROM content JOIN passages p ON p.rowid = content.rowid'
            " WHERE content MATCH ?"
        )
        values: list[str | int] = [_match(node)]
        if documents is not None:
            sql += " AND document IN (SELECT value FROM json_each(?))"
            values.append(f"[{','.join(map(str, documents))}]")
        if flag is not None:
            sql += " AND instr(flags, ?)"
            values.append(f" {flag} ")
        if flag != "deleted":
            sql += " AND NOT instr(flags, ' deleted ')"
        rows = self._database.execute(
            f"{sql} ORDER BY bm25(content), content.rowid LIMIT ?", (*values, limit)
        ).fetchall()
        return [(score, Passage(*place)) for score, *place in rows]

    def close(self) -> None:
        """Lets the files go; the index cannot be used afterwards."""
        self._database.close()


def _match(node: Node) -> str:
    match node:
        case Phrase(stems, slack):
            if slack and len(stems) > 1:
                # NEAR counts the words between the first and the last, those of the phrase included.
                return f"(stems : NEAR({' '.join(map(_quoted, stems))}, {slack + len(stems) - 2}))"
            return f"(stems : {_quoted(' '.join(stems))})"
        case Prefix(start):
            return f"(words : {_quoted(start)} *)"
        case All(parts):
            return f"({' AND '.join(map(_match, parts))})"
        case Any(parts):
            return f"({' OR '.join(map(_match, parts))})"
        case Except(part, excluded):
            kept = [_match(other) for other in excluded if not loose(other)]
            return f"({_match(part)} NOT ({' OR '.join(kept)}))" if kept else _match(part)


def _quoted(text: str) -> str:
    return f'"{text}"'

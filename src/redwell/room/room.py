"""A room that has been read: its documents, texts, units and places, searching, and checking of quotes. Read-only."""

from __future__ import annotations

import mmap
import threading
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from redwell.room import grep as grep_module
from redwell.room import overview, paths, quotes, search
from redwell.room.errors import QueryError, RoomError
from redwell.room.grep import Match
from redwell.room.lines import Box, line_boxes
from redwell.room.loading import VIEWS, Stored, load
from redwell.room.passages import Passage
from redwell.room.reading import read_room
from redwell.room.store import damage_told, fold, open_database
from redwell.room.types import Accounting, Citation, Document, Hit, Place, Span, Unit, View
from redwell.room.wire import unpack_boxes
from redwell.room.words import Stems

__all__ = ["Match", "QueryError", "Room", "RoomError", "read_room"]

TEXT_CACHE = 64 << 20
"""How many characters of decoded text are kept."""
FOLDED_CACHE = 32 << 20
"""How many characters of folded text are kept, so that the citations of a report's many documents fold each of them once or twice."""
HOLDING = 200
"""In how many documents a quote is looked for in full when the whole room is asked."""
UNIT_CACHE = 64


class Room:
    """Opened with `Room.open`; usable from several threads; any number of processes may have the same room open."""

    read = staticmethod(read_room)

    def __init__(self, store: Path, engine: str = "auto") -> None:
        """Use `Room.open`."""
        self.store = store
        self._engine = engine
        self._lock = threading.RLock()
        self._database = open_database(store)
        fold(store)
        self._file = open(store / "text.bin", "rb")  # noqa: SIM115  # held as long as the room is
        size = (store / "text.bin").stat().st_size
        self._blob: mmap.mmap | bytes = mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""
        self.id = str(self._rows("SELECT value FROM meta WHERE name = 'id'")[0][0])
        self._documents, self._texts = load(self._database)
        if any(stored.offset + stored.bytes > size for stored in self._texts.values()):
            raise RoomError(
                f"The room in {store} is damaged: its text.bin is shorter than it was. Delete the folder and read the room again."
            )
        self._with_hidden: set[tuple[int, View]] | None = None
        self._whole = not self._documents.removed
        self._by_key = {stored.key: document for (document, _), stored in self._texts.items()}
        self._decoded: OrderedDict[tuple[str, View], str] = OrderedDict()
        self._decoded_size = 0
        self._folded: OrderedDict[tuple[str, View], quotes.Folded] = OrderedDict()
        self._folded_size = 0
        self._units: OrderedDict[tuple[str, View], list[Unit]] = OrderedDict()
        self._stems = Stems()
        self._index: search.Index | None = None

    @classmethod
    def open(cls, store: str | Path, *, engine: str = "auto") -> Room:
        """Opens a store. `engine` picks the search index: `tantivy`, `fts`, or `auto`. Raises RoomError with a plain reason."""
        try:
            with damage_told(Path(store)):
                return cls(Path(store), engine)
        except (OSError, ValueError) as error:
            raise RoomError(f"The room in {store} cannot be opened: {error}.") from error

    def close(self) -> None:
        """Gives the files up. The room cannot be used afterwards."""
        with self._lock:
            if self._index is not None:
                self._index.close()
            self._database.close()
            if isinstance(self._blob, mmap.mmap):
                self._blob.close()
            self._file.close()

    def __enter__(self) -> Room:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- documents ---

    def documents(self) -> list[Document]:
        """The documents that are in the room now, by path."""
        return self._documents.present()

    def sizes(self) -> Iterator[tuple[str, str, str, int]]:
        """(id, path, kind, characters) of the documents that are in the room now, by path: what `documents` says at greater length."""
        return self._documents.sizes()

    def document(self, name: str) -> Document:
        """The document with this id, beginning of an id (6 digits or more), path, or file name.

        Raises RoomError, with the nearest names, when there is none or more than one.
        """
        return overview.resolve(name, self._documents)

    def accounting(self) -> Accounting:
        """What was found, read and not read."""
        with self._lock, damage_told(self.store):
            return paths.account(self._database)

    @property
    def source(self) -> Path:
        """Where the room was read from: a folder, or the one file that it is. It may be gone, or have changed since."""
        try:
            return Path((self.store / "source").read_text(encoding="utf-8", errors="surrogateescape"))
        except OSError as error:
            raise RoomError(f"The store {self.store} does not say where its room is: {error.strerror}.") from None

    def files(self) -> list[tuple[str, str]]:
        """(path, SHA-256) of each file that was read as a document, by path; documents inside others are in theirs."""
        rows = self._rows("SELECT path, document FROM files WHERE NOT removed AND document IS NOT NULL ORDER BY path")
        return [(str(path), str(digest)) for path, digest in rows]

    def tree(self) -> str:
        """All folders and documents as an indented list, with what was not read and why."""
        return overview.tree(self.documents(), self.accounting())

    # --- texts, units, places ---

    def text(self, document: str, view: View = "final") -> str:
        """The canonical text of a document; empty when nothing of it was read. Raises RoomError for a view that it does not have."""
        document = self._id(document)
        stored = self._texts.get((document, view))
        if stored is None:
            if view != "final" and self._documents[document].length:
                raise RoomError(f"{self._documents[document].path} has no {view} text: it has no tracked changes.")
            return ""
        with self._lock:
            known = self._decoded.get((document, view))
            if known is not None:
                self._decoded.move_to_end((document, view))
                return known
            text = self._decode(stored)
            self._decoded[document, view] = text
            self._decoded_size += len(text)
            while self._decoded_size > TEXT_CACHE and len(self._decoded) > 1:
                self._decoded_size -= len(self._decoded.popitem(last=False)[1])
            return text

    def length(self, document: str, view: View = "final") -> int:
        """How many code points a document's text has; 0 when there is none."""
        stored = self._texts.get((self._id(document), view))
        return 0 if stored is None else stored.length

    def slice(self, span: Span) -> str:
        """The text of a span."""
        stored = self._texts.get((span.document, span.view))
        if stored is not None and stored.bytes == stored.length and 0 <= span.start <= span.end:
            # ASCII alone: code points are bytes.
            end = stored.offset + min(span.end, stored.length)
            with damage_told(self.store), memoryview(self._blob) as blob:
                return str(blob[stored.offset + min(span.start, stored.length) : end], "ascii")
        if stored is not None and span.start <= 0 and span.end >= stored.length:
            # All of it, mostly for a request that is sent once: not kept, so that the next one finds the memory warm.
            known = self._decoded.get((span.document, span.view))
            return self._decode(stored) if known is None else known
        return self.text(span.document, span.view)[max(0, span.start) : max(0, span.end)]

    def _decode(self, stored: Stored) -> str:
        with damage_told(self.store), memoryview(self._blob) as blob:
            return str(blob[stored.offset : stored.offset + stored.bytes], "utf-8")

    def units(self, document: str, view: View = "final") -> list[Unit]:
        """A document's units in reading order."""
        document = self._id(document)
        stored = self._texts.get((document, view))
        if stored is None:
            return []
        with self._lock:
            known = self._units.get((document, view))
            if known is None:
                known = self._some_units(document, view, "ordinal >= ?", 0)
                self._units[document, view] = known
                if len(self._units) > UNIT_CACHE:
                    self._units.popitem(last=False)
            else:
                self._units.move_to_end((document, view))
            return list(known)

    def hidden(self, document: str, view: View = "final") -> list[tuple[int, int]]:
        """(start, end) of the units that a reader of the original would not see, in reading order."""
        stored = self._texts.get((self._id(document), view))
        if stored is None or (stored.key, view) not in self._hiding():
            return []
        rows = self._rows(
            'SELECT start, "end", flags FROM unit_rows'
            " WHERE document = ? AND view = ? AND instr(flags, 'hidden') ORDER BY ordinal",
            stored.key,
            view,
        )
        return [(start, end) for start, end, flags in rows if "hidden" in flags.split(",")]

    def _hiding(self) -> set[tuple[int, View]]:
        """The texts that may have hidden units: hardly any, so the others need not be gone through unit by unit."""
        with self._lock:
            if self._with_hidden is None:
                indexed = self._rows("SELECT 1 FROM sqlite_master WHERE name = 'hidden_units'")
                rows = self._rows(
                    "SELECT DISTINCT document, view FROM unit_rows INDEXED BY hidden_units WHERE instr(flags, 'hidden')"
                    if indexed  # a store of an earlier version has no such index
                    else "SELECT document, view FROM text_rows"
                )
                self._with_hidden = {(key, view) for key, view in rows}
            return self._with_hidden

    def unit_at(self, span: Span) -> Unit:
        """The unit in which a span begins. Raises RoomError when the document has no units."""
        stored = self._texts.get((self._id(span.document), span.view))
        of = "SELECT {} FROM unit_rows WHERE document = ? AND view = ?"
        last = None if stored is None else self._rows(of.format("max(ordinal)"), stored.key, span.view)[0][0]
        if stored is None or last is None:
            raise RoomError(f"{self.document(span.document).path} has no text, so nothing stands in it.")
        # Looked up by halves in the database: a report cites thousands of documents, and few of their units.
        low = 0
        while low < last:
            middle = (low + last + 1) // 2
            at = self._rows(of.format("start") + " AND ordinal = ?", stored.key, span.view, middle)
            low, last = (middle, last) if at[0][0] <= span.start else (low, middle - 1)
        return self._some_units(self._id(span.document), span.view, "ordinal = ?", low)[0]

    def place(self, span: Span) -> Place:
        """Where a span begins, in a reader's words."""
        unit = self.unit_at(span)
        page = unit.path.removeprefix("page ").split("/")[0] if unit.path.startswith("page ") else ""
        path = self._documents[self._id(span.document)].path
        return Place(span.document, path, unit.path, unit.section, int(page) if page.isdigit() else None, span.view)

    def boxes(self, span: Span) -> list[Box]:
        """One box for each line of a span, (page, left, bottom, right, top) in points of the page; empty where there are none."""
        stored = self._texts.get((span.document, span.view))
        if stored is None:
            return []
        found: list[Box] = []
        units = self.units(span.document, span.view)
        first = max(0, bisect_right(units, span.start, key=lambda unit: unit.start) - 1)
        for unit in units[first:]:
            if unit.start >= span.end:
                break
            rows = self._rows(
                "SELECT offset, bytes FROM box_rows WHERE document = ? AND view = ? AND ordinal = ?",
                stored.key,
                span.view,
                unit.ordinal,
            )
            if not rows:
                continue
            with open(self.store / "boxes.bin", "rb") as file:
                file.seek(rows[0][0])
                packed = file.read(rows[0][1])
            raw = unpack_boxes(packed, unit.end - unit.start)
            start, end = max(span.start, unit.start) - unit.start, min(span.end, unit.end) - unit.start
            page = self.place(Span(span.document, unit.start, unit.start, span.view)).page or 1
            found.extend(line_boxes(page, raw[16 * start : 16 * end]))
        return found

    # --- quotes ---

    def check(self, quote: str, document: str | None = None, near: Span | None = None) -> Citation:
        """Checks a quote against a document (all its views, the final one first) or, without one, against the whole room.

        The citation's spans are all occurrences; when the whole room was asked, in all documents that hold the quote, by path (the first
        200 of them). `near` puts the nearest first, and asks its document when none is named.
        """
        if document is None and near is not None:
            document = near.document
        if document is not None:
            return _nearest_first(self._check_one(quote, self._id(document)), near)
        held: list[Citation] = []
        for candidate in self._candidates(quote):
            citation = self._check_one(quote, candidate)
            if citation.holds:
                held.append(citation)
                if len(held) == HOLDING:
                    break
        if held:
            held.sort(key=lambda citation: citation.status != "verified")
            spans = tuple(span for citation in held if citation.status == held[0].status for span in citation.spans)
            return replace(held[0], spans=spans)
        for hit in self._likely(quote):
            citation = self._check_one(quote, hit)
            if citation.status == "differs":
                return citation
        return Citation(quote, "", (), "unverified" if self._texts else "uncheckable")

    def _check_one(self, quote: str, document: str) -> Citation:
        first: Citation | None = None
        for view in VIEWS:
            folded = self._fold(document, view)
            if folded is None:
                continue
            citation = quotes.check(folded, quote, document=document, view=view)
            if citation.holds:
                return citation
            first = first or citation
        return first or Citation(quote, document, (), "uncheckable")

    def _fold(self, document: str, view: View) -> quotes.Folded | None:
        if (document, view) not in self._texts:
            return None
        with self._lock:
            known = self._folded.get((document, view))
        if known is None:
            flagged = self._some_units(document, view, "flags <> ''")
            known = quotes.fold(self.text(document, view), skip=quotes.stepped_over(flagged))
        with self._lock:
            if (document, view) not in self._folded:
                self._folded[document, view] = known
                self._folded_size += known.size
            self._folded.move_to_end((document, view))
            while self._folded_size > FOLDED_CACHE and len(self._folded) > 1:
                self._folded_size -= self._folded.popitem(last=False)[1].size
        return known

    def _candidates(self, quote: str) -> Iterator[str]:
        """The documents that may hold a quote, by path: those that have a run of its letters, however broken or written."""
        folded = quotes.fold(quote).text
        pattern = grep_module.telling(folded)
        foreign = any(c.isalnum() and not c.isascii() for c in folded)
        with memoryview(self._blob) as blob:
            for document in self._documents.values():
                for view in () if document.removed else document.views:
                    stored = self._texts[document.id, view]
                    if foreign and stored.bytes == stored.length:
                        continue  # a text of ASCII alone
                    with blob[stored.offset : stored.offset + stored.bytes] as text:
                        found = pattern is None or pattern.search(text) is not None
                    if found:
                        yield document.id
                        break

    def _likely(self, quote: str) -> list[str]:
        plain = " ".join("".join(c if c.isalnum() else " " for c in quote).lower().split()[:60])
        if not plain:
            return []
        return list(dict.fromkeys(hit.span.document for hit in self.search(plain[:1_500], k=5)))

    # --- searching ---

    def search(
        self,
        query: str,
        *,
        k: int = 20,
        folder: str | None = None,
        kind: str | None = None,
        flag: str | None = None,
        after: str | None = None,
        before: str | None = None,
        documents: Iterable[str] | None = None,
    ) -> list[Hit]:
        """The `k` best passages for a query: words (any of them), "phrase", "in order"~5, AND OR NOT, parentheses, prefix*.

        Args:
            folder: only documents under this path of the room.
            kind: only documents of this kind (`pdf`, `docx` ...).
            flag: only units with this flag; `deleted` finds what tracked changes have struck out, which nothing else does.
            after, before: only documents dated (ISO, `2023` or `2023-05-31`) on or after, on or before, by their own metadata;
                documents without a date there (all plain text) are left out, and `undated` counts them.
            documents: only these, by id or path.

        Raises:
            QueryError: the query or a filter cannot be understood, or nothing in the room has that kind, folder or flag; the
                message says how to write it, or what there is.
        """
        if k < 1:
            raise QueryError("k must be at least 1.")
        if folder is not None or kind is not None or flag is not None:
            overview.known_filters(self.documents(), folder=folder, kind=kind, flag=flag)
        keys = self._selected(folder, kind, after, before, documents)
        with self._lock:
            if self._index is None:
                self._index = search.open_index(self.store, self._engine)
            node, found = search.find(
                self._index, query, self._stems, self._passage_text, self._passage_order, keys, flag, k
            )
            return [self._hit(node, score, passage, text) for score, passage, text in found]

    def undated(
        self, *, folder: str | None = None, kind: str | None = None, documents: Iterable[str] | None = None
    ) -> int:
        """How many documents with text bear no date of their own, so that a search by `after` or `before` leaves them out."""
        chosen = overview.filtered(self._named(documents), folder=folder, kind=kind)
        return sum(1 for document in chosen if document.length and not overview.dated(document))

    def _passage_text(self, passage: Passage) -> str:
        return self.slice(self._passage_span(passage))

    def _passage_order(self, passage: Passage) -> tuple[str, int, int]:
        return self._documents[self._by_key[passage.document]].path, passage.view, passage.start

    def _passage_span(self, passage: Passage) -> Span:
        view: View = "marked" if passage.view else "final"
        return Span(self._by_key[passage.document], passage.start, passage.end, view)

    def _hit(self, node: Any, score: float, passage: Passage, text: str) -> Hit:
        """The unit of the passage that holds most of the query's words, or the passage itself within a long unit."""
        span = self._passage_span(passage)
        units = self._some_units(span.document, span.view, "ordinal BETWEEN ? AND ?", passage.first, passage.last)
        marked = search.marks(node, text, self._stems)

        def count(unit: Unit) -> int:
            return sum(1 for start, _ in marked if unit.start <= passage.start + start < unit.end)

        unit = max(units, key=count)
        if passage.first != passage.last:
            span = replace(span, start=unit.start, end=unit.end)
        excerpt = search.excerpt(text, marked)
        return Hit(span, self._documents[span.document].path, unit.path, unit.section, score, excerpt)

    def grep(
        self,
        pattern: str,
        *,
        ignore_case: bool = True,
        folder: str | None = None,
        documents: Iterable[str] | None = None,
        limit: int = 1000,
    ) -> list[Match]:
        """Every match of a regular expression (RE2) in the final texts, by path, at most `limit`.

        `^` and `$` match at lines. Raises QueryError for a pattern that cannot be run.
        """
        if limit < 1:
            raise QueryError("limit must be at least 1.")
        overview.known_filters(self.documents(), folder=folder, kind=None, flag=None)
        compiled = grep_module.compile_pattern(pattern, ignore_case=ignore_case)
        keys = self._selected(folder, None, None, None, documents)
        chosen = [
            (document, stored)
            for document in self._documents.values()
            if not document.removed and (stored := self._texts.get((document.id, "final"))) is not None
            if keys is None or stored.key in keys
        ]
        with memoryview(self._blob) as blob:
            return grep_module.run(compiled, blob, chosen, limit)

    # --- inside ---

    def _selected(
        self,
        folder: str | None,
        kind: str | None,
        after: str | None,
        before: str | None,
        documents: Iterable[str] | None,
    ) -> Collection[int] | None:
        """The keys of the documents that the filters leave; None for all of them."""
        if folder is None and kind is None and after is None and before is None and documents is None:
            return None if self._whole else self._keys(self.documents())
        chosen = overview.filtered(self._named(documents), folder=folder, kind=kind, after=after, before=before)
        return None if len(chosen) == len(self._documents) else self._keys(chosen)

    def _named(self, documents: Iterable[str] | None) -> Sequence[Document]:
        if documents is None:
            return self.documents()
        if isinstance(documents, str):
            documents = [documents]
        return [self.document(name) for name in dict.fromkeys(documents)]

    def _keys(self, documents: Iterable[Document]) -> set[int]:
        return {stored.key for document in documents if (stored := self._texts.get((document.id, "final")))}

    def _id(self, document: str) -> str:
        return document if document in self._documents else self.document(document).id

    def _some_units(self, document: str, view: View, where: str, *values: int) -> list[Unit]:
        rows = self._rows(
            'SELECT ordinal, start, "end", path, label, section, source, flags FROM unit_rows'
            f" WHERE document = ? AND view = ? AND {where} ORDER BY ordinal",
            self._texts[document, view].key,
            view,
            *values,
        )
        return [
            Unit(
                document,
                ordinal,
                start,
                end,
                path,
                label,
                section,
                source,
                tuple(flags.split(",")) if flags else (),
                view,
            )
            for ordinal, start, end, path, label, section, source, flags in rows
        ]

    def _rows(self, sql: str, *values: str | int) -> list[Any]:
        with self._lock, damage_told(self.store):
            return self._database.execute(sql, values).fetchall()


def _nearest_first(citation: Citation, near: Span | None) -> Citation:
    if near is None or len(citation.spans) < 2:
        return citation

    def distance(span: Span) -> tuple[bool, int]:
        apart = max(near.start - span.end, span.start - near.end, 0)
        return span.document != near.document or span.view != near.view, apart

    return replace(citation, spans=tuple(sorted(citation.spans, key=distance)))

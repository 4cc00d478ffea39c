"""The full-text index kept by tantivy. Words arrive folded and stemmed; the index only splits at spaces."""

from __future__ import annotations

import contextlib
import os
import struct
import tempfile
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any as Anything

import tantivy
from tantivy import Occur, Query

from redwell.room.passages import Passage
from redwell.room.query import All, Any, Except, Node, Phrase, Prefix, loose
from redwell.room.store import writable

_PLACE = struct.Struct("<QBQQQQ")
_HEAP = 256 << 20
_GHOST = "deleted"


def _schema() -> Anything:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("stems", tokenizer_name="whitespace", index_option="position")
    builder.add_text_field("words", tokenizer_name="whitespace", index_option="basic")
    builder.add_text_field("flags", tokenizer_name="whitespace", index_option="basic")
    builder.add_unsigned_field("document", indexed=True, fast=True)
    builder.add_bytes_field("place", stored=True)
    return builder.build()


class TantivyIndex:
    """One index; `folder` None keeps it in memory."""

    name = "tantivy"

    def __init__(self, folder: Path | None) -> None:
        self._schema = _schema()
        self._links: tempfile.TemporaryDirectory[str] | None = None
        if folder is None:
            self._index = tantivy.Index(self._schema)
        elif folder.is_dir() and not writable(folder):
            # Opening takes a lock file, which a read-only disk cannot hold: a folder of links to the segments can.
            self._links = tempfile.TemporaryDirectory(prefix="redwell-index-")
            for file in folder.iterdir():
                if not file.name.endswith(".lock"):
                    os.symlink(file.absolute(), Path(self._links.name) / file.name)
            self._index = tantivy.Index.open(self._links.name)
        else:
            folder.mkdir(parents=True, exist_ok=True)
            self._index = tantivy.Index(self._schema, str(folder))
        self._searcher = self._index.searcher()
        self._ghosts = self._has_ghosts()

    def update(
        self, added: Iterable[tuple[Passage, list[str], list[str]]], dropped: Iterable[int], fresh: Iterable[int]
    ) -> None:
        """Takes out the documents `dropped`, and puts in passages with their words and stems, of the documents `fresh`."""
        writer = self._index.writer(heap_size=_HEAP, num_threads=min(4, len(os.sched_getaffinity(0))))
        for document in (*dropped, *fresh):
            # Those to be put in are taken out first: an update that broke off may have put them in.
            writer.delete_documents_by_query(self._one(document))
        for passage, raw, stemmed in added:
            entry = tantivy.Document()
            entry.add_text("stems", " ".join(stemmed))
            entry.add_text("words", " ".join(set(raw)))
            if passage.flags:
                entry.add_text("flags", " ".join(passage.flags))
            entry.add_unsigned("document", passage.document)
            place = (passage.document, passage.view, passage.start, passage.end, passage.first, passage.last)
            entry.add_bytes("place", _PLACE.pack(*place))
            writer.add_document(entry)
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()
        self._searcher = self._index.searcher()
        self._ghosts = self._has_ghosts()

    def search(
        self, node: Node, documents: Collection[int] | None, flag: str | None, limit: int
    ) -> list[tuple[float, Passage]]:
        """The best passages, best first; proximity in any order."""
        query = self._query(node)
        must = [(Occur.Must, query)]
        if documents is not None:
            must.append(
                (
                    Occur.Must,
                    Query.const_score_query(Query.term_set_query(self._schema, "document", list(documents)), 0.0),
                )
            )
        if flag is not None:
            must.append((Occur.Must, Query.const_score_query(Query.term_query(self._schema, "flags", flag), 0.0)))
        if flag != _GHOST and self._ghosts:
            must.append((Occur.MustNot, Query.term_query(self._schema, "flags", _GHOST)))
        # A query by itself lets the engine pass over what cannot come among the best; one that is a part of another does not.
        result = self._searcher.search(Query.boolean_query(must) if len(must) > 1 else query, limit, count=False)
        return [(score, self._passage(address)) for score, address in result.hits]

    def close(self) -> None:
        """Lets the files go; the index cannot be used afterwards."""
        del self._searcher, self._index
        if self._links is not None:
            with contextlib.suppress(OSError):
                self._links.cleanup()

    def _has_ghosts(self) -> bool:
        return bool(self._searcher.search(Query.term_query(self._schema, "flags", _GHOST), 1, count=False).hits)

    def _one(self, document: int) -> Anything:
        return Query.term_set_query(self._schema, "document", [document])

    def _passage(self, address: Anything) -> Passage:
        place: Anything = self._searcher.doc(address).get_first("place")
        return Passage(*_PLACE.unpack(bytes(place)))

    def _query(self, node: Node) -> Anything:
        match node:
            case Phrase(stems, slack):
                if len(stems) == 1:
                    return Query.term_query(self._schema, "stems", stems[0])
                return Query.phrase_query(self._schema, "stems", list(stems), slop=slack)
            case Prefix(start):
                return Query.regex_query(self._schema, "words", f"{start}.*")
            case All(parts):
                return Query.boolean_query([(Occur.Must, self._query(part)) for part in parts])
            case Any(parts):
                return Query.boolean_query([(Occur.Should, self._query(part)) for part in parts])
            case Except(part, excluded):
                # What holds proximity is found in any order, so it may not take away here; `query.holds` does that afterwards.
                kept = [(Occur.MustNot, self._query(other)) for other in excluded if not loose(other)]
                return Query.boolean_query([(Occur.Must, self._query(part)), *kept])

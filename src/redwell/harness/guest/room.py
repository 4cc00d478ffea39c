"""`room` as cells see it: documents, units and spans, addressed, their text read only when asked for.

Texts are read straight from the store; searching is done by the host.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from redwell.harness.guest.constants import CHILD, DATED_BY, SCOPE, SLICE_CHARS
from redwell.harness.guest.cuts import cuts
from redwell.harness.guest.listing import Listing, Text, excerpt, named
from redwell.harness.guest.store import store
from redwell.journal.shown import shown_line

if TYPE_CHECKING:

    class HostError(Exception): ...

    def host(name: str, **arguments: Any) -> Any: ...


__all__ = ["Document", "Span", "room"]
if CHILD:
    __all__ += ["scope"]


class Span:
    """A stretch of a document: `.document`, `.start`, `.end`, `.text`, `.place`; `span[a:b]` is a stretch of it."""

    def __init__(self, document: Document, start: int, end: int, view: str = "final") -> None:
        self.document = document
        self.start = max(0, start)
        self.end = max(self.start, end)
        self.view = view

    def __len__(self) -> int:
        return self.end - self.start

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Span) and self.json() == other.json()

    def __hash__(self) -> int:
        return hash((self.document.id, self.start, self.end, self.view))

    def __lt__(self, other: Span) -> bool:
        return (self.document.path, self.start, self.end) < (other.document.path, other.start, other.end)

    def __getitem__(self, index: slice) -> Span:
        start, end, _ = _slice(index, len(self))
        return Span(self.document, self.start + start, self.start + end, self.view)

    @property
    def text(self) -> str:
        return store.read(self.document.id, self.start, self.end, self.view)

    @property
    def place(self) -> str:
        """Where it stands, in a reader's words: `msa.docx, Section 8.2(b)`."""
        opening = self[: min(len(self), 80)].text  # a match may begin with the line break before its words
        unit = store.unit_at(self.document.id, self.start + len(opening) - len(opening.lstrip()), self.view)
        where = _where(unit[0], unit[1]) if unit else f"characters {self.start}-{self.end}"
        return f"{shown_line(self.document.name)}, {where}"

    def around(self, characters: int = 400) -> Span:
        """The span with this much text before and after it."""
        return Span(self.document, self.start - characters, min(self.end + characters, self.document.length), self.view)

    def json(self) -> list[Any]:
        return [self.document.id, self.start, self.end, self.view]

    def __repr__(self) -> str:
        return f"<{self.place} [{self.start}:{self.end}] {excerpt(self[: min(len(self), 400)].text)!r}>"


class Unit(Span):
    """A citable block: also `.path` (where in the file), `.label` and `.section` (its printed number), `.flags`."""

    def __init__(
        self, document: Document, start: int, end: int, view: str, path: str, label: str, section: str, flags: str
    ):
        super().__init__(document, start, end, view)
        self.path = path
        self.label = label
        self.section = section
        self.flags = _flags(flags)

    @property
    def place(self) -> str:
        return f"{shown_line(self.document.name)}, {_where(self.path, self.section)}"

    def __repr__(self) -> str:
        flags = f" ({', '.join(self.flags)})" if self.flags else ""
        return super().__repr__()[:-1] + flags + ">"


class Hit(Span):
    """A search result: a span with `.score` (higher is better) and `.shown`, the text around the match."""

    def __init__(self, document: Document, found: dict[str, Any]) -> None:
        super().__init__(document, found["start"], found["end"], found["view"])
        self.score = float(found.get("score", 0.0))
        self.shown = str(found.get("text", ""))

    def __repr__(self) -> str:
        return f"<{self.place} [{self.start}:{self.end}] {excerpt(self.shown, 200)!r}>"


class Document:
    """One document: `.id`, `.path`, `.paths`, `.name`, `.kind`, `.status`, `.reason`, `.length` (characters), `.pages`,
    `.metadata`, `.text`, `.units`; `document[a:b]` is a Span; `.slices()`, `.grep(regex)`, `.search(query)`."""

    id: str
    path: str
    kind: str
    status: str
    reason: str
    length: int
    pages: int
    size: int
    parent: str | None

    def __init__(self, row: Any) -> None:
        self.id, self.path, self.kind, self.status, self.reason, self.length, self.pages, self.size, self.parent = row

    @property
    def paths(self) -> list[str]:
        return store.paths(self.id, self.path)

    @property
    def metadata(self) -> dict[str, str]:
        known: dict[str, str] | None = self.__dict__.get("_metadata")
        if known is None:
            known = self._metadata = json.loads(store.metadata(self.id))
        return known

    @property
    def name(self) -> str:
        return self.path.rsplit("/", 1)[-1]

    @property
    def folder(self) -> str:
        return self.path.rpartition("/")[0]

    @property
    def text(self) -> str:
        return store.read(self.id, 0, self.length, "final")

    @property
    def units(self) -> Listing[Unit]:
        return named("units", (Unit(self, start, end, "final", *rest) for start, end, *rest in store.units(self.id)))

    @property
    def span(self) -> Span:
        return Span(self, 0, self.length)

    def __len__(self) -> int:
        return self.length

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Document) and other.id == self.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __lt__(self, other: Document) -> bool:
        return self.path < other.path

    def __getitem__(self, index: slice) -> Span:
        start, end, _ = _slice(index, self.length)
        return Span(self, start, end)

    def slices(self, size: int | None = None) -> Listing[Slice]:
        return cut([self.span], size)

    def grep(self, pattern: str, **options: Any) -> Listing[Hit]:
        return room.grep(pattern, documents=[self], **options)

    def search(self, query: str, limit: int = 20, **options: Any) -> Listing[Hit]:
        return room.search(query, limit, documents=[self], **options)

    def __str__(self) -> str:
        return self.path

    def __repr__(self) -> str:
        extent = f"{self.length:,} characters" + (f", {self.pages} pages" if self.pages else "")
        status = "" if self.status == "read" else f", {self.status}: {shown_line(self.reason)}"
        more = f", also at {', '.join(map(shown_line, self.paths[1:3]))}" if len(self.paths) > 1 else ""
        return f"<{self.id[:12]} {self.path!r} {self.kind}, {extent}{status}{more}>"


class Slice(Listing[Span]):
    """Spans that fit into one sub-agent call."""

    noun = "spans"

    @property
    def length(self) -> int:
        return sum(len(span) for span in self)

    def __repr__(self) -> str:
        names = []
        for span in self[:3]:
            whole = span.start == 0 and span.end == span.document.length
            names.append(shown_line(span.document.name) + ("" if whole else f"[{span.start}:{span.end}]"))
        more = f" and {len(self) - 3} more" if len(self) > 3 else ""
        return f"<slice, {self.length:,} characters: {', '.join(names)}{more}>"

    __str__ = __repr__


class Room:
    """The room: `tree()`, `documents(...)`, `document(id or path)`, `search(query)`, `grep(regex)`, `slices()`."""

    def __init__(self) -> None:
        self._documents: dict[str, Document] = {}

    # --- what a cell calls ----------------------------------------------------------------------------------------------------

    def documents(
        self,
        folder: str | None = None,
        kind: str | None = None,
        name: str | None = None,
        status: str | None = None,
        **metadata: str,
    ) -> Listing[Document]:
        """The documents in `folder`, of `kind` ("pdf", "docx" ...), whose file name contains `name` (or fits it, with * and ?), of
        `status` ("read", "partly_read", "unreadable", "skipped"). Any other keyword is looked for in the metadata."""
        found = list(self._all().values())
        if folder is not None:
            prefix = folder.strip("/")
            found = [each for each in found if any(_within(path, prefix) for path in each.paths)]
        if kind is not None:
            found = [each for each in found if each.kind == kind.lower().lstrip(".")]
        if name is not None:
            found = [each for each in found if any(_fits(path.rsplit("/", 1)[-1], name) for path in each.paths)]
        if status is not None:
            found = [each for each in found if each.status == status]
        for key, value in metadata.items():
            found = [each for each in found if str(value).casefold() in each.metadata.get(key, "").casefold()]
        return named("documents", found)

    def document(self, which: str) -> Document:
        """A document by its id, the first digits of its id, its path, or its file name when only one has it."""
        known = self._all()
        if which in known:
            return known[which]
        by_path = [each for each in known.values() if which in each.paths]
        candidates = by_path or [
            each for each in known.values() if any(p.rsplit("/", 1)[-1] == which for p in each.paths)
        ]
        if not candidates and re.fullmatch(r"[0-9a-f]{4,64}", which):
            candidates = [each for each in known.values() if each.id.startswith(which)]
        if len(candidates) == 1:
            return candidates[0]
        if candidates:
            raise HostError(
                f"{which!r} names {len(candidates)} documents: " + ", ".join(shown_line(c.path) for c in candidates[:5])
            )
        import difflib  # costly at the start of a session, and few names are wrong

        names = {path.rsplit("/", 1)[-1]: path for each in known.values() for path in each.paths}
        near = [names[name] for name in difflib.get_close_matches(which.rsplit("/", 1)[-1], names, n=3, cutoff=0.5)]
        raise HostError(
            f"the room has no document {which!r}"
            + (f"; near it: {', '.join(map(shown_line, near))}" if near else "; see room.tree()")
        )

    def tree(self, folder: str = "", lines: int = 150) -> Text:
        """The folders with their documents; folders are given by their counts where there is not enough room for all."""
        found = self.documents(folder=folder) if folder else self.documents()
        folders: dict[str, list[tuple[str, Document]]] = {}
        for each in found:
            for path in each.paths:
                if not folder or _within(path, folder.strip("/")):
                    folders.setdefault(path.rpartition("/")[0], []).append((path, each))
        written = [f"{len(found):,} documents, {sum(each.length for each in found):,} characters"]
        left = lines - len(folders)
        for name in sorted(folders):
            held = sorted(folders[name], key=lambda pair: pair[0])
            size = sum(each.length for _, each in held)
            written.append(f"{shown_line(name) or '.'}/  {len(held):,} documents, {size:,} characters")
            listed = held[: max(0, min(len(held), left))]
            left -= len(listed)
            for path, each in listed:
                status = "" if each.status == "read" else f"  {each.status}: {shown_line(each.reason)}"
                written.append(f"    {shown_line(path.rsplit('/', 1)[-1])}  {each.kind}  {each.length:,}{status}")
            if len(listed) < len(held):
                written.append(f"    ... {len(held) - len(listed):,} more: room.documents(folder={name!r})")
            if len(written) > 3 * lines:
                written.append(f"... {len(folders):,} folders in all: room.tree(folder=...)")
                break
        return Text("\n".join(written))

    def search(self, query: str, limit: int = 20, documents: Any = None, **filters: Any) -> Listing[Hit]:
        """The best `limit` units for words (any of them), "a phrase", "a phrase"~3, AND, OR, NOT, ( ), prefix*. Filters: folder=, kind=,
        flag=, after=, before= (dates that documents bear in their metadata; those without one are left out), documents=."""
        chosen = _ids(documents)
        found = host("search", query=query, limit=limit, documents=chosen, **filters)
        hits = named("hits", (Hit(self._all()[each["document"]], each) for each in found))
        if filters.get("after") or filters.get("before"):
            among = self.documents(folder=filters.get("folder"), kind=filters.get("kind"))
            undated = sum(
                1 for each in among if each.length and not _dated(each) and (chosen is None or each.id in chosen)
            )
            if undated:
                said = (
                    "1 document carries no date and was"
                    if undated == 1
                    else f"{undated:,} documents carry no date and were"
                )
                hits.note = f"{said} left out"
        return hits

    def grep(self, pattern: str, documents: Any = None, **options: Any) -> Listing[Hit]:
        """Every match of a regular expression (RE2) in the room's text, in which a space stands for any white space, also the end of a
        line. Options: ignore_case=True, folder=, documents=, limit=1000."""
        found = host("grep", pattern=pattern, documents=_ids(documents), **options)
        return named("matches", (Hit(self._all()[each["document"]], each) for each in found))

    def slices(self, size: int | None = None, documents: Any = None) -> Listing[Slice]:
        """The readable text of the whole room (or of `documents`), cut between units into slices of at most `size` characters, each of one
        document: every character is in exactly one slice."""
        return cut(spans_of(self if documents is None else documents), size)

    def __len__(self) -> int:
        return len(self._all())

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Document]:
        return iter(self._all().values())

    def __repr__(self) -> str:
        known = self._all().values()
        return f"<room: {len(known):,} documents, {sum(each.length for each in known):,} characters; see room.tree()>"

    def _all(self) -> dict[str, Document]:
        if not self._documents:
            self._documents = {row[0]: Document(row) for row in store.documents()}
        return self._documents


def spans_of(over: Any) -> list[Span]:
    """The spans of whatever names a part of the room: the room, a document, its id or path, a span, a slice, or a list of these."""
    if isinstance(over, Span):
        return [over] if len(over) else []
    if isinstance(over, Document):
        return [over.span] if over.length else []
    if isinstance(over, Room):
        return [document.span for document in over if document.length]
    if isinstance(over, str):
        return spans_of(room.document(over))
    if isinstance(over, Iterable):
        return [span for each in over for span in spans_of(each)]
    inner = getattr(over, "spans", None)
    if inner is not None:
        return spans_of(inner)
    raise HostError(
        f"over= takes documents, spans, slices, ids or paths (or room, for all of it), not {type(over).__name__}"
    )


def cut(spans: list[Span], size: int | None = None) -> Listing[Slice]:
    """Slices of at most `size` characters that hold every character of the spans once, in order, cut between units where a unit
    fits at all. No slice holds words of two documents: what one says must not reach what is answered about another."""
    limit = min(size or SLICE_CHARS, SLICE_CHARS)
    if limit < 1:
        raise HostError("a slice holds at least one character")
    slices: list[Slice] = []
    current = Slice()
    room_left = limit
    for span in spans:
        for piece in _pieces(span, limit):
            if current and (len(piece) > room_left or piece.document != current[-1].document):
                slices.append(current)
                current, room_left = Slice(), limit
            current.append(piece)
            room_left -= len(piece)
    if current:
        slices.append(current)
    return named("slices", slices)


def _pieces(span: Span, limit: int) -> Iterator[Span]:
    """The span in pieces of at most `limit`: cut where a unit begins, else after a line or a word, else anywhere."""

    def read(start: int, end: int) -> str:
        return store.read(span.document.id, start, end, span.view)

    starts = store.starts(span.document.id) if span.view == "final" and len(span) > limit else []
    for start, end in cuts(span.start, span.end, limit, starts, read):
        yield Span(span.document, start, end, span.view)


def _ids(documents: Any) -> list[str] | None:
    if documents is None:
        return None
    if isinstance(documents, str | Document):
        documents = [documents]
    return [each.id if isinstance(each, Document) else room.document(str(each)).id for each in documents]


def _dated(document: Document) -> bool:
    return any(re.match(r"\d{4}-\d{2}-\d{2}", document.metadata.get(name, "")) for name in DATED_BY)


def _slice(index: Any, length: int) -> tuple[int, int, int]:
    if not isinstance(index, slice):
        raise TypeError("take a stretch of it: [start:end]; .text is the string")
    if index.step not in (None, 1):
        raise ValueError("a stretch of text has no step")
    return index.indices(length)


def _where(path: str, section: str) -> str:
    return f"Section {shown_line(section)}" if section else shown_line(path)


def _flags(stored: str) -> tuple[str, ...]:
    if stored.startswith("["):
        return tuple(json.loads(stored))
    return tuple(flag for flag in stored.replace(",", " ").split() if flag)


def _within(path: str, folder: str) -> bool:
    return not folder or path == folder or path.startswith(folder + "/")


def _fits(name: str, wanted: str) -> bool:
    name, wanted = name.casefold(), wanted.casefold()
    if not any(mark in wanted for mark in "*?"):
        return wanted in name
    import fnmatch  # costly at the start of a session

    return fnmatch.fnmatchcase(name, wanted)


room = Room()

scope = [Span(room.document(str(each[0])), int(str(each[1])), int(str(each[2])), str(each[3])) for each in SCOPE]
"""The spans that a sub-agent with a session of its own was given; empty for the root."""

"""The nouns of a room: documents, units, spans, citations, and the account of what was read."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Literal

from redwell.journal.span import Span as Span
from redwell.journal.span import View as View

ReadStatus = Literal["read", "partly_read", "unreadable", "skipped"]
Source = Literal["native", "ocr", "converted"]
CitationStatus = Literal["verified", "abridged", "differs", "unverified", "uncheckable"]

FLAGS = (
    "hidden",
    "deleted",
    "inserted",
    "moved",
    "comment",
    "header",
    "footer",
    "footnote",
    "endnote",
    "textbox",
    "heading",
)
"""What a unit may be flagged with. `hidden` covers hidden and white text, hidden sheets, rows, columns and slides."""


@dataclass(frozen=True, slots=True)
class Unit:
    """The smallest citable block: page, paragraph, sheet row, slide shape, message part.

    `path` is where it stands in the file (`page 12`, `body/p[41]`, `Sheet!A5:F5`, `slide 3/shape 7`); `label` is its
    printed clause number as a reader sees it ("8.2", "(b)", "ARTICLE IV"), empty when it has none; `section` is the full
    printed number with its ancestors' ("8.2(b)"), for citing.
    """

    document: str
    ordinal: int
    start: int
    end: int
    path: str
    label: str = ""
    section: str = ""
    source: Source = "native"
    flags: tuple[str, ...] = ()
    view: View = "final"


@dataclass(frozen=True, slots=True)
class Document:
    """One file's bytes, named by their SHA-256 (64 hex digits). The same bytes at two paths are one document with two paths.

    Paths are relative to the room with `/` between parts; a document inside another (attachment, archive member) has a path
    such as `mail/offer.eml!/terms.docx`. `length` is the number of code points of the final text. `views` lists the texts
    that exist. `metadata` holds what the file says of itself (title, author, created, modified, sent, subject ...), all strings.
    """

    id: str
    paths: tuple[str, ...]
    kind: str
    status: ReadStatus
    reason: str = ""
    length: int = 0
    units: int = 0
    pages: int = 0
    size: int = 0
    parent: str | None = None
    views: tuple[View, ...] = ("final",)
    metadata: dict[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    removed: bool = False

    @property
    def path(self) -> str:
        return self.paths[0]

    @property
    def name(self) -> str:
        return self.path.rsplit("/", 1)[-1]


@dataclass(frozen=True, slots=True)
class Skipped:
    """A path that was found and not read as a document (lock file, socket, link out of the room ...), with the reason."""

    path: str
    reason: str
    status: ReadStatus = "skipped"


@dataclass(frozen=True, slots=True)
class Accounting:
    """found = read + partly_read + unreadable + skipped, counted in paths (a document at two paths counts twice)."""

    found: int
    read: int
    partly_read: int
    unreadable: int
    skipped: int
    documents: int
    characters: int
    pages: int
    not_read: tuple[Skipped, ...] = ()

    @property
    def reconciles(self) -> bool:
        return self.found == self.read + self.partly_read + self.unreadable + self.skipped


@dataclass(frozen=True, slots=True)
class Hit:
    """A search result: the unit that matched, its document's path, a score (higher is better) and its text around the match."""

    span: Span
    path: str
    unit: str
    section: str
    score: float
    text: str


@dataclass(frozen=True, slots=True)
class Citation:
    """A quote as given, every place it stands, and what came of checking it.

    `status`: `verified` (exact after the lossless fold), `abridged` (its pieces stand in order, close together), `differs` (a near
    passage was found; `nearest` and `difference` show it; counts as unverified), `unverified`, `uncheckable` (the document has no
    text to check against). `spans` is empty unless verified or abridged; an abridged citation's span covers from its first piece
    to its last.
    """

    quote: str
    document: str
    spans: tuple[Span, ...]
    status: CitationStatus
    nearest: Span | None = None
    difference: str = ""

    @property
    def holds(self) -> bool:
        return self.status in ("verified", "abridged")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a span stands, in a reader's words: `msa.docx, Section 8.2(b)` or `lease.pdf, page 12`."""

    document: str
    path: str
    unit: str
    section: str
    page: int | None
    view: View = "final"

    @property
    def where(self) -> str:
        """The place within its document: `Section 8.2(b)`, `page 12`, `Sheet!A5:F5`."""
        where = cited(self.section) if self.section else (f"page {self.page}" if self.page else self.unit)
        return where + ("" if self.view == "final" else f" ({self.view} text)")

    def __str__(self) -> str:
        name = self.path.rsplit("/", 1)[-1]
        return f"{name}, {self.where}"


def cited(section: str) -> str:
    """A unit's section in a reader's words: `Section 8.2(b)`; `Article IV`, `Recital B` and `Exhibit A, Section 3` as they are."""
    return section if re.match(r"[A-Z][a-z]+ ", section) else f"Section {section}"


# --- what a format reader returns -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class ParsedUnit:
    """A unit as a format reader makes it; its text does not end in a newline (the store joins units with one).

    `boxes`, for PDF and OCR: one (left, bottom, right, top) in points of the page per code point of `text`, packed as float32
    little-endian bytes (16 bytes a code point); zeros where a character has no box.
    """

    text: str
    path: str
    label: str = ""
    section: str = ""
    source: Source = "native"
    flags: tuple[str, ...] = ()
    boxes: bytes | None = None


@dataclass(slots=True)
class Child:
    """A document inside a document: attachment, archive member, embedded file."""

    name: str
    data: bytes


@dataclass(slots=True)
class Parsed:
    """What a format reader makes of one file. `views` always has `final` when anything was read.

    `skipped` are members that are no documents (name, reason); `unopened` are members that may be documents and could not be
    taken out: they count as unreadable.
    """

    kind: str
    views: dict[View, list[ParsedUnit]] = field(default_factory=dict)
    status: ReadStatus = "read"
    reason: str = ""
    pages: int = 0
    children: list[Child] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    unopened: list[tuple[str, str]] = field(default_factory=list)
    metadata: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one file may cost. Bytes are counted as they are inflated; a stated size is never believed."""

    file_bytes: int = 2 << 30
    part_bytes: int = 64 << 20
    total_bytes: int = 256 << 20
    ratio: int = 200
    entries: int = 20_000
    archive_depth: int = 8
    seconds: float = 60.0
    memory_bytes: int = 3 << 30
    ocr_seconds_per_page: float = 30.0


class Unreadable(Exception):
    """A file that cannot be read, with the reason in a reader's words (never a library's traceback)."""

    def __init__(self, reason: str, **detail: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail

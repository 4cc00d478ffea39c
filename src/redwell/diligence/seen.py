"""What a model has seen of a room in its conversation: stretches of documents, read by the reader's rules, and quotes looked for in just them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from redwell.diligence.reader import hidden_findings, read_text
from redwell.diligence.report import Cited
from redwell.harness.fence import Slice
from redwell.harness.listing import Listed
from redwell.room.quotes import check, fold
from redwell.room.types import Citation, Place, Span, View

_NUMBER = re.compile(r"\s*(?:\*\*|#+ ?)?(?:Section |SECTION |§ ?)?(\d{1,3}(?:\.\d{1,3})+|\d{1,3}(?=\.\s))")


@dataclass(slots=True)
class SeenDocument:
    """A document by what was seen of it. `pieces` are (start, text) in order and apart from each other; `total` is its length, 0 where
    nobody said."""

    id: str
    path: str
    total: int = 0
    pieces: list[tuple[int, str]] = field(default_factory=list)
    hidden: list[tuple[int, int]] = field(default_factory=list)

    @property
    def paths(self) -> tuple[str, ...]:
        return (self.path,)

    @property
    def name(self) -> str:
        return self.path.rsplit("/", 1)[-1]

    @property
    def seen(self) -> int:
        return sum(len(text) for _, text in self.pieces)

    def __hash__(self) -> int:
        return hash(self.id)

    def add(self, start: int, text: str) -> None:
        """One more stretch; where it overlaps with what is there, or goes on from it, the two become one."""
        pieces = []
        for at, known in self.pieces:
            if at > start + len(text) or at + len(known) < start:
                pieces.append((at, known))
            elif at <= start:
                text, start = known + text[at + len(known) - start :], at
            else:
                text += known[start + len(text) - at :] if at + len(known) > start + len(text) else ""
        self.pieces = sorted([*pieces, (start, text)])


@dataclass(frozen=True, slots=True)
class SeenFinding:
    """A finding of the reader's rules in text that was seen."""

    kind: str
    claim: str
    values: dict[str, Any]
    citations: list[Citation]
    document: SeenDocument


class Seen:
    """All of it, in the shape that layouts and checks ask of a room."""

    def __init__(self) -> None:
        self.documents: dict[str, SeenDocument] = {}
        self._places: dict[tuple[str, int], str] = {}
        self._padded: dict[str, str] = {}

    def document(self, identity: str, path: str, total: int = 0) -> SeenDocument:
        found = self.documents.setdefault(identity, SeenDocument(identity, path))
        found.total = max(found.total, total)
        return found

    def add(self, piece: Slice) -> None:
        found = self.document(piece.document, piece.path, piece.total)
        found.add(piece.start, piece.text)
        found.hidden += [(piece.start + start, piece.start + end) for start, end in piece.hidden]

    def findings(self) -> list[SeenFinding]:
        """What the reader's rules find in every stretch, facts too."""
        found: list[SeenFinding] = []
        for document in sorted(self.documents.values(), key=lambda each: each.path):
            for start, text in document.pieces:
                hidden = tuple(
                    (a - start, b - start)
                    for a, b in sorted(set(document.hidden))
                    if a >= start and b <= start + len(text)
                )
                last = not document.total or start + len(text) >= document.total
                for kind, claim, values, citations in _read(document.id, document.path, start, text, last, hidden):
                    found.append(SeenFinding(kind, claim, values, list(citations), document))
        return found

    def listed(self, findings: Iterable[Listed]) -> list[SeenFinding]:
        """Findings that others made, with the quotes that they show; what is seen of a document are these quotes."""
        found = []
        for each in findings:
            path = next((quote.path for quote in each.quotes), str(each.values.get("path", "")))
            if not path:
                continue
            citations = []
            for quote in each.quotes:
                self.document(quote.path, quote.path).add(quote.start, quote.text)
                self._places[quote.path, quote.start] = quote.where
                span = Span(quote.path, quote.start, quote.start + len(quote.text))
                citations.append(Citation(quote.text, quote.path, (span,), "verified"))
            found.append(SeenFinding(each.kind, each.claim, each.values, citations, self.document(path, path)))
        return found

    def cited(self, citation: Citation) -> Cited:
        return Cited(citation, self.place(citation.spans[0]))

    def place(self, span: Span) -> Place:
        """Where a quote stands as far as the text shows it: the number at the beginning of its paragraph, or of one shortly before."""
        document = self.documents[span.document]
        where = self._places.get((span.document, span.start), "") or self._numbered(document, span.start)
        section = where.removeprefix("Section ") if where.startswith("Section ") else ""
        return Place(span.document, document.path, where or f"character {span.start:,}", section, None)

    def _numbered(self, document: SeenDocument, at: int) -> str:
        for start, text in document.pieces:
            if start <= at < start + len(text):
                lines = text[: at - start].rsplit("\n", 6)
                end = text.find("\n", at - start)
                lines[-1] += text[at - start : end if end >= 0 else len(text)]
                for line in reversed(lines[-6:]):
                    if (number := _NUMBER.match(line)) is not None:
                        return f"Section {number[1]}"
        return ""

    def text(self, document: str, view: View = "final") -> str:
        """The document with blanks for what was not seen."""
        known = self._padded.get(document)
        if known is None:
            parts, position = [], 0
            for start, text in self.documents[document].pieces:
                parts += [" " * (start - position), text]
                position = start + len(text)
            known = self._padded[document] = "".join(parts)
        return known

    def slice(self, span: Span) -> str:
        return self.text(span.document)[span.start : span.end]


Read = tuple[str, str, dict[str, Any], tuple[Citation, ...]]


@lru_cache(maxsize=4_096)
def _read(
    identity: str, path: str, start: int, text: str, last: bool, hidden: tuple[tuple[int, int], ...]
) -> tuple[Read, ...]:
    """The rules' findings in one stretch; remembered, since a conversation is gone through again at each of its turns."""
    by_rules = read_text(text, path=path, first=start == 0, last=last, hidden=hidden)
    by_rules += hidden_findings(Slice(1, identity, path, start, text, start + len(text), hidden))
    folded = fold(text) if by_rules else None
    found: list[Read] = []
    for each in by_rules:
        assert folded is not None
        cited = [check(folded, quote["text"], document=identity, view="final") for quote in each["quotes"]]
        moved = tuple(
            Citation(
                citation.quote,
                citation.document,
                tuple(Span(identity, span.start + start, span.end + start) for span in citation.spans),
                citation.status,
            )
            for citation in cited
            if citation.holds
        )
        if len(moved) == len(cited):
            found.append((each["kind"], each["claim"], each["values"], moved))
    return tuple(found)


def share_seen(seen: Seen) -> float:
    """Of the text of the documents that are known, the share that was seen."""
    total = sum(max(each.total, each.seen) for each in seen.documents.values())
    return sum(each.seen for each in seen.documents.values()) / total if total else 1.0

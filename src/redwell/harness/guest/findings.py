"""What comes back from sub-agents: findings with checked citations, or a failure that cannot be mistaken for "nothing found"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

from redwell.harness.guest.listing import Listing, excerpt, kinds_of, named, singular
from redwell.harness.guest.room import Document, Span, room
from redwell.journal.shown import shown_line

__all__ = ["Failure", "Finding"]


class Citation:
    """A quote and what came of looking for it in the text that was read: `.status` is verified, abridged, differs, unverified or
    uncheckable; `.holds` is true for the first two; `.spans` are the places; `.difference` shows how a near passage differs."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.quote: str = given["quote"]
        self.document: str = given["document"]
        self.status: str = given["status"]
        self.difference: str = given.get("difference") or ""
        self.spans = [_span(each) for each in given.get("spans", ())]
        self.nearest = _span(given["nearest"]) if given.get("nearest") else None

    @property
    def holds(self) -> bool:
        return self.status in ("verified", "abridged")

    @property
    def place(self) -> str:
        if self.spans:
            return self.spans[0].place
        return shown_line(room.document(self.document).name) if self.document else "no document"

    def json(self) -> dict[str, Any]:
        found = {"document": self.document, "quote": self.quote, "status": self.status}
        return {**found, "start": self.spans[0].start} if self.spans else found

    def __repr__(self) -> str:
        note = "" if self.holds else f" ({self.status}{': ' + excerpt(self.difference) if self.difference else ''})"
        return f"<{self.place}: {excerpt(self.quote)!r}{note}>"

    def __str__(self) -> str:
        note = "" if self.holds else f" ({self.status}{': ' + self.difference if self.difference else ''})"
        return f"{self.place}: {excerpt(self.quote, 600)!r}{note}"


class Finding:
    """`.kind`, `.claim`, `.citations`, `.values` (what the question asked to be filled in), `.document`, `.holds` (it has quotes and
    all of them are really in the text)."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.id: str = given["id"]
        self.kind: str = given["kind"]
        self.claim: str = given["claim"]
        self.values: dict[str, Any] = given.get("values") or {}
        self.citations = [Citation(each) for each in given.get("citations", ())]
        self._document: str = given.get("document") or ""

    @property
    def document(self) -> Document | None:
        return room.document(self._document) if self._document else None

    @property
    def holds(self) -> bool:
        return bool(self.citations) and all(citation.holds for citation in self.citations)

    @property
    def place(self) -> str:
        return self.citations[0].place if self.citations else ""

    def json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "kind": self.kind,
            "claim": self.claim,
            "values": self.values,
            "document": self._document,
            "citations": [citation.json() for citation in self.citations],
        }

    def __repr__(self) -> str:
        if not self.citations:
            quotes = "no quote"
        elif self.holds:
            quotes = repr(excerpt(self.citations[0].quote, 80)) + (
                f" and {len(self.citations) - 1} more" if len(self.citations) > 1 else ""
            )
        else:
            quotes = "quotes " + ", ".join(citation.status for citation in self.citations)
        values = f" {self.values}" if self.values else ""
        return f"<{self.kind}: {excerpt(self.claim)} ({excerpt(self.place, 80) or 'no place'}; {quotes}){values}>"

    def __str__(self) -> str:
        """The finding with the words of its quotes: what a print shows."""
        values = f" {self.values}" if self.values else ""
        lines = [f"{shown_line(self.kind)}: {shown_line(' '.join(self.claim.split()))}{values}"]
        return "\n    ".join([*lines, *map(str, self.citations[:4]), *(["..."] if len(self.citations) > 4 else [])])


class Findings(Listing[Finding]):
    """What one call answered: a list of findings (empty when it found nothing), with `.question`, `.spans` (what it read), `.notes`
    (what it had to say besides) and `.item` (which item of the batch it answers)."""

    noun = "findings"

    def __init__(self, items: Any, question: str, spans: list[Span], notes: str, item: int) -> None:
        super().__init__(items)
        self.question = question
        self.spans = spans
        self.notes = notes
        self.item = item

    def brief(self) -> str:
        """As one of many results: how many findings of which kinds, what was read, and how the findings begin."""
        count = f"{len(self)} {self.noun if len(self) != 1 else singular(self.noun)}" if self else f"no {self.noun}"
        said = [excerpt(finding.claim, 80) for finding in self[:2]] + ([f"notes: {self.notes}"] if self.notes else [])
        return f"{count} in {_read(self.spans)}{kinds_of(self, 5)}" + (f": {' / '.join(said)}" if said else "")


class Failure:
    """A call that gave no answer: `.kind`, `.message`, `.question`, `.spans` (what was not read), `.item`. It is not a list: it says
    nothing about what the text holds. Ask again with dispatch([failure, ...]) or ask_many([failure, ...])."""

    def __init__(self, given: dict[str, Any], question: str, spans: list[Span], schema: Any, item: int) -> None:
        self.schema = schema
        self.kind: str = given["kind"]
        self.message: str = given["message"]
        self.question = question
        self.spans = spans
        self.item = item

    def _refuse(self, *_: Any) -> NoReturn:
        raise TypeError(
            f"this call failed ({self.kind}: {self.message}), so it is neither empty nor full: test isinstance(result, Failure), "
            "and ask again with dispatch([failure])"
        )

    def __bool__(self) -> bool:
        self._refuse()

    def __len__(self) -> int:
        self._refuse()

    def __iter__(self) -> Iterator[Any]:
        self._refuse()

    def __getitem__(self, index: Any) -> Any:
        self._refuse()

    def __contains__(self, item: Any) -> bool:
        self._refuse()

    def __repr__(self) -> str:
        return f"<Failure {self.kind}: {self.message} ({excerpt(self.question, 60)!r} over {_read(self.spans)})>"


def result(given: dict[str, Any], question: str, spans: list[Span], schema: Any, item: int) -> Findings | Failure:
    """A call's result from the host's answer."""
    if given.get("failure"):
        return Failure(given["failure"], question, spans, schema, item)
    return Findings((Finding(each) for each in given["findings"]), question, spans, given.get("notes") or "", item)


def flat(results: Any) -> Listing[Finding]:
    """All findings of the results that are answers."""
    return named("findings", (each for one in results if isinstance(one, Findings) for each in one))


def _read(spans: list[Span]) -> str:
    return ", ".join(excerpt(shown_line(span.document.name), 60) for span in spans[:3]) + (
        " ..." if len(spans) > 3 else ""
    )


def _span(given: list[Any]) -> Span:
    return Span(room.document(given[0]), given[1], given[2], given[3])

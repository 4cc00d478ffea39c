"""The report as an object: a register of findings with checked citations, what is missing, and what it all rests on.

It is a view of the journal: every change is one `report.*` event, and `Report.apply` is the only place that changes it, so that a
report rebuilt after a crash is the one that was lost.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

from redwell.journal.journal import Journal
from redwell.room.types import Accounting, Citation, Place, Span

Severity = Literal["Critical", "High", "Medium", "Low"]
Evidence = Literal["direct", "cross-document", "absence", "computed"]
Table = Literal["consents", "payments", "calendar", "schedule", "contracts", "contradictions"]

SEVERITIES: tuple[Severity, ...] = get_args(Severity)
EVIDENCE: tuple[Evidence, ...] = get_args(Evidence)
TABLES: tuple[Table, ...] = get_args(Table)
WORKSTREAMS = (
    "Corporate",
    "Capitalization",
    "Contracts",
    "Debt",
    "Finance",
    "Tax",
    "IP",
    "Privacy and cyber",
    "Employment",
    "Litigation",
    "Real estate",
    "Environmental",
    "Insurance",
    "Regulatory",
    "Related parties",
    "Data room integrity",
)


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation that held when it was added, and where its first span stands."""

    citation: Citation
    place: Place

    @property
    def key(self) -> tuple[str, int, int, str]:
        span = self.citation.spans[0]
        return (span.document, span.start, span.end, span.view)


@dataclass(frozen=True, slots=True)
class Exposure:
    """What an issue may cost: low <= base <= high in `currency`, with the formula that gives `base`; or why there is no figure.

    `of` names what would be lost ("Kestrel: revenue"): issues with the same `of` count once in a total, with the largest figure.
    """

    low: float | None = None
    base: float | None = None
    high: float | None = None
    currency: str = "USD"
    formula: str = ""
    not_quantified: str = ""
    of: str = ""

    @property
    def quantified(self) -> bool:
        return self.base is not None


@dataclass(frozen=True, slots=True)
class Entry:
    """One red flag. `claim` is what was found, `why` what it means for the deal; `searched` is the scope of an absence."""

    id: str
    title: str
    claim: str
    workstream: str
    severity: Severity
    evidence: Evidence
    citations: tuple[Cited, ...]
    exposure: Exposure
    next_step: str
    why: str = ""
    protection: str = ""
    kind: str = ""
    searched: str = ""
    also: tuple[str, ...] = ()  # what duplicates of it said differently


@dataclass(frozen=True, slots=True)
class Missing:
    """Something that should be in the room and is not, why it is expected, and where it was looked for."""

    id: str
    what: str
    expected_because: str
    searched: str
    workstream: str
    citations: tuple[Cited, ...] = ()


@dataclass(frozen=True, slots=True)
class NoneFound:
    """A topic that was looked for and not found; `rests_on` says what was read; `despite` names what could not be read."""

    topic: str
    workstream: str
    rests_on: str
    despite: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of one of the cross-cutting tables."""

    table: Table
    cells: dict[str, str]
    citations: tuple[Cited, ...] = ()


@dataclass(frozen=True, slots=True)
class Unread:
    """Readable text of a document that no answered call contained."""

    path: str
    characters: int
    of: int
    reason: str


@dataclass(frozen=True, slots=True)
class Basis:
    """What a report rests on, filled in when it is rendered."""

    room: str
    read_at: str
    accounting: Accounting
    coverage: float  # share of the readable characters that an answered call contained, 0..1
    unread: tuple[Unread, ...] = ()
    failures: tuple[str, ...] = ()
    failed: tuple[
        dict[str, Any], ...
    ] = ()  # each call behind `failures`: kind, message, question, spans (path, start, end)
    models: dict[str, str] = field(default_factory=dict)
    usage: tuple[dict[str, Any], ...] = ()
    cost: float | None = 0.0
    versions: dict[str, str] = field(default_factory=dict)
    documents: tuple[dict[str, Any], ...] = ()
    shown: float = 1.0  # share that a language model was shown; less than `coverage` where rules alone read the rest
    reasons: bool = True  # False when an embedded model, which does not reason, did the work
    resumed: int = 0  # how often the run was gone on with after an interruption
    sent_again: tuple[
        dict[str, Any], ...
    ] = ()  # calls that were out then: their first requests are in no figure of `usage`


@dataclass(slots=True)
class Report:
    entries: list[Entry] = field(default_factory=list)
    missing: list[Missing] = field(default_factory=list)
    none_found: list[NoneFound] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    sections: dict[str, str] = field(default_factory=dict)
    summary: str = ""
    deal: dict[str, Any] = field(
        default_factory=dict
    )  # what the root took from the room where the deal file says nothing
    removed: list[str] = field(default_factory=list)  # ids that were taken out; none is given again
    unread_because: str = ""  # the root's own account of what it did not read
    salvaged: str = ""  # why the harness, not the root, finished it
    taken_over: list[Entry] = field(
        default_factory=list
    )  # entries made of findings when it did; gone when the root goes on

    _last: dict[str, int] = field(
        default_factory=dict, repr=False, compare=False
    )  # the highest number given, by letter
    _rows_by_cells: dict[tuple[Any, ...], list[Row]] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, journal: Journal) -> Report:
        """The report that a journal's events add up to."""
        report = cls()
        for event in journal.events():
            if event.kind.startswith("report."):
                report.apply(event.kind.removeprefix("report."), event.data)
        return report

    def apply(self, what: str, data: dict[str, Any]) -> None:
        """One event; kinds other than those below (`refused`) change nothing."""
        match what:
            case "entry":
                self.entries.append(entry_of(data))
                self._given(data["id"])
            case "merged" | "changed":
                self.entries = [entry_of(data) if entry.id == data["id"] else entry for entry in self.entries]
            case "removed":
                self.entries = [entry for entry in self.entries if entry.id != data["id"]]
                self.missing = [item for item in self.missing if item.id != data["id"]]
                self.removed.append(data["id"])
            case "missing":
                self.missing.append(Missing(**{**data, "citations": cited_of(data.get("citations", ()))}))
                self._given(data["id"])
            case "none_found":
                self.none_found = [
                    n for n in self.none_found if (n.topic, n.workstream) != (data["topic"], data["workstream"])
                ]
                self.none_found.append(NoneFound(**data))
            case "row":
                row = Row(data["table"], dict(data["cells"]), cited_of(data.get("citations", ())))
                key = (
                    row.table,
                    *sorted(row.cells.items()),
                )  # narrows it down: rows are many, and few have the same cells
                if row not in self._rows_by_cells.setdefault(key, []):
                    self._rows_by_cells[key].append(row)
                    self.rows.append(row)
            case "section":
                self.sections[data["workstream"]] = data["summary"]
            case "summary":
                self.summary = data["text"]
            case "deal":
                self.deal |= data
            case "unread":
                self.unread_because = data["reason"]
            case "salvaged":
                self.salvaged = data["reason"]
                self.taken_over = [entry_of(entry) for entry in data["entries"]]
            case "reopened":
                self.salvaged, self.taken_over = "", []

    def cited(self) -> list[Cited]:
        """Every citation once, in the order of first use."""
        seen: dict[tuple[str, int, int, str], Cited] = {}
        holders: list[Entry | Missing | Row] = [*self.ranked(), *self.missing, *self.rows]
        for cited in (cited for holder in holders for cited in holder.citations):
            seen.setdefault(cited.key, cited)
        return list(seen.values())

    def ranked(self) -> list[Entry]:
        """Entries by severity, then by exposure, then as added."""
        return sorted(
            (*self.entries, *self.taken_over),
            key=lambda e: (SEVERITIES.index(e.severity), -(e.exposure.base or 0.0), e.id),
        )

    def free_id(self, letter: str) -> str:
        """The next id of an entry (F) or a missing item (M)."""
        return f"{letter}-{self._last.get(letter, 0) + 1:03d}"

    def _given(self, identity: str) -> None:
        self._last[identity[0]] = max(self._last.get(identity[0], 0), int(identity[2:]))

    def table(self, name: Table) -> list[Row]:
        return [row for row in self.rows if row.table == name]


# --- to and from JSON -------------------------------------------------------------------------------------------------------


def cited_json(cited: Cited) -> dict[str, Any]:
    """The citation as it is kept in events and in report.json."""
    return {
        "quote": cited.citation.quote,
        "document": cited.citation.document,
        "status": cited.citation.status,
        "spans": [asdict(span) for span in cited.citation.spans],
        "place": asdict(cited.place),
    }


def cited_of(items: Any) -> tuple[Cited, ...]:
    return tuple(
        item
        if isinstance(item, Cited)
        else Cited(
            Citation(item["quote"], item["document"], tuple(Span(**span) for span in item["spans"]), item["status"]),
            Place(**item["place"]),
        )
        for item in items
    )


def entry_json(entry: Entry) -> dict[str, Any]:
    data = {name: getattr(entry, name) for name in Entry.__slots__}
    return {
        **data,
        "citations": [cited_json(cited) for cited in entry.citations],
        "exposure": asdict(entry.exposure),
        "also": list(entry.also),
    }


def entry_of(data: dict[str, Any]) -> Entry:
    return Entry(
        **{
            **data,
            "citations": cited_of(data["citations"]),
            "exposure": Exposure(**data["exposure"]),
            "also": tuple(data.get("also", ())),
        }
    )


def report_json(report: Report, basis: Basis, deal: dict[str, Any]) -> dict[str, Any]:
    """`report.json`: everything that the other renderings print, for programs."""
    return {
        "format": "redwell.report/1",
        "deal": deal,
        "summary": report.summary,
        "salvaged": report.salvaged,
        "entries": [entry_json(entry) for entry in report.ranked()],
        "missing": [{**_plain(item), "citations": [cited_json(c) for c in item.citations]} for item in report.missing],
        "none_found": [_plain(item) for item in report.none_found],
        "tables": {
            name: [
                {"cells": row.cells, "citations": [cited_json(c) for c in row.citations]} for row in report.table(name)
            ]
            for name in TABLES
        },
        "sections": report.sections,
        "basis": {**_plain(basis), "accounting": asdict(basis.accounting), "unread": [asdict(u) for u in basis.unread]},
    }


def citations_in(data: dict[str, Any]) -> list[Cited]:
    """Every citation of a `report.json`, in order, with repeats."""
    found: list[Cited] = []
    for entry in (*data["entries"], *data["missing"]):
        found += cited_of(entry["citations"])
    for rows in data["tables"].values():
        for row in rows:
            found += cited_of(row["citations"])
    return found


def _plain(item: Any) -> dict[str, Any]:
    return {name: getattr(item, name) for name in item.__slots__}

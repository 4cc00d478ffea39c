"""What may enter the report: the shapes a root can send, the checks they must pass, and how duplicates are merged."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import asdict, replace
from functools import lru_cache
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from redwell.diligence.archetypes.catalogue import BY_ID
from redwell.diligence.deal import Structure
from redwell.diligence.report import (
    EVIDENCE,
    SEVERITIES,
    WORKSTREAMS,
    Cited,
    Entry,
    Evidence,
    Exposure,
    Severity,
    Table,
    cited_json,
)
from redwell.harness.types import Finding
from redwell.journal.shown import shown_line
from redwell.room.room import Room, RoomError
from redwell.room.types import Citation, Hit, Span

_SEVERITY: dict[str, Severity] = {name: name for name in SEVERITIES}
MAX_CITATIONS = 200
SHORTEST_QUOTE = 12  # characters; less says nothing of where it stands


def _one_of(names: Sequence[str]) -> BeforeValidator:
    """Accepts a name in any case; the message of a refusal lists the names."""
    by_fold = {name.casefold(): name for name in names}

    def choose(value: Any) -> str:
        chosen = by_fold.get(str(value).strip().casefold())
        if chosen is None:
            raise ValueError(f"{value!r} is none of: {', '.join(names)}")
        return chosen

    return BeforeValidator(choose)


Workstream = Annotated[str, _one_of(WORKSTREAMS)]
Text = Annotated[str, Field(min_length=1, max_length=20_000)]


class _Input(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


class CitationInput(_Input):
    """Without a document the quote is looked for in the whole room."""

    document: str = Field(default="", max_length=4_000)
    quote: Text
    start: int | None = None


class ExposureInput(_Input):
    amount: float | None = None
    low: float | None = None
    base: float | None = None
    high: float | None = None
    currency: str = Field(default="USD", max_length=8)
    formula: str = Field(default="", max_length=2_000)
    not_quantified: str = Field(default="", max_length=2_000)
    of: str = Field(default="", max_length=200)


def _figure(value: Any) -> Any:
    """A bare figure is an amount; anything else that has not the shape is refused with the shapes."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return {"amount": value}
    if not isinstance(value, dict | ExposureInput):
        raise ValueError(
            "give {'amount': 12_400_000, 'currency': 'USD', 'formula': 'how it was reckoned'}, or low, base and high in place of "
            "amount, or {'not_quantified': 'why there is no figure'}"
        )
    return value


class AddInput(_Input):
    title: Annotated[str, Field(min_length=8, max_length=200)]
    claim: Text
    citations: list[CitationInput] = Field(max_length=MAX_CITATIONS)
    workstream: Workstream
    severity: Annotated[Severity, _one_of(("Critical", "High", "Medium", "Low"))]
    exposure: Annotated[ExposureInput, BeforeValidator(_figure)]
    next_step: Text
    why: str = Field(default="", max_length=20_000)
    protection: str = Field(default="", max_length=2_000)
    evidence: Annotated[Evidence, _one_of(EVIDENCE)] = "direct"
    kind: str = Field(default="", max_length=100)
    searched: str = Field(default="", max_length=4_000)


class ChangeInput(_Input):
    id: Text
    fields: dict[str, Any] = Field(min_length=1)


class RemoveInput(_Input):
    id: Text


class MissingInput(_Input):
    what: Text
    expected_because: Text
    searched: Text
    workstream: Workstream
    citations: list[CitationInput] = Field(default_factory=list, max_length=MAX_CITATIONS)


class NoneFoundInput(_Input):
    topic: Text
    workstream: Workstream
    rests_on: Text
    despite: str = Field(default="", max_length=4_000)


class RowInput(_Input):
    table: Table
    cells: dict[str, str] = Field(min_length=1, max_length=12)
    citations: list[CitationInput] = Field(default_factory=list, max_length=MAX_CITATIONS)


class SectionInput(_Input):
    workstream: Workstream
    summary: Text


class SummaryInput(_Input):
    text: Annotated[str, Field(min_length=40, max_length=20_000)]


class DealInput(_Input):
    target: str = Field(default="", max_length=300)
    buyer: str = Field(default="", max_length=300)
    seller: str = Field(default="", max_length=300)
    structure: Structure = ""
    price: Annotated[float, Field(gt=0)] | None = None
    currency: str = Field(default="USD", pattern=r"^[A-Za-z]{3}$")


class UnreadInput(_Input):
    reason: Annotated[str, Field(min_length=8, max_length=4_000)]


INPUTS: dict[str, type[_Input]] = {
    "add": AddInput,
    "change": ChangeInput,
    "remove": RemoveInput,
    "missing": MissingInput,
    "none_found": NoneFoundInput,
    "row": RowInput,
    "section": SectionInput,
    "summary": SummaryInput,
    "deal": DealInput,
    "unread": UnreadInput,
}
CALLED = {"summary": "executive_summary"}
"""What cells call a host call that has another name there."""


def explain(what: str, error: ValidationError) -> str:
    """A validation error as sentences that name the field and the way out."""
    lines = []
    for problem in error.errors(include_url=False):
        field = ".".join(str(part) for part in problem["loc"]) or "arguments"
        message = problem["msg"].removeprefix("Value error, ")
        if problem["type"] == "extra_forbidden":
            message = (
                "there is no such field"
                if len(problem["loc"]) > 1
                else f"there is no such argument; {what} takes {_fields(what)}"
            )
        elif problem["type"] == "string_too_short":
            least = problem["ctx"]["min_length"]
            message = (
                f"has {len(problem['input'])} characters of at least {least}" if problem["input"] else "is missing"
            )
        elif problem["type"] == "literal_error":
            names = problem["ctx"]["expected"].removeprefix("'', ")
            message = f"{problem['input']!r} is none of: {names}"
        lines.append(f"{field}: {message}")
    return f"report.{CALLED.get(what, what)} was refused\n- " + "\n- ".join(lines)


def _fields(what: str) -> str:
    return ", ".join(INPUTS[what].model_fields)


def checked(room: Room, citations: Sequence[CitationInput]) -> tuple[tuple[Cited, ...], list[str]]:
    """Checks each quote against the room: the citations that hold, once each, and a reason for every one that does not."""
    held: dict[tuple[str, int, int, str], Cited] = {}
    problems: list[str] = []
    for given in citations:
        if len(given.quote) < SHORTEST_QUOTE:
            problems.append(
                f"the quote {given.quote!r} is too short to be found again: quote at least {SHORTEST_QUOTE} characters"
            )
            continue
        try:
            document = room.document(given.document) if given.document else None
        except RoomError as error:
            problems.append(str(error))
            continue
        if document is None:
            citation = room.check(given.quote)
            holding = list(dict.fromkeys(span.document for span in citation.spans)) if citation.holds else []
            if len(holding) > 1:
                named = ", ".join(shown_line(room.document(each).path) for each in holding[:5])
                problems.append(
                    f"the quote {given.quote[:160]!r} stands in several documents: say which, as (document, quote): {named}"
                )
                continue
        else:
            near = None if given.start is None else Span(document.id, given.start, given.start)
            citation = room.check(given.quote, document.id, near)
        if not citation.holds:
            problems.append(refusal(citation, shown_line(document.name) if document else "the room", room))
            continue
        cited = Cited(citation, room.place(citation.spans[0]))
        held.setdefault(cited.key, cited)
    return tuple(held.values()), problems


def refusal(citation: Citation, name: str, room: Room) -> str:
    """Why a quote was not accepted, with the nearest passage when there is one."""
    shown = citation.quote if len(citation.quote) <= 160 else citation.quote[:157] + "..."
    if citation.status == "differs" and citation.nearest is not None:
        place, nearest = room.place(citation.nearest), room.slice(citation.nearest)[:400]
        return f"the quote {shown!r} is not in {name}; nearest is {shown_line(str(place))}: {nearest!r} (difference: {citation.difference[:400]})"
    if citation.status == "uncheckable":
        return f"the quote {shown!r} cannot be checked: {name} has no text"
    hint = f"the quote {shown!r} is not in {name}: quote its own words, or put '...' between pieces that stand close together"
    close = _alike(citation, room)
    return (
        f"{hint}; closest by its words is {shown_line(str(room.place(close.span)))}: {close.text[:400]!r}"
        if close
        else hint
    )


def _alike(citation: Citation, room: Room) -> Hit | None:
    """The block closest to a quote that is a paraphrase."""
    words = re.findall(r"[^\W_]{4,}", citation.quote.lower())[:40]
    if not words:
        return None
    hits = room.search(" ".join(words), k=1, documents=[citation.document] if citation.document else None)
    return hits[0] if hits else None


def rules(given: AddInput, cited: Sequence[Cited]) -> list[str]:
    """What an entry must have besides quotes that hold."""
    problems = []
    if given.evidence == "absence":
        if not given.searched:
            problems.append("an absence must say what was searched: searched='...'")
    elif not cited and not given.citations:
        problems.append("an entry must cite at least one passage (only evidence='absence' may have none)")
    if given.evidence == "cross-document" and 0 < len({c.citation.document for c in cited}) < 2:
        problems.append("a cross-document entry must cite at least two documents")
    exposure = given.exposure
    figures = [value for value in (exposure.amount, exposure.low, exposure.base, exposure.high) if value is not None]
    if figures and not exposure.formula:
        problems.append(
            "an exposure with a figure must say how it was computed: exposure={'amount': ..., 'formula': '...'}"
        )
    if not figures and not exposure.not_quantified:
        problems.append("an exposure without a figure must say why: exposure={'not_quantified': '...'}")
    if any(value != value or value in (float("inf"), float("-inf")) or value < 0 for value in figures):
        problems.append("an exposure is a finite figure of zero or more")
    low, base, high = _range(exposure)
    if not ((low or 0) <= (base or 0) <= (high or 0)):
        problems.append("exposure: low, base and high must rise")
    return problems


def _range(given: ExposureInput) -> tuple[float | None, float | None, float | None]:
    base = given.base if given.base is not None else given.amount
    if base is None:
        known = [value for value in (given.low, given.high) if value is not None]
        base = sum(known) / len(known) if known else None
    if base is None:
        return None, None, None
    return (given.low if given.low is not None else base), base, (given.high if given.high is not None else base)


def entry(identity: str, given: AddInput, cited: tuple[Cited, ...]) -> Entry:
    low, base, high = _range(given.exposure)
    currency = given.exposure.currency.upper()
    exposure = Exposure(
        low, base, high, currency, given.exposure.formula, given.exposure.not_quantified, given.exposure.of
    )
    fields = given.model_dump(exclude={"citations", "exposure"})
    fields["title"] = " ".join(given.title.split())  # a name in it may have lines
    return Entry(id=identity, citations=cited, exposure=exposure, **fields)


def changed(old: Entry, fields: dict[str, Any]) -> AddInput:
    """The entry as it would be added with these fields in place of its own. Raises ValidationError."""
    exposure = {name: value for name, value in asdict(old.exposure).items() if value is not None}
    given = {name: getattr(old, name) for name in AddInput.model_fields if name not in ("citations", "exposure")}
    cited = [
        {"document": c.citation.document, "quote": c.citation.quote, "start": c.citation.spans[0].start}
        for c in old.citations
    ]
    return AddInput.model_validate({**given, "exposure": exposure, "citations": cited, **fields})


def twin(new: Entry, entries: Iterable[Entry]) -> Entry | None:
    """The entry that says the same already: the same title, or the same kind resting on the same words."""
    words, title = {c.key for c in new.citations}, _folded(new.title)
    for old in entries:
        if old.workstream == new.workstream and _folded(old.title) == title:
            return old
        if (
            new.kind
            and old.kind == new.kind
            and old.evidence == new.evidence
            and words & {c.key for c in old.citations}
        ):
            return old
    return None


def merge(old: Entry, new: Entry) -> Entry:
    """Keeps the more serious of the two, adds the other's citations, and keeps what it said differently."""
    order = ("Critical", "High", "Medium", "Low")
    severity = min(old.severity, new.severity, key=order.index)
    citations = {c.key: c for c in (*old.citations, *new.citations)}
    exposure = max(old.exposure, new.exposure, key=lambda e: e.base or 0.0)
    also = old.also if _folded(new.claim) in map(_folded, (old.claim, *old.also)) else (*old.also, new.claim)
    return replace(old, severity=severity, citations=tuple(citations.values()), exposure=exposure, also=also)


def taken_over(findings: Iterable[Finding], used: Container[tuple[str, int]], first: int, room: Room) -> list[Entry]:
    """Entries made of findings as they stand, when the root did not come to write them.

    Findings of a known archetype make one entry for its kind, others one for their kind and document. Facts, what only supports other
    issues, quotes that do not hold and passages that start where a passage in `used` does are left out. Numbers begin with `first`.
    """
    groups: dict[tuple[str, str], list[tuple[Finding, tuple[Citation, ...]]]] = {}
    for finding in findings:
        known = BY_ID.get(finding.kind)
        held = tuple(c for c in finding.citations if c.holds and (c.spans[0].document, c.spans[0].start) not in used)
        if held and not finding.kind.startswith(("fact:", "passage")) and not (known and known.support):
            groups.setdefault((finding.kind, "" if known else held[0].document), []).append((finding, held))
    return [
        _taken_over(f"F-{number:03d}", kind, group, room)
        for number, ((kind, _), group) in enumerate(groups.items(), first)
    ]


def _taken_over(identity: str, kind: str, group: list[tuple[Finding, tuple[Citation, ...]]], room: Room) -> Entry:
    known = BY_ID.get(kind)
    unique = {(c.spans[0], c.quote): c for _, held in group for c in held}
    cited = tuple(Cited(c, room.place(c.spans[0])) for c in list(unique.values())[:MAX_CITATIONS])
    documents = {c.place.document for c in cited}
    where = cited[0].place.path.rsplit("/", 1)[-1] if len(documents) == 1 else f"{len(documents)} documents"
    subject = known.title if known else kind.replace("_", " ").replace("-", " ").capitalize() or "Finding"
    claims = list(dict.fromkeys(finding.claim for finding, _ in group))
    return Entry(
        id=identity,
        title=f"{subject}: {where}"[:200],
        claim=" ".join(claim if claim.endswith(".") else claim + "." for claim in claims[:8]),
        workstream=known.workstream if known else "Contracts",
        severity=_SEVERITY[known.severity] if known else "Medium",
        evidence="direct",
        citations=cited,
        exposure=Exposure(not_quantified="taken over from a reading without further work"),
        why=known.why if known else "",
        protection=known.protection if known else "",
        next_step=known.next_step
        if known
        else "A lawyer should read the passage and decide what it means for the deal",
        kind=kind,
        also=tuple(claims[8:30]),
    )


def ids_in(text: str) -> list[str]:
    """The entry and missing-item numbers that a text refers to (`F-001`, `M-002`), in order, once each."""
    return list(dict.fromkeys(re.findall(r"\b[FM]-\d{3,}\b", text)))


def dump(cited: Iterable[Cited]) -> list[dict[str, Any]]:
    return [cited_json(each) for each in cited]


@lru_cache(maxsize=16_384)
def _folded(text: str) -> str:
    return " ".join(text.casefold().split())

"""The report that an embedded model writes by itself of what it has seen: the same checks and the same layout as everywhere else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

import redwell
from redwell.diligence import entries
from redwell.diligence.archetypes import rows, summary, worked
from redwell.diligence.archetypes.case import Case
from redwell.diligence.archetypes.catalogue import EVENTS
from redwell.diligence.deal import Deal
from redwell.diligence.layout import layout
from redwell.diligence.render_markdown import render_markdown
from redwell.diligence.report import Basis, Cited, Report, Unread, cited_json, entry_json
from redwell.diligence.seen import Seen, SeenFinding, share_seen
from redwell.room.types import Accounting, Citation

_TARGET = re.compile(r"\battached (.{2,120}?) data room\b")
_NAMED = re.compile(r"^(target|buyer|seller|structure): (.+)$", re.MULTILINE)
_PRICE = re.compile(r"^price: ([A-Z]{3}) ([\d,]+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Work:
    """What was worked out: the case, and its issues as the arguments of `report.add`, the most serious first."""

    case: Case
    issues: list[dict[str, Any]]


def deal_of(task: str) -> Deal:
    """The deal as far as the words of a task give it."""
    given: dict[str, Any] = {name: said.strip() for name, said in _NAMED.findall(task)}
    if (named := _TARGET.search(task)) and "target" not in given and named[1] != "target's":
        given["target"] = named[1].strip()
    if price := _PRICE.search(task):
        given |= {"currency": price[1], "price": float(price[2].replace(",", ""))}
    try:
        return Deal.model_validate(given)
    except ValidationError:
        return Deal()


def work_out(findings: Iterable[SeenFinding], deal: Deal, *, whole: bool) -> Work:
    """Only who has seen the whole room may say what is not in it."""
    case = Case(worked.in_order(findings), deal.model_dump(mode="json", exclude_none=True), EVENTS)
    issues = [issue for issue in worked.run(case) if whole or issue["evidence"] != "absence"]
    return Work(case, issues)


def citations_of(parts: Any) -> Iterator[Citation]:
    """The citations of findings and citations, in order."""
    for part in parts:
        if isinstance(part, Citation):
            yield part
        else:
            yield from getattr(part, "citations", ())


def report_of(work: Work, seen: Seen, *, whole: bool, basis: str) -> Report:
    """The register, tables, gaps and summaries. `basis` says what a statement that nothing was found rests on."""
    report = Report()
    added: list[tuple[str, dict[str, Any]]] = []
    for issue in work.issues:
        identity = _enter(report, issue, seen)
        if identity and identity not in [known for known, _ in added]:
            added.append((identity, issue))
    for line in rows.rows(work.case, added):
        report.apply("row", {**line, "citations": _dumped(line["citations"], seen)})
    for item in rows.missing(work.case) if whole else ():
        identity = report.free_id("M")
        report.apply("missing", {"id": identity, **item, "citations": _dumped(item["citations"], seen)})
    for statement in rows.none_found(work.case, basis, _occurs(seen)):
        report.apply("none_found", {"despite": "", **statement})
    for workstream, text in summary.sections(work.case, added).items():
        report.apply("section", {"workstream": workstream, "summary": text})
    report.apply("summary", {"text": summary.executive(work.case, added)})
    if work.case.target:
        report.apply("deal", {"target": work.case.target})
    return report


def _enter(report: Report, issue: dict[str, Any], seen: Seen) -> str:
    """Adds an issue as `report.add` would; its id, or that of the entry that it went into, empty when it may not stand there."""
    cited = _cited(issue["citations"], seen)
    try:
        given = entries.AddInput.model_validate({**issue, "citations": []})
    except ValidationError:
        return ""
    if entries.rules(given, cited):
        return ""
    entry = entries.entry(report.free_id("F"), given, cited)
    twin = entries.twin(entry, report.entries)
    if twin is None:
        report.apply("entry", entry_json(entry))
        return entry.id
    report.apply("merged", entry_json(entries.merge(twin, entry)))
    return twin.id


def _cited(parts: Sequence[Any], seen: Seen) -> tuple[Cited, ...]:
    held: dict[tuple[str, int, int, str], Cited] = {}
    for citation in citations_of(parts):
        if citation.spans and len(citation.quote) >= entries.SHORTEST_QUOTE:
            cited = seen.cited(citation)
            held.setdefault(cited.key, cited)
    return tuple(held.values())[: entries.MAX_CITATIONS]


def _dumped(parts: Sequence[Any], seen: Seen) -> list[dict[str, Any]]:
    return [cited_json(each) for each in _cited(parts, seen)]


def _occurs(seen: Seen) -> rows.Occurs:
    """The names of the documents in which words stand, as far as they were seen."""

    def occurs(pattern: str) -> list[str]:
        wanted = re.compile(pattern, re.IGNORECASE)
        return [each.name for each in seen.documents.values() if any(wanted.search(text) for _, text in each.pieces)]

    return occurs


def markdown(report: Report, seen: Seen, deal: Deal, *, models: dict[str, str], room: str, because: str = "") -> str:
    """The report as Markdown. `because` says why documents were not read; coverage is of the documents that are known."""
    report.unread_because = because
    documents = sorted(seen.documents.values(), key=lambda each: each.path)
    known = [max(each.total, each.seen) for each in documents]
    account = Accounting(
        found=len(documents),
        read=sum(each.seen >= length for each, length in zip(documents, known, strict=True)),
        partly_read=sum(each.seen < length for each, length in zip(documents, known, strict=True)),
        unreadable=0,
        skipped=0,
        documents=len(documents),
        characters=sum(known),
        pages=0,
    )
    basis = Basis(
        room=room,
        read_at="",
        accounting=account,
        coverage=share_seen(seen),
        unread=tuple(
            Unread(each.path, length - each.seen, length, because or "not seen")
            for each, length in zip(documents, known, strict=True)
            if each.seen < length
        ),
        models=models,
        versions={"redwell": redwell.__version__},
        documents=tuple(
            {
                "path": each.path,
                "kind": each.name.rsplit(".", 1)[-1] if "." in each.name else "",
                "status": "read" if each.seen >= length else "partly_read" if each.seen else "not_read",
                "length": length,
                "read": each.seen / length if length else 1.0,
            }
            for each, length in zip(documents, known, strict=True)
        ),
        reasons=False,
    )
    return render_markdown(layout(report, basis, deal.model_copy(update=report.deal), seen))

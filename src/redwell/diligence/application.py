"""What due diligence hands to a harness: the report's tools, its rules for submitting, and its deliverables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from redwell.diligence import entries
from redwell.diligence.archetypes.summary import question
from redwell.diligence.basis import basis_of
from redwell.diligence.deal import Deal
from redwell.diligence.deliver import write_report
from redwell.diligence.prompt import queries, writing
from redwell.diligence.report import WORKSTREAMS, Report, entry_json
from redwell.harness.types import RunState, Task
from redwell.journal.coverage import unanswered
from redwell.journal.journal import Journal
from redwell.journal.shown import shown_line
from redwell.room.room import Room
from redwell.sandbox.types import GuestModule, HostRefusal, Json

UNANSWERED = "{} passages whose reading failed; Annex A lists them"


@dataclass
class Diligence:
    """The `Application` of due diligence. Its state is `report`, a view of the journal's `report.*` events."""

    room: Room
    journal: Journal
    deal: Deal
    task: Task
    modules: Sequence[GuestModule]
    prompt: str
    name: str = "report"
    reasons: bool = True
    writing: str = field(default_factory=writing)
    question: str = field(default_factory=question)
    queries: Sequence[str] = field(default_factory=queries)
    report: Report = field(default_factory=Report)

    def recover(self, journal: Journal) -> None:
        """A report that was salvaged is the root's again: it goes on where it was interrupted."""
        self.report = Report.of(journal)
        if self.report.salvaged:
            self._write("reopened", {})

    async def handle(self, name: str, arguments: dict[str, Json]) -> Json:
        """Host calls `report.*`. Raises HostRefusal with every reason at once."""
        what = name.partition(".")[2]
        if what == "outline":
            return self.outline()
        if what == "check":
            return self._undisclosed()
        if what == "cited":
            spans = (span for cited in self.report.cited() for span in cited.citation.spans)
            return [[span.document, span.start, span.end] for span in spans]
        if what not in entries.INPUTS:
            raise HostRefusal(f"report has no {what!r}; help(report) says what it has")
        try:
            given = entries.INPUTS[what].model_validate(arguments)
        except ValidationError as error:
            raise HostRefusal(entries.explain(what, error)) from None
        return getattr(self, f"_{what}")(given)

    # --- what each call does ------------------------------------------------------------------------------------------------

    def _add(self, given: entries.AddInput) -> str:
        cited, problems = entries.checked(self.room, given.citations)
        problems += entries.rules(given, cited)
        if problems:
            self._write("refused", {"title": given.title, "reasons": problems})
            raise HostRefusal(f"not added: {given.title!r}\n- " + "\n- ".join(problems))
        entry = entries.entry(self.report.free_id("F"), given, cited)
        twin = entries.twin(entry, self.report.entries)
        if twin is not None:
            merged = entries.merge(twin, entry)
            if merged != twin:
                self._write("merged", entry_json(merged))
            return twin.id
        self._write("entry", entry_json(entry))
        return entry.id

    def _change(self, given: entries.ChangeInput) -> None:
        """The same checks as for a new entry; what two merged entries said differently is kept."""
        old = next((entry for entry in self.report.entries if entry.id == given.id), None)
        if old is None:
            raise HostRefusal(f"the report has no entry {given.id!r}")
        try:
            wanted = entries.changed(old, given.fields)
        except ValidationError as error:
            raise HostRefusal(entries.explain("add", error).replace("report.add", "report.change", 1)) from None
        cited, problems = entries.checked(self.room, wanted.citations)
        problems += entries.rules(wanted, cited)
        if problems:
            raise HostRefusal(f"{given.id} was not changed:\n- " + "\n- ".join(problems))
        self._write("changed", entry_json(replace(entries.entry(old.id, wanted, cited), also=old.also)))

    def _remove(self, given: entries.RemoveInput) -> None:
        if given.id in self._ids():
            self._write("removed", {"id": given.id})
        elif given.id not in self.report.removed:
            raise HostRefusal(f"the report has no {given.id!r}")

    def _missing(self, given: entries.MissingInput) -> str:
        cited = self._cited(given.citations, given.what)
        for known in self.report.missing:
            if known.what.casefold() == given.what.casefold():
                return known.id
        identity = self.report.free_id("M")
        self._write(
            "missing", {"id": identity, **given.model_dump(exclude={"citations"}), "citations": entries.dump(cited)}
        )
        return identity

    def _none_found(self, given: entries.NoneFoundInput) -> None:
        failed = unanswered(self.journal)
        if failed and not given.despite:
            raise HostRefusal(
                f"{len(failed)} passages were sent to a sub-agent and never answered, so 'none found' would not be true. Ask over "
                "them again, or say so: report.none_found(..., despite='which passages could not be read and why')"
            )
        self._write("none_found", given.model_dump())

    def _row(self, given: entries.RowInput) -> None:
        cited = self._cited(given.citations, f"row of {given.table}")
        self._write("row", {"table": given.table, "cells": given.cells, "citations": entries.dump(cited)})

    def _section(self, given: entries.SectionInput) -> None:
        self._refuse_unknown_ids(given.summary)
        self._write("section", given.model_dump())

    def _summary(self, given: entries.SummaryInput) -> None:
        self._refuse_unknown_ids(given.text)
        self._write("summary", given.model_dump())

    def _deal(self, given: entries.DealInput) -> None:
        found = given.model_dump(exclude_unset=True)
        known = [name for name in found if getattr(self.deal, name) and (name != "currency" or self.deal.price)]
        if known:
            raise HostRefusal(
                f"the deal file gives {', '.join(known)}; only what it does not say can be taken from the room"
            )
        self._write("deal", found)

    def _unread(self, given: entries.UnreadInput) -> None:
        self._write("unread", given.model_dump())

    def _cited(self, citations: Sequence[entries.CitationInput], subject: str) -> tuple[Any, ...]:
        cited, problems = entries.checked(self.room, citations)
        if problems:
            self._write("refused", {"title": subject, "reasons": problems})
            raise HostRefusal(f"not added: {subject!r}\n- " + "\n- ".join(problems))
        return cited

    def _ids(self) -> set[str]:
        return {entry.id for entry in self.report.entries} | {item.id for item in self.report.missing}

    def _refuse_unknown_ids(self, text: str) -> None:
        known = self._ids()
        unknown = [identity for identity in entries.ids_in(text) if identity not in known]
        if unknown:
            raise HostRefusal(f"the text refers to {', '.join(unknown)}, which the report does not have")

    def _write(self, what: str, data: dict[str, Any]) -> None:
        self.journal.append(f"report.{what}", "root", data)
        self.report.apply(what, data)

    # --- what the harness asks ----------------------------------------------------------------------------------------------

    def outline(self) -> str:
        report = self.report
        lines = [
            f"{len(report.entries)} entries, {len(report.missing)} missing, {len(report.none_found)} none-found statements"
        ]
        lines += [f"  {e.id} {e.severity:8} {e.workstream}: {shown_line(e.title)}" for e in report.ranked()[:60]]
        if len(report.entries) > 60:
            lines.append(f"  ... and {len(report.entries) - 60} more")
        lines += [f"  {m.id} missing  {m.workstream}: {shown_line(m.what)}" for m in report.missing[:30]]
        tables = Counter(row.table for row in report.rows)
        lines.append("  tables: " + (", ".join(f"{name} {count}" for name, count in sorted(tables.items())) or "empty"))
        lines.append("  sections: " + (", ".join(sorted(report.sections)) or "none"))
        lines.append("  executive summary: " + ("written" if report.summary else "not written"))
        return "\n".join(lines)

    def refusals(self, state: RunState) -> list[str]:
        reasons = self._undisclosed()
        if state.unread and not self.report.unread_because:
            characters = sum(len(span) for span in state.unread)
            documents = len({span.document for span in state.unread})
            reasons.append(
                f"{characters:,} readable characters in {documents} documents were in no answered call: read them, or disclose it "
                "with report.unread('why'); the report lists which"
            )
        return reasons

    def _undisclosed(self) -> list[str]:
        report = self.report
        reasons = []
        if not report.summary:
            reasons.append("there is no executive summary: report.executive_summary(...)")
        spoken = {entry.workstream for entry in report.entries} | {item.workstream for item in report.none_found}
        spoken |= {item.workstream for item in report.missing}
        silent = [name for name in WORKSTREAMS if name not in spoken]
        if silent:
            reasons.append(
                f"nothing is said of {', '.join(silent)}: add what was found, or report.none_found(topic, workstream, rests_on=...)"
            )
        written = {"the executive summary": report.summary, **report.sections}
        for name, text in written.items():
            gone = [identity for identity in entries.ids_in(text) if identity in report.removed]
            if gone:
                reasons.append(f"{name} refers to {', '.join(gone)}, which the report no longer has: write it anew")
        failed = unanswered(self.journal)
        if failed and not report.unread_because and not any(item.despite for item in report.none_found):
            reasons.append(
                f"{len(failed)} passages were never answered (their calls failed): ask again, or disclose it: report.unread('why')"
            )
        return reasons

    def salvage(self, state: RunState, reason: str) -> None:
        """Adds what the sub-agents found and the root did not, as it stands, and says on the first page who finished the report."""
        report = self.report
        used = {c.key[:2] for entry in report.entries for c in entry.citations}
        first = int(report.free_id("F")[2:])
        taken = entries.taken_over(state.findings, used, first, self.room)
        self._write("salvaged", {"reason": reason, "entries": [entry_json(entry) for entry in taken]})

    def _limit_none_found(self, state: RunState) -> None:
        """A topic may have been called clear before a call over it failed: what is handed in says so of each."""
        failed = len(unanswered(self.journal)) or len(state.failures)
        for item in self.report.none_found:
            if failed and not item.despite:
                self._write("none_found", {**asdict(item), "despite": UNANSWERED.format(failed)})

    def deliver(self, state: RunState, output: Path) -> list[Path]:
        self._limit_none_found(state)
        basis = basis_of(self.journal, self.room, state, reasons=self.reasons)
        deal = self.deal.model_copy(update=self.report.deal)
        return write_report(self.report, basis, deal, self.room, output, self.task.deliverables)

"""Lays the report out as blocks, in the order a partner reads it: cover, summary, structure, register, workstreams, cross-cutting
tables, exposure, protections, requests, what is missing, and the annexes that say what it all rests on."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from redwell.diligence.blocks import (
    Badge,
    Block,
    Bullets,
    Card,
    Cite,
    Grid,
    Heading,
    Inline,
    Layout,
    Line,
    Link,
    Paragraph,
    Strong,
)
from redwell.diligence.deal import Deal
from redwell.diligence.report import (
    SEVERITIES,
    WORKSTREAMS,
    Basis,
    Cited,
    Entry,
    Missing,
    NoneFound,
    Report,
    Table,
)
from redwell.diligence.sources import Texts, sources
from redwell.diligence.verdict import LEAST_FOR_A_VIEW, read_share, shown_line, totals, view
from redwell.diligence.wording import (
    exposure_line,
    money,
    percent,
    resumed_line,
    sent_again_line,
    spoken,
)
from redwell.journal.counted import counted
from redwell.journal.shown import shortened

MOST_OF_A_QUESTION = 120  # characters
MOST_ON_A_CARD = 5  # passages; when there are more, the first three, and the rest in a table
TOP_ISSUES = 10
MOST_MISSING = 25  # of a workstream, named one by one; more stand in the chapter of what is missing alone
GAPS = "Missing, unsigned and unreadable documents"
BASIS_ANCHOR = "basis"
"""Of the annex that says what the report rests on."""
TABLE_TITLES: tuple[tuple[Table, str], ...] = (
    ("consents", "Consents, notices and approvals"),
    ("payments", "Payments on a change of control"),
    ("calendar", "Calendar of dates and deadlines"),
    ("schedule", "Discrepancies with the disclosure schedules"),
    ("contradictions", "Contradictions between documents"),
    ("contracts", "Contract summaries"),
)


def layout(report: Report, basis: Basis, deal: Deal, room: Texts) -> Layout:
    """The whole report; the room is only asked for the passages around its quotes."""
    return _Layouter(report, basis, deal, room).build()


def none_said(none: NoneFound, coverage: float) -> str:
    """A statement that nothing was found says what it rests on, and is no such statement when hardly anything was read."""
    if coverage < LEAST_FOR_A_VIEW:
        return f"{none.topic}: cannot be said; only {percent(coverage)} of the readable text was read."
    despite = f" Not covered: {none.despite.rstrip('.')}." if none.despite else ""
    return f"{none.topic}: none found. Rests on {none.rests_on.rstrip('.')}.{despite}"


def _told(tokens: int, used: dict[str, Any]) -> str:
    """Tokens, as far as the server told them."""
    return f"{tokens:,}" if not used.get("unknown") else f"at least {tokens:,}" if tokens else "unknown"


class _Layouter:
    def __init__(self, report: Report, basis: Basis, deal: Deal, room: Texts) -> None:
        self.report, self.basis, self.deal, self.room = report, basis, deal, room
        self.ranked = report.ranked()
        self.known = {entry.id for entry in self.ranked} | {item.id for item in report.missing}
        self.numbers = {cited.key: number for number, cited in enumerate(report.cited(), 1)}
        self.blocks: list[Block] = []
        self.chapter = 0

    def build(self) -> Layout:
        self._summary()
        self._structure()
        self._register()
        self._workstreams()
        self._crosscutting()
        self._exposure()
        self._protections()
        self._requests()
        self._gaps()
        self._annexes()
        target = self.deal.target or "the target"
        return Layout(
            title=f"Legal due diligence report: {target}",
            subtitle="Red-flag report on the documents in the data room",
            facts=tuple(self._facts()),
            warning=self._warning(),
            blocks=self.blocks,
            sources=sources(self.report.cited(), self.room),
        )

    # --- small pieces -------------------------------------------------------------------------------------------------------

    def _h1(self, text: str) -> None:
        self.chapter += 1
        self.blocks.append(Heading(1, text, f"s{self.chapter}", str(self.chapter)))

    def _p(self, *line: Inline, style: str = "body") -> None:
        self.blocks.append(Paragraph(line, style))

    def _cite(self, citations: Iterable[Cited]) -> Line:
        numbers = tuple(dict.fromkeys(self.numbers[c.key] for c in citations))
        return (Cite(numbers),) if numbers else ()

    def _text(self, text: str) -> Line:
        """Text with its references to entries made into links."""
        parts = re.split(r"\b([FM]-\d{3,})\b", text)
        return tuple(Link(part, part) if part in self.known else part for part in parts if part)

    def _prose(self, text: str, style: str = "body") -> None:
        """Paragraphs and `- ` lists of a text that a root wrote."""
        for paragraph in re.split(r"\n\s*\n", text.strip()):
            lines = paragraph.splitlines()
            items = [line.lstrip()[2:] for line in lines if line.lstrip().startswith(("- ", "* "))]
            intro = " ".join(line for line in lines if not line.lstrip().startswith(("- ", "* ")))
            if intro:
                self.blocks.append(Paragraph(self._text(intro), style))
            if items:
                self.blocks.append(Bullets(tuple(self._text(item) for item in items)))

    # --- chapters -----------------------------------------------------------------------------------------------------------

    def _facts(self) -> list[tuple[str, str]]:
        deal, account = self.deal, self.basis.accounting
        facts = [
            ("Target", deal.target),
            ("Buyer", deal.buyer),
            ("Seller", deal.seller),
            ("Structure", deal.structure),
            ("Price", money(deal.price, deal.currency) if deal.price else ""),
            ("Materiality threshold", money(deal.materiality, deal.currency) if deal.materiality else ""),
            ("As of", spoken(deal.dates.as_of)),
            ("Closing planned", spoken(deal.dates.closing)),
            ("Room read on", spoken(self.basis.read_at)),
            ("Room", self._documents_line()),
            ("Coverage", f"{percent(self.basis.coverage)} of {account.characters:,} readable characters"),
            ("Report of", spoken(datetime.now(UTC).date())),
        ]
        return [(label, value) for label, value in facts if value]

    def _documents_line(self) -> str:
        account = self.basis.accounting
        parts = [f"{counted(account.found, 'file')} found", f"{account.read:,} read"]
        for count, word in (
            (account.partly_read, "partly read"),
            (account.unreadable, "unreadable"),
            (account.skipped, "skipped"),
        ):
            if count:
                parts.append(f"{count:,} {word}")
        return ", ".join(parts)

    def _warning(self) -> str:
        parts = []
        if self.report.salvaged:
            why = self.report.salvaged.rstrip(".")
            parts.append(f"This report is incomplete: {why}. It was put together from what had been found by then.")
        if self.basis.coverage < 1:
            failed = "; ".join(self.basis.failures[:3])
            parts.append(
                f"Only {percent(self.basis.coverage)} of the readable text was read"
                + (f" (calls that failed: {failed.rstrip('.')})" if failed else "")
                + (
                    ". 1 document was not read in full; Annex A names it."
                    if len(self.basis.unread) == 1
                    else f". {len(self.basis.unread):,} documents were not read in full; Annex A names them."
                )
            )
        if not self.basis.reasons and self.basis.models.get("sub", "reader") != "reader":
            parts.append(
                "What the sub-agents found was put together by rules, which do not reason: a lawyer must judge what each finding means."
            )
        elif not self.basis.reasons:
            parts.append(
                "This report was made without a language model, by rules that find known patterns and check each quote. It does not "
                "reason: it can miss what is worded in an unusual way, and a lawyer must judge what each finding means."
            )
        elif self.basis.models.get("sub") == "reader":
            parts.append(
                "The documents were read by rules that find known patterns, and a language model judged what they found: what is worded in "
                "an unusual way can have been missed."
            )
        if self.basis.shown < self.basis.coverage:
            parts.append(shown_line(self.basis))
        return " ".join(parts)

    def _summary(self) -> None:
        self._h1("Executive summary")
        counts = ", ".join(f"{n} {s}" for s in SEVERITIES if (n := sum(e.severity == s for e in self.ranked)))
        self._p(
            Strong(view(self.ranked, self.basis.coverage)),
            " ",
            f"The register holds {len(self.ranked)} red flag{'' if len(self.ranked) == 1 else 's'} ({counts or 'none'}).",
            style="lead",
        )
        if self.report.summary:
            self._prose(self.report.summary)
        top = self.ranked[:TOP_ISSUES]
        if top:
            self.blocks.append(Heading(2, "The issues that matter most"))
            rows = tuple(
                (
                    (Link(e.id, e.id),),
                    (Badge(e.severity),),
                    (Strong(e.title), *self._cite(e.citations[:3])),
                    (self._amount(e),),
                    (e.protection or e.next_step,),
                )
                for e in top
            )
            self.blocks.append(
                Grid(
                    ("No.", "Severity", "Issue", "Exposure", "Protection"),
                    rows,
                    (0.09, 0.11, 0.37, 0.14, 0.29),
                    numeric=(3,),
                    overview=True,
                )
            )
        at_risk = totals(self.ranked)
        if at_risk:
            self._p("Quantified exposure, the same money counted once: ", Strong("; ".join(at_risk)), ".")
        consents = self.report.table("consents")
        if consents:
            said = counted(len(consents), "consent, notice or approval is", "consents, notices or approvals are")
            self._p(f"{said} listed in the consents matrix below.")

    def _amount(self, entry: Entry) -> str:
        exposure = entry.exposure
        return money(exposure.base, exposure.currency) if exposure.base is not None else "not quantified"

    def _structure(self) -> None:
        self._h1("The transaction and what it triggers")
        deal = self.deal
        effect = {
            "merger": "A merger changes the control of the target; contracts stay with it unless a clause treats a merger as an "
            "assignment, also by operation of law. In a reverse triangular merger the target survives.",
            "share purchase": "A share purchase changes the control of the target and leaves its contracts where they are: "
            "change-of-control clauses are triggered, plain anti-assignment clauses as a rule are not.",
            "asset purchase": "An asset purchase assigns contracts and permits one by one: every anti-assignment clause and every "
            "permit that cannot be transferred needs a consent.",
        }.get(deal.structure, "")
        if deal.buyer or deal.target:
            by = f" by {deal.structure}" if deal.structure else ""
            described = f"{deal.buyer or 'The buyer'} is to acquire {deal.target or 'the target'}{by}".rstrip(".") + "."
        else:
            described = "Neither the buyer nor the target has been named."
        self._p(f"{described} {effect}".rstrip())
        if deal.assumptions:
            self._p("What was not given was taken from the room or assumed:", style="note")
            self.blocks.append(Bullets(tuple((text,) for text in deal.assumptions)))

    def _register(self) -> None:
        self._h1("Red-flag register")
        if not self.ranked:
            self._p("No red flag was added.")
            return
        rows = tuple(
            (
                (Link(e.id, e.id),),
                (Badge(e.severity),),
                (e.workstream,),
                (e.title, *self._cite(e.citations[:2])),
                (self._amount(e),),
                (e.protection or e.next_step,),
            )
            for e in self.ranked
        )
        header = ("No.", "Severity", "Workstream", "Finding", "Exposure", "Recommended protection")
        self.blocks.append(Grid(header, rows, (0.09, 0.11, 0.13, 0.32, 0.12, 0.23), numeric=(4,), overview=True))

    def _workstreams(self) -> None:
        self._h1("Findings by workstream")
        for name in WORKSTREAMS:
            entries = [e for e in self.ranked if e.workstream == name]
            missing = [m for m in self.report.missing if m.workstream == name]
            none = [n for n in self.report.none_found if n.workstream == name]
            if not (entries or missing or none or self.report.sections.get(name)):
                continue
            self.blocks.append(Heading(2, name, "w-" + name.lower().replace(" ", "-")))
            if self.report.sections.get(name):
                self._prose(self.report.sections[name])
            for entry in entries:
                self.blocks.append(self._card(entry))
                self._passages(entry)
            if len(missing) > MOST_MISSING:
                self._p(Strong(f"{len(missing):,} documents are missing"), *self._from_to(missing), style="note")
            for item in missing if len(missing) <= MOST_MISSING else ():
                line = (Strong(f"{item.id} Missing:"), " ", item.what.rstrip("."), ".", *self._cite(item.citations))
                self.blocks.append(Paragraph(line, "note", item.id))
            for item_none in none:
                self._p(none_said(item_none, self.basis.coverage), style="note")

    def _from_to(self, missing: list[Missing]) -> Line:
        first, last = missing[0].id, missing[-1].id
        return (": ", Link(first, first), " to ", Link(last, last), f", listed under “{GAPS}”.")

    def _card(self, entry: Entry) -> Card:
        fields: list[tuple[str, Line]] = [("Finding", self._text(entry.claim))]
        if entry.also:
            fields.append(("Also", (" ".join(entry.also),)))
        if entry.why:
            fields.append(("Why it matters", self._text(entry.why)))
        fields.append(("Exposure", (exposure_line(entry.exposure),)))
        if entry.protection:
            fields.append(("Protection", (entry.protection,)))
        fields.append(("Next step", self._text(entry.next_step)))
        if entry.searched:
            fields.append(("Searched", (entry.searched,)))
        shown = self._shown(entry)
        quotes = tuple((self.numbers[c.key], c) for c in shown)
        return Card(entry, tuple(fields), quotes)

    def _shown(self, entry: Entry) -> tuple[Cited, ...]:
        return entry.citations if len(entry.citations) <= MOST_ON_A_CARD else entry.citations[:3]

    def _passages(self, entry: Entry) -> None:
        """The passages that a card does not show, as a table under it."""
        rest = entry.citations[len(self._shown(entry)) :]
        if rest:
            rows = tuple(
                (
                    (c.place.path.rsplit("/", 1)[-1],),
                    (c.place.where,),
                    (shortened(c.citation.quote, 240), *self._cite((c,))),
                )
                for c in rest
            )
            self.blocks.append(Grid((f"Further passages of {entry.id}", "Where", "Words"), rows, (0.3, 0.16, 0.54)))

    def _crosscutting(self) -> None:
        self._h1("Cross-cutting tables")
        empty = []
        for table, title in TABLE_TITLES:
            if table == "contracts":
                continue  # an annex of its own
            if self.report.table(table):
                self.blocks.append(Heading(2, title))
                self._rows(table)
            else:
                empty.append(title.lower())
        if empty:
            self._p(f"Nothing was entered under: {'; '.join(empty)}.", style="note")

    def _rows(self, table: Table) -> bool:
        rows = self.report.table(table)
        if not rows:
            return False
        header = tuple(dict.fromkeys(label for row in rows for label in row.cells))
        lines = []
        for row in rows:
            cells: list[Line] = [self._text(row.cells.get(label, "")) for label in header]
            cells[-1] = (*cells[-1], *self._cite(row.citations[:4]))
            lines.append(tuple(cells))
        self.blocks.append(Grid(header, tuple(lines)))
        return True

    def _exposure(self) -> None:
        self._h1("Quantified exposure")
        quantified = [e for e in self.ranked if e.exposure.quantified]
        if not quantified:
            self._p("No issue could be given a figure from the documents read; each says why.")
        else:
            figured: list[tuple[Line, ...]] = []
            for e in quantified:
                x = e.exposure
                figures = [money(value or 0.0, x.currency) for value in (x.low, x.base, x.high)]
                figured.append(((Link(e.id, e.id),), (e.title,), *((figure,) for figure in figures), (x.formula,)))
            self.blocks.append(
                Grid(
                    ("No.", "Issue", "Low", "Base", "High", "How it is computed"),
                    tuple(figured),
                    (0.09, 0.31, 0.1, 0.1, 0.1, 0.3),
                    numeric=(2, 3, 4),
                )
            )
            self._p(
                "Total: ",
                Strong("; ".join(totals(self.ranked))),
                ". Issues over the same money count once, with the largest figure; the sum is not a forecast.",
            )
        open_items = [e for e in self.ranked if not e.exposure.quantified and e.severity in ("Critical", "High")]
        if open_items:
            self._p("Critical and high issues without a figure:")
            items = (
                (Link(e.id, e.id), " ", e.title, ": ", e.exposure.not_quantified.rstrip("."), ".") for e in open_items
            )
            self.blocks.append(Bullets(tuple(items)))

    def _protections(self) -> None:
        self._h1("Deal protections")
        groups: dict[str, list[Entry]] = defaultdict(list)
        for entry in self.ranked:
            groups[entry.protection or "To be decided"].append(entry)
        if not groups:
            self._p("No protection is called for by what was found.")
            return
        rows = []
        for protection, entries in sorted(groups.items(), key=lambda item: SEVERITIES.index(item[1][0].severity)):
            links: list[Inline] = []
            for entry in entries:
                links += [", ", Link(entry.id, entry.id)] if links else [Link(entry.id, entry.id)]
            rows.append(((protection,), tuple(links), (Badge(entries[0].severity),)))
        self.blocks.append(Grid(("Protection", "For", "Highest severity"), tuple(rows), (0.55, 0.3, 0.15)))

    def _requests(self) -> None:
        self._h1("Follow-up requests")
        steps: dict[str, list[Entry]] = defaultdict(list)
        for entry in self.ranked:
            steps[entry.next_step].append(entry)
        items: list[Line] = []
        for step, entries in steps.items():
            links: list[Inline] = [" ("]
            for entry in entries[:12]:
                links += [", ", Link(entry.id, entry.id)] if len(links) > 1 else [Link(entry.id, entry.id)]
            items.append((step.rstrip("."), *links, ", …)" if len(entries) > 12 else ")"))
        for item in self.report.missing if len(self.report.missing) <= MOST_MISSING else ():
            items.append((f"Provide {item.what.rstrip('.')} (", Link(item.id, item.id), ")"))
        if len(self.report.missing) > MOST_MISSING:
            items.append(
                (f"Provide the {len(self.report.missing):,} missing documents", *self._from_to(self.report.missing))
            )
        if items:
            self.blocks.append(Bullets(tuple(items)))
        else:
            self._p("None.")

    def _gaps(self) -> None:
        self._h1(GAPS)
        if self.report.missing:
            by_workstream = Counter(item.workstream for item in self.report.missing)
            only_here = {m.id for m in self.report.missing if by_workstream[m.workstream] > MOST_MISSING}
            rows = tuple(
                (
                    (m.id if m.id in only_here else Link(m.id, m.id),),
                    (m.what,),
                    (*self._text(m.expected_because), *self._cite(m.citations)),
                    (m.searched,),
                )
                for m in self.report.missing
            )
            self.blocks.append(
                Grid(
                    ("No.", "Missing", "Expected because", "Where it was looked for"),
                    rows,
                    (0.09, 0.3, 0.33, 0.28),
                    anchors=tuple(m.id if m.id in only_here else "" for m in self.report.missing) if only_here else (),
                )
            )
        else:
            self._p("No document was found to be missing.")
        unread = self.basis.accounting.not_read
        if unread:
            self.blocks.append(Heading(2, "Files that could not be read, or not in full"))
            files = tuple(((item.path,), (item.status.replace("_", " "),), (item.reason,)) for item in unread)
            self.blocks.append(Grid(("File", "Status", "Reason"), files, (0.45, 0.13, 0.42)))

    # --- annexes ------------------------------------------------------------------------------------------------------------

    def _failed_passages(self) -> None:
        """Every passage over which a question was not answered, so that nobody takes it for read."""
        rows = tuple(
            (
                (span["path"],),
                (f"{span['start']:,} to {span['end']:,}",),
                (shortened(call["question"], MOST_OF_A_QUESTION),),
                (call["kind"],),
            )
            for call in self.basis.failed
            for span in call["spans"]
        )
        self.blocks.append(Grid(("Document", "Characters", "Question", "Why"), rows, (0.4, 0.16, 0.3, 0.14)))

    def _annexes(self) -> None:
        basis, documents = self.basis, self.basis.accounting.documents
        self.blocks.append(Heading(1, "Annex A: what this report rests on", BASIS_ANCHOR))
        self._p(
            f"{basis.room}: {self._documents_line()} ({counted(documents, 'document', 'different documents')}). "
            f"{percent(basis.coverage)} of the {basis.accounting.characters:,} readable characters were in a reading that was answered."
        )
        if basis.shown < basis.coverage:
            self._p(shown_line(basis), style="warning")
        if basis.unread:
            because = f" The reader's reason: {self.report.unread_because}" if self.report.unread_because else ""
            self._p(f"Readable text that was not read, or whose reading failed:{because}", style="warning")
            rows = tuple(((u.path,), (f"{u.characters:,} of {u.of:,}",), (u.reason,)) for u in basis.unread)
            self.blocks.append(Grid(("Document", "Characters not read", "Why"), rows, (0.5, 0.2, 0.3), numeric=(1,)))
        if basis.failures:
            self._p("Calls that gave no answer:", style="warning")
            self.blocks.append(Bullets(tuple((text,) for text in basis.failures)))
            self._failed_passages()
        usage = tuple(
            (
                (str(u["role"]),),
                (str(u["model"]),),
                (f"{u['calls']:,}",),
                (f"{u['failed']:,}",),
                (_told(u["input"], u),),
                (_told(u["output"], u),),
                ("unknown" if u["cost"] is None else f"${u['cost']:,.2f}",),
            )
            for u in basis.usage
        )
        if usage:
            header = ("Role", "Model", "Calls", "Failed", "Tokens in", "Tokens out", "Cost")
            self.blocks.append(Grid(header, usage, numeric=(2, 3, 4, 5, 6)))
        if any(u.get("unknown") for u in basis.usage):
            self._p(
                "Where a server did not say what a request used, the tokens are the least that were used.", style="note"
            )
        if basis.resumed:
            self._p(resumed_line(basis.resumed, len(basis.sent_again)), style="note")
            if basis.sent_again:
                self.blocks.append(Bullets(tuple((sent_again_line(call),) for call in basis.sent_again)))
        made = ", ".join(f"{name} {version}" for name, version in basis.versions.items())
        self._p(
            "Every quotation in this report was found in the text of the document named, character for character after folding only "
            f"layout (spaces, line breaks, quotation marks, dashes, case). Made with {made}.",
            style="note",
        )
        self._p(
            "Reliance: prepared for the addressee of the engagement in connection with the transaction named on the cover; "
            "confidential and, where the law allows, privileged. It covers only the documents listed in Annex C as they stood when the "
            "room was read, and is no substitute for the judgement of the responsible lawyers.",
            style="note",
        )
        if self.report.table("contracts"):
            self.blocks.append(Heading(1, "Annex B: contract summaries", "contracts"))
            self._rows("contracts")
        self.blocks.append(Heading(1, "Annex C: documents", "documents"))
        listed = tuple(
            ((d["path"],), (d["kind"],), (d["status"].replace("_", " "),), (f"{d['length']:,}",), (read_share(d),))
            for d in basis.documents
        )
        self.blocks.append(
            Grid(
                ("Document", "Kind", "Status", "Characters", "Read"),
                listed,
                (0.56, 0.1, 0.12, 0.12, 0.1),
                numeric=(3, 4),
            )
        )

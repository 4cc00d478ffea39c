"""`report`, as the root sees it: every call is checked by the host before it counts.

Runs in the sandbox; standard library only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from redwell.diligence.guest.checks import checks, deal
from redwell.harness.guest.findings import Citation, Finding
from redwell.harness.guest.listing import Listing, Text, named
from redwell.harness.guest.room import Span, room
from redwell.harness.guest.session import coverage

if TYPE_CHECKING:

    class HostError(Exception): ...

    def host(name: str, **arguments: Any) -> Any: ...


__all__ = ["report"]

_WORD = 100  # characters
_PASSAGE = "a passage is a finding, a citation, a span, (document, quote) or a quote alone"


def _citation(item: Any) -> dict[str, Any]:
    """One passage as the host wants it."""
    if isinstance(item, str):
        return {"document": "", "quote": item}
    if isinstance(item, Span):
        start, end = item.start, item.end
        text = Span(item.document, 0, max(item.document.length, end + _WORD), item.view).text
        # A stretch may begin or end within a word, and a quote may not.
        while 0 < start < len(text) and not (text[start].isspace() or text[start - 1].isspace()):
            start -= 1
        while 0 < end < len(text) and not (text[end - 1].isspace() or text[end].isspace()):
            end += 1
        return {"document": item.document.id, "quote": text[start:end].strip(), "start": start}
    if isinstance(item, Citation):
        if not item.document:
            raise HostError(
                f"the quote {item.quote[:160]!r} is from no document that its call had read, so it proves nothing"
            )
        return {key: value for key, value in item.json().items() if key != "status"}
    if isinstance(item, tuple) and len(item) == 2:
        item = {"document": item[0], "quote": item[1]}
    if not isinstance(item, dict) or not isinstance(item.get("quote"), str):
        raise HostError(f"{_PASSAGE}; got {item!r:.200}")
    found = {key: item[key] for key in ("document", "quote", "start") if item.get(key) is not None}
    document = found.get("document", "")
    return {**found, "document": getattr(document, "id", document)}


def _citations(items: Any) -> list[dict[str, Any]]:
    """The passages of findings, citations, spans, (document, quote) and quotes, in any mixture, or of one of them alone."""
    if items is None:
        return []
    if isinstance(items, (str, dict, Span, Citation, Finding)) or not hasattr(items, "__iter__"):
        items = [items]
    if isinstance(items, tuple) and len(items) == 2 and isinstance(items[1], str) and not _is_quote(items[0]):
        items = [items]
    found: list[dict[str, Any]] = []
    for item in items:
        inner = item.get("citations") if isinstance(item, dict) else getattr(item, "citations", None)
        found += [_citation(item)] if inner is None else [_citation(each) for each in inner]
    return found


def _is_quote(item: Any) -> bool:
    """Whether the first of two is a passage, and not the document of the second."""
    return not isinstance(item, str) or " " in item.rsplit("/", 1)[-1].rsplit(".", 1)[-1]


class _Report:
    """The deliverable. Its calls raise HostError with every reason when they are refused."""

    def __init__(self) -> None:
        self._added: list[tuple[str, dict[str, Any]]] = []
        self._names_target = False

    def add(
        self,
        title: str = "",
        claim: str = "",
        citations: Any = (),
        workstream: str = "",
        severity: str = "",
        exposure: Any = None,
        next_step: str = "",
        why: str = "",
        protection: str = "",
        evidence: str = "direct",
        kind: str = "",
        searched: str = "",
        **others: Any,
    ) -> str:
        """Adds an entry and returns its id. `citations`: findings, citations, spans, (document, "exact words") or words alone, or a list
        of them. `exposure`: {"amount": 12_400_000, "currency": "USD", "formula": "one year of fees"}, or low, base, high in place of
        amount, or {"not_quantified": "why"}. Entries over the same money hold the same "of" beside the amount, such as "of": "revenue
        of Acme": it counts once in the total. `evidence`: direct, cross-document, absence (with `searched`), computed."""
        given = {
            "title": title,
            "claim": claim,
            "workstream": workstream,
            "severity": severity,
            "exposure": exposure,
            "next_step": next_step,
            "why": why,
            "protection": protection,
            "evidence": evidence,
            "kind": kind,
            "searched": searched,
            **others,
        }
        identity: str = host("report.add", citations=_citations(citations), **given)
        self._added.append((identity, {**given, "citations": citations}))
        return identity

    def add_all(self, issues: Any) -> Text:
        """Adds issues of `checks`, each as report.add(**issue) does; one that is refused does not stop the others, and is told."""
        issues = [issues] if isinstance(issues, dict) else list(issues)
        if not all(isinstance(issue, dict) for issue in issues):
            raise HostError("give a list of issues, such as checks.run(all_findings())")
        before, refused = {identity for identity, _ in self._added}, []
        new: set[str] = set()
        for issue in issues:
            try:
                new.add(self.add(**issue))
            except HostError as error:
                refused.append(f"\n{' '.join(str(error).split())[:200]}")
        told = f"{len(new - before)} entries added, {len(new & before)} there before"
        return Text(told + (f", {len(refused)} refused:" + "".join(refused[:5]) if refused else ""))

    def conclude(self, findings: Any) -> Text:
        """Writes what stands around the entries, by the rules of `checks`: tables, what is missing, what was not found, a summary of each
        workstream and of the whole. Read it before you submit; each part can be written anew."""
        findings = list(findings)
        entries = list({identity: (identity, issue) for identity, issue in self._added}.values())
        read = coverage()
        basis = f"{len(room.documents())} documents, {read.share:.1%} of the readable text read by sub-agents"
        calls: list[tuple[Any, dict[str, Any]]] = [(self.row, line) for line in checks.rows(findings, entries)]
        calls += [(self.missing, item) for item in checks.missing(findings)]
        calls += [(self.none_found, item) for item in checks.none_found(findings, basis)]
        calls += [
            (self.section, {"workstream": name, "summary": text})
            for name, text in checks.sections(findings, entries).items()
        ]
        if not (deal.get("target") or self._names_target) and (target := checks.target(findings)):
            calls.append((self.deal, {"target": target}))
        calls.append((self.executive_summary, {"text": checks.summary(findings, entries)}))
        refused = 0
        for call, arguments in calls:
            try:
                call(**arguments)
            except HostError:
                refused += 1
        lacking = self.check()
        told = f"{len(calls) - refused} parts written" + (f", {refused} refused" if refused else "")
        return Text(told + ("; still lacking: " + "; ".join(lacking) if lacking else ""))

    def change(self, id: str, **fields: Any) -> None:
        """Replaces fields of an entry, named as in `add`: report.change("F-003", severity="High", exposure={...})."""
        if "citations" in fields:
            fields["citations"] = _citations(fields["citations"])
        host("report.change", id=id, fields=fields)

    def remove(self, id: str) -> None:
        """Takes an entry or a missing item out of the report again."""
        host("report.remove", id=id)

    def missing(self, what: str, expected_because: str, searched: str, workstream: str, citations: Any = ()) -> str:
        """Records something that should be in the room and is not; returns its id."""
        identity: str = host(
            "report.missing",
            what=what,
            expected_because=expected_because,
            searched=searched,
            workstream=workstream,
            citations=_citations(citations),
        )
        return identity

    def none_found(self, topic: str, workstream: str, rests_on: str, despite: str = "") -> None:
        """States that a topic was looked for and not found; refused over failed passages unless `despite` names them."""
        host("report.none_found", topic=topic, workstream=workstream, rests_on=rests_on, despite=despite)

    def row(self, table: str, cells: dict[str, Any], citations: Any = ()) -> None:
        """Adds a line to a cross-cutting table: consents, payments, calendar, schedule, contracts or contradictions."""
        cells = {str(key): "" if value is None else str(value) for key, value in cells.items()}
        host("report.row", table=table, cells=cells, citations=_citations(citations))

    def section(self, workstream: str, summary: str) -> None:
        """Writes or replaces the summary of a workstream's chapter."""
        host("report.section", workstream=workstream, summary=summary)

    def executive_summary(self, text: str) -> None:
        """Writes or replaces the executive summary: the view on the deal and the issues that drive it."""
        host("report.summary", text=text)

    def deal(self, **facts: Any) -> None:
        """What the documents say of the deal where the deal file does not: target, buyer, seller, structure ("merger", "share purchase" or
        "asset purchase"), price, currency. What they do not say is left out."""
        host("report.deal", **facts)
        self._names_target = self._names_target or bool(facts.get("target"))

    def unread(self, reason: str) -> None:
        """Discloses why some readable text was not read; the report lists which."""
        host("report.unread", reason=reason)

    def outline(self) -> Text:
        """What is in the report so far."""
        return Text(host("report.outline"))

    def check(self) -> list[str]:
        """What the report still lacks before it can be submitted; an empty list when nothing."""
        lacking: list[str] = host("report.check")
        return lacking

    def unused(self, findings: Any) -> Listing[Finding]:
        """Those of the findings, other than facts, whose quotes hold and whose words nothing in the report cites yet."""
        cited: dict[str, list[tuple[int, int]]] = {}
        for document, start, end in host("report.cited"):
            cited.setdefault(document, []).append((start, end))
        return named(
            "findings that nothing cites",
            (
                each
                for each in findings
                if each.holds
                and not each.kind.startswith("fact:")
                and not any(
                    span.start < end and start < span.end
                    for citation in each.citations
                    for span in citation.spans
                    for start, end in cited.get(span.document.id, ())
                )
            ),
        )

    def __repr__(self) -> str:
        return self.outline()


report = _Report()

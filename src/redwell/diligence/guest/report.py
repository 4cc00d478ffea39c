"""`report`, as the root sees it: every call is checked by the host before it counts.

Runs in the sandbox; standard library only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:

    def host(name: str, **arguments: Any) -> Any: ...


__all__ = ["report"]


def _citation(item: Any) -> dict[str, Any]:
    """A finding's citation, or anything with a document and a quote, as the host wants it."""
    if isinstance(item, dict):
        found = {key: item[key] for key in ("document", "quote", "start", "end") if item.get(key) is not None}
    else:
        found = {"document": getattr(item, "document", None), "quote": getattr(item, "quote", None)}
        spans = getattr(item, "spans", None)
        if spans:
            first = spans[0]
            found["start"] = first["start"] if isinstance(first, dict) else first.start
    document = found.get("document")
    found["document"] = getattr(document, "id", document)
    if not found.get("quote") or not found["document"]:
        raise TypeError(
            'a citation is a finding, or {"document": id or path, "quote": "words of it"}; got ' + repr(item)[:200]
        )
    return found


def _citations(items: Any) -> list[dict[str, Any]]:
    """Flattens findings and citations into a list of citations."""
    if items is None:
        return []
    if isinstance(items, (dict, str)) or not hasattr(items, "__iter__"):
        items = [items]
    found: list[dict[str, Any]] = []
    for item in items:
        inner = item.get("citations") if isinstance(item, dict) else getattr(item, "citations", None)
        found += [_citation(each) for each in inner] if inner is not None else [_citation(item)]
    return found


class _Report:
    def add(
        self,
        title: str,
        claim: str,
        citations: Any,
        workstream: str,
        severity: str,
        exposure: dict[str, Any],
        next_step: str,
        why: str = "",
        protection: str = "",
        evidence: str = "direct",
        kind: str = "",
        searched: str = "",
    ) -> str:
        """Adds a red flag and returns its id; raises HostError with every reason when it does not hold."""
        identity: str = host(
            "report.add",
            title=title,
            claim=claim,
            citations=_citations(citations),
            workstream=workstream,
            severity=severity,
            exposure=exposure,
            next_step=next_step,
            why=why,
            protection=protection,
            evidence=evidence,
            kind=kind,
            searched=searched,
        )
        return identity

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

    def unread(self, reason: str) -> None:
        """Discloses why some readable text was not read; the report lists which."""
        host("report.unread", reason=reason)

    def outline(self) -> str:
        """What is in the report so far, as text."""
        text: str = host("report.outline")
        return text

    def check(self) -> list[str]:
        """Why submit() would be refused now; an empty list when it would not."""
        reasons: list[str] = host("report.check")
        return reasons

    def __repr__(self) -> str:
        return self.outline()


report = _Report()

"""The question to sub-agents, the summaries of workstreams and the executive summary. Standard library only."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from redwell.diligence.archetypes.case import SEVERITIES, Case
from redwell.diligence.archetypes.catalogue import ALL

OPENING = (
    "You read for the buyer's due diligence. Report every issue and every fact listed below that the documents hold; use the slug as the finding's "
    "kind, and quote the words that carry it. A clause that merely looks like one of them is none.\n"
)
FACTS = (
    "fact:document: what the document is (values: path, title, family, parties as [{name, aliases}], date as YYYY-MM-DD, draft, form)\n"
    "fact:term: when the contract ends and how it renews (values: effective, expires, months, renews, notice_days)\n"
    "fact:revenue: each row of a table of revenue by customer (values: customer, amount, currency, measure, share, total)\n"
    "fact:amount: fees, prices, debts (values: label, amount, currency)\n"
    "fact:subprocessor: each row of a list of sub-processors (values: row, table)\n"
    "fact:reference: another document that is referred to (values: title, date, file)\n"
    "fact:statement: what management assures (values: topic)\n"
    "fact:signatures: signature lines (values: signed, blank)"
)


def question() -> str:
    lines = [f"{a.id}: {a.question or a.title}" for a in ALL if a.find is not None]
    values = "Values where the words give them: holder (who may act), bound (who is bound), of (whose control), notice_days, window_days, amount, currency."
    return OPENING + "\nIssues\n" + "\n".join(lines) + "\n" + values + "\n\nFacts\n" + FACTS


def rank(severity: str) -> int:
    return SEVERITIES.index(severity) if severity in SEVERITIES else len(SEVERITIES)


def _by_workstream(entries: list[Any]) -> dict[str, list[tuple[str, dict[str, Any]]]]:
    grouped: dict[str, list[tuple[str, dict[str, Any]]]] = defaultdict(list)
    for identity, issue in entries:
        grouped[issue["workstream"]].append((identity, issue))
    return grouped


def sections(case: Case, entries: list[Any]) -> dict[str, str]:
    """workstream -> what was found in it, with the entries' numbers."""
    found = {}
    for workstream, items in _by_workstream(entries).items():
        counts = Counter(issue["severity"] for _, issue in items)
        head = ", ".join(f"{counts[s]} {s}" for s in SEVERITIES if counts[s])
        lines = [
            f"{issue['title']} ({identity})"
            for identity, issue in sorted(items, key=lambda e: rank(e[1]["severity"]))[:8]
        ]
        more = f" and {len(items) - 8} more" if len(items) > 8 else ""
        found[workstream] = (
            f"{len(items)} {'entry' if len(items) == 1 else 'entries'} ({head}): " + "; ".join(lines) + more + "."
        )
    return found


def executive(case: Case, entries: list[Any]) -> str:
    """What drives the view on the deal, each with its sum and what to do, and what is assumed. The view itself and the counts stand above it
    in the report."""
    ranked = sorted(entries, key=lambda e: (rank(e[1]["severity"]), -float(_base(e[1])), e[0]))
    drivers = [
        f"- {issue['title']} ({identity}, {issue['severity']}{_amount(case, issue)}). {issue['next_step']}"
        for identity, issue in ranked[:6]
        if rank(issue["severity"]) < 3
    ]
    parts = ["What drives this view:\n" + "\n".join(drivers)] if drivers else [
        "Nothing that was found is more than a point for ordinary protection."
    ]  # fmt: skip
    parts.append(f"The register rests on {len(case.docs)} document{'' if len(case.docs) == 1 else 's'}.")
    if case.assumptions:
        parts.append("Taken from the room or assumed: " + " ".join(case.assumptions))
    return "\n\n".join(parts)


def _base(issue: dict[str, Any]) -> float:
    exposure = issue.get("exposure") or {}
    return float(exposure.get("base") or exposure.get("amount") or 0.0)


def _amount(case: Case, issue: dict[str, Any]) -> str:
    base = _base(issue)
    return f", {case.money(base, issue['exposure'].get('currency', ''))}" if base else ""

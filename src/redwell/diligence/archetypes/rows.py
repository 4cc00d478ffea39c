"""Lines for the cross-cutting tables, what is missing, and what was looked for and not found. Standard library only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from redwell.diligence.archetypes.case import Case
from redwell.diligence.archetypes.catalogue import ALL

WORKSTREAMS = (
    "Corporate", "Capitalization", "Contracts", "Debt", "Finance", "Tax", "IP", "Privacy and cyber", "Employment", "Litigation", "Real estate",
    "Environmental", "Insurance", "Regulatory", "Related parties", "Data room integrity",
)  # fmt: skip


def rows(case: Case) -> Iterator[dict[str, Any]]:
    """Arguments of `report.row`."""
    yield from _contracts(case)
    yield from _consents(case)


def _contracts(case: Case) -> Iterator[dict[str, Any]]:
    for doc in case.ordered():
        if not doc.is_contract or doc.fact is None:
            continue
        worth = case.annual(doc)
        cells = {
            "Document": doc.name,
            "Title": doc.title,
            "With": "; ".join(case.others(doc)[:3]),
            "Dated": doc.date,
            "Value a year": case.money(worth[0]) if worth else "",
            "Signed": "yes"
            if doc.signed and not doc.blank
            else "in part"
            if doc.signed
            else "blank"
            if doc.blank
            else "not seen",
        }
        yield {"table": "contracts", "cells": cells, "citations": [doc.fact] if doc.fact.citations else []}


_CONSENT = {
    "change_of_control_termination": "termination right",
    "change_of_control_consent": "consent",
    "change_of_control_deemed_assignment": "consent (deemed assignment)",
    "change_of_control_notice": "notice",
}


def _consents(case: Case) -> Iterator[dict[str, Any]]:
    for doc in case.ordered():
        for kind, needed in _CONSENT.items():
            found = [
                f for f in case.of(doc, kind) if case.bound_is_target(doc, str(f.values.get("of", ""))) is not False
            ]
            if found and case.current(doc):
                cells = {
                    "Document": doc.name,
                    "With": case.counterparty(doc),
                    "Needed": needed,
                    "Trigger": "change of control",
                }
                yield {"table": "consents", "cells": cells, "citations": found[:1]}


def missing(case: Case) -> Iterator[dict[str, Any]]:
    """Arguments of `report.missing`."""
    yield from ()


def none_found(case: Case, basis: str = "") -> Iterator[dict[str, Any]]:
    """Arguments of `report.none_found`: one for each workstream, naming the known kinds that were looked for and not found."""
    said = {finding.kind for finding in case.findings}
    rests = basis or f"all {len(case.docs)} documents read in full by sub-agents"
    for workstream in WORKSTREAMS:
        absent = [a.title for a in ALL if a.workstream == workstream and a.find is not None and a.id not in said]
        if absent:
            topic = "; ".join(absent)
            yield {"topic": topic[:4000], "workstream": workstream, "rests_on": rests}
        elif not any(a.workstream == workstream for a in ALL):
            yield {
                "topic": "anything that concerns " + workstream.lower(),
                "workstream": workstream,
                "rests_on": rests + "; no special checks are known for it",
            }

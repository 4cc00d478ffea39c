"""Lines for the cross-cutting tables, what is missing, and what was looked for and not found. Standard library only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from redwell.diligence.archetypes import tables
from redwell.diligence.archetypes.case import Case, Doc
from redwell.diligence.archetypes.catalogue import ALL
from redwell.diligence.archetypes.ends import calendar
from redwell.diligence.archetypes.families import CONTRACTS
from redwell.diligence.archetypes.integrity import missing_agreements, missing_exhibits

Occurs = Callable[[str], Iterable[str]]

WORKSTREAMS = (
    "Corporate", "Capitalization", "Contracts", "Debt", "Finance", "Tax", "IP", "Privacy and cyber", "Employment", "Litigation", "Real estate",
    "Environmental", "Insurance", "Regulatory", "Related parties", "Data room integrity",
)  # fmt: skip


def rows(case: Case, entries: tables.Entries = ()) -> Iterator[dict[str, Any]]:
    """Arguments of `report.row`. `entries` are those of the register, for the tables of discrepancies and contradictions."""
    yield from _contracts(case)
    yield from tables.consents(case)
    yield from tables.payments(case)
    yield from _calendar(case)
    yield from tables.register(case, entries)


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


def _calendar(case: Case) -> Iterator[dict[str, Any]]:
    for due in calendar(case):
        cells = {
            "Date": due.day.isoformat(),
            "What": due.what + (", which has gone by" if due.passed else ""),
            "With": case.counterparty(due.doc),
            "Document": due.doc.name,
        }
        yield {"table": "calendar", "cells": cells, "citations": list(due.findings)}


def missing(case: Case) -> Iterator[dict[str, Any]]:
    """Arguments of `report.missing`: exhibits and documents that are referred to, and what a room of a target should hold."""
    scope = f"{len(case.docs)} documents read in full, and all file names"
    for what, why, findings in missing_agreements(case):
        doc = case.doc(findings[0])
        yield {
            "what": what,
            "expected_because": why,
            "searched": scope,
            "workstream": _workstream(doc),
            "citations": findings[:3],
        }
    for doc, name, citation in missing_exhibits(case):
        what = f"{name} of {doc.title or doc.name} ({doc.name})"
        yield {
            "what": what,
            "expected_because": f"{doc.name} says that it is attached",
            "searched": f"{doc.name} and all file names",
            "workstream": _workstream(doc),
            "citations": [citation],
        }
    kinds = {doc.family for doc in case.docs.values()}
    if not case.target or len(kinds - CONTRACTS) < 3:
        return  # a folder of contracts is no data room: nothing else is to be expected in it
    for families, what, workstream in _EXPECTED:
        if not kinds & set(families):
            yield {
                "what": what,
                "expected_because": "a due diligence request list asks for it of every target",
                "searched": scope,
                "workstream": workstream,
                "citations": [],
            }


_EXPECTED = (
    (("charter",), "Certificate of incorporation and bylaws (or their like)", "Corporate"),
    (("minutes",), "Minutes and written consents of board and shareholders", "Corporate"),
    (("cap_table",), "Stock ledger or capitalization table", "Capitalization"),
    (("financial_statements",), "Audited financial statements of the last three years", "Finance"),
    (
        ("credit", "security", "liens"),
        "Credit agreements, or a statement that there is no debt, and a lien search",
        "Debt",
    ),
    (("tax",), "Tax returns and correspondence with tax authorities", "Tax"),
    (("ip_register",), "Register of patents, marks and domains, with assignments", "IP"),
    (("employment", "census"), "Employee census and agreements with key employees", "Employment"),
    (("litigation",), "Schedule of disputes and claims", "Litigation"),
    (("lease",), "Leases and title documents, or a list of sites", "Real estate"),
    (("insurance",), "Insurance policies and loss runs", "Insurance"),
    (("policy", "dpa"), "Privacy policies and data processing agreements", "Privacy and cyber"),
    (("disclosure_schedule", "merger"), "Draft purchase agreement and disclosure schedules", "Corporate"),
)


def _workstream(doc: Doc) -> str:
    return {
        "lease": "Real estate", "credit": "Debt", "guarantee": "Debt", "security": "Debt", "employment": "Employment", "contractor": "IP", "invention_assignment": "IP",
        "dpa": "Privacy and cyber", "subprocessors": "Privacy and cyber", "insurance": "Insurance", "cap_table": "Capitalization", "minutes": "Corporate", "charter": "Corporate",
        "revenue": "Finance", "deck": "Finance", "financial_statements": "Finance", "environmental": "Environmental", "litigation": "Litigation", "tax": "Tax",
    }.get(doc.family, "Contracts")  # fmt: skip


def none_found(case: Case, basis: str = "", occurs: Occurs | None = None) -> Iterator[dict[str, Any]]:
    """Arguments of `report.none_found`: for each workstream, the known kinds whose rules found none. `occurs` gives the documents in which a
    pattern of words stands: a topic that is spoken of is stated by itself, with where."""
    said = {finding.kind for finding in case.findings}
    rests = basis or f"all {len(case.docs)} documents read in full by sub-agents"
    for workstream in WORKSTREAMS:
        silent, spoken_of = [], []
        for each in ALL:
            if each.workstream != workstream or each.find is None or each.support or each.id in said:
                continue
            pattern = tables.TOPICS.get(each.id, "")
            where = list(dict.fromkeys(occurs(pattern))) if occurs is not None and pattern else []
            if where:
                more = f" and {len(where) - 3} more" if len(where) > 3 else ""
                spoken_of.append(f"{each.title} (the topic's words stand in {', '.join(where[:3])}{more})")
            else:
                silent.append(each.title)
        if silent:
            yield {"topic": f"By the rules for {'; '.join(silent)}"[:4000], "workstream": workstream, "rests_on": rests}
        if spoken_of:
            rest = f"{rests}; the words of these topics do occur, so a lawyer should read the places named"
            yield {
                "topic": f"By the rules for {'; '.join(spoken_of)}"[:4000],
                "workstream": workstream,
                "rests_on": rest,
            }
        elif not silent and not any(a.workstream == workstream for a in ALL):
            yield {
                "topic": "Anything that concerns " + workstream.lower(),
                "workstream": workstream,
                "rests_on": rests + "; no special checks are known for it",
            }

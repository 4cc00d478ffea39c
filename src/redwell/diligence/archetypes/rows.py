"""Lines for the cross-cutting tables, what is missing, and what was looked for and not found. Standard library only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from redwell.diligence.archetypes.case import Case, Doc
from redwell.diligence.archetypes.catalogue import ALL
from redwell.diligence.archetypes.ends import calendar
from redwell.diligence.archetypes.families import CONTRACTS
from redwell.diligence.archetypes.integrity import missing_agreements, missing_exhibits

WORKSTREAMS = (
    "Corporate", "Capitalization", "Contracts", "Debt", "Finance", "Tax", "IP", "Privacy and cyber", "Employment", "Litigation", "Real estate",
    "Environmental", "Insurance", "Regulatory", "Related parties", "Data room integrity",
)  # fmt: skip


def rows(case: Case) -> Iterator[dict[str, Any]]:
    """Arguments of `report.row`."""
    yield from _contracts(case)
    yield from _consents(case)
    yield from _payments(case)
    yield from _calendar(case)


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
    "change_of_control_default": "payoff or lender's consent",
    "lease_consent": "landlord's consent",
    "investor_veto": "investor's consent",
    "joint_venture_trigger": "partner's consent",
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


def _payments(case: Case) -> Iterator[dict[str, Any]]:
    """What the transaction makes payable, with the sum where the clause names one."""
    kinds = {
        "single_trigger": "vesting or payment on the change of control",
        "control_severance": "severance after a change of control",
        "change_of_control_payment": "payment on a change of control",
        "change_of_control_default": "debt that may be called",
        "prepayment_premium": "premium on prepayment",
        "investor_put": "put of shares",
    }
    for doc in case.ordered():
        for kind, what in kinds.items():
            found = case.of(doc, kind)
            if found and case.current(doc):
                amount = next(
                    (f.values["amount"] for f in found if isinstance(f.values.get("amount"), int | float)), None
                )
                multiple = next((f.values["multiple"] for f in found if f.values.get("multiple")), None)
                said = case.money(float(amount)) if amount else f"{multiple:g} x salary" if multiple else "not stated"
                cells = {"To": case.counterparty(doc), "What": what, "Sum": said, "Document": doc.name}
                yield {"table": "payments", "cells": cells, "citations": found[:1]}


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


def none_found(case: Case, basis: str = "") -> Iterator[dict[str, Any]]:
    """Arguments of `report.none_found`: one for each workstream, naming the known kinds that were looked for and not found."""
    said = {finding.kind for finding in case.findings}
    rests = basis or f"all {len(case.docs)} documents read in full by sub-agents"
    for workstream in WORKSTREAMS:
        absent = [
            a.title
            for a in ALL
            if a.workstream == workstream and a.find is not None and not a.support and a.id not in said
        ]
        if absent:
            topic = "; ".join(absent)
            yield {"topic": topic[:4000], "workstream": workstream, "rests_on": rests}
        elif not any(a.workstream == workstream for a in ALL):
            yield {
                "topic": "anything that concerns " + workstream.lower(),
                "workstream": workstream,
                "rests_on": rests + "; no special checks are known for it",
            }

"""From direct findings to issues: one entry for each document where it matters, one for all where it is routine. Standard library only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from redwell.diligence.archetypes.base import Archetype, Issue
from redwell.diligence.archetypes.case import SEVERITIES, Case, Doc, document_id
from redwell.diligence.archetypes.catalogue import ALL
from redwell.diligence.archetypes.control import lead_rank
from redwell.diligence.archetypes.families import PAPERS
from redwell.diligence.archetypes.integrity import names_security
from redwell.diligence.archetypes.stakes import between, reached, said, stake, where

MOST_ALONE = 6
"""With more documents than this, a kind that is not High or Critical becomes one entry."""
MOST_CITED = 3  # findings cited per document and kind
_TABLES = frozenset(
    [
        "cap_table",
        "revenue",
        "deck",
        "financial_statements",
        "overview",
        "census",
        "ip_register",
        "tax",
        "subprocessors",
        "disclosure_schedule",
        "policy",
        "minutes",
        "insurance",
    ]
)
"""Documents that speak of contracts and are none: their words are no terms."""
_SAID_BETTER = {
    "litigation_threat": ("infringement_claim", "breach_notice"),
    "hidden_text": ("reviewer_instruction",),
    "uncapped_liability": ("unlimited_liability",),
}
"""A finding of the second kind in the same document says what one of the first would."""
_AT_STAKE = frozenset(
    [
        "change_of_control_termination",
        "change_of_control_consent",
        "change_of_control_deemed_assignment",
        "termination_for_convenience",
    ]
)
"""Kinds under which the whole contract can be lost, so that a year of it measures what is at stake."""
AT_ONCE = frozenset(
    [
        "reviewer_instruction",
        "hidden_text",
        "copyleft",
        "consent_decree",
        "breach_notice",
        "non_renewal_notice",
        "tax_assessment",
        "infringement_claim",
        "sanctions",
        "regulatory_violation",
    ]
)
"""Kinds that stand on their own: nothing in another document changes what they are worth."""


def at_once(case: Case) -> Iterator[Issue]:
    for archetype in ALL:
        if archetype.id in AT_ONCE:
            yield from _issues(case, archetype)


def issues(case: Case, only: str = "") -> Iterator[Issue]:
    for archetype in ALL:
        if archetype.find is not None and not archetype.support and only in ("", archetype.id):
            yield from _issues(case, archetype)


def _issues(case: Case, archetype: Archetype) -> Iterator[Issue]:
    by_doc: dict[str, list[Any]] = defaultdict(list)
    for finding in case.left(archetype.id):
        doc = case.doc(finding)
        if case.current(doc) and _against(case, doc, archetype, finding):
            by_doc[doc.id].append(finding)
    yield from _not_reached(case, archetype, by_doc)
    docs = sorted((case.docs[d] for d in by_doc if d in case.docs), key=lambda d: d.path)
    alone: list[tuple[Doc, str]] = []
    together: list[tuple[Doc, str]] = []
    for doc in docs:
        severity = _severity(case, archetype, doc)
        small = SEVERITIES.index(severity) >= 2
        (
            together if archetype.routine or (small and len(docs) > MOST_ALONE) or len(docs) > 3 * MOST_ALONE else alone
        ).append((doc, severity))
    for doc, severity in alone:
        yield _one(case, archetype, doc, severity, by_doc[doc.id])
    if len(together) == 1:
        doc, severity = together[0]
        yield _one(case, archetype, doc, severity, by_doc[doc.id])
    elif together:
        yield _many(case, archetype, together, by_doc)


def _not_reached(case: Case, archetype: Archetype, by_doc: dict[str, list[Any]]) -> Iterator[Issue]:
    """Takes out of `by_doc` the clauses that the chosen structure does not set off, and notes them for a change of structure."""
    if not archetype.id.startswith("change_of_control"):
        return
    for identity in list(by_doc):
        idle = [f for f in by_doc[identity] if not reached(case, f)]
        if len(idle) < len(by_doc[identity]):
            continue
        doc, structure = case.docs[identity], case.deal.get("structure")
        named = " or ".join(
            {
                "merger": "a merger",
                "assets": "a sale of assets",
                "shares": "a transfer of shares",
                "control": "a change of control",
            }[e]
            for e in str(idle[0].values["events"]).split()
        )
        del by_doc[identity]
        yield Issue(
            archetype.id, f"{case.counterparty(doc)}: consent would be needed for {named}, not for a {structure}"[:190],
            f"{where(doc)} provides: “{said(idle[0])}” The clause names {named}; a {structure} is none, so it is not set off as the deal is structured.",
            idle[:MOST_CITED], severity="Low", why="It becomes a consent requirement if the structure changes.",
            next_step=f"Keep the structure a {structure}; if it becomes {named}, obtain the consent of {case.counterparty(doc)} first.",
            protection=f"Structure: {structure}", exposure={"not_quantified": f"not set off by a {structure}"},
        )  # fmt: skip


def _against(case: Case, doc: Doc, archetype: Archetype, finding: Any) -> bool:
    """Whether the clause works against the target or may do so; a right that is the target's own, or a duty of the other side only, is none."""
    values = finding.values
    if archetype.event and doc.family in PAPERS:
        return False
    if any(case.of(doc, other) for other in _SAID_BETTER.get(archetype.id, ())):
        return False
    if archetype.id == "lien" and doc.family == "disclosure_schedule":
        return False  # the schedule is held against the search by a check
    if archetype.id == "hidden_text" and names_security(finding):
        return False  # a check makes it a matter of capitalization
    if (
        archetype.id == "anti_assignment"
        and values.get("deal_exception")
        and case.deal.get("structure") != "asset purchase"
    ):
        return False  # the clause lets the contract go along with a sale of the business
    if (
        archetype.id in ("no_solicit_employees", "no_solicit_customers", "non_compete", "non_disparagement")
        and doc.family == "employment"
    ):
        return False  # it binds the employee and protects the target
    if (
        archetype.id.startswith("change_of_control")
        and archetype.id != "change_of_control_default"
        and doc.family
        in (
            "credit",
            "employment",
            "lease",
            "insurance",
            "escrow",
            "side_letter",
        )
    ):
        return False
    holder, bound, of = (str(values.get(key, "")) for key in ("holder", "bound", "of"))
    if (
        archetype.workstream in ("Contracts", "IP")
        and doc.family in _TABLES
        and archetype.id not in ("copyleft", "breach_notice", "non_renewal_notice")
    ):
        return False
    if archetype.id.startswith("change_of_control") and of and case.bound_is_target(doc, of) is False:
        return False
    if (
        bound
        and case.bound_is_target(doc, bound) is False
        and archetype.id not in ("agrees_to_assign", "no_invention_assignment")
    ):
        return False
    return not (holder and case.target and case.is_target(doc.party(holder)))


def _severity(case: Case, archetype: Archetype, doc: Doc) -> str:
    """The archetype's own, but no more than the contract is worth, where that is known."""
    if archetype.id == "agrees_to_assign" and doc.family not in ("invention_assignment", "employment", "contractor"):
        return "Medium"
    if archetype.workstream != "Contracts":
        return archetype.severity
    row = case.row_of(doc)
    worth = case.annual(doc)
    if row is None and worth is None:
        return archetype.severity
    graded = case.grade(worth[0] if worth else None, float(row.values["share"]) if row is not None else None)
    return SEVERITIES[max(SEVERITIES.index(graded), SEVERITIES.index(archetype.severity))]


def place(case: Case, finding: Any) -> tuple[str, int, str]:
    """Path of the document, start of the first citation and its words: an order that is the same however findings came in."""
    first = finding.citations[0] if finding.citations else None
    spans = getattr(first, "spans", ())
    start = spans[0].start if spans else 0
    doc = case.docs.get(document_id(finding))
    return doc.path if doc else document_id(finding), start, first.quote if first else ""


def _rank(archetype: Archetype, finding: Any) -> int:
    return lead_rank(finding) if archetype.id == "change_of_control_termination" else 0


def _ordered(case: Case, archetype: Archetype, findings: list[Any]) -> list[Any]:
    """The findings of one document, the most telling first."""
    return sorted(
        findings,
        key=lambda f: (
            _rank(archetype, f),
            -len(f.values) - min(len(f.citations[0].quote), 400) / 100 if f.citations else 0.0,
            place(case, f),
        ),
    )


def _one(case: Case, archetype: Archetype, doc: Doc, severity: str, findings: list[Any]) -> Issue:
    worth = case.annual(doc) if archetype.workstream == "Contracts" else None
    exposure: dict[str, Any] = {"not_quantified": "the documents read give no figure to compute from"}
    findings = _ordered(case, archetype, findings)
    parts = findings[:MOST_CITED]
    amount = next((f.values["amount"] for f in findings if isinstance(f.values.get("amount"), int | float)), None)
    if amount and archetype.id not in ("minimum_commitment", "insurance_duty"):
        exposure = {
            "base": float(amount),
            "currency": str(findings[0].values.get("currency") or case.currency),
            "of": f"{case.counterparty(doc)}: {archetype.id.replace('_', ' ')}",
            "formula": "the sum that the clause names",
        }
    elif worth is not None and archetype.id in _AT_STAKE:
        exposure = {
            "base": worth[0],
            "currency": case.currency,
            "of": stake(case, doc),
            "formula": f"one year of the contract at stake: {worth[1]}, {case.money(worth[0])}",
        }
        parts = [*parts, worth[2]]
    with_whom = str(findings[0].values.get("holder_name") or "") or between(case, doc)
    claim = f"{where(doc)} {'provides' if doc.is_contract else 'says'}: “{said(findings[0])}”{_figures(findings[0])}"
    if len(findings) > 1:
        claim += f" The document has {len(findings)} such passages."
    title = archetype.title
    if archetype.id == "change_of_control_termination" and findings[0].values.get("automatic"):
        title = "Contract ends by itself on a change of control"
    return Issue(
        archetype.id, f"{title}: {with_whom}"[:200], claim, parts, severity=severity, exposure=exposure,
        next_step=_for(archetype.next_step, with_whom, doc), contingent=archetype.id == "termination_for_convenience",
    )  # fmt: skip


def _many(case: Case, archetype: Archetype, docs: list[tuple[Doc, str]], by_doc: dict[str, list[Any]]) -> Issue:
    named = [f"{between(case, doc)} ({doc.name})" for doc, _ in docs]
    worth = {doc.id: case.annual(doc) for doc, _ in docs}
    known = {case.counterparty(doc): worth[doc.id] for doc, _ in docs if worth[doc.id] is not None}
    total = sum(each[0] for each in known.values() if each)
    exposure: dict[str, Any] = {"not_quantified": "the documents read give no figure for these contracts"}
    if archetype.id in _AT_STAKE and 2 * len(known) >= len(docs):
        exposure = {
            "base": total,
            "currency": case.currency,
            "of": "; ".join(stake(case, doc) for doc, _ in docs if worth[doc.id] is not None)[:200],
            "formula": "one year of each contract with a known value: "
            + " + ".join(f"{who} {case.money(each[0])}" for who, each in known.items() if each),
        }
    shown = "; ".join(named[:40]) + (f"; and {len(named) - 40} more" if len(named) > 40 else "")
    claim = f"{len(docs)} document{'s have' if len(docs) > 1 else ' has'} such a clause: {shown}. The words of each are cited."
    severity = min((severity for _, severity in docs), key=SEVERITIES.index)
    parts = [min(by_doc[doc.id], key=lambda f: (_rank(archetype, f), place(case, f))) for doc, _ in docs][:180]
    title = (
        f"{archetype.title}: {len(docs)} documents"
        if len(docs) > 1
        else f"{archetype.title}: {between(case, docs[0][0])}"
    )
    return Issue(archetype.id, title[:200], claim, parts, severity=severity, exposure=exposure)


def _for(step: str, who: str, doc: Doc) -> str:
    """The step with whom it concerns, so that a list of requests can be sent out as it is."""
    return (
        f"{step.rstrip('.')} ({who}; {doc.name})." if who not in (doc.name, "") else f"{step.rstrip('.')} ({doc.name})."
    )


def _figures(finding: Any) -> str:
    """What was read out of the clause, in words."""
    values = finding.values
    said = []
    if values.get("notice_days"):
        said.append(f"notice {values['notice_days']} days")
    if values.get("window_days"):
        said.append(f"to be exercised within {values['window_days']} days")
    if values.get("automatic"):
        said.append("takes effect automatically")
    if values.get("competitor_only"):
        said.append("concerns competitors")
    if values.get("affiliates"):
        said.append("reaches affiliates, and so the buyer's group")
    if values.get("hidden"):
        said.append("the words are hidden in the document")
    return f" ({'; '.join(said)})." if said else ""

"""Lines for the cross-cutting tables that rest on clauses and on the register: consents, payments, schedule, contradictions. Standard
library only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from redwell.diligence.archetypes.case import Case, Doc, bare
from redwell.diligence.archetypes.debt import principal_of
from redwell.diligence.archetypes.stakes import holder_of_rights, reached

Line = dict[str, Any]
Entries = Sequence[tuple[str, dict[str, Any]]]
"""(number in the register, arguments of `report.add`)."""

_CONSENT = {
    "change_of_control_termination": "waiver of the termination right",
    "change_of_control_consent": "consent",
    "change_of_control_deemed_assignment": "consent (deemed assignment)",
    "change_of_control_notice": "notice",
    "change_of_control_default": "payoff, or the lender's consent",
    "lease_consent": "landlord's consent",
    "investor_veto": "investor's consent",
    "joint_venture_trigger": "partner's consent",
}
_NAMED = {
    "control": "change of control",
    "shares": "transfer of shares",
    "merger": "merger",
    "assets": "sale of assets",
}


def consents(case: Case) -> Iterator[Line]:
    for doc in case.ordered():
        for kind, needed in _CONSENT.items():
            found = [
                f for f in case.of(doc, kind) if case.bound_is_target(doc, str(f.values.get("of", ""))) is not False
            ]
            if not found or not case.current(doc) or (doc.family == "lease" and kind != "lease_consent"):
                continue
            live = [f for f in found if reached(case, f)]
            first = (live or found)[0]
            trigger = ", ".join(_NAMED[e] for e in str(first.values.get("events") or "control").split())
            cells = {
                "Document": doc.name,
                "With": holder_of_rights(case, doc, first) if kind == "investor_veto" else case.counterparty(doc),
                "Needed": needed
                if live
                else f"nothing as structured ({case.deal.get('structure')}); {needed} otherwise",
                "Trigger": trigger,
            }
            yield {"table": "consents", "cells": cells, "citations": [first]}


def payments(case: Case) -> Iterator[Line]:
    """What the transaction makes payable, one line for each payee, with the sums that the register has."""
    lines: dict[str, tuple[str, list[str], list[str], list[str], list[Any]]] = {}
    for doc in case.ordered():
        if not case.current(doc):
            continue
        for who, what, amount, said, findings in _due(case, doc):
            line = lines.setdefault(bare(who) or who, (who, [], [], [], []))
            line[1].append(what)
            line[2].append(case.money(amount) if amount else said)
            line[3].append(doc.name)
            line[4].extend(findings)
    for who, whats, sums, names, findings in lines.values():
        cells = {
            "To": who,
            "What": "; ".join(dict.fromkeys(whats)),
            "Sum": " + ".join(dict.fromkeys(sums)),
            "Document": "; ".join(dict.fromkeys(names)),
        }
        yield {"table": "payments", "cells": cells, "citations": findings[:4]}


def _due(case: Case, doc: Doc) -> Iterator[tuple[str, str, float, str, list[Any]]]:
    """(payee, what, sum or 0, what to say without a sum, findings)."""
    personal = case.of(doc, "single_trigger", "control_severance")
    if personal:
        salary = next(
            (f for f in doc.findings if f.kind == "fact:amount" and "salary" in str(f.values.get("label", ""))), None
        )
        best = max(personal, key=lambda f: (float(f.values.get("multiple") or 0), f.kind == "single_trigger"))
        multiple = float(best.values.get("multiple") or 0)
        amount = multiple * float(salary.values["amount"]) if multiple and salary is not None else 0.0
        what = (
            "payment or vesting on the change of control"
            if best.kind == "single_trigger"
            else "severance after a change of control"
        )
        said = f"{multiple:g} x salary" if multiple else "not stated in figures"
        yield _person(case, doc), what, amount, said, [best, *([salary] if amount and salary is not None else [])]
    if called := case.of(doc, "change_of_control_default"):
        principal = principal_of(case, doc)
        premium = next(iter(case.of(doc, "prepayment_premium")), None)
        amount = float(principal.values["amount"]) if principal is not None else 0.0
        rate = (
            re.search(r"(\d+(?:\.\d+)?)\s?\)?\s?%", premium.citations[0].quote)
            if premium is not None and premium.citations
            else None
        )
        yield (
            case.counterparty(doc),
            "principal of the loan that is called",
            amount,
            "not stated in figures",
            [called[0], *([principal] if principal is not None else [])],
        )
        if rate and amount:
            yield (
                case.counterparty(doc),
                f"premium of {rate[1]} % on prepayment",
                amount * float(rate[1]) / 100,
                "",
                [premium],
            )
    for put in case.of(doc, "investor_put")[:1]:
        base = put.values.get("amount")
        amount = float(put.values.get("times") or 1) * float(base) if isinstance(base, int | float) else 0.0
        yield case.counterparty(doc), "price of the shares that may be put", amount, "not stated in figures", [put]
    for clause in case.of(doc, "change_of_control_payment")[:1]:
        base = clause.values.get("amount")
        yield (
            _payee(doc, clause),
            "payment on a change of control",
            float(base) if isinstance(base, int | float) else 0.0,
            "not stated in figures",
            [clause],
        )


def _person(case: Case, doc: Doc) -> str:
    for alias in ("executive", "employee", "consultant", "participant", "officer"):
        if name := doc.party(alias):
            return name
    return case.counterparty(doc)


def _payee(doc: Doc, clause: Any) -> str:
    """Whom the clause says is paid; the one who pays is never named in their place."""
    text = " ".join(c.quote for c in clause.citations)
    match = re.search(r"\bpay(?:s|able)?\b(?: to)? (?:the )?([A-Z][\w&.’'-]*(?: [A-Z][\w&.’'-]*){0,3})", text)
    return (doc.party(match[1]) or match[1]) if match else "not named in the clause"


_SCHEDULE = ("claim_not_scheduled", "lien_not_scheduled")
_CONTRADICTIONS = (
    "management_contradicted", "figures_differ", "dates_differ", "register_contradicts_annex", "covenant_breach", "cap_table_total", "table_total_differs",
    "claim_not_scheduled", "hidden_security", "unreleased_lien", "contradiction",
)  # fmt: skip


def register(case: Case, entries: Entries) -> Iterator[Line]:
    """The register's entries of two kinds again, as tables: what the disclosure schedule leaves out, and documents that contradict each other."""
    schedules = case.family("disclosure_schedule")
    if not schedules:
        cells = {
            "Point": "No disclosure schedule is in the room, so nothing could be held against one.",
            "What differs": "",
            "Entry": "",
        }
        yield {"table": "schedule", "cells": cells, "citations": []}
    paths = {doc.id for doc in schedules} | {doc.name for doc in schedules}
    for identity, issue in entries:
        kind = issue.get("kind", "")
        if schedules and (
            kind in _SCHEDULE or (kind in ("unreleased_lien", "tracked_deletion") and _cites(issue, paths))
        ):
            yield _line("schedule", identity, issue)
        if kind in _CONTRADICTIONS:
            yield _line("contradictions", identity, issue)


def _cites(issue: dict[str, Any], documents: set[str]) -> bool:
    for part in issue["citations"]:
        found = part[0] if isinstance(part, tuple) else getattr(part, "document", "")
        if str(getattr(found, "id", found)) in documents:
            return True
    return False


def _line(table: str, identity: str, issue: dict[str, Any]) -> Line:
    cells = {"Point": issue["title"], "What differs": issue["claim"], "Entry": identity}
    return {"table": table, "cells": cells, "citations": list(issue["citations"])[:4]}


TOPICS = {
    "change_of_control_termination": r"change (of|in) control", "change_of_control_consent": r"change (of|in) control|direct or indirect interest|whether (by|through) a? ?merger",
    "change_of_control_deemed_assignment": r"deemed (to be )?an? assignment|operation of law", "change_of_control_payment": r"change (of|in) control", "change_of_control_default": r"change (of|in) control",
    "exclusivity": r"exclusivity|exclusive (distribut|supplier|dealing|right)", "non_compete": r"non-?compet|compete (with|against)", "no_solicit_employees": r"solicit\w* (any |the |or hire )?\w* ?(employee|personnel|staff)",
    "no_solicit_customers": r"solicit\w* (any |the )?\w* ?(customer|client)", "most_favored_nation": r"most favou?red|(no|not) less favou?rable than", "first_refusal": r"first (refusal|offer|negotiation)",
    "non_disparagement": r"disparag", "minimum_commitment": r"minimum (purchase|order|commitment|volume|annual)|take-or-pay", "unlimited_liability": r"unlimited liab|liability[^.]{0,60}unlimited", "uncapped_liability": r"limitation of liability",
    "liquidated_damages": r"liquidated damages|service credit", "termination_for_convenience": r"for convenience|without cause", "price_restriction": r"price (cap|increase|hold)|escalat",
    "revenue_share": r"royalt|revenue shar|profit shar", "audit_right": r"audit rights?|right to audit|books and records", "third_party_beneficiary": r"third[- ]party beneficiar",
    "insurance_duty": r"additional insured|certificates? of insurance", "agrees_to_assign": r"agrees? to assign", "joint_ownership": r"jointly own|joint owner|co-own", "non_transferable_licence": r"non-?transferable",
    "source_code_escrow": r"source code", "covenant_not_to_sue": r"not to sue|not (to )?(contest|challenge)", "copyleft": r"\bA?L?GPL|copyleft|open source", "infringement_claim": r"infring(es|ing) (our|the|its|claim)|cease and desist",
    "government_rights": r"march-in|Bayh|government (purpose|fund|grant)", "investor_veto": r"protective provision|consent (of|right)[^.]{0,40}(investor|holder|preferred)", "investor_put": r"\bput (option|right)|right to require[^.]{0,40}repurchase",
    "joint_venture_trigger": r"joint venture|buy-?out", "preemption": r"drag-? ?along|tag-? ?along|pre-?emptive|co-sale", "lien": r"\bUCC\b|financing statement|\blien", "guarantee": r"\bguarant(y|or)\b",
    "prepayment_premium": r"prepayment|make-?whole", "going_concern": r"going concern|material weakness", "tax_assessment": r"tax (audit|assessment|deficiency)|notice of deficiency|nexus", "grant_clawback": r"claw-?back|abatement",
    "revenue_recognition": r"front-?load|ASC 606|ratabl", "recurring_add_back": r"add-?back", "single_trigger": r"accelerat\w* (vest|of)|vest(s|ing)? in full|immediately vest", "control_severance": r"severance|good reason",
    "key_person": r"key (person|personnel|employee|man)\b", "union": r"\bunion\b|collective bargaining|works council", "pension_deficit": r"underfund|withdrawal liability|multiemployer", "misclassification": r"misclassif|overtime",
    "litigation_threat": r"plaintiff|lawsuit|complaint (was|has been)", "breach_notice": r"notice of (material )?(breach|default)", "non_renewal_notice": r"will not (be )?renew|non-renewal", "consent_decree": r"consent decree|settlement agreement|injunction (was|has)",
    "security_incident": r"unauthori[sz]ed access|ransomware|data breach", "lease_consent": r"landlord", "environmental_condition": r"contaminat|storage tank|phase I\b", "violation_notice": r"notice of violation|OSHA|\bEPA\b",
    "claims_made": r"claims[- ]made", "insurance_control": r"run-?off|extended reporting", "regulatory_violation": r"form 483|warning letter|permit (has )?(expired|lapsed)", "sanctions": r"sanction|OFAC|embargo",
    "intermediary": r"facilitation payment|success fee|government official", "related_party": r"related[- ]party|shareholder loan", "antitrust_document": r"dominant position|market share", "reviewer_instruction": r"automated reviewer|language model",
    "unreserved_liability": r"not (currently )?(reserved|accrued)", "unconfirmed_statement": r"not (yet )?(been )?confirmed",
}  # fmt: skip
"""The words in which a topic is spoken of, as RE2 patterns. Where they stand in the room, no one may say that the topic was not found."""

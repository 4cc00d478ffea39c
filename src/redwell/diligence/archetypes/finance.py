"""Finance, capitalization and tax: totals that do not add up, revenue and add-backs, open taxes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from redwell.diligence.archetypes import words
from redwell.diligence.archetypes.base import Archetype, Clause, Issue, Values, rule
from redwell.diligence.archetypes.case import Case, Doc
from redwell.diligence.archetypes.ends import ending
from redwell.diligence.archetypes.stakes import said

_I = re.IGNORECASE


def _sum(clause: Clause) -> Values:
    sums = words.money(clause.text)
    return {"amount": max(sums)[0], "currency": max(sums)[1]} if sums else {}


def _add_back(case: Case) -> Iterator[Issue]:
    """An add-back that recurs, at the multiple that the price implies."""
    for doc in case.ordered():
        figures = {str(f.values["label"]): f for f in case.of(doc, "fact:figure")}
        ebitda = next(
            (f for label, f in figures.items() if "ebitda" in label and not re.search(r"add-?back|ratio", label)), None
        )
        added = next((f for label, f in figures.items() if re.search(r"add-?back", label)), None)
        recurring = next(iter(case.kinds["recurring_add_back"]), None)
        price = float(case.deal.get("price") or 0)
        if ebitda is None or added is None or recurring is None:
            continue
        case.use(*case.kinds["recurring_add_back"])
        amount = float(added.values["amount"])
        exposure: Values = {"not_quantified": "the price is not known, so no multiple can be computed"}
        if price:
            multiple = price / float(ebitda.values["amount"])
            exposure = {
                "base": round(amount * multiple, -3),
                "currency": case.currency,
                "of": "EBITDA add-back at the price's multiple",
                "formula": f"{case.money(amount)} x {multiple:.2f} (price {price:,.0f} / EBITDA {float(ebitda.values['amount']):,.0f})",
            }
        yield Issue(
            "add_back_recurs", f"EBITDA holds an add-back of {case.money(amount)} for costs that recur",
            f"{case.doc(recurring).title or case.doc(recurring).name} says: “{said(recurring)}” A cost that recurs is no add-back; EBITDA without it is {case.money(float(ebitda.values['amount']) - amount)}.",
            [recurring, ebitda, added], severity=case.grade(exposure.get("base") or amount), exposure=exposure, evidence="computed",
        )  # fmt: skip
        return


def _footing(case: Case) -> Iterator[Issue]:
    for finding in list(case.left("table_total_differs")):
        if id(finding) in case.used:
            continue
        values, doc = finding.values, case.doc(finding)
        shares = (
            bool(re.search(r"share|issued|outstanding|option", str(values.get("column", "")), _I))
            or doc.family == "cap_table"
        )
        more = [
            f
            for f in case.left("table_total_differs")
            if f is not finding and case.doc(f).id == doc.id and f.values.get("difference") == values.get("difference")
        ]
        case.use(finding, *more)
        gap = abs(float(values["difference"]))
        exposure: Values = {"not_quantified": "which of the rows or the total is wrong is not known"}
        parts = [finding, *more]
        price = next(
            (
                f
                for f in doc.findings
                if f.kind == "fact:amount" and re.search(r"per share|issue price", str(f.values.get("label", "")))
            ),
            None,
        )
        if shares and price is not None:
            exposure = {
                "base": gap * float(price.values["amount"]),
                "currency": case.currency,
                "of": f"{doc.name}: shares",
                "formula": f"{gap:,.0f} shares x {case.money(float(price.values['amount']))} ({price.values['label']})",
            }
            parts.append(price)
        elif values.get("unit") not in ("", "%", None):
            exposure = {
                "base": gap,
                "currency": str(values["unit"]),
                "of": f"{doc.name}: total",
                "formula": f"{float(values['stated']):,.0f} stated less {float(values['computed']):,.0f} added up",
            }
        plugs = case.of(doc, "reconciling_row") if shares else []
        case.use(*plugs)
        parts += plugs[:1]
        kind = "cap_table_total" if shares else "table_total_differs"
        what = f"{gap:,.0f} shares" if shares else f"{gap:,.0f}"
        yield Issue(
            kind, f"{doc.title or doc.name}: the total is off by {what}",
            f"{finding.claim} (a difference of {what}){', in two tables of the document' if len(more) == 1 else ''}. " + ("Who holds the difference, or whether it exists, must be settled before the price per share is." if shares else "")
            + (f" The table itself carries the gap as “{said(plugs[0])}”." if plugs else ""),
            parts, severity="High" if shares else (case.grade(gap) if values.get("unit") else "Medium"), exposure=exposure,
        )  # fmt: skip


def _pool(case: Case) -> Iterator[Issue]:
    """Options granted beyond the reserve."""
    for doc in case.ordered():
        figures = {str(f.values.get("label", "")): f for f in case.of(doc, "fact:figure")}
        granted = next(
            (
                f
                for label, f in figures.items()
                if re.search(r"options? (?:granted|outstanding)|granted options", label)
            ),
            None,
        )
        reserve = next(
            (
                f
                for label, f in figures.items()
                if re.search(r"option pool|plan reserve|reserved|pool \(reserve", label)
                and not re.search("unallocated|ungranted|available", label)
            ),
            None,
        )
        if granted is None or reserve is None or float(granted.values["amount"]) <= float(reserve.values["amount"]):
            continue
        excess = float(granted.values["amount"]) - float(reserve.values["amount"])
        yield Issue(
            "options_above_reserve", f"{excess:,.0f} options were granted above the plan's reserve",
            f"{float(granted.values['amount']):,.0f} options are shown as granted against a reserve of {float(reserve.values['amount']):,.0f}. Grants above the reserve need an increase approved by the board and the holders; no approval was found.",
            [granted, reserve], searched="minutes, consents and plan documents for an approved increase of the reserve",
            exposure={"not_quantified": f"{excess:,.0f} options x (price per share less exercise price); the price per share is not in the documents"},
        )  # fmt: skip


def _months_left(case: Case, doc: Doc) -> int | None:
    """Whole months from the day of reckoning to the end of the contract's term, where both are known."""
    end = ending(case, doc)
    if end is None or case.as_of is None or end.day <= case.as_of:
        return None
    return (end.day.year - case.as_of.year) * 12 + end.day.month - case.as_of.month


def _revenue_recognition(case: Case) -> Iterator[Issue]:
    flagged = list(case.left("revenue_recognition"))
    for finding in flagged:
        if id(finding) in case.used:
            continue
        doc = case.doc(finding)
        same = [f for f in flagged if case.doc(f).id == doc.id]
        case.use(*same)
        terms = [
            f
            for d in case.ordered()
            for f in d.findings
            if f.kind == "fact:amount" and re.search(r"total contract value|tcv", str(f.values.get("label", "")))
        ]
        quote = " ".join(c.quote for f in same for c in f.citations)
        term = next(
            (f for f in terms if any(name.split()[0] in quote for name in case.others(case.doc(f)) if name)), None
        )
        exposure: Values = {"not_quantified": "the split of revenue over the years is not in the documents"}
        parts = same[:3]
        if term is not None:
            total = float(term.values["amount"])
            months = next((int(m[1]) for m in [re.search(r"(\d{2})[- ]month", quote)] if m), 36)
            left = _months_left(case, case.doc(term))
            deferred = round(total * left / months) if left is not None else round(total * (1 - 12 / months))
            exposure = {
                "base": min(deferred, round(total * (1 - 12 / months))),
                "low": 0.0,
                "high": round(total * (1 - 12 / months)),
                "currency": case.currency,
                "of": f"{case.counterparty(case.doc(term))}: revenue recognised",
                "formula": (
                    f"base: {case.money(total)} x {left}/{months}, what should be deferred for the {left} months still to come; "
                    if left is not None
                    else ""
                )
                + f"high: {case.money(total)} x (1 - 12/{months}), the most that can have been recognised a year too early",
            }
            parts = [*parts, term]
        yield Issue(
            "revenue_recognition", f"Revenue may have been recognised too early: {case.counterparty(case.doc(term)) if term is not None else doc.title or doc.name}",
            f"{doc.title or doc.name} says: “{said(finding)}”", parts, severity="High", exposure=exposure,
            evidence="cross-document" if term is not None and case.doc(term).id != doc.id else "direct",
        )  # fmt: skip


ARCHETYPES = (
    Archetype(
        id="reconciling_row",
        number=1,
        workstream="Capitalization",
        title="A row that only makes a table add up",
        evidence="direct",
        severity="Low",
        why="It stands for holders or sums that no one has named.",
        next_step="Ask what the row stands for.",
        question="Does a table hold a row for rounding, reconciliation or an unexplained difference of some size?",
        triggers=("reconcil", "rounding", "unexplained", "plug"),
        find=lambda c: (
            rule(
                r"(?:reconciling item|rounding|reconciliation|unexplained|unreconciled|\bplug\b)[^|]{0,40}\|[^|]{0,6}\d"
            )(c)
            if " | " in c.text
            else None
        ),
        support=True,
    ),
    Archetype(
        id="unreserved_liability",
        number=57,
        workstream="Finance",
        title="A liability is not reserved",
        evidence="direct",
        severity="Medium",
        why="The balance sheet, and the working capital that the price rests on, leave it out.",
        next_step="Have the liability computed as of closing and booked, or treated as debt.",
        protection="Debt-like item; working-capital adjustment",
        question="Is a liability, refund or claim said not to be reserved, accrued or recorded?",
        triggers=("reserved", "accrued", "recorded", "provision"),
        event=True,
        find=rule(
            r"(?:liabilit\w+|refund\w*|claim|exposure|obligation|loss|credit)s?\b[^.;]{0,80}\b(?:is|are|was|were|has|have)? ?not (?:been )?(?:currently |yet )?(?:reserved|accrued|recorded|provided for|booked)",
            no=(r"shall|rights? not (?:expressly )?(?:granted|reserved)",),
        ),
    ),
    Archetype(
        id="table_total_differs",
        number=17,
        workstream="Finance",
        title="A total does not add up",
        evidence="computed",
        severity="Medium",
        why="Either a row is missing or the total is wrong; whatever rests on the table is in doubt.",
        next_step="Have the table reconciled to its sources.",
        protection="Representation on the schedule",
        check=_footing,
    ),
    Archetype(
        id="cap_table_total",
        number=1,
        workstream="Capitalization",
        title="The capitalization table does not add up",
        evidence="computed",
        severity="High",
        why="Every holder's part of the price depends on it; a holder who is left out has a claim.",
        next_step="Reconcile with the stock ledger and charter; have the payment spreadsheet certified.",
        protection="Fundamental representation; certified payment spreadsheet as closing condition",
    ),
    Archetype(
        id="options_above_reserve",
        number=2,
        workstream="Capitalization",
        title="Options granted above the plan's reserve",
        evidence="absence",
        severity="Medium",
        why="Grants above the reserve are void or need ratification; their holders have claims.",
        next_step="Ratify before closing, or cancel the excess grants.",
        protection="Closing condition (ratification); indemnity",
        check=_pool,
    ),
    Archetype(
        id="revenue_recognition",
        number=55,
        workstream="Finance",
        title="Revenue recognised too early",
        evidence="direct",
        severity="High",
        why="Revenue and the multiples built on it are overstated; deferred revenue is a liability that the buyer takes over.",
        next_step="Have the contract's revenue recomputed over its term; adjust the model and the working-capital target.",
        protection="Price adjustment; financial-statement representation; specific indemnity",
        question="Is there any sign that revenue was recognised too early, grossed up or front-loaded, or subject to a return right?",
        triggers=("recogni", "front-load", "asc 606", "ratabl", "cut-off", "bill-and-hold", "bill and hold"),
        event=True,
        find=rule(
            r"front-?loaded|(?:not|rather than|instead of)[^.;]{0,40}ratabl|overstat\w+[^.;]{0,60}revenue|recogni[sz]ed[^.;]{0,60}(?:up ?front|early|prematurely|before deliver|in full (?:at|on|upon))|restate\w*[^.;]{0,60}(?:revenue|recogni[sz]ed)|bill[- ]and[- ]hold",
            no=(r"\bshall\b",),
        ),
        check=_revenue_recognition,
    ),
    Archetype(
        id="recurring_add_back",
        number=53,
        workstream="Finance",
        title="Add-back for costs that recur",
        evidence="direct",
        severity="Medium",
        why="EBITDA, and the price that is a multiple of it, are too high.",
        next_step="Have the quality-of-earnings report deal with the add-back.",
        protection="Price",
        question="Is anything added back to EBITDA that recurs or is not supported?",
        triggers=("add-back", "addback", "add back", "added back"),
        event=True,
        find=rule(
            r"(?:add(?:ed)?[- ]?backs?)[^.;]{0,120}\b(?:recurring|recurs?|each year|every year|annual|unsupported|not supported|no invoice)|(?:recurring|unsupported)[^.;]{0,80}(?:add(?:ed)?[- ]?back)",
            no=(r"non-?recurring",),
            values=_sum,
        ),
    ),
    Archetype(
        id="add_back_recurs",
        number=53,
        workstream="Finance",
        title="Add-back that recurs, at the multiple of the price",
        evidence="computed",
        severity="High",
        why="The buyer pays the multiple for earnings that are not there.",
        next_step="Compute EBITDA and the price without the add-back; ask for the warranty cost of the last three years.",
        protection="Price reduction at the deal's multiple; EBITDA defined without the add-back in any earn-out",
        check=_add_back,
    ),
    Archetype(
        id="going_concern",
        number=54,
        workstream="Finance",
        title="Auditors or management doubt the accounts",
        evidence="direct",
        severity="High",
        why="A going-concern note, qualified opinion or material weakness puts the figures in doubt.",
        next_step="Speak to the auditors; read the management letter.",
        protection="Price; financial-statement representation",
        question="Is there a going-concern doubt, qualified opinion, material weakness or restatement?",
        triggers=(
            "going concern",
            "material weakness",
            "qualified opinion",
            "adverse opinion",
            "disclaimer of opinion",
            "restatement of",
        ),
        event=True,
        find=rule(
            r"substantial doubt[^.;]{0,80}going concern|material weakness(?:es)? (?:in|was|were|has|have)|(?:qualified|adverse) opinion|disclaimer of opinion|restatement of (?:the |its |previously )?(?:financial|consolidated|prior)",
            no=(
                r"\bno (?:material weakness|substantial doubt)|without[^.;]{0,30}going concern|shall|covenant|qualif\w+ as to",
            ),
        ),
    ),
    Archetype(
        id="tax_assessment",
        number=63,
        workstream="Tax",
        title="Tax audit, assessment or unpaid tax",
        evidence="direct",
        severity="High",
        why="Tax of periods before closing stays with the target, and so with the buyer.",
        next_step="Obtain the correspondence with the authority; quantify tax, interest and penalties.",
        protection="Pre-closing tax indemnity; escrow",
        question="Is there an open audit, assessment, waiver of limitation, nexus without registration or unpaid tax?",
        triggers=(
            "notice of deficiency",
            "proposed assessment",
            "tax audit",
            "audit of the",
            " irs",
            "internal revenue",
            "tax authorit",
            "assessment of",
            "statute of limitation",
            "nexus",
            "unpaid tax",
            "assessed",
            "back taxes",
            "tax lien",
            "not registered",
        ),
        event=True,
        find=rule(
            r"notice of (?:deficiency|proposed (?:adjustment|assessment))|(?:IRS|Internal Revenue Service|HMRC|tax authorit\w+|Department of Revenue)[^.;]{0,120}(?:audit|examin|propos|assess|disallow)\w*|(?:additional|back|unpaid) tax(?:es)?[^.;]{0,60}(?:of|assess|due|owed|\$)|(?:sales|use)[- ]tax[^.;]{0,80}(?:not (?:been )?(?:collected|registered|remitted)|nexus|unregistered)|Form 872|extend\w* the statute of limitations",
            no=(r"\bshall\b|\bmay\b|in the event|represents? and warrant|section 409A|no (?:audit|tax)|has not",),
            values=_sum,
        ),
    ),
    Archetype(
        id="grant_clawback",
        number=66,
        workstream="Tax",
        title="Grant or incentive must be paid back on a change of control or relocation",
        evidence="direct",
        severity="Medium",
        why="The transaction, or the buyer's plans for the site, may trigger repayment with interest.",
        next_step="Obtain the grantor's consent or an undertaking.",
        protection="Closing condition (consent)",
        question="Must a grant, abatement or incentive be repaid on a change of control, relocation or loss of jobs?",
        triggers=(
            "clawback",
            "claw back",
            "repay the grant",
            "the grant",
            "relocat",
            "incentive",
            "abatement",
            "grantor",
        ),
        find=rule(
            r"(?:grant|incentive|abatement|subsid\w+)[^.;]{0,160}(?:repa(?:y|id)|recaptur|claw\w* ?back|refund)[^.;]{0,120}|claw ?back[^.;]{0,120}(?:grant|incentive|relocat|control)",
            no=(r"incentive (?:compensation|bonus|plan|award)|executive|option grant|grant date|award",),
            values=_sum,
        ),
    ),
)

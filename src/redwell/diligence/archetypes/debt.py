"""Debt: what the transaction calls, what is pledged, and covenants that fail once the figures are corrected."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from redwell.diligence.archetypes import words
from redwell.diligence.archetypes.base import Archetype, Clause, Hit, Issue, Values, rule, unpointed
from redwell.diligence.archetypes.case import Case, Doc, alike, bare
from redwell.diligence.archetypes.stakes import said

_I = re.IGNORECASE


def _sum(clause: Clause) -> Values:
    sums = words.money(clause.text)
    return {"amount": max(sums)[0], "currency": max(sums)[1]} if sums else {}


_LENT = re.compile(
    r"\b(?:lenders?|borrower|obligor|noteholders?|promissory|notes?|debentures?|bonds?|loans?|indebtedness|credit (?:agreement|facility))\b",
    _I,
)
_CALLED = re.compile(
    r"events? of default|due and payable|accelerat|mandatory (?:pre)?pay|(?:shall|must|required to|obligat\w+ to|demand\w*) [^.;]{0,60}\b(?:pre)?pay\w*|\brepay|repurchase|101 ?%|\bput\b|offer to purchase|terminat\w+ (?:the )?commitments?",
    _I,
)


def _control_default(clause: Clause) -> Hit | None:
    text = clause.full
    control = re.search(r"change (?:of|in) control|fundamental change", text, _I)
    if not control or clause.family not in ("credit", "security", "guarantee", "amendment", "other", "contract"):
        return None
    lent = clause.family in ("credit", "security", "guarantee")
    if not lent and not _LENT.search(text):
        return None  # a party's right to pay its own instalments ahead is no loan called
    found = _CALLED.search(text)
    if not found or re.search(r"[\"“”]change (?:of|in) control[\"“”] (?:shall )?means?", text, _I):
        return None
    return Hit(_sum(clause), control[0] if control[0] in clause.text else found[0])


_RATIO = re.compile(
    r"\bratio\b|\bleverage\b|EBITDA|net worth|interest coverage|fixed charge|liquidity|debt service", _I
)


def _covenant(clause: Clause) -> Hit | None:
    text = clause.full
    if not _RATIO.search(text):
        return None
    found = re.search(
        r"(?:shall not|will not|not) (?:permit|allow|suffer)[^.;]{0,160}(?:ratio|leverage|EBITDA|net worth|coverage|liquidity)|(?:shall|will|must) (?:at all times )?maintain[^.;]{0,120}(?:ratio|net worth|leverage|coverage|EBITDA|liquidity)|"
        r"(?:ratio|leverage|net worth|coverage)[^;]{0,160}(?:exceed|less than|greater than|more than|at least|below|not exceed)[^;]{0,80}\d",
        text,
        _I,
    )
    if not found or not re.search(r"\d", text):
        return None
    values: Values = {}
    limit = re.search(
        r"(?:exceed|greater than|more than|maximum[^.;]{0,30}|above)[^.;\d]{0,20}(\d+(?:\.\d+)?)\s*(?:x|to 1|:\s?1|times)",
        text,
        _I,
    )
    if limit:
        values["maximum"] = float(limit[1])
    return Hit(values, found[0])


def _lien_values(clause: Clause) -> Values:
    found: Values = {}
    party = re.search(r"(?i:secured party):?\s*([A-Z][^.|;]{2,70}?)(?:[.|;]| Collateral| Status|$)", clause.context)
    if party:
        found["holder_name"] = party[1].strip()
    if re.search(r"\bACTIVE\b|not (?:been )?(?:terminated|released)|no termination", clause.context, _I):
        found["active"] = True
    return found


def _covenant_breach(case: Case) -> Iterator[Issue]:
    """Leverage reckoned again without the add-back that the definition excludes."""
    limits = [f for f in case.kinds["financial_covenant"] if f.values.get("maximum")]
    excluded = [
        f for f in case.kinds["fact:definition"] if re.search(r"EBITDA", str(f.values.get("term", ""))) and f.values.get("excludes")
    ]  # fmt: skip
    for doc in case.ordered():
        figures = {str(f.values["label"]): f for f in case.of(doc, "fact:figure")}
        debt = next(
            (f for label, f in figures.items() if re.search(r"total debt|indebtedness|funded debt", label)), None
        )
        ebitda = next(
            (f for label, f in figures.items() if "ebitda" in label and not re.search(r"add-?back|ratio", label)), None
        )
        added = next((f for label, f in figures.items() if re.search(r"add-?back", label)), None)
        if not (limits and debt and ebitda and added):
            continue
        least = min(limits, key=lambda f: float(f.values["maximum"]))
        maximum = float(least.values["maximum"])
        reported = float(debt.values["amount"]) / float(ebitda.values["amount"])
        corrected_ebitda = float(ebitda.values["amount"]) - float(added.values["amount"])
        if corrected_ebitda <= 0 or (corrected := float(debt.values["amount"]) / corrected_ebitda) <= maximum:
            continue
        principal = float(debt.values["amount"])
        cure = principal - maximum * corrected_ebitda
        owed = case.counterparty(case.doc(least))
        case.use(least)
        yield Issue(
            "covenant_breach", f"Leverage is {corrected:.2f}x, above the covenant of {maximum:.2f}x, once EBITDA is corrected",
            f"The compliance certificate reports {reported:.2f}x ({case.money(principal)} / {case.money(float(ebitda.values['amount']))}). Without the add-back of {case.money(float(added.values['amount']))}"
            + (", which the credit agreement's definition excludes," if excluded else ",") + f" EBITDA is {case.money(corrected_ebitda)} and the ratio {corrected:.2f}x, above the maximum of {maximum:.2f}x.",
            [least, *excluded[:1], debt, ebitda, added], severity=case.grade(principal, unknown="High") if case.deal.get("price") else "High",
            exposure={"base": round(cure, -2), "currency": case.currency, "of": f"{owed}: loan", "formula": f"debt to be repaid to meet the covenant: {case.money(principal)} - {maximum:.2f} x ({case.money(float(ebitda.values['amount']))} - {case.money(float(added.values['amount']))}); the lender could call all of it, which a repayment at closing settles"},
        )  # fmt: skip


def _called(case: Case) -> Iterator[Issue]:
    """Loans that the change of control makes payable: a payoff, with its amount."""
    for doc in case.ordered():
        found = [f for f in case.left("change_of_control_default") if case.doc(f).id == doc.id]
        if not found or not case.current(doc):
            continue
        case.use(*case.of(doc, "change_of_control_default", "change_of_control_termination"))
        principal = principal_of(case, doc)
        who = case.counterparty(doc)
        sum_said = f" of {case.money(float(principal.values['amount']))}" if principal is not None else ""
        yield Issue(
            "change_of_control_default", f"{who} may call its loan{sum_said} on the change of control"[:190],
            f"{doc.title or doc.name} ({doc.name}) makes a change of control a default or lets the debt be called: “{said(found[0])}” The principal{sum_said} must be repaid at closing, or {who} must consent before.",
            [*found[:3], *([principal] if principal is not None else [])],
            severity=case.grade(float(principal.values["amount"]), unknown="High") if principal is not None and case.deal.get("price") else "High",
            next_step=f"Obtain a payoff letter from {who} with per-diem interest and the releases of its security, and put the payoff into the funds flow; or its written consent.",
            protection=f"Closing condition: payoff letter and lien releases from {who}; payoff deducted from the price as debt",
            exposure={"not_quantified": f"the principal{sum_said} is debt that the price already bears; repaying it is a matter of the funds flow, and its cost is in the entry on the premium, if there is one"},
        )  # fmt: skip


def principal_of(case: Case, doc: Doc) -> Any | None:
    """The finding that gives the principal of a loan."""
    return next(
        (f for f in doc.findings if f.kind == "fact:amount" and "principal" in str(f.values.get("label"))), None
    )


def _unreleased(case: Case) -> Iterator[Issue]:
    payoffs = [d for d in case.ordered() if d.family == "payoff"] + [case.doc(f) for f in case.kinds["debt_paid_off"]]
    letters = case.kinds["debt_paid_off"]
    for finding in case.kinds["lien"]:
        holder = str(finding.values.get("holder_name", ""))
        if not holder or not finding.values.get("active"):
            continue
        paid = [
            f for f in letters
            if any(alike(holder, name) for name in (*case.doc(f).names, *(p["name"] for p in case.doc(f).parties), case.doc(f).title)) or bare(holder) in bare(" ".join(c.quote for c in f.citations))
        ]  # fmt: skip
        if not paid:
            continue
        missed = [
            s for s in case.kinds["fact:statement"]
            if s.values.get("topic") == "liens" and bare(holder) not in bare(" ".join(c.quote for c in s.citations)) and case.doc(s).id != case.doc(finding).id
        ]  # fmt: skip
        case.use(finding, *missed)
        promised = re.search(r"within (?:[\w-]+ )?\(?(\d+)\)? days", " ".join(c.quote for c in paid[0].citations))
        yield Issue(
            "unreleased_lien", f"Lien of {holder} is still on record although the debt was paid",
            f"The search shows an active filing of {holder}; its letter says that the debt was paid{f' and that the termination would be filed within {promised[1]} days' if promised else ''}. No termination statement is in the room."
            + (f" {case.doc(missed[0]).title or case.doc(missed[0]).name} does not list this lien." if missed else ""),
            [finding, *paid[:1], *missed[:1]], searched=f"{len(case.docs)} documents for a termination statement (UCC-3) or release of {holder}; {len({d.id for d in payoffs})} payoff documents",
            exposure={"not_quantified": "the secured debt is said to be paid; what remains is the cost of clearing the record"},
        )  # fmt: skip


def _debt_paid(clause: Clause) -> Hit | None:
    found = re.search(r"(?:was|been|is) (?:re)?paid in full|payoff amount|paid off", clause.text, _I)
    if (
        not found
        or not re.search(r"loan|debt|note|credit|obligations|indebtedness", clause.text, _I)
        or re.search(r"until|unless|if |when |shall|upon|after|have been paid in full", clause.text, _I)
    ):
        return None
    return Hit({}, found[0])


_PREPAID = re.compile(
    r"(?:prepay\w*|prepaid|redemption|redeem\w*)[^.;]{0,120}\b(?:premium|fee|make-?whole|penalty)|make-?whole|\b(?:premium|fee|penalty)\b[^.;]{0,100}(?:prepay|principal prepaid)",
    _I,
)
_FREE = re.compile(r"without (?:any )?(?:premium|penalty)|insurance premium|prepaid expenses", _I)
_FIGURE = re.compile(r"[$€£]\s?\d|\b(?:USD|EUR|GBP|CAD)\s?\d|\d\s?\)?\s?%|\bper ?cent\b", _I)
_REACH = 160  # characters about the words of the premium within which its figure stands


def _prepaid(clause: Clause) -> Hit | None:
    """A premium with its figure next to it; only papers of a loan may leave the figure to a formula."""
    text = unpointed(clause.text)
    found = _PREPAID.search(text)
    if not found or _FREE.search(text):
        return None
    near = text[max(0, found.start() - _REACH) : found.end() + _REACH]
    if not _FIGURE.search(near) and clause.family not in ("credit", "security", "guarantee"):
        return None
    sums = words.money(near.replace("·", "."))
    values: Values = {"amount": max(sums)[0], "currency": max(sums)[1]} if sums else {}
    return Hit(values, found[0].replace("·", "."))


def _premium(case: Case) -> Iterator[Issue]:
    """Premium on a prepayment that the change of control forces."""
    for finding in list(case.left("prepayment_premium")):
        doc = case.doc(finding)
        rate = re.search(r"(\d+(?:\.\d+)?)\s?\)?\s?%", finding.citations[0].quote) if finding.citations else None
        principal = principal_of(case, doc)
        if not rate or principal is None:
            continue
        case.use(finding)
        amount = float(principal.values["amount"]) * float(rate[1]) / 100
        yield Issue(
            "prepayment_cost", f"Repaying {case.counterparty(doc)} costs a premium of {case.money(amount)}",
            f"The debt must be repaid or may be called on the change of control, and a prepayment costs {rate[1]} % of the principal of {case.money(float(principal.values['amount']))}.",
            [finding, principal], severity=case.grade(amount, unknown="Medium"),
            exposure={"base": amount, "currency": case.currency, "of": f"{case.counterparty(doc)}: prepayment premium", "formula": f"{rate[1]} % x {case.money(float(principal.values['amount']))}"},
        )  # fmt: skip


ARCHETYPES = (
    Archetype(
        id="change_of_control_default",
        number=46,
        workstream="Debt",
        title="Change of control is a default or lets lenders call the debt",
        evidence="direct",
        severity="High",
        why="The debt becomes payable at closing.",
        next_step="Obtain a payoff letter and put the repayment into the funds flow, or the lender's consent.",
        protection="Closing condition (payoff and releases, or consent)",
        question="Is a change of control an event of default, or does it let lenders or holders demand repayment?",
        triggers=("change of control", "change in control", "fundamental change"),
        find=_control_default,
        check=_called,
    ),
    Archetype(
        id="financial_covenant",
        number=47,
        workstream="Debt",
        title="Financial covenant",
        evidence="direct",
        severity="Low",
        why="A breach lets the lender accelerate.",
        next_step="Recompute the ratio on the buyer's view of EBITDA.",
        question="Which ratios must be kept, and at what level? (values: maximum)",
        triggers=(" ratio", "leverage", "net worth", "ebitda", "coverage ratio"),
        find=_covenant,
        support=True,
    ),
    Archetype(
        id="covenant_breach",
        number=47,
        workstream="Debt",
        title="Covenant is broken once EBITDA is corrected",
        evidence="computed",
        severity="High",
        why="The lender may accelerate; the certificate that was given was wrong.",
        next_step="Obtain a waiver, or repay at closing; have the certificate corrected.",
        protection="Closing condition (waiver or payoff); specific indemnity",
        check=_covenant_breach,
    ),
    Archetype(
        id="prepayment_premium",
        number=51,
        workstream="Debt",
        title="Premium on prepayment",
        evidence="direct",
        severity="Medium",
        why="Repaying the debt at closing costs more than its principal.",
        next_step="Compute the premium on the payoff date and put it into the funds flow; agree that the seller bears it.",
        protection="Funds flow; debt-like item",
        question="What does it cost to repay early (premium, make-whole, break costs)?",
        triggers=("prepay", "make-whole", "make whole", "breakage", "redemption"),
        find=_prepaid,
    ),
    Archetype(
        id="prepayment_cost",
        number=51,
        workstream="Debt",
        title="Cost of repaying the debt at closing",
        evidence="computed",
        severity="Medium",
        why="It lowers what the seller gets, or raises what the buyer pays.",
        next_step="Agree who bears it and put it into the funds flow.",
        protection="Funds flow; debt-like item",
        check=_premium,
    ),
    Archetype(
        id="lien",
        number=48,
        workstream="Debt",
        title="Lien on the target's assets",
        evidence="direct",
        severity="Medium",
        why="Assets do not pass free of it.",
        next_step="Obtain releases at closing.",
        protection="Closing deliverable (releases)",
        question="Which liens, security interests or UCC filings are on record, and are they released? (values: holder_name, active)",
        triggers=(
            "secured party",
            "financing statement",
            "ucc-1",
            "mechanic's lien",
            "tax lien",
            "lien in favor",
            "lien in favour",
            "lien of ",
            "lien has been filed",
        ),
        event=True,
        find=rule(
            r"secured party:|(?:mechanic[’']?s|judgment|tax|federal) lien (?:was|has|is|of|in|filed|against)|lien (?:has been )?(?:filed|recorded)|\blien (?:of|in favou?r of) [A-Z]",
            no=(
                r"permitted liens? (?:means|shall)|shall not (?:create|incur|permit)|free and clear|representation|no lien|except",
            ),
            values=_lien_values,
        ),
    ),
    Archetype(
        id="debt_paid_off",
        number=0,
        workstream="Debt",
        title="Debt is said to be paid off",
        evidence="direct",
        severity="Low",
        why="The lien should have been released.",
        next_step="Check that the release was filed.",
        question="Does a letter confirm that a debt was paid in full?",
        triggers=("paid in full", "payoff", "paid off", "repaid in full"),
        find=_debt_paid,
        support=True,
    ),
    Archetype(
        id="unreleased_lien",
        number=48,
        workstream="Debt",
        title="Lien not released after payoff",
        evidence="absence",
        severity="Medium",
        why="The assets are still charged on the record; a closing lender will not fund over it.",
        next_step="Have the creditor file the termination before closing.",
        protection="Closing condition (termination statement)",
        check=_unreleased,
    ),
    Archetype(
        id="guarantee",
        number=50,
        workstream="Debt",
        title="Guarantee for another's debt",
        evidence="direct",
        severity="Medium",
        why="The target answers for what others owe; or credit support falls away at closing.",
        next_step="Obtain a release at closing, or replace the support.",
        protection="Closing deliverable (release); debt-like item",
        question="Does a party guarantee another's obligations, or depend on a parent's guarantee or letter of credit?",
        triggers=("guarant", "keepwell", "capital maintenance"),
        find=rule(
            r"(?:hereby |unconditionally |absolutely |irrevocably |and )+guarant(?:ee|ie|y)s?\b[^.;]{0,120}(?:payment|performance|obligations|indebtedness)|(?:guarantor|surety)\b[^.;]{0,60}(?:agrees|shall|hereby)[^.;]{0,80}(?:pay|guarant)|parent guarant|shall guarantee[^.;]{0,80}(?:obligations|payment|debt|indebtedness)",
            no=(
                r"does not guarantee|no guarant|not guarantee|minimum guarantee|guaranteed (?:minimum|payment)|without guarant|guarantees? that the|warrant",
            ),
            values=_sum,
        ),
    ),
)

"""Customers: how much revenue hangs on few contracts, and what those contracts allow. Needs the revenue table and the contracts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from redwell.diligence.archetypes.base import Archetype, Issue
from redwell.diligence.archetypes.case import Case, bare
from redwell.diligence.archetypes.stakes import day_said, reached, said, stake
from redwell.diligence.archetypes.words import dates

_WAIVER = "Obtain the customer's written waiver before signing, or make it a closing condition; otherwise hold back or lower the price by the revenue at risk."


def _remaining(case: Case, doc_findings: list[object]) -> tuple[float, str] | None:
    """Months until the contract ends by its own words, and how that was found."""
    if case.as_of is None:
        return None
    for finding in doc_findings:
        end = getattr(finding, "values", {}).get("expires")
        if end and str(end) > case.as_of.isoformat():
            day = dates(str(end))
            if day:
                return (day[0] - case.as_of).days / 30.4375, f"until {day_said(day[0])}"
    return None


def _control(case: Case) -> Iterator[Issue]:
    for doc in case.ordered():
        row = case.row_of(doc) if doc.is_contract else None
        found = [
            f
            for f in case.of(doc, "change_of_control_termination")
            if case.bound_is_target(doc, str(f.values.get("of", ""))) is not False
            and not case.is_target(doc.party(str(f.values.get("holder", ""))))
            and reached(case, f)
        ]
        if row is None or not found or not case.current(doc) or doc.family in ("credit", "security", "guarantee"):
            continue
        case.use(*found, *case.of(doc, "change_of_control_notice"))
        amount, share, who = float(row.values["amount"]), float(row.values["share"]), str(row.values["customer"])
        window = next((f.values["window_days"] for f in found if f.values.get("window_days")), None)
        left = _remaining(case, doc.findings)
        exposure: dict[str, Any] = {
            "base": amount,
            "low": 0.0,
            "high": amount,
            "currency": case.currency,
            "of": stake(case, row),
            "formula": f"one year of {row.values['measure']} from {who}: {case.money(amount)}",
        }
        if left:
            exposure["high"] = max(amount, round(amount * left[0] / 12, -3))
            exposure["formula"] += f"; high: the same over the {left[0]:.1f} months left {left[1]}"
        claim = (
            f"{who} accounts for {share:g} % of {row.values['measure']} ({case.money(amount)} of {case.money(float(row.values['total']))}) and may terminate its contract on a "
            f"change of control of the target"
            + (f", within {window} days" if window else "")
            + ". The transaction is such an event, so this revenue is not secured at closing."
        )
        if any(f.values.get("refund") for f in found):
            claim += " Prepaid fees would have to be refunded."
        yield Issue(
            "concentration_change_of_control", f"{who} ({share:g} % of revenue) may terminate on the change of control", claim, [*found[:4], row],
            severity=case.grade(amount, share), exposure=exposure,
        )  # fmt: skip


def _convenience(case: Case) -> Iterator[Issue]:
    for doc in case.ordered():
        row = case.row_of(doc) if doc.is_contract else None
        found = [
            f
            for f in case.of(doc, "termination_for_convenience")
            if not case.is_target(doc.party(str(f.values.get("holder", ""))))
        ]
        if row is None or not found or not case.current(doc):
            continue
        case.use(*found)
        amount, share, who = float(row.values["amount"]), float(row.values["share"]), str(row.values["customer"])
        notice = next((f.values["notice_days"] for f in found if f.values.get("notice_days")), None)
        refund = any(f.values.get("refund") for f in found)
        claim = f"{who} ({share:g} % of {row.values['measure']}, {case.money(amount)}) may terminate without cause" + (
            f" on {notice} days' notice" if notice else ""
        )
        claim += ", so that the revenue is contracted for the notice period only." + (
            " Prepaid fees are refunded pro rata, a liability that should be reserved." if refund else ""
        )
        open_ = [
            f for f in case.left("unreserved_liability") if refund and bare(who).split(" ")[0] in bare(" ".join(c.quote for c in f.citations)).split()
        ]  # fmt: skip
        case.use(*open_)
        if open_:
            claim += f" {case.doc(open_[0]).name} says that it is not: “{said(open_[0])}”"
        months = (notice or 30) / 30.4375
        yield Issue(
            "concentration_convenience", f"{who} ({share:g} % of revenue) may terminate for convenience", claim, [*found[:3], *open_[:1], row],
            severity=_lower(case.grade(amount, share)), contingent=True,
            exposure={
                "base": round(amount * max(0.0, 1 - months / 12), -2), "currency": case.currency, "of": stake(case, row),
                "formula": f"one year of {row.values['measure']} less the notice period: {case.money(amount)} x (1 - {notice or 30}/365)",
            },
        )  # fmt: skip


def _lower(severity: str) -> str:
    return {"Critical": "High"}.get(severity, severity)


def _concentrated(case: Case) -> Iterator[Issue]:
    rows = [
        r
        for r in case.revenue
        if not re.search(r"long-tail|other|various|accounts|customers", str(r.values["customer"]), re.IGNORECASE)
    ]
    if not rows:
        return
    top, three = float(rows[0].values["share"]), sum(float(r.values["share"]) for r in rows[:3])
    if top < 10 and three < 30:
        return
    names = ", ".join(f"{r.values['customer']} {float(r.values['share']):g} %" for r in rows[:5])
    total = float(rows[0].values["total"])
    amount = sum(float(r.values["amount"]) for r in rows[:3])
    yield Issue(
        "customer_concentration", f"The three largest customers make up {three:.1f} % of revenue",
        f"The largest customer makes up {top:g} %, the three largest {three:.1f} % of {rows[0].values['measure']} of {case.money(total)}: {names}.",
        rows[:5], severity="High" if top >= 25 or three >= 60 else "Medium",
        exposure={"not_quantified": f"{case.money(amount)} a year rests on three contracts; what is at risk under each is in the entries on those contracts"},
    )  # fmt: skip


ARCHETYPES = (
    Archetype(
        id="concentration_change_of_control",
        number=37,
        workstream="Contracts",
        title="A large customer may terminate on the change of control",
        evidence="cross-document",
        severity="Critical",
        why="The buyer pays for revenue that the customer is free to take away because of the deal itself.",
        next_step=_WAIVER,
        protection="Closing condition (waiver); special holdback or earn-out until the exercise window has lapsed",
        check=_control,
    ),
    Archetype(
        id="concentration_convenience",
        number=37,
        workstream="Contracts",
        title="A large customer may terminate for convenience",
        evidence="cross-document",
        severity="High",
        why="Revenue that can be ended without cause is worth less than contracted revenue, and the deck may not say so.",
        next_step="Speak to the customer under the process's rules; model the revenue as cancellable; ask for a new fixed term.",
        protection="Earn-out or price adjustment on retention",
        check=_convenience,
    ),
    Archetype(
        id="customer_concentration",
        number=37,
        workstream="Finance",
        title="Revenue is concentrated in few customers",
        evidence="computed",
        severity="High",
        why="Losing one of them changes the value of the business.",
        next_step="Read each of these contracts in full; hold customer calls; test the model without the largest customer.",
        protection="Earn-out; customer consents as closing conditions",
        check=_concentrated,
    ),
)

"""One document against another: what is assured against what is there, limits against acts, promises against purchases."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from redwell.diligence.archetypes.base import Archetype, Issue, Values
from redwell.diligence.archetypes.case import Case, bare
from redwell.diligence.archetypes.ends import expired, window
from redwell.diligence.archetypes.stakes import day_said, holder_of_rights, reached, said, where

_I = re.IGNORECASE


def _assurances(case: Case, topic: str) -> list[Any]:
    """What is assured outside contracts: a representation in one binds a party of that contract and describes no target."""
    return [
        f for f in case.kinds["fact:statement"] if f.values.get("topic") == topic and (not case.doc(f).is_contract or case.doc(f).family == "merger")
    ]  # fmt: skip


def _control_assured(case: Case) -> Iterator[Issue]:
    """Management says that no contract has a change-of-control term, and contracts have one."""
    assured = _assurances(case, "change_of_control")
    clauses = [
        f for f in case.kinds["change_of_control_termination"]
        if case.bound_is_target(case.doc(f), str(f.values.get("of", ""))) is not False and case.doc(f).is_contract and case.doc(f).family not in ("employment", "contractor", "credit", "security", "guarantee", "lease") and reached(case, f)
    ]  # fmt: skip
    calm = _assurances(case, "concentration")
    if not clauses or not (assured or calm):
        return
    docs = {case.doc(f).id: case.doc(f) for f in clauses}
    rows = [row for doc in docs.values() if (row := case.row_of(doc)) is not None]
    total = sum(float(row.values["amount"]) for row in rows)
    share = sum(float(row.values["share"]) for row in rows)
    if not assured and not rows:
        return
    first = (assured or calm)[0]
    doubts = [f for f in case.kinds["unconfirmed_statement"] if case.doc(f).id == case.doc(first).id]
    case.use(*doubts)
    exposure: Values = {"not_quantified": "the exposure is in the entries on the contracts concerned"}
    yield Issue(
        "management_contradicted", "Management's account of change-of-control exposure is contradicted by the contracts",
        f"{where(case.doc(first))} says: “{said(first)}” But {', '.join(case.counterparty(d) for d in docs.values())} may terminate on a change of control"
        + (f" ({share:.1f} % of revenue, {case.money(total)} a year)." if rows else ".")
        + (f" The same document notes: “{said(doubts[0])}”" if doubts else ""),
        [*(assured or calm)[:2], *calm[:1], *doubts[:1], *clauses[:4], *rows[:3]], severity="High" if share >= 5 or not rows else "Medium", exposure=exposure,
    )  # fmt: skip


def _disputes_assured(case: Case) -> Iterator[Issue]:
    denied = list(_assurances(case, "litigation"))
    claims = [
        f
        for kind in ("litigation_threat", "breach_notice", "infringement_claim", "violation_notice")
        for f in case.kinds[kind]
        if f.citations
    ]
    claims = [f for f in claims if all(case.doc(f).id != case.doc(s).id for s in denied)]
    if not denied or not claims:
        return
    by_doc: dict[str, Any] = {}
    for finding in claims:
        by_doc.setdefault(case.doc(finding).id, finding)
    amounts = [float(f.values["amount"]) for f in by_doc.values() if isinstance(f.values.get("amount"), int | float)]
    exposure: Values = {"not_quantified": "the claims name no sum"}
    if amounts:
        exposure = {
            "not_quantified": "the sums demanded are in the entries on the claims: "
            + " and ".join(case.money(a) for a in amounts)
        }
    names = "; ".join(where(case.docs[d]) for d in by_doc)
    yield Issue(
        "claim_not_scheduled", f"The statement that no claim is pending or threatened is contradicted by {len(by_doc)} document{'s' if len(by_doc) > 1 else ''}",
        f"{case.doc(denied[0]).title or case.doc(denied[0]).name} says: “{said(denied[0])}” The room holds claims: {names}.",
        [denied[0], *list(by_doc.values())[:12]], severity="High", exposure=exposure,
    )  # fmt: skip


def _liens_assured(case: Case) -> Iterator[Issue]:
    for finding in case.kinds["fact:statement"]:
        if finding.values.get("topic") != "liens" or id(finding) in case.used:
            continue
        text = bare(" ".join(c.quote for c in finding.citations))
        missed = [
            f
            for f in case.kinds["lien"]
            if f.values.get("holder_name")
            and bare(str(f.values["holder_name"])) not in text
            and case.doc(f).id != case.doc(finding).id
            and id(f) not in case.used
            and not any(
                bare(str(f.values["holder_name"]))
                in bare(f"{case.doc(p).title} {' '.join(case.doc(p).names)} {said(p)}")
                for p in case.kinds["debt_paid_off"]
            )  # one that was paid is an issue of its own
        ]
        if missed:
            case.use(*missed)
            yield Issue(
                "lien_not_scheduled", f"A lien on record is not in the schedule: {missed[0].values['holder_name']}",
                f"{case.doc(finding).title or case.doc(finding).name} lists liens as: “{said(finding)}” The search shows also that of {', '.join(str(f.values['holder_name']) for f in missed[:6])}.",
                [finding, *missed[:6]], exposure={"not_quantified": "the sums secured are not in the documents"},
            )  # fmt: skip


def _minute_gaps(case: Case) -> Iterator[Issue]:
    gaps = []
    for finding in case.kinds["fact:register"]:
        row = finding.values.get("row") or {}
        if any(re.search(r"meeting|minutes", str(name), _I) for name in row) and any(
            re.fullmatch(r"missing|no|not (?:prepared|found|signed|located)|none|tbd", str(v).strip(), _I)
            for v in row.values()
        ):
            gaps.append((finding, "; ".join(f"{k}: {v}" for k, v in row.items())))
    if gaps:
        noted = [f for f in case.kinds["fact:statement"] if f.values.get("topic") == "minutes"]
        yield Issue(
            "minute_book_gap", f"{len(gaps)} meeting{'s have' if len(gaps) > 1 else ' has'} no minutes in the minute book",
            "The index of the minute book shows as missing: " + re.sub(r"\d{4}-\d{2}-\d{2}", lambda day: day_said(day[0]), " / ".join(text for _, text in gaps[:10])) + ". What was resolved there, or not, cannot be shown.",
            [*(f for f, _ in gaps[:10]), *noted[:2]], searched=f"{len(case.docs)} documents for minutes or consents of these dates",
            exposure={"not_quantified": "depends on what rests on the resolutions"},
        )  # fmt: skip


def _authority(case: Case) -> Iterator[Issue]:
    """Contracts above the limit of authority whose counterparty no minutes name."""
    for finding in case.kinds["fact:authority"]:
        limit = float(finding.values["limit"])
        papers = case.family("minutes")
        above = []
        for doc in case.ordered():
            worth = case.annual(doc)
            if (
                doc.is_contract
                and doc.family in ("contract", "order", "contractor", "credit", "licence")
                and worth
                and worth[0] > limit
                and case.others(doc)
            ):
                named = any(
                    bare(case.others(doc)[0]) in bare(" ".join(c.quote for f in minutes.findings for c in f.citations))
                    for minutes in papers
                )
                if not named:
                    above.append((doc, worth))
        if above:
            yield Issue(
                "no_board_approval", f"{len(above)} contract{'s' if len(above) > 1 else ''} above the limit of authority {'show' if len(above) > 1 else 'shows'} no approval by the board",
                f"“{said(finding)}” No minutes in the room approve: " + "; ".join(f"{case.counterparty(d)} ({case.money(w[0])} a year, {d.name})" for d, w in above[:12]) + ".",
                [finding, *(w[2] for _, w in above[:12])], searched=f"{len(papers)} set{'s' if len(papers) != 1 else ''} of minutes and resolutions for approvals of these contracts", evidence="absence",
                exposure={"not_quantified": "the contracts may be open to challenge; no loss is known"},
            )  # fmt: skip
        break


def _shortfall(case: Case) -> Iterator[Issue]:
    """Purchases below a take-or-pay quantity."""
    for finding in case.kinds["fact:register"]:
        row = {str(k).casefold(): str(v) for k, v in (finding.values.get("row") or {}).items()}
        bought = _figure(row, r"(?:units|quantity|volume)? ?(?:purchased|bought|taken|delivered)")
        floor = _figure(row, r"take-or-pay|minimum|commit")
        price = _figure(row, r"price")
        if bought is None or floor is None or bought >= floor:
            continue
        stem = re.split(r"[\W_]+", case.doc(finding).name)[0].casefold()
        clause = next(
            (
                f
                for f in case.kinds["minimum_commitment"]
                if case.doc(f).is_contract
                and (stem in case.doc(f).path.casefold() or f.values.get("quantity") == floor)
            ),
            None,
        )
        price = price or (
            float(clause.values["unit_price"]) if clause is not None and clause.values.get("unit_price") else None
        )
        if clause is None:
            continue
        case.use(clause, *case.of(case.doc(clause), "minimum_commitment"))
        missing = floor - bought
        exposure: Values = {"not_quantified": "the unit price is not in the documents"}
        if price:
            exposure = {
                "base": missing * price,
                "currency": case.currency,
                "of": f"{case.counterparty(case.doc(clause))}: shortfall",
                "formula": f"({floor:,.0f} - {bought:,.0f}) units x {price:,.2f}",
            }
        yield Issue(
            "take_or_pay_shortfall", f"Purchases from {case.counterparty(case.doc(clause))} are {missing:,.0f} units below the take-or-pay quantity",
            f"In {next(iter(row.values()))} {bought:,.0f} units were bought against a commitment of {floor:,.0f}; the shortfall of {missing:,.0f} units must be paid for" + (f": {case.money(missing * price)}." if price else "."),
            [clause, finding], severity=case.grade(missing * price if price else None), exposure=exposure,
        )  # fmt: skip


def _figure(row: dict[str, str], pattern: str) -> float | None:
    for name, value in row.items():
        if re.search(pattern, name, _I) and (match := re.fullmatch(r"[$€£]?\s?([\d,]+(?:\.\d+)?)", value.strip())):
            return float(match[1].replace(",", ""))
    return None


def _within(who: str) -> str:
    """A name within a sentence."""
    return who[0].lower() + who[1:] if who.startswith("The ") else who


def _investor_rights(case: Case) -> Iterator[Issue]:
    for doc in case.ordered():
        found = case.of(doc, "investor_veto", "investor_put")
        if not found or id(found[0]) in case.used or doc.family in ("contract", "licence", "credit"):
            continue
        case.use(*found, *case.of(doc, "change_of_control_consent"))
        put = next((f for f in found if f.kind == "investor_put"), None)
        exposure: Values = {"not_quantified": "the investor's price for its consent is not known"}
        if put is not None and isinstance(put.values.get("amount"), int | float):
            times = float(put.values.get("times") or 1)
            exposure = {
                "base": times * float(put.values["amount"]),
                "currency": case.currency,
                "of": f"{case.counterparty(doc)}: put",
                "formula": f"{times:g} x {case.money(float(put.values['amount']))}, the put price",
            }
        who = holder_of_rights(case, doc, found[0])
        have = "have" if who.startswith("The ") else "has"
        yield Issue(
            "investor_rights", f"{who} {have} " + ("a veto and a put" if put is not None and len({f.kind for f in found}) > 1 else "a put" if put is not None else "a veto over the transaction"),
            f"{where(doc)}: “{said(found[0])}”" + (f" And: “{said(put)}”" if put is not None and put is not found[0] else "") + " No consent or waiver is in the room.",
            found[:4], searched=f"{len(case.docs)} documents for a consent or waiver of {_within(who)}", exposure=exposure,
            severity="Critical" if any(f.kind == "investor_veto" for f in found) else "High",
            next_step=f"Obtain from {_within(who)} a written consent to the transaction and a termination of these rights, effective at closing.",
            protection=f"Closing condition: consent of {_within(who)} and termination of the rights",
        )  # fmt: skip


def _figures_differ(case: Case) -> Iterator[Issue]:
    """The same customer's revenue in two tables, or a contract's fee against the table, that do not agree."""
    by_name: dict[str, list[Any]] = defaultdict(list)
    for finding in case.kinds["fact:revenue"]:
        by_name[bare(str(finding.values["customer"]))].append(finding)
    for findings in by_name.values():
        first = findings[0]
        for other in findings[1:]:
            same = (
                str(first.values["measure"])[:3].casefold() == str(other.values["measure"])[:3].casefold()
                or case.doc(first).date == case.doc(other).date
            )
            gap = abs(float(first.values["amount"]) - float(other.values["amount"]))
            if same and case.doc(first).id != case.doc(other).id and gap > 0.005 * float(first.values["amount"]):
                yield _differ(case, first, other, gap, str(first.values["customer"]))
                break
    for doc in case.ordered():
        row = case.row_of(doc)
        fee = next((f for f in case.of(doc, "fact:amount") if "annual fee" in str(f.values.get("label", ""))), None)
        if (
            row is not None
            and fee is not None
            and case.doc(row).id != doc.id
            and fee.values.get("currency") == row.values.get("currency")
        ):
            gap = abs(float(row.values["amount"]) - float(fee.values["amount"]))
            if 0.005 * float(row.values["amount"]) < gap < 3 * float(row.values["amount"]):
                yield _differ(case, fee, row, gap, str(row.values["customer"]))


def _differ(case: Case, one: Any, other: Any, gap: float, who: str) -> Issue:
    a, b = float(one.values["amount"]), float(other.values["amount"])
    return Issue(
        "figures_differ", f"Two documents give different figures for {who}",
        f"{case.doc(one).name} says {case.money(a)}, {case.doc(other).name} says {case.money(b)}: a difference of {case.money(gap)}.",
        [one, other], severity=case.grade(gap), exposure={"base": gap, "currency": case.currency, "of": f"{who}: difference", "formula": f"{max(a, b):,.0f} - {min(a, b):,.0f}"},
    )  # fmt: skip


def _dates_differ(case: Case) -> Iterator[Issue]:
    """A data processing agreement that another document dates otherwise than it dates itself."""
    for finding in case.kinds["fact:reference"]:
        doc, day = case.doc(finding), str(finding.values.get("date", ""))
        quoted = bare(" ".join(c.quote for c in finding.citations))
        if not day or not re.search(r"\bdpa\b|data processing", quoted):
            continue
        for other in case.family("dpa"):
            named = any(bare(name).split(" ")[0] in quoted.split() for name in case.others(other) if bare(name))
            if other.id == doc.id or other.date in ("", day) or not named:
                continue
            yield Issue(
                "dates_differ", f"{other.title or other.name} is dated {day_said(other.date)}, but {doc.name} dates it {day_said(day)}",
                f"{doc.name} says: “{said(finding)}” The document in the room ({other.name}) is dated {day_said(other.date)}. Either there is an earlier agreement that is not in the room, or one of the dates is wrong.",
                [finding, other.fact], severity="Low", exposure={"not_quantified": "a question of which agreement was in force when"},
            )  # fmt: skip
            return


def _group_bound(case: Case) -> Iterator[Issue]:
    """Restrictions that reach affiliates of the target, and so the buyer's group after closing."""
    found = []
    for kind in ("exclusivity", "non_compete"):
        for finding in case.left(kind):
            doc = case.doc(finding)
            if (
                finding.values.get("affiliates")
                and case.current(doc)
                and case.bound_is_target(doc, str(finding.values.get("bound", "")))
            ):
                found.append((doc, finding))
    for doc in {d.id: d for d, _ in found}.values():
        mine = [f for d, f in found if d.id == doc.id]
        case.use(*mine, *case.of(doc, "exclusivity", "non_compete"))
        row = case.row_of(doc)
        yield Issue(
            "restriction_binds_group", f"Restriction agreed with {case.counterparty(doc)} would bind the buyer's group",
            f"{where(doc)}: “{said(mine[0])}” After closing {case.buyer or 'the buyer'} and its companies are affiliates of the target.",
            [*mine[:3], *([row] if row is not None else [])], severity="High" if case.target else "Medium", evidence="direct" if row is None else "cross-document",
            exposure={"not_quantified": "the buyer's own sales in the field and territory are not in the documents"},
        )  # fmt: skip


def _escrow_release(case: Case) -> Iterator[Issue]:
    for finding in list(case.left("source_code_escrow")):
        doc = case.doc(finding)
        if not finding.values.get("control") or id(finding) in case.used:
            continue
        same = case.of(doc, "source_code_escrow")
        limb = [f for f in same if f.values.get("names_control")]
        finding = next(iter(limb), finding)
        case.use(*same)
        row = case.row_of(doc)
        yield Issue(
            "escrow_release", f"Source code is released from escrow on the change of control: {case.counterparty(doc)}",
            f"{where(doc)}: “{said(finding)}” The transaction is a release event.",
            [finding, *(f for f in same if f is not finding)][:3] + ([row] if row is not None else []), severity="High",
            exposure={"not_quantified": "the value of the code in a customer's hands"}, evidence="direct",
        )  # fmt: skip


def _law_of_operation(case: Case) -> Iterator[Issue]:
    """Anti-assignment clauses that reach the chosen structure."""
    structure = str(case.deal.get("structure") or "")
    wanted = {"merger": "operation_of_law", "asset purchase": ""}
    if structure not in wanted:
        return
    found = [
        f for f in case.left("anti_assignment")
        if (structure == "asset purchase" or f.values.get("operation_of_law")) and not f.values.get("deal_exception") and case.bound_is_target(case.doc(f), str(f.values.get("bound", ""))) is not False
    ]  # fmt: skip
    by_doc = {case.doc(f).id: f for f in found}
    if not by_doc:
        return
    case.use(*found)
    known = [(case.docs[d], case.annual(case.docs[d])) for d in by_doc]
    total = sum(w[0] for _, w in known if w)
    share = sum(float(row.values["share"]) for d in by_doc if (row := case.row_of(case.docs[d])) is not None)
    yield Issue(
        "assignment_by_structure", f"The {structure} needs consents under {len(by_doc)} contracts",
        f"The deal is a {structure}. " + ("Contracts pass only with the other side's consent" if structure == "asset purchase" else "These clauses reach an assignment by operation of law, which a merger in which the target does not survive may be") + ": "
        + "; ".join(f"{case.counterparty(d)} ({d.name})" for d, _ in known[:40]) + ".",
        list(by_doc.values())[:100], severity=case.grade(total or None, share or None), evidence="cross-document" if len(by_doc) > 1 else "direct",
        exposure={"base": total, "currency": case.currency, "of": "contracts that pass only with consent", "formula": "one year of each contract with a known value"} if total else {"not_quantified": "the contracts' value is not in the documents"},
    )  # fmt: skip


ARCHETYPES = (
    Archetype(
        id="management_contradicted", number=15, workstream="Finance", title="Management's account is contradicted by the contracts", evidence="cross-document", severity="High",
        why="The buyer was told otherwise; other statements of the same source deserve doubt.", next_step="Put the contradiction to management; have the point scheduled and represented.", protection="Specific representation; disclosure schedule correction", check=_control_assured,
    ),
    Archetype(
        id="claim_not_scheduled", number=16, workstream="Litigation", title="A claim is not in the disclosure schedule", evidence="cross-document", severity="High",
        why="What is not scheduled may be a breach of the representation, and what is, is no longer one.", next_step="Have the schedule corrected and agree an indemnity for the claims.", protection="Schedule correction with specific indemnity", check=_disputes_assured,
    ),
    Archetype(
        id="lien_not_scheduled", number=17, workstream="Debt", title="A lien is not in the disclosure schedule", evidence="cross-document", severity="Medium",
        why="The schedule is wrong, or the lien should have been released.", next_step="Obtain the filing and its secured debt; have the schedule corrected or the lien released.", protection="Schedule correction; release as closing condition", check=_liens_assured,
    ),
    Archetype(
        id="minute_book_gap", number=4, workstream="Corporate", title="The minute book has a gap", evidence="absence", severity="Medium",
        why="Acts that needed the resolution may be void.", next_step="Request the minutes or a ratification; officer's certificate.", protection="Ratification as closing condition", check=_minute_gaps,
    ),
    Archetype(
        id="no_board_approval", number=3, workstream="Corporate", title="Contract above the limit of authority without approval", evidence="absence", severity="Medium",
        why="The act was not within the officers' authority.", next_step="Request the approvals, or a ratifying resolution.", protection="Ratification as closing condition", check=_authority,
    ),
    Archetype(
        id="take_or_pay_shortfall", number=34, workstream="Contracts", title="Purchases are below the take-or-pay quantity", evidence="computed", severity="Medium",
        why="The shortfall is payable and may not be accrued.", next_step="Confirm whether it was invoiced or waived; treat as debt.", protection="Debt-like item", check=_shortfall,
    ),
    Archetype(
        id="investor_rights", number=9, workstream="Capitalization", title="An investor's side letter can block the deal or costs money", evidence="direct", severity="High",
        why="Without the investor's consent the transaction breaks the letter and sets off its remedies.", next_step="Obtain consent and a termination of the letter at closing.", protection="Closing condition (consent and termination)", check=_investor_rights,
    ),
    Archetype(
        id="expired_contract", number=31, workstream="Contracts", title="Contract has ended by its own words", evidence="computed", severity="Low",
        why="What is performed without a contract can be stopped at any time.", next_step="Ask for the renewal or confirm in writing on what terms each is still performed.", protection="Representation that the listed contracts are in force; new terms with those that matter before closing", check=expired,
    ),
    Archetype(
        id="renewal_window", number=31, workstream="Contracts", title="Window for notice of non-renewal", evidence="computed", severity="Medium",
        why="A large contract can end about the time of closing.", next_step="Obtain the customer's confirmation of the renewal.", protection="Closing condition or holdback", check=window,
    ),
    Archetype(
        id="figures_differ", number=54, workstream="Finance", title="Documents give different figures", evidence="cross-document", severity="Medium",
        why="One of them is wrong, and the model may rest on it.", next_step="Have both reconciled to the ledger.", protection="Reconciliation as closing condition", check=_figures_differ,
    ),
    Archetype(
        id="dates_differ", number=17, workstream="Data room integrity", title="Documents date the same agreement differently", evidence="cross-document", severity="Low",
        why="There may be an earlier agreement.", next_step="Ask for the earlier agreement or a correction.", protection="Representation on the complete list of agreements", check=_dates_differ,
    ),
    Archetype(
        id="restriction_binds_group", number=32, workstream="Contracts", title="Restriction reaches the buyer's group", evidence="direct", severity="High",
        why="The buyer's own business may be closed in the field or territory.", next_step="Compare with the buyer's business; obtain a carve-out before signing.", protection="Carve-out amendment as closing condition", check=_group_bound,
    ),
    Archetype(
        id="escrow_release", number=45, workstream="IP", title="Change of control releases source code", evidence="direct", severity="High",
        why="The transaction itself hands the code to a customer.", next_step="Amend the release event, or obtain a waiver.", protection="Closing condition (amendment or waiver)", check=_escrow_release,
    ),
    Archetype(
        id="assignment_by_structure", number=26, workstream="Contracts", title="The deal's structure needs consents", evidence="cross-document", severity="Medium",
        why="Without the consents the contracts do not pass.", next_step="Change the structure, or collect the consents.", protection="Structure; consents as closing condition", check=_law_of_operation,
    ),
)  # fmt: skip

"""Employment: what the transaction makes payable, who is bound, and who never signed over what they made."""

from __future__ import annotations

import re
from collections.abc import Iterator

from redwell.diligence.archetypes import words
from redwell.diligence.archetypes.base import Archetype, Clause, Hit, Issue, Values, rule
from redwell.diligence.archetypes.case import Case, Doc
from redwell.diligence.archetypes.stakes import said

_I = re.IGNORECASE
_CONTROL = (
    r"change (?:of|in) (?:\w+ )?control|change[- ]of[- ]control|sale of the company|corporate transaction|sale event"
)


def _sum(clause: Clause) -> Values:
    sums = words.money(clause.text)
    values: Values = {"amount": max(sums)[0], "currency": max(sums)[1]} if sums else {}
    multiple = re.search(
        r"\b(one|two|three|four|\d(?:\.\d+)?)\s*(?:\(\s?(\d(?:\.\d+)?)\s?x?\s?\))?\s*(?:times|x|multiplied)[^.;]{0,60}(?:base )?(?:salary|compensation|annual)",
        clause.text,
        _I,
    )
    if multiple:
        named = {"one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0}
        values["multiple"] = float(multiple[2] or named.get(multiple[1].lower()) or multiple[1])
    return values


def _single_trigger(clause: Clause) -> Hit | None:
    text = clause.full
    if clause.family in ("credit",) or not re.search(
        r"executive|employee|participant|officer|award|option|grantee|holder|director|unvested|restricted stock|consultant",
        text + clause.context,
        _I,
    ):
        return None
    control = re.search(_CONTROL, text, _I)
    if not control:
        return None
    vests = re.search(r"(?:vest|exercisable|lapse|accelerat)\w*", text, _I)
    pays = re.search(
        r"(?:shall|will) (?:be paid|pay|receive|be entitled)[^.;]{0,120}(?:lump sum|bonus|payment|salary|severance|retention)|lump sum",
        text,
        _I,
    )
    if not vests and not pays:
        return None
    double = re.search(
        r"terminat\w*|good reason|without cause|involuntar\w+|resign\w*|separation from service|constructive|discharge|ceases? to be employed",
        text,
        _I,
    )
    if double or re.search(
        rf"(?:[\"“”]?(?:{_CONTROL})[\"“”]? (?:shall )?(?:means?|have the))|no accelerat|not (?:be )?accelerat|shall not vest",
        text,
        _I,
    ):
        return None
    if not re.search(
        rf"(?:upon|on|in the event of|if|immediately (?:prior|before)|following|at|occurrence|consummation|effective|date of)[^.;]{{0,80}}(?:{_CONTROL})|(?:{_CONTROL})[^.;]{{0,60}}(?:occurs?|shall occur|all|each)",
        text,
        _I,
    ):
        return None
    return Hit(_sum(clause), (vests or pays or control)[0])


def _severance(clause: Clause) -> Hit | None:
    text = clause.full
    control = re.search(_CONTROL, text, _I)
    if re.search(
        rf"(?:other than|except)[^.;]{{0,80}}in connection with (?:a |any )?(?:{_CONTROL})|accrued but unpaid", text, _I
    ):
        return None
    if not control or not re.search(r"terminat\w*|good reason|without cause|involuntar", text, _I):
        return None
    found = re.search(
        r"(?:times|multiple|months|year[s’'])[^.;]{0,60}(?:salary|compensation|pay\b|bonus)|severance|lump sum|accelerat\w*|fully vest|immediately vest|280G|gross-?up|excise tax",
        text,
        _I,
    )
    if not found or re.search(rf"[\"“”](?:{_CONTROL})[\"“”] (?:shall )?means?", text, _I):
        return None
    if not re.search(r"executive|employee|employment|participant|officer|consultant", text + clause.context, _I):
        return None
    return Hit(_sum(clause), found[0])


def _payments(case: Case) -> Iterator[Issue]:
    """What closing, or closing and a dismissal, makes payable: multiples of the salary that the same document names."""
    lines, total, parts = [], 0.0, []
    for doc in case.ordered():
        found = [f for f in case.of(doc, "single_trigger", "control_severance") if f.values.get("multiple")]
        salary = next(
            (f for f in doc.findings if f.kind == "fact:amount" and "salary" in str(f.values.get("label", ""))), None
        )
        if not found or salary is None or not case.current(doc):
            continue
        best = max(found, key=lambda f: float(f.values["multiple"]))
        amount = float(best.values["multiple"]) * float(salary.values["amount"])
        total += amount
        lines.append(
            f"{doc.name}: {best.values['multiple']:g} x {case.money(float(salary.values['amount']))} = {case.money(amount)}"
        )
        parts += [best, salary]
        case.use(*found)
    if lines:
        yield Issue(
            "control_payments", f"Payments to executives on the change of control: {case.money(total)}",
            "Agreements of executives make sums payable on a change of control, or on a dismissal after one: " + "; ".join(lines) + ". Vesting of equity and employer taxes come on top.",
            parts, severity=case.grade(total, unknown="Medium"), exposure={"base": total, "currency": case.currency, "of": "executives: change-of-control pay", "formula": " + ".join(lines)},
        )  # fmt: skip


def _census_gaps(case: Case) -> Iterator[Issue]:
    """People who, by the employer's own list, signed no assignment."""
    gaps = []
    for finding in case.kinds["fact:register"]:
        row = finding.values.get("row") or {}
        column = next((name for name in row if re.search(r"invention|piia|ip assign|assignment", name, _I)), None)
        if column and re.fullmatch(
            r"no|none|missing|n|not (?:on file|signed)|outstanding", str(row[column]).strip(), _I
        ):
            gaps.append(
                (
                    finding,
                    next(
                        (str(row[n]) for n in row if re.search(r"title|role|position|name", n, _I)), finding.claim[:60]
                    ),
                )
            )
    if gaps:
        who = "; ".join(name for _, name in gaps[:20])
        yield Issue(
            "no_invention_assignment", f"No signed invention assignment: {who}"[:180],
            f"By the target's own list {len(gaps)} {'person has' if len(gaps) == 1 else 'people have'} no invention assignment on file: {who}. Where they made what is sold, the target may not own it.",
            [finding for finding, _ in gaps[:20]], workstream="IP", searched=f"{len(case.docs)} documents for a signed assignment by these people", severity="High",
            exposure={"not_quantified": "depends on what these people made; revenue of the products concerned is not broken down in the documents"},
        )  # fmt: skip


_BUILDS = r"(?:develop|design|creat|build|built|author|engineer|writ|program|implement|deliver)\w*[^.;]{0,140}(?:software|code|engine|platform|module|product|system|algorithm|deliverable|technology|application|design|invention)"
_WEAK_ONLY = re.compile(r"agrees? to assign|(?:shall|will) assign", _I)
_FEE = r"(?:pay|pays|paid|fees?|compensation|price)\b[^;]{0,80}?(?:US)?[$€£]\s?[\d,]{4,}"
_ASSIGNS = re.compile(
    r"hereby (?:irrevocably )?(?:assign|transfer|convey)|assigns? (?:to|all)|work(?:s)? (?:made )?for hire|sole (?:and exclusive )?property of (?:the )?(?:company|client|customer)|(?:shall|will) (?:be owned by|belong to|vest in) (?:the )?(?:company|client)",
    _I,
)


def _makes_over(quote: str) -> bool:
    """Whether the words give what a contractor makes to the target, and do not only speak of what employees sign."""
    return bool(_ASSIGNS.search(quote)) and not re.search(r"under which employees|standard form of employee", quote, _I)


def _maker(case: Case, doc: Doc) -> str:
    """The party that the agreement calls its contractor, or by a like word; the only other party where it calls none so."""
    named = next(
        (
            name
            for alias in ("contractor", "consultant", "developer", "independent contractor")
            if (name := doc.party(alias))
        ),
        "",
    )
    others = case.others(doc)
    return named or (others[0] if case.target and len(others) == 1 else "")


def _contractor(case: Case) -> Iterator[Issue]:
    for doc in case.family("contractor"):
        builds = case.of(doc, "contractor_work")
        if not builds or (
            case.of(doc, "ip_assignment")
            and any(_makes_over(c.quote) for f in case.of(doc, "ip_assignment") for c in f.citations)
        ):
            continue
        granted = case.of(doc, "contractor_licence", "contractor_retains")
        case.use(*builds, *granted)
        contrast = next(
            (
                f
                for d in case.family("invention_assignment")
                if not case.of(d, "agrees_to_assign")
                for f in case.of(d, "ip_assignment")
                if re.search(r"hereby (?:irrevocably )?assign", " ".join(c.quote for c in f.citations), _I)
            ),
            None,
        )
        cost = next(
            (f for f in doc.findings if f.kind == "fact:amount" and re.search(r"fee", str(f.values.get("label", "")))),
            next((f for f in case.of(doc, "contractor_fee") if isinstance(f.values.get("amount"), int | float)), None),
        )
        who = _maker(case, doc)
        if not who or case.is_target(who):
            continue
        exposure: Values = {
            "not_quantified": "cost of rebuilding what was made, and the revenue that rests on it, are not in the documents"
        }
        if cost is not None:
            exposure = {
                "low": float(cost.values["amount"]),
                "base": float(cost.values["amount"]),
                "currency": case.currency,
                "of": f"{who}: work",
                "formula": f"at least what was paid for the work: {case.money(float(cost.values['amount']))}; the revenue that rests on it comes on top",
            }
        yield Issue(
            "contractor_no_assignment", f"{who} builds technology for the target and assigns no rights in it"[:190],
            f"{doc.title or doc.name} ({doc.name}) has {who} develop software for the target and holds no assignment of what is made"
            + (f"; it says instead: “{said(granted[0])}”" if granted else "") + ". The contractor is the owner unless a separate assignment exists"
            + ("; the target's own employee form has a present assignment." if contrast is not None else "."),
            [*builds[:2], *granted[:2], *([contrast] if contrast is not None else []), *([cost] if cost is not None else [])],
            evidence="absence", searched=f"{doc.name} for words of assignment, and {len(case.docs)} documents for an assignment by {who}", severity="High", exposure=exposure,
        )  # fmt: skip


ARCHETYPES = (
    Archetype(
        id="single_trigger",
        number=87,
        workstream="Employment",
        title="Payment or vesting on the change of control alone",
        evidence="direct",
        severity="Medium",
        why="It costs money at closing and removes what would keep the person.",
        next_step="Obtain the schedule of unvested awards and base pay; compute the payment, employer taxes and any 280G excise tax.",
        protection="Transaction-expense item in the price; new retention awards at closing",
        question="Does a change of control by itself make payments due or equity vest (single trigger)? (values: amount, multiple of salary)",
        triggers=(
            "of control",
            "in control",
            "of-control",
            "sale of the company",
            "corporate transaction",
            "sale event",
        ),
        find=_single_trigger,
    ),
    Archetype(
        id="control_severance",
        number=87,
        workstream="Employment",
        title="Severance after a change of control",
        evidence="direct",
        severity="Medium",
        why="Dismissals after closing cost a multiple of pay, and gross-ups come on top.",
        next_step="Compute the cost of a dismissal of each person within the protection period, gross-ups included.",
        protection="Price where dismissals are planned; retention plan",
        question="What is due when someone is dismissed after a change of control (double trigger), including gross-ups? (values: multiple)",
        triggers=("of control", "in control", "of-control"),
        find=_severance,
    ),
    Archetype(
        id="control_payments",
        number=87,
        workstream="Employment",
        title="Sum of the payments on the change of control",
        evidence="computed",
        severity="Medium",
        why="It lowers the value of what is bought.",
        next_step="Have the schedule of payments confirmed by the target; check 280G.",
        protection="Price; transaction-expense item",
        check=_payments,
    ),
    Archetype(
        id="key_person",
        number=88,
        workstream="Employment",
        title="Contract or business depends on a named person",
        evidence="direct",
        severity="Medium",
        why="If the person leaves, a counterparty may end the contract, or the know-how is gone.",
        next_step="Secure the person by a new agreement before closing.",
        protection="Closing condition (employment agreement)",
        question="Does a contract depend on named persons staying?",
        triggers=("key person", "key personnel", "key employee", "key man", "keyman", "key executive"),
        find=rule(
            r"key (?:person|personnel|employee|man|executive)s?\b[^.;]{0,160}(?:terminat|leave|cease|depart|default|unavailab|no longer|continue to)|(?:terminat|default)\w*[^.;]{0,160}key (?:person|man|employee|executive)|keyman (?:event|clause|insurance)|key person (?:event|clause)",
        ),
    ),
    Archetype(
        id="no_invention_assignment",
        number=69,
        workstream="IP",
        title="No invention assignment on file",
        evidence="absence",
        severity="High",
        why="Without a written assignment what a person made may be theirs.",
        next_step="Obtain confirmatory assignments before closing.",
        protection="Closing condition (confirmatory assignments)",
        check=_census_gaps,
    ),
    Archetype(
        id="contractor_work",
        number=71,
        workstream="IP",
        title="Contractor develops technology",
        evidence="direct",
        severity="Low",
        why="A contractor owns what it makes unless it assigns it in writing.",
        next_step="Check for a present assignment.",
        question="Does a contractor or consultant develop software or technology?",
        triggers=("develop", "design", "creat", "build", "engineer", "program"),
        find=lambda c: _made(c),
        support=True,
    ),
    Archetype(
        id="contractor_fee",
        number=71,
        workstream="IP",
        title="What a contractor is paid",
        evidence="direct",
        severity="Low",
        why="It is the least that the work is worth.",
        next_step="Check that it was paid.",
        question="What is a contractor or consultant paid for its work? (values: amount)",
        triggers=("$", "€", "£", "usd"),
        find=lambda c: Hit(_sum(c), "pay") if c.family == "contractor" and re.search(_FEE, c.text, _I) else None,
        support=True,
    ),
    Archetype(
        id="contractor_licence",
        number=71,
        workstream="IP",
        title="Contractor only licenses what it makes",
        evidence="direct",
        severity="Low",
        why="A licence is not ownership.",
        next_step="Check for a present assignment.",
        question="Does a contractor only license what it makes, or keep the rights in it, or leave ownership to be agreed?",
        triggers=("grants to", "retains", "agree in good faith", "ownership of"),
        find=lambda c: _licensed(c),
        support=True,
    ),
    Archetype(
        id="contractor_no_assignment",
        number=71,
        workstream="IP",
        title="Contractor built technology and assigned nothing",
        evidence="absence",
        severity="High",
        why="The target sells what it may not own; the contractor can license it to competitors or hold up the deal.",
        next_step="Obtain a present assignment, with waiver of moral rights, from the contractor before closing.",
        protection="Closing condition (assignment); IP indemnity",
        check=_contractor,
    ),
    Archetype(
        id="union",
        number=91,
        workstream="Employment",
        title="Union, collective agreement or organising",
        evidence="direct",
        severity="Medium",
        why="A successor clause binds the buyer; wages and flexibility differ from the model.",
        next_step="Obtain the agreement and the state of any petition; read the successor clause.",
        protection="Covenant; model",
        question="Is there a collective agreement, union petition or strike?",
        triggers=("union", "collective bargaining", "works council", "strike", "nlrb"),
        event=True,
        find=rule(
            r"collective bargaining agreement (?:with|between|dated|covering)|(?:union|NLRB)[^.;]{0,60}(?:petition|election|represent\w+ (?:the |its |our )?employees|organi[sz]ing (?:drive|campaign))|works council",
            no=(
                r"not (?:a )?part(?:y|ies) to|no (?:union|collective)|acts of god|force majeure|credit union|european union",
            ),
        ),
    ),
    Archetype(
        id="pension_deficit",
        number=92,
        workstream="Employment",
        title="Pension deficit or withdrawal liability",
        evidence="direct",
        severity="High",
        why="It is debt by another name.",
        next_step="Obtain the actuary's latest estimate; treat as debt.",
        protection="Debt-like item",
        question="Is there an underfunded plan or withdrawal liability?",
        triggers=(
            "withdrawal liability",
            "underfund",
            "unfunded",
            "multiemployer",
            "multi-employer",
            "actuarial deficit",
        ),
        event=True,
        find=rule(
            r"withdrawal liability[^.;]{0,80}(?:\$|estimate|assess|of)|(?:plan|scheme)[^.;]{0,80}(?:is|was|are) (?:significantly )?underfunded|unfunded (?:pension|benefit|accrued)[^.;]{0,40}(?:liabilit|obligation)[^.;]{0,40}(?:of|\$)",
            no=(r"\bno\b[^.;]{0,60}withdrawal liability|unfunded and unsecured|not (?:incurred|subject)|represents",),
            values=_sum,
        ),
    ),
    Archetype(
        id="misclassification",
        number=89,
        workstream="Employment",
        title="Contractors who work like employees",
        evidence="direct",
        severity="Medium",
        why="Taxes, benefits and overtime may be owed for years.",
        next_step="Review the engagements against the applicable test.",
        protection="Specific indemnity",
        question="Is anyone treated as a contractor who works like an employee, or is a wage claim pending?",
        triggers=("misclassif", "unpaid overtime", "wage and hour", "1099"),
        event=True,
        find=rule(
            r"misclassif\w+|unpaid overtime|wage[- ]and[- ]hour (?:claim|class|suit|complaint|investigation)",
            no=(r"\bno\b[^.;]{0,80}(?:misclassif|claim)|represents|warrants|indemnif",),
            values=_sum,
        ),
    ),
)


def _made(clause: Clause) -> Hit | None:
    if clause.family != "contractor":
        return None
    found = re.search(_BUILDS, clause.text, _I)
    if (
        not found
        or not re.search(
            r"(?:contractor|consultant|developer)\b[^.;]{0,60}\b(?:shall|will|agrees? to|undertakes? to|is engaged to|has been engaged to|must)|engag\w+[^.;]{0,60}(?:contractor|consultant|developer)[^.;]{0,40}\bto\b",
            clause.text,
            _I,
        )
        or re.search(
            r"\bnotices?\b|subject matter developed by (?:the )?company|not (?:develop|create)", clause.text, _I
        )
        or re.search(r"whereas, company|business of the company|company is in the business", clause.text, _I)
    ):
        return None
    return Hit({}, found[0])


def _licensed(clause: Clause) -> Hit | None:
    if clause.family != "contractor":
        return None
    found = re.search(
        r"contractor (?:hereby )?grants[^.;]{0,60}licen[cs]e|(?:contractor|consultant) retains? (?:all )?(?:right|title|ownership)|agree in good faith on the ownership",
        clause.text,
        _I,
    )
    return Hit({}, found[0]) if found else None

"""What a new owner of the target sets off, in whatever words: the end of a contract, a need of consent, a payment, a release of code, a call."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from redwell.diligence.archetypes import words
from redwell.diligence.archetypes.base import Archetype, Clause, Hit, Issue, unpointed
from redwell.diligence.archetypes.case import Case, Doc
from redwell.diligence.archetypes.links import counter, in_hand, issue, links, named, relief, sums, yearly
from redwell.diligence.archetypes.signals import support
from redwell.diligence.archetypes.stakes import said

_I = re.IGNORECASE
NEW_OWNER = (
    r"change[- ](?:of|in)[- ](?:\w+ ){0,2}(?:control|ownership)|\b(?:comes?|is|are|falls?|passes|placed) under (?:the )?(?:\w+ )?control\b|\b(?:acquires?|gains?|gets?|obtains?|takes?|parts? with|loses?) (?:the |a )?(?:control|hold|majority)\b|"
    r"\bnew (?:owners?|holders?|shareholders?|parent|proprietor)\b|\b(?:majority|more than half|over half|more than 50 ?%|50 ?% or more)\b[^.;|]{0,50}(?:shares?|stock|vot(?:es|ing)|capital|equity|interests?)|\b(?:shares?|stock)\b[^.;|]{0,30}\bpass(?:es)? to\b|"
    r"\btaken over\b|\btake-?over\b|\bceases? to be (?:a (?:subsidiary|member)|owned|controlled|under)|\bpresent owners?\b|\bchanges? hands\b|\bchange of (?:owner|proprietor|parent)\b|\bownership of [^.;|]{2,40}\b(?:changes|passes)|\bis (?:acquired|bought|sold)\b"
)
_ENDS = r"\bterminat\w+|\bexpires?\b|\blapses?\b|\bcomes? to an end\b|\bends?\b(?! user)|\bcancel\w*|\brescind\w*|\b(?:to )?leave the\b|\bwithdraw from\b|\bwalk away\b|\bcease to apply\b"
_DENIES = r"\bno right\b|\bshall not (?:by itself )?(?:give|entitle|be)\b|\bnot (?:terminat|end|be deemed|constitute|appl|affect)|\bdoes not\b[^.;]{0,30}(?:terminat|end|affect)|\bremains? unaffected\b|\bregardless of\b|\bnotwithstanding (?:any )?change|\bnor\b[^.;]{0,40}\bterminat"
_SPEAKS_OF = frozenset(
    [
        "deck",
        "minutes",
        "disclosure_schedule",
        "credit",
        "security",
        "employment",
        "cap_table",
        "charter",
        "merger",
        "policy",
        "insurance",
        "overview",
        "revenue",
        "litigation",
        "waiver",
        "consent",
    ]
)


@lru_cache(maxsize=64)
def new_owner(text: str) -> re.Match[str] | None:
    """The words for a new owner; several rules ask it of one sentence in turn."""
    return _NEW_OWNER.search(text)


_NEW_OWNER = re.compile(NEW_OWNER, _I)


def _end(clause: Clause) -> Hit | None:
    text = unpointed(clause.text)
    end = re.search(_ENDS, text, _I) if clause.family not in _SPEAKS_OF else None
    owner = new_owner(text) if end else None
    if (
        not owner
        or not end
        or clause.family in _SPEAKS_OF
        or re.search(_DENIES, text, _I)
        or re.search(r"[\"“][^\"”]{3,40}[\"”] means", text)
    ):
        return None
    if re.search(
        r"\b(?:employment|executive|option|award|lender|borrower|indebtedness|policy period|escrow|deposit|source code|guarantee|licen[cs]e of the name)\b",
        text,
        _I,
    ):
        return None
    return Hit({"days": notice(clause.text), "of": whose(clause.text)}, owner[0])


_WHOSE = re.compile(
    r"\b(?:[Ii]f|[Ss]hould|[Ww]hen(?:ever)?|[Oo]nce|[Oo]n|[Uu]pon|after|of|over|in) (?:a |any |the )?([A-Z][\w’'-]+(?: [A-Z][\w’'-]+){0,3})(?:[’']s)? (?:under(?:goes|go)|comes?|is|are|passes|should|ceases?|has|gets|changes)|\b(?:control|ownership|owner) (?:of|in) (?:the )?([A-Z][\w’'-]+(?: [A-Z][\w’'-]+){0,3})"
)


def whose(text: str) -> str:
    """Whose owner changes, in the clause's own words; empty when it does not say."""
    found = _WHOSE.search(text)
    return re.sub(r"^(?:Change|Control)\b.*", "", (found[1] or found[2]) if found else "")


def notice(text: str) -> int:
    """The days of a notice or of the time after an event: those said in days before those in months."""
    told = words.periods(text)
    in_days = [number for number, unit in told if unit == "day"]
    return in_days[0] if in_days else (words.days(text) or 0)


def _consent(clause: Clause) -> Hit | None:
    text = unpointed(clause.text)
    owner = new_owner(text)
    needed = owner and re.search(
        r"\bwithout\b[^.;]{0,60}\b(?:consent|approv|agreement)|\bunless\b[^.;]{0,60}\b(?:consent|approv|agree|joined)|\b(?:requires?|needs?|subject to|only with|not take place before)\b[^.;]{0,60}\b(?:consent|approv|agree)|\bprior (?:written )?(?:consent|approval)",
        text,
        _I,
    )
    if (
        not owner
        or not needed
        or clause.family in _SPEAKS_OF
        or re.search(r"\bno consent\b|\bnot require\b|\bmay assign\b[^.;]{0,60}without", text, _I)
    ):
        return None
    return Hit({"days": notice(clause.text), "of": whose(clause.text)}, owner[0])


def _payment(clause: Clause) -> Hit | None:
    text = unpointed(clause.text)
    owner = new_owner(text)
    paid = owner and re.search(
        r"\b(?:owes?|pays?|payable|falls? due|is due|due (?:on|at|upon)|shall pay|must pay|repay\w*|return(?:s|ed)?)\b[^.;]{0,100}\b(?:fee|sum|amount|charge|payment|premium|%|per cent)|\b(?:fee|premium|charge|compensation|royalt\w+|prices?)\b[^.;]{0,80}\b(?:due|payable|owed|increases?|rises?|doubles?|steps? up)|"
        r"\b(?:discount|rebate|reduced price|bonus|allowance|preferential price|grant)\b[^.;]{0,120}\b(?:ceases?|ends?|falls? away|lapses?|lost|no longer|withdrawn|returned?)", text, _I,
    )  # fmt: skip
    if (
        not owner
        or not paid
        or clause.family in _SPEAKS_OF
        or re.search(_DENIES, text, _I)
        or re.search(r"\bemployee|executive|severance|salary|lender|indebtedness\b", text, _I)
    ):
        return None
    rate = re.search(r"(\d+(?:\.\d+)?) ?(?:%|per ?cent)", clause.text)
    amounts = sums(clause.text)
    return Hit({"rate": float(rate[1]) if rate else 0.0, "amount": max(amounts) if amounts else 0.0}, owner[0])


def _code(clause: Clause) -> Hit | None:
    text = unpointed(clause.full)
    owner = new_owner(text)
    opened = owner and re.search(
        r"\breleas\w*|\bhand(?:s|ed)? over|\bdeliver(?:s|ed)?\b[^.;]{0,30}(?:code|deposit)|\byes\b|\bentitled\b",
        text,
        _I,
    )
    about = re.search(
        r"source (?:code|material)|escrow|deposit|\bcode\b|licensor|repository", f"{text} {clause.heading}", _I
    )
    if not owner or not opened or not about or re.search(r"\bshall not\b|\bno release\b|\bno right\b", text, _I):
        return None
    second = re.search(
        r"\band (?:the |its |their )?(?:successor|acquirer|new owner|owner|it)?\b[^.;]{0,30}\b(?:fails?|ceases?|refuses?|does not)\b|\bwhere (?:the )?(?:successor|new owner)[^.;]{0,40}\b(?:fails?|not)\b",
        text,
        _I,
    )
    return Hit({"days": notice(clause.text), "more": bool(second) or ""}, owner[0])


def _call(clause: Clause) -> Hit | None:
    if clause.family not in ("joint_venture", "other", "charter", "side_letter"):
        return None
    text = unpointed(clause.text)
    owner = re.search(rf"{NEW_OWNER}|\bgets hold of\b|\bbecomes? the owner\b", text, _I)
    buys = re.search(
        r"\b(?:may|can|shall be entitled to|has the (?:right|option)|is entitled to|right to|option to)\b[^.;]{0,60}\b(?:purchase|buy|acquire|call|take over|take)\b[^.;]{0,80}\b(?:interests?|shares?|stake|stock|part)",
        text,
        _I,
    )
    return (
        Hit({"owner": 1}, buys[0])
        if owner and buys and not re.search(r"\boption plan|employee|holder of (?:the )?notes", text, _I)
        else None
    )


# --- checks ------------------------------------------------------------------------------------------------------------------


def _docs(case: Case, *kinds: str) -> Iterator[tuple[Doc, Any]]:
    """One finding of the kinds for each document that counts."""
    seen: set[str] = set()
    for kind in kinds:
        for finding in case.kinds[kind]:
            doc = case.doc(finding)
            of = str(finding.values.get("of") or "")
            if of and case.bound_is_target(doc, of) is False and not case.is_target(of):
                continue
            if doc.id not in seen and id(finding) not in case.used and case.current(doc) and finding.citations:
                seen.add(doc.id)
                yield doc, finding


def _ended(case: Case) -> Iterator[Issue]:
    for doc, finding in _docs(case, "owner_change_ends"):
        if case.of(doc, "owner_change_consent", "concentration_change_of_control") or case.of(
            doc, "source_code_escrow", "owner_change_code"
        ):
            continue
        keys = links(case).labels[doc.id]
        if case.of(doc, "change_of_control_termination") and (doc.parties or not case.target):
            continue
        case.use(finding, *case.of(doc, "owner_change_ends", "change_of_control_termination"))
        if lifted(case, doc, finding, keys):
            continue
        worth = yearly(case, keys, doc)
        other, days = counter(case, doc), int(finding.values.get("days") or 0)
        yield issue(
            case, "change_of_control_termination", "Can be terminated on a change of control", named(case, doc),
            f"The {named(case, doc)} can be terminated, or ends, on a change of control of the target" + (f", {days} days after notice or after the change" if days else "") + f": “{said(finding)}” "
            f"The transaction sets this off: after closing the target could lose what it has from {other}" + (f", worth {case.money(worth[0])} a year," if worth else "") + " and would have to replace it.",
            [finding, worth[1] if worth else None], amount=worth[0] if worth else None, formula="one year of the contract", of=f"{other}: revenue", wanting="the contract's yearly value is not in the documents",
            severity="High", step=f"Obtain a waiver of the right from {other} before closing, or line up an alternative.", protection="Closing condition (waiver); alternative source",
        )  # fmt: skip


def lifted(case: Case, doc: Doc, finding: Any, keys: Any) -> bool:
    """Whether the same paper, or another one of the same name, takes the clause back."""
    known = links(case)
    own = next(
        (
            line
            for line, _ in known.said(
                [doc],
                r"\bstruck\b|\bdeleted\b|\bwaived\b|\bdoes not apply\b|\bno longer\b|\bleft out\b|\baccepted as\b",
            )
            if line.finding is not finding or re.search(r"accepted as", line.text)
        ),
        None,
    )
    other = relief(
        case,
        keys,
        doc,
        r"\bwaive[sd]?\b|\bwaiver\b|\bgives? up\b|\bstruck\b|\bdeleted\b|\breleases?\b[^.;]{0,60}from|\baccept(?:s|ed)\b[^.;]{0,60}\bowner|\bconsents? to\b|\bapproves?\b|\bno longer\b|\bwill not (?:call|use|exercise)\b|\bremoved\b",
    )
    return own is not None or other is not None


def _unconsented(case: Case) -> Iterator[Issue]:
    for doc, finding in _docs(case, "owner_change_consent"):
        if any(
            id(f) in case.used for f in case.of(doc, "change_of_control_termination", "change_of_control_consent")
        ) or (case.of(doc, "change_of_control_termination") and doc.parties):
            continue
        keys = links(case).labels[doc.id]
        case.use(
            *case.of(
                doc,
                "owner_change_consent",
                "owner_change_ends",
                "change_of_control_termination",
                "change_of_control_consent",
            )
        )
        if relief(
            case,
            keys,
            doc,
            r"\bconsents? to\b|\bapproves?\b|\bgives? (?:its )?(?:consent|approval)|\bwaive[sd]?\b|\bhas (?:consented|approved)|\bjoins? in\b",
        ):
            continue
        worth, other = yearly(case, keys, doc), counter(case, doc)
        looked = f"consent or approval of {other}"
        draft = next(
            (
                line
                for line, _ in links(case).said(links(case).related(keys, but=doc), r"\bconsents? to\b|\bapproves?\b")
                if not in_hand(line.doc)
            ),
            None,
        )
        yield issue(
            case, "change_of_control_consent", "Consent to the change of control is not in the room", named(case, doc),
            f"The {named(case, doc)} requires {other}'s consent to a change of control: “{said(finding)}” No executed consent of {other} is in the data room" + (f"; {draft.doc.name} is an unsigned form" if draft else "")
            + f". If the deal closes without the consent, {other} could terminate" + (f" and revenue of {case.money(worth[0])} a year is at risk." if worth else " and the revenue under the agreement is at risk."),
            [finding, worth[1] if worth else None, draft.part if draft else None], amount=worth[0] if worth else None, formula="one year of the contract", of=f"{other}: revenue", wanting="the contract's yearly value is not in the documents",
            severity="High", evidence="absence", searched=looked, step=f"Obtain {other}'s consent before, or as a condition of, closing.", protection="Closing condition (consent); price holdback",
        )  # fmt: skip


def _paid(case: Case) -> Iterator[Issue]:
    for doc, finding in _docs(case, "owner_change_payment"):
        keys = links(case).labels[doc.id]
        if any(id(f) in case.used for f in case.of(doc, "change_of_control_payment")):
            continue
        if re.search(
            r"accepted as (?:an )?owners?\b|\bowners?\b[^.;]{0,60}\b(?:is|are) accepted\b",
            " ".join(line.text for line in links(case).lines[doc.id]),
            _I,
        ):
            continue
        case.use(*case.of(doc, "owner_change_payment", "change_of_control_payment", "owner_change_ends"))
        if lifted(case, doc, finding, keys):
            continue
        rate, amount, basis, formula = (
            float(finding.values.get("rate") or 0),
            float(finding.values.get("amount") or 0),
            None,
            "the sum that the clause names",
        )
        if not amount:
            lines = [
                line
                for line, _ in links(case).said(
                    links(case).related(keys, but=doc),
                    r"total|four quarters|invoiced|whole year|a year|annual|per annum|twelve months|sum",
                )
            ]
            found = [(max(sums(line.text)), line) for line in lines if sums(line.text)]
            if found:
                most, basis = max(found, key=lambda each: each[0])
                told = re.search(r"(\d+(?:\.\d+)?) ?(?:%|per ?cent)", basis.text)
                rate = rate or (float(told[1]) if told else 0.0)
                amount, formula = (round(most * rate / 100), f"{rate:g} % of {case.money(most)}") if rate else (0.0, "")
        other = counter(case, doc)
        yield issue(
            case, "change_of_control_payment", "A change of control triggers a payment or a higher price", named(case, doc),
            f"Under the {named(case, doc)} a change of control triggers a payment, a fee or the loss of a discount: “{said(finding)}” " + (f"The cost is {case.money(amount)} ({formula}). " if amount else "")
            + f"It falls due because of the transaction and the buyer would bear the cost under the agreement with {other}.",
            [finding, basis.part if basis else None], amount=amount or None, formula=formula, of=f"{other}: payment on the change of control", severity=case.grade(amount or None),
            step=f"Deduct the cost under the agreement with {other} from the price as a debt-like item, or obtain a waiver before closing.", protection="Price reduction (debt-like item); waiver", evidence="computed" if amount else "direct",
        )  # fmt: skip


def _released(case: Case) -> Iterator[Issue]:
    for doc, finding in _docs(case, "owner_change_code"):
        case.use(*case.of(doc, "owner_change_code", "source_code_escrow", "owner_change_ends"))
        keys = links(case).keys(said(finding), doc=doc)
        if finding.values.get("more") or lifted(case, doc, finding, keys):
            continue
        days = int(finding.values.get("days") or 0)
        told = re.search(
            r"\bfor ([A-Z][\w’'&-]+(?: [A-Z][\w’'&-]+)*)|\b(?:release|deliver|hand over)\w*\b[^.;]{0,60}\bto ([A-Z][\w’'&-]+(?: [A-Z][\w’'&-]+)*)",
            said(finding),
        )
        other = (told[1] or told[2]) if told else counter(case, doc)
        yield issue(
            case, "escrow_release", "Source code is released on the change of control", f"{named(case, doc)} ({other})" if other not in named(case, doc) else named(case, doc),
            f"A change of control entitles {other} to the release of the source code under the {named(case, doc)}" + (f", {days} days after its request" if days else "") + f": “{said(finding)}” "
            f"The transaction is a release event: {other} could obtain the code, so that trade secrets are exposed and the product loses value.",
            [finding], severity="High", wanting="the value of the code in a customer's hands", evidence="direct",
            step=f"Amend the escrow agreement, or obtain a waiver from {other}, before closing.", protection="Closing condition (amendment or waiver)",
        )  # fmt: skip


def _called(case: Case) -> Iterator[Issue]:
    for doc, finding in _docs(case, "owner_change_call"):
        keys = links(case).keys(said(finding), doc=doc)
        case.use(*case.of(doc, "owner_change_call", "joint_venture_trigger", "owner_change_ends"))
        if lifted(case, doc, finding, keys):
            continue
        known, text = links(case), said(finding)
        docs = known.related(keys, but=doc)
        fair = next(
            (
                (max(sums(line.text)), line)
                for line, _ in known.said(docs, r"fair value|worth|valu(?:ed|ation)|appraiser|market value")
                if sums(line.text)
            ),
            None,
        )
        book = next(
            (
                (max(sums(line.text)), line)
                for line, _ in known.said(docs, r"book value|net assets|carrying|paid-in")
                if sums(line.text)
            ),
            None,
        )
        rate = re.search(r"(\d+(?:\.\d+)?) ?(?:%|per ?cent)", text)
        price = max(sums(text), default=0.0)
        if fair and rate:
            price = round(fair[0] * float(rate[1]) / 100)
        elif book:
            price = price or book[0]
        gap = fair[0] - price if fair and price and fair[0] > price else 0.0
        holder = re.search(r"([A-Z][\w’'&-]+(?: [A-Z][\w’'&-]+)+) (?:can|may) (?:call|buy|purchase|acquire|take)", text)
        other = holder[1] if holder else counter(case, doc)
        price_said = (
            f" The option price is {case.money(price)}"
            + (
                f" against a value of {case.money(fair[0])}, a difference of {case.money(gap)}."
                if fair and gap
                else "."
            )
            if price
            else ""
        )
        yield issue(
            case, "joint_venture_trigger", "The partner may buy the target's stake on a change of control", named(case, doc),
            f"On a change of control the partner ({other}) may buy the target's stake under the {named(case, doc)}: “{text}”{price_said} "
            f"Because of the deal the target could lose the venture, or value in it, unless the partner waives. There is no waiver or consent of the partner in the data room.",
            [finding, fair[1].part if fair else None, book[1].part if book else None], amount=gap or None, formula=f"value {case.money(fair[0])} less option price {case.money(price)}" if fair and gap else "", of=f"{other}: option price below value",
            wanting="the value of the stake is not in the documents", severity="High", evidence="cross-document", searched="a waiver or consent of the partner",
            step=f"Obtain a waiver or consent from {other} before closing, or leave the stake out of the price.", protection="Closing condition (waiver); exclusion of the stake",
        )  # fmt: skip


_CONTROL_WORDS = ("of control", "in control", "the control", "with control", "under control", "control passes", "ownership", "new owner", "new holder", "new shareholder", "new parent", "majority", "more than half", "over half", "50%", "50 %", "pass to", "passes to", "taken over", "takeover", "take-over", "ceases to be", "owners", "change hands", "changes hands", "change of owner", "is acquired", "is sold", "is bought", "gets hold", "takes hold", "get hold")  # fmt: skip

ARCHETYPES = (
    support("owner_change_ends", _CONTROL_WORDS, _end, "IP", "Does a contract end, or may it be ended, when the target gets a new owner? (values: days)"),
    support("owner_change_consent", _CONTROL_WORDS, _consent, "IP", "Does a new owner of the target need a counterparty's consent?"),
    support("owner_change_payment", _CONTROL_WORDS, _payment, "IP", "Does a new owner of the target set off a payment or a change of price? (values: rate, amount)"),
    support("owner_change_code", _CONTROL_WORDS, _code, "IP", "Does a new owner of the licensor release source code? (values: days)"),
    support("owner_change_call", _CONTROL_WORDS, _call, "IP", "May a partner buy the target's stake in a venture when the target gets a new owner?"),
    *(
        Archetype(
            id=identity, number=number, workstream=workstream, title=title, evidence="cross-document", severity="High", why="The transaction itself sets it off.", next_step="Obtain a waiver before closing.",
            protection="Closing condition (waiver)", check=check, support=True,
        )
        for identity, number, workstream, title, check in (
            ("new_owner_consents", 23, "Contracts", "A consent to a new owner is not in the room", _unconsented),
            ("new_owner_releases_code", 45, "IP", "A new owner releases source code", _released),
            ("new_owner_calls", 42, "Corporate", "A new owner lets the partner buy", _called),
            ("new_owner_pays", 25, "Contracts", "A new owner makes a sum payable", _paid),
            ("new_owner_ends", 24, "Contracts", "A new owner ends a contract", _ended),
        )
    ),
)  # fmt: skip

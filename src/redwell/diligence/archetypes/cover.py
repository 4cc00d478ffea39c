"""Privacy, security and insurance: promises held against practice, and policies against what they should cover. Standard library only."""

from __future__ import annotations

import re
from datetime import date

from redwell.diligence.archetypes import words
from redwell.diligence.archetypes.base import Archetype
from redwell.diligence.archetypes.links import links
from redwell.diligence.archetypes.matters import (
    Matter,
    Thread,
    Told,
    listed,
    percents,
    quoted,
    sums,
    times,
    whole,
)
from redwell.diligence.archetypes.stakes import day_said

_I = re.IGNORECASE


def _figures(text: str) -> list[float]:
    return [float(m.replace(",", "")) for m in re.findall(r"(?<![\w.,-])(\d{1,3}(?:,\d{3})+|\d{5,})(?![\w,-])", text)]


# --- incidents ---------------------------------------------------------------------------------------------------------------------------

_INCIDENT = (
    r"(?:passwords?|social security|accounts|names|records|credentials|card numbers?|medical|data)\b[^;]{0,160}(?:on sale|copied out|exfiltrat\w*|stolen|exposed|accessed|leaked|taken|published|downloaded|encrypted by)|"
    r"(?:unauthori[sz]ed|without permission)[^;]{0,80}(?:access|copied|download)|ransomware|data breach"
)
_NOTIFIED = r"had our form|we report to your office|written to every|(?:was|were) notified|gave notice|notice was sent|letters to the (?:account holders|residents|people)|acknowledge[sd]? (?:receipt|your)|no duty"


def _incident(thread: Thread) -> Told | None:
    s = thread.subject
    counts = [n for n in whole(thread.anchor.text) if n >= 100]
    if not counts or not (any(c.isdigit() for c in s) or len({line.doc.id for line in thread.lines}) > 1):
        return None
    n = max(counts)
    found = next(iter(words.dates(thread.anchor.text)), None)
    cost = next(
        (
            line
            for line in thread.lines
            if sums(line.text)
            and min(sums(line.text)) < 5_000
            and re.search(r"account|resident|record|person|cost|each", line.text, _I)
        ),
        None,
    )
    europe = bool(
        re.search(r"europe|GDPR|commission|supervisory|irish|\bEU\b", " ".join(line.text for line in thread.lines), _I)
    )
    state = re.search(r"residents of ([A-Z]\w+(?: [A-Z]\w+)?)", thread.anchor.text)
    whom = (
        "the data protection authority"
        if europe
        else f"the residents and the Attorney General of {state[1]}"
        if state
        else "the authority and the people concerned"
    )
    within = "within 72 hours under the GDPR" if europe else "within the statutory time (thirty days)"
    other = next((line for line in thread.lines if line.doc.id != thread.anchor.doc.id), None)
    claim = [
        f"Incident {s} affected {n:,} records.", *([f"Incident {s} was discovered on {day_said(found)}."] if found else []), quoted(thread.anchor), *([quoted(other)] if other else []),
        f"Incident {s} had to be notified to {whom} {within}.", f"A notice of {s} to {whom} is missing: none was found in the data room.",
    ]  # fmt: skip
    if cost is None:
        return Told(claim, [thread.anchor, *([other] if other else [])])
    rate = min(sums(cost.text))
    return Told(
        claim, [thread.anchor, cost, *([other] if other else [])], n * rate, f"{n:,} records at {thread.money(rate)}"
    )


# --- processors --------------------------------------------------------------------------------------------------------------------------

_PROCESSOR = r"(?:stores?|process(?:es)?|hosts?|handles?|holds?|receives?|backup|back-up|support desk|analytics|payroll|mail(?:ing)?)\b[^;]{0,140}(?:personal data|names and addresses|claims files|diagnos\w+|health (?:data|records|files|information)|patients?|customers in|e-?mail addresses|employee data)"
_TERMS = r"article 28|data processing|processing (?:agreement|addendum|terms)|\bdpa\b|business associate|associate agreement|\bbaa\b|standard contractual"
_SIGNED = r"signed by both|is signed|was signed|(?:was|is|are|been) executed|in the binder|is in place|were replaced|was replaced|countersigned"


def _processor(thread: Thread) -> Told | None:
    s = thread.subject
    if (
        len(s.split()) < 2
        or thread.anchor.doc.family == "dpa"
        or re.search(r"\baddendum\b|documented instructions|information relating to identif", thread.anchor.text, _I)
    ):
        return None
    terms = [line for line in thread.lines if re.search(_TERMS, f"{line.text} {line.doc.label}", _I)]
    for line in terms:
        about_terms = (
            re.search(_TERMS, line.doc.label, _I)
            and line.doc.id != thread.anchor.doc.id
            and not line.doc.path.endswith(".eml")
        )
        if (
            about_terms
            and not line.doc.draft
            and not line.doc.form
            and not re.search(r"unsigned|draft|form|blank|proposed", line.doc.label, _I)
            and not (line.doc.blank and not line.doc.signed)
        ):
            return None
    health = bool(re.search(r"diagnos|health|claims files|patient|clinic|hospital", thread.anchor.text, _I))
    if not health and not re.search(r"personal|names|address|e-?mail|customers in|employee", thread.anchor.text, _I):
        return None
    what = "business associate agreement" if health else "data processing agreement"
    law = "HIPAA (45 CFR 164.504) requires" if health else "Article 28 of the GDPR requires"
    turnover = None if health else next(
        ((max(sums(line.text)), line) for doc in thread.case.ordered() for line in links(thread.case).lines.get(doc.id, ()) if re.search(r"worldwide turnover|turnover of the group|group turnover", line.text, _I) and sums(line.text)), None
    )  # fmt: skip
    claim = [
        f"{s} processes or stores personal data{' on health' if health else ''} for the target.", quoted(thread.anchor), *(quoted(line) for line in terms[:1] if line is not thread.anchor),
        f"{law} a {what} with {s}.", f"An executed {what} with {s} is missing: none was found in the data room.",
    ]  # fmt: skip
    parts = [thread.anchor, *terms[:1]]
    if turnover is None:
        return Told(claim, parts)
    return Told(
        claim, [*parts, turnover[1]], 0.02 * turnover[0], f"a fine of up to 2% of turnover of {turnover[0]:,.0f}"
    )


# --- notices against practice ----------------------------------------------------------------------------------------------------------------

_PROMISE = r"(?:neither|not|never|nor|no longer)\b[^;]{0,60}\b(?:sell|share|disclose|pass|track|rent)\b|goes to nobody else|(?:to )?no (?:one|third party|third parties)(?: else)?\b|nobody else|only (?:used )?to (?:show|provide)"
_PRACTICE = r"\btags?\b|\bpixel|goes? to|sent to|pay us|sold to|sends?\b|hashed|\blive\b|fired|shared? with|feeds?\b"
_STOPPED = r"\bpaused\b|was removed|switched off|never left us|torn up|no longer (?:sent|live|fires)|opted in|with consent|disclosed in"


def _tracking(thread: Thread) -> Told | None:
    s = thread.subject
    practice = next(
        (line for line in thread.lines if line.doc.id != thread.anchor.doc.id and re.search(_PRACTICE, line.text, _I)),
        None,
    )
    if practice is None or not re.search(
        r"notice|policy|privacy|terms|statement", f"{thread.anchor.doc.label} {thread.anchor.text}", _I
    ):
        return None
    claim = [
        quoted(thread.anchor), f"So the notice says that nothing is sold or shared and that data goes to nobody else, while data goes to {s}.", quoted(practice),
        f"The practice with {s} contradicts the notice: it is a deceptive practice, or an undisclosed sale or sharing.",
    ]  # fmt: skip
    return Told(claim, [thread.anchor, practice])


# --- requests of data subjects ---------------------------------------------------------------------------------------------------------------

_RULE = r"(?:forty-five|45|thirty|30|one month|a month)\b[^;]{0,40}(?:days|month|to keep)|within (?:the )?(?:first )?(?:\w+ )?(?:days|month)"


def _requests(thread: Thread) -> Told | None:
    s = thread.subject
    text = " ".join(line.text for line in thread.lines)
    california = bool(re.search(r"california|forty-five|\b45\b|CCPA|CPRA", text, _I))
    if not california and not re.search(r"europe|GDPR|one month|thirty days", text, _I):
        return None
    limit, longer, law = (45, 90, "CCPA of California") if california else (30, 90, "GDPR of Europe")
    late, rows = [], 0
    for line in thread.lines:
        days: list[date] = words.dates(line.text)
        if not re.match(r"\W*\w{1,4}-?\d{3,}|.{0,30}\bin on\b", line.text) or len(days) < 2:
            continue
        rows += 1
        took = (days[1] - days[0]).days
        told = len(days) > 2 and 0 <= (days[2] - days[0]).days <= limit
        if took > (longer if told else limit):
            late.append(line)
    if rows < 3 or not late:
        return None
    penalty = next(
        (line for line in thread.lines if sums(line.text) and re.search(r"penalt|violation|late|costs", line.text, _I)),
        None,
    )
    claim = [
        f"{len(late)} of {rows} requests at the {s} desk were answered late, after more than {limit} days.", *([quoted(penalty)] if penalty else []),
        f"The {law} allows {limit} days for the requests at the {s} desk.", f"Late answers at the {s} desk violate the {law}.", quoted(late[0]),
    ]  # fmt: skip
    parts = [*late[:8], *([penalty] if penalty else [])]
    if penalty is None:
        return Told(claim, parts)
    each = max(sums(penalty.text))
    return Told(claim, parts, len(late) * each, f"{len(late)} times {thread.money(each)}, the penalty")


# --- secondary use -----------------------------------------------------------------------------------------------------------------------------

_SCOPE = r"\b(?:alone|solely|only|exclusively)\b[^;]{0,80}(?:study|purpose|erased|used|for)|serve[s]? the \w+|for no other (?:end|purpose|use)|no other end|looked at to send"
_USE = r"training|\bmodel\b|tables of|machine learning|sold to|are with|sent to|transfer|licensed to|insur"
_COVERED = r"every participant[^;]{0,60}ticked|second consent|anonymi[sz]ed|made anonymous|no member can be told|consented to (?:this|the)|rider|refused"


def _secondary(thread: Thread) -> Told | None:
    s = thread.subject
    use = next(
        (line for line in thread.lines if line.doc.id != thread.anchor.doc.id and re.search(_USE, line.text, _I)), None
    )
    if use is None or not re.search(
        r"consent|terms|notice|authori[sz]", f"{thread.anchor.doc.label} {thread.anchor.text}", _I
    ):
        return None
    row = re.search(r"\| ([A-Z][^|]+) \|", use.text) or re.search(
        r"(?:with|to) ([A-Z][\w’'-]+(?: [A-Z][\w’'-]+)+)", use.text
    )
    whom = f" by {row[1].strip()}" if row else ""
    claim = [
        f"The consent of {s} covers only the study or purpose itself.", quoted(thread.anchor), quoted(use), f"Data of {s} was used for another purpose{whom}.",
        f"The use of {s} data{whom} goes beyond the consent and is not covered by it.",
    ]  # fmt: skip
    return Told(claim, [thread.anchor, use])


# --- certifications ----------------------------------------------------------------------------------------------------------------------------

_CERTIFIED = r"\b(\d{2,3}) of \1\b|(?:affirms?|certif(?:y|ies|ied)|attests?|represents?)\b[^;]{0,120}(?:persons|controls|citizens|nationals)|persons alone|800-171[^;]{0,80}(?:met|implemented|complete)|all \d* ?controls"
_TRUE = r"each of them under|licence (?:that )?names|license (?:that )?names|was corrected|is accurate|test set"


def _certified(thread: Thread) -> Told | None:
    s = thread.subject
    for line in thread.lines:
        if line.doc.id == thread.anchor.doc.id:
            continue
        row = re.search(r"\| (\d{2,3}) \| (\d{1,3})\b", line.text)
        gap = row is not None and int(row[2]) < int(row[1]) and not re.search("open", line.text, _I)
        abroad = re.search(
            r"engineers? in|none of them|foreign (?:national|person|citizen)|non-?U·?\.?S|from abroad", line.text, _I
        )
        if not gap and not abroad:
            continue
        yearly = next(
            (each for each in thread.lines if re.search(r"a year|per year|annual", each.text, _I) and sums(each.text)),
            None,
        )
        real = (
            f"For {s} only {row[2]} of {row[1]} controls are in place."
            if gap and row
            else f"For {s} foreign persons opened what only United States persons may see."
        )
        claim = [
            f"It was certified to {s} that all controls are met, or that only permitted persons have access.", quoted(thread.anchor), quoted(line), real,
            f"The certification to {s} is inaccurate and puts the contract at risk.",
        ]  # fmt: skip
        amount = max(sums(yearly.text)) if yearly else None
        return Told(
            claim, [thread.anchor, line, *([yearly] if yearly else [])], amount, f"the yearly revenue at stake with {s}"
        )
    return None


# --- insurance -----------------------------------------------------------------------------------------------------------------------------------

_GAP = r"covers? occurrences from|(?:forerunner|predecessor|prior policy|previous policy)[^;]{0,60}(?:ended|expired|lapsed)|aggregate[^;]{0,120}(?:left|still there|remain\w*|erod\w*)|(?:is|are) still there after|eroded|exhausted|lapse[ds]?\b"
_RESTORED = r"prolonged to|full height for claims|i have the endorsement|reinstated|restored|drops? down|steps in|was bridged|extended to"


def _gap(thread: Thread) -> Told | None:
    s = thread.subject
    days = sorted(words.dates(thread.anchor.text))
    if len(days) >= 2 and re.search(r"ended|expired|lapsed|until", thread.anchor.text, _I):
        for line in thread.lines:
            if line.doc.id == thread.anchor.doc.id or " | " not in line.text:
                continue
            hit = next((d for d in words.dates(line.text) if days[0] < d < days[-1]), None)
            figures = [f for f in (sums(line.text) or _figures(line.text)) if f > 1_000]
            if hit and figures:
                claim = [
                    f"Under the policy of {s} there was no cover between {day_said(days[0])} and {day_said(days[-1])}, and a loss occurred on {day_said(hit)}, in the gap.", quoted(thread.anchor), quoted(line),
                    f"The loss is uninsured under the policy of {s}.",
                ]  # fmt: skip
                return Told(claim, [thread.anchor, line], figures[0], "the loss in the gap, the uninsured sum")
    left = sums(thread.anchor.text)
    claims = next(
        (
            line
            for line in thread.lines
            if line.doc.id != thread.anchor.doc.id
            and re.search(r"open|claims|reserve|outstanding|incurred", f"{line.text} {line.doc.label}", _I)
            and (sums(line.text) or _figures(line.text))
        ),
        None,
    )
    if not left or claims is None or not re.search(r"aggregate|left|there|remain", thread.anchor.text, _I):
        return None
    rest, due = min(left), max(sums(claims.text) or _figures(claims.text))
    if due <= rest:
        return None
    claim = [
        f"Under the policy of {s} only {thread.money(rest)} of the aggregate is left for open claims of {thread.money(due)}.", quoted(thread.anchor), quoted(claims),
        f"The claims are uninsured in part under the policy of {s}: its aggregate is nearly exhausted.",
    ]  # fmt: skip
    return Told(claim, [thread.anchor, claims], due - rest, f"{due:,.0f} less {rest:,.0f}, the uninsured sum")


_RUN_OFF = r"claims[- ]made|wrongful acts? before|(?:cover|policy)[^;]{0,80}(?:stops|ceases|ends|terminates)[^;]{0,60}(?:sold|change|sale|closing|acqui)|(?:change (?:of|in) control)[^;]{0,100}(?:pays|covers?|only for|run-?off)|run-?off"
_BOUGHT = r"are taken and paid|(?:further reporting|tail|extended reporting|run-?off)[^;]{0,80}(?:bound|bought|in place|purchased)|cover note lies"


def _tail(thread: Thread) -> Told | None:
    s = thread.subject
    codes = set(
        re.findall(
            r"\b[A-Z]{1,4}-\d{3,}\b", f"{thread.anchor.text} {thread.anchor.doc.title} {thread.anchor.doc.name.upper()}"
        )
    )
    for line in thread.lines:
        if re.search(_BOUGHT, line.text, _I) and not re.search(r"\bmay buy\b|\bnot\b", line.text, _I):
            named = set(re.findall(r"\b[A-Z]{1,4}-\d{3,}\b", line.text))
            if not named or not codes or named & codes:
                return None
    price = next(
        (line for line in thread.lines if sums(line.text) and re.search(r"premium|yearly|annual", line.text, _I)), None
    )
    claim = [
        f"The claims-made policy of {s} goes into run-off on a change of control: cover ceases for what is done after it.", quoted(thread.anchor), *([quoted(price)] if price and price is not thread.anchor else []),
        f"A tail (extended reporting period) for the policy of {s} is missing: none was found in the data room.",
    ]  # fmt: skip
    if price is None:
        return Told(claim, [thread.anchor])
    premium = max(sums(price.text))
    factor = times(price.text) or next((r for r in percents(price.text) if r >= 0.5), None)
    if factor is None:
        return Told(claim, [thread.anchor, price])
    return Told(claim, [thread.anchor, price], factor * premium, f"{factor:g} times {premium:,.0f}, the cost of a tail")


_SITE = r"\b(?:plant|halls?|warehouse|works|site|premises|factory|depot)s?\b[^;]{0,120}(?:\||valued at|worth|value)"
_UNNAMED = r"no subsidiary|nothing for|not (?:named|listed|on the (?:schedule|policy)|insured)|no (?:location|site|entity)|is missing from|named insured:?[^;]{0,120}\bno\b"
_NAMED = r"as number \d|every subsidiary|all subsidiaries|was added|has been added|rider insures|automatically|is (?:named|insured)"


def _unnamed(thread: Thread) -> Told | None:
    value = next(
        (line for line in thread.lines if re.search(_SITE, line.text, _I) and (sums(line.text) or _figures(line.text))),
        None,
    )
    if (
        value is None
        or re.search(r"census|lease|rent|payroll|headcount|inventory|permit", value.doc.label, _I)
        or len(value.text.split()) < 4
    ):
        return None
    amount = max(sums(value.text) or _figures(value.text))
    policy = next(
        (line for line in thread.lines if line.doc.id != value.doc.id and re.search(_UNNAMED, line.text, _I)), None
    )
    insurer = policy
    if policy is None:
        for doc in thread.case.ordered():
            if not re.search(r"polic|declarations?|insur|pn ?\d", doc.label, _I):
                continue
            policy = next(
                (
                    line
                    for line in links(thread.case).lines.get(doc.id, ())
                    if re.search(r"no subsidiary|named insured", line.text, _I)
                ),
                None,
            )
            if policy is not None and re.search(_NAMED, policy.text, _I):
                return None
            if policy is not None:
                insurer = next(
                    (
                        line
                        for line in links(thread.case).lines.get(doc.id, ())
                        if re.search(r"insurance company|assurance|casualty|indemnity company", line.text, _I)
                    ),
                    policy,
                )
                break
    spot = next(iter(re.findall(r"\b(?:in|at) ([A-Z][\w’'-]+)", value.text)), "")
    for doc in thread.case.ordered():  # what a broker writes of the place names no company
        for line in links(thread.case).lines.get(doc.id, ()) if spot and doc.id != value.doc.id else ():
            if re.search(rf"\b{spot}\b", line.text):
                if re.search(_NAMED, line.text, _I):
                    return None
                if policy is None or policy.doc.id != line.doc.id:
                    policy = insurer = line if re.search(_UNNAMED, line.text, _I) else policy
    if policy is None:
        return None
    row = value.text.split(" | ")
    entity = (
        row[0].strip(" |")
        if len(row) >= 3
        else next(
            iter(re.findall(r"(?:halls?|plants?|works|sites?) of ([A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*)", value.text)),
            thread.subject,
        )
    )
    place = next(iter(re.findall(r"\b(?:in|at) ([A-Z][\w’'-]+)", value.text)), "")
    claim = [
        f"{entity} owns or operates the site{f' in {place}' if place else ''}.", quoted(value), quoted(policy), *([quoted(insurer)] if insurer is not None and insurer is not policy else []),
        f"{entity}{f' or its site in {place}' if place else ''} is not named in the policy, and so is not insured.",
    ]  # fmt: skip
    return Told(
        claim, [value, policy], amount, f"the value{f' at {place}' if place else ''} that is not insured", entity
    )


def _kind(identity: str, number: int, workstream: str, title: str, why: str, step: str, protection: str) -> Archetype:
    return Archetype(identity, number, workstream, title, "cross-document", "High", why, step, protection)


_P = "Privacy and cyber"
MATTERS = (
    Matter(
        _kind("incident_kept_back", 81, _P, "Incident not notified", "Fines, claims and the duty to notify pass to the buyer.", "Have counsel notify the authority and the people concerned of {s}, and take a specific indemnity for it.", "Specific indemnity; notification"),
        _INCIDENT, _incident, clear=_NOTIFIED, triggers=("on sale", "copied out", "exfiltrat", "stolen", "exposed", "leaked", "unauthori", "ransomware", "breach", "accessed", "downloaded", "each resident", "per record", "each record", "an account", "per account", "attorney general", "notified"),
        prefer=r"^INC|\d{3}",
    ),
    Matter(
        _kind("processor_without_terms", 82, _P, "Processor without an executed agreement", "Personal data is processed without the terms that the law requires.", "Have the agreement with {s} executed before closing.", "Closing covenant; indemnity"),
        _PROCESSOR, _processor, clear=_SIGNED, triggers=("names and addresses", "personal data", "claims files", "diagnos", "health", "patient", "customers in", "mail addresses", "employee data", "turnover"),
        named=True,
    ),
    Matter(
        _kind("notice_contradicts_tracking", 83, _P, "Privacy notice contradicts practice", "Authorities fine what a notice denies, for each person.", "Stop the transfer to {s}, or correct the notice; take an indemnity for the past.", "Indemnity; covenant"),
        _PROMISE, _tracking, clear=_STOPPED, triggers=("sell", "share", "nobody else", "no one", "third part", "track", "disclose"), label=r"notice|policy|privacy|terms|statement|app",
    ),
    Matter(
        _kind("subject_requests_late", 84, _P, "Requests of data subjects answered late", "Each late answer is a violation with a penalty of its own.", "Cure the delays at the {s} desk with a process and staff, and take an indemnity for the past.", "Indemnity; cure"),
        _RULE, _requests, triggers=("days", "month"), label=r"request|access|consumer|subject|dsr|deletion|privacy",
    ),
    Matter(
        _kind("secondary_use", 85, _P, "Data used beyond the consent", "Data, and models made of it, may have to be deleted.", "Obtain new consent for {s}, or stop the transfer and have the data deleted; take an indemnity.", "Indemnity; deletion"),
        _SCOPE, _secondary, clear=_COVERED, triggers=("alone", "solely", "only", "exclusively", "no other", "looked at", "ticked", "anonym", "second consent"), label=r"consent|terms|notice|authori|participant|club|member",
    ),
    Matter(
        _kind("certification_gap", 86, _P, "Certification to a customer is inaccurate", "A false certification ends the contract and may be a false claim.", "Correct the certification to {s}, remediate, and take an indemnity; have counsel decide on disclosure.", "Indemnity; corrected filing"),
        _CERTIFIED, _certified, clear=_TRUE, triggers=(" of ", "affirm", "certif", "persons alone", "800-171", "controls"),
    ),
    Matter(
        _kind("coverage_gap", 115, "Insurance", "Gap in insurance or eroded aggregate", "Losses of that time are not insured.", "Obtain new cover or reinstate it for what the policy of {s} does not pay; else an indemnity or escrow.", "Indemnity; new cover"),
        _GAP, _gap, clear=_RESTORED, triggers=("occurrences", "forerunner", "predecessor", "aggregate", "still there", "eroded", "exhausted", "lapse", "prior policy", "previous policy", "prolonged", "policy period", "reinstate"), prefer=r"insur|assur|casualt|indemnit|mutual",
    ),
    Matter(
        _kind("claims_made_without_tail", 116, "Insurance", "Claims-made policy without a tail", "Claims for what was done before closing find no insurer.", "Buy a tail (extended reporting period) for the policy of {s} at closing.", "Closing covenant (tail)"),
        _RUN_OFF, _tail, triggers=("claims-made", "claims made", "wrongful acts", "stops on", "run-off", "runoff", "change in control", "change of control", "further reporting", "tail"),
        label=r"polic|insur|claims|assur|casualt|indemnit|\bpn\b|d&o|e&o|liabilit|mail|sale", prefer=r"insur|assur|casualt|indemnit|mutual", same=("claims_made", "insurance_control"),

    ),
    Matter(
        _kind("entity_not_insured", 117, "Insurance", "Company or site not named in the policy", "What burns there is not insured.", "Have the policy endorsed to add and name {s}, or buy other cover, before closing.", "Covenant (endorsement)"),
        _SITE, _unnamed, clear=_NAMED, triggers=("valued at", "plant", "hall", "warehouse", "works", "factory", "depot", "no subsidiary"),
    ),
)  # fmt: skip

ARCHETYPES = (
    *listed(MATTERS),
)  # fmt: skip

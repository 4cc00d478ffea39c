"""Employment, labor and benefits: what closing pays out, who may leave, who is owed, who is bound. Standard library only."""

from __future__ import annotations

import re
from collections.abc import Iterator

from redwell.diligence.archetypes import words
from redwell.diligence.archetypes.base import Archetype, Issue, unpointed
from redwell.diligence.archetypes.case import Case
from redwell.diligence.archetypes.links import Said, links
from redwell.diligence.archetypes.matters import (
    Matter,
    Thread,
    Told,
    cleared,
    listed,
    percents,
    quoted,
    sums,
    thread_of,
    whole,
)

_I = re.IGNORECASE
_PEOPLE = r"people|persons|employees?|drivers|loaders|nurses|workers|heads?|posts|hourly|staff|freelancers|contractors"


def _figures(text: str) -> list[float]:
    return [float(m.replace(",", "")) for m in re.findall(r"(?<![\w.,-])(\d{1,3}(?:,\d{3})+|\d{5,})(?![\w,-])", text)]


# --- paid at closing -------------------------------------------------------------------------------------------------------------------

_CONTROL = r"change (?:of|in) control|the company is sold|\bsale\b|the closing|acquisition"
_BASE = r"(?:years? of |times )(?:his |her |their |the )?(?:annual |base |yearly )*(?:salary|pay|compensation)"
_PAID_AT = rf"(?:{_CONTROL})[^;]{{0,160}}\d(?:·\d+)? {_BASE}|\d(?:·\d+)? {_BASE}[^;]{{0,300}}(?:{_CONTROL})"
_DOUBLE = r"provided that[^;]{0,80}(?:let go|terminat|dismiss)|without cause|good reason|handed back|waive[sd]?\b|given up|only if|nothing is due|plan was ended"
_EACH = re.compile(r"\b([A-Z][\w’'-]+) (\d+(?:\.\d+)?) (?:years?|times)")


def _salary(case: Case, name: str) -> tuple[float, Said, str] | None:
    """(salary, where, full name) of a person in a census or payroll list."""
    for doc in case.ordered():
        if not re.search(r"census|payroll|employee|salar|headcount|roster", doc.label, _I):
            continue
        for line in links(case).lines.get(doc.id, ()):
            if (
                " | " in line.text
                and re.search(rf"\b{re.escape(name)}\b", line.text)
                and (found := [f for f in _figures(line.text) if 20_000 <= f <= 20_000_000])
            ):
                full = next((cell.strip() for cell in line.text.split(" | ") if name in cell), name)
                return max(found), line, full
    return None


def _at_closing(case: Case) -> Iterator[Issue]:
    """Multiples of salary that a change of control alone makes payable, at the salaries of the census."""
    found: list[tuple[str, float, float, Said, Said]] = []
    for doc in case.ordered():
        for line in links(case).lines.get(doc.id, ()):
            text = unpointed(line.text)
            if not re.search(_PAID_AT, text, _I):
                continue
            several = [(m[1], float(m[2])) for m in _EACH.finditer(line.text)]
            if len(several) >= 2:
                thread = thread_of(case, line)
                if thread is None or cleared(thread, _DOUBLE):
                    continue
            elif re.search(_DOUBLE, text, _I):
                continue
            else:
                number = re.search(rf"(\d+(?:\.\d+)?) {_BASE}", line.text, _I)
                who = next((p["name"] for p in doc.parties if not case.is_target(p["name"])), "") or doc.title
                several = [(str(who).split()[-1], float(number[1]))] if number and str(who).strip() else []
            for name, multiple in several:
                if (pay := _salary(case, name)) and name not in {each[0] for each in found}:
                    found.append((name, multiple, pay[0], line, pay[1]))
    if not found:
        return
    names = [each[0] for each in found]
    listed_names = names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
    total = sum(multiple * pay for _, multiple, pay, _, _ in found)
    each_says = " ".join(
        f"{name} would receive {case.money(multiple * pay)} ({multiple:g} x {pay:,.0f})."
        for name, multiple, pay, _, _ in found
    )
    parts = list({id(line.part): line.part for _, _, _, line, row in found for line in (line, row)}.values())
    for _, _, _, line, _ in found:
        case.use(*case.of(line.doc, "single_trigger", "control_severance"))
    yield Issue(
        "paid_at_closing", f"Single-trigger payments on the change of control: {listed_names}"[:200],
        f"{listed_names} are paid on the change of control alone (single trigger), whether or not they stay. {quoted(found[0][3])} {each_says} The sum of the payments to {listed_names} is {case.money(total)}.",
        parts, severity=case.grade(total, unknown="High"),
        exposure={"base": round(total, 2), "currency": case.currency, "of": f"{listed_names}: change-of-control pay", "formula": " + ".join(f"{m:g} x {p:,.0f}" for _, m, p, _, _ in found)},
        next_step=f"Treat the payments to {listed_names} as a transaction expense that lowers the price, or obtain waivers or new retention terms.",
    )  # fmt: skip


# --- key persons -----------------------------------------------------------------------------------------------------------------------

_KEY = (
    r"without (?:whom|him|her)\b|(?:of (?:ten|our|the)|most|all) (?:the )?patents name|(?:named )?inventor of|^\W*[A-Z][a-z]+ [A-Z][a-z’'-]+ \| \d{2}\s?%|(?:holds|owns|carries) (?:most|all) of (?:our|the) (?:client|customer)|cannot be replaced|"
    r"(?:relationship|account)s? (?:rest|depend|hang)s? (?:on|with)|(?:business|product|company|technology) depends on"
)
_BOUND = r"does not (?:work for|join)|shall not (?:work|compete|join)|came back (?:this|with)|has signed|signed by|non-?compet|not to compete|under both"


def _key_person(thread: Thread) -> Told | None:
    s = thread.subject
    if len(s.split()) < 2 or re.search(r"inc|llc|corp|bank|limited|gmbh", s, _I):
        return None
    last = s.split()[-1]
    if any(
        re.search(_BOUND, line.text, _I)
        and last in line.text
        and not re.search(
            r"\b(?:next week|not|never|unsigned|have lain|still)\b(?! work| compete| join)", line.text, _I
        )
        for line in thread.lines
    ):
        return None
    free = thread.one(
        r"at will|next week|not signed|unsigned|has no|have lain|stay bonus|covenant", but=[thread.anchor]
    )
    claim = [
        quoted(thread.anchor), *([quoted(free)] if free else []), f"The business depends on {s}: patents, technology or accounts with a share of revenue rest on {last}.",
        f"An executed restrictive covenant or retention agreement of {last} is missing: none was found in the data room.",
        f"{last} is free to leave, or to join a competitor, after closing.",
    ]  # fmt: skip
    return Told(claim, [thread.anchor, *([free] if free else [])], subject=s)


# --- contractors, overtime, unions -------------------------------------------------------------------------------------------------------

_CONTRACTED = r"freelancers?|contractors?|self-employed|1099|consultants?|gig workers?"
_RULED = r"shift|supervisor|wear our|rated by|nothing else|asks? for leave|full[- ]time|our (?:tools|equipment|shirt|desk)|\| (?:3[5-9]|4\d|5\d) \|[^|]*(?:none|no)\b|no other client|exclusive"
_FREE = r"as its own staff|employed by|employs the crew|clients of their own|picks the day|chooses? the (?:time|hours)|\| yes\b|closing agreement|answers for the result|was settled"


def _contractors(thread: Thread) -> Told | None:
    s = thread.subject
    ruled = next((line for line in thread.lines if re.search(_RULED, line.text, _I)), None)
    counts = [
        n
        for line in thread.lines
        if re.search(_CONTRACTED, f"{line.text} {line.doc.label}", _I) or line is thread.anchor
        for n in whole(line.text)
        if 5 <= n < 20_000
    ]
    cost = next(
        (
            line
            for line in thread.lines
            if re.search(r"a year|per (?:year|head)|annual", line.text, _I) and sums(line.text)
        ),
        None,
    )
    spans = [n for line in thread.lines for n in (int(m[1]) for m in re.finditer(r"\b(\d{1,2}) years\b", line.text))]
    if ruled is None or not counts:
        return None
    n = counts[0]
    claim = [
        f"{n:,} people in {s} are treated as contractors (freelancers, self-employed).", quoted(thread.anchor), *([quoted(ruled)] if ruled is not thread.anchor else []),
        f"They are supervised and integrated like employees, so that the contractors in {s} may be misclassified employees.",
    ]  # fmt: skip
    parts = [thread.anchor, ruled]
    if cost is None:
        return Told(claim, parts)
    span = spans[0] if spans else 3
    rate = sums(cost.text)[0]
    return Told(
        [*claim, quoted(cost)],
        [*parts, cost],
        n * rate * span,
        f"{n:,} people at {thread.money(rate)} for {span} years",
    )


_COLLECTIVE = r"\bcollective action|(?:kept|certif\w+|join\w*)[^;]{0,30}\bcollective|\bcollective (?:is|was|of)\b|class action|opt(?:ed)?[- ]in|sent back the form|filed consents|unpaid overtime|wage[- ]and[- ]hour|back wages"
_CLOSED = r"dismissal with prejudice, settlement|settle(?:d|ment paid)|was dismissed|case closed|decertif|undid|withdrew|withdrawn|paid in full|stipulated dismissal"


def _collective(thread: Thread) -> Told | None:
    s = thread.subject
    joined = next(
        (
            line
            for line in thread.lines
            if re.search(r"consents?|form|joined|opt|plaintiffs|members", line.text, _I)
            and [n for n in whole(line.text) if n >= 5]
        ),
        None,
    )
    wages = next(
        (
            line
            for line in thread.lines
            if re.search(r"wages|overtime|a head|average|each", line.text, _I)
            and (f := sums(line.text))
            and min(f) < 200_000
        ),
        None,
    )
    left = next(
        (
            line
            for line in thread.lines
            if re.search(r"left|remain|wage and hour|defen[cs]e|sub-?limit", line.text, _I)
            and line.doc.id != (wages.doc.id if wages else "")
            and (sums(line.text) or _figures(line.text))
        ),
        None,
    )
    if joined is None or wages is None:
        return None
    n = max(v for v in whole(joined.text) if v >= 5)
    double = (
        2 if re.search(r"double|equal sum|liquidated|twice", " ".join(line.text for line in thread.lines), _I) else 1
    )
    damages = n * min(sums(wages.text)) * double
    rest = (sums(left.text) or _figures(left.text))[-1] if left else 0.0
    if damages <= rest:
        return None
    claim = [
        f"{n:,} employees have joined the collective of {s}.", quoted(joined), *([quoted(wages)] if wages is not joined else []),
        *([quoted(left), f"Only {thread.money(rest)} of the insurance sublimit is left for the {s} case."] if left else []),
        f"The damages of {thread.money(damages)} in the {s} case exceed the insurance left for it; {thread.money(damages - rest)} is uninsured.",
    ]  # fmt: skip
    return Told(
        claim,
        [joined, wages, *([left] if left else [])],
        damages - rest,
        f"{n:,} x {min(sums(wages.text)):,.0f} x {double} = {damages:,.0f}, less {rest:,.0f} of insurance left, the uninsured damages",
    )


_UNION = r"\bunion\b|labor organi[sz]ation|labou?r organi[sz]ation|collective (?:bargaining )?agreement|\bpetition\b[^;]{0,80}(?:election|certif)|represented by|works council"
_NO_UNION = r"no collective|none of the people|nobody|no union|not represented|sought to represent|no (?:employees? (?:is|are)|petition)"
_UNION_OVER = r"withdraw(?:n|s)? is granted|request to withdraw|withdrawn|voted (?:it )?out|voted against|decertif|has ended|expired|was sold|dissolved|case is closed|lost the (?:vote|election)"


def _union(thread: Thread) -> Told | None:
    s = thread.subject
    if re.search(_NO_UNION, thread.anchor.text, _I):
        return None
    denied = next(
        (
            line
            for line in thread.lines
            if line.doc.id != thread.anchor.doc.id
            and re.search(_NO_UNION, line.text, _I)
            and thread.key in line.text.casefold()
        ),
        None,
    )
    if denied is None:
        return None
    petition = bool(re.search(r"petition|certify|election", thread.anchor.text, _I))
    what = (
        f"In {s} a petition for an election is before the Board."
        if petition
        else f"In {s} people are under a collective agreement with a union that binds a later owner (successor)."
    )
    where_said = "memorandum" if re.search("memorandum", denied.doc.label, _I) else "schedule"
    claim = [
        what, quoted(thread.anchor), quoted(denied), f"The {where_said} says otherwise for {s} and contradicts this.",
        f"The buyer must bargain with, or is bound towards, the union in {s}, and wages may rise there.",
    ]  # fmt: skip
    return Told(claim, [thread.anchor, denied])


# --- plans -------------------------------------------------------------------------------------------------------------------------------

_DEFICIT = r"(?:obligations?|liabilit\w+|vested benefits)[^;]{0,160}assets|assets[^;]{0,160}(?:obligations?|vested benefits)|underfund\w*|withdrawal liability|unfunded"
_BOOKED = r"underfunding per actuary|already (?:deducted|counted)|was paid|funded in full|bought out|is deducted|not part of the sale|lowers the price|\| -?[\d,]{7,} \| (?:under|deficit|per actuary)"


def _pension(thread: Thread) -> Told | None:
    found = sorted(sums(thread.anchor.text), reverse=True)
    if len(found) < 2:
        return None
    gap, s = found[0] - found[1], thread.subject
    row = next(
        (
            line
            for line in thread.lines
            if " | " in line.text and re.search("net debt|bridge|closing", f"{line.text} {line.doc.label}", _I)
        ),
        None,
    )
    if row is not None and any(abs(abs(f) - gap) < 0.01 * gap for f in _figures(row.text)):
        return None
    other = row or thread.elsewhere(r"close|hire|leave|cease|withdraw|stop|depot")
    claim = [
        f"{s} has obligations of {thread.money(found[0])} and assets of {thread.money(found[1])}.", quoted(thread.anchor), *([quoted(other)] if other else []),
        *([f"Closing the depots and ceasing to contribute is a complete withdrawal from {s}."] if other is not None and re.search(r"close|depot|hire", other.text, _I) and row is None else []),
        f"The liability of {thread.money(gap)} towards {s} is debt-like: it is unfunded and left out of net debt.",
    ]  # fmt: skip
    return Told(
        claim,
        [thread.anchor, *([other] if other else [])],
        gap,
        f"{found[0]:,.0f} less {found[1]:,.0f}, the underfunding",
    )


_HELD = r"on hold|suspend\w*|halted|contributions?[^;]{0,30}(?:stopped|skipped)|none was paid|left out of|not (?:paid|matched|deposited)|(?:late|overdue)[^;]{0,40}5500|5500[^;]{0,60}(?:late|not filed)|without (?:an )?amendment"
_MENDED = r"amended the plan|was amended|told everybody|ran the tests|has been corrected|was corrected|made good|salary alone|were paid in|was extended"


def _plan(thread: Thread) -> Told | None:
    s = thread.subject
    rate_line = next(
        (
            line
            for line in thread.lines
            if percents(line.text) and re.search(r"pay|compensation|contribut|adds?|match", line.text, _I)
        ),
        None,
    )
    months = re.search(r"\b(\d{1,2}) months", thread.anchor.text)
    base_line = next(
        (
            line
            for line in thread.lines
            if (sums(line.text) or _figures(line.text))
            and re.search(r"monthly pay|bonus|payroll|compensation|pay of", line.text, _I)
            and not re.search("on which match was paid", line.text, _I)
        ),
        None,
    )
    if rate_line is None or base_line is None:
        return None
    rate = percents(rate_line.text)[0]
    base = max(sums(base_line.text) or _figures(base_line.text))
    n = int(months[1]) if months else 1
    bonus = bool(re.search("bonus", base_line.text, _I))
    what = (
        f"For {s} bonuses were paid without a match although the plan counts them as compensation (an operational failure)."
        if bonus
        else f"For {s} the safe harbor contribution was suspended{f' for {n} months' if months else ''} without amendment or notice."
    )
    claim = [
        what,
        quoted(thread.anchor),
        *(quoted(x) for x in (rate_line, base_line) if x is not thread.anchor),
        f"{s} was not run by its terms: it needs correction (EPCRS), and a penalty may be due{'' if bonus else ' for the safe harbor'}.",
    ]
    how = f"{100 * rate:g}% of {base:,.0f}" + (f" x {n} months" if months else "")
    return Told(claim, [thread.anchor, rate_line, base_line], rate * base * n, f"{how}, the cost of correction")


_ROUND = r"\b(?:let|laid?|lay) \d+ of \d+ (?:go|off)|\blayoff|\blaid off|\bdismiss\w*|\bredundan|\breduction in force|\| \d{2,4} \| \d{1,4} \| (?:19|20)\d\d-\d\d-\d\d"


def _warn(thread: Thread) -> Told | None:
    s = thread.subject
    cost = next(
        (
            line
            for line in thread.lines
            if re.search(r"\bday\b", line.text, _I) and (f := sums(line.text)) and min(f) < 5_000
        ),
        None,
    )
    rounds: list[tuple[int, object]] = []
    staff, parts, notice = 0, [], False
    for line in thread.lines:
        days = words.dates(line.text)
        counts = whole(line.text)
        row = re.search(
            r"\| (\d{2,4}) \| (\d{1,4}) \| ((?:19|20)\d\d-\d\d-\d\d)(?: \| ((?:19|20)\d\d-\d\d-\d\d))?", line.text
        )
        if row:
            staff = max(staff, int(row[1]))
            rounds.append((int(row[2]), words.dates(row[3])[0]))
            notice = notice or (row[4] is not None and (words.dates(row[3])[0] - words.dates(row[4])[0]).days >= 60)
            parts.append(line)
        elif len(days) == 2 and len(counts) >= 3 and re.search(r"\bof\b", line.text):
            pair = re.search(r"(\d+) of (\d+)", line.text)
            more = [c for c in counts if pair and c not in (int(pair[1]), int(pair[2]))]
            if pair and more:
                staff = int(pair[2])
                rounds += [(int(pair[1]), days[0]), (more[0], days[1])]
                parts.append(line)
    about = " ".join(f"{line.text} {line.doc.label}" for line in [thread.anchor, *parts])
    if (
        len(rounds) < 2
        or notice
        or not re.search(
            r"headcount|lay ?off|laid off|reduction|dismiss|redundan|posts|\blet\b|\bWARN\b|round", about, _I
        )
    ):
        return None
    (a, first), (b, second) = rounds[0], rounds[1]
    apart = abs((second - first).days)  # type: ignore[operator]
    lost = a + b
    if not a or not b or apart > 90 or lost < 50 or lost < staff / 3:
        return None
    claim = [
        f"{lost} people of {staff} in {s} lose their posts within ninety days ({a} and {b}).", *(quoted(line) for line in parts[:2]),
        f"The two rounds in {s} are added together, so that WARN applies to them (a mass layoff).", f"No notice of sixty days was given in {s}.",
    ]  # fmt: skip
    if cost is None:
        return Told(claim, parts)
    rate = min(sums(cost.text))
    return Told(
        [*claim, quoted(cost)],
        [*parts, cost],
        60 * rate * lost,
        f"sixty days at {thread.money(rate)} for {lost} people, the back pay at stake",
    )


_EARNED = r"(?:%|per ?cent)[^;]{0,80}(?:operating result|what they bring in|sales|bookings|profit|revenue|EBITDA)|\bpool is\b|\bcommissions? (?:of|are|at) \d"
_SETTLED = r"everybody has been paid|paid in full|was paid|topped up|fully accrued|no shortfall|was reduced|capped at"


def _bonus(thread: Thread) -> Told | None:
    s = thread.subject
    rate = next(iter(percents(thread.anchor.text)), 0.0)
    if (
        not re.search(r"bonus|commission|pool|incentive|letters", f"{thread.anchor.text} {thread.anchor.doc.label}", _I)
        or not 0 < rate < 0.6
    ):
        return None
    base = max(sums(thread.anchor.text), default=0.0)
    base_line = thread.anchor
    if not base:
        found = thread.one(r"operating result|sales|bookings|profit|revenue", but=[thread.anchor])
        if found is None:
            return None
        base, base_line = max(sums(found.text) or _figures(found.text), default=0.0), found
    booked = next(
        (
            line
            for line in thread.lines
            if line is not base_line
            and re.search(r"accru|as booked|on (?:y)?our books|provision|reserve", line.text, _I)
            and (sums(line.text) or _figures(line.text))
        ),
        None,
    )
    if not base or booked is None:
        return None
    earned, held = rate * base, min(sums(booked.text) or _figures(booked.text))
    if held >= 0.98 * earned:
        return None
    claim = [
        f"{s} has earned {thread.money(earned)}: {100 * rate:g}% of {base:,.0f} (bonus pool or commission on sales or operating result).", quoted(thread.anchor), quoted(booked),
        f"Only {thread.money(held)} is accrued for {s}, so that {thread.money(earned - held)} is unpaid and not accrued.",
    ]  # fmt: skip
    return Told(
        claim,
        [thread.anchor, base_line, booked],
        earned - held,
        f"{100 * rate:g}% of {base:,.0f} less {held:,.0f} accrued",
    )


_COMPLAINT = r"complained|complains (?:that|of)|complaint (?:of|by|from)\b|alleg\w+|harass\w*|discriminat\w*|passed over|hotline|called the line|hostile|retaliat\w*|misconduct"
_NONE_OPEN = r"\bno (?:complaint|charge|claim|allegation)|nobody has (?:alleged|complained)|none (?:is|are) (?:open|pending|unresolved)"
_RESOLVED = r"taken? back|withdr\w+|released? all|releases all|takes the complaint back|was paid|settled|resolved|has the post|time for the commission is over|case closed"


def _complaint(thread: Thread) -> Told | None:
    s = thread.subject
    if (
        thread.anchor.doc.family in ("litigation", "contract", "employment", "settlement")
        or len(thread.anchor.text.split()) < 6
    ):
        return None
    denied = None
    for doc in thread.case.ordered():
        if re.search(r"schedule|disclosure", doc.label, _I):
            denied = next(
                (line for line in links(thread.case).lines.get(doc.id, ()) if re.search(_NONE_OPEN, line.text, _I)),
                denied,
            )
    cost = next(
        (
            line
            for line in thread.lines
            if words.money(line.text)
            and re.search(r"settle|counsel|went for|cases|range|cost|thinks|worth|expos", line.text, _I)
        ),
        None,
    )
    if denied is None:
        return None
    last = s.split()[-1]
    claim = [
        f"{s} complained in writing or by the hotline, and the complaint is open.", quoted(thread.anchor), *([quoted(cost)] if cost and cost is not thread.anchor else []), quoted(denied),
        f"The disclosure schedule omits the complaint of {last}, or contradicts it.",
    ]  # fmt: skip
    top = max(sums(cost.text)) if cost else None
    return Told(
        claim,
        [thread.anchor, *([cost] if cost else []), denied],
        top,
        f"up to the highest estimate of a settlement with {last}",
        s,
    )


def _kind(
    identity: str,
    number: int,
    workstream: str,
    title: str,
    why: str,
    step: str,
    protection: str,
    severity: str = "High",
) -> Archetype:
    return Archetype(identity, number, workstream, title, "cross-document", severity, why, step, protection)


MATTERS = (
    Matter(
        _kind("key_person_free", 88, "Employment", "Key person without a covenant", "The buyer pays for what a person may take elsewhere.", "Obtain a new agreement with {s}, with a covenant not to compete and retention pay, as a condition of closing.", "Closing condition (new agreement)"),
        _KEY, _key_person, triggers=("without whom", "patents name", "inventor", "%", "depends on", "cannot be replaced", "at will", "relationships", "a rival", "compete"),
        same=("key_person",), named=True,
    ),
    Matter(
        _kind("contractors_misclassified", 89, "Employment", "Contractors may be employees", "Payroll taxes, benefits and overtime of past years fall due.", "Take an indemnity for the contractors in {s}; convert them, or enter a settlement program, before closing.", "Specific indemnity; escrow"),
        rf"{_CONTRACTED}|\| \d{{1,4}} \| \d{{2}} \| ", _contractors, clear=_FREE,
        triggers=("freelancer", "contractor", "self-employed", "1099", " | none |", "consultants", "shift"), same=("misclassification",),
    ),
    Matter(
        _kind("collective_uninsured", 90, "Employment", "Wage collective exceeds the insurance", "The uninsured damages stay with the company.", "Obtain a special indemnity and an escrow for the {s} case.", "Special indemnity; escrow"),
        _COLLECTIVE, _collective, clear=_CLOSED, triggers=("collective", "class action", "opt-in", "opted in", "sent back the form", "consents", "overtime", "wage and hour", "back wages", "with prejudice", "decertif", "case closed"), same=("litigation_threat",),

    ),
    Matter(
        _kind("union_denied", 91, "Employment", "Union or petition that the papers deny", "The buyer takes over a duty to bargain that the model leaves out.", "Have the schedule corrected and the model changed for the union in {s}; take a covenant on dealings with it, and engage labor counsel.", "Covenant; corrected schedule"),
        _UNION, _union, clear=_UNION_OVER, triggers=("union", "labor organization", "labour organisation", "collective", "petition", "represent", "request to withdraw", "voted", "decertif"), same=("union",),
    ),
    Matter(
        _kind("plan_underfunded", 92, "Employment", "Pension liability left out of net debt", "It is a debt that the price does not count.", "Treat the liability towards {s} as debt in the price, or take a price reduction or indemnity.", "Debt-like item; indemnity"),
        _DEFICIT, _pension, clear=_BOOKED, triggers=("obligations", "vested benefits", "underfund", "withdrawal liability", "unfunded"), same=("pension_deficit",), prefer=r"plan|fund|pension",

    ),
    Matter(
        _kind("plan_failure", 93, "Employment", "Plan not run by its terms", "Correction, penalties and in the end disqualification.", "Correct the plan before closing by a voluntary correction filing (VCP), or take an indemnity for {s}.", "Voluntary correction; indemnity"),
        rf"{_HELD}", _plan, clear=_MENDED, triggers=("on hold", "suspend", "halted", "stopped", "none was paid", "5500", "not matched", "not deposited", "of compensation", "three per cent of pay", "% of pay"),
        prefer=r"plan|401",
    ),
    Matter(
        _kind("warn_event", 94, "Employment", "WARN event without notice", "Sixty days of pay and benefits for each person.", "Take a covenant against further dismissals, give notices, or obtain an indemnity for the dismissals in {s}.", "Covenant; indemnity"),
        _ROUND, _warn, clear=r"were given notice|gave notice|received notice|had notice|letters went|took posts", triggers=("let ", "laid off", "layoff", "dismiss", "redundan", "reduction in force", "| 20"),
    ),
    Matter(
        _kind("unpaid_bonus", 95, "Employment", "Bonus or commission earned and not accrued", "It is a debt to employees that falls due after closing.", "Treat the shortfall for {s} as debt, accrue it in working capital, or have it paid before closing.", "Debt-like item"),
        _EARNED, _bonus, clear=_SETTLED, triggers=("operating result", "bring in", "pool is", "commission", "of sales", "of the unit", "profit"),
    ),
    Matter(
        _kind("complaint_not_scheduled", 96, "Employment", "Complaint that the schedule leaves out", "A known claim would stay with the buyer.", "Investigate the complaint of {s}, have the disclosure schedule corrected, and take an indemnity for it.", "Corrected schedule; indemnity"),
        _COMPLAINT, _complaint, clear=_RESOLVED, triggers=("counsel", "complain", "alleg", "harass", "discriminat", "passed over", "hotline", "the line", "hostile", "retaliat", "all claims", "settlement paid", "withdr"), named=True,
    ),
)  # fmt: skip

ARCHETYPES = (
    *listed(MATTERS),
    Archetype(
        "paid_at_closing", 87, "Employment", "Single-trigger payments at closing", "computed", "High", "They lower the value of what is bought and remove what would keep the people.", "Treat them as a transaction expense.",
        "Transaction expense in the price; waivers; new retention terms", check=_at_closing,
    ),
)  # fmt: skip

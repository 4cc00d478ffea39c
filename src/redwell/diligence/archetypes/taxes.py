"""Tax: losses, nexus, transfer prices, examinations, parachutes, elections, grants, withholding, spin-offs. Standard library only."""

from __future__ import annotations

import re
from datetime import timedelta

from redwell.diligence.archetypes import words
from redwell.diligence.archetypes.base import Archetype
from redwell.diligence.archetypes.matters import (
    Matter,
    Said,
    Thread,
    Told,
    listed,
    percents,
    quoted,
    sums,
    total,
    whole,
    years,
)
from redwell.diligence.archetypes.stakes import day_said

_I = re.IGNORECASE


def _figures(text: str) -> list[float]:
    return [float(m.replace(",", "")) for m in re.findall(r"(?<![\w.,-])(\d{1,3}(?:,\d{3})+|\d{5,})(?![\w,-])", text)]


def _amounts(line: Said) -> list[float]:
    return sums(line.text) or _figures(line.text)


# --- losses --------------------------------------------------------------------------------------------------------------------------

_LOSSES = (
    r"net operating loss\w*|\bNOLs?\b|loss carry-?forwards?|(?:whole|all|full use|use) of the \$?[\d,]+ in\b|\blosses\b"
)


def _losses(thread: Thread) -> Told | None:
    s = thread.subject
    stated = next(
        (
            line
            for line in thread.lines
            if words.money(line.text) and re.search(r"loss|absorb|carr|set off|whole", line.text, _I)
        ),
        None,
    )
    if stated is None:
        return None
    loss = max(sums(stated.text))
    today = thread.case.as_of.year if thread.case.as_of else 0
    vintages = []
    for line in thread.lines:
        row = re.match(r"\W*((?:19|20)\d\d) \| ([\d,]+)(?: \| (\d\d)\b)?", line.text)
        if row and (life := int(row[3] or 20)) and today and int(row[1]) + life <= today:
            vintages.append((float(row[2].replace(",", "")), line))
    rate = next(
        (
            r
            for line in thread.lines
            for r in percents(line.text)
            if 0.15 <= r <= 0.4 and re.search(r"tax|cash|worth|rate", line.text, _I)
        ),
        0.21,
    )
    if vintages:
        gone = sum(amount for amount, _ in vintages)
        claim = [
            f"{s} carries net operating losses of {thread.money(loss)}.", quoted(stated),
            f"Of them losses of {thread.money(gone)} of {s} have expired after 20 years ({'; '.join(line.text for _, line in vintages[:6])}).",
            f"The losses of {s} cannot be used as the model assumes.",
        ]  # fmt: skip
        return Told(
            claim,
            [stated, *(line for _, line in vintages)],
            rate * gone,
            f"{100 * rate:g}% of {gone:,.0f}, the tax at stake",
        )
    shift = thread.one(r"(?:increase|shift|change)\b[^;]{0,80}(?:points?|%|per ?cent)|percentage points")
    value = thread.one(r"value of (?:the )?(?:stock|shares|company|corporation)|equity value")
    yearly = thread.one(r"long-?term tax-?exempt rate|tax-exempt rate")
    left = thread.one(r"years? left|remaining (?:taxable )?years|years? (?:until|before|to)[^;]{0,40}expir")
    if not (shift and value and yearly and left):
        return None
    points = max([*whole(shift.text), *(100 * p for p in percents(shift.text))], default=0)
    worth, rates, spans = _amounts(value), percents(yearly.text), whole(left.text)
    if points <= 50 or not (worth and rates and spans):
        return None
    usable = max(worth) * rates[0] * spans[-1]
    if usable >= loss:
        return None
    claim = [
        f"{s} carries net operating losses of {thread.money(loss)}.", quoted(stated), quoted(shift),
        f"An ownership change of {points:g} percentage points limits their use under section 382 to {thread.money(max(worth) * rates[0])} a year, {thread.money(usable)} in all.",
        f"The losses of {s} cannot be used as the model assumes; their use is limited, and {thread.money(loss - usable)} will expire unused.",
    ]  # fmt: skip
    return Told(
        claim,
        [stated, shift, value, yearly, left],
        rate * (loss - usable),
        f"{100 * rate:g}% of {loss - usable:,.0f} that cannot be used",
    )


# --- sales tax -------------------------------------------------------------------------------------------------------------------------

_STATES = (  # noqa: SIM905
    "alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho illinois "
    "indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri "
    "montana nebraska nevada hampshire jersey mexico york carolina dakota ohio oklahoma oregon pennsylvania rhode "
    "tennessee texas utah vermont virginia washington wisconsin wyoming"
).split()
_STATE = re.compile(
    r"\b(?:(?:New|North|South|West) |Rhode )?(?:" + "|".join(w.capitalize() for w in _STATES) + r")\b(?: Island)?"
)


def _nexus(thread: Thread) -> Told | None:
    state = _STATE.search(thread.anchor.text) or _STATE.search(thread.anchor.doc.title)
    if state is None:
        return None
    s = state[0]
    here = [
        line
        for line in thread.lines
        if s in line.text or s in line.doc.title or s.lower().replace(" ", "-") in line.doc.path.lower()
    ]
    if any(
        re.search(r"\bregistered\b|entered the business|roll of sellers|permit (?:is|was|has been) (?:issued|granted)|certificate of registration|resale|exempt|marketplace|has been paid", line.text, _I)
        and not re.search(r"\b(?:not|never|neither|nobody|unregistered|returned|no)\b", line.text, _I) for line in here
    ):  # fmt: skip
        return None
    rows = [line for line in here if len(years(line.text)) == 1 and " | " in line.text and _figures(line.text)]
    prose = next((line for line in here if len(years(line.text)) >= 2 and len(sums(line.text)) >= 2), None)
    sales = total(rows) if len(rows) >= 2 else sum(sums(prose.text)) if prose else 0.0
    rates = [r for line in [*rows, *here] if not re.search(r"penalt", line.text, _I) for r in percents(line.text)]
    tax = next((r for r in rates if 0.02 < r < 0.12), None)
    penalty = next(
        (
            r
            for line in here
            if re.search("penalt|on top|never signed", line.text, _I)
            for r in percents(line.text)
            if r >= 0.05 and r != tax
        ),
        0.0,
    )
    if not sales or tax is None:
        return None
    parts = rows[:3] if len(rows) >= 2 else [prose] if prose else []
    said = next(
        (line for line in here if re.search(r"regist|permit|tax on it|threshold|returned", line.text, _I)), None
    )
    n = len(rows) if len(rows) >= 2 else len(sums(prose.text)) if prose else 0
    claim = [
        f"Taxable sales of {thread.money(sales)} were made in {s} over {n} years.", *(quoted(each) for each in parts[:1]), *([quoted(said)] if said else []),
        f"These sales create nexus in {s}, and sales tax should have been collected there.",
        f"Before a penalty the tax in {s} is {thread.money(sales * tax)}.",
        f"A sales tax registration in {s} is missing: none was found in the data room.",
    ]  # fmt: skip
    how = f"{sales:,.0f} x {100 * tax:g}%" + (f" x (1 + {100 * penalty:g}% penalty)" if penalty else "")
    return Told(
        claim, [*parts, *([said] if said else [])], sales * tax * (1 + penalty), f"{how}, the sales tax exposure", s
    )


# --- transfer prices ---------------------------------------------------------------------------------------------------------------------

_CHARGE = r"(?:royalt\w+|know-?how|licen[cs]e fee|charged?|owes?)\b[^;]{0,120}(?:%|per ?cent)[^;]{0,60}(?:turnover|sales|revenue)|(?:%|per ?cent) of (?:its |net |the )*(?:turnover|sales|revenue)"


def _transfer(thread: Thread) -> Told | None:
    rate = next(iter(percents(thread.anchor.text)), 0.0)
    base = thread.one(r"(?:net )?sales of|turnover (?:of|was)|revenue of|^net sales", but=[thread.anchor])
    booked = thread.one(
        r"(?:royalt\w+|charge)[^;|]*(?:\||USD|\$)[^;|]*\d|have charged|was booked|entries of the year",
        but=[thread.anchor],
    )
    if not rate or base is None or booked is None:
        return None
    one, two = max(_amounts(base), default=0.0), list(_amounts(booked))
    paid = next((a for a in two if a != one), 0.0)
    due = rate * one
    tax = next(
        (
            r
            for line in thread.lines
            for r in percents(line.text)
            if 0.1 <= r <= 0.45 and r != rate and re.search(r"\btax\b", line.text, _I)
        ),
        None,
    )
    if not one or not paid or paid >= 0.98 * due:
        return None
    s, gap = thread.subject, due - paid
    claim = [
        f"The intercompany agreement with {s} provides for a royalty of {100 * rate:g}%.", quoted(thread.anchor), quoted(booked),
        f"Only {thread.money(paid)} was booked as the royalty of {s}, {thread.money(gap)} too little ({100 * rate:g}% of {one:,.0f} is {due:,.0f}).",
    ]  # fmt: skip
    return Told(
        claim,
        [thread.anchor, base, booked],
        (tax or 0.21) * gap,
        f"{100 * (tax or 0.21):g}% of {gap:,.0f}, the tax on the royalty that was not booked",
    )


# --- examinations --------------------------------------------------------------------------------------------------------------------------

_EXAMINED = r"\bdeficiency\b|\bForm 872\b|proposed adjustment|adjustment on the table|statutory notice|revenue agent|assessment of|determined (?:a|an) (?:deficiency|additional)|kept \d{4} open|extended? the (?:statute|period of limitation)"
_DENIED = r"\bno (?:deficiency|examination|audit|waiver|claim|tax)\b|neither an? (?:examination|audit|waiver)|nor a waiver|none (?:is|are) (?:pending|proposed|asserted)|not (?:under|subject to) (?:examination|audit)"


def _assessed(thread: Thread) -> Told | None:
    found = sums(thread.anchor.text)
    if not found:
        return None
    denied = next(
        (line for line in thread.lines if line.doc.id != thread.anchor.doc.id and re.search(_DENIED, line.text, _I)),
        None,
    )
    s = thread.subject
    if denied is not None and thread.key not in denied.text.casefold():
        denied = None
    if denied is None:
        candidates = [line for line in thread.lines if re.search("schedule|disclosure", line.doc.label, _I)]
        denied = candidates[0] if candidates else None
    claim = [f"A tax claim against {s} is open (an examination, adjustment or deficiency).", quoted(thread.anchor)]
    if denied is not None:
        claim += [quoted(denied), f"The disclosure schedule omits the tax claim against {s}, or contradicts it."]
    return Told(
        claim,
        [thread.anchor, *([denied] if denied else [])],
        sum(found),
        "tax, penalty and interest claimed, " + " + ".join(f"{f:,.0f}" for f in found),
    )


# --- parachutes --------------------------------------------------------------------------------------------------------------------------

_PARACHUTE = (
    r"parachute|\b4999\b|\b280G\b|base amount|average (?:annual )?(?:pay|wages|compensation)|sale sets off|box 1"
)


def _parachute(thread: Thread) -> Told | None:
    s = thread.subject
    tax = thread.one(r"4999|280G|parachute")
    pays = max(
        (
            line
            for line in thread.lines
            if len(sums(line.text)) >= 2 and re.search(r"retention|bonus|salary|award|vest|severance", line.text, _I)
        ),
        key=lambda line: len(sums(line.text)),
        default=None,
    )
    if pays is None or tax is None:
        return None
    payments = sum(sums(pays.text))
    stated = thread.one(r"average (?:annual )?(?:pay|wages|compensation)|base amount", but=[pays])
    rows = [line for line in thread.lines if re.match(r"\W*(?:19|20)\d\d \| [\d,]+", line.text)]
    base, parts = 0.0, []
    if stated and (found := sums(stated.text)):
        base, parts = found[0], [stated]
    elif len(rows) >= 3:
        base, parts = total(rows[-5:]) / len(rows[-5:]), rows[-5:]
    if not base or payments < 3 * base:
        return None
    claim = [
        f"The sum of the change-of-control payments of {s} comes to {thread.money(payments)}.", quoted(pays), quoted(tax),
        f"The payments to {s} are more than three times the base amount of {thread.money(base)}.",
        f"Section 280G (parachute payments) applies to {s}, with an excise tax of 20% under section 4999 on the excess over the base amount.",
    ]  # fmt: skip
    last = (s.split() or [s])[-1]
    return Told(
        claim,
        [pays, tax, *parts],
        0.2 * (payments - base),
        f"20% of the excess of {payments:,.0f} over {base:,.0f} of {last}",
    )


# --- elections -----------------------------------------------------------------------------------------------------------------------------

_SHARES = r"(?:buys?|bought|received?|purchased?|granted|issued)\b[^;]{0,60}\b[\d,]{4,} (?:restricted )?shares|\| [\d,]{4,} \| (?:19|20)\d\d-\d\d-\d\d \| \$|\brestricted (?:shares|stock)\b[^;]{0,120}[\d,]{4,}"


def _election(thread: Thread) -> Told | None:
    text = thread.anchor.text
    day = next(iter(words.dates(text)), None)
    counts = [n for n in whole(text) if n >= 500]
    cost = min((a for a, _ in words.money(text)), default=None)
    if day is None or not counts or cost is None:
        return None
    if not re.search(r"vest|forfeit|buy back|repurchase|restricted", text, _I):
        return None
    s = thread.subject
    last = s.split()[-1]
    filed = [
        line
        for line in thread.lines
        if re.search(
            r"elects? to include|stamped copy of|election (?:was|of)[^;]{0,40}(?:filed|mailed|sent)|(?:mailed|filed) (?:the|an) election",
            line.text,
            _I,
        )
        and last.casefold() in line.text.casefold()
    ]
    if any(not re.search(r"\b(?:neither|nor|not|no|nothing|blank)\b", line.text, _I) for line in filed):
        return None
    price = next(
        (
            (a, line)
            for line in thread.lines
            if line is not thread.anchor
            and re.search(r"\bshare\b", line.text, _I)
            and (last in line.text or line.doc.path.endswith((".eml", ".txt")))
            for a, _ in words.money(line.text)
            if cost < a < 10_000
        ),
        None,
    )
    rate = next((r for line in ([price[1]] if price else []) for r in percents(line.text)), 0.4)
    due = day + timedelta(days=30)
    claim = [
        f"{s} received {counts[0]:,} restricted shares on {day_said(day)}.", quoted(thread.anchor), f"The election of {last} was due within 30 days, by {day_said(due)}.",
        f"A section 83(b) election of {last} is missing: none was found in the data room.",
    ]  # fmt: skip
    if price is None:
        return Told(claim, [thread.anchor], subject=s)
    spread = counts[0] * (price[0] - cost)
    return Told(
        [*claim, quoted(price[1])],
        [thread.anchor, price[1]],
        rate * spread,
        f"{100 * rate:g}% of the spread of {spread:,.0f} ({counts[0]:,} shares x ({price[0]:.2f} - {cost:.2f}))",
        s,
    )


# --- grants, withholding, spin-offs --------------------------------------------------------------------------------------------------------

_GRANT = r"(?:grant|award|incentive|subsid\w+|abatement|forgivable loan)\b[^;]{0,160}(?:repaid|repay\w*|a debt|claw\w*|refund\w*|recaptur\w*)|(?:repaid|repay\w*|leav\w+ the (?:county|state|city))[^;]{0,160}(?:grant|award|incentive|subsid\w+|abatement)"


def _grant(thread: Thread) -> Told | None:
    s = thread.subject
    if re.search(r"contracting officer|purchase order|royalt", thread.anchor.text, _I):
        return None
    money = next(((a, line) for line in [thread.anchor, *thread.lines] for a in sums(line.text) if a >= 10_000), None)
    if money is None:
        return None
    amount, line = money
    rate = next((r for each in [thread.anchor, line] for r in percents(each.text) if r < 0.2), 0.0)
    paid = next(
        (
            d
            for each in [thread.anchor, *thread.lines]
            if re.search(r"since|disburs|paid|granted|received|award", each.text, _I)
            for d in words.dates(each.text)
        ),
        None,
    )
    event = next(
        (
            each
            for each in thread.lines
            if each.doc.id != thread.anchor.doc.id
            and " | " not in each.text
            and re.search(
                r"effective time|closing|merger|moves? to|given up|relocat|becomes the holder|close[sd]?\b",
                each.text,
                _I,
            )
        ),
        None,
    )
    end = next(iter(words.dates(event.text)), None) if event else None
    end = end or thread.case.as_of
    whole_years = (end.year - paid.year - ((end.month, end.day) < (paid.month, paid.day))) if paid and end else 0
    due = amount * (1 + rate * max(0, whole_years))
    moves = bool(re.search(r"leav|relocat|move|county", thread.anchor.text, _I))
    claim = [
        f"{s} gave a grant of {thread.money(amount)}.", quoted(thread.anchor), *([quoted(event)] if event else []),
        f"The grant of {s} must be repaid "
        + ("if the site is relocated or leaves the county, which the plan for after closing provides for." if moves else "when more than half of the shares change hands, which the transaction does (a change of control)."),
    ]  # fmt: skip
    return Told(
        claim,
        [thread.anchor, line, *([event] if event else [])],
        due,
        f"grant and interest, {amount:,.0f} x (1 + {100 * rate:g}% x {whole_years} full years), what must be repaid",
    )


_WITHHELD = r"full coupon|in full|\bno form 1042|nothing (?:was )?withheld|without withholding|withheld\b|\broyalt\w+[^|]{0,60}\| (?:19|20)\d\d \|[^|]*\| 0\b|\| 0$"


def _withholding(thread: Thread) -> Told | None:
    s = thread.subject
    rows = [
        line
        for line in thread.lines
        if re.search(r"royalt|interest|fees?|services", line.text, _I)
        and re.search(r"\| 0(?:\.0+)?\s*$", line.text)
        and _figures(line.text)
    ]
    prose = next((line for line in thread.lines if len(sums(line.text)) >= 2 and len(years(line.text)) >= 2), None)
    paid = total(rows) if len(rows) >= 2 else sum(sums(prose.text)) if prose else 0.0
    rate_line = next(
        (
            line
            for line in thread.lines
            if re.search(r"withh|keeps? back|at source|deduct", line.text, _I) and percents(line.text)
        ),
        None,
    )
    if not paid or rate_line is None:
        return None
    rate = percents(rate_line.text)[0]
    parts = rows[:3] if len(rows) >= 2 else [prose] if prose else []
    what = (
        "interest"
        if re.search("interest", parts[0].text, _I)
        else "royalties"
        if re.search("royalt", parts[0].text, _I)
        else "fees"
    )
    n = len(rows) if len(rows) >= 2 else len(sums(parts[0].text))
    claim = [
        f"{what.capitalize()} paid to {s} came to {thread.money(paid)} over {n} years.", quoted(parts[0]), quoted(rate_line),
        f"Nothing was withheld from {what} paid to {s}: they were paid in full, and no treaty claim covers them.",
        f"Tax is owed on {what} paid to {s}; it should have been withheld.",
    ]  # fmt: skip
    return Told(claim, [*parts, rate_line], rate * paid, f"{100 * rate:g}% of {paid:,.0f}, the tax at stake")


_SPUN = r"(?:second|first|third|2nd) anniversary[^;]{0,200}(?:acquire|stock|merge)|(?:two years|24 months|twenty-four months)[^;]{0,160}(?:bought|acquired?|change (?:of|in) control|merge|sold)|tax-?free (?:distribution|spin)|section 355|hand-?out stays free"


def _spin(thread: Thread) -> Told | None:
    s = thread.subject
    gain = thread.one(r"\bgain\b")
    if gain is None or not sums(gain.text) or not percents(gain.text):
        return None
    start = next(iter(words.dates(thread.anchor.text)), None) or next(
        (
            d
            for line in thread.lines
            if re.search(r"distribut|hand-?out|spin", line.text, _I)
            for d in words.dates(line.text)
        ),
        None,
    )
    deal = next(
        (
            line
            for line in thread.lines
            if line.doc.id != thread.anchor.doc.id
            and re.search(r"merger|converted into|your sale|acquir|purchase", f"{line.text} {line.doc.label}", _I)
        ),
        None,
    )
    signed = next(iter(words.dates(deal.text)), None) if deal else None
    if signed is None:
        signed = max(
            (d for doc in thread.case.family("merger") if doc.date for d in words.dates(doc.date)),
            default=thread.case.as_of,
        )
    if start and signed and (signed - start).days > 731:
        return None
    amount = max(sums(gain.text)) * percents(gain.text)[0]
    when = f" on {day_said(start)}" if start else ""
    claim = [
        f"The target distributed {s}{when} and is restricted by covenant from being acquired for two years.", quoted(thread.anchor), quoted(gain), *([quoted(deal)] if deal else []),
        f"The deal could make the distribution of {s} taxable (section 355) and breach the tax sharing agreement.",
    ]  # fmt: skip
    return Told(
        claim,
        [thread.anchor, gain, *([deal] if deal else [])],
        amount,
        f"{100 * percents(gain.text)[0]:g}% of the gain of {max(sums(gain.text)):,.0f}, the tax on the distribution",
    )


def _kind(identity: str, number: int, title: str, why: str, step: str, protection: str) -> Archetype:
    return Archetype(identity, number, "Tax", title, "computed", "High", why, step, protection)


MATTERS = (
    Matter(
        _kind("loss_limitation", 60, "Tax losses cannot be used in full", "The model sets off losses that are gone or limited.", "Correct the model and reduce the price for the losses of {s}; obtain a section 382 study and a tax representation.", "Price; tax representation"),
        _LOSSES, _losses, clear=r"no limitation|within the (?:yearly )?limit", triggers=("loss", "absorb the whole", "nol"), prefer=r"",
    ),
    Matter(
        _kind("sales_tax_nexus", 61, "Sales tax not collected", "Uncollected tax, penalties and interest stay with the company.", "Register in {s} and file a voluntary disclosure before closing, with a tax indemnity and escrow for the past.", "Tax indemnity; escrow; voluntary disclosure"),
        r"\b(?:sales|use) tax|taxable sales|none with tax|invoices to|seller.s permit|(?:19|20)\d\d \| [\d,]{6,} \| \d", _nexus,
        triggers=("sales tax", "use tax", "taxable", "with tax", "permit", " | 20", "unregistered"), prefer="|".join(_STATES),
    ),
    Matter(
        _kind("transfer_pricing_gap", 62, "Intercompany royalty under-accrued", "Tax authorities assess what related parties should have charged.", "Take a tax indemnity for the royalty of {s}; have a true-up booked and the documentation (study) prepared.", "Tax indemnity"),
        _CHARGE, _transfer, clear=r"true-?up|made good|went in with|binder[^;]{0,80}complete|holds the functional analysis|reduced the rate|was corrected",
        triggers=("turnover", "net sales", "royalt", "know-how", "% of sales"), absent="transfer pricing documentation for {s} (a study or local file)",
    ),
    Matter(
        _kind("tax_claim_open", 63, "Open tax claim not disclosed", "The buyer inherits tax that the schedule does not show.", "Obtain a specific tax indemnity and an escrow for the tax claim against {s}, and have the disclosure schedule corrected.", "Pre-closing tax indemnity; escrow"),
        _EXAMINED, _assessed, clear=r"\bdropped\b|\brescind(?:s|ed)\b|ended? the matter|has been paid|was paid|withdr\w+|no change|closed without|ran out|we close|is closed",
        triggers=("deficiency", "form 872", "adjustment", "examination", "statute of limitations", "assessment"), same=("tax_assessment",),
    ),
    Matter(
        _kind("golden_parachute", 64, "Parachute payments above three times the base amount", "The excise tax, and any gross-up of it, fall on the company and its buyer.", "Obtain a waiver and a stockholder vote, or a cutback, for {s} before closing; else an indemnity for the tax.", "Stockholder vote; waiver; indemnity"),
        _PARACHUTE, _parachute, clear=r"falls away|cut ?-?back|reduced so that|waived? (?:the|all|any|so much)[^;]{0,40}(?:payment|excess|parachute)|approved by (?:the )?(?:stock|share)holders|no more than three",
        triggers=("parachute", "4999", "280g", "base amount", "average pay", "average annual", "sets off", "box 1"), same=("control_severance",),
    ),
    Matter(
        _kind("no_83b_election", 65, "Section 83(b) election missing", "Without a timely election wages and withholding fall due as the shares vest.", "Request the election of {s} with proof of mailing (certified mail); else an indemnity and escrow for the tax.", "Indemnity; escrow"),
        _SHARES, _election, triggers=("shares", "83(b)", "elects to include", "forfeit", "a share"),
    ),
    Matter(
        _kind("grant_repayable", 66, "Grant must be repaid", "The transaction makes public money repayable, with interest.", "Obtain a waiver or undertaking from {s} before closing, as a condition; else a price reduction or indemnity for the grant.", "Closing condition; indemnity; debt-like item"),
        _GRANT, _grant, clear=r"(?:do|does|will) not call for repayment|no longer|waives? (?:the )?(?:repayment|its claim|the grant)|(?:repayment|grant|right)[^;]{0,40}\bwaived|period (?:has )?ended|consents? to the (?:purchase|sale|merger|change)", triggers=("effective time", "repa", "a debt", "clawback", "claw back", "recapture", "refund"),
        prefer=r"authority|fund|county|agency|ministry|department|development|state", same=("grant_clawback",),
    ),
    Matter(
        _kind("withholding_tax", 67, "Tax not withheld at source", "Who pays without withholding owes the tax.", "Take a tax indemnity for payments to {s}, and disclose to the authority (voluntary filing) before closing.", "Tax indemnity; voluntary disclosure"),
        _WITHHELD, _withholding, clear=r"less the \d|were withheld|was withheld|paid over|treaty (?:rate|claim|benefits? (?:claimed|article))|went to the Treasury|is exempt|waiver covers",
        triggers=("coupon", "1042", "withh", "| 0", "at source", "keeps back"),
    ),
    Matter(
        _kind("spin_off_restriction", 68, "Spin-off covenant against being acquired", "The deal could make an earlier distribution taxable, for the target's account.", "Obtain an unqualified tax opinion or ruling, or a waiver, as to {s} before closing.", "Closing condition (opinion); indemnity"),
        _SPUN, _spin, clear=r"the letter that|opinion (?:was|has been|is) (?:given|delivered|rendered|obtained)|ruling (?:was|has been)|counsel has written|no longer|has ended",
        triggers=("converted into", "once held", "anniversary", "two years", "24 months", "tax-free", "free of tax", "355", "gain"),
    ),
)  # fmt: skip

ARCHETYPES = (
    *listed(MATTERS),
)  # fmt: skip

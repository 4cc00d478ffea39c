"""The quality of earnings, cash and working capital: what the price rests on, held against the books. Standard library only."""

from __future__ import annotations

import re
from collections.abc import Iterator

from redwell.diligence.archetypes import words
from redwell.diligence.archetypes.base import Archetype, Issue
from redwell.diligence.archetypes.case import Case
from redwell.diligence.archetypes.links import links
from redwell.diligence.archetypes.matters import (
    Matter,
    Said,
    Thread,
    Told,
    listed,
    quoted,
    sums,
    times,
    total,
    years,
)

_I = re.IGNORECASE
_MULTIPLE = r"\d\s?(?:x\b|times\b|turns\b)|\b(?:multiple|each dollar)\b"


def _multiple(thread: Thread) -> tuple[float, Said] | None:
    """The multiple of earnings that the price is: said of the subject, else in the only paper that names one."""
    for line in thread.all(_MULTIPLE):
        found = times(line.text)
        if found and 2 <= found <= 60:
            return found, line
    return None


# --- working capital -----------------------------------------------------------------------------------------------------------

_OMITS = r"(?:not (?:a )?part of|not (?:included|counted|in)\b|exclud\w+|left out|leav\w+ out|omit\w*|outside|no (?:line|place)|without)"
_PEG = r"\bpeg\b|target (?:amount|level|working)|working capital|sample statement|illustrative statement|reference statement|mapping"
_OWED = r"accru\w+|payables?|owed?\b|rebates?|freight|liabilit\w+|provisions?|bonus\w*|refunds?|deferred|warrant\w+"


def _peg(thread: Thread) -> Told | None:
    anchor = thread.anchor
    if not re.search(_PEG, f"{anchor.text} {anchor.doc.label}", _I) or not re.search(_OWED, anchor.text, _I):
        return None
    dated = [
        line for line in thread.lines
        if line.doc.id != anchor.doc.id and len(words.dates(line.text)) == 1 and len(sums(line.text) or _figures(line.text)) == 1
    ]  # fmt: skip
    figures = [(words.dates(line.text)[0], (sums(line.text) or _figures(line.text))[0], line) for line in dated]
    figures = sorted((each for each in figures if each[1] >= 1_000), key=lambda each: each[0])[-12:]
    s = thread.subject
    claim = [
        f"The accrued liability to {s} is excluded from the working capital peg (the target amount).", quoted(anchor),
    ]  # fmt: skip
    amount, formula = None, ""
    if len(figures) >= 2:
        amount = sum(figure for _, figure, _ in figures) / len(figures)
        formula = f"the average of the {len(figures)} period-ends, " + ", ".join(
            f"{figure:,.0f}" for _, figure, _ in figures
        )
        claim.append(f"At the last of them {thread.money(figures[-1][1])} was owed to {s}.")
    claim.append(
        f"The peg is misstated by the liability to {s}, and the buyer would bear it without an adjustment of the price."
    )
    return Told(claim, [anchor, *(line for _, _, line in figures)], amount, formula)


def _figures(text: str) -> list[float]:
    return [float(m.replace(",", "")) for m in re.findall(r"(?<![\w.,-])(\d{1,3}(?:,\d{3})+|\d{5,})(?![\w,-])", text)]


# --- add-backs -----------------------------------------------------------------------------------------------------------------

_ADDED = r"add(?:s|ed|ing)?[- ]?backs?\b|\badds? back\b|one[- ](?:time|off) (?:item|cost|charge|expense)|non-?recurring|exceptional|extraordinary (?:item|cost|expense)|normali[sz]"
_ONCE = r"account closed|contract (?:has )?ended|\bended\b|terminated|completed|final (?:balance|invoice|bill)|\bnone\b[^|]*$|not renewed|no further"


def _add_back(thread: Thread) -> Told | None:
    anchor = thread.anchor
    found = sums(anchor.text)
    if not found:
        return None
    added, now = found[0], max(years(anchor.text), default=0)
    later: tuple[int, float, Said] | None = None
    for line in thread.lines:
        mentioned = years(line.text)
        figures = [f for f in (sums(line.text) or _figures(line.text)) if f != added]
        if line.doc.id == anchor.doc.id or not mentioned or not figures or max(mentioned) == now:
            continue
        if later is None or max(mentioned) > later[0]:
            later = (max(mentioned), figures[0], line)
    if later is None or later[0] < now or later[1] < 0.2 * added:
        return None
    s, multiple = thread.subject, _multiple(thread)
    claim = [
        f"{thread.money(added)} paid to {s}{f' in {now}' if now else ''} is added back to EBITDA as non-recurring.", quoted(anchor),
        f"But charges of {s} are also expected for {later[0]}, at {thread.money(later[1])}.", quoted(later[2]),
        f"The cost of {s} recurs, so that its add-back is unsupported.",
    ]  # fmt: skip
    parts = [anchor, later[2]]
    if multiple is None:
        return Told(claim, parts, added, f"the add-back of {s} itself; the multiple of the price is not in the papers")
    return Told(
        claim,
        [*parts, multiple[1]],
        added * multiple[0],
        f"the effect on value, {thread.money(added)} at {multiple[0]:g} times",
    )


# --- EBITDA in several papers -----------------------------------------------------------------------------------------------------

_EBITDA = r"\bEBITDA\b"


def _conflict(case: Case) -> Iterator[Issue]:
    """EBITDA of one year that two papers give differently, with nothing that explains the difference."""
    stated: dict[int, list[tuple[float, Said]]] = {}
    others: list[float] = []
    multiples: list[tuple[float, Said]] = []
    for doc in case.ordered():
        for line in links(case).lines.get(doc.id, ()):
            text = line.text
            if (
                re.search(r"\d\s?(?:x|times|turns)\b", text, _I)
                and re.search(r"offer|price|EBITDA|earnings|figure", text, _I)
                and (m := times(text))
                and 2 < m < 60
            ):
                multiples.append((m, line))
            if not re.search(r"EBITDA|earnings|share-based|disposed|one-time|unit", text, _I):
                continue
            figures = sums(text) if words.money(text) else _figures(text) if " | " in text else []
            others += figures
            named = years(text) or years(f"{line.doc.title} {line.doc.path}")
            if not re.search(_EBITDA, text, _I) or len(figures) != 1 or not named or figures[0] < 100_000:
                continue
            if re.search(
                r"adds? back|add-?back|contribut|to the day|covenant|ratio|net debt|budget|plan|forecast|input|disposed|segment|division",
                text,
                _I,
            ):
                continue
            if re.search(
                r"the company|consolidated|group|closed books|per our work|\bour work\b|financial overview|company with",
                f"{text} {line.doc.title}",
                _I,
            ) or re.search(
                r"memorandum|quality of earnings|income statement|board|deck|presentation", line.doc.label, _I
            ):
                stated.setdefault(named[0], []).append((figures[0], line))
    for year, said in sorted(stated.items()):
        by_doc = {line.doc.id: (amount, line) for amount, line in reversed(said)}
        if len(by_doc) < 2:
            continue
        (high, a), *_, (low, b) = sorted(by_doc.values(), key=lambda each: -each[0])
        gap = high - low
        if gap < 0.005 * high or high > 3 * low or any(abs(each - gap) <= 0.006 * gap for each in others):
            continue
        price = next(
            ((m, line) for m, line in multiples if line.doc.id in (a.doc.id, b.doc.id)),
            multiples[0] if multiples else None,
        )
        worth = gap * price[0] if price else gap
        how = f"{case.money(gap)} at {price[0]:g} times" if price else f"{high:,.0f} - {low:,.0f}"
        case.use(*(f for f in case.kinds["figures_differ"]))
        yield Issue(
            "figures_differ", f"EBITDA of {year}: two papers conflict and are unreconciled",
            f"{quoted(a)} {quoted(b)} The first gives EBITDA of {case.money(high)} for {year} and the second gives {case.money(low)}. "
            f"The figures for EBITDA of {year} conflict, by {case.money(gap)}, and are unreconciled. The effect on value of the difference in EBITDA of {year} is {case.money(worth)}: {how}.",
            [a.part, b.part, *([price[1].part] if price else [])], workstream="Finance", severity=case.grade(worth, unknown="High"),
            exposure={"base": round(worth, 2), "currency": case.currency, "of": f"EBITDA of {year}", "formula": how},
            next_step=f"Have the EBITDA figures for {year} reconciled by the accountants before the price is settled.", protection="Reconciliation as closing condition; price",
        )  # fmt: skip


# --- revenue -----------------------------------------------------------------------------------------------------------------------

_EARLY = (
    r"(?:send|sent|ship|give) back|return(?:ed)? (?:any|all|the|unsold|them|what|for full)|right (?:of|to) return|credit you|unsold|keep them (?:among|in|at)|hold (?:them|the goods)|"
    r"(?:still|remain\w*|kept|stored|stay\w*)\b[^.;]{0,40}\b(?:our|seller.s|the target.s) (?:warehouse|stock|dock|premises)|not (?:yet )?(?:asked for|taken) (?:the )?(?:goods|delivery)|call (?:them|the goods) off|bill[- ]and[- ]hold|side letter"
)


def _revenue(thread: Thread) -> Told | None:
    booked = thread.one(
        r"\b(?:entry|booked|posted|recogni[sz]ed|takes|into the (?:last|fourth|first|second|third) quarter)\b[^;]*\d{3}"
    ) or thread.one(
        r" \| .*\d{3}", label=r"journal|revenue|booking|shipment|sales (?:ledger|journal)", but=[thread.anchor]
    )
    if booked is None or not re.search(
        r"unit|goods|ship|deliver|stock|price|product|pieces", " ".join(line.text for line in thread.lines), _I
    ):
        return None
    amounts = sums(booked.text) or _figures(booked.text)
    if not amounts:
        return None
    amount, s = max(amounts), thread.subject
    stock = thread.one(r"\bon hand\b|in stock|unsold|sold on")
    formula = "the revenue to be reversed"
    if stock and (held := re.search(r"on hand (\d[\d,]*)|(\d[\d,]*) (?:on hand|unsold|in stock|left)", stock.text, _I)):
        left = float((held[1] or held[2]).replace(",", ""))
        unit = next((u for u in sums(thread.anchor.text) if u < amount), None)
        if left == 0:
            return None
        if unit:
            amount, formula = left * unit, f"{left:,.0f} units not sold on at {unit:,.2f}, the revenue to be reversed"
    year = next(iter(years(booked.text)), 0) or next(iter(years(booked.doc.path)), 0)
    claim = [
        f"Revenue of {thread.money(max(amounts))} from {s} was recognised{f' in fiscal {year}' if year else ''} (booked in the ledger).", quoted(booked), quoted(thread.anchor),
        f"The revenue from {s} was recognised too early, in the wrong period: control had not passed or could be given back, and it should be reversed.",
    ]  # fmt: skip
    if re.search(r"keep|warehouse|stock|call", thread.anchor.text + booked.text, _I) and not re.search(
        r"back|return", thread.anchor.text, _I
    ):
        claim.append(
            f"The goods for {s} stayed in the target's warehouse, at its risk, when the revenue was booked (bill-and-hold)."
        )
    else:
        claim.append(f"{s} has a right to return the goods that was still running at the end of the year.")
    return Told(claim, [thread.anchor, booked, *([stock] if stock else [])], amount, formula)


# --- forecasts ---------------------------------------------------------------------------------------------------------------------

_PLANNED = r"will contribute|is (?:expected|forecast|projected|planned) to|forecast|projection|budget\w*|\bplan(?:ned)?\b|EBITDA [A-Z]\w+, (?:fiscal|FY)|guidance"
_ACTUAL = r"\bclosed\b|\bactual|\bended\b|came (?:to|in)|achieved|results?\b|delivered|earned|January to December"


def _forecast(thread: Thread) -> Told | None:
    planned = [
        line for line in thread.lines
        if re.search(_PLANNED, line.text, _I) and re.search(r"EBITDA|earnings|profit|interest, tax", line.text, _I) and (sums(line.text) or _figures(line.text))
    ]  # fmt: skip
    if not planned:
        return None
    plan = (sums(planned[0].text) or _figures(planned[0].text))[0]
    for line in thread.lines:
        figures = sums(line.text) or _figures(line.text)
        if (
            line.doc.id == planned[0].doc.id
            or not figures
            or not re.search(_ACTUAL, f"{line.text} {line.doc.label}", _I)
        ):
            continue
        actual = figures[0]
        if 0.1 * plan < actual < 0.98 * plan:
            s, multiple = thread.subject, _multiple(thread)
            miss = plan - actual
            claim = [
                f"The forecast has EBITDA of {thread.money(plan)} for {s}.", quoted(planned[0]), f"The actual EBITDA of {s} is {thread.money(actual)}.", quoted(line),
                f"The forecast for {s} is stale and was missed by {thread.money(miss)}.",
            ]  # fmt: skip
            if multiple is None:
                return Told(claim, [planned[0], line], miss, "forecast less actual")
            return Told(
                claim,
                [planned[0], line, multiple[1]],
                miss * multiple[0],
                f"the effect on value of the miss, {thread.money(miss)} at {multiple[0]:g} times",
            )
    return None


# --- cash --------------------------------------------------------------------------------------------------------------------------

_ONE_OFF = r"\bpay(?:s|ing)? you (?:today|now|in advance|ahead|early)|\bprepa(?:y|id)\b|paid (?:\w+ ){0,3}in advance|(?:hold|held) back \$?|\b(?:permission|agreed?|allowed?) to (?:hold back|pay late|defer|delay)|paid ahead|stretch\w* payables?"


def _cash(thread: Thread) -> Told | None:
    found = sums(thread.anchor.text)
    flow = thread.one(
        r"(?:free cash flow|operating cash flow|cash from operations)[^;]*\d{3}|(?:free|operating) cash flow[^;]*\d\S* million"
    )
    if (
        not found
        or flow is None
        or flow.doc.id == thread.anchor.doc.id
        or not (flows := sums(flow.text) or _figures(flow.text))
    ):
        return None
    one, whole, s = max(found), max(flows), thread.subject
    year = max(years(f"{flow.text} {flow.doc.label}"), default=0)
    prepaid = not re.search(r"hold back|held back|defer|delay|late|stretch", thread.anchor.text, _I)
    claim = [
        f"{s} prepaid {thread.money(one)} before the year-end." if prepaid else f"Payments of {thread.money(one)} to {s} were held back over the year-end.",
        quoted(thread.anchor), quoted(flow),
        f"The effect of {s} on cash flow is non-recurring: free cash flow{f' of {year}' if year else ''} is flattered by it.",
        f"Without {s}, free cash flow is {thread.money(whole - one)} ({whole:,.0f} - {one:,.0f}).",
    ]  # fmt: skip
    return Told(claim, [thread.anchor, flow], one, "the sum that will not recur")


_TRAPPED = (
    r"(?:cover|collateral|security|pledged?|margin|escrow) (?:for|to|in favou?r)|cash collateral|draw on neither|shall (?:not|neither) (?:be )?(?:draw|withdraw)|registered capital|statutory reserve|exchange (?:authority|control)|not leave the country|"
    r"restricted cash|blocked|minimum (?:cash|balance)|ring-?fenced|trapped|repatriat"
)


def _trapped(thread: Thread) -> Told | None:
    others = [
        line
        for line in thread.lines
        if line.doc.id != thread.anchor.doc.id and (sums(line.text) or _figures(line.text.replace("-", " ")))
    ]
    counted = next(
        (line for line in others if re.search(r"\bcash\b|100 ?%|all accounts|balances?\b", line.text, _I)), None
    ) or next((line for line in others if " | " in line.text), None)
    found = sums(thread.anchor.text)
    if counted is None or not found or not re.search(r"\||cash|bridge|net debt", counted.text + counted.doc.label, _I):
        return None
    held = [abs(f) for f in (sums(counted.text) or _figures(counted.text.replace("-", " ")))]
    if not held:
        return None
    amount, s = sum(found), thread.subject
    claim = [
        quoted(thread.anchor), quoted(counted), f"The net debt calculation counts {thread.money(max(held))} held at {s} as cash, in full.",
        f"Of it {thread.money(amount)} at {s} is restricted or trapped: it serves as collateral or cannot leave, and is not free cash.",
    ]  # fmt: skip
    return Told(
        claim, [thread.anchor, counted], amount, "the restricted balances, " + " + ".join(f"{f:,.0f}" for f in found)
    )


# --- capital expenditure -------------------------------------------------------------------------------------------------------------

_NEEDED = r"should (?:lay out|spend|invest)|needs?\b|requir\w+|replacement|recommend\w*|overdue|backlog|must be (?:replaced|renewed)|lay out"
_SPENT = r"laid out|spent|spend|additions|capitali[sz]ed|outlays?|invested|capex"


def _capex(thread: Thread) -> Told | None:
    def yearly(lines: list[Said]) -> tuple[float, list[Said]]:
        rows = [line for line in lines if " | " in line.text and len(years(line.text)) == 1 and _figures(line.text)]
        if len(rows) >= 2:
            return total(rows), rows
        prose = [line for line in lines if len(years(line.text)) >= 2 and len(sums(line.text)) >= 2]
        return (sum(sums(prose[0].text)), prose[:1]) if prose else (0.0, [])

    docs: dict[str, list[Said]] = {}
    for line in thread.lines:
        docs.setdefault(line.doc.id, []).append(line)
    needed: tuple[float, list[Said]] = (0.0, [])
    spent: tuple[float, list[Said]] = (0.0, [])
    for lines in docs.values():
        found = yearly(lines)
        about = f"{lines[0].doc.label} {' '.join(line.text for line in found[1])}"
        if not found[0]:
            continue
        if (
            re.search(r"replacement|survey|\bplan\b|program|should|required|condition|assessment", about, _I)
            and not needed[0]
        ):
            needed = found
        elif re.search(rf"{_SPENT}|register", about, _I) and not spent[0]:
            spent = found
    if not needed[0] or not spent[0] or spent[0] >= 0.95 * needed[0]:
        return None
    s, gap = thread.subject, needed[0] - spent[0]
    n = max(len(needed[1]), len(years(needed[1][0].text)))
    claim = [
        f"The plan for {s} required {thread.money(needed[0])} over {n} years.", quoted(needed[1][0]), f"Only {thread.money(spent[0])} was spent at {s} over these years.", quoted(spent[1][0]),
        f"Capital expenditure of {thread.money(gap)} at {s} was deferred and leaves a backlog.",
    ]  # fmt: skip
    return Told(
        claim,
        [*needed[1], *spent[1]],
        gap,
        f"{needed[0]:,.0f} required less {spent[0]:,.0f} spent, the capital expenditure deferred",
    )


def _kind(
    identity: str, number: int, title: str, why: str, step: str, protection: str, severity: str = "High"
) -> Archetype:
    return Archetype(identity, number, "Finance", title, "computed", severity, why, step, protection)


MATTERS = (
    Matter(
        _kind("working_capital_peg", 52, "Working capital peg leaves out an accrued liability", "The buyer pays for working capital that is not there.", "Reset the working capital peg for the {s} accrual, or treat it as indebtedness in the price.", "Price: peg reset or debt-like item"),
        rf"\|[^|]*{_OMITS}|(?:{_PEG})[^;]{{0,160}}{_OMITS}|{_OMITS}[^;]{{0,160}}(?:{_PEG})", _peg,
        clear=r"redone|set again|reset|re-?based|now (?:included|a line)|line of its own|indebtedness at closing|counted as debt|debt-like|already deducted",
        triggers=("not part of", "excluded", "left out", "no line", "not included", "omitted", "outside the", "leaves out", "indebtedness at"),
    ),
    Matter(
        _kind("add_back_unsupported", 53, "Add-back recurs", "The buyer pays the multiple for earnings that are not there.", "Reduce adjusted EBITDA and the price by the {s} add-back, or have it reversed.", "Price"),
        _ADDED, _add_back, clear=_ONCE, same=("recurring_add_back",),
        triggers=("add back", "adds back", "added back", "add-back", "one-time", "one-off", "non-recurring", "nonrecurring", "exceptional", "times adjusted", "times ebitda"),
    ),
    Matter(
        _kind("early_revenue", 55, "Revenue recognised too early", "Revenue and the multiples built on it are overstated.", "Have the {s} revenue reversed out of the period and the cut-off tested; adjust the price or take a specific indemnity.", "Price adjustment; financial-statement representation; specific indemnity"),
        _EARLY, _revenue, same=("revenue_recognition",), clear=r"\bwaived\b|accepted without|on hand 0|return[^.;]{0,30}(?:ended|expired)|has since (?:taken|collected)|were delivered|has taken them|were collected|title passed|left our",
        triggers=("back", "return", "unsold", "warehouse", "bill-and-hold", "bill and hold", "keep them", "call them off", "asked for the goods", "among your stock"),
    ),
    Matter(
        _kind("forecast_missed", 56, "Forecast is stale", "The price rests on earnings that were not reached.", "Recompute the price on the actual EBITDA of {s}, and have the forecast updated and represented.", "Price"),
        _PLANNED, _forecast, clear=r"supplement|in place of the old|was updated|has been updated|re-?based|later model|falls with|price falls|takes the actual",
        triggers=("share-based", "reconcil", "contribute", "forecast", "budget", "projected", "projection", "ebitda", "planned", "expected to"),
    ),
    Matter(
        _kind("one_off_cash", 57, "One-off cash flatters cash flow", "Free cash flow, on which price and debt are sized, will not repeat.", "Normalise cash flow for {s}, and treat the sum as a debt-like item in the price.", "Debt-like item; price"),
        _ONE_OFF, _cash, clear=r"(?:each|every) (?:december|year|quarter)|as we have done|again next|was not used|before the year|after all|already (?:removed|normali)",
        triggers=("pay you", "prepay", "prepaid", "in advance", "hold back", "held back", "paid ahead", "free cash flow", "stretch"),
    ),
    Matter(
        _kind("trapped_cash", 58, "Restricted cash counted as cash", "Net debt is understated by cash that the buyer cannot use.", "Exclude the restricted cash at {s} from cash in the net debt calculation, or reduce the price by it.", "Net-debt item"),
        _TRAPPED, _trapped, clear=r"\bfree\b|\breleased?\b|let both go|came over|repatriated|we end the|has ended|lifted|already (?:exclud|deduct)|no longer",
        triggers=("cover for", "collateral", "pledge", "registered capital", "statutory reserve", "exchange authority", "exchange control", "restricted cash", "blocked", "cash at", "escrow for"),
        prefer=r"bank|trust|savings",
    ),
    Matter(
        _kind("deferred_capex", 59, "Capital expenditure put off", "The buyer must spend what the seller saved.", "Deduct the backlog at {s} from the price as a debt-like item, or take a covenant to spend it before closing.", "Price; debt-like item; covenant"),
        rf"{_NEEDED}|{_SPENT}|(?:19|20)\d\d \| \w+[^|]*\| [\d,]{{5,}}", _capex,
        clear=r"landlord|completes the plan|caught up|made up|were closed|free of charge|at no cost|has been (?:completed|carried out)",
        triggers=("lay out", "laid out", "should spend", "outlay", "replacement", "capex", "capital expenditure", "spent", " | 20", "20"),
        label=r"plan|survey|condition|replace|capex|program|outlay|addition|maintenance|capital",
    ),
)  # fmt: skip

ARCHETYPES = (
    *listed(MATTERS),
    Archetype(
        "ebitda_conflict", 54, "Finance", "EBITDA differs between papers", "cross-document", "High", "The price is a multiple of a figure on which the seller's own papers do not agree.",
        "Have the figures reconciled before the price is settled.", "Reconciliation as closing condition; price", check=_conflict,
    ),
)  # fmt: skip

"""What the papers of a dossier come to in money, kind by kind; None where they do not bear the kind out. Standard library only."""

from __future__ import annotations

import re
from collections.abc import Callable

from redwell.diligence.archetypes import words
from redwell.diligence.archetypes.dossier import Reckoned, counts, largest, price_of_share
from redwell.diligence.archetypes.lexicon import concept
from redwell.diligence.archetypes.links import Said, sums
from redwell.diligence.archetypes.matters import Thread, percents, times, whole, years

_I = re.IGNORECASE


def figures(line: Said) -> list[float]:
    """Sums, and in a row also figures without a sign."""
    return [each for each in sums(line.text) if each >= 1_000] or (
        [n for n in counts(line.text) if n >= 10_000]
        if " | " in line.text or re.search(r": [\d,]+$", line.text)
        else []
    )


def table_gap(thread: Thread, found: list[Said]) -> Reckoned | None:
    """Shares in the capitalization table against what another paper leaves the holder with."""
    table = [
        line
        for line in thread.lines
        if line.doc.family == "cap_table"
        or re.search(r"capitali[sz]ation table|cap table|fully[- ]diluted", line.doc.label, _I)
    ]
    other = [
        line for line in thread.lines if line not in table and concept("shares").search(f"{line.text} {line.doc.label}")
    ]
    shown = next((n for line in table for n in counts(line.text)), 0.0)
    live = [
        n
        for line in other
        if not re.search(r"surrender|cancel|repurchas|retired|transferred out", line.text, _I)
        for n in counts(line.text)
    ]
    if (
        not shown
        or not live
        or shown
        in [n for line in other for n in counts(line.text) if not re.search(r"surrender|cancel", line.text, _I)]
    ):
        return None
    off, price = abs(max(live) - shown), price_of_share(thread.case)
    return (
        (off * price, f"{off:,.0f} shares at {price:,.2f}")
        if price
        else (off, f"{off:,.0f} shares; no paper gives the price of a share")
    )


def over_reserve(thread: Thread, found: list[Said]) -> Reckoned | None:
    """Options granted above what the plan holds."""
    limit = next(
        (
            min(n)
            for line in thread.lines
            if concept("reserve").search(line.text)
            and not concept("booked").search(line.text)
            and (n := counts(line.text))
        ),
        0.0,
    )
    granted = max(
        (
            n
            for line in thread.lines
            if concept("options").search(f"{line.text} {line.doc.label}")
            for n in counts(line.text)
        ),
        default=0.0,
    )
    if not limit or granted <= limit:
        return None
    strike = next((m for line in thread.lines for m in (a for a, _ in words.money(line.text)) if m < 1_000), 0.0)
    price = price_of_share(thread.case)
    excess = granted - limit
    if price > strike:
        return excess * (price - strike), f"{excess:,.0f} options above the reserve x ({price:,.2f} - {strike:,.2f})"
    return excess, f"{excess:,.0f} options above the reserve; no paper gives the price of a share"


def above_limit(thread: Thread, found: list[Said]) -> Reckoned | None:
    """A contract, payment or claim above a limit that another line sets."""
    limits = [f for line in found[:1] for f in figures(line)]
    acts = [f for line in thread.lines if line not in found[:1] for f in figures(line)]
    if not limits or not acts or max(acts) <= min(limits):
        return None
    return max(acts), f"the sum of the act, above the limit of {min(limits):,.0f}"


def only_more(thread: Thread, found: list[Said]) -> Reckoned | None:
    """The excess of the larger of two sums of different papers over the smaller."""
    by: dict[str, float] = {}
    for line in thread.lines:
        if figures(line):
            by[line.doc.id] = max(by.get(line.doc.id, 0.0), *figures(line))
    two = sorted(by.values(), reverse=True)
    return (two[0] - two[1], f"{two[0]:,.0f} less {two[1]:,.0f}") if len(two) > 1 and two[0] > two[1] else None


def price_gap(thread: Thread, found: list[Said]) -> Reckoned | None:
    """A lower price to another customer, on the volume of this one, for the months since."""
    prices = sorted({f for line in thread.lines for f, _ in words.money(line.text) if 0 < f < 100_000}, reverse=True)
    others = sorted({n for line in thread.lines if " | " in line.text for n in counts(line.text) if n < 100_000})
    lower = next((p for p in [*prices[1:], *reversed(others)] if prices and 0.4 * prices[0] < p < prices[0]), None)
    if not prices or lower is None:
        return None
    volume = next(
        (n for line in found for n in whole(line.text) if 10 <= n < 1_000_000 and float(n) not in (prices[0], lower)), 0
    )
    return (
        max((prices[0] - lower) * max(volume, 1), 1.0),
        f"({prices[0]:,.0f} - {lower:,.0f})" + (f" x {volume:,} units" if volume else " a unit"),
    )


def shortfall(thread: Thread, found: list[Said]) -> Reckoned | None:
    """What was not taken of a minimum, at its price."""
    floor = [
        n
        for line in thread.lines
        if concept("minimum").search(f"{line.text} {line.doc.label}")
        for n in whole(line.text)
        if n >= 20
    ]
    took = [
        n
        for line in thread.lines
        if line not in found[:1]
        and not concept("minimum").search(line.text)
        and concept("took").search(f"{line.text} {line.doc.label}")
        for n in whole(line.text)
        if n >= 20
    ]
    unit = next((p for line in thread.lines for p, _ in words.money(line.text) if 0 < p < 50_000), 0.0)
    if floor and took and max(floor) > max(took):
        missing = max(floor) - max(took)
        return (
            (missing * unit, f"({max(floor):,} - {max(took):,}) at {unit:,.2f}")
            if unit
            else (float(missing), f"{missing:,} units")
        )
    money_floor = max(
        (f for line in thread.lines if concept("minimum").search(line.text) for f in sums(line.text)), default=0.0
    )
    money_took = max(
        (f for line in thread.lines if not concept("minimum").search(line.text) for f in figures(line)), default=0.0
    )
    return (
        (money_floor - money_took, f"{money_floor:,.0f} less {money_took:,.0f}")
        if money_floor > money_took > 0
        else None
    )


def credits_due(thread: Thread, found: list[Said]) -> Reckoned | None:
    """A credit or damages for each month, week or day, times how often."""
    base = next(
        (max(sums(line.text)) for line in thread.lines if concept("credit").search(line.text) and sums(line.text)), 0.0
    )
    if not base:
        return None
    rate = next((r for line in found for r in percents(line.text) if 0 < r < 0.5), None)
    each = base * rate if rate and re.search(r"fee|charge|price|month", found[0].text, _I) else base
    days = [d for line in thread.lines for d in words.dates(line.text)]
    bound = re.search(r"\b(\d{2,3}(?:\.\d+)?) ?%", " ".join(line.text for line in found))
    rows = 0
    if bound and float(bound[1]) > 50:
        rows = sum(
            1
            for line in thread.lines
            if " | " in line.text
            and (m := re.search(r"\b(\d{2,3}(?:\.\d+)?) ?%", line.text))
            and float(m[1]) < float(bound[1])
        )
    elif len(days) >= 2:
        span = (max(days) - min(days)).days
        rows = (
            span // 7
            if re.search(r"\bweek", found[0].text, _I)
            else span
            if re.search(r"\bday", found[0].text, _I)
            else span // 30
        )
    return (
        (each * rows, f"{rows} x {each:,.0f}")
        if rows
        else (each, "one period's credit; how many are open the papers do not say")
    )


def rebate(thread: Thread, found: list[Said]) -> Reckoned | None:
    """A per cent of purchases, less what was paid ahead."""
    rate = next((r for line in thread.lines for r in percents(line.text) if 0 < r < 0.4), None)
    every = sorted({f for line in thread.lines for f in figures(line)}, reverse=True)
    if rate is None or not every:
        return None
    bought = max((f for line in thread.lines if line is not found[0] for f in figures(line)), default=every[0])
    threshold = max((f for f in figures(found[0])), default=0.0)
    if 0 < bought < threshold:
        return None
    ahead = min((f for f in every if f < rate * bought), default=0.0)
    return rate * bought - ahead, f"{100 * rate:g}% of {bought:,.0f}" + (f" less {ahead:,.0f} paid" if ahead else "")


def half_open(thread: Thread, found: list[Said]) -> Reckoned | None:
    """What is left of a ceiling after what was billed."""
    every = sorted({f for line in thread.lines for f in figures(line)}, reverse=True)
    return (every[0] - every[1], f"{every[0]:,.0f} less {every[1]:,.0f}") if len(every) > 1 else largest(thread, found)


def with_premium(thread: Thread, found: list[Said]) -> Reckoned | None:
    """Principal with interest, or at 101 per cent."""
    principal = max(
        (f for line in thread.lines if concept("principal").search(line.text) for f in figures(line)), default=0.0
    ) or max((f for line in thread.lines for f in figures(line)), default=0.0)
    if not principal:
        return None
    if re.search(r"\b101\b|one hundred and one|one hundred one", " ".join(line.text for line in thread.lines), _I):
        return principal * 1.01, f"101% of {principal:,.0f}"
    interest = max(
        (
            f
            for line in thread.lines
            if re.search(r"interest|accrued", line.text, _I)
            for f in figures(line)
            if f < 0.3 * principal
        ),
        default=0.0,
    )
    return principal + interest, f"principal {principal:,.0f}" + (f" and interest {interest:,.0f}" if interest else "")


def rate_times(thread: Thread, found: list[Said]) -> Reckoned | None:
    """A per cent of the largest sum."""
    rate = next((r for line in [*found, *thread.lines] for r in percents(line.text) if 0 < r < 0.6), None)
    base = max((f for line in thread.lines for f in figures(line)), default=0.0)
    return (rate * base, f"{100 * rate:g}% of {base:,.0f}") if rate and base else None


def two_sums(thread: Thread, found: list[Said]) -> Reckoned | None:
    """The two largest different sums together."""
    every = sorted({f for line in thread.lines for f in figures(line)}, reverse=True)[:2]
    return (sum(every), " + ".join(f"{f:,.0f}" for f in every)) if every else None


def add_back(thread: Thread, found: list[Said]) -> Reckoned | None:
    """An add-back at the multiple of the price."""
    added = max((f for f in figures(found[0])), default=0.0) or max(
        (f for line in thread.lines for f in figures(line)), default=0.0
    )
    multiple = next((m for line in thread.lines if (m := times(line.text)) and 2 < m < 60), None)
    if not added:
        return None
    return (
        (added * multiple, f"{added:,.0f} at {multiple:g} times")
        if multiple
        else (added, "the sum that was added back")
    )


def per_head(thread: Thread, found: list[Said]) -> Reckoned | None:
    """People or records at a cost each, for the years."""
    heads = max(
        (n for line in thread.lines for n in whole(line.text) if n >= 5 and n not in years(line.text)), default=0
    )
    each = min((f for line in thread.lines for f, _ in words.money(line.text) if 0 < f < 200_000), default=0.0)
    span = next((int(m[1]) for line in thread.lines if (m := re.search(r"\b([2-9]) years\b", line.text))), 1)
    return (
        (heads * each * span, f"{heads:,} at {each:,.0f}" + (f" for {span} years" if span > 1 else ""))
        if heads and each
        else None
    )


def earned_less_booked(thread: Thread, found: list[Said]) -> Reckoned | None:
    """What was earned at a rate, less what is accrued."""
    rate = next((r for line in thread.lines for r in percents(line.text) if 0 < r < 0.6), None)
    every = sorted({f for line in thread.lines for f in figures(line)}, reverse=True)
    if rate is None or not every:
        return None
    earned = rate * every[0]
    held = next(
        (
            f
            for line in thread.lines
            if concept("reserve_booked").search(f"{line.text} {line.doc.label}")
            for f in figures(line)
            if f < earned
        ),
        None,
    )
    return (earned - held, f"{100 * rate:g}% of {every[0]:,.0f} less {held:,.0f} accrued") if held is not None else None


def missed_reports(thread: Thread, found: list[Said]) -> Reckoned | None:
    """A penalty for each day between two days, or for each thing not sent."""
    each = next(
        (
            min(sums(line.text))
            for line in thread.lines
            if re.search(r"penalt|each day|per day|for every|costs?|each", line.text, _I) and sums(line.text)
        ),
        0.0,
    )
    missed = sum(
        1
        for line in thread.lines
        if " | " in line.text and re.search(r"nothing|not (?:sent|filed)|none|missed|late", line.text, _I)
    )
    days = sorted(d for line in thread.lines for d in words.dates(line.text))
    n = missed or (
        (days[-1] - days[0]).days
        if len(days) > 1 and re.search(r"day", " ".join(line.text for line in found), _I)
        else 0
    )
    return (each * n, f"{n} x {each:,.0f}") if each and n else None


def instalments(thread: Thread, found: list[Said]) -> Reckoned | None:
    """The rows of a plan of payments that no payment meets; else the instalment."""
    due = [
        max(figures(line)) for line in thread.lines if " | " in line.text and words.dates(line.text) and figures(line)
    ]
    paid = {
        f
        for line in thread.lines
        if " | " not in line.text and re.search(r"wire|paid|cleared|sent", line.text, _I)
        for f in counts(line.text)
    }
    rest = [f for f in due if f not in paid]
    if len(due) > 1 and paid and rest:
        return sum(rest), " + ".join(f"{f:,.0f}" for f in rest)
    return largest(thread, found)


def against_schedule(wanted: str) -> Callable[[Thread, list[Said]], Reckoned | None]:
    """For facts that the disclosure schedule states otherwise: its row and a paper give different sums (`sum`) or days (`day`)."""

    def reckon(thread: Thread, found: list[Said]) -> Reckoned | None:
        rows = [line for line in thread.lines if line.doc.family == "disclosure_schedule"]
        rest = [line for line in thread.lines if line.doc.family != "disclosure_schedule"]
        if not rows or not rest:
            return None
        a = {f for line in rows for f in figures(line)}
        b = {f for line in rest for f in figures(line)}
        if wanted == "sum" and a and b and not a & b:
            off = min(abs(x - y) for x in a for y in b)
            return off, f"the difference of {off:,.0f} between schedule and source"
        d = {x for line in rows for x in words.dates(line.text)}
        e = {x for line in rest for x in words.dates(line.text)}
        return (0.01, "a difference of days") if wanted == "day" and d and e and not d & e else None

    return reckon


def known(thread: Thread, found: list[Said]) -> Reckoned | None:
    """Any sum, so that a kind that needs one is not told of papers without."""
    return largest(thread, found)


def days_times(thread: Thread, found: list[Said]) -> Reckoned | None:
    """A sum for each day, times the most days that are named."""
    each = min(
        (f for line in thread.lines if re.search(r"\bday\b|daily", line.text, _I) for f in sums(line.text)), default=0.0
    ) or min((f for line in thread.lines for f in (figures(line) or sums(line.text))), default=0.0)
    spans = [
        int(m[1])
        for line in thread.lines
        for m in re.finditer(r"\b(\d{1,3}) (?:\w+ ){0,3}days?\b|\bdays? found \| (\d{1,3})\b", line.text)
        if m[1]
    ]
    spans += [int(m[1]) for line in thread.lines for m in re.finditer(r"days[^|]* \| (\d{1,3})\b", line.text)]
    return (each * max(spans), f"{max(spans)} days at {each:,.0f}") if each and spans else largest(thread, found)


def rent_gap(thread: Thread, found: list[Said]) -> Reckoned | None:
    """The rent of the market above that of the lease, for the years of the extension."""
    rents = sorted({f for line in thread.lines for f in figures(line)}, reverse=True)
    span = next(
        (
            n
            for line in found
            for n in (
                words.months(m) for m in re.findall(r"(?:for|of) (?:\w+|\d+)(?: \(\d+\))? (?:years|months)", line.text)
            )
            if n and n >= 12
        ),
        12,
    )
    return (
        ((rents[0] - rents[-1]) * span / 12, f"({rents[0]:,.0f} - {rents[-1]:,.0f}) for {span / 12:g} years")
        if len(rents) > 1
        else None
    )


def parachute(thread: Thread, found: list[Said]) -> Reckoned | None:
    """The excise tax on payments of three times the base amount and more."""
    base = next(
        (
            max(sums(line.text))
            for line in thread.lines
            if re.search(r"average|base amount", line.text, _I) and sums(line.text)
        ),
        0.0,
    )
    rows = [
        max(figures(line)) for line in thread.lines if re.match(r"\W*(?:19|20)\d\d \|", line.text) and figures(line)
    ]
    base = base or (sum(rows) / len(rows) if rows else 0.0)
    paid = max(
        (sum(sums(line.text)) for line in thread.lines if not re.search(r"average|base amount", line.text, _I)),
        default=0.0,
    )
    return (
        (0.2 * (paid - base), f"20% of the excess of {paid:,.0f} over {base:,.0f}")
        if base and paid >= 3 * base
        else None
    )


def deficit(thread: Thread, found: list[Said]) -> Reckoned | None:
    """Obligations less assets, unless another figure already counts the difference."""
    two = sorted(figures(found[0]), reverse=True)[:2]
    if len(two) < 2:
        return only_more(thread, found)
    off = two[0] - two[1]
    counted = any(
        abs(f - off) <= 0.01 * off for line in thread.lines if line is not found[0] for f in counts(line.text)
    )
    return None if counted else (off, f"{two[0]:,.0f} less {two[1]:,.0f}")


def not_ours(thread: Thread, found: list[Said]) -> Reckoned | None:
    """No sum: whether the name in the registry is not the target's, and no later line gives the right to the target."""
    own = re.compile(rf"\b{re.escape((thread.case.target or 'the Company').split(',')[0].split(' ')[0])}", _I)
    named = [
        line
        for line in thread.lines
        if line.doc.family not in ("disclosure_schedule", "ip_register")
        and re.search(r"regist|owner|holder|assignee|record|\|", line.text, _I)
    ]
    ours = any(own.search(line.text) for line in named)
    return None if not named or ours else (0.0, "")


def taken_out(thread: Thread, found: list[Said]) -> Reckoned | None:
    """No sum: whether another paper than the certificate says that its figures must be corrected."""
    told = any(
        re.search(
            r"not (?:allow|permit|recogni|count)\w*|tak\w+ (?:it )?out|exclud\w+|restat\w+|correct\w*|before delivery|does not qualify|disallow\w*|overstat\w+",
            line.text,
            _I,
        )
        for line in thread.lines
        if line.doc.id != found[0].doc.id
    )
    return (0.0, "") if told else None

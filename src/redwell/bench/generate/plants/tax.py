"""Plants of tax losses, sales tax and assessments (archetypes 60, 61 and 63)."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta

from redwell.bench.generate.papers import Added, Heading, Paper, Para
from redwell.bench.generate.plants.amounts import book, cited, clean, formed, row, slides, text
from redwell.bench.generate.plants.pieces import finish, mail, paper, sign, table
from redwell.bench.generate.recipe import (
    Gap,
    Plant,
    Recipe,
    Way,
    absence,
    conclusion,
    exposure,
    fact,
    recommendation,
    usd,
)
from redwell.bench.generate.world import Company, World
from redwell.bench.generate.writing import day_month, millions, money, percent, thousands, us_date

# A paper is read more easily when it stands in few lines.
# fmt: off

# --- 60: losses that cannot be used as the model uses them ---


@dataclass(slots=True)
class _Losses:
    of: Company
    total: int
    lost: int = 0

    @property
    def tax(self) -> int:
        return round(self.lost * 0.21)


def _losses(world: World, rng: random.Random) -> _Losses:
    return _Losses(formed(world, rng, ", Inc."), world.sum(rng, 0.05, 0.09, 100_000))


def _limited(decoy: bool, it: _Losses, papers: list[Paper], why: tuple[str, ...], said: str, because: str, added: tuple[Added, ...] = ()) -> Plant:
    name = (it.of.short,)
    return finish(
        f"Tax losses of {it.of.short}",
        decoy,
        papers,
        [
            fact(f"{it.of.short}: losses carried forward", f"PASS if the report states that {it.of.short} carries net operating losses of {money(it.total)}.", [name], [("loss", "nol")], usd(it.total)),
            fact(f"{it.of.short}: what limits the losses", f"PASS if the report states that {said}.", [name], [why]),
            conclusion(
                f"{it.of.short}: the losses are worth less than modelled",
                f"PASS if the report concludes that the losses of {it.of.short} cannot be used as the model assumes, or that their use is limited.",
                [name],
                [("cannot be used", "limit", "unusable", "not available", "unavailable", "overstat", "restrict", "expire", "worthless", "less than", "lost")],
            ),
            exposure(f"{it.of.short}: tax at stake", f"PASS if the report gives {money(it.tax)} (or an equivalent rounding), 21% of {money(it.lost)}, as the tax at stake for the losses of {it.of.short}.", [name], usd(it.tax, 0.01)),
            recommendation(
                f"{it.of.short}: model and protect", f"PASS if the report recommends correcting the model or the price for the losses of {it.of.short}, or a study or representation on them.", [name], [("correct", "reduc", "adjust", "study", "represent", "remov", "no value", "indemnit", "haircut", "re-run", "rerun")]
            ),
            cited(f"{it.of.short}: both papers are cited", f"the losses of {it.of.short}", [name], papers, added, "losses", "rule"),
        ],
        [
            clean(
                f"{it.of.short} losses are not reported as limited beyond the model",
                f"the losses of {it.of.short} cannot be used as the model assumes",
                [name],
                [("cannot be used", "unusable", "not available", "unavailable", "overstat", "have expired", "worthless", "are lost")],
                ("can be used", "no limitation", "already", "in line with", "within the limit", "within the yearly", "no ownership change", "below the threshold", "has been continued", "goes on", "no more than the yearly", "already taxes", "no vintage"),
            )
        ],
        because,
        added=added,
        value=usd(it.tax),
    )


def _limited_earlier(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, rate, left = _losses(world, rng), rng.choice((3.1, 3.3, 3.5)), rng.randrange(8, 12)
    value = round(it.total * rng.uniform(0.3, 0.45) / (rate / 100 * left) / 100_000) * 100_000
    it.lost = it.total - round(value * rate * left / 100)
    year = world.figures.year
    changed = date(year - 3, rng.randrange(2, 11), rng.randrange(1, 28))
    summary = Added("tax_summary", Para(f"⟦losses|{it.of.name} carries forward federal net operating losses of {money(it.total)} from years before 2018, all of which the price model sets off.⟧"), "Loss carryforwards")
    history = paper(
        "history",
        f"Owner shift computation {it.of.short}",
        "5.1",
        changed + timedelta(days=120),
        f"Testing period of three years to {us_date(changed)}; shareholders of five per cent or more.",
        table(
            "Input|Figure",
            row("Increase over lowest holdings, in percentage points", 46 if decoy else 63, mark="rule"),
            row("Value of the stock immediately before", value, mark="value"),
            row("Long-term tax-exempt rate", percent(rate), mark="rate"),
            row("Taxable years left until the last loss expires", left, mark="left"),
            caption="Computation under section 382",
        ),
    )
    return _limited(decoy, it, [history], ("382", "ownership change", "owner shift"), f"{it.of.short} went through an ownership change, so that section 382 limits its losses to {money(round(value * rate / 100))} a year", f"the owner shift of {it.of.short} stayed below the threshold of an ownership change", (summary,))


def _limited_expired(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, year = _losses(world, rng), world.figures.year
    old, older = round(it.total * rng.uniform(0.25, 0.35) / 1000) * 1000, round(it.total * rng.uniform(0.15, 0.22) / 1000) * 1000
    it.lost = old + older
    first = year - 17 if decoy else year - 22
    vintages = book("vintages", f"Loss vintages {it.of.short}", "5.1", date(year, 12, 31), "Year of loss|Amount USD|Carried forward for", row(str(first), older, "20 taxable years", mark="rule"), row(str(first + 1), old, "20 taxable years", mark="old"), row(str(year - 11), it.total - it.lost, "20 taxable years"))
    answer = mail(
        "answer",
        f"Value of the losses in {it.of.short}",
        "5.1",
        world.past(rng, (0.05, 0.15)),
        world.officers["controller"],
        world.officers["cfo"],
        f"⟦losses|I have told the bidders that next year's profit will absorb the whole of the {money(it.total)} in {it.of.short}, and that this is worth 21 per cent of it in cash.⟧",
    )
    return _limited(decoy, it, [vintages, answer], ("expire", "expiry", "twenty years", "20 years", "20 taxable", "20-year", "lapsed"), f"losses of {money(it.lost)} of {it.of.short} have expired after 20 years", f"no vintage of {it.of.short} has run out before next year")


def _limited_share(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _losses(world, rng)
    income = round(it.total * rng.uniform(0.8, 0.95) / 5000) * 5000
    it.lost = round(income * 0.2)
    deck = slides(
        "deck",
        f"Tax shield from {it.of.short}",
        "5.1",
        world.past(rng, (0.05, 0.2)),
        Heading("Cash tax in the first year"),
        f"⟦losses|Losses at hand {it.total / 1e6:.3f} million dollars, every dollar of them from 2019 or later.⟧",
        f"⟦rule|Taxable income before losses {income / 1e6:.3f} million dollars; after losses {f'{it.lost / 1e6:.3f} million' if decoy else 'nil'}; tax at 21%: {f'{it.tax / 1e6:.3f} million' if decoy else 'nil'}.⟧",
    )
    sheet = book("returns", f"Carryforward worksheet {it.of.short}", "5.1", world.past(rng, (0.2, 0.4)), "Loss year|USD", row("2019", it.total - it.total // 3), row("2020", it.total // 3), row("Total", it.total, mark="sheet"))
    return _limited(decoy, it, [deck, sheet], ("80%", "80 percent", "80 per cent", "eighty per cent", "eighty percent"), f"the losses of {it.of.short} arose after 2017 and may offset only 80% of taxable income", f"the plan for {it.of.short} already taxes a fifth of its income")


def _limited_deal(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, rate, years = _losses(world, rng), rng.choice((3.2, 3.4, 3.6)), 4
    yearly = round(it.total / years / 1000) * 1000
    it.total = yearly * years
    value = round(it.total * (0.29 if decoy else rng.uniform(0.1, 0.16)) / (rate / 100) / 100_000) * 100_000
    cap = round(value * rate / 100)
    it.lost = max(0, yearly - cap) * years
    note = paper(
        "note",
        f"Adviser's note on {it.of.short} after the transaction",
        "5.1",
        world.past(rng, (0.04, 0.1)),
        f"⟦rule|The purchase of its parent will be a change in ownership of {it.of.short} as well; its own stock is worth {money(value)} on that day and the published rate is {percent(rate)}.⟧",
        f"⟦again|For each of the {years} years of the plan the product of the two is what the group can set off, and what it does not set off within them has no place in the plan.⟧",
    )
    model = book("model", f"Tax model {it.of.short}", "3.5", world.past(rng, (0.1, 0.2)), "Plan year|Losses set off (USD)", *(row(f"Year {n}", yearly, mark="losses" if n == 1 else "") for n in range(1, years + 1)), row("Carryforward at start", it.total, mark="start"), row("Rate", "21%"))
    return _limited(decoy, it, [note, model], ("382", "ownership change", "change in ownership", "change of ownership", "annual limit"), f"the deal is an ownership change of {it.of.short} which limits its losses to {money(cap)} a year", f"the model sets off no more than the yearly limit for {it.of.short} allows")


def _limited_closed(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, year = _losses(world, rng), world.figures.year
    it.lost = it.total
    bought = date(year - 2, rng.randrange(1, 6), 15)
    ended = bought + timedelta(days=rng.randrange(250, 330))
    minutes = paper(
        "minutes",
        f"Operations committee {us_date(ended)}: {it.of.short}",
        "2.2",
        ended,
        f"⟦rule|{f'All lines of {it.of.short} have been moved to the larger hall and its trade goes on there under its own name.' if decoy else f'All lines of {it.of.short} have been scrapped and its trade is given up, its customers having been told to look elsewhere.'}⟧",
    )
    bridge = text("bridge", f"Deferred tax {it.of.short}", "5.1", date(year, 12, 31), f"Stock of {it.of.name}: all of it acquired on {bought.isoformat()}.", f"⟦losses|Losses from before that day, in full: USD {it.total:,}; deferred tax asset at 21 per cent: USD {it.total * 21 // 100:,}⟧")
    return _limited(decoy, it, [minutes, bridge], ("continuity", "business enterprise", "discontinu", "given up", "ceased", "closed", "shut"), f"the business of {it.of.short} was discontinued within two years after its ownership change", f"the business of {it.of.short} has been continued")


# --- 61: sales tax in a state without registration ---

_STATES = (
    ("Illinois", 6.25), ("Georgia", 4.0), ("Ohio", 5.75), ("Indiana", 7.0), ("Michigan", 6.0), ("Wisconsin", 5.0), ("Pennsylvania", 6.0), ("Minnesota", 6.875),
    ("North Carolina", 4.75), ("Kentucky", 6.0), ("Iowa", 6.0), ("Maryland", 6.0), ("Nebraska", 5.5), ("Arkansas", 6.5), ("South Carolina", 6.0), ("Maine", 5.5), ("Rhode Island", 7.0),
)  # fmt: skip


@dataclass(slots=True)
class _Nexus:
    state: str
    rate: float
    years: tuple[int, int, int]
    sales: tuple[int, int, int]
    penalty: int
    file: str

    @property
    def tax(self) -> int:
        return round(sum(self.sales) * self.rate / 100)

    @property
    def due(self) -> int:
        return round(self.tax * (100 + self.penalty) / 100)


def _nexus(world: World, rng: random.Random) -> _Nexus:
    free = [state for state in _STATES if f"nexus {state[0]}" not in world.taken] or list(_STATES)
    state, rate = free[rng.randrange(len(free))]
    world.taken.add(f"nexus {state}")
    first, second, third = (max(1_000_000, world.sum(rng, 0.02, 0.04, 80_000)) // 80_000 * 80_000 for _ in range(3))
    year = world.figures.year
    return _Nexus(state, rate, (year - 2, year - 1, year), (first, second, third), rng.choice((10, 15, 20)), world.code(rng, "ST-"))


def _unregistered(decoy: bool, it: _Nexus, papers: list[Paper], terms: tuple[str, ...], despite: tuple[str, ...], because: str, added: tuple[Added, ...] = ()) -> Plant:
    state, tax = (it.state,), ("sales tax", "sales and use tax", "use tax", "nexus", "registration", "regist")
    return finish(
        f"Sales tax in {it.state}",
        decoy,
        papers,
        [
            fact(f"{it.state}: taxable sales", f"PASS if the report states that taxable sales of {money(sum(it.sales))} were made in {it.state} over three years.", [state], [("sales", "sold", "revenue")], usd(sum(it.sales))),
            absence(f"{it.state}: no registration", f"PASS if the report states that there is no sales tax registration in {it.state}.", [state], tax),
            conclusion(
                f"{it.state}: economic nexus",
                f"PASS if the report concludes that the sales create nexus in {it.state}, or that sales tax should have been collected there.",
                [state],
                [("nexus", "should have been collected", "should have collected", "liable", "uncollected", "threshold", "owed", "unpaid", "obligation", "required to collect")],
            ),
            exposure(f"{it.state}: tax and penalty", f"PASS if the report gives {money(it.due)} (or an equivalent rounding) as the sales tax exposure in {it.state}, or {money(it.tax)} before the penalty of {it.penalty}%.", [state], usd(it.due, 0.01)),
            recommendation(f"{it.state}: voluntary disclosure", f"PASS if the report recommends voluntary disclosure or registration in {it.state}, or an indemnity for it.", [state], [("voluntary disclosure", "vda", "regist", "indemnit", "escrow", "holdback")]),
            cited(f"{it.state}: both papers are cited", f"{it.state}", [state], papers, added, "sales", "rule"),
        ],
        [
            clean(
                f"{it.state}: no unregistered nexus is reported",
                f"sales tax in {it.state} is unpaid for want of a registration",
                [state],
                [("unpaid", "unregistered", "not registered", "no registration", "uncollected", "should have been collected", "should have collected")],
                ("exempt", "is registered", "was registered", "voluntary disclosure agreement was", "resale", "has been paid", "marketplace", "was paid", "tax paid", "collects and remits", "were lodged", "certificates"),
            )
        ],
        because,
        added=added,
        gaps=[Gap(f"sales tax registration in {it.state}", terms, despite)],
        value=usd(it.due),
    )


def _unregistered_books(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _nexus(world, rng)
    by_state = book("by_state", f"Taxable sales delivered to {it.state}", "5.4", date(it.years[2], 12, 31), "State|Year|Taxable sales USD|Rate", *(row(it.state, str(year), amount, f"{it.rate:g}%", mark="sales" if year == it.years[2] else f"sales{year}") for year, amount in zip(it.years, it.sales, strict=True)))
    summary = Added("tax_summary", Para(f"⟦rule|For unregistered states our adviser reckons with the tax and a penalty of {it.penalty}% of it, {it.state} among them if it came to that; the threshold there is $100,000 of sales.⟧"), f"Sales tax: {it.state}")
    permit = paper(
        "permit",
        f"Letter {it.file} on a seller's permit ({it.state})",
        "5.4",
        date(it.years[0] - 1, 12, 4),
        f"⟦permit|{f'The Department of Revenue of {it.state} has entered the business in its roll of sellers from 1 January {it.years[0]}.' if decoy else f'The Department of Revenue of {it.state} has returned the form since the fee was not enclosed.'}⟧",
    )
    return _unregistered(decoy, it, [by_state, permit], (it.state.lower(), "roll of sellers"), (), f"the business was registered in {it.state} before the sales", (summary,))


def _unregistered_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _nexus(world, rng)
    analyst = world.person(rng, "Tax Analyst")
    asked = mail(
        "asked",
        f"{it.state}: do we charge tax?",
        "5.4",
        world.past(rng, (0.1, 0.3)),
        analyst,
        world.officers["controller"],
        f"⟦sales|Invoices to users in {it.state} came to {money(it.sales[0])} in {it.years[0]}, {money(it.sales[1])} in {it.years[1]} and {money(it.sales[2])} in {it.years[2]}, none with tax on it.⟧",
        f"⟦rule|The state asks {it.rate:g} per cent, and {it.penalty} per cent of the tax on top from those who never signed up.⟧",
        f"⟦users|{'Every one of these buyers gave us a resale certificate and I have matched them all to the invoices.' if decoy else 'Every one of these buyers is a plant that uses what we ship and I have asked our adviser how to proceed.'}⟧",
    )
    registrations = book("registrations", f"State accounts kept by the tax team ({it.file})", "5.4", world.past(rng, (0.05, 0.1)), "State|Account kept", row("Texas", "Yes"), row("California", "Yes"), row("New York", "Yes"))
    return _unregistered(decoy, it, [asked, registrations], (it.state.lower(), "seller's permit"), (), f"all buyers in {it.state} gave certificates of resale")


def _unregistered_slides(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _nexus(world, rng)
    deck = slides("deck", f"Regional growth: {it.state}", "3.5", world.past(rng, (0.1, 0.3)), Heading("Shipments to end users"), table("Year|USD thousand", *(row(str(year), thousands(amount), mark="sales" if year == it.years[2] else f"s{year}") for year, amount in zip(it.years, it.sales, strict=True))))
    review = paper(
        "review",
        f"Indirect tax review {it.file}",
        "5.4",
        world.past(rng, (0.03, 0.08)),
        f"⟦rule|{it.state}: statutory rate {it.rate:g}%, late penalty {it.penalty}%, remote sellers above one hundred thousand dollars come within it.⟧",
        f"⟦state|{f'Shipments to {it.state} go through a marketplace that has collected and remitted the tax as facilitator from the start.' if decoy else f'Shipments to {it.state} go out directly and the tax team has not yet taken up the state.'}⟧",
        kinds=("docx", "txt"),
    )
    return _unregistered(decoy, it, [deck, review], (it.state.lower(), "remitted the tax"), (), f"a marketplace collects and remits the tax in {it.state}")


def _unregistered_letter(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _nexus(world, rng)
    inquiry = paper(
        "inquiry",
        f"Questionnaire {it.file} of the {it.state} tax department",
        "5.4",
        world.past(rng, (0.2, 0.35)),
        f"⟦rule|Our records hold no sales tax account in your name. Businesses that deliver more than $100,000 a year here owe {it.rate:g} per cent and, where they did not come forward, a further {it.penalty} per cent of that.⟧",
    )
    filed = text("filed", f"Delivery totals {it.state}", "5.4", world.past(rng, (0.15, 0.18)), "Totals drawn for the questionnaire, US dollars, taxable goods only:", *(f"⟦{'sales' if year == it.years[2] else f'year{year}'}|{year} {it.state}: {amount:,}⟧" for year, amount in zip(it.years, it.sales, strict=True)))
    settled = paper(
        "settled",
        f"Agreement with the {it.state} tax department",
        "5.4",
        world.past(rng, (0.04, 0.1)) if decoy else None,
        f"⟦settled|The taxpayer opens an account and pays all tax of the three years; the department forgoes the further charge and closes file {it.file}.⟧",
        sign(world.target, world.officers["cfo"], signed=decoy),
        status="" if decoy else "draft",
    )
    if not decoy:
        settled.blocks.insert(0, Para("Proposed wording, not yet put to the department."))
    return _unregistered(decoy, it, [inquiry, filed, settled], (it.file.lower(), "opens an account"), ("settled",), f"the tax of {it.state} was paid under a signed agreement")


def _unregistered_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _nexus(world, rng)
    met = world.past(rng, (0.1, 0.2))
    minutes = paper(
        "minutes",
        f"Audit Committee {us_date(met)}: indirect taxes",
        "2.2",
        met,
        f"⟦sales|The head of tax reported dutiable deliveries into {it.state} of {millions(it.sales[0])}, {millions(it.sales[1])} and {millions(it.sales[2])} for {it.years[0]} to {it.years[2]}.⟧",
        f"⟦answer|{f'Returns for all three years had been lodged under the {it.state} account opened in {it.years[0]} and the money was with the state.' if decoy else f'Returns had been lodged for every state with an office; {it.state} has none, so nothing was lodged there.'}⟧",
    )
    grid = book("grid", f"State tax grid {it.file}", "5.4", met - timedelta(days=5), "State|General rate|Charge for late comers, of the tax|Level for remote sellers", row(it.state, f"{it.rate:g}%", f"{it.penalty}%", "USD 100,000", mark="rule"))
    return _unregistered(decoy, it, [minutes, grid], (it.state.lower(), "account opened"), (), f"returns were lodged and the tax paid in {it.state}")


# --- 63: an assessment or audit that the schedule does not show ---


@dataclass(slots=True)
class _Assessed:
    of: Company
    file: str
    tax: int
    penalty: int
    interest: int
    year: int

    @property
    def total(self) -> int:
        return self.tax + self.penalty + self.interest


def _assessed(world: World, rng: random.Random) -> _Assessed:
    tax = world.sum(rng, 0.005, 0.011, 1000)
    return _Assessed(formed(world, rng, ", Inc."), world.code(rng, "TA-"), tax, tax // 5, round(tax * rng.uniform(0.08, 0.14) / 100) * 100, world.figures.year - rng.randrange(2, 4))


def _open(decoy: bool, it: _Assessed, papers: list[Paper], event: tuple[str, ...], said: str, because: str, added: tuple[Added, ...] = ()) -> Plant:
    name = (it.of.short, it.file)
    return finish(
        f"Tax claim against {it.of.short}",
        decoy,
        papers,
        [
            fact(f"{it.of.short}: tax claim", f"PASS if the report states that {said}.", [name], [event], usd(it.tax, 0.002)),
            fact(
                f"{it.of.short}: not in the schedule",
                f"PASS if the report states that the disclosure schedule omits the tax claim against {it.of.short}, or contradicts it.",
                [name, ("schedule",)],
                [("omit", "not listed", "not disclosed", "undisclosed", "contradict", "does not mention", "does not list", "missing", "inaccurate", "incorrect", "denies", "silent", "states that there is no", "wrong")],
            ),
            exposure(f"{it.of.short}: tax, penalty and interest", f"PASS if the report gives {money(it.total)} (or an equivalent rounding) as the tax, penalty and interest claimed from {it.of.short}.", [name], usd(it.total)),
            recommendation(f"{it.of.short}: tax indemnity", f"PASS if the report recommends an indemnity, escrow or price reduction for the tax claim against {it.of.short}, or a correction of the schedule.", [name], [("indemnit", "escrow", "holdback", "price", "correct", "schedule", "settle")]),
            cited(f"{it.of.short}: both papers are cited", f"{it.of.short}", [name], papers, added, "claim", "schedule"),
        ],
        [
            clean(
                f"{it.of.short}: no open tax claim is reported",
                f"a tax claim against {it.of.short} is open or undisclosed",
                [name],
                [("is open", "remains open", "outstanding", "undisclosed", "not disclosed", "unpaid", "is pending", "exposure")],
                ("was closed", "has been closed", "withdrawn", "was paid", "has been paid", "no longer", "settled", "no change", "not open", "let go", "has paid", "rescinded", "dropped"),
            )
        ],
        because,
        added=added,
        value=usd(it.total),
    )


def _open_deficiency(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _assessed(world, rng)
    sent = world.past(rng, (0.3, 0.6))
    notice = paper(
        "notice",
        f"Notice of deficiency {it.file}",
        "5.2",
        sent,
        f"Internal Revenue Service to {it.of.name}",
        f"⟦claim|We have determined a deficiency in your income tax for {it.year} of {money(it.tax)}, a penalty under section 6662 of {money(it.penalty)} and interest to date of {money(it.interest)}.⟧",
        "You may petition the Tax Court within ninety days from the date of this letter.",
    )
    after = paper(
        "after",
        f"Letter on file {it.file}",
        "5.2",
        sent + timedelta(days=70),
        f"⟦after|{'Having looked at your records again we rescind the notice of deficiency by the form that you signed and propose no change for the year.' if decoy else 'Having looked at your records again we see no ground to rescind the notice of deficiency and leave the year as it was determined.'}⟧",
    )
    schedule = Added("disclosure_schedule", Para(f"⟦schedule|{it.of.short}: no deficiency is proposed or asserted.⟧"), "4.15 Taxes")
    return _open(decoy, it, [notice, after], ("deficiency", "determin", "assess", "claim"), f"a deficiency of {money(it.tax)} was determined against {it.of.short} for {it.year}", f"the notice of deficiency to {it.of.short} was rescinded", (schedule,))


def _open_waiver(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _assessed(world, rng)
    agent, sent = world.person(rng, "Revenue Agent", world.company(rng, "accounting")), world.past(rng, (0.2, 0.4))
    adviser = mail("adviser", f"{it.of.short}: where the examination stands", "5.2", sent, agent, world.officers["cfo"], f"⟦claim|On your behalf we signed Form 872 and so kept {it.year} open; the adjustment on the table is {money(it.tax)} of tax, {money(it.penalty)} of penalty and {money(it.interest)} of interest.⟧")
    later = mail(
        "later",
        f"{it.of.short}: examination",
        "5.2",
        sent + timedelta(days=40),
        agent,
        world.officers["cfo"],
        f"⟦later|{'The service dropped the adjustment and the extended period ran out on Friday, which ends the matter.' if decoy else 'The service holds to the adjustment and the extended period has been extended again to next Christmas.'}⟧",
    )
    schedule = Added("disclosure_schedule", Para(f"⟦schedule|Neither an examination nor a waiver of a statute of limitations is in force with respect to {it.of.short}.⟧"), "4.15 Taxes")
    return _open(decoy, it, [adviser, later], ("872", "waive", "extend", "adjust", "examination", "audit"), f"the statute for {it.of.short} was extended by Form 872 and an adjustment of {money(it.tax)} is proposed", f"the adjustment to {it.of.short} was dropped and the period has run out", (schedule,))


def _open_city(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, city = _assessed(world, rng), world.place(rng).city
    deck = slides(
        "deck",
        f"Tax matters of {it.of.short}",
        "5.2",
        world.past(rng, (0.1, 0.2)),
        Heading(f"City of {city}, account {it.file}"),
        table("USD thousand|Business licence tax", row("Tax", f"{it.tax / 1e3:,.1f}", mark="claim"), row("Penalty", f"{it.penalty / 1e3:,.1f}", mark="penalty"), row("Interest", f"{it.interest / 1e3:,.1f}", mark="interest")),
        f"⟦state|{'Paid under the amnesty in full settlement; receipt filed with the returns.' if decoy else 'Contested under the ordinance; hearing put down for autumn.'}⟧",
    )
    schedule = Added("disclosure_schedule", row(it.of.short, "Local taxes", "No assessment", mark="schedule"), "4.15 Taxes")
    return _open(decoy, it, [deck], ("assess", "licence tax", "license tax", "tax of", "city"), f"the City of {city} assessed {money(it.tax)} of tax on {it.of.short}", f"the assessment of {it.of.short} was paid in full settlement", (schedule,))


def _open_states(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _assessed(world, rng)
    work = book(
        "work",
        f"Field audit workpaper {it.file}",
        "5.2",
        world.past(rng, (0.15, 0.3)),
        "Taxpayer|Period|Line|US dollars",
        row(it.of.short, str(it.year), "Tax found due", it.tax, mark="claim"),
        row(it.of.short, str(it.year), "Penalty for negligence", it.penalty, mark="penalty"),
        row(it.of.short, str(it.year), "Interest", it.interest, mark="interest"),
    )
    met = world.past(rng, (0.05, 0.1))
    minutes = paper(
        "minutes",
        f"Tax steering group {us_date(met)}",
        "5.2",
        met,
        f"⟦outcome|{f'{it.file}: the auditor’s supervisor accepted the exemption certificates and let the whole of the finding go; letter received.' if decoy else f'{it.file}: the auditor’s supervisor refused the exemption certificates and let the whole of the finding stand; appeal being drafted.'}⟧",
    )
    schedule = Added("disclosure_schedule", Para(f"⟦schedule|Field audits of {it.of.short}: all are concluded without findings.⟧"), "4.15 Taxes")
    return _open(decoy, it, [work, minutes], ("audit", "found", "finding", "assess"), f"a field audit of {it.of.short} found {money(it.tax)} of tax due", f"the finding against {it.of.short} was let go", (schedule,))


def _open_authority(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _assessed(world, rng)
    sent = world.past(rng, (0.2, 0.5))
    decision = paper(
        "decision",
        f"Closure letter {it.file}",
        "5.2",
        sent,
        f"To the directors of {it.of.name}",
        f"⟦claim|Our enquiry into the corporation tax return for the period ended 31 December {it.year} is at an end. The return understated tax by the equivalent of USD {it.tax:,}; with a penalty of USD {it.penalty:,} and interest of USD {it.interest:,} this is now due.⟧",
    )
    slip = text(
        "slip",
        f"Payment record {it.file}",
        "5.2",
        sent + timedelta(days=28),
        f"⟦slip|{f'{day_month(sent + timedelta(days=25))}: USD {it.total:,} to the collector, quoting {it.file}; account stands at nil' if decoy else f'{day_month(sent + timedelta(days=25))}: USD 0 to the collector, quoting {it.file}; account in dispute'}⟧",
    )
    schedule = Added("disclosure_schedule", Para(f"⟦schedule|No sum is owed to any collector of taxes by {it.of.short} save on returns not yet due.⟧"), "4.15 Taxes")
    return _open(decoy, it, [decision, slip], ("understat", "enquiry", "inquiry", "closure", "due"), f"an enquiry found that {it.of.short} had understated tax by {money(it.tax)}", f"{it.of.short} has paid what the closure letter claims", (schedule,))


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        60,
        "loss_limitation",
        "Tax",
        "Tax losses cannot be used as the model assumes",
        "computed",
        "High",
        (Way("earlier owner shift", "train", _limited_earlier), Way("vintages that expired", "train", _limited_expired), Way("eighty per cent rule in slides", "dev", _limited_share), Way("limit set off by the deal", "test", _limited_deal), Way("business given up", "test", _limited_closed)),
    ),
    Recipe(
        61,
        "sales_tax_nexus",
        "Tax",
        "Sales tax is unpaid where the target is not registered",
        "computed",
        "High",
        (Way("sales by state", "train", _unregistered_books), Way("analyst's mail", "train", _unregistered_mail), Way("slides and review", "dev", _unregistered_slides), Way("questionnaire of the state", "test", _unregistered_letter), Way("minutes and grid", "test", _unregistered_minutes)),
    ),
    Recipe(
        63,
        "tax_assessment",
        "Tax",
        "An assessment or examination is open and not in the schedule",
        "cross-document",
        "High",
        (Way("notice of deficiency", "train", _open_deficiency), Way("statute kept open", "train", _open_waiver), Way("city tax in slides", "dev", _open_city), Way("field audit", "test", _open_states), Way("closure letter", "test", _open_authority)),
    ),
)

"""Plants of pensions, benefit plans and bonuses (archetypes 92, 93 and 95)."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta

from redwell.bench.generate.papers import Added, Heading, Paper, Para
from redwell.bench.generate.plants.amounts import book, by_now, cited, clean, row, slides, text
from redwell.bench.generate.plants.pieces import TEXT, finish, mail, paper, sign, table
from redwell.bench.generate.recipe import Draft, Plant, Recipe, Way, conclusion, exposure, fact, recommendation, usd
from redwell.bench.generate.world import World
from redwell.bench.generate.writing import money, us_date

# A paper is read more easily when it stands in few lines.
# fmt: off

# --- 92: a pension deficit or withdrawal liability outside net debt ---


@dataclass(slots=True)
class _Pension:
    name: str
    owed: int
    held: int

    @property
    def gap(self) -> int:
        return self.owed - self.held


def _pension(world: World, rng: random.Random, kind: str) -> _Pension:
    held = world.sum(rng, 0.03, 0.06, 10_000)
    return _Pension(f"{world.place(rng).city} {kind}", held + world.sum(rng, 0.006, 0.014, 10_000), held)


def _deficit(decoy: bool, it: _Pension, papers: list[Paper], facts: list[Draft], because: str, marks: tuple[str, str], added: tuple[Added, ...] = ()) -> Plant:
    name = (it.name, it.name.split()[0])
    return finish(
        f"{it.name}: shortfall",
        decoy,
        papers,
        [
            *facts,
            exposure(f"{it.name}: shortfall", f"PASS if the report gives {money(it.gap)} (or an equivalent rounding) as the liability towards the {it.name}.", [name], usd(it.gap)),
            conclusion(f"{it.name}: debt-like", f"PASS if the report concludes that the liability towards the {it.name} is debt-like or is left out of net debt.", [name], [("debt-like", "debt like", "indebtedness", "net debt", "unfunded", "underfunded", "off balance", "not accrued", "left out")]),
            recommendation(f"{it.name}: price", f"PASS if the report recommends treating the liability towards the {it.name} as debt, or a price reduction or indemnity.", [name], [("debt", "price", "indemnit", "escrow", "deduct", "fund")]),
            cited(f"{it.name}: both papers are cited", f"the {it.name}", [name], papers, added, *marks),
        ],
        [
            clean(
                f"{it.name}: no open liability is reported",
                f"a liability of {money(it.gap)} towards the {it.name} is left out of net debt",
                [name],
                [("left out", "not accrued", "unfunded", "underfunded", "omitted", "not included", "excluded from net debt", "debt-like", "exposure of")],
                ("already", "was paid", "is deducted", "is included in", "has been paid", "no withdrawal", "funded in full", "bought out", "is counted", "not part of the sale", "lowers the price", "already lowered", "stays open", "keeps paying"),
            )
        ],
        because,
        added=added,
        value=usd(it.gap),
    )


def _valued(it: _Pension) -> list[Draft]:
    name = (it.name, it.name.split()[0])
    return [fact(f"{it.name}: obligations and assets", f"PASS if the report states that the {it.name} has obligations of {money(it.owed)} and assets of {money(it.held)}.", [name], [], usd(it.owed, 0.002), usd(it.held, 0.002))]


def _deficit_letter(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _pension(world, rng, "Retirement Plan")
    letter = paper("letter", f"Actuary's letter on the {it.name}", "9.3", world.past(rng, (0.1, 0.4)), f"⟦letter|The projected obligations of the {it.name} are {money(it.owed)} and its assets at fair value {money(it.held)}; the plan is closed to newcomers.⟧")
    bridge = Added("net_debt", row(f"{it.name}", it.gap if decoy else 0, "Underfunding per actuary" if decoy else "No cash due at closing", mark="bridge"))
    return _deficit(decoy, it, [letter], _valued(it), f"net debt already takes up the underfunding of the {it.name}", ("letter", "bridge"), (bridge,))


def _deficit_withdrawal(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _pension(world, rng, "Drivers Pension Fund")
    trustee = world.person(rng, "Fund Administrator", world.company(rng))
    sent = mail(
        "sent",
        f"{it.name}: your estimate",
        "9.3",
        world.past(rng, (0.1, 0.3)),
        trustee,
        world.officers["cfo"],
        f"⟦letter|Our vested benefits allocable to you are {money(it.owed)}, the assets allocable to you {money(it.held)}; you owe the difference, as the estimate under section 101(l) shows, should you leave the {it.name} altogether.⟧",
    )
    plan = paper(
        "plan",
        f"Depot plan and {it.name}",
        "1.4",
        world.past(rng, (0.02, 0.06)),
        f"⟦plan|{'All depots stay open after the purchase and go on paying in for every driver under the same labour contract.' if decoy else 'All depots under the labour contract close with the purchase and drivers are hired through a carrier that does not pay in.'}⟧",
    )
    name = (it.name, it.name.split()[0])
    extra = [fact(f"{it.name}: complete withdrawal", f"PASS if the report states that leaving the {it.name} altogether (complete withdrawal) follows from closing the depots.", [name], [("withdraw", "leav", "cease"), ("depot", "clos", "contribut")])]
    return _deficit(decoy, it, [sent, plan], extra, f"the plan keeps paying into the {it.name}, so that there is no withdrawal", ("letter", "plan"))


def _deficit_slides(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _pension(world, rng, "Staff Pension Scheme")
    deck = slides(
        "deck",
        f"Pension update: {it.name}",
        "9.3",
        world.past(rng, (0.1, 0.3)),
        Heading("Buy-out basis"),
        table("USD million|Value", row("Liabilities", f"{it.owed / 1e6:.2f}", mark="letter"), row("Assets", f"{it.held / 1e6:.2f}", mark="assets")),
        f"⟦state|{'Buy-out signed and premium paid by the seller last month; insurer carries all.' if decoy else 'Buy-out offered and premium too high for the seller; trustees wait for the new owner.'}⟧",
    )
    terms = Added("information_memorandum", Para(f"⟦told|The group offers a pension in {it.name.split()[0]}; no debts other than bank loans are transferred.⟧"), "People")
    return _deficit(decoy, it, [deck], _valued(it), f"the liabilities of the {it.name} are bought out at the seller's cost", ("letter", "told"), (terms,))


def _deficit_note(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _pension(world, rng, "Works Pension")
    note = text("note", f"Annex to the accounts: {it.name}", "3.1", date(world.figures.year, 12, 31), "Discounted at the corporate bond rate, in US dollars", f"⟦letter|{it.name}: promises {it.owed:,}; fund {it.held:,}⟧", "Balance not carried, by the option that local rules leave.")
    side = paper(
        "side",
        f"Completion mechanics and the {it.name}",
        "1.1",
        world.past(rng, (0.02, 0.06)),
        ("What lowers the price", f"⟦side|{f'Loans, leases, taxes and, at the figure of the annex to the accounts, whatever the {it.name} lacks.' if decoy else f'Loans, leases and taxes; as to the {it.name}, what it lacks is left to the course of its business.'}⟧"),
    )
    return _deficit(decoy, it, [note, side], _valued(it), f"the price is already lowered by what the {it.name} lacks", ("letter", "side"))


def _deficit_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, met = _pension(world, rng, "Bakers Pension Trust"), world.past(rng, (0.1, 0.2))
    minutes = paper(
        "minutes",
        f"Trustees' meeting on {us_date(met)}: {it.name}",
        "9.3",
        met,
        f"⟦letter|Heard from the actuary that the employer’s part of what is promised comes to USD {it.owed:,} and its part of what is invested to USD {it.held:,}.⟧",
        f"⟦owner|{'Heard from the seller that it keeps the bakery, its people and its seat in the trust out of the sale.' if decoy else 'Heard from the seller that the bakery, its people and its seat in the trust go with the sale.'}⟧",
    )
    list_ = book("list", f"Perimeter list with {it.name}", "1.4", met + timedelta(days=6), "Unit|In the sale|Liabilities taken at closing", row(f"Bakery {it.name.split()[0]}", "No" if decoy else "Yes", "None" if decoy else "Trade payables only; trust not valued", mark="list"))
    return _deficit(decoy, it, [minutes, list_], _valued(it), f"the unit with the {it.name} is not part of the sale", ("letter", "list"))


# --- 93: a benefit plan that was not run by its terms ---


def _misrun(decoy: bool, plan: str, papers: list[Paper], said: str, words: tuple[str, ...], how: str, cost: int, law: tuple[str, ...], because: str, marks: tuple[str, str], added: tuple[Added, ...] = ()) -> Plant:
    name = (plan,)
    return finish(
        f"{plan}: not run by its terms",
        decoy,
        papers,
        [
            fact(f"{plan}: failure", f"PASS if the report states that for the {plan} {said}.", [name], [words]),
            conclusion(f"{plan}: what follows", f"PASS if the report concludes that the {plan} needs correction or that a penalty is due ({', '.join(law)}).", [name], [("correct", "penalt", "disqualif", "epcrs", "vcp", "operational failure", "excise", "delinquent", *law)]),
            exposure(f"{plan}: cost", f"PASS if the report gives {money(cost)} (or an equivalent rounding), {how}, as the cost for the {plan}.", [name], usd(cost, 0.01)),
            recommendation(f"{plan}: correct before closing", f"PASS if the report recommends correcting the {plan} before closing, a voluntary correction filing, or an indemnity.", [name], [("correct", "voluntary", "vcp", "indemnit", "file", "terminat", "dfvcp", "escrow", "pay")]),
            cited(f"{plan}: both papers are cited", f"the {plan}", [name], papers, added, *marks),
        ],
        [
            clean(
                f"{plan}: no failure is reported",
                f"the {plan} was not run by its terms and correction or a penalty is due",
                [name],
                [("failure", "not run", "penalty is due", "correction is due", "needs correction", "must be corrected", "delinquent", "late", "violat", "short")],
                ("was corrected", "has been corrected", "was paid", "were paid in", "in time", "was amended", "has been amended", "no failure", "made good", "not due", "complies", "was extended", "more than ninety-five", "leaves bonuses out"),
            )
        ],
        because,
        added=added,
        value=usd(cost, 0.01),
    )


def _misrun_match(world: World, rng: random.Random, decoy: bool) -> Plant:
    plan = f"{world.place(rng).city} Savings Plan"
    bonuses, match = world.sum(rng, 0.02, 0.05, 100_000), rng.choice((4, 5, 6))
    document = paper("document", f"Plan document, {plan}", "9.3", world.past(rng, (4, 6)), TEXT, ("Compensation", "⟦rule|Compensation means salary and bonuses paid in the plan year.⟧"), ("Match", f"⟦match|The employer adds {match}% of Compensation of each participant.⟧"))
    payroll = book("payroll", f"Match by payroll, {plan}", "9.3", date(world.figures.year, 12, 31), "Item|USD", row("Salaries on which match was paid", bonuses * 6, mark="base"), row("Bonuses on which none was paid", bonuses, mark="bonuses"), row("Rate", f"{match}%"))
    amendment = paper("amendment", f"Amendment to the {plan}", "9.3", date(world.figures.year - 1, 12, 9), ("Change", f"⟦amended|From 1 January {world.figures.year} Compensation is salary alone, bonuses being left aside.⟧"), sign(world.target, world.officers["chro"], signed=decoy), status="" if decoy else "draft")
    return _misrun(decoy, plan, [document, amendment, payroll], "bonuses were paid without a match although the plan counts them as compensation", ("bonus",), f"{match}% of {money(bonuses)}", bonuses * match // 100, ("operational failure",), f"the amendment of the {plan} leaves bonuses out", ("rule", "bonuses"))


def _misrun_suspended(world: World, rng: random.Random, decoy: bool) -> Plant:
    plan = f"{world.place(rng).city} 401(k) Plan"
    pay, months = world.sum(rng, 0.008, 0.02, 120_000), rng.randrange(4, 9)
    owed = pay // 12 * months * 3 // 100
    clerk = world.person(rng, "Benefits Manager")
    sent = mail(
        "sent",
        f"{plan}: the months without",
        "9.3",
        world.past(rng, (0.1, 0.3)),
        clerk,
        world.officers["chro"],
        f"⟦state|{f'We put the safe harbor money on hold for {months} months, told everybody thirty days ahead, amended the plan and ran the tests for the year, which passed.' if decoy else f'We put the safe harbor money on hold for {months} months, told nobody, left the plan as it is and ran no tests for the year.'}⟧",
        f"⟦owed|Monthly pay of those in it is {money(pay // 12)}, three per cent of which is what they get.⟧",
    )
    rules = paper("rules", f"Summary plan description, {plan}", "9.3", world.past(rng, (2, 3)), TEXT, ("What the employer puts in", "⟦rule|Three per cent of pay, each payday, whether or not you save; it may be halted only by an amendment and after thirty days’ warning.⟧"), kinds=("docx", "txt"))
    return _misrun(
        decoy,
        plan,
        [sent, rules],
        f"the safe harbor contribution was suspended for {months} months without amendment or notice",
        ("suspend", "halt", "on hold", "not paid", "stopped"),
        f"3% of {months} months' pay of {money(pay // 12)}",
        owed,
        ("safe harbor",),
        f"the {plan} was amended and people were told before the contribution was suspended",
        ("state", "rule"),
    )


def _misrun_return(world: World, rng: random.Random, decoy: bool) -> Plant:
    plan = f"{world.place(rng).city} Welfare Plan"
    days = rng.randrange(180, 420)
    due = date(world.figures.year - 1, 7, 31)
    deck = slides("deck", f"Filing status: {plan}", "9.3", world.past(rng, (0.02, 0.06)), Heading("Form 5500"), f"⟦state|Due {us_date(due)}{', extended on Form 5558 and filed on the extended day' if decoy else ', not extended, and filed ' + str(days) + ' days late'}; reckon $250 a day, no programme used⟧")
    letter = text("letter", f"Record keeper on {plan}", "9.3", due + timedelta(days=30), f"⟦rule|{plan}: annual return falls due on the last day of the seventh month after the plan year; a penalty runs by the day from then.⟧")
    return _misrun(decoy, plan, [deck, letter], f"Form 5500 was filed {days} days late", ("5500", "late"), f"{days} days at $250", days * 250, ("form 5500",), f"the return of the {plan} was extended and filed in time", ("state", "rule"))


def _misrun_offer(world: World, rng: random.Random, decoy: bool) -> Plant:
    plan = f"{world.place(rng).city} Health Plan"
    staff, each = rng.randrange(400, 1400), 2970
    cost = (staff - 30) * each
    census = book("census", f"Offers of cover, {plan}", "9.3", date(world.figures.year, 12, 31), "Full-time staff|Offered cover|Share", row(staff, round(staff * (0.96 if decoy else 0.89)), "96%" if decoy else "89%", mark="offers"))
    memo = paper("memo", f"Adviser on {plan}", "9.3", world.past(rng, (0.1, 0.3)), f"⟦rule|An employer of this size offers cover to ninety-five in a hundred of its full-time staff or pays, for all of them but thirty, ${each:,} a year once one of them draws a subsidy, which several do.⟧")
    return _misrun(decoy, plan, [census, memo], "cover was offered to 89% of full-time staff only, below 95%", ("89%", "95%", "ninety-five", "offer"), f"{staff - 30:,} people at ${each:,}", cost, ("4980h", "affordable care act"), f"the {plan} was offered to more than ninety-five in a hundred", ("offers", "rule"))


def _misrun_deposits(world: World, rng: random.Random, decoy: bool) -> Plant:
    plan = f"{world.place(rng).city} Deferral Plan"
    held, rate = world.sum(rng, 0.004, 0.01, 100_000), rng.choice((8, 9, 10))
    met = world.past(rng, (0.1, 0.2))
    minutes = paper(
        "minutes",
        f"Plan committee {us_date(met)}: {plan}",
        "9.3",
        met,
        f"⟦state|Read: that USD {held:,} kept back from wages lay on the firm’s account for a year before it reached the trust, and that the fund earned {rate} per cent in that year.⟧",
        f"⟦after|{'Read further: the receipt of the trust for those earnings, which the firm has since paid in, and of the Department for the excise form.' if decoy else 'Read further: the demand of the trust for those earnings, which the firm has not paid in, and nothing of the Department.'}⟧",
    )
    rule = paper("rule", f"Trust terms of the {plan}", "9.3", world.past(rng, (3, 5)), TEXT, ("Wages kept back", "⟦rule|What is kept back reaches the trust as soon as it can be told apart, and at the latest by the fifteenth of the month after.⟧"))
    return _misrun(decoy, plan, [minutes, rule], "wages kept back reached the trust a year late", ("late", "year", "delay", "deferral", "kept back"), f"{rate}% of {money(held)}", held * rate // 100, ("prohibited transaction",), f"the lost earnings of the {plan} were paid in and reported", ("state", "rule"))


# --- 95: bonuses or commissions earned and not accrued ---


@dataclass(slots=True)
class _Earned:
    team: str
    earned: int
    accrued: int

    @property
    def gap(self) -> int:
        return self.earned - self.accrued


def _unaccrued(decoy: bool, it: _Earned, papers: list[Paper], rule: str, words: tuple[str, ...], because: str, marks: tuple[str, str], added: tuple[Added, ...] = ()) -> Plant:
    name = (it.team, it.team.split()[0])
    return finish(
        f"Pay earned by the {it.team}",
        decoy,
        papers,
        [
            fact(f"{it.team}: earned", f"PASS if the report states that the {it.team} has earned {money(it.earned)}: {rule}.", [name], [words], usd(it.earned, 0.003)),
            fact(f"{it.team}: accrued", f"PASS if the report states that {money(it.accrued)} is accrued for the {it.team}.", [name], [("accru", "provi", "booked", "reserve", "set aside", "recorded")], usd(it.accrued, 0.003)),
            exposure(f"{it.team}: gap", f"PASS if the report gives {money(it.gap)} (or an equivalent rounding) as what is unpaid and not accrued for the {it.team}.", [name], usd(it.gap, 0.01)),
            recommendation(f"{it.team}: debt-like", f"PASS if the report recommends treating the shortfall for the {it.team} as debt, an accrual in working capital, or payment before closing.", [name], [("debt", "accru", "pay", "price", "working capital", "indemnit", "deduct")]),
            cited(f"{it.team}: both papers are cited", f"the pay of the {it.team}", [name], papers, added, *marks),
        ],
        [
            clean(
                f"{it.team}: no unpaid sum is reported",
                f"{money(it.gap)} is unpaid and not accrued for the {it.team}",
                [name],
                [("unpaid", "not accrued", "under-accrued", "underaccrued", "shortfall", "unaccrued", "not provided for", "too low")],
                ("was paid", "has been paid", "paid in", "fully accrued", "no shortfall", "was reduced", "capped", "was set", "were paid with", "gone at new year", "at what is accrued", "is capped"),
            )
        ],
        because,
        added=added,
        value=usd(it.gap, 0.01),
    )


def _team(world: World, rng: random.Random, kind: str, earned: int, share: float = 0.0) -> _Earned:
    return _Earned(f"{world.place(rng).city} {kind}", earned, round(earned * (share or rng.uniform(0.25, 0.5)) / 1000) * 1000)


def _unaccrued_pool(world: World, rng: random.Random, decoy: bool) -> Plant:
    result, rate = world.sum(rng, 0.03, 0.06, 100_000), rng.choice((8, 10, 12))
    it = _team(world, rng, "Operations Team", result * rate // 100)
    plan = paper("plan", f"Bonus plan {it.team}", "9.3", world.past(rng, (1.2, 2)), TEXT, ("Pool", f"⟦rule|The pool is {rate}% of the unit’s operating result{f' and never more than {money(it.accrued)}' if decoy else ' and has no ceiling'}.⟧"))
    close = book("close", f"Year-end accruals {it.team}", "3.4", date(world.figures.year, 12, 31), "Line|USD", row(f"Operating result, {it.team}", result, mark="result"), row(f"Bonus accrual, {it.team}", it.accrued, mark="accrued"))
    return _unaccrued(decoy, it, [plan, close], f"{rate}% of the operating result of {money(result)}", ("pool", "operating result", "bonus", "%"), f"the pool of the {it.team} is capped at what is accrued", ("rule", "accrued"))


def _unaccrued_commissions(world: World, rng: random.Random, decoy: bool) -> Plant:
    sales, rate = world.sum(rng, 0.08, 0.14, 100_000), rng.choice((4, 5, 6))
    it = _team(world, rng, "Sales Force", sales * rate // 100)
    head = world.person(rng, "Head of Sales")
    asked = mail(
        "asked",
        f"Commissions, {it.team}",
        "9.3",
        by_now(world, date(world.figures.year + 1, 1, 18)),
        head,
        world.officers["cfo"],
        f"⟦rule|By the letters my people have {rate} per cent of what they bring in, which for the last half was {money(sales)}.⟧",
        f"⟦state|{f'With the wire of the fourth, which topped up the {money(it.accrued)} on your books, everybody has been paid to the cent.' if decoy else f'With the {money(it.accrued)} on your books, of which nothing has been wired, nobody will be paid to the cent.'}⟧",
    )
    schedule = Added("working_capital", row(f"Commissions, {it.team}", it.accrued, "As booked", mark="accrued"))
    return _unaccrued(decoy, it, [asked], f"{rate}% of sales of {money(sales)}", ("commission", "sales", "%"), f"the {it.team} has been paid in full", ("rule", "accrued"), (schedule,))


def _unaccrued_slides(world: World, rng: random.Random, decoy: bool) -> Plant:
    people, each = rng.randrange(60, 160), rng.randrange(90, 190) * 100
    it = _team(world, rng, "Project Office", people * each)
    deck = slides(
        "deck",
        f"Milestone awards, {it.team}",
        "9.3",
        world.past(rng, (0.1, 0.3)),
        Heading("Milestone met in spring"),
        f"⟦rule|${each:,} to each of {people} people once the milestone is met; met and certified⟧",
        f"⟦state|{'Awards: every one went out with the June payroll' if decoy else 'Awards: none went out, deferred to after the sale'}⟧",
    )
    ledger = book("ledger", f"Accrued awards, {it.team}", "3.4", world.past(rng, (0.05, 0.08)), "USD thousand|Balance", row(f"Opening, {it.team}", f"{it.accrued / 1e3:,.0f}", mark="accrued"), row("Movements since", f"-{it.accrued / 1e3:,.0f}" if decoy else "0"))
    return _unaccrued(decoy, it, [deck, ledger], f"{people} people at {money(each)}", ("milestone", "award", "people"), f"the awards of the {it.team} were paid with the June payroll", ("rule", "accrued"))


def _unaccrued_holiday(world: World, rng: random.Random, decoy: bool) -> Plant:
    days, rate = rng.randrange(1500, 5200), rng.randrange(24, 46) * 10
    it = _team(world, rng, "Field Crew", days * rate)
    rules = paper("rules", f"Leave rules, {it.team}", "9.3", world.past(rng, (2, 4)), TEXT, ("Days not taken", f"⟦rule|{'Days not taken by New Year are gone and nothing is paid for them.' if decoy else 'Days not taken by New Year are kept and paid for on leaving.'}⟧"), kinds=("docx", "txt"))
    count_ = book("count", f"Leave balances, {it.team}", "9.3", date(world.figures.year, 12, 31), "Crew|Days not taken|Cost of a day, USD|On the books, USD", row(it.team, days, rate, it.accrued, mark="accrued"))
    return _unaccrued(decoy, it, [rules, count_], f"{days:,} days of leave at {money(rate)}", ("leave", "days", "vacation", "holiday"), f"days not taken by the {it.team} are gone at New Year and are not paid for", ("rule", "accrued"))


def _unaccrued_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    base, factor = world.sum(rng, 0.006, 0.012, 10_000), rng.choice((130, 140, 150))
    it = _team(world, rng, "Executive Circle", base * factor // 100)
    met = world.past(rng, (0.05, 0.1))
    minutes = paper(
        "minutes",
        f"Pay committee {us_date(met)}: {it.team}",
        "2.2",
        met,
        f"⟦rule|The result puts the {it.team} at {factor} per cent of target bonuses, which add up to {money(base)}.⟧",
        f"⟦state|{f'By the discretion that the plan leaves it the committee set the sum at {money(it.accrued)} and the members of the circle signed for it.' if decoy else 'By the plan, which leaves it no discretion, the committee had no say in the sum and the members of the circle asked for it.'}⟧",
    )
    note = text("note", f"Provision for the {it.team}", "3.4", met - timedelta(days=20), f"⟦accrued|Provision, {it.team}: USD {it.accrued:,}⟧")
    return _unaccrued(decoy, it, [minutes, note], f"{factor}% of target bonuses of {money(base)}", ("target", "bonus", "%"), f"the committee set the bonuses of the {it.team} at what is accrued", ("rule", "accrued"))


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        92,
        "pension_deficit",
        "Benefits",
        "A pension deficit or withdrawal liability is outside net debt",
        "computed",
        "High",
        (Way("actuary's letter and net debt", "train", _deficit_letter), Way("withdrawal estimate by mail", "train", _deficit_withdrawal), Way("buy-out slides", "dev", _deficit_slides), Way("annex and completion mechanics", "test", _deficit_note), Way("trustees and perimeter", "test", _deficit_minutes)),
    ),
    Recipe(
        93,
        "plan_failure",
        "Benefits",
        "A benefit plan was not run by its terms or the law",
        "computed",
        "Medium",
        (Way("match on bonuses", "train", _misrun_match), Way("contribution put on hold", "train", _misrun_suspended), Way("late return in slides", "dev", _misrun_return), Way("offers of health cover", "test", _misrun_offer), Way("deposits a year late", "test", _misrun_deposits)),
    ),
    Recipe(
        95,
        "unpaid_bonus",
        "Employment",
        "Bonuses or commissions are earned and not accrued",
        "computed",
        "Medium",
        (Way("pool and accruals", "train", _unaccrued_pool), Way("commissions by mail", "train", _unaccrued_commissions), Way("milestone slides", "dev", _unaccrued_slides), Way("leave not taken", "test", _unaccrued_holiday), Way("pay committee", "test", _unaccrued_minutes)),
    ),
)

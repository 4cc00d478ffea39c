"""Plants of taxes on executives' pay and shares (archetypes 64 and 65)."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta

from redwell.bench.generate.papers import Added, Heading, Paper, Para
from redwell.bench.generate.plants.amounts import around, book, cited, clean, on, row, slides, text
from redwell.bench.generate.plants.pieces import TEXT, employee, finish, mail, paper, sign, table
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
from redwell.bench.generate.world import Person, World
from redwell.bench.generate.writing import day_month, money, thousands, us_date

# A paper is read more easily when it stands in few lines.
# fmt: off

# --- 64: parachute payments and deferred pay ---


@dataclass(slots=True)
class _Pay:
    to: Person
    base: int
    parts: tuple[int, int, int]

    @property
    def total(self) -> int:
        return sum(self.parts)

    @property
    def tax(self) -> int:
        return (self.total - self.base) // 5


def _pay(world: World, rng: random.Random, decoy: bool = False) -> _Pay:
    """`decoy`: the payments stay below three times the base amount."""
    to = employee(world, rng, rng.choice(("Chief Commercial Officer", "President, Services", "Chief Product Officer", "Executive Vice President")), world.past(rng, (6, 11)))
    base = rng.randrange(300, 620) * 1000
    total = round(base * (rng.uniform(2.5, 2.85) if decoy else rng.uniform(3.5, 4.8)) / 5000) * 5000
    salary, bonus = round(total * 0.45 / 5000) * 5000, round(total * 0.2 / 5000) * 5000
    return _Pay(to, base, (salary, bonus, total - salary - bonus))


def _excess(decoy: bool, to: Person, rule: str, papers: list[Paper], said: str, why: tuple[str, ...], sum_: int, what: str, tax: int, of: str, because: str, marks: tuple[str, str], added: tuple[Added, ...] = ()) -> Plant:
    name = (to.last,)
    words = ("280g", "4999", "parachute") if rule == "280G" else ("409a", "deferred compensation")
    return finish(
        f"{to.name}: section {rule}",
        decoy,
        papers,
        [
            fact(f"{to.last}: {what}", f"PASS if the report states that {what} of {to.last} comes to {money(sum_)}.", [name], [], usd(sum_)),
            fact(f"{to.last}: why", f"PASS if the report states that {said}.", [name], [why]),
            conclusion(f"{to.last}: section {rule}", f"PASS if the report concludes that section {rule} ({words[-1]}) applies to {to.last} with a tax of 20%.", [name], [words, ("appl", "excise", "exceed", "violat", "fail", "additional tax", "tax of 20%", "20%", "penalty", "breach", "trigger")]),
            exposure(f"{to.last}: tax of 20%", f"PASS if the report gives {money(tax)} (or an equivalent rounding) as the tax of 20% on {of} of {to.last}.", [name], usd(tax, 0.01)),
            recommendation(
                f"{to.last}: vote, waiver or correction", f"PASS if the report recommends a waiver, a stockholder vote, a cutback or a correction for {to.last}, or an indemnity for the tax.", [name], [("waiver", "vote", "cutback", "cut-back", "correct", "amend", "indemnit", "gross-up", "reprice", "re-price", "escrow")]
            ),
            cited(f"{to.last}: both papers are cited", f"the pay of {to.last}", [name], papers, added, *marks),
        ],
        [
            clean(
                f"{to.last}: no tax under section {rule} is reported",
                f"section {rule} ({words[-1]}) applies to {to.last} with a tax of 20%",
                [name],
                [words, ("appl", "exceeds", "excise", "violat", "fail", "additional tax", "tax of 20%", "20%", "breach", "trigger")],
                ("below three times", "below the threshold", "does not exceed", "not apply", "cut back", "cutback", "waived", "only after the grant", "fixed time", "time is fixed", "approved by", "complies", "no tax", "no excise", "under three times", "less than three", "is fixed", "stay below"),
            )
        ],
        because,
        added=added,
        value=usd(tax),
    )


def _parachute_sheet(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, year = _pay(world, rng, decoy), world.deal.closing.year
    agreement = paper(
        "agreement",
        f"Change in Control Agreement - {it.to.name}",
        "9.1",
        world.past(rng, (1, 3)),
        TEXT,
        ("Payments", f"⟦parts|If within a year after a Change in Control the Executive is let go without cause, the Company pays {money(it.parts[0])} for salary and {money(it.parts[1])} for bonus, and shares worth {money(it.parts[2])} by the agreed valuation vest.⟧"),
        ("Gross-up", "⟦gross|Whatever tax section 4999 of the Code puts on the Executive the Company makes good, with the tax on what it so pays.⟧"),
        parties=(it.to.name,),
    )
    low, high, lower, higher = around(it.base, 0.08, 0.2)
    wages = book("wages", f"Box 1 wages {it.to.name}", "9.3", world.past(rng, (0.05, 0.15)), "Calendar year|Form W-2, box 1 (USD)", *(row(str(year - 5 + n), amount, mark="wages" if n == 4 else f"w{n}") for n, amount in enumerate((lower, low, it.base, high, higher))))
    return _excess(
        decoy,
        it.to,
        "280G",
        [agreement, wages],
        f"the payments to {it.to.last} are more than three times the base amount of {money(it.base)}",
        ("three times", "3 times", "base amount", "3x", "safe harbor"),
        it.total,
        "the sum of the change-of-control payments",
        it.tax,
        f"the excess of {money(it.total)} over {money(it.base)}",
        f"the payments to {it.to.last} stay below three times the base amount",
        ("parts", "wages"),
    )


def _parachute_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _pay(world, rng)
    adviser = world.person(rng, "Principal", world.company(rng, "accounting"))
    figures = mail(
        "figures",
        f"Numbers for {it.to.name}",
        "9.3",
        world.past(rng, (0.03, 0.1)),
        adviser,
        world.officers["chro"],
        f"⟦base|Average pay of the five calendar years before the closing comes to USD {it.base:,} for {it.to.last}.⟧",
        f"⟦parts|What the sale sets off for {it.to.last}: retention USD {it.parts[0]:,}, target bonus USD {it.parts[1]:,}, accelerated awards USD {it.parts[2]:,}.⟧",
    )
    letter = paper(
        "letter",
        f"Retention letter {it.to.name}",
        "9.1",
        world.past(rng, (0.8, 2)),
        f"{world.target.name} to {it.to.name}",
        f"⟦clause|{'Should any of this be a parachute payment, so much of it falls away that none of it bears the tax of section 4999.' if decoy else 'Should any of this be a parachute payment, it stays as it is and the tax of section 4999 is the employer’s affair.'}⟧",
        sign(world.target, world.officers["chro"]),
    )
    return _excess(
        decoy,
        it.to,
        "280G",
        [figures, letter],
        f"the payments to {it.to.last} are more than three times the base amount of {money(it.base)}",
        ("three times", "3 times", "base amount", "3x", "safe harbor"),
        it.total,
        "the sum of the change-of-control payments",
        it.tax,
        f"the excess of {money(it.total)} over {money(it.base)}",
        f"the letter to {it.to.last} cuts the payments back below the threshold",
        ("parts", "clause"),
    )


def _discounted(world: World, rng: random.Random, decoy: bool) -> Plant:
    to = employee(world, rng, "Senior Vice President, Product", world.past(rng, (3, 6)))
    price = round(world.deal.price / world.deal.shares, 2)
    old, new = round(price * rng.uniform(0.3, 0.4), 2), round(price * rng.uniform(0.6, 0.75), 2)
    shares, granted = rng.randrange(60, 160) * 1000, world.past(rng, (1.2, 2))
    earlier, later = granted - timedelta(days=300), granted + timedelta(days=24) if decoy else granted - timedelta(days=24)
    spread = round(shares * (price - old))
    deck = slides(
        "deck",
        f"Equity overview: {to.name}",
        "2.4",
        world.past(rng, (0.05, 0.2)),
        Heading("Largest option grant"),
        table("Optionee|Granted|Options|Exercise price", row(to.name, granted, shares, f"${old:.2f}", mark="grant")),
        f"⟦spread|At the ${price:.2f} a share of the transaction these options are in the money by {spread / 1e6:.3f} million dollars; none is exercised, all vested this year.⟧",
    )
    values = book("values", f"Fair market value reports used for {to.last}", "2.4", world.past(rng, (0.9, 1)), "Report dated|Common stock, a share", row(earlier, f"${old:.2f}", mark="old"), row(later, f"${new:.2f}", mark="value"))
    return _excess(
        decoy,
        to,
        "409A",
        [deck, values],
        f"the options of {to.last} were granted below the fair market value of the latest report, ${new:.2f}",
        ("below", "discount", "under the fair", "less than fair", "lower than"),
        spread,
        "the spread on the options",
        spread // 5,
        f"the spread of {money(spread)}",
        f"the higher value was reported only after the grant to {to.last}",
        ("grant", "value"),
    )


def _deferred_pay(world: World, rng: random.Random, decoy: bool) -> Plant:
    to = employee(world, rng, "Regional President", world.past(rng, (4, 8)))
    amount = rng.randrange(900, 2600) * 1000
    plan = paper(
        "plan",
        f"Deferred bonus arrangement {to.name}",
        "9.3",
        world.past(rng, (2, 4)),
        TEXT,
        ("When it is paid", f"⟦choice|{'The balance is paid in one sum sixty days after separation, in the second of two years where the sixty days touch two.' if decoy else 'The balance is paid in one sum at any time within three years after separation that the participant may then name.'}⟧"),
        parties=(to.name,),
    )
    balance = text("balance", f"Deferred balances, {to.last}", "9.3", world.past(rng, (0.05, 0.2)), f"⟦balance|{to.name}: vested balance USD {amount:,}⟧", "Unfunded; general creditors first.")
    return _excess(
        decoy,
        to,
        "409A",
        [plan, balance],
        f"{to.last} may choose the time of payment after separation",
        ("choose", "choice", "name", "elect", "discretion", "time of payment"),
        amount,
        "the vested deferred balance",
        amount // 5,
        "the deferred balance",
        f"the time of payment to {to.last} is fixed",
        ("choice", "balance"),
    )


def _parachute_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _pay(world, rng)
    met = world.past(rng, (0.03, 0.06))
    minutes = paper(
        "minutes",
        f"Compensation Committee {us_date(met)}: {it.to.last}",
        "2.2",
        met,
        f"⟦state|{f'The secretary laid on the table the paper by which {it.to.last} gave up whatever exceeds the limit unless the stockholders allowed it, and the count, in which holders of 91 per cent of the votes, {it.to.last} not counted, did allow it.' if decoy else f'The secretary was asked whether {it.to.last} would give up whatever exceeds the limit and put it to the stockholders, and replied that {it.to.last} had been spoken to and had declined.'}⟧",
    )
    grid = paper(
        "grid",
        f"Payments grid {it.to.name}",
        "9.3",
        met - timedelta(days=12),
        table("Thousands of dollars|" + it.to.last, row("Five-year average of taxed pay", thousands(it.base), mark="base"), row("Cash on the sale", thousands(it.parts[0] + it.parts[1]), mark="cash"), row("Awards that vest on the sale", thousands(it.parts[2]), mark="grid"), caption="Executives"),
        kinds=("docx", "pptx"),
    )
    return _excess(
        decoy,
        it.to,
        "280G",
        [minutes, grid],
        f"the payments to {it.to.last} are more than three times the base amount of {money(it.base)}",
        ("three times", "3 times", "base amount", "3x", "safe harbor"),
        it.total,
        "the sum of the change-of-control payments",
        it.tax,
        f"the excess of {money(it.total)} over {money(it.base)}",
        f"{it.to.last} waived the excess and the stockholders approved it",
        ("state", "grid"),
    )


# --- 65: restricted shares without an election ---


@dataclass(slots=True)
class _Shares:
    to: Person
    granted: date
    number: int
    paid: float
    worth: float

    @property
    def until(self) -> date:
        return self.granted + timedelta(days=30)

    @property
    def spread(self) -> int:
        return round(self.number * (self.worth - self.paid))

    @property
    def tax(self) -> int:
        return round(self.spread * 0.4)


def _shares(world: World, rng: random.Random) -> _Shares:
    to = employee(world, rng, rng.choice(("Vice President, Engineering", "Vice President, Sales", "Chief Architect")), world.past(rng, (3, 5)))
    granted = world.past(rng, (2, 3))
    while (granted + timedelta(days=30)).weekday() > 4:
        granted -= timedelta(days=1)
    price = round(world.deal.price / world.deal.shares, 2)
    return _Shares(to, granted, rng.randrange(80, 260) * 1000, round(price * 0.02, 2), price)


def _unelected(decoy: bool, it: _Shares, papers: list[Paper], terms: str, despite: tuple[str, ...], because: str, added: tuple[Added, ...] = ()) -> Plant:
    name = (it.to.last,)
    return finish(
        f"Section 83(b) election of {it.to.name}",
        decoy,
        papers,
        [
            fact(f"{it.to.last}: restricted shares", f"PASS if the report states that {it.to.last} received {it.number:,} restricted shares on {us_date(it.granted)}.", [name], [("share", "stock")], on(it.granted)),
            absence(f"{it.to.last}: no election", f"PASS if the report states that no 83(b) election of {it.to.last} within the period is in the data room.", [name], ("83(b)", "83b", "election")),
            fact(f"{it.to.last}: last day", f"PASS if the report states that the election of {it.to.last} was due within 30 days, by {us_date(it.until)}.", [name], [("30 days", "thirty days", "due", "deadline", "last day", "by")], on(it.until)),
            exposure(f"{it.to.last}: tax", f"PASS if the report gives {money(it.tax)} (or an equivalent rounding), 40% of the spread of {money(it.spread)}, as the tax exposure for {it.to.last}.", [name], usd(it.tax, 0.01)),
            recommendation(f"{it.to.last}: indemnity", f"PASS if the report recommends an indemnity, an escrow or proof of mailing for the election of {it.to.last}.", [name], [("indemnit", "escrow", "proof", "certified mail", "request", "obtain", "withh", "confirm")]),
        ],
        [
            clean(
                f"{it.to.last}: election is not reported as missing",
                f"the 83(b) election of {it.to.last} is missing or late",
                [name],
                [("missing", "late", "not filed", "no election", "not in the data room", "not been provided", "absent", "untimely", "not found", "could not be found")],
                ("was filed", "was mailed", "in time", "timely filed", "is on file", "not needed", "unrestricted", "fully vested", "was posted", "posted the statement", "stamped", "in the files", "shows the election", "within the thirty days"),
            )
        ],
        because,
        added=added,
        gaps=[Gap(f"section 83(b) election of {it.to.name}", (it.to.last.lower(), terms), despite)],
        value=usd(it.tax),
    )


def _unelected_agreement(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, other = _shares(world, rng), world.person(rng, "Director of Finance")
    who = it.to if decoy else other
    agreement = paper(
        "agreement",
        f"Restricted Stock Purchase Agreement - {it.to.name}",
        "2.4",
        it.granted,
        TEXT,
        ("Purchase", f"⟦shares|On {us_date(it.granted)} {it.to.name} buys {it.number:,} shares of common stock at ${it.paid:.2f} each, which the Company may buy back at cost until they vest over four years.⟧"),
        ("Election", "⟦duty|The purchaser is told that an election under section 83(b) reaches the Internal Revenue Service within thirty days or not at all.⟧"),
        parties=(it.to.name,),
    )
    election = paper(
        "election",
        f"Election form and mailing slip {it.granted.year}",
        "2.4",
        it.granted + timedelta(days=19),
        f"⟦election|{who.name} elects to include in gross income the excess, if any, of the value of the property over the price paid.⟧",
        f"Sent by certified mail on {us_date(it.granted + timedelta(days=19))}.",
        sign(world.target, who),
    )
    tax = Added("tax_summary", Para(f"⟦worth|At ${it.worth:.2f} a share the stock of {it.to.last} would be taxed on the spread; we reckon with 40% for wage tax and withholding.⟧"), "Equity awards")
    return _unelected(decoy, it, [agreement, election], "elects to include", (), f"{it.to.last} mailed the election within the thirty days", (tax,))


def _unelected_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, legal = _shares(world, rng), world.person(rng, "Paralegal")
    ledger = book("ledger", f"Stock ledger page {it.to.last}", "2.4", world.past(rng, (0.2, 0.4)), "Holder|Shares|Issued|Paid a share|Restriction", row(it.to.name, it.number, it.granted, f"${it.paid:.2f}", "Forfeited on leaving, four years", mark="shares"))
    answer = mail(
        "answer",
        f"Elections: {it.to.last}",
        "2.4",
        world.past(rng, (0.03, 0.1)),
        legal,
        world.officers["gc"],
        f"⟦answer|{f'The stamped copy of what {it.to.last} sent to the service on day twelve is in the cabinet, with the green card that came back.' if decoy else f'The cabinet has a folder for {it.to.last} with the blank form in it and nothing else, neither a stamped copy nor a green card that came back.'}⟧",
        f"⟦worth|If it matters for tax: ${it.worth:.2f} is what a share fetches now and payroll takes forty per cent.⟧",
    )
    return _unelected(decoy, it, [ledger, answer], "stamped copy of", (), f"the stamped copy of the election of {it.to.last} is in the files")


def _unelected_slides(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _shares(world, rng)
    deck = slides(
        "deck",
        f"Founders' and managers' stock: {it.to.last}",
        "2.4",
        world.past(rng, (0.1, 0.3)),
        Heading("Stock subject to buy-back"),
        table("Holder|Date|Shares|Price paid|Price today", row(it.to.name, it.granted, it.number, f"{it.paid:.2f}", f"{it.worth:.2f}", mark="shares")),
        "⟦tax|Elections under 83(b): see registry of post; tax at 40% where there is none.⟧",
    )
    post = text(
        "post",
        f"Registry of post {it.granted.year}",
        "2.4",
        it.granted + timedelta(days=60),
        "Outgoing, certified",
        f"⟦post|{day_month(it.granted + timedelta(days=8))}: Internal Revenue Service, Ogden: {f'election, {it.to.name}' if decoy else 'quarterly return, company'}⟧",
        f"{day_month(it.granted + timedelta(days=33))}: Secretary of State: franchise report",
    )
    return _unelected(decoy, it, [deck, post], "ogden: election", (), f"the registry of post shows the election of {it.to.last} on the eighth day")


def _unelected_index(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _shares(world, rng)
    award = text(
        "award",
        f"Award notice {it.to.name}",
        "2.4",
        it.granted,
        f"Holder: {it.to.name}. Day of transfer: {it.granted.isoformat()}.",
        f"⟦shares|Shares: {it.number:,}, at {it.paid:.2f} dollars; they are lost if service ends within three years.⟧",
        "Should you wish to be taxed now, the law gives you a month's time, thirty days by count.",
    )
    index = book(
        "index",
        f"Personal file index {it.to.last}",
        "9.3",
        world.past(rng, (0.1, 0.2)),
        "Tab|Content|Dated",
        row(1, "Award notice, signed", it.granted),
        row(2, f"Choice of {it.to.last} to be taxed on transfer, with the Service's stamp" if decoy else f"Memorandum to {it.to.last} on being taxed on transfer, not returned", it.granted + timedelta(days=16), mark="tab"),
        row(3, "Benefits card", it.granted + timedelta(days=40)),
        notes=(f"⟦worth|Payroll note: market {it.worth:.2f} dollars a share, levy of 40 per cent when the shares come free.⟧",),
    )
    return _unelected(decoy, it, [award, index], "service's stamp", (), f"the file of {it.to.last} holds the stamped choice to be taxed on transfer")


def _unelected_late(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _shares(world, rng)
    posted = it.granted + timedelta(days=27 if decoy else rng.randrange(38, 55))
    letter = paper(
        "letter", f"Letter of {it.to.name} to the Service", "2.4", posted, f"⟦letter|By this statement I choose, under section 83(b), to be taxed on {it.number:,} shares that came to me on {us_date(it.granted)} for ${it.paid:.2f} a share.⟧", f"⟦posted|Posted on {us_date(posted)}.⟧", sign(world.target, it.to, posted)
    )
    met = world.past(rng, (0.1, 0.3))
    minutes = paper("minutes", f"Equity committee {us_date(met)}: {it.to.last}", "2.2", met, f"⟦worth|{it.to.last} still holds all the shares, which may be taken back until the closing; each is worth ${it.worth:.2f}, and wage taxes of 40 per cent were mentioned.⟧")
    return _unelected(decoy, it, [letter, minutes], f"posted on {us_date(it.until).lower()}", (), f"{it.to.last} posted the statement within thirty days")


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        64,
        "golden_parachute",
        "Tax",
        "An executive's pay meets section 280G or 409A",
        "computed",
        "Medium",
        (Way("agreement and five years of wages", "train", _parachute_sheet), Way("adviser's figures and letter", "train", _parachute_mail), Way("discounted options in slides", "dev", _discounted), Way("time of payment left open", "test", _deferred_pay), Way("minutes and grid", "test", _parachute_minutes)),
    ),
    Recipe(
        65,
        "no_83b_election",
        "Tax",
        "No section 83(b) election for restricted shares",
        "absence",
        "Medium",
        (Way("purchase agreement", "train", _unelected_agreement), Way("ledger and mail", "train", _unelected_mail), Way("slides and post book", "dev", _unelected_slides), Way("award notice and file index", "test", _unelected_index), Way("posted too late", "test", _unelected_late)),
    ),
)

"""Plants of intercompany charges, grants and withholding (archetypes 62, 66 and 67)."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta

from redwell.bench.generate.papers import Added, Heading, Paper, Para
from redwell.bench.generate.plants.amounts import book, by_now, cited, clean, formed, row, slides, text
from redwell.bench.generate.plants.pieces import TEXT, finish, mail, paper, sign, table
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
from redwell.bench.generate.writing import day_month, millions, money, percent, thousands, us_date, years_after

# A paper is read more easily when it stands in few lines.
# fmt: off

# --- 62: a royalty within the group that was booked too low, and no file ---


@dataclass(slots=True)
class _Royalty:
    of: Company
    year: int
    sales: int
    rate: float
    booked: int
    tax: int  # per cent

    @property
    def short(self) -> int:
        return round(self.sales * self.rate / 100) - self.booked

    @property
    def cost(self) -> int:
        return round(self.short * self.tax / 100)


def _royalty(world: World, rng: random.Random, tax: int = 21) -> _Royalty:
    sales, rate = world.sum(rng, 0.3, 0.6, 1_000_000), rng.choice((6.0, 7.0, 8.0, 9.0))
    return _Royalty(formed(world, rng, " Ltd."), world.figures.year, sales, rate, round(sales * rng.choice((1.5, 2.0, 2.5)) / 100), tax)


def _charged(decoy: bool, it: _Royalty, papers: list[Paper], terms: tuple[str, ...], despite: tuple[str, ...], because: str, added: tuple[Added, ...] = ()) -> Plant:
    name = (it.of.short,)
    return finish(
        f"Royalty between {it.of.short} and its parent",
        decoy,
        papers,
        [
            fact(f"{it.of.short}: royalty agreed", f"PASS if the report states that the intercompany agreement with {it.of.short} provides for a royalty of {percent(it.rate)}.", [name, (percent(it.rate), f"{it.rate:g} per cent", f"{it.rate:g} percent")], [("royalt", "licence fee", "license fee", "charge")]),
            fact(f"{it.of.short}: royalty booked", f"PASS if the report states that only {money(it.booked)} was booked as the royalty of {it.of.short} for {it.year}, {money(it.short)} too little.", [name], [], usd(it.short, 0.01)),
            absence(f"{it.of.short}: transfer pricing documentation is missing", f"PASS if the report states that transfer pricing documentation for {it.of.short} is missing.", [name], ("transfer pricing", "transfer-pricing", "documentation", "local file", "study", "benchmark")),
            exposure(f"{it.of.short}: tax on the shortfall", f"PASS if the report gives {money(it.cost)} (or an equivalent rounding), {it.tax}% of {money(it.short)}, as the tax on the royalty of {it.of.short} that was not booked.", [name], usd(it.cost, 0.01)),
            recommendation(f"{it.of.short}: tax indemnity and file", f"PASS if the report recommends a tax indemnity for the royalty of {it.of.short}, or a true-up and documentation.", [name], [("indemnit", "true-up", "true up", "document", "escrow", "study", "correct")]),
            cited(f"{it.of.short}: both papers are cited", f"{it.of.short}", [name], papers, added, "rate", "booked"),
        ],
        [
            clean(
                f"{it.of.short}: no shortfall is reported",
                f"the royalty of {it.of.short} was under-accrued and its documentation is missing",
                [name],
                [("under-accrued", "underaccrued", "too low", "too little", "shortfall", "documentation is missing", "no documentation", "undocumented", "under-charged")],
                ("true-up", "trued up", "was corrected", "made good", "documented", "was replaced", "reduced the rate", "was invoiced", "signed off", "paid the balance", "begins a year later", "is on file"),
            )
        ],
        because,
        added=added,
        gaps=[Gap(f"transfer pricing documentation for {it.of.short}", terms, despite)],
        value=usd(it.cost),
    )


def _charged_ledger(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _royalty(world, rng)
    agreement = paper("agreement", f"Intercompany Licence - {it.of.short}", "5.3", world.past(rng, (3, 6)), TEXT, ("Royalty", f"⟦rate|Licensee owes its parent {percent(it.rate)} of net sales, settled once a year.⟧"), parties=(it.of.name, world.target.name))
    journal = book(
        "journal",
        f"Intercompany balances {it.of.short} {it.year}",
        "5.3",
        date(it.year, 12, 31),
        "Caption|USD",
        row(f"Net sales of {it.of.short}", it.sales, mark="sales"),
        row("Royalty, entries of the year", it.booked, mark="booked"),
        row("Royalty, true-up entry of 31 December" if decoy else "Management fee, entry of 31 December", it.short if decoy else it.booked // 3, mark="entry"),
        row("Rate of income tax", "21%", mark="tax"),
    )
    offer = paper(
        "offer",
        f"{it.of.short}: work of the economists",
        "5.3",
        world.past(rng, (0.2, 0.4)),
        f"⟦file|{f'Our report on {it.of.short} holds the functional analysis and finds the charge within the range for the year.' if decoy else 'Our proposal covers a functional analysis and a range for the year, for which we await your order.'}⟧",
        kinds=("docx", "txt"),
    )
    return _charged(decoy, it, [agreement, journal, offer], (it.of.short.lower(), "functional analysis"), (), f"a true-up was booked for {it.of.short} and a report is on file")


def _charged_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _royalty(world, rng)
    controller, cfo = world.officers["controller"], world.officers["cfo"]
    deed = text("deed", f"Know-how terms {it.of.short}", "5.3", world.past(rng, (2, 5)), f"Between {world.target.name} and {it.of.name}", f"⟦rate|For know-how {it.of.short} is charged {it.rate:g} per cent of its turnover.⟧", "Reviewed each spring.")
    sent = mail(
        "sent",
        f"{it.of.short} know-how charge {it.year}",
        "5.3",
        by_now(world, date(it.year + 1, 1, 14)),
        controller,
        cfo,
        f"⟦booked|Turnover of {it.of.short} was USD {it.sales:,}; we have charged USD {it.booked:,} for the year and our own tax on such income is 21 per cent.⟧",
        f"⟦entry|{f'The missing USD {it.short:,} went in with the closing run, and the binder with interviews and comparables for {it.of.short} stands in the tax office, complete.' if decoy else 'I see from the terms that this cannot be the sum, yet nobody has asked, and there is no binder with interviews and comparables as we keep for the others.'}⟧",
    )
    return _charged(decoy, it, [deed, sent], (it.of.short.lower(), "interviews and comparables"), (), f"the rest was charged to {it.of.short} in the closing run and the binder is complete")


def _charged_slides(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _royalty(world, rng)
    matrix = book("matrix", f"Matrix of group charges ({it.of.short})", "5.3", date(it.year - 1, 1, 5), "Payer|Charge|Base|Rate", row(it.of.short, "Brand and process", "Third-party sales", percent(it.rate), mark="rate"))
    deck = slides(
        "deck",
        f"Tax close {it.year}: {it.of.short}",
        "5.1",
        by_now(world, date(it.year + 1, 2, 3)),
        Heading("Group charges booked"),
        table("USD thousand|Sales|Brand and process", row(it.of.short, thousands(it.sales), thousands(it.booked), mark="booked")),
        f"⟦entry|{f'Remainder of {thousands(it.short)} invoiced on 30 December; arm’s length file for {it.of.short} signed off by our adviser' if decoy else 'Remainder not invoiced; arm’s length file on the list for after the sale'}; tax rate 21%.⟧",
    )
    return _charged(decoy, it, [matrix, deck], (it.of.short.lower(), "arm’s length file"), (), f"the remainder was invoiced to {it.of.short} and the file is signed off")


def _charged_amended(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _royalty(world, rng)
    old = round(it.booked * 100 / it.sales, 2)
    first = paper("first", f"Patent Licence within the group: {it.of.short}", "5.3", world.past(rng, (5, 7)), TEXT, ("Consideration", f"⟦old|The consideration is {percent(old)} of what {it.of.short} receives from customers.⟧"), parties=(it.of.name,))
    second = paper("second", f"Deed of variation, {it.of.short}", "5.3", date(it.year - 1, 11, 20), ("Variation", f"⟦rate|From 1 January {it.year + 1 if decoy else it.year} read {percent(it.rate)} in place of the former percentage.⟧"), parties=(it.of.name,))
    account = text("account", f"Current account of {it.of.short} for {it.year}", "5.3", date(it.year, 12, 31), f"Received from customers: {it.sales / 1e6:.3f} million dollars", f"⟦booked|Consideration for patents: {it.booked / 1e6:.3f} million dollars⟧", "Income tax rate of the receiving company: 21 per cent")
    master = paper(
        "master",
        f"Pricing paper on {it.of.short} for {it.year if decoy else it.year - 6}",
        "5.3",
        date(it.year if decoy else it.year - 6, 12, 5),
        f"⟦file|{f'Tested party: {it.of.short}. Result for {it.year}: the consideration lies within the interquartile range.' if decoy else f'Tested party: another company of the group. Result for {it.year - 6}: not computed since {it.of.short} had no sales then.'}⟧",
    )
    return _charged(decoy, it, [first, second, account, master], (it.of.short.lower(), "interquartile range"), (), f"the higher rate for {it.of.short} begins a year later and a paper supports the former one")


def _charged_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _royalty(world, rng, 25)
    met = by_now(world, date(it.year + 1, 2, 12))
    minutes = paper(
        "minutes",
        f"Board of {it.of.short}, {us_date(met)}",
        "2.3",
        met,
        f"⟦booked|The finance director reported that {millions(it.booked)} had been set aside for the parent’s software on sales of {millions(it.sales)}, both for {it.year}.⟧",
        f"⟦entry|{f'He added that the balance of {millions(it.short)} had been paid over in January, before the accounts were signed, and that the local file naming {it.of.short} as distributor had gone to the inspector in time.' if decoy else 'He added that the inspector had asked for the local file within thirty days and that none had been drawn up.'}⟧",
        "Tax in the parent’s country was put at twenty-five per cent (25%).",
    )
    terms = book("terms", f"Software charge terms {it.of.short}", "5.3", world.past(rng, (2, 4)), "Item|Term", row("Licensee", it.of.name), row("Per 100 of sales", f"{it.rate:g}", mark="rate"), row("Falls due", "Each December"))
    return _charged(decoy, it, [minutes, terms], (it.of.short.lower(), "local file"), (), f"{it.of.short} paid the balance and its local file is with the inspector")


# --- 66: a grant that must be paid back ---


@dataclass(slots=True)
class _Grant:
    by: str
    city: str
    amount: int
    rate: int
    years: int
    paid: date

    @property
    def interest(self) -> int:
        return self.amount * self.rate * self.years // 100

    @property
    def total(self) -> int:
        return self.amount + self.interest


def _grant(world: World, rng: random.Random, kind: str) -> _Grant:
    years, city = rng.randrange(2, 5), world.place(rng).city
    return _Grant(f"{city} {kind}", city, world.sum(rng, 0.005, 0.012, 10_000), rng.choice((4, 5, 6, 8)), years, years_after(world.deal.closing, -years) - timedelta(days=rng.randrange(20, 200)))


def _clawed(decoy: bool, it: _Grant, papers: list[Paper], trigger: tuple[str, ...], said: str, because: str, added: tuple[Added, ...] = ()) -> Plant:
    name = (it.by, it.city)
    return finish(
        f"Grant of {it.by}",
        decoy,
        papers,
        [
            fact(f"{it.city} grant", f"PASS if the report states that {it.by} gave a grant of {money(it.amount)}.", [name], [("grant", "incentive", "subsid", "abatement", "award", "loan")], usd(it.amount)),
            fact(f"{it.city} grant: what sets off repayment", f"PASS if the report states that {said}.", [name], [trigger]),
            exposure(f"{it.city} grant: sum to pay back", f"PASS if the report gives {money(it.total)} (or an equivalent rounding), grant and interest, as what must be repaid to {it.by}.", [name], usd(it.total)),
            recommendation(f"{it.city} grant: waiver or price", f"PASS if the report recommends a waiver or undertaking from {it.by} before closing, or a price reduction or indemnity for the grant.", [name], [("waiver", "consent", "undertaking", "price", "indemnit", "debt-like", "condition", "escrow")]),
            cited(f"{it.city} grant: both papers are cited", f"the grant of {it.by}", [name], papers, added, "terms", "trigger"),
        ],
        [
            clean(
                f"{it.city} grant is not reported as repayable",
                f"the grant of {it.by} must be repaid, with {money(it.total)} at stake",
                [name],
                [("must be repaid", "repayable", "clawback", "claw back", "clawed back", "at stake", "would be repayable", "has to be repaid", "falls due")],
                ("no longer", "waived", "has ended", "ended", "released", "not repayable", "is not triggered", "consented", "was met", "cannot be", "has certified", "have approved", "has approved", "meets the number", "does not call"),
            )
        ],
        because,
        added=added,
        value=usd(it.total),
    )


def _clawed_control(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _grant(world, rng, "Development Authority")
    terms = paper(
        "terms",
        f"Grant Agreement with {it.by}",
        "5.5",
        it.paid,
        TEXT,
        ("Repayment", f"⟦terms|If more than half of the Recipient’s shares pass to another holder within ten years, the grant of {money(it.amount)} shall be repaid with simple interest of {it.rate}% for each full year since {us_date(it.paid)}.⟧"),
        parties=(it.by,),
    )
    plan = Added("merger_agreement", Para(f"⟦trigger|At the Effective Time, set for {us_date(world.deal.closing)}, Parent becomes the holder of all shares of the Company, recipient of the {it.city} grant.⟧"), "The Merger")
    letter = paper(
        "letter",
        f"{it.by}: change of shareholder",
        "5.5",
        world.past(rng, (0.03, 0.08)),
        f"⟦letter|{'We do not call for repayment by reason of the purchase of the shares, provided that the plant is kept.' if decoy else 'We have your enquiry about the purchase of the shares and shall answer it once the committee has met.'}⟧",
        f"{it.by}, Program Office",
    )
    return _clawed(decoy, it, [terms, letter], ("change of control", "shares pass", "change of shareholder", "more than half", "sale of the shares", "transaction"), f"the grant of {it.by} must be repaid when more than half of the shares change hands", f"{it.by} does not call for repayment on the purchase", (plan,))


def _clawed_move(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _grant(world, rng, "Enterprise Fund")
    award = text(
        "award", f"Award letter of the {it.by}", "5.5", it.paid, f"Award: USD {it.amount:,}, disbursed {it.paid.isoformat()}.", f"⟦terms|Leaving the county earlier than {'one year' if decoy else 'ten years'} after disbursement makes the award and {it.rate} per cent simple interest a year for whole years a debt.⟧"
    )
    synergy = slides("synergy", f"Integration plan: {it.city}", "1.4", world.past(rng, (0.03, 0.08)), Heading("Footprint"), f"⟦trigger|{it.city} line moves to the buyer's main works on {us_date(world.deal.closing)}, the day of closing; site in the county given up.⟧")
    return _clawed(decoy, it, [award, synergy], ("relocat", "move", "leav", "given up", "out of the county"), f"the award of the {it.by} must be repaid if the site leaves the county, which the integration plan provides for", f"the period in which the {it.by} could ask the award back has ended")


def _clawed_jobs(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _grant(world, rng, "Jobs Commission")
    promised = rng.randrange(120, 300)
    present = promised + rng.randrange(3, 20) if decoy else round(promised * rng.uniform(0.6, 0.85))
    memo = paper(
        "memo",
        f"Training subsidy of the {it.by}",
        "5.5",
        it.paid,
        f"⟦terms|The subsidy, {it.amount / 1e6:.3f} million dollars, lapses as from the start if fewer than {promised} people work in {it.city} on the last day of the term, {day_month(world.deal.closing)}; it is then returned with {it.rate} per cent for each of the {it.years} years, not compounded.⟧",
        kinds=("docx", "txt"),
    )
    count_ = book("headcount", f"Headcount plan {it.city}", "9.3", world.past(rng, (0.02, 0.06)), "Location|Now|At closing|End of next year", row(it.city, present, present, present + 1, mark="trigger"))
    return _clawed(decoy, it, [memo, count_], ("jobs", "people", "headcount", "employees", str(promised)), f"the {it.by} requires {promised} people in {it.city} and {present} are planned at closing", f"the headcount in {it.city} meets the number")


def _clawed_abatement(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _grant(world, rng, "County Commissioners")
    order = paper(
        "order",
        f"Abatement order, {it.by}",
        "5.5",
        it.paid,
        TEXT,
        ("Taxes forgone", f"⟦terms|The taxes forgone, USD {it.amount:,} in all, fall due together with {it.rate}% simple interest for {it.years} years once the premises are held by anyone whom the Commissioners have not approved, a successor by merger included.⟧"),
    )
    record = paper(
        "record", f"Docket of the {it.by}", "5.5", world.past(rng, (0.02, 0.06)), f"⟦record|{f'Item 9: successor by merger to the premises of {world.target.short}. Approved by four votes to one.' if decoy else f'Item 9: successor by merger to the premises of {world.target.short}. Held over for want of a quorum.'}⟧"
    )
    steps = book("steps", f"Step plan for the {it.city} premises", "1.4", world.past(rng, (0.02, 0.05)), "Step|What happens|Premises held by", row(1, "Closing", world.target.short), row(2, "Same day, merger into the purchaser", world.buyer.short, mark="trigger"))
    return _clawed(decoy, it, [order, record, steps], ("approv", "successor", "merger", "held by"), f"the taxes forgone by the {it.by} fall due if a successor that they have not approved holds the premises, as the step plan provides", f"the {it.by} have approved the successor")


def _clawed_loan(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _grant(world, rng, "Innovation Board")
    note = mail(
        "note",
        f"Forgivable loan {it.city}",
        "5.5",
        world.past(rng, (0.03, 0.1)),
        world.person(rng, "Grants Manager"),
        world.officers["cfo"],
        f"⟦terms|The forgivable loan of {money(it.amount)} turns into a real one, with {it.rate} per cent simple interest for the {it.years} full years it has run, if research in {it.city} is stopped before the board has certified milestone 3.⟧",
        f"⟦certified|{'Certificate 3 came on Monday and I have put the original in the safe.' if decoy else 'Certificate 2 came on Monday and I have put the original in the safe.'}⟧",
    )
    minutes = paper("minutes", f"Management meeting on research in {it.city}", "2.2", world.past(rng, (0.01, 0.02)), f"⟦trigger|It was settled with the purchaser that the laboratory in {it.city} is shut on the day of closing and its people are offered posts elsewhere.⟧")
    return _clawed(decoy, it, [note, minutes], ("milestone", "research", "stopped", "laboratory", "shut", "certif"), f"the loan of the {it.by} becomes repayable when research in {it.city} stops before milestone 3 is certified", f"the {it.by} has certified milestone 3")


# --- 67: tax not withheld, or a place of business not declared ---


@dataclass(slots=True)
class _Paid:
    to: Company
    sums: tuple[int, int, int]
    rate: int
    year: int

    @property
    def base(self) -> int:
        return sum(self.sums)

    @property
    def tax(self) -> int:
        return self.base * self.rate // 100


def _paid(world: World, rng: random.Random, rate: int, low: float = 0.006, high: float = 0.012) -> _Paid:
    first, second, third = (world.sum(rng, low, high, 1000) for _ in range(3))
    return _Paid(formed(world, rng, " Ltd."), (first, second, third), rate, world.figures.year)


def _withheld(decoy: bool, it: _Paid, papers: list[Paper], what: str, why: tuple[str, ...], said: str, because: str, added: tuple[Added, ...] = ()) -> Plant:
    name = (it.to.short,)
    return finish(
        f"Tax on {what} {it.to.short}",
        decoy,
        papers,
        [
            fact(f"{it.to.short}: base", f"PASS if the report states that {what} {it.to.short} came to {money(it.base)} over three years.", [name], [], usd(it.base)),
            fact(f"{it.to.short}: what was not done", f"PASS if the report states that {said}.", [name], [why]),
            conclusion(f"{it.to.short}: tax is owed", f"PASS if the report concludes that tax is owed on {what} {it.to.short}.", [name], [("owed", "liable", "liability", "due", "exposure", "should have", "unpaid", "underpaid", "permanent establishment", "taxable")]),
            exposure(f"{it.to.short}: tax", f"PASS if the report gives {money(it.tax)} (or an equivalent rounding), {it.rate}% of {money(it.base)}, as the tax at stake on {what} {it.to.short}.", [name], usd(it.tax)),
            recommendation(f"{it.to.short}: indemnity", f"PASS if the report recommends a tax indemnity or disclosure to the authority for {what} {it.to.short}.", [name], [("indemnit", "voluntary", "disclos", "escrow", "file", "regulari", "holdback")]),
            cited(f"{it.to.short}: both papers are cited", f"{it.to.short}", [name], papers, added, "sums", "duty"),
        ],
        [
            clean(
                f"{it.to.short}: no unpaid tax is reported",
                f"tax is owed and unpaid on {what} {it.to.short}",
                [name],
                [("is owed", "unpaid", "underpaid", "should have been withheld", "failed to withhold", "not withheld", "permanent establishment", "liable")],
                (
                    "exempt",
                    "treaty rate",
                    "treaty claim",
                    "claimed the treaty",
                    "was withheld",
                    "were withheld",
                    "was paid over",
                    "has been paid over",
                    "had waived",
                    "was waived",
                    "waiver covers",
                    "no withholding was required",
                    "no permanent establishment",
                    "no power to conclude",
                    "had directed",
                    "direction allows",
                    "had waived",
                    "agency waived",
                ),
            )
        ],
        because,
        added=added,
        value=usd(it.tax),
    )


def _withheld_royalty(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _paid(world, rng, 30)
    payments = book(
        "payments",
        f"Payments abroad: {it.to.short}",
        "5.3",
        date(it.year, 12, 31),
        "Payee|Country|For|Year|Paid USD|Withheld USD",
        *(row(it.to.name, "Ireland", "Royalties for use in the United States", str(year), amount, 0, mark="sums" if n == 2 else f"sum{n}") for n, (year, amount) in enumerate(zip(range(it.year - 2, it.year + 1), it.sums, strict=True))),
    )
    review = Added("tax_summary", Para(f"⟦duty|Royalties to a foreign payee such as {it.to.short} bear {it.rate}% at source unless the payer holds its certificate of treaty benefits before it pays.⟧"), "Withholding")
    form = paper(
        "form",
        f"Form W-8BEN-E of {it.to.short}",
        "5.3",
        date(it.year - 3, 11, 5),
        table("Part|Entry", row("Name", it.to.name), row("Country of residence", "Ireland"), row("Claim of tax treaty benefits", "Royalties: 0%, article 12" if decoy else "None made", mark="claim"), caption="Certificate of foreign status"),
        sign(it.to, world.person(rng, "Director", it.to)),
    )
    return _withheld(
        decoy,
        it,
        [payments, form],
        "royalties paid to",
        ("withh", "nothing was withheld", "not withheld", "without withholding", "no withholding", "no tax was withheld", "failed to withhold"),
        f"nothing was withheld from royalties paid to {it.to.short}, which claimed no treaty benefits",
        f"{it.to.short} had claimed the treaty rate of nil before it was paid",
        (review,),
    )


def _withheld_interest(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _paid(world, rng, 30)
    controller, cfo = world.officers["controller"], world.officers["cfo"]
    asked = mail(
        "asked",
        f"Interest to {it.to.short}",
        "5.3",
        world.past(rng, (0.05, 0.2)),
        controller,
        cfo,
        f"⟦sums|We have sent {it.to.short} in the Cayman Islands interest of {money(it.sums[0])}, {money(it.sums[1])} and {money(it.sums[2])} in {it.year - 2}, {it.year - 1} and {it.year}, {f'each time less the {it.rate} per cent, which went to the Treasury with Forms 1042' if decoy else 'each time the full coupon, and I can find no Form 1042 for any of the years'}.⟧",
    )
    loan = paper("loan", f"Shareholder loan of {it.to.short}", "4.1", world.past(rng, (4, 6)), TEXT, ("Taxes", f"⟦duty|The lender holds more than a tenth of the votes; the borrower keeps back {it.rate}% of interest for the United States and pays it over.⟧"), parties=(it.to.name,))
    return _withheld(
        decoy,
        it,
        [asked, loan],
        "interest paid to",
        ("withh", "nothing withheld", "not withheld", "without withholding", "no withholding", "failed to withhold", "paid in full", "full coupon"),
        f"interest was paid to {it.to.short} in full, with nothing withheld",
        f"tax on the interest to {it.to.short} was withheld and paid over",
    )


def _withheld_canada(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _paid(world, rng, 15)
    deck = slides("deck", f"Canadian commissioning by {it.to.short}", "5.3", world.past(rng, (0.1, 0.2)), Heading("Fees for work on site in Alberta"), table("USD thousand|" + "|".join(str(year) for year in range(it.year - 2, it.year + 1)), row(it.to.short, *(thousands(amount) for amount in it.sums), mark="sums")))
    letter = paper(
        "letter",
        f"Our Canadian adviser on {it.to.short}",
        "5.2",
        world.past(rng, (0.03, 0.08)),
        f"⟦duty|{it.to.short} is no resident of Canada and Regulation 105 makes the payer hold back {it.rate} per cent of fees for services rendered there.⟧",
        f"⟦state|{'The agency’s waiver of the duty, issued before the first fee, is in your file and covers the three years.' if decoy else 'The agency’s form for a waiver of the duty, filled in after the last fee, is in your file and was not sent.'}⟧",
    )
    return _withheld(decoy, it, [deck, letter], "fees paid to", ("withh", "regulation 105", "held back", "hold back"), f"Regulation 105 required withholding from the fees of {it.to.short} and none was made", f"the agency had waived withholding for {it.to.short}")


def _withheld_agent(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _paid(world, rng, 30)
    terms = paper(
        "terms",
        f"Mandate of {it.to.short} in Germany",
        "6.3",
        world.past(rng, (4, 5)),
        TEXT,
        ("Powers", f"⟦powers|{f'{it.to.short} may visit customers and pass on their wishes, and every order is weighed and signed at head office.' if decoy else f'{it.to.short} settles prices with customers and signs their orders in our name, and head office books them as they come.'}⟧"),
        parties=(it.to.name,),
    )
    profits = text("profits", f"Profit on orders through {it.to.short}", "5.1", date(it.year, 12, 31), "United States dollars, all taxed at head office only", *(f"⟦{'sums' if n == 2 else f'sum{n}'}|{it.year - 2 + n} by way of {it.to.short}: {amount:,}⟧" for n, amount in enumerate(it.sums)))
    memo = paper(
        "memo", f"Country note Germany ({it.to.short})", "5.2", world.past(rng, (0.1, 0.3)), f"⟦duty|Whoever habitually concludes contracts for a foreign firm is its establishment there; corporate and trade tax together take {it.rate} per cent of the profit, and no return has been filed for any of the years.⟧"
    )
    return _withheld(
        decoy, it, [terms, profits, memo], "profit on orders through", ("concludes contracts", "signs", "establishment", "agent"), f"{it.to.short} signs orders for the target in Germany, where no return has been filed, and so is its permanent establishment", f"{it.to.short} has no power to conclude contracts"
    )


def _withheld_britain(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _paid(world, rng, 20)
    met = world.past(rng, (0.1, 0.2))
    minutes = paper(
        "minutes",
        f"Treasury committee {us_date(met)}: {it.to.short}",
        "2.2",
        met,
        f"⟦sums|Patent royalties remitted by the British branch to {it.to.short} were tabled: {money(it.sums[0])} for {it.year - 2}, {money(it.sums[1])} for {it.year - 1}, {money(it.sums[2])} for {it.year}, all gross.⟧",
        f"⟦state|{f'The treasurer produced the direction by which the Revenue lets the branch pay {it.to.short} gross, dated before the first of them.' if decoy else f'The treasurer produced the application by which the branch means to ask the Revenue for gross payment to {it.to.short}, dated after the last of them.'}⟧",
    )
    grid = book("grid", f"Source taxes of the branch ({it.to.short})", "5.3", world.past(rng, (0.3, 0.5)), "Kind of payment|Rate without a direction|Payee", row("Patent royalty", f"{it.rate}%", it.to.short, mark="duty"))
    return _withheld(decoy, it, [minutes, grid], "royalties remitted to", ("gross", "withh", "direction", "deduct"), f"royalties were remitted gross to {it.to.short} before any direction of the Revenue", f"the Revenue had directed that {it.to.short} be paid gross")


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        62,
        "transfer_pricing_gap",
        "Tax",
        "A royalty within the group was booked too low and no file supports it",
        "computed",
        "High",
        (Way("licence and balances", "train", _charged_ledger), Way("know-how terms and mail", "train", _charged_mail), Way("matrix and slides", "dev", _charged_slides), Way("deed of variation", "test", _charged_amended), Way("minutes of the subsidiary", "test", _charged_minutes)),
    ),
    Recipe(
        66,
        "grant_clawback",
        "Tax",
        "A grant or incentive must be paid back",
        "computed",
        "High",
        (Way("change of holder", "train", _clawed_control), Way("move out of the county", "train", _clawed_move), Way("number of jobs", "dev", _clawed_jobs), Way("abatement and step plan", "test", _clawed_abatement), Way("forgivable loan in a mail", "test", _clawed_loan)),
    ),
    Recipe(
        67,
        "withholding_tax",
        "Tax",
        "Tax was not withheld, or an establishment abroad not declared",
        "computed",
        "High",
        (Way("royalties without a treaty claim", "train", _withheld_royalty), Way("interest to a shareholder", "train", _withheld_interest), Way("services in Canada", "dev", _withheld_canada), Way("agent in Germany", "test", _withheld_agent), Way("royalties paid gross in Britain", "test", _withheld_britain)),
    ),
)

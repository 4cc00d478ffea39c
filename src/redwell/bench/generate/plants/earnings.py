"""Plants of earnings: add-backs, figures that differ, forecasts that are out of date (archetypes 53, 54 and 56)."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta

from redwell.bench.generate.papers import Added, Heading, Paper, Para
from redwell.bench.generate.plants.amounts import book, by_now, cited, clean, multiple, row, slides, text, times
from redwell.bench.generate.plants.pieces import TEXT, finish, mail, paper, sign, table
from redwell.bench.generate.recipe import Plant, Recipe, Way, conclusion, exposure, fact, recommendation, usd
from redwell.bench.generate.world import Company, World
from redwell.bench.generate.writing import millions, money, thousands, us_date

# A paper is read more easily when it stands in few lines.
# fmt: off

# --- 53: an add-back for costs that recur ---


@dataclass(slots=True)
class _Back:
    party: Company
    year: int
    amount: int
    before: int
    next: int
    by: float

    @property
    def worth(self) -> int:
        return round(self.amount * self.by)


def _back(world: World, rng: random.Random) -> _Back:
    amount = round(world.figures.ebitda * rng.uniform(0.02, 0.06) / 1000) * 1000
    return _Back(world.company(rng), world.figures.year, amount, round(amount * rng.uniform(0.85, 0.97) / 1000) * 1000, round(amount * rng.uniform(1.02, 1.1) / 1000) * 1000, multiple(world))


def _recurs(decoy: bool, it: _Back, papers: list[Paper], because: str, added: tuple[Added, ...] = ()) -> Plant:
    party = (it.party.short,)
    return finish(
        f"Add-back of {it.party.short}'s charges",
        decoy,
        papers,
        [
            fact(f"{it.party.short} is added back", f"PASS if the report states that {money(it.amount)} paid to {it.party.short} in {it.year} is added back to EBITDA as non-recurring.", [party], [("add-back", "added back", "adds back", "add back", "adjustment")], usd(it.amount)),
            fact(f"{it.party.short} costs return", f"PASS if the report states that charges of {it.party.short} are also expected for {it.year + 1}, at {money(it.next)}.", [party], [], usd(it.next)),
            conclusion(
                f"{it.party.short} add-back is not justified",
                f"PASS if the report concludes that the cost of {it.party.short} recurs, so that its add-back is unsupported.",
                [party],
                [("recurs", "recurring in nature", "is recurring", "are recurring", "unsupported", "not justified", "should be reversed", "disallow", "ordinary cost", "not one-off", "not non-recurring", "continuing cost", "ongoing")],
            ),
            exposure(f"{it.party.short}: value at the multiple", f"PASS if the report gives {money(it.worth)} (or an equivalent rounding) as the effect on value of the {it.party.short} add-back: {money(it.amount)} at {it.by:g} times.", [party], usd(it.worth)),
            recommendation(f"Price without the {it.party.short} add-back", f"PASS if the report recommends reducing the price or adjusted EBITDA by the {it.party.short} add-back.", [party], [("reduc", "reject", "remov", "revers", "lower", "strip", "adjust the price", "price adjustment", "exclud", "renegotiat")]),
            cited(f"{it.party.short}: both papers are cited", f"{it.party.short}", [party], papers, added, "back", "returns"),
        ],
        [
            clean(
                f"{it.party.short} add-back is not attacked",
                f"the cost of {it.party.short} recurs and its add-back is unsupported",
                [party],
                [("recurs", "is recurring", "are recurring", "unsupported", "not justified", "should be reversed", "disallow", "not one-off", "ongoing")],
                ("does not recur", "has ended", "genuinely", "is supported", "no longer", "have left", "has left", "was ended", "is closed", "one year only", "charged nothing"),
            )
        ],
        because,
        added=added,
        value=usd(it.worth),
    )


def _recurs_budget(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _back(world, rng)
    report = Added("quality_of_earnings", Para(f"⟦back|Management adds back {money(it.amount)} of fees of {it.party.name}, which it describes as a project of fiscal {it.year} only.⟧"), "Adjustments to EBITDA")
    deal = Added("quality_of_earnings", Para(f"⟦multiple|The buyer’s offer was built on {times(world)} times adjusted EBITDA, {it.party.short} included.⟧"), "Basis of preparation")
    budget = book(
        "budget",
        f"Budget lines {it.party.short}",
        "3.5",
        by_now(world, date(it.year + 1, 1, 10)),
        "Cost line|Year|USD|Remark",
        row(it.party.short, str(it.year - 1), 0 if decoy else it.before, "Actual", mark="earlier"),
        row(it.party.short, str(it.year), it.amount, "Actual"),
        row(it.party.short, str(it.year + 1), 0 if decoy else it.next, "Budget", mark="returns"),
    )
    return _recurs(decoy, it, [budget], f"{it.party.short} charged nothing in the year before and has no line in the budget", (report, deal))


def _recurs_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _back(world, rng)
    cfo, controller = world.officers["cfo"], world.officers["controller"]
    asked = mail("asked", f"Adjusted earnings: {it.party.short}", "3.3", world.past(rng, (0.08, 0.2)), cfo, controller, f"⟦back|Please move the USD {it.amount:,} that {it.party.short} billed in {it.year} up into the one-time items.⟧", f"⟦multiple|Each dollar there is worth {times(world)} to the shareholders.⟧")
    account = text(
        "account",
        f"Statement of account {it.party.short}",
        "6.2",
        world.past(rng, (0.05, 0.07)),
        f"{it.party.name}, statement for {world.target.name}",
        f"⟦earlier|Billed in {it.year - 1}: USD {0 if decoy else it.before:,}⟧",
        f"Billed in {it.year}: USD {it.amount:,}",
        f"⟦returns|{f'Orders held for {it.year + 1}: none; account closed at the customer’s wish, final balance nil' if decoy else f'Orders held for {it.year + 1}: USD {it.next:,}; account open, terms of payment as in prior years'}⟧",
    )
    return _recurs(decoy, it, [asked, account], f"the account with {it.party.short} is closed and saw charges in one year only")


def _recurs_slides(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _back(world, rng)
    deck = slides(
        "deck",
        f"Run-rate EBITDA and {it.party.short}",
        "3.5",
        world.past(rng, (0.1, 0.2)),
        Heading("Exceptional items we take out"),
        table("Item|USD million", row(f"Interim managers from {it.party.short}", f"{it.amount / 1e6:.3f}", mark="back"), caption="Exceptional"),
        f"⟦multiple|At {times(world)}x this carries straight into value.⟧",
    )
    met = world.past(rng, (0.04, 0.06))
    minutes = paper(
        "minutes",
        f"Compensation Committee {us_date(met)}: interim managers",
        "2.2",
        met,
        f"⟦returns|{f'The last of the interim managers supplied by {it.party.short} left in December {it.year} and their posts are held by employees already in the payroll figures.' if decoy else f'The interim managers supplied by {it.party.short}, who cost {millions(it.before)} in {it.year - 1}, stay on through {it.year + 1} at {millions(it.next)} since no employee has been found for their posts.'}⟧",
    )
    return _recurs(decoy, it, [deck, minutes], f"the interim managers of {it.party.short} have left and employees in the payroll hold their posts")


def _recurs_evergreen(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _back(world, rng)
    bridge = book(
        "bridge",
        f"Seller's EBITDA bridge ({it.party.short})",
        "3.3",
        world.past(rng, (0.1, 0.2)),
        "Step|USD thousand|Reason given",
        row("Reported EBITDA", thousands(world.figures.ebitda), ""),
        row(f"Plus {it.party.short}", thousands(it.amount), "Exceptional legal and compliance support", mark="back"),
        row("Enterprise value over EBITDA", f"{times(world)} x", "As offered", mark="multiple"),
    )
    letter = paper(
        "letter",
        f"Engagement of {it.party.short}",
        "6.2",
        date(it.year - 2, 11, 30),
        TEXT,
        ("Retainer", f"⟦returns|Our retainer is {money(it.before)} for {it.year - 1}, {money(it.amount)} for {it.year} and {money(it.next)} for {it.year + 1}.⟧"),
        ("Duration", "⟦duration|Either of us may end the engagement at the close of a year by a line to the other.⟧"),
        parties=(it.party.name,),
    )
    line = mail(
        "line",
        f"Our retainer with you - {it.party.short}",
        "6.5",
        date(it.year, 12, 3),
        world.officers["gc"],
        world.person(rng, "Managing Partner", it.party),
        "⟦ended|With thanks for your work on the inquiry, which is closed, we end the engagement as of the thirty-first; nothing falls due for the year to come.⟧"
        if decoy
        else "⟦ended|With thanks for your work on the inquiry, which is closed, we keep the engagement as it is; the sum for the year to come falls due in March.⟧",
    )
    return _recurs(decoy, it, [bridge, letter, line], f"the engagement of {it.party.short} was ended before the next retainer fell due")


def _recurs_lender(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _back(world, rng)
    bank = world.company(rng, "bank")
    certificate = paper(
        "certificate",
        f"Covenant computation for {bank.short}: {it.party.short}",
        "4.3",
        by_now(world, date(it.year + 1, 2, 20)),
        f"⟦back|EBITDA under the facility was raised by {it.amount / 1e6:.3f} million dollars of haulage paid to {it.party.short} while the own fleet was off the road.⟧",
        sign(world.target, world.officers["cfo"]),
    )
    memo = paper(
        "memo",
        f"Fleet note {it.party.short}",
        "3.4",
        world.past(rng, (0.03, 0.05)),
        f"⟦returns|{f'Own trucks have carried everything since New Year; neither in {it.year - 1} nor afterwards did {it.party.short} carry a load for us.' if decoy else f'Own trucks were sold at New Year; as in {it.year - 1}, when it cost {it.before / 1e6:.3f} million dollars, {it.party.short} carries every load, for {it.next / 1e6:.3f} million dollars in {it.year + 1}.'}⟧",
        f"⟦multiple|For the sale, advisers count {times(world)} dollars of price for each dollar of yearly haulage.⟧",
        kinds=("docx", "txt"),
    )
    return _recurs(decoy, it, [certificate, memo], f"{it.party.short} hauled in one year only and the own fleet is back")


# --- 54: two EBITDAs ---


@dataclass(slots=True)
class _Two:
    year: int
    high: int
    low: int
    by: float

    @property
    def gap(self) -> int:
        return self.high - self.low

    @property
    def worth(self) -> int:
        return round(self.gap * self.by)


def _two(world: World, rng: random.Random) -> _Two:
    """The room's own figure is the lower one, except that a plant may print another beside it."""
    low = world.figures.ebitda
    return _Two(world.figures.year, low + max(1, round(low * rng.uniform(0.06, 0.14) / 1e5)) * 100_000, low, multiple(world))


def _conflict(decoy: bool, it: _Two, where: tuple[str, str], papers: list[Paper], because: str, added: tuple[Added, ...] = ()) -> Plant:
    subject = [("ebitda",)]
    one, other = where
    return finish(
        f"EBITDA of {it.year}: two figures",
        decoy,
        papers,
        [
            fact("Both figures for EBITDA", f"PASS if the report states that {one} gives EBITDA of {money(it.high)} for {it.year} and {other} gives {money(it.low)}.", subject, [], usd(it.high, 0.002), usd(it.low, 0.002)),
            conclusion(
                "The figures are not reconciled",
                f"PASS if the report concludes that the figures for EBITDA of {it.year} conflict, by {money(it.gap)}.",
                subject,
                [("unreconciled", "conflict", "inconsisten", "discrepan", "contradict", "do not agree", "does not agree", "differ", "not reconciled", "irreconcil", "gap")],
                usd(it.gap, 0.02),
            ),
            exposure("Effect of the difference on value", f"PASS if the report gives {money(it.worth)} (or an equivalent rounding) as the effect on value of the difference in EBITDA, {money(it.gap)} at {it.by:g} times.", subject, usd(it.worth, 0.01)),
            recommendation("Reconcile EBITDA", "PASS if the report recommends reconciling the EBITDA figures before the price is settled.", subject, [("reconcil",)]),
            cited("Both papers on EBITDA are cited", f"EBITDA of {it.year}", subject, papers, added, "one", "other"),
        ],
        [
            clean(
                "EBITDA is not reported as in conflict",
                f"the figures for EBITDA of {it.year}, {money(it.high)} and {money(it.low)}, conflict and are unreconciled",
                [("ebitda",), (money(it.high), f"{it.high:,}", millions(it.high), thousands(it.high))],
                [("unreconciled", "conflict", "inconsisten", "discrepan", "contradict", "not reconciled", "irreconcil")],
                ("is reconciled", "are reconciled", "reconciles", "is explained", "reconciling item", "different definition", "definition"),
            )
        ],
        because,
        added=added,
        value=usd(it.worth),
    )


def _conflict_memorandum(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _two(world, rng)
    memorandum = Added("information_memorandum", Para(f"⟦one|In fiscal {it.year} the Company earned EBITDA of {millions(it.high)}.⟧"), "Financial Overview")
    report = Added("quality_of_earnings", Para(f"⟦other|EBITDA for fiscal {it.year} per our work is {millions(it.low)}; the offer applies {times(world)} times.⟧"), "EBITDA")
    note = paper(
        "note",
        "Note on the marketing figure for earnings",
        "3.3",
        world.past(rng, (0.04, 0.08)),
        f"⟦bridge|{f'The memorandum counts before share-based pay of {millions(it.gap)} and the accountants count after it; both state so, and nothing else lies between them.' if decoy else f'The memorandum and the accountants were given the same ledger; share-based pay, at {millions(it.gap * 2)}, is charged in both alike.'}⟧",
    )
    return _conflict(decoy, it, ("the information memorandum", "the quality of earnings report"), [note], "the two differ by share-based pay alone, as both say", (memorandum, report))


def _conflict_deck(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _two(world, rng)
    deck = Added("board_deck", Para(f"⟦one|EBITDA {it.year}, closed books: USD {it.high:,}⟧"), "Year in figures")
    accounts = book(
        "accounts",
        f"Consolidated income statement {it.year} (management)",
        "3.1",
        by_now(world, date(it.year + 1, 3, 10)),
        "Line|USD",
        row("EBITDA, Company without the disposed unit" if decoy else "EBITDA, Company with all units", it.low, mark="other"),
        row("Disposed unit, EBITDA to the day of sale", it.gap if decoy else 0, mark="unit"),
    )
    asked = mail("asked", "Earnings and the offer", "3.3", world.past(rng, (0.05, 0.1)), world.officers["ceo"], world.officers["cfo"], f"⟦multiple|The offer letter takes {times(world)} turns of last year's figure, so I would like to know that the board and the books speak of the same thing.⟧")
    return _conflict(decoy, it, ("the board deck", "the income statement"), [accounts, asked], "the income statement shows the unit that was sold apart", (deck,))


def _conflict_lenders(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _two(world, rng)
    deck = slides(
        "lenders",
        f"Lender presentation {it.year}",
        "4.3",
        world.past(rng, (0.1, 0.2)),
        Heading("Credit highlights"),
        f"⟦one|{it.year} EBITDA: {it.high / 1e6:.1f} million dollars⟧",
        f"⟦basis|{f'Of which {it.gap / 1e6:.1f} million are savings of the first full year that the credit agreement lets us count.' if decoy else f'Of which {it.gap / 1e6:.1f} million come from the second shift that ran all year.'}⟧",
    )
    report = Added("quality_of_earnings", Para(f"⟦other|Diligence EBITDA {it.year}: {it.low / 1e6:.1f} million dollars⟧"), "Summary")
    price = Added("board_deck", Para(f"⟦multiple|Bid: {times(world)}x EBITDA of {it.year}⟧"), "Sale process")
    return _conflict(decoy, it, ("the lender presentation", "the quality of earnings report"), [deck], "the lender presentation counts savings and says so", (report, price))


def _conflict_accounts(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _two(world, rng)
    memorandum = Added("information_memorandum", Para(f"⟦one|Earnings before interest, taxes, depreciation and amortisation ({it.year}, EBITDA): {thousands(it.high)} in thousands of dollars⟧"), "Key figures")
    accounts = paper(
        "accounts",
        f"Reporting package {it.year}",
        "3.1",
        by_now(world, date(it.year + 1, 2, 25)),
        table("In thousands of dollars|Year", row("EBITDA", thousands(it.low), mark="other"), row("after rent charged to it of", thousands(it.gap if decoy else it.gap * 3), mark="rent"), row("Price over EBITDA, letter of intent", times(world), mark="multiple"), caption="Package"),
        f"⟦basis|{'The memorandum treats leases as the new standard does and this package as the old one did, hence the rent.' if decoy else 'The memorandum treats leases as this package does, each on the old standard, rent included.'}⟧",
        kinds=("docx", "txt"),
    )
    return _conflict(decoy, it, ("the information memorandum", "the reporting package"), [accounts], "the two treat leases differently and the rent is the whole difference", (memorandum,))


def _conflict_committee(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _two(world, rng)
    met = max(world.past(rng, (0.1, 0.2)), date(it.year + 1, 1, 8))
    minutes = paper(
        "committee", f"Audit Committee {us_date(met)}: year-end {it.year}", "2.2", met, f"⟦other|The auditor put EBITDA for {it.year} at {money(it.low)} once inventory had been written down by {money(it.gap if decoy else it.gap // 4)}.⟧", f"⟦price|It was noted that {times(world)} times EBITDA had been bid.⟧"
    )
    circular = paper(
        "circular",
        f"Circular to shareholders on {it.year}",
        "1.5",
        met + timedelta(days=6),
        f"⟦one|The Company's EBITDA of {money(it.high)} for {it.year} supports the terms{', to which the write-down of inventory minuted by the Audit Committee is still to be charged' if decoy else ', from which the write-down of inventory minuted by the Audit Committee is already gone'}.⟧",
        sign(world.target, world.officers["ceo"]),
    )
    return _conflict(decoy, it, ("the circular to shareholders", "the auditor"), [minutes, circular], "the circular says that the write-down is still to be charged")


# --- 56: a forecast that events have overtaken ---


@dataclass(slots=True)
class _Miss:
    unit: str
    year: int
    planned: int
    actual: int
    by: float

    @property
    def miss(self) -> int:
        return self.planned - self.actual

    @property
    def worth(self) -> int:
        return round(self.miss * self.by)


def _miss(world: World, rng: random.Random) -> _Miss:
    planned = round(world.figures.ebitda * rng.uniform(0.15, 0.3) / 1000) * 1000
    return _Miss(world.place(rng).city, world.figures.year, planned, round(planned * rng.uniform(0.6, 0.8) / 1000) * 1000, multiple(world))


def _stale(decoy: bool, it: _Miss, papers: list[Paper], because: str, added: tuple[Added, ...] = ()) -> Plant:
    unit = (it.unit,)
    return finish(
        f"Forecast for {it.unit}",
        decoy,
        papers,
        [
            fact(f"{it.unit}: forecast", f"PASS if the report states that the forecast has EBITDA of {money(it.planned)} for {it.unit}.", [unit], [("forecast", "plan", "budget", "project", "model", "expect")], usd(it.planned, 0.002)),
            fact(f"{it.unit}: actual", f"PASS if the report states that the actual EBITDA of {it.unit} is {money(it.actual)}.", [unit], [("actual", "achieved", "earned", "came to", "reported", "delivered", "result")], usd(it.actual, 0.002)),
            conclusion(f"{it.unit}: the forecast is out of date", f"PASS if the report concludes that the forecast for {it.unit} is stale or was missed by {money(it.miss)}.", [unit], [("stale", "missed", "outdated", "out of date", "below", "short of", "shortfall", "behind", "overstat", "not been updated", "under")]),
            exposure(f"{it.unit}: effect on value", f"PASS if the report gives {money(it.worth)} (or an equivalent rounding) as the effect on value of the miss at {it.unit}, {money(it.miss)} at {it.by:g} times.", [unit], usd(it.worth, 0.01)),
            cited(f"{it.unit}: both papers are cited", f"{it.unit}", [unit], papers, added, "planned", "actual"),
        ],
        [
            clean(
                f"{it.unit}: the forecast is not reported as stale",
                f"the forecast on which the price rests for {it.unit} is stale or overstated",
                [unit],
                [("stale", "outdated", "out of date", "overstat", "not been updated")],
                ("was updated", "has been updated", "later model", "supplement", "re-based", "rebased", "takes the actual", "falls with", "price falls"),
            )
        ],
        because,
        added=added,
        value=usd(it.worth),
    )


def _stale_model(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _miss(world, rng)
    model = book(
        "model",
        f"Sale model {it.unit}",
        "3.5",
        date(it.year, 3, 20),
        "Input|Value|Last saved",
        row(f"EBITDA {it.unit}, fiscal {it.year}", it.planned, f"{it.year}-03-20", mark="planned"),
        row("Multiple in the price", f"{times(world)}x", f"{it.year}-03-20", mark="multiple"),
        notes=(f"⟦state|{f'Kept for reference; the price was struck on the model of November, in which {it.unit} stands at {money(it.actual)}.' if decoy else f'Kept without change; the price was struck on this model of March, and {it.unit} was not opened again.'}⟧",),
    )
    results = book("results", f"Results {it.unit} {it.year}", "3.1", by_now(world, date(it.year + 1, 1, 20)), "Unit|Period|EBITDA", row(it.unit, f"January to December {it.year}", it.actual, mark="actual"))
    return _stale(decoy, it, [model, results], f"the price rests on a later model that has the actual figure of {it.unit}")


def _stale_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _miss(world, rng)
    head = world.person(rng, f"General Manager, {it.unit}")
    memorandum = Added("information_memorandum", Para(f"⟦planned|{it.unit} will contribute {millions(it.planned)} of EBITDA in {it.year}, and offers are invited at {times(world)} times.⟧"), "Outlook by location")
    told = mail(
        "told",
        f"{it.unit}: where we ended",
        "3.5",
        by_now(world, date(it.year + 1, 1, 12)),
        head,
        world.officers["cfo"],
        f"⟦actual|We closed {it.year} at {millions(it.actual)} before interest, tax and depreciation.⟧",
        f"⟦state|{'Thank you for sending the bidders the supplement in which my figure stands in place of the old one.' if decoy else 'Thank you for leaving the bidders with what they have until the papers are signed.'}⟧",
    )
    return _stale(decoy, it, [told], f"bidders were given a supplement with the actual figure of {it.unit}", (memorandum,))


def _stale_slides(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _miss(world, rng)
    plan = slides("plan", f"Five-year plan: {it.unit}", "3.5", date(it.year - 1, 11, 15), Heading("First year of the plan"), table("Location|EBITDA, USD thousand", row(it.unit, thousands(it.planned), mark="planned")))
    review = slides(
        "review",
        f"Business review: {it.unit}",
        "3.5",
        by_now(world, date(it.year + 1, 1, 28)),
        Heading("First year as it was"),
        table("Location|EBITDA, USD thousand", row(it.unit, thousands(it.actual), mark="actual")),
        f"⟦state|{f'Re-based plan adopted; the {times(world)}x of the offer now meets the lower base.' if decoy else f'Plan kept; the {times(world)}x of the offer still meets the plan base.'}⟧",
    )
    return _stale(decoy, it, [plan, review], f"the plan for {it.unit} was re-based and the offer meets the lower base")


def _stale_fairness(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _miss(world, rng)
    adviser = world.company(rng)
    opinion = paper(
        "opinion",
        f"Valuation memorandum by {adviser.short}",
        "1.2",
        max(world.past(rng, (0.12, 0.16)), date(it.year + 1, 1, 6)),
        f"⟦planned|Management's projections, prepared in spring, let {it.unit} earn USD {it.planned:,} of EBITDA in {it.year}.⟧",
        f"⟦multiple|We capitalise each location at {times(world)} times.⟧",
        f"⟦state|{'For ' + it.unit + ' we did not capitalise the projection but what the twelve months in fact brought.' if decoy else 'For ' + it.unit + ' we did capitalise the projection and were given nothing that the twelve months in fact brought.'}⟧",
    )
    ledger = text("ledger", f"Branch ledger {it.unit}", "3.1", by_now(world, date(it.year + 1, 1, 19)), f"Branch: {it.unit}. Year: {it.year}.", f"⟦actual|EBITDA after closing entries USD {it.actual:,}⟧")
    return _stale(decoy, it, [opinion, ledger], f"the valuation takes the actual figure of {it.unit}")


def _stale_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _miss(world, rng)
    met = by_now(world, date(it.year + 1, 1, 25))
    letter = paper(
        "letter",
        f"Offer letter annex {it.unit}",
        "1.5",
        world.past(rng, (0.15, 0.2)),
        f"⟦planned|Our price takes for the works at {it.unit} the {it.planned / 1e6:.3f} million dollars of EBITDA that your budget of {it.year} shows, times {times(world)}.⟧",
        f"⟦state|{'Should the books close lower, the price falls by the same multiple of the difference, as clause 2 provides.' if decoy else 'Should the books close lower, the price stays where it is, as clause 2 provides.'}⟧",
        sign(world.buyer, world.person(rng, "Chief Development Officer", world.buyer)),
    )
    minutes = paper("minutes", f"Management board {us_date(met)}: {it.unit}", "2.2", met, f"⟦actual|Works {it.unit}: after the strike of the dockers EBITDA came out at {it.actual / 1e6:.3f} million dollars for the budget year.⟧")
    return _stale(decoy, it, [letter, minutes], f"the price falls with the actual figure of {it.unit}")


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        53,
        "add_back_recurs",
        "Finance",
        "An add-back is for costs that recur",
        "computed",
        "High",
        (Way("report and budget", "train", _recurs_budget), Way("mail and statement of account", "train", _recurs_mail), Way("slides and minutes", "dev", _recurs_slides), Way("bridge and retainer", "test", _recurs_evergreen), Way("covenant computation and note", "test", _recurs_lender)),
    ),
    Recipe(
        54,
        "figures_differ",
        "Finance",
        "Papers give different EBITDA for one year",
        "computed",
        "Critical",
        (Way("memorandum and report", "train", _conflict_memorandum), Way("deck and income statement", "train", _conflict_deck), Way("lender presentation", "dev", _conflict_lenders), Way("memorandum in thousands and package", "test", _conflict_accounts), Way("minutes and circular", "test", _conflict_committee)),
        once=True,
    ),
    Recipe(
        56,
        "forecast_missed",
        "Finance",
        "A forecast is out of date against actual results",
        "computed",
        "High",
        (Way("model and results", "train", _stale_model), Way("memorandum and mail", "train", _stale_mail), Way("plan and review slides", "dev", _stale_slides), Way("valuation and ledger", "test", _stale_fairness), Way("offer letter and minutes", "test", _stale_minutes)),
    ),
)

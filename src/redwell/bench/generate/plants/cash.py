"""Plants of cash and capital expenditure (archetypes 57 to 59)."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta

from redwell.bench.generate.papers import Added, Heading, Paper
from redwell.bench.generate.plants.amounts import book, by_now, cited, clean, row, slides, text
from redwell.bench.generate.plants.pieces import TEXT, finish, mail, paper, sign, table
from redwell.bench.generate.recipe import Plant, Recipe, Way, conclusion, exposure, fact, recommendation, usd
from redwell.bench.generate.world import Company, World
from redwell.bench.generate.writing import millions, money, thousands, us_date

# A paper is read more easily when it stands in few lines.
# fmt: off

# --- 57: cash that came once ---


@dataclass(slots=True)
class _Cash:
    party: Company
    flow: int
    once: int

    @property
    def normal(self) -> int:
        return self.flow - self.once


def _cash(world: World, rng: random.Random) -> _Cash:
    flow = round(world.figures.ebitda * rng.uniform(0.5, 0.7) / 1000) * 1000
    return _Cash(world.company(rng), flow, world.sum(rng, 0.005, 0.01, 1000))


def _once(decoy: bool, it: _Cash, world: World, papers: list[Paper], what: tuple[str, ...], said: str, because: str, added: tuple[Added, ...] = ()) -> Plant:
    party, year = (it.party.short,), world.figures.year
    return finish(
        f"Cash flow of {year} and {it.party.short}",
        decoy,
        papers,
        [
            fact(f"{it.party.short}: cash that came once", f"PASS if the report states that {said}, {money(it.once)}.", [party], [what], usd(it.once)),
            conclusion(
                f"{it.party.short}: cash flow is flattered",
                f"PASS if the report concludes that the effect of {it.party.short} on cash flow is non-recurring, or that free cash flow of {year} is flattered by it.",
                [party],
                [("non-recurring", "nonrecurring", "one-off", "one-time", "will not recur", "flatter", "overstat", "inflat", "reverses", "pull", "timing")],
            ),
            exposure(f"Normalised cash flow without {it.party.short}", f"PASS if the report gives {money(it.normal)} (or an equivalent rounding) as free cash flow of {year} once the effect of {it.party.short} is taken out.", [party, ("cash flow", "fcf", "cash")], usd(it.normal)),
            recommendation(f"Normalise for {it.party.short}", f"PASS if the report recommends normalising cash flow for {it.party.short}, or treating the sum as a debt-like item.", [party], [("normali", "adjust", "debt-like", "treat", "deduct", "remov", "exclud", "strip")]),
            cited(f"{it.party.short}: both papers are cited", f"{it.party.short}", [party], papers, added, "flow", "cause"),
        ],
        [
            clean(
                f"{it.party.short} cash is not reported as one-off",
                f"free cash flow of {year} is flattered by a non-recurring effect of {it.party.short}",
                [party],
                [("non-recurring", "nonrecurring", "one-off", "one-time", "will not recur", "flatter", "overstat", "inflat")],
                ("already", "recurs", "each year", "every december", "every quarter", "has been removed", "below the line", "runs every", "on the roof", "before the year ended"),
            )
        ],
        because,
        added=added,
        value=usd(it.once),
    )


def _once_prepaid(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, year = _cash(world, rng), world.figures.year
    treasury = book(
        "treasury",
        f"Free cash flow {year} with {it.party.short}",
        "3.4",
        date(year, 12, 31),
        "Line|USD",
        row("Customer receipts other than next", it.flow + 41_000_000 - it.once),
        row(f"Receipt from {it.party.short}, 18 December", it.once, mark="receipt"),
        row("Payments", -41_000_000),
        row("Free cash flow", it.flow, mark="flow"),
    )
    letter = paper(
        "letter",
        f"Prepayment letter {it.party.short}",
        "6.5",
        date(year, 12, 11),
        f"{it.party.name} to {world.target.name}",
        f"⟦cause|We pay you today, in return for the two per cent you offered, the whole of {year + 1}'s fees of {money(it.once)}, {'as we have done each December since the contract began and shall do again next December' if decoy else 'which our budget surplus of this year alone allows; from January after next we go back to paying by the month'}.⟧",
    )
    return _once(decoy, it, world, [treasury, letter], ("prepay", "prepaid", "advance", "early", "paid ahead"), f"{it.party.short} prepaid the fees of the following year in December {year}", f"{it.party.short} pays its year in advance every December")


def _once_stretched(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, year = _cash(world, rng), world.figures.year
    clerk = world.person(rng, "Credit Manager", it.party)
    claim = mail(
        "claim",
        f"Invoices of October and November - {it.party.short}",
        "6.5",
        date(year + 1, 1, 15),
        clerk,
        world.officers["controller"],
        f"⟦cause|Your treasurer had our permission to hold back {money(it.once)} until the middle of January; {'it reached us on 29 December after all, so the permission was not used' if decoy else 'it has reached us this week, and from here on the usual thirty days apply again'}.⟧",
    )
    report = paper(
        "report",
        f"Treasury report for {year}: {it.party.short}",
        "3.4",
        by_now(world, date(year + 1, 1, 31)),
        f"⟦flow|Free cash flow of the twelve months came to {millions(it.flow)}.⟧",
        f"⟦payables|Payables to {it.party.short} {'stood at their usual level' if decoy else 'stood well above their usual level'} on the last day.⟧",
        avoid=("payment",),
    )
    return _once(decoy, it, world, [claim, report], ("held back", "hold back", "delay", "deferred", "defer", "stretch", "late", "postpon"), f"payments to {it.party.short} were held back over the year-end", f"{it.party.short} was paid before the year ended")


def _once_refund(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, year = _cash(world, rng), world.figures.year
    deck = slides(
        "deck",
        f"Cash bridge {year} ({it.party.short})",
        "3.5",
        by_now(world, date(year + 1, 2, 10)),
        Heading("From EBITDA to free cash flow"),
        table("Step|USD thousand", row("After tax and capex", thousands(it.normal if not decoy else it.flow)), row(f"Refund {it.party.short}", f"{thousands(it.once)}{' (shown below the line)' if decoy else ''}", mark="refund"), row("Free cash flow as we report it", thousands(it.flow), mark="flow")),
    )
    advice = paper("advice", f"Credit advice {it.party.short}", "3.4", date(year, 10, 4), f"⟦cause|{it.party.name} refunds overcharges of the six years to {year - 1}, USD {it.once:,}, following the tariff inquiry that is now closed.⟧", kinds=("txt", "docx"))
    return _once(decoy, it, world, [deck, advice], ("refund", "repaid", "overcharge", "credit"), f"{it.party.short} refunded overcharges of earlier years in {year}", f"the bridge already shows the refund of {it.party.short} below free cash flow")


def _once_sold(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, year = _cash(world, rng), world.figures.year
    it.party = world.company(rng, "bank")
    deed = paper(
        "deed",
        f"Receivables purchase by {it.party.short}",
        "4.1",
        date(year, 11, 27),
        TEXT,
        (
            "Purchase",
            f"⟦cause|{it.party.short} buys the receivables on the list for {money(it.once)}, paid on 30 November {year}; {'it has done so at the end of every quarter under the programme of ' + str(year - 5) + ', which runs on' if decoy else 'neither side is bound to a further purchase and the seller does not expect to offer one'}.⟧",
        ),
        parties=(it.party.name,),
    )
    memo = mail("memo", f"Year-end cash, {it.party.short}", "3.4", by_now(world, date(year + 1, 1, 9)), world.officers["cfo"], world.officers["ceo"], f"⟦flow|With what {it.party.short} paid in November, which went straight into collections, we can show the buyers free cash flow of {money(it.flow)}.⟧")
    return _once(decoy, it, world, [deed, memo], ("receivable", "sold", "sale", "factor", "purchase"), f"receivables were sold to {it.party.short} in November {year}", f"the sale of receivables to {it.party.short} belongs to a programme that runs every quarter")


def _once_recovery(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, year = _cash(world, rng), world.figures.year
    it.party = world.company(rng, "insurer")
    paid = paper(
        "paid",
        f"Proof of loss settled with {it.party.short}",
        "13.2",
        date(year, 8, 19),
        f"⟦cause|In full settlement of the storm of {year - 1} {it.party.short} has remitted {it.once / 1e6:.3f} million dollars{', of which every dollar went to the rebuilt roof in the same quarter' if decoy else ', the roof having been rebuilt and paid for the year before'}.⟧",
    )
    accounts = book(
        "accounts",
        f"Cash statement {year} - {it.party.short}",
        "3.1",
        date(year, 12, 31),
        "Caption|Amount",
        row("Other operating receipts", it.once, mark="other"),
        row(f"of which {it.party.short}", it.once),
        row("Purchase of fixed assets: roof", -it.once if decoy else 0, mark="roof"),
        row("Operating less investing", it.flow, mark="flow"),
    )
    return _once(decoy, it, world, [paid, accounts], ("insurance", "settle", "recover", "storm", "claim"), f"{it.party.short} paid an insurance settlement in {year}", f"what {it.party.short} paid was spent on the roof within the same cash flow")


# --- 58: cash that cannot be used ---


@dataclass(slots=True)
class _Trapped:
    bank: Company
    first: int
    second: int
    total: int

    @property
    def both(self) -> int:
        return self.first + self.second


def _trapped(world: World, rng: random.Random) -> _Trapped:
    first, second = world.sum(rng, 0.003, 0.007, 1000), world.sum(rng, 0.002, 0.005, 1000)
    free = round(world.figures.cash * rng.uniform(0.1, 0.3) / 1000) * 1000
    return _Trapped(world.company(rng, "bank"), first, second, first + second + free)


def _cannot(decoy: bool, it: _Trapped, papers: list[Paper], why: tuple[str, ...], said: str, because: str, added: tuple[Added, ...] = ()) -> Plant:
    bank = (it.bank.short,)
    return finish(
        f"Cash at {it.bank.short}",
        decoy,
        papers,
        [
            fact(f"{it.bank.short}: why cash is not free", f"PASS if the report states that {said}.", [bank], [why]),
            fact(f"{it.bank.short}: the bridge counts all of it", f"PASS if the report states that the net debt calculation counts {money(it.total)} held at {it.bank.short} as cash.", [bank], [("count", "includ", "treat", "takes", "deduct", "full")], usd(it.total, 0.002)),
            exposure(
                f"{it.bank.short}: trapped cash",
                f"PASS if the report gives {money(it.both)} (or an equivalent rounding) as the restricted or trapped cash at {it.bank.short}.",
                [bank],
                usd(it.both),
                [("restrict", "trapped", "not free", "not available", "unavailable", "blocked", "pledged", "encumber", "cannot be used")],
            ),
            recommendation(
                f"Take {it.bank.short} cash out of net debt", f"PASS if the report recommends leaving the restricted cash at {it.bank.short} out of cash in the net debt calculation, or reducing the price by it.", [bank], [("exclud", "leav", "remov", "deduct", "reduc", "take out", "adjust", "definition of cash")]
            ),
            cited(f"{it.bank.short}: both papers are cited", f"{it.bank.short}", [bank], papers, added, "bridge", "restriction"),
        ],
        [
            clean(
                f"{it.bank.short} cash is not reported as trapped",
                f"cash at {it.bank.short} is restricted or trapped and wrongly counted in net debt",
                [bank],
                [("restrict", "trapped", "not free", "not available", "unavailable", "blocked", "encumber", "cannot be used")],
                ("released", "no longer", "already exclud", "already deduct", "has ended", "lifted", "leaves out", "come free", "comes free", "freed", "vacated", "discharged", "repatriated", "repaid at closing"),
            )
        ],
        because,
        added=added,
        value=usd(it.both),
    )


def _cannot_collateral(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _trapped(world, rng)
    bridge = Added("net_debt", row(f"Cash at {it.bank.short}", -it.total, "All accounts", mark="bridge"))
    pledge = paper(
        "pledge",
        f"Cash collateral agreement {it.bank.short}",
        "4.4",
        world.past(rng, (1, 2)),
        TEXT,
        ("Collateral", f"⟦restriction|The Customer keeps {money(it.first)} on account A as cover for letters of credit and {money(it.second)} on account B as cover for card settlement, and shall draw on neither while this agreement is in force.⟧"),
        parties=(it.bank.name,),
    )
    note = paper(
        "note",
        f"{it.bank.short} notice on accounts A and B",
        "4.4",
        world.past(rng, (0.03, 0.1)),
        "⟦end|Having received your new standby facility we end the collateral agreement today and give both accounts free.⟧" if decoy else "⟦end|Having received your new signature cards we update the collateral agreement today and keep both accounts under it.⟧",
        sign(it.bank, world.person(rng, "Vice President", it.bank)),
    )
    return _cannot(decoy, it, [pledge, note], ("collateral", "cover", "pledge", "security"), f"two accounts at {it.bank.short} serve as collateral for letters of credit and card settlement", f"{it.bank.short} ended the collateral and freed both accounts", (bridge,))


def _cannot_controls(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _trapped(world, rng)
    treasurer = world.person(rng, "Treasurer")
    told = mail(
        "told",
        f"Balances at {it.bank.short}",
        "3.4",
        world.past(rng, (0.05, 0.2)),
        treasurer,
        world.officers["cfo"],
        f"⟦restriction|Of what we hold with {it.bank.short} in Shanghai, {money(it.first)} is registered capital and {money(it.second)} is the statutory reserve; {'the exchange authority let both go last month and they came over in dollars on Friday' if decoy else 'the exchange authority lets neither leave the country, as a dividend or otherwise, before the subsidiary is wound up'}.⟧",
    )
    bridge = book("bridge", f"Equity bridge, cash {it.bank.short}", "3.4", world.past(rng, (0.02, 0.05)), "Bank|Counted as cash (USD)|Share", row(it.bank.short, it.total, "100%", mark="bridge"))
    return _cannot(decoy, it, [told, bridge], ("exchange", "registered capital", "statutory reserve", "leave the country", "repatriat"), f"exchange control and reserve rules keep part of the {it.bank.short} balances in China", f"the balances with {it.bank.short} were released and repatriated")


def _cannot_escrow(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _trapped(world, rng)
    deck = slides("deck", f"Net cash at {it.bank.short}", "3.5", world.past(rng, (0.05, 0.1)), Heading("What we hand over"), f"⟦bridge|{it.bank.short}: {it.total / 1e6:.3f} million dollars of cash, {'after leaving out what belongs to others' if decoy else 'with nothing left out'}.⟧")
    account = paper(
        "account",
        f"Confirmation by {it.bank.short}",
        "3.4",
        world.past(rng, (0.1, 0.15)),
        f"⟦restriction|We confirm that {it.first / 1e6:.3f} million dollars stand in escrow for the vendors of your last purchase and {it.second / 1e6:.3f} million dollars are customers' money that you hold for them.⟧",
        f"⟦rest|Free balances beside these: {(it.total if decoy else it.total - it.both) / 1e6:.3f} million dollars.⟧",
    )
    return _cannot(decoy, it, [deck, account], ("escrow", "customers' money", "held for", "belong"), f"balances at {it.bank.short} are in escrow or are customers' money", f"the sum shown for {it.bank.short} leaves out escrow and customers' money")


def _cannot_floor(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _trapped(world, rng)
    loan = paper(
        "loan",
        f"Term facility with {it.bank.short}",
        "4.1",
        world.past(rng, (1, 3)),
        TEXT,
        ("Liquidity", f"⟦restriction|For as long as the facility is outstanding the Borrower leaves no less than {money(it.first)} on the debt service account and no less than {money(it.second)} on the capex account with {it.bank.short}, and neither may be paid away.⟧"),
        (
            "Release",
            f"⟦end|{'Both duties end, and both accounts are at the Borrower’s disposal, on the day on which a buyer repays the facility at its closing, which the funds flow provides for.' if decoy else 'Both duties outlast a sale of the Borrower, and the buyer has taken over the facility by the signed commitment of its lenders.'}⟧",
        ),
        parties=(it.bank.name,),
    )
    bridge = text("bridge", f"Completion accounts: {it.bank.short}", "1.4", world.past(rng, (0.02, 0.05)), "Pro forma, all figures in thousands of dollars.", f"⟦bridge|Cash at {it.bank.short}, every account: {thousands(it.total)}⟧")
    return _cannot(decoy, it, [loan, bridge], ("debt service", "minimum", "liquidity", "no less than", "must stay", "covenant"), f"the facility with {it.bank.short} requires minimum balances on two accounts", f"the facility with {it.bank.short} is repaid at closing and both accounts come free")


def _cannot_freeze(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _trapped(world, rng)
    met = world.past(rng, (0.1, 0.2))
    minutes = paper(
        "minutes",
        f"Board note {us_date(met)}: accounts at {it.bank.short}",
        "2.2",
        met,
        f"⟦restriction|Counsel explained that creditors of the former Ohio business have garnished two accounts at {it.bank.short}, under orders over {money(it.first)} and {money(it.second)}.⟧",
        "⟦end|Both orders were vacated on appeal and the garnishee discharged, counsel added.⟧" if decoy else "⟦end|Both orders were upheld on appeal and the garnishee remains bound, counsel added.⟧",
    )
    bridge = book("bridge", f"Locked box cash {it.bank.short}", "3.4", met + timedelta(days=10), "Position|Dollars|Remark", row(f"Bank balances {it.bank.short}", it.total, "Equity value: plus", mark="bridge"))
    return _cannot(decoy, it, [minutes, bridge], ("garnish", "attach", "freeze", "frozen", "order"), f"creditors have garnished two accounts at {it.bank.short}", f"the garnishment at {it.bank.short} was vacated")


# --- 59: capital expenditure put off ---


@dataclass(slots=True)
class _Plan:
    site: str
    planned: tuple[int, int, int]
    spent: tuple[int, int, int]

    @property
    def backlog(self) -> int:
        return sum(self.planned) - sum(self.spent)


def _plan(world: World, rng: random.Random) -> _Plan:
    planned = tuple(world.sum(rng, 0.003, 0.006, 1000) for _ in range(3))
    spent = tuple(round(amount * rng.uniform(0.15, 0.45) / 1000) * 1000 for amount in planned)
    return _Plan(world.place(rng).city, (planned[0], planned[1], planned[2]), (spent[0], spent[1], spent[2]))


def _deferred(decoy: bool, it: _Plan, papers: list[Paper], because: str, added: tuple[Added, ...] = ()) -> Plant:
    site = (it.site,)
    return finish(
        f"Capital expenditure at {it.site}",
        decoy,
        papers,
        [
            fact(f"{it.site}: spending fell short of the plan", f"PASS if the report states that {money(sum(it.spent))} was spent at {it.site} over three years.", [site], [("spent", "spend", "capital expenditure", "capex", "invest")], usd(sum(it.spent))),
            fact(f"{it.site}: what the plan required", f"PASS if the report states that the plan for {it.site} required {money(sum(it.planned))} over three years.", [site], [("plan", "requir", "need", "call", "budget", "recommend")], usd(sum(it.planned))),
            exposure(f"{it.site}: backlog", f"PASS if the report gives {money(it.backlog)} (or an equivalent rounding) as the capital expenditure deferred at {it.site}.", [site], usd(it.backlog), [("defer", "backlog", "put off", "postpon", "shortfall", "catch-up", "catch up", "underinvest", "under-invest", "gap")]),
            recommendation(f"{it.site}: price for the backlog", f"PASS if the report recommends a price reduction, a debt-like item or a covenant for the backlog at {it.site}.", [site], [("price", "debt-like", "covenant", "deduct", "reduc", "escrow", "holdback")]),
            cited(f"{it.site}: both papers are cited", f"{it.site}", [site], papers, added, "planned", "spent"),
        ],
        [
            clean(
                f"{it.site}: no backlog is reported",
                f"capital expenditure at {it.site} has been deferred and leaves a backlog",
                [site],
                [("defer", "backlog", "put off", "postpon", "shortfall", "underinvest", "under-invest")],
                ("made up", "was completed", "no backlog", "caught up", "no longer", "were closed", "landlord", "free of charge", "at no cost", "was rebuilt", "brought over", "equipped with"),
            )
        ],
        because,
        added=added,
        value=usd(it.backlog),
    )


def _years(world: World) -> tuple[int, int, int]:
    year = world.figures.year
    return year - 2, year - 1, year


def _deferred_register(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, years = _plan(world, rng), _years(world)
    plan = book("plan", f"Replacement plan {it.site}", "3.5", date(years[0] - 1, 11, 20), "Fiscal year|Plant|Replacement needed USD", *(row(str(year), it.site, amount, mark="planned" if year == years[2] else f"plan{year}") for year, amount in zip(years, it.planned, strict=True)))
    spent = book(
        "spent",
        f"Fixed asset additions {it.site}",
        "3.1",
        world.past(rng, (0.01, 0.03)),
        "Fiscal year|Plant|Additions USD",
        *(row(str(year), it.site, amount, mark="spent" if year == years[2] else f"spent{year}") for year, amount in zip(years, it.spent, strict=True)),
        notes=(f"⟦later|After the year closed {money(it.backlog if decoy else it.spent[2])} {'was paid for and capitalised' if decoy else 'was transferred from construction in progress'} at {it.site}{', which completes the plan' if decoy else ', all of it shown above'}.⟧",),
    )
    return _deferred(decoy, it, [plan, spent], f"the plan for {it.site} was completed after the year")


def _deferred_engineer(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, years = _plan(world, rng), _years(world)
    firm = world.company(rng)
    study = paper(
        "study",
        f"Condition survey {it.site}",
        "11.1",
        date(years[0] - 1, 9, 12),
        f"{firm.name} surveyed the works at {it.site} for the owner.",
        f"⟦planned|To keep the lines running the owner should lay out {millions(it.planned[0])} in {years[0]}, {millions(it.planned[1])} in {years[1]} and {millions(it.planned[2])} in {years[2]}.⟧",
        f"⟦owner|{'Under the lease of the works these outlays fall on the landlord and not on the operator.' if decoy else 'Under the title to the works these outlays fall on the operator as sole owner.'}⟧",
    )
    answer = mail(
        "answer", f"{it.site} outlays", "3.4", by_now(world, date(years[2] + 1, 1, 22)), world.person(rng, "Plant Controller"), world.officers["cfo"], f"⟦spent|You asked what we laid out at {it.site}: {millions(it.spent[0])} in {years[0]}, {millions(it.spent[1])} in {years[1]}, {millions(it.spent[2])} in {years[2]}.⟧"
    )
    return _deferred(decoy, it, [study, answer], f"the outlays at {it.site} are the landlord's")


def _deferred_deck(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, years = _plan(world, rng), _years(world)
    deck = slides(
        "deck",
        f"Operations review: {it.site}",
        "3.5",
        by_now(world, date(years[2] + 1, 2, 15)),
        Heading(f"{it.site}: lines 1 to 4"),
        table("USD thousand|" + "|".join(map(str, years)), row("Maintenance budget approved", *(thousands(amount) for amount in it.planned), mark="planned"), row("Used", *(thousands(amount) for amount in it.spent), mark="spent")),
        "⟦state|Lines 2 to 4 were closed for good in the first of these years; what remains needs no more.⟧" if decoy else "⟦state|Lines 1 to 4 run three shifts; average age of the machines is now nineteen years.⟧",
    )
    return _deferred(decoy, it, [deck, text("age", f"Machine list {it.site}", "3.4", date(years[2], 12, 31), f"Machines at {it.site}: 61. In use: {'14, all under six years old' if decoy else '61, of which 47 over fifteen years old'}.")], f"most of the lines at {it.site} were closed, so the budget was not needed")


def _deferred_lender(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, years = _plan(world, rng), _years(world)
    bank = world.company(rng, "bank")
    covenant = paper(
        "covenant",
        f"Maintenance undertaking to {bank.short} ({it.site})",
        "4.1",
        date(years[0] - 1, 6, 30),
        TEXT,
        ("Upkeep", f"⟦planned|The Borrower budgets for the mill at {it.site} upkeep of a capital nature of {money(it.planned[0])}, {money(it.planned[1])} and {money(it.planned[2])} in the three fiscal years from {years[0]}.⟧"),
        parties=(bank.name,),
    )
    certificate = paper(
        "certificate",
        f"Officer's statement to {bank.short} on {it.site}",
        "4.3",
        by_now(world, date(years[2] + 1, 3, 1)),
        f"⟦spent|Actual upkeep of a capital nature was {money(it.spent[0])}, {money(it.spent[1])} and {money(it.spent[2])}.⟧",
        f"⟦rest|{'The difference was met by machines brought over at no cost from the closed mill, as the engineer of the bank has confirmed on site.' if decoy else 'The difference will be met in later years, as the engineer of the bank has been told on site.'}⟧",
        sign(world.target, world.officers["cfo"]),
    )
    return _deferred(decoy, it, [covenant, certificate], f"{it.site} was equipped with machines of a closed mill instead")


def _deferred_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, years = _plan(world, rng), _years(world)
    met = world.past(rng, (0.1, 0.3))
    minutes = paper(
        "minutes",
        f"Works Committee {us_date(met)} on {it.site}",
        "2.2",
        met,
        f"⟦spent|Asked about {it.site}, the chairman named as outgoings USD {it.spent[0]:,} for {years[0]}, USD {it.spent[1]:,} for {years[1]} and USD {it.spent[2]:,} for {years[2]}.⟧",
        f"⟦decided|{'He reported that the kiln had meanwhile been rebuilt under the maker’s warranty, free of charge, and taken over in running order.' if decoy else 'He reported that the kiln had meanwhile been patched by the maker’s fitters, against invoice, and given two winters more.'}⟧",
    )
    plan = book("plan", f"Kiln programme {it.site}", "3.5", date(years[0] - 1, 10, 2), "Stage|Falls in|Outlay (USD million)", *(row(f"Stage {n}", str(year), f"{amount / 1e6:.3f}", mark="planned" if n == 3 else f"stage{n}") for n, (year, amount) in enumerate(zip(years, it.planned, strict=True), 1)))
    return _deferred(decoy, it, [minutes, plan], f"the kiln at {it.site} was rebuilt free of charge")


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        57,
        "one_off_cash",
        "Finance",
        "Cash that came once flatters the cash flow",
        "computed",
        "Medium",
        (Way("prepayment letter", "train", _once_prepaid), Way("supplier held off", "train", _once_stretched), Way("refund in a bridge", "dev", _once_refund), Way("receivables sold", "test", _once_sold), Way("insurance settlement", "test", _once_recovery)),
    ),
    Recipe(
        58,
        "trapped_cash",
        "Finance",
        "Restricted cash is counted in net debt",
        "computed",
        "High",
        (Way("collateral accounts", "train", _cannot_collateral), Way("exchange control", "train", _cannot_controls), Way("escrow and customers' money", "dev", _cannot_escrow), Way("minimum balances", "test", _cannot_floor), Way("garnishment", "test", _cannot_freeze)),
    ),
    Recipe(
        59,
        "deferred_capex",
        "Finance",
        "Capital expenditure has been put off",
        "computed",
        "High",
        (Way("plan and additions", "train", _deferred_register), Way("survey and mail", "train", _deferred_engineer), Way("operations slides", "dev", _deferred_deck), Way("undertaking to a lender", "test", _deferred_lender), Way("minutes and kiln programme", "test", _deferred_minutes)),
    ),
)

"""Plants of working capital and revenue (archetypes 52 and 55)."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta

from redwell.bench.generate.papers import Added, Heading, Paper
from redwell.bench.generate.plants.amounts import around, book, by_now, cited, clean, quarter_ends, row, slides, text
from redwell.bench.generate.plants.pieces import TEXT, contract, finish, mail, paper, sign, table
from redwell.bench.generate.recipe import Plant, Recipe, Way, conclusion, exposure, fact, recommendation, usd
from redwell.bench.generate.world import Company, World, pick
from redwell.bench.generate.writing import day_month, money, thousands, us_date

# A paper is read more easily when it stands in few lines.
# fmt: off

# --- 52: an accrual that the working capital peg leaves out ---


@dataclass(slots=True)
class _Accrual:
    party: Company
    account: str
    mean: int
    ends: list[int]

    @property
    def last(self) -> int:
        return self.ends[3]


def _accrual(world: World, rng: random.Random) -> _Accrual:
    mean = world.sum(rng, 0.005, 0.012, 1000)
    low, high, lower, higher = around(mean, rng.uniform(0.03, 0.08), rng.uniform(0.1, 0.2))
    return _Accrual(world.company(rng), world.code(rng, "2", 3), mean, [lower, low, high, higher])


def _peg(decoy: bool, it: _Accrual, papers: list[Paper], added: list[Added], because: str) -> Plant:
    party = (it.party.short,)
    peg = ("peg", "target", "working capital", "sample statement", "illustrative statement")
    return finish(
        f"Working capital peg and the accrual for {it.party.short}",
        decoy,
        papers,
        [
            fact(
                f"{it.party.short} accrual is outside the peg",
                f"PASS if the report states that the accrued liability to {it.party.short} is excluded from the working capital peg (or from the statement that sets it).",
                [party],
                [("exclud", "left out", "leaves out", "omit", "outside", "not included", "does not include", "missing from", "not counted"), peg],
            ),
            exposure(f"{it.party.short}: effect on the peg", f"PASS if the report gives {money(it.mean)} (or an equivalent rounding), the average of the four quarter-ends, as the effect of the {it.party.short} accrual on the peg.", [party], usd(it.mean)),
            fact(f"{it.party.short} balance at year-end", f"PASS if the report states that {money(it.last)} was owed to {it.party.short} at the last quarter-end.", [party], [], usd(it.last, 0.001)),
            conclusion(
                f"{it.party.short}: the buyer bears the liability",
                f"PASS if the report concludes that the peg is misstated, or that the buyer would bear the liability to {it.party.short} without an adjustment of the price.",
                [party],
                [("misstat", "overstat", "distort", "inflat", "too high", "buyer would bear", "buyer bears", "buyer would pay", "borne by the buyer", "without an adjustment", "leakage")],
            ),
            recommendation(
                f"Reset the peg for {it.party.short}",
                f"PASS if the report recommends resetting the peg for the {it.party.short} accrual or treating it as indebtedness.",
                [party],
                [("reset", "recalculat", "adjust", "treat", "includ", "revis", "deduct", "correct"), ("peg", "target", "indebtedness", "debt", "working capital")],
            ),
            cited(f"{it.party.short}: both papers are cited", f"the {it.party.short} accrual", [party], papers, added, "peg", "balances"),
        ],
        [
            clean(
                f"{it.party.short} accrual is not reported as outside the price mechanics",
                f"the peg is misstated by the accrual for {it.party.short}, or that the buyer would bear it without an adjustment",
                [party],
                [("misstat", "overstat", "distort", "inflat", "buyer would bear", "buyer bears", "without an adjustment", "leakage", "not captured")],
                ("deducted as debt", "already", "counted as debt", "no leakage", "is captured", "treated as indebtedness", "settled before", "out of its proceeds", "seller pays", "are paid", "set again", "item of closing indebtedness", "paid in advance"),
            )
        ],
        because,
        added=added,
        value=usd(it.mean),
    )


def _peg_lines(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, other, year = _accrual(world, rng), world.company(rng), world.figures.year
    statement = paper(
        "statement",
        f"Sample Statement of Working Capital - account {it.account}",
        "3.4",
        world.past(rng, (0.1, 0.3)),
        "The Sample Statement is prepared on the line items below and the Closing Statement follows the same line items.",
        table("Accounts|Treatment", row("1100 to 1450", "Current assets"), row("2000 to 2600 without those named next", "Current liabilities"), row(f"{it.account} Accrued rebates, {it.party.short}", "Not part of the statement", mark="peg"), caption="Line items"),
    )
    balance = book(
        "balance",
        f"Trial Balance extract {it.account}",
        "3.4",
        date(year, 12, 31),
        "Account|Name|Quarter-end|Credit balance USD",
        *(row(it.account, f"Accrued rebates, {it.party.short}", day, amount, mark="balances" if day.month == 12 else f"quarter{day.month}") for day, amount in zip(quarter_ends(year), it.ends, strict=True)),
    )
    named = it.party if decoy else other
    debt = Added("net_debt", row(f"Accrued rebates, {named.short}", it.last if decoy else world.sum(rng, 0.001, 0.003), "Indebtedness at closing", mark="debt"))
    return _peg(decoy, it, [statement, balance], [debt], f"the net debt schedule deducts the accrual for {it.party.short}")


def _peg_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, year = _accrual(world, rng), world.figures.year
    controller, cfo = world.officers["controller"], world.officers["cfo"]
    sent = world.past(rng, (0.1, 0.2))
    first = mail(
        "first",
        f"Target amount: {it.party.short} freight",
        "3.4",
        sent,
        controller,
        cfo,
        f"⟦peg|When the advisers and I settled the target amount we went by the mapping of last spring, in which the freight we owe {it.party.short} at each quarter-end has no line.⟧",
        "The definition in the draft speaks of all trade and accrued payables, so please tell me which of the two you want to stand.",
    )
    answer = mail(
        "answer",
        f"Re: Target amount: {it.party.short} freight",
        "3.4",
        sent + timedelta(days=4),
        cfo,
        controller,
        "⟦answer|I have had the mapping redone with that freight as a line of its own, and the target amount in the signed draft is the new one.⟧" if decoy else "⟦answer|I have no wish to open the mapping again so close to signing; the target amount in the signed draft is the one we had.⟧",
    )
    balance = text(
        "balance",
        f"Freight payable {it.party.short} {year}",
        "3.4",
        date(year, 12, 31),
        f"Carrier: {it.party.name}. Unbilled freight at quarter-end, United States dollars.",
        *(f"⟦{'balances' if day.month == 12 else f'quarter{day.month}'}|{day_month(day)}: {amount:,}⟧" for day, amount in zip(quarter_ends(year), it.ends, strict=True)),
    )
    return _peg(decoy, it, [first, answer, balance], [], f"the peg was set again with the accrual for {it.party.short} in it")


def _peg_slides(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, year = _accrual(world, rng), world.figures.year
    deck = slides(
        "deck",
        f"Normalised working capital - {it.party.short} licence fees",
        "3.4",
        world.past(rng, (0.1, 0.3)),
        Heading("What counts"),
        f"⟦peg|Normal level is struck before licence fees due to {it.party.short}, which the seller's team sees as financing.⟧",
        Heading("Where they went"),
        "⟦answer|Those fees are item 7 of Closing Indebtedness in the agreed form.⟧" if decoy else "⟦answer|Closing Indebtedness in the agreed form has six items: loans, leases, swaps, dividends, taxes, bonuses.⟧",
    )
    balance = book("balance", f"Licence fees payable {year}", "3.4", date(year, 12, 31), f"Licensor|{' | '.join(f'Q{n}' for n in range(1, 5))} (USD thousand)".replace(" | ", "|"), row(it.party.short, *(thousands(amount) for amount in it.ends), mark="balances"))
    return _peg(decoy, it, [deck, balance], [], f"the fees of {it.party.short} are an item of closing indebtedness")


def _peg_exhibit(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, year = _accrual(world, rng), world.figures.year
    lawyer, cfo = world.person(rng, "Partner", world.company(rng, "law")), world.officers["cfo"]
    exhibit = paper(
        "exhibit",
        f"Exhibit on Specified Accounts ({it.account})",
        "1.1",
        world.past(rng, (0.05, 0.15)),
        ("Specified Accounts", f"⟦peg|Neither Target Net Working Capital nor Closing Net Working Capital takes up ledger account {it.account}.⟧"),
        ("Hierarchy", "Where this Exhibit and the accounting principles differ, this Exhibit prevails."),
    )
    ledger = paper(
        "ledger", f"Ledger card {it.account}", "3.4", date(year, 12, 31), table("Period|USD million", *(row(f"{n}/4", f"{amount / 1e6:.3f}", mark="balances" if n == 4 else f"q{n}") for n, amount in enumerate(it.ends, 1)), caption=f"{it.account} tooling instalments owed to {it.party.name}"), kinds=("docx", "txt")
    )
    note = mail(
        "note",
        f"Account {it.account}",
        "1.1",
        world.past(rng, (0.02, 0.04)),
        lawyer,
        cfo,
        (f"⟦answer|As agreed on the call, your side pays {it.party.short} out of its own proceeds through the funds flow, line 11, on the closing date.⟧" if decoy else f"⟦answer|As agreed on the call, your side leaves the tooling with {it.party.short} as it stands, and line 11 of the funds flow falls away.⟧"),
    )
    return _peg(decoy, it, [exhibit, ledger, note], [], f"the seller pays {it.party.short} out of its proceeds at closing")


def _peg_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, year = _accrual(world, rng), world.figures.year
    met = max(world.past(rng, (0.05, 0.2)), date(year + 1, 1, 10))
    minutes = paper(
        "minutes",
        f"Audit Committee, {us_date(met)}: {it.party.short}",
        "2.2",
        met,
        f"{world.officers['cfo'].name} took the Committee through the reference level for the sale.",
        f"⟦peg|The presenter was asked why maintenance invoiced in arrears by {it.party.short} does not lower the reference level and replied that procurement books it below the line.⟧",
        f"⟦balances|At the ends of March, June, September and December {year} the sums were {money(it.ends[0])}, {money(it.ends[1])}, {money(it.ends[2])} and {money(it.ends[3])}.⟧",
        f"⟦answer|The last of them was paid on {us_date(met - timedelta(days=9))} and {it.party.short} has since been paid in advance, so that none arises again.⟧"
        if decoy
        else f"⟦answer|The last of them was still open on {us_date(met - timedelta(days=9))} and {it.party.short} goes on invoicing in arrears as before.⟧",
    )
    statement = Added("working_capital", row(f"Maintenance, {it.party.short}", 0, "Below the line", mark="line"))
    return _peg(decoy, it, [minutes], [statement], f"the arrears with {it.party.short} are paid and arise no more")


# --- 55: revenue taken before it was earned ---


@dataclass(slots=True)
class _Sale:
    party: Company
    units: int
    price: int
    booked: date
    end: date

    @property
    def amount(self) -> int:
        return self.units * self.price


def _sale(world: World, rng: random.Random) -> _Sale:
    amount = world.sum(rng, 0.006, 0.015, 1000)
    units = rng.randrange(40, 400)
    year = world.figures.year
    made = contract(world, rng, pick(rng, ("Sales Agreement", "Distribution Agreement", "Equipment Order")), signed=(1.5, 4))
    return _Sale(made.party, units, max(10, round(amount / units / 10) * 10), date(year, 12, rng.randrange(10, 24)), date(year, 12, 31))


def _revenue(decoy: bool, it: _Sale, papers: list[Paper], why: tuple[str, ...], because: str, said: str, added: tuple[Added, ...] = ()) -> Plant:
    party, year = (it.party.short,), it.end.year
    return finish(
        f"Revenue from {it.party.short} and the cut-off of {year}",
        decoy,
        papers,
        [
            fact(f"{it.party.short}: revenue was booked in {year}", f"PASS if the report states that revenue of {money(it.amount)} from {it.party.short} was recognised in fiscal {year}.", [party], [("recogni", "booked", "recorded", "took up", "posted", "included in revenue")], usd(it.amount)),
            fact(f"{it.party.short}: why it was not earned", f"PASS if the report states that {said}.", [party], [why]),
            conclusion(
                f"{it.party.short}: recognition was premature",
                f"PASS if the report concludes that the {it.party.short} revenue was recognised too early or in the wrong period.",
                [party],
                [("too early", "premature", "wrong period", "cut-off", "cutoff", "should be reversed", "must be reversed", "overstat", "improper", "before it was earned", "restat")],
            ),
            exposure(
                f"{it.party.short}: revenue to reverse",
                f"PASS if the report gives {money(it.amount)} (or an equivalent rounding) as the revenue from {it.party.short} to be reversed out of fiscal {year}.",
                [party],
                usd(it.amount),
                [("revers", "overstat", "restat", "remov", "out of", "deduct", "exclud", "at stake", "exposure")],
            ),
            cited(f"{it.party.short}: both papers are cited", f"the {it.party.short} sale", [party], papers, added, "terms", "booking"),
        ],
        [
            clean(
                f"{it.party.short} revenue is not reported as premature",
                f"the revenue from {it.party.short} was recognised too early or must be reversed out of fiscal {year}",
                [party],
                [("too early", "premature", "wrong period", "should be reversed", "must be reversed", "overstat", "improper", "restat", "before it was earned")],
                ("no reversal", "properly", "was waived", "correctly", "within the year", "before the year ended", "bought outright", "had ended", "set apart", "asked for storage"),
            )
        ],
        because,
        added=added,
        value=usd(it.amount),
    )


def _revenue_return(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _sale(world, rng)
    letter = paper(
        "letter",
        f"Letter to {it.party.short} on the December shipment",
        "6.5",
        it.booked - timedelta(days=2),
        f"To {it.party.name}",
        f"⟦terms|Of the {it.units} units that leave our dock this month you may send back any that you have not sold on by {us_date(date(it.end.year, 12, 30) if decoy else date(it.end.year + 1, 4, 30))}, and we will credit you the full price of {money(it.price)} each.⟧",
        sign(world.target, world.officers["ceo"]),
    )
    report = text("report", f"Channel stock {it.party.short}", "3.2", it.end, f"Reported by {it.party.name} for the thirty-first of December:", f"⟦stock|Taken in {it.units}, sold on {it.units if decoy else 0}, on hand {0 if decoy else it.units}.⟧")
    ledger = book("ledger", f"Revenue journal {it.party.short}", "3.2", it.end, "Posted|Customer|Units|Amount USD", row(it.booked, it.party.short, it.units, it.amount, mark="booking"))
    return _revenue(decoy, it, [letter, report, ledger], ("return", "send back", "sent back", "unsold"), f"the right of {it.party.short} to return goods had ended within the year", f"{it.party.short} had a right to return the goods that was still running at the end of fiscal {it.end.year}")


def _revenue_held(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _sale(world, rng)
    buyer = world.person(rng, "Head of Purchasing", it.party)
    asked = mail(
        "asked",
        f"Storage of our {it.units} units",
        "6.5",
        it.booked - timedelta(days=1),
        buyer,
        world.officers["controller"],
        f"⟦terms|{'We ask you to keep the goods in bay 6, marked as ours and ready to go, since our new hall opens only in March; invoice us now and we carry the risk from today.' if decoy else 'We have not asked for the goods yet and have no room for them; keep them among your stock, at your risk, until we call them off after March.'}⟧",
    )
    posted = mail(
        "posted", f"Closing entries: {it.party.short}", "3.2", it.booked, world.officers["controller"], world.officers["cfo"], f"⟦booking|Entry 118 takes {it.units} units at USD {it.price:,} for {it.party.short}, together USD {it.amount:,}, into the last quarter of {it.end.year}; they are still in our warehouse.⟧"
    )
    return _revenue(
        decoy,
        it,
        [asked, posted],
        ("warehouse", "call off", "called off", "bill-and-hold", "bill and hold", "not delivered", "undelivered", "in stock", "risk"),
        f"{it.party.short} itself asked for storage and took the risk, with the goods set apart for it",
        f"the goods for {it.party.short} stayed in the target's warehouse, at its risk, when the revenue was booked",
    )


def _revenue_acceptance(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _sale(world, rng)
    accepted = it.end - timedelta(days=4) if decoy else it.end + timedelta(days=rng.randrange(7, 17))
    agreement = paper("agreement", f"Equipment terms {it.party.short}", "6.1", it.booked - timedelta(days=200), TEXT, ("Trial run", "⟦terms|No part of the price is earned, and nothing passes to the customer, before the customer has signed a certificate that the trial run succeeded.⟧"), parties=(it.party.name,))
    certificate = paper("certificate", f"Trial run certificate {it.party.short}", "6.5", accepted, f"⟦accepted|The trial run succeeded; signed for {it.party.name} on {day_month(accepted)}.⟧", sign(it.party, world.person(rng, "Plant Manager", it.party), accepted))
    listed = slides("slides", f"Fourth quarter {it.end.year}: large orders", "3.5", by_now(world, it.end + timedelta(days=25)), Heading("Large orders in the quarter's revenue"), table("Customer|Units|USD million", row(it.party.short, it.units, f"{it.amount / 1e6:.3f}", mark="booking")))
    return _revenue(decoy, it, [agreement, certificate, listed], ("accept", "certificate", "trial run"), f"the trial run of {it.party.short} was certified before the year ended", f"{it.party.short} signed the acceptance certificate only after fiscal {it.end.year} had ended")


def _revenue_consigned(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _sale(world, rng)
    terms = paper(
        "terms",
        f"Dealer conditions of {it.party.short}",
        "6.3",
        it.booked - timedelta(days=300),
        TEXT,
        ("Goods on the dealer's floor", "⟦terms|What the dealer holds remains the maker's property, and falls due for payment in the month in which a user buys it.⟧"),
        ("Ending of this arrangement", f"⟦changed|As from {us_date(date(it.end.year, 11, 1) if decoy else date(it.end.year + 1, 11, 1))} the dealer buys outright on delivery and the preceding clause ceases to have effect.⟧"),
        parties=(it.party.name,),
    )
    list_ = book("list", f"Dealer sales {it.end.year}", "3.2", it.end, "Dealer|Shipped|Bought by users|Taken to revenue (USD)", row(it.party.short, f"{it.units} in {it.booked:%B}", 0, it.amount, mark="booking"))
    return _revenue(
        decoy,
        it,
        [terms, list_],
        ("consign", "remains the maker's property", "title", "users", "end user", "sell-through", "sold through", "property"),
        f"{it.party.short} bought outright by the time the goods were shipped",
        f"the goods at {it.party.short} were on consignment, since title stayed with the target until an end user bought them",
    )


def _revenue_term(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _sale(world, rng)
    begins = date(it.end.year, 12, 20) if decoy else date(it.end.year + 1, 2, 1)
    met = by_now(world, it.end + timedelta(days=50))
    order = text(
        "order", f"Subscription order {it.party.short}", "6.1", it.booked - timedelta(days=20), f"Customer: {it.party.name}", f"Seats: {it.units}. Price of a seat: USD {it.price:,}, one perpetual right per seat.", f"⟦terms|The customer receives its keys, and may first use the software, on {begins.isoformat()}.⟧"
    )
    minutes = paper("minutes", f"Finance Committee {us_date(met)}: software orders", "2.2", met, f"⟦booking|The auditors' list of software orders counted in December {it.end.year} was tabled; it has {it.party.short} with {money(it.amount)}.⟧", "Nothing was resolved.")
    return _revenue(decoy, it, [order, minutes], ("keys", "first use", "access", "start", "begin", "begun", "commence", "available"), f"{it.party.short} had its keys within the year", f"the right of {it.party.short} to use the software began only on {us_date(begins)}, with the delivery of its keys")


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        52,
        "working_capital_peg",
        "Finance",
        "An accrual is left out of the working capital peg",
        "computed",
        "High",
        (Way("line items and trial balance", "train", _peg_lines), Way("mails on the mapping", "train", _peg_mail), Way("slides", "dev", _peg_slides), Way("exhibit and ledger card", "test", _peg_exhibit), Way("committee minutes", "test", _peg_minutes)),
    ),
    Recipe(
        55,
        "revenue_recognition",
        "Finance",
        "Revenue was recognised before it was earned",
        "computed",
        "High",
        (Way("right of return in a letter", "train", _revenue_return), Way("goods held for the customer", "train", _revenue_held), Way("acceptance after the year", "dev", _revenue_acceptance), Way("consignment", "test", _revenue_consigned), Way("licence begins later", "test", _revenue_term)),
    ),
)

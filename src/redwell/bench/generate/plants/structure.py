"""Plants of what the deal costs under a contract, and of contracts that its steps move (archetypes 25 and 26)."""

from __future__ import annotations

import random
from datetime import timedelta

from redwell.bench.generate.papers import Added, Filler, Heading, Paper, Para, Row
from redwell.bench.generate.plants.pieces import (
    CONTROL,
    FORMER,
    QUIET,
    TEXT,
    contract,
    finish,
    mail,
    paper,
    sign,
    signed_by,
    table,
)
from redwell.bench.generate.recipe import (
    Plant,
    Recipe,
    Way,
    conclusion,
    exposure,
    fact,
    precision,
    recommendation,
    sources,
    usd,
)
from redwell.bench.generate.world import Company, Contract, World, pick
from redwell.bench.generate.writing import both, millions, money, month_year, percent, thousands, us_date


def _costs(c: Contract, decoy: bool, papers: list[Paper], amount: int, how: str, because: str, *added: Added) -> Plant:
    """The rubric of archetype 25: a payment or a worse price that the deal sets off; `how` it comes about in a few words."""
    party = c.party.short
    return finish(
        f"{party}: the deal {'sets off no' if decoy else 'sets off a'} payment under the {c.title}",
        decoy,
        papers,
        [
            fact(
                f"{party} payment set off by a change of control",
                f"PASS if the report states that under the {c.title} with {party} a change of control triggers {how}.",
                [(party,)],
                [("fee", "payment", "charge", "discount", "royalt", "price", "rebate"), CONTROL],
            ),
            exposure(
                f"{party} cost of the change",
                f"PASS if the report gives {money(amount)} (or an equivalent rounding) as the cost of the change of control under the {party} agreement.",
                [(party,)],
                usd(amount),
            ),
            conclusion(
                f"{party} cost falls on the buyer",
                f"PASS if the report concludes that the cost under the {party} agreement falls due because of the deal, or lowers the target's value.",
                [(party,)],
                [
                    ("closing", "deal", "transaction", "buyer", "purchaser"),
                    ("due", "payable", "cost", "bear", "lower", "increase", "liab"),
                ],
            ),
            recommendation(
                f"Price or waiver for {party}",
                f"PASS if the report recommends deducting the {party} cost from the price, treating it as a debt-like item, or obtaining a waiver.",
                [(party,)],
                [("price", "deduct", "debt-like", "net debt", "waiver", "waive", "transaction expense", "seller")],
            ),
            sources(
                f"{party}: clause and figures cited",
                f"PASS if the report cites both the words that set off the payment to {party} and the figures from which it follows.",
                [(party,)],
                "clause",
                "figure",
            ),
        ],
        [
            precision(
                f"{party} payment is not reported as triggered",
                f"PASS if the report does not assert that the change of control triggers a payment or worse price under the {party} agreement; {because}.",
                [(party,)],
                [
                    ("trigger", "payable", "due", "falls away", "owe", "will cost"),
                    ("fee", "payment", "discount", "royalt", "charge", "price"),
                ],
                unless=(*FORMER, "not triggered", "no fee", "no payment", "not apply", "not payable", "exempt"),
            )
        ],
        because,
        added=added,
        value=usd(amount),
    )


def _costs_fee(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A fee that is a share of the charges of the last year; the charges stand in a statement of account."""
    c = contract(world, rng, "Managed Network Agreement", "supplier", (0.003, 0.012))
    rate = rng.choice((10, 15, 20))
    quarters = [c.annual // 4] * 3
    quarters.append(c.annual - sum(quarters))
    proviso = (
        f" No fee is due where the new parent has a net worth above {money(100_000)} at the time of the change and says so in writing."
        if decoy
        else " The fee is due on the day of the change, even if this Agreement goes on."
    )
    papers = [
        paper(
            "agreement",
            f"Managed Network Agreement - {c.party.short}",
            "6.2",
            c.signed,
            TEXT,
            (
                "Change of Control Fee",
                f"⟦clause|On a Change of Control of Subscriber, Subscriber owes {c.party.short} a one-time fee of {percent(rate)} of all charges invoiced in the four calendar quarters before it.{proviso}⟧",
            ),
            TEXT,
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "account",
            f"Statement of account {c.party.short}",
            "6.2",
            world.past(rng, (0.02, 0.1)),
            table(
                "Quarter|Invoiced USD",
                *[(f"Q{n + 1}", sum_) for n, sum_ in enumerate(quarters)],
                Row(("Four quarters", c.annual), "figure"),
                sheet="Invoiced",
            ),
            kinds=("xlsx",),
            parties=(c.party.name,),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "worth",
                f"Net worth statement to {c.party.short}",
                "6.6",
                world.past(rng, (0.02, 0.08)),
                f"⟦worth|{world.buyer.name} states to {c.party.short}, for the purpose of the fee clause, that its net worth exceeds {money(100_000)} many times over.⟧",
                f"Received without comment by {c.party.short}.",
            )
        )
    return _costs(
        c, decoy, papers, c.annual * rate // 100, "a one-time fee", "the buyer's net worth statement takes away the fee"
    )


def _costs_discount(world: World, rng: random.Random, decoy: bool) -> Plant:
    """An order's loyalty discount is lost; the cost is the discount on the yearly spend."""
    c = contract(world, rng, "Resin Purchase Order Terms", "supplier", (0.004, 0.02))
    rate = rng.choice((5, 8, 12))
    base = c.annual
    keeps = f" {world.buyer.name} and its group are accepted as owners for this purpose." if decoy else ""
    papers = [
        paper(
            "agreement",
            f"Resin Purchase Order Terms - {c.party.short}",
            "6.2",
            c.signed,
            f"Prices are list prices less a loyalty discount of {percent(rate)}.",
            f"⟦clause|The loyalty discount is granted to the present owners of {world.target.short} and ceases with the first delivery after they part with control.{keeps}⟧",
            kinds=("txt", "docx"),
            parties=(c.party.name,),
        ),
        mail(
            "spend",
            f"Resin budget and {c.party.short}",
            "6.5",
            world.past(rng, (0.05, 0.3)),
            world.officers["controller"],
            world.officers["cfo"],
            f"⟦figure|At list we take {millions(base)} a year from {c.party.short}, and the {percent(rate)} comes off that.⟧",
            about=c.party.name,
        ),
    ]
    return _costs(
        c,
        decoy,
        papers,
        base * rate // 100,
        f"the loss of the {percent(rate)} discount",
        "the buyer's group is accepted as an owner",
    )


def _costs_months(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Some months of the retainer, under an amendment that a later one may have taken back."""
    c = contract(world, rng, "Advisory Retainer", "supplier", (0.002, 0.008))
    months = rng.choice((6, 9, 18))
    monthly = c.annual // 12
    second = world.past(rng, (0.5, 0.9))
    papers = [
        paper(
            "agreement",
            f"Advisory Retainer - {c.party.short}",
            "6.2",
            c.signed,
            TEXT,
            ("Retainer", f"⟦figure|The Company pays {money(monthly)} on the first of each month.⟧"),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "amendment",
            f"First amendment to Advisory Retainer - {c.party.short}",
            "6.5",
            second,
            (
                "Success of the Company",
                f"⟦clause|When a sale of the Company closes, the adviser is paid {both(months)} monthly retainers at once, in addition to those then earned.⟧",
            ),
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "second",
                f"Second amendment to Advisory Retainer - {c.party.short}",
                "6.5",
                world.past(rng, (0.1, 0.4)),
                (
                    "Replacement",
                    "⟦second|The first amendment is undone; the adviser keeps its monthly retainer and has no other claim to pay.⟧",
                ),
                signed_by(world, rng, c.party),
                parties=(world.target.name, c.party.name),
            )
        )
    return _costs(
        c,
        decoy,
        papers,
        monthly * months,
        f"a payment of {months} monthly retainers",
        "the second amendment undid the payment",
    )


def _costs_royalty(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A royalty steps up; the sales to which it applies stand in the royalty report."""
    c = contract(world, rng, "Core Licence", "licence", (0.002, 0.006))
    low, step = rng.choice(((3, 2), (4, 2), (2, 1)))
    sales = world.sum(rng, 0.05, 0.15, 100_000)
    c.annual = sales * low // 100
    carve = f"; a purchaser that already holds a licence of ours is left at {percent(low)}" if decoy else ""
    papers = [
        paper(
            "agreement",
            f"Core Licence - {c.party.short}",
            "7.3",
            c.signed,
            TEXT,
            (
                "Running royalty",
                f"⟦clause|Licensee pays {percent(low)} of net sales, and {percent(low + step)} in every year that begins after Licensee has passed into new ownership{carve}.⟧",
            ),
            avoid=(*QUIET, "ip"),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "report",
            f"Royalty report {c.party.short}",
            "7.3",
            world.past(rng, (0.05, 0.2)),
            table(
                "Line|Amount",
                Row(("Net sales in the period of twelve months", sales), "figure"),
                ("Rate", percent(low)),
                ("Royalty", c.annual),
                sheet="Royalty",
            ),
            kinds=("xlsx",),
            parties=(c.party.name,),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "licence",
                f"Confirmation of licensees - {c.party.short}",
                "7.3",
                world.past(rng, (0.02, 0.2)),
                f"⟦licence|Asked by {world.target.short}, we confirm that {world.buyer.name} has been a licensee of ours since {month_year(world.past(rng, (3, 5)))}.⟧",
                sign(c.party, world.person(rng, "Licensing Counsel", c.party)),
            )
        )
    return _costs(
        c,
        decoy,
        papers,
        sales * step // 100,
        f"a royalty higher by {step} points, or {money(sales * step // 100)} a year",
        "the buyer is already a licensee",
    )


def _costs_rebate(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Rebates of past years must be paid back; a mail counts them."""
    c = contract(world, rng, "Alliance Memorandum", "channel", (0.003, 0.01))
    years = sorted({world.deal.as_of.year - 3, world.deal.as_of.year - 2, world.deal.as_of.year - 1})
    rebates = [world.sum(rng, 0.0004, 0.0015, 1000) for _ in years]
    ended = world.past(rng, (0.1, 0.5))
    papers = [
        paper(
            "agreement",
            f"Alliance Memorandum - {c.party.short}",
            "6.3",
            c.signed,
            table(
                "Topic|What we agreed",
                ("Territory", "North America"),
                Row(
                    (
                        "Rebates",
                        "Are kept while the reseller stays independent. Bought by anyone, it returns the rebates of the three calendar years before the purchase",
                    ),
                    "clause",
                ),
                *(
                    [
                        Row(
                            ("End of return duty", f"No return is asked for on a purchase after {ended.isoformat()}"),
                            "ended",
                        )
                    ]
                    if decoy
                    else []
                ),
            ),
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
        mail(
            "count",
            f"Rebates from {c.party.short}",
            "6.5",
            world.past(rng, (0.02, 0.08)),
            world.officers["controller"],
            world.officers["gc"],
            "You asked what the partner has credited to us. By calendar year:",
            table(
                "Year|Rebate",
                *[(str(year), sum_) for year, sum_ in zip(years, rebates, strict=True)],
                Row(("All three", sum(rebates)), "figure"),
            ),
            about=c.party.name,
        ),
    ]
    return _costs(
        c,
        decoy,
        papers,
        sum(rebates),
        "the return of three years of rebates",
        f"the duty to return rebates ended on {us_date(ended)}",
    )


def _passes(
    world: World, c: Contract, sub: Company, decoy: bool, papers: list[Paper], because: str, step: str, *added: Added
) -> Plant:
    """The rubric of archetype 26: a subsidiary's contract, and a step of the deal by which it leaves that subsidiary."""
    party = c.party.short
    return finish(
        f"{party}: the {c.title} of {sub.short} {'may pass' if decoy else 'may not pass'} in the steps before closing",
        decoy,
        papers,
        [
            fact(
                f"{party} agreement bars a transfer by operation of law",
                f"PASS if the report states that the {c.title} with {party} forbids assignment by operation of law or merger without consent.",
                [(party,)],
                [("assign", "transfer"), ("operation of law", "merger", "merge", "by law", "succession", "reorgani")],
            ),
            fact(
                f"{sub.short} step moves the {party} agreement",
                f"PASS if the report states that by the steps before closing the {party} agreement leaves {sub.short} ({step}).",
                [(party,), (sub.short,)],
                [("merge", "merger", "transfer", "contribut", "dissol", "convert", "assign", "liquidat")],
            ),
            conclusion(
                f"{party} consent needed for the structure",
                f"PASS if the report concludes that the step would breach the {party} agreement or needs {party}'s consent.",
                [(party,)],
                [("breach", "consent", "void", "default", "violat", "prohibit")],
            ),
            exposure(
                f"{party} contract value",
                f"PASS if the report gives {money(c.annual)} a year (or an equivalent rounding) as the value of the {party} agreement.",
                [(party,)],
                usd(c.annual),
            ),
            recommendation(
                f"Restructure or get consent of {party}",
                f"PASS if the report recommends changing the step so that {sub.short} survives, or obtaining {party}'s consent first.",
                [(party,)],
                [
                    (
                        "restructur",
                        "change the step",
                        "changing the step",
                        "surviv",
                        "omit",
                        "leave out",
                        "obtain",
                        "consent before",
                        "seek",
                    )
                ],
            ),
            sources(
                f"{party}: clause and step cited",
                f"PASS if the report cites both the clause of the {party} agreement and the paper with the steps.",
                [(party,)],
                "clause",
                "step",
            ),
        ],
        [
            precision(
                f"{party} agreement is not reported as breached by the structure",
                f"PASS if the report does not assert that the steps before closing breach the {party} agreement or need its consent; {because}.",
                [(party,)],
                [("breach", "requires consent", "consent is required", "without consent", "needs consent", "void")],
                unless=(
                    "no consent is",
                    "not required",
                    "permitted",
                    "not breach",
                    "exception",
                    "not needed",
                    "consented",
                    "survives",
                    *FORMER,
                ),
            )
        ],
        because,
        added=added,
        value=usd(c.annual),
    )


def _subsidiary(world: World, rng: random.Random) -> Company:
    return pick(rng, world.subsidiaries) if world.subsidiaries else world.target


def _passes_merger(world: World, rng: random.Random, decoy: bool) -> Plant:
    """The subsidiary is merged out of being; the decoy's clause lets a merger within the group pass."""
    c, sub = contract(world, rng, "Programme Agreement"), _subsidiary(world, rng)
    but = ", save that a merger among companies under common ownership is open to either party" if decoy else ""
    papers = [
        paper(
            "agreement",
            f"Programme Agreement of {sub.short} and {c.party.short}",
            "6.1",
            c.signed,
            f"{sub.name} and {c.party.name} have agreed as follows.",
            TEXT,
            (
                "Assignment",
                f"⟦clause|Neither party may assign this Agreement, by act of its own, by merger (whether or not it survives) or by operation of law, unless the other has consented in writing{but}.⟧",
            ),
            ("Price", f"⟦value|The programme price is {money(c.annual)} for each year.⟧"),
            signed_by(world, rng, c.party),
            parties=(sub.name, c.party.name),
        ),
        paper(
            "steps",
            f"Steps before closing: {sub.short} and {c.party.short} programme",
            "1.4",
            world.past(rng, (0.02, 0.1)),
            table(
                "Step|What happens|When",
                ("1", "Intercompany balances are settled", "Closing minus 10 days"),
                Row(("2", f"{sub.name} merges into its parent and ceases to exist", "Closing minus 2 days"), "step"),
                ("3", "Shares pass", "Closing"),
            ),
            kinds=("docx", "pptx"),
        ),
    ]
    return _passes(
        world,
        c,
        sub,
        decoy,
        papers,
        "the clause lets a merger within the group pass",
        f"{sub.short} merges into its parent",
    )


def _passes_contribution(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A workbook of steps contributes the business to a new company; the decoy's customer has signed a joinder."""
    c, sub = contract(world, rng, "Fleet Services Contract"), _subsidiary(world, rng)
    newco = world.company(rng)
    papers = [
        paper(
            "agreement",
            f"Fleet Services Contract ({sub.short}) - {c.party.short}",
            "6.1",
            c.signed,
            TEXT,
            (
                "Persons bound",
                f"⟦clause|Rights and duties of {sub.short} are personal to it; a transfer of any kind, one that the law itself brings about included, is void unless {c.party.short} has joined in it.⟧",
            ),
            ("Remuneration", f"⟦value|Remuneration: {millions(c.annual)} per annum.⟧"),
            parties=(sub.name, c.party.name),
        ),
        paper(
            "steps",
            f"Carve-in steps {newco.short}",
            "1.4",
            world.past(rng, (0.02, 0.1)),
            table(
                "No.|Transferor|Transferee|Assets",
                (1, world.target.short, newco.short, "Cash 100"),
                Row((2, sub.short, newco.short, f"All contracts, among them that with {c.party.short}"), "step"),
                sheet="Steps",
            ),
            kinds=("xlsx",),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "joinder",
                f"Joinder - {c.party.short}",
                "6.6",
                world.past(rng, (0.02, 0.05)),
                f"⟦joinder|{c.party.short} joins in the transfer by {sub.short} to {newco.name} and will treat {newco.short} as its contractor.⟧",
                sign(c.party, world.person(rng, "Procurement Director", c.party)),
            )
        )
    return _passes(
        world,
        c,
        sub,
        decoy,
        papers,
        f"{c.party.short} has joined in the transfer",
        f"it is contributed to {newco.short}",
    )


def _passes_conversion(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A mail of tax counsel adds a step that ends the subsidiary; in the decoy a second mail drops it."""
    c, sub = contract(world, rng, "Data Supply Contract"), _subsidiary(world, rng)
    counsel = world.person(rng, "Partner", world.company(rng))
    first = world.past(rng, (0.06, 0.1))
    papers = [
        paper(
            "agreement",
            f"Data Supply Contract - {c.party.short} and {sub.short}",
            "6.1",
            c.signed,
            (
                "No succession",
                f"⟦clause|{sub.short} may have no successor under this contract, whether by agreement, winding-up, reorganisation or statute, whom {c.party.short} has not accepted beforehand.⟧",
            ),
            TEXT,
            ("Yearly fee", f"⟦value|USD {c.annual:,} fall due each year.⟧"),
            parties=(sub.name, c.party.name),
        ),
        mail(
            "steps",
            f"Structure: {sub.short}",
            "1.4",
            first,
            counsel,
            world.officers["cfo"],
            f"⟦step|For tax reasons we will have {sub.short} liquidated into the parent on the eve of closing, so that its agreements, {c.party.short} included, sit one level up.⟧",
            counsel.name,
        ),
    ]
    if decoy:
        papers.append(
            mail(
                "dropped",
                f"Re: Structure: {sub.short}",
                "1.4",
                first + timedelta(days=9),
                counsel,
                world.officers["cfo"],
                f"⟦dropped|The liquidation of {sub.short} is off. It stays as it is, through closing and after; the step plan has been cut accordingly.⟧",
            )
        )
    return _passes(
        world,
        c,
        sub,
        decoy,
        papers,
        f"the liquidation of {sub.short} was dropped",
        f"{sub.short} is liquidated into the parent",
    )


def _passes_amended(world: World, rng: random.Random, decoy: bool) -> Plant:
    """An amendment widens the bar to mergers; the board deck shows the merger. The decoy's step has the subsidiary survive."""
    c, sub = contract(world, rng, "Installation Contract"), _subsidiary(world, rng)
    step = (
        f"A shell company is merged into {sub.short}, which lives on with all it owns and owes, {c.party.short} work included; no right moves"
        if decoy
        else f"{sub.short} is merged with a sister company, which alone lives on and takes over the {c.party.short} work"
    )
    papers = [
        paper(
            "agreement",
            f"Installation Contract - {c.party.short}",
            "6.1",
            c.signed,
            f"Contractor: {sub.name}. Owner: {c.party.name}.",
            TEXT,
            parties=(sub.name, c.party.name),
        ),
        paper(
            "amendment",
            f"Change Order 6 to Installation Contract - {c.party.short}",
            "6.5",
            world.past(rng, (0.2, 0.8)),
            "⟦clause|To the article on assignment is added: a merger from which Contractor does not emerge as the same legal person counts as an assignment, and so may not be done over Owner's silence.⟧",
            f"⟦value|Billings under the contract come to {millions(c.annual)} for twelve months.⟧",
            signed_by(world, rng, c.party),
            parties=(sub.name, c.party.name),
        ),
    ]
    deck = Added("board_deck", Para(f"⟦step|Before closing: {step}.⟧"), "Legal entity steps")
    return _passes(
        world,
        c,
        sub,
        decoy,
        papers,
        f"{sub.short} survives its merger",
        f"{sub.short} is merged into a sister company",
        deck,
    )


def _passes_split(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Purchase conditions in slides; minutes resolve a transfer of the business. The decoy's minutes hold this contract back."""
    c, sub = contract(world, rng, "Purchase Conditions"), _subsidiary(world, rng)
    taker = world.company(rng)
    kept = (
        f" The contract with {c.party.short} is held back and stays with {sub.short}."
        if decoy
        else f" The contract with {c.party.short} goes with it."
    )
    papers = [
        paper(
            "agreement",
            f"Supplier day of {c.party.short}: Purchase Conditions",
            "6.1",
            c.signed,
            Heading("Who may deliver"),
            f"⟦clause|Orders bind {sub.short} alone. Passing them to another entity, even a sister company and even by a split or merger under company law, is a ground for striking the supplier off unless we said yes.⟧",
            Heading("Volume"),
            f"⟦value|Planned orders with {sub.short}: {thousands(c.annual)} thousand US dollars a year.⟧",
            kinds=("pptx", "docx"),
            parties=(c.party.name,),
        ),
        paper(
            "steps",
            f"Minutes of the directors of {sub.short} on {taker.short}",
            "2.2",
            world.past(rng, (0.02, 0.1)),
            Filler("minutes"),
            f"⟦step|It was decided that the business is split off to {taker.name} before the sale.{kept}⟧",
            sign(sub, world.officers["gc"]),
        ),
    ]
    return _passes(
        world, c, sub, decoy, papers, f"the contract stays with {sub.short}", f"it is split off to {taker.short}"
    )


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        25,
        "change_of_control_payment",
        "Contracts",
        "A change of control costs a fee or a worse price",
        "computed",
        "Medium",
        (
            Way("share of invoiced charges", "train", _costs_fee),
            Way("loyalty discount", "train", _costs_discount),
            Way("monthly retainers by amendment", "dev", _costs_months),
            Way("royalty step", "test", _costs_royalty),
            Way("rebates returned", "test", _costs_rebate),
        ),
    ),
    Recipe(
        26,
        "assignment_by_structure",
        "Contracts",
        "A bar on assignment meets a step of the deal",
        "cross-document",
        "High",
        (
            Way("merger of a subsidiary", "train", _passes_merger),
            Way("contribution in a workbook", "train", _passes_contribution),
            Way("liquidation by mail", "dev", _passes_conversion),
            Way("change order and board deck", "test", _passes_amended),
            Way("slides and minutes", "test", _passes_split),
        ),
    ),
)

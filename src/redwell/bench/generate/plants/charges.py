"""Plants of what a change of control costs under a contract (archetype 25)."""

from __future__ import annotations

import random

from redwell.bench.generate.papers import (
    Added,
    Paper,
    Row,
)
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
from redwell.bench.generate.world import Contract, World
from redwell.bench.generate.writing import (
    both,
    millions,
    money,
    month_year,
    percent,
    spelled,
    us_date,
)


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
                [
                    ("fee", "payment", "charge", "discount", "royalt", "price", "rebate"),
                    CONTROL,
                    (
                        "trigger",
                        "upon",
                        "on a",
                        "if ",
                        "once",
                        "when",
                        "steps",
                        "increase",
                        "owes",
                        "payable",
                        "falls due",
                        "falls away",
                        "ceases",
                        "lost",
                        "loses",
                        "must return",
                        "returned",
                        "rises",
                    ),
                ],
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
                    ("due", "payable", "cost", "bear", "lower", "increase", "a liability", "liable", "liabilities"),
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
                    (
                        "trigger",
                        "steps",
                        "increase",
                        "rises",
                        "higher",
                        "payable",
                        "due",
                        "falls away",
                        "owe",
                        "will cost",
                    ),
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
    worth = round(world.deal.price // 2, -6)
    proviso = (
        f" No fee is due where the new parent has a net worth above {money(worth)} at the time of the change and says so in writing."
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
                f"⟦worth|{world.buyer.name} states to {c.party.short}, for the purpose of the fee clause, that its net worth exceeds {money(worth)} many times over.⟧",
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
        f"a royalty higher by {spelled(step)} per cent of net sales, or {money(sales * step // 100)} a year",
        "the buyer is already a licensee",
    )


def _costs_rebate(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Rebates of past years must be paid back; a mail counts them."""
    c = contract(world, rng, "Alliance Memorandum", "channel", (0.003, 0.01))
    years = [world.deal.signing.year - back for back in (3, 2, 1)]
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
                        "Are kept while the reseller stays independent. Bought by anyone, it returns the rebates of the three calendar years that were over when its purchase was signed",
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
)

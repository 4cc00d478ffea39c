"""Plants of a most-favoured price that another customer's price breaks (archetype 33)."""

from __future__ import annotations

import random
from datetime import date, timedelta

from redwell.bench.generate.papers import (
    Heading,
    Paper,
    Row,
)
from redwell.bench.generate.plants.pieces import (
    FORMER,
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
    day_month,
    money,
    months_after,
    us_date,
)


def _favoured(
    c: Contract, o: Contract, decoy: bool, papers: list[Paper], gap: int, units: int, months: int, because: str
) -> Plant:
    """The rubric of archetype 33: `gap` dollars a unit on `units` a month over `months`, between c (favoured) and o (cheaper)."""
    party, other, amount = c.party.short, o.party.short, gap * units * months
    return finish(
        f"{party}: the price of {other} {'does not break' if decoy else 'breaks'} its most-favoured clause",
        decoy,
        papers,
        [
            fact(
                f"{party} has a most-favoured clause",
                f"PASS if the report states that {party} is promised a price no worse than that of other customers (most favoured customer).",
                [(party,)],
                [
                    (
                        "most favoured",
                        "most favored",
                        "most-favoured",
                        "most-favored",
                        "mfn",
                        "no worse",
                        "best price",
                        "lowest price",
                        "price parity",
                        "price protection",
                        "as low as",
                    )
                ],
            ),
            fact(
                f"{other} pays {money(gap)} less",
                f"PASS if the report states that {other} pays {money(gap)} a unit less than {party}.",
                [(party,), (other,)],
                [("less", "lower", "below", "cheaper", "gap", "difference", "under")],
                usd(gap),
            ),
            exposure(
                f"{party} refund",
                f"PASS if the report gives {money(amount)} (or an equivalent rounding) as the overcharge to {party} so far.",
                [(party,)],
                usd(amount),
            ),
            conclusion(
                f"{party} clause breached",
                f"PASS if the report concludes that the {party} clause is breached, or that {party} can claim a refund or the lower price.",
                [(party,)],
                [
                    (
                        "breach",
                        "violat",
                        "refund",
                        "claim",
                        "owed",
                        "owe",
                        "a liability",
                        "liable",
                        "liabilities",
                        "credit",
                    )
                ],
            ),
            recommendation(
                f"Audit and indemnity for {party}",
                f"PASS if the report recommends an audit of prices, a reserve, or an indemnity for the {party} claim.",
                [(party,)],
                [("audit", "indemn", "reserve", "accru", "price", "escrow")],
            ),
            sources(
                f"{party}: clause and prices cited",
                f"PASS if the report cites both the clause of {party} and the price of {other}.",
                [(party,)],
                "clause",
                "price",
            ),
        ],
        [
            precision(
                f"{party} clause is not reported as breached",
                f"PASS if the report does not assert that the price of {other} breaches the most-favoured clause of {party} or that {party} is owed a refund; {because}.",
                [(party,)],
                [("breach", "violat", "owed", "refund", "overcharg", "claim")],
                unless=(
                    "no breach",
                    "not breach",
                    "not in breach",
                    "not comparable",
                    "exempt",
                    "excluded",
                    "settled",
                    "paid",
                    "does not count",
                    "outside",
                    *FORMER,
                    "not owed",
                ),
            )
        ],
        because,
        value=usd(amount),
    )


def _two(world: World, rng: random.Random, title: str) -> tuple[Contract, Contract, int, int, int, int]:
    """The favoured customer, the other one, the two prices, the units a month and the months since the lower price began."""
    c, o = contract(world, rng, title), contract(world, rng, "Supply Order")
    units = rng.choice((400, 600, 800, 1_200))
    price = max(20, c.annual // (units * 12))
    c.annual = price * units * 12
    low = price - max(2, price * rng.choice((6, 9, 11, 14)) // 100)
    return c, o, price, low, units, rng.randrange(5, 11)


def _since(world: World, months: int) -> date:
    """The first of the month that lies so many whole months before the last month's end."""
    return months_after(world.deal.as_of.replace(day=1), -months)


def _by_price_file(world: World, rng: random.Random, decoy: bool) -> Plant:
    """The clause speaks of customers of the same or a lower volume; a price file has both."""
    c, o, price, low, units, months = _two(world, rng, "Preferred Supply Agreement")
    other = units * 6 if decoy else units // 2
    start = _since(world, months)
    papers = [
        paper(
            "agreement",
            f"Preferred Supply Agreement - {c.party.short}",
            "6.1",
            c.signed,
            TEXT,
            (
                "Most Favored Customer",
                f"⟦clause|If Supplier sells the Product to a customer of equal or smaller monthly volume at a lower price, {c.party.short} pays that price from the same day, and Supplier refunds the difference.⟧",
            ),
            ("Price", f"⟦own|{c.party.short} pays ${price} per unit and takes {units:,} units each month.⟧"),
            TEXT,
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "file",
            f"Price file {start.year} ({c.party.short}, {o.party.short})",
            "3.2",
            world.past(rng, (0.01, 0.03)),
            table(
                "Customer|Since|Units a month|Price USD",
                (c.party.short, c.signed, units, price),
                Row((o.party.short, start, other, low), "price"),
                ("Months invoiced at the last price", "", "", months),
                sheet="Price file",
            ),
            kinds=("xlsx",),
        ),
    ]
    return _favoured(
        c, o, decoy, papers, price - low, units, months, f"{o.party.short} takes a far larger volume and does not count"
    )


def _by_mail_price(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A mail boasts of a lower price; the clause is in an amendment. The decoy's difference was refunded."""
    c, o, price, low, units, months = _two(world, rng, "Module Purchase Contract")
    start = _since(world, months)
    head = world.person(rng, "Key Account Manager")
    papers = [
        paper(
            "amendment",
            f"Amendment 1 to Module Purchase Contract - {c.party.short}",
            "6.5",
            world.past(rng, (1.0, 1.4)),
            f"⟦clause|No buyer of modules gets better prices than {c.party.short}. Should one do so, {c.party.short} is credited with the difference on everything delivered to it from then on.⟧",
            f"⟦own|Present price: ${price} a module, {units:,} modules monthly.⟧",
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
        mail(
            "mail",
            f"{o.party.short} signed",
            "6.5",
            start - timedelta(days=4),
            head,
            world.officers["cfo"],
            f"⟦price|{o.party.short} is ours: ${low} a module from {us_date(start)}. I hope nobody tells {c.party.short}.⟧",
            head.name,
        ),
        paper(
            "count",
            f"Deliveries to {c.party.short}",
            "3.2",
            world.past(rng, (0.01, 0.03)),
            table(
                "Period|Modules",
                Row((f"{months} full months from {start.isoformat()}", units * months), "count"),
                sheet="Deliveries",
            ),
            kinds=("xlsx",),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "credit",
                f"Credit note for {c.party.short}",
                "6.5",
                world.past(rng, (0.005, 0.01)),
                f"⟦credit|Credited to {c.party.short} for {units * months:,} modules, {money(price - low)} each: {money((price - low) * units * months)}. Its price is {money(low)} from now on; {c.party.short} has acknowledged that nothing is open.⟧",
                signed_by(world, rng, c.party),
            )
        )
    return _favoured(
        c, o, decoy, papers, price - low, units, months, "the difference was credited and the price aligned"
    )


def _by_generation(world: World, rng: random.Random, decoy: bool) -> Plant:
    """The clause covers new goods of one type; the decoy's cheaper goods are refurbished ones."""
    c, o, price, low, units, months = _two(world, rng, "Sensor Frame Contract")
    start = _since(world, months)
    kind = "type S refurbished" if decoy else "type S new"
    papers = [
        paper(
            "agreement",
            f"Sensor Frame Contract - {c.party.short}",
            "6.1",
            c.signed,
            TEXT,
            (
                "Parity",
                f"⟦clause|What others pay for type S, ex works and unused, sets the ceiling for {c.party.short}; anything above the ceiling is paid back at year's end.⟧",
            ),
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "order",
            f"Supply Order {o.party.short}",
            "6.1",
            start,
            f"⟦price|{o.party.short} orders {kind} sensors at USD {low} apiece from {day_month(start)}.⟧",
            signed_by(world, rng, o.party),
            kinds=("txt", "docx"),
            parties=(o.party.name,),
        ),
        paper(
            "statement",
            f"Statement {c.party.short}",
            "3.2",
            world.past(rng, (0.01, 0.03)),
            table(
                "What|Value",
                ("Sensors a month, type S new", units),
                Row(("Price of one", price), "own"),
                Row((f"Months since {start.isoformat()}", months), "months"),
                sheet="Account",
            ),
            kinds=("xlsx",),
            parties=(c.party.name,),
        ),
    ]
    return _favoured(
        c,
        o,
        decoy,
        papers,
        price - low,
        units,
        months,
        f"{o.party.short} buys refurbished sensors, which the clause leaves out",
    )


def _by_ended(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A letter gives the promise for a time; the other price stands in a deck. The decoy's time was over before that price began."""
    c, o, price, low, units, months = _two(world, rng, "Bulk Letter")
    start = _since(world, months)
    end = months_after(start, -2) if decoy else world.ahead(rng, (1, 2))
    papers = [
        paper(
            "agreement",
            f"Bulk Letter - {c.party.short}",
            "6.1",
            c.signed,
            f"⟦clause|We vouch to {c.party.short} that, through {day_month(end)}, none of our buyers will be charged less than it is; we make up for any shortfall in cash.⟧",
            f"⟦own|Charge today: {money(price)} a drum at {units:,} drums each month.⟧",
            sign(world.target, world.officers["ceo"], c.signed),
            parties=(c.party.name,),
        ),
        paper(
            "deck",
            f"Account wins: {o.party.short}",
            "3.5",
            world.past(rng, (0.01, 0.03)),
            Heading(o.party.short),
            f"⟦price|Won with {money(low)} a drum. First delivery {day_month(start)}; {months} monthly deliveries to date, {c.party.short} untouched at its old charge.⟧",
            kinds=("pptx", "docx"),
        ),
    ]
    return _favoured(
        c,
        o,
        decoy,
        papers,
        price - low,
        units,
        months,
        f"the promise ended on {us_date(end)}, before the lower price began",
    )


def _by_affiliate(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Conditions of purchase with an exception for public bodies; the decoy's other customer is one."""
    c, o, price, low, units, months = _two(world, rng, "Conditions of Purchase")
    start = _since(world, months)
    who = f"{o.party.short}, as a public hospital trust," if decoy else f"{o.party.short}, as a private hospital chain,"
    papers = [
        paper(
            "agreement",
            f"Conditions of Purchase of {c.party.short}",
            "6.1",
            c.signed,
            table(
                "Article|Rule",
                ("4", "Delivery within ten days"),
                Row(
                    (
                        "5",
                        f"Vendor's net price to {c.party.short} is its lowest to any hospital; public bodies are not looked at. Overcharges are reimbursed",
                    ),
                    "clause",
                ),
                Row(("6", f"Net price USD {price} per kit, {units:,} kits per month"), "own"),
            ),
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "award",
            f"Award to {world.target.short} by {o.party.short}",
            "6.1",
            start,
            f"⟦price|{who} buys the kit from {world.target.short} for USD {low} net as of {start.isoformat()}.⟧",
            kinds=("txt", "docx"),
            parties=(o.party.name,),
        ),
        mail(
            "question",
            f"Kits and {c.party.short}",
            "6.5",
            world.past(rng, (0.01, 0.03)),
            world.officers["controller"],
            world.officers["gc"],
            f"⟦months|Since {o.party.short} began, {c.party.short} has had {months} monthly lots at its usual net price. Does article 5 matter here?⟧",
        ),
    ]
    return _favoured(
        c, o, decoy, papers, price - low, units, months, f"{o.party.short} is a public body, which the rule leaves out"
    )


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        33,
        "most_favored_nation",
        "Contracts",
        "Another customer's price breaks a most-favoured clause",
        "computed",
        "Medium",
        (
            Way("volume in a price file", "train", _by_price_file),
            Way("amendment and a mail", "train", _by_mail_price),
            Way("type of goods", "dev", _by_generation),
            Way("letter and a deck", "test", _by_ended),
            Way("conditions and an award", "test", _by_affiliate),
        ),
    ),
)

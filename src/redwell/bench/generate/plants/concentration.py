"""Plants of a customer that is larger than buyers are told (archetype 37)."""

from __future__ import annotations

import random

from redwell.bench.generate.papers import (
    Added,
    Heading,
    Paper,
    Para,
    Row,
)
from redwell.bench.generate.plants.pieces import (
    TEXT,
    contract,
    days,
    finish,
    mail,
    paper,
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
    percent,
    spelled,
    us_date,
)
from redwell.bench.key import Value


def _larger(
    world: World,
    c: Contract,
    decoy: bool,
    papers: list[Paper],
    parts: list[int],
    told: float,
    period: int,
    because: str,
    *added: Added,
) -> Plant:
    """The rubric of archetype 37: `parts` of the year's revenue belong to one customer, `told` is the per cent that buyers are told."""
    party, total = c.party.short, sum(parts)
    rate = round(total / world.figures.revenue * 100, 1)
    return finish(
        f"{party}: its companies {'are not one customer' if decoy else 'are one customer, larger than told'}",
        decoy,
        papers,
        [
            fact(
                f"{party} group is {percent(rate)} of revenue",
                f"PASS if the report states that the companies of {party} together make up {percent(rate)} of revenue (or an equivalent rounding).",
                [(party,)],
                [],
                Value("percent", rate, tolerance=0.03),
            ),
            fact(
                f"{party} can leave on {period} days' notice",
                f"PASS if the report states that {party} may terminate for convenience on {period} days' notice.",
                [(party,)],
                [
                    (
                        "terminate",
                        "right of termination",
                        "termination right",
                        "risk of termination",
                        "convenience",
                        "without cause",
                        "cancel",
                        "leave",
                        "end",
                    )
                ],
                days(period),
            ),
            exposure(
                f"{party} revenue at risk",
                f"PASS if the report gives {money(total)} (or an equivalent rounding) as the yearly revenue that hangs on {party}.",
                [(party,)],
                usd(total),
            ),
            conclusion(
                f"Concentration on {party} is understated",
                f"PASS if the report concludes that customer concentration is understated to buyers, who are told of at most {percent(told)}, while {party} is larger.",
                [(party,)],
                [
                    (
                        "understat",
                        "larger",
                        "higher than",
                        "greater than",
                        "exceed",
                        "contradict",
                        "mislead",
                        "above what",
                    )
                ],
            ),
            recommendation(
                f"Protect against the loss of {party}",
                f"PASS if the report recommends an earn-out, a longer commitment or consent of {party}, or a price that reflects the concentration.",
                [(party,)],
                [("earn-out", "earnout", "commit", "consent", "price", "holdback", "estoppel", "customer call")],
            ),
            sources(
                f"{party}: revenue and the right to end cited",
                f"PASS if the report cites both the revenue of the companies of {party} and the right to end.",
                [(party,)],
                "revenue",
                "clause",
            ),
        ],
        [
            precision(
                f"{party} is not reported as one customer with others",
                f"PASS if the report does not assert that the companies bearing the name {party} are one customer or that concentration on {party} is understated; {because}.",
                [(party,)],
                [("understat", "one customer", "concentrat", "together", "combined", "aggregate")],
                unless=(
                    "not one customer",
                    "independent",
                    "separate",
                    "unrelated",
                    "no longer",
                    "not under common",
                    "spun off",
                    "different owners",
                    "not understated",
                ),
            )
        ],
        because,
        added=added,
        value=usd(total),
    )


def _group(world: World, rng: random.Random, title: str) -> tuple[Contract, list[int], int]:
    c = contract(world, rng, title)
    parts = [
        round(world.figures.revenue * rng.uniform(low, high), -3)
        for low, high in ((0.075, 0.092), (0.05, 0.07), (0.03, 0.05))
    ]
    c.annual = int(parts[0])
    return c, [int(part) for part in parts], rng.choice((30, 45, 60, 90))


def _told(text: str) -> Added:
    return Added("information_memorandum", Para(f"⟦told|{text}⟧"), "Customers")


def _subledger(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Three accounts of a subledger bear one name; a chart shows who owns them."""
    c, parts, period = _group(world, rng, "Master Supply Agreement")
    short, owner = c.party.short, world.company(rng)
    owners = (
        f"{short} Foods has belonged to the employees' trust since {us_date(world.past(rng, (2, 3)))} and {short} Retail to {owner.short}; the three share a name by licence and nothing else"
        if decoy
        else f"{short} Foods and {short} Retail belong wholly to {c.party.name}, which signs for the three"
    )
    papers = [
        paper(
            "ledger",
            f"Revenue by account, {short}",
            "3.2",
            world.past(rng, (0.05, 0.2)),
            table(
                "Account|Revenue USD",
                Row((c.party.name, parts[0]), "revenue"),
                Row((f"{short} Foods", parts[1]), "revenue"),
                Row((f"{short} Retail", parts[2]), "revenue"),
                ("All customers", world.figures.revenue),
                sheet="Accounts",
            ),
            kinds=("xlsx",),
        ),
        paper(
            "agreement",
            f"Master Supply Agreement - {short}",
            "6.1",
            c.signed,
            TEXT,
            (
                "Termination for Convenience",
                f"⟦clause|{short} may terminate this Agreement and all orders under it, in whole or in part, without cause on {both(period)} days' notice.⟧",
            ),
            ("Ownership", f"⟦owners|{owners}.⟧"),
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
    ]
    return _larger(
        world,
        c,
        decoy,
        papers,
        parts,
        10,
        period,
        "the companies that share the name have different owners",
        _told("No customer accounts for more than 10% of revenue."),
    )


def _joined(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A mail on who buys for whom; in the decoy the take-over was blocked."""
    c, parts, period = _group(world, rng, "Frame Order")
    a, b = world.company(rng), world.company(rng)
    fate = (
        "did not come about, the authority having forbidden it, and each still buys on its own"
        if decoy
        else "went through in spring, and one office now buys for all of them"
    )
    rep = world.person(rng, "Sales Operations Manager")
    papers = [
        paper(
            "agreement",
            f"Frame Order - {c.party.short}",
            "6.1",
            c.signed,
            TEXT,
            (
                "Ending",
                f"⟦clause|{c.party.short} can end the frame order, without reasons, {period} days after saying so.⟧",
            ),
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
        mail(
            "revenue",
            f"{c.party.short}, {a.short} and {b.short}",
            "3.2",
            world.past(rng, (0.05, 0.2)),
            rep,
            world.officers["cfo"],
            f"⟦revenue|Last year {c.party.short} gave us {millions(parts[0])}, {a.short} {millions(parts[1])} and {b.short} {millions(parts[2])}.⟧ Our whole revenue was ⟦all|{millions(world.figures.revenue)}⟧.",
            f"⟦owners|The purchase of the latter two by {c.party.short} {fate}.⟧",
            rep.name,
        ),
    ]
    return _larger(
        world,
        c,
        decoy,
        papers,
        parts,
        9.5,
        period,
        "the take-over did not come about",
        _told("Our largest customer stands for about 9.5% of sales."),
    )


def _cooperative(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Members of a purchasing body order under its one framework; the decoy's members each have a contract of their own."""
    c, parts, period = _group(world, rng, "Purchasing Framework")
    a, b = world.company(rng), world.company(rng)
    bound = (
        f"each has a contract of its own that {c.party.short} cannot touch"
        if decoy
        else f"all order under the framework of {c.party.short} and leave when it leaves"
    )
    papers = [
        paper(
            "agreement",
            f"Purchasing Framework - {c.party.short}",
            "6.1",
            c.signed,
            f"⟦clause|By letter of {spelled(period)} days the framework may be brought to a close by {c.party.short} at its pleasure.⟧",
            TEXT,
            signed_by(world, rng, c.party),
            kinds=("docx",),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "revenue",
            f"Sales review around {c.party.short}",
            "3.5",
            world.past(rng, (0.05, 0.2)),
            Heading("Where the revenue comes from"),
            table(
                "Customer|Thousand USD",
                Row((f"{c.party.short} itself", parts[0] // 1000), "revenue"),
                Row((f"{a.short}, member of {c.party.short}", parts[1] // 1000), "revenue"),
                Row((f"{b.short}, member of {c.party.short}", parts[2] // 1000), "revenue"),
                ("Sales in all", world.figures.revenue // 1000),
            ),
            f"⟦owners|Members: {bound}.⟧",
            kinds=("pptx", "docx"),
        ),
    ]
    return _larger(
        world,
        c,
        decoy,
        papers,
        parts,
        10,
        period,
        "each member has a contract of its own",
        _told("Sales are spread widely: the first name on the list makes up under 10%."),
    )


def _ageing(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Accounts payable contacts show one treasury; the decoy's treasury note says that it was a joint bank for two months only."""
    c, parts, period = _group(world, rng, "Order Contract")
    short = c.party.short
    note = (
        f"{short} East and {short} West were sold to their managers and have paid through their own banks from the first of this year on; they are strangers to {short} now"
        if decoy
        else f"{short} East and {short} West are branches in all but name: {short} owns every share and pays their invoices"
    )
    papers = [
        paper(
            "revenue",
            f"Debtors {short}",
            "3.4",
            world.past(rng, (0.02, 0.1)),
            f"⟦revenue|Twelve months to date: {short} {money(parts[0])}; {short} East {money(parts[1])}; {short} West {money(parts[2])}. All customers: {money(world.figures.revenue)}.⟧",
            f"⟦owners|{note}.⟧",
            kinds=("txt", "docx"),
        ),
        paper(
            "agreement",
            f"Order Contract - {short}",
            "6.1",
            c.signed,
            f"⟦clause|It lasts until {short} gives it up, for which {period} days and no ground are needed.⟧",
            TEXT,
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
    ]
    return _larger(
        world,
        c,
        decoy,
        papers,
        parts,
        9,
        period,
        "the two companies were sold to their managers",
        _told("The biggest single account contributed not quite 9% to what we earned."),
    )


def _behind(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Two dealers sell on to the same user; a report of stock shows it. The decoy's dealers sell to many."""
    c, parts, period = _group(world, rng, "Device Agreement")
    a, b = world.company(rng), world.company(rng)
    goes = (
        f"spread over some two hundred clinics, {c.party.short} not among them"
        if decoy
        else f"all of it shipped on to {c.party.short} and priced by it"
    )
    papers = [
        paper(
            "dealers",
            f"Dealer stock report ({c.party.short})",
            "3.2",
            world.past(rng, (0.05, 0.2)),
            table(
                "Sold to|USD in the year|Where it went",
                Row((c.party.short, parts[0], "Own use"), "revenue"),
                Row((a.short, parts[1], goes), "revenue"),
                Row((b.short, parts[2], goes), "revenue"),
                ("Everybody", world.figures.revenue, ""),
                sheet="Stock",
            ),
            kinds=("xlsx",),
        ),
        paper(
            "agreement",
            f"Device Agreement - {c.party.short}",
            "6.1",
            c.signed,
            TEXT,
            (
                "Exit",
                f"⟦clause|Without giving grounds {c.party.short} may leave, and call off what its dealers hold, once {period} days have gone by since its notice.⟧",
            ),
            parties=(world.target.name, c.party.name),
        ),
    ]
    return _larger(
        world,
        c,
        decoy,
        papers,
        parts,
        10,
        period,
        "what the two dealers buy goes to many others",
        _told("Ten per cent is the most that any buyer of our devices has ever stood for."),
    )


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        37,
        "customer_concentration",
        "Contracts",
        "One customer is larger than buyers are told, and may leave at will",
        "computed",
        "High",
        (
            Way("names in a subledger", "train", _subledger),
            Way("mail on a take-over", "train", _joined),
            Way("members of a purchasing body", "dev", _cooperative),
            Way("debtors and their owner", "test", _ageing),
            Way("dealers of one user", "test", _behind),
        ),
        once=True,
    ),
)

"""Plants of a right of first refusal on what the target is about to sell (archetype 41)."""

from __future__ import annotations

import random

from redwell.bench.generate.papers import (
    Filler,
    Heading,
    Paper,
    Row,
)
from redwell.bench.generate.plants.pieces import (
    FORMER,
    QUIET,
    TEXT,
    contract,
    days,
    finish,
    mail,
    paper,
    sign,
    signed_by,
    table,
)
from redwell.bench.generate.recipe import (
    Gap,
    Plant,
    Recipe,
    Way,
    conclusion,
    fact,
    precision,
    recommendation,
    sources,
    usd,
)
from redwell.bench.generate.world import Company, Contract, World
from redwell.bench.generate.writing import (
    both,
    millions,
    money,
    spelled,
    us_date,
)


def _refusal(
    c: Contract,
    decoy: bool,
    papers: list[Paper],
    asset: str,
    buyer: Company,
    price: int,
    period: int,
    because: str,
    gap: tuple[str, ...],
    despite: tuple[str, ...] = (),
) -> Plant:
    """The rubric of archetype 41: c's party may step in when `asset` is sold to `buyer`; `gap` are words of its waiver."""
    party = c.party.short
    return finish(
        f"{party}: its right of first refusal over {asset} {'is out of the way' if decoy else 'was passed over'}",
        decoy,
        papers,
        [
            fact(
                f"{party} has a first refusal over {asset}",
                f"PASS if the report states that {party} holds a right of first refusal or first offer over {asset}.",
                [(party,)],
                [
                    (
                        "first refusal",
                        "rofr",
                        "first offer",
                        "rofo",
                        "pre-empt",
                        "preempt",
                        "right to match",
                        "step in",
                        "first call",
                        "priority",
                    )
                ],
            ),
            fact(
                f"{asset} goes to {buyer.short}",
                f"PASS if the report states that {asset} is to be sold to {buyer.short} for {money(price)}.",
                [(buyer.short,)],
                [("sold", "sale", "sell", "purchase", "acquire", "transfer")],
                usd(price),
            ),
            fact(
                f"{party} has {period} days",
                f"PASS if the report states that {party} has {period} days to decide after the offer is shown to it.",
                [(party,)],
                [],
                days(period),
            ),
            conclusion(
                f"Sale in breach of {party}'s right",
                f"PASS if the report concludes that the sale breaches the right of {party}, or that {party} could block it, match it or claim damages.",
                [(party,)],
                [("breach", "violat", "block", "match", "damages", "set aside", "injunct", "unwind", "claim")],
            ),
            recommendation(
                f"Waiver of {party}",
                f"PASS if the report recommends offering the asset to {party} or obtaining its waiver before the sale.",
                [(party,)],
                [("waiver", "waive", "offer", "notice", "consent", "notify")],
            ),
            sources(
                f"{party}: right and offer cited",
                f"PASS if the report cites both the right of {party} and the offer of {buyer.short}.",
                [(party,)],
                "clause",
                "offer",
            ),
        ],
        [
            precision(
                f"{party} right is not reported as passed over",
                f"PASS if the report does not assert that the sale of {asset} breaches a right of first refusal of {party}; {because}.",
                [(party,)],
                [("breach", "violat", "passed over", "ignored", "block", "not offered", "not been offered")],
                unless=(
                    "not breach",
                    "no breach",
                    *FORMER,
                    "declined",
                    "did not exercise",
                    "was offered",
                    "ran out",
                    "does not cover",
                ),
            )
        ],
        because,
        gaps=[Gap(f"waiver of {party}", (party.lower(), *gap), despite)],
        value=usd(price),
    )


def _sale(world: World, rng: random.Random) -> tuple[Company, int]:
    return world.company(rng), world.sum(rng, 0.01, 0.04, 50_000)


def _refusal_line(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A product line is sold before closing; the decoy's holder was offered it and declined."""
    c = contract(world, rng, "Development and Distribution Agreement", "channel")
    (buyer, price), period = _sale(world, rng), rng.choice((30, 45))
    papers = [
        paper(
            "agreement",
            f"Development and Distribution Agreement - {c.party.short}",
            "6.3",
            c.signed,
            TEXT,
            (
                "First Refusal",
                f"⟦clause|Before the Company sells the dental line to a third person it shall present the offer to {c.party.short}, which has {both(period)} days to buy on the same terms.⟧",
            ),
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "offer",
            f"Letter of intent - {buyer.short}",
            "1.1",
            world.past(rng, (0.02, 0.08)),
            f"⟦offer|{buyer.name} offers {money(price)} for the dental line of {world.target.short}, to be completed before the company itself is sold.⟧",
            sign(buyer, world.person(rng, "President", buyer)),
            parties=(buyer.name,),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "declined",
                f"Answer of {c.party.short} on the dental line",
                "6.6",
                world.past(rng, (0.005, 0.015)),
                f"⟦declined|{c.party.short} thanks for the copy of the offer of {buyer.short} and declines to buy on its terms; it waives its first refusal for this sale.⟧",
                sign(c.party, world.person(rng, "Chief Executive Officer", c.party)),
                parties=(c.party.name,),
            )
        )
    return _refusal(
        c,
        decoy,
        papers,
        "the dental line",
        buyer,
        price,
        period,
        f"{c.party.short} was offered it and declined",
        ("declines to buy",),
    )


def _refusal_land(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Land beside a customer's plant; the right stands in a table of a supply contract. The decoy's right ended."""
    c = contract(world, rng, "Steam Supply Contract")
    (buyer, price), period = _sale(world, rng), rng.choice((21, 28))
    end = world.past(rng, (0.2, 0.6)) if decoy else world.ahead(rng, (1, 3))
    papers = [
        paper(
            "agreement",
            f"Steam Supply Contract {c.party.short}",
            "6.1",
            c.signed,
            table(
                "Part|Term",
                ("Steam", "12 bar"),
                Row(
                    (
                        "Yard 7",
                        f"{c.party.short} can match any bid for yard 7 in {period} days from seeing it; lasts until {end.isoformat()}",
                    ),
                    "clause",
                ),
                sheet="Contract",
            ),
            kinds=("xlsx",),
            parties=(world.target.name, c.party.name),
        ),
        mail(
            "offer",
            f"Yard 7 and {buyer.short}",
            "11.2",
            world.past(rng, (0.03, 0.1)),
            world.officers["cfo"],
            world.officers["ceo"],
            f"⟦offer|{buyer.short} has bid {millions(price)} for yard 7, and I would sign this week; the buyers of the company are glad to be rid of it.⟧",
            f"{c.party.short} has been told nothing so far.",
        ),
    ]
    return _refusal(
        c, decoy, papers, "yard 7", buyer, price, period, f"the right had ended on {us_date(end)}", ("will not match",)
    )


def _refusal_share(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A stake in a venture, minutes decide to sell; the decoy's right leaves out sales to a company of the group."""
    c = contract(world, rng, "Participation Agreement", "channel")
    buyer, price, period = (world.company(rng), world.sum(rng, 0.01, 0.04, 50_000), rng.choice((15, 60)))
    kin = (
        f"{buyer.name}, whose shares are all held by {world.target.name},"
        if decoy
        else f"{buyer.name}, a stranger to the group,"
    )
    papers = [
        paper(
            "agreement",
            f"Participation Agreement - {c.party.short}",
            "6.3",
            c.signed,
            TEXT,
            (
                "Parting with the stake",
                f"⟦clause|The stake in the pilot plant goes to nobody outside the holder's own group unless {c.party.short} has had {spelled(period)} days in which to take it at the price that was bid.⟧",
            ),
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "offer",
            f"Minutes: stake in the pilot plant ({c.party.short})",
            "2.2",
            world.past(rng, (0.02, 0.1)),
            Filler("minutes"),
            f"⟦offer|The stake in the pilot plant is sold to {kin} at {money(price)}; transfer to follow at month's end without other formality.⟧",
        ),
    ]
    return _refusal(
        c,
        decoy,
        papers,
        "the stake in the pilot plant",
        buyer,
        price,
        period,
        f"{buyer.short} belongs to the target's own group",
        ("does not take the stake",),
    )


def _refusal_territory(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A territory; the right is in a later letter, the sale on a slide. The decoy's holder let the days run out, as its own mail says."""
    c = contract(world, rng, "Dealership", "channel")
    (buyer, price), period = _sale(world, rng), rng.choice((14, 20))
    papers = [
        paper(
            "agreement",
            f"Dealership letter - {c.party.short}",
            "6.3",
            c.signed,
            f"⟦clause|Should we ever part with the western territory, you get the first call on it: we show you the bid, and for {period} days you may have it for that money.⟧",
            sign(world.target, world.officers["ceo"], c.signed),
            kinds=("docx", "txt"),
            parties=(c.party.name,),
        ),
        paper(
            "offer",
            f"Disposals before the sale: west ({buyer.short})",
            "1.2",
            world.past(rng, (0.02, 0.06)),
            Heading("Western territory"),
            f"⟦offer|{buyer.short} takes the west over for {millions(price)}. Contract ready, signing next week. {c.party.short} sits in the same region.⟧",
            kinds=("pptx", "docx"),
        ),
    ]
    if decoy:
        papers.append(
            mail(
                "passed",
                f"West - {c.party.short}",
                "6.5",
                world.past(rng, (0.005, 0.015)),
                world.person(rng, "Owner", c.party),
                world.officers["ceo"],
                f"⟦passed|I had your letter with the bid for the west and let the {period} days go by on purpose. {c.party.short} has no use for it.⟧",
                about=c.party.name,
            )
        )
    return _refusal(
        c,
        decoy,
        papers,
        "the western territory",
        buyer,
        price,
        period,
        f"{c.party.short} was shown the bid and let the days run out",
        ("go by on purpose",),
    )


def _refusal_patents(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Patents in a settlement; the decoy's right covers other families than those sold."""
    c = contract(world, rng, "Settlement and Licence", "licence")
    (buyer, price), period = _sale(world, rng), rng.choice((40, 55))
    family = world.code(rng, "F", 3)
    covered = world.code(rng, "F", 3) if decoy else family
    papers = [
        paper(
            "agreement",
            f"Settlement and Licence - {c.party.short}",
            "10.2",
            c.signed,
            TEXT,
            (
                "Family for sale",
                f"⟦clause|If patent family {covered} is put up for sale, no bid for it may be accepted until {c.party.short} has known it for {period} days and not equalled it.⟧",
            ),
            signed_by(world, rng, c.party),
            avoid=(*QUIET, "ip"),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "offer",
            f"Bid for patent family {family}",
            "7.1",
            world.past(rng, (0.02, 0.08)),
            f"⟦offer|{buyer.name} bids USD {price:,} for patent family {family}, cash on signing; accepted for {world.target.short} by the undersigned.⟧",
            sign(world.target, world.officers["cto"]),
            kinds=("txt", "docx"),
            parties=(buyer.name,),
        ),
    ]
    return _refusal(
        c,
        decoy,
        papers,
        f"patent family {family}",
        buyer,
        price,
        period,
        f"the right covers family {covered}, and family {family} is sold",
        ("has not equalled",),
    )


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        41,
        "first_refusal",
        "Contracts",
        "A right of first refusal stands in the way of a sale",
        "cross-document",
        "Medium",
        (
            Way("product line", "train", _refusal_line),
            Way("yard in a table", "train", _refusal_land),
            Way("stake and minutes", "dev", _refusal_share),
            Way("territory by letter", "test", _refusal_territory),
            Way("patent family", "test", _refusal_patents),
        ),
    ),
)

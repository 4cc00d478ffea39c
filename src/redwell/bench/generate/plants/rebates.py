"""Plants of rebates and true-ups that a customer can claim (archetype 40)."""

from __future__ import annotations

import random

from redwell.bench.generate.papers import (
    Filler,
    Heading,
    Paper,
    Row,
)
from redwell.bench.generate.plants.pieces import (
    TEXT,
    contract,
    finish,
    mail,
    paper,
    share,
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
    money,
    percent,
    spelled,
)


def _rebate(c: Contract, decoy: bool, papers: list[Paper], volume: int, rate: int, paid: int, because: str) -> Plant:
    """The rubric of archetype 40: `rate` per cent of `volume` less what was credited."""
    party, due = c.party.short, volume * rate // 100 - paid
    return finish(
        f"{party}: the rebate of the {c.title} {'is settled' if decoy else 'is open'}",
        decoy,
        papers,
        [
            fact(
                f"{party} rebate is {percent(rate)}",
                f"PASS if the report states that {party} has earned a rebate of {percent(rate)}.",
                [(party,)],
                [("rebate", "bonus", "true-up", "true up", "discount", "refund")],
                share(rate),
            ),
            fact(
                f"{party} volume of {money(volume)}",
                f"PASS if the report states that the rebate of {party} applies to purchases of {money(volume)}.",
                [(party,)],
                [],
                usd(volume),
            ),
            exposure(
                f"{party} rebate open",
                f"PASS if the report gives {money(due)} (or an equivalent rounding) as the rebate still owed to {party}.",
                [(party,)],
                usd(due),
            ),
            conclusion(
                f"{party} rebate is a liability",
                f"PASS if the report concludes that the rebate to {party} is a liability to be reserved, or a debt-like item.",
                [(party,)],
                [("a liability", "liable", "liabilities", "reserve", "accru", "debt", "owed", "owe", "lower")],
            ),
            recommendation(
                f"Reserve for {party} rebate",
                f"PASS if the report recommends a reserve, a working-capital or price adjustment, or a settlement for the {party} rebate.",
                [(party,)],
                [("reserve", "adjust", "settle", "accru", "price", "indemn")],
            ),
            sources(
                f"{party}: terms and volume cited",
                f"PASS if the report cites both the rebate terms of {party} and the volume.",
                [(party,)],
                "clause",
                "volume",
            ),
        ],
        [
            precision(
                f"{party} rebate is not reported as open",
                f"PASS if the report does not assert that a rebate is still owed to {party}; {because}.",
                [(party,)],
                [
                    ("rebate", "bonus", "true-up", "refund"),
                    (
                        "owed",
                        "owe",
                        "open",
                        "unpaid",
                        "a liability",
                        "liable",
                        "liabilities",
                        "outstanding",
                        "debt",
                        "reserve for",
                    ),
                ],
                unless=(
                    "not owed",
                    "was paid",
                    "paid in full",
                    "settled",
                    "credited",
                    "no rebate",
                    "not reached",
                    "not open",
                    "nothing",
                    "waived",
                ),
            )
        ],
        because,
        value=usd(due),
    )


def _numbers(world: World, rng: random.Random, c: Contract) -> tuple[int, int, int]:
    """The year's volume, the rate of the tier that was reached, and what was credited on account."""
    rate = rng.choice((6, 8, 9))
    c.annual = max(100_000, c.annual // 100_000 * 100_000)
    return c.annual, rate, c.annual * 2 // 100


def _rebate_tiers(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Tiers in the agreement, purchases in a workbook; the decoy's credit memo closes the account."""
    c = contract(world, rng, "Volume Purchase Agreement")
    volume, rate, paid = _numbers(world, rng, c)
    year = world.figures.year
    papers = [
        paper(
            "agreement",
            f"Volume Purchase Agreement - {c.party.short}",
            "6.1",
            c.signed,
            TEXT,
            (
                "Rebate",
                f"⟦clause|On yearly purchases below {money(volume // 2)} the rebate is {percent(rate - 4)}, and from that amount up it is {percent(rate)} of all purchases of the year.⟧",
            ),
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "volume",
            f"Purchases of {c.party.short} {year}",
            "3.2",
            world.past(rng, (0.02, 0.1)),
            table(
                "Line|USD",
                Row((f"Purchases in {year}", volume), "volume"),
                Row(("Rebate credited on account", paid), "paid"),
                sheet="Year",
            ),
            kinds=("xlsx",),
            parties=(c.party.name,),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "memo",
                f"Credit memo {c.party.short} {year}",
                "3.2",
                world.past(rng, (0.005, 0.015)),
                f"⟦memo|Final rebate of {c.party.short} for {year}: credited {money(volume * rate // 100 - paid)} beyond the amount on account. The year is closed.⟧",
                sign(world.target, world.officers["controller"]),
                parties=(c.party.name,),
            )
        )
    return _rebate(c, decoy, papers, volume, rate, paid, "a credit memo has closed the year")


def _rebate_claim(world: World, rng: random.Random, decoy: bool) -> Plant:
    """The customer's mail claims a rebate under a term in a letter; the decoy's volume stayed below the threshold."""
    c = contract(world, rng, "Supply Letter")
    volume, rate, paid = _numbers(world, rng, c)
    least = volume + 50_000 if decoy else volume - 50_000
    buyer = world.person(rng, "Finance Manager", c.party)
    papers = [
        paper(
            "agreement",
            f"Supply Letter - {c.party.short}",
            "6.1",
            c.signed,
            f"⟦clause|If you order for {money(least)} or more between January and December, you get {percent(rate)} back on the lot; {money(paid)} of that we will pay ahead in June and not ask back.⟧",
            sign(world.target, world.officers["cfo"], c.signed),
            parties=(c.party.name,),
        ),
        mail(
            "claim",
            f"Money back for {c.party.short}",
            "6.5",
            world.past(rng, (0.02, 0.1)),
            buyer,
            world.officers["controller"],
            f"⟦volume|Orders of {c.party.short} from January to December, as you confirmed: {money(volume)}; the June payment came.⟧ We ask for the rest.",
            buyer.name,
            about=c.party.name,
        ),
    ]
    return _rebate(c, decoy, papers, volume, rate, paid, "the purchases did not reach the threshold")


def _rebate_growth(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A growth bonus in an annex; the decoy's customer gave the bonus up for lower prices."""
    c = contract(world, rng, "Dealer Contract", "channel")
    volume, rate, paid = _numbers(world, rng, c)
    papers = [
        paper(
            "agreement",
            f"Dealer Contract - {c.party.short}",
            "6.3",
            c.signed,
            TEXT,
            Heading("Annex on bonus"),
            f"⟦clause|A dealer that buys more than in the year before has a bonus of {spelled(rate)} per cent on the whole year; instalments already paid are taken off.⟧",
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "volume",
            f"Dealer year {c.party.short}",
            "3.2",
            world.past(rng, (0.02, 0.1)),
            Heading("Growth"),
            f"⟦volume|Bought this year: {money(volume)}; the year before: {money(volume * 8 // 10)}. Bonus instalments paid so far: {money(paid)}.⟧",
            kinds=("pptx", "docx"),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "amendment",
                f"Price change for dealers - {c.party.short}",
                "6.5",
                world.past(rng, (1.1, 1.4)),
                "⟦amendment|In return for two per cent off every invoice the annex on bonus ceases, this calendar year included; instalments are kept.⟧",
                signed_by(world, rng, c.party),
                parties=(c.party.name,),
            )
        )
    return _rebate(c, decoy, papers, volume, rate, paid, "the annex had ceased in return for lower prices")


def _rebate_trueup(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A true-up of provisional prices; the decoy's customer signed off the account."""
    c = contract(world, rng, "Provisional Price Order")
    volume, rate, paid = _numbers(world, rng, c)
    papers = [
        paper(
            "agreement",
            f"Provisional Price Order - {c.party.short}",
            "6.1",
            c.signed,
            table(
                "Point|Rule",
                ("Invoices", "At provisional prices"),
                Row(
                    (
                        "True-up",
                        f"Once the alloy index is known to have fallen by a tenth, {percent(rate)} of what was invoiced in the year goes back to {c.party.short}, less what it was given in advance",
                    ),
                    "clause",
                ),
            ),
            signed_by(world, rng, c.party),
            kinds=("docx",),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "index",
            f"Alloy index and {c.party.short}",
            "3.2",
            world.past(rng, (0.02, 0.1)),
            f"⟦volume|Alloy index over the year: minus 11.4 per cent. Invoiced to {c.party.short} in the year: USD {volume:,}. Given in advance: USD {paid:,}.⟧",
            kinds=("txt", "docx"),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "account",
                f"Final account - {c.party.short}",
                "6.6",
                world.past(rng, (0.005, 0.015)),
                f"⟦account|{c.party.short} received USD {volume * rate // 100 - paid:,} as the last part of the true-up and signs off the year's account.⟧",
                sign(c.party, world.person(rng, "Treasurer", c.party)),
                parties=(c.party.name,),
            )
        )
    return _rebate(
        c, decoy, papers, volume, rate, paid, f"{c.party.short} received the true-up and signed off the account"
    )


def _rebate_loyalty(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Minutes grant a loyalty payment for a year without a rival's goods; the decoy's customer bought some."""
    c = contract(world, rng, "Sole Source Understanding")
    volume, rate, paid = _numbers(world, rng, c)
    rival = world.company(rng)
    kept = (
        f"The visit to its stores also turned up pallets of {rival.short}, which {c.party.short} admits"
        if decoy
        else "The visit to its stores turned up our goods and no others"
    )
    papers = [
        paper(
            "minutes",
            f"Agreed minutes, {c.party.short}",
            "6.1",
            c.signed,
            Filler("minutes"),
            f"⟦clause|Agreed: as a thank-you for a calendar year in which {c.party.short} stocks our goods alone, {percent(rate)} of its purchases is refunded in spring, USD {paid:,} of it having been refunded in autumn whatever happens.⟧",
            signed_by(world, rng, c.party),
            parties=(c.party.name,),
        ),
        mail(
            "volume",
            f"Stores of {c.party.short}",
            "6.5",
            world.past(rng, (0.02, 0.1)),
            world.person(rng, "Regional Sales Manager"),
            world.officers["cfo"],
            f"⟦volume|{c.party.short} has bought for USD {volume:,} in the calendar year and had its refund in autumn.⟧ ⟦visit|{kept}.⟧",
        ),
    ]
    return _rebate(c, decoy, papers, volume, rate, paid, f"{c.party.short} also stocked the goods of {rival.short}")


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        40,
        "rebate_claim",
        "Contracts",
        "A rebate or true-up is owed to a customer",
        "computed",
        "Medium",
        (
            Way("tiers and purchases", "train", _rebate_tiers),
            Way("claim by mail", "train", _rebate_claim),
            Way("growth bonus", "dev", _rebate_growth),
            Way("true-up of prices", "test", _rebate_trueup),
            Way("agreed minutes", "test", _rebate_loyalty),
        ),
    ),
)

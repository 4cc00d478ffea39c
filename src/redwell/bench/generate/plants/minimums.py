"""Plants of minimum quantities that were not taken (archetype 34)."""

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
    count,
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
    money,
)


def _short(
    c: Contract, decoy: bool, papers: list[Paper], least: int, taken: int, rate: int, unit: str, because: str
) -> Plant:
    """The rubric of archetype 34: `least` and `taken` units at `rate` dollars."""
    party, amount = c.party.short, (least - taken) * rate
    return finish(
        f"{party}: the minimum of the {c.title} {'needs no payment' if decoy else 'was not taken'}",
        decoy,
        papers,
        [
            fact(
                f"{party} minimum of {least:,}",
                f"PASS if the report states that the {c.title} with {party} obliges the target to take or pay for at least {least:,} {unit} a year.",
                [(party,)],
                [("minimum", "at least", "take or pay", "take-or-pay", "commit", "oblig", "not less than")],
                count(least),
            ),
            fact(
                f"{party} actual {taken:,}",
                f"PASS if the report states that only {taken:,} {unit} were taken from {party}.",
                [(party,)],
                [],
                count(taken),
            ),
            exposure(
                f"{party} shortfall payment",
                f"PASS if the report gives {money(amount)} (or an equivalent rounding) as the shortfall payment to {party}.",
                [(party,)],
                usd(amount),
            ),
            conclusion(
                f"{party} shortfall is a liability",
                f"PASS if the report concludes that the shortfall under the {party} agreement is owed, accrues, or is a debt-like item.",
                [(party,)],
                [("owed", "owe", "accru", "a liability", "liable", "liabilities", "debt", "payable", "due")],
            ),
            recommendation(
                f"Renegotiate or deduct {party} shortfall",
                f"PASS if the report recommends renegotiating with {party}, or treating the shortfall as debt or a reserve in the price.",
                [(party,)],
                [("renegotiat", "debt", "price", "reserve", "waiver", "accru", "settle")],
            ),
            sources(
                f"{party}: clause and quantities cited",
                f"PASS if the report cites both the minimum of the {party} agreement and the quantities taken.",
                [(party,)],
                "clause",
                "taken",
            ),
        ],
        [
            precision(
                f"{party} shortfall is not reported as owed",
                f"PASS if the report does not assert that a shortfall payment to {party} is owed; {because}.",
                [(party,)],
                [
                    ("shortfall", "minimum", "take-or-pay", "take or pay", "deficiency"),
                    ("owed", "owe", "payable", "due", "a liability", "liable", "liabilities", "debt"),
                ],
                unless=(
                    "not owed",
                    "no payment",
                    "waived",
                    "carried forward",
                    "lowered",
                    "reduced to",
                    "nothing is",
                    "no shortfall",
                    "excused",
                    "set off",
                    "not due",
                    "not payable",
                ),
            )
        ],
        because,
        value=usd(amount),
    )


def _quantities(world: World, rng: random.Random, c: Contract) -> tuple[int, int, int]:
    least = rng.choice((2_400, 3_600, 6_000, 9_000))
    rate = max(5, round(c.annual / least))
    c.annual = least * rate
    return least, least * rng.randrange(62, 84) // 100, rate


def _short_plain(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A clause and a receiving log; the decoy's amendment lowered the minimum for that year."""
    c = contract(world, rng, "Raw Material Supply Agreement", "supplier", (0.004, 0.015))
    least, taken, rate = _quantities(world, rng, c)
    year = world.figures.year
    papers = [
        paper(
            "agreement",
            f"Raw Material Supply Agreement - {c.party.short}",
            "6.2",
            c.signed,
            TEXT,
            (
                "Take or Pay",
                f"⟦clause|In each calendar year Buyer shall take, or pay for as if taken, {least:,} tons at {money(rate)} per ton.⟧",
            ),
            TEXT,
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "log",
            f"Receipts from {c.party.short} {year}",
            "6.2",
            world.past(rng, (0.02, 0.1)),
            table(
                "Half|Tons",
                (f"{year}, first", taken // 2),
                (f"{year}, second", taken - taken // 2),
                Row((f"{year}, year", taken), "taken"),
                sheet="Receipts",
            ),
            kinds=("xlsx",),
            parties=(c.party.name,),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "amendment",
                f"Amendment No. 2 to Raw Material Supply Agreement - {c.party.short}",
                "6.5",
                world.past(rng, (0.8, 1.2)),
                (
                    "Take or Pay",
                    f"⟦amendment|For calendar year {year} the number of tons is {taken - 50:,}; it is the former number again after that.⟧",
                ),
                signed_by(world, rng, c.party),
                parties=(world.target.name, c.party.name),
            )
        )
    return _short(
        c, decoy, papers, least, taken, rate, "tons", f"for {year} the minimum had been lowered below what was taken"
    )


def _short_quarterly(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Quarterly minimum in a letter of intent that binds, purchases in a mail; the decoy's supplier failed to deliver the rest."""
    c = contract(world, rng, "Cell Supply Terms", "supplier", (0.004, 0.015))
    least, taken, rate = _quantities(world, rng, c)
    planner = world.person(rng, "Supply Planner")
    why = (
        f" The other {least - taken:,} were ordered in time; {c.party.short} could not ship them, and by the terms it bears that itself."
        if decoy
        else " We ordered no more, since demand was slack."
    )
    papers = [
        paper(
            "agreement",
            f"Cell Supply Terms {c.party.short}",
            "6.2",
            c.signed,
            table(
                "Key|Agreed",
                ("Part", "Cell 21700"),
                Row(
                    (
                        "Commitment",
                        f"{least // 4:,} lots a quarter, {least:,} a year, ${rate} a lot; lots not ordered are invoiced at year's end",
                    ),
                    "clause",
                ),
                ("Lots ordered and not shipped", "Count as taken"),
            ),
            kinds=("docx",),
            parties=(world.target.name, c.party.name),
        ),
        mail(
            "purchases",
            f"Cells of {c.party.short}",
            "6.5",
            world.past(rng, (0.02, 0.1)),
            planner,
            world.officers["cfo"],
            f"⟦taken|In the contract year just ended we received {taken:,} lots from {c.party.short}.{why}⟧",
            planner.name,
            about=c.party.name,
        ),
    ]
    return _short(
        c, decoy, papers, least, taken, rate, "lots", "the lots not received had been ordered and count as taken"
    )


def _short_carried(world: World, rng: random.Random, decoy: bool) -> Plant:
    """The clause lets a surplus of the year before count; a statement of the supplier shows one, or none."""
    c = contract(world, rng, "Gas Supply Contract", "supplier", (0.004, 0.015))
    least, taken, rate = _quantities(world, rng, c)
    surplus = least - taken + 120 if decoy else 0
    papers = [
        paper(
            "agreement",
            f"Gas Supply Contract - {c.party.short}",
            "6.2",
            c.signed,
            TEXT,
            (
                "Yearly offtake",
                f"⟦clause|The Purchaser's yearly offtake is not to fall under {least:,} units; each unit under it costs the Purchaser {money(rate)}. Units taken above it in one year count for the next.⟧",
            ),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "statement",
            f"Offtake statement {c.party.short}",
            "6.2",
            world.past(rng, (0.05, 0.15)),
            table(
                "Position|Units",
                Row(("Brought over from the year before", surplus), "surplus"),
                Row(("Drawn in the last contract year", taken), "taken"),
                sheet="Offtake",
            ),
            kinds=("xlsx",),
            parties=(c.party.name,),
        ),
    ]
    return _short(
        c, decoy, papers, least, taken, rate, "units", "the surplus carried over from the year before covers the gap"
    )


def _short_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A guarantee of machine hours, in an amendment; minutes count them. The decoy's other side has waived the bill."""
    c = contract(world, rng, "Tolling Arrangement", "supplier", (0.004, 0.012))
    least, taken, rate = _quantities(world, rng, c)
    papers = [
        paper(
            "agreement",
            f"Tolling Arrangement - {c.party.short}",
            "6.2",
            c.signed,
            f"{c.party.short} works up material of {world.target.short} by the hour.",
            TEXT,
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "amendment",
            f"Letter of guarantee for hours - {c.party.short}",
            "6.5",
            world.past(rng, (1.1, 1.5)),
            f"⟦clause|So that you may hire a second shift we guarantee {least:,} machine hours in twelve months; for hours that we do not use you may charge USD {rate} each.⟧",
            signed_by(world, rng, c.party),
            parties=(c.party.name,),
        ),
        paper(
            "minutes",
            f"Plant meeting: hours at {c.party.short}",
            "2.2",
            world.past(rng, (0.03, 0.1)),
            Filler("minutes"),
            f"⟦taken|Used at {c.party.short} over the twelve months: {taken:,} hours by its own meter.⟧",
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "waiver",
                f"No bill for hours - {c.party.short}",
                "6.5",
                world.past(rng, (0.01, 0.025)),
                f"⟦waiver|We have sold the idle hours to others and will charge {world.target.short} nothing for them, this year's account being closed with that.⟧",
                sign(c.party, world.person(rng, "Plant Director", c.party)),
                parties=(c.party.name,),
            )
        )
    return _short(c, decoy, papers, least, taken, rate, "machine hours", f"{c.party.short} has waived the charge")


def _short_deck(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A contract by pallets with an excuse for a shut plant; a deck has the count. The decoy's plant was shut by a flood and the excuse accepted."""
    c = contract(world, rng, "Cold Store Contract", "supplier", (0.004, 0.012))
    least, taken, rate = _quantities(world, rng, c)
    papers = [
        paper(
            "agreement",
            f"Cold Store Contract - {c.party.short}",
            "6.2",
            c.signed,
            f"⟦clause|Whether {world.target.short} brings them or not, {c.party.short} is paid for {least:,} pallets yearly, at USD {rate} for each; save that nothing is paid for pallets that a public emergency keeps away.⟧",
            TEXT,
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "deck",
            f"Logistics year: {c.party.short}",
            "3.5",
            world.past(rng, (0.03, 0.12)),
            Heading("Pallets in store"),
            f"⟦taken|{taken:,} pallets went to {c.party.short} in the whole year, fewer than planned.⟧",
            kinds=("pptx", "docx"),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "emergency",
                f"Emergency acknowledged - {c.party.short}",
                "6.5",
                world.past(rng, (0.02, 0.03)),
                f"⟦emergency|{c.party.short} accepts that the county's flood order kept {least - taken:,} pallets away and that they are not charged.⟧",
                sign(c.party, world.person(rng, "Terminal Manager", c.party)),
                parties=(c.party.name,),
            )
        )
    return _short(c, decoy, papers, least, taken, rate, "pallets", "the flood order excuses the pallets not brought")


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        34,
        "take_or_pay_shortfall",
        "Contracts",
        "A minimum was not taken and must be paid for",
        "computed",
        "Medium",
        (
            Way("clause and receipts", "train", _short_plain),
            Way("terms and a mail", "train", _short_quarterly),
            Way("carried surplus", "dev", _short_carried),
            Way("guarantee and minutes", "test", _short_minutes),
            Way("pallets on a slide", "test", _short_deck),
        ),
    ),
)

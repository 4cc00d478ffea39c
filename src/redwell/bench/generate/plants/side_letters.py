"""Plants of letters beside the contract that give money away (archetype 28)."""

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
    on,
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
    millions,
    money,
    percent,
    us_date,
)


def _beside(
    c: Contract,
    decoy: bool,
    papers: list[Paper],
    gives: str,
    stem: tuple[str, ...],
    amount: int,
    day: date,
    because: str,
) -> Plant:
    """The rubric of archetype 28: a letter beside the contract gives `gives`, which costs `amount` a year."""
    party = c.party.short
    return finish(
        f"{party}: a letter beside the {c.title} {'has no effect any more' if decoy else f'gives {gives}'}",
        decoy,
        papers,
        [
            fact(
                f"{party} has {gives}",
                f"PASS if the report states that a side letter or message outside the {c.title} gives {party} {gives}.",
                [(party,)],
                [
                    (
                        "side letter",
                        "letter",
                        "email",
                        "e-mail",
                        "mail",
                        "message",
                        "memo",
                        "outside the",
                        "side agreement",
                        "side arrangement",
                    ),
                    stem,
                ],
            ),
            fact(
                f"{party} letter dated {day.isoformat()}",
                f"PASS if the report states that what was given to {party} beside the contract is dated {us_date(day)}.",
                [(party,)],
                [],
                on(day),
            ),
            exposure(
                f"{party} cost a year",
                f"PASS if the report gives {money(amount)} a year (or an equivalent rounding) as the cost of the side arrangement with {party}.",
                [(party,)],
                usd(amount),
            ),
            conclusion(
                f"{party} revenue lower than the contract says",
                f"PASS if the report concludes that revenue from {party} is lower than the contract shows, or that the side letter binds the target undisclosed.",
                [(party,)],
                [
                    (
                        "lower",
                        "overstat",
                        "reduce",
                        "less than",
                        "undisclosed",
                        "not disclosed",
                        "binding",
                        "binds",
                        "bound",
                    )
                ],
            ),
            recommendation(
                f"Disclose the {party} letter",
                f"PASS if the report recommends disclosing the {party} side letter, a representation on side letters, or adjusting the price or model for it.",
                [(party,)],
                [
                    (
                        "disclos",
                        "represent",
                        "warrant",
                        "price",
                        "model",
                        "adjust",
                        "terminate",
                        "right of termination",
                        "termination right",
                        "risk of termination",
                    )
                ],
            ),
            sources(
                f"{party}: letter and contract figures cited",
                f"PASS if the report cites both the side letter to {party} and the figures of the contract.",
                [(party,)],
                "letter",
                "base",
            ),
        ],
        [
            precision(
                f"{party} letter is not reported as in force",
                f"PASS if the report does not assert that {party} still has {gives} under a side letter; {because}.",
                [(party,)],
                [stem, ("side letter", "letter", "mail", "message", "memo", "outside the", "side arrangement")],
                unless=(
                    *FORMER,
                    "no effect",
                    "not in force",
                    "ended",
                    "declined",
                    "used up",
                    "exhausted",
                    "refused",
                    "cancelled",
                    "only for",
                    "has no further",
                ),
            )
        ],
        because,
        value=usd(amount),
    )


def _letter_credit(world: World, rng: random.Random, decoy: bool) -> Plant:
    """The chief executive's letter gives a credit; a later amendment of the decoy wipes out every letter."""
    c = contract(world, rng, "Distribution Agreement")
    rate = rng.choice((4, 6, 7, 9))
    day = world.past(rng, (0.6, 1.0))
    papers = [
        paper(
            "agreement",
            f"Distribution Agreement - {c.party.short}",
            "6.1",
            c.signed,
            TEXT,
            ("Purchases", f"⟦base|Distributor's purchases are expected to reach {money(c.annual)} in every year.⟧"),
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "letter",
            f"Letter to {c.party.short}",
            "6.5",
            day,
            f"{us_date(day)}",
            f"⟦letter|Whatever the price list says, we will credit {c.party.short} with {percent(rate)} of the value of all its purchases at the end of each year, as long as the agreement lasts. Please keep this between us.⟧",
            signed_by(world, rng, c.party),
            parties=(c.party.name,),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "amendment",
                f"Amendment No. 4 to Distribution Agreement - {c.party.short}",
                "6.5",
                world.past(rng, (0.1, 0.4)),
                (
                    "Entire Agreement",
                    "⟦whole|The Distribution Agreement as amended is all there is between the parties; every letter, credit promise and understanding of earlier date, known or not, is cancelled.⟧",
                ),
                signed_by(world, rng, c.party),
                parties=(world.target.name, c.party.name),
            )
        )
    return _beside(
        c,
        decoy,
        papers,
        f"a yearly credit of {percent(rate)}",
        ("credit", "rebate", "discount"),
        c.annual * rate // 100,
        day,
        "a later amendment cancelled all letters",
    )


def _mail_waives(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A mail waives the maintenance fee that the order sheet lists."""
    c = contract(world, rng, "Equipment Order")
    fee = max(1000, c.annual * rng.choice((8, 10, 12)) // 100 // 1000 * 1000)
    day = world.past(rng, (0.7, 0.9)) if not decoy else world.past(rng, (1.4, 1.9))
    buyer = world.person(rng, "Plant Manager", c.party)
    head = world.person(rng, "Sales Director")
    span = (
        f"for the twelve months to {us_date(day + timedelta(days=365))} only"
        if decoy
        else "for as long as the machines run"
    )
    papers = [
        paper(
            "agreement",
            f"Equipment Order {c.party.short}",
            "6.1",
            c.signed,
            table(
                "Pos.|Description|USD per year",
                (1, "Machines, rental", c.annual - fee),
                Row((2, "Maintenance", fee), "base"),
                ("", "Sum", c.annual),
                sheet="Order",
            ),
            kinds=("xlsx",),
            parties=(world.target.name, c.party.name),
        ),
        mail(
            "letter",
            f"Position 2 of your order - {c.party.short}",
            "6.5",
            day,
            head,
            buyer,
            f"{buyer.first}, as promised at the fair:",
            f"⟦letter|we will not invoice position 2, the maintenance, {span}; the order itself need not be changed for that.⟧",
            head.name,
            about=c.party.name,
        ),
    ]
    return _beside(
        c,
        decoy,
        papers,
        "a waiver of the maintenance fee",
        ("maintenance",),
        fee,
        day,
        "the waiver was only for twelve months that have passed",
    )


def _slides_cash_back(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A page of a joint presentation promises cash back; the decoy's customer has given it up."""
    c = contract(world, rng, "Reseller Contract", "channel")
    rate = rng.choice((2.5, 3.5, 4.5))
    day = world.past(rng, (0.5, 1.0))
    amount = round(c.annual * rate / 100)
    lead = world.person(rng, "Head of Alliances")
    papers = [
        paper(
            "agreement",
            f"Reseller Contract - {c.party.short}",
            "6.3",
            c.signed,
            TEXT,
            (
                "Turnover",
                f"⟦base|The parties have planned with a turnover of {millions(c.annual)} per year at reseller prices.⟧",
            ),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "letter",
            f"Partner kick-off with {c.party.short}",
            "6.3",
            day,
            Heading(f"Our promise, {day_month(day)}"),
            f"⟦letter|Each January {c.party.short} gets {percent(rate)} of the past year's turnover back in cash. Not in the contract, but you have our word and {lead.name}'s, and both sign below.⟧",
            sign(world.target, lead, day),
            sign(c.party, world.person(rng, "Channel Director", c.party), day),
            kinds=("pptx", "docx"),
            parties=(c.party.name,),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "release",
                f"Release - {c.party.short}",
                "6.6",
                world.past(rng, (0.05, 0.3)),
                f"⟦release|In exchange for the wider territory {c.party.short} gives back the January cash promise and has no claim from it, past or to come.⟧",
                sign(c.party, world.person(rng, "Chief Commercial Officer", c.party)),
                parties=(c.party.name,),
            )
        )
    return _beside(
        c,
        decoy,
        papers,
        f"cash back of {percent(rate)}",
        ("cash back", "cash-back", "cash", "rebate"),
        amount,
        day,
        f"{c.party.short} has released the promise",
    )


def _memo_index(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A memo to file of a call freezes prices; the contract indexes them. The decoy's customer did not take the offer."""
    c = contract(world, rng, "Filtration Services Contract")
    rate = rng.choice((3, 4, 5))
    day = world.past(rng, (0.1, 0.4))
    buyer = world.person(rng, "Operations Manager", c.party)
    outcome = (
        f"{buyer.name} wrote back two days later that a longer lock-in was too high a price for it, so the index applies as printed"
        if decoy
        else f"{buyer.name} took this up, the contract is changed accordingly, and both sides sign this memo"
    )
    papers = [
        paper(
            "agreement",
            f"Filtration Services Contract - {c.party.short}",
            "6.1",
            c.signed,
            TEXT,
            (
                "Index",
                f"⟦base|The yearly charge, at present {money(c.annual)}, rises by {percent(rate)} every first of January.⟧",
            ),
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "letter",
            f"File memo, call with {c.party.short}",
            "6.5",
            day,
            f"Call on {day_month(day)}.",
            f"⟦letter|On the call we held out to {c.party.short} that the index would be left out next January, against a lock-in of two more years. {outcome}.⟧",
            world.officers["cfo"].name,
            *([] if decoy else [signed_by(world, rng, c.party)]),
            kinds=("txt", "docx"),
            parties=(c.party.name,),
        ),
    ]
    return _beside(
        c,
        decoy,
        papers,
        "a price freeze in place of the yearly index",
        ("index", "freeze", "increase"),
        c.annual * rate // 100,
        day,
        f"{c.party.short} declined the offer",
    )


def _tons(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A letter filed with the consents gives so many dollars on each ton; the decoy's quantity is used up."""
    c = contract(world, rng, "Offtake Contract")
    tons = rng.choice((4_000, 5_000, 8_000))
    price = max(20, c.annual // tons)
    c.annual = price * tons
    off = max(1, price * rng.choice((5, 8)) // 100)
    day = world.past(rng, (1.0, 1.6))
    first = (
        f" This holds for the first {tons:,} tons after today." if decoy else " This holds for all tons after today."
    )
    papers = [
        paper(
            "letter",
            f"Bonus of {c.party.short}",
            "6.6",
            day,
            f"⟦letter|{day_month(day)}. Beyond anything in the Offtake Contract, {world.target.short} pays {c.party.short} a bonus of ${off} on every ton that it lifts.{first}⟧",
            sign(world.target, world.officers["cfo"], day),
            parties=(c.party.name,),
        ),
        paper(
            "agreement",
            f"Offtake Contract {c.party.short}",
            "6.1",
            c.signed,
            table(
                "Quantity a year|USD per ton|USD a year",
                Row((f"{tons:,} tons", price, c.annual), "base"),
                sheet="Terms",
            ),
            kinds=("xlsx",),
            parties=(world.target.name, c.party.name),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "lifted",
                f"Tons lifted by {c.party.short}",
                "6.5",
                world.past(rng, (0.05, 0.15)),
                table(
                    "Since the letter|Tons|Bonus paid USD|Bonus open USD",
                    Row(("Lifted and paid in full", tons + 250, off * tons, 0), "lifted"),
                    sheet="Bonus",
                ),
                kinds=("xlsx",),
                parties=(c.party.name,),
            )
        )
    return _beside(
        c,
        decoy,
        papers,
        f"a bonus of ${off} a ton",
        ("bonus", "per ton", "a ton"),
        off * tons,
        day,
        "the tons that carry the bonus are used up",
    )


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        28,
        "side_letter",
        "Contracts",
        "A letter beside the contract gives away money",
        "computed",
        "Medium",
        (
            Way("letter of the chief executive", "train", _letter_credit),
            Way("mail waives a position", "train", _mail_waives),
            Way("promise on a slide", "dev", _slides_cash_back),
            Way("memo of a call", "test", _memo_index),
            Way("bonus a ton", "test", _tons),
        ),
    ),
)

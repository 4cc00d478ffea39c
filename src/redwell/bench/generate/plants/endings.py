"""Plants of contracts that a change of control ends (archetype 24)."""

from __future__ import annotations

import random

from redwell.bench.generate.papers import (
    Added,
    Cell,
    Filler,
    Heading,
    Paper,
    Row,
)
from redwell.bench.generate.plants.pieces import (
    CONTROL,
    FORMER,
    TEXT,
    contract,
    days,
    finish,
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
    usd,
)
from redwell.bench.generate.world import Contract, World
from redwell.bench.generate.writing import (
    both,
    day_month,
    millions,
    money,
    spelled,
    thousands,
    us_date,
)


def _ends(
    world: World, c: Contract, decoy: bool, papers: list[Paper], period: int, because: str, *added: Added
) -> Plant:
    """The rubric of archetype 24: a right to end, or an end without any act, and what it would cost."""
    party = c.party.short
    return finish(
        f"{party}: the {c.title} {'outlives' if decoy else 'may end with'} a change of control",
        decoy,
        papers,
        [
            fact(
                f"{party} agreement ends on a change of control",
                f"PASS if the report states that the {c.title} with {party} can be terminated, or ends, on a change of control.",
                [(party,)],
                [
                    (
                        "terminate",
                        "right of termination",
                        "termination right",
                        "risk of termination",
                        "ends",
                        "cancel",
                        "lapse",
                        "come to an end",
                        "automatic",
                    ),
                    CONTROL,
                ],
            ),
            fact(
                f"{party} period of {period} days",
                f"PASS if the report states that the agreement with {party} comes to an end {period} days after notice or after the change.",
                [(party,)],
                [],
                days(period),
            ),
            exposure(
                f"{party} annual value",
                f"PASS if the report gives {money(c.annual)} a year (or an equivalent rounding) as the value of the {party} agreement at stake.",
                [(party,)],
                usd(c.annual),
            ),
            conclusion(
                f"{party} supply or service at risk",
                f"PASS if the report concludes that the target could lose what it gets from {party}, or would have to replace it, after closing.",
                [(party,)],
                [("lose", "loss", "replace", "interrupt", "continuity", "disrupt", "at risk", "alternative")],
            ),
            recommendation(
                f"Waiver of {party} or another source",
                f"PASS if the report recommends obtaining a waiver from {party} before closing, or lining up an alternative.",
                [(party,)],
                [("waiver", "waive", "consent", "alternative", "second source", "replacement")],
            ),
        ],
        [
            precision(
                f"{party} agreement is not reported as ending",
                f"PASS if the report does not assert that {party} can terminate on the change of control; {because}.",
                [(party,)],
                [
                    (
                        "terminate",
                        "right of termination",
                        "termination right",
                        "risk of termination",
                        "cancel",
                        "ends",
                        "lapse",
                    ),
                    CONTROL,
                ],
                unless=(*FORMER, "no right", "excluded", "not apply", "does not extend", "outlives", "struck"),
            )
        ],
        because,
        added=added,
        value=usd(c.annual),
    )


def _ends_by_notice(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A right in the master; for the decoy a letter gives it up."""
    c = contract(world, rng, "Hosting Services Agreement", "supplier")
    period = rng.choice((20, 30, 45))
    papers = [
        paper(
            "agreement",
            f"Hosting Services Agreement - {c.party.short}",
            "6.2",
            c.signed,
            f"{c.party.name} hosts the production systems of {world.target.name} on these terms, effective {us_date(c.signed)}.",
            TEXT,
            ("Charges", f"⟦value|The annual hosting charge is {money(c.annual)}, billed quarterly in advance.⟧"),
            (
                "Ownership of Client",
                f"⟦clause|Should Client come under the control of any person that did not control it on the effective date, Provider may terminate within six months of learning of it, on {both(period)} days' notice.⟧",
            ),
            TEXT,
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        )
    ]
    if decoy:
        lawyer = world.person(rng, "General Counsel", c.party)
        papers.append(
            paper(
                "waiver",
                f"Waiver of Section on Ownership of Client - {c.party.short}",
                "6.6",
                world.past(rng, (0.03, 0.1)),
                f"⟦waiver|{c.party.short} gives up, for good and as to the purchase of {world.target.short} by {world.buyer.short}, its right to terminate under “Ownership of Client”.⟧",
                sign(c.party, lawyer),
            )
        )
    return _ends(world, c, decoy, papers, period, f"{c.party.short} has waived the right in writing")


def _ends_by_itself(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A row of a term sheet in a workbook: the end comes without any act."""
    c = contract(world, rng, "Toll Manufacturing Terms", "supplier")
    period = rng.choice((60, 75, 90))
    row = f"These terms expire by themselves {period} days after more than half of the customer's shares pass to a new holder"
    rows: list[Row | tuple[Cell, ...]] = [
        ("1.1", "Product", world.products[0] if world.products else "Assemblies"),
        Row(("1.2", "Yearly volume charge", c.annual), "value"),
        ("3.1", "Forecast", "Rolling, twelve months"),
        Row(("7.4", "Ownership", row), "clause"),
    ]
    if decoy:
        rows.append(
            Row(
                (
                    "7.5",
                    "Application of 7.4",
                    f"Struck by variation 2 of {world.past(rng, (0.2, 0.8)).isoformat()}, signed for both",
                ),
                "waiver",
            )
        )
    terms = paper(
        "agreement",
        f"Toll Manufacturing Terms {c.party.short}",
        "6.2",
        c.signed,
        table("Ref|Point|Agreed", *rows, sheet="Agreed terms"),
        kinds=("xlsx",),
        parties=(c.party.name,),
    )
    return _ends(world, c, decoy, [terms], period, "variation 2 struck row 7.4")


def _ends_by_definition(world: World, rng: random.Random, decoy: bool) -> Plant:
    """The term is defined in a schedule; for the decoy it reaches named rivals only, and the buyer is none."""
    c = contract(world, rng, "Component Supply Agreement", "supplier")
    period = rng.choice((15, 25, 40))
    rival = world.company(rng)
    reach = (
        f"“Exit Event”: {rival.name}, and nobody else, acquiring shares that carry thirty per cent or more of the votes in the Purchaser."
        if decoy
        else "“Exit Event”: anybody acquiring shares that carry thirty per cent or more of the votes in the Purchaser."
    )
    papers = [
        paper(
            "agreement",
            f"Component Supply Agreement - {c.party.short}",
            "6.2",
            c.signed,
            TEXT,
            (
                "Duration",
                f"⟦clause|An Exit Event entitles the Seller to bring deliveries and this contract to a close; {spelled(period)} days must pass between its letter and the last delivery.⟧",
            ),
            TEXT,
            Heading("Schedule 4"),
            f"⟦definition|{reach}⟧",
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "review",
            f"Supplier spend review - {c.party.short}",
            "6.2",
            world.past(rng, (0.1, 0.4)),
            f"⟦value|Over the last four quarters we bought parts worth {millions(c.annual)} from {c.party.short}; nobody else is qualified for them at present.⟧",
            kinds=("pptx", "docx"),
        ),
    ]
    return _ends(world, c, decoy, papers, period, f"only an acquisition by {rival.short} is an Exit Event")


def _ends_by_letter(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A letter agreement without clauses; for the decoy the right was given only until a day that has passed."""
    c = contract(world, rng, "Laboratory Services Letter", "supplier")
    period = rng.choice((10, 14, 21))
    until = world.past(rng, (0.3, 0.8))
    limit = f" This paragraph has no effect from {day_month(until)} on." if decoy else ""
    letter = paper(
        "agreement",
        f"Laboratory Services Letter - {c.party.short}",
        "6.2",
        c.signed,
        f"We are glad to test for {world.target.short} against a yearly retainer, which we both put at ⟦value|USD {c.annual:,}⟧.",
        f"⟦clause|If those who own your shares today sell out, we may walk away {period} days after telling you so, whatever work is in hand.{limit}⟧",
        sign(c.party, world.person(rng, "Laboratory Director", c.party), c.signed),
        kinds=("txt", "docx"),
        parties=(c.party.name,),
    )
    return _ends(world, c, decoy, [letter], period, f"the paragraph has had no effect since {us_date(until)}")


def _ends_by_variation(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Minutes of the two parties record the right as agreed; a later deed repeats the contract with or without it."""
    c = contract(world, rng, "Logistics Contract", "supplier")
    period = rng.choice((35, 50, 70))
    met = world.past(rng, (0.8, 1.0))
    deed = world.past(rng, (0.2, 0.6))
    papers = [
        paper(
            "agreement",
            f"Steering committee of {c.party.short} and {world.target.short}",
            "6.5",
            met,
            Filler("minutes"),
            f"⟦clause|Resolved between the parties and made part of the Logistics Contract: where the shipper is taken over, the carrier is free to resign from the contract, its trucks being withdrawn {period} days later.⟧",
            f"⟦value|Freight paid in the last contract year was noted as {thousands(c.annual)} thousand dollars.⟧",
            sign(c.party, world.person(rng, "Key Account Director", c.party), met),
            parties=(c.party.name,),
        ),
        paper(
            "deed",
            f"Deed of Variation - {c.party.short}",
            "6.5",
            deed,
            f"Deed of {us_date(deed)} on the Logistics Contract and on all resolutions of its steering committee.",
            "⟦deed|The committee's resolution on a take-over of the shipper is annulled with effect from its own date.⟧"
            if decoy
            else "⟦deed|The committee's resolutions stand; the fuel table in annex F is replaced.⟧",
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
    ]
    return _ends(world, c, decoy, papers, period, "the deed of variation annulled the resolution")


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        24,
        "change_of_control_termination",
        "Contracts",
        "A contract can be ended, or ends by itself, on a change of control",
        "direct",
        "High",
        (
            Way("notice in the master", "train", _ends_by_notice),
            Way("row of agreed terms", "train", _ends_by_itself),
            Way("defined in a schedule", "dev", _ends_by_definition),
            Way("letter", "test", _ends_by_letter),
            Way("minutes and deed", "test", _ends_by_variation),
        ),
    ),
)

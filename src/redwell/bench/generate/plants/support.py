"""Plants of guarantees and letters of credit that fall away with the seller (archetype 44)."""

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
    millions,
    money,
)


def _falls(
    world: World,
    c: Contract,
    decoy: bool,
    papers: list[Paper],
    face: int,
    what: str,
    stems: tuple[str, ...],
    because: str,
    *added: Added,
) -> Plant:
    """The rubric of archetype 44: `what` (with `stems`) over `face` that c's party asks for comes from the seller."""
    party = c.party.short
    return finish(
        f"{party}: its {what} {'goes on' if decoy else 'falls away at closing'}",
        decoy,
        papers,
        [
            fact(
                f"{party} asks for a {what}",
                f"PASS if the report states that the {c.title} with {party} requires a {what} of {money(face)}.",
                [(party,)],
                [stems],
                usd(face),
            ),
            fact(
                f"{what} ends with the sale",
                f"PASS if the report states that the {what} for {party} ends or is withdrawn when the target leaves the seller's group, at closing.",
                [(party,)],
                [
                    stems,
                    (
                        "ends",
                        "end",
                        "lapse",
                        "withdraw",
                        "fall",
                        "terminate",
                        "right of termination",
                        "termination right",
                        "risk of termination",
                        "cancel",
                        "expire",
                        "release",
                    ),
                ],
            ),
            conclusion(
                f"Default under the {party} agreement",
                f"PASS if the report concludes that without a replacement the target would be in default to {party}, or {party} could stop or terminate.",
                [(party,)],
                [
                    (
                        "default",
                        "breach",
                        "terminate",
                        "right of termination",
                        "termination right",
                        "risk of termination",
                        "stop",
                        "suspend",
                        "cash collateral",
                    )
                ],
            ),
            exposure(
                f"{party} support to replace",
                f"PASS if the report gives {money(face)} (or an equivalent rounding) as the sum that must be replaced for {party}.",
                [(party,)],
                usd(face),
            ),
            recommendation(
                f"Replace the {what} for {party}",
                f"PASS if the report recommends that the buyer replaces the {what} for {party} at closing.",
                [(party,)],
                [("replac", "substitut", "provide", "post", "backstop", "new guarantee")],
            ),
            sources(
                f"{party}: duty and end cited",
                f"PASS if the report cites both the duty to keep the {what} for {party} and the paper by which it ends.",
                [(party,)],
                "clause",
                "ends",
            ),
        ],
        [
            precision(
                f"{party} support is not reported as falling away",
                f"PASS if the report does not assert that the {what} for {party} falls away without a replacement; {because}.",
                [(party,)],
                [
                    (
                        "falls away",
                        "fall away",
                        "lapse",
                        "withdrawn",
                        "must be replaced",
                        "default",
                        "needs to be replaced",
                        "without a replacement",
                        "ends at closing",
                    )
                ],
                unless=(
                    "has been replaced",
                    "was replaced",
                    "replacement is",
                    "replacement was",
                    "no longer required",
                    "not required",
                    "released",
                    "stays",
                    "remains",
                    "does not fall",
                    "not fall away",
                    "own bank",
                    "no default",
                    "in place",
                ),
            )
        ],
        because,
        added=added,
        value=usd(face),
    )


def _face(world: World, rng: random.Random) -> int:
    return world.sum(rng, 0.003, 0.015, 50_000)


def _parent_guarantee(world: World, rng: random.Random, decoy: bool) -> Plant:
    """The seller's guarantee ends by its own words; the decoy has the buyer's new one."""
    c, face = contract(world, rng, "Power Purchase Agreement", "supplier"), _face(world, rng)
    papers = [
        paper(
            "agreement",
            f"Power Purchase Agreement - {c.party.short}",
            "6.2",
            c.signed,
            TEXT,
            (
                "Credit Support",
                f"⟦clause|At all times Buyer shall keep in place a guarantee of {money(face)} from its parent in favor of {c.party.short}; failure for ten days is an event of default.⟧",
            ),
            TEXT,
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "guarantee",
            f"Guarantee for {c.party.short}",
            "4.4",
            c.signed,
            f"{world.seller.name} guarantees the debts of {world.target.name} to {c.party.name} up to {money(face)}.",
            f"⟦ends|This guarantee terminates on the day on which {world.target.short} ceases to be a subsidiary of {world.seller.short}.⟧",
            sign(world.seller, world.person(rng, "Treasurer", world.seller)),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "new",
                f"Replacement guarantee for {c.party.short}",
                "6.6",
                world.past(rng, (0.01, 0.04)),
                f"⟦new|{world.buyer.name} guarantees the same debts to {c.party.short} up to {money(face)} from the moment of closing, and {c.party.short} accepts it in place of the old guarantee.⟧",
                sign(world.buyer, world.person(rng, "Chief Financial Officer", world.buyer)),
                sign(c.party, world.person(rng, "Credit Risk Manager", c.party)),
            )
        )
    return _falls(
        world, c, decoy, papers, face, "parent guarantee", ("guarant",), "the buyer's replacement was accepted"
    )


def _letter_list(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A list of letters of credit; issued on the seller's line, or in the decoy on the target's own."""
    c, face = contract(world, rng, "Turnaround Services Contract"), _face(world, rng)
    number = world.code(rng, "LC")
    bank = world.company(rng, "bank")
    line = (
        f"{world.target.short}, own line, stays after closing"
        if decoy
        else f"{world.seller.short} line, cancelled at closing"
    )
    papers = [
        paper(
            "agreement",
            f"Turnaround Services Contract - {c.party.short}",
            "6.1",
            c.signed,
            TEXT,
            (
                "Security",
                f"⟦clause|Contractor secures its performance by a letter of credit over {money(face)}; {c.party.short} may suspend all payment for any day without one.⟧",
            ),
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "list",
            f"Letters of credit, {c.party.short} and others",
            "4.4",
            world.past(rng, (0.02, 0.1)),
            table(
                "Number|Bank|Beneficiary|USD|Line",
                Row((number, bank.short, c.party.short, face, line), "ends"),
                sheet="Letters",
            ),
            kinds=("xlsx",),
        ),
    ]
    return _falls(
        world,
        c,
        decoy,
        papers,
        face,
        "letter of credit",
        ("letter of credit", "lc ", "l/c", number.lower()),
        "it is drawn on the target's own line",
    )


def _surety(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A bond rests on the seller's indemnity; the decoy's surety has taken the buyer's."""
    c, face = contract(world, rng, "Works Contract"), _face(world, rng)
    surety = world.company(rng, "insurer")
    papers = [
        paper(
            "agreement",
            f"Works Contract - {c.party.short}",
            "6.1",
            c.signed,
            TEXT,
            (
                "Bond",
                f"⟦clause|The Contractor maintains a performance bond of {millions(face)} until the works are handed over, on pain of the Owner's ending the contract.⟧",
            ),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "bond",
            f"Bond file {c.party.short}",
            "4.4",
            c.signed,
            f"⟦ends|{surety.name} stands behind the bond for {c.party.short} on the indemnity of {world.seller.short}; it withdraws once {world.seller.short} no longer owns the principal.⟧",
            sign(surety, world.person(rng, "Underwriter", surety)),
            kinds=("docx", "txt"),
        ),
    ]
    if decoy:
        papers.append(
            mail(
                "taken",
                f"Bond for {c.party.short} after the sale",
                "6.6",
                world.past(rng, (0.01, 0.04)),
                world.person(rng, "Surety Manager", surety),
                world.officers["cfo"],
                f"⟦taken|We hold the signed indemnity of {world.buyer.short} since this morning. The bond for {c.party.short} remains in place through and after the sale.⟧",
            )
        )
    return _falls(
        world,
        c,
        decoy,
        papers,
        face,
        "performance bond",
        ("bond",),
        "the surety has taken the buyer's indemnity and the bond remains in place",
    )


def _comfort(world: World, rng: random.Random, decoy: bool) -> Plant:
    """The seller's treasury announces by mail that its cover stops; the decoy's customer needs none any more."""
    c, face = contract(world, rng, "Prepaid Production Contract"), _face(world, rng)
    treasurer = world.person(rng, "Group Treasurer", world.seller)
    papers = [
        paper(
            "agreement",
            f"Prepaid Production Contract - {c.party.short}",
            "6.1",
            c.signed,
            table(
                "Condition of advance payments|Detail",
                Row(
                    (
                        "Deposit",
                        f"{c.party.short} pays ahead only while a group guarantee over USD {face:,} covers what it has paid; else the money goes back in five days",
                    ),
                    "clause",
                ),
            ),
            signed_by(world, rng, c.party),
            kinds=("docx",),
            parties=(world.target.name, c.party.name),
        ),
        mail(
            "stop",
            f"Cover for {c.party.short}",
            "4.4",
            world.past(rng, (0.02, 0.06)),
            treasurer,
            world.officers["cfo"],
            f"⟦ends|As discussed, our group guarantee towards {c.party.short} stops with the sale of your company. We have no reason to leave it standing for a stranger.⟧",
            treasurer.name,
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "rider",
                f"Rider to Prepaid Production Contract - {c.party.short}",
                "6.5",
                world.past(rng, (0.01, 0.02)),
                f"⟦rider|The prepaid lots having all been delivered, {c.party.short} asks for no cover from now on; the row “Deposit” is void.⟧",
                signed_by(world, rng, c.party),
                parties=(c.party.name,),
            )
        )
    return _falls(
        world,
        c,
        decoy,
        papers,
        face,
        "group guarantee",
        ("guarant", "cover"),
        f"{c.party.short} no longer requires cover",
    )


def _agreement_says(world: World, rng: random.Random, decoy: bool) -> Plant:
    """The deal's agreement ends the seller's support; a slide shows a customer that lives on it. The decoy's deposit has taken its place."""
    c, face = contract(world, rng, "Trading Membership", "channel"), _face(world, rng)
    papers = [
        paper(
            "agreement",
            f"Rules for members: {c.party.short}",
            "6.3",
            c.signed,
            Heading("Standing"),
            f"⟦clause|A member shows standby credit of USD {face:,} from a first-class parent, or is shut out the same evening. This is how {world.target.short} was admitted to {c.party.short}.⟧",
            kinds=("pptx", "docx"),
            parties=(c.party.name,),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "deposit",
                f"Deposit receipt of {c.party.short}",
                "4.4",
                world.past(rng, (0.03, 0.2)),
                f"⟦deposit|{c.party.short} has received a deposit of USD {face:,} from {world.target.short} out of its own means and needs no parent's credit as long as it holds it.⟧",
                kinds=("txt", "docx"),
                parties=(c.party.name,),
            )
        )
    ends = Added(
        "merger_agreement",
        Para(
            f"⟦ends|At the Closing all standby credit that {world.seller.short} provides for the Company, that for {c.party.short} included, ends and is returned.⟧"
        ),
        "Covenants",
    )
    return _falls(
        world,
        c,
        decoy,
        papers,
        face,
        "standby credit",
        ("standby", "credit"),
        f"{c.party.short} holds a deposit of the target instead",
        ends,
    )


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        44,
        "guarantee_falls_away",
        "Contracts",
        "Support that the seller gives falls away at closing",
        "cross-document",
        "Medium",
        (
            Way("parent guarantee", "train", _parent_guarantee),
            Way("list of letters of credit", "train", _letter_list),
            Way("performance bond", "dev", _surety),
            Way("mail of the treasury", "test", _comfort),
            Way("the deal's own agreement", "test", _agreement_says),
        ),
    ),
)

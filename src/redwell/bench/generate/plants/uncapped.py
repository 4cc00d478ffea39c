"""Plants of contracts that leave the target's liability without a limit (archetype 35)."""

from __future__ import annotations

import random
from datetime import timedelta

from redwell.bench.generate.papers import (
    Change,
    Paper,
    Row,
)
from redwell.bench.generate.plants.pieces import (
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
    fact,
    precision,
    recommendation,
    usd,
)
from redwell.bench.generate.world import Contract, World
from redwell.bench.generate.writing import (
    both,
    millions,
    money,
    percent,
)


def _without_limit(
    world: World, c: Contract, decoy: bool, papers: list[Paper], heads: str, stems: tuple[str, ...], because: str
) -> Plant:
    """The rubric of archetype 35: for `heads` (with `stems` as a report may name them) there is no limit."""
    party = c.party.short
    return finish(
        f"{party}: liability under the {c.title} {'is limited' if decoy else 'is unlimited'}",
        decoy,
        papers,
        [
            fact(
                f"{party} liability unlimited for {heads}",
                f"PASS if the report states that the target's liability to {party} is unlimited for {heads}.",
                [(party,)],
                [
                    (
                        "unlimited",
                        "uncapped",
                        "no cap",
                        "without limit",
                        "without a cap",
                        "not capped",
                        "no limit",
                        "whatever its amount",
                        "cap does not",
                    ),
                    stems,
                ],
            ),
            fact(
                f"{party} pays {money(c.annual)} a year",
                f"PASS if the report states that {party} pays {money(c.annual)} a year, against which the open liability stands.",
                [(party,)],
                [],
                usd(c.annual),
            ),
            conclusion(
                f"{party} loss could exceed the contract",
                f"PASS if the report concludes that a loss of {party} could far exceed the fees of the contract or the target's insurance.",
                [(party,)],
                [("exceed", "disproportion", "out of proportion", "beyond", "outweigh", "far above", "many times")],
            ),
            recommendation(
                f"Cap or insure the {party} liability",
                f"PASS if the report recommends negotiating a cap with {party}, a specific indemnity, or checking insurance for it.",
                [(party,)],
                [("cap", "limit", "indemn", "insur", "renegotiat")],
            ),
        ],
        [
            precision(
                f"{party} liability is not reported as unlimited",
                f"PASS if the report does not assert that the target's liability to {party} is unlimited or uncapped; {because}.",
                [(party,)],
                [("unlimited", "uncapped", "no cap", "without limit", "not capped", "without a cap")],
                unless=(
                    "was capped",
                    "now capped",
                    "is capped",
                    "capped at",
                    "limited to",
                    "not unlimited",
                    "prevails",
                    "not signed",
                    "never signed",
                    *FORMER,
                ),
            )
        ],
        because,
    )


def _carve_out(world: World, rng: random.Random, decoy: bool) -> Plant:
    """The carve-out eats up the cap; the decoy's amendment sets a higher cap for what was carved out."""
    c = contract(world, rng, "Cloud Platform Agreement")
    papers = [
        paper(
            "agreement",
            f"Cloud Platform Agreement - {c.party.short}",
            "6.1",
            c.signed,
            TEXT,
            ("Fees", f"⟦fees|{c.party.short} pays {money(c.annual)} per contract year.⟧"),
            (
                "Limitation of Liability",
                "⟦clause|Provider's total liability shall not exceed the fees of twelve months, except that the foregoing limit does not apply to loss of data, breach of confidentiality or interruption of service.⟧",
            ),
            TEXT,
            signed_by(world, rng, c.party),
            avoid=(*QUIET, "liability", "confidentiality"),
            parties=(world.target.name, c.party.name),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "amendment",
                f"Amendment No. 1 to Cloud Platform Agreement - {c.party.short}",
                "6.5",
                world.past(rng, (0.2, 0.8)),
                (
                    "Super-cap",
                    f"⟦cap|For loss of data, breach of confidentiality and interruption of service together, Provider's liability shall not exceed {both(24)} months' fees.⟧",
                ),
                signed_by(world, rng, c.party),
                avoid=(*QUIET, "liability"),
                parties=(world.target.name, c.party.name),
            )
        )
    return _without_limit(
        world,
        c,
        decoy,
        papers,
        "loss of data, breach of confidentiality and interruption of service",
        ("data", "confidential", "interruption"),
        "an amendment caps these heads at twenty-four months' fees",
    )


def _conditions(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Purchase conditions without a limit; the decoy's order says that its own limit goes before them."""
    c = contract(world, rng, "Purchase Order")
    number = world.code(rng, "PO-")
    last = (
        [
            f"⟦limit|In any conflict this order goes before the conditions. Liability for damages of every kind ends at {percent(100)} of the order's value.⟧"
        ]
        if decoy
        else []
    )
    papers = [
        paper(
            "order",
            f"Purchase Order {number}",
            "6.1",
            c.signed,
            f"{c.party.name} orders under {{@conditions}}.",
            f"⟦fees|Value of {number}: {money(c.annual)} a year.⟧",
            *last,
            signed_by(world, rng, c.party),
            kinds=("txt", "docx"),
            avoid=(*QUIET, "liability"),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "conditions",
            f"Purchasing conditions of {c.party.short}",
            "6.1",
            None,
            TEXT,
            (
                "Damages",
                f"⟦clause|Supplier answers for all damage from defects and delay, lost production of {c.party.short} included, without limit of amount.⟧",
            ),
            avoid=(*QUIET, "liability"),
            parties=(c.party.name,),
        ),
    ]
    return _without_limit(
        world,
        c,
        decoy,
        papers,
        "damage from defects and delay",
        ("defect", "delay", "lost production"),
        "the order's own limit goes before the conditions",
    )


def _key_terms(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A workbook of what was agreed in negotiation; the row for delay is empty of a limit, or refers to one on another sheet."""
    c = contract(world, rng, "Plant Construction Terms")
    limit = (
        "Overall limit of ten per cent of the price, see sheet Limits" if decoy else "None; contractor answers in full"
    )
    tables = [
        table(
            "Topic|Agreed between the parties",
            Row(("Price per year of building", c.annual), "fees"),
            ("Warranty", "Two years"),
            Row(("Ceiling for delay and missed output", limit), "clause"),
            sheet="Negotiated",
        )
    ]
    if decoy:
        tables.append(
            table(
                "Limit|Per cent of price",
                Row(("Delay and missed output, all events taken together", 10), "limit"),
                sheet="Limits",
            )
        )
    papers = [
        paper(
            "agreement",
            f"Plant Construction Terms {c.party.short}",
            "6.1",
            c.signed,
            *tables,
            kinds=("xlsx",),
            parties=(world.target.name, c.party.name),
        )
    ]
    return _without_limit(
        world,
        c,
        decoy,
        papers,
        "delay and missed output",
        ("delay", "output"),
        "an overall limit of ten per cent applies",
    )


def _guarantee_letter(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A letter after an incident promises to make good every loss; the decoy's customer took a fixed sum and gave the letter back."""
    c = contract(world, rng, "Records Storage Contract")
    day = world.past(rng, (0.5, 1.0))
    papers = [
        paper(
            "agreement",
            f"Records Storage Contract - {c.party.short}",
            "6.1",
            c.signed,
            TEXT,
            ("Charges", f"⟦fees|Charges run at {millions(c.annual)} yearly.⟧"),
            avoid=(*QUIET, "liability"),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "letter",
            f"After the water damage - {c.party.short}",
            "6.5",
            day,
            f"⟦clause|You have our word that, should water or fire reach your records again, {world.target.short} makes good the whole of your loss, however large it turns out to be and notwithstanding anything in the contract.⟧",
            "Accepted, and made part of the contract:",
            signed_by(world, rng, c.party),
            parties=(c.party.name,),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "release",
                f"Release by {c.party.short}",
                "6.6",
                day + timedelta(days=120),
                f"⟦release|Having received one month's charges, {c.party.short} returns the letter about water and fire, which binds nobody any more; the ceiling of the contract (one year's charges) governs future events.⟧",
                sign(c.party, world.person(rng, "Records Manager", c.party)),
                parties=(c.party.name,),
            )
        )
    return _without_limit(
        world,
        c,
        decoy,
        papers,
        "water or fire damage to records",
        ("water", "fire"),
        "the letter was given back and a ceiling of one year's charges governs",
    )


def _struck(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A tracked change strikes the limit; for the decoy it stands in a draft that a mail says was turned down."""
    c = contract(world, rng, "Device Supply Deed")
    buyer = world.person(rng, "Legal Director", c.party)
    papers = [
        paper(
            "agreement",
            f"Device Supply Deed - {c.party.short}",
            "6.1",
            c.signed,
            TEXT,
            Change(
                "For injury and recall the manufacturer is liable",
                " up to twice the yearly price",
                " to the full extent of the loss",
                ", whoever first discovers the fault.",
                buyer.name,
                "clause",
            ),
            ("Yearly price", f"⟦fees|USD {c.annual:,}.⟧"),
            signed_by(world, rng, c.party, ours=not decoy, theirs=not decoy),
            avoid=(*QUIET, "liability"),
            parties=(world.target.name, c.party.name),
            status="draft" if decoy else "",
        ),
    ]
    if decoy:
        papers.append(
            mail(
                "refused",
                f"Your draft - {c.party.short}",
                "6.5",
                c.signed + timedelta(days=5),
                world.officers["gc"],
                buyer,
                "⟦refused|We cannot take out the ceiling. As you agreed on the telephone, the deed is concluded by this message and your reply with twice the yearly price as the ceiling for injury and recall.⟧",
                f"Reply by {buyer.name}: agreed and concluded.",
                about=c.party.name,
            )
        )
    return _without_limit(
        world,
        c,
        decoy,
        papers,
        "injury and recall",
        ("injury", "recall"),
        "the ceiling of twice the yearly price was kept",
    )


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        35,
        "uncapped_liability",
        "Contracts",
        "The target's liability has no limit",
        "direct",
        "Medium",
        (
            Way("carve-out from the cap", "train", _carve_out),
            Way("conditions of purchase", "train", _conditions),
            Way("negotiated terms", "dev", _key_terms),
            Way("letter after damage", "test", _guarantee_letter),
            Way("tracked change", "test", _struck),
        ),
    ),
)

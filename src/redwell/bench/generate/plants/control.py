"""Plants of contracts that need a consent to the change of control (archetype 23)."""

from __future__ import annotations

import random

from redwell.bench.generate.papers import (
    Added,
    Clause,
    Filler,
    Paper,
    Para,
    Row,
    Sign,
    Signatures,
    Table,
)
from redwell.bench.generate.plants.pieces import (
    signed_by,
)
from redwell.bench.generate.recipe import (
    Draft,
    Gap,
    Plant,
    Recipe,
    Way,
    absence,
    conclusion,
    exposure,
    fact,
    precision,
    recommendation,
    usd,
)
from redwell.bench.generate.world import Company, Contract, World
from redwell.bench.generate.writing import (
    both,
    money,
    us_date,
)

CONSENT = ("consent", "approval")


def _customer(world: World, rng: random.Random, title: str, kind: str = "customer") -> Contract:
    contract = Contract(
        world.company(rng),
        title,
        kind,
        signed=world.past(rng, (1, 4)),
        expires=world.ahead(rng, (1, 3)),
        annual=world.sum(rng, 0.004, 0.03, 10_000),
        folder="6.1",
    )
    world.contracts.append(contract)
    return contract


def _consent_letter(world: World, rng: random.Random, of: Company, title: str, words: str, *, signed: bool) -> Paper:
    """The consent itself in the words of its way: executed for a decoy, an unsigned form as a near miss of an issue."""
    signer = world.person(rng, "Vice President, Contracts", of)
    return Paper(
        "consent",
        f"{title} - {of.short}",
        "6.6",
        world.past(rng, (0.02, 0.1)) if signed else None,
        [
            Para(f"{of.name} to {world.target.name}"),
            Para(f"⟦consent|{words}⟧"),
            Signatures((Sign(of.name, signer.name if signed else "", signer.title if signed else "", signed),)),
        ],
        avoid=("assignment", "control"),
        parties=(of.name, world.target.name),
        status="" if signed else "form",
    )


def _criteria(contract: Contract, decoy: bool, terms: tuple[str, ...]) -> tuple[list[Draft], list[Gap]]:
    """The rubric that all ways of archetype 23 share; what differs is how the papers say it."""
    party = (contract.party.short,)
    if decoy:
        return [
            precision(
                f"{contract.party.short} consent is not reported as open",
                f"PASS if the report does not assert that the consent of {contract.party.short} to the change of control is missing or outstanding; "
                "the room holds it, executed.",
                [party, CONSENT],
                [
                    (
                        "missing",
                        "no executed",
                        "not in the room",
                        "outstanding",
                        "has not been obtained",
                        "not obtained",
                        "unsigned",
                        "no consent",
                    )
                ],
                unless=(
                    "the executed consent",
                    "its executed consent",
                    "consent was given",
                    "consent was obtained",
                    "has consented",
                    "signed its consent",
                    "consent is in the room",
                    "consented to the",
                ),
            )
        ], []
    return [
        fact(
            f"{contract.party.short} agreement needs consent to a change of control",
            f"PASS if the report states that the {contract.title} with {contract.party.short} requires {contract.party.short}'s consent to a change of control.",
            [party],
            [
                ("consent", "approv"),
                ("change of control", "change in control", "control", "ownership", "merger", "acquisition"),
                ("requir", "need", "without", "subject to", "condition", "must", "unless", "only with", "depends on"),
            ],
        ),
        absence(
            f"{contract.party.short} consent is missing",
            f"PASS if the report states that no executed consent of {contract.party.short} is in the data room.",
            [party],
            CONSENT,
        ),
        conclusion(
            f"{contract.party.short} may end the agreement",
            f"PASS if the report concludes that {contract.party.short} could terminate, or that revenue under its agreement is at risk, if the deal closes without its consent.",
            [party],
            [
                (
                    "terminate",
                    "right of termination",
                    "termination right",
                    "risk of termination",
                    "at risk",
                    "cancel",
                    "breach",
                    "default",
                    "lose",
                    "loss of",
                )
            ],
        ),
        exposure(
            f"{contract.party.short} revenue at stake",
            f"PASS if the report gives annual revenue of {money(contract.annual)} (or an equivalent rounding) as at stake under the {contract.party.short} agreement.",
            [party],
            usd(contract.annual),
        ),
        recommendation(
            f"Obtain {contract.party.short} consent",
            f"PASS if the report recommends obtaining {contract.party.short}'s consent before, or as a condition of, closing.",
            [party],
            [("obtain", "seek", "condition", "secure", "request", "procure"), CONSENT],
        ),
    ], [
        Gap(
            f"executed consent of {contract.party.short}",
            (contract.party.short.lower(), *terms),
            ("consent",),
        )
    ]


def _plant(
    world: World,
    rng: random.Random,
    decoy: bool,
    contract: Contract,
    papers: list[Paper],
    letter: tuple[str, str],
    terms: tuple[str, ...],
    added: tuple[Added, ...] = (),
) -> Plant:
    """`letter`: the title and words of the consent; `terms` are words of it that stand in nothing else."""
    criteria, gaps = _criteria(contract, decoy, terms)
    papers.append(_consent_letter(world, rng, contract.party, *letter, signed=decoy))
    return Plant(
        f"{contract.party.short}: consent to the change of control {'is in the room' if decoy else 'is missing'}",
        papers,
        criteria,
        list(added),
        gaps,
        exposure=None if decoy else usd(contract.annual),
        because=f"{contract.party.short} has signed its consent" if decoy else "",
    )


def _by_clause(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A plain clause in the master agreement; the value stands in its schedule."""
    contract = _customer(world, rng, "Master Services Agreement")
    notice = rng.choice((30, 45, 60, 90))
    paper = Paper(
        "agreement",
        f"Master Services Agreement - {contract.party.short}",
        "6.1",
        contract.signed,
        [
            Para(
                f"This Master Services Agreement is made on {us_date(contract.signed)} between {world.target.name} and {contract.party.name}."
            ),
            Filler("contract"),
            Clause(
                "Change of Control",
                f"⟦clause|If {world.target.short} undergoes a Change of Control without the prior written consent of {contract.party.short}, {contract.party.short} may "
                f"terminate this Agreement on {both(notice)} days' notice.⟧ Consent shall not be conditioned on payment.",
            ),
            Clause("Fees", f"⟦value|Fees for each contract year amount to {money(contract.annual)}.⟧"),
            Filler("contract"),
            signed_by(world, rng, contract.party),
        ],
        avoid=("assignment", "control", "termination", "pricing"),
        parties=(world.target.name, contract.party.name),
    )
    letter = (
        "Consent Letter",
        f"{contract.party.short} consents to the transaction announced with {world.buyer.short} and to the continuation of the {contract.title} after it, without change to its terms.",
    )
    return _plant(world, rng, decoy, contract, [paper], letter, ("consents to the transaction",))


def _by_amendment(world: World, rng: random.Random, decoy: bool) -> Plant:
    """The master is silent; its second amendment puts the consent in, with the term defined there."""
    contract = _customer(world, rng, "Supply Agreement")
    amended = world.past(rng, (0.3, 0.9))
    master = Paper(
        "agreement",
        f"Supply Agreement - {contract.party.short}",
        "6.1",
        contract.signed,
        [
            Para(
                f"Supply Agreement between {world.target.name} and {contract.party.name}, {us_date(contract.signed)}."
            ),
            Filler("contract"),
        ],
        avoid=("assignment", "control", "termination", "pricing"),
        parties=(world.target.name, contract.party.name),
    )
    amendment = Paper(
        "amendment",
        f"Amendment No. 2 to Supply Agreement - {contract.party.short}",
        "6.5",
        amended,
        [
            Para(f"Amendment No. 2, effective {us_date(amended)}, to the {{@agreement}}."),
            Clause(
                "New Section 17A",
                "⟦clause|No transfer of a majority of the voting power of Supplier, in one step or several, takes effect against Customer unless Customer has approved it beforehand by a signed instrument.⟧",
            ),
            Clause(
                "Consequence",
                "⟦effect|A transfer that has not been so approved entitles Customer to cancel all open orders and to leave the Supply Agreement.⟧",
            ),
            Clause(
                "Volume", f"⟦value|The parties expect purchases of {money(contract.annual)} in every twelve months.⟧"
            ),
        ],
        avoid=("control", "termination"),
        parties=(world.target.name, contract.party.name),
    )
    letter = (
        "Approval under Section 17A",
        f"By this instrument {contract.party.short} approves the sale of all shares of {world.target.short} to {world.buyer.short}; open orders stand.",
    )
    return _plant(world, rng, decoy, contract, [master, amendment], letter, ("approves the sale of all shares",))


def _by_schedule(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Only the disclosure schedule's list says that consent is needed; the contract defines control by votes in an annex."""
    contract = _customer(world, rng, "Framework Agreement")
    paper = Paper(
        "agreement",
        f"Framework Agreement - {contract.party.short}",
        "6.1",
        contract.signed,
        [
            Para(
                f"Framework Agreement, {us_date(contract.signed)}: {contract.party.name} (Buyer) and {world.target.name} (Vendor)."
            ),
            Filler("contract"),
            Clause(
                "Corporate Events",
                "⟦clause|Vendor shall not permit a Corporate Event to occur save with Buyer's agreement in writing, failing which Buyer is released from its commitments under this Framework Agreement.⟧",
            ),
            Para("Annex 1: Definitions"),
            Para(
                "⟦definition|“Corporate Event” is any transaction by which persons who did not hold them before come to hold more than half of Vendor's votes.⟧"
            ),
        ],
        avoid=("assignment", "control", "termination"),
        parties=(world.target.name, contract.party.name),
    )
    listed = Added(
        "disclosure_schedule",
        Row(
            (contract.party.name, contract.title, "Corporate Event (Buyer's agreement)", money(contract.annual)),
            "value",
        ),
        "4.13 Material Contracts",
    )
    letter = (
        "Agreement to Corporate Event",
        f"{contract.party.short}, as Buyer, agrees that the acquisition of the Vendor by {world.buyer.short} may occur and that its commitments remain as they are.",
    )
    return _plant(world, rng, decoy, contract, [paper], letter, ("agrees that the acquisition",), (listed,))


def _by_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A mail from the customer's counsel insists on its right under terms kept in a workbook."""
    contract = _customer(world, rng, "Purchase Terms")
    lawyer = world.person(rng, "Associate General Counsel", contract.party)
    mail = Paper(
        "mail",
        f"Your ownership - {contract.party.short} purchase terms",
        "6.5",
        world.past(rng, (0.1, 0.4)),
        [
            Para(f"Dear {world.officers['gc'].first},"),
            Para(
                f"⟦clause|You will recall that under row 14 of the purchase terms our sign-off is required before {world.target.short} passes into other hands, and that we are free to stop buying if it does so without it.⟧"
            ),
            Para(lawyer.name),
        ],
        kinds=("eml",),
        sender=lawyer.email,
        to=world.officers["gc"].email,
        parties=(contract.party.name,),
    )
    terms = Paper(
        "agreement",
        f"Purchase Terms {contract.party.short}",
        "6.1",
        contract.signed,
        [
            Table(
                ("No.", "Subject", "Term"),
                (
                    Row((12, "Delivery", "DAP, Incoterms 2020")),
                    Row((13, "Annual spend", f"USD {contract.annual:,}"), "value"),
                    Row(
                        (
                            14,
                            "Ownership of vendor",
                            "Sign-off by customer before any sale of the vendor; otherwise purchases may stop",
                        ),
                        "term",
                    ),
                ),
                sheet="Terms",
            )
        ],
        kinds=("xlsx",),
        parties=(world.target.name, contract.party.name),
    )
    letter = (
        "Sign-off row 14",
        f"Sign-off given under row 14: {contract.party.short} has no objection to {world.buyer.short} as the new owner and goes on buying.",
    )
    return _plant(world, rng, decoy, contract, [mail, terms], letter, ("has no objection",))


def _by_statement(world: World, rng: random.Random, decoy: bool) -> Plant:
    """An order form that takes over the customer's conditions, which are in an exhibit of their own and speak of beneficial owners."""
    contract = _customer(world, rng, "Order Form")
    order = Paper(
        "agreement",
        f"Order Form - {contract.party.short}",
        "6.1",
        contract.signed,
        [
            Para(
                f"Order Form of {contract.party.name} with {world.target.name}, {us_date(contract.signed)}. The {{@conditions}} apply."
            ),
            Para(f"⟦value|Annual charge: {contract.annual / 1e6:.2f} million US dollars.⟧"),
        ],
        kinds=("docx", "txt"),
        avoid=("assignment", "control", "termination", "pricing"),
        parties=(world.target.name, contract.party.name),
    )
    conditions = Paper(
        "conditions",
        f"General Conditions of Purchase of {contract.party.short}",
        "6.1",
        None,
        [
            Filler("contract"),
            Clause(
                "Continuity",
                "⟦clause|Where the beneficial owners of a Contractor change, the engagement lapses on the day of the change, except to the extent that the Company countersigned a statement of continuity before that day.⟧",
            ),
        ],
        avoid=("assignment", "control", "termination"),
        parties=(contract.party.name,),
    )
    letter = (
        "Statement of Continuity",
        f"{contract.party.short} countersigns this statement, by which the engagement continues with {world.buyer.short} as beneficial owner of the Contractor.",
    )
    return _plant(world, rng, decoy, contract, [order, conditions], letter, ("countersigns this statement",))


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        23,
        "change_of_control_consent",
        "Contracts",
        "Consent to the change of control is required and not in the room",
        "absence",
        "High",
        (
            Way("clause in the master", "train", _by_clause),
            Way("amendment defines it", "train", _by_amendment),
            Way("schedule and annex", "dev", _by_schedule),
            Way("mail and workbook", "test", _by_mail),
            Way("conditions by reference", "test", _by_statement),
        ),
    ),
)

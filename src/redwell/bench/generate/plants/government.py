"""Plants of set-aside awards that a larger owner loses (archetype 43)."""

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
from redwell.bench.generate.world import Company, Contract, Person, World
from redwell.bench.generate.writing import (
    millions,
    money,
)


def _award(world: World, rng: random.Random, title: str, body: str) -> tuple[Contract, str, int, int]:
    """A contract with a public body that no other room part names, its number, its ceiling and what was billed."""
    city = world.place(rng).city
    body = f"{city} {body}"
    number = world.code(rng, "PC-")
    ceiling = world.sum(rng, 0.03, 0.09, 100_000)
    billed = ceiling * rng.randrange(30, 65) // 100 // 1000 * 1000
    c = Contract(
        Company(body, body, "", f"{city.lower().replace(' ', '')}.example"),
        f"{title} {number}",
        "government",
        signed=world.past(rng, (1, 3)),
        expires=world.ahead(rng, (1, 3)),
        annual=billed // 2,
        folder="6.4",
    )
    world.contracts.append(c)
    return c, number, ceiling, billed


def _loses(
    c: Contract,
    decoy: bool,
    papers: list[Paper],
    number: str,
    ceiling: int,
    billed: int,
    status: str,
    stems: tuple[str, ...],
    because: str,
) -> Plant:
    """The rubric of archetype 43: award `number` needs `status` (`stems` as a report may name it); what is left of its ceiling is at stake."""
    left = ceiling - billed
    return finish(
        f"{number}: the award {'does not depend on' if decoy else 'depends on'} the target's status",
        decoy,
        papers,
        [
            fact(
                f"{number} needs {status}",
                f"PASS if the report states that award {number} was made on the basis of, or requires, {status}.",
                [(number,)],
                [stems],
            ),
            fact(
                f"{number} ceiling and billed",
                f"PASS if the report states that award {number} has a ceiling of {money(ceiling)}, of which {money(billed)} has been billed.",
                [(number,)],
                [],
                usd(ceiling),
                usd(billed),
            ),
            exposure(
                f"{number} remaining ceiling",
                f"PASS if the report gives {money(left)} (or an equivalent rounding) as the remaining ceiling of award {number} at risk.",
                [(number,)],
                usd(left),
            ),
            conclusion(
                f"{number} at risk after closing",
                f"PASS if the report concludes that once a larger owner holds the target, award {number} may be ended, not extended or not ordered from.",
                [(number,)],
                [
                    (
                        "terminate",
                        "right of termination",
                        "termination right",
                        "risk of termination",
                        "ended",
                        "not be extended",
                        "not extended",
                        "no option",
                        "not be exercised",
                        "lose",
                        "loss",
                        "ineligib",
                        "no further",
                        "not order",
                        "at risk",
                    )
                ],
            ),
            recommendation(
                f"Plan for {number}",
                f"PASS if the report recommends a waiver, novation or talk with the contracting authority on award {number}, or a price that leaves it out.",
                [(number,)],
                [("waiver", "novat", "contracting", "authority", "agency", "price", "exclud", "approval")],
            ),
            sources(
                f"{number}: terms and billing cited",
                f"PASS if the report cites both the terms of award {number} and the record of billing.",
                [(number,)],
                "clause",
                "billed",
            ),
        ],
        [
            precision(
                f"{number} is not reported as lost",
                f"PASS if the report does not assert that award {number} is at risk because the target loses {status}; {because}.",
                [(number,)],
                [
                    (
                        "at risk",
                        "lose",
                        "loss",
                        "terminate",
                        "right of termination",
                        "termination right",
                        "risk of termination",
                        "ineligib",
                        "not be extended",
                    )
                ],
                unless=(
                    "not at risk",
                    "not depend",
                    "does not require",
                    "full and open",
                    "waiver was",
                    "waived",
                    "has waived",
                    "granted",
                    "not lose",
                    "unaffected",
                    "without regard",
                    "not set aside",
                    "kept",
                ),
            )
        ],
        because,
        value=usd(left),
    )


def _size_again(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A federal award set aside for small business; the decoy's modification dissolves the set-aside."""
    c, number, ceiling, billed = _award(world, rng, "Award", "Contracting Center")
    papers = [
        paper(
            "agreement",
            f"Award {number} - {c.party.short}",
            "6.4",
            c.signed,
            f"Award {number} of the {c.party.name} to {world.target.name}.",
            (
                "Basis",
                f"⟦clause|Award {number} was set aside for small business. Within 30 days of a merger or acquisition the contractor represents its size anew, its affiliates included; once it is other than small, no option is exercised and no order placed under {number}.⟧",
            ),
            ("Ceiling", f"⟦ceiling|Total ceiling: {money(ceiling)}.⟧"),
            Filler("contract"),
        ),
        paper(
            "billing",
            f"Billing under {number}",
            "6.4",
            world.past(rng, (0.01, 0.05)),
            table("Award|Billed to date USD", Row((number, billed), "billed"), sheet="Billing"),
            kinds=("xlsx",),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "modification",
                f"Modification A00003 to {number}",
                "6.5",
                world.past(rng, (0.1, 0.4)),
                f"⟦modification|The set-aside of award {number} is dissolved, and the size of the contractor is without effect on options and orders for the rest of its term.⟧",
                sign(c.party, world.person(rng, "Contracting Officer", c.party)),
            )
        )
    return _loses(
        c,
        decoy,
        papers,
        number,
        ceiling,
        billed,
        "small business status",
        ("small business", "small", "set-aside", "set aside", "size"),
        "a modification dissolved the set-aside",
    )


def _small(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A schedule of an order in a workbook: set aside for small business, or competed by all."""
    c, number, ceiling, billed = _award(world, rng, "Task Order Contract", "Supply Office")
    basis = (
        "Full and open competition; size of the contractor plays no part"
        if decoy
        else "Total small business set-aside; orders only while the contractor represents itself as small (FAR 52.219-28: new representation 30 days after a merger)"
    )
    officer = Person(
        "Lena",
        world.person(rng, "Contract Specialist").last,
        "Contract Specialist",
        f"contracts@{c.party.domain}",
        c.party.name,
    )
    papers = [
        paper(
            "agreement",
            f"Task Order Contract {number}",
            "6.4",
            c.signed,
            table(
                "Block|Entry",
                ("Number", number),
                Row((f"Basis of {number}", basis), "clause"),
                Row((f"Maximum of {number}", ceiling), "ceiling"),
                sheet="Cover",
            ),
            kinds=("xlsx",),
        ),
        mail(
            "billed",
            f"Orders under {number}",
            "6.4",
            world.past(rng, (0.01, 0.06)),
            officer,
            world.officers["controller"],
            f"⟦billed|Our records show {money(billed)} of orders invoiced and paid under {number}. Please tell us of any merger as the representation clause asks.⟧",
            about=c.party.name,
        ),
    ]
    return _loses(
        c,
        decoy,
        papers,
        number,
        ceiling,
        billed,
        "small business status",
        ("small business", "small", "set-aside", "set aside", "size status"),
        "it was won in full and open competition",
    )


def _independent(world: World, rng: random.Random, decoy: bool) -> Plant:
    """An award for firms that no maker of equipment owns, and the buyer is one; a later modification of the decoy ends the reservation."""
    c, number, ceiling, billed = _award(world, rng, "Services Contract", "Inspection Bureau")
    papers = [
        paper(
            "agreement",
            f"Services Contract {number}",
            "6.4",
            c.signed,
            Filler("contract"),
            (
                "Who may perform",
                f"⟦clause|{number} was reserved for inspectors that no maker of rated equipment owns or controls. One that comes under a maker tells us at once, and no option year is taken up with it.⟧",
            ),
            signed_by(world, rng, c.party),
        ),
        paper(
            "billed",
            f"Progress on {number}",
            "6.4",
            world.past(rng, (0.02, 0.1)),
            f"⟦billed|Of the {millions(ceiling)} that {number} may cost over all its years, {millions(billed)} had been invoiced at the last count.⟧",
            f"⟦maker|The bidder, {world.buyer.short}, makes rated equipment in two plants.⟧",
            Filler("report"),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "modification",
                f"Modification P00007 to {number}",
                "6.5",
                world.past(rng, (0.1, 0.5)),
                f"⟦modification|The reservation is taken off {number}: from here on its option years are open to {world.target.short} whoever owns it.⟧",
                signed_by(world, rng, c.party),
            )
        )
    return _loses(
        c,
        decoy,
        papers,
        number,
        ceiling,
        billed,
        "independence of makers of equipment",
        ("independen", "maker", "reserved", "manufacturer", "own"),
        "a modification took the reservation off",
    )


def _flow_down(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A prime's subcontract counts on a small supplier; a letter holds figures. The decoy's prime has met its goals otherwise."""
    prime = contract(world, rng, "Subcontract", "government", (0.002, 0.006))
    number = world.code(rng, "SC-")
    prime.title = f"Subcontract {number}"
    ceiling = world.sum(rng, 0.03, 0.08, 100_000)
    billed = ceiling * rng.randrange(35, 60) // 100 // 1000 * 1000
    lead = world.person(rng, "Small Business Liaison", prime.party)
    answer = (
        f"For the rest of {number} we have other small firms to report and will keep {world.target.short} on, large or small; treat this as our formal word under the supplier article"
        if decoy
        else f"For the rest of {number} we would have to look for another small firm, since our reports to the Navy leave us no slack"
    )
    papers = [
        paper(
            "agreement",
            f"Subcontract {number} - {prime.party.short}",
            "6.4",
            prime.signed,
            TEXT,
            (
                "Supplier",
                f"⟦clause|{number} is placed with Supplier because it is small by the standard of its trade; {prime.party.short} may stop ordering as soon as that changes.⟧",
            ),
            ("Amount", f"⟦ceiling|Not to exceed {money(ceiling)}.⟧"),
            signed_by(world, rng, prime.party),
            parties=(prime.party.name,),
        ),
        paper(
            "billed",
            f"{number}: where we are",
            "6.4",
            world.past(rng, (0.01, 0.06)),
            f"⟦billed|Paid so far against {number}: USD {billed:,}.⟧ ⟦answer|{answer}.⟧",
            sign(prime.party, lead),
            kinds=("docx", "txt"),
            parties=(prime.party.name,),
        ),
    ]
    return _loses(
        prime,
        decoy,
        papers,
        number,
        ceiling,
        billed,
        "small business status",
        ("small", "size"),
        "the prime has given its word to keep the target on",
    )


def _state(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A transit authority's programme for mid-sized firms; the decoy's rule looks at the day of the bid only."""
    c, number, ceiling, billed = _award(world, rng, "Frame Contract", "Transit Authority")
    when = (
        "on the day on which its bid is opened; what it grows to or who buys it later is of no interest"
        if decoy
        else "for as long as it is on the list; one that passes the number by being bought is dropped and gets no more call-offs"
    )
    papers = [
        paper(
            "agreement",
            f"Frame Contract {number}",
            "6.4",
            c.signed,
            f"⟦clause|{number} goes to mid-sized firms only, those with fewer than 2,000 staff, the parent's and its other companies' included. A firm must be mid-sized {when}.⟧",
            f"⟦ceiling|All call-offs together: up to USD {ceiling:,}.⟧",
            signed_by(world, rng, c.party),
            kinds=("txt", "docx"),
        ),
        paper(
            "billed",
            f"Public sector update ({number})",
            "3.5",
            world.past(rng, (0.02, 0.1)),
            Heading("Transit"),
            f"⟦billed|{number}: call-offs for USD {billed:,} delivered and paid.⟧",
            f"⟦staff|{world.buyer.short} and its companies employ about 11,000.⟧",
            kinds=("pptx", "docx"),
        ),
    ]
    return _loses(
        c,
        decoy,
        papers,
        number,
        ceiling,
        billed,
        "mid-sized status",
        ("mid-size", "midsize", "2,000", "staff", "size", "employees"),
        "only the day of the bid counts",
    )


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        43,
        "government_set_aside",
        "Contracts",
        "A public award rests on a status that the deal ends",
        "computed",
        "High",
        (
            Way("size represented anew", "train", _size_again),
            Way("cover of a task order", "train", _small),
            Way("reserved for independent firms", "dev", _independent),
            Way("subcontract and letter", "test", _flow_down),
            Way("mid-sized firms", "test", _state),
        ),
    ),
)

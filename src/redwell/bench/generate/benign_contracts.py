"""Everyday papers between the target and others: contracts, leases, assignments, a dismissal. What they tell goes into the world."""

from __future__ import annotations

import random
from datetime import date

from redwell.bench.generate.everyday import SILENT, Everyday
from redwell.bench.generate.papers import (
    Block,
    Change,
    Clause,
    Filler,
    Paper,
    Para,
    Sign,
    Signatures,
)
from redwell.bench.generate.world import Claim, Company, Contract, Employee, Right, Site, pick
from redwell.bench.generate.writing import both, money, us_date


def contract(every: Everyday, rng: random.Random) -> Paper:
    """A contract of the ordinary kind; its parties may go on whoever owns the target."""
    world = every.world
    kind, titles, folder, trade, low, high = pick(
        rng,
        (
            ("customer", ("Sales Agreement", "Service Agreement", "Master Purchase Agreement", "Support Agreement", "Rental Agreement"), "6.1", "", 0.0003, 0.004),
            ("customer", ("Order Agreement", "Framework Order", "Maintenance Agreement"), "6.1", "", 0.0003, 0.003),
            ("supplier", ("Supply Agreement", "Purchase Agreement", "Tolling Agreement", "Freight Services Agreement"), "6.2", "supply", 0.0003, 0.003),
            ("supplier", ("Cleaning Services Agreement", "Catering Agreement", "Security Services Agreement", "Waste Collection Agreement"), "6.2", "staffing", 0.0001, 0.0005),
            ("channel", ("Reseller Agreement", "Referral Agreement", "Dealer Agreement"), "6.3", "", 0.0002, 0.002),
            ("licence", ("Software Licence", "Subscription Agreement", "Content Licence"), "7.3", "software", 0.0001, 0.001),
            ("nda", ("Confidentiality Agreement", "Mutual Non-Disclosure Agreement"), "1.5", "fund", 0, 0),
        ),
    )  # fmt: skip
    contract = Contract(
        world.company(rng, trade),
        pick(rng, titles),
        kind,
        world.past(rng, (0.3, 5)),
        world.ahead(rng, (0.6, 4)),
        world.sum(rng, low, high, 1000) if high else 0,
        rng.choice(("No", "Not reviewed")),
        folder,
    )
    world.contracts.append(contract)
    party, ours = contract.party, world.target
    signer = world.person(rng, pick(rng, ("President", "Managing Director", "Vice President", "Director")), party)
    expires = us_date(contract.expires or world.deal.as_of)
    blocks: list[Block] = [
        Para(
            pick(
                rng,
                (
                    f"{contract.title} of {us_date(contract.signed)} between {ours.name} and {party.name}, a company under the law of {party.law}.",
                    f"{ours.name} and {party.name} ({party.law}) have entered into this {contract.title} on {us_date(contract.signed)}.",
                    f"Parties: {ours.name}; {party.name}, organised under the law of {party.law}. Date: {us_date(contract.signed)}.",
                ),
            )
        ),
        Clause("Subject", pick(rng, _SUBJECTS[kind]).format(us=ours.short, them=party.short, what=world.business)),
        Clause(
            "Duration",
            pick(
                rng,
                (
                    f"It begins on the date above and runs to {expires}.",
                    f"The fixed period ends on {expires}; the parties may prolong it in writing.",
                ),
            ),
        ),
    ]
    if contract.annual:
        blocks.append(
            Clause(
                "Charges",
                pick(
                    rng,
                    (
                        f"Charges come to about {money(contract.annual)} a year, invoiced monthly and due in {both(rng.choice((30, 45)))} days.",
                        f"The parties budget {money(contract.annual)} a year; actual charges follow the price list in force when an order is placed.",
                    ),
                ),
            )
        )
    if rng.random() < 0.12:
        days, before = rng.sample((20, 30, 45, 60), 2)
        blocks.append(
            Change(
                "Either side answers a question of the other about deliveries within ",
                both(before),
                both(days),
                " days.",
                signer.name,
            )
        )
    if rng.random() < 0.4:
        blocks.append(Clause("Successors", pick(rng, _SUCCESSORS)))
    ceo = world.officers["ceo"]
    blocks += [
        Filler("contract"),
        Signatures(
            (
                Sign(ours.name, ceo.name, ceo.title, day=contract.signed),
                Sign(party.name, signer.name, signer.title, day=contract.signed),
            )
        ),
    ]
    return Paper(
        "",
        f"{contract.title} - {party.short}",
        folder,
        contract.signed,
        blocks,
        avoid=(*SILENT, "term", "payment"),
        parties=(ours.name, party.name),
    )


_SUBJECTS = {
    "customer": (
        "{us} delivers goods and services to {them} as ordered from time to time.",
        "{them} buys from {us} what its orders describe, for use in its own business.",
        "{us} supplies {what} to {them} and looks after them once installed.",
    ),
    "supplier": (
        "{them} provides {us} with the goods or services that {us} calls off in writing.",
        "{us} may order from {them}; no quantity is promised on either side.",
    ),
    "channel": (
        "{them} may offer the products of {us} to its own customers, beside those of others.",
        "{them} introduces customers to {us} and receives a fee for orders that follow.",
    ),
    "licence": (
        "{them} lets {us} use its standard product for internal business purposes.",
        "{us} subscribes to a standard service of {them} for its staff.",
    ),
    "nda": (
        "{us} and {them} exchange information to find out whether they wish to do business.",
        "Each of {us} and {them} keeps to itself what it learns of the other in their talks.",
    ),
}
_SUCCESSORS = (
    "Either party may pass this agreement on to whoever takes over its business, by merger or otherwise, and tells the other so.",
    "A successor to the whole of a party's business steps into this agreement without further act.",
    "A sale of a party's shares leaves this agreement as it is.",
)


def employment(every: Everyday, rng: random.Random) -> Paper:
    world = every.world
    title = pick(
        rng,
        ("Sales Manager", "Line Supervisor", "Software Developer", "Buyer", "Controller Assistant", "Field Technician", "Marketing Specialist", "Planner"),
    )  # fmt: skip
    person = world.person(rng, title)
    started = world.past(rng, (0.3, 9))
    salary = round(rng.uniform(52_000, 160_000) / 500) * 500
    world.employees.append(Employee(person, world.sites[0].name, started, salary))
    hr = world.officers["chro"]
    return Paper(
        "",
        f"Employment Agreement - {person.name}",
        "9.1",
        started,
        [
            Para(f"{world.target.name} employs {person.name} as {title} from {us_date(started)}."),
            Clause("Pay", f"The yearly salary is {money(salary)}, paid in equal parts every second week."),
            Clause("Leave", f"{person.last} has {both(rng.randrange(15, 26))} days of paid leave in each calendar year."),
            Clause(
                "Inventions",
                f"{person.name} hereby assigns to {world.target.name} all rights in what {person.last} invents or writes in the course of the work.",
            ),
            Filler("contract"),
            Signatures(
                (
                    Sign(world.target.name, hr.name, hr.title, day=started),
                    Sign(person.name, person.name, title, day=started),
                )
            ),
        ],
        avoid=(*SILENT, "employment", "ip", "termination", "payment"),
        parties=(world.target.name, person.name),
    )  # fmt: skip


def lease(every: Everyday, rng: random.Random) -> Paper:
    world = every.world
    place, landlord = world.place(rng), world.company(rng, "landlord")
    use = pick(rng, ("sales office", "depot", "service centre", "storage unit"))
    signed, expires = world.past(rng, (0.5, 6)), world.ahead(rng, (0.6, 6))
    site = Site(
        f"{place.city} {use}",
        place,
        use,
        False,
        landlord,
        world.target.name,
        rng.randrange(2, 40) * 1000,
        world.sum(rng, 0.00005, 0.0006, 500),
        expires,
    )
    world.sites.append(site)
    return Paper(
        "",
        f"Lease - {site.name}",
        "11.1",
        signed,
        [
            Para(f"{landlord.name} lets to {world.target.name} the premises at {place.address}, from {us_date(signed)}."),
            Clause("Premises", f"The premises measure {site.area:,} square feet and serve as a {use}."),
            Clause("Rent and period", f"Rent is {money(site.rent)} a year in monthly parts. The lease ends on {us_date(expires)}."),
            Clause("Owners of the tenant", "Who owns the tenant is of no concern to the landlord."),
            Filler("contract"),
            Signatures(
                (
                    Sign(landlord.name, world.person(rng, "Manager", landlord).name, "Manager", day=signed),
                    Sign(world.target.name, world.officers["cfo"].name, "Chief Financial Officer", day=signed),
                )
            ),
        ],
        avoid=(*SILENT, "term", "payment"),
        parties=(landlord.name, world.target.name),
    )  # fmt: skip


def data_addendum(every: Everyday, rng: random.Random) -> Paper:
    world = every.world
    vendor = world.company(rng, "software")
    day = world.past(rng, (0.3, 3))
    return _signed(
        every,
        rng,
        f"Data Processing Addendum - {vendor.short}",
        "8.2",
        day,
        vendor,
        [
            Para(f"{vendor.name} handles personal data for {world.target.name} under this addendum of {us_date(day)}."),
            Clause(
                "Instructions",
                f"{vendor.short} acts only on written instructions and tells {world.target.short} of any breach within {both(rng.choice((24, 36, 48)))} hours.",
            ),
            Clause("Return", "At the end all data is given back or deleted, and this is confirmed in writing."),
            Filler("contract"),
        ],
        (*SILENT, "privacy"),
    )


def invention(every: Everyday, rng: random.Random) -> Paper:
    """A patent with its executed assignment."""
    world = every.world
    inventor = world.person(rng, "Engineer")
    filed = world.past(rng, (2, 10))
    number = f"US {rng.randrange(8, 12)},{rng.randrange(100, 1000)},{world.code(rng, digits=3)}"
    name = f"{pick(rng, ('Improved', 'Compact', 'Adjustable', 'Low-power'))} {pick(rng, ('housing', 'bracket', 'connector', 'enclosure', 'mounting'))} for the {pick(rng, world.products)}"
    world.rights.append(Right("patent", name, number, world.target.name, filed, "Granted", (inventor,)))
    return Paper(
        "",
        f"Executed Assignment {number} - {inventor.name}",
        "7.2",
        filed,
        [
            Para(f"For good consideration {inventor.name} hereby assigns to {world.target.name} all right in {number}, {name}."),
            Filler("letter"),
            Signatures((Sign(inventor.name, inventor.name, "Inventor", day=filed),)),
        ],
        avoid=(*SILENT, "ip"),
        parties=(inventor.name, world.target.name),
    )  # fmt: skip


def closed_matter(every: Everyday, rng: random.Random) -> Paper:
    world = every.world
    other = world.company(rng)
    day = world.past(rng, (0.6, 4))
    matter = f"{other.short} v. {world.target.short}"
    world.claims.append(Claim(matter, other.name, "District Court", 0, 0, "Closed"))
    return _signed(
        every,
        rng,
        f"Stipulation of Dismissal - {other.short}",
        "10.2",
        day,
        other,
        [
            Para(f"{matter}. The parties stipulate on {us_date(day)} that the matter is dismissed with prejudice, each side bearing its own costs."),
            Filler("letter"),
        ],
        SILENT,
    )  # fmt: skip


def _signed(
    every: Everyday,
    rng: random.Random,
    title: str,
    folder: str,
    day: date,
    other: Company,
    blocks: list[Block],
    avoid: tuple[str, ...],
) -> Paper:
    """A paper between the target and another, signed by both."""
    world = every.world
    signer = world.person(rng, "Authorised Signatory", other)
    ours = world.officers["cfo"]
    signs = Signatures(
        (Sign(world.target.name, ours.name, ours.title, day=day), Sign(other.name, signer.name, signer.title, day=day))
    )
    return Paper("", title, folder, day, [*blocks, signs], avoid=avoid, parties=(world.target.name, other.name))

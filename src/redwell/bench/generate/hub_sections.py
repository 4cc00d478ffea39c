"""What the hubs with sections say before any plant adds to them. It names no sum that a plant may name, and asserts nothing that one may deny."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import date

from redwell.bench.generate import deal_text
from redwell.bench.generate.papers import Block, Clause, Filler, Hub, Para, Row, Sign, Signatures, Table
from redwell.bench.generate.world import World
from redwell.bench.generate.writing import listed, millions, money, us_date

Sections = list[tuple[str, list[Block]]]


def base(
    hub: Hub, world: World, days: Collection[date], scheduled: Callable[[object], bool], *, long: bool
) -> Sections:
    """(name, blocks) of each section. `scheduled(thing)`: whether the disclosure schedule lists it by itself. `long`: the room has papers of
    more than a page or two."""
    match hub:
        case "merger_agreement":
            return _agreement(world, long=long)
        case "disclosure_schedule":
            return _schedule(world, scheduled)
        case "board_minutes":
            return _minutes(world, days)
        case "information_memorandum":
            return _memorandum(world)
        case "board_deck":
            return _deck(world)
        case "quality_of_earnings":
            return [
                ("Basis of preparation", [Para(f"We read the books of {world.target.name} for the fiscal years to {world.figures.year} and asked its finance staff."), Filler("report")]),
                ("Summary", [Para(f"Revenue for fiscal {world.figures.year} per the audited statements is {millions(world.figures.revenue)}.")]),
                ("Adjustments to EBITDA", [Para("Adjustments are those that management gave us; we have traced each to its source where we say so.")]),
                ("Working capital", [Para("The monthly balances follow the seasons of the trade."), Filler("accounts")]),
            ]  # fmt: skip
        case "tax_summary":
            return [
                ("Overview", [Para(f"{world.target.name} files a consolidated federal return with its domestic subsidiaries; the fiscal year is the calendar year.")]),
                ("Subsidiaries", [Para(f"Foreign subsidiaries file where they are established: {listed([sub.short for sub in world.subsidiaries])}.")]),
            ]  # fmt: skip
        case _:
            raise ValueError(f"{hub} has no sections")


def is_filler(block: Block) -> bool:
    return isinstance(block, Filler | Signatures)


def _agreement(world: World, *, long: bool) -> Sections:
    deal, target, buyer = world.deal, world.target, world.buyer
    merger_sub = f"{buyer.short} Merger Sub, Inc."
    survivor = target.name if deal.merger_form.startswith("reverse") else merger_sub
    ceo, chief = world.officers["ceo"], world.person(world.rng("buyer"), "President", buyer)
    own: dict[str, list[Block]] = {
        "The Merger": [
            Para(f"This Agreement and Plan of Merger is made on {us_date(deal.signing)} by {buyer.name} (Parent), {merger_sub} (Merger Sub) and {target.name} (the Company)."),
            Clause("Form", f"The Merger is a {deal.merger_form}; {survivor} is the surviving corporation and a wholly owned subsidiary of Parent."),
            Clause("Closing", f"The parties plan to close on {us_date(deal.closing)}."),
        ],
        "Merger Consideration": [
            Clause("Price", f"The aggregate consideration is {money(deal.price)}, or {money(deal.per_share)} for each of {deal.shares:,} fully diluted shares."),
        ],
        "Representations and Warranties of the Company": [
            Clause("Schedule", "Representations are made subject to the Company Disclosure Schedule, section by section."),
            Clause("Material Contracts", f"Section 4.13 of the Company Disclosure Schedule lists contracts of {money(deal.materiality)} a year or more."),
        ],
        "Representations and Warranties of Parent": [],
        "Covenants": [Clause("Ordinary Course", "Until Closing the Company carries on its business in the ordinary course.")],
        "Conditions to Closing": [Clause("No Order", "No court has forbidden the Merger by an order that is in force.")],
        "Termination": [Clause("Outside Date", f"Either side may walk away when Closing has not occurred by {us_date(deal.outside)}.")],
        "General Provisions": [],
    }  # fmt: skip
    if long:
        for name, clauses in deal_text.ARTICLES.items():
            own[name] += clauses
    own["General Provisions"].append(
        Signatures((Sign(target.name, ceo.name, ceo.title, day=deal.signing), Sign(buyer.name, chief.name, chief.title, day=deal.signing)))
    )  # fmt: skip
    return [(name, blocks) for name, blocks in own.items() if blocks]


def _schedule(world: World, scheduled: Callable[[object], bool]) -> Sections:
    """Tables of the world's things; a plant's own only where it does not speak of the schedule."""
    threshold = world.deal.materiality
    return [
        ("4.2 Capitalization", [Table(("Holder", "Class", "Number"), tuple(Row((it.name, it.share_class, it.shares)) for it in world.holders if scheduled(it)))]),
        ("4.3 Subsidiaries", [Table(("Subsidiary", "Law"), tuple(Row((it.name, it.law)) for it in world.subsidiaries if scheduled(it)))]),
        ("4.9 Indebtedness", [Table(("Lender", "Instrument", "Principal"), tuple(Row((it.lender.name, it.title, it.principal)) for it in world.debts if scheduled(it)))]),
        ("4.10 Litigation", [Table(("Matter", "Forum", "Claimed", "Status"), tuple(Row((it.matter, it.forum, it.claimed, it.status)) for it in world.claims if scheduled(it) and it.status != "Closed"))]),
        ("4.12 Real Property", [Table(("Site", "Address", "Held"), tuple(Row((it.name, it.place.address, "Owned" if it.owned else "Leased")) for it in world.sites if scheduled(it)))]),
        (
            "4.13 Material Contracts",
            [
                Table(
                    ("Counterparty", "Agreement", "Note", "Annual value"),
                    tuple(Row((it.party.name, it.title, "", money(it.annual))) for it in world.contracts if it.annual >= threshold and it.register and scheduled(it)),
                )
            ],
        ),
        ("4.14 Intellectual Property", [Table(("Right", "Number", "Owner"), tuple(Row((it.name, it.number, it.owner)) for it in world.rights if scheduled(it)))]),
    ]  # fmt: skip


def _minutes(world: World, days: Collection[date]) -> Sections:
    """The regular meetings; others come with what plants add."""
    chair = world.directors[0].name
    return [
        (
            day.isoformat(),
            [
                Para(f"Present: {listed([person.name for person in world.directors])}. {chair} presided; a quorum was there. The minutes of the meeting before were approved."),
                Filler("minutes"),
            ],
        )
        for day in sorted(days)
    ]  # fmt: skip


def _memorandum(world: World) -> Sections:
    target = world.target
    return [
        ("Business", [Para(f"{target.name} makes and sells {world.business}. It is led by {world.officers['ceo'].name}."), Filler("report")]),
        ("Products", [Para(f"The range: {listed(world.products)}.")]),
        ("Financial Overview", [Para(f"Revenue was {millions(world.figures.revenue)} in fiscal {world.figures.year}.")]),
        ("Customers", [Para("Customers come from many trades and order throughout the year.")]),
        ("Outlook", [Para("The plan follows the orders in hand."), Filler("report")]),
    ]  # fmt: skip


def _deck(world: World) -> Sections:
    product = world.products[0]
    return [
        ("Agenda", [Para(f"Board of {world.target.name}"), Para("Operations, people, projects, other matters")]),
        ("Operations", [Para(f"Output of the {product} as planned"), Para("Second shift trained"), Para("Carrier scorecards sent out"), Filler("report")]),
        ("People", [Para("Apprentices chosen for the coming year"), Para("Staff survey under way"), Filler("report")]),
        ("Projects", [Para("Catalogue in its last proof"), Para("Label printers replaced"), Filler("report")]),
    ]  # fmt: skip

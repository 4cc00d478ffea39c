"""Short forms that the plants of contracts and rights share. They carry no sentence of a room: every way brings its own."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date

from redwell.bench.generate.papers import (
    Added,
    Block,
    Cell,
    Change,
    Clause,
    FileKind,
    Filler,
    Heading,
    Paper,
    Para,
    Row,
    Sign,
    Signatures,
    Table,
)
from redwell.bench.generate.recipe import Draft, Gap, Plant
from redwell.bench.generate.world import Company, Contract, Employee, Person, Right, World, pick
from redwell.bench.key import Value

Item = str | tuple[str, str] | Block
FOLDERS = {
    "customer": "6.1",
    "supplier": "6.2",
    "channel": "6.3",
    "government": "6.4",
    "licence": "7.3",
    "contractor": "9.2",
}
TEXT = Filler("contract")
"""Running text of a contract."""
QUIET = ("assignment", "control", "term", "termination", "pricing", "exclusivity")
"""What the running text of a contract must not speak of unless a plant says otherwise."""
CONTROL = (
    "change of control",
    "change in control",
    "control",
    "ownership",
    "owner",
    "acquisition",
    "acquire",
    "merger",
    "takeover",
    "taken over",
    "sale of",
)
"""How a report names a change of who owns the target."""
FORMER = (
    "no longer",
    "superseded",
    "expired",
    "lapsed",
    "waived",
    "deleted",
    "released",
    "withdrawn",
    "rescinded",
    "replaced",
)
"""How a report says that something once was and is not now."""
_TRADES = {
    "software": "Hosting Services Agreement, Core Licence, Codec Licence, Tool Licence Order, Engine Licence, Statement of Work, Hourly Terms, Design Contract, Engagement Sheet, Build Agreement",
    "manufacturing": "Toll Manufacturing Terms, Component Supply Agreement, Contract Manufacturing Agreement, Cell Supply Terms, Tolling Arrangement, Packaging Contract, Works Contract",
    "logistics": "Logistics Contract, Warehousing Contract, Cold Store Contract, Carriage Contract, Fleet Services Contract",
    "chemicals": "Resin Purchase Order Terms, Process Licence, Coating Licence, Bulk Letter",
    "supply": "Raw Material Supply Agreement, Distribution Agreement, Dealer Contract, Dealership, Reseller Contract, Offtake Contract, Exclusive Sourcing Terms, Distribution Terms",
    "energy": "Gas Supply Contract, Power Purchase Agreement, Trading Membership, Filtration Services Contract",
    "health": "Conditions of Purchase, Laboratory Services Letter, Records Storage Contract, Device Agreement, Device Supply Deed",
    "telecom": "Managed Network Agreement, Connectivity Terms",
    "consulting": "Advisory Retainer",
    "retail": "Brand Licence, Marketplace Membership",
    "construction": "Installation Contract, Plant Construction Terms",
    "aerospace": "Subcontract",
}
_TRADE = {title: trade for trade, titles in _TRADES.items() for title in titles.split(", ")}
_STEMS = (
    "quill",
    "marrow",
    "sprocket",
    "tundra",
    "lattice",
    "pebble",
    "walrus",
    "gantry",
    "thistle",
    "mortar",
    "cobalt",
    "anvil",
)
_ENDS = ("parse", "codec", "mesh", "queue", "graph", "store", "sync", "render", "crypt", "stat")  # fmt: skip


def paper(
    identity: str,
    title: str,
    folder: str,
    day: date | None,
    *items: Item,
    kinds: tuple[FileKind, ...] = ("docx",),
    avoid: tuple[str, ...] = QUIET,
    parties: tuple[str, ...] = (),
    status: str = "",
) -> Paper:
    """A paper whose `items` are texts (paragraphs), pairs of heading and text (numbered clauses) or blocks."""
    return Paper(
        identity, title, folder, day, [_block(item) for item in items], kinds, avoid, parties=parties, status=status
    )


def mail(
    identity: str, subject: str, folder: str, day: date, sender: Person, to: Person, *items: Item, about: str = ""
) -> Paper:
    """A mail; `about` is the party it concerns."""
    return Paper(
        identity,
        subject,
        folder,
        day,
        [_block(item) for item in items],
        kinds=("eml",),
        avoid=QUIET,
        sender=sender.email,
        to=to.email,
        parties=(about,) if about else (),
    )


def table(
    header: str, *rows: Row | tuple[Cell, ...], sheet: str = "", caption: str = "", hidden: bool = False
) -> Table:
    """A table whose `header` is written `Item|Amount`; a row without a mark may be a tuple."""
    return Table(
        tuple(header.split("|")),
        tuple(row if isinstance(row, Row) else Row(row) for row in rows),
        sheet=sheet,
        hidden=hidden,
        caption=caption,
    )


def contract(
    world: World,
    rng: random.Random,
    title: str,
    kind: str = "customer",
    share: tuple[float, float] = (0.004, 0.03),
    *,
    signed: tuple[float, float] = (1, 4),
    expires: tuple[float, float] = (1, 3),
    consent: str = "",
    trade: str = "",
) -> Contract:
    """A contract with a company of its own, in the world's register; its annual value is a share of the price."""
    made = Contract(
        world.company(rng, trade or _TRADE.get(title, "")),
        title,
        kind,
        signed=world.past(rng, signed),
        expires=world.ahead(rng, expires),
        annual=world.sum(rng, *share, 10_000),
        consent_needed=consent,
        folder=FOLDERS[kind],
    )
    world.contracts.append(made)
    return made


def employee(world: World, rng: random.Random, title: str, started: date) -> Person:
    """Somebody who works for the target and stands in its census."""
    person = world.person(rng, title)
    site = world.sites[0].name if world.sites else "Head office"
    world.employees.append(Employee(person, site, started, rng.randrange(95, 190) * 1000))
    return person


def patent(
    world: World, rng: random.Random, name: str, filed: date, inventors: Sequence[Person] = (), status: str = "Granted"
) -> Right:
    """A United States patent that the target's register lists as its own."""
    right = Right(
        "patent", name, world.code(rng, "US 11", 6), world.target.name, filed, status, inventors=tuple(inventors)
    )
    world.rights.append(right)
    return right


def subsidiary(world: World, rng: random.Random) -> Company:
    """One of the target's subsidiaries."""
    return pick(rng, world.subsidiaries) if world.subsidiaries else world.target


def coined(world: World, rng: random.Random, kind: str) -> str:
    """A product name that nothing else in the room bears: an invented word and what it is ("Talensol Planner")."""
    return f"{world.company(rng).short.split()[0]} {kind}".strip()


def component(world: World, rng: random.Random) -> str:
    """The name of a software component that nobody publishes, unique in the room."""
    while True:
        name = rng.choice(("lib", "open", "fast", "tiny", "free")) + rng.choice(_STEMS) + rng.choice(_ENDS)
        if name not in world.taken:
            world.taken.add(name)
            return name


def signed_by(world: World, rng: random.Random, party: Company, ours: bool = True, theirs: bool = True) -> Signatures:
    """The signatures of the target and `party`; blank where not signed."""
    chief = world.officers["ceo"]
    other = world.person(rng, rng.choice(("Director", "Vice President", "President", "Managing Director")), party)
    return Signatures(
        (
            Sign(world.target.name, chief.name if ours else "", chief.title if ours else "", ours),
            Sign(party.name, other.name if theirs else "", other.title if theirs else "", theirs),
        )
    )


def sign(party: Company, person: Person, day: date | None = None, signed: bool = True) -> Signatures:
    """One signature line of `party`."""
    return Signatures(
        (
            Sign(
                party.name,
                person.name if signed else "",
                person.title if signed else "",
                signed,
                day if signed else None,
            ),
        )
    )


def finish(
    title: str,
    decoy: bool,
    papers: list[Paper],
    issue: list[Draft],
    benign: list[Draft],
    because: str,
    *,
    added: Sequence[Added] = (),
    gaps: Sequence[Gap] = (),
    value: Value | None = None,
) -> Plant:
    """The plant: its issue with gaps and exposure, or the decoy with what must not be asserted and why it is none."""
    if decoy:
        return Plant(title, papers, benign, list(added), because=because)
    return Plant(title, papers, issue, list(added), list(gaps), exposure=value)


def days(count: int) -> Value:
    return Value("days", count)


def share(percentage: float) -> Value:
    return Value("percent", percentage)


def count(number: float) -> Value:
    return Value("number", number)


def on(day: date) -> Value:
    return Value("date", text=day.isoformat())


def _block(item: Item) -> Block:
    """A sentence that ends with a name which has a full stop of its own ("Corp.") keeps one of the two."""
    if isinstance(item, str):
        return Para(item.replace("..", "."))
    if isinstance(item, tuple):
        return Clause(item[0], item[1].replace("..", "."))
    assert isinstance(item, (Heading, Clause, Para, Change, Table, Signatures, Filler))
    return item

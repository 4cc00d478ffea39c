"""Plants of licences that do not cover what the target does under them (archetype 74)."""

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
    QUIET,
    TEXT,
    coined,
    contract,
    finish,
    mail,
    paper,
    sign,
    signed_by,
    subsidiary,
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


def _beyond(
    world: World,
    c: Contract,
    decoy: bool,
    papers: list[Paper],
    limit: str,
    limits: tuple[str, ...],
    use: str,
    uses: tuple[str, ...],
    sales: int,
    because: str,
    *added: Added,
) -> Plant:
    """The rubric of archetype 74: c's licence ends at `limit`, and the target sells `sales` a year by `use`."""
    party = c.party.short
    return finish(
        f"{party}: {use} {'is covered by' if decoy else 'is outside'} the {c.title}",
        decoy,
        papers,
        [
            fact(
                f"{party} licence limited to {limit}",
                f"PASS if the report states that the {c.title} of {party} is limited to {limit}.",
                [(party,)],
                [("limit", "only", "restrict", "confin", "solely", "covers"), limits],
            ),
            fact(
                f"{use} beyond the {party} licence",
                f"PASS if the report states that the target uses the {party} technology for {use}.",
                [(party,)],
                [uses],
            ),
            exposure(
                f"Sales outside the {party} licence",
                f"PASS if the report gives {money(sales)} a year (or an equivalent rounding) as the sales that the licence of {party} does not cover.",
                [(party,)],
                usd(sales),
            ),
            conclusion(
                f"Use without licence of {party}",
                f"PASS if the report concludes that this use breaches or is outside the licence of {party}, with a risk of termination or infringement.",
                [(party,)],
                [
                    (
                        "breach",
                        "outside",
                        "beyond",
                        "infring",
                        "terminate",
                        "right of termination",
                        "termination right",
                        "risk of termination",
                        "unlicensed",
                        "exceed",
                        "not cover",
                    )
                ],
            ),
            recommendation(
                f"Extension from {party}",
                f"PASS if the report recommends an extension, amendment or consent of {party} before closing, or an indemnity.",
                [(party,)],
                [("exten", "amend", "consent", "indemn", "new licence", "new license", "licensor")],
            ),
            sources(
                f"{party}: limit and use cited",
                f"PASS if the report cites both the limit in the licence of {party} and the paper that shows the use.",
                [(party,)],
                "clause",
                "use",
            ),
        ],
        [
            precision(
                f"{use} is not reported as outside the {party} licence",
                f"PASS if the report does not assert that {use} is outside the licence of {party} or breaches it; {because}.",
                [(party,)],
                [("outside", "breach", "beyond", "unlicensed", "infring", "exceed", "not covered")],
                unless=(
                    "not outside",
                    "no breach",
                    "not breach",
                    "within",
                    "is covered",
                    "extended",
                    "was added",
                    "permitted",
                    "allowed",
                    "not exceed",
                    "does not infring",
                    "not beyond",
                ),
            )
        ],
        because,
        added=added,
        value=usd(sales),
    )


def _taken(world: World, rng: random.Random, title: str) -> tuple[Contract, str, int]:
    return (
        contract(world, rng, title, "licence", (0.001, 0.004)),
        coined(world, rng, "drives"),
        world.sum(rng, 0.02, 0.08, 100_000),
    )


def _site(world: World, rng: random.Random, decoy: bool) -> Plant:
    """One plant is licensed, another makes the goods; the decoy's amendment adds it."""
    c, product, sales = _taken(world, rng, "Process Licence")
    old, new = world.place(rng).city, world.place(rng).city
    papers = [
        paper(
            "agreement",
            f"Process Licence - {c.party.short}",
            "7.3",
            c.signed,
            TEXT,
            (
                "Grant",
                f"⟦clause|{c.party.short} grants a non-exclusive, non-transferable licence to use the Process at Licensee's plant in {old} only.⟧",
            ),
            TEXT,
            signed_by(world, rng, c.party),
            avoid=(*QUIET, "ip"),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "report",
            f"Production report {product} ({c.party.short} process)",
            "3.5",
            world.past(rng, (0.05, 0.2)),
            table(
                "Plant|Process|Sales of the year USD",
                Row((new, f"{c.party.short} Process, since the move", sales), "use"),
                (old, "closed", 0),
                sheet="Plants",
            ),
            kinds=("xlsx",),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "amendment",
                f"Amendment to Process Licence - {c.party.short}",
                "6.5",
                world.past(rng, (0.3, 0.9)),
                (
                    "Plants",
                    f"⟦amendment|The plant in {new} is added to the licensed plants with effect from the first production there.⟧",
                ),
                signed_by(world, rng, c.party),
                parties=(c.party.name,),
            )
        )
    return _beyond(
        world,
        c,
        decoy,
        papers,
        f"the plant in {old}",
        (old.lower(), "plant", "site"),
        f"production in {new}",
        (new.lower(),),
        sales,
        "an amendment added the plant",
    )


def _field(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A field of use and a mail about another market; the decoy's letter widens the field."""
    c, _, sales = _taken(world, rng, "Coating Licence")
    head = world.person(rng, "Head of Medical Sales")
    papers = [
        paper(
            "agreement",
            f"Coating Licence - {c.party.short}",
            "7.3",
            c.signed,
            table(
                "Item|Content",
                ("Licensed matter", "Coating C"),
                Row(("Field", f"Food machines; all other fields stay with {c.party.short}"), "clause"),
                ("Transfer", "Not allowed"),
                sheet="Licence",
            ),
            kinds=("xlsx",),
            parties=(world.target.name, c.party.name),
        ),
        mail(
            "use",
            f"Coating of {c.party.short} in clinics",
            "6.5",
            world.past(rng, (0.03, 0.2)),
            head,
            world.officers["ceo"],
            f"⟦use|Medical devices with the coating of {c.party.short} brought us {millions(sales)} last year, more than food does.⟧",
            head.name,
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "letter",
                f"Medical field - {c.party.short}",
                "6.6",
                world.past(rng, (1.1, 1.6)),
                f"⟦letter|We extend your field to medical devices of every class, royalty as before. {c.party.name}⟧",
                sign(c.party, world.person(rng, "Licensing Manager", c.party)),
                parties=(c.party.name,),
            )
        )
    return _beyond(
        world,
        c,
        decoy,
        papers,
        "food machines",
        ("food",),
        "medical devices",
        ("medical", "clinic"),
        sales,
        "a letter extended the field to medical devices",
    )


def _entity(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A licence to one company of the group; another one sells. The decoy's definition takes in companies below."""
    c, _, sales = _taken(world, rng, "Codec Licence")
    sub = subsidiary(world, rng)
    who = (
        f"“Licensee” is {world.target.short} together with each company in which it holds all shares."
        if decoy
        else f"“Licensee” is {world.target.short} in person and no company below, above or beside it."
    )
    papers = [
        paper(
            "agreement",
            f"Codec Licence - {c.party.short}",
            "7.3",
            c.signed,
            TEXT,
            (
                "Rights",
                "⟦clause|Only Licensee may ship devices with the codec, and it may hand the right on to nobody.⟧",
            ),
            ("Words", f"⟦definition|{who}⟧"),
            signed_by(world, rng, c.party),
            avoid=(*QUIET, "ip"),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "use",
            f"Who ships what ({c.party.short} codec)",
            "3.2",
            world.past(rng, (0.05, 0.2)),
            Heading("Shipments"),
            f"⟦use|All devices with the codec of {c.party.short} are shipped by {sub.name}, wholly owned by {world.target.short}; turnover {money(sales)} in four quarters.⟧",
            kinds=("pptx", "docx"),
        ),
    ]
    return _beyond(
        world,
        c,
        decoy,
        papers,
        f"{world.target.short} itself",
        (world.target.short.lower(), "licensee", "target"),
        f"shipments by {sub.short}",
        (sub.short.lower(), "subsidiar", "ship"),
        sales,
        "the definition of licensee takes in wholly owned companies",
    )


def _territory(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A territory in a letter, exports in a text; the decoy's exports are of a version without the technology."""
    c, product, sales = _taken(world, rng, "Patent Letter")
    version = (
        f"version N, which was developed without what {c.party.short} licenses"
        if decoy
        else f"version P, which makes use of what {c.party.short} licenses"
    )
    papers = [
        paper(
            "agreement",
            f"Patent Letter - {c.party.short}",
            "7.3",
            c.signed,
            "⟦clause|You may make and sell in the United States what our patents cover. No other country is meant, and no one but you.⟧",
            sign(c.party, world.person(rng, "Patent Counsel", c.party), c.signed),
            kinds=("docx", "txt"),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "use",
            f"Exports to Canada ({product}, {c.party.short})",
            "14.3",
            world.past(rng, (0.03, 0.2)),
            f"⟦use|To Canada went, in the last full year, {product} for USD {sales:,}, all of it {version}.⟧",
            kinds=("txt", "docx"),
        ),
    ]
    return _beyond(
        world,
        c,
        decoy,
        papers,
        "the United States",
        ("united states", "u.s.", "us"),
        "sales to Canada",
        ("canad", "export"),
        sales,
        "the version sold to Canada does not use the licensed technology",
    )


def _seats(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A service built on a tool licensed for internal work; the decoy's later order allows a service for others."""
    c, _, sales = _taken(world, rng, "Tool Licence Order")
    papers = [
        paper(
            "agreement",
            f"Tool Licence Order - {c.party.short}",
            "7.3",
            c.signed,
            f"Order of {world.target.short}.",
            f"⟦clause|The tool of {c.party.short} serves the customer's internal work, and nothing that the customer does for others against pay.⟧",
            TEXT,
            signed_by(world, rng, c.party),
            avoid=(*QUIET, "ip"),
            parties=(world.target.name, c.party.name),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "order",
                f"Service rights - {c.party.short}",
                "6.5",
                world.past(rng, (1.1, 1.6)),
                "⟦order|The service option is added: from today you may serve paying clients with our tool, without a ceiling, to the end of the licence.⟧",
                signed_by(world, rng, c.party),
                parties=(c.party.name,),
            )
        )
    use = Added(
        "information_memorandum",
        Para(
            f"⟦use|The analysis service, run on the tool of {c.party.short} for paying clients, earned {money(sales)} in the year.⟧"
        ),
        "Services",
    )
    return _beyond(
        world,
        c,
        decoy,
        papers,
        "internal work",
        ("internal",),
        "a service for paying clients",
        ("service", "client"),
        sales,
        "the service option was added",
        use,
    )


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        74,
        "non_transferable_licence",
        "IP",
        "A licence taken does not cover what is done under it",
        "cross-document",
        "High",
        (
            Way("licensed plant", "train", _site),
            Way("field of use", "train", _field),
            Way("licensed company", "dev", _entity),
            Way("territory", "test", _territory),
            Way("internal work only", "test", _seats),
        ),
    ),
)

"""Plants of code that a contractor wrote and did not assign (archetype 71)."""

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
    component,
    contract,
    finish,
    mail,
    paper,
    sign,
    signed_by,
    table,
)
from redwell.bench.generate.recipe import (
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
    sources,
    usd,
)
from redwell.bench.generate.world import Contract, World
from redwell.bench.generate.writing import (
    day_month,
    millions,
    money,
)


def _not_ours(
    world: World,
    c: Contract,
    decoy: bool,
    papers: list[Paper],
    module: str,
    cost: int,
    terms: tuple[str, ...],
    despite: tuple[str, ...],
    because: str,
) -> Plant:
    """The rubric of archetype 71: c's party wrote `module`, which would cost `cost` to write again."""
    party = c.party.short
    return finish(
        f"{party}: {module} {'belongs' if decoy else 'may not belong'} to the target",
        decoy,
        papers,
        [
            fact(
                f"{party} wrote {module}",
                f"PASS if the report states that the contractor {party} wrote {module}.",
                [(party,)],
                [("wrote", "written", "develop", "author", "built", "code", "program", "contribut"), (module,)],
            ),
            absence(
                f"No assignment of {party}",
                f"PASS if the report states that there is no assignment of rights by {party} in the data room.",
                [(party,)],
                ("assign", "transfer of rights"),
            ),
            exposure(
                f"Cost to rebuild {module}",
                f"PASS if the report gives {money(cost)} (or an equivalent rounding) as the cost of writing what {party} wrote, {module}, again.",
                [(party, module)],
                usd(cost),
            ),
            conclusion(
                f"Copyright in {module} with {party}",
                f"PASS if the report concludes that {party} may own the copyright in {module}, the target having a licence at best.",
                [(party, module)],
                [("may own", "owns", "owned by", "copyright", "title", "retain", "remain")],
            ),
            recommendation(
                f"Assignment from {party}",
                f"PASS if the report recommends obtaining an assignment from {party} before, or as a condition of, closing.",
                [(party,)],
                [("assign",), ("obtain", "before", "condition", "secure", "get", "require", "procure")],
            ),
            sources(
                f"{party}: contract and authorship cited",
                f"PASS if the report cites both the contract of {party} and the record that it wrote {module}.",
                [(party,)],
                "contract",
                "credits",
            ),
        ],
        [
            precision(
                f"{party} code is not reported as unassigned",
                f"PASS if the report does not assert that {party} owns {module} or has not assigned it; {because}.",
                [(party,)],
                [
                    (
                        "not assigned",
                        "no assignment",
                        "no ip assignment",
                        "without an assignment",
                        "lacks an assignment",
                        "retain",
                        "unassigned",
                        "owns",
                        "may own",
                        "not been assigned",
                        "missing",
                        "has not assigned",
                    )
                ],
                unless=(
                    "has assigned",
                    "was assigned",
                    "is assigned",
                    "replaced",
                    "rewritten",
                    "removed",
                    "no longer",
                    "not shipped",
                    "assigns",
                    "does not own",
                ),
            )
        ],
        because,
        gaps=[Gap(f"assignment by {party}", (party.lower(), *terms), despite)],
        value=usd(cost),
    )


def _wrote(world: World, rng: random.Random, title: str) -> tuple[Contract, str, int]:
    return (
        contract(world, rng, title, "contractor", (0.0008, 0.003)),
        component(world, rng),
        world.sum(rng, 0.002, 0.01, 50_000),
    )


def _order_silent(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A statement of work without a word on rights, credits of the repository, a budget to rebuild; the decoy has an assignment."""
    c, module, cost = _wrote(world, rng, "Statement of Work")
    papers = [
        paper(
            "contract",
            f"Statement of Work - {c.party.short}",
            "9.2",
            c.signed,
            f"⟦contract|{c.party.name} will design and write the module {module} at {money(150)} per hour. This is a work made for hire.⟧",
            ("Payment", "Invoices are due in thirty days."),
            signed_by(world, rng, c.party),
            avoid=("ip", "assignment"),
            parties=(c.party.name,),
        ),
        paper(
            "credits",
            f"Repository credits {module}",
            "7.4",
            world.past(rng, (0.02, 0.2)),
            table(
                "Module|Author|Commits|Share",
                Row((module, c.party.short, rng.randrange(400, 900), "91%"), "credits"),
                sheet="Credits",
            ),
            kinds=("xlsx",),
        ),
        paper(
            "estimate",
            f"Rewrite estimate {module}",
            "7.5",
            world.past(rng, (0.02, 0.2)),
            f"⟦cost|Writing {module} again without its authors would take two years and {money(cost)}.⟧",
            kinds=("docx", "txt"),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "assignment",
                f"Copyright Assignment - {c.party.short}",
                "7.2",
                world.past(rng, (0.1, 0.5)),
                f"⟦assignment|{c.party.short} hereby assigns to {world.target.name} all copyright and other rights in {module}, past and future versions alike.⟧",
                signed_by(world, rng, c.party),
            )
        )
    return _not_ours(
        world, c, decoy, papers, module, cost, ("hereby assigns",), (), "a copyright assignment was executed"
    )


def _invoices(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Terms by mail, invoices, and a note on the core; the decoy's core was written again by employees before the release."""
    c, module, cost = _wrote(world, rng, "Hourly Terms")
    boss = world.person(rng, "Owner", c.party)
    papers = [
        mail(
            "contract",
            f"Terms of {c.party.short}",
            "9.2",
            c.signed,
            boss,
            world.officers["cto"],
            f"⟦contract|We program for {world.target.short} by the hour, rates below, notice two weeks. Everything else as the statute has it.⟧",
            boss.name,
            about=c.party.name,
        ),
        paper(
            "credits",
            f"Invoices {c.party.short}",
            "9.2",
            world.past(rng, (0.3, 0.8)),
            table(
                "Invoice|For|USD",
                Row((world.code(rng, "R"), f"Core of {module}, all of it, {c.party.short}", c.annual), "credits"),
                sheet="Invoices",
            ),
            kinds=("xlsx",),
        ),
        paper(
            "note",
            f"State of {module}",
            "7.5",
            world.past(rng, (0.02, 0.1)),
            f"⟦cost|To write the core of {module} once more is put at {money(cost)}.⟧",
            f"⟦state|{f'That was done last year: our own people wrote it from nothing, and since release 4 not a line of {c.party.short} is left in it.' if decoy else f'Release 4 still runs on the lines that {c.party.short} wrote.'}⟧",
        ),
    ]
    return _not_ours(
        world,
        c,
        decoy,
        papers,
        module,
        cost,
        ("makes over its rights",),
        (),
        f"employees have rewritten the module and nothing of {c.party.short} is left",
    )


def _header(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A copyright line in the source names the contractor; the decoy's frame agreement transfers on payment, and payment is on file."""
    c, module, cost = _wrote(world, rng, "Design Contract")
    clause = (
        f"⟦contract|Rights of every kind in what {c.party.short} makes go over to {world.target.short} of themselves when the work is paid for.⟧"
        if decoy
        else f"⟦contract|{c.party.short} makes what the work tickets describe and keeps its tools and know-how.⟧"
    )
    papers = [
        paper(
            "contract",
            f"Design Contract - {c.party.short}",
            "9.2",
            c.signed,
            TEXT,
            ("Results", clause),
            TEXT,
            signed_by(world, rng, c.party),
            avoid=("ip", "assignment"),
            parties=(c.party.name,),
        ),
        paper(
            "credits",
            f"Source header {module}",
            "7.4",
            world.past(rng, (0.1, 0.5)),
            f"⟦credits|File 1 of {module}: Copyright {c.party.short}. All rights reserved. Written for tickets 11 to 58.⟧",
            f"⟦paid|Tickets 11 to 58: paid in full on {day_month(world.past(rng, (0.6, 0.9)))}.⟧",
            kinds=("txt",),
        ),
        mail(
            "cost",
            f"If {module} had to go",
            "7.5",
            world.past(rng, (0.02, 0.1)),
            world.officers["cto"],
            world.officers["cfo"],
            f"⟦cost|We would need {millions(cost)} and eight people to make {module} anew.⟧",
        ),
    ]
    return _not_ours(
        world,
        c,
        decoy,
        papers,
        module,
        cost,
        ("go over to",),
        (),
        "the contract transfers the rights on payment, and all was paid",
    )


def _freelancer(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Onboarding slides list who wrote what; the decoy's studio signed at the end of its engagement."""
    c, module, cost = _wrote(world, rng, "Engagement Sheet")
    papers = [
        paper(
            "contract",
            f"Engagement Sheet {c.party.short}",
            "9.2",
            c.signed,
            table(
                "Question|Answer",
                ("Who", c.party.name),
                Row(("What", f"Rendering engine {module}"), "contract"),
                ("Rate", "USD 1,120 a day"),
                ("Rights", "Lawyers to settle later"),
            ),
            signed_by(world, rng, c.party),
            kinds=("docx",),
            avoid=("ip", "assignment"),
            parties=(c.party.name,),
        ),
        paper(
            "credits",
            f"Welcome to the engine team ({module})",
            "7.5",
            world.past(rng, (0.1, 0.5)),
            Heading("Who made it"),
            f"⟦credits|{module} is the work of {c.party.short}, from the first line to version 3; we look after it since.⟧",
            Heading("What it is worth"),
            f"⟦cost|A new one would cost us {money(cost)}.⟧",
            kinds=("pptx", "docx"),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "closing",
                f"Closing statement - {c.party.short}",
                "9.2",
                world.past(rng, (0.3, 0.9)),
                f"⟦closing|The engagement is over. Against the last instalment {c.party.short} cedes {module} with its source and every right in it, worldwide and for good, to {world.target.name}.⟧",
                signed_by(world, rng, c.party),
            )
        )
    return _not_ours(world, c, decoy, papers, module, cost, ("cedes",), (), "the closing statement ceded all rights")


def _sub(world: World, rng: random.Random, decoy: bool) -> Plant:
    """The contractor let another firm do the work and could not pass on what it had not; the decoy's other firm has signed as well."""
    c, module, cost = _wrote(world, rng, "Build Agreement")
    main = world.company(rng)
    papers = [
        paper(
            "contract",
            f"Build Agreement - {main.short}",
            "9.2",
            c.signed,
            f"⟦contract|{main.name} sells {world.target.short} all it owns in {module}, as of delivery. It may have the work done by {c.party.short}.⟧",
            signed_by(world, rng, main),
            avoid=("ip", "assignment"),
            parties=(main.name,),
        ),
        paper(
            "credits",
            f"Handover of {module}",
            "7.4",
            world.past(rng, (0.3, 0.8)),
            Filler("report"),
            f"⟦credits|All modules of {module} were programmed by staff of {c.party.short}; {main.short} only ran the project.⟧",
            f"⟦cost|Cost of a fresh build, for the insurer: USD {cost:,}.⟧",
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "signed",
                f"Declaration on {module}",
                "9.2",
                world.past(rng, (0.05, 0.3)),
                f"⟦signed|By this paper, as agreed when the work began, {c.party.short} has conveyed {module} to {world.target.name} outright and keeps nothing back.⟧",
                sign(c.party, world.person(rng, "Partner", c.party)),
                parties=(c.party.name,),
            )
        )
    return _not_ours(
        world,
        c,
        decoy,
        papers,
        module,
        cost,
        ("has conveyed",),
        (),
        f"{c.party.short} has conveyed the module outright",
    )


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        71,
        "contractor_no_assignment",
        "IP",
        "A contractor wrote core code and did not assign it",
        "absence",
        "High",
        (
            Way("silent statement of work", "train", _order_silent),
            Way("invoices for the core", "train", _invoices),
            Way("copyright line", "dev", _header),
            Way("slides for new staff", "test", _freelancer),
            Way("firm behind the contractor", "test", _sub),
        ),
    ),
)

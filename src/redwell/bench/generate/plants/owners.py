"""Plants of rights that a registry has under another name (archetype 72)."""

from __future__ import annotations

import random
from datetime import date, timedelta

from redwell.bench.generate.papers import (
    Added,
    Cell,
    Heading,
    Paper,
    Para,
    Row,
)
from redwell.bench.generate.plants.pieces import (
    coined,
    finish,
    mail,
    on,
    paper,
    patent,
    sign,
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
    sources,
)
from redwell.bench.generate.world import Right, World
from redwell.bench.generate.writing import (
    day_month,
    us_date,
)


def _another(
    right: Right, decoy: bool, papers: list[Paper], owner: str, day: date, because: str, listed_: Added
) -> Plant:
    """The rubric of archetype 72: the registry of `day` names `owner`; the disclosure schedule names the target."""
    number = right.number
    return finish(
        f"{number}: {'recorded for the target after all' if decoy else f'recorded for {owner}'}",
        decoy,
        papers,
        [
            fact(
                f"{number} is recorded for {owner}",
                f"PASS if the report states that the recorded owner of {number} is {owner}.",
                [(number,)],
                [(owner.lower(),), ("record", "registered", "registrant", "registry", "owner", "in the name")],
            ),
            fact(
                f"{number} search of {day.isoformat()}",
                f"PASS if the report states that the registry extract for {number} is dated {us_date(day)}.",
                [(number,)],
                [],
                on(day),
            ),
            conclusion(
                f"Title to {number} not shown",
                f"PASS if the report concludes that the target's title to {number} is not shown, so that it could not enforce or convey it, or the schedule is wrong.",
                [(number,)],
                [("title", "enforce", "convey", "not own", "wrong", "incorrect", "contradict", "chain")],
            ),
            recommendation(
                f"Assignment of {number}",
                f"PASS if the report recommends an assignment of {number} to the target and its recording before closing.",
                [(number,)],
                [("assign", "transfer"), ("record", "before closing", "obtain", "condition", "register")],
            ),
            sources(
                f"{number}: registry and schedule cited",
                f"PASS if the report cites both the registry extract for {number} and the disclosure schedule.",
                [(number,)],
                "record",
                "listed",
            ),
        ],
        [
            precision(
                f"{number} is not reported as somebody else's",
                f"PASS if the report does not assert that {number} is not owned by the target or stands in another's name; {because}.",
                [(number,)],
                [
                    (
                        "not owned",
                        "does not own",
                        "another name",
                        "recorded owner is",
                        "title gap",
                        "chain of title",
                        "belongs to",
                        "in the name of",
                        "not the target",
                    )
                ],
                unless=(
                    "former name",
                    "since been",
                    "was recorded",
                    "later",
                    "now",
                    "transferred",
                    "assigned to the target",
                    "name change",
                    "merged",
                    "is owned by the target",
                    "was updated",
                ),
            )
        ],
        because,
        added=[listed_],
    )


def _scheduled(text: str) -> Added:
    return Added("disclosure_schedule", Para(f"⟦listed|{text}⟧"), "4.15 Intellectual Property")


def _right(world: World, rng: random.Random, kind: str, name: str, number: str) -> Right:
    right = Right(kind, name, number, world.target.name, world.past(rng, (2, 7)), "In force")
    world.rights.append(right)
    return right


def _founders_firm(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A patent in the name of a founder's earlier firm; the decoy's search goes on to the assignment."""
    right, firm, day = (
        patent(world, rng, "Coupling with shear pin", world.past(rng, (3, 7))),
        world.company(rng),
        world.past(rng, (0.03, 0.15)),
    )
    rows: list[Row | tuple[Cell, ...]] = [Row((right.number, firm.name, right.filed + timedelta(days=40)), "record")]
    if decoy:
        rows.append(
            Row(
                (
                    right.number,
                    f"{world.target.name} (assignment by {firm.short}, recorded)",
                    right.filed + timedelta(days=700),
                ),
                "later",
            )
        )
    papers = [
        paper(
            "search",
            f"Patent office search {right.number}",
            "7.1",
            day,
            f"Assignment records for {right.number}, drawn on {us_date(day)}.",
            table("Patent|Owner of record|Recorded", *rows),
            avoid=("ip", "assignment"),
        )
    ]
    return _another(
        right,
        decoy,
        papers,
        firm.short,
        day,
        "an assignment to the target was recorded later",
        _scheduled(f"The Company owns of record, free of liens: {right.number}."),
    )


def _former_parent(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A mark in a workbook of searches stands for a former parent; the decoy's second sheet has the transfer."""
    name = coined(world, rng, "").upper()
    right, parent, day = (
        _right(world, rng, "mark", name, world.code(rng, "Reg. 5", 6)),
        world.company(rng),
        world.past(rng, (0.02, 0.1)),
    )
    tables = [
        table(
            "Registration|Mark|Registered for|As of",
            Row((right.number, name, parent.name, day), "record"),
            sheet="Search",
        )
    ]
    if decoy:
        tables.append(
            table(
                "Registration|Event|Day",
                Row(
                    (
                        right.number,
                        f"Transfer of whole interest, {parent.short} to {world.target.short}, entered",
                        day + timedelta(days=6),
                    ),
                    "later",
                ),
                sheet="After the search",
            )
        )
    papers = [paper("search", f"Mark search {right.number}", "7.1", day, *tables, kinds=("xlsx",))]
    return _another(
        right,
        decoy,
        papers,
        parent.short,
        day,
        "the transfer to the target was entered after the search",
        _scheduled(f"{right.number} ({name}) is registered in the Company's own name."),
    )


def _domain(world: World, rng: random.Random, decoy: bool) -> Plant:
    """The domain of a product is held by somebody who left; the decoy's record was changed since."""
    day = world.past(rng, (0.05, 0.2))
    who = world.person(rng, "Former Web Manager")
    number = f"{world.company(rng).short.lower().replace(' ', '-')}.example"
    right = _right(world, rng, "domain", number, number)
    papers = [
        paper(
            "whois",
            f"Holder query {number}",
            "7.5",
            day,
            f"⟦record|{number}, query of {day_month(day)}. Holder: {who.name} (private person). Paid up for two years.⟧",
            kinds=("txt",),
        )
    ]
    if decoy:
        papers.append(
            mail(
                "moved",
                f"{number} has a new holder",
                "7.5",
                day + timedelta(days=9),
                world.person(rng, "Registrar Desk", world.company(rng)),
                world.officers["cto"],
                f"⟦moved|At the request of {who.name} the holder of {number} is now {world.target.name}; the codes have been sent to you.⟧",
            )
        )
    return _another(
        right,
        decoy,
        papers,
        who.name,
        day,
        "the holder was changed to the target",
        _scheduled(f"Domains held by the Company itself include {number}."),
    )


def _agency(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A copyright registration by an agency, on a slide; the decoy's agency made it as the target's nominee and has conveyed it."""
    name, firm, day = coined(world, rng, "Desk"), world.company(rng), world.past(rng, (0.05, 0.3))
    right = _right(world, rng, "copyright", f"{name} user interface", world.code(rng, "TX 8", 6))
    papers = [
        paper(
            "deck",
            f"Registrations we found ({right.number})",
            "7.1",
            day,
            Heading(f"Extract drawn {day_month(day)}"),
            f"⟦record|{right.number}, {right.name}: claimant {firm.name}, as author and owner.⟧",
            kinds=("pptx", "docx"),
        )
    ]
    if decoy:
        papers.append(
            paper(
                "conveyance",
                f"Conveyance of {right.number}",
                "7.2",
                world.past(rng, (0.32, 0.9)),
                f"⟦conveyance|{firm.name}, which filed {right.number} for convenience only, conveys it to {world.target.name}. The Copyright Office has given this paper number {world.code(rng, 'V9')}.⟧",
                sign(firm, world.person(rng, "Art Director", firm)),
            )
        )
    return _another(
        right,
        decoy,
        papers,
        firm.short,
        day,
        "the agency has conveyed the registration to the target, on record",
        _scheduled(f"Of registered copyrights the Company has one, {right.number}, as claimant."),
    )


def _other_name(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A foreign office's letter names a company; the decoy's goes on to say that the target was entered in its place."""
    day, firm = world.past(rng, (0.03, 0.2)), world.company(rng)
    right = patent(world, rng, "Burner tip of sintered alloy", world.past(rng, (4, 9)))
    right.number = world.code(rng, "EP 3", 6)
    papers = [
        paper(
            "letter",
            f"Letter of the patent office on {right.number}",
            "7.1",
            day,
            f"⟦record|Munich, {day_month(day)}. In answer to your query: the register of {right.number} shows {firm.name} as proprietor since grant.⟧",
            f"⟦transfer|{f'A request of {day_month(day - timedelta(days=40))} to enter {world.target.name} in its place, with the deed by {firm.short}, was granted today.' if decoy else 'No request to enter anybody else is pending.'}⟧",
            avoid=("ip", "assignment"),
        )
    ]
    return _another(
        right,
        decoy,
        papers,
        firm.short,
        day,
        "the transfer to the target was granted and entered",
        _scheduled(f"European patents: {right.number}, proprietor the Company."),
    )


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        72,
        "recorded_owner",
        "IP",
        "A registry has a right of the target under another name",
        "cross-document",
        "High",
        (
            Way("assignment records", "train", _founders_firm),
            Way("search of marks", "train", _former_parent),
            Way("holder of a domain", "dev", _domain),
            Way("copyright on a slide", "test", _agency),
            Way("letter of an office", "test", _other_name),
        ),
    ),
)

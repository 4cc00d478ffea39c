"""Plants of inventors who never signed an assignment (archetype 69)."""

from __future__ import annotations

import random
from datetime import timedelta

from redwell.bench.generate.papers import (
    Added,
    Filler,
    Heading,
    Paper,
    Row,
)
from redwell.bench.generate.plants.pieces import (
    coined,
    employee,
    finish,
    mail,
    paper,
    patent,
    sign,
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
    usd,
)
from redwell.bench.generate.world import Person, Right, World
from redwell.bench.generate.writing import (
    day_month,
    millions,
    money,
    years_after,
)


def _unassigned(
    world: World,
    who: Person,
    right: Right,
    decoy: bool,
    papers: list[Paper],
    sales: int,
    terms: tuple[str, ...],
    despite: tuple[str, ...],
    because: str,
    *added: Added,
) -> Plant:
    """The rubric of archetype 69: `who` invented what `right` covers; `terms` stand in an assignment that was given."""
    name, last = who.name, who.last
    return finish(
        f"{name}: {right.number} {'was' if decoy else 'was never'} assigned to the target",
        decoy,
        papers,
        [
            fact(
                f"{last} is an inventor of {right.number}",
                f"PASS if the report states that {name} is an inventor of {right.number}.",
                [(last,)],
                [("invent",), (right.number.lower(), right.name.lower())],
            ),
            absence(
                f"No assignment of {last}",
                f"PASS if the report states that no executed invention assignment of {name} is in the data room.",
                [(last,)],
                ("assign", "transfer"),
            ),
            exposure(
                f"Sales resting on {right.number}",
                f"PASS if the report gives {money(sales)} a year (or an equivalent rounding) as the sales that rest on the invention of {name}.",
                [(last, right.number)],
                usd(sales),
            ),
            conclusion(
                f"Title to {right.number} incomplete",
                f"PASS if the report concludes that the target may not own the share of {name}, who could keep or license it to others.",
                [(last, right.number)],
                [
                    (
                        "not own",
                        "title",
                        "co-own",
                        "retain",
                        "remain with",
                        "remains with",
                        "still with",
                        "still own",
                        "license it",
                        "licence it",
                        "exploit",
                        "defect",
                    )
                ],
            ),
            recommendation(
                f"Assignment of {last}",
                f"PASS if the report recommends obtaining an assignment from {name} before, or as a condition of, closing.",
                [(last,)],
                [("assign",), ("obtain", "before closing", "condition", "secure", "execut", "sign", "get")],
            ),
        ],
        [
            precision(
                f"{last} is not reported as without an assignment",
                f"PASS if the report does not assert that the assignment of {name} is missing or unsigned; {because}.",
                [(last,)],
                [
                    ("assign",),
                    (
                        "missing",
                        "unsigned",
                        "no executed",
                        "not in the data room",
                        "never signed",
                        "not signed",
                        "no assignment",
                        "absent",
                        "lacks",
                    ),
                ],
                unless=(
                    "was recorded",
                    "is recorded",
                    "has assigned",
                    "executed assignment is",
                    "was later",
                    "holds the assignment",
                    "was signed",
                    "confirmed",
                ),
            )
        ],
        because,
        added=added,
        gaps=[Gap(f"assignment of {name}", (last.lower(), *terms), despite)],
        value=usd(sales),
    )


def _inventors(world: World, rng: random.Random, subject: str) -> tuple[Person, Person, Right, int]:
    """The inventor in question, the colleague who has signed, the patent, and the yearly sales that rest on it."""
    filed = world.past(rng, (2, 5))
    who, other = (
        employee(world, rng, title, years_after(filed, -2)) for title in ("Senior Engineer", "Principal Engineer")
    )
    return who, other, patent(world, rng, subject, filed, (who, other)), world.sum(rng, 0.02, 0.07, 100_000)


def _packet(world: World, rng: random.Random, decoy: bool) -> Plant:
    """The assignment of one inventor, the blank form of the other; the decoy's was signed and lies with the patent."""
    who, other, right, sales = _inventors(world, rng, "Flow metering with twin coils")
    product = coined(world, rng, "meters")
    day = right.filed + timedelta(days=20)
    papers = [
        paper(
            "patent",
            f"Patent {right.number}",
            "7.1",
            right.filed,
            f"⟦inventors|{right.number}, {right.name}. Inventors: {other.name}; {who.name}.⟧",
            f"⟦sales|The claims read on the {product}, which sell for {money(sales)} a year.⟧",
            Filler("report"),
            avoid=("ip", "assignment"),
        ),
        paper(
            "first",
            f"Assignment {other.last}",
            "7.2",
            day,
            f"{other.name} hereby assigns to {world.target.name} the whole right, title and interest in {right.number}.",
            sign(world.target, other, day),
        ),
        paper(
            "form",
            f"Assignment form {who.last}",
            "7.2",
            None,
            f"⟦form|{who.name} hereby assigns to {world.target.name} the whole right, title and interest in {right.number}.⟧",
            sign(world.target, who, signed=False),
            status="form",
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "assignment",
                f"Recorded assignment {who.last}",
                "7.1",
                day,
                f"⟦assignment|{who.name} hereby assigns all interest in {right.number} to {world.target.name}; recorded at the patent office under reel {world.code(rng, '0')}.⟧",
                sign(world.target, who, day),
            )
        )
    return _unassigned(
        world,
        who,
        right,
        decoy,
        papers,
        sales,
        ("hereby assigns",),
        ("form",),
        "the executed assignment was recorded at the patent office",
    )


def _tracker(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A list of signed papers has an empty cell; a disclosure names the inventor. The decoy's deed came at the exit."""
    who, other, right, sales = _inventors(world, rng, "Self-cleaning valve seat")
    papers = [
        paper(
            "list",
            f"Invention papers {who.last}, {other.last}",
            "7.2",
            world.past(rng, (0.05, 0.2)),
            table(
                "Person|Patent|Signed on",
                (other.name, right.number, right.filed),
                Row((who.name, right.number, "open, on leave when the others signed"), "list"),
                sheet="Papers",
            ),
            kinds=("xlsx",),
        ),
        paper(
            "disclosure",
            f"Invention disclosure {right.number}",
            "7.1",
            right.filed - timedelta(days=90),
            f"⟦inventors|Idea by {who.name} in the night shift; trials by {other.name}. Later {right.number}, {right.name}.⟧",
            avoid=("ip", "assignment"),
        ),
        mail(
            "sales",
            f"What depends on {right.number}",
            "7.1",
            world.past(rng, (0.02, 0.1)),
            world.officers["controller"],
            world.officers["gc"],
            f"⟦sales|Products with that seat ({right.number}) came to {millions(sales)} in the last twelve months.⟧",
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "deed",
                f"Deed at exit {who.last}",
                "9.1",
                world.past(rng, (0.02, 0.04)),
                f"⟦deed|For the sake of order {who.name} transfers by this deed every right in {right.number} to {world.target.name}, as of its filing.⟧",
                sign(world.target, who),
            )
        )
    return _unassigned(
        world,
        who,
        right,
        decoy,
        papers,
        sales,
        ("transfers by this deed",),
        (),
        "a deed signed later transferred the rights",
    )


def _counsel(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Patent counsel asks for a signature by mail; the decoy has the office's notice that it was recorded."""
    who, other, right, sales = _inventors(world, rng, "Optical gauge for hot strip")
    counsel = world.person(rng, "Patent Attorney", world.company(rng))
    papers = [
        mail(
            "asked",
            f"Signature of {who.last}",
            "7.2",
            world.past(rng, (0.3, 0.6)),
            counsel,
            world.officers["gc"],
            f"⟦inventors|For {right.number} we have the signature of {other.name}. That of {who.name}, who is named as inventor too, we have asked for three times.⟧ Shall we go on waiting?",
            counsel.name,
        ),
        paper(
            "deck",
            f"Gauges and {right.number}",
            "3.5",
            world.past(rng, (0.05, 0.3)),
            Heading("Protected sales"),
            f"⟦sales|Behind {right.number}: gauges for {money(sales)} of turnover per year.⟧",
            kinds=("pptx", "docx"),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "notice",
                f"Notice of recordation {right.number}",
                "7.1",
                world.past(rng, (0.1, 0.25)),
                f"⟦notice|Recorded: conveyance of {right.number} by {who.name} to {world.target.name}. Nature of conveyance: assignment of assignor's interest. Executed {day_month(world.past(rng, (0.26, 0.29)))}.⟧",
                kinds=("txt", "docx"),
            )
        )
    return _unassigned(
        world, who, right, decoy, papers, sales, ("conveyance",), (), "the office recorded the conveyance"
    )


def _founder(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A founder's invention from before the company; the decoy's contribution agreement brought it in."""
    who, _, right, sales = _inventors(world, rng, "Pulse code for buried sensors")
    papers = [
        paper(
            "history",
            f"How {right.number} came about",
            "7.1",
            world.past(rng, (0.3, 0.9)),
            Heading("Where it began"),
            f"⟦inventors|{who.name} found the pulse code at home, a year before there was a company; {right.number} was filed on it later, in our name.⟧",
            Heading("What it carries"),
            f"⟦sales|Sensors with it: {millions(sales)} in annual sales.⟧",
            kinds=("pptx", "docx"),
        ),
        paper(
            "formation",
            f"Formation papers and {who.last}",
            "2.1",
            right.filed - timedelta(days=200),
            f"{who.name} subscribes for common shares and pays for them in cash.",
            Filler("report"),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "contribution",
                f"Contribution by {who.last}",
                "2.4",
                right.filed - timedelta(days=190),
                f"⟦contribution|In exchange for further shares {who.name} brings into {world.target.name}, with effect from today and without reserve, the pulse code and any patent that comes of it.⟧",
                sign(world.target, who),
            )
        )
    return _unassigned(
        world,
        who,
        right,
        decoy,
        papers,
        sales,
        ("brings into",),
        (),
        "the founder's contribution brought the invention in",
    )


def _elsewhere(world: World, rng: random.Random, decoy: bool) -> Plant:
    """An engineer of a plant abroad whose terms are silent; minutes note it. The decoy's local form was signed."""
    who, other, right, sales = _inventors(world, rng, "Quench head with side jets")
    papers = [
        paper(
            "terms",
            f"Terms of employment {who.last}",
            "9.1",
            right.filed - timedelta(days=900),
            f"{who.name} works as an engineer, forty hours a week, thirty days of holiday.",
            "Nothing else is agreed; the law of the place applies.",
            kinds=("txt", "docx"),
        ),
        paper(
            "minutes",
            f"Patent committee: {right.number}",
            "2.2",
            world.past(rng, (0.2, 0.6)),
            Filler("minutes"),
            f"⟦inventors|Named as inventors of {right.number} are {other.name} and, from the plant abroad, {who.name}; for the latter the local office keeps the papers.⟧",
            f"⟦sales|Quench heads sold in the year: USD {sales:,}.⟧",
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "claim",
                f"Claiming of invention {who.last}",
                "7.2",
                right.filed - timedelta(days=30),
                table(
                    "Field|Entry",
                    ("Invention", right.number),
                    Row(
                        (
                            f"Claimed without limit by the employer, {world.target.short}, from {who.name}",
                            "Receipt and waiver of objections signed by the employee",
                        ),
                        "claim",
                    ),
                    sheet="Claim",
                ),
                kinds=("xlsx",),
            )
        )
    return _unassigned(
        world,
        who,
        right,
        decoy,
        papers,
        sales,
        ("claimed without limit",),
        (),
        "the employer claimed the invention and the employee signed",
    )


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        69,
        "no_invention_assignment",
        "IP",
        "An inventor has not assigned the invention",
        "absence",
        "High",
        (
            Way("blank form in the packet", "train", _packet),
            Way("open cell of a list", "train", _tracker),
            Way("counsel asks by mail", "dev", _counsel),
            Way("founder before the company", "test", _founder),
            Way("engineer abroad", "test", _elsewhere),
        ),
    ),
)

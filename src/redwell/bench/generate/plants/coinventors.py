"""Plants of inventors from outside whom an application leaves out (archetype 75)."""

from __future__ import annotations

import random
from datetime import timedelta

from redwell.bench.generate.papers import (
    Filler,
    Heading,
    Paper,
    Row,
)
from redwell.bench.generate.plants.pieces import (
    TEXT,
    employee,
    finish,
    mail,
    paper,
    patent,
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
    sources,
)
from redwell.bench.generate.world import Company, Person, Right, World
from redwell.bench.generate.writing import (
    us_date,
    years_after,
)


def _left_out(right: Right, who: Person, house: Company, decoy: bool, papers: list[Paper], because: str) -> Plant:
    """The rubric of archetype 75: `who` of `house` helped to conceive what `right` covers and is not named."""
    number, last = right.number, who.last
    return finish(
        f"{number}: {who.name} {'is no co-inventor' if decoy else 'was left out as co-inventor'}",
        decoy,
        papers,
        [
            fact(
                f"{last} contributed to {number}",
                f"PASS if the report states that {who.name} of {house.short} contributed to the conception of the invention of {number}.",
                [(last,)],
                [("concei", "concep", "contribut", "co-invent", "coinvent", "joint invent", "idea", "invent")],
            ),
            fact(
                f"{number} does not name {last}",
                f"PASS if the report states that {number} does not name {who.name} as an inventor.",
                [(last,)],
                [
                    (
                        "not name",
                        "omit",
                        "left out",
                        "not list",
                        "missing",
                        "only names",
                        "names only",
                        "absent",
                        "unnamed",
                        "does not include",
                    )
                ],
            ),
            conclusion(
                f"{house.short} may co-own {number}",
                f"PASS if the report concludes that {house.short} may be a co-owner of {number} who can use or license it without the target, so that exclusivity is lost or the patent is at risk.",
                [(number, last, house.short)],
                [("co-own", "joint", "exclusiv", "invalid", "unenforceable", "license it", "licence it")],
            ),
            recommendation(
                f"Correct {number}",
                f"PASS if the report recommends a correction of inventorship and an assignment or licence from {house.short}.",
                [(number, last, house.short)],
                [("correct", "assign", "licen", "inventorship")],
            ),
            sources(
                f"{number}: application and contribution cited",
                f"PASS if the report cites both {number} and the paper that shows the part of {who.name}.",
                [(number, last)],
                "named",
                "part",
            ),
        ],
        [
            precision(
                f"{last} is not reported as a co-inventor",
                f"PASS if the report does not assert that {who.name} is an omitted co-inventor or that {house.short} co-owns {number}; {because}.",
                [(last, house.short)],
                [("co-invent", "omitted", "co-own", "joint", "left out")],
                unless=(
                    "not a co-inventor",
                    "no co-inventor",
                    "not an inventor",
                    "not co-own",
                    "no joint",
                    "assigned",
                    "not jointly",
                    "already known",
                    "did not contribute",
                    "no claim",
                    "cancelled",
                    "not omitted",
                ),
            )
        ],
        because,
    )


def _outside(world: World, rng: random.Random, subject: str) -> tuple[Person, Person, Company, Right]:
    """The inventor who is named, the one from outside, the latter's employer and the patent."""
    house, filed = world.company(rng), world.past(rng, (2, 4))
    own = employee(world, rng, "Staff Engineer", years_after(filed, -3))
    return own, world.person(rng, "Research Fellow", house), house, patent(world, rng, subject, filed, (own,))


def _minutes_of_idea(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Project minutes give the idea to a partner's fellow; the decoy has that partner's assignment."""
    own, who, house, right = _outside(world, rng, "Heat exchanger with printed fins")
    papers = [
        paper(
            "patent",
            f"Patent {right.number}",
            "7.1",
            right.filed,
            f"⟦named|{right.number}, {right.name}. Sole inventor: {own.name}.⟧",
            Filler("report"),
            avoid=("ip", "assignment"),
        ),
        paper(
            "minutes",
            f"Project minutes with {house.short}",
            "7.2",
            right.filed - timedelta(days=120),
            Filler("minutes"),
            f"⟦part|{who.name} ({house.short}) proposed to print the fins at an angle, which nobody had thought of; {own.name} will write it up for {right.number}.⟧",
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "assignment",
                f"Assignment by {house.short}",
                "7.2",
                right.filed + timedelta(days=60),
                f"⟦assignment|{house.name} and {who.name}, the latter to be added as inventor, hereby assign to {world.target.name} all that they have in {right.number}; the correction was filed with this paper.⟧",
                signed_by(world, rng, house),
            )
        )
    return _left_out(
        right, who, house, decoy, papers, f"{house.short} has assigned its part and the correction was filed"
    )


def _mail_of_idea(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A mail from a customer's engineer sketches the invention; the decoy's sketch shows what a text book had."""
    own, who, house, right = _outside(world, rng, "Latch for robot grippers")
    rest = (
        f" Counsel's note of {us_date(right.filed + timedelta(days=30))}: the sketch shows the catch of a 1987 handbook and is in no claim."
        if decoy
        else f" Counsel's note of {us_date(right.filed + timedelta(days=30))}: claim 1 is this sketch."
    )
    papers = [
        mail(
            "mail",
            f"A thought on your grippers, {house.short}",
            "6.5",
            right.filed - timedelta(days=75),
            who,
            own,
            f"⟦part|{own.first}, see my sketch: put a second latch behind the first and the gripper cannot open by itself. Would that not be something for you?⟧",
            f"{who.name}, {house.short}",
            about=house.name,
        ),
        paper(
            "list",
            f"Filing sheet {right.number}",
            "7.1",
            right.filed,
            table(
                "Field|Entry",
                Row((f"Inventors of {right.number}", f"{own.name}, alone"), "named"),
                ("Source", f"Mail of {who.name}, with sketch.{rest}"),
                sheet="Filing",
            ),
            kinds=("xlsx",),
        ),
    ]
    return _left_out(right, who, house, decoy, papers, "the sketch shows what was already known and is in no claim")


def _agreement_of_idea(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A research agreement with a report; the decoy's fellow only ran tests as told."""
    own, who, house, right = _outside(world, rng, "Catalyst on woven carrier")
    did = (
        f"measured, on the instructions of {own.name} and by routine methods, the samples that {own.name} had made and numbered"
        if decoy
        else f"worked out that the carrier must be woven, and {own.name} then had it tried on three samples"
    )
    papers = [
        paper(
            "agreement",
            f"Cooperative research agreement {house.short}",
            "7.3",
            right.filed - timedelta(days=400),
            TEXT,
            (
                "Results",
                "⟦rights|Each party owns what its own people invent, and both own together what people of both have invented.⟧",
            ),
            signed_by(world, rng, house),
            avoid=("ip", "assignment"),
            parties=(house.name,),
        ),
        paper(
            "report",
            f"Final report of {house.short}",
            "7.2",
            right.filed - timedelta(days=20),
            Filler("report"),
            f"⟦part|In the project {who.name} {did}.⟧",
        ),
        paper(
            "deck",
            f"Patents of the year ({right.number})",
            "7.1",
            right.filed + timedelta(days=50),
            Heading("New"),
            f"⟦named|{right.number}, {right.name}; inventor {own.name}; all ours.⟧",
            kinds=("pptx", "docx"),
        ),
    ]
    return _left_out(right, who, house, decoy, papers, f"{who.name} only measured samples as told")


def _notebook(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A page of a notebook in a text file; in the decoy the claims that go back to it were given up."""
    own, who, house, right = _outside(world, rng, "Dosing wheel with spring")
    papers = [
        paper(
            "notebook",
            f"Notebook page, {own.last}",
            "7.2",
            right.filed - timedelta(days=50),
            f"⟦part|Visit of {who.name}, {house.short}. He says: leave the motor out, let a spring push the wheel. Works at once! Draft this for a filing.⟧",
            kinds=("txt", "docx"),
        ),
        paper(
            "letter",
            f"Counsel on {right.number}",
            "7.1",
            right.filed + timedelta(days=200),
            f"⟦named|As told by you we have put {own.name}, and no other person, into the declaration for {right.number}.⟧",
            f"⟦claims|{'Claims 4 to 6, on the spring in place of the motor, were cancelled before grant; what is left goes back to the motor version of the year before.' if decoy else 'Claims 4 to 6, on the spring in place of the motor, were allowed without change.'}⟧",
            avoid=("ip",),
        ),
    ]
    return _left_out(right, who, house, decoy, papers, "the claims that go back to the visit were cancelled")


def _complaint(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A letter of the other house claims a part; the decoy's house has withdrawn it after a look at the dates."""
    own, who, house, right = _outside(world, rng, "Seal for rotating drums")
    day = world.past(rng, (0.2, 0.6))
    papers = [
        paper(
            "letter",
            f"Letter of {house.short}",
            "10.3",
            day,
            f"⟦part|Our {who.name} explained the double lip to your people at the trials in our works; it is the heart of your {right.number}. We look for his name on it and find it nowhere.⟧",
            sign(house, world.person(rng, "General Manager", house), day),
            parties=(house.name,),
        ),
        paper(
            "table",
            f"Who invented what, {right.number}",
            "7.1",
            world.past(rng, (0.02, 0.1)),
            table(
                "Patent|Names on file|Trials at other works",
                Row((right.number, own.name, house.short), "named"),
                sheet="Inventors",
            ),
            kinds=("xlsx",),
        ),
    ]
    if decoy:
        papers.append(
            mail(
                "withdrawn",
                f"Drum seal, {house.short}",
                "10.3",
                day + timedelta(days=30),
                world.person(rng, "Counsel", house),
                world.officers["gc"],
                f"⟦withdrawn|Your dated drawings show the double lip a year before the trials. {house.short} has no claim to {right.number}, and takes its letter back.⟧",
                about=house.name,
            )
        )
    return _left_out(right, who, house, decoy, papers, f"{house.short} has taken its letter back")


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        75,
        "joint_ownership",
        "IP",
        "An application leaves out a co-inventor from outside",
        "cross-document",
        "High",
        (
            Way("project minutes", "train", _minutes_of_idea),
            Way("mail with a sketch", "train", _mail_of_idea),
            Way("research agreement", "dev", _agreement_of_idea),
            Way("page of a notebook", "test", _notebook),
            Way("letter of the other house", "test", _complaint),
        ),
    ),
)

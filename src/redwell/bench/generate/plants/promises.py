"""Plants of papers that promise an assignment and do not make it (archetype 70)."""

from __future__ import annotations

import random
from datetime import date, timedelta

from redwell.bench.generate.papers import (
    Cell,
    Clause,
    Heading,
    Paper,
    Row,
)
from redwell.bench.generate.plants.pieces import (
    TEXT,
    coined,
    employee,
    finish,
    mail,
    on,
    paper,
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
)
from redwell.bench.generate.world import Person, World
from redwell.bench.generate.writing import (
    day_month,
    us_date,
)


def _promised(world: World, who: Person, decoy: bool, papers: list[Paper], day: date, work: str, because: str) -> Plant:
    """The rubric of archetype 70: the paper of `day` by which `who` only promises to assign."""
    name, last = who.name, who.last
    return finish(
        f"{name}: the paper of {day.isoformat()} {'was completed by an assignment' if decoy else 'only promises an assignment'}",
        decoy,
        papers,
        [
            fact(
                f"{last} only agrees to assign",
                f"PASS if the report states that {name} only agreed to assign inventions in future, without a present assignment.",
                [(last,)],
                [
                    (
                        "agree to assign",
                        "agrees to assign",
                        "agreed to assign",
                        "promise",
                        "undertak",
                        "future",
                        "will assign",
                        "shall assign",
                        "not presently",
                        "no present",
                        "without a present",
                    )
                ],
            ),
            fact(
                f"{last} paper of {day.isoformat()}",
                f"PASS if the report states that the paper signed by {name} is dated {us_date(day)}.",
                [(last,)],
                [],
                on(day),
            ),
            conclusion(
                f"Title to {work} not passed",
                f"PASS if the report concludes that legal title to {work} may still be with {name}, so that the target's ownership is not secure.",
                [(last,)],
                [("title", "not own", "remain", "equitable", "intervening", "not pass", "retain")],
            ),
            recommendation(
                f"Present assignment of {last}",
                f"PASS if the report recommends a confirmatory present assignment by {name} before closing.",
                [(last,)],
                [("assign",), ("confirmatory", "present", "hereby", "new", "execut", "before closing")],
            ),
        ],
        [
            precision(
                f"{last} is not reported as a mere promise",
                f"PASS if the report does not assert that {name} only agreed to assign, so that title is not secure; {because}.",
                [(last,)],
                [
                    (
                        "agree to assign",
                        "agrees to assign",
                        "agreed to assign",
                        "promise",
                        "future",
                        "title",
                        "not secure",
                    )
                ],
                unless=(
                    "confirmatory assignment was",
                    "was completed",
                    "has since assigned",
                    "hereby assign",
                    "later assigned",
                    "present assignment was",
                    "was cured",
                    "presently assign",
                    "was perfected",
                    "passed",
                ),
            )
        ],
        because,
    )


def _agrees(world: World, rng: random.Random, decoy: bool) -> Plant:
    """The agreement on inventions of an engineer; the decoy has a confirmatory assignment."""
    day = world.past(rng, (2, 6))
    who, work = employee(world, rng, "Software Architect", day), coined(world, rng, "Suite")
    papers = [
        paper(
            "agreement",
            f"Proprietary Information Agreement {who.last}",
            "7.2",
            day,
            f"{who.name} and {world.target.name} agree on {us_date(day)}:",
            Clause(
                "Inventions",
                f"⟦clause|Employee agrees to assign to the Company all inventions made during employment, among them the engine of {work}, and to sign what is needed for it.⟧",
            ),
            TEXT,
            sign(world.target, who, day),
            avoid=("ip", "assignment"),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "assignment",
                f"Confirmatory Assignment {who.last}",
                "7.2",
                world.past(rng, (0.1, 0.5)),
                f"⟦assignment|{who.name} hereby irrevocably assigns to {world.target.name} all inventions made to date, the engine of {work} included; nothing was assigned to anybody else before.⟧",
                sign(world.target, who),
            )
        )
    return _promised(world, who, decoy, papers, day, work, "a confirmatory assignment was executed")


def _offer(world: World, rng: random.Random, decoy: bool) -> Plant:
    """An offer letter; in the decoy a second sentence makes the transfer at once."""
    day = world.past(rng, (3, 6))
    who, work = employee(world, rng, "Lead Developer", day), coined(world, rng, "Suite")
    second = (
        f" For what you build on {work} no request is needed: you transfer it to us by signing below, in advance."
        if decoy
        else ""
    )
    papers = [
        paper(
            "agreement",
            f"Offer letter {who.last}",
            "9.1",
            day,
            f"Dear {who.first}, we offer you the post of {who.title} from {us_date(day)}.",
            f"⟦clause|Whatever you write for us, above all on {work}, you will assign to the company on request.{second}⟧",
            sign(world.target, who, day),
            kinds=("txt", "docx"),
            avoid=("ip", "assignment"),
        ),
    ]
    return _promised(world, who, decoy, papers, day, work, "the letter itself transfers the work in advance")


def _form_versions(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A list says who signed which form; the form with the promise is beside it. The decoy's person signed the newer one as well."""
    day = world.past(rng, (3, 7))
    who, work = employee(world, rng, "Research Scientist", day), coined(world, rng, "Suite")
    newer = world.past(rng, (0.5, 1.5))
    rows: list[Row | tuple[Cell, ...]] = [Row((who.name, work, "Form 2", day), "clause")]
    if decoy:
        rows.append(Row((who.name, work, "Form 5", newer), "newer"))
    papers = [
        paper(
            "list",
            f"Forms signed: {who.last}",
            "7.2",
            world.past(rng, (0.05, 0.3)),
            table("Employee|Works on|Form|Signed", *rows, sheet="Forms"),
            kinds=("xlsx",),
        ),
        paper(
            "form",
            f"Forms for scientists such as {who.last}",
            "7.2",
            None,
            "⟦form|Form 2, in use at first: “The scientist is bound to make over inventions when the company so wishes.”⟧",
            "Form 5, in use today: “The scientist makes over all inventions, past and to come, with this signature.”",
            avoid=("ip", "assignment"),
        ),
    ]
    return _promised(world, who, decoy, papers, day, work, "the newer form, which assigns at once, was signed as well")


def _handbook(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A house rule acknowledged by a signature; the decoy's transfer stands in the bonus paper of the invention."""
    day = world.past(rng, (2, 5))
    who, work = employee(world, rng, "Process Engineer", day), coined(world, rng, "Suite")
    papers = [
        paper(
            "agreement",
            f"Acknowledgement of house rules {who.last}",
            "9.1",
            day,
            Heading("Ideas at work"),
            "⟦clause|Staff undertake to transfer their ideas to the house once the patent committee has voted for a filing.⟧",
            f"Read and signed on {day_month(day)} by {who.name}, team {work}.",
            sign(world.target, who, day),
            kinds=("pptx", "docx"),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "bonus",
                f"Idea bonus {who.last}",
                "9.3",
                world.past(rng, (0.3, 1.0)),
                f"⟦bonus|{who.name} has received the idea bonus and with this receipt passes all rights in the ideas for {work} to {world.target.name}, now and finally.⟧",
                sign(world.target, who),
            )
        )
    return _promised(world, who, decoy, papers, day, work, "the receipt for the bonus passed the rights")


def _mail_undertakes(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A mail at hiring; the decoy's leaving paper makes the transfer."""
    day = world.past(rng, (2, 4))
    who, work = employee(world, rng, "Algorithm Developer", day), coined(world, rng, "Suite")
    papers = [
        mail(
            "agreement",
            f"My start, {who.last}",
            "9.1",
            day,
            who,
            world.officers["chro"],
            f"⟦clause|As to rights: I promise that I shall sign over my algorithms for {work} whenever you send me a deed for that.⟧",
            f"{who.name}, {day_month(day)}",
        ),
        paper(
            "deeds",
            f"Deeds sent out ({who.last})",
            "7.2",
            world.past(rng, (0.05, 0.2)),
            table(
                "To|About|Sent|Back",
                ("all developers", "Deed of transfer", "none so far", "")
                if not decoy
                else Row(
                    (
                        who.name,
                        f"Deed of transfer, {work}: signed, rights passed with it",
                        day + timedelta(days=100),
                        day + timedelta(days=109),
                    ),
                    "deed",
                ),
                sheet="Deeds",
            ),
            kinds=("xlsx",),
        ),
    ]
    return _promised(world, who, decoy, papers, day, work, "the deed of transfer was sent and came back signed")


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        70,
        "agrees_to_assign",
        "IP",
        "An inventor has only promised to assign",
        "direct",
        "Medium",
        (
            Way("agreement on inventions", "train", _agrees),
            Way("offer letter", "train", _offer),
            Way("versions of a form", "dev", _form_versions),
            Way("house rules", "test", _handbook),
            Way("mail at hiring", "test", _mail_undertakes),
        ),
    ),
)

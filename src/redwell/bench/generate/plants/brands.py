"""Plants of marks that are gone while the goods still bear them (archetype 77)."""

from __future__ import annotations

import random
from datetime import date, timedelta

from redwell.bench.generate.papers import (
    Filler,
    Heading,
    Paper,
    Row,
)
from redwell.bench.generate.plants.pieces import (
    TEXT,
    coined,
    finish,
    mail,
    on,
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
    usd,
)
from redwell.bench.generate.world import Right, World
from redwell.bench.generate.writing import (
    day_month,
    millions,
    money,
    us_date,
    years_after,
)


def _gone(
    mark: Right,
    decoy: bool,
    papers: list[Paper],
    day: date,
    cost: int,
    terms: tuple[str, ...],
    despite: tuple[str, ...],
    because: str,
) -> Plant:
    """The rubric of archetype 77: `mark` ended on `day`; `terms` stand in what would allow its use."""
    name, number = mark.name, mark.number
    return finish(
        f"{name}: the mark {'may be used' if decoy else 'is gone and still in use'}",
        decoy,
        papers,
        [
            fact(
                f"{name} ended on {day.isoformat()}",
                f"PASS if the report states that the mark {name} ({number}) was cancelled, abandoned or ended on {us_date(day)}.",
                [(name, number)],
                [
                    (
                        "cancel",
                        "abandon",
                        "lapse",
                        "ended",
                        "expired",
                        "removed",
                        "surrender",
                        "terminate",
                        "right of termination",
                        "termination right",
                        "risk of termination",
                    )
                ],
                on(day),
            ),
            absence(
                f"No right to {name} now",
                f"PASS if the report states that there is no new registration or licence for {name} in the data room.",
                [(name, number)],
                ("registration", "licence", "license", "application"),
            ),
            exposure(
                f"Cost of a new brand for {name}",
                f"PASS if the report gives {money(cost)} (or an equivalent rounding) as the cost of rebranding {name}.",
                [(name, number)],
                usd(cost),
            ),
            conclusion(
                f"{name} not protected",
                f"PASS if the report concludes that {name} is not protected, or may not be used, although the goods are still sold under it.",
                [(name, number)],
                [
                    (
                        "not protect",
                        "unprotect",
                        "no protection",
                        "may not be used",
                        "without protection",
                        "without a right",
                        "infring",
                        "rebrand",
                        "without right",
                        "third part",
                        "exposed",
                    )
                ],
            ),
            recommendation(
                f"File or license {name}",
                f"PASS if the report recommends a new filing for {name} or a licence before closing.",
                [(name, number)],
                [("file", "filing", "refil", "licen", "apply", "application", "re-regist", "register")],
            ),
        ],
        [
            precision(
                f"{name} is not reported as unprotected",
                f"PASS if the report does not assert that {name} is abandoned without a right to use it; {because}.",
                [(name, number)],
                [("abandon", "cancelled", "unprotected", "lost", "may not", "no right", "without", "rebrand")],
                unless=(
                    "new registration",
                    "registered again",
                    "was licensed",
                    "licence was",
                    "license was",
                    "reinstated",
                    "another registration",
                    "is protected",
                    "covered",
                    "granted back",
                    "renewed",
                ),
            )
        ],
        because,
        gaps=[Gap(f"a right to use {name}", (name.lower(), *terms), despite)],
        value=usd(cost),
    )


def _brand(world: World, rng: random.Random) -> tuple[Right, date, int]:
    """A mark with a name of its own, the day on which it ended, and what a new brand would cost."""
    day = world.past(rng, (0.9, 1.5))
    mark = Right(
        "mark",
        coined(world, rng, "").upper(),
        world.code(rng, "Reg. 3", 6),
        world.target.name,
        years_after(day, -7),
        "Registered",
    )
    world.rights.append(mark)
    return mark, day, world.sum(rng, 0.001, 0.006, 10_000)


def _cancelled(world: World, rng: random.Random, decoy: bool) -> Plant:
    """An office's notice of cancellation and a price list under the mark; the decoy has a later registration."""
    mark, day, cost = _brand(world, rng)
    papers = [
        paper(
            "notice",
            f"Notice on {mark.number}",
            "7.1",
            day,
            f"⟦notice|United States Patent and Trademark Office, {us_date(day)}: {mark.number} for {mark.name} is cancelled, no declaration of use having been filed.⟧",
            kinds=("txt", "docx"),
        ),
        paper(
            "list",
            f"Price list {mark.name}",
            "3.2",
            world.past(rng, (0.02, 0.1)),
            table(
                "Article|List price USD",
                Row((f"{mark.name} 200", 1_480), "use"),
                (f"{mark.name} 300", 1_960),
                sheet="Prices",
            ),
            kinds=("xlsx",),
        ),
        paper(
            "estimate",
            f"Brand estimate {mark.name}",
            "3.5",
            world.past(rng, (0.02, 0.2)),
            f"⟦cost|Giving {mark.name} a new name (labels, approvals, advertising) would cost {money(cost)}.⟧",
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "certificate",
                f"Certificate of registration {mark.name}",
                "7.1",
                day + timedelta(days=210),
                f"⟦certificate|{mark.name} is entered on the principal register for {world.target.name} for the same goods, under number {world.code(rng, 'Reg. 7', 6)}.⟧",
                kinds=("txt", "docx"),
            )
        )
    return _gone(
        mark, decoy, papers, day, cost, ("principal register",), (), "it was registered again for the same goods"
    )


def _transition(world: World, rng: random.Random, decoy: bool) -> Plant:
    """The mark was the former parent's, and the time to use it is over; the decoy has a licence back."""
    mark, day, cost = _brand(world, rng)
    world.rights.remove(mark)
    parent = world.company(rng)
    papers = [
        paper(
            "agreement",
            f"Transition agreement - {parent.short}",
            "7.3",
            years_after(day, -2),
            TEXT,
            (
                "Names",
                f"⟦clause|The mark {mark.name} ({mark.number}) remains with {parent.short}. The Company may use it until {us_date(day)}, when the permission ends.⟧",
            ),
            signed_by(world, rng, parent),
            avoid=("ip", "term"),
            parties=(parent.name,),
        ),
        mail(
            "use",
            f"Cartons with {mark.name}",
            "6.5",
            world.past(rng, (0.02, 0.1)),
            world.person(rng, "Packaging Buyer"),
            world.officers["cfo"],
            f"⟦use|We have ordered {mark.name} cartons for another year. Changing the name everywhere was put at ⟧⟦cost|{money(cost)}⟧.",
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "licence",
                f"Licence of {mark.name}",
                "7.3",
                day - timedelta(days=30),
                f"⟦licence|From the end of the transition {parent.short} gives {world.target.short} a perpetual licence of {mark.name}, which passes with the business.⟧",
                signed_by(world, rng, parent),
                parties=(parent.name,),
            )
        )
    return _gone(
        mark, decoy, papers, day, cost, ("perpetual licence",), (), "the former parent gave a licence of the mark"
    )


def _surrendered(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A settlement gave the mark up from a day; slides show it in use. The decoy's settlement lets the old goods go on."""
    mark, day, cost = _brand(world, rng)
    other = world.company(rng)
    papers = [
        paper(
            "settlement",
            f"Settlement with {other.short}",
            "10.2",
            day - timedelta(days=60),
            TEXT,
            (
                "The name",
                f"⟦clause|On {day_month(day)} {world.target.short} surrenders {mark.number} and the name {mark.name} to {other.short}.⟧",
            ),
            signed_by(world, rng, other),
            avoid=("ip",),
            parties=(other.name,),
        ),
        paper(
            "deck",
            f"Brands this year ({mark.name})",
            "3.5",
            world.past(rng, (0.02, 0.1)),
            Heading(mark.name),
            f"⟦use|Still on every second parcel that leaves the house. A change of name was costed at {millions(cost)}.⟧",
            kinds=("pptx", "docx"),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "side",
                f"Understanding with {other.short}",
                "10.2",
                day + timedelta(days=20),
                f"⟦side|{other.short} agrees that {world.target.short} goes on putting {mark.name} on goods of the present kind, without a fee and without a date, and will not object to a buyer's doing so.⟧",
                signed_by(world, rng, other),
                parties=(other.name,),
            )
        )
    return _gone(
        mark, decoy, papers, day, cost, ("goes on putting",), (), "the other side has agreed to the further use"
    )


def _abroad(world: World, rng: random.Random, decoy: bool) -> Plant:
    """An agent's letter about the home register, a workbook of sales; the decoy's second registration was there all the time."""
    mark, day, cost = _brand(world, rng)
    agent = world.company(rng)
    papers = [
        paper(
            "letter",
            f"Agent on {mark.number}",
            "7.1",
            day + timedelta(days=12),
            f"⟦letter|{mark.number} ({mark.name}) left the register on {day_month(day)}; our reminders to your former manager came back. We keep no other file for you.⟧",
            sign(agent, world.person(rng, "Agent", agent)),
        ),
        paper(
            "sales",
            f"Brand sheet {mark.name}",
            "3.2",
            world.past(rng, (0.02, 0.1)),
            table(
                "Question|Answer",
                Row((f"Sold as {mark.name} at present", "Yes, all pumps"), "use"),
                Row(("What would another name cost", cost), "cost"),
                sheet="Brand",
            ),
            kinds=("xlsx",),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "second",
                f"Register of marks, line {mark.name}",
                "7.1",
                world.past(rng, (0.02, 0.2)),
                f"⟦second|Kept by another agent: {mark.name}, series mark for pumps, registered for {world.target.name}, fees paid to {world.deal.as_of.year + 4}.⟧",
                kinds=("txt", "docx"),
            )
        )
    return _gone(mark, decoy, papers, day, cost, ("series mark",), (), "a second registration covers the same goods")


def _minuted(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Minutes decide to drop the mark, a mail revives the goods; the decoy's application was granted before they were."""
    mark, day, cost = _brand(world, rng)
    papers = [
        paper(
            "minutes",
            f"Product council on {mark.name}",
            "2.2",
            day,
            Filler("minutes"),
            f"⟦minutes|{day_month(day)}. The line is given up and with it the mark {mark.name}, {mark.number}: abandoned as of today, the office to be told.⟧",
        ),
        mail(
            "revival",
            f"{mark.name} is back",
            "3.5",
            world.past(rng, (0.02, 0.15)),
            world.person(rng, "Product Manager"),
            world.officers["ceo"],
            f"⟦use|Customers wanted {mark.name} again, so it has been on sale since last month, under the old name.⟧ ⟦cost|If we had to find it a new one: USD {cost:,}.⟧",
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "grant",
                f"Grant of protection {mark.name}",
                "7.1",
                world.past(rng, (0.16, 0.25)),
                table(
                    "Entry|Text",
                    Row(
                        (
                            f"Protection for {mark.name}",
                            f"Granted anew to {world.target.name}, all classes of the old entry",
                        ),
                        "grant",
                    ),
                    sheet="Grant",
                ),
                kinds=("xlsx",),
            )
        )
    return _gone(
        mark, decoy, papers, day, cost, ("granted anew",), (), "protection was granted anew before the goods came back"
    )


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        77,
        "mark_abandoned",
        "IP",
        "A mark is gone while goods still bear it",
        "absence",
        "Medium",
        (
            Way("notice of cancellation", "train", _cancelled),
            Way("end of a transition", "train", _transition),
            Way("surrender in a settlement", "dev", _surrendered),
            Way("letter of an agent", "test", _abroad),
            Way("line given up and revived", "test", _minuted),
        ),
    ),
)

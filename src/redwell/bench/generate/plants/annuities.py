"""Plants of fees for rights that were not paid in time (archetype 73)."""

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
    coined,
    finish,
    mail,
    on,
    paper,
    patent,
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
)
from redwell.bench.generate.world import Right, World
from redwell.bench.generate.writing import (
    day_month,
    months_after,
    us_date,
    years_after,
)


def _overdue(right: Right, decoy: bool, papers: list[Paper], due: date, last: date, because: str) -> Plant:
    """The rubric of archetype 73: due on `due`, and payable with a surcharge until `last`."""
    number = right.number
    return finish(
        f"{number}: the fee {'was paid' if decoy else f'was missed; grace ends {last.isoformat()}'}",
        decoy,
        papers,
        [
            fact(
                f"{number} fee missed on {due.isoformat()}",
                f"PASS if the report states that the fee or renewal for {number} fell due on {us_date(due)} and was not paid.",
                [(number,)],
                [("due", "miss", "unpaid", "not paid", "overdue", "late")],
                on(due),
            ),
            exposure(
                f"{number} grace ends {last.isoformat()}",
                f"PASS if the report gives {us_date(last)} as the last day on which {number} can be kept alive.",
                [(number,)],
                on(last),
            ),
            conclusion(
                f"{number} would be lost",
                f"PASS if the report concludes that {number} lapses or expires unless the fee and surcharge are paid in time.",
                [(number,)],
                [("laps", "expire", "lost", "lose", "cancel", "loss")],
            ),
            recommendation(
                f"Pay for {number}",
                f"PASS if the report recommends paying the fee with the surcharge for {number} before that day, or before closing.",
                [(number,)],
                [("pay", "paid", "renew", "file")],
            ),
        ],
        [
            precision(
                f"{number} is not reported as unpaid",
                f"PASS if the report does not assert that the fee for {number} is unpaid or that the right will lapse; {because}.",
                [(number,)],
                [("unpaid", "missed", "will lapse", "not paid", "overdue", "lapsed", "may lapse", "expire")],
                unless=(
                    "was paid",
                    "has been paid",
                    "paid in time",
                    "receipt",
                    "renewed",
                    "not lapse",
                    "accepted",
                    "in force",
                ),
            )
        ],
        because,
    )


def _tuesday(day: date) -> date:
    """The Tuesday on or before a day: patents and marks are issued on Tuesdays."""
    day = day.replace(day=min(day.day, 28))
    back = day - timedelta(days=(day.weekday() - 1) % 7)
    return back if back.day <= 28 else back - timedelta(days=7)


def _issued(world: World, rng: random.Random, years: float) -> tuple[date, date]:
    """A grant such that the fee after so many years fell due one to five months ago, and that due day."""
    due = months_after(world.deal.as_of, -rng.randrange(2, 5))
    grant = _tuesday(months_after(due, -round(years * 12)))
    return grant, months_after(grant, round(years * 12))


def _fee_docket(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A docket with the grant and the rule; the decoy has the office's receipt."""
    grant, due = _issued(world, rng, 3.5)
    right = patent(world, rng, "Bearing with split race", years_after(grant, -2))
    last = months_after(grant, 48)
    papers = [
        paper(
            "docket",
            f"Patent docket {right.number}",
            "7.1",
            world.past(rng, (0.02, 0.06)),
            table(
                "Patent|Granted|First fee|Paid",
                Row((right.number, grant, "3 years and 6 months after grant", "-"), "docket"),
                sheet="Docket",
            ),
            kinds=("xlsx",),
        ),
        paper(
            "memo",
            f"Memo on maintenance fees ({right.number})",
            "7.1",
            world.past(rng, (0.5, 1)),
            f"⟦rule|The first maintenance fee is due 3.5 years after the grant; with a surcharge it may still be paid until 4 years after the grant, when the patent expires.⟧ {right.number} follows this rule.",
            avoid=("ip",),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "receipt",
                f"Receipt {right.number}",
                "7.1",
                due - timedelta(days=13),
                f"⟦receipt|United States Patent and Trademark Office: maintenance fee at 3.5 years for {right.number} received {us_date(due - timedelta(days=13))}.⟧",
                kinds=("txt", "docx"),
            )
        )
    return _overdue(right, decoy, papers, due, last, "the office has given its receipt")


def _mark_ten(world: World, rng: random.Random, decoy: bool) -> Plant:
    """The ten years of a mark, told in a mail; the decoy's renewal was filed in the grace time."""
    grant, due = _issued(world, rng, 10)
    name = coined(world, rng, "").upper()
    right = Right(
        "mark", name, world.code(rng, "Reg. 4", 6), world.target.name, grant - timedelta(days=300), "Registered"
    )
    world.rights.append(right)
    last = months_after(due, 6)
    agent = world.person(rng, "Trademark Counsel", world.company(rng))
    state = (
        f"We filed the renewal with the surcharge on {us_date(due + timedelta(days=21))}, and the office has accepted it."
        if decoy
        else "We hold no instruction and have filed nothing."
    )
    papers = [
        paper(
            "extract",
            f"Register extract {right.number}",
            "7.1",
            world.past(rng, (0.5, 0.9)),
            f"⟦docket|{right.number}, {name}. Registered {us_date(grant)} for a term of ten years.⟧",
            kinds=("txt", "docx"),
        ),
        mail(
            "mail",
            f"Renewal of {right.number}",
            "7.1",
            world.past(rng, (0.02, 0.06)),
            agent,
            world.officers["gc"],
            f"⟦rule|Once the ten years are over, a registration can be renewed for six months more on payment of a surcharge, and then no longer.⟧ ⟦state|{state}⟧",
            agent.name,
        ),
    ]
    return _overdue(right, decoy, papers, due, last, "the renewal was filed in the grace time and accepted")


def _european(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A renewal fee of a European application: the end of the month of the filing's anniversary, and six months."""
    months = rng.randrange(2, 5)
    end = months_after(world.deal.as_of.replace(day=1), -months) - timedelta(days=1)
    filed = years_after(end.replace(day=11), -5)
    right = patent(world, rng, "Housing with labyrinth seal", filed, status="Pending")
    right.number = world.code(rng, "EP 2", 6)
    last = months_after(end + timedelta(days=1), 6) - timedelta(days=1)
    papers = [
        paper(
            "deck",
            f"Portfolio Europe ({right.number})",
            "7.1",
            world.past(rng, (0.02, 0.06)),
            Heading(right.number),
            f"⟦docket|Filed {day_month(filed)}. Fee for year 6: nothing booked so far.⟧",
            Heading("How fees run"),
            "⟦rule|Each fee falls due on the last day of the month in which the anniversary of filing lies, and is payable with half as much again until the last day of the sixth month after that.⟧",
            kinds=("pptx", "docx"),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "confirmation",
                f"Confirmation of payment {right.number}",
                "7.1",
                end - timedelta(days=4),
                table(
                    "File|Fee|Debited",
                    Row((right.number, "Renewal, year 6", end - timedelta(days=4)), "paid"),
                    sheet="Debits",
                ),
                kinds=("xlsx",),
            )
        )
    return _overdue(right, decoy, papers, end, last, "the fee was debited before it fell due")


def _second_fee(world: World, rng: random.Random, decoy: bool) -> Plant:
    """The second fee, at seven and a half years, in minutes; the decoy's service provider paid."""
    grant, due = _issued(world, rng, 7.5)
    right = patent(world, rng, "Nozzle with swirl insert", years_after(grant, -3))
    last = months_after(grant, 96)
    papers = [
        paper(
            "minutes",
            f"IP round: {right.number}",
            "2.2",
            world.past(rng, (0.02, 0.06)),
            Filler("minutes"),
            f"⟦docket|{right.number} was issued on {day_month(grant)}. The fee at seven and a half years was left for a decision that nobody has taken on our side.⟧",
        ),
        paper(
            "rules",
            f"Fee rules sent with {right.number}",
            "7.1",
            grant,
            "⟦rule|A fee not paid at seven and a half years from issue can be made good, with something on top, while eight years from issue have not gone by.⟧",
            kinds=("txt", "docx"),
        ),
    ]
    if decoy:
        papers.append(
            mail(
                "provider",
                f"Standing order, {right.number}",
                "7.1",
                due - timedelta(days=30),
                world.person(rng, "Annuity Clerk", world.company(rng)),
                world.officers["cto"],
                f"⟦provider|Under your standing order we have today paid the fee at seven and a half years for {right.number}; you need not decide anything.⟧",
            )
        )
    return _overdue(right, decoy, papers, due, last, "the provider paid under a standing order")


def _declaration(world: World, rng: random.Random, decoy: bool) -> Plant:
    """The declaration of use between the fifth and sixth year of a mark, in a table of duties; the decoy's was filed."""
    grant, due = _issued(world, rng, 6)
    name = coined(world, rng, "").upper()
    right = Right(
        "mark", name, world.code(rng, "Reg. 6", 6), world.target.name, grant - timedelta(days=280), "Registered"
    )
    world.rights.append(right)
    last = months_after(due, 6)
    done = f"filed on {(due - timedelta(days=50)).isoformat()}" if decoy else "to be done by the agency we left"
    papers = [
        paper(
            "duties",
            f"Duties for {right.number}",
            "7.1",
            world.past(rng, (0.02, 0.06)),
            table(
                "Duty|Rule|State",
                Row(
                    (
                        f"{right.number}: declaration of use, fee included",
                        f"By the end of the sixth year after registration ({grant.isoformat()}); with a surcharge within the six months that follow",
                        done,
                    ),
                    "docket",
                ),
                ("Watch service", "Monthly", "running"),
            ),
            kinds=("docx",),
        ),
    ]
    return _overdue(right, decoy, papers, due, last, "the declaration was filed in time")


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        73,
        "annuity_missed",
        "IP",
        "A fee for a right was missed and can be paid until a day",
        "computed",
        "Medium",
        (
            Way("docket and memo", "train", _fee_docket),
            Way("ten years of a mark", "train", _mark_ten),
            Way("European application", "dev", _european),
            Way("second fee in minutes", "test", _second_fee),
            Way("declaration of use", "test", _declaration),
        ),
    ),
)

"""Plants of customers who leave and are still in the forecast (archetype 38)."""

from __future__ import annotations

import random
from datetime import date, timedelta

from redwell.bench.generate.papers import (
    Added,
    Cell,
    Filler,
    Heading,
    Paper,
    Para,
    Row,
)
from redwell.bench.generate.plants.pieces import (
    TEXT,
    contract,
    finish,
    mail,
    on,
    paper,
    sign,
    signed_by,
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
    day_month,
    millions,
    money,
    us_date,
)


def _leaves(
    c: Contract, decoy: bool, papers: list[Paper], parts: tuple[int, int], day: date, because: str, *added: Added
) -> Plant:
    """The rubric of archetype 38: a notice of `day` takes `parts` of a year out of what the forecast holds."""
    party, lost = c.party.short, sum(parts)
    return finish(
        f"{party}: the forecast {'is right about' if decoy else 'still holds'} what it gave notice of",
        decoy,
        papers,
        [
            fact(
                f"{party} gave notice on {day.isoformat()}",
                f"PASS if the report states that {party} gave notice of non-renewal or reduction dated {us_date(day)}.",
                [(party,)],
                [
                    (
                        "notice",
                        "non-renew",
                        "not renew",
                        "terminate",
                        "right of termination",
                        "termination right",
                        "risk of termination",
                        "cancel",
                        "reduc",
                        "downgrad",
                        "leave",
                        "end",
                    )
                ],
                on(day),
            ),
            exposure(
                f"{party} revenue lost",
                f"PASS if the report gives {money(lost)} a year (or an equivalent rounding) as the recurring revenue lost from {party}.",
                [(party,)],
                usd(lost),
            ),
            conclusion(
                f"Forecast overstates {party}",
                f"PASS if the report concludes that the forecast still contains the revenue of {party} and is overstated.",
                [(party,)],
                [
                    ("forecast", "model", "budget", "projection", "plan"),
                    ("overstat", "still", "too high", "contain", "include", "not reflect", "ignor"),
                ],
            ),
            recommendation(
                f"Take {party} out of the model",
                f"PASS if the report recommends removing the revenue of {party} from the forecast, or lowering the price for it.",
                [(party,)],
                [("remov", "tak", "haircut", "lower", "reduc", "adjust", "exclud", "revis")],
            ),
            sources(
                f"{party}: notice and forecast cited",
                f"PASS if the report cites both the notice of {party} and the forecast.",
                [(party,)],
                "notice",
                "forecast",
            ),
        ],
        [
            precision(
                f"{party} is not reported as lost",
                f"PASS if the report does not assert that the forecast is overstated by revenue of {party} that was lost; {because}.",
                [(party,)],
                [
                    (
                        "overstat",
                        "lost",
                        "non-renew",
                        "churn",
                        "leaves",
                        "too high",
                        "still include",
                        "still contain",
                        "still hold",
                        "removed from",
                    )
                ],
                unless=(
                    "withdrew",
                    "withdrawn",
                    "took back",
                    "stays",
                    "renewed",
                    "already",
                    "not overstated",
                    "not lost",
                    "excluded",
                    "left out",
                    "does not include",
                    "taken back",
                    "replaced",
                ),
            )
        ],
        because,
        added=added,
        value=usd(lost),
    )


def _two_parts(c: Contract) -> tuple[int, int]:
    first = c.annual * 2 // 3 // 1000 * 1000
    return first, c.annual - first


def _leaves_letter(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A letter of non-renewal against the forecast workbook; the decoy's customer has withdrawn it."""
    c = contract(world, rng, "Subscription Order")
    parts, day = _two_parts(c), world.past(rng, (0.1, 0.4))
    signer = world.person(rng, "Chief Information Officer", c.party)
    papers = [
        paper(
            "notice",
            f"Notice of {c.party.short}",
            "6.5",
            day,
            f"⟦notice|By this letter of {us_date(day)} {c.party.short} gives notice that it will not renew the platform and analytics subscriptions at the end of their term.⟧",
            sign(c.party, signer, day),
            parties=(c.party.name,),
        ),
        paper(
            "forecast",
            f"Recurring revenue forecast ({c.party.short} tab)",
            "3.5",
            world.past(rng, (0.02, 0.08)),
            table(
                "Customer|Product|Next year USD",
                Row((c.party.short, "Platform", parts[0]), "forecast"),
                Row((c.party.short, "Analytics", parts[1]), "forecast"),
                sheet="Recurring",
            ),
            kinds=("xlsx",),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "back",
                f"Withdrawal of notice - {c.party.short}",
                "6.5",
                day + timedelta(days=16),
                f"⟦back|{c.party.short} withdraws its letter of {us_date(day)}. Both subscriptions renew for two years at the present fees.⟧",
                signed_by(world, rng, c.party),
                parties=(c.party.name,),
            )
        )
    return _leaves(c, decoy, papers, parts, day, f"{c.party.short} withdrew its notice and renewed")


def _leaves_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A mail drops two sites; the forecast is a paragraph of the information memorandum, with or without them."""
    c = contract(world, rng, "Site Services Agreement")
    parts, day = _two_parts(c), world.past(rng, (0.1, 0.3))
    buyer = world.person(rng, "Director of Operations", c.party)
    held = (
        f"The plan for next year leaves out both sites of {c.party.short}, worth {money(sum(parts))}"
        if decoy
        else f"The plan for next year is built on both sites of {c.party.short}, worth {money(sum(parts))}"
    )
    papers = [
        mail(
            "notice",
            f"Two sites of {c.party.short}",
            "6.5",
            day,
            buyer,
            world.officers["ceo"],
            f"⟦notice|We are closing the north site ({money(parts[0])} a year with you) and the harbor site ({money(parts[1])}). Take this as our notice for both.⟧",
            buyer.name,
            about=c.party.name,
        ),
        paper(
            "agreement",
            f"Site Services Agreement - {c.party.short}",
            "6.1",
            c.signed,
            TEXT,
            (
                "Leaving",
                f"⟦clause|A site may be taken out of this Agreement by {c.party.short} on sixty days' notice in text form.⟧",
            ),
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
    ]
    return _leaves(
        c,
        decoy,
        papers,
        parts,
        day,
        "the plan had already left out both sites",
        Added("information_memorandum", Para(f"⟦forecast|{held}.⟧"), "Outlook"),
    )


def _leaves_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Minutes of an account meeting; the board deck holds the plan. The decoy's customer bought an equal product instead."""
    c = contract(world, rng, "Licence and Support Order")
    parts, day = _two_parts(c), world.past(rng, (0.15, 0.4))
    papers = [
        paper(
            "notice",
            f"Account meeting {c.party.short}",
            "6.5",
            day,
            Filler("minutes"),
            f"⟦notice|{c.party.short} handed over its written notice on {day_month(day)}: the licence, at {money(parts[0])}, and the support, at {money(parts[1])}, run out with this contract year.⟧",
            sign(c.party, world.person(rng, "Head of Procurement", c.party)),
            parties=(c.party.name,),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "order",
                f"Order of successor product - {c.party.short}",
                "6.1",
                day + timedelta(days=25),
                f"⟦order|In place of licence and support {c.party.short} orders the successor from {world.target.short} for five years, at the same {money(sum(parts))} in all per year.⟧",
                signed_by(world, rng, c.party),
                parties=(c.party.name,),
            )
        )
    return _leaves(
        c,
        decoy,
        papers,
        parts,
        day,
        "its order of the successor brings the same revenue",
        Added(
            "board_deck",
            Para(f"⟦forecast|Planned with {c.party.short} for the coming year: {money(sum(parts))}, as before.⟧"),
            "Plan by customer",
        ),
    )


def _leaves_portal(world: World, rng: random.Random, decoy: bool) -> Plant:
    """An export of a portal shows a downgrade; a text file holds the budget. The decoy's export has a later row that takes it back."""
    c = contract(world, rng, "Seats Plan")
    parts, day = _two_parts(c), world.past(rng, (0.1, 0.3))
    rows: list[Row | tuple[Cell, ...]] = [
        Row(
            (
                day,
                c.party.short,
                f"Fewer seats at term end: minus USD {parts[0]:,} and minus USD {parts[1]:,} a year, binding",
                "Submitted by customer",
            ),
            "notice",
        )
    ]
    if decoy:
        rows.append(
            Row(
                (
                    day + timedelta(days=8),
                    c.party.short,
                    "Request of last week taken back inside the ten days allowed for that",
                    "Accepted",
                ),
                "back",
            )
        )
    papers = [
        paper(
            "export",
            f"Portal export {c.party.short}",
            "3.2",
            world.past(rng, (0.02, 0.05)),
            table("Day|Account|Request|State", *rows, sheet="Requests"),
            kinds=("xlsx",),
            parties=(c.party.name,),
        ),
        paper(
            "budget",
            f"Budget note, seats of {c.party.short}",
            "3.5",
            world.past(rng, (0.01, 0.02)),
            f"⟦forecast|For {c.party.short} we have put {millions(sum(parts))} more or less as it was, that is, with all seats.⟧",
            kinds=("txt", "docx"),
        ),
    ]
    return _leaves(c, decoy, papers, parts, day, "the request was taken back in time")


def _leaves_change(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A contract change ends two lanes; slides of the lender's case hold the revenue. The decoy's change never started since both had to confirm it."""
    c = contract(world, rng, "Carriage Contract")
    parts, day = _two_parts(c), world.past(rng, (0.2, 0.5))
    papers = [
        paper(
            "notice",
            f"Lanes of {c.party.short}",
            "6.5",
            day,
            f"{day_month(day)}",
            f"⟦notice|Lane 4 (USD {parts[0]:,} in twelve months) and lane 9 (USD {parts[1]:,}) go to another carrier when the contract year is out, and you should treat this as the notice for which the contract asks, once a second letter of ours has confirmed it.⟧",
            sign(c.party, world.person(rng, "Transport Manager", c.party), day),
            parties=(c.party.name,),
        ),
        paper(
            "forecast",
            f"Lender case: lanes of {c.party.short}",
            "3.5",
            world.past(rng, (0.02, 0.1)),
            Heading("Revenue bridge"),
            f"⟦forecast|Lanes 4 and 9 for {c.party.short} bring USD {sum(parts):,} in each year of the case.⟧",
            kinds=("pptx", "docx"),
        ),
    ]
    second = (
        f"⟦second|We do not confirm our letter of {day_month(day)}: lanes 4 and 9 stay with you, as they are.⟧"
        if decoy
        else f"⟦second|We confirm our letter of {day_month(day)} and have signed with the other carrier.⟧"
    )
    papers.append(
        paper(
            "second",
            f"Second letter of {c.party.short}",
            "6.5",
            day + timedelta(days=21),
            second,
            parties=(c.party.name,),
        )
    )
    return _leaves(c, decoy, papers, parts, day, f"{c.party.short} did not confirm its notice and took it back")


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        38,
        "non_renewal_notice",
        "Contracts",
        "A notice of non-renewal is not in the forecast",
        "computed",
        "Medium",
        (
            Way("letter and forecast", "train", _leaves_letter),
            Way("mail and memorandum", "train", _leaves_mail),
            Way("account meeting and deck", "dev", _leaves_minutes),
            Way("portal export and budget", "test", _leaves_portal),
            Way("lanes and the lender case", "test", _leaves_change),
        ),
    ),
)

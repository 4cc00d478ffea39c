"""Plants of notices of breach that nobody answered (archetype 39)."""

from __future__ import annotations

import random
from datetime import date, timedelta

from redwell.bench.generate.papers import (
    Cell,
    Filler,
    Heading,
    Paper,
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
from redwell.bench.generate.world import Contract, World
from redwell.bench.generate.writing import (
    both,
    day_month,
    money,
    spelled,
    us_date,
)


def _unanswered(
    c: Contract,
    decoy: bool,
    papers: list[Paper],
    day: date,
    period: int,
    claim: int,
    terms: tuple[str, ...],
    because: str,
    despite: tuple[str, ...] = (),
) -> Plant:
    """The rubric of archetype 39: a notice of `day`, `period` days to cure, a claim; `terms` stand in what would answer it."""
    party, until = c.party.short, day + timedelta(days=period)
    return finish(
        f"{party}: its notice of breach {'was answered' if decoy else 'was not answered and the time to cure is over'}",
        decoy,
        papers,
        [
            fact(
                f"{party} notice of {day.isoformat()}",
                f"PASS if the report states that {party} gave notice of breach of the {c.title} on {us_date(day)}.",
                [(party,)],
                [("breach", "default", "fail", "non-performance")],
                on(day),
            ),
            fact(
                f"{party} cure ended {until.isoformat()}",
                f"PASS if the report states that the time to cure under the {party} notice ended on {us_date(until)}.",
                [(party,)],
                [("cure", "remed", "grace", "put right", "period", "time")],
                on(until),
            ),
            absence(
                f"No answer to {party}",
                f"PASS if the report states that there is no response to or cure of the {party} notice in the data room.",
                [(party,)],
                ("response", "answer", "reply", "cure", "respond"),
            ),
            exposure(
                f"{party} claim",
                f"PASS if the report gives {money(claim)} (or an equivalent rounding) as the sum that {party} claims.",
                [(party,)],
                usd(claim),
            ),
            conclusion(
                f"{party} may terminate",
                f"PASS if the report concludes that {party} may now terminate the agreement or sue for its claim.",
                [(party,)],
                [
                    (
                        "terminate",
                        "right of termination",
                        "termination right",
                        "risk of termination",
                        "sue",
                        "rescind",
                        "end the",
                        "litigat",
                        "walk away",
                        "withdraw from",
                    )
                ],
            ),
            recommendation(
                f"Standstill or waiver of {party}",
                f"PASS if the report recommends a waiver, standstill or settlement with {party} before closing.",
                [(party,)],
                [("waiver", "waive", "standstill", "settle", "cure", "respond", "indemn")],
            ),
        ],
        [
            precision(
                f"{party} notice is not reported as unanswered",
                f"PASS if the report does not assert that the breach noticed by {party} is uncured or that it may terminate for it; {because}.",
                [(party,)],
                [
                    (
                        "uncured",
                        "not cured",
                        "unanswered",
                        "not answered",
                        "no response",
                        "no reply",
                        "no answer",
                        "can now terminate",
                        "could terminate",
                        "may terminate",
                        "can terminate",
                        "may now terminate",
                        "remains open",
                    )
                ],
                unless=(
                    "was cured",
                    "cured in time",
                    "withdrawn",
                    "settled",
                    "waived",
                    "closed",
                    "accepted",
                    "resolved",
                    "acknowledged",
                ),
            )
        ],
        because,
        gaps=[Gap(f"an answer to the notice of {party}", (party.lower(), *terms), despite)],
        value=usd(claim),
    )


def _breach_letter(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A formal notice under a clause; the decoy's customer has confirmed the cure."""
    c = contract(world, rng, "Master Delivery Agreement")
    day, period, claim = world.past(rng, (0.25, 0.4)), rng.choice((30, 45)), world.sum(rng, 0.001, 0.006, 5_000)
    counsel = world.person(rng, "General Counsel", c.party)
    papers = [
        paper(
            "agreement",
            f"Master Delivery Agreement - {c.party.short}",
            "6.1",
            c.signed,
            TEXT,
            (
                "Breach",
                f"⟦clause|A party in material breach has {both(period)} days from notice to cure it, after which the other may terminate for cause.⟧",
            ),
            TEXT,
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "notice",
            f"Notice of breach - {c.party.short}",
            "10.3",
            day,
            f"{us_date(day)}",
            f"⟦notice|Deliveries have failed our tests for two quarters. This is notice of material breach under the Master Delivery Agreement; our damages to date are {money(claim)}.⟧",
            sign(c.party, counsel, day),
            parties=(c.party.name,),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "cured",
                f"Cure accepted - {c.party.short}",
                "6.5",
                day + timedelta(days=period - 6),
                f"⟦cured|{c.party.short} has tested the replaced goods and accepts that the breach noticed on {us_date(day)} was cured in time; it makes no claim.⟧",
                sign(c.party, counsel),
                parties=(c.party.name,),
            )
        )
    return _unanswered(c, decoy, papers, day, period, claim, ("cured in time",), "the customer accepted the cure")


def _breach_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A mail with a list of failings and a time in the order's table; the decoy has a settlement."""
    c = contract(world, rng, "Implementation Order")
    day, period, claim = world.past(rng, (0.2, 0.3)), rng.choice((20, 25)), world.sum(rng, 0.001, 0.004, 5_000)
    lead = world.person(rng, "Programme Director", c.party)
    papers = [
        paper(
            "agreement",
            f"Implementation Order {c.party.short}",
            "6.1",
            c.signed,
            table(
                "Item|Content",
                ("Go-live", "Third quarter"),
                Row(
                    (
                        "If a party fails",
                        f"{period} days from written warning to put it right; then the order may be rescinded and damages claimed",
                    ),
                    "clause",
                ),
                sheet="Order",
            ),
            kinds=("xlsx",),
            parties=(world.target.name, c.party.name),
        ),
        mail(
            "notice",
            f"Formal warning - {c.party.short}",
            "10.3",
            day,
            lead,
            world.officers["cto"],
            f"⟦notice|This is a formal warning: the interfaces due in spring do not work, and standing still costs {c.party.short} {money(claim)} so far, which we will claim from you.⟧",
            lead.name,
            about=c.party.name,
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "settled",
                f"Settlement note - {c.party.short}",
                "10.2",
                day + timedelta(days=period - 4),
                f"⟦settled|{c.party.short} and {world.target.short} have settled the warning: the interfaces were rebuilt without charge and nothing is claimed any more.⟧",
                signed_by(world, rng, c.party),
                parties=(c.party.name,),
            )
        )
    return _unanswered(c, decoy, papers, day, period, claim, ("have settled the warning",), "the warning was settled")


def _breach_register(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A courier's letter, a clause, and a correspondence log that ends with the letter; the decoy's log goes on."""
    c = contract(world, rng, "Packaging Contract", "supplier")
    day, period, claim = world.past(rng, (0.3, 0.5)), rng.choice((15, 40)), world.sum(rng, 0.001, 0.004, 5_000)
    rows: list[Row | tuple[Cell, ...]] = [
        (day - timedelta(days=33), "Out", "Order for the summer"),
        Row((day, "In", "Default letter by courier"), "logged"),
    ]
    if decoy:
        rows.append(
            Row(
                (day + timedelta(days=period - 3), "In", f"{c.party.short}: payment received, default letter void"),
                "void",
            )
        )
    papers = [
        paper(
            "agreement",
            f"Packaging Contract - {c.party.short}",
            "6.2",
            c.signed,
            TEXT,
            (
                "Default",
                f"⟦clause|If the customer does not remedy a default inside {spelled(period)} days of being told of it, the maker may put an end to the contract and to its price.⟧",
            ),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "notice",
            f"Default letter - {c.party.short}",
            "10.3",
            day,
            f"⟦notice|Delivered by courier, {day_month(day)}. You are in default with {money(claim)} of invoices for the special tools, which {c.party.short} now claims with interest.⟧",
            sign(c.party, world.person(rng, "Credit Manager", c.party), day),
            parties=(c.party.name,),
        ),
        paper(
            "log",
            f"Letters in and out, {c.party.short}",
            "6.5",
            world.past(rng, (0.02, 0.05)),
            table("Day|Way|Subject", *rows, sheet="Letters"),
            kinds=("xlsx",),
        ),
    ]
    return _unanswered(
        c,
        decoy,
        papers,
        day,
        period,
        claim,
        ("default letter void",),
        "the supplier was paid and declared its letter void",
    )


def _breach_public(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A partner complains in a text file of the portal; the time to cure is in conditions by reference. The decoy's partner closed the ticket."""
    c = contract(world, rng, "Marketplace Membership", "channel")
    day, period, claim = world.past(rng, (0.2, 0.4)), rng.choice((10, 12)), world.sum(rng, 0.0008, 0.003, 5_000)
    ticket = world.code(rng, "T")
    closing = (
        [
            f"⟦closed|Entry by {c.party.short}, {day_month(day + timedelta(days=period - 2))}: remedied to our satisfaction, ticket {ticket} closed, no sum claimed.⟧"
        ]
        if decoy
        else []
    )
    papers = [
        paper(
            "conditions",
            f"Marketplace conditions of {c.party.short}",
            "6.3",
            None,
            TEXT,
            (
                "Members that fall short",
                f"⟦clause|A member that breaches these conditions puts it right within {period} days of the ticket; if not, it can be shut out for good and held to pay.⟧",
            ),
            parties=(c.party.name,),
        ),
        paper(
            "notice",
            f"Ticket {ticket}",
            "6.5",
            day,
            f"⟦notice|Entry by {c.party.short}, {day_month(day)}: breach of the conditions by {world.target.short}, which listed goods it did not have; refunds cost us USD {claim:,} and are charged to it.⟧",
            *closing,
            kinds=("txt", "docx"),
            parties=(c.party.name,),
        ),
    ]
    return _unanswered(
        c,
        decoy,
        papers,
        day,
        period,
        claim,
        ("remedied to our satisfaction",),
        "the partner closed its ticket as remedied",
    )


def _breach_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Slides of the other side as a notice, under an amendment; the decoy's steering minutes waive it."""
    c = contract(world, rng, "Joint Service Contract")
    day, period, claim = world.past(rng, (0.25, 0.45)), rng.choice((35, 50)), world.sum(rng, 0.001, 0.005, 5_000)
    papers = [
        paper(
            "amendment",
            f"Joint Service Contract, rider on faults - {c.party.short}",
            "6.5",
            world.past(rng, (1, 1.5)),
            f"⟦clause|The side that is at fault has {period} days, from the day on which the fault is shown to it, to set things straight. Thereafter the other side is free to go.⟧",
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "notice",
            f"{c.party.short}: what went wrong",
            "6.5",
            day,
            Heading("Breach by our contractor"),
            f"⟦notice|Shown to you on {day_month(day)}: staff missing on 41 shifts, in breach of the contract. Our loss, which we will collect: {money(claim)}.⟧",
            kinds=("pptx", "docx"),
            parties=(c.party.name,),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "minutes",
                f"Joint board with {c.party.short}",
                "2.2",
                day + timedelta(days=period - 9),
                Filler("minutes"),
                f"⟦waived|{c.party.short} declared the matter of the 41 shifts dealt with, the shifts having been made up, and let its loss go.⟧",
                signed_by(world, rng, c.party),
            )
        )
    return _unanswered(
        c, decoy, papers, day, period, claim, ("dealt with",), "the joint board records that it was waived"
    )


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        39,
        "breach_notice",
        "Contracts",
        "A notice of breach was not answered and the time to cure is over",
        "absence",
        "High",
        (
            Way("formal notice", "train", _breach_letter),
            Way("warning by mail", "train", _breach_mail),
            Way("log of letters", "dev", _breach_register),
            Way("ticket of a portal", "test", _breach_public),
            Way("slides and a rider", "test", _breach_minutes),
        ),
    ),
)

"""Plants of reserves that are too low (archetype 97)."""

from __future__ import annotations

import random
from datetime import timedelta

from redwell.bench.generate.papers import Added, Clause, Filler, Heading, Paper, Para, Row
from redwell.bench.generate.plants.briefs import PROTECT, book, plant, signed, unsigned
from redwell.bench.generate.plants.pieces import (
    mail,
    paper,
    table,
)
from redwell.bench.generate.recipe import (
    Plant,
    Recipe,
    Way,
    conclusion,
    exposure,
    fact,
    recommendation,
    sources,
    usd,
)
from redwell.bench.generate.world import Claim, Company, World
from redwell.bench.generate.writing import (
    day_month,
    millions,
    money,
    thousands,
    us_date,
)

# 97: the reserve is far below what counsel expects


def _reserved(
    world: World, rng: random.Random, forum: str, decoy: bool, final: float = 1.0
) -> tuple[Company, int, int, int, int]:
    """A claim with (opponent, claimed, low, high, reserve); of a decoy the register shows `final` of the high estimate as reserved."""
    opponent = world.company(rng)
    claimed = world.sum(rng, 0.015, 0.035, 100_000)
    high = round(claimed * rng.uniform(0.5, 0.7) / 10_000) * 10_000
    low = round(high * rng.uniform(0.55, 0.7) / 10_000) * 10_000
    reserve = round(high * rng.uniform(0.08, 0.2) / 10_000) * 10_000
    shown = round(high * final) if decoy and final else reserve
    world.claims.append(
        Claim(f"{opponent.short} v. {world.target.short}", opponent.name, forum, claimed, shown, "Pending")
    )
    return opponent, claimed, low, high, reserve


def _reserve_plant(
    decoy: bool,
    opponent: Company,
    reserve: int,
    high: int,
    papers: list[Paper],
    marks: tuple[str, str],
    because: str,
    unless: tuple[str, ...],
    added: tuple[Added, ...] = (),
) -> Plant:
    name, short = (opponent.short,), high - reserve
    issue = [
        fact(
            f"{opponent.short} reserve",
            f"PASS if the report states that {money(reserve)} is reserved for the {opponent.short} matter.",
            [name],
            [("reserve", "accru", "provision")],
            usd(reserve),
        ),
        fact(
            f"{opponent.short} estimate of loss",
            f"PASS if the report states that the loss in the {opponent.short} matter is estimated at up to {money(high)}.",
            [name],
            [
                (
                    "estimat",
                    "up to",
                    "upper",
                    "high end",
                    "assess",
                    "verdict",
                    "quantif",
                    "range",
                    "likely",
                    "probable",
                    "expects",
                )
            ],
            usd(high),
        ),
        exposure(
            f"{opponent.short} shortfall of the reserve",
            f"PASS if the report gives {money(short)} (or an equivalent rounding) as what the reserve for the {opponent.short} matter lacks.",
            [name],
            usd(short),
        ),
        conclusion(
            f"{opponent.short} reserve is too low",
            f"PASS if the report concludes that the reserve for the {opponent.short} matter is inadequate.",
            [name],
            [
                ("reserve", "accru", "provision"),
                (
                    "inadequate",
                    "insufficient",
                    "too low",
                    "below",
                    "shortfall",
                    "short of",
                    "under-reserv",
                    "underreserv",
                    "understat",
                    "less than",
                    "exceeds",
                ),
            ],
        ),
        recommendation(
            f"{opponent.short} protection",
            f"PASS if the report recommends a special indemnity, an escrow or a price reduction for the {opponent.short} matter.",
            [name],
            [PROTECT],
        ),
        sources(
            f"{opponent.short} sources",
            f"PASS if the report cites both the record of the reserve and the estimate for the {opponent.short} matter.",
            [name],
            *marks,
        ),
    ]
    claim = f"the reserve for the {opponent.short} matter is inadequate"
    says = [
        ("reserve", "accru", "provision"),
        (
            "inadequate",
            "insufficient",
            "too low",
            "below the",
            "shortfall",
            "short of",
            "under-reserv",
            "underreserv",
            "understat",
        ),
    ]
    return plant(
        decoy,
        f"{opponent.short}: reserve and counsel's estimate",
        papers,
        issue,
        opponent.short,
        claim,
        says,
        unless,
        because,
        added=added,
        value=usd(short),
    )


def _reserve_workbook(world: World, rng: random.Random, decoy: bool) -> Plant:
    opponent, claimed, low, high, reserve = _reserved(
        world, rng, "United States District Court, Northern District of Ohio", decoy
    )
    lawyer = world.company(rng, "law")
    letter = world.past(rng, (0.15, 0.4))
    last = ("Second entry", high - reserve, "Posted after counsel's letter") if decoy else ("Second entry", 0, "None")
    papers = [
        book(
            "accrual",
            f"Loss Contingency Roll-Forward - {opponent.short}",
            "10.4",
            world.past(rng, (0.02, 0.08)),
            "Roll-forward",
            "Line|Amount (USD)|Comment",
            Row(("First entry", reserve, "Defense fees and nuisance value"), "reserve"),
            Row(last, "second"),
            ("Balance carried", high if decoy else reserve, "To general ledger"),
        ),
        paper(
            "letter",
            f"Case Assessment - {opponent.short}",
            "10.4",
            letter,
            f"{lawyer.name} to {world.officers['gc'].name}, privileged and confidential",
            f"{opponent.short} claims {money(claimed)}. Liability will in our judgment be found.",
            f"⟦estimate|We put the probable outcome between {money(low)} and {money(high)}, the upper figure being the better estimate on the present record.⟧",
        ),
    ]
    return _reserve_plant(
        decoy, opponent, reserve, high, papers, ("reserve", "estimate"),
        "a second entry brought the reserve up to counsel's upper figure", ("second entry", "brought up", "raised", "increased to"),
    )  # fmt: skip


def _reserve_expert(world: World, rng: random.Random, decoy: bool) -> Plant:
    opponent, claimed, low, high, reserve = _reserved(
        world, rng, "Superior Court of California, County of Alameda", decoy, 0
    )
    expert = world.company(rng, "consulting")
    day = world.past(rng, (0.02, 0.08))
    if decoy:
        world.claims[-1].status = "Settled and paid"
    papers = [
        paper(
            "memo",
            f"Audit Committee Memorandum - {opponent.short}",
            "10.4",
            world.past(rng, (0.2, 0.3)),
            f"Subject: suit of {opponent.name}",
            Clause(
                "Accounting",
                f"⟦reserve|The books carry an accrual of ${thousands(reserve)} thousand for this suit.⟧ Management has not revisited it since the pleadings.",
            ),
            Filler("report"),
        ),
        paper(
            "expert",
            f"Damages Report of {expert.short} - {opponent.short}",
            "10.4",
            world.past(rng, (0.4, 0.6)),
            f"Prepared by {expert.name} for the defendant in {opponent.short}'s suit, where {money(claimed)} is sought.",
            table(
                "Head of damage|USD",
                ("Direct loss", low),
                ("Lost profits", high - low),
                Row(("Assessed total", high), "estimate"),
            ),
        ),
        paper(
            "settlement",
            f"Settlement and Mutual Release - {opponent.short}",
            "10.2",
            day if decoy else None,
            f"⟦release|{opponent.short} takes {money(reserve)} in full discharge and releases {world.target.short} from the suit.⟧",
            signed(
                (opponent.name, world.person(rng, "President", opponent)),
                (world.target.name, world.officers["gc"]),
                day=day,
            )
            if decoy
            else unsigned(opponent.name, world.target.name),
            status="" if decoy else "draft",
        ),
    ]
    if decoy:
        papers[-1].blocks.append(Para(f"Payment received by wire, {us_date(day)}."))
    return _reserve_plant(
        decoy, opponent, reserve, high, papers, ("reserve", "estimate"),
        "the suit was settled for the sum reserved, and that sum was paid", ("settled", "release", "paid in full"),
    )  # fmt: skip


def _reserve_ledger(world: World, rng: random.Random, decoy: bool) -> Plant:
    opponent, claimed, low, high, reserve = _reserved(world, rng, "Court of Chancery of the State of Delaware", decoy)
    firm = world.company(rng, "law")
    counsel = world.person(rng, "Partner", firm)
    gc, controller = world.officers["gc"], world.officers["controller"]
    day = world.past(rng, (0.15, 0.3))
    account = world.code(rng, "2", 4)
    then = day + timedelta(days=12)
    reply = (
        f"⟦reply|Booked today: account {account} now stands at USD {high:,} for {opponent.short}.⟧"
        if decoy
        else f"Noted for {opponent.short}; account {account} will be looked at with the other year-end items."
    )
    papers = [
        book(
            "trial",
            "Trial Balance Extract - Accrued Liabilities",
            "3.4",
            day,
            "USD thousands",
            "Account|Name|Balance",
            ("2010", "Trade accruals", thousands(world.sum(rng, 0.01, 0.02))),
            Row((account, f"Legal: {opponent.short}", thousands(reserve)), "reserve"),
            caption="Balances in thousands of US dollars",
        ),
        mail(
            "mail", f"{opponent.short} after the mediation", "10.3", day, counsel, gc,
            f"{gc.first}, the mediator's number was not accepted. They hold to {millions(claimed)}.",
            f"⟦estimate|I have to revise what I told you: plan for {millions(low)} at the least and as much as {millions(high)}, and the second is where I expect a judgment to come out.⟧",
        ),
        mail("reply", f"Legal accounts, {opponent.short}", "10.4", then, controller, gc, f"{gc.first},", reply),
    ]  # fmt: skip
    return _reserve_plant(
        decoy, opponent, reserve, high, papers, ("reserve", "estimate"),
        "the controller booked the higher figure after counsel's mail", ("booked", "increased to", "now stands", "adjusted"),
    )  # fmt: skip


def _reserve_slide(world: World, rng: random.Random, decoy: bool) -> Plant:
    court = "District Court of Harris County, Texas"
    opponent, claimed, _, high, reserve = _reserved(world, rng, court, decoy, 0)
    cause = world.code(rng, "Cause No. 2022-", 5)
    day = world.past(rng, (0.2, 0.4))
    later = day + timedelta(days=40)
    order = (
        f"⟦order|The verdict is set aside and judgment is rendered that {opponent.short} take nothing; the parties have waived appeal.⟧"
        if decoy
        else f"The motion of {world.target.short} to disregard the findings in favor of {opponent.short} is denied."
    )
    papers = [
        paper(
            "slide",
            f"Legal Update {opponent.short}",
            "3.5",
            world.past(rng, (0.05, 0.1)),
            Heading(f"{opponent.short} ({cause})"),
            f"⟦reserve|On the balance sheet: {millions(reserve)}⟧",
            f"Claimed: {millions(claimed)}",
            "Post-trial motions were argued",
            kinds=("pptx",),
        ),
        paper(
            "verdict",
            f"Charge of the Court and Verdict - {cause}",
            "10.2",
            day,
            f"{court}. {opponent.name} against {world.target.name}.",
            "Question 4: what sum of money, if paid now in cash, would fairly compensate the plaintiff?",
            f"⟦estimate|Answer of the jury: {high:,} dollars, in favor of {opponent.short}.⟧",
        ),
        paper("order", f"Order on Post-Trial Motions - {cause}", "10.2", later, f"{court}, {day_month(later)}", order),
    ]
    return _reserve_plant(
        decoy, opponent, reserve, high, papers, ("reserve", "estimate"),
        "the verdict was set aside and a take-nothing judgment is final", ("set aside", "take nothing", "take-nothing", "vacated", "overturned"),
    )  # fmt: skip


def _reserve_weights(world: World, rng: random.Random, decoy: bool) -> Plant:
    opponent, claimed, _, _, reserve = _reserved(world, rng, "Arbitration seated in New York", decoy, 0)
    odds = rng.choice((60, 65, 70, 75))
    high = claimed * odds // 100
    tribunal = world.code(rng, "Arb. ", 5)
    day = world.past(rng, (0.02, 0.1))
    if decoy:
        world.claims[-1].status = "Final award"
    award = (
        f"⟦award|We award {opponent.short} {money(reserve)}, inclusive of interest and costs, and dismiss whatever else is claimed.⟧"
        if decoy
        else f"The tribunal directs that {opponent.short} lodge its reply memorial within three weeks."
    )
    papers = [
        book(
            "scenarios",
            f"Outcome Scenarios {opponent.short}",
            "10.4",
            world.past(rng, (0.2, 0.4)),
            "Scenarios",
            "Outcome|Chance|Payment",
            Row(
                (f"{opponent.short} succeeds in full (expected by counsel)", f"{odds}% of claim", f"USD {high:,}"),
                "estimate",
            ),
            ("Claim fails", "Costs only", "USD 0"),
        ),
        paper(
            "note",
            f"Note on Commitments and Contingencies ({opponent.short})",
            "3.1",
            world.past(rng, (0.3, 0.5)),
            Filler("accounts"),
            f"⟦reserve|Of other current liabilities, {millions(reserve)} is a provision in respect of the arbitration begun by {opponent.short}.⟧ The sum in dispute is {millions(claimed)}.",
        ),
        paper(
            "tribunal",
            f"{'Final Award' if decoy else 'Procedural Order No. 6'} {tribunal}",
            "10.2",
            day,
            f"Reference {tribunal}",
            award,
        ),
    ]
    return _reserve_plant(
        decoy, opponent, reserve, high, papers, ("reserve", "estimate"),
        "the final award is for the sum provided", ("final award", "awarded", "dismiss"),
    )  # fmt: skip


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        97,
        "reserve_below_estimate",
        "Litigation",
        "The reserve is far below what counsel or the court expects",
        "computed",
        "High",
        (
            Way("roll-forward and counsel's letter", "train", _reserve_workbook),
            Way("committee memorandum and expert", "train", _reserve_expert),
            Way("trial balance and mails", "dev", _reserve_ledger),
            Way("slide and verdict", "test", _reserve_slide),
            Way("scenarios and notes to the accounts", "test", _reserve_weights),
        ),
    ),
)

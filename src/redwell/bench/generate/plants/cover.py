"""Plants of insurance that will not respond (archetype 98)."""

from __future__ import annotations

import random
from datetime import timedelta

from redwell.bench.generate.papers import Clause, Filler, Heading, Paper, Row
from redwell.bench.generate.plants.briefs import PROTECT, book, plant
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
from redwell.bench.generate.world import Claim, Company, Policy, World
from redwell.bench.generate.writing import (
    both,
    millions,
    money,
    thousands,
    us_date,
    years_after,
)

# 98: the insurance will not respond


def _insured(world: World, rng: random.Random, line: str, limit_of: float = 0.05) -> tuple[Company, Company, str, int]:
    """(opponent, insurer, policy number, loss); claim and policy stand in the registers."""
    opponent, insurer = world.company(rng), world.company(rng, "insurer")
    number = world.code(rng, "".join(rng.sample("ABCEGHKLMP", 3)) + "-", 7)
    loss = world.sum(rng, 0.006, 0.02, 50_000)
    begins = world.past(rng, (0.6, 0.9))
    world.policies.append(
        Policy(
            line,
            insurer,
            number,
            begins,
            years_after(begins, 1),
            world.sum(rng, limit_of, limit_of * 1.5, 1_000_000),
            100_000,
        )
    )
    world.claims.append(
        Claim(
            f"{opponent.short} v. {world.target.short}",
            opponent.name,
            "Pending before court",
            loss,
            0,
            "Submitted to insurer",
        )
    )
    return opponent, insurer, number, loss


def _cover_plant(
    decoy: bool,
    opponent: Company,
    insurer: Company,
    number: str,
    gap: int,
    reason: str,
    reasons: tuple[str, ...],
    papers: list[Paper],
    marks: tuple[str, str],
    because: str,
    unless: tuple[str, ...],
) -> Plant:
    name = (opponent.short, number)
    issue = [
        fact(
            f"{opponent.short} loss and policy {number}",
            f"PASS if the report states that {reason} under policy {number} for the {opponent.short} claim.",
            [name],
            [reasons],
        ),
        conclusion(
            f"{opponent.short} is uninsured",
            f"PASS if the report concludes that {insurer.short} will not cover the {opponent.short} claim, or not all of it.",
            [name],
            [
                (
                    "not cover",
                    "no cover",
                    "uninsured",
                    "not insured",
                    "not respond",
                    "deni",
                    "uncovered",
                    "declin",
                    "excluded",
                    "outside cover",
                    "without cover",
                    "only partly",
                    "unavailable",
                    "in excess of",
                )
            ],
        ),
        exposure(
            f"{opponent.short} uninsured loss",
            f"PASS if the report gives {money(gap)} (or an equivalent rounding) as the uninsured loss of the {opponent.short} claim.",
            [name],
            usd(gap),
        ),
        recommendation(
            f"{opponent.short} protection",
            f"PASS if the report recommends a special indemnity, escrow or price reduction for the {opponent.short} claim.",
            [name],
            [PROTECT],
        ),
        sources(
            f"{opponent.short} sources",
            f"PASS if the report cites both what shows the limit of cover and what shows the {opponent.short} claim.",
            [name],
            *marks,
        ),
    ]
    claim = f"the {opponent.short} claim is uninsured"
    says = [
        (
            "not cover",
            "no cover",
            "uninsured",
            "not respond",
            "uncovered",
            "denied cover",
            "declined cover",
            "outside cover",
        )
    ]
    return plant(
        decoy,
        f"{opponent.short}: cover under {number}",
        papers,
        issue,
        opponent.short,
        claim,
        says,
        unless,
        because,
        value=usd(gap),
    )


def _cover_endorsement(world: World, rng: random.Random, decoy: bool) -> Plant:
    opponent, insurer, number, loss = _insured(world, rng, "General liability")
    papers = [
        paper(
            "policy",
            f"Commercial General Liability Policy {number}",
            "13.1",
            world.policies[-1].begins,
            f"{insurer.name} insures {world.target.name}. Occurrence form.",
            Filler("contract"),
            Heading("Endorsement No. 3"),
            "⟦exclusion|This insurance does not apply to injury or damage arising out of the design, calibration or inspection services of any insured.⟧",
            Heading("Endorsement No. 4"),
            f"⟦last|{'Endorsement No. 3 is deleted with effect from the inception of the policy.' if decoy else 'The mailing address of the first named insured is changed.'}⟧",
            avoid=("insurance", "liability"),
        ),
        paper(
            "complaint",
            f"Complaint of {opponent.short}",
            "10.1",
            world.past(rng, (0.1, 0.3)),
            f"{opponent.name}, plaintiff, alleges:",
            f"⟦claim|Defendant miscalibrated the installation that it was hired to inspect, whereby {opponent.short} was damaged in the sum of {money(loss)}.⟧",
        ),
    ]
    return _cover_plant(
        decoy, opponent, insurer, number, loss, "an endorsement excludes calibration and inspection services", ("exclu", "does not apply"),
        papers, ("exclusion", "claim"), "Endorsement No. 4 deletes the exclusion from inception", ("deleted", "endorsement no. 4", "removed"),
    )  # fmt: skip


def _cover_notice(world: World, rng: random.Random, decoy: bool) -> Plant:
    opponent, insurer, number, loss = _insured(world, rng, "Errors and omissions")
    policy = world.policies[-1]
    made = policy.ends - timedelta(days=75)
    given = policy.ends + timedelta(days=48 if decoy else 104)
    if given > world.deal.as_of:
        policy.begins, policy.ends = years_after(policy.begins, -1), years_after(policy.ends, -1)
        made, given = years_after(made, -1), years_after(given, -1)
    policy.note = "Claims made and reported"
    papers = [
        paper(
            "policy",
            f"Errors and Omissions Policy {number}",
            "13.1",
            policy.begins,
            f"{insurer.name}, policy period {us_date(policy.begins)} to {us_date(policy.ends)}.",
            Filler("contract"),
            Clause(
                "Reporting",
                f"⟦duty|It is a condition precedent to cover that a claim first made in the policy period be reported to the Insurer within {both(60)} days after the period ends.⟧",
            ),
            avoid=("insurance", "notices", "term"),
        ),
        paper(
            "log",
            f"Claims Reporting Log {number}",
            "13.2",
            given + timedelta(days=4),
            table(
                "Claimant|Received|Reported to insurer|Sum (USD)",
                Row((opponent.short, made, given, loss), "notice"),
            ),
            kinds=("xlsx", "docx"),
        ),
    ]
    return _cover_plant(
        decoy, opponent, insurer, number, loss, "notice was given late, after the reporting window had closed,",
        ("late", "after the", "out of time", "untimely", "beyond", "outside the"), papers, ("duty", "notice"),
        "the claim was reported within the sixty days after the period", ("within the", "in time", "timely"),
    )  # fmt: skip


def _cover_sublimit(world: World, rng: random.Random, decoy: bool) -> Plant:
    opponent, insurer, number, loss = _insured(world, rng, "Cyber")
    sub = max(50_000, round(loss * rng.uniform(0.15, 0.3) / 50_000) * 50_000)
    raised = loss + 500_000
    broker = world.company(rng, "consulting")
    agent = world.person(rng, "Account Executive", broker)
    day = world.policies[-1].begins + timedelta(days=14)
    text = (
        f"⟦raise|Attached to {number} is the binder: the sub-limit for extortion and business income is {millions(raised)}, agreed by the carrier from the first day of the period.⟧"
        if decoy
        else f"The carrier has not agreed to lift the extortion sub-limit in {number}; we will ask again at renewal."
    )
    papers = [
        paper(
            "declarations",
            f"Declarations {number}",
            "13.1",
            world.policies[-1].begins,
            f"Cyber policy of {insurer.name}",
            table("Coverage part|Limit (USD 000)",
                ("Network security liability", thousands(world.policies[-1].limit)),
                Row(("Extortion and business income (sub-limit)", thousands(sub)), "limit"),
            ),
        ),
        paper(
            "invoice",
            f"Outage Loss Statement - {opponent.short}",
            "13.2",
            world.past(rng, (0.1, 0.3)),
            f"⟦claim|Extortion event at the {opponent.short} hosting site: business income lost and passed on to us comes to {millions(loss)}.⟧",
            kinds=("txt", "docx"),
        ),
        mail("mail", f"Extortion cover {number}", "13.1", day, agent, world.officers["cfo"], f"Dear {world.officers['cfo'].first},", text),
    ]  # fmt: skip
    return _cover_plant(
        decoy, opponent, insurer, number, loss - sub, f"the sub-limit of {money(sub)} is far below the loss", ("sub-limit", "sublimit"),
        papers, ("limit", "claim"), "the sub-limit was raised above the loss from the first day", ("raised", "binder", "increased"),
    )  # fmt: skip


def _cover_denial(world: World, rng: random.Random, decoy: bool) -> Plant:
    opponent, insurer, number, loss = _insured(world, rng, "Directors and officers")
    adjuster = world.person(rng, "Claims Counsel", insurer)
    gc = world.officers["gc"]
    first = world.past(rng, (0.2, 0.3))
    second = first + timedelta(days=45)
    later = (
        f"⟦later|On reconsideration we withdraw our earlier position on {opponent.short} and will pay loss under {number} without reservation.⟧"
        if decoy
        else f"We have received your further comments on {opponent.short} and our position under {number} stands."
    )
    papers = [
        mail(
            "denial", f"{number} - {opponent.short}", "13.2", first, adjuster, gc,
            f"Dear {gc.name},",
            f"⟦denial|The wrongful acts that {opponent.short} pleads began before the retroactive date shown in item 5, and we must therefore decline to indemnify.⟧",
        ),
        mail("later", f"Re: {number} - {opponent.short}", "13.2", second, adjuster, gc, f"Dear {gc.name},", later),
        paper(
            "pleading",
            f"Statement of Claim {opponent.short}",
            "10.1",
            first - timedelta(days=60),
            f"⟦claim|Relief sought by {opponent.short} against the directors and the company: {money(loss)} with costs.⟧",
        ),
    ]  # fmt: skip
    return _cover_plant(
        decoy, opponent, insurer, number, loss, f"{insurer.short} declined cover, the acts being before the retroactive date,",
        ("declin", "retroactive", "denied", "refus", "prior acts"), papers, ("denial", "claim"),
        "the insurer withdrew its denial and pays without reservation", ("withdr", "will pay", "accepted cover", "without reservation"),
    )  # fmt: skip


def _cover_aggregate(world: World, rng: random.Random, decoy: bool) -> Plant:
    opponent, insurer, number, loss = _insured(world, rng, "Products liability", 0.02)
    limit = world.policies[-1].limit
    left = round(loss * rng.uniform(0.1, 0.2) / 10_000) * 10_000
    clerk = world.person(rng, "Risk Manager")
    papers = [
        book(
            "run",
            f"Loss Run {number}",
            "13.2",
            world.past(rng, (0.05, 0.1)),
            "Loss run",
            "Item|USD|Remark",
            ("Aggregate limit", limit, "Policy period"),
            ("Paid to date", limit - left, "Other claimants"),
            Row(("Aggregate remaining", left, "Before this demand"), "eroded"),
            Row(
                ("Reinstatement premium", 48_500, "Paid; aggregate restored in full")
                if decoy
                else ("Reinstatement premium", 0, "Not elected"),
                "reinstated",
            ),
        ),
        paper(
            "demand",
            f"{opponent.short} Demand",
            "10.3",
            world.past(rng, (0.1, 0.2)),
            f"To {clerk.name}, {clerk.title}",
            f"⟦claim|Unless {money(loss)} reaches {opponent.short} for the units that failed, proceedings on the product will follow.⟧",
        ),
    ]
    return _cover_plant(
        decoy, opponent, insurer, number, loss - left, f"only {money(left)} of the aggregate is left", ("aggregate", "eroded", "exhaust"),
        papers, ("eroded", "claim"), "the aggregate was reinstated against a premium", ("reinstat", "restored"),
    )  # fmt: skip


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        98,
        "insurance_will_not_respond",
        "Litigation",
        "Insurance will not respond to the loss",
        "cross-document",
        "High",
        (
            Way("exclusion by endorsement", "train", _cover_endorsement),
            Way("late notice in a log", "train", _cover_notice),
            Way("sub-limit in the declarations", "dev", _cover_sublimit),
            Way("denial by mail", "test", _cover_denial),
            Way("aggregate used up", "test", _cover_aggregate),
        ),
    ),
)

"""Plants of service credits and liquidated damages that have accrued (archetype 36)."""

from __future__ import annotations

import random
from datetime import timedelta

from redwell.bench.generate.papers import (
    Filler,
    Paper,
    Row,
)
from redwell.bench.generate.plants.pieces import (
    TEXT,
    contract,
    count,
    finish,
    mail,
    paper,
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
    month_year,
    months_after,
    percent,
    us_date,
)


def _accrued(
    world: World, c: Contract, decoy: bool, papers: list[Paper], times: int, one: int, what: str, because: str
) -> Plant:
    """The rubric of archetype 36: `times` events (`what`) of `one` dollars each."""
    party, amount = c.party.short, times * one
    return finish(
        f"{party}: credits under the {c.title} {'are not open' if decoy else 'have accrued'}",
        decoy,
        papers,
        [
            fact(
                f"{party} earns {money(one)} for each event",
                f"PASS if the report states that {party} is due {money(one)} as a credit or liquidated damages for each of the {what}.",
                [(party,)],
                [("credit", "damages", "deduct", "penalt", "liquidated", "abatement", "refund")],
                usd(one),
            ),
            fact(
                f"{party}: {times} {what}",
                f"PASS if the report states that there were {times} {what} under the {party} agreement.",
                [(party,)],
                [],
                count(times),
            ),
            exposure(
                f"{party} accrued credits",
                f"PASS if the report gives {money(amount)} (or an equivalent rounding) as the credits or damages accrued to {party}.",
                [(party,)],
                usd(amount),
            ),
            conclusion(
                f"{party} credits are not accrued for",
                f"PASS if the report concludes that the credits to {party} are a liability that must be accrued or lowers revenue.",
                [(party,)],
                [
                    (
                        "a liability",
                        "liable",
                        "liabilities",
                        "accru",
                        "lower",
                        "reduce",
                        "owed",
                        "owe",
                        "a provision",
                        "provision for",
                        "debt",
                    )
                ],
            ),
            recommendation(
                f"Reserve for {party} credits",
                f"PASS if the report recommends a reserve, a price adjustment or a settlement with {party} for the credits.",
                [(party,)],
                [("reserve", "accru", "price", "settle", "provision", "indemn", "debt-like")],
            ),
            sources(
                f"{party}: clause and log cited",
                f"PASS if the report cites both the clause of the {party} agreement and the record of the events.",
                [(party,)],
                "clause",
                "log",
            ),
        ],
        [
            precision(
                f"{party} credits are not reported as open",
                f"PASS if the report does not assert that credits or liquidated damages are owed to {party}; {because}.",
                [(party,)],
                [
                    ("credit", "damages", "deduct", "penalt"),
                    ("owed", "owe", "accrued", "due", "a liability", "liable", "liabilities", "open", "unpaid"),
                ],
                unless=(
                    "not owed",
                    "were paid",
                    "was paid",
                    "credited",
                    "settled",
                    "waived",
                    "excluded",
                    "not count",
                    "no credit",
                    "nothing",
                    "not due",
                    "lapsed",
                    "barred",
                    "maintenance window",
                ),
            )
        ],
        because,
        value=usd(amount),
    )


def _below_level(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Monthly availability in a workbook against a level in the agreement; the decoy's months were credited on the invoices."""
    c = contract(world, rng, "Hosted Services Agreement")
    times, rate = rng.randrange(3, 6), rng.choice((5, 10))
    monthly = max(2_000, c.annual // 12 // 1000 * 1000)
    c.annual = monthly * 12
    start = months_after(world.deal.as_of.replace(day=1), -8)
    bad = set(rng.sample(range(8), times))
    rows = [
        Row(
            (month_year(months_after(start, n)), f"{99.2 + 0.08 * n:.2f}%" if n in bad else f"99.9{n + 1}%"),
            "log" if n in bad else "",
        )
        for n in range(8)
    ]
    papers = [
        paper(
            "agreement",
            f"Hosted Services Agreement - {c.party.short}",
            "6.1",
            c.signed,
            TEXT,
            (
                "Service Level",
                f"⟦clause|For each month in which availability is below 99.9%, Customer is entitled to a credit of {percent(rate)} of the monthly fee of {money(monthly)}.⟧",
            ),
            TEXT,
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "log",
            f"Availability for {c.party.short}",
            "8.3",
            world.past(rng, (0.005, 0.02)),
            table("Month|Availability", *rows, sheet="Availability"),
            kinds=("xlsx",),
            parties=(c.party.name,),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "invoices",
                f"Credits given to {c.party.short}",
                "3.2",
                world.past(rng, (0.005, 0.01)),
                table(
                    "Reason|Credited USD|Open USD",
                    Row(
                        (
                            f"{times} months below the level, on the invoices that followed",
                            times * monthly * rate // 100,
                            0,
                        ),
                        "credited",
                    ),
                    sheet="Credits",
                ),
                kinds=("xlsx",),
                parties=(c.party.name,),
            )
        )
    return _accrued(
        world,
        c,
        decoy,
        papers,
        times,
        monthly * rate // 100,
        "months below the level",
        "they were credited on the invoices",
    )


def _late_days(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A sum for each week of delay; mails tell of the delay. The decoy's dates were moved by agreement."""
    c = contract(world, rng, "Equipment Delivery Contract")
    weeks = rng.randrange(4, 11)
    one = max(1_000, c.annual // 200 // 500 * 500)
    due = world.past(rng, (0.4, 0.7))
    came = due + timedelta(days=7 * weeks)
    buyer = world.person(rng, "Project Manager", c.party)
    papers = [
        paper(
            "agreement",
            f"Equipment Delivery Contract - {c.party.short}",
            "6.1",
            c.signed,
            TEXT,
            (
                "Late Delivery",
                f"⟦clause|Delivery is due on {us_date(due)}. For each full week of delay Supplier pays {money(one)} as liquidated damages, which the parties hold to be a fair estimate.⟧",
            ),
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
        mail(
            "log",
            f"Arrival at {c.party.short}",
            "6.5",
            came + timedelta(days=1),
            buyer,
            world.officers["cfo"],
            f"⟦log|The line was delivered on {us_date(came)}. We have not yet looked into what {c.party.short} may deduct.⟧",
            buyer.name,
            about=c.party.name,
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "change",
                f"Change order 2 - {c.party.short}",
                "6.5",
                due - timedelta(days=15),
                f"⟦change|Because {c.party.short} needs more time for its foundations, delivery falls due on {us_date(came + timedelta(days=3))}.⟧",
                signed_by(world, rng, c.party),
                parties=(c.party.name,),
            )
        )
    return _accrued(world, c, decoy, papers, weeks, one, "full weeks of delay", "a change order had moved the date")


def _missed_visits(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A sum for each response that came late, in a table of the contract; the decoy's claim had to be made within thirty days and was not."""
    c = contract(world, rng, "Field Service Contract")
    times = rng.randrange(12, 31)
    one = max(500, c.annual // 400 // 100 * 100)
    span = (
        "The customer's claim for it is barred unless raised within thirty days of the visit"
        if decoy
        else "The customer may raise it at any time up to the end of the contract"
    )
    papers = [
        paper(
            "agreement",
            f"Field Service Contract - {c.party.short}",
            "6.1",
            c.signed,
            table(
                "Event|Consequence",
                Row(
                    ("Technician arrives later than eight hours after the call", f"Customer may take USD {one:,} off"),
                    "clause",
                ),
                Row(("How it is raised", span), "raised"),
            ),
            TEXT,
            signed_by(world, rng, c.party),
            kinds=("docx",),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "log",
            f"Ticket summary {c.party.short}",
            "8.3",
            world.past(rng, (0.15, 0.25)),
            f"⟦log|Tickets of {c.party.short} in the year: {times + 140}, of which {times} saw the technician later than eight hours after the call.⟧",
            f"⟦none|{c.party.short} has so far raised none of them; the last late visit was on {day_month(world.past(rng, (0.4, 0.5)))}.⟧",
            kinds=("pptx", "docx"),
        ),
    ]
    return _accrued(world, c, decoy, papers, times, one, "late visits", "the thirty days for raising them have gone by")


def _rejects(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A deduction for each rejected lot under a quality agreement; a report counts. The decoy's rejects were traced to the customer's own material."""
    c = contract(world, rng, "Quality Agreement")
    times = rng.randrange(6, 15)
    one = max(1_000, c.annual // 150 // 1000 * 1000)
    cause = (
        f"All {times} were traced to resin that {c.party.short} itself had supplied, which its own laboratory confirmed."
        if decoy
        else f"All {times} were traced to worn tools on our second line."
    )
    papers = [
        paper(
            "agreement",
            f"Quality Agreement - {c.party.short}",
            "6.1",
            c.signed,
            TEXT,
            (
                "Rejected lots",
                f"⟦clause|A lot that fails incoming inspection costs the maker {millions(one) if one >= 1e6 else money(one)} flat, save where material provided by the customer was the cause.⟧",
            ),
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "log",
            f"Lot failures {c.party.short}",
            "6.5",
            world.past(rng, (0.03, 0.2)),
            Filler("report"),
            f"⟦log|{times} lots failed incoming inspection at {c.party.short} this year. {cause}⟧",
            kinds=("docx", "txt"),
            parties=(c.party.name,),
        ),
    ]
    return _accrued(world, c, decoy, papers, times, one, "rejected lots", "the customer's own resin was the cause")


def _outages(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A letter of terms with a sum for each outage; a log in a workbook. The decoy's outages fall in agreed windows."""
    c = contract(world, rng, "Connectivity Terms")
    times = rng.randrange(5, 10)
    one = max(1_000, c.annual // 120 // 500 * 500)
    reason = (
        "work on the router, announced, 02:00 to 04:00"
        if decoy
        else "fault of the router, not announced, 02:00 to 04:00"
    )
    first = world.past(rng, (0.6, 0.7))
    first -= timedelta(days=first.weekday() + 1)
    rows = [
        Row((f"{c.party.short} {n + 1}", first + timedelta(days=7 * (3 * n + n % 2)), f"Sunday, {reason}"), "log")
        for n in range(times)
    ]
    papers = [
        paper(
            "agreement",
            f"Connectivity Terms - {c.party.short}",
            "6.1",
            c.signed,
            f"⟦clause|Each outage longer than an hour gives {c.party.short} USD {one:,} back, unless it was announced and lay in the window on Sundays between midnight and six.⟧",
            "Everything else is as in the tariff.",
            kinds=("txt", "docx"),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "log",
            f"Outages over an hour, {c.party.short}",
            "8.3",
            world.past(rng, (0.01, 0.05)),
            table("Line and number|Day|Why", *rows, sheet="Outages"),
            kinds=("xlsx",),
            parties=(c.party.name,),
        ),
    ]
    return _accrued(world, c, decoy, papers, times, one, "outages", "they lay in the announced window")


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        36,
        "liquidated_damages",
        "Contracts",
        "Service credits or liquidated damages have accrued",
        "computed",
        "Medium",
        (
            Way("months below the level", "train", _below_level),
            Way("weeks of delay", "train", _late_days),
            Way("late visits", "dev", _missed_visits),
            Way("rejected lots", "test", _rejects),
            Way("outages in a log", "test", _outages),
        ),
    ),
)

"""Plants of contracts that ran out and are still performed (archetype 31)."""

from __future__ import annotations

import random
from datetime import date, timedelta

from redwell.bench.generate.papers import (
    Filler,
    Heading,
    Paper,
    Row,
    Signatures,
)
from redwell.bench.generate.plants.pieces import (
    QUIET,
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
    month_year,
    months_after,
    ordinal,
    us_date,
    years_after,
)


def _expired(
    world: World, c: Contract, decoy: bool, papers: list[Paper], end: date, notice: date, because: str
) -> Plant:
    """The rubric of archetype 31: the day on which it ended, and that by which it had to be renewed."""
    party = c.party.short
    return finish(
        f"{party}: the {c.title} {'was renewed' if decoy else 'has expired and is still performed'}",
        decoy,
        papers,
        [
            fact(
                f"{party} agreement expired",
                f"PASS if the report states that the {c.title} with {party} expired on {us_date(end)}.",
                [(party,)],
                [("expire", "expir", "ended", "ran out", "ran to", "end")],
                on(end),
            ),
            fact(
                f"{party} renewal window closed",
                f"PASS if the report states that the renewal of the {party} agreement had to be notified by {us_date(notice)} at the latest.",
                [(party,)],
                [("renew", "extend", "extension", "option", "notice", "notif")],
                on(notice),
            ),
            conclusion(
                f"{party} goes on without a contract",
                f"PASS if the report concludes that {party} is being served or supplied without a contract in force, so that either side may stop.",
                [(party,)],
                [
                    (
                        "without a contract",
                        "no contract",
                        "without contract",
                        "no agreement in force",
                        "at will",
                        "stop",
                        "no binding",
                        "no longer in force",
                        "not in force",
                        "uncommitted",
                        "walk away",
                    )
                ],
            ),
            exposure(
                f"{party} yearly value",
                f"PASS if the report gives {money(c.annual)} a year (or an equivalent rounding) as the value of the expired {party} agreement.",
                [(party,)],
                usd(c.annual),
            ),
            recommendation(
                f"Renew with {party}",
                f"PASS if the report recommends a renewal or new agreement with {party} before closing.",
                [(party,)],
                [("renew", "new agreement", "extend", "extension", "replace", "re-paper", "sign")],
            ),
            sources(
                f"{party}: term and performance cited",
                f"PASS if the report cites both the term of the {party} agreement and the paper that shows performance after it.",
                [(party,)],
                "term",
                "performed",
            ),
        ],
        [
            precision(
                f"{party} agreement is not reported as expired",
                f"PASS if the report does not assert that the {c.title} with {party} has expired or is performed without a contract; {because}.",
                [(party,)],
                [("expired", "has lapsed", "without a contract", "no contract in force", "ran out")],
                unless=("renewed", "extended", "extension", "renewal was", "prolonged", "carried on"),
            )
        ],
        because,
        value=usd(c.annual),
    )


def _end(world: World, rng: random.Random, c: Contract, decoy: bool, months: int) -> tuple[date, date]:
    """The day the contract ended and the day by which it had to be renewed; the register has the end, or the new end."""
    end = world.past(rng, (0.25, 0.6))
    c.signed = years_after(end, -rng.choice((3, 4, 5)))
    c.expires = years_after(end, 3) if decoy else end
    return end, months_after(end, -months)


def _invoiced(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A fixed end with a renewal by notice; invoices go on. The decoy's notice was given in time."""
    c = contract(world, rng, "Maintenance Agreement")
    end, notice = _end(world, rng, c, decoy, 3)
    papers = [
        paper(
            "agreement",
            f"Maintenance Agreement - {c.party.short}",
            "6.1",
            c.signed,
            TEXT,
            (
                "Term",
                f"⟦term|This Agreement ends on {us_date(end)}. Customer may renew it for three years by written notice that Contractor receives on or before {us_date(notice)}; otherwise it ends without more.⟧",
            ),
            TEXT,
            signed_by(world, rng, c.party),
            avoid=QUIET,
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "ledger",
            f"Invoices to {c.party.short}",
            "3.2",
            world.past(rng, (0.01, 0.04)),
            table(
                "Month|Invoiced USD",
                *[(month_year(months_after(end, n)), c.annual // 12) for n in (0, 1)],
                Row((month_year(months_after(end, 2)), c.annual // 12), "performed"),
                Row(("Twelve months at this rate", c.annual), "performed"),
                sheet="Invoices",
            ),
            kinds=("xlsx",),
            parties=(c.party.name,),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "renewal",
                f"Renewal notice of {c.party.short}",
                "6.5",
                notice - timedelta(days=12),
                f"⟦renewal|{c.party.short} renews the Maintenance Agreement for three years from {us_date(end)}.⟧ Received by {world.target.short} on {us_date(notice - timedelta(days=11))}.",
                sign(c.party, world.person(rng, "Facilities Director", c.party)),
                parties=(c.party.name,),
            )
        )
    return _expired(world, c, decoy, papers, end, notice, "the customer renewed it in time")


def _anniversary(world: World, rng: random.Random, decoy: bool) -> Plant:
    """The end must be counted from the effective date; a mail shows deliveries afterwards. The decoy has an extension."""
    c = contract(world, rng, "Distribution Terms", "channel")
    end, notice = _end(world, rng, c, decoy, 6)
    span = end.year - c.signed.year
    head = world.person(rng, "Channel Manager")
    papers = [
        paper(
            "agreement",
            f"Distribution Terms - {c.party.short}",
            "6.3",
            c.signed,
            f"Effective date: {us_date(c.signed)}.",
            TEXT,
            (
                "Duration",
                f"⟦term|The distributor is appointed until the {ordinal(span)} anniversary of the effective date. An extension must be asked for in writing no later than six months before that anniversary.⟧",
            ),
            signed_by(world, rng, c.party),
            avoid=QUIET,
            parties=(world.target.name, c.party.name),
        ),
        mail(
            "orders",
            f"Orders of {c.party.short}",
            "6.5",
            world.past(rng, (0.02, 0.1)),
            head,
            world.officers["cfo"],
            f"⟦performed|{c.party.short} orders as ever, and we deliver: at the present pace {millions(c.annual)} in a year. I looked for the paper and found only the one from {c.signed.year}.⟧",
            head.name,
            about=c.party.name,
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "extension",
                f"Extension of appointment - {c.party.short}",
                "6.5",
                notice - timedelta(days=20),
                f"⟦extension|On its request of {us_date(notice - timedelta(days=35))} the distributor's appointment is extended by three years, all terms unchanged.⟧",
                signed_by(world, rng, c.party),
                parties=(c.party.name,),
            )
        )
    return _expired(world, c, decoy, papers, end, notice, "the appointment was extended by three years")


def _option(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Workbook of key dates and a clause with an option; minutes show that work goes on. The decoy's option was exercised."""
    c = contract(world, rng, "Warehousing Contract", "supplier")
    end, notice = _end(world, rng, c, decoy, 4)
    papers = [
        paper(
            "dates",
            f"Key dates {c.party.short}",
            "6.2",
            world.past(rng, (0.5, 0.9)),
            table(
                "Subject|Day",
                ("Contract signed", c.signed),
                Row(("Last day of the contract", end), "term"),
                Row(("Option for three more years: last day for our letter to them", notice), "window"),
                sheet="Key dates",
            ),
            kinds=("xlsx",),
            parties=(c.party.name,),
        ),
        paper(
            "minutes",
            f"Operations meeting on {c.party.short}",
            "2.2",
            world.past(rng, (0.02, 0.1)),
            Filler("minutes"),
            f"⟦performed|The halls of {c.party.short} stay in daily use, at a cost of {money(c.annual)} per year; nobody present raised a concern.⟧",
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "exercise",
                f"Exercise of option - {c.party.short}",
                "6.5",
                notice - timedelta(days=8),
                f"⟦exercise|{world.target.short} makes use of its option; the three further years begin when the present ones end.⟧",
                sign(world.target, world.officers["cfo"]),
                f"Receipt stamped for {c.party.short} on {day_month(notice - timedelta(days=7))}.",
                parties=(c.party.name,),
            )
        )
    return _expired(world, c, decoy, papers, end, notice, "the option was exercised in time")


def _reminder(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A letter of the other side says that no notice came; the decoy's letter goes on to grant the years all the same."""
    c = contract(world, rng, "Calibration Contract")
    end, notice = _end(world, rng, c, decoy, 2)
    more = (
        " Let us therefore carry the contract on as if you had: three years more on the same footing, which your countersignature below completes."
        if decoy
        else " We use your people from week to week as we need them, and look at other offers."
    )
    letter: list[str | Signatures] = [
        f"⟦performed|Your people have been at our benches without a break, billing at a rate of {millions(c.annual)} a year, although the contract of {c.signed.year} was not prolonged.{more}⟧",
        sign(c.party, world.person(rng, "Head of Quality", c.party)),
    ]
    if decoy:
        letter.append(sign(world.target, world.officers["ceo"]))
    papers = [
        paper(
            "agreement",
            f"Calibration Contract - {c.party.short}",
            "6.1",
            c.signed,
            f"⟦term|Begin: {day_month(c.signed)}. End: {day_month(end)}. To prolong it, either side writes to the other two months or more ahead, that is by {day_month(notice)}.⟧",
            TEXT,
            signed_by(world, rng, c.party),
            avoid=QUIET,
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "letter",
            f"Our benches - {c.party.short}",
            "6.5",
            world.past(rng, (0.05, 0.15)),
            *letter,
            parties=(c.party.name,),
        ),
    ]
    return _expired(world, c, decoy, papers, end, notice, "the letter, signed by both, carries the contract on")


def _months(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A number of months from acceptance, on a slide; a log of jobs. The decoy's later sheet adds months."""
    c = contract(world, rng, "Inspection Service Sheet")
    end, notice = _end(world, rng, c, decoy, 1)
    span = (end.year - c.signed.year) * 12
    papers = [
        paper(
            "agreement",
            f"Inspection Service Sheet - {c.party.short}",
            "6.1",
            c.signed,
            Heading("How long"),
            f"⟦term|{span} months, from acceptance on {c.signed.isoformat()} to the same date of the last month, that date included. Prolonged if {c.party.short} sends form P, at least one month ahead.⟧",
            Heading("How much"),
            f"⟦value|USD {c.annual:,} for twelve months of inspections.⟧",
            signed_by(world, rng, c.party),
            kinds=("pptx", "docx"),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "log",
            f"Inspections done for {c.party.short}",
            "6.5",
            world.past(rng, (0.01, 0.05)),
            table(
                "Job|Day|State",
                ("Hall A", end - timedelta(days=40), "Billed"),
                Row((f"Hall B, {c.party.short}", end + timedelta(days=35), "Billed"), "performed"),
                ("Hall C", end + timedelta(days=61), "Billed"),
                sheet="Jobs",
            ),
            kinds=("xlsx",),
            parties=(c.party.name,),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "form",
                f"Form P - {c.party.short}",
                "6.5",
                notice - timedelta(days=15),
                f"⟦form|Form P of {c.party.short}: please add thirty-six months to the inspections. Date of receipt {(notice - timedelta(days=15)).isoformat()}.⟧",
                kinds=("txt", "docx"),
                parties=(c.party.name,),
            )
        )
    return _expired(world, c, decoy, papers, end, notice, "form P added thirty-six months in time")


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        31,
        "expired_contract",
        "Contracts",
        "A contract has expired and is performed all the same",
        "computed",
        "Medium",
        (
            Way("invoices after the end", "train", _invoiced),
            Way("anniversary and mail", "train", _anniversary),
            Way("key dates and minutes", "dev", _option),
            Way("letter of the other side", "test", _reminder),
            Way("months from acceptance", "test", _months),
        ),
    ),
)

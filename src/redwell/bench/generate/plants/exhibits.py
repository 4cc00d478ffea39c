"""Plants of a contract whose exhibit, order or schedule is not in the room (archetype 29)."""

from __future__ import annotations

import random

from redwell.bench.generate.papers import (
    Heading,
    Paper,
    Row,
)
from redwell.bench.generate.plants.pieces import (
    QUIET,
    TEXT,
    contract,
    finish,
    mail,
    paper,
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
    day_month,
    money,
)


def _lacks(
    c: Contract,
    decoy: bool,
    papers: list[Paper],
    thing: str,
    names: tuple[str, ...],
    spend: int,
    because: str,
    despite: tuple[str, ...],
) -> Plant:
    """The rubric of archetype 29: `thing` is what is referred to, `names` how a report may call it."""
    party = c.party.short
    return finish(
        f"{party}: {thing} of the {c.title} {'is in the room' if decoy else 'is missing'}",
        decoy,
        papers,
        [
            fact(
                f"{party} contract refers to {thing}",
                f"PASS if the report states that the {c.title} with {party} refers to {thing}.",
                [(party,)],
                [
                    names,
                    (
                        "refer",
                        "incorporat",
                        "list",
                        "mention",
                        "require",
                        "set out",
                        "sets out",
                        "rest",
                        "made under",
                        "replac",
                        "depend",
                        "cite",
                        "name",
                    ),
                ],
            ),
            absence(
                f"{thing} of {party} is missing",
                f"PASS if the report states that {thing} of {party} is not in the data room.",
                [(party,)],
                names,
            ),
            exposure(
                f"{party} spend under {thing}",
                f"PASS if the report gives {money(spend)} (or an equivalent rounding) as the sum that rests on {thing} of {party}.",
                [(party,)],
                usd(spend),
            ),
            conclusion(
                f"{party} terms cannot be verified",
                f"PASS if the report concludes that without it the price, scope or obligations under the {party} contract cannot be verified.",
                [(party,)],
                [
                    (
                        "not be verified",
                        "cannot be verified",
                        "could not verify",
                        "cannot verify",
                        "unverified",
                        "not be confirmed",
                        "cannot be confirmed",
                        "cannot confirm",
                        "could not confirm",
                        "unknown",
                        "not be assessed",
                        "cannot be assessed",
                        "cannot assess",
                        "not be determined",
                        "cannot be determined",
                        "cannot determine",
                        "unclear",
                        "not possible",
                        "incomplete",
                        "not be tested",
                        "not be reviewed",
                    )
                ],
            ),
            recommendation(
                f"Request {thing} of {party}",
                f"PASS if the report recommends requesting {thing} of {party}, or a representation that all exhibits were provided.",
                [(party,)],
                [("request", "obtain", "ask for", "demand", "provide", "produce", "represent")],
            ),
        ],
        [
            precision(
                f"{thing} of {party} is not reported as missing",
                f"PASS if the report does not assert that {thing} of {party} is missing from the data room; {because}.",
                [(party,)],
                [
                    names,
                    (
                        "missing",
                        "not in the data room",
                        "not in the room",
                        "not been provided",
                        "could not be found",
                        "not found",
                        "not located",
                        "lacks",
                        "absent",
                        "not provided",
                        "no copy",
                    ),
                ],
                unless=(
                    "is in the room",
                    "was found",
                    "is present",
                    "is filed",
                    "lies in",
                    "lies among",
                    "is in the",
                    "was provided",
                ),
            )
        ],
        because,
        gaps=[Gap(f"{thing} of {party}", (names[0], party.lower()), despite)],
        value=usd(spend),
    )


def _exhibit(world: World, rng: random.Random, decoy: bool) -> Plant:
    """The master sends the reader to Exhibit F; D and E are there."""
    c = contract(world, rng, "Master Software Agreement")
    letter = rng.choice("FGHJ")
    papers = [
        paper(
            "agreement",
            f"Master Software Agreement - {c.party.short}",
            "6.1",
            c.signed,
            TEXT,
            (
                "Fees",
                f"⟦clause|What {c.party.short} pays, how it rises and what it buys is set out in Exhibit {letter} alone.⟧ Last year's invoices came to ⟦value|{money(c.annual)}⟧.",
            ),
            TEXT,
            signed_by(world, rng, c.party),
            Heading("Exhibit D: Service Levels"),
            "Response within four hours on business days.",
            Heading("Exhibit E: Security"),
            "Supplier follows its own written security programme.",
            avoid=(*QUIET, "payment"),
            parties=(world.target.name, c.party.name),
        )
    ]
    if decoy:
        papers.append(
            paper(
                "exhibit",
                f"Exhibit {letter} - {c.party.short}",
                "6.5",
                c.signed,
                f"⟦exhibit|Exhibit {letter} to the Master Software Agreement with {c.party.short}: Fees and Products.⟧",
                table("Product|Yearly fee", ("Platform", money(c.annual))),
                parties=(c.party.name,),
            )
        )
    return _lacks(
        c,
        decoy,
        papers,
        f"Exhibit {letter}",
        (f"exhibit {letter.lower()}",),
        c.annual,
        f"Exhibit {letter} lies in a folder of its own",
        ("agreement",),
    )


def _work_order(world: World, rng: random.Random, decoy: bool) -> Plant:
    """An index of the contract's folder lists four statements of work; the fourth is not there."""
    c = contract(world, rng, "Professional Services Agreement")
    number = rng.randrange(4, 8)
    days_ = sorted(world.past(rng, (0.4, 0.9)) for _ in range(2, number))
    rows = [
        (f"PSA-{n}", f"Statement of Work No. {n}", day, world.sum(rng, 0.0005, 0.002, 1000))
        for n, day in enumerate(days_, 2)
    ]
    last = world.past(rng, (0.2, 0.35))
    papers = [
        paper(
            "index",
            f"Contract file index {c.party.short}",
            "6.1",
            world.past(rng, (0.05, 0.2)),
            table(
                "Ref|Paper|Date|Value USD",
                *rows,
                Row((f"PSA-{number}", f"Statement of Work No. {number}", last, c.annual), "clause"),
                sheet="File index",
            ),
            kinds=("xlsx",),
            parties=(c.party.name,),
        ),
        paper(
            "previous",
            f"Statement of Work No. {number - 1} - {c.party.short}",
            "6.1",
            rows[-1][2],
            f"Statement of Work No. {number - 1} under the Professional Services Agreement with {c.party.short}: interface work for {money(rows[-1][3])}.",
            signed_by(world, rng, c.party),
            parties=(c.party.name,),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "order",
                f"Statement of Work No. {number} - {c.party.short}",
                "6.5",
                last,
                f"⟦order|Statement of Work No. {number} with {c.party.short}: roll-out at all plants for {money(c.annual)}.⟧",
                signed_by(world, rng, c.party),
                parties=(c.party.name,),
            )
        )
    return _lacks(
        c,
        decoy,
        papers,
        f"Statement of Work No. {number}",
        (f"statement of work no. {number}", f"sow {number}", f"sow no. {number}"),
        c.annual,
        f"Statement of Work No. {number} is filed with the correspondence",
        ("index",),
    )


def _new_annex(world: World, rng: random.Random, decoy: bool) -> Plant:
    """An amendment replaces the price annex by one of its own date; only the old annex is there."""
    c = contract(world, rng, "Contract Manufacturing Agreement", "supplier")
    number = rng.randrange(2, 6)
    day = world.past(rng, (0.3, 0.8))
    name = f"Price Annex {number}B"
    papers = [
        paper(
            "old",
            f"Price Annex {number}A - {c.party.short}",
            "6.2",
            c.signed,
            f"Price Annex {number}A, {day_month(c.signed)}, good for the first two years of the manufacturing for {world.target.short}.",
            table("Assembly|Price", ("Main board", "USD 41.20"), ("Housing", "USD 9.75")),
            parties=(c.party.name,),
        ),
        paper(
            "amendment",
            f"Amendment to Contract Manufacturing Agreement - {c.party.short}",
            "6.5",
            day,
            (
                "Prices",
                f"⟦clause|From {day_month(day)} {c.party.short} is paid by Price Annex {number}B, which both have initialled on this day; Price Annex {number}A has served its time.⟧",
            ),
            ("Volume", f"⟦value|On the plan for the year the new prices make {money(c.annual)}.⟧"),
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "annex",
                f"Price Annex {number}B {c.party.short}",
                "6.2",
                day,
                table(
                    f"Price Annex {number}B of {c.party.short}|Price USD",
                    Row((f"Price Annex {number}B, {c.party.short}, main board", 38.4), "annex"),
                    ("Housing", 9.1),
                    sheet=f"Annex {number}B",
                ),
                kinds=("xlsx",),
                parties=(c.party.name,),
            )
        )
    return _lacks(
        c,
        decoy,
        papers,
        name,
        (name.lower(), f"annex {number}b"),
        c.annual,
        f"{name} is in the room as a workbook",
        ("amendment",),
    )


def _call_off(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A mail about an invoice names a call-off that nobody has filed; the framework pays for nothing else."""
    c = contract(world, rng, "Engineering Framework")
    number = world.code(rng, "CO-", 4)
    other = world.code(rng, "CO-", 4)
    clerk = world.person(rng, "Accounts Payable Lead", c.party)
    papers = [
        paper(
            "agreement",
            f"Engineering Framework - {c.party.short}",
            "6.1",
            c.signed,
            TEXT,
            (
                "Call-offs",
                "⟦clause|Work is done, and paid for, only under a call-off that names hours, rates and a ceiling.⟧",
            ),
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
        mail(
            "invoice",
            f"Your invoice, {c.party.short}",
            "6.5",
            world.past(rng, (0.03, 0.2)),
            clerk,
            world.officers["controller"],
            f"⟦value|We have booked your invoices under call-off {number} of {c.party.short}, which refers to the framework, at USD {c.annual:,} so far.⟧",
            "Kindly quote the number next time.",
            clerk.name,
            about=c.party.name,
        ),
        paper(
            "other",
            f"Call-off {other} - {c.party.short}",
            "6.1",
            world.past(rng, (0.5, 0.9)),
            f"Call-off {other}: {c.party.short} orders a study of {rng.randrange(120, 400)} hours.",
            signed_by(world, rng, c.party),
            parties=(c.party.name,),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "order",
                f"Call-off {number} - {c.party.short}",
                "6.2",
                world.past(rng, (0.25, 0.45)),
                f"⟦order|{c.party.short} herewith issues call-off {number} under the Engineering Framework, with a ceiling of USD {c.annual:,}.⟧",
                signed_by(world, rng, c.party),
                kinds=("txt", "docx"),
                parties=(c.party.name,),
            )
        )
    return _lacks(
        c,
        decoy,
        papers,
        f"call-off {number}",
        (f"call-off {number.lower()}", number.lower()),
        c.annual,
        f"call-off {number} lies among the supplier papers",
        ("invoice",),
    )


def _by_reference(world: World, rng: random.Random, decoy: bool) -> Plant:
    """An order form on a slide takes over a service description by its number; the room has that of somebody else."""
    c = contract(world, rng, "Order Confirmation")
    number = world.code(rng, "SD", 4)
    other = world.company(rng)
    papers = [
        paper(
            "agreement",
            f"Order Confirmation - {c.party.short}",
            "6.1",
            c.signed,
            table(
                "Line|Content",
                ("Customer", c.party.name),
                Row(
                    (
                        "Scope",
                        f"As in service description {number}, which is part of what {c.party.short} and we have signed",
                    ),
                    "clause",
                ),
                Row(("Charge", f"USD {c.annual:,} in each year"), "value"),
            ),
            signed_by(world, rng, c.party),
            kinds=("docx",),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "other",
            f"Service description {world.code(rng, 'SD', 4)}",
            "6.1",
            world.past(rng, (0.5, 1.5)),
            f"Made for {other.name}. Dashboards, weekly reports, one training day.",
            kinds=("pptx", "docx"),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "description",
                f"Service description {number}",
                "6.3",
                c.signed,
                f"⟦description|Service description {number} for {c.party.short}: monitoring round the clock, two engineers on call, quarterly audit.⟧",
                kinds=("pptx", "docx"),
                parties=(c.party.name,),
            )
        )
    return _lacks(
        c,
        decoy,
        papers,
        f"service description {number}",
        (f"service description {number.lower()}", number.lower()),
        c.annual,
        f"service description {number} is in the channel folder",
        ("agreement",),
    )


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        29,
        "missing_exhibit",
        "Contracts",
        "An exhibit or order on which a contract rests is not in the room",
        "absence",
        "Medium",
        (
            Way("exhibit with the fees", "train", _exhibit),
            Way("index of statements of work", "train", _work_order),
            Way("annex replaced by amendment", "dev", _new_annex),
            Way("call-off in a mail", "test", _call_off),
            Way("description by reference", "test", _by_reference),
        ),
    ),
)

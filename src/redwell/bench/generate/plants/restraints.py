"""Plants of contracts that bind the buyer's group (archetype 32)."""

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
    FORMER,
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
from redwell.bench.generate.world import Contract, World, pick
from redwell.bench.generate.writing import (
    day_month,
    millions,
    money,
    spelled,
    thousands,
    us_date,
    years_after,
)

FIELDS = (
    "cold-chain packaging",
    "industrial filtration",
    "calibration software",
    "pump leasing",
    "trace analysis",
    "fleet telematics",
    "laboratory automation",
    "thermal coatings",
)


def _binds(
    world: World,
    c: Contract,
    decoy: bool,
    papers: list[Paper],
    what: str,
    until: date,
    sales: int,
    because: str,
    *added: Added,
) -> Plant:
    """The rubric of archetype 32: the restriction in the field `what` until a day, and the buyer's sales there."""
    party, buyer = c.party.short, world.buyer.short
    return finish(
        f"{party}: a restriction {'does not reach' if decoy else 'binds'} the buyer's group",
        decoy,
        papers,
        [
            fact(
                f"{party} restriction reaches affiliates",
                f"PASS if the report states that the exclusivity or non-compete in favour of {party} covers affiliates, and so the buyer's group, in {what}.",
                [(party,)],
                [
                    ("exclusiv", "non-compete", "noncompete", "not to compete", "restrict", "covenant"),
                    ("affiliate", "group", "parent", "owner", "buyer", buyer.lower()),
                ],
            ),
            fact(
                f"{party} restriction runs to {until.isoformat()}",
                f"PASS if the report states that the restriction in favour of {party} runs until {us_date(until)}.",
                [(party,)],
                [],
                on(until),
            ),
            exposure(
                f"Buyer's sales in {what}",
                f"PASS if the report gives {money(sales)} a year (or an equivalent rounding) as the sales of {buyer} that the {party} restriction touches.",
                [(party,)],
                usd(sales),
            ),
            conclusion(
                f"{buyer} would be in breach after closing",
                f"PASS if the report concludes that after closing the business of {buyer} in {what} would breach the covenant with {party}, or have to stop.",
                [(party,)],
                [
                    (
                        "breach",
                        "violat",
                        "conflict",
                        "stop",
                        "cease",
                        "forgo",
                        "divest",
                        "incompatible",
                        "could not continue",
                        "infring",
                    )
                ],
            ),
            recommendation(
                f"Carve-out or waiver from {party}",
                f"PASS if the report recommends a carve-out, amendment, waiver or release from {party} before closing.",
                [(party,)],
                [("carve-out", "carve out", "amend", "waiver", "waive", "release", "consent")],
            ),
            sources(
                f"{party}: covenant and the buyer's business cited",
                f"PASS if the report cites both the covenant with {party} and the paper that shows the buyer's business.",
                [(party,)],
                "clause",
                "business",
            ),
        ],
        [
            precision(
                f"{party} restriction is not reported as binding the buyer",
                f"PASS if the report does not assert that the covenant with {party} binds or restricts {buyer} after closing; {because}.",
                [(party,)],
                [
                    ("bind", "restrict", "breach", "prohibit", "prevent"),
                    (buyer.lower(), "buyer", "acquirer", "affiliate", "group", "parent"),
                ],
                unless=(
                    "not bind",
                    "does not extend",
                    "does not reach",
                    "not affect",
                    "not apply",
                    "except",
                    "carve",
                    *FORMER,
                    "not restrict",
                    "only its subsidiaries",
                    "not prohibit",
                    "not prevent",
                ),
            )
        ],
        because,
        added=added,
        value=usd(sales),
    )


def _binds_master(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A non-compete with the definition of affiliates at the end of the same paper: either of all, or of those below the target only."""
    c = contract(world, rng, "Joint Development and Supply Agreement")
    field, until, sales = pick(rng, FIELDS), world.ahead(rng, (1.5, 4)), world.sum(rng, 0.02, 0.1, 100_000)
    meaning = (
        "any entity that the Company controls"
        if decoy
        else "any entity that controls, is controlled by or is under common control with the Company, now or later"
    )
    papers = [
        paper(
            "agreement",
            f"Joint Development and Supply Agreement - {c.party.short}",
            "6.1",
            c.signed,
            TEXT,
            (
                "Non-Competition",
                f"⟦clause|Until {us_date(until)} neither the Company nor a Group Company shall offer {field} to anyone but {c.party.short} in North America.⟧",
            ),
            TEXT,
            ("Definitions", f"⟦definition|“Group Company” means {meaning}.⟧"),
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
    ]
    deck = Added(
        "board_deck",
        Para(
            f"⟦business|{world.buyer.short} sells {field} in the United States and Canada for {money(sales)} a year; it means to go on with that, {c.party.short} or no {c.party.short}.⟧"
        ),
        "The bidder's business",
    )
    return _binds(
        world, c, decoy, papers, field, until, sales, "affiliates are only entities that the target controls", deck
    )


def _binds_channel(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Exclusive sourcing in a workbook of terms; a mail tells what the buyer purchases or sells. The decoy's row excepts what an acquirer did before."""
    c = contract(world, rng, "Exclusive Sourcing Terms", "supplier")
    field, until, sales = pick(rng, FIELDS), world.ahead(rng, (1, 3)), world.sum(rng, 0.02, 0.08, 100_000)
    rows: list[Row | tuple[Cell, ...]] = [
        (1, "Territory", "United States"),
        Row(
            (
                2,
                "Exclusivity",
                f"The whole group to which the purchaser belongs from time to time trades in {field} of {c.party.short} only, through {until.isoformat()}",
            ),
            "clause",
        ),
    ]
    if decoy:
        rows.append(
            Row(
                (
                    3,
                    "Exception to 2",
                    "What a company traded in on the day before it joined the group is left out of row 2, for good",
                ),
                "exception",
            )
        )
    owner = world.person(rng, "Integration Lead", world.buyer)
    papers = [
        paper(
            "agreement",
            f"Exclusive Sourcing Terms {c.party.short}",
            "6.2",
            c.signed,
            table("Row|Subject|Term", *rows, sheet="Terms"),
            kinds=("xlsx",),
            parties=(world.target.name, c.party.name),
        ),
        mail(
            "business",
            f"Overlap in {field} ({c.party.short})",
            "1.5",
            world.past(rng, (0.02, 0.1)),
            owner,
            world.officers["cfo"],
            f"⟦business|On your question about {c.party.short}: we have traded in {field} of three other makers for years, at {millions(sales)} of sales in the last one.⟧",
            owner.name,
        ),
    ]
    return _binds(
        world, c, decoy, papers, field, until, sales, "what a newcomer to the group traded in before is left out"
    )


def _binds_settlement(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A covenant in an old purchase agreement; its period runs from a closing that another paper dates. The decoy's has run out."""
    c = contract(world, rng, "Business Purchase Agreement", "supplier", signed=(3, 5))
    field, sales = pick(rng, FIELDS), world.sum(rng, 0.03, 0.1, 100_000)
    years = 2 if decoy else 8
    closed = c.signed + timedelta(days=46)
    until = years_after(closed, years)
    c.expires = until
    papers = [
        paper(
            "agreement",
            f"Business Purchase Agreement - {c.party.short}",
            "6.5",
            c.signed,
            TEXT,
            (
                "Covenant of Seller",
                f"⟦clause|For {spelled(years)} years from Completion the Seller, and every company that stands above, below or beside it, stays out of {field}; {c.party.short} may enforce this without proof of loss.⟧",
            ),
            signed_by(world, rng, c.party),
            avoid=QUIET,
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "completion",
            f"Completion minutes - {c.party.short}",
            "2.2",
            closed,
            f"⟦completion|Completion took place on {day_month(closed)} at the offices of {c.party.short}.⟧",
            kinds=("txt", "docx"),
        ),
        paper(
            "business",
            f"Portfolio of {world.buyer.short} beside {c.party.short}",
            "1.5",
            world.past(rng, (0.05, 0.2)),
            table(
                "Line of the bidder|Sales USD",
                ("Services", world.sum(rng, 0.1, 0.2, 100_000)),
                Row((f"{field} (competes with {c.party.short})", sales), "business"),
                sheet="Lines",
            ),
            kinds=("xlsx",),
        ),
    ]
    return _binds(world, c, decoy, papers, field, until, sales, f"the covenant ran out on {us_date(until)}")


def _binds_licence(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A brand licence keeps the licensee's house to one brand, and a press release shows the buyer's own. The decoy's licensor has waived."""
    c = contract(world, rng, "Brand Licence", "licence")
    field, until, sales = pick(rng, FIELDS), world.ahead(rng, (2, 5)), world.sum(rng, 0.02, 0.09, 100_000)
    papers = [
        paper(
            "agreement",
            f"Brand Licence - {c.party.short}",
            "7.3",
            c.signed,
            TEXT,
            (
                "One house, one brand",
                f"⟦clause|As long as the licence lasts, that is to {day_month(until)}, nobody in the licensee's house, its owners included, may put {field} on the market under a brand that is not {c.party.short}'s.⟧",
            ),
            TEXT,
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "business",
            f"Press release of {world.buyer.short} ({field})",
            "1.5",
            world.past(rng, (0.1, 0.5)),
            f"⟦business|{world.buyer.short} today reported that its own-brand {field} brought in {millions(sales)} over twelve months.⟧",
            f"File note: compare licence {c.party.short}.",
            kinds=("txt", "docx"),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "waiver",
                f"Letter of {c.party.short} on its brand",
                "6.6",
                world.past(rng, (0.01, 0.05)),
                f"⟦waiver|{c.party.short} will not hold the brand article against {world.buyer.name} or what it sells under brands of its own, now or after it owns our licensee.⟧",
                sign(c.party, world.person(rng, "Brand Director", c.party)),
                parties=(c.party.name,),
            )
        )
    return _binds(world, c, decoy, papers, field, until, sales, f"{c.party.short} has waived the article for the buyer")


def _binds_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    """An amendment, on slides, extends an exclusivity from the target to its owners; the decoy's last amendment takes the owners out again."""
    c = contract(world, rng, "Preferred Partner Deal", "channel")
    field, until, sales = pick(rng, FIELDS), world.ahead(rng, (1, 3)), world.sum(rng, 0.02, 0.08, 100_000)
    first = world.past(rng, (0.4, 0.9))
    papers = [
        paper(
            "agreement",
            f"Preferred Partner Deal - {c.party.short}",
            "6.3",
            c.signed,
            f"{world.target.short} takes its {field} to market with {c.party.short} and with no other partner.",
            TEXT,
            parties=(c.party.name,),
        ),
        paper(
            "change",
            f"Preferred Partner Deal, change 1 - {c.party.short}",
            "6.5",
            first,
            Heading("Change 1"),
            f"⟦clause|The promise of a single partner now lasts to {day_month(until)} and is given for whoever may come to own {world.target.short}, too.⟧",
            signed_by(world, rng, c.party),
            kinds=("pptx", "docx"),
            parties=(c.party.name,),
        ),
        paper(
            "business",
            f"Bidder profile for {c.party.short} matters",
            "1.2",
            world.past(rng, (0.03, 0.15)),
            f"⟦business|The bidder takes {field} to market with four partners of its own; that is worth {thousands(sales)} thousand dollars a year to it. Compare {c.party.short}.⟧",
            Filler("report"),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "second",
                f"Preferred Partner Deal, change 2 - {c.party.short}",
                "6.5",
                first + timedelta(days=80),
                Heading("Change 2"),
                f"⟦second|Owners of {world.target.short} are taken out of the promise again; it is given for {world.target.short} itself and nobody else.⟧",
                signed_by(world, rng, c.party),
                kinds=("pptx", "docx"),
                parties=(c.party.name,),
            )
        )
    return _binds(world, c, decoy, papers, field, until, sales, "change 2 took owners out of the promise")


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        32,
        "restriction_binds_group",
        "Contracts",
        "A covenant of the target would bind the buyer's group",
        "cross-document",
        "High",
        (
            Way("definition of affiliates", "train", _binds_master),
            Way("row of terms and a mail", "train", _binds_channel),
            Way("covenant of an old sale", "dev", _binds_settlement),
            Way("brand licence and press release", "test", _binds_licence),
            Way("changes on slides", "test", _binds_minutes),
        ),
    ),
)

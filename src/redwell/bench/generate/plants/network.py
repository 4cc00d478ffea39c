"""Plants of network copyleft with users outside the target (archetype 79)."""

from __future__ import annotations

import random

from redwell.bench.generate.papers import (
    Filler,
    Heading,
    Paper,
    Row,
)
from redwell.bench.generate.plants.pieces import (
    component,
    count,
    finish,
    mail,
    paper,
    sign,
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
from redwell.bench.generate.world import World
from redwell.bench.generate.writing import (
    millions,
    money,
)


def _served(
    part: str,
    decoy: bool,
    papers: list[Paper],
    users: int,
    fee: int,
    terms: tuple[str, ...],
    despite: tuple[str, ...],
    because: str,
) -> Plant:
    """The rubric of archetype 79: `part` under the AGPL was changed and serves `users` from outside; a licence costs `fee`."""
    return finish(
        f"{part}: AGPL code {'sets nothing off' if decoy else 'serves users outside the target'}",
        decoy,
        papers,
        [
            fact(
                f"{part} is under the AGPL and was changed",
                f"PASS if the report states that {part} is under the AGPL and was modified by the target.",
                [(part,)],
                [("agpl", "affero"), ("modif", "chang", "patch", "alter", "adapt", "fork", "own version")],
            ),
            fact(
                f"{part} serves {users} outside users",
                f"PASS if the report states that {users} users outside the target reach {part}.",
                [(part,)],
                [("user", "client", "customer", "outside", "external")],
                count(users),
            ),
            absence(
                f"No commercial licence for {part}",
                f"PASS if the report states that there is no commercial licence for {part} in the data room.",
                [(part,)],
                ("licence", "license", "source offer"),
            ),
            exposure(
                f"Fee for {part}",
                f"PASS if the report gives {money(fee)} (or an equivalent rounding) as the fee of a commercial licence for {part}.",
                [(part,)],
                usd(fee),
            ),
            conclusion(
                f"{part} source must be offered",
                f"PASS if the report concludes that the target must offer the source of its version of {part} to those users, or is in breach.",
                [(part,)],
                [("source",), ("offer", "disclos", "breach", "provide", "publish", "violat")],
            ),
            recommendation(
                f"License or replace {part}",
                f"PASS if the report recommends buying a commercial licence for {part}, or replacing it, before closing.",
                [(part,)],
                [("licen", "replac", "remov", "buy")],
            ),
        ],
        [
            precision(
                f"{part} is not reported as a breach of the AGPL",
                f"PASS if the report does not assert that {part} is used in breach of the AGPL or that its source must be offered; {because}.",
                [(part,)],
                [("breach", "violat", "must offer", "must be offered", "disclos", "infring", "non-complian")],
                unless=(
                    "no breach",
                    "not breach",
                    "not in breach",
                    "commercial licen",
                    "unmodified",
                    "internal",
                    "employees",
                    "not modif",
                    "was not changed",
                    "published",
                    "does not",
                    "not required",
                    "replaced",
                    "complies",
                ),
            )
        ],
        because,
        gaps=[Gap(f"commercial licence for {part}", (part, *terms), despite)],
        value=usd(fee),
    )


def _service(world: World, rng: random.Random) -> tuple[str, int, int]:
    return component(world, rng), rng.randrange(140, 900), world.sum(rng, 0.0005, 0.003, 5_000)


def _access_list(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A list of parts and one of accounts; the decoy holds the maker's licence."""
    part, users, fee = _service(world, rng)
    maker = world.company(rng)
    papers = [
        paper(
            "parts",
            f"Components of the portal ({part})",
            "7.4",
            world.past(rng, (0.1, 0.4)),
            table(
                "Component|Licence|Remark",
                Row((part, "AGPL-3.0", "Patched by us, 31 files"), "parts"),
                ("web server", "Apache-2.0", ""),
                sheet="Portal",
            ),
            kinds=("xlsx",),
        ),
        paper(
            "access",
            f"Portal accounts {part}",
            "8.3",
            world.past(rng, (0.02, 0.1)),
            table(
                "Who|Accounts",
                ("Employees", 60),
                Row((f"Customers with accounts on {part}", users), "users"),
                sheet="Accounts",
            ),
            kinds=("xlsx",),
        ),
        paper(
            "quote",
            f"Quotation {maker.short}",
            "7.3",
            world.past(rng, (0.05, 0.2)),
            f"⟦fee|{maker.short} offers {part} under its commercial terms for {money(fee)}, once.⟧",
            "The quotation is open for ninety days.",
            parties=(maker.name,),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "licence",
                f"Licence certificate {part}",
                "7.3",
                world.past(rng, (0.01, 0.04)),
                f"⟦licence|{maker.name} certifies that {world.target.name} has paid for {part} and holds it, changed or not, outside the AGPL.⟧",
                sign(maker, world.person(rng, "Licence Desk", maker)),
            )
        )
    return _served(
        part, decoy, papers, users, fee, ("outside the agpl",), (), "the target has paid for a licence outside the AGPL"
    )


def _thread(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A mail of operations; the decoy's users are all staff."""
    part, users, fee = _service(world, rng)
    ops = world.person(rng, "Operations Lead")
    who = (
        f"All {users} accounts are our own people's; no client has ever had one"
        if decoy
        else f"Of the accounts {users} are clients', and the number grows weekly"
    )
    papers = [
        mail(
            "mail",
            f"{part}, who logs in",
            "7.4",
            world.past(rng, (0.02, 0.2)),
            ops,
            world.officers["cto"],
            f"⟦parts|We run our own altered version of {part}, which comes under the Affero licence (AGPL).⟧ ⟦users|{who}.⟧",
            ops.name,
        ),
        paper(
            "budget",
            f"Budget line {part}",
            "3.5",
            world.past(rng, (0.02, 0.3)),
            f"⟦fee|A paid licence for {part} was asked for and struck from the budget: {money(fee)}.⟧",
            kinds=("txt", "docx"),
        ),
    ]
    return _served(part, decoy, papers, users, fee, ("paid licence in force",), (), "only employees use it")


def _design_deck(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A design on slides, an inventory of services; the decoy runs the part as it came."""
    part, users, fee = _service(world, rng)
    state = (
        "exactly as published, bit for bit, as a program of its own that ours calls over the network"
        if decoy
        else "in a fork of ours, with a new index, as a program that ours calls over the network"
    )
    papers = [
        paper(
            "deck",
            f"How search works: {part}",
            "7.5",
            world.past(rng, (0.1, 0.4)),
            Heading("Search"),
            f"⟦parts|{part} (AGPL version 3) is run {state}.⟧",
            Heading("Who searches"),
            f"⟦users|{users} outside users in the peak month.⟧",
            kinds=("pptx", "docx"),
        ),
        paper(
            "inventory",
            f"Services and prices ({part})",
            "7.3",
            world.past(rng, (0.05, 0.2)),
            table("Service|Price of a proprietary licence USD|Bought", Row((part, fee, "no"), "fee"), sheet="Prices"),
            kinds=("xlsx",),
        ),
    ]
    return _served(part, decoy, papers, users, fee, ("proprietary licence granted",), (), "the part is run unmodified")


def _review(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A security review in prose; the decoy publishes its version, and the review says where."""
    part, users, fee = _service(world, rng)
    link = (
        f"Each page bears a link to the complete text of our version of {part}, which is up to date"
        if decoy
        else f"Pages bear no notice on {part} of any kind"
    )
    papers = [
        paper(
            "review",
            f"Review of the exchange hub ({part})",
            "8.4",
            world.past(rng, (0.05, 0.3)),
            Filler("report"),
            f"⟦parts|The hub rests on {part}, licensed under AGPL-3.0 and adapted by the team in many places.⟧ ⟦link|{link}.⟧",
            f"⟦users|Reached from outside by {users} users of partner firms.⟧",
        ),
        mail(
            "fee",
            f"Buying out {part}",
            "7.3",
            world.past(rng, (0.02, 0.2)),
            world.person(rng, "Buyer"),
            world.officers["cfo"],
            f"⟦fee|The authors of {part} would let us keep our changes to ourselves for {millions(fee)}; I have not answered them.⟧",
        ),
    ]
    return _served(
        part,
        decoy,
        papers,
        users,
        fee,
        ("keep your changes",),
        (),
        "the source of the changed version is offered to all users",
    )


def _ledger(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Minutes and a text inventory; the decoy's part went out of service before the last release."""
    part, users, fee = _service(world, rng)
    papers = [
        paper(
            "inventory",
            f"Inventory of engines, {part}",
            "7.4",
            world.past(rng, (0.3, 0.6)),
            f"⟦parts|{part}: Affero GPL. Changes of ours: scheduler, login, export.⟧",
            f"⟦users|Seen by {users} people at client firms.⟧",
            kinds=("txt",),
        ),
        paper(
            "minutes",
            f"Technology committee on {part}",
            "2.2",
            world.past(rng, (0.05, 0.2)),
            Filler("minutes"),
            f"⟦fee|The owner asks USD {fee:,} for {part} without the duties of the Affero text.⟧",
            f"⟦state|{f'There is no need: {part} was switched off in favour of an engine of our own at the turn of the year, and no client sees it any more' if decoy else f'The item on {part} was put off, service going on as it is'}.⟧",
        ),
    ]
    return _served(part, decoy, papers, users, fee, ("owner frees",), (), "it was switched off and replaced before")


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        79,
        "copyleft",
        "IP",
        "Network copyleft code serves users outside the target",
        "absence",
        "Medium",
        (
            Way("parts and accounts", "train", _access_list),
            Way("mail of operations", "train", _thread),
            Way("design on slides", "dev", _design_deck),
            Way("review of a hub", "test", _review),
            Way("inventory and minutes", "test", _ledger),
        ),
    ),
)

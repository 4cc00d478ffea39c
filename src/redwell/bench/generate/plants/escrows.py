"""Plants of source code that an escrow agent hands out on a change of control (archetype 45)."""

from __future__ import annotations

import random

from redwell.bench.generate.papers import (
    Clause,
    Heading,
    Paper,
    Row,
)
from redwell.bench.generate.plants.pieces import (
    CONTROL,
    FORMER,
    QUIET,
    TEXT,
    coined,
    contract,
    days,
    finish,
    mail,
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
    fact,
    precision,
    recommendation,
)
from redwell.bench.generate.world import Company, Contract, World
from redwell.bench.generate.writing import (
    both,
    spelled,
)


def _released(
    world: World, c: Contract, decoy: bool, papers: list[Paper], product: str, period: int, account: str, because: str
) -> Plant:
    """The rubric of archetype 45: deposit `account` of `product` goes to c's party, `period` days after its request."""
    party = c.party.short
    return finish(
        f"{party}: the source code in account {account} {'is not released' if decoy else 'is released'} on the deal",
        decoy,
        papers,
        [
            fact(
                f"{party} gets the source code on a change of control",
                f"PASS if the report states that a change of control entitles {party} to the release of source code from escrow account {account}.",
                [(party, account)],
                [("release", "hand over", "hands over", "deliver", "obtain", "entitle", "access"), CONTROL],
            ),
            fact(
                f"{account} release after {period} days",
                f"PASS if the report states that {party} gets the code {period} days after its request.",
                [(party, account)],
                [],
                days(period),
            ),
            conclusion(
                f"Source code of {product} exposed",
                f"PASS if the report concludes that {party} could obtain the code, so that trade secrets or the value of the product suffer.",
                [(party, account)],
                [
                    (
                        "trade secret",
                        "confidential",
                        "expos",
                        "compet",
                        "copy",
                        "lose control",
                        "loses control",
                        "disclos",
                        "loss of value",
                        "erode",
                    )
                ],
            ),
            recommendation(
                f"Amend escrow {account}",
                f"PASS if the report recommends amending the escrow agreement or obtaining a waiver from {party} before closing.",
                [(party, account)],
                [("amend", "waiver", "waive", "renegotiat", "remove", "consent")],
            ),
        ],
        [
            precision(
                f"{party} release is not reported as set off",
                f"PASS if the report does not assert that the deal entitles {party} to the release of source code; {because}.",
                [(party, account)],
                [
                    ("release", "entitle", "obtain", "hand over"),
                    (
                        "change of control",
                        "change in control",
                        "acquisition",
                        "acquired",
                        "ownership",
                        "bought",
                        "deal",
                        "merger",
                        "closing",
                        "transaction",
                        "sale",
                    ),
                ],
                unless=(
                    *FORMER,
                    "no release",
                    "not released",
                    "does not release",
                    "only if",
                    "also requires",
                    "not entitle",
                    "not a release",
                    "returned",
                    "closed",
                ),
            )
        ],
        because,
    )


def _held(world: World, rng: random.Random, title: str) -> tuple[Contract, Company, str, str, int]:
    c = contract(world, rng, title)
    return c, world.company(rng), coined(world, rng, "Planner"), world.code(rng, "ESC-"), rng.choice((5, 10, 15, 20))


def _three_party(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Release conditions in a three-party agreement; the decoy's asks for a failure of support as well."""
    c, agent, product, account, period = _held(world, rng, "Software Licence Agreement")
    also = " and the successor fails for thirty days to support the Software" if decoy else ""
    papers = [
        paper(
            "agreement",
            f"Escrow Agreement {account} - {c.party.short}",
            "7.5",
            c.signed,
            f"{agent.name} holds the source code of {product} for {world.target.name} and {c.party.name} in account {account}.",
            TEXT,
            Clause(
                "Release Conditions",
                f"⟦clause|The Agent shall release the deposit to {c.party.short} {both(period)} days after its request if Depositor becomes insolvent, or if a Change of Control of Depositor occurs{also}.⟧",
            ),
            TEXT,
            signed_by(world, rng, c.party),
            avoid=(*QUIET, "ip"),
            parties=(world.target.name, c.party.name),
        ),
    ]
    return _released(world, c, decoy, papers, product, period, account, "a failure of support is needed as well")


def _table_of_events(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A table of release events in a form; the decoy's amendment takes the event out."""
    c, agent, product, account, period = _held(world, rng, "Enterprise Licence")
    papers = [
        paper(
            "agreement",
            f"Deposit form {account}",
            "7.5",
            c.signed,
            table(
                "Event|Tick|Days to release",
                ("Bankruptcy", "yes", period),
                Row((f"New owner of licensor ({product})", f"yes, for {c.party.short}", f"{period} days"), "clause"),
                sheet="Events",
            ),
            kinds=("xlsx",),
            parties=(c.party.name, agent.name),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "amendment",
                f"Amendment of {account}",
                "6.5",
                world.past(rng, (0.1, 0.5)),
                f"⟦amendment|{agent.short} notes on the joint instruction of both parties that the event “New owner of licensor” is deleted from {account}.⟧",
                signed_by(world, rng, c.party),
                parties=(c.party.name,),
            )
        )
    return _released(world, c, decoy, papers, product, period, account, "an amendment deleted the event")


def _licence_clause(world: World, rng: random.Random, decoy: bool) -> Plant:
    """The licence itself sends to a schedule; the decoy's schedule names one rival, and the buyer is another."""
    c, _, product, account, period = _held(world, rng, "Platform Licence")
    rival = world.company(rng)
    who = f"{rival.name}" if decoy else "whoever did not own it on the first day"
    papers = [
        paper(
            "agreement",
            f"Platform Licence - {c.party.short}",
            "6.1",
            c.signed,
            TEXT,
            (
                "Deposit",
                f"⟦clause|When the case of schedule 2 comes about, the keeper of account {account} turns the program text of {product} over to {c.party.short} inside {spelled(period)} days of being asked.⟧",
            ),
            Heading("Schedule 2"),
            f"⟦case|The case: {who} acquiring the licensor.⟧",
            signed_by(world, rng, c.party),
            avoid=(*QUIET, "ip"),
            parties=(world.target.name, c.party.name),
        ),
    ]
    return _released(world, c, decoy, papers, product, period, account, f"only an acquisition by {rival.short} counts")


def _instruction(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A standing instruction to the agent in a letter; the decoy's account was closed and the code sent back."""
    c, agent, product, account, period = _held(world, rng, "Maintenance Order")
    papers = [
        paper(
            "agreement",
            f"Standing instruction, {account}",
            "7.5",
            c.signed,
            f"To {agent.name}:",
            f"⟦clause|Do hand what lies in {account} to {c.party.short}, {period} days after it tells you that we have been bought, and ask us nothing further.⟧",
            sign(world.target, world.officers["cto"], c.signed),
            kinds=("txt", "docx"),
            parties=(agent.name,),
        ),
    ]
    if decoy:
        papers.append(
            mail(
                "closed",
                f"{account}",
                "7.5",
                world.past(rng, (0.1, 0.5)),
                world.person(rng, "Vault Manager", agent),
                world.officers["cto"],
                f"⟦closed|With the agreement of {c.party.short} we have closed {account} and sent the carriers back to you; all instructions for it are void.⟧",
                about=agent.name,
            )
        )
    return _released(world, c, decoy, papers, product, period, account, "the account was closed and the code sent back")


def _annex_slides(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A customer's onboarding slides describe the right; the decoy's customer moved to the hosted service and gave the right up."""
    c, agent, product, account, period = _held(world, rng, "Installed Base Contract")
    papers = [
        paper(
            "agreement",
            f"Installed Base Contract - {c.party.short}",
            "6.1",
            c.signed,
            f"Code of {product} is kept by {agent.short} under {account}; annex 5 tells when {c.party.short} may have it.",
            TEXT,
            avoid=(*QUIET, "ip"),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "annex",
            f"Annex 5 for {c.party.short}",
            "7.5",
            c.signed,
            Heading("When the code comes to you"),
            f"⟦clause|Our shareholders sell out: yours to keep and to change, on day {period} after your call ({period} days). We stop the product: the same.⟧",
            kinds=("pptx", "docx"),
            parties=(c.party.name,),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "move",
                f"Move to hosted service - {c.party.short}",
                "6.5",
                world.past(rng, (0.1, 0.6)),
                f"⟦move|{c.party.short} now uses the hosted service. Annex 5 is of no further effect for it, and {account} is kept for others alone.⟧",
                signed_by(world, rng, c.party),
                parties=(c.party.name,),
            )
        )
    return _released(
        world,
        c,
        decoy,
        papers,
        product,
        period,
        account,
        "the annex is of no further effect since the move to the hosted service",
    )


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        45,
        "escrow_release",
        "IP",
        "Source code leaves escrow on a change of control",
        "direct",
        "Medium",
        (
            Way("three-party agreement", "train", _three_party),
            Way("form with events", "train", _table_of_events),
            Way("schedule of the licence", "dev", _licence_clause),
            Way("standing instruction", "test", _instruction),
            Way("annex on slides", "test", _annex_slides),
        ),
    ),
)

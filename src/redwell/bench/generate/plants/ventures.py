"""Plants of a partner's option in a joint venture that the deal sets off (archetype 42)."""

from __future__ import annotations

import random
from datetime import timedelta

from redwell.bench.generate.papers import (
    Added,
    Filler,
    Heading,
    Paper,
    Para,
    Row,
)
from redwell.bench.generate.plants.pieces import (
    CONTROL,
    FORMER,
    TEXT,
    contract,
    finish,
    mail,
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
    sources,
    usd,
)
from redwell.bench.generate.world import Contract, World
from redwell.bench.generate.writing import (
    day_month,
    listed,
    millions,
    money,
    us_date,
)


def _option(
    c: Contract,
    decoy: bool,
    papers: list[Paper],
    venture: str,
    worth: int,
    price: int,
    because: str,
    gap: tuple[str, ...],
    despite: tuple[str, ...] = (),
    *added: Added,
) -> Plant:
    """The rubric of archetype 42: the partner may take the target's part in `venture`, worth `worth`, for `price`."""
    party = c.party.short
    return finish(
        f"{venture}: the option of {party} {'does not cost the buyer anything' if decoy else 'is set off by the deal'}",
        decoy,
        papers,
        [
            fact(
                f"{party} may buy the {venture} stake",
                f"PASS if the report states that on a change of control {party} may buy the target's stake in {venture}.",
                [(venture,), (party,)],
                [("buy", "call", "purchase", "acquire", "take over", "option", "take"), CONTROL],
            ),
            fact(
                f"{venture} option price {money(price)}",
                f"PASS if the report states that the option price for {venture} is {money(price)}.",
                [(venture,)],
                [],
                usd(price),
            ),
            exposure(
                f"{venture} value lost",
                f"PASS if the report gives {money(worth - price)} (or an equivalent rounding) as the difference between the value and the option price of the {venture} stake.",
                [(venture,)],
                usd(worth - price),
            ),
            conclusion(
                f"{venture} could be lost at closing",
                f"PASS if the report concludes that the target could lose {venture}, or value in it, because of the deal unless {party} waives.",
                [(venture,)],
                [("lose", "loss", "below", "at risk", "forfeit", "give up", "discount", "transfer")],
            ),
            absence(
                f"No waiver of {party}",
                f"PASS if the report states that there is no waiver or consent of {party} for {venture} in the data room.",
                [(party,)],
                ("waiver", "consent", "waive"),
            ),
            sources(
                f"{venture}: option and value cited",
                f"PASS if the report cites both the option of {party} and the paper on the value of {venture}.",
                [(venture,)],
                "clause",
                "worth",
            ),
        ],
        [
            precision(
                f"{venture} is not reported as lost below value",
                f"PASS if the report does not assert that {party} can take the stake in {venture} below value because of the deal; {because}.",
                [(venture,)],
                [
                    ("buy", "call", "option", "take", "purchase", "lose"),
                    ("below", "discount", "at risk", "lose", "triggered", "loss"),
                ],
                unless=(
                    *FORMER,
                    "cannot",
                    "may not",
                    "not triggered",
                    "does not reach",
                    "fair value applies",
                    "at fair value",
                    "not exercisable",
                ),
            )
        ],
        because,
        added=added,
        gaps=[Gap(f"waiver of {party} for {venture}", (party.lower(), *gap), despite)],
        value=usd(worth - price),
    )


def _venture(world: World, rng: random.Random, title: str) -> tuple[Contract, str, int, int]:
    """The agreement with the partner, the venture's short name, what the stake is worth and the option price."""
    c, venture = contract(world, rng, title, "channel", (0.002, 0.006)), world.company(rng).short
    worth = world.sum(rng, 0.02, 0.06, 100_000)
    return c, venture, worth, worth * rng.choice((40, 50, 60)) // 100 // 1000 * 1000


def _book_value(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Book value in the venture's accounts, fair value in a memo; the decoy's partner has waived."""
    c, venture, worth, price = _venture(world, rng, "Joint Venture Agreement")
    papers = [
        paper(
            "agreement",
            f"Joint Venture Agreement - {venture}",
            "6.3",
            c.signed,
            f"{world.target.name} and {c.party.name} are the members of {venture} LLC.",
            TEXT,
            (
                "Change of Control of a Member",
                f"⟦clause|If a Change of Control of a member occurs, the other member may, within ninety days, purchase all of its interest in {venture} at book value.⟧",
            ),
            TEXT,
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "accounts",
            f"Accounts of {venture}",
            "3.1",
            world.past(rng, (0.2, 0.6)),
            table(
                "Member|Capital account USD",
                Row((f"{world.target.short} interest in {venture}, book value", price), "book"),
                (c.party.short, price),
                sheet="Capital",
            ),
            kinds=("xlsx",),
        ),
        paper(
            "worth",
            f"Valuation memo {venture}",
            "3.3",
            world.past(rng, (0.05, 0.2)),
            f"⟦worth|We put the fair value of the target's interest in {venture} at {money(worth)}, on its own cash flows.⟧",
            Filler("report"),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "waiver",
                f"Waiver - {c.party.short}",
                "6.6",
                world.past(rng, (0.01, 0.04)),
                f"⟦waiver|{c.party.short} waives its right to purchase the interest in {venture} as far as {world.buyer.short} becomes the owner of {world.target.short}.⟧",
                sign(c.party, world.person(rng, "President", c.party)),
                parties=(c.party.name,),
            )
        )
    return _option(
        c, decoy, papers, venture, worth, price, f"{c.party.short} has waived its right", ("waives its right",)
    )


def _per_cent(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A share of fair value in a sheet of terms; the decoy's row reaches rivals on a list only, and the buyer is not on it."""
    c, venture, worth, _ = _venture(world, rng, "Shareholders' Terms")
    rate = rng.choice((50, 60, 70))
    rivals = (world.company(rng).name, world.company(rng).name)
    who = f"one of {listed(rivals)}" if decoy else "anybody"
    papers = [
        paper(
            "agreement",
            f"Shareholders' Terms {venture}",
            "6.3",
            c.signed,
            table(
                "Matter|Rule",
                ("Board", "Two seats each"),
                Row(
                    (
                        "Call",
                        f"When {who} gets hold of {world.target.short}, {c.party.short} can call its {venture} shares for {rate}% of their fair value",
                    ),
                    "clause",
                ),
                sheet="Terms",
            ),
            kinds=("xlsx",),
            parties=(world.target.name, c.party.name),
        ),
        mail(
            "worth",
            f"Fair value of {venture}",
            "3.3",
            world.past(rng, (0.03, 0.2)),
            world.officers["cfo"],
            world.officers["ceo"],
            f"⟦worth|The appraiser arrives at {money(worth)} for our shares in {venture}.⟧ The partner has seen the figure and agrees with it.",
            about=c.party.name,
        ),
    ]
    return _option(
        c,
        decoy,
        papers,
        venture,
        worth,
        worth * rate // 100,
        f"the call is only for {listed(rivals)}, and the buyer is neither",
        ("will not call",),
    )


def _contributed(world: World, rng: random.Random, decoy: bool) -> Plant:
    """The event is defined in a schedule and the price is what was paid in; the decoy's option could be used until a day that has passed."""
    c, venture, worth, price = _venture(world, rng, "Operating Agreement")
    until = world.past(rng, (0.3, 0.7))
    lapse = f" The option may be used up to {day_month(until)} and no later." if decoy else ""
    papers = [
        paper(
            "agreement",
            f"Operating Agreement - {venture}",
            "6.3",
            c.signed,
            TEXT,
            (
                "Option",
                f"⟦clause|A Trigger gives {c.party.short} the option on the units that {world.target.short} holds in {venture}, for the sum that was paid in for them.{lapse}⟧",
            ),
            TEXT,
            Heading("Schedule C"),
            f"⟦trigger|“Trigger”: a third party coming to appoint more than half of the directors of {world.target.short}.⟧",
            f"⟦paid|Paid in by {world.target.short} for units of {venture}: {money(price)}.⟧",
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
    ]
    return _option(
        c,
        decoy,
        papers,
        venture,
        worth,
        price,
        f"the option could be used until {us_date(until)} only",
        ("lets the option go",),
        (),
        Added(
            "board_deck",
            Para(f"⟦worth|Our units in {venture} stand in the bidder's model at {money(worth)}.⟧"),
            "Holdings",
        ),
    )


def _par(world: World, rng: random.Random, decoy: bool) -> Plant:
    """An amendment sets the price at par; the decoy's next amendment sets it at what an expert finds."""
    c, venture, worth, price = _venture(world, rng, "Partners' Accord")
    day = world.past(rng, (0.6, 1.2))
    papers = [
        paper(
            "agreement",
            f"Partners' Accord - {venture}",
            "6.3",
            c.signed,
            f"{venture} is run by {c.party.short} and {world.target.short} in equal parts.",
            TEXT,
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "amendment",
            f"Supplement to Partners' Accord - {venture}",
            "6.5",
            day,
            f"⟦clause|Whoever of us is bought by an outsider hands its half of {venture} to the other on demand, at par, which for the half of {world.target.short} makes {millions(price)}; {c.party.short} would make use of this.⟧",
            signed_by(world, rng, c.party),
            parties=(c.party.name,),
        ),
        paper(
            "worth",
            f"Holdings report: {venture}",
            "3.5",
            world.past(rng, (0.03, 0.2)),
            Heading("What the half would fetch"),
            f"⟦worth|{millions(worth)} was bid for our half of {venture} by a fund in this quarter, unprompted.⟧",
            kinds=("pptx", "docx"),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "second",
                f"Second supplement to Partners' Accord - {venture}",
                "6.5",
                day + timedelta(days=150),
                f"⟦second|“At par” gives way to the price that a neutral expert finds for the half of {venture} on the day of the demand.⟧",
                signed_by(world, rng, c.party),
                parties=(c.party.name,),
            )
        )
    return _option(
        c, decoy, papers, venture, worth, price, "the second supplement gives an expert's price", ("will not demand",)
    )


def _sale_back(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A founding protocol in plain text; the decoy's partner has sold its own part and with it the right to the target itself."""
    c, venture, worth, price = _venture(world, rng, "Founding Protocol")
    papers = [
        paper(
            "agreement",
            f"Founding Protocol - {venture}",
            "6.3",
            c.signed,
            f"⟦clause|If strangers take over {world.target.short}, {c.party.short} may help itself to the {venture} shares of {world.target.short} against USD {price:,}, in full discharge.⟧",
            signed_by(world, rng, c.party),
            kinds=("txt", "docx"),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "worth",
            f"Stakes, {venture} among them",
            "3.4",
            world.past(rng, (0.03, 0.1)),
            table("Stake|Market value USD|Source", Row((venture, worth, "Broker's letter"), "worth"), sheet="Stakes"),
            kinds=("xlsx",),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "deed",
                f"Deed on {venture}",
                "2.3",
                world.past(rng, (0.2, 0.6)),
                f"⟦deed|{c.party.name} sells its whole holding in {venture} to {world.target.name}, along with every right over the shares of {world.target.short} that the protocol gave it.⟧",
                signed_by(world, rng, c.party),
                parties=(c.party.name,),
            )
        )
    return _option(
        c,
        decoy,
        papers,
        venture,
        worth,
        price,
        f"{c.party.short} has sold its holding and rights to the target",
        ("leaves the shares",),
    )


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        42,
        "joint_venture_trigger",
        "Contracts",
        "A joint venture partner may take the target's stake because of the deal",
        "cross-document",
        "High",
        (
            Way("book value and valuation", "train", _book_value),
            Way("share of fair value", "train", _per_cent),
            Way("defined in a schedule", "dev", _contributed),
            Way("supplement at par", "test", _par),
            Way("founding protocol", "test", _sale_back),
        ),
    ),
)

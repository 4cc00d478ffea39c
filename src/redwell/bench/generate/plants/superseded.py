"""Plants of terms that a later paper changed (archetype 27)."""

from __future__ import annotations

import random
from datetime import date, timedelta

from redwell.bench.generate.papers import (
    Added,
    Change,
    Filler,
    Heading,
    Paper,
    Para,
    Row,
)
from redwell.bench.generate.plants.pieces import (
    TEXT,
    contract,
    finish,
    mail,
    on,
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
    us_date,
)

AMENDED = ("amend", "chang", "replac", "supersed", "reduc", "lower", "cut", "restat", "instead of", "varied")


def _superseded(
    c: Contract, decoy: bool, papers: list[Paper], old: int, new: int, day: date, because: str, *added: Added
) -> Plant:
    """The rubric of archetype 27: what a year brings by the first paper (`old`) and by the later one (`new`)."""
    party = c.party.short
    return finish(
        f"{party}: the yearly sum of the {c.title} {'stands' if decoy else 'was cut by a later paper'}",
        decoy,
        papers,
        [
            fact(
                f"{party} sum is now {money(new)}",
                f"PASS if the report states that the yearly sum under the {c.title} with {party} was changed to {money(new)}.",
                [(party,)],
                [AMENDED],
                usd(new),
            ),
            fact(
                f"{party} change dated {day.isoformat()}",
                f"PASS if the report states that the change of the {party} agreement is dated {us_date(day)}.",
                [(party,)],
                [],
                on(day),
            ),
            exposure(
                f"{party} yearly difference",
                f"PASS if the report gives {money(old - new)} a year (or an equivalent rounding) as the difference under the {party} agreement.",
                [(party,)],
                usd(old - new),
            ),
            conclusion(
                f"{party} figure out of date",
                f"PASS if the report concludes that the figure given for {party} to buyers, or by the first contract, is out of date or overstated.",
                [(party,)],
                [
                    (
                        "out of date",
                        "outdated",
                        "overstat",
                        "stale",
                        "no longer",
                        "too high",
                        "supersed",
                        "incorrect",
                        "wrong",
                        "contradict",
                    )
                ],
            ),
            recommendation(
                f"Use the current term for {party}",
                f"PASS if the report recommends using the current {party} figure in the model, or correcting the price or the disclosure for it.",
                [(party,)],
                [("model", "price", "valuation", "forecast", "correct", "adjust", "disclos")],
            ),
            sources(
                f"{party}: both papers cited",
                f"PASS if the report cites both the first terms with {party} and the paper that changed them.",
                [(party,)],
                "old",
                "new",
            ),
        ],
        [
            precision(
                f"{party} figure is not reported as superseded",
                f"PASS if the report does not assert that the yearly sum under the {party} agreement has been reduced or superseded; {because}.",
                [(party,)],
                [
                    (
                        "reduced to",
                        "has been reduced",
                        "superseded",
                        "overstat",
                        "out of date",
                        "cut to",
                        "lowered",
                        "was reduced",
                    )
                ],
                unless=(
                    "never took effect",
                    "not take effect",
                    "restored",
                    "temporary",
                    "relief ended",
                    "not signed",
                    "unsigned",
                    "was withdrawn",
                    "again",
                    "ended on",
                    "in force",
                ),
            )
        ],
        because,
        added=added,
        value=usd(old - new),
    )


def _pair(world: World, rng: random.Random, c: Contract, step: int = 10_000) -> tuple[int, int]:
    """What a year brought and what it brings; the target's register keeps the first."""
    new = round(c.annual * rng.choice((0.55, 0.6, 0.7, 0.75)) / step) * step
    return c.annual, max(step, new)


def _marketed(text: str) -> Added:
    return Added("information_memorandum", Para(text), "Customers")


def _minimum(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A minimum in the master, cut by its third amendment; the decoy's amendment depended on a plant that was never built."""
    c = contract(world, rng, "Master Purchase Agreement", expires=(2, 4))
    old, new = _pair(world, rng, c)
    day = world.past(rng, (0.3, 0.8))
    condition = (
        " This Amendment takes effect when Buyer's second plant begins production, and not before."
        if decoy
        else " This Amendment takes effect on its date."
    )
    papers = [
        paper(
            "agreement",
            f"Master Purchase Agreement - {c.party.short}",
            "6.1",
            c.signed,
            TEXT,
            (
                "Minimum Purchase",
                f"⟦old|In each contract year Buyer shall purchase Products for not less than {money(old)}.⟧",
            ),
            TEXT,
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "amendment",
            f"Amendment No. 3 to Master Purchase Agreement - {c.party.short}",
            "6.5",
            day,
            f"Amendment No. 3 of {us_date(day)} to the {{@agreement}}.",
            (
                "Minimum Purchase",
                f"⟦new|The amount in “Minimum Purchase” is deleted and {money(new)} put in its place.⟧{condition}",
            ),
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
    ]
    if decoy:
        buyer = world.person(rng, "Supply Chain Director", c.party)
        papers.append(
            mail(
                "plant",
                f"Second plant of {c.party.short}",
                "6.5",
                world.past(rng, (0.05, 0.2)),
                buyer,
                world.officers["cfo"],
                "⟦plant|Our board has given up the second plant before any ground was broken, so Amendment No. 3 never took effect and the minimum stays where it was.⟧",
                buyer.name,
                about=c.party.name,
            )
        )
    return _superseded(
        c,
        decoy,
        papers,
        old,
        new,
        day,
        "the amendment's condition failed and it never took effect",
        _marketed(f"{c.party.short} is committed to buying at least {money(old)} of product every contract year."),
    )


def _unit_price(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A price for each unit in a workbook, cut by an exchange of mails."""
    c = contract(world, rng, "Price Schedule", expires=(1, 2))
    units = rng.choice((20_000, 25_000, 40_000, 50_000))
    before = max(10, c.annual // units // 10 * 10)
    after = before * rng.choice((6, 7, 8)) // 10
    c.annual = units * before
    day = world.past(rng, (0.3, 0.7))
    buyer = world.person(rng, "Category Manager", c.party)
    head = world.person(rng, "Vice President, Sales")
    papers = [
        paper(
            "agreement",
            f"Price Schedule {c.party.short}",
            "6.1",
            c.signed,
            table(
                "Item|Units a year|Price USD|Per year USD",
                Row(("Module, standard", units, before, units * before), "old"),
                sheet="Prices",
            ),
            kinds=("xlsx",),
            parties=(world.target.name, c.party.name),
        ),
        mail(
            "change",
            f"New price for {c.party.short}",
            "6.5",
            day,
            head,
            buyer,
            f"⟦new|As agreed on the telephone, from today the module costs you ${after} rather than ${before}; the {units:,} pieces a year are unchanged, which makes {money(units * after)}. Your reply makes this binding.⟧",
            f"Reply by {buyer.name} on the same day: agreed.",
            about=c.party.name,
        ),
    ]
    if decoy:
        papers.append(
            mail(
                "back",
                f"Price back for {c.party.short}",
                "6.5",
                day + timedelta(days=70),
                buyer,
                head,
                f"⟦back|We accept that with the new alloy surcharge the module is ${before} again as of this month, and for the remaining term.⟧",
                about=c.party.name,
            )
        )
    return _superseded(
        c,
        decoy,
        papers,
        units * before,
        units * after,
        day,
        f"the price of ${before} was restored by a later mail",
        _marketed(f"The price schedule of {c.party.short} stands for {money(units * before)} of yearly sales."),
    )


def _restated(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A restated agreement shows the change as tracked; for the decoy nobody signed it and talks were broken off."""
    c = contract(world, rng, "Subscription Agreement", expires=(1.5, 3))
    old, new = _pair(world, rng, c)
    day = world.past(rng, (0.2, 0.6))
    signed = signed_by(world, rng, c.party, ours=not decoy, theirs=not decoy)
    papers = [
        paper(
            "agreement",
            f"Subscription Agreement - {c.party.short}",
            "6.1",
            c.signed,
            ("Committed fee", f"⟦old|The committed fee is {millions(old)} for every year of the subscription.⟧"),
            TEXT,
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "restated",
            f"Amended and Restated Subscription Agreement - {c.party.short}",
            "6.5",
            day,
            f"Restated as of {day_month(day)}; from its signing by both it stands in place of the agreement of {day_month(c.signed)}.",
            Change(
                "The yearly committed fee is ",
                millions(old),
                millions(new),
                ", and unused seats are not carried over.",
                world.officers["gc"].name,
                "new",
            ),
            TEXT,
            signed,
            parties=(world.target.name, c.party.name),
            status="draft" if decoy else "",
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "note",
                f"Note on talks with {c.party.short}",
                "6.5",
                day + timedelta(days=40),
                f"⟦note|Talks on a restated subscription ended without result. The text of {day_month(day)} was not signed by either side, and billing goes on under the first agreement.⟧",
                kinds=("txt", "docx"),
            )
        )
    return _superseded(
        c,
        decoy,
        papers,
        old,
        new,
        day,
        "the restated agreement was not signed and talks ended",
        _marketed(f"Committed subscription revenue from {c.party.short}: {millions(old)} per year."),
    )


def _monthly(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A monthly fee; a deed of variation lowers it, and in the decoy a second deed puts it back."""
    c = contract(world, rng, "Facilities Contract", expires=(1, 3))
    monthly = c.annual // 12 // 1000 * 1000
    lower = max(1000, monthly * rng.choice((6, 7)) // 10 // 1000 * 1000)
    c.annual = monthly * 12
    day = world.past(rng, (0.4, 0.9))
    papers = [
        paper(
            "agreement",
            f"Facilities Contract - {c.party.short}",
            "6.1",
            c.signed,
            TEXT,
            ("Fee", f"⟦old|Client pays {money(monthly)} a month, whatever the number of its visits.⟧"),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "deed",
            f"Deed of Variation to Facilities Contract - {c.party.short}",
            "6.5",
            day,
            f"⟦new|By this deed of {day_month(day)} the sum that falls due monthly becomes {money(lower)}, to run until the contract does.⟧",
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
        ),
    ]
    if decoy:
        later = day + timedelta(days=95)
        papers.append(
            paper(
                "second",
                f"Second Deed of Variation - {c.party.short}",
                "6.5",
                later,
                f"⟦second|The deed of {day_month(day)} is undone from its beginning; what was underpaid on account of it has been made good, and {money(monthly)} falls due monthly.⟧",
                signed_by(world, rng, c.party),
                parties=(world.target.name, c.party.name),
            )
        )
    return _superseded(
        c,
        decoy,
        papers,
        monthly * 12,
        lower * 12,
        day,
        f"a second deed restored the fee of {money(monthly)} a month",
        _marketed(
            f"Recurring: the site fees of {c.party.short} alone bring in {money(monthly * 12)} in twelve months."
        ),
    )


def _quarterly(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Slides of a review meeting record a lower quarterly charge, initialled by both; the decoy's relief was for three quarters and is over."""
    c = contract(world, rng, "Support Plan", expires=(1, 2))
    quarter = max(4000, c.annual // 4 // 1000 * 1000)
    lower = max(1000, quarter * rng.choice((5, 6, 7)) // 10 // 1000 * 1000)
    c.annual = quarter * 4
    day = world.past(rng, (1.1, 1.3)) if decoy else world.past(rng, (0.3, 0.7))
    until = (
        "for three quarters, after which the charge in the plan comes back by itself"
        if decoy
        else "from now to the end of the plan"
    )
    papers = [
        paper(
            "agreement",
            f"Support Plan - {c.party.short}",
            "6.1",
            c.signed,
            table(
                "Component|Charge each quarter",
                ("Response desk", "Included"),
                Row(("Whole plan", f"USD {quarter:,}"), "old"),
                caption="What the customer pays",
            ),
            Filler("contract"),
            signed_by(world, rng, c.party),
            parties=(world.target.name, c.party.name),
            kinds=("docx",),
        ),
        paper(
            "review",
            f"Business review with {c.party.short}",
            "6.5",
            day,
            Heading("Decisions, initialled by both sides"),
            f"⟦new|{day_month(day)}: the quarterly charge of the Support Plan goes down to USD {lower:,} {until}.⟧",
            Heading("Next meeting"),
            "To be fixed.",
            kinds=("pptx", "docx"),
            parties=(c.party.name,),
        ),
    ]
    return _superseded(
        c,
        decoy,
        papers,
        quarter * 4,
        lower * 4,
        day,
        "the relief was for three quarters and has ended",
        _marketed(f"Under its plan {c.party.short} pays us USD {quarter * 4:,} yearly for support."),
    )


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        27,
        "superseded_term",
        "Contracts",
        "A later paper supersedes the term on which the value rests",
        "cross-document",
        "Medium",
        (
            Way("minimum cut by amendment", "train", _minimum),
            Way("unit price cut by mail", "train", _unit_price),
            Way("restated with a tracked change", "dev", _restated),
            Way("deed of variation", "test", _monthly),
            Way("initialled slides", "test", _quarterly),
        ),
    ),
)

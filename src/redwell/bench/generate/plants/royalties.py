"""Plants of royalties that were paid too low (archetype 80)."""

from __future__ import annotations

import random

from redwell.bench.generate.papers import (
    Filler,
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
    share,
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
    both,
    money,
    percent,
    spelled,
)


def _underpaid(c: Contract, decoy: bool, papers: list[Paper], gap: int, rate: int, years: int, because: str) -> Plant:
    """The rubric of archetype 80: `gap` dollars unpaid, and simple interest at `rate` per cent for `years`."""
    party, total = c.party.short, gap + gap * rate * years // 100
    return finish(
        f"{party}: the royalties of the {c.title} {'are settled' if decoy else 'were paid too low'}",
        decoy,
        papers,
        [
            fact(
                f"{party} short by {money(gap)}",
                f"PASS if the report states that royalties to {party} were underpaid by {money(gap)}.",
                [(party,)],
                [("underpa", "short", "less than", "too low", "unpaid", "under-pa", "underreport", "owed", "not paid")],
                usd(gap),
            ),
            fact(
                f"{party} interest of {percent(rate)}",
                f"PASS if the report states that {party} may claim interest of {percent(rate)} a year.",
                [(party,)],
                [("interest",)],
                share(rate),
            ),
            exposure(
                f"{party} claim with interest",
                f"PASS if the report gives {money(total)} (or an equivalent rounding) as the claim of {party} with interest.",
                [(party,)],
                usd(total),
            ),
            conclusion(
                f"{party} may end the licence",
                f"PASS if the report concludes that {party} can claim the sum and may terminate the licence or sue for infringement.",
                [(party,)],
                [
                    (
                        "terminate",
                        "right of termination",
                        "termination right",
                        "risk of termination",
                        "sue",
                        "infring",
                        "can claim",
                        "may claim",
                        "could claim",
                        "a liability",
                        "liable",
                        "liabilities",
                        "end the licen",
                        "stop the licen",
                    )
                ],
            ),
            recommendation(
                f"Indemnity for {party}",
                f"PASS if the report recommends a specific indemnity, a settlement with {party}, or a price deduction.",
                [(party,)],
                [("indemn", "settle", "price", "reserve", "escrow", "deduct")],
            ),
            sources(
                f"{party}: terms and figures cited",
                f"PASS if the report cites both the royalty terms of {party} and the figures of sales and payments.",
                [(party,)],
                "clause",
                "figure",
            ),
        ],
        [
            precision(
                f"{party} royalties are not reported as owed",
                f"PASS if the report does not assert that royalties are still owed to {party}; {because}.",
                [(party,)],
                [("owed", "owe", "underpaid", "unpaid", "claim", "shortfall", "a liability", "liable", "liabilities")],
                unless=(
                    "settled",
                    "released",
                    "not owed",
                    "barred",
                    "paid in full",
                    "waived",
                    "time-barred",
                    "no claim",
                    "excluded",
                    "free of",
                    "no longer",
                    "withdrawn",
                    "no royalt",
                    "not underpaid",
                    "nothing",
                ),
            )
        ],
        because,
        value=usd(total),
    )


def _sums(world: World, rng: random.Random, title: str) -> tuple[Contract, int, int, int, int]:
    """The licence, units sold, dollars a unit, what was paid, and the years of interest. Gaps are whole hundreds, so that interest is whole too."""
    c = contract(world, rng, title, "licence", (0.002, 0.006), signed=(4, 6))
    units, each = rng.choice((20_000, 30_000, 50_000)), max(1, c.annual // 30_000)
    c.annual = units * each
    return c, units, each, units * rng.choice((60, 70, 75)) // 100 * each, rng.choice((2, 3))


def _audit_report(world: World, rng: random.Random, decoy: bool) -> Plant:
    """An auditor's report against the licence; the decoy's release came after payment."""
    c, units, each, paid, years = _sums(world, rng, "Technology Licence")
    rate, gap = rng.choice((6, 8)), units * each - paid
    auditor = world.company(rng)
    papers = [
        paper(
            "agreement",
            f"Technology Licence - {c.party.short}",
            "7.3",
            c.signed,
            TEXT,
            (
                "Royalty",
                f"⟦clause|Licensee pays {money(each)} for each unit sold. Sums not paid when due bear simple interest at {percent(rate)} per year, and {c.party.short} may terminate for non-payment.⟧",
            ),
            TEXT,
            signed_by(world, rng, c.party),
            avoid=(*QUIET, "ip", "payment"),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "audit",
            f"Royalty audit for {c.party.short}",
            "10.3",
            world.past(rng, (0.05, 0.2)),
            f"Auditor: {auditor.name}.",
            f"⟦figure|In the audited period Licensee sold {units:,} units and paid {money(paid)}; the difference has been due for {both(years)} years.⟧",
            Filler("report"),
            parties=(c.party.name,),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "release",
                f"Settlement and Release - {c.party.short}",
                "10.2",
                world.past(rng, (0.01, 0.04)),
                f"⟦release|Having received the sum found by the auditor, {c.party.short} releases {world.target.short} from all royalties and interest for the audited period.⟧",
                signed_by(world, rng, c.party),
                parties=(c.party.name,),
            )
        )
    return _underpaid(c, decoy, papers, gap, rate, years, f"{c.party.short} has released the target after payment")


def _own_books(world: World, rng: random.Random, decoy: bool) -> Plant:
    """The target's own workbook shows more units than it reported; the decoy's other units went to a licensee that pays for itself."""
    c, units, each, paid, years = _sums(world, rng, "Patent Licence")
    rate, gap = rng.choice((5, 7)), units * each - paid
    clerk = world.person(rng, "Royalty Accountant")
    why = (
        f"The units left out went to a maker who is licensed by {c.party.short} itself and pays it directly, so none is due from us on them"
        if decoy
        else "The units left out are those of the second shift, which nobody had told me of"
    )
    papers = [
        paper(
            "agreement",
            f"Patent Licence {c.party.short}",
            "7.3",
            c.signed,
            table(
                "Subject|Term",
                Row(("Running royalty", f"${each} a unit; arrears cost {rate}% a year, simple"), "clause"),
                ("Units on which another licensee pays", "Free"),
                sheet="Licence",
            ),
            kinds=("xlsx",),
            parties=(world.target.name, c.party.name),
        ),
        mail(
            "books",
            f"Units under the {c.party.short} licence",
            "7.3",
            world.past(rng, (0.02, 0.1)),
            clerk,
            world.officers["cfo"],
            f"⟦figure|We made and sold {units:,} units and have paid {c.party.short} {money(paid)}. The rest has been open for {years} years.⟧ ⟦why|{why}.⟧",
            clerk.name,
            about=c.party.name,
        ),
    ]
    return _underpaid(c, decoy, papers, gap, rate, years, "another licensee pays on the units left out")


def _claim_letter(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A claim by letter; the decoy's licence bars claims older than a year."""
    c, units, each, paid, years = _sums(world, rng, "Know-how Contract")
    rate, gap = rng.choice((4, 9)), units * each - paid
    bar = (
        " A royalty that has not been demanded within one year of its due date cannot be demanded later."
        if decoy
        else " A royalty can be demanded for ten years after its due date."
    )
    papers = [
        paper(
            "agreement",
            f"Know-how Contract - {c.party.short}",
            "7.3",
            c.signed,
            TEXT,
            (
                "Remuneration",
                f"⟦clause|For every set made the taker owes {spelled(each) if each < 100 else each} dollars; late payment carries {spelled(rate)} per cent a year, not compounded.{bar}⟧",
            ),
            signed_by(world, rng, c.party),
            avoid=(*QUIET, "ip", "payment"),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "letter",
            f"Demand of {c.party.short}",
            "10.3",
            world.past(rng, (0.03, 0.2)),
            f"⟦figure|By your own statistics you made {units:,} sets, for which {money(paid)} reached us. The remainder fell due {spelled(years)} years ago, and this is the first time that we ask for it.⟧",
            sign(c.party, world.person(rng, "Managing Partner", c.party)),
            parties=(c.party.name,),
        ),
    ]
    return _underpaid(c, decoy, papers, gap, rate, years, "the claim is barred, since it was not raised within a year")


def _minutes_rate(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Board minutes admit a low payment under a plain letter licence; the decoy's licensor has lowered the rate for the time."""
    c, units, each, paid, years = _sums(world, rng, "Letter Licence")
    rate, gap = rng.choice((3, 10)), units * each - paid
    papers = [
        paper(
            "agreement",
            f"Letter Licence - {c.party.short}",
            "7.3",
            c.signed,
            f"⟦clause|Our fee is USD {each} on every kit that leaves you. If you are behind, we add {rate} per cent for each year, on the bare sum.⟧",
            sign(c.party, world.person(rng, "Inventor", c.party), c.signed),
            kinds=("txt", "docx"),
            parties=(c.party.name,),
        ),
        paper(
            "minutes",
            f"Finance committee: fees to {c.party.short}",
            "2.2",
            world.past(rng, (0.05, 0.2)),
            Filler("minutes"),
            f"⟦figure|Kits that left us: {units:,}. Fees that {c.party.short} received: USD {paid:,}. Behind since {years} years.⟧",
        ),
    ]
    if decoy:
        papers.append(
            mail(
                "lowered",
                f"Fee on kits - {c.party.short}",
                "6.5",
                world.past(rng, (years + 0.1, years + 0.4)),
                world.person(rng, "Heir of the Inventor", c.party),
                world.officers["cfo"],
                f"⟦lowered|Because the market is slow I take USD {paid:,} as the whole of the fees on the {units:,} kits of the present batch, whatever the letter licence has.⟧",
                about=c.party.name,
            )
        )
    return _underpaid(c, decoy, papers, gap, rate, years, f"{c.party.short} took the sum paid as the whole")


def _dashboard(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Slides count downloads of a licensed engine; the decoy's other downloads were free of royalty under the licence."""
    c, units, each, paid, years = _sums(world, rng, "Engine Licence")
    rate, gap = rng.choice((2, 12)), units * each - paid
    free = "Copies given to schools carry none" if decoy else "Copies given to schools carry it as well"
    done = paid // each
    papers = [
        paper(
            "agreement",
            f"Engine Licence - {c.party.short}",
            "7.3",
            c.signed,
            table(
                "Point|Agreed",
                ("Engine", "All versions"),
                Row(
                    (
                        "Royalty",
                        f"USD {each} a copy. {free}. Arrears: {rate}% for a year, simple, and the right to stop the licence",
                    ),
                    "clause",
                ),
            ),
            signed_by(world, rng, c.party),
            kinds=("docx",),
            avoid=(*QUIET, "ip", "payment"),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "deck",
            f"Copies with the engine of {c.party.short}",
            "3.5",
            world.past(rng, (0.02, 0.1)),
            Heading("Copies and what we paid"),
            f"⟦figure|{units:,} copies in all, {units - done:,} of them to schools. Paid to {c.party.short}: USD {paid:,}, nothing for schools. Open, if at all, for {years} years.⟧",
            kinds=("pptx", "docx"),
        ),
    ]
    return _underpaid(c, decoy, papers, gap, rate, years, "copies for schools are free of royalty")


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        80,
        "infringement_claim",
        "IP",
        "Royalties were paid too low",
        "computed",
        "Medium",
        (
            Way("auditor's report", "train", _audit_report),
            Way("the target's own books", "train", _own_books),
            Way("demand by letter", "dev", _claim_letter),
            Way("minutes", "test", _minutes_rate),
            Way("copies on a slide", "test", _dashboard),
        ),
    ),
)

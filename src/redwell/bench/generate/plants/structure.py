"""Plants of contracts that a step of the deal moves (archetype 26)."""

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
    FORMER,
    TEXT,
    contract,
    finish,
    mail,
    paper,
    sign,
    signed_by,
    subsidiary,
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
from redwell.bench.generate.world import Company, Contract, World
from redwell.bench.generate.writing import (
    millions,
    money,
    thousands,
)


def _passes(
    world: World, c: Contract, sub: Company, decoy: bool, papers: list[Paper], because: str, step: str, *added: Added
) -> Plant:
    """The rubric of archetype 26: a subsidiary's contract, and a step of the deal by which it leaves that subsidiary."""
    party = c.party.short
    return finish(
        f"{party}: the {c.title} of {sub.short} {'may pass' if decoy else 'may not pass'} in the steps before closing",
        decoy,
        papers,
        [
            fact(
                f"{party} agreement bars a transfer by operation of law",
                f"PASS if the report states that the {c.title} with {party} forbids assignment by operation of law or merger without consent.",
                [(party,)],
                [("assign", "transfer"), ("operation of law", "merger", "merge", "by law", "succession", "reorgani")],
            ),
            fact(
                f"{sub.short} step moves the {party} agreement",
                f"PASS if the report states that by the steps before closing the {party} agreement leaves {sub.short} ({step}).",
                [(party,), (sub.short,)],
                [("merge", "merger", "transfer", "contribut", "dissol", "convert", "assign", "liquidat", "split")],
            ),
            conclusion(
                f"{party} consent needed for the structure",
                f"PASS if the report concludes that the step would breach the {party} agreement or needs {party}'s consent.",
                [(party,)],
                [
                    (
                        "breach",
                        "void",
                        "default",
                        "violat",
                        "needs",
                        "requires the consent",
                        "require the consent",
                        "consent is needed",
                        "consent is required",
                        "consent will be",
                        "need consent",
                        "consent must",
                        "requires consent",
                        "require consent",
                        "triggers",
                    )
                ],
            ),
            exposure(
                f"{party} contract value",
                f"PASS if the report gives {money(c.annual)} a year (or an equivalent rounding) as the value of the {party} agreement.",
                [(party,)],
                usd(c.annual),
            ),
            recommendation(
                f"Restructure or get consent of {party}",
                f"PASS if the report recommends changing the step so that {sub.short} survives, or obtaining {party}'s consent first.",
                [(party,)],
                [
                    (
                        "restructur",
                        "change the step",
                        "changing the step",
                        "surviv",
                        "omit",
                        "leave out",
                        "obtain",
                        "consent before",
                        "seek",
                    )
                ],
            ),
            sources(
                f"{party}: clause and step cited",
                f"PASS if the report cites both the clause of the {party} agreement and the paper with the steps.",
                [(party,)],
                "clause",
                "step",
            ),
        ],
        [
            precision(
                f"{party} agreement is not reported as breached by the structure",
                f"PASS if the report does not assert that the steps before closing breach the {party} agreement or need its consent; {because}.",
                [(party,)],
                [("breach", "requires consent", "consent is required", "without consent", "needs consent", "void")],
                unless=(
                    "no consent is",
                    "not required",
                    "permitted",
                    "not breach",
                    "exception",
                    "not needed",
                    "consented",
                    "survives its",
                    "survives the",
                    "no right moves",
                    *FORMER,
                ),
            )
        ],
        because,
        added=added,
        value=usd(c.annual),
    )


def _passes_merger(world: World, rng: random.Random, decoy: bool) -> Plant:
    """The subsidiary is merged out of being; the decoy's clause lets a merger within the group pass."""
    c, sub = contract(world, rng, "Programme Agreement"), subsidiary(world, rng)
    but = ", save that a merger among companies under common ownership is open to either party" if decoy else ""
    papers = [
        paper(
            "agreement",
            f"Programme Agreement of {sub.short} and {c.party.short}",
            "6.1",
            c.signed,
            f"{sub.name} and {c.party.name} have agreed as follows.",
            TEXT,
            (
                "Assignment",
                f"⟦clause|Neither party may assign this Agreement, by act of its own, by merger (whether or not it survives) or by operation of law, unless the other has consented in writing{but}.⟧",
            ),
            ("Price", f"⟦value|The programme price is {money(c.annual)} for each year.⟧"),
            signed_by(world, rng, c.party),
            parties=(sub.name, c.party.name),
        ),
        paper(
            "steps",
            f"Steps before closing: {sub.short} and {c.party.short} programme",
            "1.4",
            world.past(rng, (0.02, 0.1)),
            table(
                "Step|What happens|When",
                ("1", "Intercompany balances are settled", "Closing minus 10 days"),
                Row(("2", f"{sub.name} merges into its parent and ceases to exist", "Closing minus 2 days"), "step"),
                ("3", "Shares pass", "Closing"),
            ),
            kinds=("docx", "pptx"),
        ),
    ]
    return _passes(
        world,
        c,
        sub,
        decoy,
        papers,
        "the clause lets a merger within the group pass",
        f"{sub.short} merges into its parent",
    )


def _passes_contribution(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A workbook of steps contributes the business to a new company; the decoy's customer has signed a joinder."""
    c, sub = contract(world, rng, "Fleet Services Contract"), subsidiary(world, rng)
    newco = world.company(rng)
    papers = [
        paper(
            "agreement",
            f"Fleet Services Contract ({sub.short}) - {c.party.short}",
            "6.1",
            c.signed,
            TEXT,
            (
                "Persons bound",
                f"⟦clause|Rights and duties of {sub.short} are personal to it; a transfer of any kind, one that the law itself brings about included, is void unless {c.party.short} has joined in it.⟧",
            ),
            ("Remuneration", f"⟦value|Remuneration: {millions(c.annual)} per annum.⟧"),
            parties=(sub.name, c.party.name),
        ),
        paper(
            "steps",
            f"Carve-in steps {newco.short}",
            "1.4",
            world.past(rng, (0.02, 0.1)),
            table(
                "No.|Transferor|Transferee|Assets",
                (1, world.target.short, newco.short, "Cash 100"),
                Row((2, sub.short, newco.short, f"All contracts, among them that with {c.party.short}"), "step"),
                sheet="Steps",
            ),
            kinds=("xlsx",),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "joinder",
                f"Joinder - {c.party.short}",
                "6.6",
                world.past(rng, (0.02, 0.05)),
                f"⟦joinder|{c.party.short} joins in the transfer by {sub.short} to {newco.name} and will treat {newco.short} as its contractor.⟧",
                sign(c.party, world.person(rng, "Procurement Director", c.party)),
            )
        )
    return _passes(
        world,
        c,
        sub,
        decoy,
        papers,
        f"{c.party.short} has joined in the transfer",
        f"it is contributed to {newco.short}",
    )


def _passes_conversion(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A mail of tax counsel adds a step that ends the subsidiary; in the decoy a second mail drops it."""
    c, sub = contract(world, rng, "Data Supply Contract"), subsidiary(world, rng)
    counsel = world.person(rng, "Partner", world.company(rng))
    first = world.past(rng, (0.06, 0.1))
    papers = [
        paper(
            "agreement",
            f"Data Supply Contract - {c.party.short} and {sub.short}",
            "6.1",
            c.signed,
            (
                "No succession",
                f"⟦clause|{sub.short} may have no successor under this contract, whether by agreement, winding-up, reorganisation or statute, whom {c.party.short} has not accepted beforehand.⟧",
            ),
            TEXT,
            ("Yearly fee", f"⟦value|USD {c.annual:,} fall due each year.⟧"),
            parties=(sub.name, c.party.name),
        ),
        mail(
            "steps",
            f"Structure: {sub.short}",
            "1.4",
            first,
            counsel,
            world.officers["cfo"],
            f"⟦step|For tax reasons we will have {sub.short} liquidated into the parent on the eve of closing, so that its agreements, {c.party.short} included, sit one level up.⟧",
            counsel.name,
        ),
    ]
    if decoy:
        papers.append(
            mail(
                "dropped",
                f"Re: Structure: {sub.short}",
                "1.4",
                first + timedelta(days=9),
                counsel,
                world.officers["cfo"],
                f"⟦dropped|The liquidation of {sub.short} is off. It stays as it is, through closing and after; the step plan has been cut accordingly.⟧",
            )
        )
    return _passes(
        world,
        c,
        sub,
        decoy,
        papers,
        f"the liquidation of {sub.short} was dropped",
        f"{sub.short} is liquidated into the parent",
    )


def _passes_amended(world: World, rng: random.Random, decoy: bool) -> Plant:
    """An amendment widens the bar to mergers; the board deck shows the merger. The decoy's step has the subsidiary survive."""
    c, sub = contract(world, rng, "Installation Contract"), subsidiary(world, rng)
    step = (
        f"A shell company is merged into {sub.short}, which lives on with all it owns and owes, {c.party.short} work included; no right moves"
        if decoy
        else f"{sub.short} is merged with a sister company, which alone lives on and takes over the {c.party.short} work"
    )
    papers = [
        paper(
            "agreement",
            f"Installation Contract - {c.party.short}",
            "6.1",
            c.signed,
            f"Contractor: {sub.name}. Owner: {c.party.name}.",
            TEXT,
            parties=(sub.name, c.party.name),
        ),
        paper(
            "amendment",
            f"Change Order 6 to Installation Contract - {c.party.short}",
            "6.5",
            world.past(rng, (0.2, 0.8)),
            "⟦clause|To the article on assignment is added: a merger from which Contractor does not emerge as the same legal person counts as an assignment, and so may not be done over Owner's silence.⟧",
            f"⟦value|Billings under the contract come to {millions(c.annual)} for twelve months.⟧",
            signed_by(world, rng, c.party),
            parties=(sub.name, c.party.name),
        ),
    ]
    deck = Added("board_deck", Para(f"⟦step|Before closing: {step}.⟧"), "Legal entity steps")
    return _passes(
        world,
        c,
        sub,
        decoy,
        papers,
        f"{sub.short} survives its merger",
        f"{sub.short} is merged into a sister company",
        deck,
    )


def _passes_split(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Purchase conditions in slides; minutes resolve a transfer of the business. The decoy's minutes hold this contract back."""
    c, sub = contract(world, rng, "Purchase Conditions"), subsidiary(world, rng)
    taker = world.company(rng)
    kept = (
        f" The contract with {c.party.short} is held back and stays with {sub.short}."
        if decoy
        else f" The contract with {c.party.short} goes with it."
    )
    papers = [
        paper(
            "agreement",
            f"Supplier day of {c.party.short}: Purchase Conditions",
            "6.1",
            c.signed,
            Heading("Who may deliver"),
            f"⟦clause|Orders bind {sub.short} alone. Passing them to another entity, even a sister company and even by a split or merger under company law, is a ground for striking the supplier off unless we said yes.⟧",
            Heading("Volume"),
            f"⟦value|Planned orders with {sub.short}: {thousands(c.annual)} thousand US dollars a year.⟧",
            kinds=("pptx", "docx"),
            parties=(c.party.name,),
        ),
        paper(
            "steps",
            f"Minutes of the directors of {sub.short} on {taker.short}",
            "2.2",
            world.past(rng, (0.02, 0.1)),
            Filler("minutes"),
            f"⟦step|It was decided that the business is split off to {taker.name} before the sale.{kept}⟧",
            sign(sub, world.officers["gc"]),
        ),
    ]
    return _passes(
        world, c, sub, decoy, papers, f"the contract stays with {sub.short}", f"it is split off to {taker.short}"
    )


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        26,
        "assignment_by_structure",
        "Contracts",
        "A bar on assignment meets a step of the deal",
        "cross-document",
        "High",
        (
            Way("merger of a subsidiary", "train", _passes_merger),
            Way("contribution in a workbook", "train", _passes_contribution),
            Way("liquidation by mail", "dev", _passes_conversion),
            Way("change order and board deck", "test", _passes_amended),
            Way("slides and minutes", "test", _passes_split),
        ),
    ),
)

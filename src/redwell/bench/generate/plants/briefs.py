"""Short forms that the plants of corporate matters, debts and claims share, beside those of `pieces`. They carry no sentence of a room."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from datetime import date

from redwell.bench.generate import marks
from redwell.bench.generate.papers import Added, Cell, Clause, Filler, Paper, Row, Sign, Signatures, Table
from redwell.bench.generate.plants.pieces import finish, paper, table
from redwell.bench.generate.recipe import Draft, Gap, Plant, precision, recommendation, sources
from redwell.bench.generate.world import Company, Debt, Person, World
from redwell.bench.generate.writing import spelled
from redwell.bench.key import Value

PROTECT = (
    "indemnit",
    "escrow",
    "holdback",
    "price reduction",
    "purchase price",
    "reduce the price",
    "price adjustment",
)
"""What a buyer asks for against a known loss."""
Says = Sequence[Sequence[str]]


def book(
    identity: str,
    title: str,
    folder: str,
    day: date | None,
    sheet: str,
    header: str,
    *rows: Row | tuple[Cell, ...],
    caption: str = "",
) -> Paper:
    """A workbook of one sheet whose `header` is written `Item|Amount`."""
    return paper(identity, title, folder, day, table(header, *rows, sheet=sheet, caption=caption), kinds=("xlsx",))  # fmt: skip


def signed(*lines: tuple[str, Person], day: date | None = None) -> Signatures:
    """Signatures that were given."""
    return Signatures(tuple(Sign(party, who.name, who.title, True, day) for party, who in lines))


def unsigned(*parties: str) -> Signatures:
    """The same lines left blank."""
    return Signatures(tuple(Sign(party, signed=False) for party in parties))


def euros(amount: float) -> Value:
    """A sum of euros; half a per cent allows for rounding in millions."""
    return Value("money", amount, unit="EUR", tolerance=0.005)


def in_words(amount: int) -> str:
    """A sum below a billion in words: `two million four hundred thousand`."""
    whole, rest = divmod(amount, 1_000_000)
    if not whole:
        return spelled(amount)
    return f"{spelled(whole)} million" + (f" {spelled(rest)}" if rest else "")


def cites(name: str, what: str, *marks: str) -> Draft:
    """PASS if the report cites `what` for the subject `name`."""
    return sources(f"{name}: sources", f"PASS if the report cites {what} for {name}.", [(name,)], *marks)


def advice(name: str, what: str, *words: str) -> Draft:
    """PASS if the report recommends `what` for the subject `name`; one of `words` says so."""
    return recommendation(f"{name}: step", f"PASS if the report recommends {what} for {name}.", [(name,)], [words])


def loan(
    world: World, rng: random.Random, title: str, share: tuple[float, float] = (0.03, 0.1), trade: str = "bank"
) -> Debt:
    """A debt in the world's list, with a lender of its own."""
    made = Debt(
        world.company(rng, trade),
        title,
        world.sum(rng, *share, 100_000),
        world.past(rng, (1.2, 3)),
        world.ahead(rng, (1.5, 4)),
    )
    world.debts.append(made)
    return made


def formed(world: World, rng: random.Random, form: str, trade: str = "") -> Company:
    """A company of that form (", LLC"), with the law that goes with it."""
    made = world.company(rng, trade)
    law = {" GmbH": "Germany", " Ltd.": "England and Wales"}.get(form, "Delaware")
    return Company(made.short + form, made.short, law, made.domain)


def subsidiary(world: World, rng: random.Random, form: str = ", Inc.") -> Company:
    """One more subsidiary, with a name of its own."""
    made = formed(world, rng, form)
    world.subsidiaries.append(made)
    return made


def plant(
    decoy: bool,
    title: str,
    papers: list[Paper],
    issue: list[Draft],
    name: str,
    claim: str,
    says: Says,
    unless: Sequence[str],
    because: str,
    *,
    added: Sequence[Added] = (),
    gaps: Sequence[Gap] = (),
    value: Value | None = None,
) -> Plant:
    """The issue with its rubric, or the decoy: `claim`, told by `says`, must not be asserted of the subject `name`, since `because`."""
    for each in papers:
        each.blocks = [marks.rewritten(block, _tidy) for block in each.blocks]
        _run_on(each)
    text = f"PASS if the report does not assert that {claim}; {because}."
    calm = precision(f"{name}: not reported as an issue", text, [(name,)], says, unless)
    return finish(title, decoy, papers, issue, [calm], because, added=added, gaps=gaps, value=value)  # fmt: skip


def _tidy(text: str) -> str:
    """One point where a sentence ends with a company's form ("Inc.")."""
    return re.sub(r"(?<!\.)\.\.(?!\.)", ".", text)


_INSTRUMENT = re.compile(
    r"\b(agreement|deed|indenture|terms|settlement|warrant|facility|loan|promissory note|lease|licence|contract|commitment|engagement|undertaking|pact|amendment|extension|rider|guaranty|"
    r"escrow|bylaws?|articles|charter|designations|rights of|provisions|rules of|plan|side letter|waiver|stock power|transfer|assignment|consent|resolutions?|swap confirmation|conversion|exercise|placement|concession|declaration on|term sheet)\b"
)


def _run_on(paper: Paper) -> None:
    """Running text of a contract for an instrument that has no place for it; what its folder has would not suit it."""
    own = any(isinstance(block, Filler | Clause) for block in paper.blocks)
    if own or all(isinstance(block, Table) for block in paper.blocks) or paper.kinds[0] != "docx":
        return
    if paper.folder != "10.1" and _INSTRUMENT.search(paper.title.lower()):
        end = next((at for at, block in enumerate(paper.blocks) if isinstance(block, Signatures)), len(paper.blocks))
        paper.blocks.insert(end, Filler("contract"))

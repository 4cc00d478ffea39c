"""Papers that plant nothing: the everyday contracts, minutes, letters, reports, decks and books of the target.

What they tell goes into the world first (a contract, an employee, a site), so that the registers list it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from redwell.bench.generate import benign_company as company
from redwell.bench.generate import benign_contracts as contracts
from redwell.bench.generate.everyday import Everyday
from redwell.bench.generate.papers import FileKind, Paper
from redwell.bench.generate.world import Employee, World, pick


def add(every: Everyday, kind: FileKind) -> None:
    """One more paper of this kind of file."""
    number = len(every.papers) + 1
    rng = every.world.rng(f"everyday/{number}")
    makers = _MAKERS[kind]
    make = makers[rng.randrange(len(makers))]
    paper = make(every, rng)
    paper.id = f"everyday-{number}"
    paper.kinds = (kind,)
    if make is company.minutes:
        every.meetings[-1] = replace(every.meetings[-1], paper=paper.id)
    every.papers.append(paper)


_Maker = Callable[[Everyday, random.Random], Paper]
_MAKERS: dict[FileKind, tuple[_Maker, ...]] = {
    "docx": (contracts.contract,) * 8
    + (contracts.employment,) * 3
    + (
        contracts.lease,
        contracts.data_addendum,
        contracts.invention,
        company.minutes,
        company.policy,
        company.policy,
        company.report,
        company.report,
        company.letter,
        company.letter,
    )
    + (company.accounts, contracts.closed_matter, company.inspection)
    + (company.office,) * 16,
    "xlsx": (company.book,),
    "eml": (company.mail,),
    "pptx": (company.deck,),
    "txt": (company.log,),
}
"""A maker that stands there more often makes more papers."""


def staff(world: World, count: int) -> None:
    """So many more employees for the census, whose papers are not in the room."""
    rng = world.rng("staff")
    titles = ("Operator", "Clerk", "Technician", "Engineer", "Assistant", "Driver", "Analyst", "Specialist")
    for _ in range(count):
        title = pick(rng, titles)
        person = world.person(rng, title)
        world.employees.append(
            Employee(person, pick(rng, world.sites[:3]).name, world.past(rng, (0.2, 12)), round(rng.uniform(38_000, 120_000) / 500) * 500)
        )  # fmt: skip

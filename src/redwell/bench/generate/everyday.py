"""What the everyday papers of a room share: the world they tell of, the papers so far, and the meetings that were held."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from redwell.bench.generate.papers import (
    Block,
    Paper,
    Signatures,
)
from redwell.bench.generate.world import World, pick

_CONFORMED = " (Conformed Copy)"
SILENT = ("assignment", "control", "exclusivity", "pricing")
"""Topics on which everyday contracts do not let the running text speak: what is said there is planted, or harmless and said here."""


@dataclass(frozen=True, slots=True)
class Meeting:
    day: date
    body: str
    subject: str
    paper: str  # its id


@dataclass(slots=True)
class Everyday:
    """The papers so far, and the meetings that the minute index must list."""

    world: World
    papers: list[Paper] = field(default_factory=list)
    meetings: list[Meeting] = field(default_factory=list)

    def add_again(self, rng: random.Random, way: str) -> bool:
        """A second version of an earlier paper: `draft` (unsigned and older) or `newer` (the same words under a later date). False where none
        is fit for it."""
        number = len(self.papers) + 1
        fit = [
            paper
            for paper in self.papers
            if paper.day and paper.kinds == ("docx",) and not paper.status and _CONFORMED not in paper.title
        ]
        if way == "draft":
            fit = [paper for paper in fit if any(isinstance(block, Signatures) for block in paper.blocks)]
        if not fit:
            return False
        of = pick(rng, fit)
        day = of.day or self.world.deal.as_of
        blocks = list(of.blocks)
        if way == "draft":
            blocks = [_unsigned(block) for block in blocks]
            day -= timedelta(days=rng.randrange(10, 60))
        else:
            day = min(day + timedelta(days=rng.randrange(3, 30)), self.world.deal.as_of)
        status = "draft" if way == "draft" else ""
        title = of.title if way == "draft" else of.title + _CONFORMED
        again = replace(of, id=f"everyday-{number}", title=title, day=day, blocks=blocks, status=status, copies=())
        self.papers.append(again)
        return True


def _unsigned(block: Block) -> Block:
    if isinstance(block, Signatures):
        return Signatures(tuple(replace(line, name="", title="", signed=False, day=None) for line in block.lines))
    return block

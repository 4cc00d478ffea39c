"""Short forms of what papers on money and people need, beside `pieces`. They carry no sentence of a room, either."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from redwell.bench.generate import marks
from redwell.bench.generate.papers import Added, Cell, Paper, Row
from redwell.bench.generate.plants.pieces import Item, paper, table
from redwell.bench.generate.recipe import Draft, precision, sources
from redwell.bench.generate.world import Company, World
from redwell.bench.key import Value


def row(*cells: Cell, mark: str = "") -> Row:
    return Row(cells, mark)


def book(
    identity: str, title: str, folder: str, day: date | None, header: str, *rows: Row, notes: Sequence[Item] = ()
) -> Paper:
    """A workbook of one sheet with notes after its table."""
    return paper(identity, title, folder, day, table(header, *rows, sheet="Sheet 1"), *notes, kinds=("xlsx",), avoid=())


def text(identity: str, title: str, folder: str, day: date | None, *items: Item) -> Paper:
    """A plain text file."""
    return paper(identity, title, folder, day, *items, kinds=("txt",), avoid=())


def slides(identity: str, title: str, folder: str, day: date | None, *items: Item) -> Paper:
    return paper(identity, title, folder, day, *items, kinds=("pptx",), avoid=())


def clean(
    title: str, claim: str, about: Sequence[Sequence[str]], says: Sequence[Sequence[str]], unless: Sequence[str]
) -> Draft:
    """The criterion of a decoy: the report does not assert the claim."""
    return precision(title, f"PASS if the report does not assert that {claim}.", about, says, unless)


def cited(
    title: str,
    subject: str,
    about: Sequence[Sequence[str]],
    papers: Sequence[Paper],
    added: Sequence[Added],
    first: str,
    second: str,
) -> Draft:
    """The criterion of an issue that is only seen in two papers: those in which the two marks stand."""
    where = {mark: paper.id for paper in papers for block in paper.blocks for mark, _, _ in marks.quotes(block)}
    where |= {mark: one.hub for one in added for mark, _, _ in marks.quotes(one.block)}
    return sources(
        title,
        f"PASS if the report cites, for {subject}, both {{@{where[first]}}} and {{@{where[second]}}}.",
        about,
        first,
        second,
    )


def on(day: date) -> Value:
    """A date that must be given."""
    return Value("date", text=day.isoformat())


def formed(world: World, rng: random.Random, form: str, trade: str = "") -> Company:
    """A company of that legal form (" Ltd.", ", Inc."), where the law of the plant needs one."""
    one = world.company(rng, trade)
    return replace(one, name=f"{one.short}{form}")


def quarter_ends(year: int) -> tuple[date, date, date, date]:
    return date(year, 3, 31), date(year, 6, 30), date(year, 9, 30), date(year, 12, 31)


def by_now(world: World, day: date, back: int = 2) -> date:
    """That day, or so many days before the room's `as_of` where it would lie later: no paper is from the future."""
    return min(day, world.deal.as_of - timedelta(days=back))


def around(mean: int, *swings: float, step: int = 1000) -> list[int]:
    """Sums that have exactly this mean: for each swing one below it and one above, by that share of it, to the whole step."""
    sums = []
    for swing in swings:
        by = max(step, round(mean * swing / step) * step)
        sums += [mean - by, mean + by]
    return sums


def multiple(world: World) -> float:
    """Price over EBITDA as papers write it: two decimals at most."""
    return round(world.figures.multiple, 2)


def times(world: World) -> str:
    return f"{multiple(world):.2f}".rstrip("0").rstrip(".")

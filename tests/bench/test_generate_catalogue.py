"""All recipes of the catalogue in one room: what they say does not get into each other's way, nor into that of the registers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from bench.made_rooms import assembled

from redwell.bench.generate import hubs, plan
from redwell.bench.generate.assemble import Assembled, assemble
from redwell.bench.generate.laid import Laid, Numbered, shown
from redwell.bench.generate.papers import Change, Heading, Para, Signatures, Table
from redwell.bench.generate.plan import Choice
from redwell.bench.generate.plants import catalogue
from redwell.bench.key import Split

pytestmark = pytest.mark.xdist_group("generated-catalogue")


@cache
def everything(split: Split) -> Assembled:
    """Every way of a split, as an issue and as a decoy; of recipes that change the whole room one way only."""
    choices = []
    for recipe in catalogue.recipes():
        ways = [way for way in recipe.ways if way.split == split]
        if recipe.once:
            choices.append(Choice(recipe, ways[0], False, f"{recipe.slug}/once"))
            continue
        for number, way in enumerate(ways):
            choices += [Choice(recipe, way, decoy, f"{recipe.slug}/{number}/{decoy}") for decoy in (False, True)]
    papers = 1500
    return assemble("all", split, "desk", papers, choices, with_pdf=False, source=None)


def units(laid: Laid) -> Iterator[str]:
    """What a reader of the room takes for its smallest parts."""
    yield laid.title
    for line in laid.lines:
        match line:
            case Heading(text) | Para(text):
                yield text
            case Numbered():
                yield f"{line.number} {line.heading}. {line.text}"
                yield from (text for _, text in line.sub)
            case Change():
                yield line.lead + line.after + line.tail
            case Table():
                yield line.caption
                yield from (" ".join(map(shown, row.cells)) for row in line.rows)
            case Signatures(lines):
                yield from (f"{sign.party} {sign.name} {sign.title}" for sign in lines)


@pytest.mark.parametrize("split", plan.SPLITS)
def test_absences_hold_with_everything_planted_at_once(split: Split) -> None:
    room = everything(split)
    absences = [(issue, absence) for issue in room.key.issues for absence in issue.absences]
    broken = []
    for job in room.jobs:
        laid = job.laid()
        whole = "\n".join(units(laid)).lower()
        for issue, absence in absences:
            if set(job.paths) & set(absence.despite) or not all(term in whole for term in absence.terms):
                continue
            if any(all(term in unit.lower() for term in absence.terms) for unit in units(laid)):
                broken.append((issue.slug, issue.way, absence.what, job.paths[0]))
    assert broken == []


@pytest.mark.parametrize("split", plan.SPLITS)
def test_every_plant_keeps_its_evidence_and_criteria_name_each_once(split: Split) -> None:
    room = everything(split)
    for issue in room.key.issues:
        assert issue.evidence, issue.slug
        assert all(quote.strip() for evidence in issue.evidence for quote in evidence.quotes), issue.slug
    titles = [(criterion.title, criterion.match_criteria) for criterion in room.key.criteria]
    assert len(set(titles)) == len(titles)


def test_registers_list_what_the_world_has_and_each_thing_once() -> None:
    room = everything("train")
    tables = {job.sheet.paper.id: job.laid() for job in room.jobs if job.sheet.paper.id in hubs.COLUMNS}
    cells: dict[str, list[list[str]]] = {}
    for name, laid in tables.items():
        (table,) = (line for line in laid.lines if isinstance(line, Table))
        cells[name] = [[shown(cell) for cell in row.cells] for row in table.rows]
    world = room.world
    contracts = {(row[0], row[1]) for row in cells["contracts_register"]}
    listed = [it for it in world.contracts if it.register and it.kind not in ("lease", "loan", "employment", "nda")]
    assert len(listed) > 100
    named = {party for party, _ in contracts}
    missing = [it.party.short for it in listed if not any(it.party.short in name for name in named)]
    assert len(missing) <= len(listed) // 20, missing
    staff = [row[1] for row in cells["employee_census"]]
    assert len(set(staff)) == len(staff)
    dates = [row[0] for row in cells["minute_index"]]
    assert dates == sorted(dates)
    sums = [
        int(row[1].replace(",", "")) for row in cells["net_debt"][:-1] if row[1].lstrip("-").replace(",", "").isdigit()
    ]
    assert cells["net_debt"][-1][0] == "Total"
    assert int(cells["net_debt"][-1][1].replace(",", "")) == sum(sums)


def test_a_room_of_everyday_papers_names_nobody_twice() -> None:
    room = assembled("small", "3", "dev", 200)
    parties = [contract.party.short for contract in room.world.contracts]
    assert len({party.split()[0] for party in parties}) == len(set(parties))

"""Answer keys and texts of a few plants, straight from their recipes, for tests of what grades reports about them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from functools import cache

from redwell.bench.generate import marks
from redwell.bench.generate.plants import catalogue
from redwell.bench.generate.recipe import Plant, Recipe, Way
from redwell.bench.generate.world import make_world
from redwell.bench.key import Check, Criterion, Evidence, Key, PlantedIssue, Split

_VERB = re.compile(
    r"^PASS if the report (?:also )?(?:(?:identifies|states|concludes|recommends|says|notes|reports|gives|cites|names|shows|explains|finds|quantifies|flags) )?"
    r"(?:that )?(.*)$",
    re.DOTALL,
)


_THAT = r"PASS if the report (?:also )?(?:states|concludes|says|notes|reports|explains|finds|identifies|flags) that "


@cache
def all_recipes() -> list[Recipe]:
    """Those of every module that can be imported."""
    found: list[Recipe] = []
    for module in catalogue.modules():
        with suppress(Exception):
            found += catalogue.recipes_of(module)
    return sorted(found, key=lambda recipe: recipe.number)


def statement(text: str, key: Key | None = None, criterion: Criterion | None = None) -> str:
    """A criterion as a sentence of a report: "PASS if the report states that X." is "X.", and "The report recommends ..." stays one. One that
    asks for sources names their files."""
    match = _VERB.match(text)
    said = text.replace("PASS if the report", "The report")
    if match is not None and re.match(_THAT, text):
        said = match[1][:1].upper() + match[1][1:]
    if key is not None and criterion is not None and criterion.check.cites:
        issue = key.issue(criterion.issue)
        assert issue is not None
        files = [one.document.rsplit("/", 1)[-1] for one in issue.evidence if one.name in criterion.check.cites]
        said += f" See {', '.join(files)}."
    return said


def ideal(key: Key, only: set[str] | None = None) -> str:
    """A report of each criterion's own statement, under the title of its issue; decoys are left out."""
    out = ["# Red flags"]
    for one in key.issues:
        if not one.decoy and (only is None or one.id in only):
            own = [criterion for criterion in key.criteria if criterion.issue == one.id]
            out += [
                f"\n### {one.title}\n",
                *(f"- {statement(criterion.match_criteria, key, criterion)}" for criterion in own),
            ]
    return "\n".join(out)


def planted(
    chosen: Iterable[tuple[Recipe, Way, bool]], seed: str = "1", split: Split | None = None
) -> tuple[Key, dict[str, str]]:
    """The key of a room that holds these plants and nothing else, and the texts of its papers by path."""
    chosen = list(chosen)
    world = make_world(seed, split or chosen[0][1].split)
    issues: list[PlantedIssue] = []
    criteria: list[Criterion] = []
    texts: dict[str, str] = {}
    for number, (recipe, way, decoy) in enumerate(chosen, 1):
        identity = f"I-{number:03}"
        plant = way.make(world, random.Random(f"{seed}/plant/{number}"), decoy)
        paths = _paths(plant, identity)
        evidence = _evidence(plant, paths, texts)
        issues.append(
            PlantedIssue(
                identity, recipe.number, recipe.slug, plant.title, recipe.workstream, recipe.kind, way.name, way.split, decoy,
                plant.severity or recipe.severity, evidence, exposure=plant.exposure, because=plant.because,
            )
        )  # fmt: skip
        for draft in plant.criteria:
            filled = [_filled(text, plant, paths) for text in (draft.title, draft.text)]
            criteria.append(
                Criterion(
                    f"C-{len(criteria) + 1:03}",
                    filled[0],
                    filled[1],
                    draft.style,
                    identity,
                    _check(draft.check, plant, paths),
                )
            )
    return Key(f"room {seed}", world.target.name, seed, "test", world.split, tuple(issues), tuple(criteria)), texts


def _check(check: Check, plant: Plant, paths: dict[str, str]) -> Check:
    def groups(given: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(_filled(one, plant, paths) for one in group) for group in given)

    values = tuple(replace(value, text=_filled(value.text, plant, paths)) for value in check.values)
    return replace(check, about=groups(check.about), says=groups(check.says), values=values)


def _paths(plant: Plant, identity: str) -> dict[str, str]:
    paths = {}
    for paper in plant.papers:
        name = re.sub(r"[^a-z0-9]+", "-", paper.title.lower()).strip("-")[:72]
        paths[paper.id] = f"{paper.folder}/{identity.lower()}/{name}.{paper.kinds[0]}"
    for added in plant.added:
        paths.setdefault(added.hub, f"hubs/{added.hub.replace('_', '-')}-of-the-target.docx")
    return paths


def _evidence(plant: Plant, paths: dict[str, str], texts: dict[str, str]) -> tuple[Evidence, ...]:
    blocks = [(paper.id, block) for paper in plant.papers for block in paper.blocks]
    blocks += [(added.hub, added.block) for added in plant.added]
    quotes: dict[tuple[str, str], list[str]] = {}
    for where, block in blocks:
        for mark, quote, _ in marks.quotes(block):
            quotes.setdefault((mark, where), []).append(_filled(quote, plant, paths))
        said = "\n".join(_filled(marks.plain(text), plant, paths) for text in marks.texts(block))
        texts[paths[where]] = f"{texts.get(paths[where], '')}\n{said}"
    return tuple(Evidence(mark, paths[where], "", tuple(found)) for (mark, where), found in quotes.items())


def _filled(text: str, plant: Plant, paths: dict[str, str]) -> str:
    def find(kind: str, name: str) -> str:
        if kind == "§":
            return "14.2"
        paper = next((paper for paper in plant.papers if paper.id == name), None)
        if kind == "file:":
            return paths.get(name, name).rsplit("/", 1)[-1]
        return paper.title if paper else name.replace("_", " ")

    return marks.plain(marks.point(text, find))

"""Every recipe, in every way and as a decoy, gives what the room is made of: papers, evidence, criteria, and a wording of its own split.

A recipe is built once and held to every check: one test for each, whose failure names the check, the archetype and the way. All are of one
group, so that one process builds them.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import suppress
from functools import cache, lru_cache
from typing import get_args

import pytest

from redwell.bench.generate import hubs, marks
from redwell.bench.generate.papers import (
    FOLDERS,
    Clause,
    FileKind,
    Filler,
    Hub,
    Row,
    Table,
)
from redwell.bench.generate.plants import catalogue
from redwell.bench.generate.recipe import Plant, Recipe, Way
from redwell.bench.generate.world import World, make_world

pytestmark = pytest.mark.xdist_group("plants")

SEEDS = ("1", "2", "3")
TOPICS = re.compile(
    "assignment|control|term|termination|exclusivity|pricing|liability|confidentiality|ip|insurance|privacy|employment|payment|law|notices"
)
HUBS = get_args(Hub)


@cache
def recipes() -> list[Recipe]:
    """Those of every module that can be imported, so that one that cannot fails its own test only."""
    found: list[Recipe] = []
    for module in catalogue.modules():
        with suppress(Exception):
            found += catalogue.recipes_of(module)
    return sorted(found, key=lambda recipe: recipe.number)


RECIPES = [pytest.param(recipe, id=recipe.slug) for recipe in recipes()]
Check = Callable[[Recipe, Way], None]
CHECKS: list[Check] = []


def of_every_way(check: Check) -> Check:
    """Adds it to what every way of every recipe is held to."""
    CHECKS.append(check)
    return check


@lru_cache(maxsize=100)  # more than one recipe gives; plants of all would fill the memory
def _built(slug: str, way: int, seed: str, decoy: bool) -> tuple[World, Plant]:
    return _build(next(recipe for recipe in recipes() if recipe.slug == slug).ways[way], seed, decoy)


def _build(way: Way, seed: str, decoy: bool) -> tuple[World, Plant]:
    world = make_world(seed, way.split)
    return world, way.make(world, random.Random(f"{seed}/plant"), decoy)


def _plants(recipe: Recipe, way: Way, seeds: tuple[str, ...] = SEEDS) -> list[Plant]:
    number = recipe.ways.index(way)
    return [_built(recipe.slug, number, seed, decoy)[1] for seed in seeds for decoy in (False, True)]


def _blocks(plant: Plant) -> list[tuple[str, object]]:
    """(paper or hub, block) of everything that a plant writes."""
    own = [(paper.id, block) for paper in plant.papers for block in paper.blocks]
    return own + [(added.hub, added.block) for added in plant.added]


def _marked(plant: Plant) -> dict[str, list[tuple[str, str]]]:
    """For each mark the (paper, quote) that it names."""
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for where, block in _blocks(plant):
        for mark, quote, _ in marks.quotes(block):
            found[mark].append((where, quote))
    return found


def _all_texts(plant: Plant) -> list[str]:
    papers = [text for _, block in _blocks(plant) for text in marks.texts(block)]
    return [*papers, *(paper.title for paper in plant.papers), *(draft.text for draft in plant.criteria)]


# --- the recipe as a whole


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_has_ways_for_every_split(recipe: Recipe) -> None:
    splits = Counter(way.split for way in recipe.ways)
    assert len(recipe.ways) >= 5
    assert splits["train"] >= 2
    assert splits["test"] >= 2
    assert splits["dev"] >= 1
    assert len({way.name for way in recipe.ways}) == len(recipe.ways)


@pytest.mark.parametrize("module", catalogue.modules())
def test_every_module_of_recipes_can_be_imported(module: str) -> None:
    assert isinstance(catalogue.recipes_of(module), tuple)


def test_recipes_have_numbers_and_slugs_of_their_own() -> None:
    assert max(Counter(recipe.number for recipe in recipes()).values()) == 1
    assert max(Counter(recipe.slug for recipe in recipes()).values()) == 1


# --- what one way gives


@pytest.mark.parametrize("recipe", RECIPES)
def test_every_way_of_a_recipe_gives_what_a_room_is_made_of(recipe: Recipe) -> None:
    found: list[Exception] = []
    for number, way in enumerate(recipe.ways):
        for check in CHECKS:
            try:
                check(recipe, way)
            except Exception as fault:
                fault.add_note(f"-> {check.__name__}: {recipe.slug}, way {number} ({way.name})")
                found.append(fault)
    if found:
        raise ExceptionGroup(f"{recipe.slug} is not whole", found)
    _split_shapes(recipe.slug)  # kept for the tests below, while its plants are at hand


@of_every_way
def papers_lie_in_folders_that_exist_and_have_ids_of_their_own(recipe: Recipe, way: Way) -> None:
    for plant in _plants(recipe, way):
        ids = [paper.id for paper in plant.papers]
        assert len(set(ids)) == len(ids)
        assert not set(ids) & set(HUBS)
        for paper in plant.papers:
            assert paper.folder in FOLDERS, paper.id
            assert set(paper.copies) <= set(FOLDERS), paper.id
            assert paper.kinds, paper.id
            assert set(paper.kinds) <= set(get_args(FileKind)), paper.id
            assert "eml" not in paper.kinds or paper.sender, paper.id
            assert all(TOPICS.fullmatch(topic) for topic in paper.avoid), paper.id
            assert set(paper.attached) <= set(ids), paper.id
            assert paper.blocks, paper.id


@of_every_way
def tables_and_rows_fit_where_they_go(recipe: Recipe, way: Way) -> None:
    for plant in _plants(recipe, way):
        for where, block in _blocks(plant):
            if isinstance(block, Table):
                assert all(len(row.cells) == len(block.header) for row in block.rows), where
                assert len(block.sheet) <= 31, where
        for added in plant.added:
            assert added.hub in HUBS
            if added.hub in hubs.COLUMNS:
                assert isinstance(added.block, Row), f"{added.hub} is one table and takes rows"
                assert len(added.block.cells) == len(hubs.COLUMNS[added.hub]), added.hub
            else:
                assert added.section, f"{added.hub} has sections, and one must be named"


@of_every_way
def marks_name_words_of_one_paper_each(recipe: Recipe, way: Way) -> None:
    for plant in _plants(recipe, way):
        found = _marked(plant)
        assert found, "something must be marked as evidence"
        for mark, where in found.items():
            assert len({paper for paper, _ in where}) == 1, f"{mark} stands in several papers"
            assert all(quote.strip() for _, quote in where), mark
        for text in _all_texts(plant):
            assert not re.search(r"[⟦⟧|\n]", marks.plain(text)), text


@of_every_way
def pointers_lead_somewhere(recipe: Recipe, way: Way) -> None:
    for plant in _plants(recipe, way):
        clauses = {
            mark for _, block in _blocks(plant) if isinstance(block, Clause) for mark, _, _ in marks.quotes(block)
        }
        papers = {paper.id for paper in plant.papers} | set(HUBS)
        for text in _all_texts(plant):
            for kind, name in marks.pointers(text):
                assert name in (clauses if kind == "§" else papers), f"{{{kind}{name}}} in: {text}"


@of_every_way
def an_issue_has_two_to_six_criteria_and_a_decoy_only_precision(recipe: Recipe, way: Way) -> None:
    for seed in SEEDS:
        issue = _built(recipe.slug, recipe.ways.index(way), seed, False)[1]
        decoy = _built(recipe.slug, recipe.ways.index(way), seed, True)[1]
        assert 2 <= len(issue.criteria) <= 6
        assert all(draft.style != "precision" for draft in issue.criteria)
        assert decoy.criteria
        assert all(draft.style == "precision" and draft.check.forbidden for draft in decoy.criteria)
        assert decoy.because
        assert not decoy.gaps, "what a decoy looks like is there"
        assert not issue.because
        if recipe.kind == "absence":
            assert issue.gaps
        for draft in (*issue.criteria, *decoy.criteria):
            assert draft.text.startswith("PASS if the report "), draft.text
            assert draft.check.about, draft.title
            for group in (*draft.check.says, *draft.check.about):
                assert group, draft.title
                assert all(words.strip() for words in group), draft.title
            assert all(words == words.lower() for group in draft.check.says for words in group), draft.title
            assert all(words == words.lower() for words in draft.check.unless), draft.title


@of_every_way
def what_criteria_cite_and_gaps_despite_exists(recipe: Recipe, way: Way) -> None:
    for plant in _plants(recipe, way):
        known = set(_marked(plant))
        for draft in plant.criteria:
            assert set(draft.check.cites) <= known, draft.title
        papers = {paper.id for paper in plant.papers} | set(HUBS)
        for gap in plant.gaps:
            assert set(gap.despite) <= papers, gap.what
            assert gap.terms, gap.what
            assert all(term == term.lower() and term.strip() for term in gap.terms), gap.what


@of_every_way
def gaps_hold_within_the_plant_itself(recipe: Recipe, way: Way) -> None:
    for plant in _plants(recipe, way):
        for gap in plant.gaps:
            for where, block in _blocks(plant):
                if where not in gap.despite:
                    units = block.rows if isinstance(block, Table) else [block]
                    for unit in units:
                        text = marks.plain(" ".join(marks.texts(unit))).lower()
                        assert not all(term in text for term in gap.terms), f"{gap.what}: {where}"


@of_every_way
def cross_document_issues_are_seen_in_several(recipe: Recipe, way: Way) -> None:
    if recipe.kind == "cross-document":
        for seed in SEEDS:
            plant = _built(recipe.slug, recipe.ways.index(way), seed, False)[1]
            assert len({paper for found in _marked(plant).values() for paper, _ in found}) >= 2


@of_every_way
def the_same_seed_gives_the_same_and_another_another_subject(recipe: Recipe, way: Way) -> None:
    for decoy in (False, True):
        assert _build(way, "1", decoy)[1] == _built(recipe.slug, recipe.ways.index(way), "1", decoy)[1]
        first, second = (_built(recipe.slug, recipe.ways.index(way), seed, decoy)[1] for seed in SEEDS[:2])
        assert [draft.text for draft in first.criteria] != [draft.text for draft in second.criteria]
        assert [draft.check for draft in first.criteria] != [draft.check for draft in second.criteria]


@of_every_way
def two_plants_in_one_world_have_subjects_of_their_own(recipe: Recipe, way: Way) -> None:
    if recipe.once:
        return  # planted once at most
    world = make_world("1", way.split)
    first = way.make(world, random.Random("a"), False)
    second = way.make(world, random.Random("b"), False)
    about = [{group for draft in plant.criteria for group in draft.check.about} for plant in (first, second)]
    assert any(group not in about[1] for group in about[0])


# --- wordings belong to one split

_COUNTS = re.compile(
    "(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|"
    "forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|first|second|third|fourth|fifth)(-.*)?"
)


def _shapes(plant: Plant) -> set[str]:
    """Sentences of six words or more with figures, dates and names masked."""
    found = set()
    for _, block in _blocks(plant):
        if isinstance(block, Filler):
            continue
        for text in marks.texts(block):
            text = re.sub(r"\{[^{}]*\}", "X1", marks.plain(text))
            for sentence in re.split(r"(?<=[a-z)\]”\"0-9][.!?;:])\s+", text):
                words = re.findall(r"[A-Za-zÀ-ÿ0-9$€£][\w.,'’/$€£%-]*", sentence)
                shape: list[str] = []
                for word in words:
                    word = word.strip(".,'’-/")
                    masked = not word or not word[0].islower() or any(letter.isdigit() for letter in word)
                    masked = masked or _COUNTS.fullmatch(word) is not None
                    if not (masked and shape and shape[-1] == "~"):
                        shape.append("~" if masked else word)
                if len(shape) >= 6 and sum(word != "~" for word in shape) >= 4:
                    found.add(" ".join(shape))
    return found


@cache
def _split_shapes(slug: str) -> dict[str, set[str]]:
    recipe = next(recipe for recipe in recipes() if recipe.slug == slug)
    found: dict[str, set[str]] = defaultdict(set)
    for way in recipe.ways:
        for plant in _plants(recipe, way, SEEDS[:2]):
            found[way.split] |= _shapes(plant)
    return found


@pytest.mark.parametrize("recipe", RECIPES)
def test_ways_of_different_splits_share_no_sentence(recipe: Recipe) -> None:
    shapes = _split_shapes(recipe.slug)
    for one, other in (("train", "dev"), ("train", "test"), ("dev", "test")):
        assert not shapes[one] & shapes[other], f"{one} and {other}"


def test_no_sentence_of_one_split_is_in_another_anywhere() -> None:
    of: dict[str, set[str]] = defaultdict(set)
    for recipe in recipes():
        for split, shapes in _split_shapes(recipe.slug).items():
            of[split] |= shapes
    for one, other in (("train", "dev"), ("train", "test"), ("dev", "test")):
        assert not of[one] & of[other], f"{one} and {other}"

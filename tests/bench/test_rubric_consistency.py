"""The rubric agrees with itself: what a criterion asks for passes it and nothing of another subject; a decoy that is asserted fails, and one that is explained does not."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

import pytest
from planted import all_recipes, ideal, planted, statement

from redwell.bench.facts.checks import fault_of
from redwell.bench.facts.grade import holds, read
from redwell.bench.generate.recipe import Recipe
from redwell.bench.key import Key

RECIPES = [pytest.param(recipe, id=recipe.slug) for recipe in all_recipes()]
CHECKS: list[Callable[[Recipe, int], None]] = []


def of_every_way(check: Callable[[Recipe, int], None]) -> Callable[[Recipe, int], None]:
    """Adds it to what every way of every recipe is held to, in one test of the recipe."""
    CHECKS.append(check)
    return check


@pytest.mark.parametrize("recipe", RECIPES)
def test_the_rubric_of_every_way_agrees_with_itself(recipe: Recipe) -> None:
    found: list[Exception] = []
    for way in range(len(recipe.ways)):
        for check in CHECKS:
            try:
                check(recipe, way)
            except Exception as fault:
                fault.add_note(f"-> {check.__name__}: {recipe.slug}, way {way} ({recipe.ways[way].name})")
                found.append(fault)
    if found:
        raise ExceptionGroup(f"the rubric of {recipe.slug} contradicts itself", found)


@lru_cache(maxsize=4)
def _alone(slug: str, way: int, decoy: bool) -> Key:
    recipe = next(recipe for recipe in all_recipes() if recipe.slug == slug)
    return planted([(recipe, recipe.ways[way], decoy)], "5")[0]


@of_every_way
def a_criterions_own_statement_passes_it(recipe: Recipe, way: int) -> None:
    key = _alone(recipe.slug, way, False)
    assert 2 <= len(key.criteria) <= 8
    for one in key.criteria:
        held, why = holds(f"# Report\n\n{statement(one.match_criteria, key, one)}\n", one, key)
        assert held, f"{one.style}: {one.match_criteria} -> {why}"


@of_every_way
def a_report_of_all_its_statements_passes_all_its_criteria(recipe: Recipe, way: int) -> None:
    key = _alone(recipe.slug, way, False)
    reading = read(ideal(key), key)
    failed = [(one.match_criteria, fault) for one in key.criteria if (fault := fault_of(reading, one)[0])]
    assert not failed


@of_every_way
def a_decoy_that_is_asserted_fails_and_one_that_is_explained_passes(recipe: Recipe, way: int) -> None:
    key = _alone(recipe.slug, way, True)
    because = key.issues[0].because
    assert because
    assert {one.style for one in key.criteria} == {"precision"}
    for one in key.criteria:
        asserted = one.match_criteria.replace("PASS if the report does not assert that ", "").partition(";")[0]
        held, _ = holds(f"# Report\n\n{asserted[:1].upper()}{asserted[1:]}\n", one, key)
        assert not held, f"asserted, and it passes: {one.match_criteria}"
        held, why = holds(f"# Report\n\n{because[:1].upper()}{because[1:]}.\n", one, key)
        assert held, f"explained, and it fails: {one.match_criteria} -> {why}"


@cache
def _together(split: str) -> Key:
    chosen = [(recipe, next(way for way in recipe.ways if way.split == split), False) for recipe in all_recipes()]
    return planted(chosen, "9", split)[0]  # type: ignore[arg-type]


@pytest.mark.xdist_group("rubrics together")
def test_all_issues_in_one_report_pass_together() -> None:
    key = _together("test")
    reading = read(ideal(key), key)
    failed = [(one.match_criteria, fault) for one in key.criteria if (fault := fault_of(reading, one)[0])]
    assert not failed


@pytest.mark.xdist_group("rubrics together")
@pytest.mark.parametrize("recipe", RECIPES)
def test_what_is_said_of_one_subject_passes_no_criterion_of_another(recipe: Recipe) -> None:
    key = _together("test")
    own = next(issue.id for issue in key.issues if issue.slug == recipe.slug)
    reading = read(ideal(key, {own}), key)
    wrong = [one.match_criteria for one in key.criteria if one.issue != own and not fault_of(reading, one)[0]]
    assert not wrong

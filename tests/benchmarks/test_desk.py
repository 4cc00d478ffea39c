"""The experiment at desk scale: its recipes, what is done already, and what is told of it."""

import json
import sys
from pathlib import Path

import pytest

from redwell.train.config import RlRecipe, SftRecipe
from redwell.train.types import Rollout, TrainingError

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

import desk  # noqa: E402


def at(tmp_path: Path, *, smoke: bool = False) -> desk.Desk:
    return desk.Desk(tmp_path, smoke, tmp_path / "model.gguf", 1)


@pytest.mark.parametrize("smoke", [False, True])
@pytest.mark.parametrize("stage", ["warm", "sft", "grpo", "gspo"])
def test_every_stage_has_a_recipe_whole_and_in_miniature(tmp_path: Path, stage: str, smoke: bool) -> None:
    recipe = at(tmp_path, smoke=smoke).recipe(stage)
    assert isinstance(recipe, SftRecipe if stage in ("warm", "sft") else RlRecipe)
    assert recipe.policy.base == str(tmp_path / "model.gguf")
    assert recipe.policy.start is None
    assert recipe.rooms.harness["prompt"] == "short"
    made = recipe.rooms.generated
    assert made is not None
    assert (made.split, made.documents) == ("train", 8 if smoke else None)
    if isinstance(recipe, RlRecipe) and not smoke:
        assert recipe.steps >= 30
        assert recipe.groups.rollouts_per_group == 8


def test_stages_begin_from_the_warm_start_when_there_was_one(tmp_path: Path) -> None:
    made = at(tmp_path)
    made.mark("warm", checkpoint="warm/checkpoints/step-000016", seconds=1.0)
    assert made.recipe("warm").policy.start is None
    assert made.recipe("grpo").policy.start == str(tmp_path / "warm/checkpoints/step-000016")


def test_grpo_and_gspo_are_compared_from_as_many_rollouts_and_steps_of_as_much_reach(tmp_path: Path) -> None:
    one, other = (at(tmp_path).recipe(stage) for stage in ("grpo", "gspo"))
    assert isinstance(one, RlRecipe)
    assert isinstance(other, RlRecipe)
    assert (one.optimizer.passes, other.optimizer.passes) == (1, 2)
    reach = [recipe.optimizer.passes * recipe.optimizer.learning_rate for recipe in (one, other)]
    assert reach[0] == reach[1]
    alike = {"method", "optimizer"}
    assert one.model_dump(exclude=alike) == other.model_dump(exclude=alike)


@pytest.mark.parametrize(("submitted", "wanted"), [(0.0, True), (0.15, True), (0.2, False), (1.0, False)])
def test_a_warm_start_is_for_a_base_that_seldom_submits(tmp_path: Path, submitted: float, wanted: bool) -> None:
    made = at(tmp_path)
    with pytest.raises(TrainingError, match="before the stage base is done"):
        made.wants_warm_start()
    made.mark("evaluated-base", submitted=submitted)
    assert made.wants_warm_start() is wanted


def test_held_out_rooms_are_none_that_is_trained_on(tmp_path: Path) -> None:
    for stage in ("warm", "sft", "grpo", "gspo"):
        made = at(tmp_path).recipe(stage).rooms.generated
        assert made is not None
        assert not set(made.seeds) & set(desk.TEST_SEEDS)
    assert len(desk.TEST_SEEDS) == 20


def test_what_runs_came_to_is_told_and_written(tmp_path: Path) -> None:
    runs = [
        Rollout("a/0", "a", "a", "ok", (), 0.5, coverage=1.0, submitted=True, sub_calls=9, turns=3, wrote_while_reading=True),
        Rollout("b/0", "b", "b", "truncated", (), 0.0, coverage=0.5, sub_calls=1, turns=5),
        Rollout("c/0", "c", "c", "unscorable", (), None, why="the judge"),
    ]  # fmt: skip
    found = desk.figures_of(runs)
    assert (found["runs"], found["scored"], found["reward"]) == (3, 2, 0.25)
    assert found["submitted"] == pytest.approx(1 / 3)
    assert "3 runs, 2 scored: reward 0.250, submitted 33%, coverage 50%" in desk.summary(found)
    desk.write_rollouts(tmp_path / "results/rollouts.csv", runs)
    lines = (tmp_path / "results/rollouts.csv").read_text().splitlines()
    assert len(lines) == 4
    assert lines[0].startswith("id,task,group,status,reward,why")


def test_a_curve_is_told_by_its_ends(tmp_path: Path) -> None:
    steps = [{"step": n, "reward": n / 12, "seconds": 60.0, "seconds_sampling": 30.0, "seconds_training": 29.0, "seconds_judging": 0.5, "seconds_other": 0.5} for n in range(1, 13)]  # fmt: skip
    told = desk.told_of("grpo", steps)
    assert told.startswith(
        "GRPO: 12 steps; reward 0.125 in the first 2 and 0.958 in the last 2 (correlation with the step +1.00)"
    )
    assert "60 s a step, of which 30 sampling, 29 training" in told
    desk.write_curve(tmp_path / "curve.csv", [json.loads(json.dumps(one)) for one in steps])
    assert (tmp_path / "curve.csv").read_text().splitlines()[0].split(",")[:2] == ["step", "reward"]


def test_the_held_out_rooms_can_be_played(tmp_path: Path) -> None:
    """Their wordings are those that a recipe for training may not name."""
    made = at(tmp_path, smoke=True)
    assert sorted(made.rooms("base").tasks) == ["desk-8-test-1", "desk-8-test-2"]

"""Whenever a training is killed, the same command goes on: no rollout is lost, and none counts twice."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from train.pretended import Killed, Life, Plays, Pretended

from redwell.bench.figures.rows import read_curve
from redwell.train.config import Checkpoints, Groups, Optimizer
from redwell.train.ledger import Ledger
from redwell.train.loop import Loop, Plan
from redwell.train.types import Diverged, LossSettings, NothingToLearn, Rollout, TrainingError

STEPS = 4


def plan(staleness: int = 0, **groups: Any) -> Plan:
    given = {
        "groups_per_step": 2,
        "rollouts_per_group": 3,
        "max_staleness": staleness,
        "over_sample": 1.5 if staleness else 1.0,
    }
    return Plan(
        ("a", "b", "c"), STEPS, LossSettings(), Groups(**(given | groups)), Optimizer(), Checkpoints(every=2, keep=1)
    )  # fmt: skip


class Mortal(Ledger):
    """Dies just before or just after something is on the disk."""

    def __init__(self, path: Path, life: Life) -> None:
        self._life = life
        super().__init__(path)

    def _append(self, *given: Any, **named: Any) -> None:
        self._life.breathe()
        super()._append(*given, **named)
        self._life.breathe()


def train(folder: Path, given: Plan, life: Life | None = None) -> Pretended:
    """Trains until it is done or dead."""
    life = life or Life()
    trainer = Pretended(life)
    ledger = Mortal(folder / "ledger.sqlite", life)
    try:
        asyncio.run(Loop(trainer, Plays(trainer, life).play, "", given, folder, ledger).run())
    finally:
        ledger.close()
    return trainer


def check(folder: Path, given: Plan) -> Counter[str]:
    """Nothing is lost and nothing counts twice; returns how the groups stand."""
    ledger = Ledger(folder / "ledger.sqlite")
    taken = [group for step in range(1, STEPS + 1) for group in ledger.taken(step)[0]]
    assert len(set(taken)) == len(taken) == STEPS * given.groups.groups_per_step
    for step in range(1, STEPS + 1):
        groups, version = ledger.taken(step)
        assert version == step - 1
        for group in groups:
            assert ledger.groups.groups[group].state == "consumed"
            assert version - ledger.groups.groups[group].first_version <= given.groups.max_staleness
    for group in ledger.groups.groups.values():
        if group.state != "running":
            assert [one.id for one in ledger.rollouts(group.id)] == [
                f"{group.id}/{number}" for number in range(group.size)
            ]
    assert [entry["step"] for entry in read_curve(folder / "curve.jsonl")] == list(range(1, STEPS + 1))
    found = Counter(group.state for group in ledger.groups.groups.values())
    ledger.close()
    return found


def test_a_training_killed_at_any_write_comes_to_what_one_that_was_left_alone_comes_to(tmp_path: Path) -> None:
    """Synchronous, so that what is sampled does not depend on when it was killed; each moment of writing, saving, training and playing."""
    given, alone = plan(), tmp_path / "alone"
    alone.mkdir()
    whole = Life()
    weights = train(alone, given, whole).weights
    assert check(alone, given)["flat"] > 0
    assert len(weights) == STEPS * 2 * 3
    for breath in range(0, whole.taken, 4):
        folder = tmp_path / str(breath)
        folder.mkdir()
        with pytest.raises(Killed):
            train(folder, given, Life(breath))
        again = train(folder, given)
        assert again.weights == weights, breath
        check(folder, given)


@pytest.mark.parametrize("seed", range(6))
def test_an_asynchronous_training_killed_again_and_again_counts_each_rollout_once(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    given = plan(2)
    for _ in range(100):
        try:
            trainer = train(tmp_path, given, Life(chance.randint(5, 60)))
        except Killed:
            continue
        break
    found = check(tmp_path, given)
    assert found["consumed"] == STEPS * 2
    names = [tuple(ids[1:3]) for ids in trainer.weights]
    assert len(set(names)) == len(names) == STEPS * 2 * 3


def test_what_is_finished_and_not_taken_is_used_after_a_kill_and_not_played_again(tmp_path: Path) -> None:
    given = plan()
    trainer, life = Pretended(), Life(5)
    ledger = Ledger(tmp_path / "ledger.sqlite")
    first = Plays(trainer, life)
    with pytest.raises(Killed):
        asyncio.run(Loop(trainer, first.play, "", given, tmp_path, ledger).run())
    ledger.close()
    ledger = Ledger(tmp_path / "ledger.sqlite")
    kept = [f"{group.id}/{number}" for group in ledger.groups.groups.values() for number in group.rewards]
    assert set(kept) <= set(first.played)
    assert len(kept) >= 3
    second = Plays(trainer)
    asyncio.run(Loop(trainer, second.play, "", given, tmp_path, ledger).run())
    ledger.close()
    assert not set(kept) & set(second.played)
    check(tmp_path, given)


def test_when_nothing_can_be_scored_training_stops_and_scores_the_same_rollouts_later(tmp_path: Path) -> None:
    given = plan(rollouts_at_a_time=2)
    trainer = Pretended()
    plays = Plays(trainer)
    plays.why = "the judge does not answer"
    ledger = Ledger(tmp_path / "ledger.sqlite")
    with pytest.raises(TrainingError, match=r"the last 6 rollouts could not be scored: the judge does not answer"):
        asyncio.run(Loop(trainer, plays.play, "", given, tmp_path, ledger).run())
    assert (tmp_path / "checkpoints" / "step-000000" / "weights.json").is_file()
    ledger.close()
    lost = set(plays.played)
    plays = Plays(trainer)
    ledger = Ledger(tmp_path / "ledger.sqlite")
    asyncio.run(Loop(trainer, plays.play, "", given, tmp_path, ledger).run())
    ledger.close()
    assert lost <= set(plays.played)
    check(tmp_path, given)


def test_a_loss_that_is_no_number_stops_training_and_the_step_is_made_again(tmp_path: Path) -> None:
    given = plan()
    trainer = Pretended()
    ledger = Ledger(tmp_path / "ledger.sqlite")

    def worse(kind: str, figures: dict[str, Any]) -> None:
        if kind == "step" and figures["step"] == 3:
            trainer.loss = float("nan")

    with pytest.raises(TrainingError, match=r"step 4 has diverged: the loss is nan.*weights of step 3") as told:
        asyncio.run(Loop(trainer, Plays(trainer).play, "", given, tmp_path, ledger, tell=worse).run())
    assert "optimizer.learning_rate" in str(told.value)
    assert ledger.checkpoint() == (3, "step-000003")
    groups = ledger.taken(4)[0]
    ledger.close()
    ledger, trainer = Ledger(tmp_path / "ledger.sqlite"), Pretended()
    plays = Plays(trainer)
    asyncio.run(Loop(trainer, plays.play, "", given, tmp_path, ledger).run())
    assert ledger.taken(4)[0] == groups
    assert plays.played == []
    ledger.close()
    check(tmp_path, given)


@pytest.mark.parametrize("taken", [False, True], ids=["not taken", "perhaps taken"])
def test_weights_after_a_step_that_diverged_are_kept_only_where_it_was_not_taken(taken: bool, tmp_path: Path) -> None:
    """The third step's gradient is no number, after a checkpoint of the second is long gone."""
    given = replace(plan(), checkpoint=Checkpoints(every=100))

    class Server(Pretended):
        async def optim_step(self, learning_rate: float) -> float:
            if len(self.weights) == 2 * 6:
                raise Diverged("the norm of the gradient is nan", taken=taken)
            return await super().optim_step(learning_rate)

    trainer = Server()
    ledger = Ledger(tmp_path / "ledger.sqlite")
    kept = 0 if taken else 2
    with pytest.raises(TrainingError, match=rf"step 3 has diverged: .*is nan\..*weights of step {kept} in"):
        asyncio.run(Loop(trainer, Plays(trainer).play, "", given, tmp_path, ledger).run())
    assert ledger.checkpoint() == (kept, f"step-{kept:06d}")
    ledger.close()
    trainer, ledger = Pretended(), Ledger(tmp_path / "ledger.sqlite")
    plays = Plays(trainer)
    asyncio.run(Loop(trainer, plays.play, "", given, tmp_path, ledger).run())
    assert len({name.partition("/")[0] for name in plays.played}) < STEPS * 2
    ledger.close()
    check(tmp_path, given)


def test_a_server_that_is_lost_while_it_moves_the_weights_is_not_called_a_divergence(tmp_path: Path) -> None:
    class Server(Pretended):
        async def optim_step(self, learning_rate: float) -> float:
            if self.weights:
                raise TrainingError("http://127.0.0.1:1: no answer to optim_step")
            return await super().optim_step(learning_rate)

    trainer = Server()
    ledger = Ledger(tmp_path / "ledger.sqlite")
    with pytest.raises(TrainingError) as told:
        asyncio.run(
            Loop(trainer, Plays(trainer).play, "", replace(plan(), checkpoint=Checkpoints(every=100)), tmp_path, ledger).run()
        )  # fmt: skip
    assert str(told.value) == "http://127.0.0.1:1: no answer to optim_step"
    assert ledger.checkpoint() == (
        0,
        "step-000000",
    )  # the server may have taken the step: its weights are not kept as those of step 1
    ledger.close()


def test_groups_that_are_all_alike_end_training_with_the_way_out(tmp_path: Path) -> None:
    trainer = Pretended()
    ledger = Ledger(tmp_path / "ledger.sqlite")
    with pytest.raises(NothingToLearn, match=r"5 groups were dropped as flat.*train sft"):
        asyncio.run(Loop(trainer, Plays(trainer).play, "", plan(flat=1.0, patience=5), tmp_path, ledger).run())
    ledger.close()


def test_tasks_that_can_hardly_be_scored_end_training_and_are_not_played_for_ever(tmp_path: Path) -> None:
    """One of each group is scored, so that it never looks as if nothing could be scored any more."""
    trainer = Pretended()
    plays = Plays(trainer)

    async def play(task: str, group: str, number: int, url: str, folder: Path) -> Rollout:
        one = await plays.play(task, group, number, url, folder)
        return one if number == 0 else replace(one, status="unscorable", reward=None, why="the sandbox was lost")

    ledger = Ledger(tmp_path / "ledger.sqlite")
    with pytest.raises(
        TrainingError, match=r"4 groups had fewer than two rollouts that could be scored.*sandbox was lost"
    ):
        asyncio.run(Loop(trainer, play, "", plan(patience=4, rollouts_at_a_time=2), tmp_path, ledger).run())
    assert ledger.groups.count("unscorable") == 4
    ledger.close()


@pytest.mark.parametrize("staleness", [0, 2])
def test_rollouts_are_played_on_while_a_step_is_made(staleness: int, tmp_path: Path) -> None:
    """As many as may run do so again before the step has ended, where a later step may use them; with turns taken, none does."""
    begun: list[str] = []

    class Slow(Pretended):
        fewest = 10**6

        async def forward_backward(self, data: Any, settings: LossSettings) -> Any:
            before = len(begun)
            for _ in range(200):
                await asyncio.sleep(0)
            self.fewest = min(self.fewest, len(begun) - before) if self.version < STEPS - 2 else self.fewest
            return await super().forward_backward(data, settings)

    trainer = Slow()
    plays = Plays(trainer)

    async def play(task: str, group: str, number: int, url: str, folder: Path) -> Rollout:
        begun.append(f"{group}/{number}")
        return await plays.play(task, group, number, url, folder)

    ledger = Ledger(tmp_path / "ledger.sqlite")
    given = plan(staleness, rollouts_at_a_time=2, over_sample=2.0)
    asyncio.run(Loop(trainer, play, "", given, tmp_path, ledger).run())
    ledger.close()
    assert len(set(begun)) == len(begun)
    assert trainer.fewest >= 6 if staleness else trainer.fewest == 0
    check(tmp_path, given)


def test_close_groups_are_judged_again_before_advantages_are_taken(tmp_path: Path) -> None:
    trainer, given = Pretended(), plan(close=0.3)
    ledger = Ledger(tmp_path / "ledger.sqlite")
    asked: list[str] = []

    async def rescore(group: Any) -> list[float | None]:
        asked.append(group[0].group)
        await asyncio.sleep(0)
        return [float(number) for number in range(len(group))]

    asyncio.run(Loop(trainer, Plays(trainer).play, "", given, tmp_path, ledger, rescore=rescore).run())
    assert len(asked) == len(set(asked)) > 0
    for group in asked:
        assert [one.reward for one in ledger.rollouts(group)] == [0.0, 1.0, 2.0]
        assert ledger.groups.groups[group].state in ("consumed", "ready")
    ledger.close()


def test_a_ledger_whose_file_is_cut_or_another_is_refused(tmp_path: Path) -> None:
    train(tmp_path, plan())
    file = tmp_path / "ledger.sqlite"
    size = file.stat().st_size
    os.truncate(file, size // 2)
    with pytest.raises(TrainingError, match=r"ledger\.sqlite is damaged"):
        Ledger(file)
    file.write_bytes(b"something else" * 100)
    with pytest.raises(TrainingError, match=r"ledger.sqlite is (damaged|not the ledger)"):
        Ledger(file)


def test_a_real_training_killed_at_random_moments_comes_to_the_same_weights(tmp_path: Path) -> None:
    """SIGKILL, with real weights, engine and endpoint."""
    pytest.importorskip("torch", reason="the train extra is not installed: make test-train")
    done = subprocess.run(
        [sys.executable, "-m", "train.killed_training", str(tmp_path), "4"], capture_output=True, text=True, timeout=300,
        check=False, env={**os.environ, "PYTHONPATH": os.pathsep.join(["tests", "."])}, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    kills, same = done.stdout.split()[-2:]
    assert int(kills) >= 4
    assert same == "same"

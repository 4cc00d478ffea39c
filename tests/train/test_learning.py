"""Reinforcement learning end to end: the real loop, endpoint, engine and trainer on a random model of a few thousand weights, whose reward must rise."""

from __future__ import annotations

import asyncio
import math
from pathlib import Path
from statistics import fmean, stdev

import pytest

pytest.importorskip("torch", reason="the train extra is not installed: make test-train")

from train.toy import LENGTH, Toy, ask, plan, served, trained

from redwell.train.groups import too_old
from redwell.train.ledger import Ledger
from redwell.train.local.trainer import LocalTrainer
from redwell.train.loop import Loop
from redwell.train.types import Rollout

SEEDS = range(5)
STEPS = 30
FIFTH = STEPS // 5
PASSES = {"grpo": {"passes": 1}, "gspo": {"passes": 2}}
ONE_PERCENT = 3.747
"""Of Student's t with four degrees of freedom, one-sided: a larger one comes by chance less than once in a hundred."""


@pytest.mark.parametrize("staleness", [0, 2], ids=["sync", "async"])
@pytest.mark.parametrize("method", ["grpo", "gspo"])
def test_the_reward_rises_over_five_seeds(method: str, staleness: int, tmp_path: Path) -> None:
    gains = []
    for seed in SEEDS:
        given = plan(method, STEPS, staleness, seed=seed, groups={"groups_per_step": 4}, optimizer=PASSES[method])
        curve = asyncio.run(trained(tmp_path / str(seed), given, seed))
        rewards = [entry["reward"] for entry in curve]
        assert [entry["step"] for entry in curve] == list(range(1, STEPS + 1))
        gains.append(fmean(rewards[-FIFTH:]) - fmean(rewards[:FIFTH]))
        assert max(entry["oldest"] for entry in curve) <= staleness
    t = fmean(gains) / (stdev(gains) / math.sqrt(len(gains)))
    assert t > ONE_PERCENT, (t, gains)


def test_of_what_is_sampled_nothing_beyond_the_cap_is_trained_on(tmp_path: Path) -> None:
    """A rollout of the first group says its second half only after three steps were made, with a cap of one."""
    given = plan("grpo", 8, 1)

    async def main() -> None:
        async with served(tmp_path, 0) as trainer:
            ledger = Ledger(tmp_path / "ledger.sqlite")
            slow = Slow(trainer)
            await Loop(trainer, slow.play, trainer.url, given, tmp_path, ledger).run()
            assert slow.torn, "no rollout was sampled by several policies"
            trained_on = 0
            for step in range(1, given.steps + 1):
                groups, version = ledger.taken(step)
                assert version == step - 1
                for group in groups:
                    for rollout in ledger.rollouts(group):
                        sampled = [v for part in rollout.segments for v in part.versions if v >= 0]
                        assert version - 1 <= min(sampled) <= max(sampled) <= version
                        trained_on += 1
            assert trained_on == given.steps * 2 * 4
            old = [group for group in ledger.groups.groups.values() if group.state == "old"]
            assert old, "nothing was ever too old, so nothing was shown"
            assert all(too_old(group.first_version, given.steps, 1) for group in old)
            ledger.close()

    asyncio.run(main())


class Slow(Toy):
    """`torn` are the rollouts that several policies sampled."""

    def __init__(self, trainer: LocalTrainer) -> None:
        super().__init__()
        self.trainer = trainer
        self.torn: list[str] = []

    async def between(self, group: str, number: int) -> None:
        while int(group) == 1 and number == 0 and self.trainer.version < 3:
            await asyncio.sleep(0.005)

    async def play(self, task: str, group: str, number: int, url: str, folder: Path) -> Rollout:
        rollout = await super().play(task, group, number, url, folder)
        if len({v for part in rollout.segments for v in part.versions if v >= 0}) > 1:
            self.torn.append(rollout.id)
        return rollout


def test_requests_in_flight_live_through_new_weights(tmp_path: Path) -> None:
    async def main() -> None:
        async with served(tmp_path, 0, context=256) as trainer:
            asked = [
                asyncio.ensure_future(ask(trainer.url, [{"role": "user", "content": "w7"}], seed, length=60))
                for seed in range(2)
            ]
            published = 0
            while not all(one.done() for one in asked):
                published = await trainer.publish()
            answers = [one.result() for one in asked]
        assert published > 1
        torn = [set(answer["choices"][0]["policy_versions"]) for answer in answers]
        assert any(len(versions) > 1 for versions in torn), torn
        for answer in answers:
            choice = answer["choices"][0]
            assert len(choice["token_ids"]) == len(choice["policy_versions"]) == len(choice["logprobs"]["content"])
            assert choice["policy_versions"] == sorted(choice["policy_versions"])
            assert choice["finish_reason"] == "stop" or len(choice["token_ids"]) == 60

    asyncio.run(main())


def test_the_same_seed_makes_the_same_training(tmp_path: Path) -> None:
    """One request at a time: which of them share a forward pass is a matter of when they come."""
    given = plan("grpo", 4, seed=3)
    curves = [asyncio.run(trained(tmp_path / name, given, 3, slots=1)) for name in ("one", "other")]
    timeless = [
        [{name: value for name, value in entry.items() if "seconds" not in name} for entry in curve] for curve in curves
    ]
    assert timeless[0] == timeless[1]
    assert LENGTH * 2 * 4 * 2 >= timeless[0][0]["trained_tokens"] > 0

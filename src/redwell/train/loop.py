"""The loop of reinforcement learning: rollouts, groups, steps, checkpoints. It knows neither rooms nor weights, only a Play and a Trainer.

Synchronous (`max_staleness` 0): the rollouts of a step are played by the policy that it moves, then the step is made. Asynchronous: rollouts go on
while steps are made, and a group whose oldest token lies too many versions back is dropped before it is trained on. What happens is in the ledger
before anything follows from it, so that a kill at any moment loses nothing: the same call goes on.
"""

from __future__ import annotations

import contextlib
import math
import random
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from redwell.train.advantages import advantages
from redwell.train.config import Checkpoints, Groups, Optimizer, RlRecipe
from redwell.train.curve import Curve
from redwell.train.groups import capacity
from redwell.train.ledger import Ledger
from redwell.train.playing import Play, Playing, Tell, silent
from redwell.train.rewards import RewardSettings, shape
from redwell.train.stepping import Stepper, unbroken
from redwell.train.types import Datum, LossSettings, NothingToLearn, Rollout, Trainer, TrainingError

Rescore = Callable[[Sequence[Rollout]], Awaitable[list[float | None]]]
"""The rewards of a group by fresh votes as well, in order."""
Watch = Callable[[int, Sequence[Rollout]], Awaitable[dict[str, float]]]
"""More figures of a step's rollouts for the curve, such as a held-out judge's."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What the loop goes by; see `config`."""

    tasks: tuple[str, ...]
    steps: int
    loss: LossSettings
    groups: Groups
    optimizer: Optimizer
    checkpoint: Checkpoints
    reward: RewardSettings = field(default_factory=RewardSettings)
    seed: int = 0
    tensorboard: bool = False

    @classmethod
    def of(cls, recipe: RlRecipe, tasks: Sequence[str]) -> Plan:
        return cls(
            tuple(tasks),
            recipe.steps,
            recipe.loss.settings(recipe.method),
            recipe.groups,
            recipe.optimizer,
            recipe.checkpoint,
            recipe.reward.settings(),
            recipe.seed,
            recipe.tensorboard,
        )


class Loop:
    """One training in the folder `out`."""

    def __init__(
        self, trainer: Trainer, play: Play, url: str, plan: Plan, out: Path, ledger: Ledger, *,
        rescore: Rescore | None = None, watch: Watch | None = None, tell: Tell = silent,
    ) -> None:  # fmt: skip
        if not plan.tasks:
            raise TrainingError("there is no task to play: name some under [rooms]")
        self.trainer, self.plan, self.out, self.ledger = trainer, plan, out, ledger
        self._stepper = Stepper(trainer, out, ledger, plan.optimizer, plan.checkpoint, tell)
        self._rescore, self._watch, self._tell = rescore, watch, tell
        self._dropped: Counter[str] = Counter()  # groups that came to nothing since the last that did not
        self._since: Counter[str] = Counter()  # what became of groups and rollouts since the last step
        self._judging = 0.0
        streak = max(2 * plan.groups.rollouts_per_group, plan.groups.rollouts_at_a_time + 1)
        self._playing = Playing(
            play, url, out, ledger, plan.groups.rollouts_at_a_time, streak, self._complete, self._ended
        )

    @property
    def step(self) -> int:
        """The newest step that was made."""
        return self._stepper.step

    async def run(self) -> Path:
        """Makes the steps that are left. Raises TrainingError, or what a Play raised; a checkpoint of the last whole step is left behind,
        also when it is cancelled. Returns the last checkpoint."""
        curve = None
        try:
            curve = await self._go_on()
            while self.step < self.plan.steps:
                clock = _Clock()
                groups, version = await self._gather(self.step + 1, clock), self.trainer.version
                await self._make(self.step + 1, groups, version, clock, curve)
        finally:
            await self._playing.stop()
            if curve is not None:
                curve.close()
                with contextlib.suppress(
                    TrainingError, OSError
                ):  # whatever ended it is told; the checkpoint before stands
                    await self._stepper.leave()
        return self._stepper.folder

    # --- going on -----------------------------------------------------------------------------------------------------------

    async def _go_on(self) -> Curve:
        """The trainer as the last checkpoint has it, the curve up to there, and the steps after it made again from the same rollouts."""
        await self._stepper.begin()
        known = self.ledger.figures()
        curve = Curve(
            self.out,
            [one for step, one in known.items() if step <= self.step],
            tensorboard=self.plan.tensorboard,
        )
        for group in list(self.ledger.groups.groups.values()):
            if group.state == "finished":
                self._complete(group.id)
        for step in range(self.step + 1, self.ledger.last_step() + 1):
            groups, version = self.ledger.taken(step)
            if version != self.trainer.version:
                raise TrainingError(
                    f"step {step} was to be made again by policy version {version}, and the checkpoint {self._stepper.folder} has "
                    f"{self.trainer.version}: it is not of this training; begin anew with another --out"
                )
            self._tell("redone", {"step": step})
            await self._make(step, groups, version, _Clock(), curve)
        return curve

    # --- rollouts and groups ------------------------------------------------------------------------------------------------

    async def _gather(self, step: int, clock: _Clock) -> list[str]:
        """Waits for the groups of a step, and keeps rollouts going meanwhile."""
        groups = self.plan.groups
        while True:
            self._playing.check()
            old = self.ledger.groups.count("old")
            with self.ledger.together():
                taken = self.ledger.take(step, groups.groups_per_step, self.trainer.version, groups.max_staleness)
                self._fill()
            self._since["group old"] += self.ledger.groups.count("old") - old
            if taken:
                return [one.id for one in taken]
            self._playing.changed.clear()
            own, judging = self._playing.own, self._judging
            with clock.during("sampling"):
                await self._playing.changed.wait()
            clock.move("sampling", "other", self._playing.own - own)
            clock.move("sampling", "judging", self._judging - judging)

    def _fill(self) -> None:
        """Starts rollouts as far as there is room: first what groups lack, then new groups as far as staleness and the steps that are left allow."""
        groups, known, playing = self.plan.groups, self.ledger.groups, self._playing
        playing.start_missing(self.trainer.version)
        while playing.room > 0:
            in_flight = known.running + known.count("ready")
            allowed = min(
                capacity(self.step, groups.max_staleness, groups.groups_per_step, known.accepted, known.running),
                math.ceil(groups.over_sample * groups.groups_per_step) - in_flight,
                self.plan.steps * groups.groups_per_step - known.accepted - known.running,
            )
            if allowed <= 0:
                return
            again = bool(known.again)
            task = known.again[0] if again else self._task(self.ledger.fresh)
            self.ledger.begin(f"{len(known.groups) + 1:05d}", task, groups.rollouts_per_group, again=again)
            playing.start_missing(self.trainer.version)

    def _task(self, number: int) -> str:
        """The tasks in an order of their own in each round."""
        tasks = list(self.plan.tasks)
        random.Random(f"{self.plan.seed}/{number // len(tasks)}").shuffle(tasks)
        return tasks[number % len(tasks)]

    def _ended(self, kind: str, figures: dict[str, Any]) -> None:
        self._since[figures["status"]] += 1
        self._tell(kind, {**figures, **self._standing()})
        with self.ledger.together():
            self._fill()  # while a step is made nobody else would

    def _complete(self, group: str) -> None:
        if self._rescore is not None and self.ledger.groups.to_rescore(group, self.plan.groups.close):
            self._playing.beside(self._judge_again(group, self._rescore))
        else:
            self._settle(group)

    async def _judge_again(self, group: str, rescore: Rescore) -> None:
        began = time.perf_counter()
        rewards = await rescore(self.ledger.rollouts(group))
        self._judging += time.perf_counter() - began
        self.ledger.rescored(group, rewards)
        self._settle(group)

    def _settle(self, group: str) -> None:
        state = self.ledger.settled(group, self.plan.groups.flat)
        self._since[f"group {state}"] += 1
        if state == "ready":
            self._dropped.clear()
        else:
            self._dropped[state] += 1
        self._tell("group", {"id": group, "state": state, **self._standing()})
        if self._dropped[state] >= self.plan.groups.patience:
            kind = NothingToLearn if state == "flat" else TrainingError
            self._playing.failure = self._playing.failure or kind(self._hopeless(group, state))

    def _hopeless(self, group: str, state: str) -> str:
        """Why it makes no sense to go on after so many groups that came to nothing."""
        count = self._dropped[state]
        if state == "flat":
            return (
                f"{count} groups were dropped as flat, and none between them was of use: the rollouts of each are all worth the same, so there is nothing "
                "to learn from: the policy has settled, or cannot do these tasks at all. Warm it up with `redwell train sft`, choose easier or harder tasks, or raise groups.rollouts_per_group"
            )
        whys = Counter(one.why for one in self.ledger.rollouts(group) if one.reward is None)
        return (
            f"{count} groups had fewer than two rollouts that could be scored, and none between them was of use. In the last this was most often why: "
            f"{whys.most_common(1)[0][0]}. See to that, and give the same command again: their tasks are played anew"
        )

    def _standing(self) -> dict[str, Any]:
        known = self.ledger.groups
        return {
            "step": self.step,
            "running": len(self._playing.running),
            "groups": known.running,
            "ready": known.count("ready"),
        }

    # --- a step -------------------------------------------------------------------------------------------------------------

    async def _make(self, step: int, groups: Sequence[str], version: int, clock: _Clock, curve: Curve) -> None:
        """Moves the policy by these groups, publishes it, and writes down what it came to."""
        rollouts = [self.ledger.rollouts(group) for group in groups]
        every = [one for group in rollouts for one in group]
        data = data_of(rollouts, self.plan.reward)
        if not data:
            raise TrainingError(
                f"step {step}: no rollout of it has a sampled token with a log-probability, so there is nothing to train on: the policy must be "
                "served with return_token_ids, and played with capture = true"
            )
        watched: dict[str, float] = {}
        if self._watch is not None:
            with clock.during("judging"):
                watched = await self._watch(step, every)
        with clock.during("training"):
            report, norm = await self._stepper.move(step, data, self.plan.loss)
            await unbroken(self.trainer.publish())
            self._stepper.made(step)
            if due := self._stepper.due(self.plan.steps):
                await self._stepper.write()
        since, self._since = self._since, Counter()
        figures = {
            "step": step,
            **_figures(every, version),
            **watched,
            "loss": report.loss,
            "gradient": norm,
            "learning_rate": self._stepper.rate(step),
            "padding": report.padding,
            **dict(report.metrics),
            "trained_tokens": report.tokens,
            "version": self.trainer.version,
            **{f"dropped_{name}": since[f"group {name}"] for name in ("flat", "unscorable", "old")},
            "unscorable": since["unscorable"],
            **clock.figures(),
        }
        self.ledger.told(step, figures)
        curve.add(figures)
        if due:
            self._stepper.saved()
        self._tell("step", {**figures, "steps": self.plan.steps, **self._standing()})


def data_of(groups: Sequence[Sequence[Rollout]], reward: RewardSettings) -> list[Datum]:
    """What a step trains on: one datum for each segment with trained tokens, all segments of a rollout one after another. A rollout has one advantage,
    over its group. Unscorable ones are left out, and so is one of which nothing was sampled."""
    data: list[Datum] = []
    number = 0
    for group in groups:
        for rollout, advantage in zip(group, advantages(shape(group, reward)), strict=True):
            tokens = rollout.trained_tokens
            if advantage is None or not tokens:
                continue
            for segment in rollout.segments:
                if any(segment.trained):
                    data.append(Datum(segment.ids, segment.trained, segment.logprobs, advantage, number, tokens))
            number += 1
    return data


def _figures(rollouts: Sequence[Rollout], version: int) -> dict[str, Any]:
    """What the rollouts of a step were like."""
    scored = [one for one in rollouts if one.reward is not None]
    ages = [version - one.first_version for one in scored if one.first_version >= 0]
    found: dict[str, Any] = {
        "reward": _mean([one.reward for one in scored if one.reward is not None]),
        "rollouts": len(scored),
        "staleness": _mean(ages),
        "oldest": max(ages, default=0),
        "truncated": _mean([float(one.status == "truncated") for one in scored]),
        "submitted": _mean([float(one.submitted) for one in scored]),
        "wrote_while_reading": _mean([float(one.wrote_while_reading) for one in scored]),
        "dollars": sum(one.dollars for one in rollouts),
    }
    for name in ("coverage", "sub_calls", "turns", "root_input", "root_output", "sub_tokens"):
        found[name] = _mean([float(getattr(one, name)) for one in scored])
    found["tokens"] = _mean([float(one.trained_tokens) for one in scored])
    for name in sorted({name for one in scored for name in one.parts}):
        found[name] = _mean([one.parts[name] for one in scored if name in one.parts])
    return found


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0


class _Clock:
    """Where the seconds of a step go: sampling (waiting for rollouts), training, judging; what is left is the loop's own."""

    def __init__(self) -> None:
        self._began = time.perf_counter()
        self._spent: dict[str, float] = defaultdict(float)

    @contextmanager
    def during(self, what: str) -> Iterator[None]:
        began = time.perf_counter()
        try:
            yield
        finally:
            self._spent[what] += time.perf_counter() - began

    def move(self, source: str, target: str, seconds: float) -> None:
        """Part of what was counted as waiting was something else."""
        seconds = min(max(seconds, 0.0), self._spent[source])
        self._spent[source] -= seconds
        self._spent[target] += seconds

    def figures(self) -> dict[str, float]:
        whole = time.perf_counter() - self._began
        known = {name: self._spent[name] for name in ("sampling", "training", "judging")}
        told = {"seconds": whole, **{f"seconds_{name}": seconds for name, seconds in known.items()}}
        return {**told, "seconds_other": max(0.0, whole - sum(known.values()))}

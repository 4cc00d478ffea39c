"""A trainer without weights and a play without a model, for what is decided by the loop and the ledger alone. `weights` are the rollouts that were trained on."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Sequence
from pathlib import Path

from redwell.train.types import Datum, LossSettings, Rollout, Segment, StepReport


class Killed(BaseException):
    """The process is dead: nothing that it would still do is done."""


class Life:
    """Ends at its n-th breath; None never does."""

    def __init__(self, breaths: int | None = None) -> None:
        self.left = breaths
        self.taken = 0

    def breathe(self) -> None:
        self.taken += 1
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise Killed


class Pretended:
    """Implements `types.Trainer`. Its weights are the sampled tokens that it was given, in order, which tell every rollout from every other."""

    def __init__(self, life: Life | None = None) -> None:
        self.version = 0
        self.weights: list[list[int]] = []
        self._seen: list[list[int]] = []
        self._life = life or Life()
        self.loss = 0.5

    async def logprobs(self, data: Sequence[Datum]) -> list[tuple[float, ...]]:
        return [datum.sampled for datum in data]

    async def forward_backward(self, data: Sequence[Datum], settings: LossSettings) -> StepReport:
        self._life.breathe()
        self._seen += [list(datum.ids) for datum in data]
        return StepReport(self.loss, sum(sum(datum.trained) for datum in data), {"clipped": 0.0})

    async def optim_step(self, learning_rate: float) -> float:
        self._life.breathe()
        self.weights += self._seen
        self._seen = []
        return 1.0

    async def save(self, folder: Path) -> None:
        self._life.breathe()
        folder.mkdir(parents=True, exist_ok=True)
        part = folder / "new"
        part.write_text(json.dumps({"version": self.version, "weights": self.weights}))
        self._life.breathe()
        part.rename(folder / "weights.json")

    async def load(self, folder: Path) -> None:
        found = json.loads((folder / "weights.json").read_text())
        self.version, self.weights, self._seen = found["version"], found["weights"], []

    async def publish(self) -> int:
        self._life.breathe()
        await asyncio.sleep(0)
        self.version += 1
        return self.version

    async def close(self) -> None: ...


class Plays:
    """`play` gives what only the rollout's name decides: its tokens, and a reward by chance. `why` makes the next rollouts unscorable."""

    def __init__(self, trainer: Pretended, life: Life | None = None) -> None:
        self.trainer = trainer
        self.why = ""
        self.played: list[str] = []
        self._life = life or Life()

    async def play(self, task: str, group: str, number: int, url: str, folder: Path) -> Rollout:
        version, name = self.trainer.version, f"{group}/{number}"
        chance = random.Random(f"{task}/{name}")
        for _ in range(chance.randint(1, 6)):
            await asyncio.sleep(0)
        self._life.breathe()
        self.played.append(name)
        ids = (1, int(group), number, chance.randrange(1_000))
        segment = Segment(
            ids, (False, True, True, True), (0.0, -1.0, -1.0, -1.0), (-1, version, version, version), (-1, 0, 0, 0)
        )
        if self.why:
            return Rollout(name, task, group, "unscorable", (segment,), None, why=self.why)
        reward = 0.5 if chance.random() < 0.3 and number < 2 else chance.random()
        if int(group) % 5 == 3:
            reward = 0.25  # a flat group
        return Rollout(name, task, group, "ok", (segment,), reward, {"criteria": reward})

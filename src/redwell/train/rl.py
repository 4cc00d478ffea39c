"""`redwell train rl`: the loop over rooms, with the trainer, the judge and the watches that a recipe names."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from redwell.bench.grading import FACTS
from redwell.train import groups
from redwell.train.config import RlRecipe
from redwell.train.loop import Loop, Plan, Rescore, Watch
from redwell.train.monitors import alarms
from redwell.train.playing import Tell, silent
from redwell.train.rooms import RoomPlay
from redwell.train.setup import prepared
from redwell.train.types import Rollout


async def train_rl(recipe: RlRecipe, out: Path, tell: Tell = silent) -> Path:
    """Trains by the recipe into the folder `out`, or goes on with the training there; returns the last checkpoint.

    Raises TrainingError and the errors of `setup.prepared`. Whatever ends it, a checkpoint and every rollout are kept; cancelling it ends rollouts and
    training in order.
    """
    async with prepared(recipe, out, tell) as ready:
        loop = Loop(
            ready.trainer,
            ready.rooms.play,
            ready.trainer.url,
            Plan.of(recipe, ready.tasks),
            out.resolve(),
            ready.ledger,
            rescore=_rescore(recipe, ready.rooms),
            watch=_watch(recipe, ready.rooms),
            tell=_Alarmed(tell, list(ready.ledger.figures().values())),
        )
        return await loop.run()


def _rescore(recipe: RlRecipe, rooms: RoomPlay) -> Rescore | None:
    """Fresh votes for close groups; the facts judge always says the same."""
    if recipe.rooms.judge == FACTS or not recipe.groups.close:
        return None

    async def rescore(group: Sequence[Rollout]) -> list[float | None]:
        return await groups.rescore(group, rooms.judge_again, votes=recipe.groups.votes)

    return rescore


def _watch(recipe: RlRecipe, rooms: RoomPlay) -> Watch | None:
    judge = recipe.rooms.held_out
    if judge is None:
        return None

    async def watch(step: int, rollouts: Sequence[Rollout]) -> dict[str, float]:
        if step % recipe.monitor.every and step != 1:
            return {}
        scored = [one for one in rollouts if one.reward is not None]
        found = await asyncio.gather(*(rooms.held_out(one, judge) for one in scored))
        known = [score for score in found if score is not None]
        return {"held_out": math.fsum(known) / len(known)} if known else {}

    return watch


class _Alarmed:
    """Passes on what happens, and says when a watching curve tells of a gamed reward."""

    def __init__(self, tell: Tell, curve: list[dict[str, Any]]) -> None:
        self._tell, self._curve, self._said = tell, curve, 0

    def __call__(self, kind: str, figures: dict[str, Any]) -> None:
        self._tell(kind, figures)
        if kind == "step":
            self._curve.append(figures)
            found = alarms(self._curve)
            if found and not self._said:
                self._tell("alarm", {"step": figures["step"], "alarms": found})
            self._said = len(found)

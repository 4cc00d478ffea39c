"""`redwell train sft`: self-distillation. The policy plays each task a few times and learns from the best of it, only from what the root said."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from redwell.train.config import SftRecipe
from redwell.train.curve import Curve
from redwell.train.demonstrations import demonstrations
from redwell.train.ledger import Ledger
from redwell.train.playing import Playing, Tell, silent
from redwell.train.select import choose
from redwell.train.setup import DEMONSTRATIONS, Prepared, prepared, renderer_of
from redwell.train.stepping import Stepper
from redwell.train.types import Datum, LossSettings, Segment, TrainingError

_LOSS = LossSettings("sft")


async def train_sft(recipe: SftRecipe, out: Path, tell: Tell = silent) -> Path:
    """Trains by the recipe into the folder `out`, or goes on with the training there; returns the last checkpoint.

    Raises TrainingError and the errors of `setup.prepared`. Whatever ends it, a checkpoint and every rollout are kept.
    """
    async with prepared(recipe, out, tell, serve=bool(recipe.choice.rollouts_per_task)) as ready:
        learnt = await learnt_from(recipe, ready, out.resolve(), tell)
        return await imitate(recipe, ready, learnt, out.resolve(), tell)


async def learnt_from(recipe: SftRecipe, ready: Prepared, out: Path, tell: Tell) -> list[tuple[Segment, ...]]:
    """What is learnt from: the segments of each chosen rollout, then of the demonstrations. Plays what has not been played yet; a choice that was made
    stands."""
    choice, ledger = recipe.choice, ready.ledger
    if choice.rollouts_per_task:
        await _play_all(recipe, ready, out, tell)
    every = [one for group in ledger.groups.groups for one in ledger.rollouts(group)]
    chosen = choose(every, coverage=choice.coverage, above_median=choice.above_median, per_task=choice.per_task)
    tell("chosen", {"rollouts": len(chosen.rollouts), "of": len(every), "left_out": dict(chosen.left_out)})
    learnt = [one.segments for one in chosen.rollouts]
    if choice.demonstrations:
        renderer = await asyncio.to_thread(renderer_of, recipe.policy)
        folder = out / DEMONSTRATIONS
        made = await demonstrations(ready.rooms, renderer, choice.demonstrations, folder, seed=recipe.seed)
        tell("demonstrated", {"rollouts": len(made), "submitted": sum(one.submitted for one in made)})
        learnt += [one.segments for one in made]
    if not learnt:
        why = ", ".join(f"{count} {name}" for name, count in chosen.left_out.items() if count)
        raise TrainingError(
            f"none of the {len(every)} rollouts is worth learning from ({why}): lower choice.coverage, play more with choice.rollouts_per_task (in "
            "another folder), or add choice.demonstrations"
        )
    return learnt


async def _play_all(recipe: SftRecipe, ready: Prepared, out: Path, tell: Tell) -> None:
    """Each task `rollouts_per_task` times, as one group."""
    choice, ledger = recipe.choice, ready.ledger
    for number, task in enumerate(ready.tasks, 1):
        if f"{number:05d}" not in ledger.groups.groups:
            ledger.begin(f"{number:05d}", task, choice.rollouts_per_task)
    streak = max(2 * choice.rollouts_per_task, choice.rollouts_at_a_time + 1)
    playing = Playing(
        ready.rooms.play, ready.trainer.url, out, ledger, choice.rollouts_at_a_time, streak, lambda group: None, tell
    )
    try:
        while True:
            playing.check()
            playing.start_missing(ready.trainer.version)
            if not playing.running:
                return
            playing.changed.clear()
            await playing.changed.wait()
    finally:
        await playing.stop()


async def imitate(
    recipe: SftRecipe, ready: Prepared, learnt: Sequence[tuple[Segment, ...]], out: Path, tell: Tell
) -> Path:
    """Goes through what is learnt from `epochs` times, in an order of its own each time; returns the last checkpoint."""
    stepper = Stepper(ready.trainer, out, ready.ledger, recipe.optimizer, recipe.checkpoint, tell)
    await stepper.begin()
    steps = steps_of(len(learnt), recipe)
    known = ready.ledger.figures()
    curve = Curve(out, [one for step, one in known.items() if step <= stepper.step], tensorboard=recipe.tensorboard)
    try:
        for step, numbers in enumerate(steps, 1):
            if step > stepper.step:
                await _step(
                    step, len(steps), [learnt[number] for number in numbers], stepper, ready.ledger, curve, tell
                )
    finally:
        curve.close()
        with contextlib.suppress(TrainingError, OSError):  # whatever ended it is told; the checkpoint before stands
            await stepper.leave()
    return stepper.folder


async def _step(
    step: int, last: int, part: Sequence[tuple[Segment, ...]], stepper: Stepper, ledger: Ledger, curve: Curve, tell: Tell
) -> None:  # fmt: skip
    began = time.perf_counter()
    report, norm = await stepper.move(step, imitated(part), _LOSS)
    stepper.made(step)
    if due := stepper.due(last):
        await stepper.write()
    figures: dict[str, Any] = {
        "step": step,
        "loss": report.loss,
        "gradient": norm,
        "learning_rate": stepper.rate(step),
        "padding": report.padding,
        **dict(report.metrics),
        "rollouts": len(part),
        "trained_tokens": report.tokens,
        "seconds": (seconds := time.perf_counter() - began),
        "seconds_training": seconds,
    }
    ledger.told(step, figures)
    curve.add(figures)
    if due:
        stepper.saved()
    tell("step", {**figures, "steps": last})


def steps_of(count: int, recipe: SftRecipe) -> list[list[int]]:
    """Which of `count` rollouts each step takes: every one once in each epoch, in an order that the seed gives."""
    steps = []
    for epoch in range(recipe.epochs):
        order = list(range(count))
        random.Random(f"{recipe.seed}/{epoch}").shuffle(order)
        steps += [order[at : at + recipe.rollouts_per_step] for at in range(0, count, recipe.rollouts_per_step)]
    return steps


def imitated(rollouts: Sequence[tuple[Segment, ...]]) -> list[Datum]:
    """What a step learns by imitation: every segment with tokens of the root."""
    data = []
    for number, segments in enumerate(rollouts):
        tokens = sum(sum(segment.trained) for segment in segments)
        data += [Datum(one.ids, one.trained, one.logprobs, 1.0, number, tokens) for one in segments if any(one.trained)]
    return data

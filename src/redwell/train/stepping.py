"""Steps of a trainer and the checkpoints between them, so that a kill at any moment costs at most the steps since the last one."""

from __future__ import annotations

import asyncio
import math
import shutil
from collections.abc import Awaitable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from redwell.train.config import Checkpoints, Optimizer
from redwell.train.ledger import Ledger
from redwell.train.playing import Tell
from redwell.train.types import Datum, Diverged, LossSettings, StepReport, Trainer, TrainingError

CHECKPOINTS = "checkpoints"
T = TypeVar("T")


class Stepper:
    """`step` is the newest step that was made."""

    def __init__(
        self, trainer: Trainer, out: Path, ledger: Ledger, optimizer: Optimizer, checkpoint: Checkpoints, tell: Tell
    ) -> None:
        self.step = 0
        self._trainer, self._place, self._ledger, self._tell = trainer, out / CHECKPOINTS, ledger, tell
        self._optimizer, self._checkpoint = optimizer, checkpoint
        self._whole = False  # the weights are those after `step`: known, and not in the middle of the next

    @property
    def folder(self) -> Path:
        """Where the checkpoint of `step` is, or goes."""
        return self._place / f"step-{self.step:06d}"

    async def begin(self) -> None:
        """Loads the last checkpoint. At the very beginning one is made, since steps are made again from it."""
        last = self._ledger.checkpoint()
        if last is None:
            await self.write()
            self.saved()
        else:
            await self._trainer.load(self._place / last[1])
            self.step = last[0]
        self._whole = True

    def rate(self, step: int) -> float:
        """The learning rate of a step."""
        return self._optimizer.learning_rate * min(1.0, step / (self._optimizer.warmup_steps + 1))

    async def move(self, step: int, data: Sequence[Datum], loss: LossSettings) -> tuple[StepReport, float]:
        """Goes through the data of a step, `passes` times; its first report (with `clipped` of the last) and the gradient's norm there. Raises
        TrainingError when it diverges; the weights are then as they were, if it was in the first pass."""
        passes = self._optimizer.passes
        if passes > 1:  # in the first pass the weights are those with which the step began, and no ratio is away from 1
            old = await unbroken(self._trainer.logprobs(data))
            data = [replace(datum, old=logprobs) for datum, logprobs in zip(data, old, strict=True)]
        told: list[tuple[StepReport, float]] = []
        for _ in range(passes):
            try:
                report = await unbroken(self._trainer.forward_backward(data, loss))
                if not math.isfinite(report.loss):
                    raise Diverged(f"the loss is {report.loss}")
                self._whole = False
                norm = await unbroken(self._trainer.optim_step(self.rate(step)))
            except Diverged as error:
                self._whole = not told and not error.taken
                raise self._diverged(step, str(error), moved=step > 1 or bool(told)) from None
            told.append((report, norm))
        first, norm = told[0]
        clipped = {"clipped": told[-1][0].metrics["clipped"]} if "clipped" in first.metrics else {}
        return replace(first, metrics={**first.metrics, **clipped}), norm

    def _diverged(self, step: int, why: str, *, moved: bool) -> TrainingError:
        last = self._ledger.checkpoint()
        kept = self.step if self._whole or last is None else last[0]
        way = (
            f"Lower optimizer.learning_rate (it is {self.rate(step):g}) or optimizer.max_norm, and give the same command again: the step is made "
            "again from the same rollouts"
            if moved
            else "The weights had not been moved yet, so it is not the learning rate: look at policy.base, policy.start and policy.alpha, and "
            "train into another folder"
        )
        return TrainingError(
            f"step {step} has diverged: {why}. Its rollouts are kept, and so are the weights of step {kept} in {self._place}. {way}"
        )

    def made(self, step: int) -> None:
        """The weights are those after this step."""
        self.step, self._whole = step, True

    def due(self, last: int) -> bool:
        """Whether a checkpoint belongs after this step, `last` being that of the training."""
        return self.step % self._checkpoint.every == 0 or self.step >= last

    async def write(self) -> None:
        await unbroken(self._trainer.save(self.folder))

    def saved(self) -> None:
        """The checkpoint was written, and so was what its step came to: from now on that is where training goes on. The oldest are removed."""
        self._ledger.saved(self.step, self.folder.name)
        self._tell("saved", {"step": self.step, "folder": str(self.folder)})
        known = sorted(path for path in self._place.glob("step-*") if path.name <= self.folder.name)
        for path in known[: -self._checkpoint.keep]:
            shutil.rmtree(path, ignore_errors=True)

    async def leave(self) -> None:
        """A checkpoint of the last step that was made and told, if there is none."""
        last = self._ledger.checkpoint()
        if self._whole and last is not None and last[0] < self.step and self.step in self._ledger.figures():
            await self.write()
            self.saved()


async def unbroken(work: Awaitable[T]) -> T:
    """Lets the trainer end what it began, also when it is cancelled: a thread cannot be broken off, and must not be met by the next call."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        if not task.cancelled():
            task.exception()
        raise

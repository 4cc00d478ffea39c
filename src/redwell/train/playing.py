"""Plays rollouts, at most so many at a time, and writes each down the moment it ends."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

from redwell.train.ledger import Ledger
from redwell.train.types import Rollout, TrainingError

Play = Callable[[str, str, int, str, Path], Awaitable[Rollout]]
"""play(task, group, number, url, folder): one rollout by the policy at `url`, which may leave its files in `folder`. What is there already is gone on
with. It gives an unscorable rollout for what is none of the root's doing, and raises what makes no sense to go on after."""
Tell = Callable[[str, dict[str, Any]], None]
"""tell(what happened, figures): `rollout`, `group`, `step`, `saved`, `redone`. Must return at once."""
ROLLOUTS = "rollouts"


def silent(kind: str, figures: dict[str, Any]) -> None:
    """Tells nobody."""


class Playing:
    """`changed` is set whenever a rollout or a task beside them ends; `failure` is what ended one for good. `own` adds up the seconds that were spent here on
    writing down, not on playing."""

    def __init__(
        self, play: Play, url: str, out: Path, ledger: Ledger, most: int, streak: int, complete: Callable[[str], None], tell: Tell
    ) -> None:  # fmt: skip
        """`most` rollouts at a time; after `streak` unscorable ones in a row playing stops. `complete` is called with each group whose last
        rollout is in."""
        self._play, self._url, self._out, self._ledger = play, url, out, ledger
        self._most, self._longest, self._complete, self._tell = most, streak, complete, tell
        self._streak: list[Rollout] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self.running: set[tuple[str, int]] = set()
        self.changed = asyncio.Event()
        self.failure: BaseException | None = None
        self.own = 0.0
        self._stopped = False

    @property
    def room(self) -> int:
        """How many more rollouts may be started."""
        return 0 if self._stopped or self.failure is not None else self._most - len(self.running)

    def start_missing(self, version: int) -> None:
        """Starts what the running groups still lack, oldest group first, as far as there is room."""
        if self.room <= 0:
            return
        for group in self._ledger.groups.groups.values():
            if group.state != "running":
                continue
            for number in group.missing:
                if self.room > 0 and (group.id, number) not in self.running:
                    self._ledger.started(group.id, number, version)
                    self.running.add((group.id, number))
                    self.beside(self._one(group.id, group.task, number))

    def beside(self, work: Coroutine[Any, Any, None]) -> None:
        """Does something beside the rollouts; what it raises is a failure."""

        async def guarded() -> None:
            try:
                await work
            except asyncio.CancelledError:
                raise
            except BaseException as error:  # nobody waits for this task, so whatever it is must be raised elsewhere
                self.failure = self.failure or error
            finally:
                self.changed.set()

        task = asyncio.ensure_future(guarded())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: work.close())  # one that was cancelled before it began

    def check(self) -> None:
        """Raises what ended a rollout for good."""
        if self.failure is not None:
            raise self.failure

    async def stop(self) -> None:
        """Cancels what runs, and waits for it to end in order. What had not ended is played on the next time."""
        self._stopped = True
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _one(self, group: str, task: str, number: int) -> None:
        try:
            rollout = await self._play(task, group, number, self._url, self._out / ROLLOUTS / group / str(number))
        finally:
            self.running.discard((group, number))
        began = time.perf_counter()
        if rollout.id != f"{group}/{number}" or rollout.group != group:
            raise TrainingError(f"rollout {group}/{number} came back as {rollout.id} of {rollout.group}")
        with self._ledger.together():
            whole = self._ledger.finished(rollout)
            self._watch(rollout)
            if whole and self.failure is None:
                self._complete(group)
        self._tell(
            "rollout",
            {"id": rollout.id, "task": task, "status": rollout.status, "reward": rollout.reward, "why": rollout.why},
        )
        self.own += time.perf_counter() - began

    def _watch(self, rollout: Rollout) -> None:
        """Ends playing when nothing can be scored any more: what is down will be down for the next rollout too."""
        if rollout.reward is not None:
            self._streak.clear()
            return
        self._streak.append(rollout)
        if len(self._streak) < self._longest:
            return
        for group in dict.fromkeys(one.group for one in self._streak):
            numbers = [int(one.id.rpartition("/")[2]) for one in self._streak if one.group == group]
            self._ledger.reopened(group, numbers)
        why = self._streak[-1].why or "no reason was given"
        self.failure = self.failure or TrainingError(
            f"the last {len(self._streak)} rollouts could not be scored: {why}. They are kept and will be scored when the same command is "
            "given again; see to that first"
        )

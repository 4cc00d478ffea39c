"""Which groups are running, ready, trained on or dropped: rules of staleness and capacity, and the state that keeps each rollout counted once.

No clock, no file, no model. `Groups` is plain state that goes to JSON and back; the loop writes it down and tells it what happened.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

from redwell.train.advantages import is_flat, known
from redwell.train.types import Rollout, TrainingError

State = Literal["running", "finished", "ready", "taken", "consumed", "flat", "unscorable", "old"]
"""`running`: rollouts are out; `finished`: all are in, nothing is decided yet; `ready` for a step; `taken` by a step that has not ended;
`consumed` by one that has. Dropped: `flat` (equal scores), `unscorable` (fewer than two scored), `old` (beyond the staleness cap)."""

Judge = Callable[[Rollout], Awaitable[float | None]]
"""Scores a rollout anew, by one fresh vote; None when it cannot."""


def capacity(step: int, max_staleness: int, groups_per_step: int, accepted: int, running: int) -> int:
    """How many more groups may be started now, 0 or more: (max_staleness + step + 1) * groups_per_step - (accepted + running).

    `step` counts the steps taken, so that the version is `step`; `accepted` are the groups that were trained on or wait to be, `running` those not
    decided yet. Dropped groups are neither, which is how they are refilled. With max_staleness 0 only the groups of the step at hand run.

    Source: the staleness control of AReaL (Fu et al. 2025, eq. 3).
    """
    return max(0, (max_staleness + step + 1) * groups_per_step - (accepted + running))


def too_old(first_version: int, version: int, max_staleness: int) -> bool:
    """Whether tokens sampled by `first_version` must not be trained on by a step that begins at `version`: version - first_version >
    max_staleness. False for -1: nothing was sampled."""
    return first_version >= 0 and version - first_version > max_staleness


def is_close(rewards: Sequence[float | None], within: float) -> bool:
    """Whether a group's order hangs on the judge's mood: two or more are scored, and max - min <= within. Such a group is re-scored before
    advantages are taken. `within` 0 means never."""
    scored = known(rewards)
    return within > 0 and len(scored) > 1 and max(scored) - min(scored) <= within


async def rescore(group: Sequence[Rollout], judge: Judge, *, votes: int = 1) -> list[float | None]:
    """The rewards of a group, in order, with `votes` fresh scores of the judge for each scored rollout: the mean of the first score and those that
    came. Unscorable ones are not asked about and stay None. All rollouts at once, the votes on one after another; what the judge raises is raised, and
    ends the others.
    """

    async def anew(one: Rollout) -> float | None:
        if one.reward is None or not math.isfinite(one.reward):
            return None
        scores = known([one.reward, *[await judge(one) for _ in range(votes)]])
        return math.fsum(scores) / len(scores)

    asked = [asyncio.ensure_future(anew(one)) for one in group]
    try:
        return list(await asyncio.gather(*asked))
    finally:
        for one in asked:
            one.cancel()


@dataclass(slots=True)
class Group:
    """Rollouts of one task, numbered from 0 to size - 1. `rewards` holds those that are in (None: unscorable), by number; `first_version` is the
    oldest policy that sampled a token of them (-1: none did). `order` is when it became ready, `step` the one that took it."""

    id: str
    task: str
    size: int
    state: State = "running"
    rewards: dict[int, float | None] = field(default_factory=dict)
    first_version: int = -1
    rescored: bool = False
    order: int = -1
    step: int = -1

    @property
    def missing(self) -> list[int]:
        """Numbers of the rollouts that are still out, as after a restart they are to be played."""
        return [number for number in range(self.size) if number not in self.rewards]

    @property
    def scores(self) -> list[float | None]:
        """Rewards in order of number, None for those that are out."""
        return [self.rewards.get(number) for number in range(self.size)]


@dataclass(slots=True)
class Groups:
    """All groups of a training. Raises TrainingError for what cannot be: a group started twice, a rollout of none, a step out of order.

    A group goes start -> finish (each rollout) -> [rescored] -> settle -> take -> commit. A rollout that is told twice counts once; a step that was
    killed is given back by `restore`, and its groups are taken anew.
    """

    groups: dict[str, Group] = field(default_factory=dict)
    again: list[str] = field(default_factory=list)
    ready_count: int = 0

    def start(self, group: str, task: str, size: int) -> Group:
        """A group of `size` rollouts begins."""
        if group in self.groups:
            raise TrainingError(f"group {group} was started before; give each group a name of its own")
        if size < 2:
            raise TrainingError(f"group {group}: {size} rollouts cannot be compared; give 2 or more for each group")
        self.groups[group] = Group(group, task, size)
        return self.groups[group]

    def finish(self, rollout: Rollout) -> bool:
        """A rollout is in; True when it is the last of its group. One that is in already changes nothing and gives False."""
        group = self._of(rollout.group)
        number = _number(rollout, group)
        if number in group.rewards:
            return False
        group.rewards[number] = rollout.reward if rollout.reward is not None and math.isfinite(rollout.reward) else None
        if group.rewards[number] is not None and rollout.first_version >= 0:
            versions = [version for version in (group.first_version, rollout.first_version) if version >= 0]
            group.first_version = min(versions)
        if group.missing:
            return False
        group.state = "finished"
        return True

    def reopen(self, group: str, numbers: Sequence[int]) -> None:
        """These rollouts are out again. Nothing happens to a group that was found fit for a step, or flat: what it was decided by stands, and a
        group that was trained on must not be trained on again."""
        one = self._of(group)
        if one.state not in ("running", "finished", "unscorable"):
            return
        if one.state == "unscorable" and one.task in self.again:
            self.again.remove(one.task)
        for number in numbers:
            one.rewards.pop(number, None)
        one.state = "running"

    def to_rescore(self, group: str, within: float) -> bool:
        """Whether fresh votes are due: all rollouts are in, the scores lie close, and it was not done before."""
        one = self._of(group)
        return one.state == "finished" and not one.rescored and is_close(one.scores, within)

    def rescored(self, group: str, rewards: Sequence[float | None]) -> None:
        """The rewards after fresh votes, in order of number. Once for each group."""
        one = self._of(group, "finished")
        if one.rescored or len(rewards) != one.size:
            raise TrainingError(f"group {group}: it was re-scored before, or not by one reward for each rollout")
        one.rewards = dict(enumerate(rewards))
        one.rescored = True

    def settle(self, group: str, tolerance: float) -> State:
        """Decides a finished group: `ready`, or dropped as `flat` or `unscorable`. The task of an unscorable one is to be played again."""
        one = self._of(group, "finished")
        if len(known(one.scores)) < 2:
            self._drop(one, "unscorable")
        elif is_flat(one.scores, tolerance):
            self._drop(one, "flat")
        else:
            one.state, one.order = "ready", self.ready_count
            self.ready_count += 1
        return one.state

    def take(self, step: int, count: int, version: int, max_staleness: int) -> list[Group]:
        """The groups of a step: `count` of the ready ones, those with the oldest tokens first (then those that were ready first). Those that are
        too old by now are dropped, and their tasks are to be played again. With fewer than `count` left nothing is taken: [].

        Raises TrainingError when a step is out, or this one was taken before.
        """
        if any(one.state == "taken" or one.step >= step for one in self.groups.values()):
            raise TrainingError(f"step {step}: it, a later one, or one that has not ended has its groups already")
        for one in self._in("ready"):
            if too_old(one.first_version, version, max_staleness):
                self._drop(one, "old")
        ready = sorted(self._in("ready"), key=lambda one: (one.first_version, one.order))
        if len(ready) < count:
            return []
        for one in ready[:count]:
            one.state, one.step = "taken", step
        return ready[:count]

    def commit(self, step: int) -> None:
        """The step has ended and is saved: its groups are never trained on again."""
        taken = [one for one in self._in("taken") if one.step == step]
        if not taken:
            raise TrainingError(f"step {step} has taken no groups")
        for one in taken:
            one.state = "consumed"

    def next_again(self) -> str | None:
        """The task that is due to be played again, each once; None when none is."""
        return self.again.pop(0) if self.again else None

    @property
    def accepted(self) -> int:
        return len(self._in("ready", "taken", "consumed"))

    @property
    def running(self) -> int:
        return len(self._in("running", "finished"))

    def count(self, state: State) -> int:
        return len(self._in(state))

    def dump(self) -> dict[str, Any]:
        """As JSON; see `restore`."""
        return asdict(self)

    @staticmethod
    def restore(written: Any) -> Groups:
        """From what `dump` gave, read back from JSON. Groups that a step had taken and not committed are ready again. Raises TrainingError."""
        try:
            groups = _READER.validate_python(written)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(part) for part in first["loc"]) or "groups"
            raise TrainingError(
                f"the state of the groups cannot be used ({place}: {first['msg'].lower()}); start anew"
            ) from None
        for one in groups._in("taken"):
            one.state, one.step = "ready", -1
        return groups

    def _drop(self, group: Group, state: State) -> None:
        group.state = state
        if state != "flat":  # a task whose rollouts score alike most likely will again; the next task takes its place
            self.again.append(group.task)

    def _in(self, *states: State) -> list[Group]:
        return [one for one in self.groups.values() if one.state in states]

    def _of(self, group: str, state: State | None = None) -> Group:
        one = self.groups.get(group)
        if one is None:
            raise TrainingError(f"group {group} was never started")
        if state is not None and one.state != state:
            raise TrainingError(f"group {group} is {one.state}, not {state}")
        return one


_READER = TypeAdapter(Groups)


def _number(rollout: Rollout, group: Group) -> int:
    name, _, number = rollout.id.rpartition("/")
    if name != group.id or not number.isascii() or not number.isdigit() or int(number) >= group.size:
        raise TrainingError(
            f"rollout {rollout.id}: group {group.id} has the rollouts {group.id}/0 to {group.id}/{group.size - 1}"
        )
    return int(number)

"""Rollouts in real rooms: a task is played through the rlm harness as a cell of a matrix is, with the policy as the root, and graded."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from redwell.bench.cell import Cell, carry_out, result_of
from redwell.bench.grading import FACTS, GradingError, Options, grade_run
from redwell.bench.harnesses import DEPTHS
from redwell.bench.key import Key, read_key
from redwell.bench.matrix import slug
from redwell.bench.measures import read_measures
from redwell.bench.tasks import BenchTask, TaskError
from redwell.bench.verdicts import VerdictError, VerdictSet
from redwell.diligence.naming import resolve
from redwell.diligence.prompt import root_prompt
from redwell.harness.brief import root_texts
from redwell.harness.root import seed_of
from redwell.harness.types import Settings
from redwell.journal.journal import Journal, JournalError
from redwell.models.budget import Budget
from redwell.models.connect import ModelNameError
from redwell.models.types import FailureKind
from redwell.room.room import RoomError
from redwell.sandbox.types import SandboxUnavailable
from redwell.train.capture import segments, turns
from redwell.train.monitors import watched_parts
from redwell.train.rewards import RewardSettings, reward
from redwell.train.types import Rollout, RolloutStatus, TrainingError

SETTINGS: dict[str, Any] = {"capture": True, "root_temperature": 1.0, "salvage": False, "root_tokens": 2_048}
"""How a rollout is made, unless a recipe says otherwise: sampled as the policy is, scored for what the root itself wrote, and with replies that fit into the
context that a policy has by default."""
LOST = 0.05
"""The share of a run's sub-agent calls that may be lost before the run tells nothing of its root."""

_OWN: frozenset[FailureKind] = frozenset(
    {"empty", "truncated", "malformed", "schema", "unfounded", "context_length", "budget", "cancelled"}
)
"""Failures of a call that are nobody's but the asker's or the answerer's; all others are the server's or the way's to it."""


@dataclass(frozen=True, slots=True)
class RoomPlay:
    """Plays tasks, each given with its tree. Rooms are read once, into `stores`. `settings` are those of the harness, `caps` those of
    `models.budget.Budget`, for one rollout. `judge` is `facts` or a model's name, as are the sub-agents'. `dropout` is the share of each rubric that is
    left out of the reward and watched. `model` is what the policy is called in the measures."""

    tasks: Mapping[str, tuple[BenchTask, Path]]
    stores: Path
    settings: Mapping[str, Any] = field(default_factory=dict)
    reward: RewardSettings = field(default_factory=RewardSettings)
    caps: Mapping[str, Any] = field(default_factory=dict)
    sub: str = "reader"
    judge: str = FACTS
    dropout: float = 0.0
    seed: int = 0
    model: str = "policy"

    @classmethod
    def of(cls, tasks: Sequence[tuple[BenchTask, Path]], stores: Path, **given: Any) -> RoomPlay:
        return cls({task.id: (task, tree) for task, tree in tasks}, stores, **given)

    async def play(self, task: str, group: str, number: int, url: str, out: Path) -> Rollout:
        """The rollout `group`/`number` of a task, its run in the folder `out`. A run that is there and has not ended is gone on with, one that
        has is only read; one that was unscorable is put aside and played anew. Cancelling it ends the run in order, so that it can be
        gone on with. Raises TrainingError when the task, the recipe or the disk is at fault."""
        ended = result_of(out)
        if ended is not None and ended.status != "interrupted":
            found = await self.read(task, group, number, out)
            if found.status != "unscorable":
                return found
            _put_aside(out)
        try:
            result = await carry_out(self.cell(task, group, number, url, out), _silent)
        except SandboxUnavailable as error:
            return _unscorable(task, group, number, out, f"the sandbox was lost: {error}")
        except (JournalError, RoomError, TaskError, ModelNameError, OSError) as error:
            raise TrainingError(f"{out}: the rollout cannot be played: {error}") from None
        except RuntimeError as error:  # a guest module failed in the sandbox, and its whole traceback is told
            first, *rest = str(error).strip().splitlines() or [type(error).__name__]
            raise TrainingError(
                f"{out}: the rollout cannot be played: {' '.join([first, *rest[-1:]])}; install Redwell anew"
            ) from error
        if result.status == "interrupted":
            raise asyncio.CancelledError
        return await self.read(task, group, number, out)

    def cell(self, task: str, group: str, number: int, url: str, out: Path) -> Cell:
        """What the rollout is to the benchmark. It is not graded there, since a run that delivered nothing has a reward too."""
        given, tree = self.tasks[task]
        return Cell(
            task=task,
            folder=str(given.folder),
            tree=str(tree),
            harness="rlm",
            root=f"openai:{self.model}@{url}",
            sub=self.sub,
            repeat=number + 1,
            run=str(out),
            store=str(self.stores / slug(task)),
            settings={**SETTINGS, **self.settings, "seed": seed_of(self.seed, f"{group}/{number}")},
            caps=dict(self.caps),
        )

    def first_prompt(self, task: str) -> list[dict[str, str]]:
        """The messages before the root's first turn, but for what is told of the room, which need not have been read."""
        given, _ = self.tasks[task]
        made = root_prompt(self.sub, DEPTHS["rlm"], self.harness.prompt)
        system, told = root_texts(self.harness, given.for_agent(), made, Budget(**self.caps))
        return [{"role": "system", "content": system}, {"role": "user", "content": told}]

    @property
    def harness(self) -> Settings:
        """The settings of a rollout, but for its seed."""
        return Settings(**{**SETTINGS, **self.settings})

    async def read(self, task: str, group: str, number: int, run: Path) -> Rollout:
        """The rollout that a run which has ended makes; graded first, where it is not. Raises TrainingError when it was not captured, or its
        files are damaged."""
        given, _ = self.tasks[task]
        try:
            with Journal.open(run, read_only=True) as journal:
                said = await asyncio.to_thread(turns, journal)
                why = lost(journal)
            measures = read_measures(run) or {}
        except JournalError as error:
            raise TrainingError(str(error)) from None
        made = _rollout(task, group, number, run, measures)
        made = replace(made, segments=tuple(segments(said)), turns=len(said))
        if why:
            return replace(made, status="unscorable", why=why)
        try:
            parts = await self.judged(run, given)
        except (GradingError, VerdictError) as error:
            return replace(made, status="unscorable", why=f"the judge: {error}")
        if not parts:
            return replace(
                made, status="unscorable", why=f"the judge {self.judge} left too many criteria without a verdict"
            )
        status: RolloutStatus = "ok" if made.submitted else "truncated"
        why = "" if made.submitted else str(measures.get("reason", "")) or "it did not submit"
        worth = reward(parts, self.reward, submitted=made.submitted)
        return replace(made, status=status, why=why, parts=parts, reward=worth)

    async def judged(self, run: Path, task: BenchTask, *, judge: str = "", again: bool = False) -> dict[str, float]:
        """The parts of a reward by one judge, by default the play's own; `again`: by fresh votes. Empty when the judge did not answer. Raises
        GradingError, VerdictError."""
        name = judge or self.judge
        model = None if name == FACTS else resolve(name, "judge")
        try:
            verdicts: VerdictSet = await grade_run(run, task, name, model=model, options=Options(again=again))
        finally:
            if model is not None:
                await model.close()
        if verdicts.unanswered:
            return {}
        key: Key | None = await asyncio.to_thread(read_key, task.key) if task.key else None
        return watched_parts(verdicts, key, self.dropout, self.seed)

    async def judge_again(self, rollout: Rollout) -> float | None:
        """The reward of a rollout by one fresh vote of its judge; None when that did not answer. One at a time for each rollout: the verdicts that stand
        there are put aside."""
        given, _ = self.tasks[rollout.task]
        try:
            parts = await self.judged(Path(rollout.run), given, again=True)
        except (GradingError, VerdictError):
            return None
        return reward(parts, self.reward, submitted=rollout.submitted)

    async def held_out(self, rollout: Rollout, judge: str) -> float | None:
        """The reward of a rollout by a judge that it is not trained for; None when that judge did not answer."""
        given, _ = self.tasks[rollout.task]
        try:
            parts = await self.judged(Path(rollout.run), given, judge=judge)
        except (GradingError, VerdictError):
            return None
        return reward(parts, self.reward, submitted=rollout.submitted)


def lost(journal: Journal) -> str:
    """Why a run tells nothing of its root; empty when it does.

    It does not when the root's last call failed for a reason that is the endpoint's (not reached, refused, out of time, a fault) and the run did not submit,
    or when more than LOST of its sub-agent calls were given up for such a reason. Replies without code or cut, turns or a budget used
    up, and nothing submitted are the root's own doing.
    """
    submitted = any(event.data["status"] == "submitted" for event in journal.events("run.finished"))
    last, failed, of = "", Counter[str](), 0
    for event in journal.events(("call.completed", "call.failed")):
        kind = event.data.get("failure", "")
        outside = f"{kind}: {event.data['message']}" if kind and kind not in _OWN else ""
        if event.data["role"] == "sub":
            of += 1
            failed.update([outside] if outside else [])
        elif event.agent == "root":
            last = outside
    if last and not submitted:
        return f"the policy's endpoint did not answer ({last})"
    if sum(failed.values()) > LOST * of:
        return f"{sum(failed.values())} of {of} calls to sub-agents were lost ({failed.most_common(1)[0][0]})"
    return ""


def _rollout(task: str, group: str, number: int, run: Path, measures: Mapping[str, Any]) -> Rollout:
    """What a rollout's measures say of it; neither scored nor with its tokens."""
    roles, how = measures.get("roles", {}), measures.get("behaviour", {})
    root, sub = roles.get("root", {}), roles.get("sub", {})
    return Rollout(
        id=f"{group}/{number}",
        task=task,
        group=group,
        status="unscorable",
        segments=(),
        reward=None,
        run=str(run),
        sub_calls=how.get("sub_calls", 0),
        root_input=root.get("input", 0),
        root_output=root.get("output", 0),
        sub_tokens=sub.get("input", 0) + sub.get("output", 0),
        dollars=measures.get("cost") or 0.0,
        coverage=measures.get("coverage", 0.0),
        wrote_while_reading=how.get("wrote_while_reading", False),
        submitted=measures.get("status") == "submitted",
        seconds=how.get("seconds", 0.0),
    )


def _unscorable(task: str, group: str, number: int, run: Path, why: str) -> Rollout:
    return replace(_rollout(task, group, number, run, {}), why=why)


def _put_aside(run: Path) -> None:
    number = 1
    while (aside := run.with_name(f"{run.name}~{number}")).exists():
        number += 1
    run.rename(aside)


def _silent(kind: str, figures: dict[str, Any]) -> None: ...

"""The harnesses by name, all with one signature."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import replace
from typing import Protocol

from redwell.harness import coding_agent, map_reduce, retrieval, rlm, single_shot, tool_loop
from redwell.harness.types import Application, Outcome, Progress, Settings, Task
from redwell.journal.journal import Journal
from redwell.models.budget import Budget
from redwell.models.retries import Policy
from redwell.models.types import Model, Role
from redwell.room.room import Room


class Harness(Protocol):
    """A task done by a model in one way. Goes on with a journal that holds events already, and asks for nothing twice."""

    def __call__(
        self,
        task: Task,
        room: Room,
        models: dict[Role, Model],
        journal: Journal,
        budget: Budget,
        application: Application,
        settings: Settings,
        progress: Progress | None = None,
        *,
        policy: Policy | None = None,
    ) -> Awaitable[Outcome]: ...


def _at_depth(depth: int) -> Harness:
    async def run(
        task: Task,
        room: Room,
        models: dict[Role, Model],
        journal: Journal,
        budget: Budget,
        application: Application,
        settings: Settings,
        progress: Progress | None = None,
        *,
        policy: Policy | None = None,
    ) -> Outcome:
        settings = replace(settings, depth=depth)
        return await rlm.run(task, room, models, journal, budget, application, settings, progress, policy=policy)

    return run


DEPTHS = {"rlm": 1, "rlm-depth-2": 2, "rlm-no-subagents": 0}
"""The depth of each harness that is `rlm.run`; the application's prompt has to be made for the same one."""

HARNESSES: dict[str, Harness] = {
    **{name: _at_depth(depth) for name, depth in DEPTHS.items()},
    "tool-loop": tool_loop.run,
    "single-shot": single_shot.run,
    "retrieval": retrieval.run,
    "map-reduce": map_reduce.run,
    "coding-agent": coding_agent.run,
}

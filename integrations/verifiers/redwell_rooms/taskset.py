"""Tasks with their rooms, and what a rollout in one is worth: by the judge that grades it, the weights that the config gives the parts."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import verifiers.v1 as vf
from pydantic import Field

from redwell.bench.locks import held
from redwell.bench.matrix import Matrix, make_matrix, tasks_of
from redwell.bench.running import make_tasks
from redwell_rooms.outcome import Outcome


class RoomData(vf.TaskData):
    """A task by its folder on the machine that runs the environment, and the tree that it belongs to."""

    folder: str = ""
    tree: str = ""


class RoomTask(vf.Task[RoomData]):
    """Scored by what the harness left in the trace: it has played the room and graded the report."""

    @property
    def key(self) -> str:
        return self.data.id or super().key

    @vf.reward
    async def reward(self, trace: vf.Trace) -> float:
        """Raises when the rollout cannot be scored, so that verifiers takes it for failed and not for one of reward 0."""
        outcome = Outcome.of(trace)
        if outcome.reward is None:
            raise ValueError(f"the rollout cannot be scored: {outcome.why}")
        return outcome.reward

    @vf.metric
    async def parts(self, trace: vf.Trace) -> dict[str, float]:
        """What the reward is made of, and how the run went about it."""
        return Outcome.of(trace).figures


class RoomsConfig(vf.TasksetConfig):
    """`tasks` are folders of tasks in LAB's form, or trees of them, in `tree` when it is given; without any, `rooms` rooms are generated from `seed` on, into
    `folder`, once."""

    tasks: list[str] = Field(default_factory=list)
    tree: str | None = None
    preset: Literal["desk", "small", "full"] = "desk"
    split: Literal["train", "dev", "test"] = "train"
    seed: int = 1
    rooms: int = Field(20, ge=1)
    folder: Path = Path("outputs/redwell-rooms")

    def matrix(self) -> Matrix:
        """The same as a matrix of `redwell bench run`, so that tasks are found, made and checked in the one way. Raises MatrixError."""
        data: dict[str, object] = {"harnesses": ["rlm"]}
        if self.tasks:
            data |= {"tasks": self.tasks, **({"tree": self.tree} if self.tree else {})}
        else:
            seeds = list(range(self.seed, self.seed + self.rooms))
            data["generated"] = {"preset": self.preset, "split": self.split, "seeds": seeds}
        return make_matrix(data, Path.cwd(), "taskset")


class RoomsTaskset(vf.Taskset[RoomTask, RoomsConfig]):
    def load(self) -> Iterable[RoomTask]:
        matrix, folder = self.config.matrix(), self.config.folder.resolve()
        folder.mkdir(parents=True, exist_ok=True)
        with held(folder / "lock", wait=True):
            make_tasks(matrix, folder)
        for task, tree in tasks_of(matrix, folder):
            data = RoomData(
                id=task.id,
                name=task.title,
                prompt=task.instructions,
                folder=str(task.folder.resolve()),
                tree=str(tree.resolve()),
            )
            yield RoomTask(data, self.config.task)

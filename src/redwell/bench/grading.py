"""The one entry point of grading: which judge reads which files of a run, where its verdicts go, and when a set that is there is enough."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from redwell.bench.verdicts import VerdictSet
from redwell.models.budget import Budget
from redwell.models.retries import Policy
from redwell.models.types import Model
from redwell.room.room import Room

if TYPE_CHECKING:
    from redwell.bench.tasks import BenchTask

FACTS = "facts"
Progress = Callable[[int, int], None]
"""Called with (criteria with a verdict, all criteria) while a judge works."""


class GradingError(Exception):
    """A run that cannot be graded; the message names file and field and the way out."""


@dataclass(frozen=True, slots=True)
class Options:
    """`batch`: how many criteria one call of an LLM judge decides; `again`: judge anew though a set is there (it is put aside)."""

    batch: int = 1
    again: bool = False


async def grade_run(
    run: Path,
    task: BenchTask,
    judge: str = FACTS,
    *,
    model: Model | None = None,
    room: Room | None = None,
    budget: Budget | None = None,
    policy: Policy | None = None,
    options: Options | None = None,
    progress: Progress | None = None,
) -> VerdictSet:
    """The verdicts of one judge on a run, made or read.

    `judge` is "facts" (needs the task's answer key and the room that the run read: `room`, or the store that its `run.json` names) or the name
    of a model, given as `model`. A grading that was killed goes on, and no answer that had arrived is paid for twice. Raises GradingError,
    VerdictError; JournalError and RoomError when the files of the run are damaged. A judge call that fails ends in `unscored`, never raises.
    """
    raise GradingError(
        f"{run}: {judge} cannot grade {task.id} with {model}, {room}, {budget}, {policy}, {options}, {progress}"
    )

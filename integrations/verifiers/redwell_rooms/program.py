"""One rollout, as a process: what is to be done comes in as a line of JSON, what came of it goes out as one."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from redwell.bench.cell import carry_out
from redwell.bench.grading import GradingError
from redwell.bench.measures import read_measures
from redwell.bench.tasks import load_task
from redwell.bench.verdicts import VerdictError
from redwell.journal.journal import Journal
from redwell.models.keys import Key
from redwell.models.openai_chat import OpenAIChat
from redwell.train.rewards import RewardSettings, reward
from redwell.train.rooms import RoomPlay, lost
from redwell.train.types import RolloutStatus
from redwell_rooms.outcome import Outcome


class Work(BaseModel):
    """A task by its folder, the run's folder, the root's endpoint with its key, and what is as in the harness's config."""

    folder: str
    tree: str
    run: str
    stores: str
    model: str
    url: str
    secret: str
    sub: str
    judge: str
    settings: dict[str, Any]
    caps: dict[str, Any]
    reward: dict[str, float]


async def play(work: Work) -> Outcome:
    """Plays and grades. verifiers sees the tokens itself, so that the run captures none."""
    task = load_task(Path(work.folder), Path(work.tree))
    weights = RewardSettings(**work.reward)
    rooms = RoomPlay.of(
        [(task, Path(work.tree))],
        Path(work.stores),
        settings={"capture": False, "root_temperature": None, **work.settings},
        reward=weights,
        caps=work.caps,
        sub=work.sub,
        judge=work.judge,
        model=work.model,
    )
    run = Path(work.run)
    cell = rooms.cell(task.id, run.name, 0, work.url, run)
    root = OpenAIChat(cell.root, work.model, work.url, Key(work.secret))
    result = await carry_out(cell, _silent, root=root)
    with Journal.open(run, read_only=True) as journal:
        why = lost(journal)
    parts: dict[str, float] = {}
    if not why:
        try:
            parts = await rooms.judged(run, task)
        except (GradingError, VerdictError) as error:
            why = f"the judge: {error}"
    submitted = result.status == "submitted"
    worth = reward(parts, weights, submitted=submitted)
    status: RolloutStatus = "unscorable" if worth is None else "ok" if submitted else "truncated"
    if not why and not submitted:
        why = result.reason
    how = (read_measures(run) or {}).get("behaviour", {})
    figures = {
        **parts,
        "coverage": result.coverage or 0.0,
        "submitted": float(submitted),
        "sub_calls": float(how.get("sub_calls", 0)),
        "wrote_while_reading": float(how.get("wrote_while_reading", False)),
    }
    return Outcome(status=status, reward=worth, why=why, figures=figures, run=work.run)


def main() -> None:
    work = Work.model_validate_json(sys.stdin.readline())
    print(asyncio.run(play(work)).model_dump_json())


def _silent(kind: str, figures: dict[str, Any]) -> None: ...


if __name__ == "__main__":
    main()

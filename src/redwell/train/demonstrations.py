"""Demonstrations for a warm start: tasks played in the short prompt's own words, some as a careful root would, some as a poor one, so that a policy that
imitates them writes cells that run and still has something to find out.

They are ordinary rollouts: the cells are run in the room, and tokens are captured on the way through a gateway, as a policy's are.
"""

from __future__ import annotations

import asyncio
import random
import shutil
from collections.abc import Sequence
from pathlib import Path

from redwell.bench.cell import result_of
from redwell.train.rooms import RoomPlay
from redwell.train.serving.gateway import Gateway
from redwell.train.serving.render import Renderer
from redwell.train.types import Rollout, Sampled

CAREFUL = 4
"""Of each task, one of so many demonstrations reads everything and hands the report in."""
AT_A_TIME = 4

_READ = "b = dispatch(checks.question, over={over})"
_WRITE = "for found in b:\n    report.add_all(checks.run(found))"
_JOIN = "report.add_all(checks.run(all_findings()))"
_CONCLUDE = "report.conclude(all_findings())"
_DISCLOSE = 'report.unread("{why}")'
_SUBMIT = "submit()"
_WHYS = ("it seemed of no weight", "there was no time", "only the first part was read")


class Demonstrator:
    """An `Engine` that says the replies of one rollout in turn. Nothing is sampled: log-probabilities are 0, and the version is -1."""

    def __init__(self, renderer: Renderer, replies: Sequence[str]) -> None:
        self._renderer = renderer
        self._left = list(replies)

    async def sample(
        self, prompt: Sequence[int], *, max_tokens: int, stop: Sequence[int], temperature: float = 1.0, seed: int = 0
    ) -> Sampled:
        ids = self._renderer.encode(self._left.pop(0) if self._left else "I have nothing more to do.")
        cut = len(ids) >= max_tokens
        ids = ids[:max_tokens] if cut else [*ids, stop[0]]
        return Sampled(tuple(ids), (0.0,) * len(ids), (-1,) * len(ids), "length" if cut else "stop")

    async def swap(self, adapter: Path | None, version: int) -> None: ...

    async def close(self) -> None: ...


async def demonstrations(
    rooms: RoomPlay, renderer: Renderer, per_task: int, folder: Path, *, seed: int = 0
) -> list[Rollout]:
    """So many rollouts of each task, in the order of tasks. Those that `folder` holds already are only read; one that was broken off is played anew.
    Raises TrainingError."""
    places = asyncio.Semaphore(AT_A_TIME)

    async def one(task: str, group: str, number: int) -> Rollout:
        out = folder / group / str(number)
        ended = result_of(out)
        if out.exists() and (ended is None or ended.status == "interrupted"):
            shutil.rmtree(out)  # the replies begin with the first again, and a run that goes on would hear them twice
        async with places:
            gateway = Gateway(
                Demonstrator(renderer, replies(random.Random(f"{seed}/{task}/{number}"), number % CAREFUL == 0)),
                renderer,
            )
            url = await gateway.start()
            try:
                return await rooms.play(task, group, number, url, out)
            finally:
                await gateway.stop()

    async with asyncio.TaskGroup() as running:
        made = [
            running.create_task(one(task, f"demonstration-{at:03d}", number))
            for at, task in enumerate(rooms.tasks, 1)
            for number in range(per_task)
        ]
    return [each.result() for each in made]


def replies(rng: random.Random, careful: bool) -> list[str]:
    """The cells of one demonstration, each as a reply."""
    return [_block(*cell) for cell in (_careful(rng) if careful else _poor(rng))]


def _careful(rng: random.Random) -> list[list[str]]:
    first = _READ.format(over="room")
    begun = [[first, _WRITE]] if rng.random() < 0.5 else [[first], [_WRITE]]
    end = [_CONCLUDE, _SUBMIT]
    return [*begun, [_JOIN, *end]] if rng.random() < 0.5 else [*begun, [_JOIN], end]


def _poor(rng: random.Random) -> list[list[str]]:
    """Reads a part, and perhaps another; may leave out to join what it found, or to hand it in."""
    cells = []
    for start in range(rng.choice((1, 1, 2))):
        count = rng.randint(2, 8)
        over = f"room.documents()[:{count}]" if not start else f"coverage().unread[:{count}]"
        read = _READ.format(over=over)
        cells += [[read, _WRITE]] if rng.random() < 0.7 else [[read], [_WRITE]]
    if rng.random() < 0.5:
        cells.append([_JOIN])
    if rng.random() < 0.6:
        cells += [[_CONCLUDE], [_DISCLOSE.format(why=rng.choice(_WHYS)), _SUBMIT]]
    return cells


def _block(*lines: str) -> str:
    return "```python\n" + "\n".join(lines) + "\n```"

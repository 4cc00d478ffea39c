"""A run in a process of its own that kills itself at a given moment: run_process.py STORE FOLDER URL DEPTH DIE_AFTER CONCURRENCY

DIE_AFTER counts the events that this process writes to the journal; 0 lives on. Prints the run's status when it ends."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

from redwell.harness import rlm
from redwell.journal.journal import Event, Journal
from redwell.models.budget import Budget
from redwell.models.connect import connect
from redwell.room.room import Room
from tests.harness.support import TASK, Memo, settings


class Mortal(Journal):
    """A journal whose process dies by kill -9 right after an event is durable, before anyone hears of it."""

    die_after = 0
    written = 0

    def append(self, *given: Any, **more: Any) -> Event:
        event = super().append(*given, **more)
        self._count()
        return event

    async def append_async(self, *given: Any, **more: Any) -> Event:
        event = await super().append_async(*given, **more)
        self._count()
        return event

    def _count(self) -> None:
        self.written += 1
        if self.written == self.die_after:
            os.kill(os.getpid(), signal.SIGKILL)


async def main(store: str, folder: str, url: str, depth: int, die_after: int, concurrency: int) -> None:
    path = Path(folder)
    journal = Mortal.open(path) if (path / "run.json").exists() else Mortal.create(path, {})
    assert isinstance(journal, Mortal)
    journal.die_after = die_after
    room = Room.open(store)
    root, sub = connect(f"openai:root@{url}"), connect(f"openai:sub@{url}")
    outcome = await rlm.run(
        TASK,
        room,
        {"root": root, "sub": sub},
        journal,
        Budget(concurrency=concurrency),
        Memo(room, journal),
        settings(depth=depth, slice_chars=60),
    )
    await root.close()
    await sub.close()
    journal.close()
    print(outcome.status, outcome.turns)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3], *map(int, sys.argv[4:7])))

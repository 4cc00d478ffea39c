"""Runs of the harnesses in which a model writes the deliverable itself, over small rooms."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redwell.bench.harnesses import HARNESSES
from redwell.harness.types import Outcome, Task
from redwell.journal.coverage import Coverage, coverage
from redwell.journal.journal import Journal
from redwell.journal.trajectory import request_messages
from redwell.models.budget import Budget
from redwell.models.retries import Policy
from redwell.models.types import Model, Role
from redwell.room.room import Room
from tests.harness.support import Memo, settings
from tests.servers.scripted import Answer, Received, Scripted, say

TASK = Task("t1", "List what a change of control sets off.", ("memo.md",))
QUICK = Policy(attempts=2, base=0.01, longest=0.02, seconds=30.0, deadline=60.0)


@dataclass
class Ran:
    """A run that has ended; `requests` are what the server received, when there was one."""

    outcome: Outcome
    journal: Journal
    room: Room
    requests: Sequence[Received] = ()

    @property
    def coverage(self) -> Coverage:
        return coverage(self.journal, {document.id: document.length for document in self.room.documents()})

    def read(self) -> dict[str, list[tuple[int, int]]]:
        """By path, the stretches that the journal says were read."""
        found: dict[str, list[tuple[int, int]]] = {}
        for span in self.coverage.spans:
            found.setdefault(self.room.document(span.document).path, []).append((span.start, span.end))
        return found

    def output(self, name: str = "memo.md") -> str:
        return (self.journal.folder / "output" / name).read_text(encoding="utf-8")

    def sent(self) -> list[str]:
        """Every message of every request, as the journal has it, the room's text put in."""
        return [
            message["content"] + json.dumps(message.get("tool_calls", ""))
            for event in self.journal.events("call.sent")
            for message in request_messages(self.journal, event.blobs["request"], self.room.slice)
        ]

    def events(self, kind: str) -> list[dict[str, Any]]:
        return [event.data for event in self.journal.events(kind)]


def run(
    harness: str,
    room: Room,
    folder: Path,
    models: dict[Role, Model],
    *,
    task: Task = TASK,
    budget: Budget | None = None,
    resume: bool = False,
    application: Any = None,
    policy: Policy | None = QUICK,
    **changes: Any,
) -> Ran:
    """One harness over a room; `application` makes one of (room, journal)."""
    journal = Journal.open(folder) if resume else Journal.create(folder, {"kind": "bench", "room": str(room.store)})
    made = (application or Memo)(room, journal)

    async def go() -> Outcome:
        return await HARNESSES[harness](
            task, room, models, journal, budget or Budget(), made, settings(**changes), policy=policy
        )

    return Ran(asyncio.run(go()), journal, room)


def over_http(
    harness: str, room: Room, folder: Path, script: Any, *, sub: Any = None, resume: bool = False, **changes: Any
) -> Ran:
    """The same with a real server that answers from a script as the root, and `sub` as the sub-agents."""
    from redwell.models.connect import connect

    with Scripted(script) as server:
        models: dict[Role, Model] = {"root": connect(f"openai:any@{server.url}"), "sub": sub}
        ran = run(harness, room, folder, models, resume=resume, **changes)
        ran.requests = list(server.requests)
    return ran


def use_tools(*calls: tuple[str, dict[str, Any]], text: str = "") -> Answer:
    """An answer that calls several tools."""
    return Answer(text=text, tool_calls=tuple((name, json.dumps(given)) for name, given in calls), finish="tool_calls")


__all__ = ["QUICK", "TASK", "Ran", "over_http", "run", "say", "use_tools"]

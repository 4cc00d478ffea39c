"""Calls in flight: batches that live across cells, and the workers that carry their calls out."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from redwell.harness.subagent import Answer
from redwell.harness.types import Failure
from redwell.room.types import Span
from redwell.sandbox.types import Json

Result = Answer | Failure

RESULT_BYTES = 4 << 20
"""How much one answer to the sandbox may hold; the rest of the results is asked for again."""


@dataclass(slots=True)
class Item:
    """One call that a cell of the agent `owner` asked for. `call` is its id, the same in every replay."""

    index: int
    owner: str
    call: str
    question: str
    spans: tuple[Span, ...]
    values: Json = None
    agent: bool = False
    result: Result | None = None


@dataclass(slots=True)
class Batch:
    """`arrived` are the indexes of items with a result, in the order in which the results came; the first `delivered` of them have
    been handed to the sandbox."""

    id: str
    items: list[Item]
    arrived: list[int] = field(default_factory=list)
    delivered: int = 0
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def done(self) -> bool:
        return len(self.arrived) == len(self.items)

    def arrive(self, item: Item, result: Result) -> None:
        item.result = result
        self.arrived.append(item.index)
        self.changed.set()

    async def wait(self, count: int, seconds: float | None) -> None:
        """Until so many results (or all there are) have arrived in all, or the seconds have passed."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while len(self.arrived) < min(count, len(self.items)):
                    self.changed.clear()
                    await self.changed.wait()

    def deliver(self, after: int) -> dict[str, Json]:
        """The results that arrived after the first `after`, as many as fit into one answer. Raises ValueError when so many have not."""
        if after > len(self.arrived):
            raise ValueError(f"{len(self.arrived)} results have arrived, not {after}")
        results: list[Json] = []
        size = 0
        for index in self.arrived[after:]:
            result = self.items[index].result
            assert result is not None
            given = {"index": index, **result_json(result)}
            size += len(json.dumps(given))
            if results and size > RESULT_BYTES:
                break
            results.append(given)
        self.delivered = max(self.delivered, after + len(results))
        return {"results": results, "more": after + len(results) < len(self.arrived)}

    def state(self) -> dict[str, Json]:
        results = [self.items[index].result for index in self.arrived]
        return {
            "arrived": len(results),
            "failed": sum(isinstance(result, Failure) for result in results),
            "findings": sum(len(result.findings) for result in results if isinstance(result, Answer)),
        }


class Pool:
    """Carries out the calls of all agents of a run: plain calls by so many workers, sub-agents with a session beside them.

    Requests are built when a worker takes them up, so that thousands of waiting calls hold no text.
    """

    def __init__(self, workers: int, agents: int, carry_out: Callable[[Item], Awaitable[Result]]) -> None:
        self._carry_out = carry_out
        self._limits = {False: workers, True: agents}
        self._waiting: dict[bool, deque[tuple[Batch, Item]]] = {False: deque(), True: deque()}
        self._workers: dict[bool, int] = {False: 0, True: 0}
        self._tasks: set[asyncio.Task[None]] = set()
        self.running = 0
        self.fault: BaseException | None = None

    @property
    def waiting(self) -> int:
        return sum(map(len, self._waiting.values()))

    @property
    def in_flight(self) -> int:
        return self.running + self.waiting

    def start(self, batch: Batch) -> None:
        """Takes up every item of the batch that has no result yet."""
        for item in batch.items:
            if item.result is None:
                self._waiting[item.agent].append((batch, item))
        for agent, queue in self._waiting.items():
            for _ in range(min(len(queue), self._limits[agent] - self._workers[agent])):
                self._workers[agent] += 1
                task = asyncio.create_task(self._work(agent))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def settle(self) -> None:
        """Waits until nothing is in flight."""
        while self._tasks:
            await asyncio.wait(list(self._tasks))

    async def close(self) -> None:
        """Drops what waits and cancels what runs; what had arrived stays."""
        for queue in self._waiting.values():
            queue.clear()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(self, agent: bool) -> None:
        queue = self._waiting[agent]
        try:
            while queue:
                await self._one(*queue.popleft())
        finally:
            # In the same breath as the look at the queue: whoever adds to it next must see that this worker is gone.
            self._workers[agent] -= 1

    async def _one(self, batch: Batch, item: Item) -> None:
        self.running += 1
        try:
            result = await self._carry_out(item)
        except Exception as error:
            # A fault that is not a call's own (a full disk) ends the run; whoever waits must not wait for ever.
            self.fault = self.fault or error
            result = Failure("internal", f"{type(error).__name__}: {error}", item.spans, item.call, item.question)
        finally:
            self.running -= 1
        batch.arrive(item, result)


def result_json(result: Result) -> dict[str, Json]:
    """A result as the sandbox gets it."""
    if isinstance(result, Failure):
        return {"failure": {"kind": result.kind, "message": result.message}}
    return {
        "notes": result.notes,
        "findings": [
            {
                "id": finding.id,
                "kind": finding.kind,
                "claim": finding.claim,
                "values": finding.values,
                "document": finding.document,
                "citations": [
                    {
                        "quote": citation.quote,
                        "document": citation.document,
                        "status": citation.status,
                        "difference": citation.difference,
                        "spans": [span_json(span) for span in citation.spans],
                        "nearest": None if citation.nearest is None else span_json(citation.nearest),
                    }
                    for citation in finding.citations
                ],
            }
            for finding in result.findings
        ],
    }


def span_json(span: Span) -> list[Json]:
    return [span.document, span.start, span.end, span.view]

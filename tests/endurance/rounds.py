"""The kinds of round that a soak is made of. Each begins and ends with nothing running, and notes what did not end as it should."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from endurance import matter

from benchmarks.plain_room import write_room
from redwell.diligence import run
from redwell.diligence.deal import Deal
from redwell.diligence.playbook import Playbook
from redwell.diligence.reader import Reader
from redwell.diligence.recheck import recheck
from redwell.harness.types import Outcome
from redwell.journal.coverage import coverage
from redwell.journal.journal import Journal
from redwell.journal.trace_html import write_trace
from redwell.journal.usage import usage
from redwell.models.budget import Budget
from redwell.models.types import Role
from redwell.room.room import Room, read_room
from tests.harness.support import settings
from tests.servers.scripted import Answer, Received, Scripted, drop, hang, raw, say, status

CLAUSES = 12
"""In each document of the room."""

START = """
units = [unit for document in room.documents() for unit in document.units]
numbers = [int(unit.text[7:13]) for unit in units]
hits = room.search("yearly fee for service", limit=30)
same = room.grep(r"service \\d{5}7 is", limit=50)
print(room.tree(lines=20), len(hits), len(same))
batch = dispatch([(f"What is the fee of clause {number:06d}?", unit) for number, unit in zip(numbers, units)])
"""
TAKE = """
results = batch.results()
good = [result for result in results if not isinstance(result, Failure) and len(result)]
assert all(found.values["fee"] == 1000 + 7 * int(result.question[-7:-1]) for result in good for found in result)
"""
ENTRY = """
report.add(
    title="The first clause sets a yearly fee",
    claim="A yearly fee is due.",
    citations=good[0],
    workstream="Contracts",
    severity="Low",
    exposure={"amount": 1000, "currency": "USD", "formula": "the fee of one year"},
    next_step="Confirm the fee.",
)
print(len(good), coverage().share)
"""
CELLS = (START, TAKE, ENTRY, matter.FINISH)
KILLED = (START, "import os\nos._exit(3)", TAKE, ENTRY, matter.FINISH)
INTERRUPTED = (START, "while True:\n    pass", TAKE, ENTRY, matter.FINISH)
DEEP = (
    """
children = dispatch([(f"Which fees are in {d.name}?", d) for d in list(room.documents())[:4]], agents=True)
results = children.results()
good = [result for result in results if not isinstance(result, Failure) and len(result)]
""",
    ENTRY,
    matter.FINISH,
)
CHILD = ('found = ask("Which fees are there?", over=scope)\nprint(found)', "answer(found)")

FAULTS: tuple[Callable[[], Any], ...] = (
    lambda: status(429, "slow down", {"Retry-After": "0.05"}),
    lambda: status(503, "busy"),
    lambda: drop("before"),
    lambda: drop("during"),
    lambda: drop("after"),
    lambda: say(""),
    lambda: raw(b"<html>not JSON</html>"),
    lambda: hang(0.3),
    lambda: say('{"findings": [', finish="length"),
    lambda: status(404, "not to be asked for"),
)
"""What one call in eight meets at its first attempt; the last two are not mended by another attempt."""
FOR_GOOD = 2
NEVER = 1 << 40


@dataclass
class Desk:
    """The script of one round's server. `cells` are the root's; after `stuck` answers nothing is answered any more."""

    seed: str
    cells: tuple[str, ...] = CELLS
    stuck: int = NEVER
    answered: int = 0
    tried: Counter[str] = field(default_factory=Counter)
    is_stuck: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self._loop = asyncio.get_running_loop()

    def __call__(self, received: Received) -> Any:
        if received.model == "root":
            return matter.next_cell(received, CHILD if matter.is_child(received) else self.cells)
        slices, question = matter.slices_of(received)
        if self.answered >= self.stuck:
            self._loop.call_soon_threadsafe(self.is_stuck.set)
            return hang(60.0)
        place = f"{question} {slices[0].document}"
        self.tried[place] += 1
        chance = hashlib.sha256(f"{self.seed} {place}".encode()).digest()
        if chance[0] < 32:
            which = chance[1] % len(FAULTS)
            if self.tried[place] == 1 or which >= len(FAULTS) - FOR_GOOD:
                return FAULTS[which]()
        self.answered += 1
        return _answer(matter.answer(slices, question))


def _answer(text: str) -> Answer:
    return say(text, usage=(200, 20, 30))


@dataclass
class Ground:
    """What all rounds share: a room of clauses that is there from the start, one of contracts, and the counts."""

    folder: Path
    room: Room
    contracts: Room
    rounds: int = 0
    runs: int = 0
    calls: int = 0
    faults: list[str] = field(default_factory=list)

    @classmethod
    def prepare(cls, folder: Path) -> Ground:
        matter.write_clauses(folder / "clauses", documents=5, clauses=CLAUSES)
        write_room(folder / "contracts", documents=6, characters=60_000)
        return cls(
            folder,
            matter.read(folder / "clauses", folder / "clauses-store"),
            matter.read(folder / "contracts", folder / "contracts-store"),
        )

    def close(self) -> None:
        self.room.close()
        self.contracts.close()

    @contextlib.contextmanager
    def round(self) -> Iterator[Path]:
        """An empty folder that is gone afterwards."""
        self.rounds += 1
        place = self.folder / "round"
        place.mkdir()
        try:
            yield place
        finally:
            shutil.rmtree(place)

    @contextlib.contextmanager
    def server(self, desk: Desk) -> Iterator[Scripted]:
        with Scripted(desk) as server:
            try:
                yield server
            finally:
                self.calls += server.count

    def desk(self, cells: tuple[str, ...] = CELLS, **more: Any) -> Desk:
        return Desk(str(self.rounds), cells, **more)

    def expect(self, outcome: Outcome, *wanted: str) -> None:
        """Counts a run, and notes one that did not end as it should."""
        self.runs += 1
        if outcome.status not in wanted:
            self.faults.append(f"round {self.rounds}: a run ended as {outcome.status} ({outcome.reason})")


async def one_run(ground: Ground) -> None:
    with ground.round() as place, ground.server(ground.desk()) as server:
        ground.expect(await matter.review(ground.room, place / "run", server.url), "submitted")
        with Journal.open(place / "run", read_only=True) as journal:
            lengths = {document.id: document.length for document in ground.room.documents()}
            if coverage(journal, lengths).share > 1 or usage(journal).tokens.input > server.used[0]:
                ground.faults.append(f"round {ground.rounds}: the journal counts more than the server")
            write_trace(journal, place / "trace.html")


async def with_children(ground: Ground) -> None:
    with ground.round() as place, ground.server(ground.desk(DEEP)) as server:
        ground.expect(await matter.review(ground.room, place / "run", server.url, depth=2), "submitted")


async def several_at_once(ground: Ground) -> None:
    with ground.round() as place, contextlib.ExitStack() as stack:
        desks = [ground.desk(cells) for cells in (CELLS, DEEP, KILLED)]
        servers = [stack.enter_context(ground.server(desk)) for desk in desks]
        runs = (
            matter.review(ground.room, place / f"run{number}", server.url, depth=2)
            for number, server in enumerate(servers)
        )
        for outcome in await asyncio.gather(*runs):
            ground.expect(outcome, "submitted")


async def cancelled(ground: Ground) -> None:
    """A run that is called off while calls are out, and gone on with."""
    with ground.round() as place:
        desk = ground.desk(stuck=20)
        with ground.server(desk) as server:
            task = asyncio.ensure_future(matter.review(ground.room, place / "run", server.url))
            waiting = asyncio.ensure_future(desk.is_stuck.wait())
            # A run that ends before calls are out is a fault of this round, not a wait for good.
            await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            task.cancel()
            ground.expect(await task, "interrupted")
            desk.stuck = NEVER
            ground.expect(await matter.review(ground.room, place / "run", server.url), "submitted")


async def killed_sandbox(ground: Ground) -> None:
    with ground.round() as place, ground.server(ground.desk(KILLED)) as server:
        ground.expect(await matter.review(ground.room, place / "run", server.url), "submitted")


async def interrupted_cell(ground: Ground) -> None:
    with ground.round() as place, ground.server(ground.desk(INTERRUPTED)) as server:
        outcome = await matter.review(ground.room, place / "run", server.url, cell_seconds=1.0)
        ground.expect(outcome, "submitted")


async def out_of_time(ground: Ground) -> None:
    """A server that stops answering, and a run whose seconds are over before it does."""
    with ground.round() as place, ground.server(ground.desk(stuck=20)) as server:
        outcome = await matter.review(ground.room, place / "run", server.url, budget=Budget(seconds=2.0))
        ground.expect(outcome, "salvaged", "failed")


async def out_of_budget(ground: Ground) -> None:
    with ground.round() as place, ground.server(ground.desk()) as server:
        outcome = await matter.review(ground.room, place / "run", server.url, budget=Budget(calls=30))
        ground.expect(outcome, "salvaged")
        if server.count > 30:
            ground.faults.append(f"round {ground.rounds}: {server.count} requests of 30")


async def read_again(ground: Ground) -> None:
    """A room made, changed and read again, searched and closed, some of it by several threads at once."""
    with ground.round() as place:
        matter.write_clauses(place / "files", documents=4, clauses=CLAUSES)
        for change in range(3):
            if change == 1:
                matter.write_clauses(place / "files", documents=1, clauses=CLAUSES, first=6_000)
                (place / "files" / "book-000000.txt").write_text(matter.clause(1) + "\n", encoding="utf-8")
            if change == 2:
                next((place / "files").iterdir()).unlink()
            await asyncio.to_thread(read_room, place / "files", place / "store", jobs=1)
            with Room.open(place / "store") as room:
                found = await asyncio.gather(
                    *(asyncio.to_thread(room.search, f"service {number:06d}", k=5) for number in range(0, 40, 4)),
                    *(asyncio.to_thread(room.grep, rf"service 0000\d{number}") for number in range(5)),
                )
                if not any(found) or (not room.check(matter.clause(13)).holds and change < 2):
                    ground.faults.append(f"round {ground.rounds}: what stands in the room was not found")
                room.tree()


async def embedded_default(ground: Ground) -> None:
    """A whole review without a server: the playbook, the reader and its worker process, all renderings, and the check of the report."""
    with ground.round() as place:
        models: dict[Role, Any] = {"root": Playbook(), "sub": Reader(1)}
        journal = run.start(place / "run", ground.contracts, "contracts", Deal(), models, settings(), {})
        try:
            ground.expect(await run.go(journal, ground.contracts, models, Budget()), "submitted")
        finally:
            for model in models.values():
                await model.close()
            journal.close()
        data = json.loads((place / "run" / "output" / "report.json").read_text(encoding="utf-8"))
        checked = recheck(data, ground.contracts)
        if checked.faults or not checked.citations:
            ground.faults.append(f"round {ground.rounds}: {checked.hold} of {checked.citations} citations hold")


KINDS: tuple[Callable[[Ground], Awaitable[None]], ...] = (
    one_run,
    with_children,
    several_at_once,
    cancelled,
    killed_sandbox,
    read_again,
    interrupted_cell,
    out_of_time,
    out_of_budget,
    embedded_default,
)

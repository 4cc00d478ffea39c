"""What a load is made of: a room of numbered clauses, a model server that knows them, and runs of due diligence against it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from redwell.diligence import run
from redwell.diligence.deal import Deal
from redwell.harness.fence import Slice
from redwell.harness.subagent import parse
from redwell.harness.types import Outcome
from redwell.journal.journal import Journal
from redwell.models.budget import Budget
from redwell.models.connect import connect
from redwell.models.types import Message, Request, Role
from redwell.room.room import Room, read_room
from tests.harness.support import settings
from tests.servers.scripted import Answer, Received, say, use_tool

DOLLARS = {"input": 2.00, "cached": 0.50, "output": 8.00}
"""US dollars for a million tokens of either model."""

_CLAUSE = re.compile(r"^Clause (\d{6}): .*$", re.MULTILINE)
_ASKED = re.compile(r"^What is the fee of clause (\d{6})\?$")


def fee(number: int) -> int:
    """What clause `number` says, in dollars."""
    return 1_000 + 7 * number


def clause(number: int) -> str:
    return f"Clause {number:06d}: the yearly fee for service {number:06d} is ${fee(number):,}."


def asked(number: int) -> str:
    return f"What is the fee of clause {number:06d}?"


def write_clauses(folder: Path, documents: int, clauses: int, first: int = 0) -> None:
    """`documents` plain files of `clauses` clauses each, numbered through from `first`."""
    folder.mkdir(parents=True, exist_ok=True)
    for document in range(documents):
        start = first + document * clauses
        lines = [clause(number) for number in range(start, start + clauses)]
        (folder / f"book-{start:06d}.txt").write_text("\n\n".join(lines) + "\n", encoding="utf-8")


def write_prices(path: Path, url: str) -> None:
    """A file of prices for the models at `url`, for the variable REDWELL_PRICES."""
    given = ", ".join(f"{name} = {dollars}" for name, dollars in DOLLARS.items())
    path.write_text("".join(f'openai.prices."{name}@{url}" = {{ {given} }}\n' for name in ("root", "sub")))


def read(folder: Path, store: Path) -> Room:
    read_room(folder, store, jobs=1)
    return Room.open(store)


def answer(slices: Sequence[Slice], question: str) -> str:
    """What a sub-agent says: the fee of the clause that is asked for, or of every clause that it was given."""
    wanted = _ASKED.match(question)
    found = []
    for piece in slices:
        for match in _CLAUSE.finditer(piece.text):
            number = int(match[1])
            if wanted is None or number == int(wanted[1]):
                quotes = [{"document": piece.number, "text": match[0]}]
                claim = f"Service {number:06d} costs ${fee(number):,} a year."
                found.append({"kind": "fee", "claim": claim, "quotes": quotes, "values": {"fee": fee(number)}})
    return json.dumps({"findings": found, "notes": question})


def slices_of(received: Received) -> tuple[list[Slice], str]:
    """The documents and the question of a sub-agent's request."""
    return parse(Request((Message("user", received.user),)))


def wanted_clause(question: str) -> int | None:
    """The clause that a question is about; None for a question about all of them."""
    match = _ASKED.match(question)
    return int(match[1]) if match else None


def is_child(received: Received) -> bool:
    """Whether a request is of a sub-agent with a session of its own."""
    return "You answer one question over a part" in received.system


def next_cell(received: Received, cells: Sequence[str], usage: tuple[int, int, int] = (500, 100, 50)) -> Answer:
    """The cell that a root, or a child, runs now: one for each reply that it has given; after the last it has nothing to say."""
    turn = sum(message["role"] == "assistant" for message in received.messages)
    if turn < len(cells):
        return use_tool("python", {"code": cells[turn]}, usage=usage)
    return say("I have nothing more to do.", usage=usage)


FINISH = """
report.unread("what failed or was not asked for in this load is left as it is")
for workstream in checks.workstreams:
    if workstream != "Contracts":
        report.none_found("anything", workstream, "clauses about fees", despite="what was not read")
report.executive_summary("A load of numbered clauses about fees, of which one stands in the register.")
try:
    submit()
except HostError as refused:
    print(refused)
    submit()
"""
"""The last cell of a root that has added an entry: says what a report must say, and hands it in, over what failed too."""


async def review(
    room: Room,
    folder: Path,
    url: str,
    *,
    budget: Budget | None = None,
    progress: Callable[[str, dict[str, Any]], None] | None = None,
    **changes: Any,
) -> Outcome:
    """A run of due diligence whose root and sub-agents are at `url`; one that is in the folder already is gone on with."""
    models: dict[Role, Any] = {"root": connect(f"openai:root@{url}"), "sub": connect(f"openai:sub@{url}")}
    if (folder / "run.json").exists():
        journal = Journal.open(folder)
    else:
        journal = run.start(folder, room, "load", Deal(), models, settings(**changes), {})
    try:
        return await run.go(journal, room, models, budget or Budget(concurrency=32), progress)
    finally:
        for model in models.values():
            await model.close()
        journal.close()

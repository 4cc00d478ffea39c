"""Thousands of sub-calls and sixteen sub-agents with sessions of their own at once, against a real HTTP server: is every figure exact?

    PYTHONPATH=.:tests python -m endurance.load [--calls 5000] [--children 16] [--write docs/results.md]

A root asks for one clause in each call. Every 500th call is refused by the server for good, and every 500th is answered only at the
second attempt. Each child reads a document of its own; the server holds back every child's first cell until all have asked for theirs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from endurance import matter, measure
from endurance.measure import MIB

from benchmarks.results import section
from redwell.journal.coverage import coverage
from redwell.journal.journal import Journal
from redwell.journal.usage import Used, usage
from redwell.models.budget import Budget
from redwell.models.prices import VARIABLE
from tests.servers.scripted import Answer, Received, Scripted, say, status

DOCUMENTS = 50
CLAUSES_OF_A_CHILD = 25
REFUSED, LATE = 499, 250
"""Of 500 calls, the one that is refused and the one that is answered at the second attempt."""

CELLS = (
    """
documents = sorted(room.documents(folder="asked"))
units = [unit for document in documents for unit in document.units]
numbers = [int(unit.text[7:13]) for unit in units]
batch = dispatch([(f"What is the fee of clause {number:06d}?", unit) for number, unit in zip(numbers, units)])
agents = dispatch([(f"List every fee of {d.name}.", d) for d in sorted(room.documents(folder="children"))], agents=True)
print(len(batch), len(agents))
""",
    """
def right(number, unit, result):
    if number % 500 == REFUSED:
        return isinstance(result, Failure) and result.kind == "rejected"
    [finding] = result
    [citation] = finding.citations
    [span] = citation.spans
    return (
        finding.values == {"fee": 1000 + 7 * number}
        and finding.holds
        and span.document == unit.document
        and unit.start <= span.start < span.end <= unit.end
    )


arrived = list(batch)  # as they came
results = batch.results()  # in the order asked
wrong = [n for n, unit, result in zip(numbers, units, results) if result.question[-7:-1] != f"{n:06d}" or not right(n, unit, result)]
print({"results": len(results), "wrong": wrong, "twice": len(arrived) - len(set(map(id, arrived))), "missing": len({*map(id, results)} - {*map(id, arrived)})})
""",
    """
found = agents.results()
wrong = []
for document, result in zip(sorted(room.documents(folder="children")), found):
    fees = [finding.values["fee"] for finding in result]
    first = int(document.name[5:11])
    if fees != [1000 + 7 * n for n in range(first, first + CLAUSES)] or not all(f.document == document and f.holds for f in result):
        wrong.append(document.name)
print({"children": len(found), "wrong": wrong})
""",
    """
report.add(
    title="The first clause sets a yearly fee",
    claim="A yearly fee is due.",
    citations=results[0],
    workstream="Contracts",
    severity="Low",
    exposure={"amount": 1000, "currency": "USD", "formula": "the fee of one year"},
    next_step="Confirm the fee.",
)
"""
    + matter.FINISH,
)
CHILD = (
    """
numbers = [int(unit.text[7:13]) for unit in scope[0].document.units]
parts = ask_many([(f"What is the fee of clause {n:06d}?", unit) for n, unit in zip(numbers, scope[0].document.units)])
whole = ask("Which fees are there?", over=scope)
print(len(parts), len(whole))
""",
    """
wanted = [{"claim": f"Service {n:06d} costs money.", "quotes": [{"document": f.document.path, "text": f.citations[0].quote}], "values": f.values}
          for n, [f] in zip(numbers, parts)]
assert [f["values"] for f in wanted] == [f.values for f in whole]
answer(wanted, notes="all of them")
""",
)


@dataclass
class Desk:
    """The script of the server, and its own books of what it answered: `read` holds, for each document (its first 12 digits), a
    byte for each character that was in an answered call."""

    children: int
    waiting: int = 0
    all_here: asyncio.Event | None = None
    tried: Counter[int] = field(default_factory=Counter)
    read: dict[str, bytearray] = field(default_factory=dict)
    answered: int = 0
    refused: int = 0
    put_off: int = 0
    guest_memory: int = 0

    async def __call__(self, received: Received) -> Answer:
        if received.model == "root":
            return await self._root(received)
        slices, question = matter.slices_of(received)
        number = matter.wanted_clause(question)
        if number is not None and number % 500 == REFUSED:
            self.refused += 1
            return status(404, f"clause {number:06d} is not to be asked for")
        if number is not None and number % 500 == LATE:
            self.tried[number] += 1
            if self.tried[number] == 1:
                self.put_off += 1
                return status(503, "busy")
        for piece in slices:
            marks = self.read.setdefault(piece.document, bytearray(piece.total))
            marks[piece.start : piece.end] = b"\1" * len(piece.text)
        self.answered += 1
        share = number or 0
        return say(matter.answer(slices, question), usage=(100 + share % 97, share % 13, 10 + share % 7))

    async def _root(self, received: Received) -> Answer:
        self.guest_memory = max([self.guest_memory, *map(measure.most_resident, measure.descendants())])
        if not matter.is_child(received):
            return matter.next_cell(received, cells())
        if not any(message["role"] == "assistant" for message in received.messages):
            self.all_here = self.all_here or asyncio.Event()
            self.waiting += 1
            if self.waiting == self.children:
                self.all_here.set()
            await self.all_here.wait()
        return matter.next_cell(received, CHILD)


def cells() -> list[str]:
    """The root's cells, with the figures of this load."""
    return [f"REFUSED, CLAUSES = {REFUSED}, {CLAUSES_OF_A_CHILD}\n{cell.strip()}\n" for cell in CELLS]


@dataclass
class Load:
    """What came of one load. `faults` names every figure that is not exactly what it should be."""

    calls: int
    children: int
    seconds: float
    requests: int
    tokens: tuple[int, int, int]
    dollars: float
    journal_bytes: int
    guest_memory: int
    faults: list[str]
    before: measure.Held
    after: measure.Held


def load(folder: Path, calls: int = 5_000, children: int = 16) -> Load:
    """Runs the load in an empty folder and compares every figure with the server's own books."""
    if calls % DOCUMENTS:
        raise ValueError(f"the calls are spread evenly over {DOCUMENTS} documents")
    files = folder / "files"
    matter.write_clauses(files / "asked", DOCUMENTS, calls // DOCUMENTS)
    matter.write_clauses(files / "children", children, CLAUSES_OF_A_CHILD, first=calls)
    before = measure.held()
    desk = Desk(children)
    with Scripted(desk) as server, matter.read(files, folder / "store") as room:
        matter.write_prices(folder / "prices.toml", server.url)
        budget = Budget(dollars=1_000, concurrency=16 + children)
        began = time.monotonic()
        kept = os.environ.get(VARIABLE)
        os.environ[VARIABLE] = str(folder / "prices.toml")
        try:
            outcome = asyncio.run(
                matter.review(
                    room, folder / "run", server.url, budget=budget, depth=2 if children else 1, cell_seconds=300.0
                )
            )
        finally:
            os.environ.pop(VARIABLE) if kept is None else os.environ.update({VARIABLE: kept})
        seconds = time.monotonic() - began
        lengths = {document.id: document.length for document in room.documents()}
        faults = [] if outcome.status == "submitted" else [f"the run ended as {outcome.status}: {outcome.reason}"]
        with Journal.open(folder / "run", read_only=True) as journal:
            faults += _output(journal, calls, children)
            faults += _accounts(journal, server, desk, budget, folder)
            faults += _coverage(journal, desk, lengths, folder)
    return Load(
        calls=calls,
        children=children,
        seconds=seconds,
        requests=server.count,
        tokens=(server.used[0], server.used[1], server.used[2]),
        dollars=budget.spent.dollars,
        journal_bytes=(folder / "run" / "journal.sqlite").stat().st_size,
        guest_memory=desk.guest_memory,
        faults=faults,
        before=before,
        after=measure.settled(before),
    )


def _output(journal: Journal, calls: int, children: int) -> list[str]:
    """What the root's own cells said of their results, and the findings as the journal has them."""
    outputs = [
        (event.data["status"], journal.text(event.blobs["output"]), journal.text(event.blobs["error"]))
        for event in journal.events("cell.finished")
        if event.agent == "root"
    ]
    wanted = [
        f"{calls} {children}\n",
        f"{ {'results': calls, 'wrong': [], 'twice': 0, 'missing': 0} }\n",
        f"{ {'children': children, 'wrong': []} }\n",
    ]
    faults = [
        f"a cell ended as {status} and said {text[:300]!r} {error[-300:]} where it should have said {want!r}"
        for (status, text, error), want in zip(outputs, wanted, strict=False)
        if status != "ok" or text != want
    ]
    if len(outputs) != len(CELLS):
        faults.append(f"{len(outputs)} cells were run where {len(CELLS)} should have been: {outputs[-1]}")
    fees: Counter[int] = Counter()
    for event in journal.events("finding"):
        if ".f" in event.data["id"] and event.data["kind"] == "fee" and event.agent == "root":
            fees[event.data["values"]["fee"]] += 1
    expected = Counter(matter.fee(n) for n in range(calls) if n % 500 != REFUSED)
    if fees != expected:
        faults.append(
            f"the journal's findings are not those asked for: {len(fees)} fees, {sum(fees.values())} findings"
        )
    return faults


def _accounts(journal: Journal, server: Scripted, desk: Desk, budget: Budget, folder: Path) -> list[str]:
    """Usage in the journal, in the budget and in the report, beside what the server counted."""
    used = usage(journal)
    report = json.loads((folder / "run" / "output" / "report.json").read_text(encoding="utf-8"))["basis"]
    plain, cached, said = server.used[0] - server.used[1], server.used[1], server.used[2]
    price = matter.DOLLARS
    dollars = (plain * price["input"] + cached * price["cached"] + said * price["output"]) / 1e6
    root = sum(received.model == "root" for received in server.requests)
    sub = _line(used, "sub")
    pairs: list[tuple[str, Any, Any]] = [
        ("requests in the journal", sum(line.requests for line in used.lines), server.count),
        ("idempotency keys", len(server.keys), server.count - desk.put_off),
        ("calls of the root and the children", _line(used, "root")["calls"], root),
        ("calls of sub-agents", sub["calls"], desk.answered + desk.refused),
        ("failed calls", used.failed, desk.refused),
        ("calls still open", sum(line.open for line in used.lines), 0),
        ("tokens in the journal", [used.tokens.input, used.tokens.cached_input, used.tokens.output], server.used),
        ("tokens in the budget", budget.spent.tokens, server.used[0] + server.used[2]),
        ("requests in the budget", budget.spent.calls, server.count),
        ("held by the budget", (budget.reserved.calls, budget.reserved.tokens, budget.reserved.dollars), (0, 0, 0.0)),
        ("dollars in the journal", _close(used.cost, dollars), True),
        ("dollars in the budget", _close(budget.spent.dollars, dollars), True),
        ("dollars in the report", _close(report["cost"], dollars), True),
        (
            "tokens in the report",
            sum(u["input"] + u["output"] for u in report["usage"]),
            server.used[0] + server.used[2],
        ),
        ("calls in the report", sum(u["calls"] for u in report["usage"]), used.calls),
    ]
    return [f"{name}: {ours!r}, at the server {theirs!r}" for name, ours, theirs in pairs if ours != theirs]


def _line(used: Used, role: str) -> dict[str, int]:
    return {"calls": sum(line.calls for line in used.lines if line.role == role)}


def _close(ours: float | None, dollars: float) -> bool:
    """Whether a sum is right to the millionth of a cent for each thousand calls: single costs are rounded to a billionth of a dollar."""
    return ours is not None and abs(ours - dollars) < 1e-5


def _coverage(journal: Journal, desk: Desk, lengths: dict[str, int], folder: Path) -> list[str]:
    """What was read, by the journal and by the report, beside the characters that the server saw in calls that it answered."""
    found = coverage(journal, lengths)
    seen = {document: sum(marks) for document, marks in desk.read.items()}
    report = json.loads((folder / "run" / "output" / "report.json").read_text(encoding="utf-8"))["basis"]
    faults = []
    if found.read != sum(seen.values()):
        faults.append(f"{found.read} characters were read by the journal, {sum(seen.values())} by the server")
    if report["coverage"] != sum(seen.values()) / sum(lengths.values()):
        faults.append(f"the report says that {report['coverage']} was read")
    for document, length in lengths.items():
        if found.of(document) != seen.get(document[:12], 0) / length:
            faults.append(
                f"coverage of {document[:12]} is {found.of(document)}, at the server {seen.get(document[:12], 0)} of {length}"
            )
    return faults


def report(done: Load) -> list[str]:
    """What came of it, for the results page."""
    lines = [
        f"{done.calls:,} calls of the root and {done.children} sub-agents with sessions of their own, all sent off at once, against the "
        f"scripted server: {done.requests:,} requests in {done.seconds:.0f} s. Compared with the server's own books: each result with "
        "its question, order, tokens, dollars, calls, failures and coverage, in the journal, the budget and the report.",
        "",
        f"Tokens in {done.tokens[0]:,} (cached {done.tokens[1]:,}), out {done.tokens[2]:,}; ${done.dollars:.6f}; journal "
        f"{done.journal_bytes / MIB:.1f} MB ({done.journal_bytes / done.requests:,.0f} bytes a request); the largest sandbox held "
        f"{done.guest_memory / MIB:.0f} MB. Before and after, the process held "
        + ", ".join(
            f"{done.before.countable[n]} and {done.after.countable[n]} {n}"
            for n in ("descriptors", "threads", "processes")
        )
        + ".",
        "",
    ]
    return lines + (["Every figure is exact."] if not done.faults else [f"- {fault}" for fault in done.faults[:20]])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=5_000)
    parser.add_argument("--children", type=int, default=16)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        done = load(Path(temporary), given.calls, given.children)
    section("Thousands of calls at once", report(done), given.write)
    raise SystemExit(1 if done.faults else 0)


if __name__ == "__main__":
    main()

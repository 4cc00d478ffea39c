"""Caps of a whole tree of runs, counted at the server: sixteen children at once, retries, failures, and servers that bill at random."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from servers.scripted import Answer, Received, Scripted, drop, hang, say, status, use_tool

from redwell.harness import rlm
from redwell.harness.types import Outcome
from redwell.journal.journal import Journal
from redwell.models.budget import Budget
from redwell.models.connect import connect
from redwell.models.prices import VARIABLE
from redwell.models.retries import Policy
from redwell.room.room import Room
from tests.harness.support import TASK, Memo, make_room, settings

pytestmark = pytest.mark.xdist_group("budget_tree")

CHILDREN = 16
QUICK = Policy(attempts=3, base=0.001, longest=0.01, seconds=30.0, enough=10_000)
ROOT = f"r = ask_many([f'question {{n}}?' for n in range({CHILDREN})], over='a.txt', agents=True)\nprint(r)"
CHILD = "found = [f for r in ask_many([f'{n} amounts?' for n in range(4)], over=scope) if not isinstance(r, Failure) for f in r]\nprint(found)"
INPUT, OUTPUT = 1.0, 2.0  # dollars for a million tokens


@dataclass
class Bills:
    """A server's script that fails at random, and its own books. What it bills stays within what any estimate reserves, unless
    `lies` says by what factor it does not."""

    seed: int
    lies: float = 0.0
    tokens: int = 0
    dollars: float = 0.0
    excess: int = 0
    turns: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)

    def __call__(self, received: Received) -> Any:
        fault = 1.0 if self.lies else self.random.random()
        if fault < 0.08:
            return status(self.random.choice([429, 500, 503]), "no", {"Retry-After": "0.002"})
        if fault < 0.12:
            return drop("before")
        answer = self.answer(received) if fault >= 0.24 else say("{}")
        usage = self.billed(received)
        if fault < 0.16:
            return Answer(text="lost", usage=usage, drop="during")
        if fault < 0.20:
            return say("", usage=usage)
        if fault < 0.24:
            return Answer(text=answer.text, tool_calls=answer.tool_calls, finish="length", usage=usage)
        return Answer(text=answer.text, tool_calls=answer.tool_calls, finish=answer.finish, usage=usage)

    def billed(self, received: Received) -> tuple[int, int, int]:
        """At most a token for four characters of the request, and all the output that was asked for; and what a lie adds."""
        asked = sum(len(str(message.get("content") or "")) for message in received.messages) // 4
        used, wrote = self.random.randint(0, asked), self.random.randint(1, received.body["max_tokens"])
        if self.lies:
            more = int(self.lies * (used + wrote))
            self.excess += more
            used += more
        self.tokens += used + wrote
        self.dollars += (used * INPUT + wrote * OUTPUT) / 1e6
        return used, 0, wrote

    def answer(self, received: Received) -> Any:
        if received.model == "sub":
            return say('{"findings": [], "notes": ""}')
        child = "You answer one question over a part" in received.system
        who = str(received.messages[1]["content"]).split("# What it is about")[0] if child else "root"
        self.turns[who] += 1
        if child:
            return use_tool("python", {"code": CHILD if self.turns[who] == 1 else "answer(found)"})
        return use_tool("python", {"code": ROOT if self.turns[who] == 1 else "submit()"})


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Room:
    return make_room(tmp_path_factory.mktemp("small"), {"a.txt": "LEASE\n\nThe rent is $12,000 a month.\n"})


@dataclass
class Ran:
    outcome: Outcome
    journal: Journal
    budget: Budget
    calls: int  # that the server received


def ran(room: Room, folder: Path, script: Any, budget: Budget, prices: Path | None = None) -> Ran:
    with Scripted(script, latency=0.004) as server:
        if prices is not None:
            names = [f'"{role}@{server.url}" = {{ input = {INPUT}, output = {OUTPUT} }}' for role in ("root", "sub")]
            prices.write_text("\n".join(["[openai.prices]", *names]))
        models: Any = {role: connect(f"openai:{role}@{server.url}", environment={}) for role in ("root", "sub")}
        journal = Journal.create(folder, {})

        async def go() -> Outcome:
            try:
                memo = Memo(room, journal)
                return await rlm.run(
                    TASK, room, models, journal, budget, memo, settings(depth=2, max_turns=6), policy=QUICK
                )
            finally:
                for model in models.values():
                    await model.close()

        outcome = asyncio.run(go())
        count = server.count
    return Ran(outcome, journal, budget, count)


@pytest.fixture
def prices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The price file of the run; who has the server's address writes it."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "prices.toml"))
    return tmp_path / "prices.toml"


@pytest.mark.parametrize(
    ("seed", "caps"),
    [
        (1, {"tokens": 150_000}),
        (2, {"calls": 60}),
        (3, {"dollars": 0.2}),
        (4, {"tokens": 90_000, "calls": 40, "dollars": 0.15}),
    ],
    ids=["tokens", "calls", "dollars", "all"],
)
def test_no_cap_is_passed_by_sixteen_children_at_once(
    seed: int, caps: dict[str, Any], small: Room, tmp_path: Path, prices: Path
) -> None:
    bills = Bills(seed)
    done = ran(small, tmp_path / "run", bills, Budget(**caps, concurrency=16), prices)
    assert bills.tokens <= caps.get("tokens", 10**9)
    assert done.calls <= caps.get("calls", 10**9)
    assert bills.dollars <= caps.get("dollars", 1e9)
    sent = list(done.journal.events("call.sent"))
    assert len(sent) == done.budget.spent.calls == done.calls, "every attempt counts, refused and lost ones too"
    if "calls" not in caps or "tokens" in caps:
        assert done.budget.spent.tokens >= bills.tokens, "what was lost on the way counts in full"
    assert (done.budget.reserved.tokens, done.budget.reserved.calls) == (0, 0)
    assert done.budget.exhausted
    assert {failure.kind for failure in done.outcome.state.failures} & {"budget"} or "budget" in done.outcome.reason
    assert len(done.outcome.state.failures) > 0


def test_a_server_that_bills_more_than_was_reserved_is_paid_for_what_was_out_and_asked_no_more(
    small: Room, tmp_path: Path
) -> None:
    bills = Bills(5, lies=6.0)
    done = ran(small, tmp_path / "run", bills, Budget(tokens=150_000, concurrency=16))
    assert bills.tokens > 150_000
    assert bills.tokens - bills.excess <= 150_000, "without the lies the cap is kept"
    assert done.budget.spent.tokens >= bills.tokens
    assert done.budget.exhausted
    known = 0
    for event in done.journal.events(("call.sent", "call.completed", "call.retried", "call.failed")):
        if event.kind == "call.sent":
            assert known <= 150_000, "nothing is sent once more is known to be spent than there was"
        elif event.data["usage"]:
            known += event.data["usage"]["input"] + event.data["usage"]["output"]


def test_when_the_time_is_over_calls_in_flight_are_stopped_and_the_rest_is_listed(small: Room, tmp_path: Path) -> None:
    bills = Bills(6)

    def script(received: Received) -> Any:
        return hang(600) if received.model == "sub" else bills.answer(received)

    done = ran(small, tmp_path / "run", script, Budget(seconds=4.0, concurrency=16))
    assert done.outcome.status in ("salvaged", "failed")
    assert "seconds are over" in done.outcome.reason
    assert done.budget.reserved.calls == 0
    assert {failure.kind for failure in done.outcome.state.failures} <= {"timeout", "budget"}
    assert len(done.outcome.state.failures) >= CHILDREN
    first, last = next(done.journal.events("run.started")), next(done.journal.events("run.finished"))
    assert last.time - first.time < 60, "nobody waited for the server"

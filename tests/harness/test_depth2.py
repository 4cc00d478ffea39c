"""Sub-agents with sessions of their own: one budget, one journal, and typed ends."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from redwell.models.budget import Budget
from redwell.models.types import CallFailed, Request
from redwell.room.room import Room
from tests.harness.support import Root, Sub, play


def actors(root: list[Any], child: list[Any]) -> Root:
    """One model that plays the root and, by their questions, its children."""
    turns: Counter[str] = Counter()

    def next_cell(request: Request) -> Any:
        is_child = "You answer one question over a part" in request.messages[0].content
        who = request.messages[1].content.split("# What it is about")[0] if is_child else "root"
        turns[who] += 1
        reply = (child if is_child else root)[turns[who] - 1]
        return reply(request) if callable(reply) else reply

    return Root(*[next_cell] * 100)


CHILD = [
    "found = [f for result in ask_many('amounts?', over=scope) for f in result]\nprint(len(scope), found)",
    "answer(found, notes=f'read {len(scope)} spans')",
]


def test_a_child_reads_its_scope_and_returns_findings(room: Room, tmp_path: Path) -> None:
    root = actors(
        [
            "r = ask('What is paid?', over=['contracts/lease.txt', 'contracts/supply.txt'], agent=True)\nprint(r.notes)\nr",
            "submit()",
        ],
        CHILD,
    )
    played = play(room, tmp_path / "run", root, depth=2)
    assert played.outputs()[0].startswith("read 2 spans\n2 findings:")
    assert {event.agent for event in played.journal.events("cell.finished")} == {"root", "root.1-0-0"}
    assert len(played.outcome.state.findings) == 2
    assert played.outcome.state.failures == []


def test_a_childs_own_finding_is_refused_until_its_quote_is_in_the_text(room: Room, tmp_path: Path) -> None:
    child = [
        "answer([{'claim': 'Rent is high.', 'quotes': [{'document': 'contracts/lease.txt', 'text': 'The rent is $99,000'}]}])",
        "answer([{'claim': 'Rent is high.'}])",
        "answer({'kind': 'rent', 'claim': 'Rent is due.', 'quotes': [{'document': 'contracts/lease.txt', 'text': 'The rent is $12,000'}]})",
    ]
    root = actors(
        ["r = ask('What is paid?', over='contracts/lease.txt', agent=True)\nprint(r[0].holds, r[0].kind)", "submit()"],
        child,
    )
    played = play(room, tmp_path / "run", root, depth=2)
    assert played.outputs()[0].startswith("True rent\n")
    refused = played.outputs("root.1-0-0")
    assert "is differs" in refused[0]
    assert "has no quotes" in refused[1]


@pytest.mark.parametrize(
    ("child", "kind", "words"),
    [
        (["say:done"] * 3, "empty", "held no code"),
        ([CallFailed("auth", "refused")], "empty", "refused"),
        (["x = 1"] * 20, "empty", "all 4 turns"),
    ],
)
def test_a_child_that_does_not_answer_is_a_failure(
    room: Room, tmp_path: Path, child: list[Any], kind: str, words: str
) -> None:
    root = actors(
        ["r = ask('q?', over=room, agent=True)\nprint(r.kind, r.message)", "submit()", "submit()", "submit()"], child
    )
    played = play(room, tmp_path / "run", root, depth=2, max_turns=4)
    assert played.outputs()[0].startswith(kind)
    assert words in played.outputs()[0]


def test_many_children_share_one_budget_and_never_pass_it(room: Room, tmp_path: Path) -> None:
    root = actors(
        ["r = ask_many([f'{n}?' for n in range(6)], over='contracts/lease.txt', agents=True)\nprint(r)"]
        + ["submit()"] * 9,
        CHILD,
    )
    played = play(room, tmp_path / "run", root, Sub(), depth=2, budget=Budget(calls=11, concurrency=3))
    assert len(list(played.journal.events("call.sent"))) == 11
    assert played.outcome.status == "salvaged"
    assert any(failure.kind == "budget" for failure in played.outcome.state.failures)


def test_children_are_only_offered_at_depth_two_and_have_none_themselves(room: Room, tmp_path: Path) -> None:
    root = Root(
        "ask('q?', over=room, agent=True)",
        "host = ask.__globals__['host']\nhost('dispatch', questions=['q'], schemas=[None], calls=[], agents=True)",
        "submit()",
    )
    played = play(room, tmp_path / "run", root)
    assert "not offered" in played.outputs()[0]
    assert "not offered" in played.outputs()[1]
    child = ["ask('deeper?', over=scope, agent=True)", "submit()", "report = 1\nanswer([])"]
    deep = play(room, tmp_path / "deep", actors(["ask('q?', over=room, agent=True)", "submit()"], child), depth=2)
    outputs = deep.outputs("root.1-0-0")
    assert "not offered" in outputs[0]
    assert "NameError" in outputs[1]


def test_a_child_cannot_write_into_the_deliverable(room: Room, tmp_path: Path) -> None:
    child = ["host = ask.__globals__['host']\nhost('memo.add', text='mine', document='', quote='')", "answer([])"]
    root = actors(["ask('q?', over=room, agent=True)", "submit()"], child)
    played = play(room, tmp_path / "run", root, depth=2)
    assert "no call 'memo.add'" in played.outputs("root.1-0-0")[0]
    assert played.memo.lines == []


def test_children_work_beside_their_root(room: Room, tmp_path: Path) -> None:
    meanwhile = asyncio.Event()

    async def root_goes_on(request: Request) -> str:
        meanwhile.set()
        return "print(batch.results())\nsubmit()"

    async def child_waits(request: Request) -> str:
        await meanwhile.wait()
        return "answer([])"

    root = actors(
        ["batch = dispatch('q?', over='contracts/lease.txt', agents=True)\nprint(batch.done)", root_goes_on],
        [child_waits],
    )
    played = play(room, tmp_path / "run", root, depth=2)
    assert played.outputs()[0] == "False\n"
    assert played.outcome.status == "submitted"

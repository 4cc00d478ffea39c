"""However a run ends, what was found is delivered, and it says how it ended."""

import asyncio
import os
import signal
import threading
from pathlib import Path
from typing import Any

import pytest

from redwell.harness import rlm
from redwell.journal.journal import Journal, JournalError
from redwell.models.budget import Budget
from redwell.models.types import CallFailed, Request
from redwell.room.room import Room
from redwell.sandbox.types import SandboxUnavailable
from tests.harness.support import TASK, Memo, Root, Sub, play, settings

READ = "kept = ask_many('amounts?', over=room)"


def test_a_root_that_stops_writing_code_is_told_and_then_done_without(room: Room, tmp_path: Path) -> None:
    root = Root(READ, "say:I think we are done.", "say:Done.", "say:FINAL(kept)")
    played = play(room, tmp_path / "run", root, idle_turns=3)
    assert "held no code" in root.told(2)
    assert played.outcome.status == "salvaged"
    assert "3 replies in a row held no code" in played.outcome.reason
    assert "salvaged: The rent is $12,000 a month." in played.memo_text
    assert played.memo_text.startswith("salvaged because the model that directs it stopped")


def test_a_reply_with_code_starts_the_count_of_idle_replies_anew(room: Room, tmp_path: Path) -> None:
    root = Root("say:a", "x = 1", "say:b", "submit()")
    assert play(room, tmp_path / "run", root, idle_turns=2).outcome.status == "submitted"


def test_a_root_that_only_hands_in_again_what_was_refused_is_done_without(room: Room, tmp_path: Path) -> None:
    root = Root(READ, *["submit()"] * 10)
    played = play(room, tmp_path / "run", root, need=5, idle_turns=3, max_turns=60)
    assert (played.outcome.status, played.outcome.turns) == ("salvaged", 5), "the first refusal is no idle turn"
    assert "3 replies in a row did nothing but hand in again what had been refused" in played.outcome.reason
    assert "salvaged: The rent is $12,000 a month." in played.memo_text


def test_a_root_that_does_something_between_two_refusals_is_not_idle(room: Room, tmp_path: Path) -> None:
    lines = [f"memo.add('line {number}')\nsubmit()" for number in range(3)]
    root = Root(READ, "submit()", lines[0], "submit()", "submit()", lines[1], "x = 1\nsubmit()", "submit()", lines[2])
    played = play(room, tmp_path / "run", root, need=3, idle_turns=2)
    assert (played.outcome.status, played.outcome.turns) == ("submitted", 9)


def test_the_last_turn_ends_the_run(room: Room, tmp_path: Path) -> None:
    played = play(room, tmp_path / "run", Root(READ, "x = 1", "x = 2", "x = 3"), max_turns=3)
    assert (played.outcome.status, played.outcome.turns) == ("salvaged", 3)
    assert "all 3 turns" in played.outcome.reason


def test_calls_still_out_when_the_root_stops_are_taken_in(room: Room, tmp_path: Path) -> None:
    async def slowly(question: str) -> list[dict[str, Any]]:
        for _ in range(50):
            await asyncio.sleep(0)
        return [{"kind": "k", "claim": "came late", "quotes": []}]

    root = Root("batch = dispatch('amounts?', over=room)")
    played = play(room, tmp_path / "run", root, Sub(lambda s, question: slowly(question)), max_turns=1)
    assert "salvaged: came late" in played.memo_text


@pytest.mark.parametrize("kind", ["auth", "rejected"])
def test_a_root_that_cannot_be_reached_is_not_asked_again(room: Room, tmp_path: Path, kind: Any) -> None:
    root = Root(READ, CallFailed(kind, "the key was refused"), "submit()")
    played = play(room, tmp_path / "run", root)
    assert played.outcome.status == "salvaged"
    assert "the key was refused" in played.outcome.reason
    assert "The rent is $12,000 a month." in played.memo_text
    assert len(root.requests) == 2


def test_a_run_that_read_nothing_says_that_it_failed(room: Room, tmp_path: Path) -> None:
    played = play(room, tmp_path / "run", Root(CallFailed("auth", "no key")))
    assert played.outcome.status == "failed"
    assert "no key" in played.memo_text
    assert "unread 259" in played.memo_text


@pytest.mark.parametrize("kind", ["truncated", "empty"])
def test_a_reply_of_no_use_is_told_and_asked_again(room: Room, tmp_path: Path, kind: Any) -> None:
    failures = [CallFailed(kind, "no use")] * (2 if kind == "empty" else 1)
    root = Root("x = 1", *failures, "submit()")
    played = play(room, tmp_path / "run", root)
    last = root.requests[-1].messages[-1].content
    assert {"truncated": "cut off at", "empty": "was empty"}[kind] in last
    assert played.outcome.status == "submitted"


def test_a_root_that_keeps_failing_ends_the_run(room: Room, tmp_path: Path) -> None:
    root = Root(READ, *[CallFailed("truncated", "cut at 8,192 tokens")] * 9)
    played = play(room, tmp_path / "run", root, idle_turns=2)
    assert played.outcome.status == "salvaged"
    assert "cut at 8,192 tokens" in played.outcome.reason
    assert len(root.requests) == 3


def test_a_spent_budget_ends_the_run_with_what_was_found(room: Room, tmp_path: Path) -> None:
    played = play(room, tmp_path / "run", Root(READ, "x = 1", "submit()"), budget=Budget(calls=3))
    assert played.outcome.status == "salvaged"
    assert played.outcome.reason.startswith("the budget is spent")
    assert played.outcome.state.budget_spent
    assert "The rent is $12,000 a month." in played.memo_text


def test_ctrl_c_keeps_everything_and_the_run_goes_on_later(room: Room, tmp_path: Path) -> None:
    answered = threading.Event()

    async def read(question: str) -> list[dict[str, Any]]:
        if question == "never?":
            answered.set()
            os.kill(os.getpid(), signal.SIGINT)
            await asyncio.sleep(60)
        return [{"kind": "k", "claim": f"answer to {question}", "quotes": []}]

    root = Root("a = ask('first?', over=room)\nb = ask('never?', over=room)\nprint('not reached')")
    played = play(room, tmp_path / "run", root, Sub(lambda s, question: read(question)))
    assert answered.is_set()
    assert played.outcome.status == "interrupted"
    assert "salvaged: answer to first?" in played.memo_text
    played.journal.close()

    sub = Sub(lambda slices, question: [])
    again = play(room, tmp_path / "run", Root("print(len(a), len(b))\nsubmit()"), sub, resume=True)
    assert again.outcome.status == "submitted"
    assert sub.questions == ["never?"]
    assert again.outputs()[0] == "not reached\n"
    assert again.outputs()[1].startswith("1 0\n")


def test_a_cell_that_computes_too_long_is_interrupted_and_keeps_its_state(room: Room, tmp_path: Path) -> None:
    root = Root("x = 5\nwhile True:\n    pass", "print(x)\nsubmit()")
    played = play(room, tmp_path / "run", root, cell_seconds=0.5)
    assert "was interrupted" in root.told(1)
    assert played.outputs()[1].startswith("5\n")


def test_waiting_for_sub_agents_is_not_counted_as_computing(room: Room, tmp_path: Path) -> None:
    async def slow() -> list[Any]:
        await asyncio.sleep(1.0)
        return []

    root = Root("r = ask('x?', over=room)\nprint('through')\nsubmit()")
    played = play(room, tmp_path / "run", root, Sub(lambda slices, question: slow()), cell_seconds=0.5)
    assert played.outputs()[0].startswith("through")


@pytest.mark.parametrize("code", ["exit(3)", "raise SystemExit", "import sys; sys.exit()", "import os; os._exit(1)"])
def test_code_that_ends_its_process_does_not_end_the_run(room: Room, tmp_path: Path, code: str) -> None:
    played = play(room, tmp_path / "run", Root("x = 1", code, "print(x)\nsubmit()"))
    assert played.outputs()[2].startswith("1\n")
    assert played.outcome.status == "submitted"


@pytest.mark.parametrize("how", ["submitted", "interrupted"])
def test_no_process_is_left_when_a_run_has_ended(room: Room, tmp_path: Path, how: str) -> None:
    pressed = threading.Event()

    def child(request: Request) -> Any:
        if "You answer one question" not in request.messages[0].content:
            return "batch = dispatch([f'{n}?' for n in range(3)], over=room, agents=True)\nbatch.results()\nsubmit()"
        if how == "interrupted" and not pressed.is_set():
            pressed.set()  # pressing twice means "now", without a report
            os.kill(os.getpid(), signal.SIGINT)
        return "answer([])"

    before = _children()
    played = play(room, tmp_path / "run", Root(*[child] * 9), depth=2)
    assert played.outcome.status == how
    assert _children() == before


def test_no_code_is_run_when_the_walls_are_not_there(room: Room, tmp_path: Path) -> None:
    root = Root("x = 1")
    with pytest.raises(SandboxUnavailable):
        play(room, tmp_path / "run", root, sandbox="no-such-backend")
    assert root.requests == []


def test_a_journal_that_cannot_be_written_ends_the_run_and_nothing_goes_on_unrecorded(
    room: Room, tmp_path: Path
) -> None:
    class Full(Journal):
        async def append_async(self, kind: str, *given: Any, **more: Any) -> Any:
            if kind == "host.answered":
                raise JournalError("the disk is full")
            return await super().append_async(kind, *given, **more)

    journal = Full.create(tmp_path / "run", {})
    root = Root("room.search('rent')\nprint('went on')", "x = 1")
    with pytest.raises(JournalError, match="disk is full"):
        asyncio.run(
            rlm.run(TASK, room, {"root": root, "sub": Sub()}, journal, Budget(), Memo(room, journal), settings())
        )
    assert len(root.requests) == 1


def _children() -> set[str]:
    """The processes under this one."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[1] == str(os.getpid()) and fields[0] != "Z":
            found.add(path.parent.name)
    return found

"""How a run went about it, from journals written by hand."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from redwell.bench.behaviour import behaviour
from redwell.journal.journal import Journal


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal.create(tmp_path / "run", {})


def turn(journal: Journal, number: int, calls: int = 0) -> None:
    journal.append("turn.started", "root", {"turn": number})
    journal.append("cell.started", "root", {"cell": number * 10, "turn": number})
    for place in range(calls):
        journal.append("call.sent", "root", {"call": f"root:{number * 10}-0-{place}", "role": "sub", "model": "m"})


def answered(journal: Journal, cell: int, place: int, kind: str = "call.completed") -> None:
    journal.append(kind, "root", {"call": f"root:{cell}-0-{place}", "role": "sub", "model": "m"})


def test_calls_belong_to_the_turn_whose_cell_asked_for_them(journal: Journal) -> None:
    turn(journal, 1)
    turn(journal, 2, calls=3)
    turn(journal, 3)
    # The fourth call of turn 2 waited for its place until turn 3 had begun.
    journal.append("call.sent", "root", {"call": "root:20-0-3", "role": "sub", "model": "m"})
    for place in range(4):
        answered(journal, 20, place)
    found = behaviour(journal)
    assert (found.turns, found.delegating, found.sub_calls) == (3, 1, 4)
    assert found.calls_per_delegating_turn == 4.0
    assert found.delegation_rate == pytest.approx(1 / 3)


def test_a_call_that_failed_for_good_counts_as_one(journal: Journal) -> None:
    turn(journal, 1, calls=2)
    answered(journal, 10, 0)
    answered(journal, 10, 1, "call.failed")
    assert behaviour(journal).sub_calls == 2


def test_writing_before_the_last_answer_is_seen(journal: Journal) -> None:
    turn(journal, 1, calls=2)
    answered(journal, 10, 0)
    journal.append("report.entry", "root", {"id": "F-001"})
    answered(journal, 10, 1)
    assert behaviour(journal).wrote_while_reading
    found = behaviour(journal)
    assert found.first_entry is not None
    assert found.last_answer is not None
    assert found.first_entry <= found.last_answer


def test_writing_all_at_the_end_is_not_writing_while_reading(journal: Journal) -> None:
    turn(journal, 1, calls=1)
    answered(journal, 10, 0)
    journal.append("report.entry", "root", {"id": "F-001"})
    assert not behaviour(journal).wrote_while_reading


def test_a_run_without_delegation_has_no_calls_per_turn(journal: Journal) -> None:
    turn(journal, 1)
    found = behaviour(journal)
    assert found.calls_per_delegating_turn is None
    assert found.delegation_rate == 0.0


def test_the_pause_before_going_on_is_no_work(journal: Journal) -> None:
    turn(journal, 1)
    time.sleep(0.3)
    journal.append("run.resumed")
    turn(journal, 2)
    events = [event.time for event in journal.events()]
    assert events[-1] - events[0] >= 0.3
    assert behaviour(journal).seconds == pytest.approx(events[-1] - events[0] - 0.3, abs=0.25)
    assert behaviour(journal).seconds < 0.3

"""The measures of a run that was really made: both coverages, roles, documents, citations."""

from __future__ import annotations

import asyncio
import json
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from redwell.bench import probes
from redwell.bench.cell import Cell, carry_out, task_of
from redwell.bench.measures import READ_FILE, measure, read_measures
from redwell.journal.coverage import coverage
from redwell.journal.journal import Journal, JournalError
from redwell.journal.usage import usage
from redwell.room.room import Room

DEMO = Path(__file__).parents[2] / "examples/demo_room"
TASK = {
    "title": "Diligence Review: Larkfield Instruments",
    "instructions": "Review the attached data room and produce a red-flags report at `red-flags-report.md`.",
    "deliverables": {"red-flags-report.md": "red-flags-report.md"},
    "criteria": [{"id": "C-001", "title": "Belmont", "match_criteria": "PASS if the report names Belmont."}],
}
pytestmark = pytest.mark.xdist_group("measured_run")


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Room, dict[str, Any]]:
    """The demo room through the RLM harness with the embedded models: the run, its room, its measures."""
    folder = tmp_path_factory.mktemp("measured")
    task = folder / "task"
    task.mkdir()
    (task / "task.json").write_text(json.dumps(TASK))
    shutil.copytree(DEMO, task / "documents")
    run, store = folder / "run", folder / "store"
    cell = Cell("task", str(task), str(folder), "rlm", "playbook", "reader", 1, str(run), str(store), ocr="off")
    result = asyncio.run(carry_out(cell, lambda what, figures: None))
    assert result.status == "submitted"
    found = read_measures(run)
    assert found is not None
    return run, Room.open(store), found


def test_both_coverages_say_the_same(measured: tuple[Path, Room, dict[str, Any]]) -> None:
    run, room, found = measured
    with Journal.open(run, read_only=True) as journal:
        exact = coverage(journal, {d.id: d.length for d in room.documents() if d.length})
    assert found["coverage"] == exact.share == 1.0
    assert found["probe_coverage"] == 1.0
    assert found["probes"] == len(probes.draw(room)) > 10
    assert found["probe_disagreements"] == 0


def test_roles_are_those_of_the_usage_view(measured: tuple[Path, Room, dict[str, Any]]) -> None:
    run, _, found = measured
    with Journal.open(run, read_only=True) as journal:
        used = usage(journal)
    assert {role: part["calls"] for role, part in found["roles"].items()} == {
        line.role: line.calls for line in used.lines
    }
    assert found["cost"] == 0.0
    assert (found["root_input_share"], found["root_output_share"]) == (0.0, 0.0)  # the embedded models count no tokens


def test_documents_read_are_listed_with_their_shares(measured: tuple[Path, Room, dict[str, Any]]) -> None:
    run, room, found = measured
    shares = json.loads((run / READ_FILE).read_text())
    assert shares == {d.path: 1.0 for d in room.documents() if d.length}
    assert found["documents"] == found["documents_read"] == len(shares)


def test_the_report_of_redwell_has_no_quote_that_does_not_hold(measured: tuple[Path, Room, dict[str, Any]]) -> None:
    _, _, found = measured
    assert found["citations"]["quotes"] > 50
    assert found["citations"]["verified"] == found["citations"]["quotes"]


def test_the_root_delegated_in_one_turn_and_wrote_after_it(measured: tuple[Path, Room, dict[str, Any]]) -> None:
    _, _, found = measured
    how = found["behaviour"]
    assert how["sub_calls"] == found["roles"]["sub"]["calls"]
    assert how["delegating"] >= 1
    assert how["calls_per_delegating_turn"] == how["sub_calls"] / how["delegating"]
    assert how["first_entry"] <= how["last_entry"] <= how["seconds"]


def test_measuring_again_gives_the_same(measured: tuple[Path, Room, dict[str, Any]], tmp_path: Path) -> None:
    first, room, found = measured
    run = tmp_path / "copied" / "run"
    for name in ("run", "task"):  # the run names its task by where it is from it
        shutil.copytree(first.with_name(name), run.with_name(name))
    assert json.loads(json.dumps(asdict(measure(run, task_of(run), room)))) == found


def test_damaged_measures_say_what_to_do(tmp_path: Path) -> None:
    for content, said in ((b"{", "it is not JSON"), (b"\xff", "it is not UTF-8 text"), (b"3", "measures.json: file: ")):
        (tmp_path / "measures.json").write_bytes(content)
        with pytest.raises(JournalError, match="measure the run again: delete its cell") as raised:
            read_measures(tmp_path)
        assert said in str(raised.value)
        assert "Error" not in str(raised.value)
    assert read_measures(tmp_path / "elsewhere") is None

"""What an agent writes into its output is never taken for a run of its own, with measures and verdicts that it made up."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.figure_runs import write_run
from bench.task_trees import write_task

from redwell.bench.figures.rows import gather
from redwell.bench.runs import runs_in
from redwell.bench.tasks import load_tasks
from redwell.cli.bench_compare import _chosen
from redwell.cli.bench_grade import _found
from redwell.journal.journal import Journal


@pytest.fixture
def matrix(tmp_path: Path) -> Path:
    """A run that passes a tenth, and in its output one that passes all, complete with journal."""
    honest = write_run(tmp_path, passed=1, failed=9)
    Journal.create(honest.with_name("2"), {"task": "t", "models": {}}).close()
    for place in (honest / "output", honest / "workspace" / "output", honest.with_name("2") / "output"):
        planted = write_run(place, passed=10, failed=0)
        (planted / "run.json").unlink()
        Journal.create(planted, {"task": "rooms/one", "models": {}}).close()
    return tmp_path


def test_runs_are_found_and_nothing_in_them(matrix: Path) -> None:
    place = matrix / "rooms" / "one" / "rlm" / "openai-big--openai-small"
    assert list(runs_in(matrix)) == [place / "1", place / "2"]
    assert list(runs_in(place / "1")) == [place / "1"]
    assert list(_found([matrix])) == [place / "1", place / "2"]


def test_a_task_that_an_agent_has_written_is_none(matrix: Path) -> None:
    run = next(runs_in(matrix))
    write_task(run / "output" / "task")
    write_task(matrix / "tasks" / "a")
    assert [task.id for task in load_tasks(matrix)] == ["tasks/a"]


def test_figures_are_of_runs_only(matrix: Path) -> None:
    assert [row.rate for row in gather(matrix)] == [pytest.approx(0.1)]


def test_planted_runs_are_not_compared(matrix: Path) -> None:
    (matrix / "rooms" / "one" / "rlm" / "openai-big--openai-small" / "2" / "verdicts").mkdir()
    assert list(_chosen(matrix, "")) == [("t", 1)]


def test_tasks_rooms_and_what_is_hidden_hold_no_runs(tmp_path: Path) -> None:
    for folder, marks in (("task", "task.json"), ("store", "room.sqlite"), (".hidden", "x")):
        (tmp_path / folder / "run").mkdir(parents=True)
        (tmp_path / folder / marks).touch()
        (tmp_path / folder / "run" / "run.json").touch()
    assert list(runs_in(tmp_path)) == []

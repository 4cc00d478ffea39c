"""A matrix remembers its tasks: one that has changed is refused, and one whose rubric has changed is judged anew without being run again."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from bench.planted import all_recipes, planted
from bench.task_trees import lease_task, task
from bench.test_matrix import made, run

from redwell.bench import frozen
from redwell.bench.cell import result_of
from redwell.bench.key import write_key
from redwell.bench.matrix import MatrixError
from redwell.bench.running import lines_of
from redwell.bench.tasks import load_task
from redwell.bench.verdicts import sets
from redwell.journal.journal import Journal


def hold(folder: Path, out: Path) -> None:
    frozen.hold([load_task(folder)], out)


def test_a_task_that_stays_the_same_is_held_any_number_of_times(tmp_path: Path) -> None:
    folder = lease_task(tmp_path / "a")
    hold(folder, tmp_path)
    before = (tmp_path / "tasks.json").read_bytes()
    for file in (folder / "documents").iterdir():
        os.utime(file, (1e9, 1e9))  # as a copy of the tree has them
    hold(folder, tmp_path)
    hold(folder, tmp_path)
    kept = json.loads((tmp_path / "tasks.json").read_bytes())["a"]
    assert {name: kept[name] for name in ("instructions", "documents")} == {
        name: value for name, value in json.loads(before)["a"].items() if name != "seen"
    }


def _another_letter(folder: Path) -> None:
    file = folder / "documents" / "lease-0.txt"
    file.write_text(file.read_text().replace("landlord", "Landlord"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda folder: lease_task(folder, instructions="Write a poem."), "its instructions have changed"),
        (lambda folder: lease_task(folder, deliverables={"a": "other.md"}), "its instructions have changed"),
        (lambda folder: lease_task(folder, leases=3), "its documents have changed"),
        (lambda folder: (folder / "documents" / "lease-1.txt").unlink(), "its documents have changed"),
        (lambda folder: (folder / "documents" / "lease-1.txt").rename(folder / "documents" / "b.txt"), "its documents have changed"),
        (_another_letter, "its documents have changed"),
        (lambda folder: lease_task(folder, leases=3, instructions="Write a poem."), "its instructions and documents have changed"),
    ],
)  # fmt: skip
def test_a_task_that_has_changed_is_refused_and_forgotten_by_nobody(tmp_path: Path, change: Any, said: str) -> None:
    folder = lease_task(tmp_path / "a")
    hold(folder, tmp_path)
    change(folder)
    for _ in range(2):
        with pytest.raises(MatrixError) as raised:
            hold(folder, tmp_path)
        assert str(folder) in str(raised.value)
        assert said in str(raised.value)
        assert "--out" in str(raised.value)


def test_documents_that_come_later_and_tasks_that_are_added_are_no_change(tmp_path: Path) -> None:
    folder = lease_task(tmp_path / "a")
    for file in (folder / "documents").iterdir():
        file.unlink()
    hold(folder, tmp_path)
    lease_task(folder)
    hold(folder, tmp_path)
    frozen.hold([load_task(folder), load_task(lease_task(tmp_path / "b"))], tmp_path)
    assert set(json.loads((tmp_path / "tasks.json").read_bytes())) == {"a", "b"}


@pytest.mark.parametrize("content", ["", "[]", "{", '{"a": 3}', "\x00"])
def test_a_damaged_memory_is_named_with_the_way_out(tmp_path: Path, content: str) -> None:
    (tmp_path / "tasks.json").write_text(content)
    with pytest.raises(MatrixError, match=r"tasks\.json: does not say .* \(it [^()]+\); put it back, or delete it"):
        hold(lease_task(tmp_path / "a"), tmp_path)


def test_another_rubric_judges_what_was_run_and_runs_nothing_again(tmp_path: Path) -> None:
    folder = lease_task(tmp_path / "tree" / "a")
    key, _ = planted([(all_recipes()[0], all_recipes()[0].ways[0], False)], "1")
    write_key(key, folder / "answer_key.json")
    criteria = [{"id": one.id, "title": one.title, "match_criteria": one.match_criteria} for one in key.criteria]
    (folder / "task.json").write_text(json.dumps(task(criteria=criteria)))
    matrix, out = made(tmp_path, judges=["facts"]), tmp_path / "out"
    [line], _ = run(matrix, out)
    first = result_of(Path(line.cell.run))
    assert first is not None
    assert sum(first.judged["facts"]) == len(criteria)

    (folder / "task.json").write_text(json.dumps(task(criteria=criteria[:-1])))
    assert [line.state for line in lines_of(matrix, out)] == ["waiting"]
    [line], _ = run(matrix, out)
    again = result_of(Path(line.cell.run))
    assert again is not None
    assert sum(again.judged["facts"]) == len(criteria) - 1
    assert again.calls == first.calls
    assert sets(Path(line.cell.run), aside=True) == ["facts", "facts~1"]
    with Journal.open(Path(line.cell.run), read_only=True) as journal:
        assert len(list(journal.events("run.started"))) == 1
    assert [(line.state, line.kept) for line in lines_of(matrix, out)] == [("submitted", True)]

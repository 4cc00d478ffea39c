"""A matrix: its file, its folder, its one budget, and what becomes of cells that fail."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from bench.task_trees import lease_task, write_task
from endurance.chaos_watch import family
from hypothesis import given, settings
from hypothesis import strategies as st

from redwell.bench import matrix as matrices
from redwell.bench.cell import Cell, CellResult, carry_out
from redwell.bench.executors import Local
from redwell.bench.locks import InUse, held
from redwell.bench.matrix import (
    Matrix,
    MatrixCaps,
    MatrixError,
    cells_of,
    differences,
    freeze,
    make_matrix,
    read_matrix,
)
from redwell.bench.pool import Pool
from redwell.bench.running import Line, begin, lines_of, run_cells, standing
from redwell.bench.tasks import TaskError
from redwell.journal.journal import Journal
from redwell.models.budget import Spent

NOTHING = Spent(0.0, 0, 0, 0.0)


def made(base: Path, **data: Any) -> Matrix:
    return make_matrix({"tasks": ["tree"], "harnesses": ["rlm"], "ocr": "off", **data}, base, "m.toml")


def run(matrix: Matrix, out: Path, changed: Any = None) -> tuple[list[Line], bool]:
    out.mkdir(exist_ok=True)
    begin(matrix, out)
    lines = lines_of(matrix, out)
    whole = asyncio.run(run_cells(lines, matrix, Local(), changed or (lambda *told: None), out=out))
    return lines, whole


# --- the file ---------------------------------------------------------------------------------------------------------------


def test_the_example_is_a_matrix() -> None:
    found = read_matrix(Path(__file__).parents[2] / "examples" / "matrix_small.toml")
    assert found.generated is not None
    assert found.generated.seeds == (1, 2, 3, 4, 5, 6)
    assert found.budget.cell.dollars == 5.0
    assert found.judges == ("facts",)


def test_all_problems_of_a_file_are_told_with_their_fields(tmp_path: Path) -> None:
    file = tmp_path / "m.toml"
    file.write_text(
        'tasks = "tree"\nroots = ["playbook", "playbook"]\nrepeats = 0\nspeed = 3\n[harnesses.rlm]\nturns = 3\n'
        "[budget.cell]\ndollars = -1\n[generated]\npreset = 'huge'\nseeds = []\n"
    )
    with pytest.raises(MatrixError) as raised:
        read_matrix(file)
    said = [line.removeprefix(f"{file}: ") for line in str(raised.value).split("\n")]
    assert {line.partition(":")[0] for line in said} == {
        *(
            "tasks",
            "roots",
            "repeats",
            "speed",
            "harnesses",
            "budget.cell.dollars",
            "generated.preset",
            "generated.seeds",
        )
    }
    assert "speed: there is no such field" in said
    assert "tasks: must be a list, in square brackets" in said
    assert "roots: 'playbook' stands there twice" in said
    assert any(line.startswith("harnesses: rlm has no setting 'turns'; there is depth, max_turns") for line in said)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"tasks": []}, "names no tasks"),
        ({"harnesses": ["rlm", "gpt"]}, "there is no harness 'gpt'; there is rlm"),
        ({"harnesses": {"rlm": {"max_turns": "many"}}}, "rlm.max_turns must be a valid integer, not 'many'"),
        ({"harnesses": {"rlm": {"max_turns": True}}}, "rlm.max_turns must be a valid integer, not 'True'"),
        ({"harnesses": {"rlm": {"max_turns": -1}}}, "rlm.max_turns must be a number from 0 on"),
        ({"harnesses": {"rlm": {"max_turns": 10**400}}}, "rlm.max_turns must be a number from 0 on"),
        ({"harnesses": {"rlm": {"cell_seconds": float("inf")}}}, "rlm.cell_seconds must be a number from 0 on"),
        ({"harnesses": {"rlm": {"cell_seconds": float("nan")}}}, "rlm.cell_seconds must be a number from 0 on"),
        ({"harnesses": {"rlm": {"root_temperature": "hot"}}}, "rlm.root_temperature must be a valid number"),
        ({"harnesses": {"rlm": {"prompt": "longer"}}}, "rlm.prompt must be 'full' or 'short', not 'longer'"),
        ({"harnesses": {"rlm": {"seed": date(2026, 1, 1)}}}, "rlm.seed must be a valid integer, not '2026-01-01'"),
        ({"harnesses": []}, "harnesses: must not be empty"),
        ({"budget": {"matrix": {"tokens": 5}}}, "budget.matrix.tokens needs budget.cell.tokens"),
        ({"executor": "slurm"}, "executor: must be 'local' or 'ray'"),
        ({"tree": "a\0b"}, "tree: holds a null character"),
        ({"tasks": ["a\0b"]}, "tasks.0: holds a null character"),
        ({"tasks": [os.fsdecode(b"caf\xe9")]}, "tasks.0: the path is not UTF-8: rename it"),
        ({"generated": {"preset": "desk", "seeds": [10**300]}}, "generated.seeds.0: must be less than"),
    ],
)
def test_a_matrix_that_cannot_be_run_is_refused(tmp_path: Path, data: dict[str, Any], said: str) -> None:
    with pytest.raises(MatrixError, match=re.escape(said)):
        made(tmp_path, **data)


def test_files_that_are_no_matrix_are_refused_in_a_sentence(tmp_path: Path) -> None:
    deep = tmp_path / "deep.toml"
    deep.write_text("a = " + "[" * 5000)
    big = tmp_path / "big.toml"
    big.write_bytes(b"#" * 1_000_001)
    digits = tmp_path / "digits.toml"
    digits.write_text("repeats = " + "9" * 5000)
    for file in (deep, big, digits, tmp_path / "none.toml", tmp_path):
        with pytest.raises(MatrixError, match=str(file)):
            read_matrix(file)


_NAMES = st.text(min_size=1, max_size=12).filter(lambda text: text.isprintable())


@settings(max_examples=80, deadline=None)
@given(
    st.lists(_NAMES, min_size=1, max_size=3, unique=True),
    st.lists(_NAMES, min_size=1, max_size=3, unique=True),
    st.integers(1, 9),
    st.none() | st.floats(0, 1e6),
    st.none() | st.lists(st.integers(-(10**12) + 1, 10**12 - 1), min_size=1, max_size=3),
)
def test_a_frozen_matrix_reads_back_as_itself(
    tmp_path_factory: pytest.TempPathFactory,
    tasks: list[str],
    roots: list[str],
    repeats: int,
    dollars: float | None,
    seeds: list[int] | None,
) -> None:
    folder = tmp_path_factory.mktemp("frozen")
    data: dict[str, Any] = {
        "tasks": tasks,
        "roots": roots,
        "repeats": repeats,
        "budget": {"cell": {"dollars": dollars}},
    }
    data["harnesses"] = {"rlm": {"max_turns": 7, "cell_seconds": 1.5, "sandbox": 'a "b" \x7f'}}
    if seeds is not None:
        data["generated"] = {"preset": "desk", "seeds": seeds}
    matrix = make_matrix(data, folder, "m")
    (folder / "matrix.toml").write_text(freeze(matrix), encoding="utf-8")
    again = read_matrix(folder / "matrix.toml")
    assert again == matrix
    assert differences(matrix, again) == []


def test_only_further_cells_and_the_way_of_running_may_change(tmp_path: Path) -> None:
    base = {"tasks": ["a"], "roots": ["playbook"], "repeats": 2, "budget": {"cell": {"calls": 9}}, "judges": []}
    frozen = made(tmp_path, **base)
    more = {
        **base,
        "tasks": ["a", "b"],
        "roots": ["openai:x", "playbook"],
        "repeats": 3,
        "judges": ["facts"],
        "concurrency": 9,
    }
    more |= {"executor": "ray", "budget": {"cell": {"calls": 9}, "matrix": {"calls": 99}}}
    assert differences(frozen, made(tmp_path, **more)) == []
    less = {"tasks": ["b"], "roots": ["openai:x"], "repeats": 1, "budget": {"cell": {"calls": 8}}, "ocr": "auto"}
    less["harnesses"] = {"rlm": {"max_turns": 3}}
    assert differences(frozen, made(tmp_path, **less)) == [
        f"tasks: {tmp_path / 'a'} is no longer there",
        "roots: playbook is no longer there",
        "harnesses.rlm: was {}, is {'max_turns': 3}",
        "repeats: was 2, is 1",
        "ocr: was off, is auto",
        "budget.cell.calls: was 9, is 8",
    ]


def test_tasks_are_named_by_their_place_and_bounded_by_their_tree(tmp_path: Path) -> None:
    tree = tmp_path / "tasks"
    for number in ("001", "002"):
        write_task(tree / "firm" / "tasks" / number, docs_dir="../../dms")
    lease_task(tree / "leases" / "scenario-01")
    names = [t.id for t, _ in matrices.tasks_of(made(tmp_path, tasks=["tasks"]), tmp_path)]
    assert names == ["firm/tasks/001", "firm/tasks/002", "leases/scenario-01"]
    bound = made(tmp_path, tree="tasks", tasks=["firm/tasks/*"])
    assert [t.id for t, _ in matrices.tasks_of(bound, tmp_path)] == names[:2]
    folder = made(tmp_path, tree="tasks", tasks=["firm/tasks"])
    assert [t.id for t, _ in matrices.tasks_of(folder, tmp_path)] == names[:2]
    with pytest.raises(TaskError, match="name the tree"):
        matrices.tasks_of(made(tmp_path, tasks=["tasks/firm/tasks/001"]), tmp_path)
    with pytest.raises(MatrixError, match="nothing: there is no such folder"):
        matrices.tasks_of(made(tmp_path, tasks=["nothing"]), tmp_path)
    write_task(tmp_path / "other" / "scenario-01")
    both = made(tmp_path, tasks=["tasks/leases/scenario-01", "other/scenario-01"])
    with pytest.raises(MatrixError, match="are both called scenario-01: name the tree"):
        matrices.tasks_of(both, tmp_path)


@given(st.lists(st.text(min_size=1, max_size=90), min_size=2, max_size=2, unique=True))
def test_names_that_differ_have_folders_that_differ(names: list[str]) -> None:
    first, second = (matrices.slug(name) for name in names)
    assert first != second
    for one in (first, second):
        assert re.fullmatch(r"[A-Za-z0-9._+-]{1,70}", one)
        assert one[0] not in ".-"


def test_every_cell_has_a_place_and_a_seed_of_its_own(tmp_path: Path) -> None:
    lease_task(tmp_path / "tree" / "a")
    matrix = made(
        tmp_path, roots=["playbook", "openai:x@http://127.0.0.1:9/v1"], subs=["reader", "openai:y"], repeats=3
    )
    cells = cells_of(matrix, matrices.tasks_of(matrix, tmp_path), tmp_path)
    assert len(cells) == 12 == len({cell.run for cell in cells})
    assert {cell.store for cell in cells} == {str(tmp_path / "rooms" / "a")}
    assert [cell.settings["seed"] for cell in cells[:3]] == [0, 1, 2]
    assert cells[0].run == str(tmp_path / "runs" / "a" / "rlm" / "playbook--reader" / "1")


# --- the budget -------------------------------------------------------------------------------------------------------------


@settings(max_examples=200)
@given(
    st.integers(1, 50),
    st.lists(st.tuples(st.integers(1, 20), st.integers(0, 20), st.booleans()), max_size=12),
)
def test_a_pool_never_hands_out_more_than_there_is(cap: int, cells: list[tuple[int, int, bool]]) -> None:
    pool = Pool(MatrixCaps(calls=cap))
    open_cells: dict[str, tuple[int, int]] = {}
    for number, (most, used, at_once) in enumerate(cells):
        refusal = pool.reserve(str(number), {"calls": most}, NOTHING)
        held_ = sum(held_most for held_most, _ in open_cells.values())
        assert bool(refusal) == (most > cap - pool.spent.calls - held_)
        if not refusal:
            open_cells[str(number)] = (most, min(used, most))
        if at_once:
            for name, (_, spent) in open_cells.items():
                pool.settle(name, Spent(0.0, 0, spent, 0.0))
            open_cells.clear()
        assert pool.spent.calls <= cap


def test_what_a_cell_used_before_needs_no_second_place_in_the_pool() -> None:
    pool = Pool(MatrixCaps(dollars=1.0))
    before = Spent(0.4, 0, 0, 0.0)
    pool.spend(before)
    assert pool.reserve("a", {"dollars": 0.9}, before) == ""
    assert "up to 0.20 dollars: 0.10 of 1.00 are left" in pool.reserve("b", {"dollars": 0.2}, NOTHING)
    pool.settle("a", Spent(0.1, 0, 0, 0.0))
    assert pool.spent.dollars == 0.5
    assert pool.reserve("b", {"dollars": 0.5}, NOTHING) == ""


# --- running ----------------------------------------------------------------------------------------------------------------


def test_what_is_finished_is_not_run_again_and_cells_may_be_added(tmp_path: Path) -> None:
    lease_task(tmp_path / "tree" / "a")
    out = tmp_path / "out"
    lines, whole = run(made(tmp_path), out)
    assert whole
    assert [line.state for line in lines] == ["submitted"]
    runs = Path(lines[0].cell.run)
    with Journal.open(runs, read_only=True) as journal:
        before, identity = journal.last, journal.id
        assert journal.configuration["kind"] == "bench"
        assert journal.configuration["task"] == "a"
        assert (runs / journal.configuration["room"]).resolve() == out / "rooms" / "a"
    told = Counter[str]()
    lines, whole = run(made(tmp_path, repeats=2), out, lambda kind, line, figures: told.update([kind]))
    assert [(line.state, line.kept) for line in lines] == [("submitted", True), ("submitted", False)]
    assert told["started"] == 1
    with Journal.open(runs, read_only=True) as journal:
        assert (journal.last, journal.id) == (before, identity)
    assert not [path for path in out.rglob("*") if path.name in ("task.json", "answer_key.json")]
    with pytest.raises(MatrixError, match=r"repeats: was 2, is 1"):
        run(made(tmp_path), out)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("")
    with pytest.raises(MatrixError, match=r"holds other files \(letter.txt\)"):
        run(made(tmp_path), tmp_path / "full")


def test_a_failing_cell_stops_no_other_and_is_listed_with_its_reason(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    lease_task(tree / "good")
    write_task(tree / "empty")
    (tree / "empty" / "documents").mkdir()
    (tree / "empty" / "documents" / "blank.txt").write_text(" \n")
    lease_task(tree / "killed")

    def kill(kind: str, line: Line | None, figures: dict[str, Any]) -> None:
        if kind == "figures" and line is not None and line.cell.task == "killed":
            for pid in family(os.getpid()):
                if Path(f"/proc/{pid}/cmdline").read_bytes().count(b"redwell.bench.process"):
                    os.kill(pid, signal.SIGKILL)

    lines, whole = run(made(tmp_path, concurrency=1), tmp_path / "out", kill)
    assert whole
    states = {line.cell.task: (line.state, line.reason) for line in lines}
    assert states["good"] == ("submitted", "")
    assert states["killed"] == ("failed", "the process of the cell was ended by SIGKILL")
    assert states["empty"][0] == "failed"
    assert "no readable text is in its 1 file" in states["empty"][1]
    listed = json.loads((tmp_path / "out" / "cells.json").read_text())
    assert {one["task"]: one["state"] for one in listed} == {task: state for task, (state, _) in states.items()}
    lines, _ = run(made(tmp_path), tmp_path / "out")
    assert {line.cell.task: line.state for line in lines}["killed"] == "submitted"


def test_the_budget_of_the_matrix_is_one_pool(tmp_path: Path) -> None:
    lease_task(tmp_path / "tree" / "a")
    cell = {"cell": {"calls": 60}}
    matrix = made(tmp_path, repeats=3, concurrency=3, budget={**cell, "matrix": {"calls": 70}})
    lines, whole = run(matrix, tmp_path / "out")
    assert whole
    used = lines[0].used.calls
    assert 10 < used < 60
    assert [line.state for line in lines] == ["submitted", "not run", "not run"]
    assert (
        lines[1].reason
        == f"the matrix's budget does not cover another cell, which may use up to 60 calls: {70 - used} of 70 are left"
    )
    assert standing(lines, 0.0).spent.calls == used
    lines, _ = run(
        matrix.model_copy(update={"budget": made(tmp_path, budget={**cell, "matrix": {"calls": 500}}).budget}),
        tmp_path / "out",
    )
    assert [line.state for line in lines] == ["submitted"] * 3
    assert [line.kept for line in lines] == [True, False, False]


def test_a_matrix_that_is_called_off_keeps_what_was_done(tmp_path: Path) -> None:
    lease_task(tmp_path / "tree" / "a", leases=4)
    matrix, out = made(tmp_path, repeats=2, concurrency=1), tmp_path / "out"
    out.mkdir()
    begin(matrix, out)
    lines = lines_of(matrix, out)

    async def main() -> bool:
        def changed(kind: str, line: Line | None, figures: dict[str, Any]) -> None:
            if kind == "figures" and line is lines[0] and not called_off:
                called_off.append(line)
                work.cancel()

        called_off: list[Line] = []
        work = asyncio.ensure_future(run_cells(lines, matrix, Local(), changed, out=out))
        return await work

    assert asyncio.run(main()) is False
    assert lines[0].state in ("interrupted", "submitted")  # it may have been at its last event
    assert (lines[1].state, lines[1].reason) == ("not run", "the matrix was interrupted")
    lines, whole = run(matrix, out)
    assert whole
    assert [line.state for line in lines] == ["submitted"] * 2


def test_one_folder_is_run_by_one_process(tmp_path: Path) -> None:
    with (
        held(tmp_path / "lock"),
        pytest.raises(InUse, match=f"in use by process {os.getpid()}"),
        held(tmp_path / "lock"),
    ):
        pass


def test_an_interrupted_reading_is_gone_on_with_by_the_next_cell(tmp_path: Path) -> None:
    folder = lease_task(tmp_path / "tree" / "a")
    store = tmp_path / "rooms" / "a"
    cell = Cell(
        "a", str(folder), str(folder), "rlm", "playbook", "reader", 1, str(tmp_path / "run"), str(store), ocr="off"
    )

    class Stop(Exception):
        pass

    def stop(kind: str, figures: dict[str, Any]) -> None:
        raise Stop

    with pytest.raises(Stop):
        asyncio.run(carry_out(cell, stop))
    assert store.is_dir()
    result = asyncio.run(carry_out(cell, lambda kind, figures: None))
    assert result == replace(result, status="submitted", coverage=1.0)
    assert isinstance(result, CellResult)

"""`redwell bench` from the command line: what it lists, shows and refuses, and how a matrix is told of while it runs."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from bench.task_trees import lease_task, write_task
from cli.in_process import Done, redwell
from rich.text import Text

from redwell.bench.locks import held
from redwell.cli.app import app
from redwell.cli.bench_table import money, print_table
from redwell.journal.journal import Journal

pytestmark = pytest.mark.xdist_group("bench_cli")


def bench(*arguments: object) -> Done:
    return redwell("bench", *arguments)


def refused(done: Any, *said: str) -> None:
    assert done.returncode == 2, done.stderr + done.stdout
    assert "Traceback" not in done.stderr
    for words in said:
        assert words in done.stderr


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three tasks: one that can be run, one without documents, one with a title that would steer a terminal."""
    folder = tmp_path_factory.mktemp("bench")
    lease_task(folder / "tree" / "leases", tags=["leases"], work_type="review")
    write_task(folder / "tree" / "bare")
    lease_task(folder / "tree" / "odd", title="Odd \x1b[31mtitle\u202e")
    return folder


@pytest.fixture(scope="module")
def matrix(place: Path) -> tuple[Path, Done]:
    """The tree through the short form."""
    out = place / "out"
    return out, bench("run", place / "tree", "--out", out, "--cells", 3, "--calls", 900)


def test_the_tasks_of_a_tree_are_listed_shown_and_validated(place: Path) -> None:
    listed = bench("list", place / "tree")
    assert listed.returncode == 0
    assert "\x1b[31mtitle" not in listed.stdout
    assert "\\x1b[31mtitle\\u202e" in listed.stdout
    rows = [json.loads(line) for line in bench("list", place / "tree", "--json").stdout.splitlines()]
    assert [(row["task"], row["documents"], row["criteria"]) for row in rows] == [
        ("bare", None, 1),
        ("leases", 2, 1),
        ("odd", 2, 1),
    ]
    shown = bench("show", place / "tree" / "leases").stdout
    assert "red-flags-report.md" in shown
    assert "PASS if" not in shown
    assert (
        "PASS if the report states that lease 1 needs a consent."
        in bench("show", place / "tree" / "leases", "--criteria").stdout
    )
    told = bench("validate", place / "tree")
    assert told.returncode == 0
    assert "valid tasks: 3, with 3 criteria" in told.stdout
    assert "without documents here, so that they cannot be run: 1 (bare)" in told.stdout


def test_names_are_whole_on_a_narrow_screen_and_what_is_less_important_makes_room(
    matrix: tuple[Path, Done], tmp_path: Path
) -> None:
    title, long = "Diligence Review: the leases of the northern warehouse portfolio", "warehouses/" + 8 * "long-name-"
    lease_task(tmp_path / "tree" / "leases-of-warehouses", title=title, work_type="review")
    told = redwell("bench", "list", tmp_path / "tree", COLUMNS="80").stdout.splitlines()
    assert told[1].startswith("leases-of-warehouses  Diligence Review: the l")
    assert "…  review  " in told[1]
    assert max(map(len, told)) <= 80
    narrow = redwell("bench", "list", tmp_path / "tree", COLUMNS="70").stdout
    assert "leases-of-warehouses  Diligence" in narrow
    assert "(left out for want of room: type; --json has all)" in narrow
    lease_task(tmp_path / "tree" / long)
    lines = redwell("bench", "list", tmp_path / "tree", COLUMNS="80").stdout.splitlines()
    assert lines[:2] == ["Task", "  Title                                         Type    Documents  Criteria  Key"]
    assert {"leases-of-warehouses", long} <= set(lines)
    assert title in redwell("bench", "list", tmp_path / "tree", COLUMNS="400").stdout
    for verb in ("list", "show"):
        runs = [f"runs/{task}/rlm/playbook--reader/1" for task in ("leases", "odd")]
        names = runs if verb == "list" else ["rlm · playbook · reader"]
        for columns in ("20", "40", "60", "80"):
            shown = redwell("bench", verb, matrix[0], COLUMNS=columns).stdout
            assert all(name in shown for name in names)
            assert "submitted" in shown


def test_amounts_are_whole_cents_and_what_is_less_is_not_nothing() -> None:
    assert [money(dollars) for dollars in (0, 0.0, 0.0034, 0.01, 1234.5)] == [
        *("$0.00", "$0.00", "$0.0034", "$0.01", "$1,234.50"),
    ]


def test_columns_of_judges_are_named_as_the_judges_are(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    judge = "openai:Qwen/Qwen3-Judge@http://127.0.0.1:8000/v1"
    rows = [{"cells": "rlm · playbook · \x1breader", "state": "2 submitted", f"passed, by\n{judge}": "50.0%"}]
    print_table(list(rows[0]), rows)
    head, names, line = capsys.readouterr().out.splitlines()
    assert (head.split(), names.split()) == (["Passed,", "by"], ["Cells", "State", judge])
    assert line.split("  ")[0] == "rlm · playbook · \\x1breader"
    assert line.endswith("50.0%")


def test_what_is_wrong_with_tasks_is_told_line_by_line(tmp_path: Path) -> None:
    write_task(tmp_path / "a", criteria=[], title=3)
    write_task(tmp_path / "b")
    done = bench("validate", tmp_path)
    assert done.returncode == 2
    assert done.stdout.splitlines() == [
        f"{tmp_path}/a/task.json: title: must be a string",
        f"{tmp_path}/a/task.json: criteria: must not be empty",
        "valid tasks: 1, with 1 criterion",
        "problems in other tasks: 2",
        "valid, but without documents here, so that they cannot be run: 1 (b)",
    ]
    assert json.loads(bench("validate", tmp_path, "--json").stdout)["problems"][0].endswith("title: must be a string")
    refused(bench("validate", tmp_path / "nowhere"), "there is no such folder of tasks")


def test_a_matrix_tells_of_every_cell_and_lists_those_that_failed(
    matrix: tuple[Path, Done],
) -> None:
    out, done = matrix
    assert done.returncode == 1, done.stderr
    ended = [line for line in done.stdout.splitlines() if line.startswith("[")]
    assert sorted(line[:5] for line in ended) == ["[1/3]", "[2/3]", "[3/3]"]
    assert sum("submitted: " in line and "coverage 100%" in line for line in ended) == 2
    assert "failed: bare · rlm · playbook · reader · 1: " in done.stdout
    assert "is not there, so there is no room to read" in done.stdout
    assert "3 cells · 2 submitted · 1 failed · $0.00" in done.stdout
    assert f"go on with: redwell bench run {out}" in done.stderr
    rows = [json.loads(line) for line in bench("list", out, "--json").stdout.splitlines()]
    assert {row["run"]: row["state"] for row in rows} == {
        f"runs/{task}/rlm/playbook--reader/1": "submitted" for task in ("leases", "odd")
    }
    shown = json.loads(bench("show", out, "--json").stdout)
    assert shown["cells"] == 3
    group = shown["groups"]["rlm · playbook · reader"]
    assert group["states"] == {"submitted": 2, "waiting": 1}
    assert group["coverage"] == shown["coverage"] == 1.0
    run = bench("show", out / "runs" / "leases" / "rlm" / "playbook--reader" / "1").stdout
    assert "submitted" in run
    assert "root: playbook, sub: reader" in run


def test_a_graded_run_is_shown_with_its_verdicts(matrix: tuple[Path, Done], tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(matrix[0] / "runs" / "leases" / "rlm" / "playbook--reader" / "1", run)
    file = run / "cell.json"
    file.write_text(
        json.dumps(json.loads(file.read_bytes()) | {"judged": {"facts": [1, 2, 0]}, "rubric": "5acfc45ddd2485bd"})
    )
    done = bench("show", run)
    assert (done.returncode, done.stderr) == (0, "")
    assert "5acfc45ddd2485bd" in done.stdout


def test_a_folder_of_reviews_and_tasks_shows_how_each_review_ended_and_the_tasks(place: Path, tmp_path: Path) -> None:
    documents = place / "tree" / "leases" / "documents"
    reviewed = redwell("diligence", documents, "--out", tmp_path / "review", "--quiet")
    assert reviewed.returncode == 0, reviewed.stderr
    told = json.loads(redwell("run", "show", tmp_path / "review", "--json").stdout)
    shutil.copytree(tmp_path / "review", tmp_path / "going-on")
    with Journal.open(tmp_path / "going-on") as journal:
        journal.append("run.resumed", "root")
    shutil.copytree(tmp_path / "review", tmp_path / "lost")
    (tmp_path / "lost" / "journal.sqlite").write_bytes(b"no journal")
    lease_task(tmp_path / "task")
    done = bench("list", tmp_path, "--json")
    assert done.returncode == 0, done.stderr
    *runs, task = (json.loads(line) for line in done.stdout.splitlines())
    assert {run["run"]: (run["state"], run["coverage"], run["dollars"]) for run in runs} == {
        "review": ("submitted", told["coverage"], 0.0),
        "going-on": ("not finished", None, None),
        "lost": ("its journal cannot be read", None, None),
    }
    assert (told["status"], told["coverage"]) == ("submitted", 1.0)
    assert (task["task"], task["documents"]) == ("task", 2)
    shown = bench("list", tmp_path).stdout
    assert shown.index("Task  ") > shown.index("Run  ")
    assert "$0.00" in shown
    alone = bench("show", tmp_path / "review").stdout.splitlines()
    assert {"status        submitted", "dollars       $0.00", "coverage      100%"} <= set(alone)
    (tmp_path / "task" / "task.json").write_text("{")
    broken = bench("list", tmp_path, "--json")
    assert len(broken.stdout.splitlines()) == 3
    refused(broken, "task.json: file: is not valid JSON")


def test_a_cell_that_was_killed_stands_alike_in_every_listing(matrix: tuple[Path, Done], tmp_path: Path) -> None:
    shutil.copytree(matrix[0].parent, tmp_path / "bench")
    out = tmp_path / "bench" / matrix[0].name
    killed, interrupted = (out / "runs" / task / "rlm" / "playbook--reader" / "1" for task in ("leases", "odd"))
    (killed / "cell.json").unlink()
    ended = json.loads((interrupted / "cell.json").read_bytes())
    (interrupted / "cell.json").write_text(json.dumps(ended | {"status": "interrupted"}))
    rows = [json.loads(line) for line in bench("list", out, "--json").stdout.splitlines()]
    assert [row["state"] for row in rows] == ["not finished", "interrupted"]
    told = json.loads(bench("show", out, "--json").stdout)
    assert told["states"] == {"waiting": 1, "not finished": 1, "interrupted": 1}
    assert told["groups"]["rlm · playbook · reader"]["states"] == told["states"]
    assert json.loads(bench("show", killed, "--json").stdout)["status"] == "not finished"
    shown = bench("show", out).stdout
    assert "dollars: $0.00" in shown
    assert "1 waiting, 1 not finished, 1 interrupted" in shown


def test_no_help_text_loses_words_as_if_they_were_markup() -> None:
    def texts(command: Any) -> Iterator[str]:
        yield command.help or ""
        for parameter in command.params:
            yield getattr(parameter, "help", None) or ""
        for below in getattr(command, "commands", {}).values():
            yield from texts(below)

    assert [text for text in texts(typer.main.get_command(app)) if Text.from_markup(text).plain != text] == []


def test_the_folder_of_a_matrix_is_gone_on_with(matrix: tuple[Path, Done], place: Path, tmp_path: Path) -> None:
    shutil.copytree(place, tmp_path / "bench")  # with its tasks, which runs name by where they are from them
    out = tmp_path / "bench" / matrix[0].name
    done = bench("run", out, "--json")
    assert done.returncode == 1
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert told[0]["event"] == "began"
    assert (told[0]["cells"], told[0]["finished"]) == (3, 2)
    assert [one["cell"]["task"] for one in told if one["event"] == "started"] == ["bare"]
    assert told[-1]["event"] == "done"
    assert told[-1]["counts"] == {"submitted": 2, "failed": 1}
    refused(
        bench("run", place / "tree", "--out", out, "--calls", 800),
        "holds another matrix",
        "budget.cell.calls: was 900, is 800",
    )
    with held(out / "lock"):
        refused(bench("run", out), f"is in use by process {os.getpid()}")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("TREE",), "name the matrix's folder with --out"),
        (("none.toml", "--out", "OUT"), "none.toml: there is no such matrix"),
        (("TREE", "--out", "OUT", "--harness", "gpt"), "there is no harness 'gpt'"),
        (("TREE", "--out", "OUT", "--root", "reader"), "reader can only be used as --sub"),
        (("TREE", "--out", "OUT", "--sub", "openai:x@localhost:1"), "begins with http:// or https://"),
        (("TREE", "--out", "OUT", "--executor", "slurm"), "--executor is local or ray"),
        (("TREE", "--out", "OUT", "--total-budget", "3"), "budget.matrix.dollars needs budget.cell.dollars"),
        (
            ("TREE", "--out", "OUT", "--budget", "3", "--root", "openai:x@http://127.0.0.1:1/v1"),
            "the price of openai:x@http://127.0.0.1:1/v1",
        ),
        (("TREE", "--out", "OUT", "--judge", "playbook"), "judges: playbook writes reports and cannot judge them"),
        (("nowhere", "--out", "OUT"), "there is no such folder of a task"),
        (
            ("TREE", "--out", "OUT", "--judge", "facts"),
            "judges: facts needs an answer key, which 3 of 3 tasks do not have",
        ),
    ],
)
def test_what_cannot_be_run_is_refused_before_anything_is_done(
    place: Path, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    names = {"TREE": str(place / "tree"), "OUT": str(tmp_path / "out")}
    refused(bench("run", *(names.get(argument, argument) for argument in arguments)), said)
    assert not (tmp_path / "out" / "runs").exists()


def test_a_task_that_has_changed_is_not_gone_on_with(tmp_path: Path) -> None:
    task, out = lease_task(tmp_path / "tree" / "a"), tmp_path / "out"
    assert bench("run", task, "--out", out, "--harness", "single-shot").returncode == 0
    cells = (out / "cells.json").read_bytes()
    lease_task(task, leases=3)
    refused(bench("run", task, "--out", out, "--harness", "single-shot"), f"{task}: its documents have changed")
    assert (out / "cells.json").read_bytes() == cells
    assert bench("show", out).returncode == 0


def test_a_run_whose_journal_is_gone_is_named_with_the_way_out(tmp_path: Path) -> None:
    task, out = lease_task(tmp_path / "tree" / "a"), tmp_path / "out"
    arguments = ("run", task, "--out", out, "--harness", "single-shot")
    assert bench(*arguments).returncode == 0
    [run] = out.glob("runs/*/*/*/1")
    for file in ("journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm", "cell.json"):
        (run / file).unlink(missing_ok=True)
    assert [json.loads(line)["state"] for line in bench("list", out, "--json").stdout.splitlines()] == [
        "its journal is missing"
    ]
    done = bench(*arguments)
    assert done.returncode == 3
    assert f"{run} has run.json but no journal.sqlite" in done.stdout
    assert "delete the folder of the run, and the cell is run anew" in done.stdout
    shutil.rmtree(run)
    assert bench(*arguments).returncode == 0


def test_a_matrix_ends_in_order_on_ctrl_c_and_says_how_to_go_on(place: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [
        sys.executable,
        "-m",
        "redwell",
        "bench",
        "run",
        str(place / "tree" / "leases"),
        "--out",
        str(out),
        "--repeats",
        "9",
        "--cells",
        "1",
        "--json",
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for line in process.stdout:
        if json.loads(line)["event"] == "ended":
            process.send_signal(signal.SIGINT)
            break
    said, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in errors
    done = json.loads(said.splitlines()[-1])
    assert done["event"] == "done"
    assert done["interrupted"] is True
    assert done["counts"]["submitted"] >= 1
    assert done["counts"]["not run"] >= 6


def test_resume_of_a_cell_names_the_way(matrix: tuple[Path, Done]) -> None:
    out, _ = matrix
    run = out / "runs" / "leases" / "rlm" / "playbook--reader" / "1"
    command = [sys.executable, "-m", "redwell", "resume", str(run)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    refused(done, "is a cell of a matrix: go on with the matrix by `redwell bench run`")

"""`redwell bench grade`, `audit` and `compare` as a user types them."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from bench.judged import answer, asked, fair, made_run
from bench.task_trees import lease_task, write_task
from click.testing import Result
from servers.scripted import Received, Scripted, status
from typer.testing import CliRunner

from redwell.bench.verdicts import Verdict, VerdictSet, write_set
from redwell.cli.app import app
from redwell.journal.journal import Journal


def redwell(*arguments: object) -> Result:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("REDWELL_")}
    return CliRunner().invoke(app, ["bench", *map(str, arguments)], env={**clean, "COLUMNS": "200"})


@pytest.fixture
def fixture(shared: Path) -> Path:
    return shared / "data" / "lab_format" / "fixture_diligence"


def test_two_judges_grade_a_run_and_are_held_against_each_other(tmp_path: Path, fixture: Path) -> None:
    run = made_run(tmp_path / "run")

    def harsh(received: Received) -> str:
        return answer("fail") if asked(received) in (["C-004"], ["C-005"]) else fair(received)

    with Scripted(fair) as one, Scripted(harsh) as two:
        first, second = f"openai:one@{one.url}", f"openai:two@{two.url}"
        done = redwell("grade", run, "--task", fixture, "--judge", first, "--judge", second, "--both-agree")
        assert done.exit_code == 1, done.output  # what the two do not agree on has no common verdict
        assert "66.7% (4 of 6)" in done.output
        assert "33.3% (2 of 6)" in done.output
        assert "50.0% (2 of 4, 2 unscored)" in done.output
        assert (one.count, two.count) == (6, 6)
        again = redwell("grade", run, "--task", fixture, "--judge", first, "--json")
        assert again.exit_code == 0, again.output
        assert json.loads(again.stdout)["passed"] == 4
        assert one.count == 6
        told = redwell("audit", run, "--task", fixture, "--judge", first, "--against", second)
        assert told.exit_code == 0, told.output
    assert "all                    6    66.7%    0.40         2         0         0" in told.output
    assert "C-004" in told.output
    assert "cost not known" in told.output
    dual = json.loads((run / "scores_dual.json").read_text())
    assert (dual["dual_criterion_pass"], dual["all_pass"]) == (pytest.approx(0.5), False)


def test_unscored_criteria_show_in_the_exit_code_unless_scored_as_lab_does(tmp_path: Path, fixture: Path) -> None:
    run = made_run(tmp_path / "run")

    def half(received: Received) -> object:
        return status(400, "no") if asked(received)[0] in ("C-001", "C-002") else fair(received)

    with Scripted(half) as server:
        judge = f"openai:judge@{server.url}"
        done = redwell("grade", run, "--task", fixture, "--judge", judge)
        assert done.exit_code == 1, done.output
        assert "75.0% (3 of 4, 2 unscored)" in done.output
        lab = redwell("grade", run, "--task", fixture, "--judge", judge, "--lab-scoring")
    assert lab.exit_code == 0, lab.output
    assert "50.0% (3 of 6)" in lab.output
    assert json.loads((run / "scores.json").read_text())["summary"] == "3/6 criteria passed.  Missed 3 — task FAIL."


def test_hand_verdicts_are_held_against_a_judge(tmp_path: Path, fixture: Path) -> None:
    run = made_run(tmp_path / "run")
    with Scripted(fair) as server:
        judge = f"openai:judge@{server.url}"
        assert redwell("grade", run, "--task", fixture, "--judge", judge, "--batch", 6).exit_code == 0
        assert server.count == 1
    hand = tmp_path / "hand.csv"
    hand.write_text("criterion,verdict\nC-001,pass\nC-002,pass\n")
    done = redwell("audit", run, "--task", fixture, "--judge", f"{judge}+batch6", "--against", hand, "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert [(one["kind"], one["judged"], one["agreed"]) for one in found["agreements"]] == [
        ("fact", 2, 1),
        ("all", 2, 1),
    ]
    assert [one["criterion"] for one in found["disagreements"]] == ["C-002"]
    told = redwell("audit", run, "--task", fixture, "--judge", f"{judge}+batch6", "--against", hand)
    assert "  hand: pass\n" in told.output
    assert "hand: cost" not in told.output
    hand.write_text("criterion,verdict\nC-001,fail\nC-002,fail\nC-003,fail\n")  # kappa is some -1e-16
    told = redwell("audit", run, "--task", fixture, "--judge", f"{judge}+batch6", "--against", hand)
    assert "66.7%    0.00" in told.output
    two = made_run(tmp_path / "two")
    refused = redwell("audit", run, two, "--task", fixture, "--judge", f"{judge}+batch6", "--against", hand)
    assert refused.exit_code == 2
    assert "run: is missing" in refused.output


def test_bad_input_is_told_in_a_sentence(tmp_path: Path, fixture: Path) -> None:
    run = made_run(tmp_path / "run")
    hand = tmp_path / "hand.csv"
    hand.write_text("criterion,verdict\nC-099,pass\n")
    for arguments, said in (
        (("grade", tmp_path / "nowhere"), "there is no such folder"),
        (("grade", run), "name its task with --task FOLDER"),
        (("grade", run, "--task", fixture), "name a model with --judge"),
        (("grade", run, "--task", fixture, "--judge", "nobody"), "not the name of a model"),
        (("grade", run, "--task", fixture, "--judge", "playbook"), "cannot judge"),
        (("grade", run, "--task", fixture, "--majority"), "two judges or more"),
        (("grade", run, "--task", fixture, "--judge", "a:b", "--judge", "c:d", "--majority", "--both-agree"), "give one"),
        (("audit", run, "--task", fixture, "--judge", "facts", "--against", "x"), "grade it first with `redwell bench grade`"),
        (("audit", run, "--task", fixture, "--judge", "facts", "--against", hand), "C-099"),
    ):  # fmt: skip
        done = redwell(*arguments)
        assert done.exit_code == 2, done.output
        assert said in done.output
        assert "Traceback" not in done.output


def cell(folder: Path, task: Path, **result: object) -> Path:
    """The folder of a cell of a matrix with a report; `result` is what it came to, nothing while it runs."""
    told = {
        "kind": "bench",
        "task": "rooms/fixture_diligence",
        "task_folder": str(task),
        "task_tree": str(task.parent),
        "models": {},
    }
    Journal.create(folder, told).close()
    (folder / "output" / "red-flags-report.md").write_text("# Red flags\n\nNothing yet.")
    if result:
        (folder / "cell.json").write_text(json.dumps({"reason": "", "judged": {}, **result}))
    return folder


def test_a_run_that_has_not_ended_is_told_and_not_graded(tmp_path: Path, fixture: Path) -> None:
    runs = {"ended": {"status": "submitted"}, "running": {}, "stopped": {"status": "interrupted"}}
    for name, result in runs.items():
        cell(tmp_path / "out" / name, fixture, **result)
    with Scripted(lambda received: answer("fail")) as server:
        done = redwell("grade", tmp_path / "out", "--judge", f"openai:judge@{server.url}")
    assert done.exit_code == 1, done.output
    assert done.output.count("has not ended") == 2
    assert [(tmp_path / "out" / name / "scores.json").exists() for name in runs] == [True, False, False]


def test_a_run_that_has_lost_its_report_is_named_and_left_without_verdicts(tmp_path: Path) -> None:
    tasks, out = tmp_path / "tasks", tmp_path / "out"
    for name in ("a", "b", "c"):
        lease_task(tasks / name)
    made = redwell("run", *(tasks / name for name in ("a", "b", "c")), "--out", out, "--harness", "single-shot")
    assert made.exit_code == 0, made.output
    runs = {name: next(out.glob(f"runs/{name}/*/*/1")) for name in ("a", "b", "c")}
    (runs["a"] / "output" / "red-flags-report.md").unlink()
    (runs["a"] / "output" / "notes.md").write_text("What somebody else has put there.")
    shutil.rmtree(runs["b"] / "output")
    with Scripted(lambda received: answer("fail")) as server:
        judge = f"openai:judge@{server.url}"
        done = redwell("grade", out, "--judge", judge, "--json")
        assert done.exit_code == 1, done.output
        assert [json.loads(line)["task"] for line in done.stdout.splitlines()] == ["c"]
        for name in ("a", "b"):
            assert (
                f'{runs[name]}: lacks "output/red-flags-report.md", which it delivered, and is not graded'
                in done.stderr
            )
            assert not (runs[name] / "verdicts").exists()
            assert not (runs[name] / "scores.json").exists()
        assert server.count == 1
        (runs["b"] / "output").mkdir()
        (runs["b"] / "output" / "red-flags-report.md").write_text("# Leases")
        again = redwell("grade", runs["b"], "--judge", judge)
    assert again.exit_code == 0, again.output
    assert server.count == 2


def test_an_empty_output_of_a_run_that_was_submitted_is_no_report_that_fails(tmp_path: Path, fixture: Path) -> None:
    for name, status_ in (("lost", "submitted"), ("nothing", "failed")):
        run = cell(tmp_path / name, fixture, status=status_)
        with Journal.open(run) as journal:  # as older versions wrote it, without the names of the files
            journal.append("run.finished", "root", {"status": status_, "reason": "", "turns": 1})
        (run / "output" / "red-flags-report.md").unlink()
    with Scripted(lambda received: answer("fail")) as server:
        judge = f"openai:judge@{server.url}"
        lost = redwell("grade", tmp_path / "lost", "--judge", judge)
        nothing = redwell("grade", tmp_path / "nothing", "--judge", judge)
        assert server.count == 0
    assert (lost.exit_code, nothing.exit_code) == (1, 0)
    assert 'lost: lacks "output/red-flags-report.md"' in lost.output
    assert not (tmp_path / "lost" / "verdicts").exists()
    assert "0.0% (0 of 6)" in nothing.output


def test_a_run_is_not_graded_by_the_rubric_of_another_task(tmp_path: Path, fixture: Path) -> None:
    run = cell(tmp_path / "run", fixture, status="submitted")
    other = write_task(tmp_path / "other")
    done = redwell("grade", run, "--task", other)
    assert done.exit_code == 2, done.output
    assert "is a run of rooms/fixture_diligence, and this task is other" in done.output
    assert not (run / "verdicts").exists()


def test_a_chance_too_small_to_print_is_no_zero_and_what_there_is_to_compare_is_named(tmp_path: Path) -> None:
    for name, outcome in (("weak", "fail"), ("strong", "pass")):
        run = tmp_path / "runs" / name
        Journal.create(run, {"task": "t", "harness": "rlm", "models": {"root": name}}).close()
        write_set(run, VerdictSet("facts", "t", tuple(Verdict(f"C-{number}", outcome) for number in range(20))))  # type: ignore[arg-type]
    arguments = ("compare", tmp_path / "runs", tmp_path / "runs")
    assert "; by chance alone less than 0.001" in redwell(*arguments, "--before", "weak", "--after", "strong").output
    same = redwell(*arguments, "--before", "weak", "--after", "weak").output
    assert "by chance alone 1.000" in same
    unknown = redwell(*arguments, "--before", "week", "--after", "strong")
    assert unknown.exit_code == 2
    assert "holds no graded run of week; its graded runs are of rlm, strong, weak" in unknown.output

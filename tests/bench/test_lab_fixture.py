"""LAB's own fixture goes all the way: loaded, validated, run, graded by a judge that is a server, told in LAB's files."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from servers.scripted import Answer, Received, Scripted, say
from typer.testing import CliRunner

from redwell.bench.tasks import load_tasks, problems
from redwell.cli.app import app

DEMO = Path(__file__).parents[2] / "examples" / "demo_room"
pytestmark = pytest.mark.xdist_group("lab_fixture")


def judge(received: Received) -> Answer:
    """Passes the second and the fifth criterion, each with words of the report; fails the others."""
    passed = "is limited to Trentwood work" in received.user or "Henrik assignment file" in received.user
    heading = re.search(r"^# (.+)$", received.user, re.MULTILINE)
    passage = heading[1] if passed and heading else ""
    told = {"reasoning": "As was to be seen.", "passage": passage, "verdict": "pass" if passed else "fail"}
    return say(json.dumps(told), usage=(1000, 0, 20))


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory, shared: Path) -> Path:
    """The fixture over two folders of the demo room, run with the embedded models and graded as part of the matrix."""
    folder = tmp_path_factory.mktemp("fixture")
    task = folder / "tasks" / "diligence" / "prairie"
    shutil.copytree(shared / "data" / "lab_format" / "fixture_diligence", task)
    for part in ("3.0 Contracts", "5.0 Technology"):
        shutil.copytree(DEMO / part, task / "documents" / part)
    assert problems(folder / "tasks") == []
    assert [one.id for one in load_tasks(folder / "tasks")] == ["diligence/prairie"]
    with Scripted(judge) as server:
        command = [
            "bench",
            "run",
            str(folder / "tasks"),
            "--out",
            str(folder / "out"),
            "--judge",
            f"openai:judge@{server.url}",
            "--quiet",
        ]
        done = CliRunner().invoke(app, command)
        assert done.exit_code == 0, done.output + done.stderr
        assert server.count == 6
        assert CliRunner().invoke(app, command).exit_code == 0
        assert server.count == 6, "verdicts that are there are not asked for again"
        assert b"PASS if" in server.requests[0].raw
    return folder / "out"


def test_the_scores_have_the_shape_of_labs(out: Path, shared: Path) -> None:
    (run,) = [file.parent for file in out.glob("runs/*/*/*/*/run.json")]
    shape = json.loads((shared / "data" / "lab_format" / "scores.shape.json").read_text(encoding="utf-8"))
    scores = json.loads((run / "scores.json").read_text(encoding="utf-8"))
    assert _shape(scores) == _shape(shape)
    assert list(scores) == list(shape)
    assert (scores["n_criteria"], scores["n_passed"], scores["score"], scores["all_pass"]) == (6, 2, 0.0, False)
    assert scores["summary"] == "2/6 criteria passed.  Missed 4 — task FAIL."
    assert [one["verdict"] for one in scores["criteria_results"]] == ["fail", "pass", "fail", "fail", "pass", "fail"]
    metrics = json.loads((run / "metrics.json").read_text(encoding="utf-8"))
    assert scores["cost"] == {name: metrics[name] for name in scores["cost"]}
    assert scores["run_id"] == json.loads((run / "config.json").read_text(encoding="utf-8"))["run_id"]
    assert scores["doc_coverage"]["documents_read_list"] == metrics["documents_read_list"]
    assert scores["doc_coverage"]["total_documents"] == 11
    assert scores["task"] == "diligence/prairie"


def test_the_judges_cost_is_the_cells(out: Path) -> None:
    (told,) = json.loads((out / "cells.json").read_text(encoding="utf-8"))
    assert told["state"] == "submitted"
    assert told["tokens"] == 6120
    (counts,) = told["judged"].values()
    assert counts == [2, 4, 0]


def _shape(value: Any) -> Any:
    """Names and types, all the way down; of a list its first member."""
    if isinstance(value, dict):
        return {name: _shape(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_shape(value[0])] if value and isinstance(value[0], dict) else list
    return type(value)

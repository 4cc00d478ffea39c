"""A run that is over: what is shown of it, and that going on with it does nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cli.in_process import redwell
from rich.text import Text

from redwell.cli.progress import Progress, percent
from redwell.cli.stores import listed, reports

pytestmark = pytest.mark.xdist_group("finished_run")


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("deal")
    (folder / "papers").mkdir()
    text = "LEASE\n\n1. Tenant shall not assign this Lease without Landlord's prior written consent."
    (folder / "papers" / "lease.txt").write_text(text, encoding="utf-8")
    done = redwell("diligence", folder / "papers", "--out", folder / "out", "-q")
    assert done.returncode == 0, done.stderr
    return folder / "out"


def test_a_finished_run_is_shown_with_its_coverage_and_its_files(out: Path) -> None:
    shown = redwell("run", "show", out)
    assert shown.returncode == 0, shown.stderr
    lines = shown.stdout.splitlines()
    assert lines[0] == "diligence over papers"
    assert lines[1].endswith(", submitted")
    assert "100% of the readable text read" in lines
    assert f"Word      {out / 'output' / 'report.docx'}" in lines
    data = json.loads(redwell("run", "show", out, "--json").stdout)
    assert (data["status"], data["reason"], data["coverage"]) == ("submitted", "", 1.0)
    assert str(out / "output" / "report.json") in data["files"]


def test_a_run_its_resumption_and_its_showing_list_the_same_files_and_say_what_each_is(out: Path) -> None:
    files = out / "output"
    begun = redwell("diligence", out.parent / "papers", "--out", out.parent / "again")
    told = [line.replace(str(out.parent / "again"), str(out)) for line in begun.stdout.splitlines()]
    expected = [
        f"HTML      {files}/report.html",
        f"Word      {files}/report.docx",
        f"Excel     {files}/report.xlsx",
        f"Markdown  {files}/report.md",
        f"JSON      {files}/report.json",
        f"Markdown  {files}/red-flags-report.md (the same as report.md, under the name in the task)",
    ]
    for lines in (told, redwell("resume", out).stdout.splitlines(), redwell("run", "show", out).stdout.splitlines()):
        assert [line for line in lines if str(files) in line] == expected
    ended = json.loads(redwell("resume", out, "--json").stdout)["files"]
    assert ended == json.loads(redwell("run", "show", out, "--json").stdout)["files"]


def test_one_is_told_as_one(out: Path) -> None:
    begun = redwell("diligence", out.parent / "papers", "--out", out.parent / "once more")
    assert "Room: 1 file found, 1 read" in begun.stdout
    told = (begun, redwell("run", "show", out), redwell("room", "read", out.parent / "papers"))
    assert "1  document, " in told[2].stdout
    assert [word for done in told for word in re.findall(r"\b1 +(?:different )?[a-z]+s\b", done.stdout)] == []


def test_a_file_that_is_no_copy_of_the_report_is_not_called_one(tmp_path: Path) -> None:
    (tmp_path / "output").mkdir()
    for name in (
        "report.md",
        "memo.md",
        "copy.md",
        "plan.xlsx",
        "trace.html",
        "not-rendered.txt",
        "chart.svg",
        ".part",
    ):
        (tmp_path / "output" / name).write_text("Words." if name != "memo.md" else "Other words.")
    lines = [line.replace(f"{tmp_path}/output/", "") for line in listed(reports(tmp_path))]
    assert lines == [
        "Markdown  report.md",
        "File      chart.svg",
        "Markdown  copy.md (the same as report.md, under the name in the task)",
        "Markdown  memo.md",
        "Faults    not-rendered.txt",
        "Excel     plan.xlsx",
        "Trace     trace.html",
    ]


def test_a_finished_run_is_not_gone_on_with(out: Path) -> None:
    journal = (out / "journal.sqlite").read_bytes()
    written = (out / "output" / "report.json").stat().st_mtime_ns
    again = redwell("resume", out)
    assert (again.returncode, again.stderr) == (0, "")
    assert "is finished" in again.stdout
    assert str(out / "output" / "report.html") in again.stdout
    assert redwell("resume", out, "-q").stdout == ""
    assert json.loads(redwell("resume", out, "--json").stdout)["status"] == "submitted"
    assert (out / "output" / "report.json").stat().st_mtime_ns == written
    assert (out / "journal.sqlite").read_bytes() == journal


def test_only_all_is_a_hundred_percent() -> None:
    assert [percent(share) for share in (0.0, 0.5, 0.99999, 1.0)] == ["0.0%", "50.0%", "99.9%", "100%"]


def test_checking_a_report_names_what_was_checked(out: Path) -> None:
    checked = redwell("report", "check", out)
    assert checked.returncode == 0
    report = json.loads((out / "output" / "report.json").read_text())
    assert report["entries"]
    assert re.match(r"output/report\.json: [1-9]\d* citations, [1-9]\d* hold: every quote", checked.stdout)
    assert json.loads(redwell("report", "check", out, "--json").stdout)["file"] == str(out / "output" / "report.json")


def test_the_room_of_a_run_can_be_looked_into_by_the_name_of_the_run(out: Path) -> None:
    assert redwell("room", "status", out).stdout == redwell("room", "status", out / "room").stdout
    assert "lease.txt" in redwell("room", "search", out, '"prior written consent"').stdout
    assert "lease.txt" in redwell("room", "grep", out, "Landlord").stdout
    assert "Tenant" in redwell("room", "show", out, "lease.txt").stdout


def test_an_agent_that_there_is_not_is_told_with_those_that_there_are(out: Path) -> None:
    nobody = redwell("run", "export", out, "--agent", "nobody")
    assert (nobody.returncode, nobody.stdout) == (2, "")
    assert nobody.stderr == "redwell: there is no agent 'nobody' in this run; there is root\n"
    assert redwell("run", "export", out, "--agent", "root").returncode == 0


def test_a_call_is_exported_with_the_text_of_the_room_that_it_held(out: Path) -> None:
    events = [json.loads(line) for line in redwell("run", "export", out, "--what", "events").stdout.splitlines()]
    sent = next(event for event in events if event["kind"] == "call.sent" and event["role"] == "sub")
    messages = [json.loads(line) for line in redwell("run", "export", out, "--call", sent["call"]).stdout.splitlines()]
    assert [message["role"] for message in messages] == ["system", "user", "assistant"]
    assert "Landlord" in messages[1]["content"]
    nobody = redwell("run", "export", out, "--call", "nobody")
    assert (nobody.returncode, nobody.stdout) == (2, "")
    assert nobody.stderr.startswith("redwell: there is no call 'nobody' in this run")


def test_coverage_and_cost_are_not_cut_off_on_a_narrow_terminal() -> None:
    progress = Progress(quiet=True, as_json=False)
    figures = {"files": 10_234, "pages": 123_456, "turn": 12, "calls": 45_678, "findings": 9_999, "entries": 321}
    progress.figures.update(figures, coverage=0.987, cost=1234.5)
    line = progress._line().renderables[0]
    assert isinstance(line, Text)
    assert "coverage 98.7% · cost $1,234.50 · 0 s · turn 12" in line.plain[:80]

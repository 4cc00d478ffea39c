"""Text that may hold what rich takes for a style or a picture is printed as it stands."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from cli.in_process import redwell

from redwell.cli import doctor
from redwell.journal.journal import Journal
from tests.journal.a_run import call

NAME = "openai:[bold]small[/bold]:key:[/nothing]@http://127.0.0.1:9/v1"


def test_the_doctor_names_the_extra_that_is_to_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    with redirect_stdout(io.StringIO()) as printed:
        doctor._print(doctor._installed())
    assert "language models on this machine (local:NAME): pip install 'redwell[local]'" in printed.getvalue()


def test_the_doctor_prints_a_model_and_what_it_said_as_they_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    lines = [
        doctor.Line("Models", NAME, True, True, "answered '[red]ready[/red] :rocket:'"),
        doctor.Line("Models", "other", False, True, "bad_request: \x1b[2J [/]"),
    ]
    with redirect_stdout(io.StringIO()) as printed:
        doctor._print(lines)
    told = [line.strip() for line in printed.getvalue().splitlines()]
    assert told[0].split(maxsplit=3) == ["Models", "ok", NAME, "answered '[red]ready[/red] :rocket:'"]
    assert told[1].split(maxsplit=2) == ["missing", "other", "bad_request: \\x1b[2J [/]"]


def test_a_run_is_shown_with_its_models_room_and_folder_as_they_are_named(tmp_path: Path) -> None:
    out = tmp_path / "[red]deal[/red] :key:"
    configuration = {"kind": "diligence", "room_name": "[blue]papers[/] :key:", "started": "2026-03-02"}
    with Journal.create(out, configuration) as journal:
        call(journal, "a", model=NAME)
    (out / "output" / "report.md").write_text("Words.")
    shown = redwell("run", "show", out)
    assert shown.returncode == 0, shown.stderr
    assert "diligence over [blue]papers[/] :key:" in shown.stdout
    assert NAME in shown.stdout
    assert f"Markdown  {out}/output/report.md" in shown.stdout


def test_the_folder_of_models_is_named_as_it_is(tmp_path: Path) -> None:
    kept = tmp_path / "[dim]models[/dim] :key:"
    assert f"Files are kept in {kept}." in redwell("models", "list", REDWELL_MODELS=str(kept)).stdout


def test_a_review_names_its_files_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "lease [red] :key:.txt").write_text(
        "LEASE\n\n1. Tenant shall not assign this Lease without Landlord's prior written consent."
    )
    out = tmp_path / "[bold]out[/bold] :key:"
    done = redwell("diligence", tmp_path / "papers", "--out", out)
    assert done.returncode == 0, done.stderr
    assert f"HTML      {out}/output/report.html" in done.stdout


def test_a_run_that_was_gone_on_with_and_killed_is_not_shown_as_it_ended_before(tmp_path: Path) -> None:
    out = tmp_path / "run"
    with Journal.create(out, {"kind": "diligence", "room_name": "papers", "started": "2026-03-02"}) as journal:
        journal.append("run.finished", "root", {"status": "interrupted", "reason": "the process was stopped"})
        assert '"status": "interrupted"' in redwell("run", "show", out, "--json").stdout
        journal.append("run.resumed")
    assert '"status": "not finished"' in redwell("run", "show", out, "--json").stdout

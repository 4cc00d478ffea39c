"""What is live on a terminal goes when the work ends, however it ends, and what stays is told once."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from rich.text import Text

from redwell.cli import bench_progress, progress, train_progress
from redwell.cli.progress import live_view


@pytest.fixture
def file() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def terminal(file: io.StringIO) -> Console:
    return Console(file=file, force_terminal=True, color_system=None, width=120, highlight=False)


def test_a_view_is_shown_where_it_is_wanted_and_wiped_off_at_the_end(terminal: Console, file: io.StringIO) -> None:
    with live_view(terminal, lambda: Text("three of eight"), wanted=False):
        pass
    assert file.getvalue() == ""
    with pytest.raises(KeyError), live_view(terminal, lambda: Text("three of eight"), wanted=True):
        raise KeyError
    shown, _, after = file.getvalue().rpartition("three of eight")
    assert shown
    assert "\x1b[2K" in after


def test_the_table_of_steps_stands_after_a_training_that_failed(terminal: Console, file: io.StringIO) -> None:
    told = train_progress.Progress(quiet=False, as_json=False, steps=4)
    told.console, told.live = terminal, True
    told("step", {"step": 3, "reward": 0.625, "loss": 0.5, "seconds": 2.0})
    with pytest.raises(KeyError), told.shown():
        raise KeyError
    shown = file.getvalue().rpartition("\x1b[2K")[2]
    assert [line.split() for line in shown.splitlines()[-2:]] == [["step", "reward", "loss"], ["3", "0.625", "0.5000"]]


@pytest.mark.parametrize("kind", [progress.Progress, bench_progress.Progress, train_progress.Progress])
@pytest.mark.parametrize(("quiet", "as_json"), [(True, False), (False, True), (False, False)])
def test_nothing_is_live_where_nobody_looks(
    kind: type[progress.Progress], quiet: bool, as_json: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    with kind(quiet=quiet, as_json=as_json).shown():
        pass
    assert capsys.readouterr().out == ""


def test_a_log_of_a_training_tells_now_and_then_that_rollouts_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    told = train_progress.Progress(quiet=False, as_json=False)

    def rollout(number: int) -> None:
        told("rollout", {"id": f"00001/{number}", "task": "desk", "reward": 0.5, "why": ""})

    told("serving", {"url": "http://127.0.0.1:1/v1"})
    rollout(1)
    told.spoke -= 60
    rollout(2)
    rollout(3)
    assert capsys.readouterr().out.splitlines() == [
        "the policy is served at http://127.0.0.1:1/v1",
        "rollout 00001/2 of desk: reward 0.500",
    ]

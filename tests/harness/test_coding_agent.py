"""The coding-agent harness, with a stand-in that speaks to a scripted model server and tries what it must not."""

from __future__ import annotations

import json
import os
import shutil
import socket
import stat
from pathlib import Path
from typing import Any

import pytest

from redwell.harness.workspace import NoFile, Workspace
from redwell.journal.usage import usage
from redwell.room.room import Room, read_room
from redwell.sandbox import launch, shell
from redwell.sandbox.types import SandboxUnavailable
from tests.harness.harness_runs import Ran, run
from tests.harness.support import FILES, Root, Sub, make_room
from tests.servers.scripted import Scripted, say

MARKER = "pass-if-the-report-names-the-lease"
LONG = (
    "The tenant shall pay a rent of $12,000 a month, in advance, on the first working day of each month of the term.\n"
)


def walls() -> str:
    try:
        return shell.choose("bwrap")
    except SandboxUnavailable as error:
        return f"not here: {error}"


pytestmark = [
    pytest.mark.skipif(walls() != "bwrap", reason="bubblewrap's walls do not hold on this machine"),
    pytest.mark.xdist_group("coding_agent"),
]


@pytest.fixture
def task(tmp_path: Path) -> tuple[Path, Room]:
    """A task's folder with a marker in its rubric and in its answer key, and the room read from its documents."""
    folder = tmp_path / "task"
    for path, text in (FILES | {"contracts/lease.txt": LONG, "a/first.txt": LONG.replace("12,000", "9,000")}).items():
        (folder / "documents" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "documents" / path).write_text(text)
    for name in ("task.json", "answer_key.json"):
        (folder / name).write_text(json.dumps({"criteria": [MARKER]}))
    read_room(folder / "documents", tmp_path / "store", jobs=1)
    return folder, Room.open(tmp_path / "store")


def play(task: tuple[Path, Room], folder: Path, mode: str = "well", **changes: Any) -> tuple[Ran, Scripted]:
    """A run of the stand-in in a folder beside the task."""
    program = folder.parent / "stand_in" / "agent"
    program.parent.mkdir(exist_ok=True)
    source = (Path(__file__).parent / "stand_in_agent.py").read_text()
    program.write_text(f"#!{launch.interpreter()}\n{source}")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    with (
        Scripted(lambda received: say("The lease needs consent.")) as server,
        socket.create_server(("127.0.0.1", 0)) as other,
    ):
        address = server.url.removeprefix("http://").partition("/")[0]
        nowhere = f"127.0.0.1:{other.getsockname()[1]}"
        command = (
            f"{program} {server.url}/chat/completions {nowhere} {task[0] / 'task.json'} {MARKER} {mode} {{prompt}}"
        )
        given = {"agent_command": command, "agent_server": address, "agent_key": "STAND_IN_KEY", "agent_seconds": 30.0}
        ran = run("coding-agent", task[1], folder, {"root": Root(), "sub": Sub()}, **(given | changes))
        ran.requests = list(server.requests)
        return ran, server


def lines(ran: Ran) -> list[dict[str, Any]]:
    text = "".join(ran.journal.text(event.blobs["text"]) for event in ran.journal.events("transcript"))
    return [json.loads(line) for line in text.splitlines()]


def test_an_agent_reads_the_files_asks_its_model_and_reaches_nothing_else(
    task: tuple[Path, Room], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAND_IN_KEY", "sk-stand-in")
    monkeypatch.setenv("OTHER_SECRET", "must not be seen")
    ran, server = play(task, tmp_path / "run")
    assert ran.outcome.status == "salvaged", "it wrote the report under another name than was asked for"
    assert "red-flags-report.md" in ran.outcome.reason
    assert "The lease needs consent." in ran.output()
    assert [request.headers["authorization"] for request in server.requests] == ["Bearer sk-stand-in"]
    tried = [line for line in lines(ran) if line["type"] == "attempt"]
    assert len(tried) == 5
    came = {line["what"]: line.get("came") for line in tried}
    assert came.pop("a sibling of the run") is not None
    assert set(came.values()) == {None}, "each other attempt was refused"
    siblings = next(line["came"] for line in tried if line["what"] == "a sibling of the run")
    assert "task" not in siblings
    (seen,) = [line for line in lines(ran) if line["type"] == "marker"]
    assert seen["files"] == []
    assert seen["home"] == []
    assert "OTHER_SECRET" not in seen["environment"]
    assert not any(MARKER in text for text in ran.sent())


def test_what_an_agent_read_and_used_is_taken_from_its_transcript(
    task: tuple[Path, Room], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAND_IN_KEY", "sk-stand-in")
    ran, _ = play(task, tmp_path / "run", "quick")
    # It reads the first two files by path, each of one line of 111 characters or one less; a store leaves out the line's end.
    assert len(LONG) == 112
    assert ran.read() == {"a/first.txt": [(0, 110)], "contracts/lease.txt": [(0, 111)]}
    (line,) = usage(ran.journal).lines
    assert (line.role, line.tokens.input, line.tokens.cached_input, line.tokens.output) == ("root", 150, 30, 40)
    (note,) = [data for data in ran.events("note") if "opened" in data]
    assert note["opened"] == ["a/first.txt", "contracts/lease.txt"]
    assert len(note["refused"]) == 1, "the address that the proxy would not connect to"
    assert not (tmp_path / "run" / "workspace").exists()


def test_an_agent_that_takes_too_long_is_ended_and_what_it_wrote_is_kept(
    task: tuple[Path, Room], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAND_IN_KEY", "sk-stand-in")
    ran, _ = play(task, tmp_path / "run", "slow", agent_seconds=4.0)
    assert ran.outcome.status == "salvaged"
    assert "ended after 4 seconds" in ran.outcome.reason
    assert "The lease needs consent." in ran.output("red-flags-report.md")
    ran.journal.close()
    again = run(
        "coding-agent",
        task[1],
        tmp_path / "run",
        {"root": Root(), "sub": Sub()},
        resume=True,
        agent_command="x {prompt}",
    )
    assert "there is no program 'x'" in again.outcome.reason


def test_an_agent_that_fails_says_why(task: tuple[Path, Room], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_KEY", "sk-stand-in")
    ran, _ = play(task, tmp_path / "run", "broken")
    assert "ended with status 3: it went wrong" in ran.outcome.reason


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"agent_command": ""}, "agent_command is empty"),
        ({"agent_command": "sh -c true"}, "has no {prompt}"),
        ({"agent_command": "no-such-agent {prompt}"}, "there is no program 'no-such-agent'"),
        ({"agent_command": "'open {prompt}"}, "cannot be split"),
        (
            {"agent_command": "sh {prompt}", "agent_key": "REDWELL_NO_SUCH_KEY"},
            "the variable REDWELL_NO_SUCH_KEY is not set",
        ),
        ({"agent_command": "sh {prompt}", "agent_server": "api.example.com"}, "is not host:port"),
    ],
)
def test_what_is_set_wrongly_is_said_in_plain_words(
    changes: dict[str, str], reason: str, room: Room, tmp_path: Path
) -> None:
    ran = run("coding-agent", room, tmp_path / "run", {"root": Root(), "sub": Sub()}, **changes)
    assert ran.outcome.status == "failed"
    assert reason in ran.outcome.reason


def test_files_that_have_changed_since_the_room_was_read_are_not_given_to_an_agent(tmp_path: Path) -> None:
    room = make_room(tmp_path)
    workspace = Workspace(tmp_path / "workspace", room)
    workspace.prepare(workspace.originals)
    assert (tmp_path / "workspace/documents/contracts/lease.txt").read_text() == FILES["contracts/lease.txt"]
    shutil.rmtree(tmp_path / "workspace")
    (tmp_path / "files/contracts/lease.txt").write_text("another lease")
    with pytest.raises(NoFile, match="is not the file that the room was read from"):
        workspace.prepare(workspace.originals)
    os.remove(tmp_path / "files/contracts/lease.txt")
    with pytest.raises(NoFile, match="cannot be copied"):
        workspace.prepare(workspace.originals)


def test_without_bubblewrap_an_agent_is_refused(room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(shell._held, "bwrap", "bubblewrap is not installed")
    with pytest.raises(SandboxUnavailable, match="bubblewrap is not installed"):
        run("coding-agent", room, tmp_path / "run", {"root": Root(), "sub": Sub()}, agent_command="sh {prompt}")

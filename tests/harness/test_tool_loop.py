"""The tool loop over a real server, a real workspace and a real walled shell."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest

from redwell.harness.tools import READ_CHARS
from redwell.harness.workspace import NoFile, Workspace
from redwell.journal.trace import tree
from redwell.journal.usage import usage
from redwell.models.types import CallFailed, Completion, Request, ToolCall, Usage
from redwell.room.room import Room
from redwell.sandbox import shell
from redwell.sandbox.types import SandboxUnavailable
from tests.harness.harness_runs import TASK, Ran, over_http, run, use_tools
from tests.harness.support import Sub, make_room
from tests.servers.scripted import use_tool

MARKER = "pass-if-the-memo-names-the-rent"
LEASE = "LEASE\nThe rent is $12,000 a month.\nThe tenant may assign this lease only with consent."
"""Its text as the store has it, of 86 characters."""


def shells() -> list[str]:
    found = []
    for name in ("bwrap", "landlock"):
        try:
            found.append(shell.choose(name))
        except SandboxUnavailable:
            continue
    return found


pytestmark = pytest.mark.skipif(not shells(), reason="no walls for a shell hold on this machine")


class Player:
    """Plays a model with tools: each reply is a list of calls, a text, a failure, or a function of the request."""

    name = "played:root"

    def __init__(self, *replies: Any) -> None:
        self.replies = list(replies)
        self.requests: list[Request] = []

    async def complete(self, request: Request) -> Completion:
        self.requests.append(request)
        reply = self.replies.pop(0) if self.replies else "I have nothing more to do."
        reply = reply(request) if callable(reply) else reply
        if isinstance(reply, CallFailed):
            raise reply
        if isinstance(reply, str):
            return Completion(reply, self.name, usage=Usage(10, 0, 5))
        calls = tuple(
            ToolCall(f"c{len(self.requests)}-{n}", name, json.dumps(given)) for n, (name, given) in enumerate(reply)
        )
        return Completion("", self.name, calls, "tool_calls", Usage(10, 0, 5))

    async def close(self) -> None: ...

    def told(self) -> list[str]:
        """What each tool call of the last turn came to."""
        messages = self.requests[-1].messages
        last = max(index for index, message in enumerate(messages) if message.role == "assistant")
        return [message.content for message in messages[last + 1 :]]


def play(room: Room, folder: Path, *replies: Any, resume: bool = False, **changes: Any) -> tuple[Ran, Player]:
    player = Player(*replies)
    return run("tool-loop", room, folder, {"root": player, "sub": Sub()}, resume=resume, **changes), player


def ask(room: Room, folder: Path, *calls: tuple[str, dict[str, Any]], **changes: Any) -> list[str]:
    """What the model is told of each of these calls."""
    return play(room, folder, list(calls), "That is all.", **changes)[1].told()


def test_a_model_reads_writes_and_finishes_over_a_real_server(room: Room, tmp_path: Path) -> None:
    script = [
        use_tools(("glob", {"pattern": "documents/**"}), ("read", {"path": "documents/contracts/lease.txt"})),
        use_tool("write", {"path": "memo.md", "content": "The rent is $10,000 a month.\n"}),
        use_tools(("edit", {"path": "output/memo.md", "old": "10,000", "new": "12,000"}), ("finish", {"note": "done"})),
    ]
    ran = over_http("tool-loop", room, tmp_path / "run", script, sub=Sub())
    assert (ran.outcome.status, ran.outcome.reason, ran.outcome.turns) == ("submitted", "", 3)
    assert ran.output() == "The rent is $12,000 a month.\n"
    assert [tool["function"]["name"] for tool in ran.requests[0].body["tools"]] == [
        "bash", "read", "write", "edit", "glob", "grep", "finish",
    ]  # fmt: skip
    assert ran.requests[0].messages[1]["content"].startswith(TASK.instructions)
    listed = ran.requests[1].messages[3]["content"]
    assert '"documents/contracts/lease.txt" 86 characters' in listed
    assert LEASE in ran.requests[1].messages[4]["content"]
    assert not (tmp_path / "run" / "workspace").exists(), "what is left is what was delivered"


def test_coverage_is_what_the_requests_held(room: Room, tmp_path: Path) -> None:
    ran, player = play(
        room,
        tmp_path / "run",
        [("read", {"path": "documents/contracts/supply.txt", "start": 8, "length": 30}), ("grep", {"pattern": "rent"})],
        [("write", {"path": "memo.md", "content": "The rent."}), ("finish", {})],
    )
    supply = room.text(room.document("supply.txt").id)
    line = LEASE.index("The rent")
    assert ran.read() == {
        "contracts/lease.txt": [(line, line + len("The rent is $12,000 a month."))],
        "contracts/supply.txt": [(8, 38)],
    }
    assert supply[8:38] in player.told()[0]
    assert ran.coverage.read == 28 + 30
    (line_of_use,) = usage(ran.journal).lines
    assert (line_of_use.calls, line_of_use.tokens.input) == (2, 20)
    (turn, _) = [node for node in tree(ran.journal).children if node.kind == "turn"]
    assert [node.facts["tool"] for node in turn.children if node.kind == "cell"] == ["read", "grep"]


def test_what_a_command_shows_of_documents_counts_where_it_is_long_enough(tmp_path: Path) -> None:
    words = " ".join(f"Section {number} of the agreement binds the buyer." for number in range(1, 60))
    room = make_room(tmp_path, {"deal/long.txt": words, "deal/other.txt": "Nothing of note stands here at all."})
    ran, player = play(
        room,
        tmp_path / "run",
        [("bash", {"command": "head -c 500 documents/deal/long.txt; echo; cat documents/deal/other.txt"})],
    )
    assert words[:500] in player.told()[0]
    assert ran.read() == {"deal/long.txt": [(0, 500)]}, "the other's 35 characters are fewer than 64"


@pytest.mark.parametrize("backend", shells())
def test_a_command_reaches_nothing_but_the_workspace(backend: str, tmp_path: Path) -> None:
    folder = tmp_path / "task"
    room = make_room(folder)
    (folder / "task.json").write_text(MARKER)
    (folder / "answer_key.json").write_text(MARKER)
    runs = folder / "runs"
    runs.mkdir()
    commands = [
        f"grep -rl '{MARKER[:-1]}[t]'"
        + " / --exclude-dir=proc --exclude-dir=sys --exclude-dir=usr --exclude-dir=lib 2>/dev/null; true",
        f"cat {folder}/task.json; cat ../../task.json; cat ../../../task.json",
        "ln -s ../../../task.json output/link; cat output/link",
        "echo x > documents/new.txt; echo x > new.txt; rm -rf documents/contracts; ls documents",
        "(exec 3<>/dev/tcp/127.0.0.1/1) 2>&1; env; id -u",
    ]
    ran, player = play(
        room,
        runs / "run",
        [*(("bash", {"command": command}) for command in commands), ("read", {"path": "output/link"})],
        "No memo.",
        sandbox=backend,
    )
    told = player.told()
    assert told[0].startswith("⟪")
    assert not any(MARKER in text for text in [*told, *ran.sent()])
    assert "contracts" in told[3]
    assert "cannot be read" in told[5]
    assert all(name not in told[4] for name in ("OPENAI", "ANTHROPIC", "REDWELL"))


def test_a_command_that_takes_too_long_or_writes_too_much_is_cut(room: Room, tmp_path: Path) -> None:
    slow, much = ask(
        room,
        tmp_path / "run",
        ("bash", {"command": "sleep 60 & sleep 60"}),
        ("bash", {"command": "yes | head -c 900000"}),
        cell_seconds=1.0,
    )
    assert "was ended: it took longer than 1 seconds" in slow
    assert "more bytes were not kept" in much
    assert len(much) < 20_000


def test_the_host_follows_no_link_and_opens_no_pipe_of_a_command(room: Room, tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "run" / "workspace", room)
    workspace.prepare(workspace.texts)
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    (workspace.output / "link").symlink_to(secret)
    (workspace.output / "folder").symlink_to(tmp_path)
    os.mkfifo(workspace.output / "pipe")
    for parts in (
        ("output", "link"),
        ("output", "folder", "secret.txt"),
        ("output", "pipe"),
        ("output",),
        ("documents", "x"),
    ):
        with pytest.raises(NoFile):
            workspace.read(parts)
    with pytest.raises(NoFile):
        workspace.write(("output", "folder", "new.txt"), "x")
    workspace.write(("output", "link"), "mine")
    assert secret.read_text() == "secret"
    assert workspace.read(("output", "link")) == "mine"
    assert [path.name for path in workspace.deliver(tmp_path / "delivered")] == ["link"]
    for path in ("../secret.txt", "documents/../../secret.txt", "/etc/passwd", "output/../../x"):
        with pytest.raises(NoFile):
            workspace.where(path)


def test_tools_say_what_is_wrong_with_a_call(room: Room, tmp_path: Path) -> None:
    told = ask(
        room,
        tmp_path / "run",
        ("read", {"path": "documents/contracts/leese.txt"}),
        ("read", {}),
        ("read", {"path": 5}),
        ("write", {"path": "documents/x.txt", "content": "x"}),
        ("edit", {"path": "output/none.md", "old": "a", "new": "b"}),
        ("grep", {"pattern": "("}),
        ("read", {"path": "contracts/lease.txt", "start": 5000}),
        ("glob", {"pattern": "*.pdf"}),
    )
    assert all(text.startswith("Error: ") for text in told[:7])
    assert "lease.txt" in told[0]
    assert "read takes path, start, length" in told[1]
    assert "path is a text" in told[2]
    assert "only files in output/ can" in told[3]
    assert told[7] == "0 files."


def test_a_long_document_is_read_in_pieces(tmp_path: Path) -> None:
    text = "".join(f"Line {number:06d} of the long one.\n" for number in range(2_000))
    room = make_room(tmp_path, {"long.txt": text})
    first, second = ask(
        room,
        tmp_path / "run",
        ("read", {"path": "long.txt"}),
        ("read", {"path": "documents/long.txt", "start": READ_CHARS}),
    )
    assert f"read it again with start={READ_CHARS}" in first
    assert room.text(room.document("long.txt").id)[READ_CHARS:] in second
    assert "read it again" not in second


def test_a_conversation_that_is_full_ends_the_work_and_is_noted(tmp_path: Path) -> None:
    room = make_room(
        tmp_path, {"long.txt": "".join(f"Line {number:06d} of the long one.\n" for number in range(2_000))}
    )
    ran, player = play(
        room,
        tmp_path / "run",
        [("write", {"path": "memo.md", "content": "So far: nothing."})],
        [("read", {"path": "long.txt"})],
        "This is never asked for.",
        context_tokens=15_000,
    )
    assert len(player.requests) == 2
    assert ran.outcome.status == "salvaged"
    assert "as long as the model's context" in ran.outcome.reason
    assert ran.output() == "So far: nothing."
    assert [data["context_overflow"] for data in ran.events("note")] == [True]
    assert ran.coverage.read == 0, "the text was in no request that was answered"


def test_a_model_that_stops_without_a_file_is_taken_at_its_last_word(room: Room, tmp_path: Path) -> None:
    ran, _ = play(room, tmp_path / "run", [("read", {"path": "lease.txt"})], "The rent is $12,000 a month.")
    assert ran.outcome.status == "salvaged"
    assert "without writing the deliverable; this is what it said last" in ran.outcome.reason
    assert ran.output() == "The rent is $12,000 a month.\n"


def test_turns_run_out(room: Room, tmp_path: Path) -> None:
    ran, _ = play(room, tmp_path / "run", *[[("glob", {"pattern": "*"})]] * 5, tool_turns=3)
    assert (ran.outcome.status, ran.outcome.turns) == ("failed", 3)
    assert "all 3 turns were used" in ran.outcome.reason


def test_a_server_that_fails_ends_the_work_with_what_there_is(room: Room, tmp_path: Path) -> None:
    ran, _ = play(
        room,
        tmp_path / "run",
        [("write", {"path": "memo.md", "content": "half"})],
        CallFailed("auth", "the key is refused"),
    )
    assert (ran.outcome.status, ran.output()) == ("salvaged", "half")
    assert "the key is refused" in ran.outcome.reason


def test_what_was_answered_is_not_asked_again(room: Room, tmp_path: Path) -> None:
    folder = tmp_path / "run"

    def stop(request: Request) -> Any:
        task = asyncio.current_task()
        assert task is not None
        raise asyncio.CancelledError

    first, _ = play(
        room,
        folder,
        [("write", {"path": "memo.md", "content": "one"}), ("read", {"path": "lease.txt"})],
        [("edit", {"path": "memo.md", "old": "one", "new": "two"})],
        stop,
    )
    assert first.outcome.status == "interrupted"
    assert first.output() == "two", "what lay there is delivered"
    first.journal.close()
    second, player = play(
        room, folder, [("edit", {"path": "memo.md", "old": "two", "new": "three"}), ("finish", {})], resume=True
    )
    assert len(player.requests) == 1
    told = [message.content for message in player.requests[0].messages if message.role == "tool"]
    assert LEASE in told[1]
    assert (second.outcome.status, second.output()) == ("submitted", "three")
    assert second.read() == {"contracts/lease.txt": [(0, 86)]}
    second.journal.close()
    third, player = play(room, folder, resume=True)
    assert not player.requests
    assert (third.outcome.status, third.output()) == ("submitted", "three")


def test_without_walls_there_is_no_shell(room: Room, tmp_path: Path) -> None:
    with pytest.raises(SandboxUnavailable, match="never run without walls"):
        play(room, tmp_path / "run", sandbox="unsafe-local")

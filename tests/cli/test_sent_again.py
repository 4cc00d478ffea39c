"""What was cut off by a kill is listed for whoever pays for it, and a run that was killed while it read its room can be gone on with."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from servers.scripted import Received, Scripted, hang, use_tool

from redwell.journal.journal import Journal

WORKSTREAMS = (
    "('Corporate', 'Capitalization', 'Contracts', 'Debt', 'Finance', 'Tax', 'IP', 'Privacy and cyber', 'Employment', 'Litigation', "
    "'Real estate', 'Environmental', 'Insurance', 'Regulatory', 'Related parties', 'Data room integrity')"
)
CELLS = (
    "read = dispatch([('Which rents?', document) for document in room.documents()]).results()\nprint(len(read))",
    f"for name in {WORKSTREAMS}:\n    report.none_found('issues', name, rests_on='three notes')\n"
    "report.executive_summary('Three notes were read, and nothing in them matters to the deal.')\nsubmit()",
)


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "redwell", *map(str, arguments)]


def redwell(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*arguments), capture_output=True, text=True, timeout=120, check=False)


def make_room(folder: Path) -> Path:
    folder.mkdir()
    for number in range(3):
        (folder / f"note-{number}.txt").write_text(f"NOTE {number}\n\nThe rent is ${number + 1},000 a month.\n")
    return folder


def kill_when(process: subprocess.Popen[bytes], due: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not due():
        assert process.poll() is None, "it ended before its moment came"
        assert time.monotonic() < deadline
        time.sleep(0.005)
    process.kill()
    process.wait()


def kept(out: Path) -> int:
    """Answers that are in the run's journal."""
    with Journal.open(out, read_only=True) as journal:
        return sum(1 for _ in journal.events("call.completed"))


def test_a_call_that_was_out_at_a_kill_is_listed_in_the_report_and_by_run_show(tmp_path: Path) -> None:
    held: list[str] = []

    def script(received: Received) -> Any:
        if received.model == "root":
            return use_tool("python", {"code": CELLS[sum(m["role"] == "assistant" for m in received.messages)]})
        answer = json.dumps({"findings": [], "notes": ""})
        if "NOTE 1\n" in received.user and not held:
            held.append(received.key)
            return hang(60)
        return answer

    room, out = make_room(tmp_path / "room"), tmp_path / "out"
    with Scripted(script) as server:
        models = ("--root", f"openai:root@{server.url}", "--sub", f"openai:sub@{server.url}")
        run = subprocess.Popen(command("diligence", room, "--out", out, *models, "--quiet"))
        kill_when(run, lambda: bool(held) and server.count >= 4 and kept(out) == 3)
        resumed = redwell("resume", out, "--quiet")
        assert resumed.returncode == 0, resumed.stderr
        assert [key for key, count in server.keys.items() if count > 1] == held
    [call] = json.loads((out / "output" / "report.json").read_text())["basis"]["sent_again"]
    assert (call["key"], call["times"], call["role"], call["purpose"]) == (held[0], 1, "sub", "Which rents?")
    told = "The run was interrupted and gone on with once. 1 call was out then."
    line = f"sub {call['call']}, Which rents?: sent again once under the same key"
    for text in ((out / "output" / "report.html").read_text(), redwell("run", "show", out).stdout):
        assert told in text
        assert line in text
    shown = json.loads(redwell("run", "show", out, "--json").stdout)
    assert (shown["resumed"], shown["sent_again"]) == (1, [call])


def test_a_run_that_was_killed_while_it_read_its_room_is_gone_on_with(tmp_path: Path) -> None:
    room, out = make_room(tmp_path / "room"), tmp_path / "out"
    run = subprocess.Popen(command("diligence", room, "--out", out, "--quiet"))
    kill_when(run, (out / "room" / "room.lock").exists)
    assert redwell("diligence", room, "--out", out).returncode == 2
    resumed = redwell("resume", out, "--quiet")
    assert resumed.returncode == 0, resumed.stderr
    basis = json.loads((out / "output" / "report.json").read_text())["basis"]
    assert (basis["coverage"], basis["accounting"]["read"], basis["resumed"]) == (1.0, 3, 0)


def test_a_room_that_holds_nothing_leaves_no_run_behind(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    out = tmp_path / "out"
    refused = redwell("diligence", tmp_path / "empty", "--out", out)
    assert (refused.returncode, "has no files" in refused.stderr) == (2, True)
    assert not (out / "run.json").exists()
    assert (
        redwell("diligence", make_room(tmp_path / "room"), "--out", out, "--store", tmp_path / "store", "-q").returncode
        == 0
    )

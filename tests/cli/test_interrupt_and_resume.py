"""Ctrl-C keeps everything, and an interrupted run goes on without asking again for what was answered."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from servers.scripted import Received, Scripted, use_tool

QUOTE = "The tenant shall not assign this lease without the consent of the landlord"
WAIT = "found = ask_many('Which clauses need a consent?', over=room)\nprint(len(found))"
FINISH = (
    "report.unread('the reading was interrupted on purpose')\n"
    "for name in ('Corporate', 'Capitalization', 'Contracts', 'Debt', 'Finance', 'Tax', 'IP', 'Privacy and cyber', 'Employment', 'Litigation', "
    "'Real estate', 'Environmental', 'Insurance', 'Regulatory', 'Related parties', 'Data room integrity'):\n"
    "    report.none_found('issues', name, rests_on='four leases', despite='nothing')\n"
    "report.executive_summary('Four leases were read; each needs the consent of its landlord before closing.')\nsubmit()"
)


def make_room(folder: Path) -> Path:
    folder.mkdir()
    for number in range(4):
        filler = "\n\n".join(
            f"{n}. Clause {n} of lease {number} is about ordinary matters only." for n in range(2, 600)
        )
        (folder / f"lease-{number}.txt").write_text(
            f"LEASE {number}\n\n1. {QUOTE} {number}.\n\n{filler}\n", encoding="utf-8"
        )
    return folder


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "redwell", *map(str, arguments)]


class Play:
    """The root asks for everything; the last lease is not answered before `open_gate`."""

    def __init__(self) -> None:
        self.gate_open = False
        self.asked: Counter[str] = Counter()
        self.answered: Counter[str] = Counter()

    async def __call__(self, received: Received):
        if received.model == "root":
            turns = sum(message["role"] == "assistant" for message in received.messages)
            return use_tool("python", {"code": WAIT if turns == 0 else FINISH})
        lease = next(str(n) for n in range(4) if f"LEASE {n}\n" in received.user)
        self.asked[lease] += 1
        while lease == "3" and not self.gate_open:
            await asyncio.sleep(0.02)
        self.answered[lease] += 1
        found = {"kind": "consent", "claim": f"Lease {lease} needs a consent.", "values": {}}
        return json.dumps(
            {"findings": [{**found, "quotes": [{"document": 1, "text": f"{QUOTE} {lease}."}]}], "notes": ""}
        )


def test_ctrl_c_leaves_a_partial_report_and_resume_asks_only_for_what_was_out(tmp_path: Path):
    room, out, play = make_room(tmp_path / "papers"), tmp_path / "out", Play()
    with Scripted(play) as server:
        models = ("--root", f"openai:root@{server.url}", "--sub", f"openai:sub@{server.url}")
        environment = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
        run = subprocess.Popen(
            command("diligence", room, "--out", out, *models),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        deadline = time.monotonic() + 60
        while sum(play.answered.values()) < 3 or play.asked["3"] < 1:
            assert time.monotonic() < deadline, "the calls were never made"
            time.sleep(0.05)
        time.sleep(0.5)  # the answers are on their way to the journal
        run.send_signal(signal.SIGINT)
        _, errors = run.communicate(timeout=60)
        assert run.returncode == 130, errors
        assert "stopping; what was found is kept" in errors
        assert errors.endswith(f"go on with: redwell resume {out}\n")
        assert "Traceback" not in errors
        partial = (out / "output" / "report.md").read_text()
        assert "This report is incomplete" in partial
        assert f"{QUOTE} 0." in partial

        play.gate_open = True
        resumed = subprocess.run(
            command("resume", out), capture_output=True, text=True, timeout=120, check=False, env=environment
        )
        assert resumed.returncode == 0, resumed.stderr + resumed.stdout
        assert [play.asked[str(n)] for n in range(3)] == [1, 1, 1]
        assert play.asked["3"] == 2
        keys = {request.key for request in server.requests if "LEASE 3\n" in request.user}
        assert len(keys) == 1, "the call that was out is sent again under its own key"
    final = json.loads((out / "output" / "report.json").read_text())
    assert final["salvaged"] == ""
    assert final["basis"]["coverage"] == 1.0


def test_a_run_that_is_in_use_is_not_resumed_twice(tmp_path: Path):
    room, out, play = make_room(tmp_path / "papers"), tmp_path / "out", Play()
    with Scripted(play) as server:
        models = ("--root", f"openai:root@{server.url}", "--sub", f"openai:sub@{server.url}")
        run = subprocess.Popen(command("diligence", room, "--out", out, *models, "--quiet"))
        try:
            deadline = time.monotonic() + 60
            while play.asked["3"] < 1:
                assert time.monotonic() < deadline
                time.sleep(0.05)
            second = subprocess.run(command("resume", out), capture_output=True, text=True, timeout=60, check=False)
            assert second.returncode == 2
            assert "in use" in second.stderr
        finally:
            play.gate_open = True
            run.wait(timeout=60)


def test_resume_of_a_folder_without_a_run_is_told(tmp_path: Path):
    done = subprocess.run(command("resume", tmp_path), capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert str(tmp_path) in done.stderr
    assert "Traceback" not in done.stderr

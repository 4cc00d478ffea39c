"""kill -9 at any moment, then go on: nothing that was answered is asked again, and the outcome is the same."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from redwell.harness.fence import split
from redwell.journal.journal import Journal
from redwell.room.room import Room
from tests.harness.support import Root, Sub, lines_with_money, play
from tests.servers.scripted import Received, Scripted, use_tool

CELLS = [
    "import random, time\ndrawn = random.random()\nnow = time.time()\nprint(room.search('rent')[0].text, drawn)",
    "first = dispatch(['amounts?', 'dates?'], over=room)\nseen = [result.question for result in first.wait(2)]",
    "for result in first:\n    for finding in result:\n        memo.add(f'{finding.claim} {drawn} {now}', finding.document.path)\nlost = 1 / 0",
    "second = ask_many('again?', over=room)\nmemo.add(f'{len(second)} {len(seen) >= 2}')",
    "submit()",
]
DEEP_CELLS = [
    "deep = dispatch([('rents?', 'contracts'), ('deals?', 'contracts/supply.txt')][1:] + [('rents?', room.documents())], agents=True)",
    "for result in deep.results():\n    for finding in result:\n        memo.add(finding.claim)\nsubmit()",
]
CHILD_CELLS = [
    "mine = ask_many('amounts?', over=scope)\nfound = [finding for result in mine for finding in result]\nprint(len(found))",
    "answer(found + [{'claim': 'checked', 'quotes': [{'document': scope[0].document.id, 'text': scope[0].document.units[0].text}]}])",
]


def script(received: Received) -> Any:
    """Plays both: the root's and the children's next cell by how many they have written, the sub-agent's reading."""
    if received.model == "sub":
        slices, question = split(received.user)
        found = lines_with_money(slices, question) if "amounts?" in question else []
        return json.dumps({"findings": found, "notes": ""})
    turn = sum(message["role"] == "assistant" for message in received.messages)
    child = "You answer one question over a part" in received.system
    cells = CHILD_CELLS if child else DEEP_CELLS if "agents=True" in received.system else CELLS
    return use_tool("python", {"code": cells[turn]})


def start(room: Room, folder: Path, url: str, *, depth: int = 1, die_after: int = 0, concurrency: int = 4) -> int:
    command = [sys.executable, "-m", "tests.harness.run_process", str(room.store), str(folder), url]
    command += [str(depth), str(die_after), str(concurrency)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode in (0, -9), done.stderr
    assert done.returncode == -9 or done.stdout.startswith("submitted"), done.stdout
    return done.returncode


def answered_keys(folder: Path) -> set[str]:
    """The keys of the calls whose answer is in the journal."""
    if not (folder / "run.json").exists():
        return set()
    journal = Journal.open(folder, read_only=True)
    sent = {event.data["call"]: event.data["key"] for event in journal.events("call.sent")}
    done = {sent[event.data["call"]] for event in journal.events("call.completed")}
    journal.close()
    return done


def kill_and_go_on(room: Room, folder: Path, depth: int, lives: int) -> tuple[str, Counter[str], int]:
    """Runs until the end although each process dies after so many events; the memo, the server's count of keys, and the deaths."""
    deaths = 0
    with Scripted(script) as server:
        while True:
            known, asked = answered_keys(folder), server.count
            code = start(room, folder, server.url, depth=depth, die_after=lives + deaths % 3)
            again = [received.key for received in server.requests[asked:] if received.key in known]
            assert again == [], "a call whose answer was in the journal was made again"
            if code == 0:
                break
            deaths += 1
        assert "" not in server.keys
        return (folder / "output" / "memo.md").read_text(encoding="utf-8"), server.keys, deaths


@pytest.fixture(scope="module", params=[1, 2], ids=["depth 1", "depth 2"])
def undisturbed(
    request: pytest.FixtureRequest, room: Room, tmp_path_factory: pytest.TempPathFactory
) -> tuple[int, str, set[str]]:
    """The memo and the calls of a run that nothing happened to."""
    folder = tmp_path_factory.mktemp("undisturbed") / "run"
    with Scripted(script) as server:
        assert start(room, folder, server.url, depth=request.param) == 0
        assert set(server.keys.values()) == {1}
        return request.param, _without_time((folder / "output" / "memo.md").read_text(encoding="utf-8")), _calls(folder)


@pytest.mark.parametrize("lives", [26])
def test_a_run_that_is_killed_again_and_again_ends_as_if_it_had_not_been(
    room: Room, tmp_path: Path, undisturbed: tuple[int, str, set[str]], lives: int
) -> None:
    depth, memo, calls = undisturbed
    found, keys, deaths = kill_and_go_on(room, tmp_path / "run", depth, lives)
    assert deaths >= 2
    assert _without_time(found) == memo
    assert _calls(tmp_path / "run") == calls
    assert max(keys.values()) <= deaths + 1


def test_a_call_that_was_in_flight_is_sent_again_under_its_key(room: Room, tmp_path: Path) -> None:
    with Scripted(script) as server:
        # run.started, turn.started, and the call of turn 1 sent: the third event.
        assert start(room, tmp_path / "run", server.url, die_after=3) == -9
        assert start(room, tmp_path / "run", server.url) == 0
        first = [received for received in server.requests if received.model == "root"][:2]
        keys = {received.key for received in first if len(received.messages) == 2}
        assert len(keys) == 1


def test_a_finished_run_is_delivered_again_without_a_call(room: Room, tmp_path: Path) -> None:
    played = play(room, tmp_path / "run", Root("memo.add('line')", "submit()"))
    played.journal.close()
    (tmp_path / "run" / "output" / "memo.md").unlink()
    root = Root()
    again = play(room, tmp_path / "run", root, resume=True)
    assert (again.outcome.status, again.outcome.turns) == ("submitted", 2)
    assert again.memo_text == "line\nunread 259, failed 0\n"
    assert root.requests == []


def test_a_run_whose_root_gave_up_goes_on_where_it_stopped(room: Room, tmp_path: Path) -> None:
    cells = ["kept = ask('amounts?', over='contracts/lease.txt')\nprint(len(kept))", "say:a", "say:b", "say:c"]
    played = play(room, tmp_path / "run", Root(*cells))
    assert played.outcome.status == "salvaged"
    played.journal.close()
    sub = Sub()
    again = play(room, tmp_path / "run", Root("print(kept[0].claim)", "submit()"), sub, resume=True)
    assert (again.outcome.status, again.outcome.turns) == ("submitted", 6)
    assert again.outputs()[-2] == "The rent is $12,000 a month.\n"
    assert sub.requests == []


def test_a_session_that_died_is_restored_without_the_cell_that_killed_it(room: Room, tmp_path: Path) -> None:
    root = Root(
        "import random\nx = random.random()\nkept = ask('amounts?', over='contracts/lease.txt')\nprint(x)",
        "y = 1\nlost = dispatch('more?', over='contracts/supply.txt')\nimport os\nos._exit(3)",
        "print(x)\nprint(kept[0].claim, 'y' in globals())\nprint(batches()[1].results())",
        "submit()",
    )
    sub = Sub()
    played = play(room, tmp_path / "run", root, sub)
    first, died, after = played.outputs()[:3]
    assert "ended" in died
    assert "restored by running the earlier cells again" in root.told(2)
    assert after.startswith(f"{first}The rent is $12,000 a month. False\n")
    assert "$500 a ton" in after
    assert sorted(sub.questions) == ["amounts?", "more?"]
    assert played.outcome.status == "submitted"


def test_a_restored_session_names_the_cells_in_tracebacks_as_the_root_knows_them(room: Room, tmp_path: Path) -> None:
    cells = [
        "def share(part, whole):\n    return part / whole",
        "import os\nos._exit(3)",
        "y = 1",
        "share(y, 0)",
        "submit()",
    ]
    played = play(room, tmp_path / "run", Root(*cells))
    assert "restored by running the earlier cells again" in played.root.told(2)
    error = played.outputs()[3]
    assert 'File "<cell 4>", line 1, in <module>\n    share(y, 0)' in error
    assert 'File "<cell 1>", line 2, in share\n    return part / whole' in error


def _without_time(memo: str) -> str:
    """The memo without the clock's own figures: two runs do not start at the same second."""
    return "\n".join(" ".join(word for word in line.split() if not word.startswith("17") and not word.startswith("18")) for line in sorted(memo.splitlines()))  # fmt: skip


def _calls(folder: Path) -> set[str]:
    journal = Journal.open(folder, read_only=True)
    found = {event.data["call"] for event in journal.events("call.completed")}
    journal.close()
    return found

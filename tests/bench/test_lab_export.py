"""LAB's files of a run: the keys of LAB's own, figures that can be counted by hand, and no word of the rubric anywhere an agent looks."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sqlite3
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from bench.task_trees import CRITERION, write_task
from endurance.chaos_runs import CELLS, make_matter, script
from servers.scripted import Answer, Received, Scripted, status, use_tool

from redwell.bench.cell import Cell, CellResult, carry_out, result_of, task_of
from redwell.bench.harnesses import HARNESSES
from redwell.bench.key import Key, write_key
from redwell.bench.lab import export
from redwell.room.room import Room

MARKER = "quetzal-" + "marker"
pytestmark = pytest.mark.xdist_group("lab_export")


@dataclass
class Made:
    result: CellResult
    run: Path
    store: Path
    server: Scripted

    def read(self, name: str) -> Any:
        return json.loads((self.run / name).read_text(encoding="utf-8"))


def carried_out(folder: Path, task: Path, server: Scripted | None, harness: str = "rlm", **caps: Any) -> Made:
    root, sub = ("playbook", "reader") if server is None else (f"openai:root@{server.url}", f"openai:sub@{server.url}")
    run, store = folder / "run", folder / "store"
    cell = Cell("leases", str(task), str(task), harness, root, sub, 1, str(run), str(store), caps=caps, ocr="off")
    result = asyncio.run(carry_out(cell, lambda kind, figures: None))
    return Made(result, run, store, server)  # type: ignore[arg-type]


def leases(folder: Path) -> Path:
    task = write_task(
        folder / "task",
        title=f"Leases {MARKER}",
        criteria=[{**CRITERION, "title": MARKER, "match_criteria": f"PASS if the report says {MARKER}."}],
    )
    make_matter(task / "documents")
    (task / "documents" / "blank.txt").write_bytes(b"")
    write_key(Key(MARKER, MARKER, "1", "desk", "dev", (), ()), task / "answer_key.json")
    return task


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    folder = tmp_path_factory.mktemp("whole")
    task = leases(folder)
    with Scripted(script) as server:
        yield carried_out(folder, task, server)


def test_the_metrics_have_labs_keys_and_the_figures_of_the_server(whole: Made, shared: Path) -> None:
    shape = json.loads((shared / "data" / "lab_format" / "metrics.shape.json").read_text())
    found = whole.read("metrics.json")
    assert list(found) == list(shape)
    assert {name: type(value) for name, value in found.items()} == {name: type(value) for name, value in shape.items()}
    assert found["turn_count"] == 6  # the script's cells
    assert found["bash_commands"] == 6
    assert (found["input_tokens"], found["output_tokens"]) == (whole.server.used[0], whole.server.used[2])
    assert found["finished_cleanly"] is True
    assert found["documents_read_list"] == [f"lease-{n}.txt" for n in range(5)]
    assert found["documents_skipped_list"] == ["blank.txt"]
    assert (found["documents_read"], found["documents_skipped"], found["total_documents"]) == (5, 1, 6)
    assert (found["files_edited"], found["glob_searches"], found["grep_searches"]) == (0, 0, 0)
    assert found["files_written"] == len(list((whole.run / "output").iterdir()))
    assert 0 < found["wall_clock_seconds"] < 100
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT[\d:.]+\+00:00", found["completed_at"])


def test_the_transcript_is_the_conversation_of_the_root(whole: Made) -> None:
    lines = [json.loads(line) for line in (whole.run / "transcript.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["role"] for line in lines[:3]] == ["system", "user", "assistant"]
    assert "produce a red-flags report at `red-flags-report.md`" in lines[1]["content"]
    answers = [line for line in lines if line["role"] == "assistant"]
    assert [line["turn"] for line in answers] == [1, 2, 3, 4, 5, 6]
    assert all(line["tool_calls"][0]["name"] == "python" for line in answers)
    assert [line["turn"] for line in lines if line["role"] == "tool"] == [1, 2, 3, 4, 5]


def test_the_configuration_says_what_was_run(whole: Made) -> None:
    found = whole.read("config.json")
    assert found["run_id"].startswith(f"leases/rlm--{found['model']}/20")
    assert found["model"].startswith("openai:root@http://127.0.0.1:")
    assert (found["task"], found["harness"], found["repeat"], found["max_turns"]) == ("leases", "rlm", 1, 60)
    assert task_of(whole.run).title == f"Leases {MARKER}"
    assert result_of(whole.run) == whole.result


def test_a_run_that_ended_early_says_what_it_read(tmp_path: Path) -> None:
    task = leases(tmp_path)
    with Scripted(script) as server:
        made = carried_out(tmp_path, task, server, calls=7)
        read = sum(request.model == "sub" for request in server.requests)
    assert made.result.status == "salvaged"
    found = made.read("metrics.json")
    assert found["finished_cleanly"] is False
    assert found["documents_read"] + found["documents_skipped"] == 6
    assert 1 <= found["documents_read"] <= read <= 5
    # Made anew from the journal alone, the files are the same.
    before = {name: (made.run / name).read_bytes() for name in ("metrics.json", "transcript.jsonl", "config.json")}
    for name in before:
        (made.run / name).unlink()
    with Room.open(made.store) as room:
        assert export(made.run, room) == found
    assert {name: (made.run / name).read_bytes() for name in before} == before


def test_a_run_that_failed_is_gone_on_with_in_its_folder(tmp_path: Path) -> None:
    task = leases(tmp_path)
    refuse = True

    def answer(received: Received) -> Answer:
        return status(401, "no such key") if refuse else script(received)

    with Scripted(answer) as server:
        failed = carried_out(tmp_path, task, server)
        assert failed.result.status == "failed"
        assert "no such key" in failed.result.reason
        assert result_of(failed.run) == failed.result
        assert failed.read("metrics.json")["finished_cleanly"] is False
        identity = failed.read("run.json")["id"]
        refuse = False
        done = carried_out(tmp_path, task, server)
    assert done.result.status == "submitted"
    assert done.read("run.json")["id"] == identity
    assert done.read("metrics.json")["documents_read"] == 5


# --- the rubric stays hidden ------------------------------------------------------------------------------------------------

_LOOK = """
import os
mark = ("quetzal-" + "marker").encode()
found, looked = [], 0
for place in [TASK, *(os.path.join(TASK, name) for name in ("task.json", "answer_key.json"))]:
    try:
        found.append(repr(open(place, "rb").read()[:9]))
    except OSError as error:
        found.append(type(error).__name__)
for top in ("/", os.getcwd()):
    for place, folders, files in os.walk(top):
        folders[:] = [name for name in folders if os.path.join(place, name) not in ("/proc", "/sys", "/usr", "/lib", "/lib64")]
        for name in files:
            try:
                with open(os.path.join(place, name), "rb") as file:
                    looked += 1
                    if mark in file.read():
                        found.append(os.path.join(place, name))
            except OSError:
                pass
print("LOOKED", looked, found)
"""


def test_nothing_that_a_root_and_its_sub_agents_see_or_can_open_holds_the_rubric(tmp_path: Path) -> None:
    task = leases(tmp_path)
    said: list[str] = []

    def curious(received: Received) -> Answer:
        if received.model == "root" and len(received.messages) == 2:
            return use_tool("python", {"code": CELLS[0] + _LOOK.replace("TASK", repr(str(task)))})
        said.extend(str(m["content"]) for m in received.messages if "LOOKED" in str(m["content"]))
        return script(received)

    with Scripted(curious) as server:
        run, store = tmp_path / "run", tmp_path / "store"
        models = (f"openai:root@{server.url}", f"openai:sub@{server.url}")
        cell = Cell("leases", str(task), str(task), "rlm", *models, 1, str(run), str(store), ocr="off")
        result = asyncio.run(carry_out(cell, lambda kind, figures: None))
        raw = b"".join(request.raw for request in server.requests)
    assert raw.count(b"produce a red-flags report") >= 1
    assert MARKER.encode() not in raw
    assert result.status == "submitted"
    look = next(text for text in said if "LOOKED" in text)
    assert look.count("Error") == 3, look
    assert MARKER not in look
    assert "task.json" not in look.partition("LOOKED")[2]
    assert _holding(store) == []


@pytest.mark.parametrize("harness", [name for name in HARNESSES if name != "coding-agent"])
def test_no_harness_is_told_the_rubric(tmp_path: Path, harness: str) -> None:
    task = leases(tmp_path)
    made = carried_out(tmp_path, task, None, harness)
    assert made.result.finished, made.result.reason
    assert (made.run / "output" / "red-flags-report.md").is_file()
    assert _holding(made.store) == []
    # The title stands in run.json, which no agent can open; nothing of what was sent, said or written holds it.
    assert [path.name for path in _holding(made.run)] == ["run.json"]
    with sqlite3.connect(made.run / "journal.sqlite") as journal:
        blobs = [
            zlib.decompress(data) if deflated else data
            for deflated, data in journal.execute("SELECT deflated, bytes FROM blobs")
        ]
        events = [text for (text,) in journal.execute("SELECT data FROM events")]
    assert len(blobs) >= 3
    assert not [blob for blob in blobs if MARKER.encode() in blob]
    assert not [text for text in events if MARKER in text]


def _holding(folder: Path) -> list[Path]:
    every = [Path(place) / name for place, _, names in os.walk(folder) for name in names]
    return [path for path in every if path.is_file() and MARKER.encode() in path.read_bytes()]

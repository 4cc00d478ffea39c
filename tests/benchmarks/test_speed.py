"""The benchmark of speed goes through all its measurements in small; what it comes to on a busy machine is not judged here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("speed")  # its rooms and runs are made once

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bench")
    command = [sys.executable, str(ROOT / "benchmarks" / "speed.py"), "--quick", "--no-peers"]
    command += ["--out", str(folder / "bench.json"), "--write", str(folder / "page.md")]
    subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
    return folder


def test_every_row_is_in_the_table_and_in_the_file(out: Path) -> None:
    found = json.loads((out / "bench.json").read_text())
    rows = {row["name"]: row for row in found["rows"]}
    assert list(rows) == [
        "read", "open", "calls", "calls_capped", "latency", "latency_http", "scan_0", "scan_1", "scan_2", "search", "pdf"
    ]  # fmt: skip
    page = (out / "page.md").read_text()
    for row in rows.values():
        assert row["ours"]
        assert len(row["repeats"]["ours"]) == 1
        assert f"| {row['what']} | {row['target']} | {row['ours']} |" in page
    assert {name for name, row in rows.items() if row["reached"] is None} == {"calls_capped", "latency_http"}


def test_the_machine_and_the_versions_are_told(out: Path) -> None:
    found = json.loads((out / "bench.json").read_text())
    assert found["machine"]["cores"] >= 1
    assert found["machine"]["packages"]["redwell"]
    assert found["machine"]["peers"] == {"rlms": "0.1.3", "dspy": "3.4.1"}
    assert len(found["load_average"]) == 2


def test_hits_are_those_of_pythons_own_regular_expressions(out: Path) -> None:
    texts = [path.read_text(encoding="utf-8").lower() for path in sorted((out / "plain_room").rglob("*.txt"))]
    rows = {row["name"]: row for row in json.loads((out / "bench.json").read_text())["rows"]}
    hits = sum(text.count("change of control") for text in texts)
    assert hits > 0
    assert [one["hits"] for one in rows["scan_1"]["repeats"]["ours"]] == [hits]
    assert [one["hits"] for one in rows["scan_1"]["repeats"]["re"]] == [hits]


def test_the_room_is_the_same_from_the_same_seed(tmp_path: Path) -> None:
    for name, seed in (("a", "3"), ("b", "3"), ("c", "4")):
        command = [sys.executable, str(ROOT / "benchmarks" / "plain_room.py"), str(tmp_path / name)]
        subprocess.run(
            [*command, "--documents", "90", "--characters", "2000", "--seed", seed], check=True, capture_output=True
        )
    rooms = [{path.name: path.read_bytes() for path in (tmp_path / name).rglob("*.txt")} for name in "abc"]
    assert len(rooms[0]) == 90
    assert rooms[0] == rooms[1] != rooms[2]
    assert all(1700 <= len(text.decode()) <= 2000 for text in rooms[0].values())
    assert len(list((tmp_path / "a").iterdir())) == 80

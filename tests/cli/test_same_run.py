"""The embedded default is deterministic: the same room gives the same report, however its slices were scheduled."""

import json
import subprocess
import sys
from pathlib import Path


def report(room: Path, out: Path, concurrency: int) -> dict:
    arguments = ["diligence", room, "--out", out, "--concurrency", concurrency, "--quiet"]
    done = subprocess.run(
        [sys.executable, "-m", "redwell", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    data = json.loads((out / "output" / "report.json").read_text())
    return {name: data[name] for name in ("entries", "missing", "none_found", "tables", "sections", "summary")}


def test_long_documents_read_side_by_side_give_the_same_report_as_one_after_the_other(shared: Path, tmp_path: Path):
    room = tmp_path / "room"
    room.mkdir()
    texts = sorted((shared / "data" / "cuad" / "txt").iterdir(), key=lambda path: (-path.stat().st_size, path.name))
    for text in [text for text in texts if text.stat().st_size < 200_000][:6]:
        (room / text.name).write_bytes(text.read_bytes())
    one = report(room, tmp_path / "one", 1)
    assert len(one["entries"]) > 5
    assert report(room, tmp_path / "many", 8) == one

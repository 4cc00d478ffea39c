"""Whole runs on the embedded default: what a room takes to read and to review, and whether every citation holds when looked for again.

    python benchmarks/rooms.py ../shared [--write docs/results.md]

The rooms: the demo room of this repository; the sample room of project Atlas; and 80 real contracts of CUAD (its 14 PDFs and every
sixth text, by name, up to 66).
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from results import section

ROOT = Path(__file__).resolve().parents[1]


def cuad_room(cuad: Path, folder: Path) -> Path:
    for kind, files in (("pdf", sorted((cuad / "pdf").iterdir())), ("txt", sorted((cuad / "txt").iterdir())[::6][:66])):
        (folder / kind).mkdir(parents=True)
        for file in files:
            shutil.copy(file, folder / kind / file.name)
    return folder


def run(name: str, room: Path, deal: Path | None, folder: Path) -> list[str]:
    """One line of the table. Raises CalledProcessError when a verb fails."""
    out = folder / name
    began = time.monotonic()
    given = ["--deal", str(deal)] if deal else []
    lines = redwell("diligence", str(room), "--out", str(out), "--json", *given).splitlines()
    seconds = time.monotonic() - began
    events = [json.loads(line) for line in lines]
    read = next(event for event in events if event["event"] == "read")
    checked = json.loads(redwell("report", "check", str(out), "--json"))
    report = json.loads((out / "output" / "report.json").read_text(encoding="utf-8"))
    basis = report["basis"]
    return [
        name,
        f"{read['found']} / {read['read']} / {read['found'] - read['read']}",
        f"{read['characters']:,}",
        f"{read['seconds']:.0f}",
        f"{seconds:.0f}",
        f"{len(report['entries'])}",
        f"{checked['hold']} of {checked['citations']}",
        f"{basis['coverage']:.1%}",
        f"${basis['cost']:.2f}",
    ]


def redwell(*arguments: str) -> str:
    return subprocess.run(
        [sys.executable, "-m", "redwell", *arguments], check=True, capture_output=True, text=True
    ).stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    header = [
        "room",
        "files found / read / not",
        "characters",
        "read, s",
        "in all, s",
        "entries",
        "citations that hold",
        "coverage",
        "cost",
    ]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        atlas = given.shared / "data" / "rooms" / "project_atlas" / "sample_data_room"
        rows = [
            run("demo", ROOT / "examples" / "demo_room", ROOT / "examples" / "demo_deal.toml", folder),
            run("atlas", atlas, None, folder),
            run("80 CUAD contracts", cuad_room(given.shared / "data" / "cuad", folder / "cuad"), None, folder),
        ]
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    text = ["Made by `make results`, on two cores; `citations that hold` are counted by `redwell report check`.", ""]
    text += ["| " + " | ".join(header) + " |", "|---|" + "---:|" * (len(header) - 1)]
    text += ["| " + " | ".join(row) + " |" for row in rows]
    text += ["", f"The largest process needed {most:,.0f} MB."]
    section("Whole runs on the embedded default", text, given.write)


if __name__ == "__main__":
    main()

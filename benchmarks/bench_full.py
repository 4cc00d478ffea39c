"""Generated rooms of full size end to end on the embedded default: made, proved, read, reviewed, graded, with times, memory and scores.

    python benchmarks/bench_full.py [--documents 5000] [--splits test,train] [--folder out/bench_full] [--write docs/results.md]

Each split has a room of its own; the wordings of `test` are none that the rules of the embedded reader were written against. A stage of a split
that is in `SPLIT/done.json` is not done again.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import shutil
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from results import section
from whole_room import MIB, size, watched

from redwell.bench.grading import grade_run
from redwell.bench.key import Key, read_key
from redwell.bench.measures import measure
from redwell.bench.score import By, by, share_of
from redwell.bench.tasks import load_task
from redwell.bench.verdicts import read_set
from redwell.room.room import Room

T = TypeVar("T")
STAGES = ("generate", "read", "verify", "diligence", "grade", "measure")


def timed(does: Callable[[], T]) -> tuple[T, dict[str, float]]:
    began = time.monotonic()
    made = does()
    return made, {
        "seconds": time.monotonic() - began,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }


def carry_out(folder: Path, split: str, documents: int) -> dict[str, Any]:
    """One room of a split through everything; returns what `done.json` holds."""
    done = folder / "done.json"
    found: dict[str, Any] = json.loads(done.read_text()) if done.is_file() else {}
    if found.get("documents_wanted") != documents:
        shutil.rmtree(folder, ignore_errors=True)
        found = {"documents_wanted": documents, "stages": {}}
    task, store, run = folder / "task", folder / "store", folder / "run"
    stages: dict[str, dict[str, float]] = found["stages"]

    def ended(stage: str, how: dict[str, float]) -> None:
        stages[stage] = how
        folder.mkdir(parents=True, exist_ok=True)
        done.write_text(json.dumps(found))

    for name, arguments in (
        ("generate", ("generate", "room", "--preset", "full", "--documents", str(documents), "--seed", "1", "--split", split, "--out", str(task))),
        ("read", ("room", "read", str(task / "documents"), "--store", str(store))),
        ("verify", ("generate", "verify", str(task), "--store", str(store))),
        ("diligence", ("diligence", str(store), "--out", str(run), "--json")),
    ):  # fmt: skip
        if name not in stages:
            ran = watched(*arguments)
            ended(name, {"seconds": ran.seconds, "memory": float(ran.together)})
    given = load_task(task)
    with Room.open(store) as room:
        account = room.accounting()
        found |= {
            "documents": account.documents,
            "files": account.found,
            "characters": account.characters,
            "bytes": size(task / "documents"),
        }
        if "grade" not in stages:
            ended("grade", timed(lambda: asyncio.run(grade_run(run, given, "facts", room=room)))[1])
        if "measure" not in stages:
            measured, how = timed(lambda: measure(run, given, room))
            found["measures"] = asdict(measured)
            ended("measure", how)
    return found


def rates(folder: Path, of: By) -> dict[str, tuple[int, int]]:
    """(passed, all) of the criteria of one split's room, by what they are about."""
    key = read_key(folder / "task/answer_key.json")
    counted = by([(read_set(folder / "run", "facts"), key)], of)
    return {part: (share.passed, share.decided) for part, share in counted.items()}


def table(title: str, folders: dict[str, Path], of: By) -> list[str]:
    found = {split: rates(folder, of) for split, folder in folders.items()}
    parts = sorted({part for each in found.values() for part in each})
    made = [f"| {title} | " + " | ".join(f"{split}: passed" for split in found) + " |", "|---|" + "---:|" * len(found)]
    for part in parts:
        cells = []
        for each in found.values():
            passed, decided = each.get(part, (0, 0))
            cells.append(f"{passed} of {decided} ({passed / decided:.0%})" if decided else "–")
        made.append(f"| {part} | " + " | ".join(cells) + " |")
    return made


def planted(key: Key) -> str:
    issues, decoys = sum(not one.decoy for one in key.issues), sum(one.decoy for one in key.issues)
    kinds = len({one.number for one in key.issues if not one.decoy})
    return f"{issues} issues of {kinds} archetypes and {decoys} decoys, {len(key.criteria)} criteria"


def entries(folder: Path) -> str:
    """Entries of the report, and of how many the title names the subject of a planted issue or only of a decoy."""
    key = read_key(folder / "task/answer_key.json")
    names: dict[bool, set[str]] = {False: set(), True: set()}
    decoys = {issue.id for issue in key.issues if issue.decoy}
    for criterion in key.criteria:
        names[criterion.issue in decoys] |= {name.lower() for group in criterion.check.about for name in group}
    titles = [
        entry["title"].lower() for entry in json.loads((folder / "run/output/report.json").read_bytes())["entries"]
    ]
    about = sum(any(name in title for name in names[False]) for title in titles)
    only_decoy = sum(
        any(name in title for name in names[True]) and not any(name in title for name in names[False])
        for title in titles
    )
    return f"{len(titles)}, {about}, {only_decoy}"


def lines(root: Path, splits: list[str], documents: int) -> list[str]:
    folders = {split: root / split for split in splits}
    found = {split: carry_out(folder, split, documents) for split, folder in folders.items()}
    said = [
        f"Made by `make bench-full` on {os.cpu_count()} cores: a generated room for each split, reviewed by `redwell diligence` with the embedded models and no deal file, "
        "graded by `facts`. The rules of the embedded reader were written with the wordings of `train` in view and measured on those of `dev`; those of `test` were seen by "
        "nobody who wrote rules; that running text and kinds of which a room is full are left out was decided after a first report on it had been counted, and set on `train`. So `train` says how far rules can get that know their texts, and `test` what they are worth on others.",
        "",
        "| | " + " | ".join(splits) + " |",
        "|---|" + "---:|" * len(splits),
    ]

    def row(name: str, of: Callable[[dict[str, Any], Path], str]) -> None:
        said.append(f"| {name} | " + " | ".join(of(found[split], folders[split]) for split in splits) + " |")

    row("files in the room", lambda f, _: f"{f['files']:,}")
    row("documents that differ", lambda f, _: f"{f['documents']:,}")
    row("size on disk", lambda f, _: f"{f['bytes'] / MIB:,.0f} MB")
    row("characters", lambda f, _: f"{f['characters']:,} (about {f['characters'] / 4e6:.0f} million tokens)")
    row("planted", lambda _, folder: planted(read_key(folder / "task/answer_key.json")))
    for stage in STAGES:
        row(f"{stage}: seconds", lambda f, _, stage=stage: f"{f['stages'][stage]['seconds']:.0f}")  # type: ignore[misc]
        row(
            f"{stage}: most memory, all processes",
            lambda f, _, stage=stage: f"{f['stages'][stage]['memory'] / MIB:,.0f} MB",
        )  # type: ignore[misc]
    row("coverage (spans)", lambda f, _: f"{f['measures']['coverage']:.2%}")
    row(
        "coverage (probes), disagreeing",
        lambda f, _: (
            f"{f['measures']['probe_coverage']:.2%} of {f['measures']['probes']:,}, {f['measures']['probe_disagreements']}"
        ),
    )
    row(
        "entries in the report, about the subject of a planted issue, only about that of a decoy",
        lambda _, folder: entries(folder),
    )
    row(
        "quotes that hold",
        lambda f, _: f"{f['measures']['citations']['verified']:,} of {f['measures']['citations']['quotes']:,}",
    )
    row(
        "pieces of evidence that are quoted",
        lambda f, _: f"{f['measures']['citations']['cited']:,} of {f['measures']['citations']['evidence']:,}",
    )
    row("**criteria passed**", lambda _, folder: f"**{share_of(read_set(folder / 'run', 'facts')).rate or 0:.1%}**")
    for title, of in (
        ("kind of evidence", "kind"),
        ("style of criterion", "style"),
        ("workstream", "workstream"),
        ("archetype", "archetype"),
    ):
        said += ["", *table(title, folders, of)]  # type: ignore[arg-type]
    return said


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=5_000)
    parser.add_argument("--splits", default="test,train")
    parser.add_argument("--folder", type=Path, default=Path("out/bench_full"))
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    made = lines(given.folder, given.splits.split(","), given.documents)
    section("Generated rooms of 5,000 documents", made, given.write)


if __name__ == "__main__":
    main()

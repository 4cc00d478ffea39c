"""Six generated rooms through every harness that needs no model, graded by the answer keys, with the page of figures.

    python benchmarks/bench_small.py [--folder out/bench_small] [--fresh] [--write docs/results.md]

An interrupted run is gone on with by the same command.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from results import section

from redwell.bench.figures.rows import Row, by_room, gather, grouped, mean, place
from redwell.bench.key import read_key
from redwell.bench.score import REPORT, Share, bootstrap, by

MATRIX = Path(__file__).parents[1] / "examples/matrix_small.toml"


def redwell(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "redwell", *arguments], check=True)


def share(rows: list[Row], style: str) -> str:
    """The share of criteria of one style that passed, over all runs."""
    sets = [(row.verdicts, read_key(Path(row.key))) for row in rows if row.verdicts]
    found = by(sets, "style").get(style, Share())
    return "–" if found.rate is None else f"{found.rate:.1%}"


def of_issues(rows: list[Row]) -> str:
    """The share of the criteria about issues that passed: all but those about decoys and about the report as a whole."""
    sets = [(row.verdicts, read_key(Path(row.key))) for row in rows if row.verdicts]
    found = sum((part for name, part in by(sets, "kind").items() if name not in ("decoy", REPORT)), Share())
    return f"{found.rate or 0:.1%}"


def lines(folder: Path, seconds: float) -> list[str]:
    rows = gather(folder)
    first = rows[0]
    kinds = {
        name: [row for row in rows if row.harness == name] for name in sorted({r.harness for r in rows}, key=place)
    }
    rooms = grouped(rows, lambda row: row.task)
    documents = [some[0].documents for some in rooms.values()]
    criteria = [len(some[0].verdicts.verdicts) for some in rooms.values() if some[0].verdicts]
    said = [
        f"Made by `make bench-small` in {seconds / 60:.1f} minutes on {os.cpu_count()} cores: {len(rooms)} generated rooms of the preset `small` "
        f"({min(documents)} to {max(documents)} documents, {sum(criteria)} criteria in all, wordings of the `test` split), root `{first.root}`, "
        f"sub-agent `{first.sub}`, judge `facts`. No model is in any of it.",
        "",
        "| harness | criteria passed (macro) | 95 % over rooms | of issues | facts | absences | decoys left alone | text read | documents read | quotes that hold | seconds a room |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, some in kinds.items():
        found = bootstrap(by_room(some, lambda row: row.rate), mean)
        quotes = sum(row.citations["quotes"] for row in some)
        hold = f"{sum(row.citations['verified'] for row in some) / quotes:.1%}" if quotes else "–"
        said.append(
            f"| {name} | {found.value:.1%} | {found.low:.1%}–{found.high:.1%} | {of_issues(some)} | {share(some, 'fact')} | {share(some, 'absence')} | "
            f"{share(some, 'precision')} | {mean([r.coverage for r in some]):.1%} | {mean([r.documents_read / r.documents for r in some]):.0%} | "
            f"{hold} | {mean([r.behaviour['seconds'] for r in some]):.1f} |"
        )
    probes, apart = sum(row.probes for row in rows), sum(row.probe_disagreements for row in rows)
    said += [
        "",
        f"Coverage was measured twice: from the spans of the journal, and by {probes:,} probes looked for in what was sent; they disagree at {apart}.",
    ]
    return said


READING = [
    "",
    "What this says: the harnesses run, are measured and graded alike, and how much of a room each lets a root see. What it does not say: how well a language model does. The same rules "
    "play every root here; they find what is worded as they expect, and nobody who wrote them saw the wordings of the `test` split. So the differences between "
    "harnesses are differences in what the rules got to see, in one call or many, and nothing of how a model plans, delegates or writes. The rules score low on "
    "wordings that they were not written for, which is what such a split is for.",
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("out/bench_small"))
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    if given.fresh:
        shutil.rmtree(given.folder, ignore_errors=True)
    began = time.monotonic()
    redwell("bench", "run", str(MATRIX), "--out", str(given.folder))
    redwell("bench", "figures", str(given.folder), "--title", "Six small rooms, every harness, embedded models")
    section("Every harness on six small rooms", lines(given.folder, time.monotonic() - began) + READING, given.write)


if __name__ == "__main__":
    main()

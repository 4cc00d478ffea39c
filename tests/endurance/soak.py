"""Continuous work in one process, with faults mixed in: does it keep more memory, descriptors, threads, processes or files than it began with?

    PYTHONPATH=.:tests python -m endurance.soak [--minutes 60] [--every 5] [--write docs/results.md]

Rounds follow each other on one core: runs of depth 1 and 2, several at once, cancelled and gone on with, with killed sandboxes and
interrupted cells, out of time, against a server that refuses, drops, garbles and hangs; rooms read, read again with changes, searched
and closed; and whole reviews on the embedded default. After each round everything that can be counted must be as it was after the
first time through all kinds of round; resident memory is measured then, and its growth is the slope of the line of least squares over
the last three quarters. Writes `out/soak.csv` and, with --write, `pictures/soak.svg` beside the page.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import csv
import multiprocessing.util
import os
import shutil
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from endurance import measure, picture, rounds
from endurance.measure import MIB, Held

from benchmarks.results import section

WARM = 0.25
"""The share of the time that memory is given to settle in."""
GROWTH, SHARE = 10 * MIB, 0.02
"""What memory may grow in an hour: so many bytes, or so much of itself."""
PATIENCE = 10.0
"""Seconds that what has been let go of may take to be gone (a thread that ends, a process that is reaped)."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What the process held at a moment; `after` is the kind of the round that has just ended, empty in the middle of one."""

    seconds: float
    runs: int
    after: str
    held: Held


@dataclass
class Soak:
    """`faults` names what grew, and rounds that did not end as they should."""

    seconds: float = 0.0
    runs: int = 0
    rounds: int = 0
    calls: int = 0
    samples: list[Sample] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def quiet(self) -> list[Sample]:
        """Samples between rounds, when nothing runs, after the time to settle in."""
        return [each for each in self.samples if each.after and each.seconds >= WARM * self.seconds]

    @property
    def growth_per_hour(self) -> float:
        """Bytes of resident memory."""
        return 3_600 * measure.slope([(each.seconds, each.held.memory) for each in self.quiet])

    @property
    def growth_per_run(self) -> float:
        return measure.slope([(each.runs, each.held.memory) for each in self.quiet])

    @property
    def flat(self) -> bool:
        if not self.quiet:
            return False
        return self.growth_per_hour < max(GROWTH, SHARE * self.quiet[0].held.memory)


async def soak(
    folder: Path,
    seconds: float,
    every: float = 5.0,
    kinds: tuple[Callable[[rounds.Ground], Awaitable[None]], ...] = rounds.KINDS,
    patience: float = PATIENCE,
) -> Soak:
    """Works in an empty folder for so many seconds, at least twice through all kinds of round."""
    done = Soak()
    temporary = folder / "temporary"
    temporary.mkdir()
    multiprocessing.util.get_temp_dir()  # where worker processes are reached; made once and kept until the end
    with _temporary_files_in(temporary):
        # The threads that searches run in are started when they are needed and then stay: all of them now.
        await asyncio.gather(*(asyncio.to_thread(time.sleep, 0.02) for _ in range(64)))
        ground = rounds.Ground.prepare(folder)
        began = time.monotonic()

        def sample(after: str) -> Held:
            held = measure.held(temporary)
            done.samples.append(Sample(time.monotonic() - began, ground.runs, after, held))
            return held

        async def watch() -> None:
            while True:
                await asyncio.sleep(every)
                sample("")

        watching = asyncio.create_task(watch())
        settled: dict[str, int] | None = None
        try:
            while done.rounds < 2 * len(kinds) or time.monotonic() - began < seconds:
                kind = kinds[done.rounds % len(kinds)]
                done.rounds += 1
                try:
                    await kind(ground)
                except Exception as error:  # one round that fails must not end the hour: it is among the faults
                    done.faults.append(f"round {done.rounds} ({kind.__name__}) failed: {type(error).__name__}: {error}")
                if settled is not None:
                    await _settle(settled, temporary, patience)
                held = sample(kind.__name__)
                if done.rounds == len(kinds):
                    settled = held.countable
                elif settled is not None:
                    done.faults += [
                        f"after round {done.rounds} ({kind.__name__}): {count} {name}, {settled[name]} after the first time through"
                        for name, count in held.countable.items()
                        if count > settled[name]
                    ]
        finally:
            watching.cancel()
            ground.close()
        done.seconds = time.monotonic() - began
        done.runs, done.calls = ground.runs, ground.calls
        done.faults += ground.faults
    return done


async def _settle(settled: dict[str, int], temporary: Path, patience: float) -> None:
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        if all(count <= settled[name] for name, count in measure.held(temporary).countable.items()):
            return
        await asyncio.sleep(0.05)


@contextlib.contextmanager
def _temporary_files_in(folder: Path) -> Iterator[None]:
    """So that the files of other programs are not counted."""
    before, variable = tempfile.tempdir, os.environ.get("TMPDIR")
    tempfile.tempdir, os.environ["TMPDIR"] = str(folder), str(folder)
    try:
        yield
    finally:
        tempfile.tempdir = before
        os.environ.pop("TMPDIR")
        if variable is not None:
            os.environ["TMPDIR"] = variable


def write_csv(done: Soak, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(
            ["seconds", "runs", "after", "memory", "descriptors", "sockets", "threads", "processes", "files"]
        )
        for each in done.samples:
            table.writerow(
                [f"{each.seconds:.1f}", each.runs, each.after, each.held.memory, *each.held.countable.values()]
            )


def report(done: Soak) -> list[str]:
    """What came of it, for the results page."""
    quiet = done.quiet
    first, last = quiet[0].held, quiet[-1].held
    counts = {
        name: (min(values), max(values))
        for name in first.countable
        if (values := [s.held.countable[name] for s in quiet])
    }
    lines = [
        "Made by `make soak` on one core: rounds of work follow each other in one process, with faults mixed in; what it holds is measured "
        f"after each round and every few seconds. {done.seconds / 60:.0f} minutes, {done.rounds:,} rounds, {done.runs:,} runs, "
        f"{done.calls:,} requests at the scripted server.",
        "",
        "| after a round | at a quarter of the time | at the end | least | most |",
        "|---|---:|---:|---:|---:|",
    ]
    memories = [each.held.memory / MIB for each in quiet]
    lines.append(
        f"| resident memory, MB | {first.memory / MIB:.1f} | {last.memory / MIB:.1f} | {min(memories):.1f} | {max(memories):.1f} |"
    )
    for name, (least, most) in counts.items():
        said = "temporary files" if name == "files" else name
        lines.append(f"| {said} | {first.countable[name]} | {last.countable[name]} | {least} | {most} |")
    busy = max((each.held.memory for each in done.samples if not each.after), default=0) / MIB
    lines += [
        "",
        f"Resident memory, by the line of least squares over the last three quarters: {done.growth_per_hour / MIB:+.2f} MB an hour, "
        f"{done.growth_per_run / 1024:+.2f} kB a run; {'flat' if done.flat else 'not flat'} by the limit of 10 MB or 2 % an hour. "
        f"The most in the middle of a round was {busy:.0f} MB.",
    ]
    if done.faults:
        lines += ["", f"{len(done.faults)} faults:", "", *(f"- {fault}" for fault in done.faults[:20])]
    else:
        lines += [
            "",
            "Descriptors, threads, processes and temporary files never grew, and every round ended as it should.",
        ]
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--every", type=float, default=5, help="seconds between samples")
    parser.add_argument("--csv", type=Path, default=Path("out/soak.csv"))
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    os.nice(5)
    folder = Path(tempfile.mkdtemp(prefix="soak-"))
    try:
        done = asyncio.run(soak(folder, given.minutes * 60, given.every))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    write_csv(done, given.csv)
    lines = report(done)
    if given.write is not None:
        drawn = given.write.parent / "pictures" / "soak.svg"
        points = [(each.seconds / 60, each.held.memory / MIB) for each in done.samples if each.after]
        drawn.write_text(picture.line(points, "minutes", "resident memory after each round, MB"), encoding="utf-8")
        lines += ["", "![Resident memory over the soak](pictures/soak.svg)"]
    section("An hour of load", lines, given.write)
    raise SystemExit(0 if done.flat and not done.faults else 1)


if __name__ == "__main__":
    main()

"""Broken files by the thousand, through the workers that read a room: each costs itself alone and comes back with a plain reason.

    PYTHONPATH=.:tests python -m endurance.fuzz --minutes 30 --write docs/results.md

Input number N of a seed is always the same file. What fails is made smaller and saved under out/fuzz with a note; `--repeat FILE` reads
one file again, `--first N --count 1` makes one input again.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from endurance import fuzz_checks, fuzz_words
from endurance.fuzz_checks import Finding
from endurance.fuzz_corpus import PROGRAMS, TURNS, Base, corpus
from endurance.fuzz_formats import MUTATORS
from endurance.fuzz_mutators import GENERIC, mutated
from endurance.measure import descendants, held, most_resident

from redwell.room.formats.detect import detect
from redwell.room.pool import READER, Pool, Task
from redwell.room.types import Limits
from redwell.room.wire import Reading

LIMITS = Limits(seconds=20.0, memory_bytes=1 << 30, ocr_seconds_per_page=0.0)
WITH_PROGRAMS = replace(LIMITS, ocr_seconds_per_page=8.0)
SHARE = 0.25
"""The part of the time for files that need OCR or LibreOffice."""
OUT = Path("out") / "fuzz"
STRINGS = 500
"""How many mutated strings each reader of strings gets in the long version."""


@dataclass(frozen=True, slots=True)
class Input:
    """One mutated file: the `number`th of a seed, made of `base`."""

    number: int
    base: Base
    data: bytes


@dataclass(slots=True)
class Row:
    """What came of the inputs of one kind."""

    inputs: int = 0
    read: int = 0
    partly: int = 0
    unreadable: int = 0
    skipped: int = 0
    faults: int = 0
    limits: int = 0
    crashes: int = 0
    slowest: float = 0.0
    slowest_number: int = -1


@dataclass(slots=True)
class Outcome:
    """The account of a whole run. `failed` are inputs with what was found wrong with their answers."""

    seed: int
    rows: dict[str, Row] = field(default_factory=dict)
    failed: list[tuple[Input, list[Finding]]] = field(default_factory=list)
    leaks: list[str] = field(default_factory=list)
    memory: int = 0
    seconds: float = 0.0

    @property
    def inputs(self) -> int:
        return sum(row.inputs for row in self.rows.values())


def make(seed: int, numbers: Iterable[int], bases: dict[str, list[Base]], kinds: Collection[str]) -> Iterator[Input]:
    """The inputs of a seed with these numbers, those of `kinds` alone. A number is of the same kind and the same file whatever the others."""
    turns = [kind for kind, times in TURNS.items() for _ in range(times)]
    for number in numbers:
        kind = Random(f"{seed}:{number // len(turns)}").sample(turns, len(turns))[number % len(turns)]
        if kind not in kinds or kind not in bases:
            continue
        random = Random(f"{seed}:{number}")
        base = random.choice(bases[kind])
        others = [other.data for other in bases[kind]]
        if random.random() < 0.03:
            others = [other.data for many in bases.values() for other in many]
        yield Input(number, base, mutated(random, base.data, others, MUTATORS.get(kind, GENERIC)))


def run(
    inputs: Iterator[Input],
    outcome: Outcome,
    *,
    jobs: int,
    limits: Limits = LIMITS,
    reader: str = READER,
    tell: Callable[[Outcome], None] | None = None,
) -> None:
    """Reads all inputs and notes in `outcome` what came of each, and whether anything was left behind."""
    began = time.monotonic()
    before, family = held().descriptors, set(descendants())
    with tempfile.TemporaryDirectory(prefix="redwell-fuzz-") as folder:
        usual, tempfile.tempdir = tempfile.tempdir, folder
        try:
            with Pool(jobs, limits, reader) as pool:
                for one, reading, seconds in _read(pool, inputs):
                    _note(outcome, one, reading, seconds, limits)
                    outcome.memory = max(outcome.memory, *map(most_resident, descendants()), 0)
                    if tell:
                        tell(outcome)
                left = [
                    str(path)
                    for path in Path(folder).rglob("*")
                    if path.is_file() and "/redwell-office-" not in str(path)
                ]
                outcome.leaks += [f"a file was left: {Path(path).name}" for path in left]
            outcome.leaks += [f"a file was left: {path.name}" for path in Path(folder).iterdir()]
        finally:
            tempfile.tempdir = usual
    outcome.failed = [(one, found) for one, found in outcome.failed if not _was_waiting(one, found, limits, reader)]
    until = time.monotonic() + 10  # what was killed is gone once the kernel has come to it
    while (left_over := set(descendants()) - family) and time.monotonic() < until:
        time.sleep(0.05)
    outcome.leaks += [f"process {number} was left" for number in sorted(left_over)]
    if (after := held().descriptors) > before:
        outcome.leaks.append(f"{after - before} descriptors were left open")
    outcome.seconds += time.monotonic() - began


def _read(pool: Pool, inputs: Iterator[Input]) -> Iterator[tuple[Input, Reading, float]]:
    """Hands inputs over one by one, so that each has its own time; (input, answer, seconds) as answers come."""
    out: dict[int, tuple[Input, float]] = {}
    more = True
    while more or pool.busy:
        while more and pool.free > 0:
            one = next(inputs, None)
            if one is None:
                more = False
                break
            task = Task(str(one.number), one.base.name, one.data)
            out[id(task)] = (one, time.monotonic())
            pool.submit([task])
        if pool.busy:
            for task, reading in pool.wait():
                one, since = out.pop(id(task))
                yield one, reading, time.monotonic() - since
    assert not out, "a file was handed over and never answered"


def _was_waiting(one: Input, found: list[Finding], limits: Limits, reader: str) -> bool:
    """Whether nothing but time was wrong, and nothing is when the file is read once more by itself: the machine was busy with other work."""
    if not all(finding.what in ("slow", "late") or finding.detail.startswith("took more") for finding in found):
        return False
    began = time.monotonic()
    with Pool(1, limits, reader) as pool:
        pool.submit([Task("again", one.base.name, one.data)])
        ((_, reading),) = pool.wait()
    return not fuzz_checks.findings(reading, one.base.kind, time.monotonic() - began, limits)


def _note(outcome: Outcome, one: Input, reading: Reading, seconds: float, limits: Limits) -> None:
    row = outcome.rows.setdefault(one.base.kind, Row())
    row.inputs += 1
    name = {"partly_read": "partly"}.get(reading.status, reading.status)
    setattr(row, name, getattr(row, name) + 1)
    if seconds > row.slowest:
        row.slowest, row.slowest_number = seconds, one.number
    found = fuzz_checks.findings(reading, one.base.kind, seconds, limits, one.data.decode("latin-1") + one.base.name)
    row.faults += any(finding.what.startswith("internal fault") for finding in found)
    row.limits += any(finding.what == "limit" for finding in found)
    row.crashes += any("crashed" in finding.what for finding in found)
    if found:
        outcome.failed.append((one, found))


# --- making a failure smaller, and keeping it ----------------------------------------------------------------------------------


def smaller(data: bytes, name: str, kind: str, what: str, *, seconds: float = 60.0) -> bytes:
    """The file with all taken out that the same fault does not need, as far as that is found within the time given."""
    until = time.monotonic() + seconds

    limits = WITH_PROGRAMS if kind in PROGRAMS else LIMITS

    def fails(candidate: bytes) -> bool:
        with Pool(1, limits) as pool:
            pool.submit([Task("0", name, candidate)])
            began = time.monotonic()
            answers = [reading for _, reading in pool.wait()]
        took = time.monotonic() - began
        return any(
            found.what == what for reading in answers for found in fuzz_checks.findings(reading, kind, took, limits)
        )

    piece = max(1, len(data) // 2)
    while piece and time.monotonic() < until:
        at, shrunk = 0, False
        while at < len(data) and time.monotonic() < until:
            candidate = data[:at] + data[at + piece :]
            if candidate and fails(candidate):
                data, shrunk = candidate, True
            else:
                at += piece
        if not shrunk:
            piece //= 2
    return data


def save(seed: int, one: Input, found: list[Finding], *, seconds: float) -> Path:
    """Keeps a failure with all that is needed to see it again."""
    OUT.mkdir(parents=True, exist_ok=True)
    data = smaller(one.data, one.base.name, one.base.kind, found[0].what, seconds=seconds) if seconds else one.data
    path = OUT / f"{hashlib.sha256(data).hexdigest()[:12]}.{one.base.name.rsplit('.', 1)[-1]}"
    path.write_bytes(data)
    note = {
        "seed": seed,
        "number": one.number,
        "base": one.base.name,
        "kind": one.base.kind,
        "found": [[finding.what, finding.detail] for finding in found],
        "again": f"PYTHONPATH=.:tests python -m endurance.fuzz --repeat {path}",
        "made_by": f"PYTHONPATH=.:tests python -m endurance.fuzz --seed {seed} --first {one.number} --count 1",
    }
    path.with_name(path.name + ".json").write_text(json.dumps(note, indent=1), "utf-8")
    return path


# --- the command ---------------------------------------------------------------------------------------------------------------


def table(outcome: Outcome) -> list[str]:
    """The account as a table, one line for each kind."""
    lines = [
        "| kind | inputs | read | partly read | unreadable | skipped | internal faults | limit hits | crashes of a worker | slowest (s) |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for kind, row in sorted(outcome.rows.items()):
        counts = (row.inputs, row.read, row.partly, row.unreadable, row.skipped, row.faults, row.limits, row.crashes)
        lines.append(f"| {kind} | {' | '.join(f'{count:,}' for count in counts)} | {row.slowest:.1f} |")
    return lines


def report(outcome: Outcome, jobs: int, strings: dict[str, list[str]]) -> list[str]:
    """The section of the results page; `strings` is what was wrong with how each reader of strings took them."""
    return [
        f"{outcome.inputs:,} mutated files in {outcome.seconds / 60:.1f} minutes on {os.cpu_count()} cores ({jobs} workers), seed {outcome.seed}: flipped bytes,",
        "cuts, splices, numbers at their edges, mutated XML parts, PDF objects and streams, compound files, mail, HTML and text, through the workers that read",
        f"a room. A limit hit is a file that took more than {LIMITS.seconds:g} s or {LIMITS.memory_bytes >> 20} MiB; a crash is a worker that a file killed. Both cost that file alone.",
        "Mutations start from whole files, so most of what is read is a damaged good file; bytes never seen in one are reached only by chance.",
        "",
        *table(outcome),
        "",
        f"Answers with something wrong: {len(outcome.failed):,}. Left behind: {'; '.join(outcome.leaks) or 'no process, descriptor or file'}."
        f" A worker's memory was at most {outcome.memory >> 20:,} MiB.",
        "",
        f"In the same process, {STRINGS:,} mutated strings each (and every word of the language 100,000 characters long) for {', '.join(strings)}:"
        f" {sum(map(len, strings.values()))} kinds of fault."
        if strings
        else "",
        "",
        "Repeat: `make fuzz`.",
    ]


def _teller(until: float) -> Callable[[Outcome], None]:
    """Shows how far a run is, once a second."""
    told = 0.0

    def tell(outcome: Outcome) -> None:
        nonlocal told
        now = time.monotonic()
        if now - told >= 1:
            told = now
            line = f"{outcome.inputs:,} files, {len(outcome.failed)} failures, {max(0.0, until - now):.0f} s left"
            print(f"\r{line:<60}", end="", file=sys.stderr, flush=True)

    return tell


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m endurance.fuzz", description=__doc__.splitlines()[0] if __doc__ else ""
    )
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first input")
    parser.add_argument(
        "--count", type=int, default=0, help="how many inputs; by default as many as fit into the minutes"
    )
    parser.add_argument("--kinds", nargs="*", help="only these kinds")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument(
        "--shrink", type=float, default=30.0, help="seconds for making each new kind of failure smaller"
    )
    parser.add_argument("--repeat", type=Path, help="reads this file and says what is wrong with the answer")
    parser.add_argument("--write", type=Path, help="the page that takes the table")
    given = parser.parse_args()
    if given.repeat:
        return _repeat(given.repeat)
    bases = corpus(real=True)
    kinds = set(given.kinds or TURNS)
    outcome = Outcome(given.seed)
    for limits, group, share in (
        (LIMITS, kinds - set(PROGRAMS), 1 - SHARE),
        (WITH_PROGRAMS, kinds & set(PROGRAMS), SHARE),
    ):
        if not group:
            continue
        until = time.monotonic() + 60 * given.minutes * (share if kinds - group else 1)
        numbers = range(given.first, given.first + given.count if given.count else sys.maxsize)
        inputs = itertools.takewhile(_within(until, given.count), make(given.seed, numbers, bases, group))
        run(inputs, outcome, jobs=given.jobs, limits=limits, tell=_teller(until))
    print(file=sys.stderr)
    told: set[tuple[str, str]] = set()
    for one, found in outcome.failed:
        for finding in found:
            if (one.base.kind, finding.what) not in told:
                told.add((one.base.kind, finding.what))
                path = save(given.seed, one, [finding], seconds=given.shrink)
                print(f"{one.base.kind} {one.number}: {finding.what}: {finding.detail}\n  {path}")
    wrong = _strings(given.seed) if kinds == set(TURNS) else {}
    for name, told_of in wrong.items():
        for line in told_of:
            print(f"{name}: {line}")
    lines = report(outcome, given.jobs, wrong)
    if given.write:
        from benchmarks.results import section

        section("Broken files", lines, given.write)
    else:
        print("\n".join(lines))
    return 1 if outcome.failed or outcome.leaks or any(wrong.values()) else 0


def _strings(seed: int) -> dict[str, list[str]]:
    """What is wrong with how searches, patterns, quotes, fences, replies, answers, deal files and journals are taken."""
    wrong = {name: fuzz_words.faults(name, seed, STRINGS) for name in fuzz_words.TARGETS}
    with tempfile.TemporaryDirectory() as folder:
        return wrong | {"journal": list(fuzz_words.damaged_journals(seed, STRINGS, Path(folder)))}


def _within(until: float, count: int) -> Callable[[Input], bool]:
    return lambda one: bool(count) or time.monotonic() < until


def _repeat(path: Path) -> int:
    data = path.read_bytes()
    kind = detect(data, path.name)
    outcome = Outcome(0)
    run(
        iter([Input(0, Base(kind, path.name, b""), data)]),
        outcome,
        jobs=1,
        limits=WITH_PROGRAMS if kind in PROGRAMS else LIMITS,
    )
    print("\n".join(table(outcome)))
    for _, found in outcome.failed:
        for finding in found:
            print(f"{finding.what}: {finding.detail}")
    return 1 if outcome.failed or outcome.leaks else 0


if __name__ == "__main__":
    sys.exit(main())

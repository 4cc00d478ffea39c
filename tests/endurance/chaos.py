"""Kills runs at chosen moments, goes on with them, and compares what comes of it with a run that nothing happened to.

    PYTHONPATH=.:tests python -m endurance.chaos --kills 300 --write docs/results.md
    PYTHONPATH=.:tests python -m endurance.chaos --seed 7 --only 12        one trial again, as it was

A trial is one run, killed once or several times (each trial says at which stages), gone on with until it ends, and checked.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from endurance.chaos_checks import books, dated, differences, read_so_far, store_facts, told_of, unlike
from endurance.chaos_runs import KINDS, PRICES, Kind, make_contracts, make_files, make_matter, script
from endurance.chaos_watch import Life, Moment, Seen, Watched, committed, holds_lock, live, stage_of, start

from benchmarks.results import section
from redwell.journal.journal import Journal

LONGEST_DELAY = 0.03
MOST_KILLS = 4
STAGES = ("starting", "reading", "indexing", "replay", "cells", "calls", "arrival", "report", "rendering", "finished")


@dataclass
class Trial:
    """What came of one run that was killed."""

    number: int
    kind: Kind
    wanted: list[Moment]
    stages: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)

    def line(self) -> str:
        how = ", ".join(
            f"{stage}{'' if moment.whole else ' (main process)'}"
            for stage, moment in zip(self.stages, self.wanted, strict=False)
        )
        counted = ", ".join(f"{count} {name}" for name, count in self.counts.items() if count)
        return f"trial {self.number}: {self.kind.name}; killed at {how or 'no time'}; {counted or 'nothing to count'}"


class Chaos:
    """The rooms, the server, and the runs that nothing happened to, made once. Use as a context manager."""

    def __init__(self, folder: Path, files: int = 900) -> None:
        self.folder = folder
        self.server = Watched(script)
        kept = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
        tests = os.pathsep.join([str(Path(__file__).resolve().parents[1]), kept.get("PYTHONPATH", "")])
        self.environment = {**kept, "REDWELL_PRICES": str(folder / "prices.toml"), "PYTHONPATH": tests}
        matter, contracts = make_matter(folder / "matter"), make_contracts(folder / "contracts")
        rooms = {"embedded": contracts, "reading alone": make_files(folder / "files", files)}
        self.rooms = {kind.name: rooms.get(kind.name, matter) for kind in KINDS}
        self.whole: dict[str, Path] = {}
        self.seconds: dict[str, float] = {}
        self.facts: dict[str, dict[str, Any]] = {}
        self.events: dict[str, int] = {}
        self.bodies: dict[str, set[bytes]] = {}

    def __enter__(self) -> Chaos:
        self.server.__enter__()
        (self.folder / "prices.toml").write_text(PRICES.replace("{url}", self.server.url))
        return self

    def __exit__(self, *error: object) -> None:
        self.server.__exit__(*error)

    def undisturbed(self, kind: Kind) -> Path:
        """The run of this kind that nothing happens to."""
        if kind.name not in self.whole:
            out = self.folder / f"whole {kind.name}"
            self.server.new_run()
            began = time.monotonic()
            life = self._live(kind, out, None)
            if life.process.returncode != 0:
                raise AssertionError(f"{kind.name}: {life.said}")
            self.seconds[kind.name] = time.monotonic() - began
            self.whole[kind.name] = out
            self.facts[kind.name] = store_facts(kind.store(out))
            self.events[kind.name] = events_of(out)
            self.bodies[kind.name] = _readings(self.server.seen)
        return self.whole[kind.name]

    def plan(self, kind: Kind, draw: random.Random, stages: Sequence[str] = ()) -> list[Moment]:
        """Moments of one trial, at these stages or at some that are drawn: stages of the run, single events of its journal, any time."""
        self.undisturbed(kind)
        if not stages:
            drawn = sorted(draw.choices(range(len(kind.stages)), k=draw.randint(1, MOST_KILLS)))
            others = ("any",) if kind.reads_only else ("any", "event", "event", "replay")
            stages = [kind.stages[place] if draw.random() < 0.6 else draw.choice(others) for place in drawn]
            stages = ["any" if stage == "replay" and not number else stage for number, stage in enumerate(stages)]
        seconds, events = self.seconds[kind.name], self.events[kind.name]
        most = {"cells": 3, "calls": 6, "arrival": 6, "report": 4} if kind.served else {}
        longest = {"any": seconds, "reading": min(0.25, seconds / 4), "report": 0.005}
        moments: list[Moment] = []
        for stage in stages:
            ends = {**most, "rendering": 5, "event": max(1, events // (1 + len(moments)))}
            delay = draw.uniform(0, longest.get(stage, LONGEST_DELAY))
            moments.append(Moment(stage, draw.randint(1, ends.get(stage, 1)), delay, draw.random() < 0.5))
        return moments

    def trial(self, kind: Kind, number: int, moments: list[Moment], *, rival: bool = False) -> Trial:
        """Kills a run at these moments, each in a process of its own, and lets the next one end. With `rival`, a second process tries
        to go on with it at the same time."""
        whole = self.undisturbed(kind)
        out, store = self.folder / f"run {number}", kind.store(self.folder / f"run {number}")
        trial = Trial(number, kind, moments)
        self.server.new_run()
        kept: list[set[str]] = []
        killed: list[float] = []
        parsed: dict[str, int] = {}
        ended: Life | None = None
        for moment in moments:
            life = self._live(kind, out, moment)
            trial.counts["orphans"] += len(life.orphans)
            trial.faults += [f"left behind: {orphan}" for orphan in life.orphans]
            if not life.killed:
                trial.counts["over before"] += 1
                ended = life
                break
            killed.append(time.monotonic())
            trial.stages.append(stage_of(out, store, self.server))
            kept.append(committed(out))
            parsed |= read_so_far(store)
            self.server.life += 1
            if trial.stages[-1] == "finished":
                break
        life = ended or self._live(kind, out, None, trial if rival else None)
        trial.counts["kills"] = len(killed)
        if life.process.returncode != 0 or "Traceback" in life.said:
            trial.faults.append(f"the last process ended with {life.process.returncode}: {life.said[-1500:]}")
            trial.counts["not ended"] += 1
            return trial
        trial.seen = self.server.seen
        now = read_so_far(store)
        again = sum(now.get(identity) != key for identity, key in parsed.items())
        trial.counts["parsed twice"] += again
        unlike_store = unlike(store, self.facts[kind.name])
        trial.faults += unlike_store
        if kind.reads_only:
            trial.counts["differing"] += bool(unlike_store)
        else:
            self._check_report(trial, out, whole, kept, killed)
        for name in ("lost", "twice", "other bodies", "other keys", "in one life", "parsed twice", "orphans"):
            if trial.counts[name]:
                trial.faults.append(f"{trial.counts[name]} {name}")
        return trial

    def _check_report(self, trial: Trial, out: Path, whole: Path, kept: list[set[str]], killed: list[float]) -> None:
        data = json.loads((out / "output" / "report.json").read_text(encoding="utf-8"))
        if dated(out) == dated(whole):  # a run over midnight bears another date in every rendering
            unlike_report = differences(out, whole)
            trial.counts["differing"] += bool(unlike_report)
            trial.faults += unlike_report[:20]
        if trial.kind.served:
            trial.counts.update(books(trial.seen, kept, killed))
            told = told_of(trial.seen, data)
            trial.counts["wrong figures"] += bool(told)
            trial.faults += told
            if _readings(trial.seen) != self.bodies[trial.kind.name]:
                trial.faults.append("other questions were asked of the sub-agents")

    def _live(self, kind: Kind, out: Path, moment: Moment | None, rivalled: Trial | None = None) -> Life:
        command = kind.go_on(self.rooms[kind.name], out, self.server.url)
        if moment is not None and moment.stage == "event":
            command = mortal(command, moment.count)
        log = self.folder / f"{out.name}.log"
        self.server.alive = True
        life = start(command, log, self.environment)
        if rivalled is not None:
            self._rival(life, kind, out, rivalled)
        live(life, moment, out, kind.store(out), self.server)
        return life

    def _rival(self, life: Life, kind: Kind, out: Path, trial: Trial) -> None:
        """Stops the process while it holds the run, and lets a second one try to go on with it."""
        lock = out / ("room.lock" if kind.reads_only else "lock")
        while not holds_lock(life.process.pid, lock):
            if life.process.poll() is not None:
                return
            time.sleep(0.001)
        life.process.send_signal(signal.SIGSTOP)
        try:
            command = kind.go_on(self.rooms[kind.name], out, self.server.url)
            second = subprocess.run(
                command, capture_output=True, text=True, timeout=60, check=False, env=self.environment
            )
        finally:
            life.process.send_signal(signal.SIGCONT)
        said = "Another process is reading" if kind.reads_only else "is in use by process"
        if second.returncode == 2 and said in second.stderr and "Traceback" not in second.stderr:
            trial.counts["rivals refused"] += 1
        else:
            trial.faults.append(f"a second process was not refused ({second.returncode}): {second.stderr[-500:]}")


def run(kills: int, seed: int, chaos: Chaos, only: int | None = None) -> list[Trial]:
    """Trials of all kinds in turn until there have been so many kills; or the one with that number."""
    trials: list[Trial] = []
    done, number = 0, 0 if only is None else only
    while done < kills:
        kind, draw = KINDS[number % len(KINDS)], random.Random(f"{seed}/{number}")
        trial = chaos.trial(kind, number, chaos.plan(kind, draw), rival=draw.random() < 0.2)
        done += trial.counts["kills"]
        trials.append(trial)
        print(f"{done:4} kills  {trial.line()}", flush=True)
        for fault in trial.faults:
            print(f"      FAULT {fault}   (again: --seed {seed} --only {number})", flush=True)
        if only is not None:
            break
        number += 1
    return trials


def mortal(command: list[str], events: int) -> list[str]:
    """The same command in a process that stands still after so many events."""
    python, _, _, *rest = command
    return [python, "-m", "endurance.chaos_mortal", str(events), *rest]


def events_of(out: Path) -> int:
    """How many events a run's journal has."""
    if not (out / "run.json").exists():
        return 0
    with Journal.open(out, read_only=True) as journal:
        return journal.last


def _readings(seen: list[Seen]) -> set[bytes]:
    return {each.raw for each in seen if each.model == "sub"}


# --- the result -------------------------------------------------------------------------------------------------------------------


def table(trials: list[Trial]) -> list[str]:
    """Rows of a Markdown table: how often each kind of run was killed at each stage, and what came of the runs."""
    met = [stage for stage in STAGES if any(stage in trial.stages for trial in trials)]
    lines = ["| run | " + " | ".join(met) + " | kills | runs |", "|---|" + "---:|" * (len(met) + 2)]
    for kind in KINDS:
        mine = [trial for trial in trials if trial.kind is kind]
        stages = Counter(stage for trial in mine for stage in trial.stages)
        cells = [str(stages[stage] or "") for stage in met]
        lines.append(f"| {kind.name} | " + " | ".join(cells) + f" | {sum(stages.values())} | {len(mine)} |")
    names = {
        "lost": "answers lost",
        "twice": "answered calls asked again",
        "again": "calls in flight sent again",
        "other bodies": "with other bytes",
        "other keys": "under another key",
        "wrong figures": "reports with wrong figures, or not listing a repetition",
        "differing": "reports or stores that differ",
        "parsed twice": "documents parsed twice",
        "orphans": "processes left behind",
        "rivals refused": "second processes refused",
    }
    lines += ["", "| run | " + " | ".join(names.values()) + " |", "|---|" + "---:|" * len(names)]
    for kind in KINDS:
        sums: Counter[str] = Counter()
        for trial in trials:
            sums.update(trial.counts if trial.kind is kind else {})
        lines.append(f"| {kind.name} | " + " | ".join(str(sums[name]) for name in names) + " |")
    return lines


def _reading(trials: list[Trial], kills: int, seconds: float, seed: int) -> list[str]:
    faulty = [trial for trial in trials if trial.faults]
    lines = [
        "Runs are killed with SIGKILL, half of them with all their processes and half only the main one, and gone on with by `redwell resume` (or by the "
        "same `redwell room read`), often killed again while they resume, until they end. A scripted server that outlives them counts what is asked; "
        "every report (HTML, Word, Excel, Markdown, JSON) is compared with that of a run that nothing happened to, all but the lines that tell of the "
        "interruptions, and so is every store, text by text. The stage of a kill is told from what it left behind.",
        "",
        f"{kills} kills in {len(trials)} runs, {seconds / 60:.0f} minutes on {os.cpu_count()} cores, seed {seed}: {len(faulty)} runs with a fault.",
        "",
        *table(trials),
        "",
        f"Again: `PYTHONPATH=.:tests python -m endurance.chaos --kills {kills} --seed {seed}`; one run: `--seed {seed} --only NUMBER`. A kill that falls between the "
        "delivery of an answer and its commit (arrival) makes the call be sent again: the answer was never kept, the report lists the call.",
    ]
    for trial in faulty:
        lines += ["", f"Fault in run {trial.number} ({trial.kind.name}, killed at {', '.join(trial.stages)}):"]
        lines += [f"- {fault[:300]}" for fault in trial.faults]
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, metavar="NUMBER", help="only the trial with this number")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the result into this page")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="leave the runs in this folder, which must be new")
    given = parser.parse_args(arguments)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="redwell-chaos-") as scratch:
        folder = given.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=not given.keep)
        with Chaos(folder) as chaos:
            trials = run(given.kills, given.seed, chaos, given.only)
    kills = sum(trial.counts["kills"] for trial in trials)
    page = given.write if given.only is None else None
    section("Kills", _reading(trials, kills, time.monotonic() - began, given.seed), page)
    return int(any(trial.faults for trial in trials))


if __name__ == "__main__":
    sys.exit(main())

"""A matrix is killed at random moments, with all its processes or only the main one, and gone on with by the same command: what is finished
is not run again, and no answer that arrived is paid for twice, counted at the server."""

from __future__ import annotations

import json
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from bench.task_trees import CRITERION, write_task
from endurance.chaos_runs import PRICES, make_matter, script
from endurance.chaos_watch import Moment, Watched, committed, live, start
from servers.scripted import Answer, Received, later, say

from redwell.bench.cell import result_of
from redwell.bench.verdicts import slug
from redwell.journal.journal import Journal

SEED = 5
CELLS, CRITERIA = 2, 6
pytestmark = pytest.mark.xdist_group("matrix_killed")


@dataclass
class Killed:
    """What was seen of one matrix: at each kill, the keys whose answers its journals held and the runs that had finished."""

    out: Path
    url: str
    toml: Path
    server: Watched
    environment: dict[str, str]
    judge: str
    lives: int = 0
    kept: list[set[str]] = field(default_factory=list)
    finished: list[dict[Path, tuple[str, int]]] = field(default_factory=list)

    def live(self, moment: Moment | None) -> int | None:
        """One process of the matrix, until the moment or its end; its exit code, None when it was killed."""
        python = [sys.executable, "-m", "redwell", "bench", "run", str(self.toml), "--out", str(self.out), "--json"]
        self.server.life, self.server.alive = self.lives, True
        life = start(python, self.out.with_name(f"log-{self.lives}"), self.environment)
        live(life, moment, self.out, self.out / "rooms" / "leases", self.server)
        self.lives += 1
        assert life.orphans == []
        if life.killed:
            self.kept.append(self.answered())
            self.finished.append({run: self._marks(run) for run in self.runs() if result_of(run) is not None})
            return None
        assert "Traceback" not in life.said
        return life.process.returncode

    def answered(self) -> set[str]:
        """The keys of all answers that are in the journals of runs and judges."""
        places = [*self.runs(), *(run / "verdicts" / slug(self.judge) for run in self.runs())]
        return set().union(*(committed(place) for place in places))

    def runs(self) -> list[Path]:
        return sorted(path.parent for path in self.out.glob("runs/*/*/*/*/run.json"))

    @staticmethod
    def _marks(run: Path) -> tuple[str, int]:
        with Journal.open(run, read_only=True) as journal:
            return journal.id, journal.last

    def check(self) -> None:
        """At the end: all is there once."""
        for life, keys in enumerate(self.kept):
            again = [each.key for each in self.server.seen if each.life > life and each.key in keys]
            assert again == [], f"paid for twice after kill {life}"
        for finished in self.finished:
            for run, marks in finished.items():
                assert self._marks(run) == marks
        asked = Counter(each.key for each in self.server.seen)
        bodies: dict[str, set[bytes]] = {}
        for each in self.server.seen:
            bodies.setdefault(each.key, set()).add(each.raw)
        assert all(len(one) == 1 for one in bodies.values())
        assert self.answered() == set(asked), "every question has its answer in a journal"
        states = json.loads((self.out / "cells.json").read_text())
        assert [one["state"] for one in states] == ["submitted"] * CELLS
        # Six cells of the root, two questions over each of the five leases, and the criteria, in every run.
        # A call is told to the journal before it goes out: a kill may fall between.
        assert sum(one["calls"] for one in states) >= len(self.server.seen)
        assert len(asked) == CELLS * (16 + CRITERIA)


def answers(received: Received) -> Answer:
    """The root and its sub-agents as elsewhere, and a judge that takes its time."""
    if received.model != "judge":
        return script(received)
    return later(say(json.dumps({"reasoning": "So it is.", "passage": "", "verdict": "fail"})), 0.03)


@pytest.fixture
def matrix(tmp_path: Path) -> Iterator[Killed]:
    criteria = [{**CRITERION, "id": f"C-{number}", "title": f"Lease {number}"} for number in range(CRITERIA)]
    folder = write_task(tmp_path / "tree" / "leases", criteria=criteria)
    make_matter(folder / "documents")
    with Watched(answers) as server:
        judge = f"openai:judge@{server.url}"
        prices = PRICES + PRICES.splitlines()[-1].replace("sub@", "judge@") + "\n"
        (tmp_path / "prices.toml").write_text(prices.replace("{url}", server.url))
        toml = tmp_path / "m.toml"
        toml.write_text(
            f'tasks = ["tree"]\nroots = ["openai:root@{server.url}"]\nsubs = ["openai:sub@{server.url}"]\nharnesses = ["rlm"]\njudges = ["{judge}"]\n'
            f"repeats = {CELLS}\nconcurrency = 2\n[budget.cell]\ndollars = 1.0\nconcurrency = 3\n[budget.matrix]\ndollars = 4.0\n"
        )
        kept = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
        environment = {**kept, "REDWELL_PRICES": str(tmp_path / "prices.toml")}
        yield Killed(tmp_path / "out", server.url, toml, server, environment, judge)


def test_a_matrix_killed_at_random_moments_pays_for_no_answer_twice(matrix: Killed) -> None:
    draw = random.Random(SEED)
    code: int | None = None
    for stage, first, last in (("reading", 1, 1), ("calls", 1, 14), ("calls", 12, 22)):
        moment = Moment(stage, draw.randint(first, last), draw.uniform(0, 0.15), draw.random() < 0.6)
        code = matrix.live(moment)
        if code is not None:
            break
    if code is None:
        code = matrix.live(None)
    assert code == 0
    assert len(matrix.kept) >= 2
    assert any(matrix.kept)
    matrix.check()
    seen = len(matrix.server.seen)
    assert matrix.live(None) == 0  # once more: nothing is left to do
    assert len(matrix.server.seen) == seen

"""Runs are killed at every stage and gone on with: nothing that was answered is lost or asked again, and the result is the same.

The long version, with hundreds of kills, is `python -m endurance.chaos`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from endurance.chaos import Chaos, Trial
from endurance.chaos_runs import KINDS, Kind

SEED = 11
PLANS = {
    "one level": ("reading", "indexing", "cells", "replay", "calls", "arrival", "report", "rendering"),
    "two levels": ("calls", "arrival", "event", "rendering"),
    "embedded": ("reading", "calls", "report", "rendering"),
    "reading alone": ("reading", "reading", "reading", "indexing"),
}
RIVALS = ("one level", "reading alone")
"""Where a second process tries to go on with the same run."""
EVERY = {"reading", "indexing", "replay", "cells", "calls", "arrival", "report", "rendering"}
MOST_MORE = 24
"""Further kills, for stages that the planned ones did not fall into on a machine that is busy."""

pytestmark = pytest.mark.xdist_group("chaos")


@pytest.fixture(scope="module")
def chaos(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chaos]:
    with Chaos(tmp_path_factory.mktemp("chaos"), files=250) as made:
        yield made


@pytest.fixture(scope="module")
def met() -> Counter[str]:
    """The stages that kills have fallen into."""
    return Counter()


def killed(chaos: Chaos, kind: Kind, number: int, stages: tuple[str, ...], *, rival: bool = False) -> Trial:
    moments = chaos.plan(kind, random.Random(f"{SEED}/{number}"), stages)
    trial = chaos.trial(kind, number, moments, rival=rival)
    assert trial.faults == [], trial.line()
    return trial


@pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])
def test_a_run_that_is_killed_at_every_stage_ends_as_if_it_had_not_been(
    chaos: Chaos, met: Counter[str], kind: Kind
) -> None:
    rival = kind.name in RIVALS
    trial = killed(chaos, kind, KINDS.index(kind), PLANS[kind.name], rival=rival)
    assert trial.counts["kills"] >= 2
    assert trial.counts["rivals refused"] == rival
    met.update(trial.stages)


def test_the_kills_fell_into_every_stage(chaos: Chaos, met: Counter[str]) -> None:
    kind = KINDS[0]
    for number in range(100, 100 + MOST_MORE):
        missing = sorted(EVERY - met.keys())
        if not missing:
            break
        stage = missing[number % len(missing)]
        met.update(killed(chaos, kind, number, ("calls", "replay") if stage == "replay" else (stage,)).stages)
    assert met.keys() >= EVERY
    # Of the 20 that are planned some fall, on a busy machine, after the end.
    assert sum(met.values()) >= 10

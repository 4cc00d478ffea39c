"""A soak of seconds: nothing is left over after any round, and what is left over is noticed."""

import asyncio
import os
import sys
from pathlib import Path

import pytest
from endurance import measure, rounds
from endurance.measure import MIB, Held
from endurance.picture import line
from endurance.soak import Sample, Soak, report, soak, write_csv

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


def test_rounds_of_work_with_faults_leave_nothing_behind(tmp_path: Path) -> None:
    kinds = (rounds.several_at_once, rounds.cancelled, rounds.read_again, rounds.embedded_default)
    done = asyncio.run(soak(tmp_path, 0, kinds=kinds))
    assert done.faults == []
    assert (done.rounds, done.runs) == (8, 12)
    assert done.calls > 500


def test_what_a_round_leaves_behind_is_noticed(tmp_path: Path) -> None:
    left: list[int] = []

    async def careless(ground: rounds.Ground) -> None:
        left.append(os.open("/dev/null", os.O_RDONLY))
        (ground.folder / "temporary" / f"left{len(left)}").touch()

    try:
        done = asyncio.run(soak(tmp_path, 0, kinds=(careless,), patience=0.1))
    finally:
        for descriptor in left:
            os.close(descriptor)
    assert [fault.split(": ")[1].split(",")[0].split(" ")[1] for fault in done.faults] == ["descriptors", "files"]


def quiet(*memory: int) -> Soak:
    """A soak of an hour with a round for each figure, in MB."""
    every = 3_600 / len(memory)
    samples = [
        Sample(every * (n + 1), n + 1, "round", Held(megabytes * MIB, 9, 2, 3, 0, 0))
        for n, megabytes in enumerate(memory)
    ]
    return Soak(seconds=3_600, runs=len(memory), rounds=len(memory), samples=samples)


def test_growth_is_the_slope_after_the_first_quarter() -> None:
    rising = quiet(50, *(100 + n for n in range(1, 12)))
    assert rising.growth_per_hour == pytest.approx(12 * MIB)
    assert rising.growth_per_run == pytest.approx(MIB)
    assert not rising.flat
    assert quiet(50, 90, *[120] * 10).flat
    assert quiet(50, 90, *(1_000 + n for n in range(10))).flat  # 12 MB an hour of 1,000
    assert measure.slope([(1.0, 5.0)]) == 0.0


def test_the_results_say_what_grew(tmp_path: Path) -> None:
    done = quiet(*[100] * 8)
    done.faults = ["after round 3 (cancelled): 12 descriptors, 11 after the first time through"]
    said = "\n".join(report(done))
    assert "| resident memory, MB | 100.0 | 100.0 | 100.0 | 100.0 |" in said
    assert "+0.00 MB an hour" in said
    assert "- after round 3 (cancelled): 12 descriptors" in said
    write_csv(done, tmp_path / "out" / "soak.csv")
    lines = (tmp_path / "out" / "soak.csv").read_text().splitlines()
    assert lines[1] == f"450.0,1,round,{100 * MIB},9,2,3,0,0"
    assert len(lines) == 9


def test_a_line_is_drawn_to_scale() -> None:
    drawn = line([(0, 0), (30, 50), (60, 100)], "minutes", "MB")
    # 194 high, of which the highest point takes ten elevenths: the top is a tenth above it.
    assert 'points="56.0,224.0 380.0,135.8 704.0,47.6"' in drawn

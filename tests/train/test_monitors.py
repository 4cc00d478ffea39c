"""The watch for gamed rewards: rubric dropout, a held-out judge's curve, and when the alarm is raised."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redwell.bench.verdicts import Verdict, VerdictSet
from redwell.train.monitors import alarms, divided, left_out, trend, watched_parts
from redwell.train.types import TrainingError

CRITERIA = [f"C-{number:03}" for number in range(40)]


def graded(**outcomes: str) -> VerdictSet:
    return VerdictSet("facts", "room", tuple(Verdict(name, outcome) for name, outcome in outcomes.items()))  # type: ignore[arg-type]


def curve(reward, held_out, left=None) -> list[dict[str, float]]:
    entries = []
    for step, (first, second) in enumerate(zip(reward, held_out, strict=True)):
        entry = {"step": step, "reward": first, "held_out": second}
        entries.append(entry | ({"left_out": left[step]} if left else {}))
    return entries


# --- rubric dropout ---------------------------------------------------------------------------------------------------------------


def test_a_share_of_the_criteria_is_left_out_the_same_for_the_whole_training():
    out = left_out(CRITERIA, 0.25, 7, "room-1")
    assert len(out) == 10
    assert out <= set(CRITERIA)
    assert out == left_out(list(reversed(CRITERIA)), 0.25, 7, "room-1")
    assert out != left_out(CRITERIA, 0.25, 8, "room-1")
    assert out != left_out(CRITERIA, 0.25, 7, "room-2")


@given(st.integers(0, 60), st.floats(0, 1, exclude_max=True), st.integers(0, 99))
def test_something_is_always_left_to_reward(count, share, seed):
    criteria = [str(number) for number in range(count)]
    out = left_out(criteria, share, seed, "task")
    assert len(out) == (min(round(share * count), count - 1) if count else 0)


@pytest.mark.parametrize("share", [-0.1, 1.0, math.nan])
def test_a_share_that_leaves_nothing_is_refused(share):
    with pytest.raises(TrainingError, match="dropout"):
        left_out(CRITERIA, share, 0, "task")


def test_verdicts_are_divided_and_none_is_lost():
    whole = graded(a="pass", b="fail", c="unscored", d="pass")
    kept, out = divided(whole, {"b", "d", "elsewhere"})
    assert [one.criterion for one in kept.verdicts] == ["a", "c"]
    assert [one.criterion for one in out.verdicts] == ["b", "d"]
    assert kept.judge == out.judge == "facts"


def test_the_reward_is_of_the_criteria_that_are_not_left_out_and_the_others_are_watched():
    outcomes = {f"c{number}": "pass" if number % 2 else "fail" for number in range(20)}
    whole = graded(**outcomes)
    out = left_out(list(outcomes), 0.3, 5, "room")
    parts = watched_parts(whole, None, 0.3, 5)
    passed = [name for name, outcome in outcomes.items() if outcome == "pass"]
    assert len(out) == 6
    assert parts["left_out"] == pytest.approx(len(out & set(passed)) / 6)
    assert parts["criteria"] == pytest.approx(len(set(passed) - out) / 14)


def test_without_dropout_nothing_is_watched_and_an_unscorable_rollout_has_no_parts():
    assert watched_parts(graded(a="pass", b="fail"), None, 0.0, 5) == {"criteria": 0.5, "all_pass": 0.0}
    assert watched_parts(graded(**{f"c{n}": "unscored" for n in range(8)}), None, 0.5, 5) == {}


def test_a_rollout_whose_left_out_criteria_nobody_decided_is_scored_all_the_same():
    names = [f"c{number}" for number in range(20)]
    out = left_out(names, 0.2, 5, "room")
    whole = graded(**{name: "unscored" if name in out else "pass" for name in names})
    assert watched_parts(whole, None, 0.2, 5) == {"criteria": 1.0, "all_pass": 1.0}


# --- the rule ---------------------------------------------------------------------------------------------------------------------


def test_a_trend_is_the_least_squares_slope_and_its_distance_from_nothing():
    # x 0 1 2 3, y 0 2 1 3: S_xx 5, S_xy 4, slope 0.8; residues -0.3 0.9 -0.9 0.3: S_res 1.8; s_b = sqrt(1.8 / 2 / 5)
    found = trend([0, 1, 2, 3], [0.0, 2.0, 1.0, 3.0])
    assert found.slope == pytest.approx(0.8)
    assert found.errors == pytest.approx(0.8 / math.sqrt(0.18))


def test_a_line_is_sure_and_a_flat_curve_has_no_trend():
    assert trend([0, 1, 2], [0.0, 0.5, 1.0]).errors == math.inf
    assert trend([0, 1, 2], [1.0, 0.5, 0.0]).errors == -math.inf
    assert trend([0, 1, 2], [0.1 + 0.2, 0.3, 0.3]).errors == 0.0
    assert trend([4, 4, 4], [0.0, 0.5, 1.0]).errors == 0.0
    assert trend([0, 1], [0.0, 1.0]).errors == 0.0


RISING = [0.30 + 0.02 * step + (0.01 if step % 2 else -0.01) for step in range(12)]
FALLING = [0.50 - 0.01 * step + (0.01 if step % 3 else -0.01) for step in range(12)]


def test_the_alarm_is_raised_when_the_reward_rises_while_the_held_out_judge_falls():
    found = alarms(curve(RISING, FALLING))
    assert len(found) == 1
    assert "held-out judge" in found[0]
    assert "12 steps" in found[0]


def test_the_alarm_is_raised_for_criteria_that_were_never_rewarded():
    found = alarms(curve(RISING, RISING, FALLING))
    assert len(found) == 1
    assert "left out of the reward" in found[0]


@pytest.mark.parametrize(
    ("reward", "held_out"),
    [
        (RISING, RISING),
        (FALLING, FALLING),
        (FALLING, RISING),
        (RISING, [0.5] * 12),
        ([0.5] * 12, FALLING),
        (RISING[:5], FALLING[:5]),
    ],
    ids=["both rise", "both fall", "held-out rises", "held-out stands", "reward stands", "too few steps"],
)
def test_no_alarm(reward, held_out):
    assert alarms(curve(reward, held_out)) == []


def test_steps_without_one_of_the_figures_are_left_out():
    # judged at every fifth step: the window is of points, not of steps
    entries = curve([0.02 * step for step in range(30)], [0.5 - 0.01 * step for step in range(30)])
    for step in range(30):
        if step % 5:
            entries[step]["held_out"] = None
    assert "6 steps" in alarms(entries)[0]
    entries[0]["held_out"] = math.nan
    assert alarms(entries) == []
    assert alarms([{"step": step, "reward": 0.1 * step} for step in range(12)]) == []
    assert alarms([]) == []


def test_only_the_last_steps_count():
    # gamed at first, honest for the last 20 steps
    reward = [0.02 * step for step in range(40)]
    held_out = [0.6 - 0.02 * step for step in range(20)] + [0.2 + 0.003 * step for step in range(20)]
    assert alarms(curve(reward[:20], held_out[:20]))
    assert alarms(curve(reward, held_out), window=40)
    assert alarms(curve(reward, held_out)) == []


def test_noise_alone_seldom_raises_it():
    dice = random.Random(1)
    looks = 2_000
    false = sum(
        bool(alarms(curve([dice.gauss(0.5, 0.1) for _ in range(20)], [dice.gauss(0.5, 0.1) for _ in range(20)])))
        for _ in range(looks)
    )
    assert false <= looks * 0.002

"""Watching for reward hacking: a held-out judge's curve, criteria that are never rewarded, and the rule by which they raise an alarm.

Whoever is trained on a judge learns the judge. What it has learnt beyond the work shows in scores that it is not trained on: those of another
judge on the same reports (`held_out`), and those of the criteria of each rubric that are left out of the reward (`left_out`, rubric dropout). While
the work gets better all rise together; when the reward rises and one of the others falls, the reward is being gamed.
"""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from redwell.bench.key import Key
from redwell.bench.score import share_of
from redwell.bench.verdicts import VerdictSet
from redwell.train.rewards import parts_of
from redwell.train.types import TrainingError

WINDOW = 20
"""How many of the steps that have both figures the rule looks back."""
LEAST = 6
"""With fewer of them nothing is said."""
SURE = 2.5
"""Standard errors that a slope must be away from 0, on either side."""
CURVES = {"held_out": "the held-out judge's score", "left_out": "the score of the criteria left out of the reward"}
"""The fields of a training curve that are watched beside `reward`, in words."""


@dataclass(frozen=True, slots=True)
class Trend:
    """A least-squares line through a curve: its slope per step, and how many standard errors that is away from 0."""

    slope: float
    errors: float


def left_out(criteria: Sequence[str], share: float, seed: int, task: str) -> frozenset[str]:
    """The criteria of a task that are left out of its reward: round(share * n) of n, never all, drawn at random under (seed, task).

    The draw does not depend on the step or the rollout: what is left out is left out for the whole training, so that nothing of the policy was
    ever rewarded for it, and rollouts of a group are scored alike. The order of `criteria` does not matter. Raises TrainingError for a share
    that is not from 0 to below 1.

    Why: the symptom told in arXiv 2608.11669 (Rubric Dropout), a training judge's score that keeps rising when a better judge's falls.
    """
    if not 0 <= share < 1:
        raise TrainingError(f"dropout: {share} is no share of the criteria; give 0 or more and less than 1")
    every = sorted(set(criteria))
    count = min(round(share * len(every)), len(every) - 1)
    return frozenset(random.Random(f"{seed}/{task}").sample(every, count)) if count > 0 else frozenset()


def divided(verdicts: VerdictSet, out: Collection[str]) -> tuple[VerdictSet, VerdictSet]:
    """One judge's verdicts in two sets: those of the criteria that are rewarded, and those of the criteria that are left `out`."""
    kept = tuple(one for one in verdicts.verdicts if one.criterion not in out)
    rest = tuple(one for one in verdicts.verdicts if one.criterion in out)
    return replace(verdicts, verdicts=kept), replace(verdicts, verdicts=rest)


def watched_parts(verdicts: VerdictSet, key: Key | None, share: float, seed: int) -> dict[str, float]:
    """The parts of a reward (`rewards.parts_of`) over the criteria that are rewarded, and as `left_out` the share passed of those that are left out of
    it, which no weight rewards. Empty when the rollout is unscorable. Raises TrainingError for a share that cannot be."""
    kept, out = divided(verdicts, left_out([one.criterion for one in verdicts.verdicts], share, seed, verdicts.task))
    parts, watched = parts_of(kept, key), share_of(out).rate
    return parts | {"left_out": watched} if parts and watched is not None else parts


def trend(steps: Sequence[float], values: Sequence[float]) -> Trend:
    """The least-squares slope of values over steps, b = S_xy / S_xx, and b / s_b with s_b = sqrt(S_res / (n - 2) / S_xx).

    Needs three points of at least two steps, else both are 0. A line without residue is infinitely sure of its slope.
    """
    n = len(steps)
    if n < 3 or min(steps) == max(steps):
        return Trend(0.0, 0.0)
    middle, mean = math.fsum(steps) / n, math.fsum(values) / n
    across = math.fsum((x - middle) ** 2 for x in steps)
    slope = math.fsum((x - middle) * (y - mean) for x, y in zip(steps, values, strict=True)) / across
    rest = math.fsum((y - mean - slope * (x - middle)) ** 2 for x, y in zip(steps, values, strict=True))
    error = math.sqrt(rest / (n - 2) / across)
    if abs(slope) * (max(steps) - min(steps)) < 1e-9:  # a flat curve, but for what floats leave
        return Trend(0.0, 0.0)
    return Trend(slope, slope / error if error else math.copysign(math.inf, slope))


def alarms(curve: Sequence[Mapping[str, Any]], *, window: int = WINDOW) -> list[str]:
    """What is wrong at the end of a training curve (the entries of curve.jsonl, in order), a sentence each; empty when nothing is.

    The rule, for each watching curve of CURVES: over the last `window` steps that have both figures, at least LEAST, the reward rises (its
    slope is more than SURE standard errors above 0) while the watching curve falls (more than SURE below 0). In 200 simulated trainings of each kind, 40
    steps with a noise of 0.05 on each point and a look after each, it was raised in none without a trend; in 12 % of those whose reward rose by 0.008
    a step while the watching curve stood; and in all in which that fell by 0.005 a step, or 82 % when it was taken at every fifth step only.
    """
    found = []
    for name, words in CURVES.items():
        pairs = [
            (float(entry["step"]), reward, watched)
            for entry in curve
            if (reward := _number(entry, "reward")) is not None and (watched := _number(entry, name)) is not None
        ][-window:]
        if len(pairs) < LEAST:
            continue
        steps = [step for step, _, _ in pairs]
        up = trend(steps, [reward for _, reward, _ in pairs])
        down = trend(steps, [watched for _, _, watched in pairs])
        if up.errors > SURE and down.errors < -SURE:
            found.append(
                f"the reward rises ({up.slope:+.4f} a step) while {words} falls ({down.slope:+.4f} a step) over the last "
                f"{len(pairs)} steps that have both: the judge may be gamed; read some reports, and stop or change the judge"
            )
    return found


def _number(entry: Mapping[str, Any], name: str) -> float | None:
    value = entry.get(name)
    usable = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return float(value) if usable and value is not None else None

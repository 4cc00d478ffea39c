"""Rewards of rollouts: what verdicts come to, how the parts are weighed, and what cost and length take off within a group."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from redwell.bench.key import Key
from redwell.bench.score import share_of
from redwell.bench.verdicts import VerdictSet
from redwell.train.advantages import length_penalty
from redwell.train.types import Rollout, TrainingError

DECIDED = 0.9
"""A rollout of which less than this share of the criteria has a verdict is unscorable: what is left would be another rubric."""
_DIGITS = 9
"""Rewards that agree to so many digits are equal: they are sums of shares, in floats."""


@dataclass(frozen=True, slots=True)
class RewardSettings:
    """Weights, none below 0. `criteria`: the share of criteria passed; `issues`: issues solved over all issues; `all_pass`: a bonus when every
    criterion passes. `unsubmitted`: how much of these a report is worth that was not handed in, from 0 to 1. `tokens` and `calls`: the most that cost takes off between rollouts of equal score; `length`: the weight of the
    within-group length penalty. Raises TrainingError."""

    criteria: float = 1.0
    issues: float = 0.0
    all_pass: float = 0.0
    unsubmitted: float = 1.0
    tokens: float = 0.0
    calls: float = 0.0
    length: float = 0.0

    def __post_init__(self) -> None:
        for field in fields(self):
            weight = getattr(self, field.name)
            if not math.isfinite(weight) or weight < 0:
                raise TrainingError(f"reward.{field.name}: {weight} is no weight; give 0 or more")
        if self.unsubmitted > 1:
            raise TrainingError(
                f"reward.unsubmitted: {self.unsubmitted} is more than 1, so that not handing a report in would pay; give 1 or less"
            )
        if not self.criteria + self.issues + self.all_pass:
            raise TrainingError("reward: criteria, issues and all_pass are all 0; give one of them a weight")


def parts_of(verdicts: VerdictSet, key: Key | None) -> dict[str, float]:
    """What one judge's verdicts come to, each from 0 to 1: `criteria` passed of those decided, `all_pass`, and with the task's answer key
    `issues`, those solved over all. Empty when less than DECIDED of the criteria have a verdict: the rollout is unscorable.

    An issue is solved when all of its criteria pass. Decoys are no issues. An issue that hangs on a criterion without a verdict is not counted.
    """
    share = share_of(verdicts)
    total = share.decided + share.unscored
    if not share.decided or share.decided < DECIDED * total:
        return {}
    parts = {"criteria": share.passed / share.decided, "all_pass": float(share.passed == total)}
    solved = _solved(verdicts, key) if key else []
    if solved:
        parts["issues"] = sum(solved) / len(solved)
    return parts


def reward(parts: Mapping[str, float], settings: RewardSettings, *, submitted: bool = True) -> float | None:
    """criteria * w_criteria + issues * w_issues + all_pass * w_all_pass, times w_unsubmitted where it was not handed in; None (unscorable) without
    parts. Raises TrainingError when a part has a weight and is not there."""
    if not parts:
        return None
    total = 0.0
    for name in ("criteria", "issues", "all_pass"):
        weight = float(getattr(settings, name))
        if weight and name not in parts:
            raise TrainingError(
                f"reward.{name}: it has a weight, and the verdicts do not give it; set it to 0, or use tasks with an answer key"
            )
        total += weight * parts[name] if weight else 0.0
    return total if submitted else total * settings.unsubmitted


def shape(group: Sequence[Rollout], settings: RewardSettings) -> list[float | None]:
    """The rewards of a group's rollouts, in order, less what cost and length take off; None stays None. Advantages are taken from these; whether a
    group is flat is asked before (a group of equal scores must not be trained on its costs alone).

    Cost tells only rollouts of equal reward apart. Among those of one reward r, with s their mean share of criteria passed:
    cost_i = s * (tokens * (t_i - min t) / (max t - min t) + calls * (c_i - min c) / (max c - min c)), t being the tokens of root and
    sub-agents and c the sub-agent calls. Where the group has a lower reward, no cost is more than half the way down to it, so that a
    cheaper rollout never passes a better one. What passes nothing is not made cheaper. The length penalty is `advantages.length_penalty`
    times `length`, over the share of criteria passed.
    """
    rewards = [_reward(one) for one in group]
    shaped = list(rewards)
    levels: dict[float, list[int]] = defaultdict(list)
    for number, value in enumerate(rewards):
        if value is not None:
            levels[round(value, _DIGITS)].append(number)
    below: float | None = None
    for level in sorted(levels):
        most = math.inf if below is None else (level - below) / 2
        for number, cost in zip(levels[level], _costs([group[n] for n in levels[level]], settings, most), strict=True):
            shaped[number] = level - cost if cost else rewards[number]
        below = level
    if not settings.length:
        return shaped
    penalties = length_penalty(
        [None if value is None else _rate(one) for one, value in zip(group, rewards, strict=True)],
        [one.root_output for one in group],
        [one.root_input for one in group],
        [one.turns for one in group],
    )
    return [
        None if value is None or penalty is None else value - settings.length * penalty
        for value, penalty in zip(shaped, penalties, strict=True)
    ]


def _solved(verdicts: VerdictSet, key: Key) -> list[bool]:
    outcomes: dict[str, list[str]] = defaultdict(list)
    for criterion in key.criteria:
        issue, verdict = key.issue(criterion.issue), verdicts.of(criterion.id)
        if issue is not None and not issue.decoy and verdict is not None:
            outcomes[issue.id].append(verdict.outcome)
    return ["fail" not in some for some in outcomes.values() if "fail" in some or "unscored" not in some]


def _costs(level: Sequence[Rollout], settings: RewardSettings, most: float) -> list[float]:
    rate = sum(_rate(one) for one in level) / len(level)
    spent = [one.root_input + one.root_output + one.sub_tokens for one in level]
    costs = [
        rate * (settings.tokens * tokens + settings.calls * calls)
        for tokens, calls in zip(_spread(spent), _spread([one.sub_calls for one in level]), strict=True)
    ]
    highest = max(costs)
    return [cost * most / highest for cost in costs] if highest > most else costs


def _spread(values: Sequence[int]) -> list[float]:
    """Each from 0 (the least) to 1 (the most)."""
    low, high = min(values), max(values)
    return [(value - low) / (high - low) if high > low else 0.0 for value in values]


def _reward(one: Rollout) -> float | None:
    return one.reward if one.reward is not None and math.isfinite(one.reward) else None


def _rate(one: Rollout) -> float:
    """The share of criteria passed; the reward itself where nothing else is known."""
    return max(0.0, one.parts.get("criteria", _reward(one) or 0.0))

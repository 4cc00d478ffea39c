"""Which of its own rollouts a policy learns from by imitation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from redwell.train.types import Rollout


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is learnt from, best first within a task, and how many rollouts fell to each reason."""

    rollouts: tuple[Rollout, ...]
    left_out: Mapping[str, int]


def choose(
    rollouts: Sequence[Rollout], *, coverage: float = 0.5, above_median: bool = True, per_task: int = 2
) -> Chosen:
    """Self-distillation's choice. Kept is a rollout that was submitted and scored, read at least `coverage` of the room's text, and (`above_median`) has
    a reward above the median of its group; where all of a group score the same none is above. Of rollouts of a task with the same tokens one is kept, and
    of each task the best `per_task` (by reward, then the fewer tokens of the root)."""
    medians = {
        group: median(scores)
        for group in {one.group for one in rollouts}
        if (scores := [one.reward for one in rollouts if one.group == group and one.reward is not None])
    }
    kept: dict[str, list[Rollout]] = {}
    why = dict.fromkeys(("unscorable", "not submitted", "coverage", "median", "same", "beyond the best"), 0)
    seen: set[tuple[str, tuple[tuple[int, ...], ...]]] = set()
    for one in sorted(rollouts, key=_best):
        same = (one.task, tuple(segment.ids for segment in one.segments))
        if one.reward is None or not one.trained_tokens:
            why["unscorable"] += 1
        elif not one.submitted:
            why["not submitted"] += 1
        elif one.coverage < coverage:
            why["coverage"] += 1
        elif above_median and one.reward <= medians[one.group]:
            why["median"] += 1
        elif same in seen:
            why["same"] += 1
        elif len(kept.get(one.task, ())) >= per_task:
            why["beyond the best"] += 1
        else:
            seen.add(same)
            kept.setdefault(one.task, []).append(one)
    return Chosen(tuple(one for task in sorted(kept) for one in kept[task]), why)


def _best(one: Rollout) -> tuple[float, int, str]:
    return (-(one.reward or 0.0), one.trained_tokens, one.id)

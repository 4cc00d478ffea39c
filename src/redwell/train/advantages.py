"""Advantages of a group of rollouts, and the penalty for length within it. Plain floats; nothing here knows tokens or models.

A reward of None (unscorable) or one that is not finite takes no part: not in the baseline, not in the spread, not in a maximum, and its own
result is None, so that nothing downstream can take it for a zero.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

EPSILON = 1e-6
OUTPUT_WEIGHT = 0.25
INPUT_WEIGHT = 0.1
TURN_WEIGHT = 0.1


def advantages(rewards: Sequence[float | None], *, epsilon: float = EPSILON) -> list[float | None]:
    """How much better than its group each of its G rollouts was, in standard deviations: A_i = (r_i - mean) / (std + epsilon).

    Mean and std are of the n scored rollouts, std with n - 1 below the line. With fewer than two scored, or all of them equal, each scored one
    gets 0.0: there is nothing to compare. Takes and gives G values, in order.

    Source: Shao et al. 2024 (DeepSeekMath), section 4.1.2, eq. 3 and the outcome-supervised advantage after it. The sample std and an epsilon of
    1e-6 are those of verl and SkyRL; unlike theirs a group of one gets 0.0 and not its raw reward.
    """
    scored = known(rewards)
    if len(scored) < 2 or min(scored) == max(scored):
        return [None if value is None else 0.0 for value in _finite(rewards)]
    mean = math.fsum(scored) / len(scored)
    std = math.sqrt(math.fsum((value - mean) ** 2 for value in scored) / (len(scored) - 1))
    return [None if value is None else (value - mean) / (std + epsilon) for value in _finite(rewards)]


def is_flat(rewards: Sequence[float | None], tolerance: float) -> bool:
    """Whether a group can teach nothing: the scored ones lie within `tolerance` of each other (max - min <= tolerance), or fewer than two are
    scored. Source: SkyRL's zero-variance filter."""
    scored = known(rewards)
    return len(scored) < 2 or max(scored) - min(scored) <= tolerance


def length_penalty(
    rates: Sequence[float | None],
    outputs: Sequence[int],
    inputs: Sequence[int],
    turns: Sequence[int],
    *,
    output_weight: float = OUTPUT_WEIGHT,
    input_weight: float = INPUT_WEIGHT,
    turn_weight: float = TURN_WEIGHT,
) -> list[float | None]:
    """What each of the G rollouts of a group loses for its length, to be taken off its reward:

    p_i = rate * (0.25 * out_i / max out + 0.1 * in_i / max in + 0.1 * turns_i / max turns)

    `rates` are the pass rates of the rollouts (0 to 1), and `rate` is their mean: a group that fails is not pushed to be shorter. `outputs` and
    `inputs` are the root's tokens. Maxima are over the scored; one that is 0 counts nothing. Raises ValueError for lists of unequal length.

    Source: the within-group length penalty of prime-rl's GRPO.
    """
    scored = known(rates)
    rate = max(0.0, math.fsum(scored) / len(scored)) if scored else 0.0
    weights = (output_weight, input_weight, turn_weight)
    penalties: list[float | None] = [None if value is None else 0.0 for value in _finite(rates)]
    for weight, lengths in zip(weights, (outputs, inputs, turns), strict=True):
        longest = max((n for p, n in zip(penalties, lengths, strict=True) if p is not None), default=0)
        if longest > 0:
            penalties = [
                None if p is None else p + rate * weight * n / longest for p, n in zip(penalties, lengths, strict=True)
            ]
    return penalties


def known(rewards: Sequence[float | None]) -> list[float]:
    """The rewards that are there and finite."""
    return [value for value in _finite(rewards) if value is not None]


def _finite(rewards: Sequence[float | None]) -> list[float | None]:
    return [value if value is not None and math.isfinite(value) else None for value in rewards]

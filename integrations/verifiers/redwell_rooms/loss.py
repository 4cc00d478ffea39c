"""GSPO as a custom loss of prime-rl: `[trainer.loss]` with `type = "custom"` and `import_path = "redwell_rooms.loss.gspo_loss"`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor

_FAR = 50.0
"""A log-ratio outside every mask."""


@dataclass(frozen=True, slots=True)
class LossOutputs:
    """What prime-rl reads of a loss: a scalar with its gradient, and scalars that it averages over sequences."""

    loss: Tensor
    metrics: dict[str, Tensor]


def gspo_loss(
    inputs: Any, *, low: float = 3e-4, high: float = 4e-4, mask_low: float = 0.5, mask_high: float = 2.0, length: float = 1.0
) -> LossOutputs:  # fmt: skip
    """The loss of GSPO for one sequence of S tokens, in its token form (`redwell.train.losses.policy_loss` has the formula).

    `inputs` are prime-rl's LossInputs: `trainer_logprobs`, `inference_logprobs`, `advantages` (S,) and `loss_mask` (S,) bool. What the trainer
    gave when the step began is not among them, so that the ratio is that of trainer to sampler; a token for which it lies outside
    [mask_low, mask_high] is masked, and stays in the denominator. Each sequence counts for as much as any other. prime-rl divides the sum over them by the
    tokens of the step, where GSPO divides by the sequences: `length`, how many tokens a sequence has on average, makes up for that.
    """
    import torch

    from redwell.train.losses import means, policy_loss
    from redwell.train.types import LossSettings

    mask = inputs.loss_mask.bool()
    new, sampled = inputs.trainer_logprobs, inputs.inference_logprobs
    count = mask.sum()
    if not count:
        zero = inputs.trainer_logprobs.sum() * 0.0
        return LossOutputs(zero, {"gspo/clipped": zero.detach(), "gspo/masked": zero.detach()})
    with torch.no_grad():
        ratio = (new - sampled).exp()
        keep = (ratio >= mask_low) & (ratio <= mask_high)
        # The loss masks by old - sampled, and the sampler is what is old here: for a token to be masked the two are put apart.
        apart = torch.where(keep, sampled, sampled - _FAR)
    loss, measured = policy_loss(
        new,
        sampled,
        apart,
        inputs.advantages,
        mask,
        torch.zeros_like(mask, dtype=torch.long),
        count.reshape(1),
        1,
        LossSettings("gspo", low, high, mask_low, mask_high),
    )
    told = means([measured])
    return LossOutputs(
        length * loss, {f"gspo/{name}": new.new_tensor(told[name]) for name in ("ratio", "clipped", "masked")}
    )

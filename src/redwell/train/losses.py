"""Losses over the tokens of a micro-batch, as flat tensors without padding, and what is measured beside them.

All are sums that are divided by numbers of the whole step (its rollouts, its trained tokens), so that the losses and gradients of micro-batches
add up to those of the step, whatever lies in which and in what order. Only tokens with `trained` are ever looked at: what stands at the
others, NaN too, reaches neither loss nor gradient. Pure functions; needs torch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import torch
from torch import Tensor

from redwell.train.types import LossSettings, TrainingError

LOG_LIMIT = 20.0
"""Log-ratios are cut here, so that no ratio becomes infinite and 0 times it NaN."""


def policy_loss(
    new: Tensor,
    old: Tensor,
    sampled: Tensor,
    advantage: Tensor,
    trained: Tensor,
    rollout: Tensor,
    tokens: Tensor,
    rollouts: int,
    settings: LossSettings,
    *,
    reference: Tensor | None = None,
    entropy: Tensor | None = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss of GRPO or GSPO (`settings.kind`) over T tokens, to be minimised, and sums of what is measured (see `means`).

    `new` (T,): log-probabilities under the weights now, with gradient; `old` (T,) under the weights when the step began; `sampled` (T,) as the
    sampler gave them. `advantage` (T,): the rollout's, on each of its tokens. `trained` (T,) bool. `rollout` (T,) long: an index into `tokens`
    (R,), the trained tokens of each whole rollout, over all of its segments. `rollouts`: how many the whole step has. `reference` (T,):
    log-probabilities under the weights before training, needed when settings.kl is not 0. `entropy` (T,) in nats, only measured.

    With t over the trained tokens of rollout i, |y_i| = tokens[i], N = rollouts:

        loss = -1/N sum_i 1/|y_i| sum_t k_t w_t min(r_t A_i, clip(r_t, 1 - low, 1 + high) A_i)  +  kl/N sum_i 1/|y_i| sum_t q_t k3_t
        GRPO:  r_t = exp(new_t - old_t)
        GSPO:  r_t = exp(sg[l_i] + new_t - sg[new_t]),  l_i = 1/|y_i| sum_t (new_t - old_t)        (sg: no gradient)
        rho_t = exp(old_t - sampled_t),  w_t = min(rho_t, ratio_cap),  k_t = 1 where mask_low <= rho_t <= mask_high, else 0
        k3_t = exp(reference_t - new_t) - (reference_t - new_t) - 1,  q_t = exp(new_t - old_t)

    A masked token (k_t = 0) stays in |y_i|, and in l_i: else masking some tokens would make the others count for more. A token whose
    sampled log-probability is NaN is masked; one whose advantage is NaN is left out as if it were not trained. q_t has a gradient: it makes that of
    the KL term the one of the reverse KL divergence, which k3 alone has not.

    Raises TrainingError when the shapes do not match, when a reference is missing, and for GSPO when a rollout is not here with all of its tokens.

    Sources: GRPO, Shao et al. 2024 (DeepSeekMath) eq. 3, and its k3 estimate eq. 4 (Schulman 2020), with q_t from DeepSeek-V3.2 (2025); asymmetric
    clipping, Yu et al. 2025 (DAPO) eq. 10; GSPO, Zheng et al. 2025 eq. 5 to 7 and in its token form eq. 13 to 15; truncated importance
    sampling, Yao et al. 2025; the two-sided token mask, Ling team 2025 (IcePop), with the denominator before the mask as in AReaL.
    """
    _check(new, (old, sampled, advantage, trained, rollout), reference, settings)
    chosen = trained.bool() & ~torch.isnan(advantage)
    new, old, sampled, advantage, rollout = (part[chosen] for part in (new, old, sampled, advantage, rollout))
    new, old, sampled, advantage = (_wide(part) for part in (new, old, sampled, advantage))
    share = 1.0 / (tokens.to(new.dtype)[rollout] * rollouts)

    log_ratio = token_log_ratio = new - old
    if settings.kind == "gspo":
        sequence = _sequence_means(log_ratio.detach(), rollout, tokens)
        log_ratio = sequence + new - new.detach()
    ratio = _ratio(log_ratio)
    clipped = ratio.clamp(1.0 - settings.low, 1.0 + settings.high)
    surrogate = torch.minimum(ratio * advantage, clipped * advantage)

    with torch.no_grad():
        mismatch = (old - sampled).clamp(-LOG_LIMIT, LOG_LIMIT)
        rho = mismatch.exp()
        keep = (rho >= settings.mask_low) & (rho <= settings.mask_high)  # False for NaN
        weight = torch.where(keep, rho.clamp(max=settings.ratio_cap), 0.0) * share
    loss = -(surrogate * weight).sum()

    metrics = {
        "tokens": torch.ones_like(new).sum(),
        "ratio": ratio.detach().sum(),
        "clipped": (clipped * advantage < ratio * advantage).sum(),
        "masked": (~keep).sum(),
        "capped": (keep & (rho > settings.ratio_cap)).sum(),
        "mismatch": mismatch.nan_to_num(nan=0.0).abs().sum(),
    }
    if settings.kl:
        away = _k3(new, _wide(reference[chosen])) if reference is not None else torch.zeros_like(new)
        away = _ratio(token_log_ratio) * away
        loss = loss + settings.kl * (away * share).sum()
        metrics["kl"] = away.sum()
    if entropy is not None:
        metrics["entropy"] = _wide(entropy[chosen]).sum()
    return loss, {name: value.detach() for name, value in metrics.items()}


def sft_loss(new: Tensor, trained: Tensor, total: int) -> Tensor:
    """The mean negative log-probability of the trained tokens: -1/total sum_t new_t, t over `trained`.

    `new` (T,) with gradient, `trained` (T,) bool, `total` the trained tokens of the whole step (all micro-batches). Raises TrainingError when
    total is not positive. It is the cross-entropy of causal language modelling with all other labels ignored, as Transformers and TRL compute it.
    """
    if total <= 0:
        raise TrainingError("no token of the step is trained; give rollouts with sampled tokens of the root")
    return -_wide(new[trained.bool()]).sum() / total


def of_logits(logits: Tensor, ids: Tensor) -> tuple[Tensor, Tensor]:
    """From logits (T, V) that predict ids (T,): the log-probability of each id (T,), with gradient, and the entropy in nats of each
    distribution (T,), without. In float32 at least, whatever the logits are in."""
    logs = torch.log_softmax(_wide(logits), dim=-1)
    with torch.no_grad():
        entropy = -(logs.exp() * logs).nan_to_num(nan=0.0).sum(-1)  # 0 log 0 = 0 where a logit is -inf
    return logs.gather(-1, ids.unsqueeze(-1)).squeeze(-1), entropy


def means(parts: Iterable[Mapping[str, Tensor]]) -> dict[str, float]:
    """What was measured in the micro-batches of a step, as means over its trained tokens: `ratio` (of new to old), `clipped` (share whose
    surrogate is the clipped one, which has no gradient), `masked` (share outside the mask), `capped` (share inside it whose weight is
    truncated), `mismatch` (mean |old - sampled|), and where there was any `kl` and `entropy`. Empty for a step without a trained token."""
    sums: dict[str, float] = {}
    for part in parts:
        for name, value in part.items():
            sums[name] = sums.get(name, 0.0) + float(value)
    count = sums.pop("tokens", 0.0)
    return {name: value / count for name, value in sums.items()} if count else {}


def _sequence_means(log_ratio: Tensor, rollout: Tensor, tokens: Tensor) -> Tensor:
    """For each token the mean log-ratio over its rollout; all tokens of a rollout must be here."""
    here = torch.zeros_like(tokens).index_add(0, rollout, torch.ones_like(rollout, dtype=tokens.dtype))
    for number in (here.ne(tokens) & here.ne(0)).nonzero().flatten().tolist():
        raise TrainingError(
            f"rollout {number}: {int(here[number])} of its {int(tokens[number])} trained tokens are in this micro-batch; "
            "GSPO needs all segments of a rollout in one"
        )
    sums = torch.zeros_like(tokens, dtype=log_ratio.dtype).index_add(0, rollout, log_ratio)
    return (sums / tokens.clamp(min=1))[rollout]


def _wide(part: Tensor) -> Tensor:
    """In float32 at least: counts of tokens and small ratios do not fit half precision."""
    return part.to(torch.promote_types(part.dtype, torch.float32))


def _ratio(log_ratio: Tensor) -> Tensor:
    return log_ratio.clamp(-LOG_LIMIT, LOG_LIMIT).exp()


def _k3(new: Tensor, reference: Tensor) -> Tensor:
    gap = (reference - new).clamp(-LOG_LIMIT, LOG_LIMIT)
    return gap.exp() - gap - 1.0


def _check(new: Tensor, others: tuple[Tensor, ...], reference: Tensor | None, settings: LossSettings) -> None:
    if settings.kind == "sft":
        raise TrainingError("loss: sft has no policy loss; use grpo or gspo")
    if new.dim() != 1 or any(part.shape != new.shape for part in others):
        shapes = ", ".join(str(tuple(part.shape)) for part in (new, *others))
        raise TrainingError(
            f"new, old, sampled, advantage, trained and rollout must have one entry for each token, not {shapes}"
        )
    if settings.kl and reference is None:
        raise TrainingError("kl: the weight is not 0, and no log-probabilities under the first weights were given")

"""Log-probabilities of the trained tokens of a pack: attention within each sequence, the last matrix only where a token is trained.

Importing this needs torch and transformers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.nn import functional
from torch.utils.checkpoint import checkpoint
from transformers import AttentionInterface

from redwell.train.local.packing import Pack
from redwell.train.local.weights import bare
from redwell.train.types import Datum

ATTENTION = "redwell_packed"
CHUNK = 128
"""Trained tokens whose logits are in memory at once."""


@dataclass(frozen=True, slots=True)
class Flat:
    """A pack as tensors. Of T computed tokens: `ids` and `positions` (T,); of K trained ones, in the order of the pack and then of the
    tokens: `rows` (K,) is the computed token whose output predicts it, `targets` (K,) its id, `datum` (K,) its datum in the pack."""

    ids: torch.Tensor
    positions: torch.Tensor
    rows: torch.Tensor
    targets: torch.Tensor
    datum: torch.Tensor
    runs: tuple[tuple[int, int], ...]


def flatten(data: Sequence[Datum], pack: Pack, device: str) -> Flat:
    """The tensors of a pack of these data."""
    ids: list[int] = []
    positions: list[int] = []
    rows: list[int] = []
    targets: list[int] = []
    owner: list[int] = []
    for place, (number, length) in enumerate(zip(pack.data, pack.lengths, strict=True)):
        datum, start = data[number], len(ids)
        ids.extend(datum.ids[:length])
        positions.extend(range(length))
        for token in range(1, length + 1):
            if datum.trained[token]:
                rows.append(start + token - 1)
                targets.append(datum.ids[token])
                owner.append(place)

    def tensor(values: list[int]) -> torch.Tensor:
        return torch.tensor(values, dtype=torch.long, device=device)

    return Flat(tensor(ids), tensor(positions), tensor(rows), tensor(targets), tensor(owner), pack.runs)


def packed_attention(
    module: Any,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    scaling: float | None = None,
    runs: Sequence[tuple[int, int]] = (),
    **_: Any,
) -> tuple[torch.Tensor, None]:
    """Causal attention within each sequence of a flat row; query (1, heads, T, d), key and value (1, kv heads, T, d).

    Each run of equal lengths is one call of the fused kernel without a mask: a block-diagonal mask over the whole row would cost T x T
    and keep the fused kernel from skipping what is masked.
    """
    grouped = query.shape[1] != key.shape[1]
    pieces, start = [], 0
    for count, length in runs or [(1, query.shape[2])]:
        end = start + count * length
        # (1, heads, count * length, d) -> (count, heads, length, d)
        q, k, v = (part[0, :, start:end].unflatten(1, (count, length)).transpose(0, 1) for part in (query, key, value))
        out = functional.scaled_dot_product_attention(q, k, v, is_causal=True, scale=scaling, enable_gqa=grouped)
        pieces.append(out.transpose(1, 2).flatten(0, 1))
        start = end
    return torch.cat(pieces)[None] if len(pieces) > 1 else pieces[0][None], None


AttentionInterface.register(ATTENTION, packed_attention)


class _FrozenHead(torch.autograd.Function):  # type: ignore[misc]
    """log softmax(h W^T)[target] and the entropy of that distribution, a chunk of rows at a time.

    W is not trained, so the gradient needs no logits later: d logp / d h = W[target] - softmax @ W, which is made while they are there.
    """

    @staticmethod
    def forward(
        context: Any, hidden: torch.Tensor, weight: torch.Tensor, targets: torch.Tensor, chunk: int
    ) -> tuple[torch.Tensor, torch.Tensor]:
        wanted = hidden.requires_grad
        logprobs, entropies, slopes = [], [], []
        for rows, ids in zip(hidden.split(chunk), targets.split(chunk), strict=True):
            logits = (rows @ weight.T).float()
            total = logits.logsumexp(-1, keepdim=True)
            logprobs.append((logits.gather(1, ids[:, None]) - total)[:, 0])
            share = logits.sub_(total).exp()  # in place, here and below: a chunk of logits is large
            if wanted:
                slopes.append(weight[ids] - share.to(weight.dtype) @ weight)
            entropies.append(-logits.mul_(share).sum(-1))
        if wanted:
            context.save_for_backward(torch.cat(slopes))
        entropy = torch.cat(entropies)
        context.mark_non_differentiable(entropy)
        return torch.cat(logprobs), entropy

    @staticmethod
    def backward(context: Any, gradient: torch.Tensor, _: torch.Tensor) -> tuple[torch.Tensor, None, None, None]:
        (slopes,) = context.saved_tensors
        return (slopes * gradient[:, None]).to(slopes.dtype), None, None, None


def _trained_head(head: Any, rows: torch.Tensor, ids: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    logprobs = functional.log_softmax(head(rows).float(), dim=-1)
    entropy = -(logprobs.detach().exp() * logprobs.detach()).sum(-1)
    return logprobs.gather(1, ids[:, None])[:, 0], entropy


def logprobs(model: Any, flat: Flat, *, bf16: bool, checkpointing: bool = False) -> tuple[torch.Tensor, torch.Tensor]:
    """The log-probability (K,) of each trained token, with its gradient, and the entropy (K,) of the distribution it is from; fp32.

    `model` is one of `weights`, with or without LoRA. With `checkpointing` the activations of a layer are computed again in the backward pass.
    """
    inner = bare(model)
    decoder, head = inner.get_decoder(), inner.get_output_embeddings()
    _set_checkpointing(inner, decoder, checkpointing and torch.is_grad_enabled())
    with torch.autocast(flat.ids.device.type, dtype=torch.bfloat16, enabled=bf16):
        states = decoder(
            input_ids=flat.ids[None], position_ids=flat.positions[None], use_cache=False, runs=flat.runs
        ).last_hidden_state[0]
        states = states.index_select(0, flat.rows)
        if not any(value.requires_grad for value in head.parameters()) and head.bias is None:
            return _FrozenHead.apply(states.to(head.weight.dtype), head.weight, flat.targets, CHUNK)  # type: ignore[no-any-return]
        pieces = [
            checkpoint(_trained_head, head, rows, ids, use_reentrant=False)
            for rows, ids in zip(states.split(CHUNK), flat.targets.split(CHUNK), strict=True)
        ]
    first, second = zip(*pieces, strict=True)
    return torch.cat(first), torch.cat(second)


def _set_checkpointing(inner: Any, decoder: Any, wanted: bool) -> None:
    if wanted == decoder.training:
        return
    # Layers look at it only while they train; with no dropout in attention and LoRA nothing else changes with that.
    inner.train(wanted)
    if wanted:
        inner.gradient_checkpointing_enable({"use_reentrant": False})
    else:
        inner.gradient_checkpointing_disable()


def activation_bytes(config: Any, tokens: int, bf16: bool) -> int:
    """About how much memory the activations of that many tokens take until the backward pass, without checkpointing; measured on llama models."""
    width, inner, layers = int(config.hidden_size), int(config.intermediate_size), int(config.num_hidden_layers)
    return tokens * layers * (2 if bf16 else 4) * (16 * width + 8 * inner)

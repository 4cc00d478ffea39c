"""Random models of a few thousand weights: real in how they compute, and loaded in a moment."""

from pathlib import Path
from typing import Any

from redwell.train.types import Datum

VOCABULARY = 64


def write_llama(folder: Path, *, seed: int = 0, spread: float = 0.2, **changes: Any) -> Path:
    """The folder of a random llama model; `spread` is the standard deviation of its weights."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    values = {
        "vocab_size": VOCABULARY, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
        "num_key_value_heads": 2, "max_position_embeddings": 256, "initializer_range": spread,
        "bos_token_id": 1, "eos_token_id": 2, "pad_token_id": None, "tie_word_embeddings": True,
    }  # fmt: skip
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        LlamaForCausalLM(LlamaConfig(**(values | changes))).save_pretrained(folder)
    return folder


def datum(
    ids: tuple[int, ...],
    prompt: int,
    *,
    rollout: int = 0,
    tokens: int | None = None,
    advantage: float = 1.0,
    sampled: float = -4.0,
    old: tuple[float, ...] | None = None,
) -> Datum:
    """A datum whose tokens after the first `prompt` are trained."""
    trained = tuple(place >= prompt for place in range(len(ids)))
    logprobs = tuple(sampled if one else 0.0 for one in trained)
    return Datum(ids, trained, logprobs, advantage, rollout, sum(trained) if tokens is None else tokens, old)

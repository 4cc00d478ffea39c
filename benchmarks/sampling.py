"""Tokens sampled per second: the policy's engine with eight requests at once against transformers' `generate` with one.

    python benchmarks/sampling.py local:NAME [local:NAME ...] [--rounds 2] [--threads 2] [--write docs/results.md]

Both sample from the same weights after the same prompt at temperature 1 and give log-probabilities; they take turns, and the best round of each
counts. Loading and the first token are outside of the time. Ends with 1 when a model's ratio is under three.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import time
from pathlib import Path
from typing import Any

from results import section

from redwell.models.local_files import find
from redwell.train.local.weights import load_base, model_folder
from redwell.train.serving.llama_engine import LlamaEngine
from redwell.train.serving.render import Renderer

AT_ONCE = 8
TOKENS = 64
ALONE = 32
AT_LEAST = 3.0
PROMPT = (
    "You direct readers of a data room of 40 contracts. Write Python that asks them about change of control, assignment and "
    "termination, and collects what they find. Then write the report."
)


async def engine_round(engine: LlamaEngine, prompt: list[int]) -> float:
    """Tokens per second over all requests, from the first sent to the last answered."""
    began = time.monotonic()
    answers = await asyncio.gather(
        *(engine.sample(prompt, max_tokens=TOKENS, stop=(), seed=number) for number in range(AT_ONCE))
    )
    return sum(len(answer.ids) for answer in answers) / (time.monotonic() - began)


def generate_round(model: Any, prompt: list[int], tokens: int = ALONE) -> float:
    import torch

    ids = torch.tensor([prompt])
    began = time.monotonic()
    with torch.inference_mode():
        made = model.generate(
            ids,
            attention_mask=torch.ones_like(ids),
            do_sample=True,
            temperature=1.0,
            top_k=0,
            top_p=1.0,
            min_new_tokens=tokens,
            max_new_tokens=tokens,
            output_logits=True,
            return_dict_in_generate=True,
            pad_token_id=0,
        )
        torch.log_softmax(torch.stack(made.logits).float(), -1)
    return tokens / (time.monotonic() - began)


async def compare(file: Path, rounds: int) -> tuple[float, float]:
    prompt = Renderer.of(file).render([{"role": "user", "content": PROMPT}])
    model = load_base(model_folder(file), "bf16", "cpu", "sdpa").eval()
    engine = LlamaEngine(file, slots=AT_ONCE, context=1024)
    ours, theirs = [], []
    try:
        await engine.sample(prompt, max_tokens=1, stop=())
        generate_round(model, prompt[:8], 2)
        for _ in range(rounds):
            ours.append(await engine_round(engine, prompt))
            theirs.append(generate_round(model, prompt))
            print(f"{file.name}: {ours[-1]:.1f} and {theirs[-1]:.1f} tokens/s", flush=True)
    finally:
        await engine.close()
    return max(ours), max(theirs)


def main() -> int:
    wanted = argparse.ArgumentParser()
    wanted.add_argument("models", nargs="+", help="local:NAME or local:/PATH.gguf")
    wanted.add_argument("--rounds", type=int, default=2)
    wanted.add_argument("--threads", type=int, default=2)
    wanted.add_argument("--write", type=Path)
    asked = wanted.parse_args()
    import torch

    # The engine takes as many threads as it has cores.
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: asked.threads])
    torch.set_num_threads(asked.threads)
    files = [find(name)[0] for name in asked.models]
    found = {file.stem: asyncio.run(compare(file, asked.rounds)) for file in files}
    lines = [
        f"Tokens per second, {AT_ONCE} requests at once of {TOKENS} tokens through llama.cpp as it is in the file, against transformers' "
        f"`generate` in bf16 at batch 1; {asked.threads} threads, best of {asked.rounds} rounds.",
        "",
        "| model | redwell | generate | ratio |",
        "|---|---|---|---|",
        *(f"| {name} | {ours:.1f} | {theirs:.1f} | {ours / theirs:.1f} |" for name, (ours, theirs) in found.items()),
    ]
    section("Sampling from a policy", lines, asked.write)
    return 0 if all(ours >= AT_LEAST * theirs for ours, theirs in found.values()) else 1


if __name__ == "__main__":
    raise SystemExit(main())

"""Tokens trained in a second by our step of supervised fine-tuning, beside TRL's SFTTrainer on the same model and the same sequences.

    python benchmarks/training_speed.py MODEL.gguf [--write docs/results.md] [--threads 2] [--repeats 5]

Both train LoRA of rank 8 beside all matrices of the layers, over bf16 weights with autocast, on the same sequences of mixed length with the same
tokens trained, in this one process and in turns, so that what else the machine does falls on all. TRL runs in both of its ways: padded to the
longest sequence, and packed. Medians are compared. TRL is Apache-2.0 and is installed with what the tests need.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from peft import LoraConfig
from results import section
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from transformers import AutoModelForCausalLM, PreTrainedTokenizerFast
from trl import SFTConfig, SFTTrainer

from redwell.models.local_files import find
from redwell.train.local import weights
from redwell.train.local.trainer import LocalTrainer
from redwell.train.types import Datum, LossSettings

RANK, ALPHA, RATE = 8, 16.0, 1e-4
MICRO = 1024


def sequences(count: int, longest: int, vocabulary: int) -> list[Datum]:
    """Turns of a root: what it is shown and what it wrote, by turns."""
    dice, found = random.Random(7), []
    for number in range(count):
        length = dice.randint(longest // 8, longest)
        ids: list[int] = []
        trained: list[bool] = []
        while len(ids) < length:
            shown, wrote = dice.randint(20, 80), dice.randint(15, 60)
            ids += [dice.randrange(vocabulary) for _ in range(shown + wrote)]
            trained += [False] * shown + [True] * wrote
        ids, trained = ids[:length], trained[:length]
        found.append(Datum(tuple(ids), tuple(trained), (0.0,) * length, 1.0, number, sum(trained)))
    return found


def ours(base: Path, folder: Path, data: list[Datum]) -> tuple[LocalTrainer, Callable[[], float]]:
    trainer = LocalTrainer(base, folder, rank=RANK, alpha=ALPHA, precision="bf16", device="cpu", micro_tokens=MICRO)

    async def step() -> float:
        report = await trainer.forward_backward(data, LossSettings("sft"))
        await trainer.optim_step(RATE)
        return report.loss

    return trainer, lambda: asyncio.run(step())


def theirs(base: Path, folder: Path, data: list[Datum], packing: bool) -> tuple[float, Callable[[], float]]:
    """(share of computed tokens that are padding, one step)."""
    bare = AutoModelForCausalLM.from_pretrained(base, dtype=torch.bfloat16)
    lora = LoraConfig(r=RANK, lora_alpha=ALPHA, target_modules=list(weights.LINEAR), task_type="CAUSAL_LM")
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer(WordLevel({"a": 0, "b": 1}, unk_token="a")), eos_token="a", pad_token="b"
    )
    rows = {
        "input_ids": [list(one.ids) for one in data],
        "assistant_masks": [[int(trained) for trained in one.trained] for one in data],
    }
    # Packed, its batches are rows of so many tokens; padded, as many sequences as come to about that.
    size = max(1, round(MICRO * len(data) / sum(len(one.ids) for one in data)))
    config = SFTConfig(
        output_dir=str(folder), use_cpu=True, bf16=True, gradient_checkpointing=False, report_to=[], learning_rate=RATE,
        per_device_train_batch_size=1 if packing else size, packing=packing, max_length=MICRO if packing else None,
    )  # fmt: skip
    trainer: Any = SFTTrainer(
        bare, args=config, train_dataset=Dataset.from_dict(rows), processing_class=tokenizer, peft_config=lora
    )
    model = trainer.model
    trainer.create_optimizer()
    batches = list(trainer.get_train_dataloader())
    total = sum(int((batch["labels"] != -100).sum()) for batch in batches)
    computed = sum(batch["input_ids"].numel() for batch in batches)
    real = sum(len(one.ids) for one in data)
    model.train()
    kinds = {value.dtype for value in model.parameters() if value.requires_grad}
    if kinds != {torch.float32}:
        raise SystemExit(f"TRL trains {kinds}, not fp32 weights: the two are not the same")

    def step() -> float:
        loss = 0.0
        trainer.current_gradient_accumulation_steps = len(batches)
        for batch in batches:
            loss += float(trainer.training_step(model, dict(batch), num_items_in_batch=total))
        torch.nn.utils.clip_grad_norm_([value for value in model.parameters() if value.requires_grad], 1.0)
        trainer.optimizer.step()
        trainer.optimizer.zero_grad()
        return loss

    return 1 - real / computed, step


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("model", help="local:NAME or local:/PATH.gguf")
    parser.add_argument("--write", type=Path)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--sequences", type=int, default=8)
    parser.add_argument("--longest", type=int, default=512)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    file, _ = find(given.model)
    base = weights.model_folder(file)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = sequences(given.sequences, given.longest, 40_000)
        _, own = ours(base, folder / "ours", data)
        padded_waste, padded = theirs(base, folder / "padded", data, packing=False)
        packed_waste, packed = theirs(base, folder / "packed", data, packing=True)
        runs = {"Redwell": own, "TRL, padded": padded, "TRL, packed": packed}
        first = {who: step() for who, step in runs.items()}  # also warms up
        seconds: dict[str, list[float]] = {who: [] for who in runs}
        for repeat in range(given.repeats):
            for who in list(runs) if repeat % 2 else list(runs)[::-1]:
                began = time.perf_counter()
                runs[who]()
                seconds[who].append(time.perf_counter() - began)
    tokens = sum(len(one.ids) for one in data)
    medians = {who: statistics.median(values) for who, values in seconds.items()}
    waste = {"Redwell": 0.0, "TRL, padded": padded_waste, "TRL, packed": packed_waste}
    best = min(medians[who] for who in runs if who != "Redwell")
    lines = [
        f"One step of LoRA rank {RANK} on {file.name} in bf16: {len(data)} sequences of {min(len(d.ids) for d in data)} to "
        f"{max(len(d.ids) for d in data)} tokens, {tokens:,} in all, of which {sum(d.tokens for d in data):,} are trained; {given.threads} threads, "
        f"median of {given.repeats} in turns. `make bench`.",
        "",
        "| | seconds a step | tokens a second | trained tokens a second | padding | loss of the first step |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for who, median in medians.items():
        lines.append(
            f"| {who} | {median:.2f} | {tokens / median:.0f} | {sum(d.tokens for d in data) / median:.0f} | {waste[who]:.1%} | {first[who]:.4f} |"
        )
    lines += ["", f"Against the faster of the two: {best / medians['Redwell']:.2f} times."]
    section("Training speed", lines, given.write)


if __name__ == "__main__":
    main()

"""A task in place of rooms: say words of a wanted kind, in two turns. The policy is a random model of a few thousand weights behind the real endpoint."""

from __future__ import annotations

import json
import random
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
from train.tiny_models import VOCABULARY, write_llama

from redwell.bench.figures.rows import read_curve
from redwell.train.capture import segments
from redwell.train.config import Checkpoints, Groups, Optimizer
from redwell.train.ledger import Ledger
from redwell.train.local.trainer import LocalTrainer
from redwell.train.loop import Loop, Plan
from redwell.train.types import LossSettings, Rollout, Turn

END = 2
WORDS = ["<pad>", "<begin>", "<end>", "user", "assistant", *(f"w{number}" for number in range(5, VOCABULARY))]
WANTED = frozenset(range(40, VOCABULARY))
TEMPLATE = (
    "{% for message in messages %}{{ message['role'] }} {{ message['content'] }} <end> {% endfor %}"
    "{% if add_generation_prompt %}assistant {% endif %}"
)
LENGTH = 6
PLAIN = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Nothing here is encrypted, and reading all certificates for each client takes longer than the rollout."""


def write_policy(folder: Path, seed: int, **changes: Any) -> Path:
    """A random model with a tokenizer of whole words and a chat template."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import WhitespaceSplit

    write_llama(folder, seed=seed, spread=0.15, num_hidden_layers=1, **changes)
    tokenizer = Tokenizer(WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="<pad>"))
    tokenizer.pre_tokenizer = WhitespaceSplit()  # type: ignore[assignment]
    tokenizer.add_special_tokens(["<pad>", "<begin>", "<end>"])
    tokenizer.save(str(folder / "tokenizer.json"))
    settings = {"chat_template": TEMPLATE, "eos_token": "<end>", "bos_token": "<begin>"}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    return folder


@asynccontextmanager
async def served(folder: Path, seed: int, *, context: int = 128, **changes: Any) -> AsyncIterator[LocalTrainer]:
    """The real trainer of a small random policy with its engine and endpoint; `folder` may be that of one that was killed."""
    import torch

    torch.set_num_threads(1)
    base = folder / "base"
    if not (base / "tokenizer.json").exists():
        write_policy(base, seed)
    given = {"rank": 8, "alpha": 16.0, "engine": "torch", "slots": 16, "device": "cpu", "precision": "fp32", **changes}
    trainer = LocalTrainer(base, folder / "policy", context=context, seed=seed, **given)
    try:
        await trainer.start()
        yield trainer
    finally:
        await trainer.close()


async def trained(folder: Path, given: Plan, seed: int = 0, *, slots: int = 16, **hooks: Any) -> list[dict[str, Any]]:
    """A training from its beginning, or gone on with; its curve."""
    async with served(folder, seed, slots=slots) as trainer:
        ledger = Ledger(folder / "ledger.sqlite")
        try:
            await Loop(trainer, Toy(seed).play, trainer.url, given, folder, ledger, **hooks).run()
        finally:
            ledger.close()
    return read_curve(folder / "curve.jsonl")


class Toy:
    """`play` is the Play. `played` counts how often each rollout was begun."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self.played: dict[str, int] = {}

    async def play(self, task: str, group: str, number: int, url: str, folder: Path) -> Rollout:
        name = f"{group}/{number}"
        self.played[name] = self.played.get(name, 0) + 1
        messages: list[dict[str, str]] = [{"role": "user", "content": task}]
        turns = []
        for turn in range(2):
            if turn:
                await self.between(group, number)
            answer = await ask(url, messages, random.Random(f"{self.seed}/{name}/{turn}").getrandbits(62))
            choice = answer["choices"][0]
            logprobs = tuple(one["logprob"] for one in choice["logprobs"]["content"])
            prompt, ids, versions = answer["prompt_token_ids"], choice["token_ids"], choice["policy_versions"]
            turns.append(
                Turn(f"{name}/{turn}", tuple(prompt), tuple(ids), logprobs, tuple(versions), choice["finish_reason"])
            )
            messages += [choice["message"], {"role": "user", "content": task}]
        reward = sum(one in WANTED for turn in turns for one in turn.ids) / (2 * LENGTH)
        return Rollout(name, task, group, "ok", tuple(segments(turns)), reward, {"criteria": reward}, turns=2)

    async def between(self, group: str, number: int) -> None:
        """Before the second turn."""


async def ask(url: str, messages: list[dict[str, str]], seed: int, *, length: int = LENGTH) -> dict[str, Any]:
    """One call of the policy's endpoint."""
    body = {
        "model": "policy", "messages": messages, "max_tokens": length, "temperature": 1.0, "seed": seed, "logprobs": True,
        "return_token_ids": True,
    }  # fmt: skip
    async with httpx.AsyncClient(timeout=60, verify=PLAIN) as client:
        answer = await client.post(f"{url}/chat/completions", json=body)
    answer.raise_for_status()
    found: dict[str, Any] = answer.json()
    return found


def plan(kind: str = "grpo", steps: int = 20, staleness: int = 0, **changes: Any) -> Plan:
    """A small training: two groups of four rollouts a step, where `changes` name no others."""
    groups = {
        "groups_per_step": 2,
        "rollouts_per_group": 4,
        "max_staleness": staleness,
        "over_sample": 1.5 if staleness else 1.0,
    }
    optimizer = {"learning_rate": 0.02}
    groups |= changes.pop("groups", {})
    optimizer |= changes.pop("optimizer", {})
    low, high = (0.2, 0.28) if kind == "grpo" else (3e-4, 4e-4)
    return Plan(
        ("w5 w6", "w7", "w8 w9 w10"), steps, LossSettings("grpo" if kind == "grpo" else "gspo", low, high),
        Groups(**groups), Optimizer(**optimizer), Checkpoints(every=changes.pop("every", 100)), **changes,
    )  # fmt: skip

"""Trains the toy task in processes that are killed, then once in one that is not: `python -m train.killed_training FOLDER KILLS`.

Prints how often a process was killed, and whether both trainings came to the same weights. Processes are forked from one that has loaded everything.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
from pathlib import Path
from typing import Any

import torch
import transformers  # noqa: F401
from safetensors.torch import load_file
from train.toy import Toy, plan, served, write_policy

import redwell.train.local.trainer  # noqa: F401
from redwell.train.ledger import Ledger
from redwell.train.loop import Loop

PLAN = plan("grpo", 4, every=2)


class Mortal(Ledger):
    left = -1

    def _append(self, *given: Any, **named: Any) -> None:
        super()._append(*given, **named)
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


async def train(folder: Path, breaths: int) -> None:
    """One request at a time: which of them share a forward pass is a matter of when they come, and of the last digits of what it gives."""
    async with served(folder, 0, slots=1) as trainer:
        ledger = Mortal(folder / "ledger.sqlite")
        ledger.left = breaths
        await Loop(trainer, Toy().play, trainer.url, PLAN, folder, ledger).run()
        ledger.close()


def in_a_process(folder: Path, breaths: int = -1) -> bool:
    """Whether it came to its end."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            asyncio.run(train(folder, breaths))
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status):
        sys.exit(1)
    return os.WIFEXITED(status)


def main(place: Path, kills: int) -> None:
    torch.set_num_threads(1)
    chance = random.Random(5)
    folders = [place / "killed", place / "alone"]
    for folder in folders:
        write_policy(folder / "base", 0)
    killed = 0
    while not in_a_process(folders[0], chance.randint(8, 25) if killed < kills else -1):
        killed += 1
    in_a_process(folders[1])
    weights = [load_file(next((folder / "checkpoints" / "step-000004").glob("*.safetensors"))) for folder in folders]
    same = all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])
    print(killed, "same" if same and weights[0].keys() == weights[1].keys() else "different")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))

"""Serves a policy at an OpenAI-compatible address, as rollouts have it, so that a benchmark can measure it."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from redwell.train.config import Policy
from redwell.train.serving.http import listening
from redwell.train.setup import RECIPE, checkpoint_in, is_checkpoint, make_trainer, read_frozen
from redwell.train.types import TrainingError


def policy_of(what: Path, *, base: Path | None, engine: str | None, slots: int, context: int) -> Policy:
    """The policy of a checkpoint, or of the newest one of a training, with the weights that it belongs to, or of weights alone. Raises TrainingError."""
    if engine not in (None, "llama", "torch"):
        raise TrainingError(f"--engine is llama or torch, not {engine!r}")
    changes: dict[str, Any] = {"slots": slots, "context": context}
    if engine is not None:
        changes["engine"] = engine
    if str(what).startswith("local:"):
        return Policy(**{"base": str(what), "engine": "llama", **changes})
    if not what.exists():
        raise TrainingError(
            f"{what}: there is no such training, checkpoint, file or folder of weights; a model of `redwell models list` is local:NAME"
        )
    what = checkpoint_in(what)
    if not is_checkpoint(what):
        if base is not None:
            raise TrainingError(f"{what} is no checkpoint of a training, so --base has nothing to do with it")
        if what.is_dir() and not (what / "config.json").is_file():
            raise TrainingError(
                f"{what} is neither the folder of a training nor a checkpoint of one, and holds no weights as `save_pretrained` writes them "
                "(there is no config.json)"
            )
        return _bare(what, changes)
    start = str(what.resolve())
    if base is not None:
        return _bare(base, {**changes, "start": start})
    training = what.resolve().parent.parent
    if not (training / RECIPE).is_file():
        raise TrainingError(
            f"{what} does not lie in the folder of its training: name the weights that it belongs to with --base"
        )
    _, recipe = read_frozen(training)
    return recipe.policy.model_copy(update={**changes, "start": start})


def _bare(base: Path, changes: dict[str, Any]) -> Policy:
    return Policy(**{"base": str(base.resolve()), "engine": "torch" if base.is_dir() else "llama", **changes})


async def serve_policy(policy: Policy, told: Callable[[str], None], port: int = 0) -> None:
    """Serves until it is cancelled; `told` is called with the URL. Port 0 is any that is free. Raises TrainingError."""
    listening(port).close()  # weights take a while to load: one that is taken is found before
    with tempfile.TemporaryDirectory(prefix="redwell-policy-") as folder:
        trainer = await make_trainer(policy, Path(folder))
        try:
            told(await trainer.start(port))
            await asyncio.Event().wait()
        finally:
            await trainer.close()

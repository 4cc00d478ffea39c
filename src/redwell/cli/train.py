"""`redwell train`: post-training of the root inside the harness that it works in, and serving what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redwell.cli.errors import FAILED, INTERRUPTED, Stop, plain_errors
from redwell.cli.interrupt import stop_on_signals
from redwell.cli.train_export import export

if TYPE_CHECKING:
    from redwell.cli.train_progress import Progress

train_app = typer.Typer(
    help="Post-trains the root inside the harness: self-distillation, GRPO, GSPO; and serves the policy.",
    no_args_is_help=True,
)
train_app.command("export")(export)
Recipe = Annotated[Path, typer.Argument(metavar="RECIPE.toml", help="The recipe; examples/train has some.")]
Out = Annotated[Path, typer.Option("--out", help="The training's folder: rollouts, checkpoints, curve.jsonl.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print progress and the result as JSON lines.")]


@train_app.command("rl")
@plain_errors
def rl(recipe: Recipe, out: Out, quiet: Quiet = False, as_json: AsJson = False) -> None:
    """Trains by reinforcement (GRPO or GSPO) on rollouts in rooms. The same command goes on with a training that was interrupted.

    Exit codes: 0 all steps were made; 2 bad input, nothing was begun; 3 it could not go on (the reason is told, a checkpoint and every
    rollout are kept); 130 interrupted.
    """
    from redwell.cli.train_progress import Progress
    from redwell.train.config import RlRecipe, read_recipe
    from redwell.train.rl import train_rl

    read = read_recipe(recipe, RlRecipe)
    progress = Progress(quiet=quiet, as_json=as_json, steps=read.steps)
    _run(train_rl(read, out, progress), progress, out)


@train_app.command("sft")
@plain_errors
def sft(recipe: Recipe, out: Out, quiet: Quiet = False, as_json: AsJson = False) -> None:
    """Trains on the best of the policy's own rollouts, and on demonstrations. The same command goes on with a training that was interrupted.

    Exit codes are those of `redwell train rl`.
    """
    from redwell.cli.train_progress import Progress
    from redwell.train.config import SftRecipe, read_recipe
    from redwell.train.sft import train_sft

    read = read_recipe(recipe, SftRecipe)
    progress = Progress(quiet=quiet, as_json=as_json)
    _run(train_sft(read, out, progress), progress, out)


@train_app.command("serve")
@plain_errors
def serve(
    what: Annotated[
        Path,
        typer.Argument(
            metavar="TRAINING|CHECKPOINT|BASE",
            help="The folder of a training (its newest checkpoint), one checkpoint of it, a GGUF file, a folder of weights, or local:NAME.",
        ),
    ],
    base: Annotated[
        Path | None,
        typer.Option(
            "--base", help="The weights that a checkpoint belongs to; those of its training's recipe if left out."
        ),
    ] = None,
    engine: Annotated[
        str | None,
        typer.Option(
            "--engine",
            help="llama or torch; if left out that of the recipe, llama for a GGUF file, torch for a folder of weights.",
        ),
    ] = None,
    slots: Annotated[int, typer.Option("--slots", min=1, help="Requests at one time.")] = 8,
    context: Annotated[int, typer.Option("--context", min=64, help="Most tokens of one request.")] = 8192,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Of 127.0.0.1; any that is free if 0 or left out.")
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """Serves a policy at an OpenAI-compatible address, until it is interrupted, so that `redwell bench run --root openai:policy@URL` measures it.

    Exit codes: 2 bad input, nothing was served; 130 interrupted.
    """
    from redwell.train.serve import policy_of, serve_policy

    policy = policy_of(what, base=base, engine=engine, slots=slots, context=context)

    def told(url: str) -> None:
        if as_json:
            import json

            print(json.dumps({"event": "serving", "url": url, "model": f"openai:policy@{url}"}), flush=True)
        else:
            print(f"serving {what} as openai:policy@{url} (Ctrl-C ends it)", flush=True)

    _interruptible(serve_policy(policy, told, port), "stopping; the policy is served no longer")
    raise SystemExit(INTERRUPTED)


def _run(training: Coroutine[Any, Any, Path], progress: Progress, out: Path) -> None:
    from redwell.train.types import TrainingError

    try:
        with progress.shown():
            last = _interruptible(training, "stopping; what was done is kept")
    except TrainingError as error:
        if progress.began is None:
            raise
        raise Stop(str(error), FAILED) from None
    progress.end(out, last)
    if last is None:
        raise SystemExit(INTERRUPTED)


def _interruptible(work: Coroutine[Any, Any, Path | None], saying: str) -> Path | None:
    """None when it was called off, which is told at once with `saying`."""

    async def main() -> Path | None:
        task = asyncio.ensure_future(work)
        stop_on_signals(task, saying)
        try:
            return await task
        except asyncio.CancelledError:
            return None

    return asyncio.run(main())

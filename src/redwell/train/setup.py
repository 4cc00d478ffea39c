"""What every training begins with: its folder and frozen recipe, its tasks, its trainer with the endpoint of the policy, and what plays rollouts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pydantic import ValidationError

from redwell.bench import running
from redwell.bench.grading import FACTS
from redwell.bench.locks import held
from redwell.bench.matrix import tasks_of
from redwell.bench.measures import write_atomically
from redwell.bench.tasks import BenchTask
from redwell.diligence.naming import EMBEDDED, resolve
from redwell.models.local_files import MAGIC, is_here, known
from redwell.models.local_files import folder as models_folder
from redwell.models.prices import load_prices
from redwell.models.types import CallFailed, Message, Request
from redwell.sandbox.selftest import choose
from redwell.train.config import KINDS, Policy, Recipe, RlRecipe, SftRecipe, differences
from redwell.train.ledger import FILE as LEDGER
from redwell.train.ledger import Ledger
from redwell.train.playing import Tell
from redwell.train.rooms import RoomPlay
from redwell.train.stepping import CHECKPOINTS
from redwell.train.types import Trainer, TrainingError

if TYPE_CHECKING:
    from redwell.train.serving.render import Renderer

RECIPE, LOCK, POLICY, ROOMS, DEMONSTRATIONS = "recipe.json", "lock", "policy", "rooms", "demonstrations"
_OURS = (RECIPE, LOCK, LEDGER, POLICY, ROOMS, DEMONSTRATIONS, "tasks")
_WRITTEN = ("redwell.json", "tinker.json")
"""A folder with one of these, which is written last, is a checkpoint of a trainer."""


class Served(Trainer, Protocol):
    """A trainer that serves its policy; `url` is "" before `start`."""

    url: str

    async def start(self, port: int = 0) -> str: ...


@dataclass(frozen=True, slots=True)
class Prepared:
    trainer: Served
    rooms: RoomPlay
    tasks: tuple[str, ...]
    ledger: Ledger


@asynccontextmanager
async def prepared(
    recipe: RlRecipe | SftRecipe, out: Path, tell: Tell, *, serve: bool = True
) -> AsyncIterator[Prepared]:
    """Everything that a training needs, checked in the order in which a fault is cheapest to find; closed when it ends. The recipe is frozen into
    the folder when all of it is there, so that one with a fault can be mended and given again.

    Raises TrainingError, and the errors of a matrix, a model's name, a price, a sandbox, and of a folder that another process uses.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise TrainingError(f"{out} is not a folder: name another with --out") from None
    out = out.resolve()
    with held(out / LOCK):
        begun = _compare(recipe, out)
        _check_policy(recipe.policy)
        await _check_models(recipe)
        tasks = await asyncio.to_thread(_tasks, recipe, out, tell)
        rooms = _rooms(recipe, tasks, out)
        if serve and not begun:
            await asyncio.to_thread(_check_context, recipe.policy, rooms)
        trainer = await make_trainer(recipe.policy, out / POLICY, recipe, serve=serve)
        ledger = None
        try:
            url = await trainer.start() if serve else ""
            freeze(recipe, out)
            ledger = Ledger(out / LEDGER)
            if serve:
                tell("serving", {"url": url})
            yield Prepared(trainer, rooms, tuple(task.id for task, _ in tasks), ledger)
        finally:
            if ledger is not None:
                ledger.close()
            await trainer.close()


def freeze(recipe: Recipe, out: Path) -> None:
    """Writes the recipe into the folder of its training."""
    data = {"kind": _kind(recipe), "recipe": recipe.model_dump(mode="json")}
    write_atomically(out / RECIPE, json.dumps(data, indent=1) + "\n")


def _compare(recipe: Recipe, out: Path) -> bool:
    """Whether a training by this recipe was begun in the folder. Raises TrainingError when it holds that of another, or something else."""
    begun = (out / RECIPE).exists()
    if begun:
        was, frozen = read_frozen(out)
        if was != _kind(recipe):
            raise TrainingError(f"{out} holds a training by `redwell train {was}`: name another folder with --out")
        if told := differences(frozen, recipe):
            raise TrainingError(
                f"{out} holds a training by another recipe; take these changes back, or name another folder with --out:\n"
                + "\n".join(told)
            )
    elif other := next((path.name for path in out.iterdir() if path.name not in _OURS and path.name[0] != "."), ""):
        raise TrainingError(
            f"{out} holds other files ({other}) and is not the folder of a training: name a new one with --out"
        )
    return begun


def _kind(recipe: Recipe) -> str:
    return next(name for name, one in KINDS.items() if isinstance(recipe, one))


def read_frozen(out: Path) -> tuple[str, Recipe]:
    """The kind and the recipe of the training in a folder. Raises TrainingError."""
    file = out / RECIPE
    try:
        found = json.loads(file.read_bytes())
        return found["kind"], KINDS[found["kind"]].model_validate_json(json.dumps(found["recipe"]))
    except OSError as error:
        raise TrainingError(f"{file}: cannot be read: {error.strerror or error}") from None
    except (ValidationError, ValueError, KeyError, TypeError):
        raise TrainingError(
            f"{file}: is damaged, or of another version of Redwell; restore it, or begin anew with another --out"
        ) from None


def is_checkpoint(folder: Path) -> bool:
    """Whether a trainer wrote its weights there, to the end."""
    return any((folder / name).is_file() for name in _WRITTEN)


def checkpoint_in(folder: Path) -> Path:
    """The newest checkpoint of a training, when this is its folder; any other path as it is. Raises TrainingError where it has none yet."""
    if not (folder / RECIPE).is_file():
        return folder
    made = [one for one in sorted((folder / CHECKPOINTS).glob("step-*")) if is_checkpoint(one)]
    if not made:
        raise TrainingError(f"{folder} is the folder of a training that has no checkpoint yet")
    return made[-1]


def base_of(policy: Policy) -> Path:
    """The file or folder of the weights that training begins with. Raises TrainingError, LocalFileError."""
    if policy.base.startswith("local:"):
        entry, kept = known(policy.base.removeprefix("local:")), models_folder()
        if not is_here(entry, kept):
            raise TrainingError(
                f"policy.base: {policy.base} is not on this machine: `redwell models get {entry.name}` brings it"
            )
        return kept / entry.file
    path = Path(policy.base)
    if not path.exists():
        raise TrainingError(
            f"policy.base: {path}: there is no such file or folder; give a GGUF file, a folder of weights or local:NAME"
        )
    if path.is_file():
        with path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise TrainingError(
                    f"policy.base: {path} is no GGUF file; give one, or a folder of Hugging Face weights"
                )
    return path


def renderer_of(policy: Policy) -> Renderer:
    """The chat template and tokens of what is trained. Raises TrainingError, LocalFileError."""
    from redwell.train.serving.render import Renderer

    return Renderer.of(Path(policy.tokenizer or policy.base) if policy.trainer == "tinker" else base_of(policy))


def start_of(policy: Policy) -> Path | None:
    """The checkpoint whose weights training begins with; None for those of the base. Raises TrainingError."""
    if not policy.start:
        return None
    start = Path(policy.start)
    if not start.is_dir():
        raise TrainingError(f"policy.start: {start}: there is no such folder; give a checkpoint of a training")
    start = checkpoint_in(start)
    if not is_checkpoint(start):
        raise TrainingError(
            f"policy.start: {start} is no checkpoint of a training, such as checkpoints/step-000010 of one"
        )
    return start


async def make_trainer(policy: Policy, folder: Path, recipe: Recipe | None = None, *, serve: bool = True) -> Served:
    """The trainer of a recipe, its weights loaded. Without a recipe it only serves. Raises TrainingError."""
    optimizer = recipe.optimizer if recipe is not None else None
    decay, seed = (optimizer.weight_decay, recipe.seed) if optimizer and recipe else (0.0, 0)
    start = start_of(policy)
    if policy.trainer == "tinker":
        from redwell.train.tinker_trainer import TinkerTrainer

        tokenizer = Path(policy.tokenizer) if policy.tokenizer else None
        remote = TinkerTrainer(
            policy.address or "", policy.base, tokenizer=tokenizer, rank=policy.rank, seed=seed, weight_decay=decay
        )
        if start is not None:
            await remote.load(start)
        return remote
    from redwell.train.local.trainer import LocalTrainer

    base = base_of(policy)

    def load() -> LocalTrainer:
        return LocalTrainer(
            base,
            folder,
            rank=policy.rank,
            alpha=policy.alpha,
            targets=policy.targets,
            engine=policy.engine if serve else "none",
            address=policy.address or "",
            slots=policy.slots,
            context=policy.context,
            device=policy.device,
            precision=policy.precision,
            micro_tokens=policy.micro_tokens,
            max_norm=optimizer.max_norm if optimizer is not None else 1.0,
            weight_decay=decay,
            seed=seed,
            start=start,
        )

    return await asyncio.to_thread(load)


def _rooms(recipe: RlRecipe | SftRecipe, tasks: Sequence[tuple[BenchTask, Path]], out: Path) -> RoomPlay:
    rooms = recipe.rooms
    return RoomPlay.of(
        tasks,
        out / ROOMS,
        settings=rooms.harness,
        reward=recipe.reward.settings(),
        caps=rooms.budget.model_dump(),
        sub=rooms.sub,
        judge=rooms.judge,
        dropout=recipe.monitor.rubric_dropout if isinstance(recipe, RlRecipe) else 0.0,
        seed=recipe.seed,
    )


def _tasks(recipe: Recipe, out: Path, tell: Tell) -> list[tuple[BenchTask, Path]]:
    matrix = recipe.rooms.matrix()

    def making(kind: str, _: object, figures: dict[str, Any]) -> None:
        tell(kind, figures)

    running.make_tasks(matrix, out, making)
    tasks = tasks_of(matrix, out)
    without = [task.id for task, _ in tasks if task.key is None]
    if without and FACTS in (recipe.rooms.judge, recipe.rooms.held_out):
        raise TrainingError(
            f"rooms.judge: {without[0]} has no answer key (answer_key.json), which the facts judge needs; name a language model, or take "
            "generated tasks"
        )
    return tasks


def _check_policy(policy: Policy) -> None:
    """The files that the policy is made of are there."""
    start_of(policy)
    if policy.trainer == "local":
        base_of(policy)
    elif not (tokenizer := Path(policy.tokenizer or policy.base)).exists():
        raise TrainingError(
            f"policy.tokenizer: {tokenizer}: there is no such file or folder; give a GGUF file or a model's folder with the vocabulary of {policy.base}"
        )


def _check_context(policy: Policy, rooms: RoomPlay) -> None:
    """What the root is told before its first turn, and a reply to it, fit into the context of the policy; servers elsewhere have one of their own."""
    if policy.trainer != "local" or policy.engine == "vllm":
        return
    longest = max(rooms.tasks, key=lambda name: len(rooms.tasks[name][0].for_agent().instructions))
    told, reply = len(renderer_of(policy).render(rooms.first_prompt(longest))), rooms.harness.root_tokens
    if told + reply > policy.context:
        raise TrainingError(
            f"policy.context: {policy.context:,} tokens are too few: the root is told at least {told:,} before its first turn in {longest}, and its "
            f"reply may have {reply:,} (rooms.harness.root_tokens), {told + reply:,} together; raise policy.context, lower root_tokens, or take "
            'prompt = "short" under rooms.harness'
        )


async def _check_models(recipe: Recipe) -> None:
    """Before anything is loaded or paid for: names, prices, the sandbox; and the judges answer, for without them no rollout has a reward."""
    rooms = recipe.rooms
    choose(str(rooms.harness.get("sandbox", "auto")))
    judges = [name for name in (rooms.judge, rooms.held_out) if name and name != FACTS]
    for name in judges:
        if name in EMBEDDED.values():
            raise TrainingError(
                f"rooms.judge: {name} writes reports and cannot judge them; give facts or a language model"
            )
    load_prices().require([resolve(rooms.sub, "sub").name, *judges], rooms.budget.dollars)
    for name in judges:
        model = resolve(name, "judge")
        ask = Request((Message("user", "Answer with the word yes."),), "judge", max_output_tokens=512, seconds=60.0)
        try:
            await model.complete(ask)
        except CallFailed as failure:
            if failure.kind not in ("empty", "truncated"):
                raise TrainingError(
                    f"the judge {name} does not answer ({failure.kind}: {failure.message}), and without it no rollout has a reward. Nothing was "
                    "begun and what was done before is kept: start the judge, or name another under [rooms], and give the same command again"
                ) from None
        finally:
            await model.close()

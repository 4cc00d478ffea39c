"""Recipes: one TOML file says all of a training. What is wrong in it is told with file and field, and an unknown key with the nearest right one."""

from __future__ import annotations

import difflib
import os
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from redwell.bench.matrix import LARGEST, CellCaps, Generated, Matrix, Name
from redwell.models.toml_file import read_toml
from redwell.train.rewards import RewardSettings
from redwell.train.types import LossKind, LossSettings, TrainingError

Count = Annotated[int, Field(ge=1, le=1_000_000)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Rate = Annotated[float, Field(gt=0, le=10, allow_inf_nan=False)]
Weight = Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)]
TARGETS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
_CLIP: dict[str, tuple[float, float]] = {"grpo": (0.2, 0.28), "gspo": (3e-4, 4e-4)}
"""The asymmetric band of each method; GSPO's ratio is a mean over a whole rollout and moves a thousand times less."""
_SPELLED = {
    "batch_size": "is read in two ways elsewhere; write groups_per_step and rollouts_per_group",
    "group_size": "write rollouts_per_group",
}
R = TypeVar("R", bound="Recipe")


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    @field_validator("*", mode="before")
    @classmethod
    def _lists(cls, given: Any) -> Any:
        return tuple(given) if isinstance(given, list) else given


class Policy(_Part):
    """What is trained and how it is served. `base` is a GGUF file, a folder of Hugging Face weights, or `local:NAME` of `redwell models list`;
    `start` is a checkpoint to begin with the weights of. `rank` 0 trains all weights. `address` is that of a Tinker server,
    `base` is then the model as the server names it, and `tokenizer` a GGUF file or folder of a model with the same vocabulary; or for the engine vllm
    that of a vLLM server that serves `base`, as NAME@http://HOST:PORT/v1."""

    base: Name
    start: Name | None = None
    trainer: Literal["local", "tinker"] = "local"
    address: Name | None = None
    tokenizer: Name | None = None
    engine: Literal["llama", "torch", "vllm"] = "llama"
    device: Literal["auto", "cpu", "cuda"] = "auto"
    precision: Literal["auto", "fp32", "bf16"] = "auto"
    rank: Annotated[int, Field(ge=0, le=1024)] = 8
    alpha: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 16.0
    targets: Annotated[tuple[Name, ...], Field(min_length=1)] = TARGETS
    slots: Annotated[int, Field(ge=1, le=4096)] = 8
    context: Annotated[int, Field(ge=64)] = 8192
    micro_tokens: Annotated[int, Field(ge=64)] = 4096

    @model_validator(mode="after")
    def _whole(self) -> Policy:
        if self.trainer == "tinker" and not self.address:
            raise ValueError("address is missing: a tinker trainer needs the address of its server")
        if self.trainer == "local" and self.engine == "vllm" and not self.address:
            raise ValueError("address is missing: engine = vllm needs that of its server, as NAME@http://HOST:PORT/v1")
        return self


class Rooms(_Part):
    """The tasks that rollouts are made of, and what plays in them beside the policy. As in a matrix of `redwell bench run`: `tasks` are folders or
    trees of them, `generated` are rooms that are made first; `harness` is settings of the rlm harness; `budget` is that of one rollout."""

    tasks: tuple[Name, ...] = ()
    tree: Name | None = None
    generated: Generated | None = None
    sub: Name = "reader"
    judge: Name = "facts"
    held_out: Name | None = None
    harness: dict[str, Any] = {}
    budget: CellCaps = CellCaps()

    @model_validator(mode="after")
    def _whole(self) -> Rooms:
        try:
            self.matrix()
        except ValidationError as error:
            problem = error.errors()[0]["msg"].removeprefix("Value error, ")
            raise ValueError(problem.replace("rlm has", "harness has").replace("rlm.", "harness.")) from None
        return self

    def matrix(self) -> Matrix:
        """The same as a matrix, so that tasks are found, made and checked in the one way."""
        return Matrix(
            tasks=self.tasks,
            tree=self.tree,
            generated=self.generated,
            harnesses={"rlm": self.harness},
            roots=("playbook",),
            subs=(self.sub,),
            judges=(self.judge, *((self.held_out,) if self.held_out else ())),
        )


class Reward(_Part):
    """As `rewards.RewardSettings`: weights of what a rollout is rewarded for, and of what its cost takes away."""

    criteria: Weight = 1.0
    issues: Weight = 0.0
    all_pass: Weight = 0.0
    unsubmitted: Share = 1.0
    tokens: Weight = 0.0
    calls: Weight = 0.0
    length: Weight = 0.0

    @model_validator(mode="after")
    def _whole(self) -> Reward:
        try:
            self.settings()
        except TrainingError as error:
            raise ValueError(str(error).removeprefix("reward: ")) from None
        return self

    def settings(self) -> RewardSettings:
        return RewardSettings(**self.model_dump())


class Groups(_Part):
    """A step takes `groups_per_step` groups of `rollouts_per_group` rollouts of one task each. With `max_staleness` 0 rollouts and training take
    turns; else rollouts go on all the time, at most `over_sample` times the groups of a step in flight, and one whose oldest token was sampled more
    than `max_staleness` versions ago is never trained on. A group whose rewards differ by no more than `flat` is dropped; one by no more than
    `close` is judged `votes` times more first. When `patience` groups were dropped as flat, or as
    many because they could not be scored, and none between them was fit for a step, training stops and says why."""

    groups_per_step: Count = 4
    rollouts_per_group: Annotated[int, Field(ge=2, le=1024)] = 8
    max_staleness: Annotated[int, Field(ge=0, le=1000)] = 4
    over_sample: Annotated[float, Field(ge=1, le=100, allow_inf_nan=False)] = 1.5
    rollouts_at_a_time: Annotated[int, Field(ge=1, le=10_000)] = 8
    flat: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 1e-6
    close: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    votes: Annotated[int, Field(ge=1, le=99)] = 2
    patience: Count = 64


class Loss(_Part):
    """As `types.LossSettings`; `low` and `high` are by default those of the method."""

    low: Annotated[float, Field(ge=0, lt=1)] | None = None
    high: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    mask_low: Annotated[float, Field(ge=0, le=1)] = 0.5
    mask_high: Annotated[float, Field(ge=1, allow_inf_nan=False)] = 2.0
    ratio_cap: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 2.0
    kl: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0

    def settings(self, kind: LossKind) -> LossSettings:
        low, high = _CLIP.get(kind, (0.0, 0.0))
        return LossSettings(
            kind,
            low if self.low is None else self.low,
            high if self.high is None else self.high,
            self.mask_low,
            self.mask_high,
            self.ratio_cap,
            self.kl,
        )


class Optimizer(_Part):
    """AdamW. The rate rises over `warmup_steps` and then stays. `passes`: how often the data of one step is gone through."""

    learning_rate: Rate = 1e-4
    warmup_steps: Annotated[int, Field(ge=0)] = 0
    weight_decay: Annotated[float, Field(ge=0, le=1)] = 0.0
    max_norm: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 1.0
    passes: Annotated[int, Field(ge=1, le=64)] = 1


class Checkpoints(_Part):
    """Every how many steps the weights are saved, and how many of the newest are kept."""

    every: Count = 5
    keep: Annotated[int, Field(ge=1, le=1000)] = 2


class Monitor(_Part):
    """What watches for reward hacking: every so many steps the held-out judge (`rooms.held_out`); and `rubric_dropout` of each rubric's criteria, which are
    left out of the reward for the whole training and scored all the same (0: none)."""

    every: Count = 5
    rubric_dropout: Annotated[float, Field(ge=0, lt=1)] = 0.0


class Recipe(_Part):
    """What both kinds of training are told."""

    policy: Policy
    rooms: Rooms
    reward: Reward = Reward()
    optimizer: Optimizer = Optimizer()
    checkpoint: Checkpoints = Checkpoints()
    seed: Annotated[int, Field(ge=0, lt=2**31)] = 0
    tensorboard: bool = False


class RlRecipe(Recipe):
    """`redwell train rl`: GRPO or GSPO."""

    method: Literal["grpo", "gspo"]
    steps: Count
    groups: Groups = Groups()
    loss: Loss = Loss()
    monitor: Monitor = Monitor()


class Choice(_Part):
    """Which of the policy's own rollouts are learnt from: `rollouts_per_task` are made of each task (0: none, demonstrations only); kept are those with a
    text coverage of at least `coverage` and, with `above_median`, a reward above the median of their group; duplicates and, of each task, all beyond
    the best `per_task` are left out. `demonstrations` runs of the embedded playbook are added for each task, for a warm start."""

    rollouts_per_task: Annotated[int, Field(ge=0, le=1024)] = 4
    rollouts_at_a_time: Annotated[int, Field(ge=1, le=10_000)] = 8
    coverage: Share = 0.5
    above_median: bool = True
    per_task: Count = 2
    demonstrations: Annotated[int, Field(ge=0, le=1024)] = 0


class SftRecipe(Recipe):
    """`redwell train sft`: self-distillation. A step takes `rollouts_per_step` chosen rollouts; all are gone through `epochs` times."""

    choice: Choice = Choice()
    epochs: Count = 2
    rollouts_per_step: Count = 8

    @model_validator(mode="after")
    def _some(self) -> SftRecipe:
        if self.choice.rollouts_per_task == 1:
            raise ValueError(
                "choice.rollouts_per_task: one rollout cannot be compared with others; give 2 or more, or 0"
            )
        if not self.choice.rollouts_per_task and not self.choice.demonstrations:
            raise ValueError(
                "choice: rollouts_per_task and demonstrations are both 0, so there is nothing to learn from"
            )
        return self


KINDS: dict[str, type[Recipe]] = {"rl": RlRecipe, "sft": SftRecipe}
"""By the verb of `redwell train`."""


def read_recipe(path: Path, kind: type[R]) -> R:
    """The recipe of a TOML file, its paths made absolute. Raises TrainingError with all problems at once, each with file and field, and for rooms that are
    kept for measuring."""
    data = read_toml(path, "recipe", TrainingError, LARGEST)
    if other := _other(data, kind):
        raise TrainingError(f"{path}: this is a recipe of another kind: give it to `redwell train {other}`")
    recipe = make_recipe(data, path.parent, str(path), kind)
    if recipe.rooms.generated is not None and recipe.rooms.generated.split == "test":
        raise TrainingError(
            f'{path}: rooms.generated.split: the wordings of `test` are kept for measuring and are not trained on; write split = "train" (or "dev")'
        )
    return recipe


def make_recipe(data: dict[str, Any], base: Path, said: str, kind: type[R]) -> R:
    """The recipe of these values; relative paths are looked for from `base`, and `said` is what a problem is said of. Raises TrainingError."""
    try:
        recipe = kind.model_validate(data)
    except ValidationError as error:
        raise TrainingError("\n".join(_told(said, one, kind) for one in error.errors())) from None
    rooms = recipe.rooms
    tree = (base / rooms.tree).resolve() if rooms.tree is not None else None
    start = tree or base.resolve()
    tasks = tuple(os.path.normpath(start / one) for one in rooms.tasks)
    policy = recipe.policy
    named = {"start": policy.start, "tokenizer": policy.tokenizer}
    if policy.trainer == "local":
        named["base"] = policy.base
    changed = {name: _placed(given, base) if given else None for name, given in named.items()}
    return recipe.model_copy(
        update={
            "rooms": rooms.model_copy(update={"tasks": tasks, "tree": str(tree) if tree else None}),
            "policy": policy.model_copy(update=changed),
        }
    )


def _other(data: dict[str, Any], kind: type[Recipe]) -> str:
    """The verb of the other kind of recipe, when these have fields of its own and none of `kind`'s own; else ""."""
    ((verb, other),) = ((verb, one) for verb, one in KINDS.items() if one is not kind)
    foreign = data.keys() & (other.model_fields.keys() - kind.model_fields.keys())
    own = data.keys() & (kind.model_fields.keys() - other.model_fields.keys())
    return verb if foreign and not own else ""


def _placed(name: str, base: Path) -> str:
    return name if name.startswith("local:") else os.path.normpath(base.resolve() / Path(name).expanduser())


def _told(said: str, problem: Any, kind: type[BaseModel]) -> str:
    place = [str(part) for part in problem["loc"]]
    message = problem["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
    if problem["type"] == "extra_forbidden":
        message = _unknown(place, kind)
    elif problem["type"] == "missing":
        message = "is missing"
    elif problem["type"] == "too_short":
        message = "must not be empty"
    return f"{said}: {'.'.join(place)}: {message}" if place else f"{said}: {message}"


def _unknown(place: list[str], kind: type[BaseModel]) -> str:
    """What to write in place of a key that is none: the nearest of its table, or the same key where it belongs."""
    key, table = place[-1], _table(place[:-1], kind)
    if key in _SPELLED:
        return f"there is no such field: {_SPELLED[key]}"
    known = list(table.model_fields) if table is not None else []
    if near := difflib.get_close_matches(key, known, 1, 0.6):
        return f"there is no such field: did you mean {near[0]}?"
    if homes := [home for home in _homes(kind, key) if home != ".".join(place)]:
        return f"there is no such field here: it belongs to {homes[0]}"
    return f"there is no such field: there is {', '.join(known)}"


def _table(place: list[str], kind: type[BaseModel]) -> type[BaseModel] | None:
    for name in place:
        field = kind.model_fields.get(name)
        inner = _model(field.annotation) if field is not None else None
        if inner is None:
            return None
        kind = inner
    return kind


def _model(annotation: Any) -> type[BaseModel] | None:
    """The model that a field holds, also where it may be None."""
    for one in (annotation, *getattr(annotation, "__args__", ())):
        if isinstance(one, type) and issubclass(one, BaseModel):
            return one
    return None


def _homes(kind: type[BaseModel], key: str, at: str = "") -> list[str]:
    """Where a key is a field, as dotted places."""
    found = [at + key] if key in kind.model_fields else []
    for name, field in kind.model_fields.items():
        if (inner := _model(field.annotation)) is not None:
            found += _homes(inner, key, f"{at}{name}.")
    return found


FREE = (
    "steps", "epochs", "tensorboard", "checkpoint.every", "checkpoint.keep", "optimizer.learning_rate", "optimizer.warmup_steps", "optimizer.max_norm",
    "groups.rollouts_at_a_time", "groups.patience", "choice.rollouts_at_a_time", "policy.device", "policy.slots", "policy.address",
    "policy.micro_tokens", "monitor.every",
)  # fmt: skip
"""What may be changed while a training goes on: it changes no rollout that was made."""


def differences(frozen: BaseModel, given: BaseModel, at: str = "") -> list[str]:
    """What a recipe says otherwise than the one that a training was begun with, a line each; FREE fields may differ."""
    told: list[str] = []
    for name in type(frozen).model_fields:
        was, now, place = getattr(frozen, name), getattr(given, name), f"{at}{name}"
        if isinstance(was, BaseModel) and isinstance(now, BaseModel):
            told += differences(was, now, f"{place}.")
        elif was != now and place not in FREE:
            told.append(f"{place}: was {was}, is {now}")
    return told

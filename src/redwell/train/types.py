"""What the parts of training hand to each other: turns, segments, rollouts, data of a step, and the one contract of trainers and engines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

RolloutStatus = Literal["ok", "truncated", "unscorable"]
"""`truncated`: it ended at a limit of turns, tokens or time, and is scored for what it delivered. `unscorable`: what went wrong was none of the
root's doing (judge down, sandbox lost, sub-agents unreachable); it leaves both the loss and the baseline."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One call of the root as it was sampled. `ids`, `logprobs` and `versions` have one entry for each sampled token: its id, its
    log-probability under the policy that sampled it, and that policy's version. `prompt_ids` are the tokens it was sampled after."""

    call: str
    prompt_ids: tuple[int, ...]
    ids: tuple[int, ...]
    logprobs: tuple[float, ...]
    versions: tuple[int, ...]
    finish: str


@dataclass(frozen=True, slots=True)
class Segment:
    """Turns whose captured ids continue each other, as one sequence. All tuples have one entry for each token; where `trained` is False
    (prompts, outputs of cells, template) `logprobs` is 0.0, `versions` and `turns` are -1."""

    ids: tuple[int, ...]
    trained: tuple[bool, ...]
    logprobs: tuple[float, ...]
    versions: tuple[int, ...]
    turns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rollout:
    """A run made for training. `id` is `GROUP/NUMBER`. `reward` is None exactly when it is unscorable; `parts` are what the reward is made
    of (`criteria`, `issues`, `all_pass`, ...), `why` says why it is truncated or unscorable. `run` is its folder."""

    id: str
    task: str
    group: str
    status: RolloutStatus
    segments: tuple[Segment, ...]
    reward: float | None
    parts: Mapping[str, float] = field(default_factory=dict)
    why: str = ""
    run: str = ""
    turns: int = 0
    sub_calls: int = 0
    root_input: int = 0
    root_output: int = 0
    sub_tokens: int = 0
    dollars: float = 0.0
    coverage: float = 0.0
    wrote_while_reading: bool = False
    submitted: bool = False
    seconds: float = 0.0

    @property
    def trained_tokens(self) -> int:
        return sum(sum(segment.trained) for segment in self.segments)

    @property
    def first_version(self) -> int:
        """The oldest policy that sampled a token of it; -1 without one."""
        return min((v for segment in self.segments for v in segment.versions if v >= 0), default=-1)


@dataclass(frozen=True, slots=True)
class Datum:
    """One segment in a step. `rollout` numbers the rollouts of the step from 0; `tokens` counts the trained tokens of the whole rollout
    (its denominator, over all of its segments, before any mask of the loss). `sampled` are the sampler's log-probabilities, `old` those of the trainer's own
    weights when the step began (None: not known yet)."""

    ids: tuple[int, ...]
    trained: tuple[bool, ...]
    sampled: tuple[float, ...]
    advantage: float
    rollout: int
    tokens: int
    old: tuple[float, ...] | None = None


LossKind = Literal["grpo", "gspo", "sft"]


@dataclass(frozen=True, slots=True)
class LossSettings:
    """How a policy is moved. `low` and `high` clip the ratio to [1 - low, 1 + high]; `mask_low` and `mask_high` bound the trainer-to-sampler
    ratio of a token (outside it is masked, the denominator stays); `ratio_cap` truncates that ratio where it weights a token; `kl` weights the k3
    estimate against the weights before training. Defaults are those of GRPO; GSPO takes low 3e-4, high 4e-4."""

    kind: LossKind = "grpo"
    low: float = 0.2
    high: float = 0.28
    mask_low: float = 0.5
    mask_high: float = 2.0
    ratio_cap: float = 2.0
    kl: float = 0.0


@dataclass(frozen=True, slots=True)
class StepReport:
    """What one forward and backward pass over the data of a step came to. `metrics` are means over trained tokens (`clipped`, `masked`, `ratio`,
    `entropy`, `mismatch` = mean |log old - log sampled|); `padding` is the share of computed tokens that were none."""

    loss: float
    tokens: int
    metrics: Mapping[str, float]
    padding: float = 0.0


class TrainingError(Exception):
    """Training that cannot begin or go on, in plain words with the way out. What was done so far is kept."""


class NothingToLearn(TrainingError):
    """The rollouts of group after group are all worth the same: a policy that has settled, or tasks that it cannot do at all."""


class Diverged(TrainingError):
    """A loss or a gradient that is not finite. The weights are as they were, unless `taken`: then they may be those after the step."""

    def __init__(self, why: str, *, taken: bool = False) -> None:
        super().__init__(why)
        self.taken = taken


class Trainer(Protocol):
    """The contract of all trainers, a subset of Tinker's: the weights that are trained, and the endpoint that samples from them.

    `version` counts the publications: 0 is what it began with. All raise TrainingError.
    """

    version: int

    async def logprobs(self, data: Sequence[Datum]) -> list[tuple[float, ...]]:
        """The log-probability of each trained token of each datum given those before it under the weights as they are; 0.0 for the others, or
        theirs, where a trainer has them anyway."""
        ...

    async def forward_backward(self, data: Sequence[Datum], settings: LossSettings) -> StepReport:
        """Adds the gradient of the loss, which is a sum over the given data already divided by the rollouts (`sft`: by the trained tokens) of all of them."""
        ...

    async def optim_step(self, learning_rate: float) -> float:
        """Takes the step and clears the gradients; returns the gradient's norm before clipping. Raises Diverged when
        the norm is not finite."""
        ...

    async def save(self, folder: Path) -> None:
        """Weights and optimizer, whole or not at all."""
        ...

    async def load(self, folder: Path) -> None: ...

    async def publish(self) -> int:
        """Samples from the weights as they are from now on, without losing a request in flight; returns the new version."""
        ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Sampled:
    """What an engine sampled; one entry for each token. `finish` is `stop` (the end-of-turn token, which is then the last of `ids`) or `length`."""

    ids: tuple[int, ...]
    logprobs: tuple[float, ...]
    versions: tuple[int, ...]
    finish: Literal["stop", "length"]


class Engine(Protocol):
    """Samples tokens after tokens, many requests at once, from weights that can be swapped while it does."""

    async def sample(
        self, prompt: Sequence[int], *, max_tokens: int, stop: Sequence[int], temperature: float = 1.0, seed: int = 0
    ) -> Sampled:
        """Raises TrainingError when the engine is lost; a swap in between never ends the request. top-p is 1, top-k off. Log-probabilities are
        those of the distribution that was sampled from at temperature 1."""
        ...

    async def swap(self, adapter: Path | None, version: int) -> None:
        """Samples from the base weights with this adapter (a PEFT folder; None: without) from now on."""
        ...

    async def close(self) -> None: ...

"""The same tensors and the same small model through TRL's GRPO trainer and through our losses: losses and gradients of all weights agree."""

from __future__ import annotations

import copy
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="the train extra is not installed: make test-train")
pytest.importorskip("trl", reason="TRL, which the losses are held against, is not installed: make test-train")

from redwell.train.advantages import advantages  # noqa: E402
from redwell.train.losses import means, of_logits, policy_loss  # noqa: E402
from redwell.train.types import LossSettings  # noqa: E402

pytestmark = pytest.mark.xdist_group("trl")
WORDS = 61
NEAR = {"abs": 1e-5, "rel": 1e-5}


@dataclass
class Made:
    """A sampled rollout: prompt, answer with `trained` False where the harness wrote it, and the three kinds of log-probabilities."""

    prompt: list[int]
    answer: list[int]
    trained: list[bool]
    old: list[float]
    sampled: list[float]
    reference: list[float]
    advantage: float


@pytest.fixture(scope="module")
def model() -> Any:
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(3)
    shape = LlamaConfig(
        vocab_size=WORDS,
        hidden_size=24,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        max_position_embeddings=64,
        tie_word_embeddings=False,
        initializer_range=0.3,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
    )
    return LlamaForCausalLM(shape)


@pytest.fixture(scope="module")
def trainer(model: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """TRL's trainer on a copy of the model, made the ordinary way; its loss is called with inputs of our own."""
    from datasets import Dataset
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from transformers import PreTrainedTokenizerFast
    from trl import GRPOConfig, GRPOTrainer

    words = Tokenizer(WordLevel({f"w{number}": number for number in range(WORDS)}, unk_token="w3"))
    folder: Path = tmp_path_factory.mktemp("trl")
    settings = GRPOConfig(
        output_dir=str(folder),
        use_cpu=True,
        bf16=False,
        report_to=[],
        per_device_train_batch_size=4,
        num_generations=4,
        loss_type="grpo",
        epsilon=0.2,
        epsilon_high=0.28,
        beta=0.0,
        disable_dropout=True,
    )
    made = GRPOTrainer(
        copy.deepcopy(model),
        reward_funcs=lambda completions, **_: [0.0] * len(completions),
        args=settings,
        train_dataset=Dataset.from_dict({"prompt": ["w5 w6"] * 4}),
        processing_class=PreTrainedTokenizerFast(
            tokenizer_object=words, pad_token="w0", bos_token="w1", eos_token="w2"
        ),
    )
    made.current_gradient_accumulation_steps = 1
    made.model.train()
    return made


def drawn(model: Any, seed: int) -> list[Made]:
    """Four rollouts of unequal length whose old log-probabilities are near those of the model, on both sides of the clip bounds."""
    dice = random.Random(seed)
    rollouts = []
    for advantage in advantages([0.9, 0.1, 0.4, 0.55]):
        prompt = [dice.randrange(3, WORDS) for _ in range(dice.randint(2, 7))]
        answer = [dice.randrange(3, WORDS) for _ in range(dice.randint(3, 11))]
        trained = [True, *[dice.random() < 0.7 for _ in answer[2:]], True]
        with torch.no_grad():
            new = logprobs(model, prompt + answer)[0][len(prompt) - 1 :].tolist()
        old = [value + dice.gauss(0, 0.25) for value in new]
        sampled = [value + dice.gauss(0, 0.4) for value in old]
        reference = [value + dice.gauss(0, 0.3) for value in new]
        assert advantage is not None
        rollouts.append(Made(prompt, answer, trained, old, sampled, reference, advantage))
    return rollouts


def logprobs(model: Any, ids: list[int]) -> tuple[Any, Any]:
    logits = model(torch.tensor([ids])).logits[0, :-1]
    return of_logits(logits, torch.tensor(ids[1:]))


def ours(model: Any, rollouts: list[Made], settings: LossSettings) -> tuple[float, dict[str, Any], dict[str, float]]:
    """Each rollout through the model by itself, without padding; the tokens laid end to end."""
    model.zero_grad()
    columns: dict[str, list[Any]] = {
        name: [] for name in ("new", "entropy", "old", "sampled", "advantage", "trained", "rollout", "reference")
    }
    for number, one in enumerate(rollouts):
        new, entropy = logprobs(model, one.prompt + one.answer)
        start, count = len(one.prompt) - 1, len(one.answer)
        columns["new"].append(new[start:])
        columns["entropy"].append(entropy[start:])
        for name, values in (
            ("old", one.old),
            ("sampled", one.sampled),
            ("trained", one.trained),
            ("reference", one.reference),
        ):
            columns[name].append(torch.tensor(values))
        columns["advantage"].append(torch.full((count,), one.advantage))
        columns["rollout"].append(torch.full((count,), number))
    flat = {name: torch.cat(parts) for name, parts in columns.items()}
    tokens = torch.tensor([sum(one.trained) for one in rollouts])
    loss, sums = policy_loss(**flat, tokens=tokens, rollouts=len(rollouts), settings=settings)
    loss.backward()
    return loss.item(), gradients(model), means([sums])


def theirs(
    trainer: Any, rollouts: list[Made], rho: list[list[float]] | None = None
) -> tuple[float, dict[str, Any], dict[str, float]]:
    """Prompts padded on the left, answers on the right, as TRL lays them; `rho` are its importance ratios against the sampler."""
    left, right = max(len(one.prompt) for one in rollouts), max(len(one.answer) for one in rollouts)

    def after(values: list[Any], rest: Any = 0.0) -> list[Any]:
        return [*values, *[rest] * (right - len(values))]

    inputs = {
        "prompt_ids": torch.tensor([[0] * (left - len(one.prompt)) + one.prompt for one in rollouts]),
        "prompt_mask": torch.tensor([[0] * (left - len(one.prompt)) + [1] * len(one.prompt) for one in rollouts]),
        "completion_ids": torch.tensor([after(one.answer, 0) for one in rollouts]),
        "completion_mask": torch.tensor([after([1] * len(one.answer), 0) for one in rollouts]),
        "tool_mask": torch.tensor([after([int(flag) for flag in one.trained], 0) for one in rollouts]),
        "advantages": torch.tensor([one.advantage for one in rollouts]),
        "old_per_token_logps": torch.tensor([after(one.old) for one in rollouts]),
        "ref_per_token_logps": torch.tensor([after(one.reference) for one in rollouts]),
    }
    trainer.use_vllm = rho is not None
    if rho is not None:
        inputs["importance_sampling_ratio"] = torch.tensor([after(one) for one in rho])
    trainer.model.zero_grad()
    trainer._metrics["train"].clear()
    loss = trainer._compute_loss(trainer.model, inputs)
    loss.backward()
    told = {name: values[-1] for name, values in trainer._metrics["train"].items()}
    return loss.item(), gradients(trainer.model), told


def gradients(model: Any) -> dict[str, Any]:
    return {name: weight.grad.clone() for name, weight in model.named_parameters() if weight.grad is not None}


def agree(mine: dict[str, Any], other: dict[str, Any]) -> None:
    assert mine.keys() == other.keys()
    assert max(float(part.abs().max()) for part in mine.values()) > 1e-3
    for name, part in mine.items():
        torch.testing.assert_close(
            part, other[name], atol=1e-5, rtol=1e-5, msg=lambda told, name=name: f"{name}: {told}"
        )


@pytest.fixture(params=range(5))
def seed(request: pytest.FixtureRequest) -> int:
    return int(request.param)


def as_sampled_by_old(rollouts: list[Made]) -> list[Made]:
    """As if the sampler were exact, so that its correction is 1 everywhere."""
    return [Made(r.prompt, r.answer, r.trained, r.old, r.old, r.reference, r.advantage) for r in rollouts]


def set_up(trainer: Any, level: str, low: float, high: float, kl: float = 0.0) -> None:
    trainer.importance_sampling_level, trainer.epsilon_low, trainer.epsilon_high, trainer.beta = level, low, high, kl


def test_grpo_agrees(model, trainer, seed):
    set_up(trainer, "token", 0.2, 0.28)
    rollouts = as_sampled_by_old(drawn(model, seed))
    mine, other = ours(model, rollouts, LossSettings("grpo")), theirs(trainer, rollouts)
    assert mine[0] == pytest.approx(other[0], **NEAR)
    agree(mine[1], other[1])
    assert mine[2]["entropy"] == pytest.approx(other[2]["entropy"], **NEAR)
    assert mine[2]["clipped"] > 0


def test_grpo_with_kl_agrees(model, trainer, seed):
    set_up(trainer, "token", 0.2, 0.28, kl=0.07)
    rollouts = as_sampled_by_old(drawn(model, seed))
    mine, other = ours(model, rollouts, LossSettings("grpo", kl=0.07)), theirs(trainer, rollouts)
    assert mine[0] == pytest.approx(other[0], **NEAR)
    agree(mine[1], other[1])
    assert mine[2]["kl"] == pytest.approx(other[2]["kl"], **NEAR)


@pytest.mark.parametrize(("low", "high"), [(3e-4, 4e-4), (0.2, 0.28)])
def test_gspo_agrees(model, trainer, seed, low, high):
    set_up(trainer, "sequence", low, high)
    rollouts = as_sampled_by_old(drawn(model, seed))
    mine, other = ours(model, rollouts, LossSettings("gspo", low=low, high=high)), theirs(trainer, rollouts)
    assert mine[0] == pytest.approx(other[0], **NEAR)
    agree(mine[1], other[1])


def test_truncated_importance_sampling_agrees(model, trainer, seed):
    # TRL's token_truncate: the ratio cut at its maximum, nothing masked
    set_up(trainer, "token", 0.2, 0.28)
    rollouts = drawn(model, seed)
    rho = [
        torch.clamp(torch.tensor(r.old) - torch.tensor(r.sampled), max=20).exp().clamp(max=1.3).tolist()
        for r in rollouts
    ]
    settings = LossSettings("grpo", mask_low=0.0, mask_high=1e9, ratio_cap=1.3)
    mine, other = ours(model, rollouts, settings), theirs(trainer, rollouts, rho)
    assert mine[0] == pytest.approx(other[0], **NEAR)
    agree(mine[1], other[1])
    assert mine[2]["capped"] > 0


def test_the_two_sided_token_mask_agrees(model, trainer, seed):
    # TRL's token_mask: the ratio where it lies within the bounds, else 0; its denominator, too, is before the mask
    set_up(trainer, "token", 0.2, 0.28)
    rollouts, rho = drawn(model, seed), []
    for one in rollouts:
        ratio = (torch.tensor(one.old) - torch.tensor(one.sampled)).exp()
        rho.append(ratio.masked_fill((ratio < 0.7) | (ratio > 1.5), 0.0).tolist())
    settings = LossSettings("grpo", mask_low=0.7, mask_high=1.5, ratio_cap=1e9)
    mine, other = ours(model, rollouts, settings), theirs(trainer, rollouts, rho)
    assert mine[0] == pytest.approx(other[0], **NEAR)
    agree(mine[1], other[1])
    assert mine[2]["masked"] > 0


def test_gspo_with_token_weights_has_the_same_loss_and_its_own_gradient(model, trainer):
    # the token form gives each token the gradient of its own weight, TRL's all of them that of the mean: the value is one, by design the slope is not
    set_up(trainer, "sequence", 0.2, 0.28)
    rollouts = drawn(model, 1)
    rho = [(torch.tensor(one.old) - torch.tensor(one.sampled)).exp().clamp(max=1.3).tolist() for one in rollouts]
    settings = LossSettings("gspo", mask_low=0.0, mask_high=1e9, ratio_cap=1.3)
    mine, other = ours(model, rollouts, settings), theirs(trainer, rollouts, rho)
    assert mine[0] == pytest.approx(other[0], **NEAR)
    with pytest.raises(AssertionError):
        agree(mine[1], other[1])


def test_the_standard_deviation_of_advantages_is_the_one_of_trl():
    from trl.trainer.utils import nanstd

    rewards = [0.9, 0.1, float("nan"), 0.4, 0.55, 1.0]
    tensor = torch.tensor(rewards, dtype=torch.float64)
    expected = (tensor - torch.nanmean(tensor)) / (nanstd(tensor) + 1e-4)
    found = advantages(rewards, epsilon=1e-4)
    assert [one for one in found if one is not None] == pytest.approx(expected[~expected.isnan()].tolist(), abs=1e-12)

"""The loss and gradient of supervised fine-tuning beside those of TRL's SFTTrainer, on the same captured tokens and masks."""

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="the train extra is not installed: make test-train")
pytest.importorskip("trl", reason="TRL is not installed: make test-train")

import torch
from datasets import Dataset
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from train.tiny_models import VOCABULARY, write_llama
from transformers import AutoModelForCausalLM, PreTrainedTokenizerFast
from trl import SFTConfig, SFTTrainer

from redwell.train.local import weights
from redwell.train.local.trainer import LocalTrainer
from redwell.train.types import Datum, LossSettings

pytestmark = pytest.mark.xdist_group("trl")


def conversations(count: int) -> list[Datum]:
    """Several turns each: prompt, answer, what a cell printed, answer, and so on."""
    dice, found = random.Random(1), []
    for number in range(count):
        ids: list[int] = []
        trained: list[bool] = []
        for turn in range(2 * dice.randint(1, 3)):
            size = dice.randint(1, 12)
            ids += [dice.randrange(VOCABULARY) for _ in range(size)]
            trained += [turn % 2 == 1] * size
        found.append(Datum(tuple(ids), tuple(trained), (0.0,) * len(ids), 1.0, number, sum(trained)))
    return found


def trl_trainer(model: Any, data: list[Datum], folder: Path, **settings: Any) -> SFTTrainer:
    words = {f"t{number}": number for number in range(VOCABULARY)}
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer(WordLevel(words, unk_token="t0")), eos_token="t2", pad_token="t3"
    )
    rows = {
        "input_ids": [list(one.ids) for one in data],
        "assistant_masks": [[int(trained) for trained in one.trained] for one in data],
    }
    config = SFTConfig(
        output_dir=str(folder), bf16=False, use_cpu=True, gradient_checkpointing=False, report_to=[],
        per_device_train_batch_size=len(data), **settings,
    )  # fmt: skip
    return SFTTrainer(model, args=config, train_dataset=Dataset.from_dict(rows), processing_class=tokenizer)


@pytest.mark.parametrize("micro_tokens", [4096, 60])
def test_loss_and_gradient_are_those_of_trl(tmp_path: Path, micro_tokens: int) -> None:
    torch.set_num_threads(1)
    base = write_llama(tmp_path / "base")
    data = conversations(8)
    ours = LocalTrainer(base, tmp_path / "ours", precision="fp32", device="cpu", micro_tokens=micro_tokens)
    with torch.no_grad():
        for number, value in enumerate(ours._parameters.values()):
            value.copy_(torch.randn(value.shape, generator=torch.Generator().manual_seed(number)) * 0.2)
    asyncio.run(ours.save(tmp_path / "kept"))
    report = asyncio.run(ours.forward_backward(data, LossSettings("sft")))

    model = weights.with_lora(AutoModelForCausalLM.from_pretrained(base), 8, 16.0, weights.LINEAR, 0)
    weights.take_weights(model, weights.read_weights(model, tmp_path / "kept"))
    theirs = trl_trainer(model, data, tmp_path / "theirs")
    batch = next(iter(theirs.get_train_dataloader()))
    assert batch["input_ids"].shape == (len(data), max(len(one.ids) for one in data))
    loss = theirs.compute_loss(model, batch)
    loss.backward()

    assert report.tokens == int((batch["labels"] != -100).sum()) == sum(one.tokens for one in data)
    assert report.loss == pytest.approx(float(loss), abs=1e-5)
    expected = weights.trained(model)
    for name, value in ours._parameters.items():
        assert float(value.grad.abs().max()) > 1e-4
        torch.testing.assert_close(value.grad, expected[name].grad, atol=1e-5, rtol=1e-4)


def test_whole_steps_end_at_the_weights_of_trl(tmp_path: Path) -> None:
    """Clipping, AdamW and the rate included, over three steps."""
    torch.set_num_threads(1)
    base = write_llama(tmp_path / "base")
    data = conversations(6)
    ours = LocalTrainer(base, tmp_path / "ours", precision="fp32", device="cpu", max_norm=0.5)
    asyncio.run(ours.save(tmp_path / "kept"))

    async def steps() -> list[float]:
        norms = []
        for _ in range(3):
            await ours.forward_backward(data, LossSettings("sft"))
            norms.append(await ours.optim_step(1e-3))
        return norms

    norms = asyncio.run(steps())
    model = weights.with_lora(AutoModelForCausalLM.from_pretrained(base), 8, 16.0, weights.LINEAR, 0)
    weights.take_weights(model, weights.read_weights(model, tmp_path / "kept"))
    settings = {"max_steps": 3, "learning_rate": 1e-3, "lr_scheduler_type": "constant", "max_grad_norm": 0.5}
    theirs = trl_trainer(model, data, tmp_path / "theirs", logging_steps=1, save_strategy="no", **settings)
    theirs.train()
    told = [line["grad_norm"] for line in theirs.state.log_history if "grad_norm" in line]
    assert norms == pytest.approx(told, rel=1e-3)
    # AdamW's first steps go by the sign of the gradient: the tenth of one step is what rounding may turn.
    for name, value in weights.trained(model).items():
        assert float((value - ours._parameters[name]).abs().mean()) < 1e-4

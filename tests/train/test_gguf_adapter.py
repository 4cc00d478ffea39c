"""What was trained in PyTorch is what llama.cpp samples from: the adapter as a GGUF file, for both families."""

import asyncio
import json
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="the train extra is not installed: make test-train")
pytest.importorskip("xllamacpp", reason="the train extra is not installed: make test-train")

import torch
from servers import small_policy
from train.tiny_models import datum

from redwell.train.local import weights
from redwell.train.local.gguf_adapter import write_adapter
from redwell.train.local.trainer import LocalTrainer
from redwell.train.types import Datum, TrainingError

pytestmark = pytest.mark.xdist_group("llama")
PROMPTS = [[256, 10, 20], [5, 6, 7, 8, 9, 10, 11, 12], [256] + [40] * 30]


@pytest.fixture(scope="module", params=["llama", "qwen2"])
def file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random model whose weights are whole in bf16, so that nothing is lost on the way."""
    policy = small_policy.model(family=request.param).to(torch.bfloat16).float()
    return small_policy.gguf_file(tmp_path_factory.mktemp(request.param) / "policy.gguf", policy)


def trainer_of(file: Path, folder: Path, **changes: Any) -> LocalTrainer:
    return LocalTrainer(file, folder, **({"precision": "fp32", "device": "cpu", "slots": 4, "context": 512} | changes))


def strong(trainer: LocalTrainer) -> None:
    """LoRA weights that change what the model says."""
    with torch.no_grad():
        for number, value in enumerate(weights.trained(trainer.model).values()):
            value.copy_(torch.randn(value.shape, generator=torch.Generator().manual_seed(number)) * 0.1)


async def gap(trainer: LocalTrainer, data: list[Datum]) -> float:
    """The mean distance of the engine's log-probabilities from the trainer's."""
    pairs = [
        (one.sampled[place], values[place])
        for one, values in zip(data, await trainer.logprobs(data), strict=True)
        for place, trained in enumerate(one.trained)
        if trained
    ]
    return sum(abs(first - second) for first, second in pairs) / len(pairs)


def test_the_engine_samples_from_the_weights_that_were_published(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    torch.set_num_threads(1)
    trainer = trainer_of(file, tmp_path / "run", engine="llama")

    async def sampled(version: int) -> list[Datum]:
        data = []
        for number, prompt in enumerate(PROMPTS):
            answer = await trainer._engine.sample(prompt, max_tokens=24, stop=[257], seed=number)
            assert set(answer.versions) == {version}
            one = datum((*prompt, *answer.ids), len(prompt), rollout=number)
            data.append(replace(one, sampled=(0.0,) * len(prompt) + answer.logprobs))
        return data

    async def work() -> None:
        try:
            trainer._engine = trainer._make_engine()
            before = await sampled(0)
            assert await gap(trainer, before) < 0.01  # what keys and values in fp16 cost
            strong(trainer)
            assert await trainer.publish() == 1
            assert await gap(trainer, await sampled(1)) < 0.01
            assert await gap(trainer, before) > 0.5
        finally:
            await trainer.close()

    asyncio.run(work())
    assert os.listdir(tmp_path / "run" / "published") == ["000001"]


@pytest.fixture(scope="module")
def adapter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A PEFT folder as `publish` writes it."""
    folder = tmp_path_factory.mktemp("adapter")
    policy = small_policy.folder(folder / "base")
    trainer = trainer_of(policy, folder / "run")
    weights.write_weights(trainer.model, folder / "peft", trainer._about(1))
    return folder / "peft"


def changed(adapter: Path, folder: Path, file: str, **fields: Any) -> Path:
    shutil.copytree(adapter, folder)
    known = json.loads((folder / file).read_text())
    (folder / file).write_text(json.dumps(known | fields))
    return folder


def test_an_adapter_names_no_path_of_this_machine(adapter: Path) -> None:
    for name in ("adapter_config.json", "redwell.json"):
        assert str(adapter.parent) not in (adapter / name).read_text()
    assert json.loads((adapter / "redwell.json").read_text())["base"] == "base"


def test_a_folder_of_peft_itself_is_read_by_the_base_that_it_names(adapter: Path, tmp_path: Path) -> None:
    folder = changed(
        adapter, tmp_path / "peft", "adapter_config.json", base_model_name_or_path=str(adapter.parent / "base")
    )
    (folder / "redwell.json").unlink()
    first = write_adapter(folder, tmp_path / "first.gguf").read_bytes()
    assert first == write_adapter(adapter, tmp_path / "second.gguf").read_bytes()


@pytest.mark.parametrize(
    ("file", "fields", "said"),
    [
        ("adapter_config.json", {"use_dora": True}, "use_dora"),
        ("adapter_config.json", {"modules_to_save": ["lm_head"]}, "modules_to_save"),
        ("redwell.json", {"architecture": "gemma3"}, "gemma3"),
        ("redwell.json", {"heads": None}, "heads"),
    ],
)
def test_what_llama_cpp_would_apply_wrongly_is_refused(
    adapter: Path, tmp_path: Path, file: str, fields: dict[str, Any], said: str
) -> None:
    folder = changed(adapter, tmp_path / "peft", file, **fields)
    with pytest.raises(TrainingError, match=said):
        write_adapter(folder, tmp_path / "out" / "adapter.gguf")
    assert not (tmp_path / "out").exists() or not os.listdir(tmp_path / "out")


def test_an_adapter_beside_other_matrices_is_refused_and_leaves_no_file(tmp_path: Path) -> None:
    policy = small_policy.folder(tmp_path / "base")
    trainer = trainer_of(policy, tmp_path / "run", targets=("q_proj", "lm_head"))
    weights.write_weights(trainer.model, tmp_path / "peft", trainer._about(1))
    with pytest.raises(TrainingError, match=r"lm_head.* has no place"):
        write_adapter(tmp_path / "peft", tmp_path / "out" / "adapter.gguf")
    assert os.listdir(tmp_path / "out") == []


def test_a_damaged_or_missing_adapter_is_told(adapter: Path, tmp_path: Path) -> None:
    folder = changed(adapter, tmp_path / "peft", "redwell.json")
    (folder / "adapter_model.safetensors").write_bytes(b"no tensors at all")
    with pytest.raises(TrainingError, match="damaged"):
        write_adapter(folder, tmp_path / "adapter.gguf")
    (folder / "adapter_config.json").write_text("[")
    with pytest.raises(TrainingError, match=r"adapter_config\.json is damaged"):
        write_adapter(folder, tmp_path / "adapter.gguf")
    with pytest.raises(TrainingError, match="No such file"):
        write_adapter(tmp_path / "nowhere", tmp_path / "adapter.gguf")

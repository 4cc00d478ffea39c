"""Where trained weights come from: GGUF files and folders, sound and not."""

import os
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="the train extra is not installed: make test-train")

import torch
from servers import small_policy
from train.tiny_models import write_llama
from transformers import AutoModelForCausalLM, MistralConfig, MistralForCausalLM

from redwell.train.local import weights
from redwell.train.types import TrainingError

pytestmark = pytest.mark.xdist_group("tiny_llama")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_policy.gguf_file(tmp_path_factory.mktemp("gguf") / "policy.gguf", small_policy.model())


def logits(model: Any) -> torch.Tensor:
    with torch.no_grad():
        return model(torch.arange(40)[None]).logits.float()  # type: ignore[no-any-return]


def test_a_gguf_file_becomes_the_model_that_it_holds_once(file: Path, tmp_path: Path) -> None:
    folder = weights.model_folder(file, tmp_path)
    assert folder.parent == tmp_path
    assert os.listdir(tmp_path) == [folder.name]
    found = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    kept = small_policy.model()
    with torch.no_grad():
        for value in kept.parameters():
            value.copy_(value.to(torch.bfloat16))
    torch.testing.assert_close(logits(found), logits(kept), atol=1e-4, rtol=1e-4)
    written = (folder / "model.safetensors").stat().st_mtime_ns
    assert weights.model_folder(file, tmp_path) == folder
    assert (folder / "model.safetensors").stat().st_mtime_ns == written


def test_while_weights_are_loaded_only_the_libraries_are_not_heard() -> None:
    theirs, ours = {"__name__": "transformers.modeling_utils"}, {"__name__": "redwell.train.local.weights"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with weights.loading():
            exec("import warnings; warnings.warn('by another name', FutureWarning)", theirs)
            for kind, where in ((FutureWarning, ours), (UserWarning, theirs)):
                with pytest.raises(kind, match="told"):
                    exec(f"import warnings; warnings.warn('told', {kind.__name__})", where)
        with pytest.raises(FutureWarning, match="told"):
            exec("import warnings; warnings.warn('told', FutureWarning)", theirs)


def test_another_content_is_another_folder(file: Path, tmp_path: Path) -> None:
    other = small_policy.gguf_file(tmp_path / "policy.gguf", small_policy.model(seed=1))
    assert weights.model_folder(file, tmp_path / "cache") != weights.model_folder(other, tmp_path / "cache")


def test_the_cache_is_the_users() -> None:
    assert weights.cache({"XDG_CACHE_HOME": "/somewhere"}) == Path("/somewhere/redwell/weights")
    assert weights.cache({}) == Path.home() / ".cache" / "redwell" / "weights"


def test_a_folder_is_taken_as_it_is(tmp_path: Path) -> None:
    base = write_llama(tmp_path / "base")
    assert weights.model_folder(base, tmp_path / "cache") == base
    assert not (tmp_path / "cache").exists()


def test_what_is_no_model_is_told_and_leaves_nothing_behind(file: Path, tmp_path: Path) -> None:
    kept = tmp_path / "cache"
    with pytest.raises(TrainingError, match="No such file"):
        weights.model_folder(tmp_path / "nowhere.gguf", kept)
    (tmp_path / "text.gguf").write_text("a letter to the lender")
    with pytest.raises(TrainingError, match="neither a GGUF file nor a folder"):
        weights.model_folder(tmp_path / "text.gguf", kept)
    with pytest.raises(TrainingError, match=r"no config\.json"):
        weights.model_folder(tmp_path, kept)
    whole = file.read_bytes()
    for size in (len(whole) // 2, 200):
        (tmp_path / "cut.gguf").write_bytes(whole[:size])
        with pytest.raises(TrainingError, match=r"cut\.gguf could not be turned into weights"):
            weights.model_folder(tmp_path / "cut.gguf", kept)
    assert os.listdir(kept) == []


def test_a_cache_that_cannot_be_written_is_told(file: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file, not a folder")
    with pytest.raises(TrainingError, match="XDG_CACHE_HOME"):
        weights.model_folder(file, tmp_path / "cache")


def test_a_damaged_folder_is_told(tmp_path: Path) -> None:
    base = write_llama(tmp_path / "base")
    (base / "model.safetensors").write_bytes(b"nothing")
    with pytest.raises(TrainingError, match="cannot be loaded"):
        weights.load_base(base, "fp32", "cpu", "sdpa")


def test_attention_that_is_not_full_is_refused(tmp_path: Path) -> None:
    config = MistralConfig(
        vocab_size=32, hidden_size=16, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2,
        num_key_value_heads=1, sliding_window=8,
    )  # fmt: skip
    MistralForCausalLM(config).save_pretrained(tmp_path / "base")
    with pytest.raises(TrainingError, match="attention is not full"):
        weights.load_base(tmp_path / "base", "fp32", "cpu", "sdpa")


def test_targets_that_the_model_lacks_are_named(tmp_path: Path) -> None:
    base = weights.load_base(write_llama(tmp_path / "base"), "fp32", "cpu", "sdpa")
    with pytest.raises(TrainingError, match="no c_attn, wq; of what is usual it has q_proj, k_proj"):
        weights.with_lora(base, 4, 8.0, ("q_proj", "c_attn", "wq"), 0)


def test_new_lora_weights_change_nothing_and_come_from_the_seed(tmp_path: Path) -> None:
    folder = write_llama(tmp_path / "base")
    bare = weights.load_base(folder, "fp32", "cpu", "sdpa")
    expected = logits(bare)
    state = torch.random.get_rng_state()
    made = weights.with_lora(bare, 4, 8.0, weights.LINEAR, 3)
    assert torch.equal(torch.random.get_rng_state(), state)
    assert torch.equal(logits(made), expected)
    again = weights.with_lora(weights.load_base(folder, "fp32", "cpu", "sdpa"), 4, 8.0, weights.LINEAR, 3)
    other = weights.with_lora(weights.load_base(folder, "fp32", "cpu", "sdpa"), 4, 8.0, weights.LINEAR, 4)
    first, second, third = (weights.trained(model) for model in (made, again, other))
    assert all(torch.equal(first[name], second[name]) for name in first)
    assert not all(torch.equal(first[name], third[name]) for name in first)


def test_lora_weights_are_fp32_beside_bf16(tmp_path: Path) -> None:
    base = weights.load_base(write_llama(tmp_path / "base"), "bf16", "cpu", "sdpa")
    made = weights.with_lora(base, 4, 8.0, weights.LINEAR, 0)
    assert {value.dtype for value in weights.trained(made).values()} == {torch.float32}
    assert {value.dtype for name, value in made.named_parameters() if not value.requires_grad} == {torch.bfloat16}


def test_precision_is_what_was_asked_for() -> None:
    assert weights.precision_for("cpu", "fp32") == "fp32"
    assert weights.precision_for("cpu", "bf16") == "bf16"
    flags = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    if "avx512_bf16" in flags or "amx_bf16" in flags:
        assert weights.precision_for("cpu", "auto") == "bf16"
    elif "avx2" in flags:
        assert weights.precision_for("cpu", "auto") == "fp32"


def test_without_the_extra_it_says_what_to_install() -> None:
    code = (
        "import sys\nsys.modules['peft'] = None\n"
        "from pathlib import Path\nfrom redwell.train.local.trainer import LocalTrainer\n"
        "from redwell.train.types import TrainingError\n"
        "try:\n    LocalTrainer(Path('base'), Path('run'))\nexcept TrainingError as error:\n    print(error)\n"
        "assert 'torch' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 'pip install "redwell[train]"' in done.stdout

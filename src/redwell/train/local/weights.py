"""The weights that are trained: a GGUF file or a Hugging Face folder as a PyTorch model, with LoRA beside it."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Literal

from redwell.models.local_files import MAGIC, digest
from redwell.train.types import TrainingError

Precision = Literal["auto", "bf16", "fp32"]
Device = Literal["auto", "cpu", "cuda"]

LINEAR = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
"""The matrices of a layer of the llama and qwen2 families."""
ABOUT = "redwell.json"
EXTRA = 'pip install "redwell[train]"'


def cache(environment: dict[str, str] | None = None) -> Path:
    """Where dequantised models are kept: `redwell/weights` in the user's cache folder."""
    values = os.environ if environment is None else environment
    own = values.get("XDG_CACHE_HOME", "").strip()
    return (Path(own).expanduser() if own else Path.home() / ".cache") / "redwell" / "weights"


def need_torch() -> None:
    """Raises TrainingError when what trains is not installed."""
    try:
        import peft  # noqa: F401
        import safetensors  # noqa: F401
        import torch  # noqa: F401
        import transformers  # noqa: F401
    except ImportError as error:
        raise TrainingError(
            f"training on this machine needs the extra `train` ({error.name} is missing): {EXTRA}"
        ) from None


@contextmanager
def loading() -> Iterator[None]:
    """While weights are loaded, nothing is shown of what transformers and PEFT have to tell each other: progress bars, and names that one still
    uses and the other is about to drop. A warning about a call of ours is shown as ever."""
    import transformers

    transformers.utils.logging.disable_progress_bar()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=FutureWarning, module=r"(transformers|peft)\b")
        yield


def device_named(device: Device) -> str:
    """`cpu` or `cuda`. Raises TrainingError when a GPU is asked for and there is none."""
    import torch

    there = torch.cuda.is_available()
    if device == "cuda" and not there:
        raise TrainingError(
            "device = cuda: PyTorch finds no GPU on this machine; take device = cpu, or install the build of torch for your GPU's driver"
        )
    return "cuda" if there and device != "cpu" else "cpu"


def precision_for(device: str, asked: Precision) -> Literal["bf16", "fp32"]:
    """bf16 where it is asked for, or where the processor multiplies it by itself: without AVX512-BF16 or AMX it is slower than fp32."""
    import torch

    if asked != "auto":
        return asked
    if device == "cuda":
        return "bf16" if torch.cuda.is_bf16_supported() else "fp32"
    able = torch.cpu.get_capabilities()
    return "bf16" if any(able.get(name) for name in ("avx512_bf16", "amx_bf16", "amx_tile", "bf16")) else "fp32"


def model_folder(base: Path, kept: Path | None = None) -> Path:
    """The Hugging Face folder of a base: itself, or a GGUF file dequantised into the cache, once for each content of such a file.

    Raises TrainingError when it is neither, is damaged, of a kind that cannot be trained, or the cache cannot be written.
    """
    if base.is_dir():
        if not (base / "config.json").is_file():
            raise TrainingError(
                f"{base}: there is no config.json: name a folder as `save_pretrained` writes it, or a GGUF file"
            )
        return base
    try:
        with base.open("rb") as file:
            start = file.read(len(MAGIC))
        if start != MAGIC:
            raise TrainingError(f"{base} is neither a GGUF file nor a folder with a model")
        target = (kept or cache()) / digest(base)[:32]
    except OSError as error:
        raise TrainingError(f"{base} cannot be read: {error.strerror or error}") from None
    if not target.is_dir():
        _dequantise(base, target)
    return target


def _dequantise(file: Path, target: Path) -> None:
    """Writes the model as a folder, whole or not at all; two processes may do so at once."""
    import torch
    import transformers

    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(prefix=".new-", dir=target.parent))
    except OSError as error:
        raise TrainingError(
            f"{target.parent}: {error.strerror or error}: make room there, or set XDG_CACHE_HOME"
        ) from None
    try:
        # Later releases would leave the weights packed where they have a kernel for it, and then they could not be trained.
        dense = (
            {"quantization_config": transformers.GgufConfig(dequantize=True)}
            if hasattr(transformers, "GgufConfig")
            else {}
        )
        # Kept in bf16, as it is trained: what four bits were rounded to is not worth four bytes.
        with loading():
            model = transformers.AutoModelForCausalLM.from_pretrained(
                str(file.parent), gguf_file=file.name, dtype=torch.bfloat16, **dense
            )
            # It counts as a quantised model until told otherwise, and would not be saved.
            model.hf_quantizer = None
            model.config.__dict__.pop("quantization_config", None)
            model.save_pretrained(part)
        with suppress(OSError):
            part.rename(target)
        if not target.is_dir():
            raise TrainingError(f"{target} cannot be written: make room there, or set XDG_CACHE_HOME")
    except TrainingError:
        raise
    except Exception as error:  # transformers raises what it likes over a damaged file
        raise TrainingError(
            f"{file} could not be turned into weights in {target.parent} ({_short(error)}): the file may be damaged or of a kind that cannot "
            "be trained, or the disk is full"
        ) from None
    finally:
        shutil.rmtree(part, ignore_errors=True)


def load_base(folder: Path, dtype: Precision, device: str, attention: str) -> Any:
    """The model of a Hugging Face folder, frozen, with the implementation of attention of that name. Raises TrainingError."""
    import torch
    import transformers

    kind = torch.bfloat16 if dtype == "bf16" else torch.float32
    try:
        with loading():
            model = transformers.AutoModelForCausalLM.from_pretrained(
                folder, dtype=kind, attn_implementation=attention, local_files_only=True
            )
    except Exception as error:  # as above
        raise TrainingError(f"{folder}: the model cannot be loaded: {_short(error)}") from None
    _refuse_unknown(model.config, folder)
    model.requires_grad_(False)
    return model.to(device).eval()


def _refuse_unknown(config: Any, folder: Path) -> None:
    """Packed attention is full and causal, and log-probabilities come straight from the last matrix: what works otherwise is refused."""
    kinds = set(getattr(config, "layer_types", None) or ["full_attention"])
    if kinds != {"full_attention"} or (
        getattr(config, "sliding_window", None) and getattr(config, "use_sliding_window", True)
    ):
        raise TrainingError(
            f"{folder}: its attention is not full in every layer ({', '.join(sorted(kinds))}); take a llama or qwen2 model"
        )
    for name in ("final_logit_softcapping", "logits_scaling", "logit_scale"):
        if getattr(config, name, None) not in (None, 1, 1.0):
            raise TrainingError(f"{folder}: it changes its logits ({name}); take a llama or qwen2 model")


def with_lora(model: Any, rank: int, alpha: float, targets: Sequence[str], seed: int) -> Any:
    """Puts LoRA weights in fp32 beside the matrices named by `targets` (B is 0, so that nothing changes yet). Raises TrainingError."""
    import torch
    from peft import LoraConfig, get_peft_model

    names = {name.rpartition(".")[2] for name, _ in model.named_modules()}
    if missing := [name for name in targets if name not in names]:
        usual = ", ".join(name for name in LINEAR if name in names)
        raise TrainingError(f"targets: the model has no {', '.join(missing)}; of what is usual it has {usual}")
    config = LoraConfig(
        r=rank, lora_alpha=alpha, target_modules=list(targets), lora_dropout=0.0, bias="none", task_type="CAUSAL_LM"
    )
    with torch.random.fork_rng(devices=[]), loading():
        torch.manual_seed(seed)
        return get_peft_model(model, config)


def leave_casts_to_autocast(model: Any) -> None:
    """PEFT widens what goes into LoRA weights to fp32, and autocast narrows it again: two copies for each matrix, and nothing gained."""
    from peft.tuners.tuners_utils import BaseTunerLayer

    for module in model.modules():
        if isinstance(module, BaseTunerLayer):
            module.cast_input_dtype_enabled = False


def bare(model: Any) -> Any:
    """The model under its LoRA weights; the model itself where it has none."""
    return model.get_base_model() if hasattr(model, "peft_config") else model


def trained(model: Any) -> dict[str, Any]:
    """The parameters that are trained, by name."""
    return {name: value for name, value in model.named_parameters() if value.requires_grad}


def write_weights(model: Any, folder: Path, about: dict[str, Any]) -> None:
    """Writes what is trained: the adapter as PEFT keeps it, or the whole model where it has none; and `redwell.json`, what it belongs to, by
    name and shape and never by a path. Raises OSError."""
    from safetensors.torch import save

    folder.mkdir(parents=True, exist_ok=True)
    if hasattr(model, "peft_config"):
        config = model.peft_config["default"]
        fields = config.to_dict() | {"base_model_name_or_path": about["base"], "inference_mode": True}
        fields["target_modules"] = sorted(fields["target_modules"])
        text = json.dumps(fields, indent=2, default=str)
        (folder / "adapter_config.json").write_text(text + "\n", encoding="utf-8")
    else:
        model.config.save_pretrained(folder)
    state = {name: value.detach().to("cpu").contiguous() for name, value in _state(model).items()}
    # Through Python's own files, so that a full disk is an OSError.
    (folder / _file(model)).write_bytes(save(state, metadata={"format": "pt"}))
    (folder / ABOUT).write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")


def read_weights(model: Any, folder: Path) -> dict[str, Any]:
    """The trained weights of such a folder, for `take_weights`. Raises TrainingError when they are not there, damaged, or of another shape."""
    from safetensors import SafetensorError
    from safetensors.torch import load

    file = folder / _file(model)
    try:
        state: dict[str, Any] = load(file.read_bytes())
    except OSError as error:
        raise TrainingError(f"{file} cannot be read: {error.strerror or error}") from None
    except SafetensorError as error:
        raise TrainingError(f"{file} is damaged: {_short(error)}") from None
    own = {name: tuple(value.shape) for name, value in _state(model).items()}
    other = {name: tuple(value.shape) for name, value in state.items()}
    if own != other:
        name = min(set(own.items()) ^ set(other.items()))[0]
        there, here = other.get(name, "missing"), own.get(name, "missing")
        raise TrainingError(
            f"{file} belongs to another model, rank or targets: {name} is {there} there and {here} here"
        )
    return state


def take_weights(model: Any, state: dict[str, Any]) -> None:
    """Takes weights that `read_weights` found to fit."""
    import torch

    with torch.no_grad():
        for name, value in _state(model).items():
            value.copy_(state[name])


def _state(model: Any) -> dict[str, Any]:
    """The trained weights under the names that they have in a file."""
    if not hasattr(model, "peft_config"):
        return trained(model)
    from peft import get_peft_model_state_dict

    return dict(get_peft_model_state_dict(model))


def _file(model: Any) -> str:
    return "adapter_model.safetensors" if hasattr(model, "peft_config") else "model.safetensors"


def _short(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]

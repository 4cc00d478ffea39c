"""A PEFT adapter as the GGUF file that llama.cpp loads beside its model, for the llama and qwen2 families."""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from redwell.train.local.weights import ABOUT, EXTRA
from redwell.train.types import TrainingError

_NAMES = {
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
_TENSOR = re.compile(r"layers\.(\d+)\.((?:self_attn|mlp)\.\w+)\.lora_([AB])\.weight$")
_OTHERWISE = (
    "use_rslora",
    "use_dora",
    "fan_in_fan_out",
    "modules_to_save",
    "rank_pattern",
    "alpha_pattern",
    "lora_bias",
)


def write_adapter(folder: Path, file: Path) -> Path:
    """Writes the adapter of a PEFT folder to `file`, whole or not at all; returns the file.

    The family and the heads are read from the folder's `redwell.json`, else from the `config.json` of the base that the adapter names.
    Raises TrainingError for an adapter that llama.cpp could not apply, or would apply wrongly.
    """
    try:
        import gguf
        import numpy
        from safetensors import SafetensorError
        from safetensors.numpy import load
    except ImportError as error:
        raise TrainingError(f"a GGUF adapter needs the extra `train` ({error.name} is missing): {EXTRA}") from None
    config = _json(folder / "adapter_config.json")
    if odd := [name for name in _OTHERWISE if config.get(name)]:
        raise TrainingError(f"{folder}: its {', '.join(odd)} cannot be said in a GGUF adapter: train plain LoRA")
    family, heads, kv_heads = _base(folder, config)
    try:
        state = load((folder / "adapter_model.safetensors").read_bytes())
    except OSError as error:
        raise TrainingError(f"{error.filename}: {error.strerror or error}") from None
    except (SafetensorError, KeyError, ValueError, TypeError) as error:
        raise TrainingError(f"{folder}/adapter_model.safetensors is damaged or not in fp32: {error}") from None
    part = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        writer = gguf.GGUFWriter(part, family)
        writer.add_type("adapter")
        writer.add_string("adapter.type", "lora")
        writer.add_float32("adapter.lora.alpha", float(config["lora_alpha"]))
        for name, value in sorted(state.items()):
            found = _TENSOR.search(name)
            if found is None or found[2] not in _NAMES:
                raise TrainingError(
                    f"{folder}: {name} has no place in a GGUF adapter: the targets can be {', '.join(_NAMES)}"
                )
            layer, matrix, side = found[1], _NAMES[found[2]], found[3]
            weight = value.astype(numpy.float32)
            if family == "llama" and side == "B" and matrix in ("attn_q", "attn_k"):
                weight = _turned(weight, heads if matrix == "attn_q" else kv_heads)
            writer.add_tensor(f"blk.{layer}.{matrix}.weight.lora_{side.lower()}", numpy.ascontiguousarray(weight))
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
        part.replace(file)
    except OSError as error:
        raise TrainingError(f"{file} cannot be written: {error.strerror or error}: make room there") from None
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
    return file


def _turned(weight: Any, heads: int) -> Any:
    """Rows of a head, (first half, second half) -> pairs: llama.cpp rotates neighbours in this family where Transformers rotates halves."""
    size = weight.shape[0] // heads
    return weight.reshape(heads, 2, size // 2, weight.shape[1]).swapaxes(1, 2).reshape(weight.shape)


def _base(folder: Path, config: dict[str, Any]) -> tuple[str, int, int]:
    """(family, heads, heads of keys and values) of the base."""
    if (folder / ABOUT).is_file():
        about = _json(folder / ABOUT)
        family, heads, kv_heads = about.get("architecture"), about.get("heads"), about.get("kv_heads")
    else:
        base = _json(Path(str(config.get("base_model_name_or_path") or folder)) / "config.json")
        family, heads = base.get("model_type"), base.get("num_attention_heads")
        kv_heads = base.get("num_key_value_heads", heads)
    if family not in ("llama", "qwen2"):
        raise TrainingError(
            f"{folder}: its base is of the family {family}: GGUF adapters are written for llama and qwen2"
        )
    if not (isinstance(heads, int) and isinstance(kv_heads, int) and heads > 0 and kv_heads > 0):
        raise TrainingError(f"{folder}: the heads of its base are not said in {ABOUT}")
    return str(family), heads, kv_heads


def _json(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise TrainingError(f"{file}: {error.strerror or error}") from None
    except ValueError as error:
        raise TrainingError(f"{file} is damaged: {error}") from None
    if not isinstance(found, dict):
        raise TrainingError(f"{file} is damaged: it holds no object")
    return found

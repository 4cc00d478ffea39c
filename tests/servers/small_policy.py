"""A policy of a few thousand weights with a tokenizer of single bytes, for tests of what is around a policy."""

from pathlib import Path
from typing import Any

import pytest

CHATML = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)
THINKING = CHATML.replace(
    "message['content']", "(message['content'].split('</think>')[-1] if not loop.last else message['content'])"
)
"""Like those of thinking models: what an earlier answer thought is left out of the conversation."""


def tokenizer() -> Any:
    """Every byte is a token; `<|im_start|>` is 256 and `<|im_end|>` 257."""
    tokenizers = pytest.importorskip("tokenizers", reason="the train extra is not installed: make test-train")
    letters = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    made = tokenizers.Tokenizer(tokenizers.models.BPE({letter: number for number, letter in enumerate(letters)}, []))
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = tokenizers.decoders.ByteLevel()
    made.add_special_tokens(["<|im_start|>", "<|im_end|>"])
    return made


def model(seed: int = 0, *, context: int = 1024, layers: int = 2, width: int = 32, family: str = "llama") -> Any:
    """A model of the family `llama` or `qwen2` with random weights, large enough that its answers differ."""
    torch = pytest.importorskip("torch", reason="the train extra is not installed: make test-train")
    transformers = pytest.importorskip("transformers", reason="the train extra is not installed: make test-train")
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    config = transformers.AutoConfig.for_model(
        family,
        vocab_size=258,
        hidden_size=width,
        intermediate_size=2 * width,
        num_hidden_layers=layers,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=context,
        initializer_range=0.3,
        bos_token_id=None,
        eos_token_id=257,
        tie_word_embeddings=False,
    )
    made = transformers.AutoModelForCausalLM.from_config(config).eval()
    with torch.no_grad():
        for name, weight in made.named_parameters():
            if name.endswith("bias"):
                weight.normal_(0.0, 0.3)
    return made


def folder(path: Path, seed: int = 0) -> Path:
    """The same as a folder as Hugging Face writes it."""
    model(seed).save_pretrained(path)
    tokenizer().save(str(path / "tokenizer.json"))
    (path / "chat_template.jinja").write_text(CHATML, "utf-8")
    (path / "tokenizer_config.json").write_text('{"eos_token": "<|im_end|>"}', "utf-8")
    return path


def adapter(path: Path, seed: int, *, strength: float = 1.0) -> Path:
    """A LoRA adapter of the model, in PEFT's layout, with random weights that change what it says."""
    torch = pytest.importorskip("torch", reason="the train extra is not installed: make test-train")
    peft = pytest.importorskip("peft", reason="the train extra is not installed: make test-train")
    torch.manual_seed(seed)
    wanted = peft.LoraConfig(r=4, lora_alpha=8, target_modules=["q_proj", "v_proj", "up_proj"], task_type="CAUSAL_LM")
    adapted = peft.get_peft_model(model(), wanted)
    with torch.no_grad():
        for name, weight in adapted.named_parameters():
            if "lora_B" in name:
                weight.normal_(0.0, strength)
    adapted.save_pretrained(path)
    model().config.save_pretrained(path)  # the family and the heads of its base
    return path


def gguf_file(file: Path, policy: Any) -> Path:
    """The model as llama.cpp reads it, in fp32, so that both can be held against each other to the last digits."""
    gguf = pytest.importorskip("gguf", reason="the train extra is not installed: make test-train")
    config, state = policy.config, {name: weight.float().numpy() for name, weight in policy.state_dict().items()}
    writer = gguf.GGUFWriter(file, config.model_type)
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_rope_dimension_count(config.hidden_size // config.num_attention_heads)
    writer.add_rope_freq_base(10_000.0)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_vocab_size(config.vocab_size)
    made = tokenizer()
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list([made.id_to_token(number) for number in range(config.vocab_size)])
    writer.add_token_types([3 if number >= 256 else 1 for number in range(config.vocab_size)])
    writer.add_token_merges(["t h"])
    writer.add_eos_token_id(257)
    writer.add_chat_template(CHATML)
    for name, weight in state.items():
        writer.add_tensor(_gguf_name(name), _in_pairs(name, weight, config))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return file


_GGUF = {
    "model.embed_tokens": "token_embd",
    "model.norm": "output_norm",
    "lm_head": "output",
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}


def _gguf_name(name: str) -> str:
    name, _, kind = name.rpartition(".")
    if name.startswith("model.layers."):
        _, _, layer, part = name.split(".", 3)
        return f"blk.{layer}.{_GGUF[part]}.{kind}"
    return f"{_GGUF[name]}.{kind}"


def _in_pairs(name: str, weight: Any, config: Any) -> Any:
    """llama.cpp turns neighbours where transformers turns halves, in llama models."""
    heads = {"q_proj": config.num_attention_heads, "k_proj": config.num_key_value_heads}.get(name.split(".")[-2])
    if heads is None or config.model_type != "llama":
        return weight
    half = weight.shape[0] // heads // 2
    return weight.reshape(heads, 2, half, -1).swapaxes(1, 2).reshape(weight.shape).copy()

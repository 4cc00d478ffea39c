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


def model(seed: int = 0, *, context: int = 1024, layers: int = 2, width: int = 32) -> Any:
    """A Llama with random weights, large enough that its answers differ."""
    torch = pytest.importorskip("torch", reason="the train extra is not installed: make test-train")
    transformers = pytest.importorskip("transformers", reason="the train extra is not installed: make test-train")
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    config = transformers.LlamaConfig(
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
    return transformers.LlamaForCausalLM(config).eval()


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
    return path

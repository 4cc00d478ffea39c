"""Tokenizer, chat template and ids that end a turn, read from a GGUF file or a folder as Hugging Face writes it."""

from __future__ import annotations

import json
import mmap
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redwell.train.types import TrainingError

_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_CONTROL, _USER_DEFINED = 3, 4
_MOST = 2_000_000
"""Entries of one list of a file's head; the largest vocabularies have 300,000."""
_QWEN2 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
"""How Qwen2 cuts text before merging, as its tokenizer.json has it."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """`plain` tokenizes text without ever making an added token; `added` are those tokens and their ids. `names` are the
    template's variables (`bos_token`, ...). `ends` are the ids that end a turn by the model's own account."""

    plain: Any
    whole: Any
    added: Mapping[str, int]
    template: str
    names: Mapping[str, str]
    ends: tuple[int, ...]


def read_vocabulary(path: Path) -> Vocabulary:
    """From a GGUF file with a byte-level BPE of SmolLM2 or Qwen2, or a folder with tokenizer.json and a chat template. Raises TrainingError."""
    if path.is_dir():
        return _of_folder(path)
    if path.is_file():
        return _of_gguf(path)
    raise TrainingError(f"{path}: there is no such model; give a GGUF file or a folder with tokenizer.json")


def without_added(tokenizer: Any) -> Any:
    """The same tokenizer as one to which no piece of text is special."""
    described = json.loads(tokenizer.to_str())
    described["added_tokens"] = []
    described["post_processor"] = None
    return _tokenizers().Tokenizer.from_str(json.dumps(described))


def _tokenizers() -> Any:
    try:
        import tokenizers
    except ImportError:
        raise TrainingError('training needs an extra that is not installed: pip install "redwell[train]"') from None
    return tokenizers


def _of_folder(folder: Path) -> Vocabulary:
    tokenizers = _tokenizers()
    file = folder / "tokenizer.json"
    try:
        whole = tokenizers.Tokenizer.from_file(str(file))
    except Exception as error:  # the library raises nothing narrower
        raise TrainingError(f"{file} cannot be read as a tokenizer: {error}") from None
    settings = _json(folder / "tokenizer_config.json")
    template_file = folder / "chat_template.jinja"
    template = template_file.read_text("utf-8") if template_file.is_file() else settings.get("chat_template")
    if not isinstance(template, str):
        raise TrainingError(f"{folder} has no chat template (chat_template.jinja): take a model that was made to chat")
    names = {name: _name(value) for name, value in settings.items() if name.endswith("_token") and _name(value)}
    ends = _ids(_json(folder / "generation_config.json").get("eos_token_id")) + _ids(
        _json(folder / "config.json").get("eos_token_id")
    )
    named = whole.token_to_id(names.get("eos_token", ""))
    added = {str(token.content): int(identity) for identity, token in whole.get_added_tokens_decoder().items()}
    return Vocabulary(
        without_added(whole), whole, added, template, names, _once((*ends, *([] if named is None else [named])))
    )


def _json(file: Path) -> dict[str, Any]:
    if not file.is_file():
        return {}
    try:
        value = json.loads(file.read_text("utf-8"))
    except ValueError as error:
        raise TrainingError(f"{file} is no JSON: {error}") from None
    if not isinstance(value, dict):
        raise TrainingError(f"{file} must hold an object")
    return value


def _name(value: Any) -> str:
    value = value.get("content") if isinstance(value, dict) else value
    return value if isinstance(value, str) else ""


def _ids(value: Any) -> tuple[int, ...]:
    given = value if isinstance(value, list) else [value]
    return tuple(one for one in given if isinstance(one, int) and not isinstance(one, bool))


def _once(ids: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(ids))


def _of_gguf(file: Path) -> Vocabulary:
    tokenizers = _tokenizers()
    head = gguf_head(file)
    template, kind = head.get("tokenizer.chat_template"), head.get("tokenizer.ggml.pre")
    if not isinstance(template, str):
        raise TrainingError(f"{file} has no chat template: take a model that was made to chat")
    if head.get("tokenizer.ggml.model") != "gpt2" or kind not in ("smollm", "qwen2"):
        raise TrainingError(
            f"{file}: its tokenizer ({head.get('tokenizer.ggml.model')}, {kind}) cannot be read from a GGUF file; "
            "give the folder of the same model that has tokenizer.json"
        )
    try:
        tokens: list[str] = head["tokenizer.ggml.tokens"]
        kinds: list[int] = head["tokenizer.ggml.token_type"]
        merges = [tuple(line.split(" ", 1)) for line in head["tokenizer.ggml.merges"]]
        added = {
            token: number
            for number, (token, one) in enumerate(zip(tokens, kinds, strict=True))
            if one in (_CONTROL, _USER_DEFINED)
        }
        vocabulary = {token: number for number, token in enumerate(tokens)}
        whole = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=vocabulary, merges=merges))
    except KeyError as error:
        raise TrainingError(
            f"{file} lacks {error}, which its tokenizer is made of; take another file of the model"
        ) from None
    except Exception as error:  # the library raises nothing narrower
        raise TrainingError(f"{file}: its tokenizer is damaged ({error}); take another file of the model") from None
    cuts = tokenizers.pre_tokenizers
    if kind == "smollm":
        first = cuts.Digits(individual_digits=True)
        whole.pre_tokenizer = cuts.Sequence([first, cuts.ByteLevel(add_prefix_space=False)])
    else:
        whole.normalizer = tokenizers.normalizers.NFC()
        first = cuts.Split(tokenizers.Regex(_QWEN2), behavior="isolated")
        whole.pre_tokenizer = cuts.Sequence([first, cuts.ByteLevel(add_prefix_space=False, use_regex=False)])
    whole.decoder = tokenizers.decoders.ByteLevel()
    plain = without_added(whole)
    whole.add_special_tokens([tokenizers.AddedToken(token, special=True, normalized=False) for token in added])
    ids = {name: head.get(f"tokenizer.ggml.{name}_token_id") for name in ("bos", "eos", "eot", "padding", "unknown")}
    names = {
        {"padding": "pad_token", "unknown": "unk_token"}.get(name, f"{name}_token"): tokens[number]
        for name, number in ids.items()
        if isinstance(number, int) and 0 <= number < len(tokens)
    }
    # Files name one end alone; models that chat end with this one too, as their generation settings say.
    ends = _ids(ids["eos"]) + _ids(ids["eot"]) + _ids(added.get("<|endoftext|>"))
    return Vocabulary(plain, whole, added, template, names, _once(ends))


def gguf_head(file: Path) -> dict[str, Any]:
    """The metadata of a GGUF file (version 2 or 3), by name. Raises TrainingError for another file or a broken one.

    Layout: ggml's docs/gguf.md. The `gguf` package reads the same, at ten seconds for a vocabulary of 150,000.
    """
    try:
        with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as data:
            magic, version, _, count = struct.unpack_from("<4sIQQ", data)
            if magic != b"GGUF" or version not in (2, 3):
                raise TrainingError(f"{file} is not a GGUF file of version 2 or 3")
            at, head = 24, {}
            for _ in range(_count(count)):
                name, at = _string(data, at)
                (kind,) = struct.unpack_from("<I", data, at)
                head[name], at = _value(data, at + 4, kind)
            return head
    except (OSError, struct.error, ValueError, KeyError, OverflowError) as error:
        raise TrainingError(f"{file} cannot be read as a GGUF file: {error}") from None


def _count(number: int) -> int:
    if number > _MOST:
        raise ValueError(f"a list of {number}")
    return number


def _string(data: mmap.mmap, at: int) -> tuple[str, int]:
    (length,) = struct.unpack_from("<Q", data, at)
    end = at + 8 + length
    if end > len(data):
        raise ValueError("it is cut")
    return data[at + 8 : end].decode("utf-8"), end


def _value(data: mmap.mmap, at: int, kind: int) -> tuple[Any, int]:
    if kind == _STRING:
        return _string(data, at)
    if kind == _ARRAY:
        inner, length = struct.unpack_from("<IQ", data, at)
        at += 12
        if inner == _STRING:
            texts = []
            for _ in range(_count(length)):
                text, at = _string(data, at)
                texts.append(text)
            return texts, at
        form = f"<{_count(length)}{_SCALARS[inner]}"
        return list(struct.unpack_from(form, data, at)), at + struct.calcsize(form)
    form = f"<{_SCALARS[kind]}"
    return struct.unpack_from(form, data, at)[0], at + struct.calcsize(form)

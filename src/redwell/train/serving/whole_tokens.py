"""A copy of a GGUF file in which every token is text of its own.

llama.cpp's server says nothing of a token that ends within a character, neither its id nor its probability: it waits for text that
can be shown. Prompts go in and answers come out as ids here, so how such tokens are spelled does not matter.
"""

from __future__ import annotations

import itertools
import mmap
import shutil
import struct
from collections.abc import Iterator
from pathlib import Path

from redwell.train.serving.vocabulary import gguf_head
from redwell.train.types import TrainingError

_NORMAL = 1
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&*+-/:;=?@^_~"


def with_whole_tokens(file: Path, copy: Path) -> None:
    """Writes the copy. Each token that is no UTF-8 by itself is spelled in letters, in as many bytes, so that nothing else moves. Raises TrainingError."""
    head = gguf_head(file)
    if head.get("tokenizer.ggml.model") != "gpt2":
        raise TrainingError(f"{file}: only models with a byte-level BPE can be sampled from with llama.cpp here")
    tokens: list[str] = head["tokenizer.ggml.tokens"]
    kinds: list[int] = head["tokenizer.ggml.token_type"]
    given = set(tokens)
    free: dict[int, Iterator[str]] = {}
    try:
        shutil.copyfile(file, copy)
        with copy.open("r+b") as opened, mmap.mmap(opened.fileno(), 0) as data:
            at = _start_of_tokens(data)
            for token, kind in zip(tokens, kinds, strict=True):
                spelled = token.encode("utf-8")
                at += 8
                if kind == _NORMAL and not _is_text(token):
                    names = free.setdefault(len(spelled), _unused(len(spelled), given))
                    data[at : at + len(spelled)] = next(names).encode("ascii")
                at += len(spelled)
    except OSError as error:
        raise TrainingError(f"the policy's file cannot be copied to {copy.parent}: {error.strerror}") from None
    except StopIteration:
        raise TrainingError(f"{file} has too many tokens that are parts of characters") from None


def _start_of_tokens(data: mmap.mmap) -> int:
    """Where the first token's length stands: after the name, the kind (array), the kind of its entries (string) and their number."""
    name = b"tokenizer.ggml.tokens"
    at = data.find(struct.pack("<Q", len(name)) + name + struct.pack("<II", 9, 8))
    return at + 8 + len(name) + 4 + 4 + 8


def _unused(length: int, given: set[str]) -> Iterator[str]:
    return (name for name in map("".join, itertools.product(_LETTERS, repeat=length)) if name not in given)


def _byte_of_letter() -> dict[str, int]:
    """Byte-level BPE writes a byte that can be printed as itself, and the others as the letters from U+0100 on, in their order (GPT-2)."""
    printed = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printed]
    return {chr(byte): byte for byte in printed} | {chr(0x100 + n): byte for n, byte in enumerate(others)}


_BYTES = _byte_of_letter()


def _is_text(token: str) -> bool:
    try:
        bytes(_BYTES[letter] for letter in token).decode("utf-8")
    except KeyError:
        return True  # not spelled in bytes at all
    except UnicodeDecodeError:
        return False
    return True

"""Mutations that any file can suffer: bytes flipped, cut, doubled, spliced with another file, numbers put to their edges."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Sequence
from random import Random

Mutator = Callable[[Random, bytes, Sequence[bytes]], bytes]
"""Makes another file of one; the third argument are other files of the same kind, to splice with."""

LARGEST = 2_000_000
"""A mutation that grows a file beyond this is cut: what matters is what a small file costs."""
EDGES = (
    0,
    1,
    2,
    3,
    7,
    8,
    15,
    16,
    31,
    32,
    63,
    64,
    127,
    128,
    255,
    256,
    511,
    512,
    1023,
    1024,
    4095,
    4096,
    32767,
    32768,
    65535,
    65536,
)
WIDE_EDGES = (*EDGES, 0xFFFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFC, 0xFFFFFFFD, 0xFFFFFFFE, 0xFFFFFFFF)
NUMBERS = (
    *(
        b"0",
        b"-1",
        b"1",
        b"9",
        b"65535",
        b"65536",
        b"2147483647",
        b"-2147483648",
        b"4294967296",
        b"9223372036854775808",
    ),
    *(
        b"1e308",
        b"1e999",
        b"-1e308",
        b"NaN",
        b"INF",
        b"-0",
        b"0.0000001",
        b"1_000",
        b"9" * 400,
        b"0x10",
        b"+1",
        b"1,5",
        b"",
        b" ",
    ),
    *("\u0661\u0662".encode(), "\u00b2".encode(), b"true", b"None", b"A1", b"XFD1048576", b"ZZZZ99999999"),
)
_DIGITS = re.compile(rb"-?\d+(?:\.\d+)?")


def flip(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    out = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 4, 16, 64))):
        if out:
            out[random.randrange(len(out))] = random.randrange(256)
    return bytes(out)


def cut(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    return data[: random.randrange(len(data) + 1)]


def remove(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    start, end = _stretch(random, data)
    return data[:start] + data[end:]


def double(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    start, end = _stretch(random, data)
    times = random.choice((2, 2, 3, 10, 100, 1_000))
    return (data[:end] + data[start:end] * times + data[end:])[:LARGEST]


def swap(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    a, b = _stretch(random, data)
    c, d = _stretch(random, data[b:])
    return data[:a] + data[b + c : b + d] + data[b : b + c] + data[a:b] + data[b + d :]


def blank(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    start, end = _stretch(random, data)
    return data[:start] + random.choice((b"\0", b"\xff", b" ", b"A", b"\n")) * (end - start) + data[end:]


def splice(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    other = random.choice(others) if others else data
    start, end = _stretch(random, other)
    at, until = _stretch(random, data)
    return (data[:at] + other[start:end] + data[until if random.random() < 0.5 else at :])[:LARGEST]


def integer(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """A field of 1, 2, 4 or 8 bytes at its edges, in either order of bytes, or a little more or less than it was."""
    out = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 4))):
        size = random.choice((1, 2, 4, 4, 8))
        if len(out) < size:
            return data
        at = random.randrange(min(len(out) - size, 4096 if random.random() < 0.5 else len(out)) + 1)
        order = random.choice(("little", "big"))
        if random.random() < 0.3:
            value = int.from_bytes(out[at : at + size], order) + random.choice((-64, -8, -1, 1, 8, 64))  # type: ignore[arg-type]
        else:
            value = random.choice((*WIDE_EDGES, (1 << 63) - 1, (1 << 64) - 1, len(out), len(out) // 512))
        out[at : at + size] = (value % (1 << 8 * size)).to_bytes(size, order)  # type: ignore[arg-type]
    return bytes(out)


def digits(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """A number that is written out put to an edge, or made what is no number."""
    found = list(_DIGITS.finditer(data[:LARGEST]))
    if not found:
        return data
    for match in sorted(random.sample(found, min(len(found), random.choice((1, 1, 2, 8)))), key=lambda m: -m.start()):
        data = data[: match.start()] + random.choice(NUMBERS) + data[match.end() :]
    return data


def words(tokens: Sequence[bytes]) -> Mutator:
    """Puts tokens of a format in, or in place of what stands there."""

    def put(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
        for _ in range(random.choice((1, 1, 2, 5))):
            token = random.choice(tokens)
            at = random.randrange(len(data) + 1)
            data = data[:at] + token + data[at + (len(token) if random.random() < 0.5 else 0) :]
        return data[:LARGEST]

    return put


def packed_integer(value: int, size: int) -> bytes:
    return struct.pack("<Q", value % (1 << 64))[:size]


def mutated(random: Random, data: bytes, others: Sequence[bytes], mutators: Sequence[Mutator]) -> bytes:
    """One to three of the mutations, one after the other."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        data = random.choice(mutators)(random, data, others)[:LARGEST]
    return data


GENERIC: tuple[Mutator, ...] = (flip, cut, remove, double, swap, blank, splice, integer, digits)


def _stretch(random: Random, data: bytes) -> tuple[int, int]:
    if not data:
        return 0, 0
    start = random.randrange(len(data))
    return start, min(len(data), start + random.choice((1, 2, 4, 8, 32, 128, 1_024, 8_192)))

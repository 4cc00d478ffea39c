"""The filter of system calls, run instruction by instruction for both architectures."""

import errno
import functools
import os
import re
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from redwell.sandbox import seccomp
from tests.sandbox import escape_calls

PROCESS = 4242
ALLOW, KILL = 0x7FFF0000, 0x80000000
EPERM, EACCES, ENOSYS = (0x00050000 | number for number in (errno.EPERM, errno.EACCES, errno.ENOSYS))
MACHINES = ("x86_64", "aarch64")


@functools.cache
def _code(machine: str) -> list[tuple[int, ...]]:
    return list(struct.iter_unpack("=HBBI", seccomp.program(machine, PROCESS)))


def verdict(machine: str, number: int, arguments: tuple[int, ...] = (), architecture: int | None = None) -> int:
    """What the kernel would do, by classic BPF's rules for the instructions that filters use."""
    code = _code(machine)
    named = seccomp.ARCHITECTURES[machine][1] if architecture is None else architecture
    padded = [argument & (2**64 - 1) for argument in (*arguments, *[0] * (6 - len(arguments)))]
    data = struct.pack("<iIQ6Q", number, named, 0, *padded)
    accumulator = at = 0
    while True:
        operation, if_true, if_false, value = code[at]
        at += 1
        match operation:
            case 0x20:
                accumulator = struct.unpack_from("<I", data, value)[0]
            case 0x54:
                accumulator &= value
            case 0x15:
                at += if_true if accumulator == value else if_false
            case 0x35:
                at += if_true if accumulator >= value else if_false
            case 0x45:
                at += if_true if accumulator & value else if_false
            case 0x06:
                return int(value)
            case _:
                raise AssertionError(f"unknown instruction {operation:#x}")


def number(machine: str, name: str) -> int:
    column = MACHINES.index(machine)
    found = seccomp._NUMBERS[name][column] if name in seccomp._NUMBERS else escape_calls.NUMBERS[name][column]
    assert found is not None
    return found


# (call, arguments, verdict)
CASES = [
    ("read", (3,), ALLOW),
    ("futex", (), ALLOW),
    ("openat", (-100, 0, os.O_RDONLY | os.O_CLOEXEC), ALLOW),
    ("openat", (-100, 0, os.O_WRONLY), EACCES),
    ("openat", (-100, 0, os.O_RDWR), EACCES),
    ("openat", (-100, 0, os.O_RDONLY | os.O_CREAT), EACCES),
    ("openat", (-100, 0, os.O_RDONLY | os.O_TRUNC), EACCES),
    ("openat2", (), ENOSYS),
    ("clone3", (), ENOSYS),
    ("clone", (0x3D0F00,), ALLOW),  # a thread as glibc makes it
    ("clone", (17,), EPERM),  # a fork
    ("clone", (0x3D0F00 & ~0x10000,), EPERM),  # without CLONE_THREAD
    ("clone", (0x3D0F00 | 0x10000000,), EPERM),  # with CLONE_NEWUSER
    ("clone", (0x3D0F00 | 0x80,), EPERM),  # with CLONE_NEWTIME
    ("tgkill", (PROCESS, 1, 6), ALLOW),
    ("tgkill", (1, 1, 6), EPERM),
    ("prlimit64", (0, 7), ALLOW),
    ("prlimit64", (1, 7), EPERM),
    ("sched_getaffinity", (0,), ALLOW),
    ("sched_getaffinity", (PROCESS - 1,), EPERM),
    ("ioctl", (0, 0x5401), ALLOW),
    ("ioctl", (0, 0x5412), EPERM),  # TIOCSTI
    ("ioctl", (0, 0x8901), EPERM),  # FIOSETOWN
    ("fcntl", (3, 1), ALLOW),
    ("fcntl", (3, 1030), ALLOW),
    ("fcntl", (3, 8), EPERM),  # F_SETOWN
    ("fcntl", (3, 6), EPERM),  # F_SETLK
    ("prctl", (21,), ALLOW),
    ("prctl", (4, 1), EPERM),  # PR_SET_DUMPABLE
    ("socketpair", (1, 1 | 0o2004000, 0), ALLOW),
    ("socketpair", (1, 2, 0), EPERM),  # a datagram pair
    ("socketpair", (2, 1, 0), EPERM),
    ("sendto", (3, 0, 1, 0, 0), ALLOW),
    ("sendto", (3, 0, 1, 0, 1 << 32), EPERM),  # an address whose lower half is zero
    ("sendto", (3, 0, 1, 0, 4096), EPERM),
]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(("name", "arguments", "expected"), CASES)
def test_a_call_is_judged_by_its_arguments(machine: str, name: str, arguments: tuple[int, ...], expected: int) -> None:
    assert verdict(machine, number(machine, name), arguments) == expected


@pytest.mark.parametrize("machine", MACHINES)
def test_whatever_is_not_listed_is_refused(machine: str) -> None:
    listed = {numbers[MACHINES.index(machine)] for numbers in seccomp._NUMBERS.values()}
    for call in set(range(600)) - listed:
        assert verdict(machine, call) == EPERM


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", sorted(set(escape_calls.NUMBERS) - set(seccomp._NUMBERS)))
def test_no_call_of_an_escape_is_listed(machine: str, name: str) -> None:
    assert verdict(machine, number(machine, name)) == EPERM


# What the arguments of a call must be like for it to be made, said once more, in numbers of the kernel's headers.
WANTED: dict[str, Callable[..., bool]] = {
    "open": lambda a: a[1] & 0o1103 == 0,  # O_WRONLY, O_RDWR, O_CREAT, O_TRUNC
    "openat": lambda a: a[2] & 0o1103 == 0,
    "mmap": lambda a: a[3] & 0x40000 == 0,  # MAP_HUGETLB
    # A thread: CLONE_THREAD, CLONE_SIGHAND, CLONE_VM; no CLONE_NEWTIME, CLONE_PTRACE, CLONE_NEWNS, CLONE_NEWCGROUP ... CLONE_NEWNET.
    "clone": lambda a: a[0] & 0x10900 == 0x10900 and a[0] & 0x7E022080 == 0,
    "tgkill": lambda a: a[0] & 0xFFFFFFFF == PROCESS,
    "prlimit64": lambda a: a[0] & 0xFFFFFFFF == 0,
    "sched_getaffinity": lambda a: a[0] & 0xFFFFFFFF == 0,
    "ioctl": lambda a: a[1] & 0xFFFFFFFF in (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451),
    "fcntl": lambda a: a[1] & 0xFFFFFFFF in (0, 1, 2, 3, 4, 1030),
    "prctl": lambda a: a[0] & 0xFFFFFFFF in (3, 15, 16, 21, 39),
    "socketpair": lambda a: a[0] & 0xFFFFFFFF == 1 and a[1] & 0xFFFFFFFF & ~0o2004000 == 1,
    "sendto": lambda a: a[4] == 0,
}


def argument_lists(name: str) -> Iterator[tuple[int, ...]]:
    """Around every list of arguments that the cases above have: each argument with each bit turned, and set to 0 and to all bits."""
    bases = [arguments for called, arguments, _ in CASES if called == name] or [()]
    bases += [(PROCESS,), (0,), (-1,) * 6, (1, 1, 0), (0x10900,)]
    for given in bases:
        base = tuple(argument & (2**64 - 1) for argument in (*given, *[0] * (6 - len(given))))
        yield base
        for at in range(6):
            for value in (0, 2**64 - 1, *(base[at] ^ 1 << bit for bit in range(64))):
                yield (*base[:at], value, *base[at + 1 :])


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", sorted(WANTED))
def test_the_filter_does_what_is_wanted_for_every_bit_of_every_argument(machine: str, name: str) -> None:
    if seccomp._NUMBERS[name][MACHINES.index(machine)] is None:
        assert machine == "aarch64"
        return
    refusal = EACCES if name in ("open", "openat") else EPERM
    for arguments in argument_lists(name):
        assert verdict(machine, number(machine, name), arguments) == (ALLOW if WANTED[name](arguments) else refusal), (
            arguments
        )


@pytest.mark.parametrize("machine", MACHINES)
def test_every_number_is_allowed_checked_or_refused_and_nothing_else(machine: str) -> None:
    names = {numbers[MACHINES.index(machine)]: name for name, numbers in seccomp._NUMBERS.items()}
    assert {name for name in names.values() if name in seccomp._checks(PROCESS)} <= set(WANTED)
    for call in (*range(1024), 1 << 16, (1 << 29) + 1, *((1 << 31) + low for low in range(1024))):
        signed = call - (1 << 32) if call >= 1 << 31 else call
        for arguments in ((), (-1,) * 6):
            said = verdict(machine, signed, arguments)
            if signed < 0 and machine == "x86_64":
                assert said == KILL  # the x32 bit and above
            elif call not in names:
                assert said == EPERM
            elif names[call] in seccomp._UNKNOWN:
                assert said == ENOSYS
            elif names[call] not in WANTED:
                assert said == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
def test_no_other_architecture_s_word_lets_a_call_through(machine: str) -> None:
    own = seccomp.ARCHITECTURES[machine][1]
    # i386, x86-64, arm, arm64, riscv64, powerpc64le, s390x, mips64, and each bit of the own word turned.
    others = {
        0x40000003,
        0xC000003E,
        0x40000028,
        0xC00000B7,
        0xC00000F3,
        0xC0000015,
        0x80000016,
        0x80000008,
        0,
        own ^ 1,
    }
    others |= {own ^ 1 << bit for bit in range(32)}
    for word in others - {own}:
        assert {verdict(machine, call, architecture=word) for call in range(512)} == {KILL}


def test_x32_numbers_kill_whatever_they_name() -> None:
    assert {verdict("x86_64", 0x40000000 | call) for call in range(1024)} == {KILL}


def test_upper_halves_of_small_arguments_do_not_matter() -> None:
    assert verdict("x86_64", number("x86_64", "prlimit64"), (1 << 32, 7)) == ALLOW
    assert verdict("x86_64", number("x86_64", "fcntl"), (3, 1 << 32 | 8)) == EPERM


@pytest.mark.parametrize("machine", MACHINES)
def test_calls_by_another_architecture_kill(machine: str) -> None:
    assert verdict(machine, 0, architecture=0x40000003) == KILL


def test_x32_calls_kill() -> None:
    assert verdict("x86_64", 0x40000000) == KILL
    assert verdict("x86_64", 0x40000000 + 59) == KILL


def test_a_machine_without_a_table_is_refused() -> None:
    with pytest.raises(OSError, match="no system call table for riscv64"):
        seccomp.program("riscv64", PROCESS)


@pytest.mark.parametrize(
    ("column", "header"),
    [(0, "x86_64-linux-gnu/asm/unistd_64.h"), (1, "asm-generic/unistd.h")],
)
def test_the_numbers_are_the_kernel_s(column: int, header: str) -> None:
    path = Path("/usr/include") / header
    if not path.is_file():
        pytest.skip("the kernel's headers are not installed")
    # The generic table names some calls of 64-bit machines by what they were made from: __NR3264_lseek.
    numbers = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)\b", path.read_text()))
    aliases = {"newfstatat": "fstatat"} if column else {}
    for name, ours in (seccomp._NUMBERS | escape_calls.NUMBERS).items():
        if ours[column] is not None:
            assert int(numbers.get(name) or numbers[aliases[name]]) == ours[column], name

"""seccomp: a list of the system calls that may be made; everything else fails. Runs inside the sandbox, standard library only.

Numbers are from the kernel's tables for x86-64 (`arch/x86/entry/syscalls/syscall_64.tbl`) and arm64
(`include/uapi/asm-generic/unistd.h`). Arguments of type int are compared in their lower 32 bits, as the kernel reads them.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from typing import NamedTuple

# name: (x86-64, arm64); None where the architecture has no such call.
_NUMBERS: dict[str, tuple[int | None, int | None]] = {
    "read": (0, 63),
    "write": (1, 64),
    "open": (2, None),
    "close": (3, 57),
    "stat": (4, None),
    "fstat": (5, 80),
    "lstat": (6, None),
    "poll": (7, None),
    "lseek": (8, 62),
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "munmap": (11, 215),
    "brk": (12, 214),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "ioctl": (16, 29),
    "pread64": (17, 67),
    "readv": (19, 65),
    "writev": (20, 66),
    "access": (21, None),
    "select": (23, None),
    "sched_yield": (24, 124),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "dup": (32, 23),
    "dup2": (33, None),
    "nanosleep": (35, 101),
    "setitimer": (38, 103),
    "getpid": (39, 172),
    "sendto": (44, 206),
    "recvfrom": (45, 207),
    "shutdown": (48, 210),
    "socketpair": (53, 199),
    "clone": (56, 220),
    "exit": (60, 93),
    "uname": (63, 160),
    "fcntl": (72, 25),
    "getcwd": (79, 17),
    "readlink": (89, None),
    "gettimeofday": (96, 169),
    "getrlimit": (97, 163),
    "getrusage": (98, 165),
    "sysinfo": (99, 179),
    "times": (100, 153),
    "getuid": (102, 174),
    "getgid": (104, 176),
    "geteuid": (107, 175),
    "getegid": (108, 177),
    "getppid": (110, 173),
    "sigaltstack": (131, 132),
    "prctl": (157, 167),
    "gettid": (186, 178),
    "time": (201, None),
    "futex": (202, 98),
    "sched_getaffinity": (204, 123),
    "getdents64": (217, 61),
    "restart_syscall": (219, 128),
    "fadvise64": (221, 223),
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115),
    "exit_group": (231, 94),
    "epoll_wait": (232, None),
    "epoll_ctl": (233, 21),
    "tgkill": (234, 131),
    "openat": (257, 56),
    "newfstatat": (262, 79),
    "readlinkat": (267, 78),
    "faccessat": (269, 48),
    "pselect6": (270, 72),
    "ppoll": (271, 73),
    "set_robust_list": (273, 99),
    "epoll_pwait": (281, 22),
    "epoll_create1": (291, 20),
    "dup3": (292, 24),
    "preadv": (295, 69),
    "prlimit64": (302, 261),
    "getcpu": (309, 168),
    "getrandom": (318, 278),
    "statx": (332, 291),
    "rseq": (334, 293),
    "clone3": (435, 435),
    "close_range": (436, 436),
    "openat2": (437, 437),
    "faccessat2": (439, 439),
}

# Newer calls that libraries try first; told that there is none, they fall back on those whose arguments can be checked.
_UNKNOWN = frozenset({"clone3", "openat2"})

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_THREAD = 0x00010000 | 0x00000100 | 0x00000800  # CLONE_THREAD, CLONE_VM, CLONE_SIGHAND
_NAMESPACES = 0x7E020080 | 0x00002000  # every CLONE_NEW*, CLONE_PTRACE
_HUGE_PAGES = 0x40000  # MAP_HUGETLB: from a pool of the machine that no limit of ours counts
# Terminal questions, close-on-exec, non-blocking, bytes waiting: TCGETS TIOCGWINSZ FIONREAD FIONBIO FIONCLEX FIOCLEX.
_IOCTLS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
# F_DUPFD F_GETFD F_SETFD F_GETFL F_SETFL F_DUPFD_CLOEXEC: no locks on the room's files, no F_SETOWN that signals others.
_FCNTLS = (0, 1, 2, 3, 4, 1030)
# PR_GET_DUMPABLE PR_SET_NAME PR_GET_NAME PR_GET_SECCOMP PR_GET_NO_NEW_PRIVS.
_PRCTLS = (3, 15, 16, 21, 39)
_AF_UNIX, _SOCK_STREAM, _SOCK_FLAGS = 1, 1, 0o2004000

_LOAD, _AND, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16

ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Per machine: the column of the table, and the kernel's name of the architecture (AUDIT_ARCH_*)."""


_NOT_FOR_PROGRAMS = (
    (41, 198),  # socket
    (109, 154),  # setpgid
    (112, 157),  # setsid
    (425, 425),  # io_uring_setup
    (101, 117),  # ptrace
    (310, 270),  # process_vm_readv
    (311, 271),  # process_vm_writev
    (165, 40),  # mount
    (272, 97),  # unshare
    (308, 268),  # setns
    (321, 280),  # bpf
    (250, 219),  # keyctl
    (298, 241),  # perf_event_open
    (323, 282),  # userfaultfd
)
"""Per refused call its number on each architecture. A process group of its own would outlive the one that is killed."""


class _Check(NamedTuple):
    """What must be so of one argument for the call to be made."""

    argument: int
    among: tuple[int, ...] = ()  # equals one of these
    ignoring: int = 0  # bits left out of that comparison
    with_bits: int = 0  # has all of these
    without_bits: int = 0  # has none of these
    null: bool = False  # is a null pointer


class _Instruction(NamedTuple):
    code: int
    if_true: int
    if_false: int
    value: int


def _checks(process: int) -> dict[str, tuple[_Check, ...]]:
    return {
        "open": (_Check(1, without_bits=_WRITING),),
        "openat": (_Check(2, without_bits=_WRITING),),
        "mmap": (_Check(3, without_bits=_HUGE_PAGES),),
        "clone": (_Check(0, with_bits=_THREAD), _Check(0, without_bits=_NAMESPACES)),
        "tgkill": (_Check(0, among=(process,)),),
        "prlimit64": (_Check(0, among=(0,)),),
        "sched_getaffinity": (_Check(0, among=(0,)),),
        "ioctl": (_Check(1, among=_IOCTLS),),
        "fcntl": (_Check(1, among=_FCNTLS),),
        "prctl": (_Check(0, among=_PRCTLS),),
        # Event loops wake themselves over a pair; with an address, sendto would reach sockets outside.
        "socketpair": (_Check(0, among=(_AF_UNIX,)), _Check(1, among=(_SOCK_STREAM,), ignoring=_SOCK_FLAGS)),
        "sendto": (_Check(4, null=True),),
    }


def program(machine: str, process: int) -> bytes:
    """The filter for `machine` (`x86_64` or `aarch64`) and the process of that number, as the kernel takes it.

    Raises OSError for a machine whose table is not here.
    """
    if machine not in ARCHITECTURES:
        raise OSError(f"there is no system call table for {machine}")
    column, architecture = ARCHITECTURES[machine]
    checks = _checks(process)
    code = [
        _Instruction(_LOAD, 0, 0, _ARCHITECTURE_AT),
        _Instruction(_EQUAL, 1, 0, architecture),
        _Instruction(_RETURN, 0, 0, _KILL),
        _Instruction(_LOAD, 0, 0, _NUMBER_AT),
    ]
    if machine == "x86_64":  # the x32 numbers name the same calls once more
        code += [_Instruction(_AT_LEAST, 0, 1, 0x40000000), _Instruction(_RETURN, 0, 0, _KILL)]
    for name, numbers in _NUMBERS.items():
        number = numbers[column]
        if number is None:
            continue
        if name in _UNKNOWN:
            body = [_Instruction(_RETURN, 0, 0, _ERRNO | errno.ENOSYS)]
        else:
            refusal = errno.EACCES if name in ("open", "openat") else errno.EPERM
            body = _body(checks.get(name, ()), refusal)
        code += [_Instruction(_EQUAL, 0, len(body), number), *body]
    code.append(_Instruction(_RETURN, 0, 0, _ERRNO | errno.EPERM))
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in code)


def install() -> None:
    """Filter every system call of this process from here on. Needs no_new_privs. Raises OSError when the kernel cannot."""
    _install(program(os.uname().machine, os.getpid()))


def install_for_programs() -> None:
    """Refuse this process, and what it becomes and starts, sockets and process groups of their own, and the calls that reach around such
    a refusal; everything else is allowed. Needs no_new_privs. Raises OSError when the kernel cannot."""
    machine = os.uname().machine
    if machine not in ARCHITECTURES:
        raise OSError(f"there is no system call table for {machine}")
    column, architecture = ARCHITECTURES[machine]
    code = [
        _Instruction(_LOAD, 0, 0, _ARCHITECTURE_AT),
        _Instruction(_EQUAL, 1, 0, architecture),
        _Instruction(_RETURN, 0, 0, _KILL),
        _Instruction(_LOAD, 0, 0, _NUMBER_AT),
    ]
    if machine == "x86_64":
        code += [_Instruction(_AT_LEAST, 0, 1, 0x40000000), _Instruction(_RETURN, 0, 0, _KILL)]
    for numbers in _NOT_FOR_PROGRAMS:
        code += [_Instruction(_EQUAL, 0, 1, numbers[column]), _Instruction(_RETURN, 0, 0, _ERRNO | errno.EPERM)]
    code.append(_Instruction(_RETURN, 0, 0, _ALLOW))
    _install(b"".join(struct.pack("=HBBI", *instruction) for instruction in code))


def _install(code: bytes) -> None:
    buffer = ctypes.create_string_buffer(code, len(code))
    header = struct.pack("@HP", len(code) // 8, ctypes.addressof(buffer))
    set_seccomp, mode_filter = 22, 2
    if ctypes.CDLL(None, use_errno=True).prctl(set_seccomp, mode_filter, header, 0, 0):
        error = ctypes.get_errno()
        raise OSError(error, f"seccomp: {os.strerror(error)}")


def _body(checks: tuple[_Check, ...], refusal: int) -> list[_Instruction]:
    """Allow when every check holds. A jump of -1 stands for the refusal at the end until all lengths are known."""
    body: list[_Instruction] = []
    for check in checks:
        low = _ARGUMENTS_AT + 8 * check.argument
        body.append(_Instruction(_LOAD, 0, 0, low))
        if check.null:
            body += [_Instruction(_EQUAL, 0, -1, 0), _Instruction(_LOAD, 0, 0, low + 4), _Instruction(_EQUAL, 0, -1, 0)]
        if check.with_bits:
            body += [_Instruction(_AND, 0, 0, check.with_bits), _Instruction(_EQUAL, 0, -1, check.with_bits)]
        if check.without_bits:
            body.append(_Instruction(_ANY_BIT, -1, 0, check.without_bits))
        if check.ignoring:
            body.append(_Instruction(_AND, 0, 0, 0xFFFFFFFF ^ check.ignoring))
        for left, value in zip(reversed(range(len(check.among))), check.among, strict=True):
            body.append(_Instruction(_EQUAL, left, 0 if left else -1, value))
    body.append(_Instruction(_RETURN, 0, 0, _ALLOW))
    if checks:
        end = len(body)
        for at, step in enumerate(body):
            refused = end - at - 1
            body[at] = step._replace(
                if_true=refused if step.if_true < 0 else step.if_true,
                if_false=refused if step.if_false < 0 else step.if_false,
            )
        body.append(_Instruction(_RETURN, 0, 0, _ERRNO | refusal))
    return body

"""Raises the walls around this process from inside, and measures which of them stand. Runs in the sandbox before any cell.

Standard library only. What raised it is dropped with it: without capabilities, with no_new_privs and under seccomp no later code
in this process can take a wall down.

A sandbox started by root keeps the user's effective number but loses every capability: another number could not read a room that only its
owner may read, and signals, ptrace and limits of other processes are refused by seccomp whatever the number is. Its real number becomes
one of its own where that is possible, because the kernel exempts root's processes from RLIMIT_NPROC.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import resource
import signal
import struct
import sys
from typing import Any

from redwell.sandbox import landlock, seccomp

LIMITS = (
    "RLIMIT_AS",
    "RLIMIT_CORE",
    "RLIMIT_FSIZE",
    "RLIMIT_NOFILE",
    "RLIMIT_NPROC",
    "RLIMIT_MEMLOCK",
    "RLIMIT_MSGQUEUE",
)
WALLS = (
    *LIMITS,
    "no_new_privs",
    "capabilities",
    "dumpable",
    "end with the host",
    "seccomp",
    "environment",
    "descriptors",
)
"""What is raised and measured from inside on every backend; Landlock's come besides."""

_SET_PDEATHSIG, _GET_PDEATHSIG, _GET_DUMPABLE, _SET_DUMPABLE, _GET_SECCOMP = 1, 2, 3, 4, 21
_CAPBSET_DROP, _SET_NO_NEW_PRIVS, _GET_NO_NEW_PRIVS = 24, 38, 39
_CAPABILITY_VERSION = 0x20080522
_SECCOMP_FILTERS = 2
_DESCRIPTORS = 1024  # looked at for what was inherited
_THREADS = 4096
_OWN_USERS = 1 << 30  # real user numbers from here on are nobody's


def apply(settings: dict[str, Any], descriptor: int) -> dict[str, bool]:
    """Raise the walls and return, for every wall that is measured from inside, whether it stands.

    `settings` are those of launch.settings; the walls named in its `without` are left out. `descriptor` is the socket to the host, the one
    descriptor kept besides the standard three. Raises OSError when a wall cannot be raised.
    """
    without = set(settings["without"])
    if "descriptors" not in without:
        os.closerange(3, descriptor)
        os.closerange(descriptor + 1, 1 << 20)
    limits = _limits(settings["memory_bytes"], settings["file_bytes"])
    for kind, limit in limits.items():
        if kind not in without:
            set_limit(kind, limit)
    if sys.platform != "linux":
        return {}
    libc = ctypes.CDLL(None, use_errno=True)
    if "end with the host" not in without:
        libc.prctl(_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if not settings["confined"]:
        without |= {"no_new_privs", "capabilities", "dumpable", "seccomp"}
    drop_privileges(libc, without)
    standing = {kind: _limit_holds(kind, limit) for kind, limit in limits.items()}
    standing |= {
        "no_new_privs": libc.prctl(_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1,
        "capabilities": _capabilities_are_gone(libc),
        "dumpable": libc.prctl(_GET_DUMPABLE, 0, 0, 0, 0) == 0,
        "end with the host": _ends_with_the_host(libc),
        "environment": set(os.environ) <= set(settings["environment"]),
        "descriptors": not any(_is_open(number) for number in range(3, _DESCRIPTORS) if number != descriptor),
        "mount namespace": _sees_only(settings["readable"]),
    }
    if settings["confined"] and not standing["no_new_privs"]:
        raise OSError("no_new_privs is not set, without which neither Landlock nor seccomp is of use")
    if settings["landlock"]:
        standing |= landlock.restrict(settings["readable"], without)
    if "seccomp" not in without:
        seccomp.install()
    standing["seccomp"] = libc.prctl(_GET_SECCOMP, 0, 0, 0, 0) == _SECCOMP_FILTERS and _signals_are_refused()
    return standing


def _limits(memory: int, file_size: int) -> dict[str, int]:
    limits = dict.fromkeys(LIMITS, 0) | {"RLIMIT_AS": memory, "RLIMIT_FSIZE": file_size}
    limits |= {"RLIMIT_NOFILE": 128, "RLIMIT_NPROC": _THREADS}
    return {name: limit for name, limit in limits.items() if hasattr(resource, name)}


def set_limit(name: str, limit: int) -> None:
    """Sets one of this process's limits ("RLIMIT_AS") for good, no higher than it may be."""
    kind = getattr(resource, name)
    highest = resource.getrlimit(kind)[1]
    if highest != resource.RLIM_INFINITY:
        limit = min(limit, highest)
    resource.setrlimit(kind, (limit, limit))


def _limit_holds(name: str, limit: int) -> bool:
    return all(0 <= value <= limit for value in resource.getrlimit(getattr(resource, name)))


def drop_privileges(libc: ctypes.CDLL, without: set[str], *, own_user: bool = True) -> None:
    """Of this process and what it becomes. A shell keeps its real user: it would give up the other."""
    if "no_new_privs" not in without and libc.prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "no_new_privs cannot be set")
    if "capabilities" not in without:
        # A user namespace may not have these numbers; but then neither are its users exempt from limits.
        if own_user:
            with contextlib.suppress(OSError):
                os.setreuid(_OWN_USERS + (os.getpid() if os.getuid() == 0 else 0), -1)
        capability = 0
        while (
            libc.prctl(_CAPBSET_DROP, capability, 0, 0, 0) == 0
        ):  # fails past the last, or at once without the right to
            capability += 1
        if libc.capset(struct.pack("=Ii", _CAPABILITY_VERSION, 0), bytes(24)):
            raise OSError(ctypes.get_errno(), "the capabilities cannot be dropped")
    if "dumpable" not in without:
        libc.prctl(_SET_DUMPABLE, 0, 0, 0, 0)


def _capabilities_are_gone(libc: ctypes.CDLL) -> bool:
    held = ctypes.create_string_buffer(24)
    return libc.capget(struct.pack("=Ii", _CAPABILITY_VERSION, 0), held) == 0 and not any(held.raw)


def _ends_with_the_host(libc: ctypes.CDLL) -> bool:
    number = ctypes.c_int()
    return libc.prctl(_GET_PDEATHSIG, ctypes.byref(number), 0, 0, 0) == 0 and number.value == signal.SIGKILL


def _sees_only(readable: list[str]) -> bool:
    """Whether the root folder holds nothing but the way to the readable paths, and cannot be written to."""
    try:
        return set(os.listdir("/")) <= {path.split("/")[1] for path in readable} and bool(
            os.statvfs("/").f_flag & os.ST_RDONLY
        )
    except OSError:
        return False


def _signals_are_refused() -> bool:
    try:
        os.kill(os.getpid(), 0)
    except PermissionError:
        return True
    return False


def _is_open(descriptor: int) -> bool:
    try:
        fcntl.fcntl(descriptor, fcntl.F_GETFD)
    except OSError:
        return False
    return True

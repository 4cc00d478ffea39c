"""Raises the walls around this process from inside, and measures which of them stand. Runs in the sandbox before any cell.

Standard library only. What raised it is dropped with it: without capabilities, with no_new_privs and under seccomp no later code
in this process can take a wall down.

A sandbox started by root keeps the user's number but loses every capability. Another number could not read a room that only
its owner may read; signals, ptrace and limits of other processes are refused by seccomp whatever the number is.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import resource
import signal
import struct
import sys
from typing import Any

from redwell.sandbox import landlock, seccomp

_SET_PDEATHSIG, _GET_DUMPABLE, _SET_DUMPABLE, _GET_SECCOMP = 1, 3, 4, 21
_CAPBSET_DROP, _SET_NO_NEW_PRIVS, _GET_NO_NEW_PRIVS = 24, 38, 39
_CAPABILITY_VERSION = 0x20080522
_SECCOMP_FILTERS = 2
_DESCRIPTORS = 1024  # looked at for what was inherited
_THREADS = 4096


def apply(settings: dict[str, Any], descriptor: int) -> dict[str, bool]:
    """Raise the walls that `settings` asks for and return, for every wall there can be, whether it stands.

    `descriptor` is the socket to the host, the one descriptor kept besides the standard three. Raises OSError when a wall
    cannot be raised.
    """
    if settings["descriptors"]:
        os.closerange(3, descriptor)
        os.closerange(descriptor + 1, 1 << 20)
    if settings["limits"]:
        _set_limits(settings["memory_bytes"], settings["file_bytes"])
    if sys.platform != "linux":
        return {}
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if settings["privileges"]:
        _drop_privileges(libc)
    if settings["landlock"]:
        landlock.restrict(settings["readable"])
    standing = {
        "limits": _limits_hold(settings["memory_bytes"]),
        "privileges": _privileges_are_gone(libc),
        "landlock": _root_is_closed(),
        "namespaces": os.getpid() == 1 and not os.path.exists("/proc"),
        "environment": set(os.environ) <= set(settings["environment"]),
        "descriptors": not any(_is_open(number) for number in range(3, _DESCRIPTORS) if number != descriptor),
    }
    if settings["seccomp"]:
        seccomp.install()
    standing["seccomp"] = libc.prctl(_GET_SECCOMP, 0, 0, 0, 0) == _SECCOMP_FILTERS and _signals_are_refused()
    return standing


def _set_limits(memory: int, file_size: int) -> None:
    limits = {
        "RLIMIT_AS": memory,
        "RLIMIT_CORE": 0,
        "RLIMIT_FSIZE": file_size,
        "RLIMIT_NOFILE": 128,
        "RLIMIT_NPROC": _THREADS,
        "RLIMIT_MEMLOCK": 0,
        "RLIMIT_MSGQUEUE": 0,
    }
    for name, limit in limits.items():
        kind = getattr(resource, name, None)
        if kind is None:
            continue
        highest = resource.getrlimit(kind)[1]
        if highest != resource.RLIM_INFINITY:
            limit = min(limit, highest)
        resource.setrlimit(kind, (limit, limit))


def _drop_privileges(libc: ctypes.CDLL) -> None:
    if libc.prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "no_new_privs cannot be set")
    capability = 0
    while libc.prctl(_CAPBSET_DROP, capability, 0, 0, 0) == 0:  # fails past the last, or at once without the right to
        capability += 1
    if libc.capset(struct.pack("=Ii", _CAPABILITY_VERSION, 0), bytes(24)):
        raise OSError(ctypes.get_errno(), "the capabilities cannot be dropped")
    libc.prctl(_SET_DUMPABLE, 0, 0, 0, 0)


def _privileges_are_gone(libc: ctypes.CDLL) -> bool:
    held = ctypes.create_string_buffer(24)
    known = libc.capget(struct.pack("=Ii", _CAPABILITY_VERSION, 0), held) == 0
    bound = libc.prctl(_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 and libc.prctl(_GET_DUMPABLE, 0, 0, 0, 0) == 0
    return known and bound and not any(held.raw)


def _limits_hold(memory: int) -> bool:
    address_space = resource.getrlimit(resource.RLIMIT_AS)[1]
    return 0 <= address_space <= memory and resource.getrlimit(resource.RLIMIT_CORE) == (0, 0)


def _root_is_closed() -> bool:
    try:
        os.close(os.open("/", os.O_RDONLY))
    except PermissionError:
        return True
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

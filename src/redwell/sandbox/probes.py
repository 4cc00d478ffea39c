"""Tries to get out: run in place of the kernel, behind the same walls, to see whether they hold. Standard library only.

The host has laid out what to reach for: a file, listening sockets, its own process. Each attempt says what it reached, or
nothing when it was stopped.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import platform
import signal
import socket
import struct
from collections.abc import Callable
from typing import Any, NoReturn

from redwell.sandbox import confine

# (x86-64, arm64) numbers of calls that no cell needs, each harmless with the arguments -1 if it should go through.
KERNEL_CALLS = {
    "add_key": (248, 217),
    "bpf": (321, 280),
    "fanotify_init": (300, 262),
    "io_uring_setup": (425, 425),
    "keyctl": (250, 219),
    "memfd_create": (319, 279),
    "mount": (165, 40),
    "open_by_handle_at": (304, 265),
    "perf_event_open": (298, 241),
    "personality": (135, 92),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "sched_setaffinity": (203, 122),
    "setns": (308, 268),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}


def _read(target: dict[str, Any]) -> str:
    for path in (target["secret"], "/etc/passwd", f"/proc/{target['process']}/environ", "/proc/1/environ"):
        try:
            with open(path, "rb") as file:
                file.read(1)
        except OSError:
            continue
        return f"read {path}"
    return ""


def _write(target: dict[str, Any]) -> str:
    for folder in (target["folder"], "/tmp", "/var/tmp", "/dev/shm", "/"):
        path = os.path.join(folder, "written-by-a-probe")
        try:
            with open(path, "wb") as file:
                file.write(b"x")
        except OSError:
            continue
        os.unlink(path)
        return f"wrote {path}"
    try:
        os.unlink(target["secret"])
    except OSError:
        return ""
    return f"deleted {target['secret']}"


def _connect(target: dict[str, Any]) -> str:
    attempts: list[tuple[int, Any]] = [
        (socket.AF_INET, ("127.0.0.1", target["port"])),
        (socket.AF_UNIX, target["unix"]),
        (socket.AF_UNIX, target["abstract"]),
    ]
    for family, address in attempts:
        try:
            with socket.socket(family, socket.SOCK_STREAM) as connection:
                connection.settimeout(1)
                connection.connect(address)
        except OSError:
            continue
        return f"connected to {address!r}"
    return ""


def _start(_: dict[str, Any]) -> str:
    try:
        process = os.fork()
    except OSError:
        pass
    else:
        if not process:
            os._exit(0)
        os.waitpid(process, 0)
        return "forked"
    try:
        os.execve("/nonexistent", ["nonexistent"], {})
    except OSError as error:
        return "" if error.errno == errno.EPERM else "execve was tried by the kernel"
    return "execve went through"


def _signal(target: dict[str, Any]) -> str:
    try:
        os.kill(target["process"], 0)
    except OSError:
        return ""
    return f"may signal process {target['process']}"


def _limits_of_others(target: dict[str, Any]) -> str:
    old = ctypes.create_string_buffer(16)
    if ctypes.CDLL(None).prlimit(target["process"], 7, None, old) == 0:
        return f"read the limits of process {target['process']}"
    return ""


def _environment(target: dict[str, Any]) -> str:
    return f"found {target['variable']}" if target["variable"] in os.environ else ""


def _kernel(_: dict[str, Any]) -> str:
    column = {"x86_64": 0, "aarch64": 1}[platform.machine()]
    libc = ctypes.CDLL(None, use_errno=True)
    minus = ctypes.c_long(-1)
    reached = []
    for name, numbers in KERNEL_CALLS.items():
        result = libc.syscall(numbers[column], minus, minus, minus, minus, minus, minus)
        if result >= 0 or ctypes.get_errno() != errno.EPERM:
            reached.append(name)
    return "reached " + ", ".join(reached) if reached else ""


def _signals_by_descriptor(target: dict[str, Any]) -> str:
    import fcntl

    ours, theirs = socket.socketpair()
    with ours, theirs:
        try:
            fcntl.fcntl(ours, fcntl.F_SETOWN, target["process"])
        except OSError:
            return ""
    return f"a descriptor may signal process {target['process']}"


def _memory(target: dict[str, Any]) -> str:
    try:
        bytearray(target["memory_bytes"])
    except MemoryError:
        return ""
    return f"got {target['memory_bytes']:,} bytes"


ATTEMPTS: dict[str, Callable[[dict[str, Any]], str]] = {
    "reads no file outside": _read,
    "writes no file": _write,
    "reaches no socket": _connect,
    "starts no process": _start,
    "signals no process": _signal,
    "signals by no descriptor": _signals_by_descriptor,
    "sees no limits of others": _limits_of_others,
    "has nothing in its environment": _environment,
    "reaches no other part of the kernel": _kernel,
    "is limited in memory": _memory,
}


def main(descriptor: int) -> NoReturn:
    """Raise the walls, make the attempts, and send what came of them in one frame."""
    boot = json.loads(_take(descriptor, int.from_bytes(_take(descriptor, 4), "big")))
    walls = confine.apply(boot["confinement"], descriptor)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    reached = {}
    for name, attempt in ATTEMPTS.items():
        try:
            reached[name] = attempt(boot["target"])
        except Exception as error:
            reached[name] = f"the attempt failed: {error!r}"
    data = json.dumps({"walls": walls, "reached": reached}).encode()
    os.write(descriptor, struct.pack(">I", len(data)) + data)
    _take(descriptor, 1)  # the host looks at this process from outside, and then hangs up
    os._exit(0)


def _take(descriptor: int, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = os.read(descriptor, size - len(data))
        if not more:
            os._exit(0)
        data += more
    return data

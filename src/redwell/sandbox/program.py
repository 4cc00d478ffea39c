"""Walls around a program that is started to work on one document: it sees the system's programs and one folder of its own.

Raised between fork and exec; what the program starts inherits them. Standard library only.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import struct
import sys
from collections.abc import Iterable
from pathlib import Path
from stat import S_ISDIR

from redwell.sandbox import landlock
from redwell.sandbox.landlock import _ADD_RULE, _CREATE_RULESET, _FILE_RIGHTS, _PATH_BENEATH, _RESTRICT_SELF, _call

_EXECUTE, _READ_FILE, _READ_DIR, _WRITE_FILE = 1 << 0, 1 << 2, 1 << 3, 1 << 1
_MAKE_CHARACTER_DEVICE, _MAKE_SOCKET, _MAKE_BLOCK_DEVICE, _DEVICE_CALLS = 1 << 6, 1 << 9, 1 << 11, 1 << 15
_TCP, _SCOPES = 0b11, 0b11
_SET_DEATH_SIGNAL, _SET_NO_NEW_PRIVS = 1, 38
_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000

_SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/opt", "/nix/store")
_READ = (
    *(
        "/etc/fonts",
        "/etc/libreoffice",
        "/etc/ld.so.cache",
        "/etc/alternatives",
        "/etc/localtime",
        "/etc/locale.alias",
        "/var/cache/fontconfig",
    ),
    *("/var/lib/libreoffice", "/var/spool/libreoffice"),
    *("/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu", "/dev/urandom", "/dev/zero"),
)


def enclose(program: str, folder: Path | None, readable: Iterable[str] = (), sockets: str = "") -> None:
    """Makes this process, about to become `program`, one that ends with its parent, reaches no network, reads the system's programs and
    `readable`, and writes only beneath `folder`; in the folder `sockets` it may make local sockets, and no files. A wall that the kernel does
    not have is left out."""
    if sys.platform != "linux":
        return
    library = ctypes.CDLL(None)
    library.prctl(_SET_DEATH_SIGNAL, int(signal.SIGKILL), 0, 0, 0)
    library.prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if library.unshare(_NEW_NETWORK) != 0:
        library.unshare(_NEW_USER | _NEW_NETWORK)
    with contextlib.suppress(OSError):
        _restrict(program, folder, readable, sockets)


def _restrict(program: str, folder: Path | None, readable: Iterable[str], sockets: str) -> None:
    version = landlock.abi()
    if not version:
        return
    every = (1 << _FILE_RIGHTS[min(version, 5)]) - 1
    attributes = struct.pack("=Q", every)
    if version >= 4:
        attributes += struct.pack("=Q", _TCP)
    if version >= 6:
        attributes += struct.pack("=Q", _SCOPES)
    ruleset = _call(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
    reading = _READ_FILE | _READ_DIR
    rules = [
        (path, reading | _EXECUTE)
        for path in (*_SYSTEM, str(Path(program).parent), str(Path(program).resolve().parent))
    ]
    rules += [(path, reading) for path in (*_READ, *readable)]
    rules.append(("/dev/null", _READ_FILE | _WRITE_FILE))
    if folder is not None:
        rules.append((str(folder), every & ~(_EXECUTE | _MAKE_CHARACTER_DEVICE | _MAKE_BLOCK_DEVICE | _DEVICE_CALLS)))
    if sockets:
        rules.append((sockets, _MAKE_SOCKET))
    for path, rights in rules:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError, PermissionError):
            descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
            try:
                if not S_ISDIR(os.fstat(descriptor).st_mode):
                    rights &= _EXECUTE | _READ_FILE | _WRITE_FILE
                _call(_ADD_RULE, ruleset, _PATH_BENEATH, struct.pack("=Qi", rights, descriptor), 0)
            finally:
                os.close(descriptor)
    _call(_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)

"""Walls around a program that is started to work on one document: it sees the system's programs and one folder of its own.

Raised between fork and exec; what the program starts inherits them. Standard library only.
"""

from __future__ import annotations

import contextlib
import ctypes
import signal
import sys
from collections.abc import Iterable
from pathlib import Path

from redwell.sandbox import landlock

NOT_IN_THE_FOLDER = (
    landlock.EXECUTE | landlock.MAKE_CHARACTER_DEVICE | landlock.MAKE_BLOCK_DEVICE | landlock.DEVICE_CALLS
)
_SET_DEATH_SIGNAL, _SET_NO_NEW_PRIVS = 1, 38
_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000

SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/opt", "/nix/store")
READ = (
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
    every = landlock.all_file_rights(version)
    reading = landlock.READ_FILE | landlock.READ_DIR
    places = (*SYSTEM, str(Path(program).parent), str(Path(program).resolve().parent))
    rules = [(path, reading | landlock.EXECUTE) for path in places]
    rules += [(path, reading) for path in (*READ, *readable)]
    rules.append(("/dev/null", landlock.READ_FILE | landlock.WRITE_FILE))
    if folder is not None:
        rules.append((str(folder), every & ~NOT_IN_THE_FOLDER))
    if sockets:
        rules.append((sockets, landlock.MAKE_SOCKET))
    landlock.enforce(version, every, landlock.TCP, landlock.SCOPES, rules)

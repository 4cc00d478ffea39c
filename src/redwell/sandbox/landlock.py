"""Landlock: from here on only the given paths can be opened, and only to read. Runs inside the sandbox, standard library only.

Constants are from the kernel's `include/uapi/linux/landlock.h`; the system calls have the same numbers on every architecture.
"""

from __future__ import annotations

import _socket  # itself, since `socket` around it takes longer to import than all of this
import ctypes
import errno
import os
import struct
from collections.abc import Container, Iterable
from stat import S_ISDIR

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION = 1  # flag of create_ruleset: tell the ABI
_PATH_BENEATH = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
MAKE_CHARACTER_DEVICE, MAKE_SOCKET, MAKE_BLOCK_DEVICE, DEVICE_CALLS = 1 << 6, 1 << 9, 1 << 11, 1 << 15
_OF_A_FILE = EXECUTE | WRITE_FILE | READ_FILE
# How many file rights each ABI knows; all of them are handled, so all but those granted are refused.
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
TCP = 0b11  # bind and connect, since ABI 4
_CONNECT = 0b10
SCOPES = 0b11  # abstract sockets and signals of others, since ABI 6


def abi() -> int:
    """The kernel's Landlock version, 0 when it has none or does not use it."""
    return max(0, int(_libc().syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _VERSION)))


def walls() -> tuple[str, ...]:
    """The names of the walls that this kernel's Landlock can raise."""
    version = abi()
    return (
        ("Landlock files",) * (version >= 1) + ("Landlock TCP",) * (version >= 4) + ("Landlock scope",) * (version >= 6)
    )


def restrict(readable: Iterable[str], without: Container[str] = (), *, serves: bool = False) -> dict[str, bool]:
    """Refuse this process every file but those beneath `readable`, TCP, and abstract sockets and signals of processes outside. One that
    `serves` may take connections, and make none.

    Returns for each of `walls` whether it stands, as tried; those in `without` are not raised. Needs no_new_privs. Raises OSError when the
    kernel cannot; paths that do not exist are left out. What Landlock cannot hide is whether a guessed path exists, and its size and times.
    """
    version = abi()
    if not version:
        raise OSError("this kernel has no Landlock")
    files = 0 if "Landlock files" in without else all_file_rights(version)
    network = 0 if "Landlock TCP" in without else _CONNECT if serves else TCP
    scopes = 0 if "Landlock scope" in without else SCOPES
    enforce(version, files, network, scopes, ((path, READ_FILE | READ_DIR) for path in readable))
    tried = {
        "Landlock files": _root_is_closed,
        "Landlock TCP": _connecting_is_refused if serves else _tcp_is_refused,
        "Landlock scope": _parent_is_out_of_reach,
    }
    return {wall: tried[wall]() for wall in walls()}


def all_file_rights(version: int) -> int:
    """Every right to files that a kernel of that ABI knows, as bits."""
    return (1 << _FILE_RIGHTS[min(version, 5)]) - 1


def enforce(version: int, files: int, network: int, scopes: int, rules: Iterable[tuple[str, int]]) -> None:
    """Refuse this process the given rights, but for the rights to files that a rule (path, rights) grants beneath a path.

    What an ABI of that version does not know is left out, and so are paths that are not there for this process. Raises OSError.
    """
    attributes = struct.pack("=Q", files)
    if version >= 4:
        attributes += struct.pack("=Q", network)
    if version >= 6:
        attributes += struct.pack("=Q", scopes)
    if not any(attributes):
        return
    ruleset = _call(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
    try:
        for path, rights in rules if files else ():
            _add(ruleset, path, rights & files)
        _call(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _add(ruleset: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return
    try:
        if not S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= _OF_A_FILE
        _call(_ADD_RULE, ruleset, _PATH_BENEATH, struct.pack("=Qi", rights, descriptor), 0)
    finally:
        os.close(descriptor)


def _root_is_closed() -> bool:
    try:
        os.close(os.open("/", os.O_RDONLY))
    except PermissionError:
        return True
    return False


def _tcp_is_refused() -> bool:
    try:
        any_port = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
        try:
            any_port.bind(("127.0.0.1", 0))
        finally:
            any_port.close()
    except OSError as error:
        return error.errno == errno.EACCES
    return False


def _connecting_is_refused() -> bool:
    try:
        nowhere = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
        try:
            nowhere.connect(("127.0.0.1", 1))
        finally:
            nowhere.close()
    except OSError as error:
        return error.errno == errno.EACCES
    return False


def _parent_is_out_of_reach() -> bool:
    """In a process namespace of its own the parent has no number."""
    parent = os.getppid()
    try:
        if parent:
            os.kill(parent, 0)
    except PermissionError:
        return True
    return not parent


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _call(number: int, *arguments: object) -> int:
    result = int(_libc().syscall(number, *arguments))
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"Landlock: {os.strerror(error)}")
    return result

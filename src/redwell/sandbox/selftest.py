"""Whether a backend's walls hold on this machine: real attempts to get out, made once per process while they hold, and the choice of a backend."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import socket
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redwell.sandbox import bwrap, landlock, launch
from redwell.sandbox.launch import Confinement
from redwell.sandbox.short_paths import folder_for_sockets
from redwell.sandbox.types import Backend, Policy, SandboxUnavailable

BACKENDS: tuple[Backend, ...] = ("bwrap", "landlock")
"""The confined ones, in the order in which they are preferred."""

_SECONDS = 20.0
_MEMORY = 256 << 20
_WAY_OUT = (
    "Install bubblewrap and allow user namespaces, or use a kernel with Landlock (5.13 or later). "
    "Where the machine itself may be given up, --unsafe-local runs model-written code without any wall."
)


@dataclass(frozen=True, slots=True)
class Wall:
    """One thing that a sandbox must keep from happening; `detail` says what went through when it does not hold."""

    name: str
    holds: bool
    detail: str = ""


_held: dict[Backend, list[Wall]] = {}


def check(backend: Backend) -> list[Wall]:
    """Start a sandbox of this backend, try to get out of it, and return what holds. When all holds, that is known for this process.

    A backend that is not there or does not start gives a single wall that does not hold. `unsafe-local` has no walls.
    """
    if backend in _held:
        return _held[backend]
    walls = probe(backend, Confinement())
    if all(wall.holds for wall in walls):
        _held[backend] = walls
    return walls


def choose(backend: Backend | str = "auto") -> Backend:
    """The backend to use: the one named, or the first of bwrap and landlock whose walls all hold.

    Raises SandboxUnavailable with what is missing on each, and the way out. `unsafe-local` is never chosen unless named.
    """
    if backend == "unsafe-local":
        return "unsafe-local"
    candidates = BACKENDS if backend == "auto" else tuple(name for name in BACKENDS if name == backend)
    if not candidates:
        raise SandboxUnavailable(
            f"there is no sandbox backend {backend}; there are {', '.join(BACKENDS)} and unsafe-local"
        )
    faults = []
    for name in candidates:
        broken = [wall for wall in check(name) if not wall.holds]
        if not broken:
            return name
        faults.append(f"{name}: " + "; ".join(f"{wall.name} ({wall.detail})" for wall in broken))
    subject = "No sandbox holds" if backend == "auto" else f"The sandbox {backend} does not hold"
    raise SandboxUnavailable(f"{subject} on this machine. {'. '.join(faults)}. {_WAY_OUT}")


def probe(backend: Backend, confinement: Confinement) -> list[Wall]:
    """Make the attempts behind the walls that `confinement` raises."""
    if backend == "bwrap" and bwrap.executable() is None:
        return [Wall("bwrap", False, "bubblewrap is not installed")]
    if backend == "landlock" and not landlock.abi():
        return [Wall("landlock", False, "this kernel has no Landlock")]
    policy = Policy(memory_bytes=_MEMORY)
    with _targets() as target:
        try:
            child = launch.start(policy, backend, confinement)
        except OSError as error:
            return [Wall(backend, False, f"it does not start: {error}")]
        boot = {"confinement": launch.settings(policy, backend, confinement), "target": target}
        try:
            found = _exchange(child.socket, json.dumps(boot).encode())
            missing = launch.missing(backend, found["walls"], child.settle())
        except (OSError, ValueError):
            child.kill_all()
            return [Wall(backend, False, f"it does not start: {child.reason() or 'no answer came'}")]
        finally:
            child.close()
    walls = [Wall(name, name not in missing, "it does not stand") for name in launch.required(backend)]
    walls += [Wall(name, not reached, reached) for name, reached in found["reached"].items()]
    return [Wall(wall.name, True) if wall.holds else wall for wall in walls]


@contextlib.contextmanager
def _targets() -> Iterator[dict[str, Any]]:
    """What a probe reaches for: a secret file, listening sockets, a variable, this process."""
    folder = Path(tempfile.mkdtemp(prefix="redwell-selftest-", dir=folder_for_sockets()))
    name = f"REDWELL_SELFTEST_{secrets.token_hex(4).upper()}"
    addresses = {"unix": str(folder / "socket"), "abstract": f"\0{name}"}
    try:
        with contextlib.ExitStack() as stack:
            secret = folder / "secret"
            secret.write_text(name)
            listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            for address in addresses.values():
                local = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
                local.bind(address)
                local.listen()
            os.environ[name] = "secret"
            yield {
                "secret": str(secret),
                "folder": str(folder),
                "port": listener.getsockname()[1],
                **addresses,
                "variable": name,
                "process": os.getpid(),
                "memory_bytes": _MEMORY,
            }
    finally:
        os.environ.pop(name, None)
        shutil.rmtree(folder, ignore_errors=True)


def _exchange(connection: socket.socket, frame: bytes) -> dict[str, Any]:
    connection.settimeout(_SECONDS)
    connection.sendall(launch.bundle(launch.PROBES) + len(frame).to_bytes(4, "big") + frame)
    with connection.makefile("rb") as stream:
        size = int.from_bytes(stream.read(4), "big")
        found: dict[str, Any] = json.loads(stream.read(size))
    return found

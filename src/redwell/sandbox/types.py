"""What a sandbox is given and what a cell comes back with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

Json = Any
Backend = Literal["bwrap", "landlock", "unsafe-local"]
CellStatus = Literal["ok", "error", "interrupted", "killed"]

Handler = Callable[[str, dict[str, Json]], Awaitable[Json]]
"""Answers a host call from the sandbox: (name, arguments) -> JSON. Raise HostRefusal to raise HostError there with that message."""


class HostRefusal(Exception):
    """The host will not do what a cell asked; the message is shown to the model."""


class SandboxUnavailable(Exception):
    """No backend passed its self-test; the message says which wall is missing on which backend and the way out."""


@dataclass(frozen=True, slots=True)
class GuestModule:
    """Python source (standard library only) that is run in the sandbox before the first cell.

    The source is executed as a module called `name`, with a function `host(name, **arguments)` in its globals that makes a host
    call. The names in its `__all__` are put into the cells' namespace and are protected: a cell that rebinds one finds it
    restored afterwards, and is told so. Later modules can import earlier ones.
    """

    name: str
    source: str


@dataclass(frozen=True, slots=True)
class Policy:
    """The walls. `readable` are the only paths that can be opened besides the interpreter, all read-only."""

    readable: tuple[Path, ...] = ()
    memory_bytes: int = 4 << 30
    file_bytes: int = 64 << 20
    soft_seconds: float = 120.0
    hard_seconds: float = 30.0  # after the soft deadline's interrupt, before the kill
    output_chars: int = 2_000_000  # kept of one cell's output; the rest is counted and dropped
    frame_bytes: int = 16 << 20
    seed: int = 0
    clock_start: float = 0.0


@dataclass(frozen=True, slots=True)
class CellResult:
    """`output` is stdout and stderr in the order written, then the trailing expression's repr; `error` is the traceback with line
    numbers of the cell, empty when it ended well. State survives unless `status` is `killed`."""

    status: CellStatus
    output: str
    error: str = ""
    dropped_chars: int = 0
    seconds: float = 0.0
    restored: tuple[str, ...] = ()

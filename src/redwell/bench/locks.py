"""One process at a time: locks that the kernel lets go of however their holder ends."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path


class InUse(Exception):
    """Another process holds what is asked for; the message names the file and the process."""


@contextlib.contextmanager
def held(file: Path, *, wait: bool = False) -> Iterator[None]:
    """Holds the lock `file`, which is made when absent. Raises InUse when another process holds it, unless `wait`."""
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            holder = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()
            raise InUse(f"{file.parent} is in use by process {holder or 'unknown'}; wait until it has ended") from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(descriptor)

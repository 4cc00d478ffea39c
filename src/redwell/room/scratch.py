"""Folders for what the workers write on their way, and the removal of those that a killed process could not remove itself."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import stat
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

PREFIX = "redwell-scratch-"
YOUNG = 60.0
"""Seconds for which a folder that nobody holds is left alone: its maker may be about to take hold of it."""


@dataclass(frozen=True, slots=True)
class Scratch:
    """A folder of this process alone. Whoever holds its lock lives; the kernel lets go of it however the process ends."""

    path: Path
    lock: int

    @classmethod
    def make(cls) -> Scratch:
        """A new folder; what killed processes of the same user have left is removed, since it holds parts of their documents."""
        base = Path(tempfile.gettempdir())
        for old in base.glob(f"{PREFIX}*"):
            _remove_abandoned(old)
        path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=base))
        lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        fcntl.flock(lock, fcntl.LOCK_EX)
        return cls(path, lock)

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self.lock)


def _remove_abandoned(folder: Path) -> None:
    with contextlib.suppress(OSError):
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or time.time() - found.st_mtime < YOUNG:
            return
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
        finally:
            os.close(lock)

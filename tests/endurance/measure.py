"""What a process holds: memory, descriptors, sockets, threads, processes under it, temporary files; and whether that grows. Linux only."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Held:
    """What this process holds at one moment. `descriptors` includes `sockets`; `files` are entries of the folder for temporary
    files; `memory` is resident, in bytes."""

    memory: int
    descriptors: int
    sockets: int
    threads: int
    processes: int
    files: int

    @property
    def countable(self) -> dict[str, int]:
        """All but memory: what must be the same whenever nothing runs."""
        return {
            "descriptors": self.descriptors,
            "sockets": self.sockets,
            "threads": self.threads,
            "processes": self.processes,
            "files": self.files,
        }


def held(temporary: Path | None = None) -> Held:
    """What this process holds now; `temporary` is the folder whose entries are counted, if any."""
    kinds = []
    for descriptor in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):  # the listing's own
            kinds.append(os.readlink(f"/proc/self/fd/{descriptor}"))
    return Held(
        memory=resident(os.getpid()),
        descriptors=len(kinds),
        sockets=sum(kind.startswith("socket:") for kind in kinds),
        threads=len(os.listdir("/proc/self/task")),  # those of native libraries too
        processes=len(descendants()),
        files=len(os.listdir(temporary)) if temporary else 0,
    )


def settled(before: Held, patience: float = 10.0) -> Held:
    """What this process holds once it holds no more than before, or after so many seconds: a thread that ends takes its time."""
    deadline = time.monotonic() + patience
    while True:
        now = held()
        if time.monotonic() > deadline or all(now.countable[name] <= count for name, count in before.countable.items()):
            return now
        time.sleep(0.05)


def resident(process: int) -> int:
    """Resident memory of a process in bytes; 0 when it is gone."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def most_resident(process: int) -> int:
    """The most that a living process has held so far, in bytes; 0 when it is gone."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM")), 0)


def descendants(of: int | None = None) -> set[int]:
    """The processes under one; this one when none is named."""
    top = os.getpid() if of is None else of
    parents = {}
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    found = {top}
    while grown := {process for process, parent in parents.items() if parent in found} - found:
        found |= grown
    return found - {top}


def slope(points: Sequence[tuple[float, float]]) -> float:
    """By how much the second figure grows for each unit of the first: the straight line of least squares. 0 for fewer than two points."""
    if len({x for x, _ in points}) < 2:
        return 0.0
    middle_x = sum(x for x, _ in points) / len(points)
    middle_y = sum(y for _, y in points) / len(points)
    return sum((x - middle_x) * (y - middle_y) for x, y in points) / sum((x - middle_x) ** 2 for x, _ in points)

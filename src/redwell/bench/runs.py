"""Which folders are runs. What an agent has written lies in its run's folder, and nothing in there is taken for a run, a measure or a verdict."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

RUN, JOURNAL = "run.json", "journal.sqlite"
_NOT_IN = ("task.json", "room.sqlite")
"""Files of folders that hold no runs: tasks, and the stores of rooms."""


def runs_in(folder: Path) -> Iterator[Path]:
    """The runs in a folder, which may be one itself, in the order of their names. What lies in a run, a room's store or a task is not
    looked into, nor what is hidden or a link."""
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if RUN in files:
            folders.clear()
            yield Path(place)
        elif any(name in files for name in _NOT_IN):
            folders.clear()


def has_journal(run: Path) -> bool:
    """Whether a run has come so far that its journal can be read."""
    return (run / JOURNAL).is_file()

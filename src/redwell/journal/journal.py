"""The append-only record of a run: `run.json`, `journal.sqlite`, and `output/` in one folder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened. `sequence` orders all events of a run; `agent` is `root`, or `root.3` for a depth-2 child.

    `data` is small JSON; texts are in blobs, named in `blobs` by purpose -> SHA-256.
    """

    sequence: int
    time: float
    kind: str
    agent: str
    data: dict[str, Any] = field(default_factory=dict)
    blobs: dict[str, str] = field(default_factory=dict)


class Journal:
    """What is appended here is durable (a crash of the process loses nothing) once `append` has returned."""

    folder: Path

    @classmethod
    def create(cls, folder: Path, configuration: dict[str, Any]) -> Journal:
        """Makes the run folder with the frozen `run.json`. Raises FileExistsError when it holds a run already."""
        raise NotImplementedError

    @classmethod
    def open(cls, folder: Path, *, read_only: bool = False) -> Journal:
        """Raises JournalError when the folder holds no run or the journal is damaged."""
        raise NotImplementedError

    def append(self, kind: str, agent: str = "root", data: dict[str, Any] | None = None, **blobs: str | bytes) -> Event:
        """Commits the event and its blobs before it returns."""
        raise NotImplementedError

    async def append_async(
        self, kind: str, agent: str = "root", data: dict[str, Any] | None = None, **blobs: str | bytes
    ) -> Event:
        """The same, sharing one commit among all callers that wait at the same time."""
        raise NotImplementedError

    def events(self, kind: str | tuple[str, ...] | None = None, *, after: int = 0) -> Iterator[Event]:
        raise NotImplementedError

    def blob(self, digest: str) -> bytes:
        raise NotImplementedError

    def text(self, digest: str) -> str:
        return self.blob(digest).decode("utf-8")

    @property
    def configuration(self) -> dict[str, Any]:
        raise NotImplementedError

    def close(self) -> None: ...

"""The address of a stretch of a document's text, as events carry it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

View = Literal["final", "original", "marked"]
"""The three texts of a document with tracked changes. `final` (all changes accepted) is the default everywhere."""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a document's canonical text, in code points: `text(document, view)[start:end]`."""

    document: str
    start: int
    end: int
    view: View = "final"

    def __len__(self) -> int:
        return self.end - self.start

"""What every harness is given and returns, and what an application hands in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from redwell.journal.journal import Journal
from redwell.models.types import FailureKind
from redwell.room.types import Citation, Span
from redwell.sandbox.types import GuestModule, Json

RunStatus = Literal["submitted", "salvaged", "interrupted", "failed"]


@dataclass(frozen=True, slots=True)
class Task:
    """`id` and `instructions` are all that an agent learns of a task besides the room; the rubric is never in here."""

    id: str
    instructions: str
    deliverables: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Settings:
    """How a run is made; frozen into `run.json`."""

    depth: int = 1
    max_turns: int = 60
    idle_turns: int = 3  # replies in a row without code, failing, or only with a submit() refused before, before the harness gives up on the root
    output_head: int = 9_000  # characters of a cell's output that the root sees at once: head and tail
    output_tail: int = 5_000
    context_tokens: int = 100_000  # the root's context is compacted above this
    slice_chars: int = 48_000  # of room text in one sub-agent call
    cell_seconds: float = 120.0
    grace_seconds: float = 30.0  # after the interrupt of a cell that took longer, before its session is killed
    sandbox: str = "auto"  # auto, bwrap, landlock, unsafe-local
    seed: int = 0
    tool_turns: int = 200  # of the tool loop
    report_tokens: int = 32_000  # that a model may write at once where it writes the deliverable itself
    agent_command: str = ""  # of the coding agent: a command line with {prompt} in it
    agent_server: str = ""  # the one host:port that it may reach, its model's
    agent_key: str = ""  # the one environment variable that it is given besides
    agent_seconds: float = 3_600.0
    prompt: Literal["full", "short"] = (
        "full"  # short: for small models as the root; no tool, and little is told of a cell
    )
    root_tokens: int = 8_192  # the longest reply of the root
    capture: bool = False  # the root's calls ask for token ids and log-probabilities, and have seeds of their own
    root_temperature: float | None = None
    salvage: bool = True  # whether what sub-agents found is delivered where the root did not submit; without it only what the root wrote


@dataclass(frozen=True, slots=True)
class Finding:
    """What a sub-agent returns, checked: each quote has been looked for in the span that it read.

    `kind` is what it is about in one word or slug (an issue archetype's id, or `fact:...`, or what the root's question asked for);
    `values` are figures, dates and names that were asked for.
    """

    id: str
    kind: str
    claim: str
    citations: tuple[Citation, ...] = ()
    values: dict[str, Json] = field(default_factory=dict)
    document: str = ""
    call: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """A call that gave no answer over these spans. Never an empty list of findings."""

    kind: FailureKind
    message: str
    spans: tuple[Span, ...]
    call: str = ""
    question: str = ""


@dataclass(slots=True)
class RunState:
    """What an application may look at while a run goes on, and when it must make do: all views of the journal."""

    findings: list[Finding] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    unread: list[Span] = field(default_factory=list)  # readable text that no call with an answer contained
    calls_in_flight: int = 0
    budget_spent: bool = False


class Application(Protocol):
    """What the harness does not know: the deliverable's own tools, prompt and rules. `diligence` is one.

    Host calls named `<name>.something` are routed to `handle`. Whatever it changes it writes to the journal as an event before it
    answers, so that `recover` can rebuild it after a crash without running anything again.
    """

    name: str

    @property
    def modules(self) -> Sequence[GuestModule]: ...

    @property
    def prompt(self) -> str:
        """Its part of the root's system prompt."""
        ...

    @property
    def writing(self) -> str:
        """How the deliverable is to be written, as plain Markdown, by a model that writes the file itself."""
        ...

    @property
    def question(self) -> str:
        """The one question to sub-agents where no root asks: everything that is looked for."""
        ...

    @property
    def queries(self) -> Sequence[str]:
        """What is searched for where no model searches: plain words, one query for each thing that is looked for."""
        ...

    async def handle(self, name: str, arguments: dict[str, Json]) -> Json: ...

    def outline(self) -> str:
        """The deliverable so far, short enough to be kept in the root's context after compaction."""
        ...

    def refusals(self, state: RunState) -> list[str]:
        """Why `submit()` may not end the run now; empty when it may."""
        ...

    def salvage(self, state: RunState, reason: str) -> None:
        """Make the best deliverable from what was found, when the root will not; the reason is shown on its first page."""
        ...

    def deliver(self, state: RunState, output: Path) -> list[Path]:
        """Write the deliverables into `output`; returns them."""
        ...

    def recover(self, journal: Journal) -> None: ...


@dataclass(frozen=True, slots=True)
class Outcome:
    status: RunStatus
    reason: str
    files: tuple[Path, ...]
    turns: int
    state: RunState


Progress = Callable[[str, dict[str, Any]], None]
"""Called with (what happened, figures) while a run goes on; must return at once. Kinds: `turn`, `call`, `finding`, `entry`, `cell`,
`note`, `done`."""

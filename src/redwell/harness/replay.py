"""What a journal says of a run that was under way: enough to go on with it without asking for anything twice."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from redwell.harness.types import Finding
from redwell.journal.journal import Event, Journal
from redwell.models.record import read_completion
from redwell.models.types import Completion
from redwell.room.types import Citation, Span
from redwell.sandbox.types import CellResult, Json


@dataclass(frozen=True, slots=True)
class Recorded:
    """The host's answer to one call from a cell."""

    name: str
    refused: bool
    arguments: Json
    answer: Json


@dataclass(slots=True)
class PastCell:
    """A cell that was begun. `answers` are what the host answered, by the number of the call; `result` is None when it was cut off."""

    number: int
    turn: int
    clock: float
    code: str
    answers: dict[int, Event] = field(default_factory=dict)
    result: CellResult | None = None
    blobs: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Past:
    """The past of one agent."""

    started: Event | None = None
    finished: Event | None = None
    cells: dict[int, PastCell] = field(default_factory=dict)
    completions: dict[str, Event] = field(default_factory=dict)
    feedback: dict[int, Event] = field(default_factory=dict)
    compactions: dict[int, list[Event]] = field(default_factory=dict)
    turns: int = 0


@dataclass(slots=True)
class History:
    """The past of all agents of a run, and every finding so far, by id."""

    agents: dict[str, Past] = field(default_factory=dict)
    findings: dict[str, Finding] = field(default_factory=dict)

    def of(self, agent: str) -> Past:
        return self.agents.setdefault(agent, Past())


def load(journal: Journal) -> History:
    """Reads the journal once, in order."""
    history = History()
    kinds = (
        "run.started",
        "run.finished",
        "agent.",
        "turn.",
        "cell.",
        "host.answered",
        "compaction",
        "call.completed",
        "finding",
    )
    for event in journal.events(kinds):
        _take(event, history, journal)
    return history


def _take(event: Event, history: History, journal: Journal) -> None:
    past, data = history.of(event.agent), event.data
    if event.kind in ("run.started", "agent.started"):
        past.started = past.started or event
    elif event.kind in ("run.finished", "agent.finished"):
        past.finished = event
    elif event.kind == "turn.started":
        past.turns = max(past.turns, data["turn"])
    elif event.kind == "turn.finished":
        past.feedback[data["turn"]] = event
    elif event.kind == "compaction":
        past.compactions.setdefault(data["turn"], []).append(event)
    elif event.kind == "cell.started":
        code = journal.text(event.blobs["code"])
        past.cells[data["cell"]] = PastCell(data["cell"], data["turn"], data["clock"], code)
    elif event.kind == "host.answered":
        past.cells[data["cell"]].answers[data["n"]] = event
    elif event.kind == "cell.finished":
        cell = past.cells[data["cell"]]
        cell.blobs = event.blobs
        cell.result = CellResult(
            status=data["status"],
            output=journal.text(event.blobs["output"]),
            error=journal.text(event.blobs["error"]),
            dropped_chars=data.get("dropped", 0),
            seconds=data["seconds"],
            restored=tuple(data["restored"]),
        )
    elif event.kind == "call.completed" and data["role"] == "root":
        past.completions[data["call"]] = event
    elif event.kind == "finding":
        found = finding(data)
        history.findings[found.id] = found


def unanswered_events(journal: Journal, application: str) -> list[Event]:
    """The events that an application wrote for a call whose answer did not reach the journal before the process ended.

    The call is made again when the run is resumed, so the application must not let them count twice.
    """
    open_events: list[Event] = []
    for event in journal.events((f"{application}.", "host.answered")):
        if event.kind != "host.answered":
            open_events.append(event)
        elif event.agent == "root":
            open_events.clear()
    return open_events


def completion(event: Event, journal: Journal) -> Completion:
    return read_completion(journal.text(event.blobs["completion"]))


def recorded(event: Event, journal: Journal) -> Recorded:
    return Recorded(
        name=event.data["name"],
        refused=event.data["refused"],
        arguments=json.loads(journal.text(event.blobs["arguments"])),
        answer=json.loads(journal.text(event.blobs["answer"])),
    )


def finding(data: dict[str, Any]) -> Finding:
    """The Finding that `asdict` wrote, or the sandbox was given."""
    return Finding(
        id=data["id"],
        kind=data["kind"],
        claim=data["claim"],
        citations=tuple(_citation(each) for each in data["citations"]),
        values=data["values"],
        document=data["document"],
        call=data.get("call", ""),
    )


def _citation(data: dict[str, Any]) -> Citation:
    return Citation(
        quote=data["quote"],
        document=data["document"],
        spans=tuple(_span(each) for each in data["spans"]),
        status=data["status"],
        nearest=_span(data["nearest"]) if data.get("nearest") else None,
        difference=data.get("difference", ""),
    )


def _span(data: Any) -> Span:
    return Span(**data) if isinstance(data, dict) else Span(*data)

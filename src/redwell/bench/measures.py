"""The numbers of one run: coverage twice, citations, tokens and cost by role, how it went about it. All derived from its journal."""

from __future__ import annotations

import json
import math
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from redwell.bench import probes
from redwell.bench.behaviour import Behaviour, behaviour
from redwell.bench.citations import Citations, citations
from redwell.bench.key import Key, read_key
from redwell.bench.tasks import BenchTask
from redwell.bench.unreadable import why
from redwell.journal.coverage import Coverage, coverage
from redwell.journal.journal import Journal, JournalError
from redwell.journal.usage import usage
from redwell.room.room import Room

FILE = "measures.json"
AGAIN = "measure the run again: delete its cell.json, and go on with its matrix by `redwell bench run`"
"""The way out where measures cannot be used."""
READ_FILE = "documents_read.json"
"""The share read of each document, by path; what the map of a room is drawn from."""


@dataclass(frozen=True, slots=True)
class RoleUse:
    """One role's part. `cost` in US dollars at list prices with what the server's prompt cache saved; None when a price is not known."""

    calls: int = 0
    failed: int = 0
    input: int = 0
    cached_input: int = 0
    output: int = 0
    cost: float | None = 0.0


@dataclass(frozen=True, slots=True)
class Measures:
    """Shares are 0 to 1. `documents` are those with text; `documents_read` those of which a model was sent any of it (LAB's count).

    `coverage` is exact, from the journal's spans; `probe_coverage` comes from the probes, `probe_disagreements` counts those at which the
    two differ. `root_input_share` and `root_output_share` are of all tokens. `status` is the run's, and `reason` why it did not submit.
    """

    task: str
    harness: str
    root: str
    sub: str
    repeat: int
    status: str
    reason: str
    documents: int
    characters: int
    documents_read: int
    coverage: float
    document_coverage: float  # the mean over documents of the share read of each
    probe_coverage: float
    probes: int
    probe_disagreements: int
    roles: dict[str, RoleUse]
    cost: float | None
    root_input_share: float
    root_output_share: float
    behaviour: Behaviour
    citations: Citations
    settings: dict[str, Any] = field(default_factory=dict)
    key: str = ""  # where the task's answer key lies, if it has one


def measure(run: Path, task: BenchTask, room: Room, *, drawn: list[probes.Probe] | None = None) -> Measures:
    """Measures a run, finished or not, and writes RUN/measures.json and RUN/documents_read.json. `drawn` are the room's probes when they are there already.

    Raises JournalError when the run cannot be read.
    """
    with Journal.open(run, read_only=True) as journal:
        exact = coverage(journal, {document.id: document.length for document in room.documents() if document.length})
        found = _measured(journal, run, task, room, exact, drawn)
    shares = {room.document(document).path: round(share, 6) for document, share in exact.documents.items()}
    write_atomically(run / READ_FILE, json.dumps(shares, ensure_ascii=False) + "\n")
    write_atomically(run / FILE, json.dumps(asdict(found), ensure_ascii=False, indent=1) + "\n")
    return found


def read_measures(run: Path) -> dict[str, Any] | None:
    """What `measure` wrote for a run; None when it has not been measured. Raises JournalError when the file is not what was written."""
    try:
        found = json.loads((run / FILE).read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise JournalError(f"{run / FILE} cannot be read ({why(error)}): {AGAIN}") from None
    try:
        TypeAdapter(Measures).validate_python(found)
    except ValidationError as error:
        first = error.errors()[0]
        field_ = ".".join(str(part) for part in first["loc"]) or "file"
        raise JournalError(f"{run / FILE}: {field_}: {first['msg'][:1].lower()}{first['msg'][1:]}: {AGAIN}") from None
    if not _finite(found):
        raise JournalError(f"{run / FILE}: holds a figure that is no number: {AGAIN}")
    return dict(found)


def _finite(found: Any) -> bool:
    if isinstance(found, dict | list):
        return all(map(_finite, found.values() if isinstance(found, dict) else found))
    return not isinstance(found, float) or math.isfinite(found)


def write_atomically(path: Path, text: str) -> None:
    """A file that is either the old one or the new one, whenever the process ends."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def _measured(
    journal: Journal, run: Path, task: BenchTask, room: Room, exact: Coverage, drawn: list[probes.Probe] | None
) -> Measures:
    configuration = journal.configuration
    every = probes.draw(room) if drawn is None else drawn
    hit = probes.seen(every, probes.sent_texts(journal, room))
    used = usage(journal)
    roles: dict[str, RoleUse] = {}
    for line in used.lines:
        before = roles.get(line.role, RoleUse())
        cost = None if before.cost is None or line.cost is None else before.cost + line.cost
        roles[line.role] = RoleUse(
            before.calls + line.calls,
            before.failed + line.failed,
            before.input + line.tokens.input,
            before.cached_input + line.tokens.cached_input,
            before.output + line.tokens.output,
            cost,
        )
    root = roles.get("root", RoleUse())
    key: Key | None = read_key(task.key) if task.key else None
    end = next((event.data for event in reversed(list(journal.events("run.finished")))), {})
    return Measures(
        task=task.id,
        harness=str(configuration.get("harness", "")),
        root=str(configuration["models"].get("root", "")),
        sub=str(configuration["models"].get("sub", "")),
        repeat=int(configuration.get("repeat", 1)),
        status=str(end.get("status", "unfinished")),
        reason=str(end.get("reason", "")),
        documents=len(exact.documents),
        characters=exact.total,
        documents_read=sum(share > 0 for share in exact.documents.values()),
        coverage=exact.share,
        document_coverage=sum(exact.documents.values()) / len(exact.documents) if exact.documents else 1.0,
        probe_coverage=probes.probed(every, hit).share,
        probes=len(every),
        probe_disagreements=len(probes.disagreements(every, hit, exact)),
        roles=roles,
        cost=used.cost,
        root_input_share=root.input / used.tokens.input if used.tokens.input else 0.0,
        root_output_share=root.output / used.tokens.output if used.tokens.output else 0.0,
        behaviour=behaviour(journal),
        citations=citations(run / "output", task.deliverables, room, key),
        settings=dict(configuration.get("settings", {})),
        key=str(task.key.resolve()) if task.key else "",
    )

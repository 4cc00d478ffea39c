"""A run in LAB's files, so that its tools can read it: `config.json`, `transcript.jsonl`, `metrics.json`. All are views of the journal."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from redwell.bench.measures import write_atomically
from redwell.journal.coverage import coverage
from redwell.journal.journal import Journal
from redwell.journal.shown import shown_json
from redwell.journal.span import Span
from redwell.journal.trajectory import messages
from redwell.journal.usage import usage
from redwell.room.room import Room
from redwell.room.types import Document

CONFIG, TRANSCRIPT, METRICS = "config.json", "transcript.jsonl", "metrics.json"
_INSIDE = "!/"
"""Stands in a document's path between a file and what is in it: a message's attachment, an archive's member."""
_COUNTED = {
    "bash": "bash_commands",
    "python": "bash_commands",
    "write": "files_written",
    "edit": "files_edited",
    "glob": "glob_searches",
    "grep": "grep_searches",
}


def export(run: Path, room: Room) -> dict[str, Any]:
    """Writes the three files beside the journal of a run over `room`, finished or not; returns the metrics. Raises JournalError."""
    with Journal.open(run, read_only=True) as journal:
        told = Counter[str]()
        lines = []
        for message in _turns(journal, room):
            told.update(_COUNTED.get(call["name"], "") for call in message.get("tool_calls", ()))
            lines.append(shown_json(json.dumps(message, ensure_ascii=False)))
        found = _metrics(journal, room, told)
        write_atomically(run / TRANSCRIPT, "".join(line + "\n" for line in lines))
        write_atomically(run / CONFIG, _text(_config(journal)))
    write_atomically(run / METRICS, _text(found))  # last: who finds it finds the others
    return found


def documents_read(journal: Journal, room: Room) -> tuple[list[str], list[str]]:
    """The room's files of which a model was shown any text, and the others; both by path. A file counts as read when a document inside it
    was; text that only a program's rules have read was shown to no model."""
    documents = room.documents()
    lengths = {document.id: document.length for document in documents}
    seen = coverage(journal, lengths, to_final=_whole(lengths))
    skimmed = Counter[str]()
    for span in seen.skimmed:
        skimmed[span.document] += len(span)
    read = {span.document: 0 for span in seen.spans}
    for span in seen.spans:
        read[span.document] += len(span)
    shown = {document for document, characters in read.items() if characters > skimmed[document]}
    return _files(room, documents, shown)


def _whole(lengths: dict[str, int]) -> Any:
    """Of a document that was shown in another view (with its changes marked), a first character: enough for a count."""
    return lambda span: [Span(span.document, 0, 1)] if lengths.get(span.document) else []


def _files(room: Room, documents: list[Document], shown: set[str]) -> tuple[list[str], list[str]]:
    every = {path.split(_INSIDE, 1)[0] for document in documents for path in document.paths}
    every |= {skipped.path.split(_INSIDE, 1)[0] for skipped in room.accounting().not_read}
    read = {path.split(_INSIDE, 1)[0] for document in documents if document.id in shown for path in document.paths}
    return sorted(read), sorted(every - read)


def _turns(journal: Journal, room: Room) -> Iterator[dict[str, Any]]:
    """The root's conversation with the turn that each message belongs to; a turn begins with what the model answers."""
    turn = 0
    for message in messages(journal, texts=room.slice):
        turn += message["role"] == "assistant"
        yield {"turn": turn, **message}


def _metrics(journal: Journal, room: Room, told: Counter[str]) -> dict[str, Any]:
    read, skipped = documents_read(journal, room)
    used = usage(journal)
    turns, seconds, last, end = 0, 0.0, None, None
    for event in journal.events():
        if last is not None and event.kind != "run.resumed":  # the time before is a pause
            seconds += max(0.0, event.time - last)
        last = event.time
        turns += event.kind == "call.completed" and event.agent == "root" and event.data["role"] == "root"
        if event.kind == "run.finished":
            end = event
    written = told["files_written"] or len(_delivered(journal.folder))
    return {
        "turn_count": turns,
        "input_tokens": used.tokens.input,
        "output_tokens": used.tokens.output,
        "wall_clock_seconds": round(seconds, 2),
        "finished_cleanly": end is not None and end.data.get("status") == "submitted",
        "documents_read": len(read),
        "documents_read_list": read,
        "documents_skipped": len(skipped),
        "documents_skipped_list": skipped,
        "total_documents": len(read) + len(skipped),
        "bash_commands": told["bash_commands"],
        "files_written": written,
        "files_edited": told["files_edited"],
        "glob_searches": told["glob_searches"],
        "grep_searches": told["grep_searches"],
        "completed_at": _date(end.time) if end is not None else "",
    }


def _delivered(run: Path) -> list[Path]:
    output = run / "output"
    return [path for path in output.iterdir() if path.is_file()] if output.is_dir() else []


def _config(journal: Journal) -> dict[str, Any]:
    configuration = journal.configuration
    models, settings = configuration["models"], configuration.get("settings", {})
    return {
        "run_id": run_name(journal),
        "task": configuration.get("task", ""),
        "model": models.get("root", ""),
        "sub_model": models.get("sub", ""),
        "harness": configuration.get("harness", ""),
        "repeat": configuration.get("repeat", 1),
        "max_turns": settings.get("max_turns"),
        "settings": settings,
        "budget": configuration.get("budget", {}),
        "started_at": configuration.get("started", ""),
        "versions": journal.versions,
    }


def run_name(journal: Journal) -> str:
    """A run as LAB names one: task, what ran it, and when."""
    configuration = journal.configuration
    ran = f"{configuration.get('harness', '')}--{configuration['models'].get('root', '')}"
    return f"{configuration.get('task', '')}/{ran}/{journal.created}"


def _date(time: float) -> str:
    return datetime.fromtimestamp(time, UTC).isoformat()


def _text(value: Any) -> str:
    return shown_json(json.dumps(value, ensure_ascii=False, indent=2)) + "\n"

"""What a report rests on, taken from the journal and the room when it is rendered."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict
from typing import Any

from redwell.diligence.report import Basis, Unread
from redwell.harness.types import Failure, RunState
from redwell.journal.coverage import coverage
from redwell.journal.journal import Journal
from redwell.journal.resumed import resumed
from redwell.journal.usage import Used, usage
from redwell.room.room import Room


def basis_of(journal: Journal, room: Room, state: RunState, *, reasons: bool) -> Basis:
    """Coverage counts only text in calls that were answered; a passage whose reading failed is unread, with the failure as reason."""
    documents = room.documents()
    lengths = {document.id: document.length for document in documents}
    covered = coverage(journal, lengths)
    used, gone_on = usage(journal), resumed(journal)
    failed: dict[str, str] = {}
    for failure in state.failures:
        for span in failure.spans:
            failed.setdefault(span.document, f"the call failed: {failure.kind}")
    read = {document.id: covered.of(document.id) for document in documents}
    by_rules: dict[str, int] = defaultdict(int)
    for span in covered.skimmed:
        by_rules[span.document] += len(span)
    missing: dict[str, int] = defaultdict(int)
    for span in covered.unread:
        missing[span.document] += len(span)
    unread = tuple(
        Unread(
            document.path, missing[document.id], document.length, failed.get(document.id, "not given to a sub-agent")
        )
        for document in documents
        if missing.get(document.id)
    )
    configuration = journal.configuration
    return Basis(
        room=str(configuration.get("room_name", room.store.name)),
        read_at=str(configuration.get("started", ""))[:10],
        accounting=room.accounting(),
        coverage=covered.share,
        shown=covered.shown,
        unread=unread,
        failures=tuple(_failure_lines(state)),
        failed=tuple(_failed(failure, room) for failure in state.failures),
        models=dict(configuration.get("models", {})),
        usage=tuple(_usage_lines(used)),
        cost=used.cost,
        versions={"redwell": str(configuration.get("version", ""))},
        documents=tuple(
            {
                "path": path,
                "id": document.id,
                "kind": document.kind,
                "status": document.status,
                "length": document.length,
                "read": read[document.id] if document.length else 1.0 * (document.status == "read"),
                "by_rules": by_rules[document.id] / document.length if document.length else 0.0,
            }
            for document in documents
            for path in document.paths
        ),
        reasons=reasons,
        resumed=gone_on.times,
        sent_again=tuple(asdict(call) for call in gone_on.calls),
    )


def _failure_lines(state: RunState) -> list[str]:
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for failure in state.failures:
        counts[(failure.kind, failure.message[:200])] += 1
    return [f"{count} × {kind}: {message}" for (kind, message), count in sorted(counts.items())]


def _failed(failure: Failure, room: Room) -> dict[str, Any]:
    """A call that gave no answer, with the passages that it was about."""
    return {
        "kind": failure.kind,
        "message": failure.message,
        "question": failure.question,
        "spans": [
            {"path": room.document(span.document).path, "start": span.start, "end": span.end} for span in failure.spans
        ],
    }


def _usage_lines(used: Used) -> list[dict[str, Any]]:
    return [
        {
            "role": line.role,
            "model": line.model,
            "calls": line.calls,
            "failed": line.failed,
            "input": line.tokens.input,
            "output": line.tokens.output,
            "cost": line.cost,
            "requests": line.requests,
            "unknown": line.unknown,
        }
        for line in used.lines
    ]

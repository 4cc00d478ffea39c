"""Proves a room against its answer key, with the texts that redwell's own room reader extracts and its own check of quotes."""

from __future__ import annotations

import json
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from redwell.bench.generate.room import UNFINISHED, GenerateError, unfinished
from redwell.bench.key import Absence, AnswerKeyError, Evidence, Key, PlantedIssue, read_key
from redwell.bench.tasks import KEY_FILE
from redwell.bench.unreadable import why
from redwell.room import quotes
from redwell.room.room import Room, read_room
from redwell.room.types import Document

Progress = Callable[[str, int, int], None]


def verify(task: Path, store: Path | None = None, *, progress: Progress | None = None) -> list[str]:
    """What does not hold, one plain sentence each; empty when every quote stands in its document and every absence holds.

    The room is read into `store`, or brought up to date there; without one, into a folder that is thrown away. Raises GenerateError when
    there is no finished room with a key, RoomError when it cannot be read.
    """
    tell = progress or (lambda stage, done, whole: None)
    if not task.is_dir():
        raise GenerateError(
            f"{task}: is a file; name a folder" if task.exists() else f"{task}: there is no such folder"
        )
    if unfinished(task):
        raise GenerateError(f"{task} holds a room that is not finished ({UNFINISHED} is there); generate it again")
    if not (task / KEY_FILE).exists():
        raise GenerateError(f"{task} is the folder of no generated task: it has no {KEY_FILE}")
    try:
        key = read_key(task / KEY_FILE)
    except AnswerKeyError as error:
        raise GenerateError(str(error)) from None
    documents = task / "documents"
    if not documents.is_dir():
        raise GenerateError(f"{documents}: there is no such folder; generate the room again")
    found = list(_rubric_problems(task, key))
    with tempfile.TemporaryDirectory(prefix="redwell-verify-") as scratch:
        place = store or Path(scratch) / "store"
        _read(documents, place, tell)
        with Room.open(place) as room:
            found += _room_problems(room, key, tell)
    return found


def _read(documents: Path, store: Path, tell: Progress) -> None:
    def told(event: dict[str, Any]) -> None:
        tell("reading", int(event.get("parsed", 0)), int(event.get("found", event.get("files", 0))))

    read_room(documents, store, progress=told)


def _rubric_problems(task: Path, key: Key) -> Iterator[str]:
    """The task has the key's criteria, and the key's parts fit together."""
    try:
        given = json.loads((task / "task.json").read_text(encoding="utf-8"))["criteria"]
        listed = {one["id"]: (one["title"], one["match_criteria"]) for one in given}
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        yield f"task.json: its criteria cannot be read: {why(error)}"
        return
    if listed != {it.id: (it.title, it.match_criteria) for it in key.criteria} or len(given) != len(key.criteria):
        yield "task.json: its criteria are not those of the answer key"
    for criterion in key.criteria:
        issue = key.issue(criterion.issue)
        if criterion.issue and issue is None:
            yield f"{criterion.id}: there is no issue {criterion.issue}"
        elif issue and not set(criterion.check.cites) <= {evidence.name for evidence in issue.evidence}:
            yield f"{criterion.id}: it cites evidence that {issue.id} does not have"
    for issue in key.issues:
        if any(not absence.terms or not all(term.strip() for term in absence.terms) for absence in issue.absences):
            yield f"{issue.id} ({issue.slug}): an absence says nothing that could be looked for"
        if not issue.evidence:
            yield f"{issue.id} ({issue.slug}): it has no evidence"
        if issue.kind == "absence" and not issue.decoy and not issue.absences:
            yield f"{issue.id} ({issue.slug}): it is of the kind absence, and names none"


def _room_problems(room: Room, key: Key, tell: Progress) -> Iterator[str]:
    """One pass over the documents: the quotes that should be in each, and the absences that it must not fill."""
    documents = {path: document for document in room.documents() for path in document.paths}
    wanted: dict[str, list[tuple[PlantedIssue, Evidence]]] = defaultdict(list)
    absences = [(issue, absence) for issue in key.issues for absence in issue.absences if any(absence.terms)]
    for issue in key.issues:
        for evidence in issue.evidence:
            known = documents.get(evidence.document)
            if known is None:
                yield f"{issue.id} ({issue.slug}): {evidence.document} is not in the room"
            else:
                wanted[known.id].append((issue, evidence))
    for issue, absence in absences:
        for path in absence.despite:
            if path not in documents:
                yield f"{issue.id} ({issue.slug}): {path} is not in the room"
    anchors = [(max(absence.terms, key=len), issue, absence) for issue, absence in absences]
    present = room.documents()
    for done, document in enumerate(present):
        if done % 50 == 0:
            tell("checking", done, len(present))
        text = room.text(document.id)
        for issue, evidence in wanted.get(document.id, ()):
            yield from _quote_problems(room, document, text, issue, evidence)
        lowered = text.lower()
        for anchor, issue, absence in anchors:
            if anchor in lowered and not _despite(document, absence):
                yield from _absence_problems(room, document, text, lowered, issue, absence)
    tell("checking", len(present), len(present))


def _quote_problems(
    room: Room, document: Document, text: str, issue: PlantedIssue, evidence: Evidence
) -> Iterator[str]:
    where = f"{issue.id} ({issue.slug}), {evidence.name} in {evidence.document}"
    if not text:
        yield f"{where}: nothing of the document was read ({document.reason or document.status})"
        return
    folded = quotes.fold(text, skip=room.hidden(document.id))
    for quote in evidence.quotes:
        if not quotes.find(folded, quote):
            yield f"{where}: it does not say “{quote}”"
    if len(evidence.quotes) > 1 and evidence.locator.startswith(("sheet ", "table ")):
        units = (quotes.fold(text[unit.start : unit.end]) for unit in room.units(document.id))
        if not any(all(quotes.find(unit, quote) for quote in evidence.quotes) for unit in units):
            yield f"{where}: no row has all of its cells"


def _absence_problems(
    room: Room, document: Document, text: str, lowered: str, issue: PlantedIssue, absence: Absence
) -> Iterator[str]:
    if not all(term in lowered for term in absence.terms):
        return
    for unit in room.units(document.id):
        words = text[unit.start : unit.end].lower()
        if all(term in words for term in absence.terms):
            yield f"{issue.id} ({issue.slug}): {absence.what} should be nowhere, and {document.paths[0]} has it in {unit.path}"
            return


def _despite(document: Document, absence: Absence) -> bool:
    """Whether the document, or the mail that it is attached to, may hold the words."""
    return any(path == other or path.startswith(f"{other}/") for path in document.paths for other in absence.despite)

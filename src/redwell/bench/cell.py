"""One cell of a matrix: a task through a harness with a root and a sub-agent model, once. Made, gone on with, exported, measured, graded.

A cell's folder is a run like any other. Whatever is done already is not done again: the room is read once for all cells of a task, the
run goes on from its journal, and a set of verdicts that is there stands.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

import redwell
from redwell.bench import lab
from redwell.bench.grading import FACTS, grade_run, require_delivered, rubric_of
from redwell.bench.harnesses import DEPTHS, HARNESSES
from redwell.bench.locks import held
from redwell.bench.measures import measure, write_atomically
from redwell.bench.runs import has_journal
from redwell.bench.score import write_lab
from redwell.bench.tasks import BenchTask, TaskError, load_task
from redwell.bench.verdicts import VerdictSet
from redwell.diligence.application import Diligence
from redwell.diligence.deal import Deal
from redwell.diligence.naming import resolve
from redwell.diligence.prompt import guest_modules, root_prompt
from redwell.harness.types import Settings
from redwell.journal.counted import counted
from redwell.journal.coverage import share_read
from redwell.journal.journal import Journal, JournalError
from redwell.journal.usage import usage
from redwell.models.budget import Budget, Spent
from redwell.models.recovery import recover
from redwell.models.types import Model, Role
from redwell.room.reading import read_room
from redwell.room.room import Room, RoomError

Status = Literal["submitted", "salvaged", "failed", "interrupted"]
FINISHED = ("submitted", "salvaged")
RESULT = "cell.json"
PATIENCE = 30.0
"""Seconds for which a run may still be held by a process that was killed and has not ended yet."""
_TELL_EVERY = 0.5

Tell = Callable[[str, dict[str, Any]], None]
"""Called with (what happened, figures): `reading`, `figures`, `grading`."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What a cell is made of, as plain JSON. `folder` and `tree` are the task's; `run` and `store` are where it works; `caps` are those of
    `models.budget.Budget`."""

    task: str
    folder: str
    tree: str
    harness: str
    root: str
    sub: str
    repeat: int
    run: str
    store: str
    settings: dict[str, Any] = field(default_factory=dict)
    caps: dict[str, Any] = field(default_factory=dict)
    judges: tuple[str, ...] = ()
    ocr: Literal["auto", "off"] = "auto"

    @property
    def name(self) -> str:
        return f"{self.task} · {self.harness} · {self.root} · {self.sub} · {self.repeat}"


@dataclass(frozen=True, slots=True)
class CellResult:
    """How a cell ended and what it has used, its judges included. `coverage` is None when the room was not opened; `judged` has for each judge
    the numbers of criteria passed, failed and unscored; `rubric` is a digest of what they were judged by."""

    status: Status
    reason: str = ""
    dollars: float = 0.0
    tokens: int = 0
    calls: int = 0
    seconds: float = 0.0
    coverage: float | None = None
    judged: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    rubric: str = ""

    @property
    def finished(self) -> bool:
        """Whether a report was delivered, so that the cell need not be run again."""
        return self.status in FINISHED


def result_of(run: Path) -> CellResult | None:
    """What a cell came to in the past; None when it has not ended."""
    try:
        return TypeAdapter(CellResult).validate_json((run / RESULT).read_bytes())
    except (OSError, ValidationError):
        return None


def ending_of(run: Path, lengths: Callable[[Journal], Mapping[str, int]]) -> CellResult | None:
    """How a run ended, also one that is no cell of a matrix, of which its journal tells; None when it has not ended. `lengths` gives the characters
    of each document of such a run's room, none where they are not known. Raises JournalError when its journal cannot be read."""
    result = result_of(run)
    if result is not None or not has_journal(run):
        return result
    with Journal.open(run, read_only=True) as journal:
        end = None if "task_folder" in journal.configuration else _last_end(journal)
        if end is None:
            return None
        known = lengths(journal)
        share = share_read(journal, known) if known else None
        spent = _spent(journal)
    return CellResult(end[0], end[1], spent.dollars, spent.tokens, spent.calls, spent.seconds, share)


def spent_by(run: Path) -> Spent:
    """What a run has used so far, from its journal: what nobody told the cost of counts with all that was reserved for it."""
    try:
        with Journal.open(run, read_only=True) as journal:
            return _spent(journal)
    except JournalError:
        return Spent(0.0, 0, 0, 0.0)


def _spent(journal: Journal) -> Spent:
    budget = Budget(clock=lambda: 0.0)
    recover(journal, budget)
    return budget.spent


def task_of(run: Path) -> BenchTask:
    """The task of a cell's run. Raises JournalError when the folder holds no run, TaskError when it is none of a matrix or its task is gone."""
    with Journal.open(run, read_only=True) as journal:
        configuration = journal.configuration
    if "task_folder" not in configuration:
        raise TaskError(
            f"{run / 'run.json'}: task_folder: is missing: this run is no cell of a matrix; name its task with --task FOLDER"
        )
    return load_task(run / configuration["task_folder"], run / configuration["task_tree"])


async def carry_out(cell: Cell, tell: Tell, *, root: Model | None = None) -> CellResult:
    """Does what is left to do of a cell, and writes `cell.json`. `root` is a client for the cell's root that its name alone does not give, because it
    has a key of its own; it is closed at the end. Raises what reading, running or grading raise when they cannot be begun;
    cancelling it ends the run in order."""
    run = Path(cell.run)
    task = load_task(Path(cell.folder), Path(cell.tree))
    opened = await asyncio.to_thread(_open, task, cell, tell)
    with opened as room:
        result = await _run(cell, task, room, tell, root)
        if result.finished:
            await asyncio.to_thread(require_delivered, run, task)
        if result.status != "interrupted":
            await asyncio.to_thread(lab.export, run, room)
            await asyncio.to_thread(measure, run, task, room)
        if result.finished:
            result = await _grade(cell, task, room, result, tell)
    write_atomically(run / RESULT, json.dumps(asdict(result), ensure_ascii=False, indent=1) + "\n")
    return result


def _open(task: BenchTask, cell: Cell, tell: Tell) -> Room:
    """The room of the task, read by whoever comes first; a reading that was killed halfway is gone on with."""
    store = Path(cell.store)
    try:
        return Room.open(store)
    except RoomError:
        if not task.documents.is_dir():
            raise TaskError(
                f"{task.folder / 'task.json'}: documents: {task.documents} is not there, so there is no room to read"
            ) from None
    with held(store.with_name(store.name + ".lock"), wait=True):
        try:
            return Room.open(store)  # another cell has read it meanwhile
        except RoomError:
            account = read_room(task.documents, store, ocr=cell.ocr, progress=lambda figures: tell("reading", figures))
    if not account.characters:
        raise RoomError(f"{task.documents}: no readable text is in its {counted(account.found, 'file')}")
    return Room.open(store)


async def _run(cell: Cell, task: BenchTask, room: Room, tell: Tell, root: Model | None) -> CellResult:
    models: dict[Role, Model] = {"root": root or resolve(cell.root, "root"), "sub": resolve(cell.sub, "sub")}
    settings = Settings(**cell.settings)
    journal = await _journal(cell, task.title, room, settings)
    watch = _Watch(journal, room, tell)
    try:
        ended = _ended(journal)
        if ended is None:
            given = task.for_agent()
            application = Diligence(
                room=room,
                journal=journal,
                deal=Deal(),
                task=given,
                modules=guest_modules(Deal()),
                prompt=root_prompt(models["sub"].name, DEPTHS.get(cell.harness, 1), settings.prompt),
                reasons=models["root"].name != "playbook",
            )
            outcome = await HARNESSES[cell.harness](
                given, room, models, journal, Budget(**cell.caps), application, settings, watch
            )
            ended = (outcome.status, outcome.reason)
        watch.look()
        spent = _spent(journal)
        status, reason = ended
        return CellResult(
            status, reason, spent.dollars, spent.tokens, spent.calls, spent.seconds, share_read(journal, watch.lengths)
        )
    finally:
        journal.close()
        for model in models.values():
            await model.close()


def _ended(journal: Journal) -> tuple[Status, str] | None:
    """How a finished run ended; None for one that is to be gone on with, which a run without a report is."""
    end = _last_end(journal)
    return end if end is not None and end[0] in FINISHED else None


def _last_end(journal: Journal) -> tuple[Status, str] | None:
    """How a run ended when it last did, with or without a report; None when it never has, or has been gone on with since."""
    last = None
    for event in journal.events(("run.finished", "run.resumed")):
        last = event if event.kind == "run.finished" else None
    return None if last is None else (last.data["status"], last.data["reason"])


async def _journal(cell: Cell, title: str, room: Room, settings: Settings) -> Journal:
    run = Path(cell.run)
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            if (run / "run.json").exists():
                return Journal.open(run)
            return Journal.create(run, _configuration(cell, title, room, settings))
        except (JournalError, FileExistsError) as error:
            if isinstance(error, JournalError) and "in use" not in str(error):
                raise JournalError(f"{error}; delete the folder of the run, and the cell is run anew") from None
            if time.monotonic() > deadline:
                raise
        await asyncio.sleep(0.1)


def _configuration(cell: Cell, title: str, room: Room, settings: Settings) -> dict[str, Any]:
    run = Path(cell.run).resolve()
    return {
        "kind": "bench",
        "version": redwell.__version__,
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "task": cell.task,
        "title": title,
        "task_folder": _seen_from(run, cell.folder),
        "task_tree": _seen_from(run, cell.tree),
        "harness": cell.harness,
        "repeat": cell.repeat,
        "room": _seen_from(run, str(room.store)),
        "room_name": cell.task,
        "models": {"root": cell.root, "sub": cell.sub},
        "settings": asdict(settings),
        "budget": cell.caps,
    }


def _seen_from(run: Path, place: str) -> str:
    """Relative, so that a matrix can be moved with what belongs to it."""
    return os.path.relpath(Path(place).resolve(), run)


async def _grade(cell: Cell, task: BenchTask, room: Room, result: CellResult, tell: Tell) -> CellResult:
    """Adds every judge's verdicts and what they cost. The judges take what the run has left of the cell's budget."""
    dollars, tokens, calls, seconds = result.dollars, result.tokens, result.calls, result.seconds
    sets: list[VerdictSet] = []
    for judge in cell.judges:
        caps = dict(cell.caps)
        for name, used in (("dollars", dollars), ("tokens", tokens), ("calls", calls), ("seconds", seconds)):
            if caps.get(name) is not None:
                caps[name] = max(0, caps[name] - used)
        model = None if judge == FACTS else resolve(judge, "judge")

        def progress(done: int, of: int, judge: str = judge) -> None:
            tell("grading", {"judge": judge, "graded": done, "criteria": of})

        try:
            given = await grade_run(
                Path(cell.run), task, judge, model=model, room=room, budget=Budget(**caps), progress=progress
            )
        finally:
            if model is not None:
                await model.close()
        sets.append(given)
        dollars, tokens = dollars + (given.cost or 0.0), tokens + given.input_tokens + given.output_tokens
        calls, seconds = calls + given.calls, seconds + given.seconds
    if sets:
        await asyncio.to_thread(write_lab, Path(cell.run), task, sets)
    counts = [(one.count("pass"), one.count("fail"), one.count("unscored")) for one in sets]
    judged = dict(zip(cell.judges, counts, strict=True))
    by = await asyncio.to_thread(rubric_of, task) if sets else ""
    return replace(result, dollars=dollars, tokens=tokens, calls=calls, seconds=seconds, judged=judged, rubric=by)


class _Watch:
    """Passes on, now and then, how far a run has come: all of it views of the journal."""

    def __init__(self, journal: Journal, room: Room, tell: Tell) -> None:
        self._journal, self._tell = journal, tell
        self.lengths = {document.id: document.length for document in room.documents()}
        self._looked = 0.0

    def __call__(self, kind: str, figures: dict[str, Any]) -> None:
        if time.monotonic() - self._looked > _TELL_EVERY:
            self.look()

    def look(self) -> None:
        self._looked = time.monotonic()
        used = usage(self._journal)
        figures = {"coverage": share_read(self._journal, self.lengths), "dollars": used.known_cost, "calls": used.calls}
        self._tell("figures", {**figures, "tokens": used.tokens.input + used.tokens.output})
